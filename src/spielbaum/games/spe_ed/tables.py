"""The options of spe_ed, and what follows from them: how many play, on which board, and where they begin."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spielbaum.errors import SpielbaumError
from spielbaum.params import Param

PLAYERS = 6
SMALLEST, LARGEST = 5, 200  # sides of a board
OFFICIAL_SMALLEST, OFFICIAL_LARGEST = 41, 80
WORD = 64
CIRCLE = 360
OFFICIAL, SYMMETRIC, GIVEN = range(3)
DIRECTIONS = ("up", "left", "down", "right")

OPTIONS = (
    Param("players", PLAYERS, "how many play", low=2, high=PLAYERS),
    Param("width", None, "columns; drawn from 41 to 80 unless given", low=SMALLEST, high=LARGEST, kind=int),
    Param("height", None, "rows; drawn from 41 to 80 unless given", low=SMALLEST, high=LARGEST, kind=int),
    Param("start", "official", "official, symmetric, or x,y,direction of each player, separated by semicolons"),
    Param("silence", False, "players may give no answer, and are out, as on a server"),
)


class Tables(NamedTuple):
    """What stays the same during a game."""

    players: int
    width: int  # 0 where it is drawn
    height: int
    words: int  # in a row
    answers: int  # how many actions may be chosen
    start: int
    given: np.ndarray  # i8[6, 3]: x, y and direction of each player, where they are given
    circle: np.ndarray  # f8[360, 2]: points on the unit circle


def tables(options: dict[str, Any]) -> Tables:
    """The board and the players for the options."""
    players, width, height = options["players"], options["width"] or 0, options["height"] or 0
    angles = np.arange(CIRCLE) * 2 * np.pi / CIRCLE
    kinds = {"official": OFFICIAL, "symmetric": SYMMETRIC}
    start = kinds.get(options["start"], GIVEN)
    given = np.zeros((PLAYERS, 3), np.int64)
    if start == GIVEN:
        given[:players] = places(options["start"], players, width, height)
    return Tables(
        players=players,
        width=width,
        height=height,
        words=-(-(width or OFFICIAL_LARGEST) // WORD),
        answers=6 if options["silence"] else 5,
        start=start,
        given=given,
        circle=np.stack([np.cos(angles), np.sin(angles)], axis=1).round(9),
    )


def places(text: str, players: int, width: int, height: int) -> list[tuple[int, int, int]]:
    """Where players begin, from `12,4,down; 24,20,left`."""
    if not width or not height:
        raise SpielbaumError("start positions need a board of a given size: set width and height as well")
    found = [place(part, width, height) for part in text.strip().strip(";").split(";")]
    if len(found) != players:
        raise SpielbaumError(f"start={text!r} has {len(found)} places for {players} players")
    if len({(x, y) for x, y, _ in found}) < players:
        raise SpielbaumError(f"start={text!r} puts two players on the same cell")
    return found


def place(text: str, width: int, height: int) -> tuple[int, int, int]:
    right = f"is no place on a board of {width} x {height}; use official, symmetric, or places like 12,4,down"
    x, y, direction = [*map(str.strip, text.split(",")), "", "", ""][:3]
    if not (x.isdecimal() and y.isdecimal() and direction in DIRECTIONS and text.count(",") == 2):
        raise SpielbaumError(f"start={text.strip()!r} {right}")
    if int(x) >= width or int(y) >= height:
        raise SpielbaumError(f"start={text.strip()!r} {right}")
    return int(x), int(y), DIRECTIONS.index(direction)
