"""The arenas of Light Cycles: an open one of any size, and four on which programs have been compared.

`a` to `d` are the boards of Lanctot, Wittlinger, Winands & Den Teuling, "Monte Carlo Tree Search for Simultaneous
Move Games: A Case Study in the Game of Tron" (BNAIC 2013); where the riders start on `d` is not stated there.
B and O are the riders, # is a wall.
"""

from __future__ import annotations

from typing import Any

from spielbaum.errors import SpielbaumError
from spielbaum.params import Param

SIDE = 16  # columns and rows at most
OPEN, USUAL = "open", 8

RING = """
B . . . . . . . . . . . .
. . . . . . . . . . . . .
. . . . . . . . . . . . .
. . . . . . . . . . . . .
. . . . # # # # # . . . .
. . . . # . . . # . . . .
. . . . # . . . # . . . .
. . . . # . . . # . . . .
. . . . # # # # # . . . .
. . . . . . . . . . . . .
. . . . . . . . . . . . .
. . . . . . . . . . . . .
. . . . . . . . . . . . O
"""
SCATTERED = """
. . . . . . . . . . . . B
. # # . . . # . . . # # .
. # . . . . # . . . . # .
. . . . . . . . . . . . .
. . . . . # # # . . . . .
. . . . . . . . . . . . .
. # # . . . . . . . # # .
. . . . . . . . . . . . .
. . . . . # # # . . . . .
. . . . . . . . . . . . .
. # . . . . # . . . . # .
. # # . . . # . . . # # .
O . . . . . . . . . . . .
"""
CROSSING = """
. . . . . . . . . . . . . .
. . . . . . . . . . . . . .
. . . . . . . . . . . . . .
. . . . . # . . # . . . . .
. . . . . # . . # . . . . .
. . . # # # . . # # # . . .
. . . B . . . . . . O . . .
. . . # # # . . # # # . . .
. . . . . # . . # . . . . .
. . . . . # . . # . . . . .
. . . . . . . . . . . . . .
. . . . . . . . . . . . . .
. . . . . . . . . . . . . .
"""
EMPTY = RING.replace("#", ".")
DRAWN = {"a": RING, "b": SCATTERED, "c": CROSSING, "d": EMPTY}

OPTIONS = (
    Param("board", OPEN, "an open arena, or one with walls: a to d are 13 rows high", choices=(OPEN, *DRAWN)),
    Param("width", USUAL, "columns of the open arena", low=4, high=SIDE),
    Param("height", USUAL, "rows of the open arena", low=4, high=SIDE),
)


def arena(options: dict[str, Any]) -> list[list[str]]:
    """The rows of the arena, from the north, each a list of its cells."""
    board, width, height = options["board"], options["width"], options["height"]
    if board == OPEN:
        return open_arena(width, height)
    if (width, height) != (USUAL, USUAL):
        raise SpielbaumError(f"board={board} has a size of its own; width and height are those of board={OPEN}")
    return [line.split() for line in DRAWN[board].strip().splitlines()]


def open_arena(width: int, height: int) -> list[list[str]]:
    """No walls; the riders start in the middle row, at opposite borders."""
    rows = [["."] * width for _ in range(height)]
    middle = rows[(height - 1) // 2]
    middle[0], middle[-1] = "B", "O"
    return rows
