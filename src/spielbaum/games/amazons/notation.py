"""Amazons in writing: `a4-b5/c6` goes from a4 to b5 and shoots at c6."""

from __future__ import annotations

import functools
from typing import Any

from spielbaum.games.amazons.rules import LANE, LANE_BITS, PLACE, PLACE_BITS, Tables, along

FILES = "abcdefghij"
AMAZON, ARROW, FREE = "○●", "×", "·"


def square_name(square: int) -> str:
    """The letter of the column and the number of the row.

    >>> square_name(0), square_name(3 * 16 + 9)
    ('a1', 'j4')
    """
    return f"{FILES[square & PLACE]}{(square >> PLACE_BITS) + 1}"


@functools.lru_cache(1 << 15)  # a position has thousands of moves, and most of them are there again a move later
def squares_of(origin: int, action: int) -> tuple[str, str, str]:
    """Where a move of an amazon begins, where it ends, and what it shoots at."""
    target = int(along(origin, action >> LANE_BITS & LANE))
    return square_name(origin), square_name(target), square_name(int(along(target, action & LANE)))


def move_name(origin: str, target: str, arrow: str) -> str:
    return f"{origin}-{target}/{arrow}"


def format_action(s: Any, action: int) -> str:
    return move_name(*squares_of(s.amazons.item(s.arrows & 1, action >> 2 * LANE_BITS), action))


def render(t: Tables, s: Any) -> str:
    """The board with white's amazons as ○, black's as ● and arrows as ×."""
    rows = [
        f"{row + 1:>2}  " + " ".join(content(s, row << PLACE_BITS | column) for column in range(t.size))
        for row in reversed(range(t.size))
    ]
    return "\n".join([*rows, "    " + " ".join(FILES[: t.size])])


def content(s: Any, square: int) -> str:
    """What a square holds."""
    for symbol, squares in zip(AMAZON, s.amazons, strict=True):
        if square in squares:
            return symbol
    return ARROW if int(s.lines[square >> PLACE_BITS]) >> (square & PLACE) & 1 else FREE
