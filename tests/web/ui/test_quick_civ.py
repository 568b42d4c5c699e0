"""Quick Civ by hand, in real Chromium: tile first, then building, with a finger; and why something can't be done."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from spielbaum.games.quick_civ.board import tile
from tests.web.ui.conftest import Served
from tests.web.ui.hands import PERSON, Screen, agent

ROUNDS = 10
GAME = {"options": {"map": 1, "rounds": ROUNDS}, "pace": 0, "seed": 1}
OTHERS = [agent("greedy")] * 3


def touch(screen: Screen, place: tuple[int, int]) -> None:
    """Tap in the middle of a tile, whether anything can be done there or not."""
    screen.page.touchscreen.tap(*screen.middle(f"t{tile(*place)}"))


def gain(note: str) -> int:
    """What a note says that a build adds to all income."""
    return sum(int(number.replace("−", "-")) for number in re.findall(r"([+−]\d+) (?:food|material|points)", note))


def build(screen: Screen, place: tuple[int, int], building: str) -> None:
    touch(screen, place)
    screen.page.locator(".choices button", has_text=building).first.tap()


def wait(screen: Screen) -> None:
    screen.page.locator(".action-buttons button").tap()


def playing(open_screen: Callable[..., Screen], served: Served, **how: Any) -> Screen:
    screen = open_screen(served, "tall", has_touch=True, **how)
    screen.begin("quick-civ", PERSON, *OTHERS, **GAME)
    screen.page.wait_for_selector(f'[data-step="t{tile(1, 2)}"]', state="attached")
    return screen


def test_a_whole_game_against_three_agents_with_a_finger(open_screen: Callable[..., Screen], served: Served) -> None:
    screen = playing(open_screen, served)
    build(screen, (1, 2), "Stable")
    screen.wait_moves(1)
    assert f"building-{tile(1, 2)}" in screen.pieces()
    assert "Stable 1,2" in screen.page.inner_text('[data-panel="last-round"]')
    assert screen.page.locator(".mark-last").count() > 1  # what the others built is marked as well
    assert re.search(
        r"Northwest: Stable.*Stable \(Northwest\) on 1,2", screen.page.locator(".announced p").last.inner_text()
    )
    screen.shot("round")
    for number in range(1, ROUNDS):
        screen.page.wait_for_selector(".action-buttons button:enabled")
        wait(screen)
        screen.wait_moves(number + 1)
    screen.wait_status("won|lost|Victory")
    assert f"after {ROUNDS} rounds" in screen.page.inner_text('[data-panel="points"]').lower()
    screen.shot("end")


def test_the_menu_is_sorted_by_what_a_build_brings(open_screen: Callable[..., Screen], served: Served) -> None:
    screen = playing(open_screen, served)
    touch(screen, (1, 2))
    screen.page.wait_for_selector(".choices .note")
    groups = screen.page.locator(".choice-group").all()
    found = [group.locator(".note").all_inner_texts() for group in groups]
    gains = [[gain(note) for note in group] for group in found]
    assert all(group == sorted(group, reverse=True) for group in gains)
    assert [group[0] for group in gains] == sorted((group[0] for group in gains), reverse=True)
    assert gains[0][0] > 0 > gains[-1][-1] and found[0][0].endswith("for 10 material, 30 food")
    assert sum(map(len, found)) == 10  # what costs 50 can't be paid
    assert screen.page.locator(".choices .symbol use").count() == 10
    box = screen.page.locator(".choices").bounding_box()
    _, y = screen.middle(f"t{tile(1, 2)}")
    assert y < box["y"]  # the tile that is built on is not covered
    screen.shot()
    screen.page.locator(".choices .quiet").scroll_into_view_if_needed()
    screen.page.locator(".choices .quiet").tap()
    assert screen.page.locator(".choices").count() == 0 and screen.leftovers() == 0


def test_a_tap_where_nothing_can_be_built_is_answered_with_the_reason(
    open_screen: Callable[..., Screen], served: Served
) -> None:
    screen = playing(open_screen, served, locale="de-DE")
    for place, reason in (((7, 7), "Zu weit weg"), ((1, 12), "gehört Nordost"), ((1, 3), "dieses Feld kostet 90")):
        touch(screen, place)
        notice = screen.page.locator(".notice", has_text=reason)
        notice.wait_for()
        assert screen.page.locator(".choices").count() == 0
    screen.shot()
    touch(screen, (1, 2))
    screen.page.wait_for_selector(".choices")  # where something can be built nobody is told why not


def test_nobody_is_told_reasons_while_others_choose(open_screen: Callable[..., Screen], served: Served) -> None:
    screen = open_screen(served, "tall", has_touch=True)
    screen.begin("quick-civ", *OTHERS, agent("greedy"), **{**GAME, "pace": 5})
    screen.page.wait_for_selector('.play .ground [data-id="t112"]')
    touch(screen, (7, 7))
    screen.page.wait_for_timeout(100)
    assert screen.page.locator(".notice").count() == 0
