"""The parameters of MCTS, declared once, and what becomes of them: a structure and the numbers of a kernel.

Most are declared by the parts (see `parts.py`); docs/search.md has the formulas side by side.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spielbaum.bind import policy_rules
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game, buffer_size
from spielbaum.params import Param
from spielbaum.protocol import parameters
from spielbaum.search.mcts import parts, work
from spielbaum.search.mcts.expand import WIDE
from spielbaum.search.mcts.parts import Structure
from spielbaum.search.mcts.policies import GENERAL, parse_policies, policy_number
from spielbaum.search.mcts.tree import NEXT, PRIOR, Layout, layout

DECIDE = ("robust", "max", "max-robust", "secure", "mix")
REUSE = ("fresh", "keep", "normalise")
ENDLESS = 1 << 62
LONGEST = 2000  # moves of a simulation unless told otherwise

BUDGET = (
    Param("iterations", None, "simulations per decision (1000 when no budget is set)", low=1, kind=int),
    Param("seconds", None, "thinking time per decision", low=0.001, kind=float),
)
SIMULATION = (
    Param("mix", "move", "draw a mixture's policy for every move or once a simulation", choices=("move", "simulation")),
    Param(
        "depth",
        0,
        "moves or rounds of a simulation before it is valued; 0 is to the end",
        low=0,
        tune=(1, 12),
        when="depth",
    ),
    Param("depth-in", "moves", "what `depth` counts", choices=("moves", "rounds")),
    Param("limit", LONGEST, "moves after which every simulation is cut off", low=1),
    Param("simulations", 1, "simulations per leaf, averaged", low=1),
)
DECISION = (
    Param("decide", "robust", "which root action is played", choices=DECIDE),
    Param(
        "secure",
        4.0,
        "A of `decide=secure`: largest value - A/sqrt(visits)",
        low=0,
        tune=(0.1, 10.0),
        log=True,
        when="decide=secure",
    ),
)
LIMITS = (
    Param("threads", 1, "trees that grow side by side, their results summed (root parallel)", low=1, high=256),
    Param("memory", 512, "hard cap on tree memory in MB; at it the search goes on without growing", low=1),
)
GUESS = Param("guess", "", "hidden information: how to draw what is not seen, one of the game's ways")
ANSWERS = Param("answers", "", "policy of the others in a tree of own decisions; as in simulations unless given")
MODEL = Param(
    "model", "rounds", "where all move at once: as a round, or one after the other", choices=("rounds", "sequential")
)
NODES = Param(
    "nodes", "view", "an information set is what the mover sees, or the path of actions", choices=("view", "path")
)


def phases(game: Game) -> tuple[Param, ...]:
    """The parameters of the four phases."""
    expand = parts.slot_param("expand")
    if game.module.MAX_ACTIONS > WIDE:
        expand = Param("expand", "draw", expand.help, choices=expand.choices)
    return (
        parts.slot_param("select"),
        *parts.params("select"),
        *parts.params("modify"),
        expand,
        Param("expand-visits", 1, "visits that a leaf needs before it gets children", low=0, tune=(0, 10)),
        *parts.params("expand"),
        Param("filter", "", "prunings of the game to apply in the tree, joined by +", tune=game.filters),
        Param(
            "simulate",
            "random",
            "policies of own side/others: p, p/q, mixtures p+q or 0.9*p+0.1*q",
            tune=game.policies,
        ),
        *SIMULATION,
        parts.slot_param("value"),
        *parts.params("value"),
        parts.slot_param("backup"),
        *parts.params("backup"),
        *DECISION,
        *([MODEL] if game.simultaneous else []),
    )


def mcts_params(game: Game) -> tuple[Param, ...]:
    return (
        *BUDGET,
        *phases(game),
        parts.slot_param("opponents"),
        ANSWERS,
        Param("transpositions", False, "positions reached by different orders of moves share a node"),
        Param("reuse", "fresh", "what becomes of the tree after the move", choices=REUSE),
        Param("determinizations", 16, "sampled states, one tree each, votes summed; 0 is all there are", low=0),
        GUESS,
        *LIMITS,
    )


def ismcts_params(game: Game) -> tuple[Param, ...]:
    return (*BUDGET, *phases(game), GUESS, NODES, *LIMITS)


def structure_of(game: Game, values: dict[str, Any], *, information_sets: bool) -> Structure:
    """What of the parameters is fixed when a kernel is linked."""
    hidden = information_sets and game.hidden
    opponents = values.get("opponents", "tree")
    rounds = game.simultaneous and opponents == "tree" and values.get("model") != "sequential"
    nodes = "view" if hidden and values["nodes"] == "view" else "position" if values.get("transpositions") else "path"
    if getattr(parts.declaration(f"value/{values['value']}"), "WAITS", False):
        nodes = "awaited"
    chosen = [f"{slot}/{values[slot]}" for slot in ("select", "expand", "value", "backup")]
    chosen += [f"opponents/{opponents}", f"nodes/{nodes}", f"descent/{'rounds' if rounds else 'turns'}"]
    chosen += [part for part in parts.modifiers() if is_on(part, values)]
    chances = parse_policies(game, values["simulate"])
    used = np.any(np.diff(chances, axis=1, prepend=0.0), axis=0).tolist()
    if values.get("answers"):
        used[policy_number(game, values["answers"])] = True
    flags = {
        "OPEN_LOOP": hidden or game.chance,
        "DRAWS_HIDDEN": hidden,
        "DOUBTED": nodes == "view" and not rounds and game.has("likelihood"),
        "GUESSED": bool(values["guess"]),
        "FILTERED": bool(values["filter"]),
        "ANSWERS": bool(values.get("answers")),
        "UNIFORM": not any(used[1:]),
        "ONE_PLY": used[1],
        "OWN_POLICIES": any(used[len(GENERAL) :]),
        "PER_MOVE": values["mix"] == "move",
        "DEPTH_IN_ROUNDS": values["depth-in"] == "rounds" and values["depth"] > 0,
    }
    declared = [parts.declaration(part) for part in chosen]
    flags |= {flag: True for flag in parts.FLAGS if any(getattr(each, flag, None) is True for each in declared)}
    if nodes != "view" or rounds or values["guess"]:
        flags["WHOLE_GAME"] = False
    followed = [number for number, is_used in enumerate(used[len(GENERAL) :]) if is_used]
    rules = policy_rules(game.module)
    policies = tuple(followed) if rules else ()
    flags["BLIND"] = game.hidden and bool(policies) and all("s" not in parameters(rules[number]) for number in policies)
    return Structure(tuple(chosen), tuple(flag for flag in parts.FLAGS if flags.get(flag)), policies)


def is_on(modifier: str, values: dict[str, Any]) -> bool:
    """Whether a modifier's first parameter is not at its default."""
    switch = parts.declaration(modifier).PARAMS[0]
    return bool(values[switch.name] != switch.default)


def tree_layout(structure: Structure) -> Layout:
    """The records of the tree that these parts need."""
    declared = [parts.declaration(part) for part in structure.parts]
    edge = [field for each in declared for field in getattr(each, "EDGE", ())]
    node = [field for each in declared for field in getattr(each, "NODE", ())]
    edge += [PRIOR] * ("PRIOR" in structure.flags) + [NEXT] * ("CHAINED" in structure.flags)
    edge += [("available", "f4")] * ("OPEN_LOOP" in structure.flags)
    return layout(edge, node, keyed="KEYED" in structure.flags, joints="JOINTS" in structure.flags)


def work_fields(game: Game, structure: Structure) -> list[Any]:
    """The buffers that these parts need."""
    flags = structure.flags
    fields = [*work.open_loop(game)] if "OPEN_LOOP" in flags else []
    fields += [] if "UNIFORM" in flags else work.mixtures(game)
    fields += work.one_ply(game) if "ONE_PLY" in flags else []
    fields += [("whole", "?")] if "WHOLE_GAME" in flags else []
    fields += [("priors", "f8", buffer_size(game.module))] if "PRIOR" in flags else []
    for part in structure.parts:
        declared = getattr(parts.declaration(part), "work", None)
        fields += declared(game) if declared else []
    return fields


NUMBERS = {bool: "?", int: "i8", float: "f8"}


def settings(structure: Structure, values: dict[str, Any], **others: int) -> np.ndarray:
    """SETTINGS[1]: the numbers of a search, those of its parts and some of every one."""
    declared = [param for part in structure.parts for param in getattr(parts.declaration(part), "PARAMS", ())]
    declared = [param for param in declared if param.type in NUMBERS]
    numbers = {param.name.replace("-", "_"): values[param.name] for param in declared}
    numbers |= {
        "expand_visits": values["expand-visits"],
        "depth": values["depth"] or ENDLESS,
        "limit": values["limit"],
        "simulations": values["simulations"],
        **others,
    }
    kinds = {param.name.replace("-", "_"): NUMBERS[param.type] for param in declared}
    p = np.zeros(1, np.dtype((np.record, [(name, kinds.get(name, "i8")) for name in numbers]), align=True))
    for name, value in numbers.items():
        p[name] = value
    return p


def check_fit(game: Game, values: dict[str, Any], structure: Structure) -> None:
    """Refuse combinations of parameters that would be ignored or wrong for this game."""
    for part in structure.parts:
        objection = getattr(parts.declaration(part), "objection", None)
        if objection and (wrong := objection(game, values)):
            raise SpielbaumError(wrong)
    for broken, message in misfits(game, values, structure):
        if broken:
            raise SpielbaumError(message)


def misfits(game: Game, values: dict[str, Any], structure: Structure) -> list[tuple[bool, str]]:
    opponents, reuse, share = (
        values.get("opponents", "tree"),
        values.get("reuse", "fresh"),
        values.get("transpositions", False),
    )
    evaluates, rounds = game.has("evaluate"), "ROUNDS" in structure.flags
    return [
        (share and not game.has("key"), f"transpositions=on needs a rule 'key', which {game.name} does not have"),
        (
            share and (game.hidden or game.chance),
            f"transpositions=on needs full information, not {game.name}",
        ),
        (share and rounds, "transpositions=on searches one decision after the other; add model=sequential"),
        (
            bool(values.get("answers")) and opponents == "tree",
            "answers is for trees of own decisions; add opponents=fixed, shared or resample",
        ),
        (share and opponents != "tree", f"transpositions=on goes with opponents=tree, not {opponents}"),
        (share and reuse != "fresh", f"transpositions=on goes with reuse=fresh, not {reuse}"),
        (
            values.get("determinizations") == 0 and game.hidden and not game.has("possibility"),
            f"determinizations=0 needs a rule 'possibility', which {game.name} does not have",
        ),
        (
            values.get("determinizations") == 0 and bool(values["guess"]),
            f"guess={values['guess']} draws some, but determinizations=0 takes all; set it, or leave guess out",
        ),
        (
            reuse != "fresh" and opponents in ("fixed", "shared"),
            f"reuse={reuse} does not go with opponents={opponents}",
        ),
        (
            reuse != "fresh" and rounds and game.chance,
            f"reuse={reuse} does not go with rounds that roll dice",
        ),
        (
            reuse != "fresh" and game.hidden and not game.sees_all,
            f"reuse={reuse} needs to know what was played, which {game.name} hides",
        ),
        (
            "EVALUATES" in structure.flags and not evaluates,
            f"value={values['value']} needs a rule 'evaluate', which {game.name} does not have",
        ),
        (
            values["depth"] > 0 and not evaluates,
            f"depth={values['depth']} needs a rule 'evaluate', which {game.name} does not have",
        ),
    ]
