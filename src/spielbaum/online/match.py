"""One game on a server: in every round all are told the state, and have until the cut-off to answer it.

    deadline = begin + U(shortest, longest)        announced, truncated to whole seconds
    cut-off  = deadline + grace                    by the deadline that was not truncated

A round ends at the cut-off, or as soon as all active players have answered. Who has sent anything that is no answer, a
second message, or nothing at all is out; so is who has left. Everything happens on one event loop: a round is resolved
in one piece, and whatever arrives belongs to the round that is open then.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from spielbaum.arena.single import GameRecord, metrics_of
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game
from spielbaum.games.spe_ed.rules import NO_ANSWER
from spielbaum.online.event_stream import EventStream
from spielbaum.online.protocol import Board, Message, message, moment

QUICKEST = 0.1  # seconds that a deadline has at least
LONGEST = 3600.0  # seconds that a deadline or the grace after it has at most
WORTH_TRUNCATING = 2.0  # seconds: of a shorter deadline whole seconds leave nothing


@dataclass(frozen=True)
class Times:
    """How long players may think, in seconds."""

    shortest: float = 5.0
    longest: float = 15.0
    grace: float = 2.0
    fractions: bool | None = None
    """Whether deadlines are told in milliseconds; by default where they are too short for whole seconds."""

    def __post_init__(self) -> None:
        if not QUICKEST <= self.shortest <= self.longest <= LONGEST:
            told = f"from {self.shortest:g} to {self.longest:g} s are not possible"
            raise SpielbaumError(f"deadlines {told}: {QUICKEST:g} to {LONGEST:g} s, the shorter one first")
        if not 0 <= self.grace <= LONGEST:
            raise SpielbaumError(f"a grace of {self.grace:g} s is not possible: 0 to {LONGEST:g} s")

    @property
    def exact(self) -> bool:
        """Whether deadlines are told in milliseconds."""
        return self.shortest < WORTH_TRUNCATING if self.fractions is None else self.fractions


class Seat(Protocol):
    """Who plays: somebody at the other end of a socket, or a bot of the house."""

    name: str

    def sit(self, match: Match, player: int) -> None:
        """A game begins."""

    def on_state(self, state: Message) -> None:
        """A new state; it is told also when nothing is asked any more. It may not wait."""

    def asked(self, deadline: float, cut_off: float) -> None:
        """An answer is wanted, `Match.answer`; times are those of `time.monotonic()`. It may not wait."""

    def dismissed(self) -> None:
        """The game is over, and the last state told."""


class Match:
    """A game while it is played."""

    def __init__(
        self,
        number: int,
        game: Game,
        seed: int,
        seats: Sequence[Seat],
        times: Times,
        anchor: float,
        stream: EventStream | None = None,
    ):
        """A game that begins with `play`; `anchor` plus `time.monotonic()` is the time of day that is told."""
        self.number, self.game, self.seed, self.seats = number, game, seed, seats
        self.times, self.anchor, self.stream = times, anchor, stream
        self.state = game.new(seed)
        self.board = Board(self.state.record, game.players)
        self.dice = random.Random(seed)
        self.choices: dict[int, int] = {}
        self.movers: list[int] = []
        self.complete = asyncio.Event()
        self.begin = 0.0  # of the round
        self.seconds, self.late = [0.0] * game.players, [0] * game.players
        self.last: Message | None = None

    @property
    def rounds(self) -> int:
        """How many are over."""
        return int(self.state.record.rounds)

    @property
    def names(self) -> list[str]:
        return [seat.name for seat in self.seats]

    async def play(self) -> GameRecord:
        """Play to the end, of which nobody hears before `end`."""
        for player, seat in enumerate(self.seats):
            seat.sit(self, player)
        while not self.state.over:
            await self.play_round()
        return self.record()

    def end(self) -> None:
        """Tell everybody how the game has ended."""
        self.tell(None)
        for seat in self.seats:
            seat.dismissed()

    async def play_round(self) -> None:
        """Tell all, wait for answers, and let the round happen."""
        limit = self.dice.uniform(self.times.shortest, self.times.longest)
        self.choices, self.movers = {}, self.state.movers
        self.complete.clear()
        self.begin = time.monotonic()
        deadline, cut_off = self.begin + limit, self.begin + limit + self.times.grace
        self.tell(moment(self.anchor + deadline, fractions=self.times.exact))
        for player in self.movers:
            self.seats[player].asked(deadline, cut_off)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout_at(cut_off):
                await self.complete.wait()
        self.resolve()

    def answer(self, player: int, action: int) -> bool:
        """Take a player's answer; a second one is one too many. Whether one was wanted."""
        if player not in self.movers:
            return False
        wanted = player not in self.choices
        self.choices[player] = action if wanted else NO_ANSWER
        if wanted:
            self.seconds[player] += time.monotonic() - self.begin
        if len(self.choices) == len(self.movers):
            self.complete.set()
        return wanted

    def leave(self, player: int) -> None:
        """Who has gone gives no answer, unless it is given already."""
        if player not in self.choices:
            self.answer(player, NO_ANSWER)

    def resolve(self) -> None:
        """All move; who has not answered until now is late."""
        before = self.state.copy().record
        for player in self.movers:
            if player not in self.choices:
                self.late[player] += 1
                self.seconds[player] += time.monotonic() - self.begin
            self.state.play(self.choices.get(player, NO_ANSWER))
        self.movers = []
        self.board.draw(before, self.state.record)

    def tell(self, deadline: str | None) -> None:
        """Send the state to everybody, with names when it is the last one."""
        s, names = self.state.record, self.names if deadline is None else ()
        self.last = message(self.board, s, self.game.players, deadline=deadline, names=names)
        for seat in self.seats:
            seat.on_state(self.last)
        if self.stream is not None:
            state = json.loads(self.last.to(0))
            del state["you"]
            self.stream.show(state | {"round": self.rounds})

    def record(self) -> GameRecord:
        """The game as the arena keeps it."""
        s, players = self.state.record, self.game.players
        return GameRecord(
            seed=self.seed,
            actions=list(self.state.history or ()),
            returns=self.state.returns,
            decisions=[int(s.died[p] or s.rounds) for p in range(players)],
            seconds=self.seconds,
            metrics=np.array([metrics_of(self.state)]) if self.game.metrics else None,
            outcome=self.state.outcome,
            late=self.late,
        )

    def summary(self) -> dict[str, Any]:
        """What is told of it while it is played; not who plays, as players are not to know either."""
        s = self.state.record
        return {
            "number": self.number,
            "rounds": self.rounds,
            "width": int(s.width),
            "height": int(s.height),
            "active": [bool(s.died[p] == 0) for p in range(self.game.players)],
        }


def places(returns: Sequence[float]) -> list[int]:
    """Who came in where; those who went out in the same round share a place.

    >>> places([0.2, 1.0, -0.8, -0.8, 0.6])
    [3, 1, 4, 4, 2]
    """
    return [1 + sum(other > own for other in returns) for own in returns]
