"""Quick Civ by hand, in real Chromium: tile first, then building, with a finger; and why something can't be done."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from spielbaum.games.quick_civ.board import tile
from tests.web.ui.conftest import Served
from tests.web.ui.screen import PERSON, Screen, agent

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
    assert [len(line) for line in score_lines(screen)] == [ROUNDS + 1] * 4
    points = re.findall(r"\d+", screen.page.inner_text(".score-place figcaption"))
    shown = screen.page.inner_text('[data-panel="points"]')
    assert len(points) == 4 and all(re.search(rf"\b{number}\b", shown) for number in points)
    screen.shot("end")


def score_lines(screen: Screen) -> list[list[float]]:
    """How high each line of the score curve lies, step by step; the higher on the page, the smaller."""
    paths = screen.page.eval_on_selector_all(".score-line", "all => all.map(e => e.getAttribute('d'))")
    return [[float(part.split()[1]) for part in re.split("[ML]", path)[1:]] for path in paths]


def test_the_score_curve_grows_with_the_points(open_screen: Callable[..., Screen], served: Served) -> None:
    screen = open_screen(served, "tall", has_touch=True)
    start = (
        "map 1, round 40\nnw 0/0/5: city_center 1,1; church 7,7\nne 0/0/0: city_center 1,12\n"
        "se 0/0/0: city_center 13,12\nsw 0/0/0: city_center 13,1"
    )
    everybody = [agent("wait")] * 3
    screen.begin("quick-civ", PERSON, *everybody, options={"map": 1}, position=start, pace=0, seed=1)
    for number in range(1, 4):
        screen.page.wait_for_selector(".action-buttons button:enabled")
        wait(screen)
        screen.wait_moves(number)
    screen.page.wait_for_function(
        "() => document.querySelector('.score-line').getAttribute('d').split('L').length === 4"
    )
    ours, *others = score_lines(screen)
    assert ours == sorted(ours, reverse=True) and ours[0] > ours[-1]
    assert all(len(set(line)) == 1 and line[0] > ours[0] for line in others)
    assert "Points over the game: Northwest 29; Northeast 0" in screen.page.inner_text(".score-place figcaption")


def test_a_technology_is_researched_by_the_book(open_screen: Callable[..., Screen], served: Served) -> None:
    screen = open_screen(served, "tall", has_touch=True)
    options = {"map": 1, "rounds": ROUNDS, "science": True}
    screen.begin("quick-civ", PERSON, *[agent("wait")] * 3, options=options, pace=0, seed=1)
    screen.page.wait_for_selector('[data-step="science"]', state="attached")
    screen.page.touchscreen.tap(*screen.middle("science"))
    screen.page.locator(".choices button", has_text="Crafts").first.tap()
    screen.wait_moves(1)
    assert "researches Crafts" in screen.page.inner_text('[data-panel="last-round"]')
    listed = screen.page.inner_text('[data-panel="technologies"]')
    assert "Crafts: known" in listed and "Metallurgy: unlocks Smithy, Catapult; needs Art of war" in listed
    screen.page.touchscreen.tap(*screen.middle("science"))
    screen.page.locator(".notice", has_text="Faith costs 20 food, 20 material").wait_for()
    screen.shot()


def test_in_the_fog_others_are_not_shown(open_screen: Callable[..., Screen], served: Served) -> None:
    screen = open_screen(served, "tall", has_touch=True, locale="de-DE")
    options = {"map": 1, "rounds": ROUNDS, "fog": True}
    screen.begin("quick-civ", PERSON, *OTHERS, options=options, pace=0, seed=1)
    screen.page.wait_for_selector(f'[data-step="t{tile(1, 2)}"]', state="attached")
    pieces = screen.pieces()
    assert f"fog-{tile(1, 12)}" in pieces and f"building-{tile(1, 12)}" not in pieces
    assert f"building-{tile(1, 1)}" in pieces and f"fog-{tile(1, 4)}" not in pieces
    touch(screen, (1, 5))
    screen.page.locator(".notice", has_text="Außer Sicht").wait_for()
    screen.shot()


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
