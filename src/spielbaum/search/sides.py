"""Whose side a player is on, seen from the player who searches."""

from __future__ import annotations

import numpy as np

from spielbaum.game import Game

OWN, OTHERS = 0, 1


def sides(game: Game, me: int) -> np.ndarray:
    """i8[players]: OWN for everybody in the team of `me`, OTHERS for the rest."""
    return np.where(game.teams == game.teams[me], OWN, OTHERS)[: game.module.PLAYERS]
