"""What the engine calls in a game: the hooks and their parameters, declared once.

game.py tells the same to authors; here it is for the linker, which digests these names, refuses a hook
that can't be called, and explains one whose result can't be used.
"""

from __future__ import annotations

import inspect
import types

from spielbaum.compiler import is_rule, jit_disabled

HOOKS = {
    "start": "t, s, rng",
    "player": "t, s",
    "actions": "t, s, out",
    "play": "t, s, action, rng",
    "returns": "t, s, out",
    "sample": "t, s, rng",
    "playout": "t, s, rng, limit",
    "key": "t, s",
    "evaluate": "t, s, weights, player",
    "policy": "t, s, which, rng",
    "keep": "t, s, which, action",
    "prior": "t, s, actions, n, out",
    "capture": "t, s, action",
    "captures": "t, s, out",
    "gain": "t, s, after, action, weights",
    "hide": "t, s, player",
    "determinize": "t, s, player, rng",
    "guess": "t, s, which, player, rng",
    "possibility": "t, s, player, number",
    "credit": "t, s, player",
    "copy_hidden": "t, s, other",
    "features": "t, s, player, out",
    "metrics": "t, s, player, out",
}

WHOLE, REAL, TRUTH = r"u?int\d+", r"u?int\d+|float\d+", r"bool|u?int\d+"
RESULTS = {
    "player": ("a whole number", WHOLE),
    "actions": ("a whole number", WHOLE),
    "sample": ("a whole number", WHOLE),
    "captures": ("a whole number", WHOLE),
    "playout": ("a whole number", WHOLE),
    "policy": ("a whole number", WHOLE),
    "key": ("a np.uint64", "uint64"),
    "evaluate": ("a number", REAL),
    "gain": ("a number", REAL),
    "keep": ("True or False", TRUTH),
    "capture": ("True or False", TRUTH),
    "possibility": ("a whole number", WHOLE),
    "credit": ("True or False", TRUTH),
}
"""What hooks return, in words and as the names of Numba's types; all others return nothing."""

CONSTANTS = (
    "TITLE",
    "STATE",
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


def objection(rules: types.ModuleType) -> str | None:
    """What is wrong with the way in which a game declares its hooks; None where nothing is."""
    for name, parameters in HOOKS.items():
        hook = getattr(rules, name, None)
        function = getattr(hook, "py_func", hook)
        if hook is None:
            continue
        if not isinstance(function, types.FunctionType):
            return f"{name} is a {type(hook).__name__} where the protocol expects the rule {name}({parameters})"
        if not is_rule(hook) and not jit_disabled():
            return f"{name} is not a rule; decorate it with @rule"
        signature = inspect.signature(function)
        try:
            signature.bind(*parameters.split(", "))
        except TypeError:
            return f"{name}{signature} should be {name}({parameters})"
    return None
