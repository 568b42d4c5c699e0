"""The town of the pursuit: twenty places and the roads between them, as they are drawn here."""

from __future__ import annotations

import numpy as np

MAP = r"""
a---b---c---d---e
|   | \   /   / |
f---g   h---i---j
| /   \ |   | \ |
k---l---m---n   o
|   |     \ | / |
p---q---r---s---t
""".strip()

NAMES = "".join(sorted(sign for sign in MAP if sign.isalpha()))
PLACES = len(NAMES)

STROKES = (("-", 2, 0), ("|", 0, 1), ("\\", 2, 1), ("/", -2, 1))  # how a road leaves a place, and where it goes


def roads() -> list[tuple[int, int]]:
    """The pairs of places that a road connects, read off the map."""
    drawn = {(x, y): sign for y, line in enumerate(MAP.splitlines()) for x, sign in enumerate(line)}
    return [
        (NAMES.index(sign), NAMES.index(drawn[x + 2 * dx, y + 2 * dy]))
        for (x, y), sign in drawn.items()
        if sign in NAMES
        for stroke, dx, dy in STROKES
        if drawn.get((x + dx, y + dy)) == stroke
    ]


def distances() -> np.ndarray:
    """The number of roads between any two places, i8[PLACES, PLACES] (Floyd & Warshall 1962)."""
    distance = np.full((PLACES, PLACES), PLACES)
    np.fill_diagonal(distance, 0)
    for a, b in roads():
        distance[a, b] = distance[b, a] = 1
    for via in range(PLACES):
        distance = np.minimum(distance, distance[:, via, None] + distance[via])
    return distance
