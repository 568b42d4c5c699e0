"""A series: a variant takes half of the seats and what it varies the other half, compared by their points.

In each game both have the mean of their seats. Welch's t-test takes these for results of different games; the paired
test takes them for what they are, results of the same games, over whole rotations of the seats. The Quick Civ thesis
takes every seat for a result of its own (its degrees of freedom go up to 1998 with 500 games): that is told besides.
A positive t speaks for the variant.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from spielbaum.arena import stats
from spielbaum.arena.results import POINTS, by_group, compare
from spielbaum.arena.summary import finite, tally_data, test_data
from spielbaum.experiments.marks import USUAL

if TYPE_CHECKING:
    from spielbaum.arena.results import Results
    from spielbaum.arena.run import Run
    from spielbaum.experiments import Cell

BASE, VARIANT = range(2)
ROLES = ("base", "variant")


def compared(cell: Cell, run: Run, why: str) -> dict[str, Any]:
    """The variant beside its base, and what was published of it."""
    results = by_group(run.results)
    of, values = results.compared
    welch = stats.welch(values[VARIANT], values[BASE])
    means = [float(value.mean()) for value in values]
    return {
        "group": cell.group,
        "name": cell.name,
        "run": run.number,
        "games": results.games,
        "agents": list(run.plan.agents),
        "of": of,
        "means": means,
        "ratio": finite(means[VARIANT] / means[BASE]) if means[BASE] else None,
        "welch": test_data(welch),
        "paired": test_data(compare(results, VARIANT, BASE, values)),
        "by_seat": by_seat(run.results),
        "score": tally_data(results.agent_tally(VARIANT)),
        "seconds_per_move": list(run.results.seconds_per_move),
        "published": cell.published,
        "verdict": verdict(welch, cell.published, why),
    }


def by_seat(results: Results) -> dict[str, Any] | None:
    """Welch's t-test with every seat as a result of its own, as the Quick Civ thesis has it."""
    points = results.last(POINTS)
    if points is None:
        return None
    return test_data(stats.welch(*(points[results.seats == role].astype(float) for role in (VARIANT, BASE))))


def verdict(test: stats.TTest, published: str, why: str) -> str:
    """How our sign compares with the published one.

    >>> verdict(stats.welch([1.0, 2.0, 3.0], [7.0, 8.0, 9.5]), "2.5", "Their enemies played at random.")
    'the other sign than published. Their enemies played at random.'
    >>> verdict(stats.welch([1.0, 2.0, 3.0], [1.5, 2.0, 3.5]), "2.5", "Their enemies played at random.")
    'the other sign than published, which chance may explain (p = 0.71). Their enemies played at random.'
    """
    if not published or finite(test.t) is None:
        return ""
    doubt = f", which chance may explain (p = {test.p:.2f})" if test.p > USUAL else ""
    if test.t * float(published) >= 0:
        return f"the sign that was published{doubt}"
    return f"the other sign than published{doubt}. {why}".strip()


def named(results: Results) -> Results:
    """The groups of a series under short names."""
    return replace(by_group(results), agents=ROLES, seat_names=ROLES)
