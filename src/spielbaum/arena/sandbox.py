"""A sandbox: a process in which agents play games one by one, and which is killed when an agent exceeds its time.

The worker that plays a plan supervises it. The sandbox reports each decision before it begins. If the next report does
not come within the limit, the process is killed, whatever the agent does there, and the agent forfeits the game. While
kernels are linked or compiled a thread of the sandbox sends heartbeats: that time is nobody's thinking.

It is a `WorkerProcess` like those of a pool, but no pool can hold it: a pool waits for ever for an answer and plays the
job of a dead worker again, whereas here each silence has a limit and a player who is to blame.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from typing import Any

from spielbaum.agents import Agent, resolve
from spielbaum.arena.plan import Plan
from spielbaum.arena.single import DecisionCallback, Forfeit, GameRecord, cut_short, play_game, raised
from spielbaum.compile.link import preparing
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game
from spielbaum.rules import seat_seed
from spielbaum.worker_pool import WorkerDied, WorkerProcess

HEARTBEAT = 0.05  # seconds between two heartbeats of a sandbox that prepares kernels
START_TIMEOUT = 60.0  # seconds for a sandbox to begin a game
MOST_DEATHS = 3  # of sandboxes in one game, after which the player to move is to blame


class GameRunner:
    """Plays games of a plan move by move, with fresh agents in every game."""

    def __init__(self, plan: Plan, game: Game):
        self.plan, self.game = plan, game
        self.kinds = [resolve(spec, game) for spec in plan.agents]

    def play(
        self, seats: Sequence[int], seed: int, agent_seed: int, on_decision: DecisionCallback | None = None
    ) -> GameRecord:
        """One game, move by move."""
        plan, agents = self.plan, list[Agent]()
        for seat, (kind, values) in enumerate(self.kinds[agent] for agent in seats):
            if on_decision is not None:
                on_decision(seat, [], 0.0)
            try:
                agents.append(kind.seat(self.game, values.copy(), seat_seed(agent_seed, seat)))
            except SpielbaumError:
                raise  # what its user can put right
            except Exception as error:  # agents are other people's code, which may raise anything
                return self.cut_short(seed, [], Forfeit(seat, raised(error)), [0.0] * self.game.players)
        if on_decision is not None:
            on_decision(None, [], 0.0)  # the game begins, which is nobody's doing
        return play_game(
            self.game,
            agents,
            seed,
            opening=plan.opening,
            rounds=plan.rounds,
            control=plan.control,
            on_decision=on_decision,
        )

    def cut_short(self, seed: int, actions: list[int], forfeit: Forfeit, seconds: list[float]) -> GameRecord:
        plan = self.plan
        return cut_short(self.game, seed, actions, forfeit, seconds, opening=plan.opening, rounds=plan.rounds)


class SandboxProcess:
    """Plays games of a plan in a process of its own, within `limit` seconds per decision."""

    def __init__(self, runner: GameRunner, limit: float):
        self.runner, self.limit = runner, limit
        self.worker: WorkerProcess | None = None
        self.suspects_rules = True

    def play(self, number: int, seed: int) -> GameRecord:
        """Play a game; a process that dies is replaced."""
        code: int | None = None
        for _ in range(MOST_DEATHS):
            game = RemoteGame(self.runner, seed)
            try:
                return self.supervise(number, game)
            except WorkerDied as death:
                code, self.worker = death.exit_code, None
        if game.seat is None:
            raise SpielbaumError(f"game {number} can't be played: its process ended {MOST_DEATHS} times ({code})")
        return game.forfeit(f"ended its process {MOST_DEATHS} times (exit code {code})")

    def supervise(self, number: int, game: RemoteGame) -> GameRecord:
        """Follow a game until it ends or an agent exceeds the limit; WorkerDied where the process has died."""
        worker = self.worker = self.worker or WorkerProcess(serve, self.runner.plan)
        worker.send(number)
        while True:
            begin = time.monotonic()
            try:
                report = worker.receive(START_TIMEOUT if game.seat is None else self.limit)
            except TimeoutError:
                self.stop()
                if game.seat is None:
                    late = f"game {number} did not begin within {START_TIMEOUT:g} s"
                    raise SpielbaumError(f"{late}{self.cause(game)}") from None
                spent = time.monotonic() - begin
                return game.forfeit(f"did not answer within {self.limit:g} s{self.cause(game)}", spent)
            if isinstance(report, GameRecord):
                return report
            if isinstance(report, SpielbaumError):
                raise report
            if report is not None:  # None is a heartbeat
                game.advance(*report)

    def cause(self, game: RemoteGame) -> str:
        """The rule of the game that did not end, if one is found; after one search in vain nobody looks again."""
        from spielbaum.testing.endless import endless_rule

        if self.suspects_rules and (found := endless_rule(self.runner.game, game.seed, game.actions)):
            return f" because of the rules of {found}"
        self.suspects_rules = False
        return ""

    def stop(self) -> None:
        """Kill the process."""
        if self.worker is not None:
            self.worker.kill(grace=0.0)
            self.worker = None


class RemoteGame:
    """A game that is played elsewhere, as far as its progress was reported."""

    def __init__(self, runner: GameRunner, seed: int):
        self.runner, self.seed = runner, seed
        self.actions: list[int] = []
        self.seconds = [0.0] * runner.game.players
        self.seat: int | None = None
        """The seat that decides; None before the first decision."""

    def advance(self, seat: int | None, actions: list[int], spent: float) -> None:
        """Take in what was decided since the last report, and who decides next."""
        if self.seat is not None:
            self.seconds[self.seat] += spent
        self.actions += actions
        self.seat = seat

    def on_decision(self, seat: int | None, actions: list[int], spent: float) -> None:
        """The same as a callback of a game in this process, which is given all actions."""
        self.advance(seat, actions[len(self.actions) :], spent)

    def forfeit(self, reason: str, spent: float = 0.0) -> GameRecord:
        """The record of a game that the seat that decides has lost."""
        assert self.seat is not None
        self.seconds[self.seat] += spent
        return self.runner.cut_short(self.seed, self.actions, Forfeit(self.seat, reason), self.seconds)


def serve(pipe: Connection, plan: Plan) -> None:
    """What the process does: play the games whose numbers it receives, and report on them."""
    sending = threading.Lock()

    def send(report: Any) -> None:
        with sending:
            pipe.send(report)

    threading.Thread(target=send_heartbeats, args=(send,), daemon=True).start()
    runner: GameRunner | None = None
    while True:
        number = pipe.recv()
        try:
            runner = runner or prepared_runner(plan)
            send(play_with_progress(runner, number, send))
        except SpielbaumError as error:
            send(SpielbaumError(str(error)))


def prepared_runner(plan: Plan) -> GameRunner:
    """A runner whose compiler is loaded: that takes a second, which is nobody's thinking either."""
    runner = GameRunner(plan, plan.load())
    assert runner.game.new().actions
    return runner


def play_with_progress(runner: GameRunner, number: int, send: Callable[[Any], None]) -> GameRecord:
    """Play a game; report before each decision whose it is, and the actions since the last report."""
    reported = 0

    def on_decision(seat: int | None, actions: list[int], spent: float) -> None:
        nonlocal reported
        send((seat, actions[reported:], spent))
        reported = len(actions)

    ((_, seed, agent_seed, seats),) = zip(*runner.plan.tasks([number]), strict=True)
    return runner.play(seats, int(seed), int(agent_seed), on_decision)


def send_heartbeats(send: Callable[[Any], None]) -> None:
    """Send None again and again while kernels are prepared."""
    with contextlib.suppress(OSError):
        while True:
            time.sleep(HEARTBEAT)
            if preparing():
                send(None)
