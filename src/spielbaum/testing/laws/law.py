"""What a law is: a function from a position to the reason why it is broken there, with a name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from spielbaum.errors import SpielbaumError
from spielbaum.game import Game
from spielbaum.testing.case import Leak, Position

OF_HIDDEN = ("hide", "determinize", "likelihood")
Judge = Callable[[Position], str | None]


@dataclass(frozen=True)
class Law:
    """A law with what it says and what finds it broken; None where all positions must be seen for that."""

    name: str
    description: str
    judge: Judge | None = None
    needs: str = ""  # the hook without which the law does not apply
    stops: bool = False  # whether others rest on it: a position that breaks it is not judged further
    compiled: bool = False  # whether machine code runs, which plain Python must have found safe

    def applies(self, game: Game) -> bool:
        """Whether the game has what the law is about."""
        return not self.needs or (game.has(self.needs) and (game.hidden or self.needs not in OF_HIDDEN))

    def breach(self, position: Position) -> tuple[str, str] | None:
        """The name of the law that is broken, with the reason; a leak is a leak wherever it shows."""
        assert self.judge is not None
        try:
            with position.case.looking_at(position, self.needs or "a rule"):
                reason = self.judge(position)
        except Leak as leak:
            return "no-leak", str(leak)
        except SpielbaumError as error:
            return self.name, str(error)
        return (self.name, reason) if reason else None


def law(
    name: str, description: str, *, needs: str = "", stops: bool = False, compiled: bool = False
) -> Callable[[Judge], Law]:
    """Make a law of the function that judges it."""
    return lambda judge: Law(name, description, judge, needs, stops, compiled)


def seat(position: Position, number: int) -> str:
    """The name of a player."""
    return position.case.game.seats[number]


def viewers(position: Position) -> range:
    """The players from whom something may be hidden; none in a game of full information."""
    return range(position.case.game.players if position.case.game.hidden else 0)
