"""Latrunculi by hand: drag and drop, touch and keys, in real Chromium."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Route

from tests.web.ui.conftest import Served
from tests.web.ui.screen import PERSON, Screen, agent, squares

SMALL = {"board": "6x6"}
GAME = [
    "c1-c3", "b6-b2", "c3-b3xb2", "f1-f4", "e6-e4", "d1-d4xe4", "e1-e4", "a6-a2", "b3-a3xa2", "e4-e6", "d6-d5",
    "e6-d6xd5", "b1-b6xc6",
]  # fmt: skip


def two_people(screen: Screen) -> Screen:
    screen.begin("latrunculi", PERSON, PERSON, options=SMALL)
    return screen


def test_full_game_by_drag_and_drop(screen: Screen) -> None:
    two_people(screen)
    assert screen.status == "To move: shells"
    for number, move in enumerate(GAME, 1):
        screen.drag(*squares(move))
        screen.wait_moves(number)
    screen.wait_status("Victory: shells")
    assert screen.moves() == GAME
    assert screen.page.locator('[data-panel="taken-0"] .symbol').count() == 5
    screen.shot()


@pytest.mark.parametrize("size", ["phone", "table"])
def test_full_game_by_touch(open_screen: Callable[..., Screen], served: Served, size: str) -> None:
    screen = two_people(open_screen(served, size, has_touch=True))
    for number, move in enumerate(GAME, 1):
        origin, target = squares(move)
        if number % 2:
            screen.touch_drag(origin, target)
        else:
            screen.touch_tap(origin)
            screen.touch_tap(target)
        screen.wait_moves(number)
    screen.wait_status("Victory: shells")
    screen.shot()


def test_wrong_drop_snaps_back(screen: Screen) -> None:
    two_people(screen)
    before = screen.place("shell-c1")
    screen.drag("c1", "d3")
    screen.page.wait_for_function("() => !document.querySelector('.ghost, .lifted')")
    assert screen.place("shell-c1") == pytest.approx(before, abs=1)
    assert screen.leftovers() == 0
    assert screen.moves() == []
    screen.drag("c1", "c2")
    screen.wait_moves(1)


def test_only_the_side_to_move_can_be_dragged(screen: Screen) -> None:
    two_people(screen)
    screen.page.wait_for_selector('[data-step="c1"]')
    before = screen.place("stone-c6")
    screen.page.mouse.move(*screen.middle("c6"))
    screen.page.mouse.down()
    screen.page.mouse.move(*screen.middle("c4"), steps=4)
    assert screen.page.locator(".ghost").count() == 0
    assert screen.place("stone-c6") == pytest.approx(before, abs=1)
    screen.page.mouse.up()
    assert screen.moves() == []


def test_legal_targets_light_up_and_go_out(screen: Screen) -> None:
    two_people(screen)
    screen.tap("c1")
    assert screen.lit() == {"c1", "c2", "c3", "c4", "c5"}
    screen.shot("targets")
    screen.tap("d1")
    assert screen.lit() == {"d1", "d2", "d3", "d4", "d5"}
    screen.tap("d1")
    assert screen.lit() == set()


def test_fast_successive_moves_leave_nothing_behind(screen: Screen) -> None:
    two_people(screen)
    for number, move in enumerate(GAME[:8], 1):
        origin, target = squares(move)
        if number % 2:
            screen.drag(origin, target)
        else:
            screen.tap(origin)
            screen.tap(target)
    screen.wait_moves(8)
    screen.page.wait_for_timeout(600)  # until all have come to rest
    assert screen.leftovers() == 0
    assert screen.page.locator(".leaving").count() == 0
    for piece in screen.pieces():
        assert screen.place(piece) == pytest.approx(screen.middle(piece.split("-")[1]), abs=1), piece


def test_keys_alone_make_a_move(screen: Screen) -> None:
    two_people(screen)
    screen.page.wait_for_selector('[data-step="a1"]')
    for _ in range(40):
        if screen.page.evaluate("document.activeElement?.dataset?.step"):
            break
        screen.page.keyboard.press("Tab")
    screen.page.keyboard.press("ArrowRight")
    assert screen.page.evaluate("document.activeElement.getAttribute('aria-label')") == "b1, shell"
    screen.page.keyboard.press("Enter")
    screen.page.keyboard.press("ArrowUp")
    screen.page.keyboard.press("ArrowUp")
    screen.page.keyboard.press("Enter")
    screen.wait_moves(1)
    assert screen.moves()[0].startswith("b1-b")


def test_undo_takes_back_to_ones_own_decision(screen: Screen) -> None:
    screen.begin("latrunculi", PERSON, agent("random"), options=SMALL)
    screen.drag("c1", "c4")
    screen.wait_moves(2)
    screen.page.wait_for_selector('[data-do="undo"]:not(:disabled)')
    screen.wait_status("Your turn")
    screen.press("undo")
    screen.page.wait_for_function("() => document.querySelectorAll('.move-list li').length === 0")
    assert "shell-c1" in screen.pieces()


def test_hint_points_at_a_legal_move(screen: Screen) -> None:
    screen.begin("latrunculi", PERSON, agent("random"), options=SMALL)
    screen.page.wait_for_selector('[data-do="hint"]:not(:disabled)')
    screen.press("hint")
    screen.page.wait_for_selector(".way-hint")
    hint = screen.page.inner_text(".progress.is-hint .progress-text").removeprefix("Hint: ")
    screen.shot()
    screen.drag(*squares(hint))
    screen.wait_moves(1)
    assert screen.moves()[0] == hint
    assert screen.page.locator(".way-hint").count() == 0


def test_resigning_is_told_in_words(screen: Screen) -> None:
    screen.begin("latrunculi", PERSON, agent("random"), options=SMALL)
    screen.press("resign")
    screen.page.click("dialog .primary")
    screen.wait_status("Given up: shells. The computer has won.")


def test_moves_do_not_glide_for_those_who_want_no_motion(open_screen: Callable[..., Screen], served: Served) -> None:
    screen = two_people(open_screen(served, reduced_motion="reduce"))
    screen.page.wait_for_selector('[data-id="shell-c1"]')
    assert screen.page.eval_on_selector('[data-id="shell-c1"]', "e => getComputedStyle(e).transitionDuration") == "0s"


def test_what_may_be_touched_is_looked_up_once_a_click(screen: Screen) -> None:
    """All legal moves are gone through once for each step that is done, however often the pointer asks."""

    def count(route: Route) -> None:
        body = route.fetch().text()
        counting = "globalThis.looked = (globalThis.looked ?? 0) + 1;"
        start = "export function optionsAfter(gestures, done) {"
        assert start in body
        route.fulfill(body=body.replace(start, start + counting), content_type="text/javascript")

    screen.page.route("**/board/steps.js", count)
    screen.page.reload()
    two_people(screen)
    screen.page.wait_for_selector('[data-step="c1"]', state="attached")
    screen.page.evaluate("globalThis.looked = 0")
    screen.page.mouse.click(*screen.middle("c1"))
    screen.page.wait_for_selector('[data-mark="c1"].mark-chosen', state="attached")
    assert screen.page.evaluate("globalThis.looked") == 1
