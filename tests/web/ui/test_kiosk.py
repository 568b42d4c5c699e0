"""A touch table in a museum, where nobody can break out and nobody has to tidy up."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.web.ui.conftest import Served
from tests.web.ui.hands import Screen

IDLE = 8  # seconds; a picture of a table takes a while on a busy machine


@pytest.fixture
def kiosk(serve: Callable[..., Served], open_screen: Callable[..., Screen]) -> Screen:
    return open_screen(serve(kiosk="latrunculi", idle=IDLE), "table", has_touch=True)


def test_kiosk_demonstrates_plays_and_returns_when_nobody_is_there(kiosk: Screen) -> None:
    page = kiosk.page
    page.wait_for_selector(".attract .way-last", state="attached", timeout=60_000)
    assert page.inner_text(".invitation") == "Berühren, um zu spielen"
    kiosk.shot("demonstration")

    page.touchscreen.tap(1500, 1000)
    page.wait_for_selector(".setup")
    kiosk.shot("setup")
    page.click('[data-chips="mode"] [data-value="people"]')
    page.click('[data-key="begin"]')
    kiosk.wait_status("Am Zug: Muscheln")
    page.click(".language")
    kiosk.wait_status("To move: shells")
    kiosk.shot("game")

    page.wait_for_selector(".attract", timeout=1000 * (IDLE + 10))
    assert page.evaluate("() => document.documentElement.lang") == "de"


def test_kiosk_has_no_way_out(kiosk: Screen) -> None:
    page = kiosk.page
    page.wait_for_selector(".attract")
    prevented = "name => !document.body.dispatchEvent(new Event(name, { bubbles: true, cancelable: true }))"
    assert page.evaluate(prevented, "contextmenu") and page.evaluate(prevented, "selectstart")
    page.click(".invitation")
    page.wait_for_selector(".setup")
    links = page.eval_on_selector_all("a", "links => links.map(link => link.getAttribute('href'))")
    assert all(link.startswith("#/") for link in links)
    assert page.evaluate("() => getComputedStyle(document.body).userSelect") == "none"
