"""The page "Train an opponent for your own game" keeps its promises, in a short form: its file, commands and nets."""

from __future__ import annotations

import pathlib
import shlex
import shutil

import pytest

import spielbaum
from spielbaum.agents.network import lacks_net
from spielbaum.cli import main
from spielbaum.testing import assert_lawful
from spielbaum.training import run as training
from tests.docs.pages import commands, hooks, page, place

pytest.importorskip("torch", reason="training needs the extra networks")

TEXT = page("train-your-own.md")
HOOKS = hooks()
SHORT = {"--minutes 10 --size 64-32": "--minutes 0.01 --size 16-8 --simulations 4 --workers 1", "-n 100": "-n 2"}


@pytest.fixture
def file(pytestconfig: pytest.Config) -> pathlib.Path:
    """The game as it is when the net is trained; always in the same folder, so that kernels are found again."""
    folder = pathlib.Path(pytestconfig.cache.mkdir("docs-train-your-own"))  # type: ignore[union-attr]
    return place(folder / "breakthrough.py", HOOKS.assembled(TEXT[: TEXT.index("## 6.")], "breakthrough.py"))


@pytest.fixture
def folder(file: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """Its folder, without what an earlier training left there: for one test alone, as others may run beside it."""
    folder = file.parent
    for made in ("mine.training", "nets", "whole/nets"):
        shutil.rmtree(folder / made, ignore_errors=True)
    for made in (*folder.glob("spielbaum.db*"), *folder.glob("mine.*"), folder / "report.html"):
        made.unlink(missing_ok=True)
    monkeypatch.chdir(folder)
    for name, value in {"BATCHES": 1, "STEPS": 2, "MEASURED": 2, "BASELINE": "random"}.items():
        monkeypatch.setattr(training, name, value)
    return folder


def run(command: str) -> None:
    for long, short in SHORT.items():
        command = command.replace(long, short)
    assert main(shlex.split(command)[1:]) == 0, command


def test_the_commands_of_the_page_train_a_net_and_play_with_it(folder, capsys):
    told = [command for command, _ in commands(TEXT) if command.split()[1] in ("train", "match")]
    assert len(told) == 3
    for command in told:
        run(command)
    run("spielbaum report mine.training")
    assert "Training of mine" in (folder / "report.html").read_text("utf-8")
    (folder / "nets").mkdir()
    shutil.copy("mine.npz", folder / "nets")
    game = spielbaum.load(place(folder / "whole" / "breakthrough.py", HOOKS.assembled(TEXT, "breakthrough.py")))
    assert lacks_net("network", game)
    shutil.copytree(folder / "nets", folder / "whole" / "nets", dirs_exist_ok=True)
    assert not lacks_net("network", game)
    assert spielbaum.agent("learned", game).values["net"] == "mine"


def test_the_game_of_the_page_is_lawful(file):
    assert_lawful(file, games=2)


def test_both_players_see_the_same_at_the_beginning(file):
    game = spielbaum.load(file)
    state = game.new()
    assert str(state).splitlines()[:6] == [
        "5  ● ● ● ● ●",
        "4  ● ● ● ● ●",
        "3  · · · · ·",
        "2  ○ ○ ○ ○ ○",
        "1  ○ ○ ○ ○ ○",
        "   a b c d e",
    ]
    assert sorted(map(state.format, state.actions))[:2] == ["a2a3", "a2b3"] and len(state.actions) == 13
    for moves in (["a2a3", "b4a3"], ["c2c3", "d4c3"]):  # black takes
        assert game.play_all(moves).record.left.tolist() == [9, 10]
