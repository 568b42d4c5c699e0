"""How `spielbaum reproduce` carries out and tells experiments with the tuner."""

from __future__ import annotations

import pathlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from spielbaum.cli.output import NOTHING, percent, print_json, print_table, writing

if TYPE_CHECKING:
    from spielbaum.experiments.tuning import Evolution


def run_benchmark(
    name: str,
    quick: bool,
    seed: int | None,
    output: pathlib.Path | None,
    summary: pathlib.Path | None,
    as_json: bool,
) -> None:
    """Measure the regret of tuners on surfaces, and tell what came out."""
    from spielbaum.cli.progress import counting
    from spielbaum.cli.reproduce import today, write_summary
    from spielbaum.experiments.summaries import of_benchmark
    from spielbaum.experiments.tuning import load_benchmark, table

    benchmark = load_benchmark(name, quick, seed)
    found = []
    with counting("regrets") as count:
        for each in benchmark.measure():
            found.append(each)
            count(len(found))
    rows = table(found)
    if summary is not None:
        write_summary(name, of_benchmark(benchmark, rows, today()), summary, as_json)
        return
    if output is not None:
        from spielbaum.arena.plots import regret_figure, rendered

        with writing(output):
            output.write_bytes(rendered(regret_figure(rows), output.suffix.removeprefix(".")))
    if as_json:
        print_json({"name": name, "title": benchmark.title, "source": benchmark.source, "rows": rows})
        return
    print(f"{benchmark.title}\n{benchmark.source}")
    columns = [f"{games:,} games" for games in benchmark.games]
    for surface in benchmark.surfaces:
        cells = {(row["method"], f"{row['games']:,} games"): row for row in rows if row["surface"] == surface}
        lines = [
            (method, *(regret_text(cells.get((method, column))) for column in columns)) for method in benchmark.methods
        ]
        print(f"{surface}: median regret in Elo (quartiles over {benchmark.seeds} seeds)")
        print_table(("", *columns), lines, numbers=columns)


def regret_text(row: Mapping[str, Any] | None) -> str:
    if row is None:
        return NOTHING
    low, high = row["quartiles"]
    return f"{row['median']:.1f} ({low:.1f} … {high:.1f})"


def run_evolution(evolution: Evolution, workers: str, store: str, as_json: bool) -> None:
    """Carry out an evolution, or go on with it, and set what came out beside what was published."""
    from spielbaum.arena import Store
    from spielbaum.cli.tune import progress
    from spielbaum.experiments.tuning import course
    from spielbaum.tune import read_history
    from spielbaum.tune.run import stored, tune

    with Store(store) as opened:
        with progress() as watch:
            outcome = tune(
                evolution.job,
                workers=workers,
                store=opened,
                resume=stored(opened, evolution.job) is not None,
                watch=watch,
            )
        rows = course(read_history(opened, outcome.number), evolution.conditions)
    claims = beside(evolution, rows)
    told = {"name": evolution.name, "title": evolution.title, "source": evolution.source}
    if as_json:
        print_json({**told, "tuning": outcome.number, "best": outcome.best.spec, "claims": claims, "generations": rows})
        return
    print(f"{evolution.title}\n{evolution.source}")
    agents = list(rows[0]["shares"])
    last = agents[-1]
    genes = [gene.removeprefix("weight.") for gene in evolution.settles]
    columns = ("generation", *(agent.partition(":")[0] for agent in agents), *genes)
    lines = [
        (
            str(row["generation"]),
            *(percent(row["shares"][agent]) for agent in agents),
            *(gene_text(row["genes"].get(last, {}).get(gene)) for gene in evolution.settles),
        )
        for row in rows
    ]
    print(f"shares of the species; genes of {last}: mean ± deviation in per cent of the range")
    print_table(columns, lines, numbers=columns)
    print_table(("", "ours", "published"), [(each["claim"], each["ours"], each["published"]) for each in claims])
    print(f"best: {outcome.best.spec} (tuning run {outcome.number})")


def gene_text(gene: Mapping[str, float] | None) -> str:
    return NOTHING if gene is None else f"{gene['mean']:.2f}±{100 * gene['spread']:.0f}"


def beside(evolution: Evolution, rows: list[dict[str, Any]]) -> list[dict[str, str]]:
    """Our figures beside those that were published."""
    from spielbaum.experiments.tuning import claims

    return [
        {"claim": claim, "ours": told, "published": evolution.published.get(claim, NOTHING)}
        for claim, told in claims(evolution, rows).items()
    ]
