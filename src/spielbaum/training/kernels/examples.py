"""What a network sees of positions that were met somewhere, see `spielbaum.training.examples`."""

from spielbaum.compile.link import kernel
from spielbaum.kernels import hooks
from spielbaum.linked import rules


@kernel
def see(t, states, features, active, actions, counts, seen, legal):
    """The features of who is to move and the legal actions of each position, and how many there are of both."""
    for i in range(len(states)):
        mover = rules.player(t, states[i])
        active[i] = rules.features(t, states[i], mover, seen)
        counts[i] = hooks.legal_of(t, states[i], mover, legal)
        for k in range(active[i]):
            features[i, k] = seen[k]
        for k in range(counts[i]):
            actions[i, k] = legal[k]
