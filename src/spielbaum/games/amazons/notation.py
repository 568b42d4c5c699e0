"""Amazons in writing: `a4-b5/c6` goes from a4 to b5 and shoots at c6."""

from __future__ import annotations

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


def squares_of(s: Any, action: int) -> tuple[int, int, int]:
    """Where a move begins, where it ends, and what it shoots at."""
    origin = int(s.amazons[s.arrows & 1, action >> 2 * LANE_BITS])
    target = int(along(origin, action >> LANE_BITS & LANE))
    return origin, target, int(along(target, action & LANE))


def format_action(s: Any, action: int) -> str:
    origin, target, arrow = map(square_name, squares_of(s, action))
    return f"{origin}-{target}/{arrow}"


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
