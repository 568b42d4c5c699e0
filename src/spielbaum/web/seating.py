"""Who sits where: what a client chose for the seats of a game, checked and completed."""

from __future__ import annotations

from spielbaum.agents import opponent
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game
from spielbaum.web import messages
from spielbaum.web.errors import Refusal
from spielbaum.web.searches import limited_agent
from spielbaum.web.table import Seat


def chosen_seats(game: Game, choices: list[messages.SeatChoice] | None) -> list[Seat]:
    """Who sits where; seats that are left out have a person first and agents then."""
    choices = choices or []
    if len(choices) > game.players:
        names = ", ".join(game.seats)
        told = f"{game.name} has {game.players} seats ({names}), not {len(choices)}"
        raise Refusal("bad-setup", told, "bad-seats", seats=game.players)
    seats = [Seat(choice.kind, choice.name, choice.spec) for choice in choices]
    while len(seats) < game.players:
        seats.append(Seat("agent") if seats else Seat("human"))
    for seat in seats:
        if seat.kind == "agent":
            seat.spec, seat.person = seat.spec or opponent(game), None
            try:
                limited_agent(seat.spec, game, 0, megabytes=1)
            except SpielbaumError as error:
                raise Refusal("bad-setup", str(error), "bad-agent", agent=seat.spec) from None
        elif seat.spec is not None:
            raise Refusal("bad-setup", "a human's seat has no spec")
    return seats
