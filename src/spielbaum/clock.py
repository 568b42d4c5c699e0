"""The time that a player has: until a deadline, or on a clock of its own that runs through the whole game.

With so much left and an increment i after every move, an agent spends left / 25 + 0.8 i on a decision, but never
more than half of what is left: the usual rule of thumb of engines that do not know how long a game will last.
"""

from __future__ import annotations

from dataclasses import dataclass

MOVES_TO_GO = 25
OF_THE_INCREMENT = 0.8
MOST_OF_IT = 0.5


@dataclass(frozen=True)
class Clock:
    """What an agent is told about time when it is asked; times in seconds.

    `deadline` is a time of `time.monotonic()` by which the answer must be there; `left` is what remains of
    the player's time for the game, and `increment` what every move adds to it.
    """

    deadline: float | None = None
    left: float | None = None
    increment: float = 0.0

    def allotment(self) -> float | None:
        """How long to think about this decision so that time is left for the rest; None without a clock.

        >>> Clock(left=60.0, increment=1.0).allotment()
        3.2
        """
        if self.left is None:
            return None
        return min(self.left / MOVES_TO_GO + OF_THE_INCREMENT * self.increment, MOST_OF_IT * self.left)
