"""The command line as tests call it: arguments in; exit code, standard output and standard error out."""

from __future__ import annotations

import io
import json
import pathlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

import spielbaum
from spielbaum.cli import main
from tests.told import without_notices

PENNIES = str(pathlib.Path(__file__).parents[1] / "small" / "pennies.py")


@dataclass(frozen=True)
class Answer:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        assert self.out, self.err
        return json.loads(self.out)


@pytest.fixture
def run(capsys, monkeypatch) -> Callable[..., Answer]:
    """A function that runs a command in this process, with some lines of input."""

    def call(*arguments: str, lines: tuple[str, ...] = ()) -> Answer:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        capsys.readouterr()
        code = main(arguments)
        out, err = capsys.readouterr()
        return Answer(code, out, without_notices(err))

    return call


@pytest.fixture(scope="session")
def connect_four() -> spielbaum.Game:
    """The game, ready to play: compiling says a word on standard error, which some tests look at."""
    game = spielbaum.load("connect-four")
    game.new().copy().play(0)
    return game


@pytest.fixture(scope="session")
def quick_win(connect_four) -> list[str]:
    """Four discs in the first column against three in the second."""
    first, second = connect_four.new().moves[:2]
    return [first, second] * 3 + [first]
