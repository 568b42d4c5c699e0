"""Training by self-play: play, learn, and tell how strong the net has become, many short iterations long.

Beside the net lies a folder `NAME.training` with a line of `rows.jsonl` for each iteration and all that is needed to go
on: `state.pt` and the samples of the last iterations. It is written after every iteration, each file at once, so that a
run that was killed goes on with the last iteration that was finished. How long it has lasted counts, not when it began.

The window of samples grows: after n iterations the last 8 + n/4 of them, at most 40, are learned from. The rate falls
with the time that has passed, as half a cosine.
"""

from __future__ import annotations

import io
import json
import math
import pathlib
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from spielbaum.arena.matches import match
from spielbaum.arena.stats import wilson
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game
from spielbaum.networks import files
from spielbaum.networks.net import random_weights
from spielbaum.networks.selfplay import BATCH, Course, objection, play_batches
from spielbaum.whole import write_whole

BATCHES = 16  # of games, in an iteration
STEPS = 120  # of learning, in an iteration
FASTEST, SLOWEST = 6e-3, 2e-5  # learning rates at the beginning and at the end
WINDOW, GROWTH, LARGEST = 8, 0.25, 40  # iterations that are learned from
YARDSTICKS = 10  # how often the net is measured
YARDSTICK, MEASURED = "mcts:iterations=1000", 40  # against whom, in how many games

Row = dict[str, Any]
Watch = Callable[[Row, float], None]


@dataclass(frozen=True)
class Plan:
    """What is to be trained, and how; a run goes on only with the same, but it may last longer."""

    game: str
    options: dict[str, Any]
    size: str
    seed: int
    minutes: float
    simulations: int


def folder_of(net: pathlib.Path) -> pathlib.Path:
    """Where all that belongs to a training lies."""
    return net.with_suffix(".training")


def rows_of(net: pathlib.Path) -> list[Row]:
    """What is known of the iterations of a training."""
    path = folder_of(net) / "rows.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


class Training:
    """One training, from its beginning or from where it stopped."""

    def __init__(self, game: Game, plan: Plan, net: pathlib.Path, workers: int, resume: bool):
        from spielbaum.networks.learning import Learner, use_threads

        use_threads(workers)
        if wrong := objection(game):
            raise SpielbaumError(wrong)
        self.game, self.plan, self.net, self.workers = game, plan, net, workers
        self.folder = folder_of(net)
        self.learner = Learner(game, random_weights(game, plan.size, plan.seed), plan.seed)
        self.rows: list[Row] = []
        self.window: list[np.ndarray] = []
        if resume and (self.folder / "state.pt").exists():
            self.restore()
        elif self.folder.exists() and any(self.folder.iterdir()):
            raise SpielbaumError(f"there is a training in {self.folder}; --resume goes on with it, or remove it")

    @property
    def seconds(self) -> float:
        """How long the training has lasted."""
        return float(self.rows[-1]["seconds"]) if self.rows else 0.0

    def run(self, watch: Watch = lambda row, share: None) -> list[Row]:
        """Train until the time is over; the rows of all iterations."""
        total = 60 * self.plan.minutes
        while self.seconds < total:
            row = self.iterate(self.seconds / total)
            self.save(row)
            watch(row, self.seconds / total)
        return self.rows

    def iterate(self, share: float) -> Row:
        """Play, learn, and measure now and then."""
        begin, before, number = time.monotonic(), self.seconds, len(self.rows)
        course = Course(self.plan.simulations, max(1, self.plan.simulations // 4))
        batches = range(BATCHES * number, BATCHES * (number + 1))
        samples, moves = play_batches(self.game, self.learner.average, course, self.plan.seed, batches, self.workers)
        played = time.monotonic() - begin
        self.window = [*self.window, samples][-min(LARGEST, int(WINDOW + GROWTH * number)) :]
        rate = SLOWEST + (FASTEST - SLOWEST) * (1 + math.cos(math.pi * share)) / 2
        told = self.learner.learn(np.concatenate(self.window), STEPS, rate)
        row: Row = {"iteration": number, "games": BATCHES * BATCH, "moves": moves, "positions": len(samples), **told}
        row |= {"rate": rate, "play_seconds": played, "seconds": before + time.monotonic() - begin}
        if int(YARDSTICKS * row["seconds"] / (60 * self.plan.minutes)) > int(YARDSTICKS * share) or number == 0:
            row |= self.measure(number)
            row["seconds"] = before + time.monotonic() - begin
        return row

    def measure(self, number: int) -> Row:
        """How the net alone does against a yardstick, from openings."""
        self.folder.mkdir(parents=True, exist_ok=True)
        trial = self.folder / "trial.npz"
        files.save(trial, self.game, self.plan.size, self.learner.average)
        seed = self.plan.seed + number
        agents = [f"policy:net={trial}", YARDSTICK]
        score = match(self.game, agents, MEASURED, seed, opening=2, workers=self.workers).results.agent_tally(0).score
        low, high = wilson(score, MEASURED)
        return {"score": score, "low": low, "high": high, "yardstick": YARDSTICK}

    # --- keeping --------------------------------------------------------------------------------

    def save(self, row: Row) -> None:
        """Keep an iteration: the samples first, the row that counts them last."""
        import torch

        self.folder.mkdir(parents=True, exist_ok=True)
        content = io.BytesIO()
        state = {**self.learner.state(), "plan": asdict(self.plan), "rows": [*self.rows, row]}
        torch.save(state, content)
        samples = io.BytesIO()
        np.savez_compressed(samples, samples=self.window[-1])
        number = row["iteration"]
        replace(self.folder / f"samples-{number}.npz", samples.getvalue())
        replace(self.folder / "state.pt", content.getvalue())
        self.rows.append(row)
        replace(self.folder / "rows.jsonl", "".join(json.dumps(each) + "\n" for each in self.rows).encode())
        files.save(self.net, self.game, self.plan.size, self.learner.average)
        for path in self.folder.glob("samples-*.npz"):
            if int(path.stem.partition("-")[2]) <= number - len(self.window):
                path.unlink()

    def restore(self) -> None:
        """Go on where a training stopped."""
        import torch

        try:
            state = torch.load(self.folder / "state.pt", weights_only=False)
        except Exception as error:  # whatever a damaged file makes of it
            raise SpielbaumError(f"{self.folder / 'state.pt'} can't be read: {error}") from None
        known = state["plan"]
        for name, value in asdict(self.plan).items():
            if name != "minutes" and known.get(name) != value:
                raise SpielbaumError(f"the training in {self.folder} has {name}={known.get(name)}, not {value}")
        self.learner.restore(state)
        self.rows = state["rows"]
        last = len(self.rows)
        first = max(0, last - min(LARGEST, int(WINDOW + GROWTH * (last - 1))))
        self.window = [np.load(self.folder / f"samples-{number}.npz")["samples"] for number in range(first, last)]


def replace(path: pathlib.Path, content: bytes) -> None:
    """Keep a file; where that can't be, the training can go on later."""
    try:
        write_whole(path, content)
    except OSError as error:
        raise SpielbaumError(f"{path} can't be written: {error.strerror}; --resume goes on with the last one") from None
