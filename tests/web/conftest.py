"""One server for all tests that do not need one of their own."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator

import pytest

from spielbaum.game import names
from spielbaum.web.settings import Settings
from tests.web.server import Server

SHELLS = pathlib.Path(__file__).parents[1] / "small" / "shells.py"


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A server with all built-in games and a small one in rounds, which keeps nothing on disk."""
    games = (*names(), SHELLS)
    with Server(Settings(games, searches=2, seconds=5.0, megabytes=32)) as running:
        yield running
