"""The parts of Monte Carlo tree search: a variant is a file, and a search is put together from files.

One part from each of the folders in SLOTS, and any of those in `modify`. A part declares what it needs, and the
records, settings and kernels of a search hold what its parts declare and nothing else:

    PARAMS            its parameters; numbers are arguments of the kernel (`p.c`), so that another C compiles nothing
    EDGE, NODE        fields of the records of the tree
    work(game)        fields of the record of buffers
    objection(…)      why it does not fit a game, in one line
    PRIOR, KEYED, …   flags that templates read as `parts.PRIOR`, see FLAGS
    functions         those of its slot, and for the moments in EVENTS

The structure of a search, which parts and which flags, is bound when its kernel is linked: a template says
`from spielbaum.linked import parts`, and what is not used is not compiled. A new variant is a new file and nothing
else changes.
"""

from __future__ import annotations

import functools
import importlib
import pathlib
import pkgutil
import types
from collections.abc import Callable
from typing import Any, NamedTuple

from spielbaum.params import Param
from spielbaum.rules import inlined

FOLDER = pathlib.Path(__file__).parent
PACKAGE = __name__.rpartition(".")[0]
SLOTS = ("select", "expand", "opponents", "value", "backup", "nodes", "descent")

FLAGS = {
    "OPEN_LOOP": "what is legal at a node differs from visit to visit",
    "CHAINED": "edges are made when they are tried",
    "KEYED": "nodes are found by keys",
    "JOINTS": "joint actions are told apart",
    "PRIOR": "edges have priors",
    "SOLVES": "proven edges are not searched again",
    "LIMITED": "not all children are in use",
    "NORMALISED": "values are scaled per node",
    "OWN_ONLY": "only own decisions are in the tree",
    "ROUNDS": "rounds are searched as rounds",
    "BY_VIEW": "what the mover sees decides which node it is",
    "NETWORK": "a network values leaves and proposes moves",
    "WAITS": "the same of one outside of the kernel, for which leaves wait",
    "EVALUATES": "needs the game's evaluation",
    "DRAWS_HIDDEN": "every iteration draws what is hidden",
    "WHOLE_GAME": "where something is hidden, iterations begin with the game",
    "DOUBTED": "some of them as others see it, to whom the searching player is a riddle",
    "GUESSED": "in one of the game's own ways",
    "FILTERED": "the game's prunings are applied",
    "ANSWERS": "the others follow another policy in the tree than in simulations",
    "UNIFORM": "all simulated players play at random",
    "ONE_PLY": "some look one ply ahead",
    "OWN_POLICIES": "some follow the game's own policies",
    "BLIND": "which look at nothing, so that nothing need be hidden from them",
    "PER_MOVE": "mixtures are drawn for every move",
    "DEPTH_IN_ROUNDS": "the depth of simulations counts rounds",
}
"""What a structure can be, beyond its parts; a part's flag is also that of the whole search."""

EACH, SUM, THREAD, FIRST, ONLY = range(5)
EVENTS = {
    "begin": ("t, states, work, p", EACH, ""),  # a slice of iterations begins
    "depart": ("work, p", EACH, ""),  # an iteration leaves the root
    "stepped": ("work, entry, p", EACH, ""),  # an edge was put on the path
    "noted": ("work, action, player, p", EACH, ""),  # an action was played, in the tree or in a simulation
    "prefer": ("t, states, tree, node, mover, work, p, rng", FIRST, "-1"),  # an edge to take, or -1
    "closed": ("tree, edge", FIRST, "False"),  # nothing below an edge is to be searched any more
    "limit": ("tree, node, p", ONLY, "tree.nodes[node].count"),  # children in use, at most
    "value_range": ("tree, node, p", ONLY, "(0.0, 1.0)"),  # what values are scaled by
    "blend": ("mean, tree, edge, low, width, visits, p", THREAD, "mean"),  # Q with something mixed in
    "bonus": ("tree, edge, p", SUM, "0.0"),  # added to a score
    "arrived": ("t, states, tree, work, p", EACH, ""),  # a leaf was reached, and is not yet valued
    "revalue": ("t, s, work, p", EACH, ""),  # a game has ended, work.result holds its result
    "learn": ("tree, entry, edge, value, share, work, p", EACH, ""),  # a value was backed up at an edge
    "finish": ("tree, work, p", EACH, ""),  # an iteration is over
    "normalised": ("e, visits", EACH, ""),  # all visits of an edge now count as one
}
"""Moments at which parts may take part: parameters, how several are joined, and what happens without any."""


class Structure(NamedTuple):
    """What is bound when a kernel is linked: parts as `slot/name`, the flags that are set, and whose numbers of the
    game's policies are used, where it has a rule for each."""

    parts: tuple[str, ...]
    flags: tuple[str, ...]
    policies: tuple[int, ...] = ()


@functools.cache
def choices(slot: str) -> tuple[str, ...]:
    """The names of the parts in a folder, the default first."""
    names = [item.name.replace("_", "-") for item in pkgutil.iter_modules([str(FOLDER / slot)])]
    first = getattr(importlib.import_module(f"{PACKAGE}.{slot}"), "DEFAULT", None)
    return tuple(sorted(names, key=lambda name: (name != first, name)))


@functools.cache
def declaration(part: str) -> Any:
    """The module of a part, for what it declares; its functions work only once they are linked."""
    return importlib.import_module(f"{PACKAGE}.{part.replace('/', '.').replace('-', '_')}")


def modifiers() -> list[str]:
    return [f"modify/{name}" for name in choices("modify")]


@functools.cache
def params(slot: str) -> tuple[Param, ...]:
    """The parameters of all parts in a folder, each once."""
    declared = [param for name in choices(slot) for param in getattr(declaration(f"{slot}/{name}"), "PARAMS", ())]
    return tuple({param.name: param for param in declared}.values())


@functools.cache
def slot_param(slot: str) -> Param:
    """The parameter that chooses a part."""
    package = importlib.import_module(f"{PACKAGE}.{slot}")
    return Param(slot, package.DEFAULT, package.HELP, choices=choices(slot))


# --- linking --------------------------------------------------------------------------------------


def sources(structure: Structure) -> list[pathlib.Path]:
    """The files of all parts."""
    return [FOLDER / f"{part.replace('-', '_')}.py" for part in structure.parts]


def assemble(parts: types.ModuleType, structure: Structure, load: Callable[[pathlib.Path], Any]) -> None:
    """Fill the module `parts` of a linked search; `load` links a part's file with the game."""
    for flag in FLAGS:
        setattr(parts, flag, flag in structure.flags)
    declared = [declaration(part) for part in structure.parts]
    for flag, event in (("NOTED", "noted"), ("BLENDED", "blend"), ("BONUS", "bonus")):
        setattr(parts, flag, any(hasattr(each, event) for each in declared))
    linked: list[Any] = []
    for event in EVENTS:  # until all are linked: parts may name them, and nothing is compiled before
        setattr(parts, event, None)
    for part, path in zip(structure.parts, sources(structure), strict=True):
        module = load(path)
        linked.append(module)
        setattr(parts, part.partition("/")[0], module)
    for event in EVENTS:
        setattr(parts, event, joined(event, [getattr(each, event) for each in linked if hasattr(each, event)]))


def joined(event: str, functions: list[Any]) -> Any:
    """One function that calls those of all parts."""
    parameters, how, neutral = EVENTS[event]
    calls = [f"f{number}({parameters})" for number in range(len(functions))]
    if how == EACH:
        body = "; ".join(calls) or "pass"
    elif how == SUM:
        body = f"return {' + '.join(calls) or neutral}"
    elif how == THREAD:
        body = "; ".join([*(f"mean = {call}" for call in calls), "return mean"])
    elif how == FIRST:
        body = f"return {calls[0] if calls else neutral}"
    else:
        body = f"return {calls[-1] if calls else neutral}"
    scope: dict[str, Any] = {f"f{number}": function for number, function in enumerate(functions)}
    exec(compile(f"def {event}({parameters}):\n    {body}", f"<all that happens at '{event}'>", "exec"), scope)
    return inlined(scope[event])
