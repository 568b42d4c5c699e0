"""Between a game and the kernels: every rule is called with all that its hook offers and gets what it asks for.

A rule names what it needs, as a pytest test names its fixtures; the adaptors that drop the rest are written
here, one line each, and are the same for compiled and interpreted runs. With

    def play(s, action): ...            the kernels call            play(t, s, action, rng)

where `t` is the game's `Context`: its tables, which never change, and the scratch of the thread that runs the
kernel. Rules about one player's decision (`OF_PLAYER`) are bound twice: `actions_of(t, s, player, out)` asks
for a player's, `actions(t, s, out)` for those of the player to move.

A game in rounds gets the rules of a game in turns as well; see `spielbaum.rounds`.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from spielbaum import rounds
from spielbaum.protocol import CONSTANTS, HOOKS, OF_PLAYER, parameters
from spielbaum.rules import inlined

NO_SCRATCH = np.dtype((np.record, [("none", "i8")]))
EXPRESSIONS = {"t": "t.tables", "scratch": "t.scratch[0]", "action": "int64(action)"}
"""What a rule is given under a name. Trees keep actions in fewer bytes; a rule is compiled for each type it meets."""


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
        setattr(rules, name, adaptor(hook, HOOKS[hook], function))
    if policies := policy_rules(module):
        own["policy"] = policies
        rules.policy_of = one_of(policies, range(len(policies)))
    rules.returns = from_zeros(rules.returns, rules.PLAYERS)
    if hasattr(module, "movers"):
        rounds.derive(rules)
    else:
        rules.conceal = getattr(rules, "hide", None)
    for hook in OF_PLAYER:
        if hook in own:
            setattr(rules, hook, of_mover(hook, getattr(rules, f"{hook}_of"), rules.player))
    return rules


def adaptor(name: str, offered: str, function: Any) -> Any:
    """The rule with everything offered as its parameters."""
    asked = ", ".join(EXPRESSIONS.get(parameter, parameter) for parameter in parameters(function))
    return written(name, f"def {name}({offered}):\n    return function({asked})", {"function": function})


def policy_rules(module: types.ModuleType) -> list[Any]:
    """The policies of a game that gives a rule for each in place of one rule `policy` for all."""
    policies = getattr(module, "POLICIES", ())
    return list(policies.values()) if isinstance(policies, dict) else []


def one_of(policies: list[Any], numbers: Iterable[int]) -> Any:
    """A rule `policy_of` for some policies, which is all that is compiled where no other is used."""
    offered, lines, names = HOOKS["policy"], [], {}
    for number in numbers:
        names[f"policy_{number}"] = adaptor(f"policy_{number}", offered, policies[number])
        lines.append(f"    if which == {number}:\n        return policy_{number}({offered})\n")
    return written("policy_of", f"def policy_of({offered}):\n{''.join(lines)}    return -1", names)


def from_zeros(returns: Any, players: int) -> Any:
    """The rule `returns` with its `out` zeroed: whoever gets nothing need not be told so."""

    def zeroed(t, s, out):
        for player in range(players):
            out[player] = 0.0
        returns(t, s, out)

    return inlined(zeroed)


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
