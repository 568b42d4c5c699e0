"""A node for every information set, but for strangers: `nodes=auto`.

Where others hold so much that no two worlds look the same to them, as a hand of cards, a node that only one iteration
comes by teaches nothing: the tree would end with the first of their decisions. What the searching player sees is the
same in all worlds, and decides for such *strangers* in its place. Who is one is found by comparing the first worlds.
"""

from spielbaum.rules import inlined, rule
from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.nodes import by_view

WORLDS = 32  # that are compared before a player is a stranger, to whom no two look the same


class AutoHost(by_view.ViewHost):
    """At the beginning of a decision nobody is a stranger."""

    def before_decision(self, tree, rng):
        own = self.own(tree)
        own["worlds"] = 0
        own["met"][:], own["stranger"][:] = 0, 0


def fields(game, flags):
    players = game.module.PLAYERS
    return [
        *by_view.fields(game, flags),
        ("worlds", "i8"),  # that were compared
        ("views", "u8", (players, WORLDS)),  # what each player sees of them, as keys
        ("met", "i1", players),  # whether two of them look the same to a player
        ("stranger", "i1", players),  # whether a player's decisions are told apart by what the searching player sees
    ]


COMPONENT = Component("nodes", thread=fields, provides={"keyed", "by-view", "meets"}, host=AutoHost)


@inlined
def find(t, tree, states, s, raw, work, own, edge, e, mover, p, rng):
    watcher = p.me if own.stranger[mover] else mover
    key = by_view.key_of_view(t, states, raw, own.salts, watcher, mover)
    return by_view.node_of(t, tree, s, work, edge, e, key, mover, p, rng)


@rule
def on_world(t, states, raw, own, p):
    """Compare the world NOW with those before it; after the last one, know who is a stranger."""
    if own.worlds == WORLDS:
        return
    for other in range(p.players):
        if other != p.me and not own.met[other]:
            key = by_view.key_of_view(t, states, raw, own.salts, other, other)
            for world in range(own.worlds):
                if own.views[other, world] == key:
                    own.met[other] = 1
            own.views[other, own.worlds] = key
    own.worlds += 1
    if own.worlds == WORLDS:
        for other in range(p.players):
            own.stranger[other] = 0 if other == p.me or own.met[other] else 1


@inlined
def is_stranger(own, other):
    return own.stranger[other] != 0
