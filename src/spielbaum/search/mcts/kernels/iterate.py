"""Monte Carlo tree search, linked with a game and with the components of one search: a loop whose lines are the phases.

One kernel serves plain MCTS, trees of own decisions only, open-loop trees, information-set MCTS (Cowling, Powley &
Whitehouse 2012) and rounds in which all move at once; what differs is bound when it is linked.
"""

from spielbaum.kernels import hooks
from spielbaum.linked import DRAWS_HIDDEN, FROM_START, GUESSED, REDETERMINIZES, components
from spielbaum.rules import below, inlined
from spielbaum.search.mcts.kernels import backup, simulate
from spielbaum.search.mcts.tree import FULL, ROOT, STARVED
from spielbaum.search.mcts.workspace import NOW, ROOT_STATE, ZEROS


@inlined
def iterate(t, tree, states, raw, work, p, rng, iterations):
    """Iterate; the number of iterations done, fewer where the tree must grow first or nothing is left to search."""
    components.on_slice_start(t, states, work, p)
    for done in range(iterations):
        if components.is_closed(tree, ROOT):
            return done
        if FROM_START and work.from_start:
            states[NOW] = states[ZEROS]
            hooks.start(t, states[NOW], rng)
        else:
            states[NOW] = states[ROOT_STATE]
            if DRAWS_HIDDEN:
                draw_world(t, states, raw, work, p, rng)
        depth = components.tree_policy.descend(t, tree, states, raw, work, p, rng)
        components.on_leaf(t, states, tree, work, p)
        simulate.simulate(t, states, work, p, rng)
        backup.backup(tree, depth, work, p)
        components.on_iteration_end(tree, work, p)
        if tree.used[STARVED] and not tree.used[FULL]:
            return done + 1
    return iterations


@inlined
def draw_world(t, states, raw, work, p, rng):
    """Fill in what the searching player can't see; half of the time also what another can't see of that."""
    s = states[NOW]
    if GUESSED:
        hooks.guess(t, s, p.guess, p.me, rng)
    else:
        hooks.determinize(t, s, p.me, rng)
    components.on_world(t, states, raw, work, p)
    if REDETERMINIZES and below(rng, 2):
        other = (p.me + 1 + below(rng, p.players - 1)) % p.players
        if not components.is_stranger(work, other):
            hooks.hide(t, s, other)
            hooks.determinize(t, s, other, rng)
