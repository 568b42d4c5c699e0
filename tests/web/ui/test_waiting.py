"""What people see while they wait: that the computer works, at what, for how long, and nothing that jumps."""

from __future__ import annotations

import pathlib
import shutil
from collections.abc import Callable
from typing import Any

import pytest

from spielbaum.compile.cache import CACHE_VARIABLE
from tests.web.ui.conftest import Served
from tests.web.ui.screen import PERSON, Screen, agent

GARDEN = pathlib.Path(__file__).with_name("garden.py")
BOXES = """() => Object.fromEntries(
  [...document.querySelectorAll('.controls button, .seats, .tabs, .board-svg')].map(e => {
    const { x, y, width, height } = e.getBoundingClientRect();
    const name = (e.dataset.do ?? e.className.baseVal ?? e.className);
    return [name, [x, y + scrollY, width, height].map(Math.round)];
  }))"""
DURING = ".status.is-thinking"
SIZES = pytest.mark.parametrize(
    ("size", "locale"),
    [("phone", "de-DE"), ("laptop", "en-GB"), pytest.param("laptop", "de-DE", marks=pytest.mark.slow)],
)


def boxes(screen: Screen) -> dict[str, Any]:
    """Where everything is that must not move."""
    found: dict[str, Any] = screen.page.evaluate(BOXES)
    return {name: box for name, box in found.items() if name not in ("seats", "tabs") or box}


# --- searching ------------------------------------------------------------------------------------


@SIZES
def test_thinking_shows_and_nothing_moves(
    open_screen: Callable[..., Screen], served: Served, size: str, locale: str
) -> None:
    screen = open_screen(served, size, locale=locale)
    screen.begin("connect-four", PERSON, agent("mcts:seconds=3"))
    screen.page.wait_for_selector('[data-do="now"]')
    for ply in (0, 2):
        before = boxes(screen)
        assert screen.page.locator(DURING).count() == 0 and screen.page.is_disabled('[data-do="now"]')
        screen.tap("column-3")
        screen.page.wait_for_selector(f"{DURING} .dots")
        screen.page.wait_for_selector('[data-do="now"]:enabled')
        assert boxes(screen) == before
        screen.shot("during")
        screen.press("now")
        screen.wait_moves(ply + 2)
        screen.page.wait_for_selector(DURING, state="detached")
        assert boxes(screen) == before


def test_every_agent_that_is_watched_can_be_told_to_move_now(screen: Screen) -> None:
    screen.begin("connect-four", agent("mcts:seconds=20"), agent("mcts:seconds=20"), pace=0)
    for moves in (1, 2, 3):
        screen.page.wait_for_selector(DURING)
        before = boxes(screen)
        screen.page.wait_for_selector('[data-do="now"]:enabled')
        screen.press("now")
        screen.wait_moves(moves)
        assert boxes(screen) == before


# --- hints ----------------------------------------------------------------------------------------


@SIZES
@pytest.mark.parametrize("other", [PERSON, agent("random")])
def test_a_hint_shows_at_once_that_it_works_and_can_be_cancelled(
    open_screen: Callable[..., Screen], served: Served, size: str, locale: str, other: dict[str, str]
) -> None:
    screen = open_screen(served, size, locale=locale)
    screen.begin("connect-four", PERSON, other)
    screen.page.wait_for_selector('[data-do="hint"]:enabled')
    slow_hints = "() => { const send = WebSocket.prototype.send; WebSocket.prototype.send = function (text) { \
        const m = JSON.parse(text); if (m.type === 'hint') m.spec = 'mcts:seconds=4'; \
        send.call(this, JSON.stringify(m)); }; }"
    screen.page.evaluate(slow_hints)
    before = boxes(screen)
    at_once = "() => { document.querySelector('[data-do=\"hint\"]').click(); \
        const hint = document.querySelector('[data-do=\"hint\"]'); \
        return [hint.disabled, hint.ariaBusy, hint.ariaPressed]; }"
    assert screen.page.evaluate(at_once) == [True, "true", "true"]
    screen.page.wait_for_selector('[data-do="cancel"]:enabled')
    screen.page.wait_for_selector(DURING)
    assert boxes(screen) == before
    screen.shot("hint")
    screen.press("cancel")
    screen.page.wait_for_selector('[data-do="hint"]:enabled')
    assert screen.page.inner_text(".progress-text") == "" and screen.page.locator(".notice").count() == 0
    assert boxes(screen) == before
    screen.press("hint")
    screen.page.wait_for_selector(".progress.is-hint")
    assert boxes(screen) == before
    assert screen.page.is_enabled('[data-do="hint"]')


# --- kernels --------------------------------------------------------------------------------------


@pytest.fixture
def cold(serve: Callable[..., Served], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Served:
    """A server with a small game that nobody has compiled yet."""
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    return serve(games=[str(shutil.copy(GARDEN, tmp_path / "meadow.py"))])


@pytest.mark.parametrize(
    ("size", "locale", "turn", "work"),
    [
        ("phone", "de-DE", "Macht sich bereit", "Vorbereitung des Gegners: erstes Kompilieren, etwa 8 s"),
        ("laptop", "en-GB", "Getting ready", "Getting the opponent ready: first compilation, about 8 s"),
    ],
    ids=["phone", "laptop"],
)
def test_the_page_says_what_is_compiled_and_for_how_long_and_no_clock_runs(
    open_screen: Callable[..., Screen], cold: Served, size: str, locale: str, turn: str, work: str
) -> None:
    screen = open_screen(cold, size, locale=locale)
    screen.begin("meadow", PERSON, agent("random"), clock=60)
    screen.page.wait_for_selector('[data-do="now"]')
    before = boxes(screen)
    screen.page.click('[data-action="6"]')
    screen.wait_status(turn)
    said = "pattern => new RegExp(pattern).test(document.querySelector('.progress-text').innerText)"
    screen.page.wait_for_function(said, arg=work)
    screen.page.wait_for_function("() => document.querySelector('.progress-bar').ariaValueNow > 0")
    assert screen.page.locator(".seat-clock").count() == 2 and screen.page.locator(".seat-clock.running").count() == 0
    assert {name: box[1] for name, box in boxes(screen).items()} == {name: box[1] for name, box in before.items()}
    screen.shot("compiling")
    screen.wait_moves(2)
    screen.page.wait_for_function("() => document.querySelector('.progress-text').innerText === ''")
    screen.page.wait_for_selector(".seat-clock.running")


def test_a_game_begins_once_however_often_one_presses(open_screen: Callable[..., Screen], served: Served) -> None:
    """The server takes its time, as it does when it compiles the rules first."""
    screen, begun = open_screen(served, "phone"), []
    screen.page.route("**/api/sessions", lambda route: begun.append(route))
    screen.page.goto(f"{screen.address}#/setup/tic-tac-toe")
    screen.page.click('[data-key="begin"]')
    screen.page.wait_for_selector('[data-key="begin"]:disabled')
    screen.page.click('[data-key="begin"]', force=True)
    assert len(begun) == 1
    begun[0].continue_()
    screen.page.wait_for_selector(".play")


def test_an_analysis_says_what_it_waits_for_and_can_be_cancelled(
    open_screen: Callable[..., Screen], cold: Served
) -> None:
    screen = open_screen(cold)
    screen.begin("meadow", mode="analysis")
    screen.page.wait_for_selector('[data-do="think"]:enabled')
    screen.press("think")
    said = "pattern => new RegExp(pattern).test(document.querySelector('.progress-text').innerText)"
    screen.page.wait_for_function(said, arg="Getting the analysis ready")
    screen.press("stop")
    screen.page.wait_for_selector('[data-do="think"]:enabled')
    assert screen.page.inner_text(".progress-text") == ""


@pytest.mark.parametrize(
    ("size", "locale", "text"),
    [
        ("phone", "de-DE", "Der Computer macht sich bereit: etwa"),
        ("laptop", "en-GB", "The computer is getting ready: about"),
    ],
    ids=["phone", "laptop"],
)
def test_a_setup_page_gets_the_game_ready_and_says_so(
    open_screen: Callable[..., Screen], cold: Served, size: str, locale: str, text: str
) -> None:
    screen = open_screen(cold, size, locale=locale)
    screen.page.goto(f"{screen.address}#/setup/meadow")
    screen.page.wait_for_selector('[data-key="begin"]')
    begin = screen.page.locator('[data-key="begin"]').bounding_box()
    said = "text => document.querySelector('.setup .progress-text')?.innerText.startsWith(text)"
    screen.page.wait_for_function(said, arg=text)
    screen.shot("setup")
    assert screen.page.locator('[data-key="begin"]').bounding_box() == begin
