"""Training by self-play: play, learn, and tell how strong the net has become, many short iterations long.

Beside the net lies a folder `NAME.training` with a line of `rows.jsonl` for each iteration, `plan.json` with what was
asked for, and all that is needed to go on: `state.pt`, the samples of the last iterations, and earlier nets, one of
which is the past of some games. It is written after every iteration, each file at once, so that a run that was killed
goes on with the last iteration that was finished. One process at a time works on it. How long it has lasted counts, not
when it began.

Files that come from elsewhere may be damaged, or made to do harm: `state.pt` is read as plain data, and what was not
written by a training is refused.

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
import zipfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, NoReturn, Self

import numpy as np

from spielbaum.agents import make
from spielbaum.agents.registry import own_agents
from spielbaum.arena.matches import match
from spielbaum.arena.stats import wilson
from spielbaum.atomic_write import sweep, write_whole
from spielbaum.errors import SpielbaumError
from spielbaum.foreign import read_arrays
from spielbaum.game import Game
from spielbaum.locks import Lock
from spielbaum.networks import files
from spielbaum.networks.net import Weights, random_weights
from spielbaum.training.cluster import Players, players, threads
from spielbaum.training.curves import PLAN, ROWS, SUFFIX, Row
from spielbaum.training.selfplay import BATCH, SelfPlayConfig, objection, sample_type

BATCHES = 32  # of games, in an iteration
STEPS = 60  # of learning, in an iteration
FASTEST, SLOWEST = 6e-3, 2e-5  # learning rates at the beginning and at the end
WINDOW, GROWTH, LARGEST = 8, 0.25, 80  # iterations that are learned from
ROOM = 1 << 30  # bytes for their samples
EARLIER = 20  # iterations between nets that are kept to be met again
BASELINES = 10  # how often the net is measured
ALONE, BASELINE, MEASURED = "policy:net={net}", "mcts:iterations=1000", 40  # who, against whom, in how many games
OPENING = 2  # random moves with which those begin

STATE, LOCK = "state.pt", "lock"
GO_ON = "--resume goes on with the last iteration that was kept"
WITHOUT = "remove it, and --resume goes on without it"

Watch = Callable[[Row, float], None]


@dataclass(frozen=True)
class TrainingPlan:
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


class Training:
    """One training, from its beginning or from where it stopped; until it is closed nobody else may work on it."""

    def __init__(self, game: Game, plan: TrainingPlan, net: pathlib.Path, workers: int | str, resume: bool):
        from spielbaum.training.learning import Learner, use_threads

        use_threads(threads(workers))
        if wrong := objection(game):
            raise SpielbaumError(wrong)
        self.game, self.plan, self.net, self.workers = game, plan, net, workers
        self.folder = folder_of(net)
        self.learner = Learner(game, random_weights(game, plan.size, plan.seed), plan.seed)
        self.rows: list[Row] = []
        self.window: list[np.ndarray] = []
        self.lock = self.take()
        try:
            self.start_or_resume(resume)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave the training to others."""
        self.lock.close()

    def take(self) -> Lock:
        """Work on the training alone."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = Lock(self.folder / LOCK)
        except OSError as error:
            raise SpielbaumError(f"the folder {self.folder} can't be written: {error.strerror}") from None
        if not lock.acquire(wait=False):
            raise SpielbaumError(f"another process trains in {self.folder}; wait for it, or give -o another name")
        return lock

    def start_or_resume(self, resume: bool) -> None:
        """Go on with what is there if that is wanted, and with nothing else."""
        if not resume and any(path.name != LOCK for path in self.folder.iterdir()):
            raise SpielbaumError(f"there is a training in {self.folder}; --resume goes on with it, or remove it")
        sweep(self.net)
        for left in self.folder.glob(".*"):
            left.unlink()
        if (self.folder / STATE).exists():
            self.restore()

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
        config = SelfPlayConfig(self.plan.simulations, max(1, self.plan.simulations // 4))
        batches = range(BATCHES * number, BATCHES * (number + 1))
        samples, moves = play(self.game, self.learner.average, self.past(number), config, self.plan.seed, batches)
        played = time.monotonic() - begin
        self.window = newest([*self.window, samples], number)
        rate = falling_rate(share)
        told = self.learner.learn(np.concatenate(self.window), STEPS, rate)
        row: Row = {"iteration": number, "games": BATCHES * BATCH, "moves": moves, "positions": len(samples), **told}
        row |= {"rate": rate, "play_seconds": played, "seconds": before + time.monotonic() - begin}
        if int(BASELINES * row["seconds"] / (60 * self.plan.minutes)) > int(BASELINES * share) or number == 0:
            row |= self.measure(number)
            row["seconds"] = before + time.monotonic() - begin
        return row

    def past(self, number: int) -> Weights:
        """An earlier net, one of the second half of those so far; at first the net itself."""
        kept = [self.earlier(each) for each in range(0, number, EARLIER) if each >= number // 2]
        if not (there := [path for path in kept if path.exists()]):
            return self.learner.average
        chosen = there[np.random.default_rng((self.plan.seed, number)).choice(len(there))]
        try:
            return files.load(str(chosen), self.game)
        except SpielbaumError as error:
            raise SpielbaumError(f"{error}; {WITHOUT}") from None

    def measure(self, number: int) -> Row:
        """How strong the net is: alone, against a baseline, the game's levels and the first net."""
        others = {name: name for name in quick_levels(self.game)}
        first = self.earlier(0)
        if first.exists():
            others["the first net"] = f"policy:net={first}"
        met = [self.meet(number, ALONE, spec, OPENING) | {"baseline": name} for name, spec in others.items()]
        return {**self.meet(number, ALONE, BASELINE, OPENING), "others": met}

    def meet(self, number: int, agent: str, baseline: str, opening: int) -> Row:
        """What an agent with the net scores against a baseline, from openings."""
        trial = self.folder / "trial.npz"
        self.write_net(trial)
        agents, seed = [agent.format(net=trial), baseline], self.plan.seed + number
        played = match(self.game, agents, MEASURED, seed, opening=opening, workers=threads(self.workers))
        score = played.results.agent_tally(0).score
        low, high = wilson(score, MEASURED)
        return {"score": score, "low": low, "high": high, "baseline": baseline}

    # --- keeping --------------------------------------------------------------------------------

    def save(self, row: Row) -> None:
        """Keep an iteration: the samples first, the state that counts them last, then what others read."""
        import torch

        content, rows = io.BytesIO(), [*self.rows, row]
        torch.save({**self.learner.state(), **plain({"plan": asdict(self.plan), "rows": rows})}, content)
        self.append_row(row)
        replace(self.folder / STATE, content.getvalue())
        self.rows = rows
        self.publish()
        self.drop(row)

    def publish(self) -> None:
        """The plan, the curves and the net, of the last iteration that was kept."""
        replace(self.folder / PLAN, json.dumps(asdict(self.plan)).encode())
        replace(self.folder / ROWS, "".join(json.dumps(each) + "\n" for each in self.rows).encode())
        self.write_net(self.net)

    def append_row(self, row: Row) -> None:
        """The samples of the last iteration, and now and then its net."""
        self.write_samples(row["iteration"], self.window[-1])
        if row["iteration"] % EARLIER == 0:
            self.write_net(self.earlier(row["iteration"]))

    def drop(self, row: Row) -> None:
        """Samples that have left the window, and nets that nobody will meet again."""
        self.forget("samples", row["iteration"] - len(self.window) + 1)
        self.forget("earlier", row["iteration"] // 2, but=0)

    def write_samples(self, number: int, samples: np.ndarray) -> None:
        content = io.BytesIO()
        np.savez_compressed(content, samples=samples)
        replace(self.folder / f"samples-{number}.npz", content.getvalue())

    def read_samples(self, number: int) -> np.ndarray:
        path = self.folder / f"samples-{number}.npz"
        try:
            samples = read_arrays(path, "set of samples", ROOM).get("samples")
        except SpielbaumError as error:
            raise SpielbaumError(f"{error}; {WITHOUT}") from None
        if samples is None or not are_samples(samples, self.game):
            raise SpielbaumError(f"{path} holds no samples of {self.game.name}; {WITHOUT}")
        return samples

    def kept_samples(self) -> list[int]:
        """The iterations of which samples are there, but for one that was not finished."""
        return [number for number in self.numbers("samples") if number < len(self.rows)]

    def numbers(self, kind: str) -> list[int]:
        """The iterations of which a file of some kind is there, in their order."""
        names = [path.stem.partition("-")[2] for path in self.folder.glob(f"{kind}-*.npz")]
        return sorted(int(name) for name in names if name.isdecimal())

    def forget(self, kind: str, first: int, but: int | None = None) -> None:
        """Remove what is kept of the iterations before one."""
        for number in self.numbers(kind):
            if number < first and number != but:
                (self.folder / f"{kind}-{number}.npz").unlink()

    def earlier(self, number: int) -> pathlib.Path:
        """Where the net of an iteration lies."""
        return self.folder / f"earlier-{number}.npz"

    def write_net(self, path: pathlib.Path) -> None:
        try:
            files.save(path, self.game, self.plan.size, self.learner.average)
        except SpielbaumError as error:
            raise SpielbaumError(f"{error}; {GO_ON}") from None

    def restore(self) -> None:
        """Go on where a training stopped."""
        path = self.folder / STATE
        state = read_state(path)
        try:
            known = dict(plain(state["plan"]))
        except (KeyError, TypeError, ValueError):
            refuse(path, "it is of no training")
        for name, value in plain(asdict(self.plan)).items():
            if name != "minutes" and known.get(name) != value:
                raise SpielbaumError(f"the training in {self.folder} has {name}={known.get(name)}, not {value}")
        try:
            self.learner.restore(state)
            self.rows = [{**row, "seconds": float(row["seconds"])} for row in state["rows"]]
        except (AttributeError, IndexError, KeyError, RuntimeError, TypeError, ValueError):
            refuse(path, "it is of another training")
        self.restore_samples()
        self.publish()  # a run that was killed may have kept what it did not yet publish

    def restore_samples(self) -> None:
        """Those of the window after the last iteration."""
        self.window = newest([self.read_samples(number) for number in self.kept_samples()], len(self.rows) - 1)


def read_state(path: pathlib.Path) -> dict[str, Any]:
    """What a training wrote to go on; code in it is not run, and a changed byte is noticed, which PyTorch does not."""
    import torch

    try:
        require_whole(path)
        state = torch.load(path, weights_only=True)
        if not isinstance(state, dict):
            raise TypeError
    except Exception:  # whatever a damaged file makes of it
        refuse(path, "it is damaged, or of another kind")
    return state


def require_whole(path: pathlib.Path) -> None:
    """Raise unless all parts of an archive are what was written."""
    with zipfile.ZipFile(path) as file:
        if damaged := file.testzip():
            raise zipfile.BadZipFile(damaged)


def plain(data: Any) -> Any:
    """The same without tuples and scalars of NumPy."""
    return json.loads(json.dumps(data))


def refuse(path: pathlib.Path, why: str) -> NoReturn:
    """Say that a training can't go on."""
    raise SpielbaumError(f"{path} can't be read: {why}; remove {path.parent} to begin anew") from None


def are_samples(samples: np.ndarray, game: Game) -> bool:
    """Whether a file holds what can be learned from: records of positions and actions that the game has."""
    right = sample_type(game)
    if samples.ndim != 1 or not len(samples) or samples.dtype.names != right.names:
        return False
    fields = [(samples.dtype[name], right[name]) for name in right.names or ()]
    if any(own.base != other.base or own.ndim != other.ndim for own, other in fields):
        return False
    features, actions = samples["feature"], samples["action"]
    ranges = [
        (features, game.module.FEATURES - 1),
        (actions, game.module.ACTION_CODES - 1),
        (samples["active"], features.shape[1]),
        (samples["actions"], actions.shape[1]),
    ]
    return all(values.min(initial=0) >= 0 and values.max(initial=0) <= most for values, most in ranges)


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
