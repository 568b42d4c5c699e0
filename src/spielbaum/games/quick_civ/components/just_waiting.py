"""`just-waiting`: oneself and the enemies have a policy each, and as soon as either is to wait, everybody waits.

So the thesis has it (section 7.1.1): the other policy does not matter then. Equal simulations are played once.
"""

from spielbaum.games.quick_civ.evaluate import (
    at_random,
    at_random_with_military,
    at_random_without_overwrite,
    best_build,
)
from spielbaum.games.quick_civ.rules import WAIT
from spielbaum.params import Param
from spielbaum.rules import inlined, rule
from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.host import Host
from spielbaum.search.sides import OTHERS, OWN

POLICIES = ("random", "greedy", "random-without-overwrite", "random-without-overwrite-with-military", "wait")
"""In the order of the thesis, whose figures give their numbers."""
RANDOM, GREEDY, WITHOUT_OVERWRITE, WITH_MILITARY, JUST_WAITING = range(len(POLICIES))


class PoliciesHost(Host):
    """Tells the kernel who follows which policy."""

    def on_new_tree(self, tree):
        chosen = [POLICIES.index(self.values[name]) for name in ("own-policy", "enemy-policy")]
        if JUST_WAITING in chosen:
            chosen = [JUST_WAITING, JUST_WAITING]
            tree.p["simulations"] = 1
        self.own(tree)["policy"][[OWN, OTHERS]] = chosen


COMPONENT = Component(
    "playout",
    params=(
        Param("own-policy", "wait", "playout=just-waiting: what oneself does in simulations", choices=POLICIES),
        Param("enemy-policy", "wait", "playout=just-waiting: what the others do in simulations", choices=POLICIES),
    ),
    thread=lambda game, flags: [("policy", "i8", 2)],  # of oneself and of the others
    needs=("full information",),
    host=PoliciesHost,
)


@inlined
def start_playout():
    pass


@rule
def playout_action(t, s, work, own, player, rng):
    policy = own.policy[work.side[player]]
    if policy == JUST_WAITING:
        return WAIT
    if policy == RANDOM:
        return at_random(t.tables, s, player, rng)
    if policy == GREEDY:
        return best_build(t.tables, s, player, work.weights)
    if policy == WITHOUT_OVERWRITE:
        return at_random_without_overwrite(t.tables, s, player, rng)
    return at_random_with_military(t.tables, s, player, rng)
