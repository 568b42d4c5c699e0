"""The page of results, in Markdown: every experiment with what came out beside what was published, and a mark."""

from __future__ import annotations

import pathlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from spielbaum.compile.digest import rules_version
from spielbaum.errors import SpielbaumError, unknown
from spielbaum.experiments import SECONDS, Cell, Experiment, Settings
from spielbaum.experiments import field as fields
from spielbaum.experiments.files import names
from spielbaum.experiments.marks import (
    AGREES,
    DIFFERS,
    MARKS,
    STRONGER,
    compare,
    published_mean,
    published_share,
    sign,
    within,
)
from spielbaum.experiments.mistakes import Trial
from spielbaum.experiments.study import Study
from spielbaum.experiments.summaries import Loaded, Outcome, Summary, load_any, path_of, read, require_fit
from spielbaum.experiments.tuning import Benchmark, Evolution, claim_mark
from spielbaum.params import Value

NOTHING = "–"
UNEXPLAINED = "Unexplained"
BUDGET = re.compile(r"\b(iterations|simulations|depth|seconds)=([\d.]+)")


@dataclass(frozen=True)
class Part:
    """The outcomes of an experiment that were played with the same settings, and the experiment with them."""

    loaded: Loaded
    settings: Settings
    outcomes: Sequence[Outcome]


@dataclass(frozen=True)
class Section:
    """What the page tells of one experiment."""

    name: str
    title: str
    text: str
    marks: Mapping[str, Counter[str]]
    """By the kind of figure."""
    outcomes: Sequence[Outcome]


class Marked:
    """Marks as they are given, and the reasons for those that need one."""

    def __init__(self, experiment: Experiment | None) -> None:
        self.experiment = experiment
        self.counts: dict[str, Counter[str]] = {}
        self.reasons: dict[str, list[str]] = {}

    def __call__(self, mark: str, *labels: str, figure: str = "") -> str:
        """The mark, counted for its kind of figure; a reason for a difference comes below the tables."""
        if mark:
            self.counts.setdefault(figure, Counter())[mark] += 1
        why = self.experiment.reason(*labels) if self.experiment and mark in (DIFFERS, STRONGER) else ""
        if why or mark == DIFFERS:
            self.reasons.setdefault(why, []).append(next(filter(None, labels), ""))
        return f"**{DIFFERS}**" if mark == DIFFERS else mark

    def told(self) -> list[str]:
        """The reasons, each with what it is about."""
        lines = []
        for why, labels in self.reasons.items():
            where = ", ".join(f"`{label}`" for label in dict.fromkeys(labels) if label)
            lines.append(f"Why ({where}): {why}" if why else f"{UNEXPLAINED}: {where}.")
        return lines


# --- the page -------------------------------------------------------------------------------------


def page(folder: pathlib.Path) -> str:
    """All experiments that have a summary, and those that have none. SpielbaumError for a summary that does not fit."""
    known = {path_of(folder, name): name for name in names()}
    for path in sorted(folder.glob("*/*")):
        if path not in known:
            raise SpielbaumError(f"{path} is the summary of no experiment; remove it")
    sections = [section(read_fitting(path, name), name) for path, name in known.items() if path.exists()]
    missing = [name for path, name in known.items() if not path.exists()]
    rows = [
        (
            f"[`{each.name}`](#{anchor(each.name)})",
            each.title,
            spread(f"{outcome.games:,}" for outcome in each.outcomes),
            spread(outcome.date for outcome in each.outcomes),
            marks_text(each.marks) or "ours alone",
        )
        for each in sections
    ]
    parts = [table(("experiment", "what", "games", "date", "marks"), rows)] if rows else []
    if missing:
        parts.append("Without a result so far: " + ", ".join(f"`{name}`" for name in missing) + ".")
    return "\n\n".join([*parts, *(each.text for each in sections)])


def quotes(folder: pathlib.Path, wanted: Sequence[tuple[str, str, str]], address: str) -> str:
    """Single cells of matches and series, by experiment, name and what they are, with links to the page."""
    rows = []
    for name, cell_name, words in wanted:
        part = parts_of(read_fitting(path_of(folder, name), name))[0]
        outcome = next((each for each in part.outcomes if each.name == cell_name), None)
        if outcome is None or not isinstance(part.loaded, Experiment):
            raise unknown("cell", cell_name, [each.name for each in part.outcomes], name)
        cell = next(each for each in part.loaded.cells if (each.group, each.name) == (outcome.group, outcome.name))
        rows.append((f"[{words}]({address}#{anchor(name)})", *quoted(part.loaded, cell, outcome)))
    return table(("", "games", "ours", "theirs", "mark"), rows)


def quoted(experiment: Experiment, cell: Cell, outcome: Outcome) -> tuple[str, ...]:
    """Games, our figure, theirs and the mark of a cell of matches or of a series."""
    games = f"{outcome.games:,}"
    if experiment.shape == "series":
        welch = outcome.result["welch"]
        mark = sign(welch["t"], welch["p"], cell.published)
        return games, f"t = {number(welch['t'])}", f"t = {cell.published or NOTHING}", mark or NOTHING
    mark = score_mark(experiment, cell, outcome)
    return games, f"{share_text(outcome.result)} %", cell.published or NOTHING, mark or NOTHING


def read_fitting(path: pathlib.Path, name: str) -> Summary:
    """The summary of an experiment, which fits it."""
    summary = read(path)
    if summary.experiment != name:
        raise SpielbaumError(f"{path} is a summary of {summary.experiment}, not of {name}")
    require_fit(summary, str(path))
    return summary


def section(summary: Summary, name: str) -> Section:
    """What is told of one experiment: how it was played, and tables."""
    parts = parts_of(summary)
    first = parts[0].loaded
    marked = Marked(first if isinstance(first, Experiment) else None)
    lines = [f"## {name}", f"{first.title}. {first.source}".strip()]
    for part in parts:
        lines += [f"```console\n$ {command(name, part)}\n```", how(part), *tables(part, marked)]
    lines += marked.told()
    return Section(name, first.title, "\n\n".join(lines), marked.counts, summary.outcomes)


def parts_of(summary: Summary) -> list[Part]:
    """The outcomes by their settings, those with the file's own first."""
    found: dict[str, list[Outcome]] = {}
    for outcome in summary.outcomes:
        found.setdefault(outcome.key[2], []).append(outcome)
    return [
        Part(load_any(summary.experiment, some[0].settings), some[0].settings, some)
        for _, some in sorted(found.items())
    ]


def tables(part: Part, marked: Marked) -> list[str]:
    """The tables of what was played with the same settings."""
    loaded, outcomes = part.loaded, part.outcomes
    if isinstance(loaded, Experiment):
        shapes: dict[str, Callable[[Experiment, Sequence[Outcome], Marked], list[str]]] = {
            "cells": cell_tables,
            "table": grid_tables,
            "field": field_tables,
            "league": league_tables,
            "series": series_tables,
        }
        return shapes[loaded.shape](loaded, outcomes, marked)
    if isinstance(loaded, Study):
        return study_tables(outcomes)
    if isinstance(loaded, Trial):
        return [mistakes_table(loaded, outcomes)]
    return [evolution_table(loaded, outcomes, marked)] if isinstance(loaded, Evolution) else benchmark_tables(outcomes)


# --- how it was played ----------------------------------------------------------------------------


def command(name: str, part: Part) -> str:
    """What plays it again."""
    usual = load_any(name)
    words = ["spielbaum reproduce", name, *fewer(part)]
    if isinstance(usual, Experiment):
        groups = list(dict.fromkeys(cell.group for cell in usual.cells))
        played = {outcome.group for outcome in part.outcomes}
        if played != set(groups):
            words += [f'--group "{group}"' for group in groups if group in played]
        words += some_rows(usual, part)
    if part.settings.full:
        words.append("--full")
    before = settings_of(
        load_any(name, Settings(part.settings.full, seed_of(usual), {})) if part.settings.full else usual
    )
    words += [
        f"--set {key}={value}" for key, value in part.settings.parameters.items() if before.get(key, value) != value
    ]
    if part.settings.seed != seed_of(usual):
        words.append(f"--seed {part.settings.seed}")
    return " ".join(words)


def some_rows(usual: Experiment, part: Part) -> list[str]:
    """How to play those rows of a table, or of a list, that were played."""
    if usual.shape == "field":
        return []
    played = {(outcome.group, outcome.name) for outcome in part.outcomes}
    groups = {group for group, _ in played}
    rows = {cell.row or cell.name: (cell.group, cell.name) in played for cell in usual.cells if cell.group in groups}
    return [] if all(rows.values()) else [f'--row "{row}"' for row, there in rows.items() if there]


def fewer(part: Part) -> list[str]:
    """How to play as many games as were played, where the file says another number."""
    loaded, games = part.loaded, {outcome.games for outcome in part.outcomes}
    if isinstance(loaded, Benchmark):
        return ["--quick"] if games != {loaded.seeds} else []
    if isinstance(loaded, Evolution) or (isinstance(loaded, Experiment) and loaded.shape == "league"):
        return []
    if isinstance(loaded, Experiment):
        planned = {cell.plan.games for cell in loaded.cells}
    elif isinstance(loaded, Study):
        planned = {loaded.searches}
    else:
        planned = set(Counter(known.name for known in loaded.known).values())
    return [f"--games {games.pop()}"] if len(games) == 1 and games != planned else []


def settings_of(loaded: Loaded) -> Mapping[str, Value]:
    if isinstance(loaded, Experiment | Evolution):
        return loaded.settings.parameters
    return loaded.parameters if isinstance(loaded, Trial) else {}


def seed_of(loaded: Loaded) -> int:
    return loaded.settings.seed if isinstance(loaded, Experiment | Evolution) else loaded.seed


def how(part: Part) -> str:
    """Seed, games, budget, openings and date in a line."""
    told = [
        f"Seed {part.settings.seed}",
        f"{spread(f'{each.games:,}' for each in part.outcomes)} {counted(part.loaded)}",
    ]
    told += budget(part)
    if isinstance(part.loaded, Experiment):
        moves = sorted({cell.plan.opening for cell in part.loaded.cells})
        told.append("the start of the rules" if moves == [0] else f"{' or '.join(map(str, moves))} random moves first")
        old = earlier(part.loaded, part.outcomes)
        told += [f"an earlier version of the rules ({old})"] if old else []
    return "; ".join([*told, spread(each.date for each in part.outcomes)]) + "."


def counted(loaded: Loaded) -> str:
    """What the games of an experiment of this kind are."""
    if isinstance(loaded, Experiment):
        return "games a cell"
    if isinstance(loaded, Study):
        return "searches"
    if isinstance(loaded, Trial):
        return "positions"
    return "games" if isinstance(loaded, Evolution) else "seeds"


def budget(part: Part) -> list[str]:
    """What the agents were given for a move: numbers of iterations and the like."""
    if isinstance(part.loaded, Evolution):
        return [", ".join(f"{name} {value}" for name, value in part.settings.parameters.items())]
    found: dict[str, set[str]] = {}
    for outcome in part.outcomes:
        for agent in outcome.agents:
            for name, value in BUDGET.findall(agent):
                found.setdefault(name, set()).add(value)
    return [f"{name} {', '.join(sorted(values, key=float))}" for name, values in sorted(found.items())]


def earlier(experiment: Experiment, outcomes: Sequence[Outcome]) -> str:
    """The versions of the rules, where they have changed since."""
    now = {rules_version(cell.plan.load().module) for cell in experiment.cells}
    return spread(outcome.rules for outcome in outcomes if outcome.rules not in now)


# --- tables ---------------------------------------------------------------------------------------


def cell_tables(experiment: Experiment, outcomes: Sequence[Outcome], marked: Marked) -> list[str]:
    """A table for each group, a line for each cell."""
    cells = {(cell.group, cell.name): cell for cell in experiment.cells}
    found = []
    for group, some in by_group(outcomes):
        placed = any(outcome.result["place"] for outcome in some)
        rows = []
        for outcome in some:
            cell = cells[group, outcome.name]
            row = [outcome.name, f"{outcome.games:,}", share_text(outcome.result), cell.published or NOTHING]
            row += [place_text(outcome.result["place"]), cell.place or NOTHING] if placed else []
            mark = marked(score_mark(experiment, cell, outcome), *cell.labels, figure="wins")
            of_place = marked(place_mark(cell, outcome), *cell.labels, figure="places")
            rows.append([*row, ", ".join(filter(None, (mark, of_place and f"place {of_place}"))) or NOTHING])
        head = [group or "cell", "games", f"score of {experiment.seat} in %", "theirs"]
        found.append(table([*head, *(["place", "theirs"] if placed else []), "mark"], rows))
    return found


def grid_tables(experiment: Experiment, outcomes: Sequence[Outcome], marked: Marked) -> list[str]:
    """Rows and columns for each group: wins, and rounds where the game counts them."""
    cells = {(cell.group, cell.name): cell for cell in experiment.cells}
    found = []
    for group, some in by_group(outcomes):
        pairs = [(cells[group, outcome.name], outcome) for outcome in some]
        texts = {
            (cell.row, cell.column): beside(
                share_text(outcome.result),
                cell.published,
                marked(score_mark(experiment, cell, outcome), *cell.labels, figure="wins"),
            )
            for cell, outcome in pairs
        }
        found += [f"{group}: wins of {experiment.seat} in %", grid(texts)]
        for kind in ("all", "won", "lost"):
            told = {
                (cell.row, cell.column): beside(
                    mean_text(outcome.result["rounds"].get(kind)),
                    cell.rounds.get(kind, ""),
                    marked(rounds_mark(cell, outcome, kind), *cell.labels, figure="rounds"),
                )
                for cell, outcome in pairs
                if cell.rounds.get(kind)
            }
            if told:
                found += [f"{group}: rounds of {'all games' if kind == 'all' else f'games {kind}'}", grid(told)]
        for kind in SECONDS:
            times = {
                (cell.row, cell.column): beside(seconds_text(outcome.result["seconds"].get(kind)), cell.seconds[kind])
                for cell, outcome in pairs
                if cell.seconds.get(kind) and kind in outcome.result.get("seconds", {})
            }
            if times:
                what = "a move" if kind == "move" else f"{pairs[0][0].timed_games:,} games"
                found += [f"{group}: seconds of {what}, on other machines", grid(times)]
    return found


def field_tables(experiment: Experiment, outcomes: Sequence[Outcome], marked: Marked) -> list[str]:
    """Everybody against everybody, and means."""
    assert experiment.field is not None
    rows = [{**outcome.result, "group": outcome.group} for outcome in outcomes]
    found = []
    for title, cells in (
        ("Score of row against column in %", fields.pairs(rows, experiment.field)),
        ("Mean score against all others in %", fields.means(rows, experiment.field)),
    ):
        texts = {
            (cell["row"], cell["column"]): beside(
                share_text(cell), cell["published"], marked(field_mark(experiment, cell), cell["row"], cell["column"])
            )
            for cell in cells
        }
        if texts:
            found += [title, grid(texts, fields.columns_of(cells))]
    return found


def league_tables(_: Experiment, outcomes: Sequence[Outcome], __: Marked) -> list[str]:
    """The ratings of each tournament."""
    found = []
    for outcome in outcomes:
        rows = [
            (each["agent"], " ± ".join(f"{each[name]:.1f}" for name in each if name not in ("agent", "p_next")))
            for each in outcome.result["ratings"]
        ]
        kind = next(name for name in outcome.result["ratings"][0] if name != "agent")
        found.append(table((f"{outcome.name}, {outcome.games:,} games", f"{kind} ± standard error"), rows))
    return found


def series_tables(experiment: Experiment, outcomes: Sequence[Outcome], marked: Marked) -> list[str]:
    """A line for each series."""
    cells = {cell.name: cell for cell in experiment.cells}
    rows = []
    for outcome in outcomes:
        told, cell = outcome.result, cells[outcome.name]
        welch, paired = told["welch"], told["paired"]
        mark = sign(welch["t"], welch["p"], cell.published)
        rows.append(
            (
                outcome.name,
                f"{outcome.games:,}",
                *(f"{mean:,.0f}" for mean in told["means"]),
                *(number(x) for x in (told["ratio"], welch["t"])),
                "< 0.001" if welch["p"] is not None and welch["p"] < 0.001 else number(welch["p"]),
                number(paired["t"]),
                number((told.get("by_seat") or {}).get("t")),
                cell.published or NOTHING,
                marked(mark, *cell.labels),
            )
        )
    head = (
        "series",
        "games",
        "base",
        "variant",
        "ratio",
        "t (Welch)",
        "p",
        "t (paired)",
        "t by seats",
        "their t",
        "mark",
    )
    return [table(head, rows)]


def study_tables(outcomes: Sequence[Outcome]) -> list[str]:
    """A grid of agents and iterations for each position."""
    found = []
    for position, some in by_group(outcomes):
        texts = {
            (told["agent"], f"{told['iterations']:,}"): f"{told['exploitability']:.4f} ± {half:.4f}"
            for outcome in some
            for told in [outcome.result]
            for half in [told["high"] - told["exploitability"]]
        }
        found += [f"{position}: exploitability after so many iterations", grid(texts)]
    return found


def mistakes_table(trial: Trial, outcomes: Sequence[Outcome]) -> str:
    """Shares of mistakes, ours and, below them, those of others."""
    sets = list(dict.fromkeys(outcome.group for outcome in outcomes))
    ours = {
        (outcome.name, outcome.group): share_text(
            {
                "score": outcome.result["mistakes"] / outcome.games,
                "interval": [outcome.result["low"], outcome.result["high"]],
            }
        )
        for outcome in outcomes
    }
    rows = [
        (f"`{trial.agents[agent]}`", *(ours.get((agent, part), NOTHING) for part in sets))
        for agent in trial.agents
        if any(name == agent for name, _ in ours)
    ]
    rows += [
        (f"{who} (theirs)", *(str(told.get(part, NOTHING)) for part in sets)) for who, told in trial.published.items()
    ]
    return table(("mistakes in %", *sets), rows)


def benchmark_tables(outcomes: Sequence[Outcome]) -> list[str]:
    """A grid of methods and games for each surface."""
    found = []
    for surface, some in by_group(outcomes):
        texts = {
            (told["method"], f"{told['games']:,} games"): f"{told['median']:.1f} ({low:.1f} … {high:.1f})"
            for outcome in some
            for told in [outcome.result]
            for low, high in [told["quartiles"]]
        }
        found += [f"{surface}: median regret in Elo (quartiles)", grid(texts)]
    return found


def evolution_table(evolution: Evolution, outcomes: Sequence[Outcome], marked: Marked) -> str:
    """Claims, ours beside theirs, and the best individual."""
    told = outcomes[0].result
    order = {claim: place for place, claim in enumerate(evolution.published)}
    rows = [
        (
            claim,
            ours,
            evolution.published.get(claim, NOTHING),
            marked(claim_mark(evolution, told["generations"], claim), claim) or NOTHING,
        )
        for claim, ours in sorted(told["claims"].items(), key=lambda each: order.get(each[0], len(order)))
    ]
    count = len(told["generations"])
    return "\n\n".join(
        [table(("claim", f"ours, {count} generations", "theirs", "mark"), rows), f"Best: `{told['best']}`"]
    )


# --- marks ----------------------------------------------------------------------------------------


def score_mark(experiment: Experiment, cell: Cell, outcome: Outcome) -> str:
    """How the score of a cell compares with the published one."""
    ours = (outcome.result["score"], *outcome.result["interval"])
    if cell.published_range is not None:
        return within(ours, *cell.published_range)
    theirs = published_share(cell.published, cell.published_games, experiment.seat)
    return "" if theirs is None else compare(ours, theirs, experiment.stronger)


def place_mark(cell: Cell, outcome: Outcome) -> str:
    return mean_mark(outcome.result["place"], cell.place, cell, outcome, "lower")


def rounds_mark(cell: Cell, outcome: Outcome, kind: str) -> str:
    return mean_mark(outcome.result["rounds"].get(kind), cell.rounds.get(kind, ""), cell, outcome)


def mean_mark(ours: Sequence[Any] | None, text: str, cell: Cell, outcome: Outcome, stronger: str = "") -> str:
    """How a mean of a cell, given with its interval, compares with the published one."""
    if not ours or ours[1] is None:
        return ""
    theirs = published_mean(text, ours, outcome.games, cell.published_games)
    return "" if theirs is None else compare(ours, theirs, stronger)


def field_mark(experiment: Experiment, cell: Mapping[str, Any]) -> str:
    theirs = published_share(cell["published"], None)
    return "" if theirs is None else compare((cell["score"], *cell["interval"]), theirs, experiment.stronger)


def marks_text(counts: Mapping[str, Counter[str]]) -> str:
    """How many figures of each kind have which mark.

    >>> marks_text({"wins": Counter(differs=1, agrees=4), "rounds": Counter(agrees=1)})
    'wins: 4 agree, 1 differs; rounds: 1 agrees'
    """
    told = {kind: counted_marks(found) for kind, found in counts.items()}
    return "; ".join(f"{kind}: {text}" if kind and len(told) > 1 else text for kind, text in told.items())


def counted_marks(counts: Counter[str]) -> str:
    words = {AGREES: "agree", DIFFERS: "differ"}
    return ", ".join(
        f"{counts[mark]} {mark if counts[mark] == 1 else words.get(mark, mark)}" for mark in MARKS if counts[mark]
    )


# --- texts ----------------------------------------------------------------------------------------


def by_group(outcomes: Sequence[Outcome]) -> list[tuple[str, list[Outcome]]]:
    groups = dict.fromkeys(outcome.group for outcome in outcomes)
    return [(group, [outcome for outcome in outcomes if outcome.group == group]) for group in groups]


def grid(texts: Mapping[tuple[str, str], str], columns: Sequence[str] = ()) -> str:
    """Cells in rows and columns."""
    columns = columns or list(dict.fromkeys(column for _, column in texts))
    rows = dict.fromkeys(row for row, _ in texts)
    return table(("", *columns), [(row, *(texts.get((row, column), NOTHING) for column in columns)) for row in rows])


def beside(ours: str, theirs: str, mark: str = "") -> str:
    """Our figure, theirs and the mark, below each other."""
    told = f"{ours}<br>theirs {theirs}" if theirs else ours
    return f"{told}: {mark}" if theirs and mark else told


def seconds_text(seconds: float | None) -> str:
    return NOTHING if seconds is None else f"{seconds:.3g}"


def share_text(told: Mapping[str, Any]) -> str:
    low, high = told["interval"]
    return f"{100 * told['score']:.2f} ({100 * low:.2f} … {100 * high:.2f})"


def mean_text(told: Sequence[float] | None) -> str:
    return "{:.2f} ({:.2f} … {:.2f})".format(*told) if told else NOTHING


def place_text(told: Sequence[float | None]) -> str:
    if not told:
        return NOTHING
    mean, low, high = told
    return f"{mean:.2f}" if low is None else f"{mean:.2f} ({low:.2f} … {high:.2f})"


def number(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.3f}" if abs(value) < 0.1 else f"{value:.2f}"


def spread(values: Iterable[str]) -> str:
    """Different values, the first and the last of many.

    >>> spread(["40", "40"]), spread(["40", "100", "60"])
    ('40', '40 … 100')
    """
    found = sorted(set(values), key=lambda text: (len(text), text))
    return f"{found[0]} … {found[-1]}" if len(found) > 1 else "".join(found)


def anchor(name: str) -> str:
    """How Markdown's table of contents calls a heading.

    >>> anchor("quick-civ/7.12")
    'quick-civ712'
    """
    return re.sub(r"[^\w\- ]", "", name.lower()).replace(" ", "-")


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)
