"""Time in a match: so much for a move, a clock per player and game, and what it means when that has run out.

Only the time in which an agent decides counts, and none of it in which kernels are compiled. Agents learn of it by a
`spielbaum.clock.Clock` with every question. Games with clocks depend on the machine: they are not the same again.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

from spielbaum.clock import Clock
from spielbaum.errors import SpielbaumError

GRACE = 0.1  # seconds beyond a move's deadline that nobody is blamed for: who searches until then answers just after
ON_TIME = "time"  # the outcome of a game that a player has lost by the clock


@dataclass(frozen=True)
class TimeControl:
    """The time that a match allows, in seconds. With `lose` a player who exceeds it loses the game."""

    per_move: float | None = None
    per_game: float | None = None
    increment: float = 0.0
    """What each move adds to the time for the game."""
    lose: bool = False

    def __post_init__(self) -> None:
        for name, value in (("seconds-per-move", self.per_move), ("clock", self.per_game)):
            if value is not None and not 0 < value < math.inf:
                raise SpielbaumError(f"{name}={value:g} is not possible: seconds above 0")
        if not 0 <= self.increment < math.inf:
            raise SpielbaumError(f"an increment of {self.increment:g} is not possible: seconds from 0")
        if self.per_move is None and self.per_game is None:
            raise SpielbaumError("nobody can overstep a time that is not limited; give --seconds-per-move or --clock")

    def __str__(self) -> str:
        """
        >>> str(TimeControl(per_move=0.5)), str(TimeControl(per_game=60, increment=1, lose=True))
        ('0.5 s per move', '60 s + 1 s per move for a game, then it is lost')
        """
        parts = [] if self.per_move is None else [f"{self.per_move:g} s per move"]
        if self.per_game is not None:
            increment = f" + {self.increment:g} s per move" if self.increment else ""
            parts.append(f"{self.per_game:g} s{increment} for a game")
        return ", ".join(parts) + (", then it is lost" if self.lose else "")


def parse_control(per_move: float | None, clock: str | None, lose: bool) -> TimeControl | None:
    """The time control that some options mean; None where they limit nothing.

    >>> parse_control(None, "60+0.5", lose=False)
    TimeControl(per_move=None, per_game=60.0, increment=0.5, lose=False)
    """
    if per_move is None and clock is None and not lose:
        return None
    if clock is None:
        return TimeControl(per_move, lose=lose)
    seconds, plus, increment = clock.partition("+")
    try:
        return TimeControl(per_move, float(seconds), float(increment) if plus else 0.0, lose)
    except ValueError:
        raise SpielbaumError(f"clock={clock} is not possible: SECONDS or SECONDS+INCREMENT, such as 60+0.5") from None


class Clocks:
    """The clocks of a game's players while it is played."""

    def __init__(self, control: TimeControl, players: int):
        self.control = control
        self.left = [math.inf if control.per_game is None else control.per_game] * players
        self.late = [0] * players
        """How often each player has exceeded the time."""

    def start(self, player: int) -> Clock:
        """Start a player's clock, and what the player sees of it."""
        control, left = self.control, self.left[player]
        move = math.inf if control.per_move is None else control.per_move
        deadline = time.monotonic() + min(move, left)
        return Clock(deadline, None if control.per_game is None else left, control.increment)

    def stop(self, player: int, seconds: float) -> bool:
        """Stop a player's clock after so many seconds; whether the player has exceeded the time."""
        control = self.control
        late = seconds > self.left[player] or (control.per_move is not None and seconds > control.per_move + GRACE)
        self.left[player] = max(0.0, self.left[player] - seconds) + control.increment
        self.late[player] += late
        return late


def forfeited(teams: list[int], player: int) -> list[float]:
    """The results of a game that a player has lost by the clock, with its team; all others have won it.

    >>> forfeited([0, 1, 1], 0)
    [-1.0, 1.0, 1.0]
    """
    return [-1.0 if team == teams[player] else 1.0 for team in teams]
