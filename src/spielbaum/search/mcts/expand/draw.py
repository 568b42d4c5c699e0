"""`draw`: as `one`, but an edge is made only when it is tried: for nodes with a thousand legal actions.

An untried action is drawn with the game's `sample`, rejecting what was tried or what a filter strikes off. After
some rejections in a row all are listed: then few are left, or none, and the node is complete.
"""

from spielbaum.linked import LIMITED, OPEN_LOOP, parts, untried_actions
from spielbaum.rules import rule
from spielbaum.search.mcts.tree import FULL, has_room
from spielbaum.search.mcts.work import NOW

CHAINED = True
NODE = (("complete", "i8"),)


def work(game):
    return [("tried", "i8", game.module.ACTION_CODES), ("mark", "i8")]  # when an action was last found to be tried


def objection(game, values):
    if values["select"] == "puct" or values["bias"] > 0:
        return "expand=draw makes children when they are tried; puct and bias compare all: use expand=all"
    return None


@rule
def untried(t, states, tree, node, mover, work, p, rng):
    n = tree.nodes[node]
    if n.count == 0:
        n.complete = 0
    if (LIMITED and n.count >= parts.limit(tree, node, p)) or (n.complete and not OPEN_LOOP) or tree.used[FULL]:
        return -1
    if not has_room(tree, 1):
        return -1
    action = untried_actions.drawn(t, states[NOW], tree, node, mover, work, p, rng)
    if action < 0:
        n.complete = 1
        return -1
    return untried_actions.new_edge(tree, node, action, mover)
