"""Training from examples, without self-play: how evaluation nets for alpha-beta are begun.

Examples are the positions of stored runs with the moves that were made and the games' results, or those of quick games
that a teacher plays against itself: then the move is the teacher's, and the value to learn is mixed from the game's
result and the teacher's score. A score that is not a chance of winning becomes one,

    v = tanh(k score)

with the k for which the scores of the first games tell their results best. Games with a teacher begin with some random
moves, and now and then another one follows. A search sees mostly positions to which good play does not lead: so beside
some positions of a game stands one that is a random move away, of which the teacher's score is all to learn.

A teacher plays for the first part of the time only. Then all examples are there, and the rate falls: what came last is
learned as well as what came first.
"""

from __future__ import annotations

import pathlib
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from spielbaum.agents import alphabeta, make
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game, State, buffer_size
from spielbaum.networks.net import heads
from spielbaum.rules import random_stream, seat_seed
from spielbaum.search.alphabeta import AlphaBeta
from spielbaum.search.frames import MAX_PLY, SURE, WIDEST, room
from spielbaum.search.report import CHANCE
from spielbaum.search.sides import sides
from spielbaum.training.cluster import Players, threads
from spielbaum.training.curves import Row
from spielbaum.training.kernels import distillation
from spielbaum.training.kernels import examples as template
from spielbaum.training.run import Training, TrainingPlan, falling_rate
from spielbaum.training.selfplay import LONGEST, sample_type

GAMES, BATCHES = 8, 8  # games of a batch, which is one thread's, and batches of an iteration
RANDOM_MOVES, STRAYING = 12, 0.05  # random moves at the beginning, at most, and the share of them later on
ASIDE = 0.25  # the share of positions beside which another one is judged
STEPS = 100  # of learning, in an iteration
GATHERING = 0.7  # the part of the time in which a teacher plays; afterwards the rate falls
BASELINES = 4  # how often the net is measured
POLICY_SHARE = 0.1  # of the samples from which the policy is learned as well: the value is what examples are for
BASELINE, OPENING = "alphabeta:depth=3,quiescence=4", 4  # what the net is measured by, after so many random moves
CHUNK = 1 << 14  # positions that are looked at together
KEEP_AWAY = 2**31  # between the seeds of batches
SCALES = np.geomspace(0.01, 1000.0, 501)  # the k that are tried


@dataclass(frozen=True)
class ExamplePlan(TrainingPlan):
    """What is to be trained, and from which examples."""

    teacher: str = ""
    runs: tuple[int, ...] = ()
    store: str = ""


class Examples(NamedTuple):
    """Positions that were met, what was played there, what they were said to be worth, and what came of it."""

    states: np.ndarray  # STATE[n]
    movers: np.ndarray  # i8[n]
    actions: np.ndarray  # i8[n]
    scores: np.ndarray  # f8[n], for the mover
    returns: np.ndarray  # f8[n, players]
    aside: np.ndarray  # ?[n]: the game went on otherwise, so that nothing came of it

    @property
    def results(self) -> np.ndarray:
        """What came of it for the mover."""
        found: np.ndarray = self.returns[np.arange(len(self.movers)), self.movers]
        return found


class ExampleTraining(Training):
    """One training from examples."""

    plan: ExamplePlan

    def __init__(self, game: Game, plan: ExamplePlan, net: pathlib.Path, workers: int | str, resume: bool):
        if isinstance(workers, str):
            raise SpielbaumError("examples are made on this machine; give --workers a number, or train by self-play")
        if plan.teacher:
            check_teacher(game, plan.teacher)
        super().__init__(game, plan, net, workers, resume)
        self.learner.policy_share, self.learner.length_share = POLICY_SHARE, 0.0
        if plan.runs:
            self.window = [samples_of(game, stored_examples(game, plan), None)]

    def iterate(self, share: float, play: Players) -> Row:
        """Ask the teacher, if there is one and it is time, learn, and measure now and then."""
        begin, before, number = time.monotonic(), self.seconds, len(self.rows)
        row: Row = {
            "iteration": number,
            "games": 0,
            "moves": 0,
            "positions": len(self.window[0]) if self.plan.runs else 0,
        }
        gathering = GATHERING if self.plan.teacher else 0.0
        if share < gathering or not self.window:
            row |= self.ask(number)
        row["play_seconds"] = time.monotonic() - begin
        row["rate"] = falling_rate(max(0.0, (share - gathering) / (1 - gathering)))
        row |= self.learner.learn(self.window[0], STEPS, row["rate"])
        row["seconds"] = before + time.monotonic() - begin
        if int(BASELINES * row["seconds"] / (60 * self.plan.minutes)) > int(BASELINES * share):
            row |= self.measure(number)
            row["seconds"] = before + time.monotonic() - begin
        return row

    def ask(self, number: int) -> Row:
        """The examples of another iteration."""
        numbers = range(BATCHES * number, BATCHES * (number + 1))
        batches = distillation_games(self.game, self.plan.teacher, self.plan.seed, numbers, threads(self.workers))
        examples = together(batches)
        scale = self.rows[0]["scale"] if self.rows else best_scale(self.game, self.plan.teacher, examples)
        self.fresh = samples_of(self.game, examples, scale)
        self.window = [joined([*self.window, self.fresh])]
        count = len(examples.states)
        return {"games": BATCHES * GAMES, "moves": count, "positions": count, "scale": scale}

    def measure(self, number: int) -> Row:
        """How alpha-beta does with the net against itself without, from openings; otherwise as after self-play."""
        if self.game.module.PLAYERS != 2 or alphabeta.objection(self.game):
            return super().measure(number)
        return self.meet(number, BASELINE + ",evaluate={net}", BASELINE, OPENING)

    def append_row(self, row: Row) -> None:
        """What the teacher said; runs are in their store."""
        if row["games"]:
            self.write_samples(row["iteration"], self.fresh)

    def drop(self, row: Row) -> None:
        """None, since all are learned from to the end."""

    def restore_samples(self) -> None:
        """All since the beginning."""
        if numbers := self.kept_samples():
            self.window = [joined([self.read_samples(number) for number in numbers])]


# --- where examples come from ---------------------------------------------------------------------


def stored_examples(game: Game, plan: ExamplePlan) -> Examples:
    """All positions of some stored runs."""
    from spielbaum.arena import Store
    from spielbaum.arena.run import require_rules
    from spielbaum.compile.digest import rules_version

    found = []
    with Store(plan.store, create=False) as store:
        for number in plan.runs:
            stored = store.run(number)
            if stored.plan.game != game.name:
                raise SpielbaumError(f"run {number} of {plan.store} is of {stored.plan.game}, not of {game.name}")
            if dict(stored.plan.load().options) != dict(game.options):
                raise SpielbaumError(f"run {number} of {plan.store} was played with other options of {game.name}")
            require_rules(stored, rules_version(game.module))
            for batch in store.batches(number, game):
                ends = np.cumsum(batch.lengths)
                for seed, returns, length, end in zip(batch.seeds, batch.returns, batch.lengths, ends, strict=True):
                    found.append(replayed(game, int(seed), batch.actions[end - length : end].tolist(), returns))
    if not found:
        raise SpielbaumError(f"run {', '.join(map(str, plan.runs))} of {plan.store} has no games to learn from")
    return together(found)


def replayed(game: Game, seed: int, actions: list[int], returns: np.ndarray) -> Examples:
    """The positions of a game; its result is the score of all."""
    state, states, movers = game.new(seed), [], []
    for action in actions:
        states.append(state.array.copy())
        movers.append(state.player)
        state.play(action)
    told = [(mover, action, returns[mover], False) for mover, action in zip(movers, actions, strict=True)]
    return examples_of(game, states, told, returns)


def examples_of(game: Game, states: Any, told: Any, returns: Any) -> Examples:
    """The examples of one game; of each state is told its mover, action and score, and whether it is aside."""
    rows = np.concatenate(states) if len(states) else np.zeros(0, game.rules.STATE)
    movers, actions, scores, aside = np.array(told, np.float64).reshape(-1, 4).T
    everybody_s = np.tile(np.array(returns, np.float64), (len(rows), 1))
    return Examples(rows, movers.astype(np.int64), actions.astype(np.int64), scores, everybody_s, aside.astype(bool))


def together(parts: Sequence[Examples]) -> Examples:
    return Examples(*map(np.concatenate, zip(*parts, strict=True)))


def distillation_games(game: Game, teacher: str, seed: int, numbers: range, workers: int) -> list[Examples]:
    """Some batches in their order, from as many threads as there are workers."""
    with ThreadPoolExecutor(min(workers, len(numbers))) as pool:
        return list(pool.map(lambda number: distilled_batch(game, teacher, seed, number), numbers))


def distilled_batch(game: Game, teacher: str, seed: int, number: int) -> Examples:
    """Some quick games of a teacher against itself."""
    rng = np.random.default_rng((seed, number))
    seats = [make(teacher, game, seat_seed((seed + number) % KEEP_AWAY, seat)) for seat in range(game.players)]
    searches: list[Any] = [getattr(seat, "search", None) for seat in seats]
    player = Quick(game, searches) if all(map(is_quick, searches)) else Slow(game, seats)
    wandering = ((RANDOM_MOVES + 1) * rng.random(GAMES) ** 2).astype(int)
    return together([player.play(int(moves), rng) for moves in wandering])


def is_quick(search: Any) -> bool:
    """Whether a teacher's games can be played in a kernel: alpha-beta to a fixed depth."""
    if not isinstance(search, AlphaBeta):
        return False
    values = search.values
    limits = values["seconds"], values["nodes"], values["trap-depth"] or None
    return values["depth"] is not None and limits == (None, None, None) and room(search.game.module) <= WIDEST


class Quick:
    """Games of alpha-beta against itself in a kernel, see `kernels/distillation.py`."""

    def __init__(self, game: Game, searches: Sequence[AlphaBeta]):
        self.game, self.searches, own = game, searches, searches[0]
        for seat, search in enumerate(searches):
            search.prepare(game.new(0))
            search.workspace["me"], search.workspace["side"] = seat, sides(game, seat)
        self.workspaces = np.concatenate([search.workspace for search in searches])
        self.tables = np.stack([search.table for search in searches])
        self.states = np.zeros(MAX_PLY + 2, game.rules.STATE)
        self.rooms = (own.log, own.found, own.effort, own.values["depth"])
        self.met, self.told = np.zeros(2 * LONGEST, game.rules.STATE), np.zeros((2 * LONGEST, 4))
        self.kernels = game.kernels.link(distillation, own.variant)

    def play(self, wandering: int, rng: np.random.Generator) -> Examples:
        """One game after some random moves."""
        dice = random_stream(int(rng.integers(KEEP_AWAY)))
        asked = (
            self.searches[0].context,
            self.states,
            self.searches[0].frames,
            self.workspaces,
            self.tables,
            *self.rooms,
        )
        used = self.kernels.play(*asked, (STRAYING, ASIDE), wandering, LONGEST, self.met, self.told, dice)
        end = State(self.game, self.states[1:2].copy(), dice, None)
        return examples_of(self.game, [self.met[:used].copy()], self.told[:used], returns_of(end))


class Slow:
    """Games of any agents that tell what they think of each position."""

    def __init__(self, game: Game, seats: Sequence[Any]):
        self.game, self.seats = game, seats

    def play(self, wandering: int, rng: np.random.Generator) -> Examples:
        """One game after some random moves."""
        state = self.game.new(int(rng.integers(KEEP_AWAY)))
        states, told = list[np.ndarray](), list[tuple[int, int, float, bool]]()

        def meet(state: State, aside: bool) -> int:
            agent = self.seats[state.player]
            states.append(state.array.copy())
            told.append((state.player, agent.act(state), float(agent.report().value), aside))
            return told[-1][1]

        for _ in range(wandering):
            if not state.over:
                state.play(int(rng.choice(state.actions)))
        for _ in range(LONGEST):
            if state.over:
                break
            action = meet(state, aside=False)
            if rng.random() < ASIDE:
                there = state.copy().play(int(rng.choice(state.actions)))
                if not there.over:
                    meet(there, aside=True)
            state.play(int(rng.choice(state.actions)) if rng.random() < STRAYING else action)
        return examples_of(self.game, states, told, returns_of(state))


def returns_of(state: State) -> list[float]:
    """The result of a game; one that was cut off is a draw."""
    return list(state.returns) if state.over else [0.0] * state.game.players


def check_teacher(game: Game, teacher: str) -> None:
    """Refuse an agent that does not tell what a position is worth."""
    agent, state = make(teacher, game, seed=1), game.new(1)
    if not state.over and hasattr(agent, "report"):
        agent.act(state)
        report = agent.report()
        if report is not None and report.value is not None:
            return
    raise SpielbaumError(f"{teacher} gives no score to positions, so that it can't teach; take alphabeta:depth=6")


# --- samples --------------------------------------------------------------------------------------


def best_scale(game: Game, teacher: str, examples: Examples) -> float | None:
    """The k with which scores tell results best; None where scores are chances of winning already."""
    agent: Any = make(teacher, game, seed=1)
    agent.act(game.new(1))
    if agent.report().unit == CHANCE:
        return None
    doubtful = (np.abs(examples.scores) < SURE / 2) & ~examples.aside
    scores, results = examples.scores[doubtful], examples.results[doubtful]
    errors = [np.square(np.tanh(k * scores) - results).sum() for k in SCALES]
    return float(SCALES[int(np.argmin(errors))])


def samples_of(game: Game, examples: Examples, scale: float | None) -> np.ndarray:
    """What is to be learned from some examples, in records as wide as the widest of them."""
    count, size = len(examples.states), buffer_size(game.module)
    if count > CHUNK:
        parts = [Examples(*(column[i : i + CHUNK] for column in examples)) for i in range(0, count, CHUNK)]
        return joined([samples_of(game, part, scale) for part in parts])
    features, active = np.zeros((count, game.module.FEATURES), np.uint16), np.zeros(count, np.int64)
    actions, counts = np.zeros((count, game.module.MAX_ACTIONS), np.int32), np.zeros(count, np.int64)
    rooms = (np.zeros(game.module.FEATURES, np.int64), np.zeros(size, np.int64))
    game.kernels.link(template).see(game.context, examples.states, features, active, actions, counts, *rooms)
    samples = np.zeros(count, narrow_type(game, int(active.max()), int(counts.max())))
    samples["feature"], samples["active"] = features[:, : active.max()], active
    samples["action"], samples["actions"] = actions[:, : counts.max()], counts
    here = np.arange(counts.max()) < counts[:, None]
    samples["chance"] = here & (actions[:, : counts.max()] == examples.actions[:, None])
    samples["mover"] = examples.movers
    for i in range(min(heads(game), game.players)):
        samples["result"][:, i] = examples.returns[np.arange(count), (examples.movers + i) % game.players]
    samples["mean"] = np.clip(examples.scores if scale is None else np.tanh(scale * examples.scores), -1.0, 1.0)
    samples["result"][examples.aside, 0] = samples["mean"][examples.aside]
    return samples


def narrow_type(game: Game, features: int, actions: int) -> np.dtype:
    """A sample with room for so many features and actions."""
    general, widths = sample_type(game), {"feature": features, "action": actions, "chance": actions}
    assert general.names is not None
    fields: list[Any] = []
    for name in general.names:
        kind, shape = general[name].base, general[name].shape
        fields.append((name, kind, (widths[name],) if name in widths else shape))
    return np.dtype((np.record, fields), align=True)


def joined(parts: Sequence[np.ndarray]) -> np.ndarray:
    """Samples of several iterations in one array, in the widest of their records."""
    kind = parts[0].dtype
    widths = {name: max(part.dtype[name].shape for part in parts) for name in kind.names or ()}
    fields: list[Any] = [(name, kind[name].base, shape) for name, shape in widths.items()]
    found, first = np.zeros(sum(map(len, parts)), np.dtype((np.record, fields), align=True)), 0
    for part in parts:
        here = found[first : first + len(part)]
        for name, shape in widths.items():
            if shape:
                here[name][:, : part[name].shape[1]] = part[name]
            else:
                here[name] = part[name]
        first += len(part)
    return found
