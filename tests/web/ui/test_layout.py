"""From a phone to a touch table, by day and by night: nothing sticks out, nothing is too small to touch."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import spielbaum
from tests.web.ui.conftest import Served
from tests.web.ui.screen import PERSON, Screen

FINGER = {"phone": 44, "laptop": 44, "table": 72}  # pixels
SMALL_CONTROLS = """finger => [...document.querySelectorAll('button, select, summary, .card, .button, input')]
  .filter(e => e.checkVisibility() && !e.matches('.switch'))
  .map(e => [e.getBoundingClientRect(), e])
  .filter(([box]) => box.width > 0 && (box.height < finger - 0.5 || box.width < finger - 0.5))
  .map(([box, e]) => `${e.outerHTML.slice(0, 60)} ${box.width}x${box.height}`)"""
OVERFLOW = """() => [...document.querySelectorAll('body *')]
  .filter(e => !e.closest('svg, pre, .branches') && e.checkVisibility())
  .map(e => [e.getBoundingClientRect(), e])
  .filter(([box]) => box.width > 0 && (box.right > innerWidth + 1 || box.left < -1))
  .map(([box, e]) => e.outerHTML.slice(0, 80))"""


def check(screen: Screen, size: str, name: str) -> None:
    screen.page.wait_for_timeout(350)
    screen.shot(name)
    assert screen.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), name
    assert screen.page.evaluate(OVERFLOW) == [], name
    assert screen.page.evaluate(SMALL_CONTROLS, FINGER[size]) == [], name


@pytest.mark.parametrize(
    ("size", "scheme", "locale"),
    [("phone", "light", "de-DE"), ("laptop", "dark", "en-GB"), ("table", "light", "de-DE")],
)
def test_all_screens_fit(
    open_screen: Callable[..., Screen], served: Served, size: str, scheme: str, locale: str
) -> None:
    screen = open_screen(served, size, color_scheme=scheme, locale=locale)
    screen.page.wait_for_selector(".card .board-svg")
    check(screen, size, "start")
    screen.page.goto(f"{screen.address}#/setup/latrunculi")
    screen.page.wait_for_selector(".setup-picture .board-svg")
    check(screen, size, "setup")
    screen.page.eval_on_selector_all("details", "all => all.forEach(fold => (fold.open = true))")
    check(screen, size, "setup-unfolded")
    screen.page.goto(f"{screen.address}#/rules/latrunculi")
    screen.page.wait_for_selector(".rules-text .board-svg")
    check(screen, size, "rules")
    screen.page.goto(f"{screen.address}#/analysis")
    screen.page.wait_for_selector("#pasted")
    check(screen, size, "analysis")
    for game in ("latrunculi", "pig", "pursuit"):
        screen.begin(game, *[PERSON] * (3 if game == "pursuit" else 2))
        screen.page.wait_for_selector(".play .board-svg")
        check(screen, size, game)


@pytest.mark.parametrize("size", ["laptop", "table"])
def test_game_screen_needs_no_scrolling_and_the_board_is_large(
    open_screen: Callable[..., Screen], served: Served, size: str
) -> None:
    screen = open_screen(served, size)
    screen.begin("latrunculi", PERSON, PERSON)
    screen.page.wait_for_selector(".play .board-svg")
    assert screen.page.evaluate("() => document.documentElement.scrollHeight <= innerHeight + 1")
    assert screen.page.evaluate(
        "() => document.querySelector('.board-svg').getBoundingClientRect().height > 0.85 * innerHeight"
    )


def test_two_fingers_zoom_and_one_still_plays(open_screen: Callable[..., Screen], served: Served) -> None:
    screen = open_screen(served, "phone", has_touch=True)
    screen.begin("latrunculi", PERSON, PERSON)
    screen.page.wait_for_selector(".play [data-step]", state="attached")
    x, y = screen.middle("d4")
    fingers = screen.page.context.new_cdp_session(screen.page)
    for kind, apart in (("touchStart", 20), ("touchMove", 40), ("touchMove", 60)):
        points = [{"x": x - apart, "y": y, "id": 0}, {"x": x + apart, "y": y, "id": 1}]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    screen.page.wait_for_selector(".play .zoomed")
    assert screen.moves() == []
    screen.page.click(".viewport-controls button >> nth=2")
    screen.touch_drag("d1", "d3")
    screen.wait_moves(1)


def test_zoom_by_wheel_and_buttons_keeps_within_the_board(screen: Screen) -> None:
    screen.begin("latrunculi", PERSON, PERSON)
    screen.page.wait_for_selector(".play [data-step]", state="attached")
    whole = screen.page.get_attribute(".play .board-svg", "viewBox")
    screen.page.mouse.move(*screen.middle("b2"))
    screen.page.mouse.wheel(0, -400)
    screen.page.wait_for_selector(".play .zoomed")
    screen.drag("b1", "b3")
    screen.wait_moves(1)
    screen.page.click(".viewport-controls button >> nth=2")
    assert screen.page.get_attribute(".play .board-svg", "viewBox") == whole


SHARES = """() => {
  const svg = document.querySelector('.play .board-svg, .setup-picture .board-svg');
  const [box, { width, height }] = [svg.getBoundingClientRect(), svg.viewBox.baseVal];
  const scale = Math.min(box.width / width, box.height / height);
  return [(width * scale) / innerWidth, (height * scale) / innerHeight];
}"""


@pytest.mark.parametrize("game", ["latrunculi", "connect-four", "scotland-yard", "pig"])
def test_a_wide_screen_gives_the_room_to_the_board(screen: Screen, game: str) -> None:
    screen.begin(game, *[PERSON] * spielbaum.load(game).players)
    screen.page.wait_for_selector(".play .board-svg", state="attached")
    for size in ({"width": 1920, "height": 1080}, {"width": 3840, "height": 2160}):
        screen.page.set_viewport_size(size)
        across, upright = screen.page.evaluate(SHARES)
        assert upright > 0.96 or across > 0.74, (size, across, upright)


def test_a_wide_screen_gives_the_room_to_the_board_that_is_set_up(screen: Screen) -> None:
    screen.page.goto(f"{screen.address}#/setup/latrunculi")
    screen.page.wait_for_selector(".setup-picture .board-svg")
    for size in ({"width": 1920, "height": 1080}, {"width": 3840, "height": 2160}):
        screen.page.set_viewport_size(size)
        assert screen.page.evaluate(SHARES)[1] > 0.65, size
