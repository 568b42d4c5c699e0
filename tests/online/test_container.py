"""What the container runs: its command, with the variables of the competition and the packages that it installs."""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
import sys
import tomllib

import pytest

from tests.online.servers import Official, Server

ROOT = pathlib.Path(__file__).parents[2]
LINES = (ROOT / "Dockerfile").read_text("utf-8").replace("\\\n", " ").splitlines()
WITHOUT = """
import sys

class Without:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {names!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Without())
"""


def said(word: str) -> list[str]:
    """What stands after a word of the Dockerfile."""
    return [line.removeprefix(word).strip() for line in LINES if line.startswith(f"{word} ")]


def command() -> list[str]:
    """ENTRYPOINT and CMD, by this Python."""
    first, *rest = [part for word in ("ENTRYPOINT", "CMD") for line in said(word) for part in json.loads(line)]
    assert first == "python"
    return [sys.executable, *rest]


def not_installed() -> set[str]:
    """What playing, the app and reports need of other projects that is not in the container."""
    (install,) = [line for line in said("RUN") if line.startswith("pip install")]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    needed = [*project["dependencies"], *extras["report"], *extras["web"]]
    names = {re.split(r"[<>=]", dependency)[0] for dependency in needed}
    assert names & set(install.split())
    return names - set(install.split()) - {"pydantic", "rich"}  # which typer brings


def variables(folder: pathlib.Path, **more: str) -> dict[str, str]:
    (folder / "sitecustomize.py").write_text(WITHOUT.format(names=not_installed()), "utf-8")
    kept = {name: value for name, value in os.environ.items() if name not in ("URL", "KEY", "TIME_URL")}
    return {**kept, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT / "src")]), **more}


def test_the_container_plays_one_game_and_exits(tmp_path):
    official = Official(side=8, seconds=0.3)
    with Server(official) as server:
        address = {"URL": server.url, "KEY": "the key", "TIME_URL": server.time_url}
        done = subprocess.run(command(), env=variables(tmp_path, **address), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert server.keys == ["the+key"] and len(official.records) == 1
    assert done.stdout.splitlines()[-1].startswith("game 1: place ")


def test_the_container_says_what_it_was_not_told(tmp_path):
    done = subprocess.run(command(), env=variables(tmp_path), capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (2, "Missing option '--url' (env var: 'URL').\n")


def test_what_is_copied_is_there_and_is_not_left_out():
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").split() if line.startswith("!")}
    copied = {line.split()[0] for line in said("COPY")}
    assert copied == kept and all((ROOT / name).exists() for name in copied)


@pytest.mark.slow
def test_the_container_compiles_with_what_it_installs(tmp_path):
    (warm,) = [line.split() for line in said("RUN") if " warm " in line]
    assert warm[0] == "python"
    more = {"SPIELBAUM_CACHE": str(tmp_path / "cache")}
    done = subprocess.run([sys.executable, *warm[1:]], env=variables(tmp_path, **more), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
