"""The symmetries of a rectangle, for rules that say what looks the same when a board is turned or mirrored.

They are numbered by bits: 1 mirrors the columns, 2 the rows, 4 swaps columns and rows afterwards. A rectangle that is
no square has only the first four; there the others are the same ones again. Number 0 leaves everything in its place.
"""

from __future__ import annotations

from spielbaum.rules import rule

GRID_SYMMETRIES = 8


@rule
def reflected(which: int, column: int, row: int, columns: int, rows: int) -> tuple[int, int]:
    """Where a symmetry takes a square of a board: its column and row.

    >>> reflected(1, 0, 2, 7, 6), reflected(3, 0, 2, 6, 6), reflected(4, 0, 2, 6, 6)
    ((6, 2), (5, 3), (2, 0))
    """
    if which & 1:
        column = columns - 1 - column
    if which & 2:
        row = rows - 1 - row
    return (row, column) if swaps(which, columns, rows) else (column, row)


@rule
def swaps(which: int, columns: int, rows: int) -> bool:
    """Whether a symmetry makes columns of rows."""
    return which & 4 != 0 and columns == rows
