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
from spielbaum.linked import children
from spielbaum.params import Param
from spielbaum.rules import inlined, rule, uniform
from spielbaum.search.mcts.halving import most_visits, worth
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
PRIOR = True
FITTING = {
    "opponents": "tree",
    "expand": "all",
    "transpositions": False,
    "decide": "robust",
    "threshold": 0,
    "widen": 0.0,
}


def work(game):
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
    if game.hidden or game.simultaneous:
        return f"gumbel={values['gumbel']} needs turns and full information, not {game.name}"
    if values["threads"] > 1:
        return f"gumbel={values['gumbel']} divides the iterations of one tree; leave threads={values['threads']} out"
    if values["seconds"] is not None and values["iterations"] is None:
        return f"gumbel={values['gumbel']} must know how many iterations there are; add iterations=N"
    for name, fitting in FITTING.items():
        if values.get(name, fitting) != fitting:
            return f"gumbel={values['gumbel']} goes with {name}={fitting or 'off'}, not {values[name]}"
    return None


@inlined
def prefer(t, states, tree, node, mover, work, p, rng):
    if work.planned == 0 or node != tree.edges[ROOT].node:
        return -1
    return halved(tree, node, work, p, rng)


@rule
def halved(tree, node, work, p, rng):
    """The best one of the field that was not chosen in this round; -1 where all of them are proven."""
    n = tree.nodes[node]
    if work.field == 0:
        enter(n, work, p, rng)
    most = most_visits(tree, n)
    best, highest = -1, -math.inf
    for i in range(n.count):
        if work.chosen[i] == work.level and children.eligible(tree, n.first + i, work):
            score = worth(tree, n, i, most, work, p)
            if score > highest:
                best, highest = i, score
    go_on(n, work, p)
    if best < 0:
        return -1
    work.chosen[best] += 1
    return np.int64(n.first + best)


@rule
def enter(n, work, p, rng):
    """All that may take part, with their luck."""
    work.field = min(n.count, p.gumbel)
    work.level = work.turn = 0
    work.rounds = rounds(n, work, p)
    for i in range(n.count):
        work.chosen[i] = 0
        work.noise[i] = -p.gumbel_noise * math.log(-math.log(uniform(rng) + 1e-12) + 1e-12) if p.gumbel_noise else 0.0


@rule
def go_on(n, work, p):
    """The next one of this round, the next round, or half of the field."""
    work.turn += 1
    if work.turn < work.field:
        return
    work.turn = 0
    work.level += 1
    work.rounds -= 1
    if work.rounds == 0:
        work.field = min(n.count, max(2, work.field // 2))
        work.rounds = rounds(n, work, p)


@rule
def rounds(n, work, p):
    """How often each action of the field is chosen before the field is halved."""
    halvings = max(1, math.ceil(math.log2(min(n.count, p.gumbel))))
    return max(1, int(work.planned / (halvings * work.field)))
