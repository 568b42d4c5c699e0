"""axe-core finds nothing on any screen, in daylight and at night."""

from __future__ import annotations

import pathlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import spielbaum
from spielbaum.game import names
from tests.web.ui.conftest import Served
from tests.web.ui.screen import PERSON, Screen, agent

pytestmark = pytest.mark.needs("axe")

SCHEMES: dict[str, dict[str, Any]] = {"light": {}, "dark": {"runOnly": ["color-contrast"]}}  # the rest has no colour
PICTURES = {"exclude": [["svg[role=img] > *"]]}  # what is in them is told by their names; axe is slow there
PAGES = {
    "": ".card-picture .board",
    "#/setup/connect-four": ".setup-picture .board",
    "#/setup/latrunculi": ".setup-picture .board",
    "#/setup/scotland-yard": ".setup-picture .board",
    "#/setup/pig": ".setup-picture .board",
    "#/rules/latrunculi": ".rules-text figure",
    "#/rules/kuhn-poker": ".rules-text",
    "#/rules/quick-civ": ".rules-text figure",
    "#/analysis": ".analysis-open",
    "#/nothing/here": "h1",
}


@pytest.fixture(scope="module")
def screen(browser: Any, served: Served) -> Iterator[Screen]:
    """One page for all tests: the app goes from screen to screen."""
    context = browser.new_context(viewport={"width": 1366, "height": 768}, locale="en-GB")
    page = context.new_page()
    page.goto(f"{served.address}#/rules/pig")
    yield Screen(page, served.address, pathlib.Path("axe"))
    context.close()


def findings(screen: Screen) -> list[str]:
    """What axe objects to, one line for each place."""
    from axe_playwright_python.sync_playwright import Axe

    found = []
    for scheme, options in SCHEMES.items():
        screen.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        screen.page.wait_for_timeout(250)  # colours fade from one to the other
        answer = Axe().run(screen.page, PICTURES, options={"resultTypes": ["violations"], **options})
        found += [
            f"{scheme}: {finding['id']}: {finding['help']}: {node['html'][:160]}"
            for finding in answer.response["violations"]
            for node in finding["nodes"]
        ]
    screen.page.emulate_media(color_scheme="light", reduced_motion="reduce")
    return found


@pytest.mark.parametrize("path", PAGES)
def test_pages_have_no_findings(path: str, screen: Screen) -> None:
    screen.page.goto(f"{screen.address}{path}")
    screen.page.wait_for_selector(PAGES[path])
    screen.page.evaluate("document.querySelectorAll('details').forEach((fold) => (fold.open = true))")
    assert findings(screen) == []


@pytest.mark.parametrize("game", names())
def test_playing_has_no_findings(game: str, screen: Screen) -> None:
    screen.begin(game, PERSON, *[agent("random")] * (len(spielbaum.load(game).seats) - 1))
    screen.page.locator('.action, .target[tabindex="0"]').first.focus()
    assert findings(screen) == []


def test_a_pass_and_play_screen_has_no_findings(screen: Screen) -> None:
    """Also below a pointer."""
    screen.begin("kuhn-poker", PERSON, PERSON)
    screen.page.wait_for_selector(".pass-screen")
    assert findings(screen) == []
    screen.page.hover('[data-do="ready"]')
    assert findings(screen) == []


def test_thoughts_tree_dialogs_and_analysis_have_no_findings(screen: Screen) -> None:
    screen.begin("connect-four", PERSON, agent("mcts:iterations=10"))
    screen.page.click('[role="tab"][data-tab="thoughts"]')
    screen.tap("column-3")
    screen.wait_moves(2)
    screen.page.wait_for_selector(".edges")
    assert findings(screen) == []
    screen.page.click('[data-key="tree"]')
    screen.page.wait_for_selector("dialog .node")
    assert findings(screen) == []
    screen.page.keyboard.press("Escape")
    screen.press("rules")
    screen.page.wait_for_selector("dialog .rules-text")
    assert findings(screen) == []
    screen.page.keyboard.press("Escape")
    screen.press("resign")
    assert findings(screen) == []
    screen.page.click("dialog .primary")
    screen.wait_status("won")
    assert findings(screen) == []
    screen.press("analyse")
    screen.page.wait_for_selector(".is-analysis .agent-picker")
    assert findings(screen) == []


def test_a_choice_between_moves_has_no_findings(screen: Screen) -> None:
    screen.begin("scotland-yard", *[PERSON] * 6)
    screen.press("ready")
    screen.page.locator('.target[tabindex="0"]').focus()
    screen.page.keyboard.press("Enter")
    screen.page.wait_for_selector(".choices")
    assert findings(screen) == []


def test_a_menu_with_pictures_and_notes_has_no_findings(screen: Screen) -> None:
    screen.begin("quick-civ", PERSON, *[agent("random")] * 3, options={"map": 1}, pace=0)
    screen.tap("t17")
    screen.page.wait_for_selector(".choices .note")
    assert findings(screen) == []


def test_a_kiosk_has_no_findings(open_screen: Callable[..., Screen], serve: Callable[..., Served]) -> None:
    screen = open_screen(serve(kiosk="tic-tac-toe"))
    screen.page.wait_for_selector(".attract-board .board")
    assert findings(screen) == []
    screen.page.click(".invitation")
    screen.page.wait_for_selector(".play .board")
    assert findings(screen) == []
