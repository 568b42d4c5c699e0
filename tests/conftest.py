"""What several tests share: how long slow ones may take, and the small games that exist only to be searched."""

from __future__ import annotations

import os
import pathlib
import signal

import pytest

import spielbaum
from spielbaum import Game

FOR_SLOW_TESTS = 4 * 3600  # seconds; the limit of all others is in pyproject.toml
pytest_plugins = ("pytester", "tests.needs", "tests.first")
SMALL = pathlib.Path(__file__).parent / "small"
signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs of a shell ignore it
os.environ["SPIELBAUM_SHIPPED"] = "off"  # what came with the package must not hide what the compiler does
os.environ.pop("COLUMNS", None)  # tables are as wide as in a file, also in pytest's workers


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.timeout(FOR_SLOW_TESTS))


@pytest.fixture(autouse=True)
def environment():
    """What a command that ran in this process sets for those that it starts is not for those of the next test."""
    before = os.environ.get("PYTHONSAFEPATH")
    yield
    if before is None:
        os.environ.pop("PYTHONSAFEPATH", None)


@pytest.fixture
def maze():
    """A function that loads a random maze: `maze(seed, players)`."""

    def load(seed: int = 0, players: int = 2) -> Game:
        return spielbaum.load(SMALL / "maze.py", seed=seed, players=players)

    return load


@pytest.fixture
def pennies() -> Game:
    return spielbaum.load(SMALL / "pennies.py")
