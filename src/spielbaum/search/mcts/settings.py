"""The parameters of MCTS, declared once, and what becomes of them: a variant and the numbers of a kernel.

Most are declared by the components (see `components.py`); docs/search.md has the formulas side by side.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spielbaum.compile.bind import policy_rules
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game, buffer_size
from spielbaum.params import Param
from spielbaum.protocol import parameters
from spielbaum.search.mcts import components, workspace
from spielbaum.search.mcts.components import Component, Variant, choices, params, slot_param
from spielbaum.search.mcts.expand import WIDE
from spielbaum.search.mcts.policies import GENERAL, parse_policies, policy_number
from spielbaum.search.mcts.tree import NEXT, PRIOR, Layout, layout, record

ENDLESS = 1 << 62
LONGEST = 2000  # moves of a simulation unless told otherwise

BUDGET = (
    Param("iterations", None, "simulations per decision (1000 when no budget is set)", low=1, kind=int),
    Param("seconds", None, "thinking time per decision", low=0.001, kind=float),
)
SIMULATION = (
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
LIMITS = (
    Param("threads", 1, "trees that grow side by side, their results summed (root parallel)", low=1, high=256),
    Param("memory", 512, "hard cap on tree memory in MB; at it the search goes on without growing", low=1),
)
GUESS = Param("guess", "", "hidden information: how to draw what is not seen, one of the game's ways")
OPPONENT_POLICY = Param(
    "opponent-policy", "", "policy of the others in a tree of own decisions; as in simulations unless given"
)
MODEL = Param(
    "model", "rounds", "where all move at once: as a round, or one after the other", choices=("rounds", "sequential")
)
NODES = Param(
    "nodes",
    "auto",
    "an information set is what the mover sees, or the path of actions; auto: as seen, if that comes up twice",
    choices=("auto", "view", "path"),
)


COMPILED = ("select", "expand", "value", "backup", "opponents", "nodes", "tree_policy", "playout")
"""The slots whose components are compiled, in the order in which their events are called; enhancements come last."""


def phases(game: Game) -> tuple[Param, ...]:
    """The parameters of the four phases."""
    expand = slot_param(game, "expand")
    if game.module.MAX_ACTIONS > WIDE:
        expand = Param("expand", "lazy", expand.help, choices=expand.choices)
    return (
        slot_param(game, "select"),
        *params(game, "select"),
        *params(game, "enhancement"),
        expand,
        Param("expand-visits", 1, "visits that a leaf needs before it gets children", low=0, tune=(0, 10)),
        *params(game, "expand"),
        Param("filter", "", "prunings of the game to apply in the tree, joined by +", tune=game.filters),
        *([slot_param(game, "playout")] if len(choices(game, "playout")) > 1 else []),
        Param(
            "simulate",
            "random",
            "policies of own side/others: p, p/q, mixtures p+q or 0.9*p+0.1*q",
            tune=game.policies,
        ),
        *params(game, "playout"),
        *SIMULATION,
        slot_param(game, "value"),
        *params(game, "value"),
        slot_param(game, "backup"),
        *params(game, "backup"),
        slot_param(game, "decide"),
        *params(game, "decide"),
        *([MODEL] if game.simultaneous else []),
    )


def mcts_params(game: Game) -> tuple[Param, ...]:
    return (
        *BUDGET,
        *phases(game),
        slot_param(game, "opponents"),
        OPPONENT_POLICY,
        Param("transpositions", False, "positions reached by different orders of moves share a node"),
        slot_param(game, "reuse"),
        *params(game, "reuse"),
        Param("determinizations", 16, "sampled states, one tree each, votes summed; 0 is all there are", low=0),
        GUESS,
        *LIMITS,
    )


def ismcts_params(game: Game) -> tuple[Param, ...]:
    return (*BUDGET, *phases(game), GUESS, NODES, *LIMITS)


def chosen_components(game: Game, values: dict[str, Any], *, information_sets: bool) -> list[Component]:
    """The components that some parameters choose: one of each slot, and the enhancements that are on."""
    known = components.registry(game.module)
    rounds = game.simultaneous and values.get("opponents", "tree") == "tree" and values.get("model") != "sequential"
    by_view = information_sets and game.hidden and values["nodes"] != "path"
    from_start = "from-start" in known[f"select/{values['select']}"].provides and not values["guess"]
    meets = by_view and values["nodes"] == "auto" and not rounds and not from_start
    nodes = "auto" if meets else "by-view" if by_view else "position" if values.get("transpositions") else "path"
    if "batched" in known[f"value/{values['value']}"].provides:
        nodes = "awaited" if nodes == "path" else nodes
    derived = {"nodes": nodes, "tree_policy": "simultaneous" if rounds else "sequential"}
    named = {
        slot: derived.get(slot) or values.get(slot) or components.default(slot)
        for slot in (*COMPILED, "decide", "reuse")
    }
    enhancements = [each for each in known.values() if each.slot == "enhancement" and is_on(each, values)]
    return [*(known[f"{slot}/{name}"] for slot, name in named.items()), *enhancements]


def variant_of(game: Game, values: dict[str, Any], *, information_sets: bool) -> Variant:
    """What of the parameters is fixed when a kernel is linked."""
    chosen = chosen_components(game, values, information_sets=information_sets)
    compiled = [each for each in chosen if each.is_compiled]
    provided = {flag for each in compiled for flag in each.flags()}
    hidden, by_view = information_sets and game.hidden, "BY_VIEW" in provided
    used = used_policies(game, values)
    followed = [number for number, is_used in enumerate(used[len(GENERAL) :]) if is_used]
    rules = policy_rules(game.module)
    policies = tuple(followed) if rules else ()
    flags = {
        "OPEN_LOOP": hidden or game.chance,
        "DRAWS_HIDDEN": hidden,
        "REDETERMINIZES": by_view and "ROUNDS" not in provided and game.has("likelihood"),
        "GUESSED": bool(values["guess"]),
        "FILTERED": bool(values["filter"]),
        "OPPONENT_POLICY": bool(values.get("opponent-policy")),
        "UNIFORM": not any(used[1:]) and values.get("playout", "policies") == "policies",
        "ONE_PLY": used[1],
        "OWN_POLICIES": any(used[len(GENERAL) :]),
        "OBSERVATION_FREE": game.hidden
        and bool(policies)
        and all("s" not in parameters(rules[number]) for number in policies),
        "PER_MOVE": values["mix"] == "move",
        "DEPTH_IN_ROUNDS": values["depth-in"] == "rounds" and values["depth"] > 0,
    }
    names = {flag for flag, is_set in flags.items() if is_set} | provided
    if not by_view or "ROUNDS" in provided or values["guess"]:
        names.discard("FROM_START")
    return Variant(tuple(each.path for each in compiled), tuple(sorted(names)), policies)


def used_policies(game: Game, values: dict[str, Any]) -> list[bool]:
    """Which of all policies somebody follows in simulations or in the tree."""
    used: list[bool] = np.any(np.diff(parse_policies(game, values["simulate"]), axis=1, prepend=0.0), axis=0).tolist()
    if values.get("opponent-policy"):
        used[policy_number(game, values["opponent-policy"])] = True
    return used


def is_on(enhancement: Component, values: dict[str, Any]) -> bool:
    """Whether an enhancement's first parameter is not at its default."""
    switch = enhancement.params[0]
    return bool(values[switch.name] != switch.default)


def tree_layout(game: Game, variant: Variant) -> Layout:
    """The records of the tree that these components need, with a sub-record for each that declares fields."""
    chosen, flags = components.of_variant(game.module, variant), variant.flags
    edge: list[Any] = [PRIOR] * ("PRIOR" in flags) + [NEXT] * ("LINKED_EDGES" in flags)
    edge += [("available", "f4")] * ("OPEN_LOOP" in flags)
    edge += [(each.record, record(list(each.edge))) for each in chosen if each.edge]
    node = [(each.record, record(list(each.node))) for each in chosen if each.node]
    return layout(edge, node, keyed="KEYED" in flags, joints="JOINTS" in flags)


def work_fields(game: Game, variant: Variant) -> list[Any]:
    """The buffers that these components need, with a sub-record for each that declares fields."""
    flags = frozenset(variant.flags)
    fields = [*workspace.open_loop(game)] if "OPEN_LOOP" in flags else []
    fields += workspace.one_ply(game) if "ONE_PLY" in flags else []
    fields += [("from_start", "?")] if "FROM_START" in flags else []
    fields += [("priors", "f8", buffer_size(game.module))] if "PRIOR" in flags else []
    for each in components.of_variant(game.module, variant):
        own = list(each.thread(game, flags))
        fields += [(each.record, record(own))] if own else []
    return fields


NUMBERS = {bool: "?", int: "i8", float: "f8"}


def settings(game: Game, variant: Variant, values: dict[str, Any], **others: int) -> np.ndarray:
    """SETTINGS[1]: the numbers of a search, those of its components and some of every one."""
    declared = [param for each in components.of_variant(game.module, variant) for param in each.params]
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
    p = np.zeros(1, record([(name, kinds.get(name, "i8")) for name in numbers]))
    for name, value in numbers.items():
        p[name] = value
    return p


def check_fit(game: Game, values: dict[str, Any], *, information_sets: bool) -> None:
    """Refuse combinations of parameters that would be ignored or wrong for this game."""
    chosen = chosen_components(game, values, information_sets=information_sets)
    others = {"filtered": f"filter={values['filter']}"} if values["filter"] else {}
    wrong = components.misfit(game, chosen, values, others) or next(
        (message for broken, message in misfits(game, values, chosen) if broken), None
    )
    if wrong:
        raise SpielbaumError(wrong)


def misfits(game: Game, values: dict[str, Any], chosen: list[Component]) -> list[tuple[bool, str]]:
    """What is wrong with the parameters that belong to no component."""
    provided = {name for each in chosen for name in each.provides}
    reuse, keeps = values.get("reuse"), "keeps-tree" in provided
    return [
        (
            bool(values.get("opponent-policy")) and "own-only" not in provided,
            "opponent-policy is for trees of own decisions; add opponents=open-loop, per-path or per-node",
        ),
        (
            values.get("determinizations") == 0 and game.hidden and not game.has("enumerate_worlds"),
            f"determinizations=0 needs a rule 'enumerate_worlds', which {game.name} does not have",
        ),
        (
            values.get("determinizations") == 0 and bool(values["guess"]),
            f"guess={values['guess']} draws some, but determinizations=0 takes all; set it, or leave guess out",
        ),
        (
            keeps and "rounds" in provided and game.chance,
            f"reuse={reuse} does not go with rounds that roll dice",
        ),
        (
            keeps and game.hidden and not game.sees_all,
            f"reuse={reuse} needs to know what was played, which {game.name} hides",
        ),
        (
            values["depth"] > 0 and not game.has("evaluate"),
            f"depth={values['depth']} needs a rule 'evaluate', which {game.name} does not have",
        ),
    ]
