"""What the engine calls in a game: the hooks and what they offer, declared once.

A rule takes what it needs of what its hook offers, by name and in any order: `def play(s, action)` is a
whole rule. `spielbaum.bind` writes the small adaptors; here are the names, for the linker, which digests them,
refuses a hook that asks for what it can't have, and explains one whose result can't be used.
"""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Iterator
from typing import Any

from spielbaum import compiler
from spielbaum.errors import nearest

HOOKS = {
    "start": "t, s, rng",
    "player": "t, s",
    "actions": "t, s, player, out",
    "play": "t, s, action, rng",
    "movers": "t, s, out",
    "resolve": "t, s, choices, rng",
    "returns": "t, s, out",
    "sample": "t, s, player, rng",
    "playout": "t, s, rng, limit",
    "decided": "t, s, out",
    "key": "t, s",
    "evaluate": "t, s, weights, player",
    "policy": "t, s, player, which, weights, rng",
    "keep": "t, s, player, which, action, weights",
    "prior": "t, s, player, actions, n, out, weights",
    "changed": "t, s, before, out",
    "capture": "t, s, action",
    "captures": "t, s, out",
    "adjudicated": "t, s",
    "gain": "t, s, after, action, weights",
    "hide": "t, s, player",
    "determinize": "t, s, player, rng",
    "guess": "t, s, which, player, rng",
    "possibility": "t, s, player, number",
    "credit": "t, s, player",
    "copy_hidden": "t, s, other",
    "metrics": "t, s, player, out",
}
"""What each hook is called with; `scratch` is offered by all of them."""

OF_PLAYER = ("actions", "sample", "policy", "keep", "prior")
"""Hooks about the decision of one player: in a game in turns of who is to move, in a round of each mover."""

TURNS, ROUNDS = ("player", "play"), ("movers", "resolve")
"""A game has either two of these: it is played in turns, or in rounds in which all movers choose at once."""

WHOLE, REAL, TRUTH = r"u?int\d+", r"u?int\d+|float\d+", r"bool|u?int\d+"
RESULTS = {
    "player": ("a whole number", WHOLE),
    "actions": ("a whole number", WHOLE),
    "movers": ("a whole number", WHOLE),
    "sample": ("a whole number", WHOLE),
    "captures": ("a whole number", WHOLE),
    "changed": ("a whole number", WHOLE),
    "playout": ("a whole number", WHOLE),
    "policy": ("a whole number", WHOLE),
    "key": ("a np.uint64", "uint64"),
    "evaluate": ("a number", REAL),
    "gain": ("a number", REAL),
    "keep": ("True or False", TRUTH),
    "capture": ("True or False", TRUTH),
    "adjudicated": ("True or False", TRUTH),
    "decided": ("True or False", TRUTH),
    "possibility": ("a whole number", WHOLE),
    "credit": ("True or False", TRUTH),
}
"""What hooks return, in words and as the names of Numba's types; all others return nothing."""

CONSTANTS = (
    "TITLE",
    "STATE",
    "SCRATCH",
    "PLAYERS",
    "MAX_ACTIONS",
    "ACTION_CODES",
    "CHANCE",
    "POLICIES",
    "FILTERS",
    "GUESSES",
    "METRICS",
)
"""What else is frozen into the machine code."""


def offered(hook: str) -> list[str]:
    """The names that a rule of this hook may ask for."""
    return [*HOOKS[hook].split(", "), "scratch"]


@functools.cache
def parameters(rule: Any) -> list[str]:
    """The names that a rule asks for."""
    return list(inspect.signature(getattr(rule, "py_func", rule)).parameters)


def objection(rules: types.ModuleType) -> str | None:
    """What is wrong with the way in which a game declares its hooks; None where nothing is."""
    for name in HOOKS:
        hook = getattr(rules, name, None)
        if hook is not None and (wrong := wrong_hook(name, hook)):
            return wrong
    policies = getattr(rules, "POLICIES", ())
    for name, policy in policies.items() if isinstance(policies, dict) else ():
        if wrong := wrong_hook("policy", policy):
            return f"the policy {name!r}: {wrong}"
    return next(misspelt(rules), None)


def wrong_hook(name: str, hook: Any) -> str | None:
    if not isinstance(getattr(hook, "py_func", hook), types.FunctionType):
        return f"{name} is a {type(hook).__name__} where the protocol expects the rule {name}({HOOKS[name]})"
    if not compiler.is_rule(hook) and not compiler.jit_disabled():
        return f"{name} is not a rule; decorate it with @rule"
    for parameter in parameters(hook):
        if parameter not in offered(name):
            choices = f"; it may ask for {', '.join(offered(name))}"
            return f"{name} asks for {parameter!r}{nearest(parameter, offered(name)) or choices}"
    return None


def misspelt(rules: types.ModuleType) -> Iterator[str]:
    """Rules of the game's own that no other rule calls and whose names are nearly those of hooks it lacks."""
    from spielbaum.digest import hooks_of, reachable

    missing = [name for name in HOOKS if not hasattr(rules, name)]
    used = {id(thing) for thing in reachable(hooks_of(rules))}
    for name, thing in vars(rules).items():
        if name in HOOKS or name.startswith("_") or id(thing) in used or not compiler.is_rule(thing):
            continue
        own = getattr(thing, "py_func", thing).__module__.startswith(rules.__name__)
        if own and (meant := nearest(name, missing, cutoff=0.8)):
            yield f"no rule {name!r} is asked for by anybody{meant}"
