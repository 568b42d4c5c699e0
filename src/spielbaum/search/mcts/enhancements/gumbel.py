"""`gumbel=m`: sequential halving at the root, over the m most promising actions (Danihelka, Guez, Schrittwieser &
Silver, "Policy improvement by planning with Gumbel", 2022).

With few iterations the best first action is found most often if all of them go to few actions, evenly, and the worse
half of these is dropped again and again. Actions are compared by

    g(a) + ln P(a) + σ(q(a))        σ(q) = S (50 + max n) (1 + q) / 2

with the prior P, the mean value q, the visits n and S = `gumbel-scale`. g is noise, `gumbel-noise` times a draw from
the Gumbel distribution: at 1, the m largest g + ln P are a sample of the prior without replacement, and what is
played is never worse than that sample, in expectation; at 0 the m likeliest actions are looked at.

Of n iterations each of the m actions gets n / (m log₂ m), then each of the better half twice that many, and so on down
to two; of the two the better one is played. Below the root `select` decides as ever. How many iterations there are must
be known before: where a clock is the only limit, the search goes on as if there was no such thing.
"""

import math

import numpy as np

from spielbaum.game import buffer_size
from spielbaum.params import Param
from spielbaum.rules import inlined, rule, uniform
from spielbaum.search.mcts.components import Component
from spielbaum.search.mcts.halving import most_visits, scores, worth
from spielbaum.search.mcts.host import Host
from spielbaum.search.mcts.kernels import children
from spielbaum.search.mcts.tree import ROOT

PARAMS = (
    Param(
        "gumbel",
        0,
        "root actions among which sequential halving divides the iterations; 0 is off",
        low=0,
        tune=(2, 32),
        when="gumbel",
    ),
    Param("gumbel-noise", 0.0, "how much chance has a say in which root actions are looked at", low=0, high=10),
    Param("gumbel-scale", 0.3, "how much values count beside priors at the root", low=0, tune=(0.05, 2.0), log=True),
)


class GumbelHost(Host):
    """Tells the kernel how many iterations there are, and says how far each root action has come."""

    def on_budget(self, tree, iterations):
        own = self.own(tree)
        own["planned"], own["field"] = iterations, 0

    def ranking(self, tree):
        own = self.own(tree)
        if not own["field"]:
            return None
        edges = tree.arrays.edges[tree.children(ROOT)]
        found = scores(edges, own["noise"][: len(edges)], self.values["gumbel-scale"])
        order = np.argsort(np.argsort(found, kind="stable"), kind="stable")  # the better ones of equals are further
        reached = own["chosen"][: len(edges)] + order / len(edges)
        return dict(zip(edges["action"].tolist(), reached.tolist(), strict=True))


def fields(game, flags):
    size = buffer_size(game.module)
    return [
        ("planned", "i8"),  # iterations of this decision, 0 where it has no such limit
        ("field", "i8"),  # actions that are still looked at
        ("level", "i8"),  # how often each of them was chosen before this round
        ("turn", "i8"),  # how many of them in this round
        ("rounds", "i8"),  # that are left before the field is halved
        ("noise", "f8", size),  # of each child of the root
        ("chosen", "i8", size),  # how often each was
    ]


def objection(game, values):
    if values["threads"] > 1:
        return f"gumbel={values['gumbel']} divides the iterations of one tree; leave threads={values['threads']} out"
    if values["seconds"] is not None and values["iterations"] is None:
        return f"gumbel={values['gumbel']} must know how many iterations there are; add iterations=N"
    return None


COMPONENT = Component(
    "enhancement",
    params=PARAMS,
    thread=fields,
    provides={"prior", "compares-children", "overrides-selection"},
    requires={"all-decisions", "no-precedence", "most-visits"},
    excludes={"shared-nodes", "overrides-selection", "limited"},
    needs=("turns", "full information"),
    objection=objection,
    host=GumbelHost,
)


@inlined
def override_selection(tree, node, work, own, p, rng):
    if own.planned == 0 or node != tree.edges[ROOT].node:
        return -1
    return halved(tree, node, work, own, p, rng)


@rule
def halved(tree, node, work, own, p, rng):
    """The best one of the field that was not chosen in this round; -1 where all of them are proven."""
    n = tree.nodes[node]
    if own.field == 0:
        enter(n, own, p, rng)
    most = most_visits(tree, n)
    best, highest = -1, -math.inf
    for i in range(n.count):
        if own.chosen[i] == own.level and children.eligible(tree, n.first + i, work):
            score = worth(tree, n, i, most, own.noise[i], p.gumbel_scale)
            if score > highest:
                best, highest = i, score
    next_phase(n, own, p)
    if best < 0:
        return -1
    own.chosen[best] += 1
    return np.int64(n.first + best)


@rule
def enter(n, own, p, rng):
    """All that may take part, with their luck."""
    own.field = min(n.count, p.gumbel)
    own.level = own.turn = 0
    own.rounds = rounds(n, own, p)
    for i in range(n.count):
        own.chosen[i] = 0
        own.noise[i] = -p.gumbel_noise * math.log(-math.log(uniform(rng) + 1e-12) + 1e-12) if p.gumbel_noise else 0.0


@rule
def next_phase(n, own, p):
    """The next one of this round, the next round, or half of the field."""
    own.turn += 1
    if own.turn < own.field:
        return
    own.turn = 0
    own.level += 1
    own.rounds -= 1
    if own.rounds == 0:
        own.field = min(n.count, max(2, own.field // 2))
        own.rounds = rounds(n, own, p)


@rule
def rounds(n, own, p):
    """How often each action of the field is chosen before the field is halved."""
    halvings = max(1, math.ceil(math.log2(min(n.count, p.gumbel))))
    return max(1, int(own.planned / (halvings * own.field)))
