"""Between a game and the kernels: every rule is called with all that its hook offers and gets what it asks for.

A rule names what it needs, as a pytest test names its fixtures; the adaptors that drop the rest are written
here, one line each, and are the same for compiled and interpreted runs. With

    def play(s, action): ...            the kernels call            play(t, s, action, rng)

where `t` is the game's `Context`: its tables, which never change, and the scratch of the thread that runs the
kernel. Rules about one player's decision (`OF_PLAYER`) are bound twice: `actions_of(t, s, player, out)` asks
for a player's, `actions(t, s, out)` for those of the player to move.

Small tables of a game without options are constants: rules are given them as such, so that the compiler can fold
them, unroll loops over them and need not read them again after every write to the state. Those of a game with
options stay arguments, so that one kernel serves all options.

A game in rounds gets the rules of a game in turns as well; see `spielbaum.compile.rounds`.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from spielbaum.compile import rounds
from spielbaum.protocol import CONSTANTS, HOOKS, OF_PLAYER, parameters
from spielbaum.rules import inlined

NO_SCRATCH = np.dtype((np.record, [("none", "i8")]))
EXPRESSIONS = {"t": "t.tables", "scratch": "t.scratch[0]", "action": "int64(action)"}
"""What a rule is given under a name. Trees keep actions in fewer bytes; a rule is compiled for each type it meets."""


SMALL = 1 << 14  # bytes of a table that is frozen into the machine code


class Context(NamedTuple):
    """What kernels pass to rules besides the state; each thread has a scratch of its own."""

    tables: Any
    scratch: np.ndarray  # SCRATCH[1]


def new_context(module: types.ModuleType, tables: Any) -> Context:
    """A context with fresh scratch."""
    return Context(tables, np.zeros(1, getattr(module, "SCRATCH", NO_SCRATCH)))


@functools.cache
def bound(module: types.ModuleType) -> Any:
    """The game's constants, and its rules as kernels call them, under the names of the hooks."""
    rules: Any = types.ModuleType(module.__name__, module.__doc__)
    for name in CONSTANTS:
        if hasattr(module, name):
            setattr(rules, name, getattr(module, name))
    own = {hook: getattr(module, hook) for hook in HOOKS if hasattr(module, hook)}
    for hook, function in own.items():
        name = f"{hook}_of" if hook in OF_PLAYER else hook
        setattr(rules, name, adaptor(module, hook, HOOKS[hook], function))
    if policies := policy_rules(module):
        own["policy"] = policies
        rules.policy_of = one_of(module, range(len(policies)))
    rules.returns = from_zeros(rules.returns, rules.PLAYERS)
    if hasattr(rules, "planes"):
        rules.planes = blank_planes(rules.planes)
    if hasattr(module, "movers"):
        rounds.derive(rules)
    else:
        rules.observe = getattr(rules, "hide", None)
    for hook in OF_PLAYER:
        if hook in own:
            setattr(rules, hook, of_mover(hook, getattr(rules, f"{hook}_of"), rules.player))
    return rules


def adaptor(module: types.ModuleType, name: str, offered: str, function: Any) -> Any:
    """The rule with everything offered as its parameters."""
    expressions = {**EXPRESSIONS, "t": "with_constants(t.tables)"} if frozen_tables(module) else EXPRESSIONS
    asked = ", ".join(expressions.get(parameter, parameter) for parameter in parameters(function))
    names = {"function": function, "with_constants": with_constants(module)}
    return written(name, f"def {name}({offered}):\n    return function({asked})", names)


@functools.cache
def fixed_tables(module: types.ModuleType) -> Any:
    """The tables of a game without options, which are always the same; None for others."""
    if not hasattr(module, "tables") or getattr(module, "OPTIONS", None):
        return None
    return module.tables(*({} for _ in parameters(module.tables)))


@functools.cache
def frozen_tables(module: types.ModuleType) -> dict[str, Any]:
    """The tables that are constants of the machine code."""
    tables = fixed_tables(module)
    return {} if tables is None else {name: constant(table) for name, table in fields(tables) if is_small(table)}


def fields(tables: Any) -> Iterable[tuple[str, Any]]:
    return zip(tables._fields, tables, strict=True)


def is_small(table: Any) -> bool:
    if isinstance(table, np.ndarray):
        return table.nbytes <= SMALL and table.dtype.kind in "biuf" and table.flags.c_contiguous
    return type(table) in (bool, int, float)


def constant(table: Any) -> Any:
    """The same where nobody can write to it, as nobody can to a constant of machine code."""
    if not isinstance(table, np.ndarray):
        return table
    view = table.view()
    view.setflags(write=False)
    return view


@functools.cache
def with_constants(module: types.ModuleType) -> Any:
    """A rule that puts the constants in the place of the tables that they stand for."""
    frozen = frozen_tables(module)
    if not frozen:
        return None
    made = fixed_tables(module)
    values = ", ".join(f"frozen_{name}" if name in frozen else f"t.{name}" for name in made._fields)
    names = {"Tables": type(made), **{f"frozen_{name}": table for name, table in frozen.items()}}
    return written("with_constants", f"def with_constants(t):\n    return Tables({values})", names)


def policy_rules(module: types.ModuleType) -> list[Any]:
    """The policies of a game that gives a rule for each in place of one rule `policy` for all."""
    policies = getattr(module, "POLICIES", ())
    return list(policies.values()) if isinstance(policies, dict) else []


def one_of(module: types.ModuleType, numbers: Iterable[int]) -> Any:
    """A rule `policy_of` for some policies, which is all that is compiled where no other is used."""
    offered, policies, lines, names = HOOKS["policy"], policy_rules(module), [], {}
    for number in numbers:
        names[f"policy_{number}"] = adaptor(module, f"policy_{number}", offered, policies[number])
        lines.append(f"    if which == {number}:\n        return policy_{number}({offered})\n")
    return written("policy_of", f"def policy_of({offered}):\n{''.join(lines)}    return -1", names)


def from_zeros(returns: Any, players: int) -> Any:
    """The rule `returns` with its `out` zeroed: whoever gets nothing need not be told so."""

    def zeroed(t, s, out):
        for player in range(players):
            out[player] = 0.0
        returns(t, s, out)

    return inlined(zeroed)


def blank_planes(planes: Any) -> Any:
    """The rule `planes` with its `out` zeroed: it writes what is there."""

    def blank(t, s, player, out):
        out[:] = 0.0
        planes(t, s, player, out)

    return inlined(blank)


def of_mover(name: str, function: Any, player: Any) -> Any:
    """The same rule about the decision of the player to move."""
    offered = HOOKS[name].replace("player, ", "")
    asked = HOOKS[name].replace("player", "player(t, s)")
    names = {"function": function, "player": player}
    return written(name, f"def {name}({offered}):\n    return function({asked})", names)


def written(name: str, source: str, names: dict[str, Any]) -> Any:
    """A rule from its text."""
    scope = {**names, "int64": np.int64, "__name__": __name__}
    exec(compile(source, f"<the rule {name} as kernels call it>", "exec"), scope)
    return inlined(scope[name])
