"""Spielbaum: write the rules of a game once, in plain Python, and get an opponent that thinks at native speed.

The names below are imported when they are first used: the compiler behind them takes a second to
load, which `spielbaum --help` need not wait for.
"""

from __future__ import annotations

import importlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from spielbaum.agents import make as agent
    from spielbaum.errors import GameError, IllegalAction, SpielbaumError
    from spielbaum.game import Game, State, load
    from spielbaum.params import Param
    from spielbaum.rules import TERMINAL, below, rule, uniform

__all__ = [
    "TERMINAL", "Game", "GameError", "IllegalAction", "Param", "SpielbaumError", "State", "agent",
    "below", "load", "rule", "uniform",
]  # fmt: skip
__version__ = "0.1.0"

ORIGINS = {
    "TERMINAL": "rules.TERMINAL",
    "Game": "game.Game",
    "GameError": "errors.GameError",
    "IllegalAction": "errors.IllegalAction",
    "Param": "params.Param",
    "SpielbaumError": "errors.SpielbaumError",
    "State": "game.State",
    "agent": "agents.make",
    "below": "rules.below",
    "load": "game.load",
    "rule": "rules.rule",
    "uniform": "rules.uniform",
}


def __getattr__(name: str) -> Any:
    if name not in ORIGINS:
        raise AttributeError(f"module 'spielbaum' has no attribute {name!r}")
    module, _, original = ORIGINS[name].partition(".")
    globals()[name] = getattr(importlib.import_module(f"spielbaum.{module}"), original)
    return globals()[name]


def __dir__() -> list[str]:
    return sorted({*globals(), *ORIGINS})
