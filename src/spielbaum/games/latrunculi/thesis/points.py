"""The points that the thesis gives to what a move does, and its three characters."""

from __future__ import annotations

from typing import NamedTuple


class Points(NamedTuple):
    """Points for each merit of a move; `highalert` is a fault and its points are negative."""

    attack: int
    hide: int
    threat: int
    highthreat: int
    squad: int
    prepsquad: int
    corner: int
    friendlycorner: int
    highalert: int


CHARACTERS = {
    "balanced": Points(50, 50, 50, 50, 40, 50, 50, 20, -50),
    "aggressive": Points(100, 10, 70, 80, 20, 10, 10, 20, -100),
    "defensive": Points(100, 20, 10, 60, 40, 20, 100, 20, -100),
}
VERSION = 0  # what a gain's weights begin with; the points follow
ATTACK, HIDE, THREAT, HIGH_THREAT, SQUAD, PREP_SQUAD, CORNER, FRIENDLY_CORNER, HIGH_ALERT = range(
    1, len(Points._fields) + 1
)
