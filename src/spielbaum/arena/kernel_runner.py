"""Games between compiled policies: as many as there are tasks in one kernel call.

Where every seat is taken by `random`, `greedy` or a policy of the game nothing has to come back to
Python between two moves. The kernel is `kernels/batch.py`, which plays no illegal action.
"""

from __future__ import annotations

import numpy as np

from spielbaum.agents import AgentType, resolve
from spielbaum.agents.weights import weight_values
from spielbaum.arena.game_batch import COUNTS, METRICS, NO_WORDS, RETURNS, SEATS, GameBatch, action_type
from spielbaum.arena.kernels import batch as template
from spielbaum.arena.plan import Plan, Tasks
from spielbaum.arena.single import MOST_ACTIONS, thinking_clock
from spielbaum.errors import GameError
from spielbaum.game import Game, State, buffer_size
from spielbaum.search.mcts.policies import policy_number

GAMES = 1 << 13  # of a call, at most
ROOM = 1 << 18  # actions of a call, to begin with
NO_DICE = np.zeros(1, np.uint64)
NONE = np.zeros(0, np.int64)


class KernelRunner:
    """The policies of a plan and the arrays that the kernel works with."""

    def __init__(self, plan: Plan, game: Game, policies: np.ndarray, weights: np.ndarray):
        self.plan, self.game = plan, game
        self.policies, self.weights = policies, weights
        self.states = np.zeros(4, game.rules.STATE)
        self.work = np.zeros(1, work_type(game))
        self.work["players"], self.work["opening"] = game.players, plan.opening
        self.work["rounds"], self.work["limit"] = plan.rounds, MOST_ACTIONS
        self.make_room(ROOM)
        self.call(plan.tasks([]))  # compiles at the very first time, before anybody's clock runs

    def make_room(self, room: int) -> None:
        """Arrays for so many actions that every call writes to: new memory would cost more than short games do."""
        players, metrics = self.game.players, len(self.game.metrics)
        self.room = room
        self.lengths, self.ends = np.zeros((2, GAMES), np.int64)
        self.decisions, self.returns = np.zeros((GAMES, players), COUNTS), np.zeros((GAMES, players), RETURNS)
        self.actions = np.zeros(room, action_type(self.game))
        self.metrics = np.zeros((room + 2 * GAMES if metrics else 0, players, metrics), METRICS)
        self.finals = np.zeros(GAMES if self.game.has("outcome") else 0, self.game.rules.STATE)

    def play(self, tasks: Tasks) -> tuple[list[GameBatch], np.ndarray]:
        """Play the games of some tasks, in as many calls as there is room for their actions.

        Games in which a policy chooses an illegal action, or raises, are left to those who play move by move: their
        numbers.
        """
        batches: list[GameBatch] = []
        left: list[np.ndarray] = []
        done = 0
        while done < len(tasks.numbers):
            part = Tasks(*(column[done : done + GAMES] for column in tasks))
            try:
                ends = played = self.call(part)
            except GameError:
                played = int(self.work["game"][0])
                ends = played + 1
            if ends == 0:
                self.make_room(2 * self.room)
                continue
            legal = self.lengths[:played] >= 0
            left += [part.numbers[:played][~legal], part.numbers[played:ends]]
            if legal.any():
                batch = self.finished_games(part, played)
                batches.append(batch if legal.all() else batch.pick(legal))
            done += ends
        if batches:
            verify(self.game, batches[0])
        return batches, np.concatenate([NONE, *left])

    def call(self, tasks: Tasks) -> int:
        """Play as many games as there is room for in one kernel call; how many."""
        game = self.game
        out = (self.lengths, self.decisions, self.returns, self.actions, self.metrics, self.ends, self.finals)
        begin, play = thinking_clock(), game.kernels.link(template).play
        try:
            return int(play(game.context, self.states, self.work, tasks[1:], self.policies, self.weights, out))
        finally:
            self.seconds = thinking_clock() - begin

    def finished_games(self, tasks: Tasks, done: int) -> GameBatch:
        """The games that the last call played; its time is spread over all decisions."""
        decisions, lengths, ends = self.decisions[:done].copy(), self.lengths[:done].clip(0), self.ends[:done]
        outcomes = [State(self.game, final, NO_DICE, None).outcome for final in self.finals[:done, None]]
        return GameBatch(
            numbers=tasks.numbers[:done],
            seeds=tasks.seeds[:done],
            seats=tasks.seats[:done].astype(SEATS),
            returns=self.returns[:done].copy(),
            lengths=lengths,
            outcomes=np.array(outcomes) if outcomes else np.zeros(done, NO_WORDS.dtype),
            decisions=decisions,
            seconds=decisions * (self.seconds / max(1, int(decisions.sum()))),
            actions=self.actions[: lengths.sum()].copy(),
            metrics=self.metrics[: ends.max(initial=0)].copy(),
            metric_rows=np.diff(ends, prepend=0),
            late=np.zeros_like(decisions),
            forfeits={},
        )


def kernel_runner_for(plan: Plan, game: Game) -> KernelRunner | None:
    """A kernel runner for a plan of compiled policies without clocks; None for any other plan."""
    watched = plan.control is not None or plan.move_limit is not None
    if watched or not all(is_policy(resolve(spec, game)[0], game) for spec in plan.agents):
        return None
    resolved = [resolve(spec, game) for spec in plan.agents]
    policies = np.array([policy_number(game, kind.name) for kind, _ in resolved])
    weights = np.zeros((len(resolved), len(game.weights) + 1))  # never empty
    for row, (kind, values) in zip(weights, resolved, strict=True):
        if kind.params(game):
            row[:-1] = weight_values(game, values)
    return KernelRunner(plan, game, policies, weights)


def is_policy(kind: AgentType, game: Game) -> bool:
    """Whether a kernel can follow an agent; one of the game's own kind may be more than a policy of its name."""
    return kind.name in game.policies and kind not in getattr(game.module, "AGENT_TYPES", ())


def work_type(game: Game) -> np.dtype:
    """The record of buffers and settings, passed as one pointer."""
    players, size = game.module.PLAYERS, buffer_size(game.module)
    fields = [
        ("buffer", "i8", size),  # legal actions
        ("spare", "i8", size),  # legal actions of a second look
        ("values", "f8", size),  # of a policy that looks at all of them
        ("result", "f8", players),
        ("metrics", "f8", max(1, len(game.metrics))),  # of one player
        ("dice", "u8", 1),  # of the game
        ("rng", "u8", 1),  # the stream of whoever decides
        ("streams", "u8", players),  # those of all players
        ("players", "i8"),
        ("opening", "i8"),
        ("rounds", "i8"),
        ("limit", "i8"),
        ("game", "i8"),  # which one is played
        ("used", "i8"),  # actions written
        ("row", "i8"),  # notes written
    ]
    return np.dtype((np.record, fields), align=True)


def verify(game: Game, batch: GameBatch) -> None:
    """Play the first game again move by move: rules that remember what is no part of the state are found out."""
    end = game.play_all(batch.actions[: batch.lengths[0]].tolist(), int(batch.seeds[0]))
    if not end.over or end.returns != batch.returns[0].tolist():
        raise GameError(f"{game.title}: game {batch.numbers[0]} ends differently when it is played again")
