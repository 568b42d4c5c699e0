"""Whether a module is a game at all: its names and the shapes of what they stand for, before any rule runs.

Everything is found by its name, so that a misspelt one is found by nobody: a game without its evaluation plays, only
worse. So names that the author uses nowhere and that are nearly those of the protocol are refused, and so is
whatever has another shape than the engine expects; `spielbaum.compile.errors` tells what compiling and running find.
"""

from __future__ import annotations

import ast
import functools
import pathlib
import types
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from spielbaum import numba_internals as compiler
from spielbaum.compile.link import title
from spielbaum.errors import GameError, nearest
from spielbaum.params import Param
from spielbaum.protocol import (
    CONSTANTS,
    COUNTED,
    FACE,
    FUNCTIONS,
    HOOKS,
    NAMED,
    REQUIRED,
    ROUNDS,
    TURNS,
    offered,
    parameters,
)

# hooks about what players can't see
OF_HIDDEN = ("hides", "determinize", "guess", "enumerate_worlds", "copy_hidden", "likelihood")
ALIKE = 0.8  # how much of two names must agree for one to be taken for the other


@functools.cache
def validate(module: types.ModuleType) -> None:
    """Refuse a module that is not a game, in words that its author can act on."""
    for wrong in objections(module):
        raise GameError(f"{title(module)}: {wrong}")


def objections(module: types.ModuleType) -> Iterator[str]:
    """What is wrong with a game, the most basic first."""
    yield from missing(module)
    yield from wrong_records(module)
    yield from wrong_numbers(module)
    yield from wrong_functions(module)
    yield from misspelt(module)
    yield from wrong_names(module)
    yield from wrong_counts(module)
    yield from wrong_hiding(module)
    yield from wrong_declarations(module)
    yield from wrong_seats(module)


# --- names --------------------------------------------------------------------------------------


def missing(module: types.ModuleType) -> Iterator[str]:
    rounds, turns = (any(hasattr(module, hook) for hook in pair) for pair in (ROUNDS, TURNS))
    needed = [*REQUIRED, *(ROUNDS if rounds else TURNS)]
    absent = [name for name in needed if not hasattr(module, name)]
    if absent:
        meant = [(own, name) for own in own_names(module) for name in absent if alike(own, [name])]
        guess = "".join(f"; {own!r} may be meant for {name}" for own, name in meant)
        yield f"a game needs {', '.join(absent)} (see the protocol's reference){guess}"
    if rounds and turns:
        yield (
            "a game is played in turns (player and play) or in rounds (movers and resolve); it has rules of both,"
            " leave one pair out"
        )


def misspelt(module: types.ModuleType) -> Iterator[str]:
    """Names of the author's own that nobody uses and that are nearly those that the game lacks."""
    other_kind = TURNS if hasattr(module, "movers") else ROUNDS
    known = [*HOOKS, *FUNCTIONS, *CONSTANTS, *FACE]
    lacking = [name for name in known if not hasattr(module, name) and name not in other_kind]
    if hasattr(module, "SEATS"):
        lacking.remove("seats")
    for name in own_names(module):
        thing = getattr(module, name)
        absent = [other for other in lacking if other.isupper() is not callable(thing)]
        if name not in known and (meant := alike(name, absent)) and name not in used_names(module):
            yield f"nobody asks for {name!r}{meant} (a name for yourself alone may begin with _)"


def alike(name: str, valid: Sequence[str]) -> str:
    """The question whether a name was meant that is nearly the same; upper and lower case count as the same."""
    near = {other.lower(): other for other in valid if abs(len(other) - len(name)) <= 2}
    found = nearest(name.lower(), near, ALIKE)
    for lower, other in near.items():
        found = found.replace(repr(lower), repr(other))
    return found


def own_names(module: types.ModuleType) -> list[str]:
    """What the author has defined: no modules, nothing from elsewhere, nothing private."""
    return [
        name
        for name, thing in vars(module).items()
        if not name.startswith("_")
        and not isinstance(thing, types.ModuleType | type)
        and str(getattr(thing, "__module__", None) or module.__name__).startswith(module.__name__)
    ]


def used_names(module: types.ModuleType) -> set[str]:
    """The names that the text of a game reads, in any of its files."""
    file = pathlib.Path(module.__file__ or "")
    files = file.parent.rglob("*.py") if hasattr(module, "__path__") else [file]
    nodes = [node for path in files for node in ast.walk(ast.parse(path.read_bytes()))]
    loaded = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    return loaded | {node.attr for node in nodes if isinstance(node, ast.Attribute)}


# --- records, numbers, functions ----------------------------------------------------------------


def wrong_records(module: types.ModuleType) -> Iterator[str]:
    for name in ("STATE", "SCRATCH"):
        record = getattr(module, name, None)
        if record is None:
            continue
        if not isinstance(record, np.dtype) or record.type is not np.record:
            yield f"{name} must be np.dtype((np.record, [...fields...]))"
            return
        for field in record.names or ():
            if record[field].hasobject:
                yield f"{name} field {field!r} holds Python objects; use numbers or arrays"
            if hasattr(np.record, field):
                yield f"{name} can't have a field {field!r}, NumPy's records have a method of that name"
            if field.startswith("round_"):
                yield f"{name} can't have a field {field!r}, the engine's names for rounds begin like that"


def wrong_numbers(module: types.ModuleType) -> Iterator[str]:
    for constant in ("PLAYERS", "MAX_ACTIONS", "ACTION_CODES", *COUNTED):
        number = getattr(module, constant, 1)
        if not isinstance(number, int) or isinstance(number, bool) or number < 1:
            yield f"{constant} must be a whole number from 1, not {number!r}"


def wrong_functions(module: types.ModuleType) -> Iterator[str]:
    """Hooks and plain functions that are none, or that ask for what they can't have."""
    for name in HOOKS:
        if hasattr(module, name) and (wrong := wrong_hook(name, getattr(module, name))):
            yield wrong
    for policy, rule in own_policies(module).items():
        if wrong := wrong_hook("policy", rule):
            yield f"the policy {policy!r}: {wrong}"
    for name, given in FUNCTIONS.items():
        function = getattr(module, name, None)
        if function is not None and not callable(function):
            yield f"{name} is a {type(function).__name__} where the protocol expects {name}({given})"
        elif function is not None:
            scratch = [] if name in ("tables", "seats") else ["scratch"]
            yield from wrong_parameters(name, function, [*given.split(", "), *scratch])


def wrong_hook(name: str, hook: Any) -> str | None:
    if not isinstance(getattr(hook, "py_func", hook), types.FunctionType):
        return f"{name} is a {type(hook).__name__} where the protocol expects the rule {name}({HOOKS[name]})"
    if not compiler.is_rule(hook) and not compiler.jit_disabled():
        return f"{name} is not a rule; decorate it with @rule"
    return next(wrong_parameters(name, hook, offered(name)), None)


def wrong_parameters(name: str, function: Any, valid: list[str]) -> Iterator[str]:
    for parameter in parameters(function):
        if parameter not in valid:
            yield f"{name} asks for {parameter!r}{nearest(parameter, valid) or f'; it may ask for {listing(valid)}'}"


def own_policies(module: types.ModuleType) -> dict[str, Any]:
    policies = getattr(module, "POLICIES", ())
    return policies if isinstance(policies, dict) else {}


# --- declarations -------------------------------------------------------------------------------


def wrong_names(module: types.ModuleType) -> Iterator[str]:
    """Names of policies, prunings and the like without the rule that they choose from, and the other way round."""
    if hasattr(module, "hide") and not hasattr(module, "determinize"):
        yield "hide needs determinize, which fills in what it blanks"
    for names, hook in NAMED.items():
        if not hasattr(module, names):
            if hasattr(module, hook):
                kinds = {"POLICIES": "policies", "FILTERS": "prunings", "GUESSES": "ways of guessing"}
                yield f"there is a rule {hook!r} but no {names}, the names of the {kinds.get(names, 'numbers')}"
        elif not (names == "POLICIES" and own_policies(module)):
            yield from wrong_texts(names, getattr(module, names))
            if not hasattr(module, hook):
                yield f"{names} are named but there is no rule {hook!r}"


def wrong_counts(module: types.ModuleType) -> Iterator[str]:
    """A number of features or symmetries without the rules that tell them, and the other way round."""
    for number, hooks in COUNTED.items():
        for hook in hooks:
            if hasattr(module, hook) and not hasattr(module, number):
                yield f"there is a rule {hook!r} but no {number}, how many there are"
            if hasattr(module, number) and not hasattr(module, hook):
                yield f"there are {number} but no rule {hook!r}"
    yield from wrong_planes(module)
    if hasattr(module, "SYMMETRIES") and not hasattr(module, "FEATURES"):
        yield "SYMMETRIES needs features, the rule that tells what a network sees"


def wrong_planes(module: types.ModuleType) -> Iterator[str]:
    """The shape of the input of a network without the rule that fills it, and the other way round."""
    planes = getattr(module, "PLANES", None)
    if (planes is None) is hasattr(module, "planes"):
        yield (
            "there is a rule 'planes' but no PLANES, the shape of what it fills"
            if planes is None
            else "there are PLANES but no rule 'planes'"
        )
    if planes is not None and not is_shape(planes):
        yield f"PLANES must be a tuple of whole numbers from 1, such as (2, 6, 7), not {planes!r}"


def is_shape(planes: Any) -> bool:
    whole = isinstance(planes, tuple) and all(type(number) is int and number >= 1 for number in planes)
    return whole and len(planes) > 0


def wrong_hiding(module: types.ModuleType) -> Iterator[str]:
    """A game that hides can fill in what it blanks, and one that fills in says what is blank: else everybody sees."""
    if hasattr(module, "hide") and not hasattr(module, "determinize"):
        yield "hide needs determinize, which fills in what it blanks"
    needy = [hook for hook in OF_HIDDEN if hasattr(module, hook)]
    if needy and not hasattr(module, "hide"):
        yield f"{needy[0]} needs hide, which blanks what a player may not see"


def wrong_texts(name: str, texts: Any) -> Iterator[str]:
    """What keeps something from being a sequence of distinct names."""
    if not isinstance(texts, list | tuple):
        yield f"{name} must be a tuple of names, not a {type(texts).__name__}"
        return
    for text in texts:
        if not isinstance(text, str):
            yield f"{name} must hold texts, not {text!r}"
    lower = [str(text).lower() for text in texts]
    for number, text in enumerate(texts):
        if lower[number] in lower[:number]:
            yield f"{name} names {text!r} twice"


def wrong_declarations(module: types.ModuleType) -> Iterator[str]:
    for name in ("OPTIONS", "WEIGHTS"):
        params = getattr(module, name, ())
        if not isinstance(params, list | tuple):
            yield f"{name} must be a tuple of Param, not a {type(params).__name__}"
            return
        for param in params:
            if not isinstance(param, Param):
                yield f"{name} must hold Param(name, default, help), not {param!r}"
                return
        yield from wrong_texts(name, [param.name for param in params])
    if not isinstance(getattr(module, "AGENTS", {}), dict):
        yield f"AGENTS must be a dictionary of names and agents, not a {type(module.AGENTS).__name__}"
    if not isinstance(getattr(module, "SEAT_GROUPS", {}), dict):
        yield f"SEAT_GROUPS must be a dictionary of names and seats, not a {type(module.SEAT_GROUPS).__name__}"


def wrong_seats(module: types.ModuleType) -> Iterator[str]:
    """Seats and teams that do not fit the number of players, or that there are not."""
    players = module.PLAYERS
    if hasattr(module, "TEAMS"):
        teams = list(module.TEAMS)
        if len(teams) != players:
            yield f"TEAMS has {len(teams)} entries, PLAYERS is {players}"
        for team in teams:
            if not isinstance(team, int) or team < 0:
                yield f"TEAMS must hold whole numbers from 0, not {team!r}"
    if hasattr(module, "SEATS"):
        yield from wrong_texts("SEATS", module.SEATS)
        if len(module.SEATS) != players:
            yield f"SEATS has {len(module.SEATS)} names, PLAYERS is {players}"
    if not hasattr(module, "seats"):
        seats = default_seats(module)
        groups = {"SEES_ALL": getattr(module, "SEES_ALL", ()), **getattr(module, "SEAT_GROUPS", {})}
        for group, members in groups.items():
            name = "SEES_ALL" if group == "SEES_ALL" else "SEAT_GROUPS"
            for seat in members:
                if seat not in seats:
                    yield f"{name} names the seat {seat!r}, which there is not; seats: {listing(seats)}"


def default_seats(module: types.ModuleType) -> tuple[str, ...]:
    """The names of all seats where the options do not decide about them."""
    return tuple(getattr(module, "SEATS", None) or (str(number + 1) for number in range(module.PLAYERS)))


def wrong_answer_of_seats(module: types.ModuleType, seats: Any) -> str | None:
    """What is wrong with what `seats(options)` gives."""
    for wrong in wrong_texts("seats", seats):
        return wrong.replace("must be", "must give").replace("must hold", "must give")
    if not 1 <= len(seats) <= module.PLAYERS:
        return f"seats gives {len(seats)} names, PLAYERS is {module.PLAYERS}"
    return None


def listing(names: Sequence[str]) -> str:
    return ", ".join(names)
