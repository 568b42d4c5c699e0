"""Monte Carlo tree search, linked with a game and with the parts of one search: the loop whose lines are the phases.

One kernel serves plain MCTS, trees of own decisions only, open-loop trees, information-set MCTS (Cowling, Powley &
Whitehouse 2012) and rounds in which all move at once; what differs is bound when it is linked.
"""

from spielbaum.linked import DOUBTED, DRAWS_HIDDEN, GUESSED, WHOLE_GAME, backup, hooks, parts, simulate
from spielbaum.rules import below, inlined
from spielbaum.search.mcts.tree import FULL, ROOT, STARVED
from spielbaum.search.mcts.work import NOW, ROOT_STATE, ZEROS


@inlined
def iterate(t, tree, states, raw, work, p, rng, iterations):
    """Iterate; the number of iterations done, fewer where the tree must grow first or nothing is left to search."""
    parts.begin(t, states, work, p)
    for done in range(iterations):
        if parts.closed(tree, ROOT):
            return done
        if WHOLE_GAME and work.whole:
            states[NOW] = states[ZEROS]
            hooks.start(t, states[NOW], rng)
        else:
            states[NOW] = states[ROOT_STATE]
            if DRAWS_HIDDEN:
                draw_world(t, states[NOW], p, rng)
        depth = parts.descent.descend(t, tree, states, raw, work, p, rng)
        parts.arrived(t, states, tree, work, p)
        simulate.simulate(t, states, work, p, rng)
        backup.backup(tree, depth, work, p)
        parts.finish(tree, work, p)
        if tree.used[STARVED] and not tree.used[FULL]:
            return done + 1
    return iterations


@inlined
def draw_world(t, s, p, rng):
    """Fill in what the searching player can't see; half of the time also what another can't see of that."""
    if GUESSED:
        hooks.guess(t, s, p.guess, p.me, rng)
    else:
        hooks.determinize(t, s, p.me, rng)
    if DOUBTED and below(rng, 2):
        other = (p.me + 1 + below(rng, p.players - 1)) % p.players
        hooks.hide(t, s, other)
        hooks.determinize(t, s, other, rng)
