"""What the engine looks for in a game: hooks, functions and constants, and what they offer, declared once.

A rule takes what it needs of what its hook offers, by name and in any order: `def play(s, action)` is a
whole rule. In `spielbaum.compile`, `bind` writes the small adaptors, `validate_game` refuses a game whose names or
shapes are others, `digest` follows them, and `errors` explains a hook whose result can't be used.
"""

from __future__ import annotations

import functools
import inspect
from typing import Any

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
    "hides": "t",
    "hide": "t, s, player",
    "determinize": "t, s, player, rng",
    "likelihood": "t, s, player",
    "guess": "t, s, which, player, rng",
    "enumerate_worlds": "t, s, player, number",
    "credit_assignment": "t, s, player",
    "copy_hidden": "t, s, other",
    "metrics": "t, s, player, out",
    "features": "t, s, player, out",
    "planes": "t, s, player, out",
    "symmetry": "t, which, feature",
    "symmetric_action": "t, which, action",
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
    "enumerate_worlds": ("a whole number", WHOLE),
    "credit_assignment": ("True or False", TRUTH),
    "likelihood": ("a number", REAL),
    "features": ("a whole number", WHOLE),
    "symmetry": ("a whole number", WHOLE),
    "symmetric_action": ("a whole number", WHOLE),
    "hides": ("True or False", TRUTH),
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
    "FEATURES",
    "PLANES",
    "SYMMETRIES",
)
"""What else is frozen into the machine code."""

FUNCTIONS = {
    "tables": "options",
    "seats": "options",
    "format_action": "t, s, action",
    "render": "t, s, history",
    "outcome": "t, s",
    "units": "t, s, weights",
    "format_position": "t, s",
    "parse_position": "t, text",
    "recompute_key": "t, s",
    "backdrop": "t",
    "scene": "t, s, seat, moves, before, history",
    "gesture": "t, s, action, player",
    "every_gesture": "t, s, actions, player",
    "tell": "t, s, action, player, seat",
}
"""The plain functions of a game, for people, and what each is called with; all but the first two may use `scratch`."""

FACE = (
    *("AGENTS", "AGENT_TYPES", "COMPONENTS"),
    *("SEATS", "TEAMS", "OPTIONS", "WEIGHTS", "SEAT_GROUPS", "SEES_ALL", "SIDES_DIFFER"),
    *("STAKE", "WORDS", "SIGNS", "SUGGESTIONS", "PRESETS", "PREVIEW", "KIOSK", "RULES", "SYMBOLS"),
)
"""The constants of a game that no machine code depends on."""

NAMED = {"POLICIES": "policy", "FILTERS": "keep", "GUESSES": "guess", "METRICS": "metrics"}
"""Names of several ways to do something, and the rule that does it."""

COUNTED = {"FEATURES": ("features",), "SYMMETRIES": ("symmetry", "symmetric_action")}
"""How many of something there are, and the rules that tell which."""

REQUIRED = ("STATE", "PLAYERS", "MAX_ACTIONS", "ACTION_CODES", "actions", "returns")


def offered(hook: str) -> list[str]:
    """The names that a rule of this hook may ask for."""
    return [*HOOKS[hook].split(", "), "scratch"]


@functools.cache
def parameters(rule: Any) -> list[str]:
    """The names that a rule asks for."""
    return list(inspect.signature(getattr(rule, "py_func", rule)).parameters)
