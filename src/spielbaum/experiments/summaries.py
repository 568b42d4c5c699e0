"""Summaries of experiments: what came out of each cell, without the games, small enough for a repository.

    spielbaum reproduce quick-civ/7.12 --store games.db --summary docs/results

A summary is lines of JSON, packed: first the experiment's name, then an outcome on each line. An outcome knows how its
cell was played, and a digest of that, so that it can't be taken for the outcome of another cell: whoever changes the
agents, the options, the openings or the seed of a file has to play it again. What was published is not in a summary,
but in the file alone. The same results make the same bytes.
"""

from __future__ import annotations

import dataclasses
import gzip
import hashlib
import json
import pathlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from spielbaum.arena.plan import Plan
from spielbaum.arena.run import recall
from spielbaum.arena.store import Store, StoredRun, continues
from spielbaum.arena.summary import summarize
from spielbaum.atomic_write import write_whole
from spielbaum.errors import SpielbaumError, unknown
from spielbaum.experiments import Experiment, Settings, load_experiment
from spielbaum.experiments.files import has, is_study, names, require
from spielbaum.experiments.measured import measured
from spielbaum.experiments.mistakes import Share, Trial, load_trial
from spielbaum.experiments.series import compared
from spielbaum.experiments.study import Point, Study, load_study
from spielbaum.experiments.tuning import Benchmark, Evolution, claims, course, load_benchmark, load_evolution
from spielbaum.foreign import lines, parse_json
from spielbaum.game import changed_options, origin

SUFFIX = ".json.gz"
PLAYED = ("game", "options", "agents", "groups", "seed", "rotate", "opening", "control")  # what decides a plan's games
OF_THE_FILE = (
    "run",
    "group",
    "name",
    "verdict",
    "published",
    *(f"published_{x}" for x in ("rounds", "seconds", "place")),
)
DIGITS = 6
Loaded = Experiment | Study | Trial | Benchmark | Evolution


@dataclass(frozen=True)
class Outcome:
    """What came out of one cell of an experiment."""

    group: str
    name: str
    games: int
    """Games, searches, positions or seeds, whatever the experiment counts."""
    settings: Settings
    agents: tuple[str, ...]
    date: str
    """On which it was begun."""
    rules: str
    """The version of the game's rules."""
    digest: str
    result: Mapping[str, Any]
    """The figures, as `--json` prints them."""

    @property
    def key(self) -> tuple[str, str, str]:
        """What there is one outcome of."""
        return self.group, self.name, json.dumps(asdict(self.settings), sort_keys=True)


@dataclass(frozen=True)
class Summary:
    """The outcomes of an experiment."""

    experiment: str
    outcomes: tuple[Outcome, ...]


# --- from results ---------------------------------------------------------------------------------


def of_matches(experiment: Experiment, stores: Sequence[Store]) -> Iterator[Outcome]:
    """The outcomes of the cells that were played, from the store with most games of each."""
    for cell in experiment.cells:
        found = longest(stores, cell.plan)
        if found is None:
            continue
        store, stored = found
        run = recall(store, stored.run)
        result: dict[str, Any]
        if experiment.shape == "league":
            told = summarize(run)
            result = {name: told[name] for name in ("games", "agents", "ratings")}
        elif experiment.shape == "series":
            result = compared(cell, run, "")
        else:
            result = measured(cell, run)
        yield Outcome(
            cell.group,
            cell.name,
            run.results.games,
            experiment.settings,
            cell.plan.agents,
            stored.created[:10],
            stored.rules,
            plan_digest(cell.plan),
            figures(result),
        )


def longest(stores: Sequence[Store], plan: Plan) -> tuple[Store, StoredRun] | None:
    """The run of a plan with most games, whatever it was played for; the newest of equals."""
    known = [(store, run) for store in stores for run in store.runs() if run.games and continues(run.plan, plan)]
    return max(known, key=lambda each: (each[1].games, each[1].created), default=None)


def of_evolution(evolution: Evolution, stores: Sequence[Store]) -> Iterator[Outcome]:
    """The outcome of an evolution, as far as it has come."""
    from spielbaum.tune import read_history
    from spielbaum.tune.run import stored

    found = [read_history(store, each.number) for store in stores if (each := stored(store, evolution.job))]
    told = max((each for each in found if each.steps), key=lambda each: (each.games, each.created), default=None)
    if told is None:
        return
    rows = course(told, evolution.conditions)
    best = told.best.spec if told.best else ""
    result = {"claims": claims(evolution, rows), "best": best, "generations": rows}
    digest = digests(evolution)["", EVOLUTION]
    yield Outcome("", EVOLUTION, told.games, evolution.settings, told.agents, told.created[:10], "", digest, result)


EVOLUTION = "evolution"  # the only cell of one


def of_study(study: Study, points: Iterable[Point], date: str) -> Iterator[Outcome]:
    """The outcomes of a study of positions."""
    known, settings = digests(study), Settings(seed=study.seed)
    for point in points:
        key = study_cell(point.position, point.agent, point.iterations)
        agents = (study.agents[point.agent],)
        yield Outcome(*key, point.searches, settings, agents, date, "", known[key], figures(point.as_dict()))


def of_mistakes(trial: Trial, shares: Iterable[Share], date: str) -> Iterator[Outcome]:
    """The outcomes of a count of mistakes."""
    known, settings = digests(trial), Settings(seed=trial.seed, parameters=trial.parameters)
    for share in shares:
        key, agents = (share.set, share.agent), (trial.agents[share.agent],)
        yield Outcome(*key, share.positions, settings, agents, date, "", known[key], figures(share.as_dict()))


def of_benchmark(benchmark: Benchmark, rows: Iterable[Mapping[str, Any]], date: str) -> Iterator[Outcome]:
    """The outcomes of a benchmark of tuners."""
    known, settings = digests(benchmark), Settings(seed=benchmark.seed)
    for row in rows:
        key = benchmark_cell(row["surface"], row["method"], row["games"])
        yield Outcome(*key, row["seeds"], settings, (), date, "", known.get(key, ""), figures(row))


def figures(told: Mapping[str, Any]) -> dict[str, Any]:
    """What came out, without what the file says and what only the store knows."""
    return {name: value for name, value in told.items() if name not in OF_THE_FILE}


# --- what a file has ------------------------------------------------------------------------------


def load_any(name: str, settings: Settings | None = None) -> Loaded:
    """An experiment of any kind, as its file says or as it was played."""
    full, seed, given = (settings.full, settings.seed, settings.parameters) if settings else (False, None, {})
    name = name if name in names() else f"{name}.toml"  # a file of yours
    if is_study(name):
        return load_study(name, seed=seed)
    if has(name, "mistakes"):
        return load_trial(name, None, False, given, seed)
    if has(name, "surfaces"):
        return load_benchmark(name, seed=seed)
    if has(name, "sizes"):
        return load_evolution(name, False, full, given, seed)
    return load_experiment(name, full=full, parameters=given, seed=seed)


def digests(loaded: Loaded) -> dict[tuple[str, str], str]:
    """The digest of each cell, by its group and name, in the order of the file."""
    if isinstance(loaded, Experiment):
        return {(cell.group, cell.name): plan_digest(cell.plan) for cell in loaded.cells}
    if isinstance(loaded, Study):
        return {
            study_cell(position.name, agent, iterations): digest(
                origin(game), changed_options(game), position.moves, spec, iterations, loaded.seed
            )
            for position in loaded.positions
            for game in [position.state.game]
            for agent, spec in loaded.agents.items()
            for iterations in loaded.iterations
        }
    if isinstance(loaded, Trial):
        sets = dict.fromkeys(known.name for known in loaded.known)
        return {(part, agent): digest(spec, loaded.seed) for agent, spec in loaded.agents.items() for part in sets}
    if isinstance(loaded, Benchmark):
        return {
            benchmark_cell(surface, method, games): digest(surface, method, games, loaded.seed)
            for surface in loaded.surfaces
            for method in loaded.methods
            for games in loaded.games
        }
    job = loaded.job
    agents = [each.given for each in job.species]
    sizes = {name: value for name, value in loaded.settings.parameters.items() if name != "generations"}
    return {("", EVOLUTION): digest(job.game.name, agents, list(loaded.vary), sizes, job.seed)}


def study_cell(position: str, agent: str, iterations: int) -> tuple[str, str]:
    return position, f"{agent}, {iterations:,} iterations"


def benchmark_cell(surface: str, method: str, games: int) -> tuple[str, str]:
    return surface, f"{method}, {games:,} games"


def plan_digest(plan: Plan) -> str:
    """The digest of what decides the games of a plan, except for their number."""
    facts = plan.as_dict()
    return digest({name: facts[name] for name in PLAYED})


def digest(*facts: Any) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:12]


def require_fit(summary: Summary, where: str) -> None:
    """Refuse a summary of cells that the experiment's file does not have, or that it plays in another way."""
    known: dict[str, dict[tuple[str, str], str]] = {}
    for outcome in summary.outcomes:
        group, name, settings = outcome.key
        if settings not in known:
            known[settings] = digests(fitting(summary, outcome, where))
        if (group, name) not in known[settings]:
            label = ", ".join(filter(None, (group, name)))
            raise unknown("cell", label, [", ".join(filter(None, key)) for key in known[settings]], where)
        if known[settings][group, name] != outcome.digest:
            raise SpielbaumError(
                f"{where} does not fit {summary.experiment}: {name!r} was played in another way than the file says"
                f" (digest {outcome.digest}, not {known[settings][group, name]}); play it again"
            )


def fitting(summary: Summary, outcome: Outcome, where: str) -> Loaded:
    """The experiment with the settings of an outcome; one line where the file does not know them."""
    try:
        return load_any(summary.experiment, outcome.settings)
    except SpielbaumError as error:
        raise SpielbaumError(f"{where} does not fit {summary.experiment}: {error}") from None


# --- files ----------------------------------------------------------------------------------------


def path_of(folder: pathlib.Path, experiment: str) -> pathlib.Path:
    """Where the summary of an experiment stands; that of a file of yours under the name of the file."""
    path = pathlib.Path(experiment)
    return folder / f"{path.name if path.is_absolute() else experiment}{SUFFIX}"


def write(folder: pathlib.Path, summary: Summary) -> pathlib.Path:
    """Write a summary, and give its path; outcomes that are there already and still fit are kept beside the new ones.

    SpielbaumError if it does not fit its experiment.
    """
    path = path_of(folder, summary.experiment)
    require_fit(summary, str(path))
    new = {outcome.key: outcome for outcome in summary.outcomes}
    kept = {outcome.key: outcome for outcome in still_fitting(path, summary.experiment)}
    places = {key: place for place, key in enumerate(digests(load_any(summary.experiment)))}
    ordered = sorted((kept | new).values(), key=lambda each: (places.get(each.key[:2], len(places)), each.key))
    path.parent.mkdir(parents=True, exist_ok=True)
    texts = [
        {"experiment": summary.experiment},
        *({**asdict(each), "result": rounded(each.result)} for each in ordered),
    ]
    content = "".join(json.dumps(each, sort_keys=True, ensure_ascii=False) + "\n" for each in texts)
    write_whole(path, gzip.compress(content.encode(), mtime=0))
    return path


def still_fitting(path: pathlib.Path, experiment: str) -> list[Outcome]:
    """The outcomes of an earlier summary that are those of the file's cells as they are now."""
    if not path.exists():
        return []
    fits = []
    for outcome in read(path).outcomes:
        try:
            require_fit(Summary(experiment, (outcome,)), str(path))
        except SpielbaumError:
            continue
        fits.append(outcome)
    return fits


def rounded(value: Any) -> Any:
    """The same with fewer digits, as nobody reads all of them."""
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, dict):
        return {name: rounded(each) for name, each in value.items()}
    return [rounded(each) for each in value] if isinstance(value, list | tuple) else value


def read(path: pathlib.Path) -> Summary:
    """A summary; SpielbaumError for a file that is none. Whether it fits is another question: `require_fit`."""
    texts = [parse_json(text, f"{path}, line {number},") for number, text in lines(path)]
    if not texts or not isinstance(texts[0], dict) or not isinstance(texts[0].get("experiment"), str):
        raise SpielbaumError(f"{path} is no summary of an experiment; 'spielbaum reproduce NAME --summary' makes one")
    found = tuple(outcome_of(data, f"{path}, line {number},") for number, data in enumerate(texts[1:], 2))
    return Summary(texts[0]["experiment"], found)


def outcome_of(data: Any, where: str) -> Outcome:
    """The outcome that a line of a summary tells."""
    if not isinstance(data, dict):
        raise SpielbaumError(f"{where} is no outcome of an experiment")
    fields = {field.name for field in dataclasses.fields(Outcome)}
    require(data, fields, fields, where)
    told = {field.name for field in dataclasses.fields(Settings)}
    sound = isinstance(data["result"], dict) and isinstance(data["settings"], dict) and isinstance(data["agents"], list)
    if not sound or set(data["settings"]) != told or not isinstance(data["games"], int):
        raise SpielbaumError(f"{where} is no outcome of an experiment")
    return Outcome(**{**data, "settings": Settings(**data["settings"]), "agents": tuple(data["agents"])})
