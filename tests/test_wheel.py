"""The wheel: all of the package and nothing else, described in words that need no repository, and it runs."""

from __future__ import annotations

import email
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import venv
import zipfile

import numba
import pytest

import spielbaum

ROOT = pathlib.Path(__file__).parents[1]
SOURCE = ROOT / "src"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def metadata(wheel) -> email.message.Message:
    with zipfile.ZipFile(wheel) as files:
        (name,) = [name for name in files.namelist() if name.endswith(".dist-info/METADATA")]
        return email.message_from_string(files.read(name).decode())


def test_a_wheel_holds_the_package_with_its_data_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as files:
        packed = {name for name in files.namelist() if ".dist-info/" not in name}
    there = {path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*") if path.is_file()}
    assert packed == {name for name in there if "__pycache__" not in name}
    for ending in (".toml", ".npz", ".js", ".css", ".html", ".svg", "py.typed"):
        assert any(name.endswith(ending) for name in packed), ending


def test_the_description_leads_to_no_file_of_the_repository(metadata):
    text = str(metadata.get_payload())
    assert "A game of your own" in text and "def returns(s, out):" in text
    assert "![" not in text and [link for link in re.findall(r"\]\((.*?)\)", text) if "://" not in link] == []


def test_the_metadata_says_whose_it_is_and_what_for(metadata):
    assert (metadata["Author"], metadata["License-Expression"]) == ("The Spielbaum authors", "Apache-2.0")
    assert "Typing :: Typed" in metadata.get_all("Classifier") and "MCTS" in metadata["Keywords"]
    assert metadata["Version"] == spielbaum.__version__


def test_an_installed_wheel_runs(wheel, tmp_path):
    """Its dependencies are those of this environment, by a path file; nothing is fetched."""
    venv.create(tmp_path / "venv", symlinks=os.name != "nt")
    paths = sysconfig.get_paths("venv", {"base": str(tmp_path / "venv"), "platbase": str(tmp_path / "venv")})
    python = pathlib.Path(paths["scripts"], "python")
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-index", "--no-deps"]
    subprocess.run([*install, str(wheel)], check=True)
    packages = pathlib.Path(numba.__file__).parents[1]
    pathlib.Path(paths["purelib"], "dependencies.pth").write_text(str(packages), "utf-8")
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def output(*command: str) -> str:
        return subprocess.run(command, cwd=tmp_path, env=kept, capture_output=True, text=True, check=True).stdout

    assert output(str(python), "-c", "import spielbaum; print(spielbaum.__file__)").startswith(paths["purelib"])
    listed = output(str(python.parent / "spielbaum"), "games")
    assert "connect-four" in listed and "scotland-yard" in listed
