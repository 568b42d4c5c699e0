"""A touch table in a museum, where nobody can break out and nobody has to tidy up."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.web.ui.conftest import Served
from tests.web.ui.screen import Screen

IDLE = 12  # seconds, the last half of them with a warning; a picture of a table takes a while on a busy machine
RANKS = "() => new Set([...document.querySelectorAll('.play .ground [data-id]')].map(e => e.dataset.id)).size"


@pytest.fixture
def kiosk(serve: Callable[..., Served], open_screen: Callable[..., Screen]) -> Screen:
    return open_screen(serve(kiosk="latrunculi", idle=IDLE), "table", has_touch=True)


def test_kiosk_demonstrates_with_thoughts_and_one_touch_begins_a_small_game(kiosk: Screen) -> None:
    page = kiosk.page
    page.wait_for_selector(".attract .way-last", state="attached", timeout=60_000)
    page.wait_for_selector(".attract .share", state="attached", timeout=60_000)
    page.wait_for_selector(".attract-thoughts li")
    page.wait_for_selector(".attract-thoughts .curve-line", state="attached", timeout=60_000)
    kiosk.shot("demonstration")
    page.click('[data-chips="level"] [data-value="easy"]')
    assert page.get_attribute('[data-chips="level"] [data-value="easy"]', "aria-pressed") == "true"
    assert page.inner_text(".invitation") == "Spielen"
    page.tap(".invitation")
    kiosk.wait_status("Du bist am Zug: Muscheln")
    assert page.evaluate(RANKS) == 6 * 6
    page.wait_for_selector(".seats >> text=leicht")
    kiosk.shot("game")


def test_kiosk_asks_who_is_there_before_it_returns(kiosk: Screen) -> None:
    page = kiosk.page
    page.tap(".invitation")
    kiosk.wait_status("Muscheln")
    page.wait_for_selector("dialog .idle-count")
    assert page.inner_text("dialog h2") == "Noch da?"
    kiosk.shot("warning")
    page.touchscreen.tap(30, 1000)
    page.wait_for_selector("dialog", state="detached")
    kiosk.wait_status("Muscheln")
    page.click(".language")
    kiosk.wait_status("shells")
    page.wait_for_selector(".attract", timeout=1000 * (IDLE + 20))
    assert page.evaluate("() => document.documentElement.lang") == "de"
    assert page.locator("dialog").count() == 0


def test_kiosk_offers_no_expert_options(kiosk: Screen) -> None:
    page = kiosk.page
    page.wait_for_selector(".attract")
    page.touchscreen.tap(1500, 1000)
    page.wait_for_selector(".setup-picture .board-svg")
    kiosk.shot("setup")
    assert page.locator("details").count() == 0
    assert page.locator('[data-chips="preset"]').count() == 0
    page.click('[data-chips="mode"] [data-value="people"]')
    page.click('[data-key="begin"]')
    kiosk.wait_status("Am Zug: Muscheln")
    assert page.evaluate(RANKS) == 6 * 6


def test_kiosk_has_no_way_out(kiosk: Screen) -> None:
    page = kiosk.page
    page.wait_for_selector(".attract")
    prevented = "name => !document.body.dispatchEvent(new Event(name, { bubbles: true, cancelable: true }))"
    assert page.evaluate(prevented, "contextmenu") and page.evaluate(prevented, "selectstart")
    page.click('[data-do="choices"]')
    page.wait_for_selector(".setup")
    links = page.eval_on_selector_all("a", "links => links.map(link => link.getAttribute('href'))")
    assert all(link.startswith("#/") for link in links)
    assert page.evaluate("() => getComputedStyle(document.body).userSelect") == "none"
