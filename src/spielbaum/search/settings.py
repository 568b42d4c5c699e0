"""The parameters of MCTS, declared once, and the numbers that its kernels make of them.

Sources stand in the files of the phases; docs/search.md has the formulas side by side.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spielbaum.params import Param

SELECT = ("ucb1", "ucb1-tuned", "puct", "greedy", "epsilon-greedy", "random")
UCB1, UCB1_TUNED, PUCT, GREEDY, EPSILON_GREEDY, RANDOM = range(6)
EXPAND = ("all", "one")
VALUE = ("result", "evaluation", "difference")
RESULT, EVALUATION, DIFFERENCE = range(3)
BACKUP = ("mean", "vanishing")
DECIDE = ("robust", "max", "max-robust", "secure")
OPPONENTS = ("tree", "resample", "fixed")
IN_TREE, RESAMPLE, FIXED = range(3)
REUSE = ("fresh", "keep", "normalise")
MIX = ("move", "simulation")

BUDGET = (
    Param("iterations", None, "simulations per decision (1000 when no budget is set)", low=1, kind=int),
    Param("seconds", None, "thinking time per decision", low=0.001, kind=float),
)
LIMITS = (
    Param("threads", 1, "trees that grow side by side, their results summed (root parallel)", low=1, high=256),
    Param("memory", 512, "hard cap on tree memory in MB; at it the search goes on without growing", low=1),
)
GUESS = Param("guess", "", "hidden information: how to draw what is not seen, one of the game's ways")
PHASES = (
    Param("select", "ucb1", "how to go down the tree", choices=SELECT),
    Param("c", 1.4, "exploration constant of ucb1, ucb1-tuned and puct", low=0),
    Param("epsilon", 0.1, "share of random choices of epsilon-greedy", low=0, high=1),
    Param("normalise", False, "scale the values of a node's children to 0 … 1 before selecting"),
    Param("threshold", 0, "below that many visits of a node the simulation policy selects", low=0),
    Param("rave", 0.0, "equivalence parameter of RAVE: visits at which AMAF counts half; 0 is off", low=0),
    Param("bias", 0.0, "weight of progressive bias by the game's preferences; 0 is off", low=0),
    Param("widen", 0.0, "progressive widening: 1 + widen * sqrt(visits) children; 0 is off", low=0),
    Param("expand", "all", "all children at once, or one random untried action", choices=EXPAND),
    Param("expand-visits", 1, "visits that a leaf needs before it gets children", low=0),
    Param("filter", "", "prunings of the game to apply in the tree, joined by +"),
    Param("simulate", "random", "policies of own side/others: p, p/q, mixtures p+q or 0.9*p+0.1*q"),
    Param("mix", "move", "draw a mixture's policy for every move or once a simulation", choices=MIX),
    Param("depth", 0, "moves of a simulation before it is valued; 0 is to the end", low=0),
    Param("limit", 2000, "moves after which every simulation is cut off", low=1),
    Param("simulations", 1, "simulations per leaf, averaged", low=1),
    Param(
        "value", "result", "value of a simulation: result, evaluation, or its difference to the root's", choices=VALUE
    ),
    Param("winner-bias", 0.0, "weight of the best opponent in `value=difference`", low=0, high=1),
    Param("coalition", 0.0, "r: a win that a team-mate has made counts 1 - r between 0 and 1", low=0, high=1),
    Param("backup", "mean", "how a value counts on the way up", choices=BACKUP),
    Param("vanishing", 1.0, "k of `backup=vanishing`: distance d counts 1/(k*d); at least 0.1", low=0),
    Param("decide", "robust", "which root action is played", choices=DECIDE),
    Param("secure", 4.0, "A of `decide=secure`: largest value - A/sqrt(visits)", low=0),
)
MCTS = (
    *BUDGET,
    *PHASES,
    Param("opponents", "tree", "their decisions in the tree, resampled every pass, or fixed", choices=OPPONENTS),
    Param("share", False, "positions reached by different orders of moves share a node"),
    Param("reuse", "fresh", "what becomes of the tree after the move", choices=REUSE),
    Param("worlds", 16, "hidden information: sampled states, one tree each, votes summed; 0 is all there are", low=0),
    GUESS,
    *LIMITS,
)
ISMCTS = (
    *BUDGET,
    *PHASES,
    GUESS,
    Param("nodes", "view", "information sets: what the mover sees, or the path of actions", choices=("view", "path")),
    *LIMITS,
)


SETTINGS = np.dtype(
    (
        np.record,
        [
            ("select", "i8"),
            ("c", "f8"),
            ("epsilon", "f8"),
            ("normalise", "?"),
            ("threshold", "i8"),
            ("rave", "f8"),
            ("bias", "f8"),
            ("widen", "f8"),
            ("one", "?"),
            ("expand_visits", "i8"),
            ("filters", "i8"),  # bit mask
            ("per_move", "?"),
            ("limit", "i8"),
            ("simulations", "i8"),
            ("value", "i8"),
            ("winner_bias", "f8"),
            ("coalition", "f8"),
            ("guess", "i8"),  # -1 for the plain way
            ("vanishing", "f8"),  # 0 for the plain mean
            ("opponents", "i8"),
            ("share", "?"),
            ("by_view", "?"),
            ("draw_hidden", "?"),
            ("open_loop", "?"),
            ("plain", "?"),  # nothing but UCB1
            ("extras", "?"),  # statistics beyond total and visits
            ("me", "i8"),
            ("players", "i8"),
        ],
    )
)
"""The parameters as the kernels read them."""


def settings(
    values: dict[str, Any], *, filters: int, guess: int = -1, hidden: bool, chance: bool, me: int, players: int
) -> np.ndarray:
    """SETTINGS[1] for a search by player `me`; `hidden` asks for information sets."""
    opponents = OPPONENTS.index(values.get("opponents", "tree"))
    open_loop = hidden or chance or opponents == RESAMPLE
    adjusted = values["normalise"] or values["rave"] > 0 or values["bias"] > 0
    fields = {
        **{name: values[name] for name in ("c", "epsilon", "normalise", "threshold", "rave", "bias", "widen")},
        "select": SELECT.index(values["select"]),
        "one": values["expand"] == "one",
        "expand_visits": values["expand-visits"],
        "filters": filters,
        "per_move": values["mix"] == "move",
        "limit": min(values["depth"] or values["limit"], values["limit"]),
        "simulations": values["simulations"],
        "value": VALUE.index(values["value"]),
        "winner_bias": values["winner-bias"],
        "coalition": values["coalition"],
        "guess": guess,
        "vanishing": max(values["vanishing"], 0.1) if values["backup"] == "vanishing" else 0.0,
        "opponents": opponents,
        "share": values.get("share", False),
        "by_view": hidden and values.get("nodes") == "view",
        "draw_hidden": hidden,
        "open_loop": open_loop,
        "plain": values["select"] == "ucb1" and not adjusted and not open_loop,
        "extras": values["select"] == "ucb1-tuned" or values["rave"] > 0 or open_loop,
        "me": me,
        "players": players,
    }
    p = np.zeros(1, SETTINGS)
    for name, value in fields.items():
        p[name] = value
    return p
