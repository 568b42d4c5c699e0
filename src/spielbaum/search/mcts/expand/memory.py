"""`memory`: Memory-MCTS. A table over action codes, which lives through the game, proposes what to try (Quick Civ).

At a node, with probability *exploration* explore, otherwise follow a child by the selection. To explore, draw
*tournament* actions at random and take the one with the largest memory. On every backup of an own action a

    Memory[a] = Memory[a]·(1 - α) + v·α          α the learning rate, which may be larger than 1

where v is the value scaled to 0 … 1 between the smallest and the largest that the agent has met in this game, or in
this decision. After each of its decisions Memory[a] = Memory[a]·(1 - r) + ResetPoint·r, and what the game's rule
`changed` lists is forgotten: unknown actions begin at 1, the largest value.
"""

import numpy as np

from spielbaum.kernels import hooks
from spielbaum.linked import FILTERED, LIMITED, components
from spielbaum.params import Param
from spielbaum.rules import rule, uniform
from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.host import Host
from spielbaum.search.mcts.kernels import children, decay, edges, untried_actions
from spielbaum.search.mcts.tree import FULL, has_room
from spielbaum.search.sides import OWN


class MemoryHost(Host):
    """Between two decisions memory decays."""

    def between_decisions(self, tree, world):
        self.game.kernels.link(decay, tree.variant).run(tree.context, tree.states, world.reshape(1), tree.work, tree.p)


PARAMS = (
    Param(
        "exploration",
        0.5,
        "memory: probability to try what memory proposes",
        low=0,
        high=1,
        tune=(0.0, 1.0),
        when="expand=memory",
    ),
    Param(
        "tournament",
        3,
        "memory: actions drawn, of which the best remembered is tried",
        low=1,
        tune=(1, 9),
        when="expand=memory",
    ),
    Param(
        "reset-strength",
        0.05,
        "memory: how far it returns to the reset point after a decision",
        low=0,
        high=2,
        tune=(0.0, 1.0),
        when="expand=memory",
    ),
    Param("learning-rate", 0.5, "memory: weight of a new value", low=0, tune=(0.0, 2.0), when="expand=memory"),
    Param("reset-point", 1.0, "memory: where it returns to", low=0, high=1, tune=(0.0, 1.0), when="expand=memory"),
    Param("untried-only", False, "memory: propose untried actions only, as the thesis does"),
    Param("scale-anew", False, "memory: scale values by those of this decision, not of the whole game"),
)
COMPONENT = Component(
    "expand",
    params=PARAMS,
    thread=lambda game, flags: [
        ("value", "f8", game.module.ACTION_CODES),  # what is remembered of each action
        ("smallest", "f8"),  # of the values met in this game
        ("largest", "f8"),
        ("remembers", "?"),
        *untried_actions.fields(game, flags),
    ],
    provides={"linked-edges"},
    host=MemoryHost,
)


@rule
def on_slice_start(own):
    """The first time of all: nothing is known."""
    if not own.remembers:
        own.remembers = True
        own.smallest, own.largest = np.inf, -np.inf
        for action in range(len(own.value)):
            own.value[action] = decay.UNKNOWN


@rule
def untried(t, s, tree, node, mover, work, own, p, rng):
    n = tree.nodes[node]
    if n.count > 0 and uniform(rng) >= p.exploration:
        return -1
    if p.untried_only:
        untried_actions.mark_tried(tree, node, mover, own)
    action = proposed(t, s, mover, work, own, p, rng)
    if action < 0:
        return -1
    edge = children.child_of(tree, node, action, mover)
    if edge >= 0:
        return edge
    if (LIMITED and n.count >= components.child_limit(tree, node, p)) or tree.used[FULL] or not has_room(tree, 1):
        return -1
    return untried_actions.new_edge(tree, node, action, mover)


@rule
def proposed(t, s, mover, work, own, p, rng):
    """The best remembered of some random actions; -1 where only untried ones are wanted and none is left."""
    best = -1
    for _ in range(p.tournament):
        if p.untried_only:
            action = untried_actions.unmarked(t, s, mover, work, own, p, rng)
            if action < 0:
                return best
            if best < 0 or own.value[action] > own.value[best]:
                best = action
            continue
        action = np.int64(hooks.sample_of(t, s, mover, work.spare, rng))
        if FILTERED and not edges.kept_by_all(t, s, mover, action, work, p):
            action = untried_actions.any_kept(t, s, mover, work, p, rng)
        if best < 0 or own.value[action] > own.value[best]:
            best = action
    return best


@rule
def on_backup(e, value, work, own, p):
    own.smallest, own.largest = min(own.smallest, value), max(own.largest, value)
    if work.side[e.mover] == OWN:
        width = own.largest - own.smallest
        scaled = (value - own.smallest) / width if width > 0.0 else 0.5
        own.value[e.action] += (scaled - own.value[e.action]) * p.learning_rate
