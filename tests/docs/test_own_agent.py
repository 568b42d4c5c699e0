"""The page "An agent of your own" keeps its promises: its files are agents of built-in games and of one's own."""

from __future__ import annotations

import pathlib
import subprocess

import pytest

import spielbaum
from spielbaum.arena import match
from tests.docs.pages import agrees, blocks, commands, hooks, page, place, run_command, run_examples

TEXT = page("own-agent.md")
HOOKS = hooks()
ROOT = pathlib.Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """A folder with the files of the page."""
    for name in ("players.py", "engines.py", "engine.py"):
        place(tmp_path / name, HOOKS.assembled(TEXT, name))
    (settings,) = blocks(TEXT, "toml")
    place(tmp_path / "spielbaum.toml", settings)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SPIELBAUM_TOML", raising=False)
    return tmp_path


def test_commands_print_what_the_page_shows(folder):
    for command, shown in commands(TEXT):
        printed = run_command(command, shown)
        assert agrees(shown, printed), f"$ {command}\n{printed}"


def test_the_examples_of_the_page_run(folder):
    run_examples(TEXT, {})


def test_the_agent_of_the_page_is_careful(folder):
    run = match("tic-tac-toe", ["careful", "random"], games=40, seed=1, workers=2)
    assert run.score > 0.8 and not run.results.forfeits


def test_it_plays_a_game_of_one_s_own_that_names_it(folder):
    game = (ROOT / "examples" / "twenty_one.py").read_text("utf-8") + "\nfrom players import AGENT_TYPES  # noqa\n"
    mine = spielbaum.load(place(folder / "mine.py", game + 'AGENTS = {"hard": "careful"}\n'))
    assert repr(spielbaum.agent("hard", mine)) == "<Agent careful for mine>"
    assert spielbaum.agent("hard", mine).act(mine.new()) in mine.new().actions


def test_a_program_is_closed_after_its_game(folder, monkeypatch):
    (folder / "spielbaum.toml").write_text('[agent_types]\ntic-tac-toe = "engines.py"\n')
    begun: list[subprocess.Popen] = []
    start = subprocess.Popen.__init__
    monkeypatch.setattr(
        subprocess.Popen, "__init__", lambda self, *given, **more: (begun.append(self), start(self, *given, **more))[1]
    )
    run = match("tic-tac-toe", ["engine", "random"], games=4, seed=1)
    assert not run.results.forfeits
    assert len(begun) == 4 and all(program.returncode == 0 for program in begun)
