"""The weights of a game's evaluation as parameters of the agents that evaluate."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from spielbaum.game import Game
from spielbaum.params import Param


def weight_params(game: Game) -> tuple[Param, ...]:
    """Each declared weight as a parameter `weight.NAME`."""
    return tuple(replace(weight, name=f"weight.{weight.name}") for weight in game.weights)


def weight_values(game: Game, values: dict[str, Any]) -> np.ndarray:
    """The evaluation's weights in the order in which the game declares them."""
    return np.array([values[f"weight.{weight.name}"] for weight in game.weights], np.float64)
