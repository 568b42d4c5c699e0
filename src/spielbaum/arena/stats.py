"""What a result means: the one place for statistics.

A score counts a win as 1 and a draw as 1/2; its interval is Wilson's (1927).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

Z95 = 1.959963984540054  # two-sided 95 % of the normal distribution


@dataclass(frozen=True)
class Tally:
    """Wins, draws and losses of somebody."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Share of the points."""
        return (self.wins + self.draws / 2) / self.games if self.games else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the score."""
        return wilson(self.score, self.games)


def wilson(score: float, games: int, z: float = Z95) -> tuple[float, float]:
    """The interval of a share of points; draws make it wider than it need be, never narrower.

    >>> tuple(round(x, 3) for x in wilson(0.6, 100))
    (0.502, 0.691)
    """
    if games == 0:
        return 0.0, 1.0
    middle = score + z * z / (2 * games)
    spread = z * math.sqrt(score * (1 - score) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)
