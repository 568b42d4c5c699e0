"""Training from examples, without self-play: how evaluation nets for alpha-beta are begun.

Examples are the positions of stored runs with the moves that were made and the games' results, or those of quick games
that a teacher plays against itself: then the move is the teacher's, and the value to learn is mixed half and half from
the game's result and the teacher's score. A score that is not a chance of winning becomes one,

    v = tanh(k score)

with the k for which the scores of the first games tell their results best. Games with a teacher begin with some random
moves, and now and then another one follows, so that positions are valued as well to which good play does not lead.
"""

from __future__ import annotations

import math
import pathlib
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from spielbaum.agents import alphabeta, make
from spielbaum.arena.matches import match
from spielbaum.arena.stats import wilson
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game, State, buffer_size
from spielbaum.networks import files, training
from spielbaum.networks.net import heads
from spielbaum.networks.selfplay import LONGEST, sample_type
from spielbaum.networks.training import Plan, Row, Training
from spielbaum.rules import seat_seed
from spielbaum.search.alphabeta import Searched
from spielbaum.search.frames import SURE
from spielbaum.search.report import CHANCE

GAMES, LESSONS = 8, 8  # games of a lesson, which is one thread's, and lessons of an iteration
RANDOM_MOVES, STRAYING = 12, 0.05  # random moves at the beginning, at most, and the share of them later on
POLICY_SHARE = 0.1  # of the policy in what is learned: the value is what examples are for
YARDSTICK, OPENING = "alphabeta:depth=3,quiescence=4", 4  # what the net is measured by, after so many random moves
KEEP_AWAY = 2**31  # between the seeds of lessons
SCALES = np.geomspace(0.01, 1000.0, 501)  # the k that are tried


@dataclass(frozen=True)
class ExamplePlan(Plan):
    """What is to be trained, and from which examples."""

    teacher: str = ""
    runs: tuple[int, ...] = ()
    store: str = ""


class Example(NamedTuple):
    """A position that was met, what was played there, what it was said to be worth, and what came of it."""

    state: np.ndarray  # STATE[1]
    mover: int
    action: int
    score: float
    returns: Sequence[float]


class ExampleTraining(Training):
    """One training from examples."""

    plan: ExamplePlan

    def __init__(self, game: Game, plan: ExamplePlan, net: pathlib.Path, workers: int, resume: bool):
        if plan.teacher:
            check_teacher(game, plan.teacher)
        super().__init__(game, plan, net, workers, resume)
        self.learner.policy_share = POLICY_SHARE
        if plan.runs:
            self.window = [samples_of(game, list(stored_examples(game, plan)), None)]

    def iterate(self, share: float) -> Row:
        """Ask the teacher, if there is one, learn, and measure now and then."""
        begin, before, number = time.monotonic(), self.seconds, len(self.rows)
        row: Row = {"iteration": number, "games": 0, "moves": 0, "positions": len(self.window[0]) if self.window else 0}
        if self.plan.teacher:
            row |= self.ask(number)
        row["play_seconds"] = time.monotonic() - begin
        row["rate"] = training.SLOWEST + (training.FASTEST - training.SLOWEST) * (1 + math.cos(math.pi * share)) / 2
        row |= self.learner.learn(joined(self.window), training.STEPS, row["rate"])
        row["seconds"] = before + time.monotonic() - begin
        if int(training.YARDSTICKS * row["seconds"] / (60 * self.plan.minutes)) > int(training.YARDSTICKS * share):
            row |= self.measure(number)
            row["seconds"] = before + time.monotonic() - begin
        return row

    def ask(self, number: int) -> Row:
        """The examples of another iteration."""
        numbers = range(LESSONS * number, LESSONS * (number + 1))
        lessons = lessons_of(self.game, self.plan.teacher, self.plan.seed, numbers, self.workers)
        examples = [example for lesson in lessons for example in lesson]
        scale = self.rows[0]["scale"] if self.rows else best_scale(self.game, self.plan.teacher, examples)
        self.window.append(samples_of(self.game, examples, scale))
        return {"games": LESSONS * GAMES, "moves": len(examples), "positions": len(examples), "scale": scale}

    def measure(self, number: int) -> Row:
        """How alpha-beta does with the net against itself without, from openings; otherwise as after self-play."""
        if self.game.module.PLAYERS != 2 or alphabeta.objection(self.game):
            return super().measure(number)
        self.folder.mkdir(parents=True, exist_ok=True)
        trial = self.folder / "trial.npz"
        files.save(trial, self.game, self.plan.size, self.learner.average)
        agents, seed = [f"{YARDSTICK},evaluate={trial}", YARDSTICK], self.plan.seed + number
        played = match(self.game, agents, training.MEASURED, seed, opening=OPENING, workers=self.workers)
        score = played.results.agent_tally(0).score
        low, high = wilson(score, training.MEASURED)
        return {"score": score, "low": low, "high": high, "yardstick": YARDSTICK}

    def restore(self) -> None:
        """Go on where a training stopped, with all examples since its beginning."""
        super().restore()
        numbers = range(len(self.rows)) if self.plan.teacher else ()
        self.window = [np.load(self.folder / f"samples-{number}.npz")["samples"] for number in numbers]


# --- where examples come from ---------------------------------------------------------------------


def stored_examples(game: Game, plan: ExamplePlan) -> Iterator[Example]:
    """All positions of some stored runs."""
    from spielbaum.arena import Store
    from spielbaum.arena.run import require_rules
    from spielbaum.digest import rules_version

    with Store(plan.store, create=False) as store:
        for number in plan.runs:
            stored = store.run(number)
            if stored.plan.game != game.name:
                raise SpielbaumError(f"run {number} of {plan.store} is of {stored.plan.game}, not of {game.name}")
            if dict(stored.plan.load().options) != dict(game.options):
                raise SpielbaumError(f"run {number} of {plan.store} was played with other options of {game.name}")
            require_rules(stored, rules_version(game.module))
            for block in store.blocks(number, game):
                ends = np.cumsum(block.lengths)
                for seed, returns, length, end in zip(block.seeds, block.returns, block.lengths, ends, strict=True):
                    yield from replayed(game, int(seed), block.actions[end - length : end].tolist(), returns.tolist())


def replayed(game: Game, seed: int, actions: list[int], returns: list[float]) -> Iterator[Example]:
    """The positions of a game; its result is the score of all."""
    state = game.new(seed)
    for action in actions:
        yield Example(state.array.copy(), state.player, action, returns[state.player], returns)
        state.play(action)


def lessons_of(game: Game, teacher: str, seed: int, numbers: range, workers: int) -> list[list[Example]]:
    """Some lessons in their order, from as many threads as there are workers."""
    with ThreadPoolExecutor(min(workers, len(numbers))) as pool:
        return list(pool.map(lambda number: lesson(game, teacher, seed, number), numbers))


def lesson(game: Game, teacher: str, seed: int, number: int) -> list[Example]:
    """Some quick games of a teacher against itself."""
    rng = np.random.default_rng((seed, number))
    seats = [make(teacher, game, seat_seed((seed + number) % KEEP_AWAY, seat)) for seat in range(game.players)]
    return [example for _ in range(GAMES) for example in quick_game(game, seats, rng)]


def quick_game(game: Game, seats: Sequence[Any], rng: np.random.Generator) -> list[Example]:
    """One game from a random opening, by agents that tell what they think of each position."""
    state, met = game.new(int(rng.integers(KEEP_AWAY))), []
    wander(state, int((RANDOM_MOVES + 1) * rng.random() ** 2), rng)
    while not state.over and len(met) < LONGEST:
        agent = seats[state.player]
        action = agent.act(state)
        met.append(Example(state.array.copy(), state.player, action, score_of(agent), ()))
        state.play(int(rng.choice(state.actions)) if rng.random() < STRAYING else action)
    returns = list(state.returns) if state.over else [0.0] * game.players
    return [example._replace(returns=returns) for example in met]


def wander(state: State, moves: int, rng: np.random.Generator) -> None:
    for _ in range(moves):
        if not state.over:
            state.play(int(rng.choice(state.actions)))


def score_of(agent: Any) -> float:
    """What the last search found for its player; a whole report takes as long as a short search."""
    search = getattr(agent, "search", None)
    return max(result.value for result in search.results) if isinstance(search, Searched) else agent.report().value


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


def best_scale(game: Game, teacher: str, examples: Sequence[Example]) -> float | None:
    """The k with which scores tell results best; None where scores are chances of winning already."""
    if is_chance(game, teacher):
        return None
    scores = np.array([example.score for example in examples])
    results = np.array([example.returns[example.mover] for example in examples])
    open_ones = np.abs(scores) < SURE / 2
    errors = [np.square(np.tanh(k * scores[open_ones]) - results[open_ones]).sum() for k in SCALES]
    return float(SCALES[int(np.argmin(errors))])


def is_chance(game: Game, teacher: str) -> bool:
    agent = make(teacher, game, seed=1)
    agent.act(game.new(1))
    report: Any = agent.report()  # type: ignore[attr-defined]
    return bool(report.unit == CHANCE)


def samples_of(game: Game, examples: Sequence[Example], scale: float | None) -> np.ndarray:
    """What is to be learned from some examples, in records as wide as the widest of them."""
    if not examples:
        raise SpielbaumError(f"there are no positions of {game.name} to learn from")
    count, size = len(examples), buffer_size(game.module)
    features, active = np.zeros((count, game.module.FEATURES), np.int64), np.zeros(count, np.int64)
    actions, counts = np.zeros((count, size), np.int64), np.zeros(count, np.int64)
    states = np.concatenate([example.state for example in examples])
    game.kernels.examples.see(game.context, states, features, active, actions, counts)
    samples = np.zeros(count, narrow_type(game, int(active.max()), int(counts.max())))
    samples["feature"], samples["active"] = features[:, : active.max()], active
    samples["action"], samples["actions"] = actions[:, : counts.max()], counts
    chosen = np.array([example.action for example in examples])
    samples["chance"] = actions[:, : counts.max()] == chosen[:, None]
    samples["mover"] = movers = np.array([example.mover for example in examples])
    returns = np.array([example.returns for example in examples])
    for i in range(min(heads(game), game.players)):
        samples["result"][:, i] = returns[np.arange(count), (movers + i) % game.players]
    scores = np.array([example.score for example in examples])
    samples["mean"] = np.clip(scores if scale is None else np.tanh(scale * scores), -1.0, 1.0)
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
    widest = {name: max(part[name].shape[1] for part in parts) for name in ("feature", "action")}
    kind = parts[0].dtype
    if len(parts) == 1:
        return parts[0]
    fields: list[Any] = []
    for name in kind.names or ():
        wide = widest.get("action" if name == "chance" else name)
        fields.append((name, kind[name].base, (wide,) if wide else kind[name].shape))
    found = np.zeros(sum(map(len, parts)), np.dtype((np.record, fields), align=True))
    first = 0
    for part in parts:
        for name in kind.names or ():
            there = found[name][first : first + len(part)]
            if name in ("feature", "action", "chance"):
                there[:, : part[name].shape[1]] = part[name]
            else:
                there[:] = part[name]
        first += len(part)
    return found
