"""The seats and the seed of a new game: what a client chose is checked and completed."""

from __future__ import annotations

import secrets

from spielbaum.agents import freeze_spec, opponent
from spielbaum.agents.registry import names_taken
from spielbaum.agents.specs import parse
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game
from spielbaum.web import messages
from spielbaum.web.errors import Refusal
from spielbaum.web.live_game import AGENT_BITS, SEED_BITS, Seat
from spielbaum.web.nets import require_own_files
from spielbaum.web.searches import limited_agent


def chosen_seats(game: Game, choices: list[messages.SeatChoice] | None) -> list[Seat]:
    """The seats of a game. Seats that are left out get agents, but the first seat gets a person."""
    choices = choices or []
    if len(choices) > game.players:
        names = ", ".join(game.seats)
        reason = f"{game.name} has {game.players} seats ({names}), not {len(choices)}"
        raise Refusal("bad-setup", reason, "bad-seats", seats=game.players)
    seats = [Seat(choice.kind, choice.name, choice.spec) for choice in choices]
    while len(seats) < game.players:
        seats.append(Seat("agent") if seats else Seat("human"))
    for seat in seats:
        if seat.kind == "agent":
            seat.spec, seat.person = seat.spec or opponent(game), None
            try:
                if parse(seat.spec)[0] not in names_taken(game):  # a file that is wrong harms nobody else
                    seat.spec = freeze_spec(seat.spec, game)
                require_own_files(seat.spec, game)
                limited_agent(seat.spec, game, 0, megabytes=1)
            except SpielbaumError as error:
                raise Refusal("bad-setup", str(error), "bad-agent", agent=seat.spec) from None
        elif seat.spec is not None:
            raise Refusal("bad-setup", "a human's seat has no spec")
    return seats


def seeds(game: Game, seats: list[Seat], chosen: int | None) -> tuple[int, int]:
    """The seeds of a new game and of its agents: chosen ones for who looks on, secret ones for who plays.

    Who knows the seed of a game knows its dice and what it hides, so nobody sits there who may have chosen it. From
    the seed of agents nothing follows about that of the game, and no person can tell what they are going to do.
    """
    if chosen is None:
        return secrets.randbits(SEED_BITS), secrets.randbits(AGENT_BITS)
    if all(seat.kind == "agent" for seat in seats):
        return chosen, chosen % 2**AGENT_BITS
    if game.hidden or game.chance:
        what = "what is hidden" if game.hidden else "the dice"
        reason = f"the seed would tell a person {what}: leave it out, or let agents play"
        raise Refusal("bad-setup", reason, "known-seed")
    return chosen, secrets.randbits(AGENT_BITS)
