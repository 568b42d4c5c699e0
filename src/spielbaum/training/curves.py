"""What is known of a training while it goes on, from the files in its folder; nothing here needs PyTorch.

A row of `rows.jsonl` is an iteration: what was played, the losses of both heads, the entropy of the policy, and now and
then the score against a baseline with its interval; `others` are those against further ones.
"""

from __future__ import annotations

import pathlib
import time
from dataclasses import dataclass
from typing import Any

from spielbaum.errors import SpielbaumError
from spielbaum.foreign import lines, parse_json, read_json

SUFFIX = ".training"
PLAN, ROWS = "plan.json", "rows.jsonl"
QUIET = 180.0  # seconds without a new row after which nobody is thought to train any more
MOST_POINTS = 400  # of a curve: more can't be seen

Row = dict[str, Any]


@dataclass(frozen=True)
class TrainingHistory:
    """A training as far as it has come."""

    name: str
    plan: dict[str, Any]
    rows: list[Row]
    touched: float  # when the last row was written, in seconds since 1970

    @property
    def seconds(self) -> float:
        return float(self.rows[-1]["seconds"]) if self.rows else 0.0

    @property
    def games(self) -> int:
        return sum(int(row.get("games", 0)) for row in self.rows)

    @property
    def measured(self) -> list[Row]:
        """A row for every score, by baselines."""
        scores = [{**row, **each} for row in self.rows if "score" in row for each in ({}, *row.get("others", ()))]
        names = list(dict.fromkeys(row["baseline"] for row in scores))
        return sorted(scores, key=lambda row: names.index(row["baseline"]))

    @property
    def last(self) -> Row | None:
        """The last score against the first baseline."""
        return next((row for row in reversed(self.rows) if "score" in row), None)

    @property
    def state(self) -> str:
        if self.seconds >= 60 * self.plan.get("minutes", float("inf")):
            return "finished"
        return "running" if time.time() - self.touched < QUIET else "interrupted"


def read(folder: pathlib.Path) -> TrainingHistory:
    """The training in a folder."""
    rows, plan = folder / ROWS, folder / PLAN
    try:
        found = [parse_json(line, f"{ROWS}, line {number},") for number, line in lines(rows)]
        asked = read_json(plan) if plan.exists() else {}
        return TrainingHistory(folder.name.removesuffix(SUFFIX), asked, found, rows.stat().st_mtime)
    except (SpielbaumError, OSError) as error:
        raise SpielbaumError(f"{folder} holds no training that can be read: {error}") from None


def folders(beside: pathlib.Path) -> list[pathlib.Path]:
    """The trainings in a folder, the newest first."""
    found = [path.parent for path in beside.glob(f"*{SUFFIX}/{ROWS}")]
    return sorted(found, key=touched, reverse=True)


def touched(folder: pathlib.Path) -> float:
    """When a training was written the last time; of one that was deleted just now nothing is known."""
    try:
        return (folder / ROWS).stat().st_mtime
    except OSError:
        return 0.0


def thinned(rows: list[Row], name: str) -> list[tuple[float, float]]:
    """Minutes and one figure of the rows that have it, the mean of neighbours where there are too many."""
    points = [(float(row["seconds"]) / 60, float(row[name])) for row in rows if row.get(name) is not None]
    each = -(-len(points) // MOST_POINTS) or 1
    groups = [points[at : at + each] for at in range(0, len(points), each)]
    return [(group[-1][0], sum(value for _, value in group) / len(group)) for group in groups]
