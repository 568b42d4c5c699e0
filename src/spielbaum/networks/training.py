"""Training by self-play: play, learn, and tell how strong the net has become, many short iterations long.

Beside the net lies a folder `NAME.training` with a line of `rows.jsonl` for each iteration, `plan.json` with what was
asked for, and all that is needed to go on: `state.pt`, the samples of the last iterations, and earlier nets, one of
which is the rival of some games. It is written after every iteration, each file at once, so that a run that was killed
goes on with the last iteration that was finished. How long it has lasted counts, not when it began.

The window of samples grows: after n iterations the last 8 + n/4 of them, at most 80 and as many as there is room for,
are learned from. In Connect Four a sample is seen three or four times before it leaves, in games that last longer less
often: what is seen a dozen times is learned by heart. The rate falls with the time that has passed, as half a cosine.
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

from spielbaum.agents import make
from spielbaum.agents.kinds import own_agents
from spielbaum.arena.matches import match
from spielbaum.arena.stats import wilson
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game
from spielbaum.networks import files
from spielbaum.networks.cluster import Players, players, threads
from spielbaum.networks.curves import PLAN, ROWS, SUFFIX, Row
from spielbaum.networks.net import Weights, random_weights
from spielbaum.networks.selfplay import BATCH, Course, objection
from spielbaum.whole import write_whole

BATCHES = 32  # of games, in an iteration
STEPS = 60  # of learning, in an iteration
FASTEST, SLOWEST = 6e-3, 2e-5  # learning rates at the beginning and at the end
WINDOW, GROWTH, LARGEST = 8, 0.25, 80  # iterations that are learned from
ROOM = 1 << 30  # bytes for their samples
EARLIER = 20  # iterations between nets that are kept to be met again
YARDSTICKS = 10  # how often the net is measured
ALONE, YARDSTICK, MEASURED = "policy:net={net}", "mcts:iterations=1000", 40  # who, against whom, in how many games
OPENING = 2  # random moves with which those begin

GO_ON = "--resume goes on with the last iteration that was kept"

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
    return net.with_suffix(SUFFIX)


def falling_rate(share: float) -> float:
    """The learning rate after a part of the time: half a cosine."""
    return SLOWEST + (FASTEST - SLOWEST) * (1 + math.cos(math.pi * share)) / 2


def rows_of(net: pathlib.Path) -> list[Row]:
    """What is known of the iterations of a training."""
    path = folder_of(net) / ROWS
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


class Training:
    """One training, from its beginning or from where it stopped."""

    def __init__(self, game: Game, plan: Plan, net: pathlib.Path, workers: int | str, resume: bool):
        from spielbaum.networks.learning import Learner, use_threads

        use_threads(threads(workers))
        if wrong := objection(game):
            raise SpielbaumError(wrong)
        self.game, self.plan, self.net, self.workers = game, plan, net, workers
        self.folder = folder_of(net)
        self.learner = Learner(game, random_weights(game, plan.size, plan.seed), plan.seed)
        self.rows: list[Row] = []
        self.window: list[np.ndarray] = []
        if resume and (self.folder / "state.pt").exists():
            self.restore()
        elif not resume and self.folder.exists() and any(self.folder.iterdir()):
            raise SpielbaumError(f"there is a training in {self.folder}; --resume goes on with it, or remove it")

    @property
    def seconds(self) -> float:
        """How long the training has lasted."""
        return float(self.rows[-1]["seconds"]) if self.rows else 0.0

    def run(self, watch: Watch = lambda row, share: None) -> list[Row]:
        """Train until the time is over; the rows of all iterations."""
        total = 60 * self.plan.minutes
        with players(self.game, self.workers) as play:
            while self.seconds < total:
                row = self.iterate(self.seconds / total, play)
                self.save(row)
                watch(row, self.seconds / total)
        return self.rows

    def iterate(self, share: float, play: Players) -> Row:
        """Play, learn, and measure now and then."""
        begin, before, number = time.monotonic(), self.seconds, len(self.rows)
        course = Course(self.plan.simulations, max(1, self.plan.simulations // 4))
        batches = range(BATCHES * number, BATCHES * (number + 1))
        samples, moves = play(self.game, self.learner.average, self.rival(number), course, self.plan.seed, batches)
        played = time.monotonic() - begin
        self.window = newest([*self.window, samples], number)
        rate = falling_rate(share)
        told = self.learner.learn(np.concatenate(self.window), STEPS, rate)
        row: Row = {"iteration": number, "games": BATCHES * BATCH, "moves": moves, "positions": len(samples), **told}
        row |= {"rate": rate, "play_seconds": played, "seconds": before + time.monotonic() - begin}
        if int(YARDSTICKS * row["seconds"] / (60 * self.plan.minutes)) > int(YARDSTICKS * share) or number == 0:
            row |= self.measure(number)
            row["seconds"] = before + time.monotonic() - begin
        return row

    def rival(self, number: int) -> Weights:
        """An earlier net, one of the second half of those so far; at first the net itself."""
        kept = [each for each in range(0, number, EARLIER) if each >= number // 2]
        if not kept:
            return self.learner.average
        chosen = np.random.default_rng((self.plan.seed, number)).choice(kept)
        return files.load(str(self.folder / f"earlier-{chosen}.npz"), self.game)

    def measure(self, number: int) -> Row:
        """How strong the net is: alone, against a yardstick, the game's levels and the first net."""
        others = {name: name for name in quick_levels(self.game)}
        first = self.folder / "earlier-0.npz"
        if first.exists():
            others["the first net"] = f"policy:net={first}"
        met = [self.meet(number, ALONE, spec, OPENING) | {"yardstick": name} for name, spec in others.items()]
        return {**self.meet(number, ALONE, YARDSTICK, OPENING), "others": met}

    def meet(self, number: int, agent: str, yardstick: str, opening: int) -> Row:
        """What an agent with the net scores against a yardstick, from openings."""
        self.make_folder()
        trial = self.folder / "trial.npz"
        self.write_net(trial)
        agents, seed = [agent.format(net=trial), yardstick], self.plan.seed + number
        played = match(self.game, agents, MEASURED, seed, opening=opening, workers=threads(self.workers))
        score = played.results.agent_tally(0).score
        low, high = wilson(score, MEASURED)
        return {"score": score, "low": low, "high": high, "yardstick": yardstick}

    # --- keeping --------------------------------------------------------------------------------

    def save(self, row: Row) -> None:
        """Keep an iteration: the samples first, the row that counts them last."""
        import torch

        self.make_folder()
        content = io.BytesIO()
        state = {**self.learner.state(), "plan": asdict(self.plan), "rows": [*self.rows, row]}
        torch.save(state, content)
        self.keep(row)
        replace(self.folder / PLAN, json.dumps(asdict(self.plan)).encode())
        replace(self.folder / "state.pt", content.getvalue())
        self.rows.append(row)
        replace(self.folder / ROWS, "".join(json.dumps(each) + "\n" for each in self.rows).encode())
        self.write_net(self.net)
        self.drop(row)

    def keep(self, row: Row) -> None:
        """The samples of the last iteration, and now and then its net."""
        self.write_samples(row["iteration"], self.window[-1])
        if row["iteration"] % EARLIER == 0:
            self.write_net(self.folder / f"earlier-{row['iteration']}.npz")

    def drop(self, row: Row) -> None:
        """Samples that have left the window, and nets that nobody will meet again."""
        self.forget("samples", row["iteration"] - len(self.window) + 1)
        self.forget("earlier", row["iteration"] // 2, but=0)

    def write_samples(self, number: int, samples: np.ndarray) -> None:
        content = io.BytesIO()
        np.savez_compressed(content, samples=samples)
        replace(self.folder / f"samples-{number}.npz", content.getvalue())

    def read_samples(self, number: int) -> np.ndarray:
        samples: np.ndarray = np.load(self.folder / f"samples-{number}.npz")["samples"]
        return samples

    def forget(self, kind: str, first: int, but: int | None = None) -> None:
        """Remove what is kept of the iterations before one."""
        for path in self.folder.glob(f"{kind}-*.npz"):
            number = int(path.stem.partition("-")[2])
            if number < first and number != but:
                path.unlink()

    def make_folder(self) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SpielbaumError(f"the folder {self.folder} can't be made: {error.strerror}") from None

    def write_net(self, path: pathlib.Path) -> None:
        try:
            files.save(path, self.game, self.plan.size, self.learner.average)
        except SpielbaumError as error:
            raise SpielbaumError(f"{error}; {GO_ON}") from None

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
        self.restore_samples()

    def restore_samples(self) -> None:
        """Those of the window after the last iteration."""
        kept = sorted(int(path.stem.partition("-")[2]) for path in self.folder.glob("samples-*.npz"))
        last = len(self.rows)
        self.window = newest([self.read_samples(number) for number in kept if number < last], last - 1)


def newest(window: list[np.ndarray], number: int) -> list[np.ndarray]:
    """The samples that are learned from after an iteration, of those that are there."""
    most = min(LARGEST, int(WINDOW + GROWTH * number))
    sizes = np.cumsum([samples.nbytes for samples in reversed(window)])
    return window[-max(1, min(most, int((sizes <= ROOM).sum()))) :]


def quick_levels(game: Game) -> list[str]:
    """The agents that a game names and that play without a clock, as far as they can."""
    return [name for name, spec in own_agents(game).items() if "seconds" not in spec and can_play(name, game)]


def can_play(name: str, game: Game) -> bool:
    """Whether an agent can be made: a level may need a net that no longer fits."""
    try:
        make(name, game, seed=0)
    except SpielbaumError:
        return False
    return True


def replace(path: pathlib.Path, content: bytes) -> None:
    """Keep a file; where that can't be, the training can go on later."""
    try:
        write_whole(path, content)
    except OSError as error:
        raise SpielbaumError(f"{path} can't be written: {error.strerror}; {GO_ON}") from None
