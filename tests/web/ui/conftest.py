"""Real Chromium on a real server in a process of its own. Screenshots go to `artefacts/` beside the tests."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

import spielbaum
from spielbaum.games.latrunculi import KIOSK
from tests.needs import CHROMIUM
from tests.web.ui.screen import Screen

ROOT = pathlib.Path(__file__).parents[3]
ARTEFACTS = pathlib.Path(__file__).with_name("artefacts")
THINKERS = (
    *(("connect-four", spec) for spec in ("mcts:iterations=10", "alphabeta:depth=1")),
    *(("latrunculi", spec) for spec in ("easy", "hard", *KIOSK["agents"])),
    ("quick-civ", "greedy"),
    *((name, "random") for name in ("pig", "pursuit", "light-cycles", "tic-tac-toe")),
)
SIZES = {"phone": (320, 640), "tall": (390, 844), "laptop": (1366, 768), "table": (3840, 2160)}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.needs("chromium"))


class Served:
    """A server process; it can be ended and started again on the same port."""

    def __init__(self, **settings: Any):
        self.settings = settings
        self.port = 0
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "tests.web.ui.serve", json.dumps(self.settings), str(self.port)]
        paths = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
        self.process = subprocess.Popen(
            command, cwd=ROOT, env={**os.environ, "PYTHONPATH": paths}, stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline())

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(20)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"


@pytest.fixture(scope="session")
def served() -> Iterator[Served]:
    """All built-in games."""
    server = Served()
    yield server
    server.stop()


@pytest.fixture
def serve() -> Iterator[Callable[..., Served]]:
    """Servers with settings of their own."""
    begun: list[Served] = []

    def serve(**settings: Any) -> Served:
        begun.append(Served(**settings))
        return begun[-1]

    yield serve
    for server in begun:
        server.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    for name, spec in THINKERS:
        game = spielbaum.load(name)
        spielbaum.agent(spec, game).act(game.new())  # a server in another process then need not compile it
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield chromium
        chromium.close()


@pytest.fixture
def open_screen(browser: Any, request: pytest.FixtureRequest) -> Iterator[Callable[..., Screen]]:
    """Screens of some size; a script error on any of them fails the test."""
    screens: list[Screen] = []
    errors: list[str] = []

    def open_screen(server: Served, size: str = "laptop", **how: Any) -> Screen:
        width, height = SIZES[size]
        context = browser.new_context(
            viewport={"width": width, "height": height}, **{"locale": "en-GB", "reduced_motion": "no-preference", **how}
        )
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(server.address)
        name = f"{request.node.name}-{size}".replace("[", "-").replace("]", "").replace("/", "-")
        screens.append(Screen(page, server.address, ARTEFACTS / name))
        return screens[-1]

    yield open_screen
    for screen in screens:
        screen.page.context.close()
    assert errors == []


@pytest.fixture
def screen(open_screen: Callable[..., Screen], served: Served) -> Screen:
    """A laptop on the server with all games."""
    return open_screen(served)
