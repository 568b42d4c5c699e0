"""Kernels that come with the package: they are used where they fit, and where anything differs they are not.

The package is copied to a folder of its own with kernels of tic-tac-toe in it, as a wheel would install it.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import pathlib
import pickle
import shutil
import subprocess
import sys
import zlib

import llvmlite.binding
import pytest

import spielbaum
from spielbaum.cli import main
from spielbaum.compile import shipped

SOURCE = pathlib.Path(spielbaum.__file__).parent
ROOT = SOURCE.parents[1]
FITTING = [level for level in shipped.LEVELS if not shipped.missing_features(level)]
needs_level = pytest.mark.skipif(not FITTING, reason="this processor is of no level that kernels are made for")

SEARCH = """
import spielbaum, spielbaum.compile.link as link
game = spielbaum.load("tic-tac-toe")
agent = spielbaum.agent("mcts:iterations=300", game, seed=4)
print(agent.act(game.new()), [(e.action, e.visits, e.value) for e in agent.report().edges], link.cache_counts())
"""
MOVES = """
import spielbaum
state = spielbaum.load("tic-tac-toe").new()
while not state.over:
    state.play(state.actions[0])
print(state.history, state.returns)
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> pathlib.Path:
    """The kernels of tic-tac-toe for the best level of this machine."""
    folder = tmp_path_factory.mktemp("made")
    command = ["warm", "tic-tac-toe", "--target", FITTING[0], "--into", str(folder)]
    done = subprocess.run([sys.executable, "-m", "spielbaum", *command], capture_output=True, text=True)
    assert done.returncode == 0 and f"MB in {folder}" in done.stdout, done.stderr
    return folder


@pytest.fixture
def package(made, tmp_path) -> pathlib.Path:
    """A copy of the package with kernels in it, as it is installed."""
    target = tmp_path / "site" / "spielbaum"
    shutil.copytree(SOURCE, target, ignore=shutil.ignore_patterns("__pycache__", "shipped", "static"))
    shutil.copytree(made, target / "shipped")
    return target


def python(package: pathlib.Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run an installed package with a cache that is empty at first."""
    folder = package.parents[1]
    installed = {"PYTHONPATH": str(package.parent), "SPIELBAUM_CACHE": str(folder / "cache"), shipped.VARIABLE: "on"}
    environment = {**os.environ, **installed, **variables}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def manifest_of(package: pathlib.Path) -> pathlib.Path:
    (path,) = package.glob("shipped/*/manifest.json")
    return path


def change(package: pathlib.Path, **facts: object) -> None:
    """Let the list of kernels say something else."""
    path = manifest_of(package)
    path.write_text(json.dumps({**json.loads(path.read_text()), **facts}))


def replace(package: pathlib.Path, template: str, data: bytes, *, listed: bool) -> str:
    """Put other bytes in place of the kernels of a template, with their checksum in the list or without; their name."""
    (file,) = package.glob(f"shipped/*/tic-tac-toe-{template}-*{shipped.SUFFIX}")
    file.write_bytes(data)
    if listed:
        kernels = json.loads(manifest_of(package).read_text())["kernels"]
        change(package, kernels={**kernels, file.stem: hashlib.sha256(data).hexdigest()})
    return file.stem


def snapshot(folder: pathlib.Path) -> dict[str, tuple[int, bytes]]:
    return {str(path): (path.stat().st_mtime_ns, path.read_bytes()) for path in folder.rglob("*") if path.is_file()}


# --- where they fit -------------------------------------------------------------------------------


@needs_level
def test_a_first_move_needs_no_compiler_and_is_the_same(package):
    """The search that is compiled here grows the same tree, visit by visit."""
    before = snapshot(package / "shipped")
    run = python(package, "-c", SEARCH)
    assert run.stderr == "" and run.stdout.strip().endswith(", 0)")
    assert not list((package.parents[1] / "cache").rglob("*.nbi"))
    assert snapshot(package / "shipped") == before
    shutil.rmtree(package / "shipped")
    compiled = python(package, "-c", SEARCH)
    assert "compiling Tic-tac-toe (mcts)" in compiled.stderr
    assert compiled.stdout.rpartition("]")[0] == run.stdout.rpartition("]")[0]


@needs_level
def test_the_own_cache_comes_first(package):
    kept = manifest_of(package).parent.rename(package.parents[1] / "kept")
    assert "compiling" in python(package, "-c", MOVES).stderr
    kept.rename(manifest_folder := package / "shipped" / FITTING[0])
    for file in manifest_folder.glob(f"*{shipped.SUFFIX}"):
        file.write_bytes(b"")
    assert python(package, "-c", MOVES).stderr == ""


@needs_level
def test_they_can_be_switched_off(package):
    assert "compiling" in python(package, "-c", MOVES, **{shipped.VARIABLE: "off"}).stderr


@needs_level
def test_the_laws_hold_with_them(package):
    run = python(package, "-m", "spielbaum", "check", "tic-tac-toe", "--seconds", "5", "--json")
    assert run.returncode == 0, run.stderr
    verdicts = {one["law"]: one["status"] for one in json.loads(run.stdout)["verdicts"]}
    assert verdicts["compiled"] == "passed" and "broken" not in verdicts.values()
    assert "(game-api)" not in run.stderr


@needs_level
def test_a_cache_that_can_not_be_written_is_no_obstacle(package):
    run = python(package, "-c", MOVES, SPIELBAUM_CACHE=os.devnull + "/cache")
    assert run.returncode == 0 and "can't be written" in run.stderr and "compiling" not in run.stderr


@needs_level
def test_the_doctor_tells_where_kernels_are_and_why_not(package):
    def states() -> dict[str, tuple[str, str]]:
        told = json.loads(python(package, "-m", "spielbaum", "doctor", "tic-tac-toe", "pig", "--json").stdout)
        return {f"{row['game']} {row['agent']}": (row["state"], row["why"]) for row in told["kernels"]}

    assert states()["tic-tac-toe mcts"] == ("shipped", "")
    assert states()["pig policies"] == ("to compile", "not among those that were made")
    rules = package / "games" / "tic_tac_toe" / "rules.py"
    rules.write_text(rules.read_text().replace("default_rng(1970)", "default_rng(1971)"))
    assert states()["tic-tac-toe mcts"] == ("to compile", "the game or the engine has changed since")
    change(package, python="2.7")
    assert states()["tic-tac-toe mcts"][1].startswith("made for Python 2.7, this is Python 3")
    assert python(package, "-m", "spielbaum", "warm", "tic-tac-toe").returncode == 0
    assert states()["tic-tac-toe mcts"] == ("cached", "")


# --- where they do not ----------------------------------------------------------------------------


@needs_level
def test_a_changed_constant_never_meets_a_shipped_kernel(package):
    rules = package / "games" / "tic_tac_toe" / "rules.py"
    text = rules.read_text()
    assert "CELLS - s.count" in text
    rules.write_text(text.replace("CELLS - s.count", "CELLS - 1 - s.count"))
    run = python(package, "-c", "import spielbaum; print(len(spielbaum.load('tic-tac-toe').new().actions))")
    assert run.stdout == "8\n" and "compiling Tic-tac-toe (game-api)" in run.stderr


@needs_level
@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"numba": "0.1"}, "made for Numba 0.1, this is Numba "),
        ({"python": "2.7"}, "made for Python 2.7, this is Python 3."),
        ({"system": "z80-cpm"}, "made for z80-cpm, this is "),
        ({"kernels": None}, ""),
    ],
)
def test_kernels_for_something_else_are_not_used_and_it_is_said_once(package, facts, said):
    change(package, **facts)
    run = python(package, "-c", MOVES)
    told = [line for line in run.stderr.splitlines() if not line.startswith("compiling")]
    assert run.returncode == 0 and "Traceback" not in run.stderr and "compiling" in run.stderr
    assert len(told) == 1 and "can't be used: " + said in told[0]


@needs_level
@pytest.mark.parametrize(
    ("data", "listed"),
    [
        (b"", False),
        (b"nonsense", True),
        (zlib.compress(b"nonsense"), True),
        (zlib.compress(pickle.dumps(["a list"])), True),
        (zlib.compress(pickle.dumps({"look": "no list"})), True),
    ],
    ids=["tampered", "no zlib", "no pickle", "no table", "no machine code"],
)
def test_a_damaged_file_is_refused_in_one_line_and_compiled_instead(package, data, listed):
    name = replace(package, "game-api", data, listed=listed)
    run = python(package, "-c", MOVES)
    told = [line for line in run.stderr.splitlines() if not line.startswith("compiling")]
    assert run.stdout == "[0, 1, 2, 3, 4, 5, 6] [1.0, -1.0]\n" and "compiling" in run.stderr
    assert [line for line in told if line.startswith(f"the shipped kernels {name} can't be used: ")] == told != []


@needs_level
def test_machine_code_that_can_not_be_loaded_is_compiled_instead(package):
    (file,) = package.glob(f"shipped/*/tic-tac-toe-game-api-*{shipped.SUFFIX}")
    entries = pickle.loads(zlib.decompress(file.read_bytes()))
    broken = {kernel: [(types, pickle.dumps("nothing"))] for kernel, ((types, _),) in entries.items()}
    replace(package, "game-api", zlib.compress(pickle.dumps(broken)), listed=True)
    run = python(package, "-c", MOVES)
    assert run.stdout == "[0, 1, 2, 3, 4, 5, 6] [1.0, -1.0]\n" and "Traceback" not in run.stderr
    assert run.stderr.count("can't be used") == 1 and "compiling" in run.stderr


def test_a_processor_that_lacks_something_is_told_what(monkeypatch, tmp_path):
    monkeypatch.setattr(shipped.platform, "machine", lambda: "x86_64")
    have = dict.fromkeys(shipped.X86_64_V3, True)
    monkeypatch.setattr(llvmlite.binding, "get_host_cpu_features", lambda: {**have, "avx2": False})
    assert shipped.missing_features("x86-64-v3") == ["avx2"] and shipped.missing_features("x86-64-v2") == []
    one = shipped.Shipped(tmp_path / "x86-64-v3", shipped.facts())
    assert one.objection() == "made for x86-64-v3 processors, this one lacks avx2"
    assert shipped.missing_features("arm64") == ["the architecture aarch64"]


def test_each_level_of_an_architecture_asks_for_less_than_the_one_before():
    levels = list(shipped.LEVELS.values())
    for better, worse in itertools.pairwise(levels):
        assert better.machines != worse.machines or set(better.features) > set(worse.features)


# --- making them ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--target", "x86-64-v3"], "--target LEVEL and --into DIR go together"),
        (["--into", "kernels"], "--target LEVEL and --into DIR go together"),
        (["--target", "x86-64-v9", "--into", "kernels"], "unknown level 'x86-64-v9'; did you mean 'x86-64-v"),
        (["--target", "pdp-11", "--into", "kernels"], "unknown level 'pdp-11'; valid: x86-64-v3, x86-64-v2, arm64"),
    ],
)
def test_what_can_not_be_made_is_refused_in_one_line(capsys, monkeypatch, tmp_path, arguments, said):
    monkeypatch.chdir(tmp_path)
    assert main(["warm", "tic-tac-toe", *arguments]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line and list(tmp_path.iterdir()) == []


@needs_level
def test_kernels_are_not_made_for_another_processor_nor_over_others(capsys, made, monkeypatch):
    assert main(["warm", "tic-tac-toe", "--target", FITTING[0], "--into", str(made)]) == 2
    assert "is there already" in capsys.readouterr().err
    foreign = next(name for name, level in shipped.LEVELS.items() if set(level.machines) - {shipped.platform.machine()})
    monkeypatch.setattr(shipped.platform, "machine", lambda: "z80")
    assert main(["warm", "tic-tac-toe", "--target", foreign, "--into", str(made / "other")]) == 2
    assert "are made on such a processor" in capsys.readouterr().err


@needs_level
def test_a_wheel_with_kernels_is_for_this_python_and_system(made, tmp_path):
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "docs", tmp_path / "docs", ignore=shutil.ignore_patterns("assets", "__pycache__"))
    shutil.copytree(SOURCE, tmp_path / "src" / "spielbaum", ignore=shutil.ignore_patterns("__pycache__", "shipped"))
    shutil.copytree(made, tmp_path / "src" / "spielbaum" / "shipped")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", "dist"]
    done = subprocess.run(build, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    assert f"-cp{sys.version_info.major}{sys.version_info.minor}-" in wheel.name and "none-any" not in wheel.name
    listed = subprocess.run([sys.executable, "-m", "zipfile", "-l", str(wheel)], capture_output=True, text=True).stdout
    assert f"spielbaum/shipped/{FITTING[0]}/manifest.json" in listed and shipped.SUFFIX in listed
