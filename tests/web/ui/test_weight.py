"""How much goes over the wire until the start page stands, counted by Chromium itself: headers and bodies."""

from __future__ import annotations

from typing import Any

from tests.web.ui.conftest import Served
from tests.web.ui.screen import Screen

FIRST, SECOND = 150_000, 10_000  # bytes
AHEAD = """async () => {  // what is likely to be needed next is loaded ahead, with all that it imports
  const loaded = () => performance.getEntriesByType("resource");
  for (let before = -1; before !== loaded().length || !loaded().some((e) => e.name.endsWith("/screens/rules.js")); ) {
    before = loaded().length;
    await new Promise((wake) => setTimeout(wake, 700));
  }
}"""


def wire(context: Any, server: Served) -> dict[str, int]:
    """Bytes that a visit to the start page transfers, by address."""
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    addresses: dict[str, str] = {}
    taken: dict[str, int] = {}

    def finished(event: dict[str, Any]) -> None:
        address = addresses[event["requestId"]].removeprefix(server.address)
        taken[address] = taken.get(address, 0) + event["encodedDataLength"]

    session.on("Network.responseReceived", lambda e: addresses.__setitem__(e["requestId"], e["response"]["url"]))
    session.on("Network.loadingFinished", finished)
    page.goto(server.address)
    page.wait_for_function("() => document.querySelectorAll('.card-picture .board').length > 8")
    page.evaluate(AHEAD)
    paints = page.evaluate("performance.getEntriesByType('paint').map(e => [e.name, Math.round(e.startTime)])")
    print(f"{sum(taken.values())} bytes in {len(taken)} requests; milliseconds: {dict(paints)}")
    page.close()
    return taken


def test_the_first_page_is_light_and_the_second_visit_lighter(browser: Any, served: Served) -> None:
    context = browser.new_context()
    first, second = wire(context, served), wire(context, served)
    context.close()
    heaviest = sorted(first.items(), key=lambda item: -item[1])[:5]
    assert sum(first.values()) < FIRST, heaviest
    assert sum(second.values()) < SECOND, second


def test_a_page_from_before_an_update_loads_itself_anew(screen: Screen) -> None:
    """Files of the old version are gone when such a page first asks for a screen."""
    loaded: list[bool] = []
    screen.page.on("domcontentloaded", lambda: loaded.append(True))
    screen.page.route(
        "**/screens/setup.js", lambda route: route.continue_() if loaded else route.fulfill(status=404, body="")
    )
    screen.page.evaluate("location.hash = '#/setup/pig'")
    screen.page.wait_for_selector(".setup-form button")
    assert loaded == [True]
