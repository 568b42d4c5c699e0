"""`python -m benchmarks`: which benchmarks run, and how their figures are shown."""

from __future__ import annotations

import io
import json
import pathlib
import subprocess
import sys
from collections.abc import Callable

import pytest

import benchmarks
from benchmarks import Result
from spielbaum.cli import main
from tests.cli.conftest import Answer

COMMANDS = "benchmarks.command"


@pytest.fixture
def run(capsys) -> Callable[..., Answer]:
    """A function that runs the command in this process."""

    def call(*arguments: str) -> Answer:
        capsys.readouterr()
        code = main(arguments, COMMANDS)
        return Answer(code, *capsys.readouterr())

    return call


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
    assert run("--list").out.split() == ["mcts/chess", "mcts/go", "start/import"]
    assert run("--list", "--json").json == ["mcts/chess", "mcts/go", "start/import"]


def test_json_is_a_list_of_figures(run, figures):
    chess, go, start = run("--json").json
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
    (row,) = [line.split() for line in run().out.splitlines() if "mcts/chess" in line]
    assert row == ["mcts/chess", "1,234,567", "simulations/s", "OpenSpiel", "100,000", "12.3"]


@pytest.mark.parametrize(
    ("patterns", "names"),
    [
        (["mcts/*"], ["mcts/chess", "mcts/go"]),
        (["start/import", "mcts/go"], ["mcts/go", "start/import"]),
    ],
)
def test_patterns_choose(run, figures, patterns, names):
    assert [figure["name"] for figure in run(*patterns, "--json").json] == names


def test_an_unknown_benchmark_is_answered_with_the_nearest(run, figures):
    answer = run("mcts/ches")
    assert answer.code == 2 and answer.err == "unknown benchmark 'mcts/ches'; did you mean 'mcts/chess'?\n"


@pytest.fixture
def broken(monkeypatch):
    """Three benchmarks of which the second one fails, and what has been written by the time the third one runs."""
    written: list[str] = []

    def fail() -> Result:
        raise TypeError("too many arguments")

    monkeypatch.setattr(
        benchmarks,
        "BENCHMARKS",
        {
            "a/first": lambda: Result("a/first", 1.0, "s"),
            "a/second": fail,
            "a/third": lambda: written.append(sys.stdout.getvalue()) or Result("a/third", 3.0, "s"),
        },
    )
    return written


def test_a_benchmark_that_fails_is_told_and_the_others_go_on(run, broken):
    answer = run()
    assert answer.code == 1
    assert [line.split()[:2] for line in answer.out.splitlines() if "a/" in line] == [
        ["a/first", "1"],
        ["a/second", "failed"],
        ["a/third", "3"],
    ]
    (told,) = [line for line in answer.err.splitlines() if "a/second" in line]
    assert "failed: TypeError: too many arguments" in told and "test_bench.py, line" in told
    assert "Traceback" not in answer.err


def test_figures_are_written_as_they_come(run, broken, monkeypatch):
    monkeypatch.setattr("sys.stdout", io.StringIO())
    assert main(("--json",), COMMANDS) == 1
    first, second, third = json.loads(sys.stdout.getvalue())
    assert (first["value"], third["value"]) == (1.0, 3.0) and "too many arguments" in second["error"]
    assert '"a/first"' in broken[0] and '"a/second"' in broken[0] and '"a/third"' not in broken[0]


def test_an_interrupted_run_keeps_the_figures_it_has(run, monkeypatch):
    def interrupt() -> Result:
        raise KeyboardInterrupt

    first = {"a/first": lambda: Result("a/first", 1.0, "s"), "a/second": interrupt}
    monkeypatch.setattr(benchmarks, "BENCHMARKS", first)
    answer = run("--json")
    assert answer.code == 130 and [each["name"] for each in answer.json] == ["a/first"]
    assert "a/first" in run().out


def test_they_run_in_the_folder_of_the_repository():
    root = pathlib.Path(__file__).parents[1]
    command = [sys.executable, "-m", "benchmarks", "mcts/mem*", "--list"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "mcts/memory\n", "")
