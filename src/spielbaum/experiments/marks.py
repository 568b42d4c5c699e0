"""How our figures compare with the published ones: agrees, stronger, differs, or undecided.

Two shares agree where the 95 % interval of their difference holds 0 (Newcombe 1998: the difference of two Wilson
intervals), and two means likewise. Where nobody says how many games a published figure comes from, it is taken as exact
but for its rounding.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from spielbaum.arena.stats import Z95, wilson

AGREES, STRONGER, DIFFERS, UNDECIDED = "agrees", "stronger", "differs", "undecided"
MARKS = (AGREES, STRONGER, DIFFERS, UNDECIDED)
DIGITS = 9
USUAL = 0.05  # of p, below which chance is not held to explain a sign
NUMBER = re.compile(r"\d+(?:\.\d+)?")
SHARE = re.compile(rf"(?:(?P<seat>[a-z]\w*) )?(?P<number>{NUMBER.pattern})(?: *%)?(?: of (?P<games>\d+))?")


@dataclass(frozen=True)
class Published:
    """A published figure: what it says, and between which values it lies."""

    value: float
    low: float
    high: float


def published_share(text: str, games: int | None, seat: str = "") -> Published | None:
    """The share of points that a text tells of a seat: `7 of 10`, `shells 7 of 10`, or per cent; None for other words.

    >>> published_share("7 of 10", None).value, round(published_share("50 %", 100).low, 3)
    (0.7, 0.404)
    >>> published_share("shells 7 of 10", None, "shells").value
    0.7
    >>> published_share("never ends", 10), published_share("stones 4 of 10", None, "shells")
    (None, None)
    """
    found = SHARE.match(text)
    if found is None or found["seat"] not in (None, seat) or found["games"] == "0":
        return None
    number, of = float(found["number"]), int(found["games"]) if found["games"] else None
    share = number / (of or 100)
    if share > 1:
        return None
    count = of or games
    low, high = wilson(share, count) if count else (share, share)
    slack = 0.0 if of else rounding(found["number"]) / 100
    return Published(share, min(low, share - slack), max(high, share + slack))


def published_mean(text: str, ours: Sequence[float], games: int, published_games: int | None) -> Published | None:
    """A mean that a text tells. Where it is known of how many games it is, they are taken to vary as much as ours.

    >>> published_mean("5.42", (5.40, 5.38, 5.42), 100, 400)
    Published(value=5.42, low=5.41, high=5.43)
    """
    if NUMBER.fullmatch(text) is None:
        return None
    value, half = float(text), rounding(text)
    if published_games:
        half = max(half, (ours[2] - ours[0]) * math.sqrt(games / published_games))
    return Published(value, round(value - half, DIGITS), round(value + half, DIGITS))


def rounding(number: str) -> float:
    """Half of the last digit of a number.

    >>> rounding("14.06"), rounding("33")
    (0.005, 0.5)
    """
    return 0.5 * float(10 ** -len(number.partition(".")[2]))


def compare(ours: Sequence[float], theirs: Published, stronger: str = "") -> str:
    """The mark of a figure of ours, given with its interval: value, low, high.

    >>> compare((0.6, 0.50, 0.69), published_share("7 of 10", None))
    'agrees'
    >>> compare((0.6, 0.55, 0.65), published_share("50", 10000), "higher")
    'stronger'
    """
    value, low, high = ours
    difference = value - theirs.value
    margin = math.hypot(value - low, theirs.high - theirs.value)
    if difference < 0:
        margin = math.hypot(high - value, theirs.value - theirs.low)
    if abs(difference) <= margin:
        return AGREES
    return STRONGER if stronger == ("higher" if difference > 0 else "lower") else DIFFERS


def within(ours: Sequence[float], low: float, high: float) -> str:
    """The mark of an interval of ours beside a range that words tell; one of a single score says "no difference".

    >>> within((0.48, 0.44, 0.52), 0.5, 0.5), within((0.48, 0.44, 0.52), 0, 0.5), within((0.4, 0.3, 0.45), 0, 0.5)
    ('agrees', 'undecided', 'agrees')
    """
    if low == high:
        return AGREES if ours[1] <= low <= ours[2] else DIFFERS
    if low <= ours[1] and ours[2] <= high:
        return AGREES
    return DIFFERS if ours[1] > high or ours[2] < low else UNDECIDED


def sign(t: float | None, p: float | None, published: str) -> str:
    """The mark of a t beside a published one: it is their signs that count, where chance does not explain them.

    >>> sign(3.1, 0.002, "2.83"), sign(-3.1, 0.002, "2.83"), sign(-0.4, 0.7, "2.83"), sign(-0.4, 0.7, "0.9")
    ('agrees', 'differs', 'undecided', 'agrees')
    """
    if not published or t is None or p is None:
        return ""
    theirs = float(published)
    if p > USUAL:
        return AGREES if abs(theirs) < Z95 else UNDECIDED
    return AGREES if t * theirs > 0 else DIFFERS
