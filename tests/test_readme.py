"""The README's example is a game, what the README says is true, and it and its companions name files that exist."""

from __future__ import annotations

import doctest
import pathlib
import re
import subprocess
import tomllib

import pytest

import spielbaum
from spielbaum.game import names
from tests.docs.pages import hooks

ROOT = pathlib.Path(__file__).parents[1]


def blocks(language: str) -> list[str]:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_readme_shows_the_example_as_it_is():
    assert blocks("python") == [(ROOT / "examples" / "twenty_one.py").read_text(encoding="utf-8")]


def test_readme_names_every_game():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [name for name in names() if f"| `{name}` |" not in text] == []


def test_what_readme_quotes_is_in_the_results():
    text = (ROOT / "README.md").read_text("utf-8")
    assert hooks().refreshed(text) == text, "python docs/hooks.py writes it anew"


def test_readme_session_runs_as_it_is_written(monkeypatch):
    monkeypatch.chdir(ROOT)
    session = doctest.DocTestParser().get_doctest("".join(blocks("pycon")), {}, "README", "README.md", 0)
    results = doctest.DocTestRunner().run(session)
    assert results.attempted > 0 and results.failed == 0


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"])
def test_links_and_names_of_files_lead_somewhere(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    links = {link.partition("#")[0] for link in re.findall(r"\]\((?!https?:)([^)]+)\)", text)}
    named = set(re.findall(r"`((?:src|tests|docs|requirements)/[^` ]*)`", text))
    assert [path for path in sorted(links | named) if not (ROOT / path).exists()] == []


def test_the_guide_for_contributors_has_a_row_for_each_thing_to_add():
    rows = re.findall(r"^\| an? (.+?) \|", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.MULTILINE)
    wanted = ("game", "component of the tree search", "agent", "tuning method", "command", "screen of the app")
    assert [each for each in wanted if each not in rows] == []


def test_the_version_is_the_same_everywhere():
    assert f"\nversion: {spielbaum.__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"version {spielbaum.__version__}:" in (ROOT / "README.md").read_text("utf-8")


def test_the_oldest_versions_are_tried_of_all_dependencies():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lowest = [re.sub(r"^([a-z]+)>=([0-9.]+).*", r"\1==\2", dependency) for dependency in project["dependencies"]]
    shown = subprocess.run(["make", "--dry-run", "test-versions"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert f"httpx {' '.join(lowest)}\n" in shown.stdout
