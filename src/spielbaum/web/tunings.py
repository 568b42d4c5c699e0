"""Tuning runs of the store in the browser: which there are, how far one is, and what its pictures show.

A page that follows a run asks for its outline again and again, which costs little, and for the pictures when a step
has been added.
"""

from __future__ import annotations

import contextlib
import functools
import json
import pathlib
from typing import Any

from spielbaum.arena.store import Store
from spielbaum.arena.verify import NONSENSE
from spielbaum.scenes.drawing import Json, words
from spielbaum.tune import History, Parameter, read_history, records, series
from spielbaum.tune.history import state_of
from spielbaum.web.assets import sound
from spielbaum.web.catalogue import Catalogue
from spielbaum.web.errors import Refusal, without_folders
from spielbaum.web.runs import opened, short_name

KEPT = 8  # runs whose pictures are kept
DIGITS = 4  # of places from 0 to 1: more can't be seen


def are_there(path: pathlib.Path | None) -> bool:
    """Whether there is anything to look at; a store that can't be read has nothing."""
    with contextlib.suppress(Refusal), opened(path) as store:
        return bool(records.numbers(store))
    return False


def tunings(path: pathlib.Path | None, offered: Catalogue) -> Json:
    """All tuning runs, newest first, and which ones are damaged; none where there is no store."""
    if path is None or not path.exists():
        return {"tunings": [], "damaged": []}
    found, damaged = list[Json](), list[int]()
    with opened(path) as store:
        for number in reversed(records.numbers(store)):
            try:
                found.append(sound(outline(store, number, offered)))
            except NONSENSE:
                damaged.append(number)
    return {"tunings": found, "damaged": damaged}


def tuning(path: pathlib.Path | None, number: int, offered: Catalogue) -> Json:
    """How far a run is."""
    with opened(path) as store:
        need(store, number)
        return sound(outline(store, number, offered))


def pictures(path: pathlib.Path | None, number: int) -> Json:
    """What the pictures of a run show."""
    with opened(path) as store:
        need(store, number)
        run, steps = records.read(store, number), records.steps_done(store, number)
        return drawn_once(path, number, run.created, steps, run.state, json.dumps(run.result))


@functools.lru_cache(maxsize=KEPT)
def drawn_once(path: pathlib.Path | None, number: int, *_seen: Any) -> Json:
    """The same for all who look at a run that has not changed."""
    with opened(path) as store:
        return sound(drawn(read_history(store, number)))


def need(store: Store, number: int) -> None:
    if number not in records.numbers(store):
        raise Refusal("unknown-record", f"there is no tuning run {number} here", "no-tuning")


def outline(store: Store, number: int, offered: Catalogue) -> Json:
    """What was asked for, and how far it is."""
    found = records.read(store, number)
    settings, test = found.settings, found.result.get("test")
    so_far = None if test else records.test_so_far(store, number)
    return {
        "number": number,
        "created": found.created,
        "state": state_of(found),
        **{name: settings[name] for name in ("method", "seed")},
        **title(settings["game"], offered),
        **{name: [without_folders(spec) for spec in settings[name]] for name in ("agents", "against")},
        "maximises": settings["fitness"],
        "steps": records.steps_done(store, number),
        "steps_planned": settings["steps"],
        "games": records.games(store, number),
        "games_planned": settings["games"],
        "test": test or (so_far and so_far._asdict()),
    }


def title(source: str, offered: Catalogue) -> Json:
    """A game's name, and what people call it."""
    name = offered.name_of(source)
    if name is None:
        return {"game": short_name(source), "title": short_name(source)}
    game = offered.game(name)
    return {"game": name, "title": words(game, game.title)}


def drawn(run: History) -> Json:
    """All pictures, in numbers: places are from 0 to 1 over the range of a parameter."""
    weights = series.importances(run)
    ordered = sorted(run.parameters, key=lambda one: -weights.get((one.species, one.name), 0.0))
    surface = series.response_surface(run) if run.steps else None
    fitness = {name: series.fitness(run, name) for name in run.agents if series.tells_fitness(run)}
    heights = [dot.at for course in fitness.values() for dot in course.dots]
    return {
        "steps": len(run.steps),
        "first": run.steps[0].number if run.steps else 0,
        "individuals": max((len(column.individuals) for column in series.columns(run)), default=0),
        "best": run.best and {"species": run.best.species, "spec": without_folders(run.best.spec)},
        "fitness": [{"species": name, **lines(course)} for name, course in fitness.items()],
        "heights": series.round_values(min(heights), max(heights)) if heights and min(heights) < max(heights) else [],
        "shares": [{"species": name, "line": rounded(line)} for name, line in series.shares(run).items()],
        "parameters": [parameter(run, one, weights) for one in ordered],
        "response_surface": surface and surface_json(run, surface),
    }


def parameter(run: History, one: Parameter, weights: dict[tuple[str, str], float]) -> Json:
    """One parameter over the steps."""
    effect = next((each for each in run.importances if (each.species, each.name) == (one.species, one.name)), None)
    mine = run.best is not None and run.best.species == one.species
    return {
        **{name: getattr(one, name) for name in ("species", "name", "choices", "condition")},
        "given": readable(one.start),
        "tuned": readable(run.best.values.get(one.name)) if run.best is not None and mine else None,
        "as_good": list(effect.values) if effect else None,
        "importance": weights.get((one.species, one.name)),
        "start": start(one),
        "ticks": series.ticks(one),
        "best": rounded(series.thought_best(run, one)),
        **lines(series.course(run, one)),
    }


def start(one: Parameter) -> float | None:
    """Where the agent was that was given, if that is in the range."""
    try:
        return None if one.start is None else round(series.place(one, one.start), DIGITS)
    except ValueError:
        return None


def readable(value: Any) -> Any:
    """A value as people write it; numbers are left to the page."""
    return series.spelled(value) if isinstance(value, bool) else value


def lines(course: series.Course) -> Json:
    return {
        "dots": [(dot.step, round(dot.at, DIGITS), dot.number) for dot in course.dots],
        "mean": rounded(course.mean),
    }


def rounded(line: list[tuple[float, float]]) -> list[tuple[float, float]]:
    return [(step, round(at, DIGITS)) for step, at in line]


def surface_json(run: History, surface: series.ResponseSurface) -> Json:
    """The response surface, row by row from below."""
    best = run.best
    axes = surface.x, surface.y
    known = best is not None and all(series.has(best, axis) for axis in axes)
    return {
        "x": {"name": surface.x.name, "ticks": series.ticks(surface.x), "choices": len(surface.x.choices)},
        "y": {"name": surface.y.name, "ticks": series.ticks(surface.y), "choices": len(surface.y.choices)},
        "relative": surface.relative,
        "rows": [[None if cell != cell else round(cell, DIGITS) for cell in row] for row in surface.grid.tolist()],
        "best": [series.place(axis, best.values[axis.name]) for axis in axes] if best and known else None,
    }
