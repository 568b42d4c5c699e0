"""A table: a process of its own in which games are played, and that is ended when an agent does not answer.

Whoever plays games sits beside it with a watch. The table tells whose decision begins; when the next word does not
come within the limit it is killed, whatever the agent does there, and that agent forfeits the game. While kernels are
linked or compiled a thread of the table asks for patience: that is nobody's thinking.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Sequence
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from typing import Any

from spielbaum.agents import Agent, resolve
from spielbaum.arena.plan import Plan
from spielbaum.arena.single import Asking, Forfeit, GameRecord, cut_short, play_game, raised
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game
from spielbaum.link import preparing
from spielbaum.rules import seat_seed

PATIENCE = 0.05  # seconds between two words of a table that prepares kernels
SETTLING = 60.0  # seconds for a table to begin
MOST_DEATHS = 3  # of tables over one game, until it is taken for the fault of whoever was thinking


class Host:
    """Seats fresh agents for every game of a plan, and lets them play it."""

    def __init__(self, plan: Plan, game: Game):
        self.plan, self.game = plan, game
        self.kinds = [resolve(spec, game) for spec in plan.agents]

    def play(self, seats: Sequence[int], seed: int, agent_seed: int, asking: Asking | None = None) -> GameRecord:
        """One game, move by move."""
        plan, agents = self.plan, list[Agent]()
        for seat, (kind, values) in enumerate(self.kinds[agent] for agent in seats):
            if asking is not None:
                asking(seat, [], 0.0)
            try:
                agents.append(kind.seat(self.game, values.copy(), seat_seed(agent_seed, seat)))
            except SpielbaumError:
                raise  # what its user can put right
            except Exception as error:  # agents are other people's code, which may raise anything
                return self.cut_short(seed, [], Forfeit(seat, raised(error)), [0.0] * self.game.players)
        return play_game(
            self.game, agents, seed, opening=plan.opening, rounds=plan.rounds, control=plan.control, asking=asking
        )

    def cut_short(self, seed: int, actions: list[int], forfeit: Forfeit, seconds: list[float]) -> GameRecord:
        plan = self.plan
        return cut_short(self.game, seed, actions, forfeit, seconds, opening=plan.opening, rounds=plan.rounds)


class Table:
    """A process that plays games of a plan one by one, and the watch beside it."""

    def __init__(self, host: Host, limit: float):
        self.host, self.limit = host, limit
        self.process: Any = None

    def play(self, number: int, seed: int) -> GameRecord:
        """Play a game; a table that dies is replaced."""
        code: int | None = None
        for _ in range(MOST_DEATHS):
            if self.process is None:
                self.set_up()
            game = Watched(self.host, seed)
            record = self.attend(number, game)
            if record is not None:
                return record
            code = self.clear()
        if game.seat is None:
            raise SpielbaumError(f"game {number} can't be played: its process ended {MOST_DEATHS} times ({code})")
        return game.forfeit(f"ended its process {MOST_DEATHS} times (exit code {code})")

    def attend(self, number: int, game: Watched) -> GameRecord | None:
        """Watch a game until it ends or somebody does not answer; None where the table has died."""
        with contextlib.suppress(EOFError, OSError):
            self.pipe.send(number)
            while True:
                begin = time.monotonic()
                if not self.pipe.poll(SETTLING if game.seat is None else self.limit):
                    self.clear()
                    if game.seat is None:
                        raise SpielbaumError(f"game {number} did not begin within {SETTLING:g} s")
                    return game.forfeit(f"did not answer within {self.limit:g} s", time.monotonic() - begin)
                word = self.pipe.recv()
                if isinstance(word, GameRecord):
                    return word
                if isinstance(word, SpielbaumError):
                    raise word
                if word is not None:  # None asks for patience
                    game.follow(*word)
        return None

    def set_up(self) -> None:
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        # a daemon, so that it ends with this process even where a signal interrupts `clear`
        self.process = context.Process(target=serve, args=(theirs, self.host.plan), daemon=True)
        self.process.start()
        theirs.close()

    def clear(self) -> int | None:
        """End the process, with certainty; its exit code."""
        if self.process is None:
            return None
        self.pipe.close()
        self.process.join(0.1)  # it may be about to end by itself, and to say how
        self.process.kill()
        self.process.join()
        code, self.process = self.process.exitcode, None
        return int(code)


class Watched:
    """A game as far as its table has told of it."""

    def __init__(self, host: Host, seed: int):
        self.host, self.seed = host, seed
        self.actions: list[int] = []
        self.seconds = [0.0] * host.game.players
        self.seat: int | None = None
        """Who is thinking."""

    def follow(self, seat: int, actions: list[int], spent: float) -> None:
        """Somebody has decided, and somebody else is asked."""
        if self.seat is not None:
            self.seconds[self.seat] += spent
        self.actions += actions
        self.seat = seat

    def forfeit(self, reason: str, spent: float = 0.0) -> GameRecord:
        """The record of a game that whoever is thinking has lost."""
        assert self.seat is not None
        self.seconds[self.seat] += spent
        return self.host.cut_short(self.seed, self.actions, Forfeit(self.seat, reason), self.seconds)


def serve(pipe: Connection, plan: Plan) -> None:
    """What a table's process does, until its pipe is closed; Ctrl-C is for those who wait for it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    speaking = threading.Lock()

    def say(word: Any) -> None:
        with speaking:
            pipe.send(word)

    for habit in (leave_with_parent, lambda: ask_for_patience(say)):
        threading.Thread(target=habit, daemon=True).start()
    with contextlib.suppress(EOFError, OSError):
        host: Host | None = None
        while True:
            number = pipe.recv()
            try:
                host = host or ready(plan)
                say(play_aloud(host, number, say))
            except SpielbaumError as error:
                say(SpielbaumError(str(error)))


def ready(plan: Plan) -> Host:
    """A host whose compiler is loaded: that takes a second, which is nobody's either."""
    host = Host(plan, plan.load())
    assert host.game.new().actions
    return host


def play_aloud(host: Host, number: int, say: Any) -> GameRecord:
    """Play a game, and say before each decision whose it is and what has happened since the last one."""
    told = 0

    def asking(seat: int, actions: list[int], spent: float) -> None:
        nonlocal told
        say((seat, actions[told:], spent))
        told = len(actions)

    ((_, seed, agent_seed, seats),) = zip(*host.plan.tasks([number]), strict=True)
    return host.play(seats, int(seed), int(agent_seed), asking)


def ask_for_patience(say: Any) -> None:
    """Say so again and again while kernels are prepared."""
    with contextlib.suppress(OSError):
        while True:
            time.sleep(PATIENCE)
            if preparing():
                say(None)


def leave_with_parent() -> None:
    """End this process when nobody waits for it any more, also in the middle of a thought."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
