"""The optional hooks: what they answer can be used."""

from __future__ import annotations

import math

import numpy as np

from spielbaum.rules import TERMINAL
from spielbaum.testing.case import Position
from spielbaum.testing.laws.law import law, seat
from spielbaum.testing.words import listed, same

COVERED = 8  # where there are at most so many legal actions, `sample` must draw each of them ...
DRAWS = 40  # ... within so many draws per action; a fair one misses with probability e^-40
ALARM = 1e-9  # how rarely a fair `sample` is called unfair, at a position
FAR = 2.0  # an evaluation beyond it is on another scale than the results, and searches weigh it against them


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


@law("sample", "Only legal actions are drawn, and each of them as often as any other.", needs="sample")
def sample(position: Position) -> str | None:
    if position.over:
        return None
    if int(position.answers["sample"][0]) not in position.legal:
        return f"sample draws {int(position.answers['sample'][0])}, legal are {listed(position.legal)}"
    few = len(position.legal) <= COVERED
    if len(position.legal) == 1 or not (position.thorough and (few or position.parent is None)):
        return None
    asked = {"player": position.player, "rng": position.stream()}
    drawn = [
        int(position.case.ask("sample", position.array, **asked))
        for _ in range(DRAWS * min(COVERED, len(position.legal)))
    ]
    missing = sorted(set(position.legal) - set(drawn))
    if few and missing:
        return f"sample never draws {position.move(missing[0])}"
    return unfair(position, drawn)


def unfair(position: Position, drawn: list[int]) -> str | None:
    """Why draws are not as likely for all legal actions; many of these are taken together, in the order they come.

    Pearson's test: how far counts are from what is expected of them has the chi-squared distribution.
    """
    from scipy.special import chdtrc

    groups = [group for group in np.array_split(np.array(position.legal), COVERED) if len(group)]
    counts = np.array([np.isin(drawn, group).sum() for group in groups])
    expected = len(drawn) * np.array([len(group) for group in groups]) / len(position.legal)
    if chdtrc(len(groups) - 1, float(((counts - expected) ** 2 / expected).sum())) >= ALARM:
        return None
    worst = int(np.argmax(np.abs(counts - expected) / np.sqrt(expected)))
    named = " or ".join(position.move(int(action)) for action in groups[worst][:3])
    more = " or …" if len(groups[worst]) > 3 else ""
    return (
        f"sample draws {named}{more} {counts[worst]} times of {len(drawn)}, where {expected[worst]:.0f} are its share:"
        " all legal actions must be as likely; what random play should prefer belongs in policy"
    )


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
