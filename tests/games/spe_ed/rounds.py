"""Games of spe_ed on tiny boards: where players begin, and what they answer round by round."""

from __future__ import annotations

from typing import Any

import numpy as np

import spielbaum
from spielbaum.games.spe_ed.cells import painted

LETTERS = {
    ".": "change_nothing",
    "r": "turn_right",
    "l": "turn_left",
    "+": "speed_up",
    "-": "slow_down",
    "x": "no_answer",
}


def begun(*starts: str, width: int = 12, height: int = 8, **options: Any) -> spielbaum.State:
    """The first position of players who begin at places like `2,3,right`."""
    start = "; ".join(starts)
    return spielbaum.load("spe-ed", players=len(starts), width=width, height=height, start=start, **options).new()


def ride(state: spielbaum.State, *answers: str) -> spielbaum.State:
    """Play on: a word for each player, a letter for each round (`.` nothing, `r` `l` turn, `+` `-` speed, `x` none)."""
    for number in range(max(map(len, answers))):
        for player in state.movers:
            state.play(LETTERS[answers[player][number]])
    return state


def cells(state: spielbaum.State) -> np.ndarray:
    """Who has drawn each cell: i1[height, width]."""
    return painted(state.game.tables, state.record, state.history or [])


def row(state: spielbaum.State, y: int) -> list[int]:
    return [int(cell) for cell in cells(state)[y]]


def heads(state: spielbaum.State) -> list[tuple[int, int]]:
    s = state.record
    return [(int(s.x[p]), int(s.y[p])) for p in range(state.game.players)]


def died(state: spielbaum.State) -> list[int]:
    """The round in which each player went out, 0 for who is active."""
    return [int(number) for number in state.record.died[: state.game.players]]
