"""What authors see: a game that draws nothing has a page of its own, one that fails says where."""

from __future__ import annotations

import pathlib
from collections.abc import Callable

import pytest

from tests.web.test_authors import EXAMPLE, LATE, line_of, write
from tests.web.ui.conftest import Served
from tests.web.ui.screen import PERSON, Screen

LEDGER = str(pathlib.Path(__file__).with_name("ledger.py"))
OUTSIDE = """() => [...document.querySelectorAll('.play pre, .play button, .play input')]
  .filter(e => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 1)
  .map(e => e.outerHTML.slice(0, 80))"""

CUT_NAMES = """() => [...document.querySelectorAll('.seat-name')]
  .filter(name => name.scrollWidth > name.clientWidth).map(name => name.textContent)"""


@pytest.mark.parametrize("size", ["phone", "laptop"])
def test_a_game_that_draws_nothing_has_a_page_of_its_text(
    open_screen: Callable[..., Screen], serve: Callable[..., Served], size: str
) -> None:
    screen = open_screen(serve(games=[LEDGER]), size)
    page = screen.page
    page.wait_for_selector(".card .text-board")
    screen.shot("start")
    page.click('[data-game="ledger"]')
    page.wait_for_selector("[data-key=begin]")
    assert page.locator(".chip-row >> text=hard").count() == 1
    screen.shot("setup")
    page.click(".setup-head .button")
    page.wait_for_selector(".rules-words")
    assert "Nobody may pass." in page.inner_text(".rules-words")
    screen.begin("ledger", PERSON, PERSON)
    page.wait_for_selector(".as-text pre")
    screen.shot("play")
    assert page.evaluate("() => document.querySelector('.as-text pre').scrollWidth") <= page.evaluate(
        "() => document.querySelector('.as-text pre').clientWidth"
    )
    assert page.evaluate(OUTSIDE) == []
    assert page.evaluate(CUT_NAMES) == []
    assert page.locator(".moves-found summary").count() == 10 and page.locator(".action").count() == 0
    page.click(".moves-found summary >> nth=2")
    page.wait_for_selector(".action")
    assert page.locator(".action:visible").count() == 12
    page.fill(".move-filter", "b3-7")
    page.click(".action:visible")
    screen.wait_moves(1)
    assert screen.moves()[0].endswith("b3-7")


def test_a_file_that_fails_has_a_card_and_the_others_can_be_played(
    open_screen: Callable[..., Screen], serve: Callable[..., Served], tmp_path: pathlib.Path
) -> None:
    screen = open_screen(serve(games=[LEDGER, write(tmp_path, "slip.py", "\nimport nowhere\n")]))
    screen.page.wait_for_selector(".card .text-board")
    told = screen.page.inner_text('.card[data-file="slip.py"]')
    assert "slip.py can't be loaded: ModuleNotFoundError" in told and "(slip.py:2)" in told
    screen.shot()
    screen.page.click('[data-game="ledger"]')
    screen.page.wait_for_selector("[data-key=begin]")


def test_a_scene_that_fails_says_where_and_the_game_goes_on(
    open_screen: Callable[..., Screen], serve: Callable[..., Served], tmp_path: pathlib.Path
) -> None:
    file = write(tmp_path, "late.py", EXAMPLE + LATE)
    screen = open_screen(serve(games=[file]))
    screen.begin("late", PERSON, PERSON)
    for moves in (1, 2):
        screen.tap("take-2")
        screen.wait_moves(moves)
    screen.page.wait_for_selector(".as-text pre")
    screen.shot()
    assert f"(late.py:{line_of(file, 'raise KeyError')})" in screen.page.inner_text(".status")
    assert str(tmp_path) not in screen.page.inner_text("body")
    screen.page.reload()
    screen.page.wait_for_selector(".as-text pre")
    screen.page.click(".action >> nth=0")
    screen.wait_moves(3)
