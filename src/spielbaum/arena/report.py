"""A report of runs: one HTML file that needs nothing else. Tables hold the figures; pictures are those of `plots`."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from markupsafe import Markup

from spielbaum.arena import plots, stats
from spielbaum.arena.html import (
    DASH,
    SCREEN,
    Bar,
    Cell,
    Table,
    duration,
    name_cell,
    p_value,
    percent,
    picture,
    render,
    signed,
)
from spielbaum.arena.results import POINTS, Results, by_group, compare, in_teams, ranking, rate_teams
from spielbaum.arena.stats import Tally
from spielbaum.arena.summary import forfeits_data

MOST_FORFEITS = 100


class Verdict(NamedTuple):
    """Two agents compared, in a sentence or two."""

    first: str
    second: str
    lines: list[str]


def report(runs: Sequence[Results]) -> str:
    """The HTML of a report."""
    title = runs[0].title if len(runs) == 1 else f"{len(runs)} runs"
    links = [(f"run-{number}", run.title) for number, run in enumerate(runs, 1)]
    return render("runs.html", title=title, links=links, runs=[section(run, i) for i, run in enumerate(runs, 1)])


def section(run: Results, number: int) -> dict[str, Any]:
    """What the template shows of one run."""
    return {
        "title": run.title,
        "games": run.games,
        "facts": [("games", f"{run.games}"), *run.facts],
        "verdict": verdict(by_group(run)) if run.games else None,
        "tables": tables(run) if run.games else [],
        "figures": list(pictures(run, number)) if run.games else [],
    }


# --- tables ---------------------------------------------------------------------------------------


def tables(run: Results) -> list[Table]:
    """What a run came to, in figures."""
    compared = by_group(run)
    chosen = [
        agent_table(compared),
        *([group_table(run), test_table(compared)] if run.grouped else []),
        seat_table(run),
    ]
    if len(run.agents) > 2:
        chosen += [rating_table(compared), cross_table(compared)]
    if (counts := run.place_counts()) is not None:
        chosen.append(place_table(run, counts))
    return [*chosen, length_table(run), *([forfeit_table(run)] if run.forfeits else [])]


def forfeit_table(run: Results) -> Table:
    """Who has forfeited which game, and why."""
    rows = [
        [Cell(str(each["game"]), "name"), *(Cell(each[name], "text") for name in ("agent", "seat", "reason"))]
        for each in forfeits_data(run)[:MOST_FORFEITS]
    ]
    note = f"{len(run.forfeits)} games in all."
    return Table("Forfeits", ["game", "agent", "seat", "reason"], rows, note)


def agent_table(run: Results) -> Table:
    head, order = ["agent", *TALLY_HEAD], plots.ranked(run)
    rows = [[name_cell(run.agents[agent]), *tally_cells(run.agent_tally(agent), run.even(agent))] for agent in order]
    if run.late is not None and run.control is not None:
        head.append("lost on time" if run.control.lose else "late moves")
        late = run.late
        rows = [[*row, Cell(str(late[run.seats == agent].sum()))] for row, agent in zip(rows, order, strict=True)]
    if run.seconds_per_move:
        head.append("time per move")
        rows = [[*row, Cell(duration(run.seconds_per_move[agent]))] for row, agent in zip(rows, order, strict=True)]
    return Table("Agents", head, rows, "Bars show the 95 % interval of the score (Wilson), the line an even one.")


def place_table(run: Results, counts: np.ndarray) -> Table:
    """The mean place of each agent, and how often it came in where, the first ones first."""
    places = [run.agent_places(agent) for agent in range(len(run.agents))]
    means = [math.inf if place is None or not len(place) else float(place.mean()) for place in places]
    rows = [
        [
            name_cell(run.agents[agent]),
            Cell(DASH if (mine := places[agent]) is None or not len(mine) else mean_text(mine)),
            *(Cell(str(count)) for count in counts[agent]),
        ]
        for agent in sorted(range(len(run.agents)), key=means.__getitem__)
    ]
    note = (
        "A place is one more than there are players with a better result; shared places are equal."
        " A win is to be first alone, a draw to share the first place. Means with 95 % intervals (Student)."
    )
    return Table("Places", ["agent", "mean place", *(str(place + 1) for place in range(counts.shape[1]))], rows, note)


def group_table(run: Results) -> Table:
    """What each group had in a game, on average over its seats."""
    finals = {name: final for name in run.metric_names if (final := run.final(name)) is not None}
    columns = {"score per seat": run.by_agent(run.points), "return": run.by_agent(run.returns), **finals}
    rows = [
        [
            name_cell(run.agents[agent]),
            Cell(str(int(np.sum(run.seats[0] == agent)))),
            *(Cell(mean_text(values[agent])) for values in columns.values()),
        ]
        for agent in plots.ranked(by_group(run))
    ]
    note = "Means over the seats of a group and over games, with 95 % intervals (Student)."
    return Table("Groups", ["group", "seats", *columns], rows, note)


def mean_text(values: np.ndarray) -> str:
    mean, _, high = stats.mean_interval(values)
    return f"{mean:.2f}" if math.isnan(high) else f"{mean:.2f} ± {high - mean:.2f}"


def test_table(run: Results) -> Table:
    """Every two groups compared."""
    name, values = run.compared
    rows = []
    for one, other in itertools.combinations(range(len(run.agents)), 2):
        test, unshared = compare(run, one, other, values), stats.welch(values[one], values[other])
        told = not math.isnan(test.p)
        rows.append(
            [
                name_cell(f"{run.agents[one]} – {run.agents[other]}"),
                Cell(f"{test.mean_a - test.mean_b:.2f}"),
                Cell(f"{test.low:.2f} … {test.high:.2f}" if told else DASH),
                Cell(f"{test.t:.2f}" if told else DASH),
                Cell(p_value(test.p) if told else DASH),
                Cell(DASH if math.isnan(unshared.p) else p_value(unshared.p)),
            ]
        )
    note = (
        "Paired t-test of what the groups had in the same games, over whole rotations of the seats."
        " Welch's t-test takes it for results of different games."
    )
    head = ["groups", "difference", "95 % interval", "t", "p", "p (Welch)"]
    return Table(f"Groups compared by {name}", head, rows, note)


def seat_table(run: Results) -> Table:
    rows = [
        [name_cell(name), *tally_cells(run.seat_tally(seat), 1 / run.sides)] for seat, name in enumerate(run.seat_names)
    ]
    return Table("Seats", ["seat", *TALLY_HEAD], rows)


TALLY_HEAD = ("games", "wins", "draws", "losses", "score", "95 % interval", "")


def tally_cells(tally: Tally, even: float) -> list[Cell]:
    if not tally.games:
        return [Cell("0"), *[Cell(DASH)] * 5, Cell("")]
    low, high = tally.interval
    counts = [Cell(str(count)) for count in (tally.games, tally.wins, tally.draws, tally.losses)]
    return [
        *counts,
        Cell(percent(tally.score)),
        Cell(f"{percent(low)} … {percent(high)}"),
        Cell(Bar(100 * tally.score, 100 * low, 100 * high, 100 * even), "bar"),
    ]


def rating_table(run: Results) -> Table:
    """The ranking, and whether neighbours can be told apart."""
    rows = [
        [
            name_cell(rating.name),
            Cell(signed(rating.value) if run.sides == 2 else f"{rating.value:.1f}"),
            Cell(f"± {stats.Z95 * rating.error:.0f}" if run.sides == 2 else f"± {rating.error:.1f}"),
            Cell(DASH if rating.p_next is None else p_value(rating.p_next)),
        ]
        for rating in run.ratings
    ]
    if run.sides == 2:
        head = ["agent", "Elo", "95 % interval", "p against the next"]
        note = "Elo by maximum likelihood, relative to the mean of the field."
        if in_teams(run):
            note += f" All equally strong: p {p_value(rate_teams(run)[1], relation=True)}."
    else:
        head = ["agent", "μ", "σ", "p against the next"]
        note = "Plackett-Luce ratings; everybody starts at 25 ± 8.3."
    return Table("Ratings", head, rows, note)


def cross_table(run: Results) -> Table:
    """Everybody against everybody, as a heat map."""
    points, games, _ = run.against()
    order = ranking(run)
    rows = [
        [
            name_cell(f"{place}\N{NO-BREAK SPACE}{run.agents[one]}"),
            *(cross_cell(points[one, other], games[one, other]) for other in order),
        ]
        for place, one in enumerate(order, 1)
    ]
    note = "Score of row against column in %: who finished ahead of whom. Hold the pointer over a cell for the games."
    return Table("Cross table", ["agent", *(str(place) for place in range(1, len(order) + 1))], rows, note)


def cross_cell(points: float, games: float) -> Cell:
    if not games:
        return Cell(DASH, "heat")
    share = points / games
    colour = "--above" if share > 0.5 else "--below"
    style = f"background: color-mix(in srgb, var({colour}) {abs(share - 0.5) * 180:.0f}%, transparent)"
    return Cell(f"{100 * share:.0f}", "heat", style, f"{points:g} of {games:g}")


def length_table(run: Results) -> Table:
    low, q1, median, q3, high = np.percentile(run.lengths, [0, 25, 50, 75, 100])
    spread = float(run.lengths.std(ddof=1)) if run.games > 1 else 0.0
    values = [f"{run.lengths.mean():.1f}", f"{spread:.1f}", *(f"{value:g}" for value in (low, q1, median, q3, high))]
    head = ["", "mean", "sd", "shortest", "quarter", "median", "three quarters", "longest"]
    return Table("Length in actions", head, [[name_cell("games"), *map(Cell, values)]])


def verdict(run: Results) -> Verdict | None:
    """How two agents compare; None where others play, too, or not on equal terms."""
    if len(run.agents) != 2 or run.sides != 2 or run.even(0) != run.even(1):
        return None
    tally, pairs = run.agent_tally(0), run.pairs
    difference, low, high = stats.elo_interval(tally) if pairs is None else pairs.elo_interval
    superior = stats.likelihood_of_superiority(tally) if pairs is None else pairs.likelihood_of_superiority
    superior = min(max(superior, 1e-9), 1 - 1e-9)  # never quite certain
    lines = [
        f"{percent(tally.score)} of the points,"
        f" Elo difference {signed(difference)} (95 % interval {signed(low)} … {signed(high)}),"
        f" likelihood of superiority {percent(superior)}"
        f"{'' if pairs is None else ', from pairs of games with one opening'}."
    ]
    points = run.final(POINTS)
    if points is not None and min(map(len, points)) > 1:
        test, unshared = compare(run, 0, 1, points), stats.welch(points[0], points[1])
        tests = [("paired t-test", test), ("Welch’s t-test, as if of different games", unshared)]
        told = [
            f"{name}: t = {each.t:.2f}, p {p_value(each.p, relation=True)}"
            for name, each in tests
            if not math.isnan(each.p)
        ]
        if told:
            means = f"{unshared.mean_a:.2f} against {unshared.mean_b:.2f}"
            lines.append(f"Points at the end: {means} ({'; '.join(told)}).")
    return Verdict(run.agents[0], run.agents[1], lines)


# --- pictures -------------------------------------------------------------------------------------


def pictures(run: Results, number: int) -> Iterator[Markup]:
    """The pictures of a run but the cross table, which is a table here."""
    for name, figure in plots.figures(run, SCREEN).items():
        if name != "cross-table":
            yield picture(figure, f"r{number}-{name}-")
