"""The README's example is a game, and what the README says about it is true."""

from __future__ import annotations

import doctest
import pathlib
import re

from spielbaum.game import names

ROOT = pathlib.Path(__file__).parents[1]


def blocks(language: str) -> list[str]:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_readme_shows_the_example_as_it_is():
    assert blocks("python") == [(ROOT / "examples" / "twenty_one.py").read_text(encoding="utf-8")]


def test_readme_names_every_game():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [name for name in names() if f"| `{name}` |" not in text] == []


def test_readme_session_runs_as_it_is_written(monkeypatch):
    monkeypatch.chdir(ROOT)
    session = doctest.DocTestParser().get_doctest("".join(blocks("pycon")), {}, "README", "README.md", 0)
    results = doctest.DocTestRunner().run(session)
    assert results.attempted > 0 and results.failed == 0
