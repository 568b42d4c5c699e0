"""What the thesis says of its player in numbers: the points of its characters, figure 6.7."""

from __future__ import annotations

from spielbaum.games.latrunculi.thesis.points import CHARACTERS

FIGURE = """
attack          50  100  100
hide            50   10   20
threat          50   70   10
highthreat      50   80   60
squad           40   20   40
prepsquad       50   10   20
corner          50   10  100
friendlycorner  20   20   20
highalert      -50 -100 -100
"""


def test_characters_have_the_points_of_the_figure():
    rows = [line.split() for line in FIGURE.strip().splitlines()]
    for column, name in enumerate(("balanced", "aggressive", "defensive"), 1):
        assert CHARACTERS[name]._asdict() == {row[0]: int(row[column]) for row in rows}
