"""Spielbaum: write the rules of a game once, in plain Python, and get an opponent that thinks at native speed."""

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
