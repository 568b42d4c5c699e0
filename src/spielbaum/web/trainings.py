"""Trainings in the browser: which there are beside the store, how far one is, and its curves.

A page that follows a training asks again and again; what it is told are at most a few hundred points a curve.
"""

from __future__ import annotations

import pathlib

from spielbaum.arena.verify import NONSENSE
from spielbaum.scenes.drawing import Json
from spielbaum.training import curves
from spielbaum.web.assets import sound
from spielbaum.web.catalogue import Catalogue
from spielbaum.web.errors import Refusal
from spielbaum.web.tunings import title

DIGITS = 4  # of minutes, losses and scores: more can't be seen
CURVES = ("policy_loss", "entropy", "value_loss")


def are_there(store: pathlib.Path | None) -> bool:
    return store is not None and bool(curves.folders(store.parent))


def trainings(store: pathlib.Path | None, offered: Catalogue) -> Json:
    """All trainings beside the store, newest first, and which ones are damaged."""
    found, damaged = list[Json](), list[str]()
    for folder in curves.folders(store.parent) if store is not None else []:
        try:
            found.append(sound(outline(curves.read(folder), offered)))
        except NONSENSE:
            damaged.append(folder.name.removesuffix(curves.SUFFIX).encode(errors="replace").decode())
    return {"trainings": found, "damaged": damaged}


def training(store: pathlib.Path | None, name: str, offered: Catalogue) -> Json:
    """One of them, with its curves."""
    known = {folder.name: folder for folder in (curves.folders(store.parent) if store is not None else [])}
    folder = known.get(f"{name}{curves.SUFFIX}")
    if folder is None:
        raise Refusal("unknown-record", f"there is no training {name!r} here", "no-training")
    try:
        return sound(drawn(curves.read(folder), offered))
    except NONSENSE:
        raise Refusal("unknown-record", f"the training {name!r} is damaged", "no-training") from None


def drawn(history: curves.TrainingHistory, offered: Catalogue) -> Json:
    """A training with its curves."""
    lines = {
        curve: [(round(at, DIGITS), round(y, DIGITS)) for at, y in curves.thinned(history.rows, curve)]
        for curve in CURVES
    }
    return {**outline(history, offered), "curves": lines, "scores": [score(row) for row in history.measured]}


def outline(history: curves.TrainingHistory, offered: Catalogue) -> Json:
    """What was asked for, and how far it is."""
    plan = history.plan
    return {
        "name": history.name,
        "state": history.state,
        **title(plan.get("game", history.name), offered),
        **{name: plan.get(name) for name in ("size", "seed", "simulations", "minutes")},
        "passed": round(history.seconds / 60, DIGITS),
        "iterations": len(history.rows),
        "games": history.games,
        "last": score(history.last) if history.last else None,
    }


def score(row: curves.Row) -> Json:
    """What a baseline says."""
    figures = {name: round(float(row[name]), DIGITS) for name in ("score", "low", "high")}
    return {"minutes": round(row["seconds"] / 60, DIGITS), **figures, "baseline": row["baseline"]}
