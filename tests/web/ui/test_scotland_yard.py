"""Scotland Yard by hand, in real Chromium: whole games of either side, and what a detective's page holds."""

from __future__ import annotations

import re

import numpy as np
import pytest

import spielbaum
from tests.web.ui.screen import PERSON, Screen, agent

THREE = {"players": 3}
OVER = "won|Victory"


def is_over(screen: Screen) -> bool:
    return re.search(OVER, screen.status) is not None


def move_somewhere(screen: Screen) -> None:
    """Make a move when it is ours: tap a station that lights up, take the first ticket that is offered."""
    screen.page.wait_for_function(
        "() => document.querySelector('.play [data-step], [data-do=ready]')"
        " || /won|Victory/.test(document.querySelector('.turn')?.innerText ?? '')"
    )
    if screen.page.locator('[data-do="ready"]').count():
        screen.press("ready")
        screen.page.wait_for_selector(".play [data-step]", state="attached")
    if is_over(screen):
        return
    before = len(screen.moves())
    screen.page.locator(".play [data-step]").first.click(force=True)
    if screen.page.locator(".choices button").count():
        screen.page.click(".choices button >> nth=0")
    screen.wait_moves(before + 1)


def test_a_whole_game_as_mister_x(screen: Screen) -> None:
    screen.begin("scotland-yard", PERSON, agent("greedy-bool-1"), agent("greedy-bool-1"), options=THREE, pace=0, seed=3)
    screen.page.wait_for_selector('.play .pieces [data-id="person-0"]')
    places = screen.page.locator(".play [data-step]").count()
    assert places > 0 and screen.page.locator(".play .legal.ring.core").count() == places  # small places get a ring
    screen.shot()
    for _ in range(60):
        if is_over(screen):
            break
        move_somewhere(screen)
    assert is_over(screen)
    screen.shot("end")


def test_a_whole_game_as_detectives_who_never_see_mister_x_before_the_end(screen: Screen) -> None:
    heard: list[str] = []
    screen.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(str(frame))))
    screen.begin("scotland-yard", agent("distance"), PERSON, PERSON, options=THREE, pace=0, seed=3)
    screen.page.wait_for_selector('.play .pieces [data-id="person-1"]')  # with no screen to pass: they see the same
    assert "person-0" not in screen.pieces()
    screen.shot()
    for _ in range(120):
        shown = screen.pieces()  # first: the game may be over the moment after, and then shows him
        if is_over(screen):
            break
        assert "person-0" not in shown
        move_somewhere(screen)
    assert is_over(screen)
    assert re.search("You have (won|lost)|The computer has won", screen.status)
    assert re.search("You have caught Mister X|has escaped you|You have trapped", screen.page.inner_text(".status"))
    moves = screen.page.locator('[data-panel="journey"] li').all_inner_texts()
    assert moves and all("→" in move for move in moves)
    early = heard[:-3]  # the end shows him
    assert early and not any("person-0" in frame for frame in early)
    screen.shot("end")


@pytest.mark.parametrize("size", ["phone", "table"])
def test_the_plan_fits_every_screen(open_screen, served, size: str) -> None:
    screen = open_screen(served, size)
    screen.begin("scotland-yard", PERSON, agent("random"), agent("random"), options=THREE, pace=0, seed=3)
    screen.page.wait_for_selector('.play .ground [data-id="station-199"]', state="attached")
    x, y = screen.middle("station-199")
    width, height = screen.page.viewport_size["width"], screen.page.viewport_size["height"]
    assert 0 < x < width and 0 < y < 3 * height
    screen.shot()


def test_the_heat_map_can_be_turned_off_and_stays_so(screen: Screen) -> None:
    seats = (PERSON, agent("random"), agent("random"))
    screen.begin("scotland-yard", *seats, options=THREE, pace=0, seed=3)
    warm = screen.page.locator('.play [data-layer="heat"]')
    warm.wait_for()
    screen.press("layer-heat")
    warm.wait_for(state="hidden")
    screen.begin("scotland-yard", *seats, options=THREE, pace=0, seed=3)
    screen.page.wait_for_selector('.play .pieces [data-id="person-0"]')
    assert not warm.is_visible() and not screen.page.is_checked('[data-do="layer-heat"]')
    screen.press("layer-heat")
    warm.wait_for()
    screen.begin("scotland-yard", *seats, options={**THREE, "help": False}, pace=0, seed=3)
    screen.page.wait_for_selector('.play .pieces [data-id="person-0"]')
    assert screen.page.locator('[data-do="layer-heat"]').count() == 0


def test_the_journey_is_seen_without_scrolling_however_long_it_is(screen: Screen) -> None:
    seats = [agent("random"), *[PERSON] * 5]
    moves = long_game()
    screen.begin("scotland-yard", *seats, moves=moves, pace=0, seed=3)
    screen.page.wait_for_selector(".play [data-step]", state="attached")
    assert screen.page.locator('[data-panel="journey"] li').count() >= 12
    box = screen.page.locator('[data-panel="journey"]').bounding_box()
    assert box["y"] + box["height"] <= 768
    assert "shown" in screen.pieces()  # where Mister X was seen last
    screen.shot()


def long_game() -> list[int]:
    """The first moves of a game by chance in which Mister X is still free after twelve of his own."""
    game = spielbaum.load("scotland-yard")
    for attempt in range(100):
        state, random, moves = game.new(3), np.random.default_rng(attempt), list[int]()
        while not state.over and (state.record.moves < 12 or state.player == 0):
            moves.append(int(random.choice(state.actions)))
            state.play(moves[-1])
        if not state.over:
            return moves
    raise AssertionError("no game is long enough")


def test_one_person_can_choose_to_play_all_detectives(screen: Screen) -> None:
    screen.page.click('[data-game="scotland-yard"]')
    screen.page.wait_for_selector('[data-chips="side"] [data-value="all detectives"]')
    levels = screen.page.locator('[data-chips="level"] button').all_inner_texts()
    assert [level.strip().lower() for level in levels] == ["easy", "medium", "hard"]  # not those for one side only
    screen.page.click('[data-chips="side"] [data-value="all detectives"]')
    screen.shot()
    screen.page.click('[data-key="begin"]')
    screen.wait_status("Your turn: detective 1")
    assert screen.page.locator(".seats").inner_text().count("Person") == 5
