"""Which Latrunculi is played: the switches, the presets that set them, and what is impossible.

`birkenfeld` are the rules of the museum's sheet (L. Bell's reconstruction with an extra move after a
capture); `kowalski` and `kowalski-dux` follow W. Kowalski's, `quintana` the rules of the Museum Quintana.
A preset sets all switches, and an option that is given besides it overrides one of them.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from spielbaum.errors import SpielbaumError
from spielbaum.params import Param

SMALLEST, LARGEST = 6, 12
EXTRA = ("none", "any", "same")
CORNER = ("off", "two_adjacent")
DUX = ("off", "kowalski")
END = ("lt2", "zero")
STALL = ("majority", "draw", "off")
FIRST = ("shells", "stones", "random")


class Variant(NamedTuple):
    """All switches of a game, as people write them."""

    board: str = "8x8"
    rows: int = 1
    extra: str = "any"
    optional: bool = False
    corner: str = "off"
    dux: str = "off"
    placement: bool = False
    end: str = "lt2"
    stall: str = "majority"
    quiet: int = 60
    repetition: int = 3
    first: str = "shells"


PRESETS = {
    "birkenfeld": Variant(),
    "kowalski": Variant(extra="none", corner="two_adjacent"),
    "kowalski-dux": Variant(board="12x8", extra="none", corner="two_adjacent", dux="kowalski"),
    "quintana": Variant(rows=2, extra="none", end="zero"),
    "same-piece": Variant(extra="same"),
}
OPTIONS = (
    Param("preset", "birkenfeld", "the rules from which the other options deviate", choices=tuple(PRESETS)),
    Param("board", None, f"files x ranks, such as 7x6; {SMALLEST} to {LARGEST} each", kind=str),
    Param("rows", None, "ranks that each side fills at the start", low=1, high=2, kind=int),
    Param("extra", None, "another move after a capture: with any piece or only the same", choices=EXTRA, kind=str),
    Param("optional", None, "the extra move may be declined", kind=bool),
    Param(
        "corner",
        None,
        "a piece in a corner is safe, or captured from the two squares beside it",
        choices=CORNER,
        kind=str,
    ),
    Param(
        "dux",
        None,
        "each side has one more piece, which can't be captured and must not be locked in",
        choices=DUX,
        kind=str,
    ),
    Param("placement", None, "pieces are first placed one by one, anywhere", kind=bool),
    Param("end", None, "a side has lost with fewer than two pieces, or with none", choices=END, kind=str),
    Param("stall", None, "a stalled game is won by the majority, drawn, or goes on", choices=STALL, kind=str),
    Param("quiet", None, "plies without a capture that stall the game", low=40, high=200, kind=int),
    Param("repetition", None, "how often a position must occur to stall the game", low=2, high=5, kind=int),
    Param("first", None, "who begins", choices=FIRST, kind=str),
)


def variant(options: dict[str, Any]) -> Variant:
    """The preset with the options that are given, refused where they do not fit together."""
    given = {name: value for name, value in options.items() if name != "preset" and value is not None}
    chosen = PRESETS[options["preset"]]._replace(**given)
    _, height = board_size(chosen.board)
    if height < 2 * chosen.rows + 2:
        raise SpielbaumError(f"rows={chosen.rows} needs a board of at least {2 * chosen.rows + 2} ranks, not {height}")
    return chosen


def board_size(text: str) -> tuple[int, int]:
    """Files and ranks.

    >>> board_size("7x6")
    (7, 6)
    """
    match = re.fullmatch(r"(\d+)\s*x\s*(\d+)", text.strip(), re.IGNORECASE)
    if match:
        width, height = int(match[1]), int(match[2])
        if SMALLEST <= width <= LARGEST and SMALLEST <= height <= LARGEST:
            return width, height
    raise SpielbaumError(
        f"board={text} is not possible: board is files x ranks, each from {SMALLEST} up to {LARGEST}, such as 7x6"
    )
