"""A plain installation plays and measures; what needs an extra names it in one line, and its tests are left out."""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable

import pytest

from spielbaum.cli.extras import BROUGHT

ROOT = pathlib.Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
WITHOUT = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {absent!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Missing())
"""
TESTS = "import pytest; sys.exit(pytest.main(sys.argv[1:]))"
COMMAND = "from spielbaum.cli import main; sys.exit(main())"
FIRST_MOVE = """
import spielbaum
game = spielbaum.load("tic-tac-toe")
print(spielbaum.agent("mcts:iterations=50", game).act(game.new()))
"""
ABSENT = ("torch", "onnxruntime", "pyspiel", "material", "latex2mathml", "ray", "optuna", "neat", "pyarrow")
"""Modules of all extras but those of `dev` itself."""
PLAIN = (*ABSENT, *(module for modules in BROUGHT.values() for module in modules))
BOTH_RANDOM = ("--seat", "x=random", "--seat", "o=random")


def without(absent: Iterable[str], code: str, *arguments: str, cwd: pathlib.Path) -> subprocess.CompletedProcess[str]:
    """Run code in a Python in which some modules are not installed."""
    command = [sys.executable, "-c", WITHOUT.format(absent=tuple(absent)) + code, *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True)


def names(dependencies: Iterable[str]) -> list[str]:
    return [re.split(r"[<>=]", dependency)[0] for dependency in dependencies]


def test_all_tests_are_collected_without_any_extra():
    options = ("--collect-only", "-q", "-p", "no:xdist", "-p", "no:cacheprovider")
    done = without(ABSENT, TESTS, *options, cwd=ROOT)
    assert done.returncode == 0, done.stdout[-2000:]
    left_out = done.stdout.partition("left out")[2]
    for file in ("test_attacked", "test_examples", "test_onnx", "test_train_your_own", "test_training"):
        assert file in left_out and "the extra networks" in left_out


def test_a_first_move_needs_numba_numpy_and_platformdirs_only(tmp_path):
    others = {*names(PROJECT["dependencies"]), *PLAIN, "yaml"} - {"numba", "numpy", "platformdirs"}
    done = without(sorted(others), FIRST_MOVE, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) in range(9)


@pytest.mark.parametrize(
    "command",
    [
        ("games",),
        ("play", "tic-tac-toe", *BOTH_RANDOM),
        ("match", "tic-tac-toe", *BOTH_RANDOM, "-n", "4"),
        ("tournament", "liars-dice", "random", "random", "random", "--option", "players=3", "-n", "2"),
        ("check", "tic-tac-toe", "--games", "2"),
    ],
    ids=lambda command: command[0],
)
def test_a_plain_installation_can(command, tmp_path):
    done = without(PLAIN, COMMAND, *command, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_modules_of_an_extra_are_those_that_it_installs():
    assert {extra: list(modules) for extra, modules in BROUGHT.items()} == {
        extra: names(PROJECT["optional-dependencies"][extra]) for extra in BROUGHT
    }


@pytest.mark.parametrize("absent", BROUGHT["web"])
@pytest.mark.parametrize(
    "command",
    [("serve", "tic-tac-toe", "--port", "0", "--no-open"), ("spe_ed", "watch", "--agents", "random,random")],
    ids=["serve", "watch"],
)
def test_the_app_says_that_the_extra_web_is_missing(command, absent, tmp_path):
    done = without((absent,), COMMAND, *command, cwd=tmp_path)
    wanted = f"the browser app and play over the network need {absent}, which is not installed; "
    assert (done.returncode, done.stdout, done.stderr) == (2, "", wanted + "pip install 'spielbaum[web]'\n")


@pytest.mark.parametrize(
    "command",
    [("host",), ("join", "--url", "ws://127.0.0.1:1/", "--key", "k", "--time-url", "http://127.0.0.1:1/")],
    ids=["host", "join"],
)
def test_play_over_the_network_says_that_the_extra_web_is_missing(command, tmp_path):
    done = without(BROUGHT["web"], COMMAND, "spe_ed", *command, cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.endswith("need websockets, which is not installed; pip install 'spielbaum[web]'\n")


@pytest.mark.parametrize("absent", BROUGHT["report"])
def test_a_report_says_that_its_extra_is_missing(absent, tmp_path):
    without((), COMMAND, "match", "tic-tac-toe", *BOTH_RANDOM, "-n", "2", cwd=tmp_path).check_returncode()
    for more in ((), ("--pictures", "svg")):
        done = without((absent,), COMMAND, "report", "1", *more, cwd=tmp_path)
        wanted = f"reports and their pictures need {absent}, which is not installed; pip install 'spielbaum[report]'\n"
        assert (done.returncode, done.stderr) == (2, wanted)
    assert not list(tmp_path.glob("report*"))


def test_a_winner_that_can_not_be_named_is_not_looked_for(tmp_path):
    command = ("tune", "tic-tac-toe", "--agent", "mcts:iterations=5", "--vary", "c", "--apply", "mine")
    done = without(("tomlkit",), COMMAND, *command, cwd=tmp_path)
    wanted = "tuning by Optuna and 'tune --apply' need tomlkit, which is not installed; pip install 'spielbaum[tune]'\n"
    assert (done.returncode, done.stderr) == (2, wanted)
    assert list(tmp_path.iterdir()) == []


def test_an_experiment_that_can_not_be_reported_is_not_begun(tmp_path):
    command = ("reproduce", "spe_ed/levels", "--quick", "-o", "report.html")
    done = without(BROUGHT["report"], COMMAND, *command, cwd=tmp_path)
    assert done.returncode == 2 and done.stderr.endswith("pip install 'spielbaum[report]'\n")
    assert list(tmp_path.iterdir()) == []
