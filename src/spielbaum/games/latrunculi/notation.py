"""Latrunculi in writing: `a1-a5` moves, `a1-a5xb5` takes what stands on b5, `c3` places a piece."""

from __future__ import annotations

import re
import string
from typing import Any

from spielbaum.errors import SpielbaumError
from spielbaum.games.latrunculi.board import DIRECTIONS, LANE_BITS, LANES, PASS, UP, cell_at
from spielbaum.games.latrunculi.capturing import has_enemies_beside, taken, target_of
from spielbaum.games.latrunculi.tables import Tables

FILES = string.ascii_lowercase


def square_name(cell: int) -> str:
    """The letter of the file and the number of the rank.

    >>> square_name(17), square_name(3 * 16 + 2)
    ('a1', 'b3')
    """
    return f"{FILES[cell % UP - 1]}{cell // UP}"


def square_cell(t: Tables, name: str) -> int:
    """The cell of a square by its name."""
    match = re.fullmatch(r"([a-z])(\d+)", name.lower())
    if match:
        file, rank = FILES.index(match[1]), int(match[2]) - 1
        if file < t.width and 0 <= rank < t.height:
            return cell_at(file, rank)
    last = square_name(cell_at(t.width - 1, t.height - 1))
    raise SpielbaumError(f"{name!r} is no square of this board: squares are a1 to {last}")


def format_action(t: Tables, s: Any, action: int) -> str:
    """The move with all that it takes."""
    if action == PASS:
        return "pass"
    origin = action >> LANE_BITS
    if action & LANES == 0:
        return square_name(origin)
    cell, mover = int(target_of(action)), int(s.to_move)
    way = f"{square_name(origin)}-{square_name(cell)}"
    if not has_enemies_beside(s, cell, mover):
        return way
    prey = [cell + d for d in DIRECTIONS if taken(t, s, cell, d, mover)]
    return way + "".join(f"x{square_name(at)}" for at in sorted(prey))
