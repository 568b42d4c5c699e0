"""`spielbaum bench`: which benchmarks run, and how their figures are shown."""

from __future__ import annotations

import pytest

from spielbaum import benchmarks
from spielbaum.benchmarks import Result


@pytest.fixture
def figures(monkeypatch):
    """Benchmarks that take no time."""
    results = [
        Result("mcts/chess", 1_234_567.0, "simulations/s", "OpenSpiel", 100_000.0),
        Result("mcts/go", 12.34, "simulations/s"),
        Result("start/import", 0.5, "s"),
    ]
    monkeypatch.setattr(benchmarks, "BENCHMARKS", {result.name: lambda result=result: result for result in results})


def test_list_only_names_them(run, figures):
    assert run("bench", "--list").out.split() == ["mcts/chess", "mcts/go", "start/import"]
    assert run("bench", "--list", "--json").json == ["mcts/chess", "mcts/go", "start/import"]


def test_json_is_a_list_of_figures(run, figures):
    chess, go, start = run("bench", "--json").json
    assert chess == {
        "name": "mcts/chess",
        "value": 1_234_567.0,
        "unit": "simulations/s",
        "peer": "OpenSpiel",
        "peer_value": 100_000.0,
        "ratio": 12.34567,
    }
    assert "peer" not in go and start["unit"] == "s"


def test_the_table_shows_the_peer_beside_us(run, figures):
    (row,) = [line.split() for line in run("bench").out.splitlines() if "mcts/chess" in line]
    assert row == ["mcts/chess", "1,234,567", "simulations/s", "OpenSpiel", "100,000", "12.3"]


@pytest.mark.parametrize(
    ("patterns", "names"),
    [
        (["mcts/*"], ["mcts/chess", "mcts/go"]),
        (["start/import", "mcts/go"], ["mcts/go", "start/import"]),
    ],
)
def test_patterns_choose(run, figures, patterns, names):
    assert [figure["name"] for figure in run("bench", *patterns, "--json").json] == names


def test_an_unknown_benchmark_is_answered_with_the_nearest(run, figures):
    answer = run("bench", "mcts/ches")
    assert answer.code == 2 and answer.err == "unknown benchmark 'mcts/ches'; did you mean 'mcts/chess'?\n"
