"""Trainings in the browser: which there are beside the store, how far one is, and its curves.

A page that follows a training asks again and again; what it is told are at most a few hundred points a curve.
"""

from __future__ import annotations

import pathlib

from spielbaum.errors import SpielbaumError
from spielbaum.networks import curves
from spielbaum.web.catalogue import Catalogue
from spielbaum.web.drawing import Json
from spielbaum.web.errors import Refusal
from spielbaum.web.tunings import title

DIGITS = 4  # of minutes, losses and scores: more can't be seen
CURVES = ("policy_loss", "entropy", "value_loss")


def are_there(store: pathlib.Path | None) -> bool:
    return store is not None and bool(curves.folders(store.parent))


def trainings(store: pathlib.Path | None, offered: Catalogue) -> Json:
    """All trainings beside the store that can be read, newest first."""
    found = []
    for folder in curves.folders(store.parent) if store is not None else []:
        try:
            found.append(outline(curves.read(folder), offered))
        except SpielbaumError:
            continue
    return {"trainings": found}


def training(store: pathlib.Path | None, name: str, offered: Catalogue) -> Json:
    """One of them, with its curves."""
    known = {folder.name: folder for folder in (curves.folders(store.parent) if store is not None else [])}
    folder = known.get(f"{name}{curves.SUFFIX}")
    if folder is None:
        raise Refusal("unknown-record", f"there is no training {name!r} here", "no-training")
    try:
        course = curves.read(folder)
    except SpielbaumError:
        raise Refusal("unknown-record", f"the training {name!r} is damaged", "no-training") from None
    lines = {
        curve: [(round(at, DIGITS), round(y, DIGITS)) for at, y in curves.thinned(course.rows, curve)]
        for curve in CURVES
    }
    return {**outline(course, offered), "curves": lines, "scores": [score(row) for row in course.measured]}


def outline(course: curves.Course, offered: Catalogue) -> Json:
    """What was asked for, and how far it is."""
    plan = course.plan
    return {
        "name": course.name,
        "state": course.state,
        **title(plan.get("game", course.name), offered),
        **{name: plan.get(name) for name in ("size", "seed", "simulations", "minutes")},
        "passed": round(course.seconds / 60, DIGITS),
        "iterations": len(course.rows),
        "games": course.games,
        "last": score(course.last) if course.last else None,
    }


def score(row: curves.Row) -> Json:
    """What a yardstick says."""
    figures = {name: round(float(row[name]), DIGITS) for name in ("score", "low", "high")}
    return {"minutes": round(row["seconds"] / 60, DIGITS), **figures, "yardstick": row["yardstick"]}
