"""One server for all tests of a module that do not need one of their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from spielbaum.web.settings import Settings
from tests.web.server import Server


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A server with all built-in games that keeps nothing on disk."""
    with Server(Settings(searches=2, seconds=5.0, megabytes=32)) as running:
        yield running
