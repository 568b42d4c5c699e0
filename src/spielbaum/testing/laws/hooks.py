"""The optional hooks: what they answer can be used."""

from __future__ import annotations

import math

import numpy as np

from spielbaum.rules import TERMINAL
from spielbaum.testing.case import Position
from spielbaum.testing.laws.law import law, seat
from spielbaum.testing.words import listed, same

COVERED = 8  # where there are at most so many legal actions, `sample` must draw each of them ...
FAR = 2.0  # an evaluation beyond it is on another scale than the results, and searches weigh it against them
DRAWS = 40  # ... within so many draws per action; a fair one misses with probability e^-40


@law("evaluate", "The evaluation is a number for every player, on the scale of the results.", needs="evaluate")
def evaluate(position: Position) -> str | None:
    for number, value in enumerate(position.answers["evaluate"]):
        if not math.isfinite(value):
            return f"evaluate gives {seat(position, number)} {value}"
        if abs(value) > FAR:
            return f"evaluate gives {seat(position, number)} {value:g}, far outside -1 … 1, the scale of the results"
    return None


@law("metrics", "The metrics are finite numbers for every player.", needs="metrics")
def metrics(position: Position) -> str | None:
    for number, values in enumerate(position.answers["metrics"]):
        for name, value in zip(position.case.game.metrics, values, strict=True):
            if not math.isfinite(value):
                return f"metrics gives {seat(position, number)} {name} = {value}"
    return None


@law("prior", "Preferences are not negative and add up to 1.", needs="prior")
def prior(position: Position) -> str | None:
    preferences = position.answers["prior"]
    if not position.legal:
        return None
    if not (preferences >= 0.0).all():
        return f"prior gives {position.move(position.legal[int(np.argmin(preferences))])} {preferences.min():g}"
    return None if abs(preferences.sum() - 1.0) < 1e-3 else f"the preferences add up to {preferences.sum():g}"


@law("sample", "Only legal actions are drawn, and each of them can be.", needs="sample")
def sample(position: Position) -> str | None:
    if position.over:
        return None
    if int(position.answers["sample"][0]) not in position.legal:
        return f"sample draws {int(position.answers['sample'][0])}, legal are {listed(position.legal)}"
    if not position.thorough or len(position.legal) > COVERED:
        return None
    rng = position.stream()
    asked = {"player": position.player, "rng": rng}
    drawn = {int(position.case.ask("sample", position.array, **asked)) for _ in range(DRAWS * len(position.legal))}
    missing = sorted(set(position.legal) - drawn)
    return f"sample never draws {position.move(missing[0])}" if missing else None


@law("policy", "Every policy chooses a legal action.", needs="POLICIES")
def policy(position: Position) -> str | None:
    if position.over:
        return None
    for name, code in zip(position.case.game.module.POLICIES, position.answers["policy"].tolist(), strict=True):
        if code not in position.legal:
            return f"policy {name!r} chooses {code}, legal are {listed(position.legal)}"
    return None


@law("playout", "The game's own playout comes to the end of the game or to its limit.", needs="playout", compiled=True)
def playout(position: Position) -> str | None:
    if not position.thorough:
        return None
    limit, plain = position.case.limit, position.case.plain
    state, plies = plain.playout(position.array, position.stream(), limit)
    left, left_plies = position.case.compiled.playout(position.array, position.stream(), limit)
    if not same(left, state) or left_plies != plies:
        return "playout ends differently compiled and interpreted"
    if plies < 0 or plies > limit:
        return f"playout says that it played {plies} actions, the limit is {limit}"
    if plies < limit and plain.survey(state)[0] != TERMINAL:
        return f"playout stops after {plies} actions though the game is not over and the limit is {limit}"
    return None
