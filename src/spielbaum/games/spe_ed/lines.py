"""What an agent has in mind, as lines over the board: its own plans, and what it expects of the others."""

from __future__ import annotations

from typing import NamedTuple


class Line(NamedTuple):
    """A way that a player may ride."""

    player: int  # from 0
    points: list[tuple[int, int]]  # the cells x, y that it runs through, from the head on
    share: float  # 0 to 1: of the visits, or how likely it is
