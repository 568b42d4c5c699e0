"""Games in rounds at the screen: two people with one device between them, and one against the computer."""

from __future__ import annotations

import pathlib
import re
from collections.abc import Callable

import pytest

from tests.web.ui.conftest import Served
from tests.web.ui.screen import PERSON, Screen, agent

SHELLS = pathlib.Path(__file__).parents[2] / "small" / "shells.py"
HANDS = {"hand-0", "hand-1"}


@pytest.mark.parametrize(("size", "locale"), [("phone", "de-DE"), ("laptop", "en-GB")])
def test_two_at_one_screen_pass_it_to_choose_and_see_the_round_at_once(
    serve: Callable[..., Served], open_screen: Callable[..., Screen], size: str, locale: str
) -> None:
    screen = open_screen(serve(games=[str(SHELLS)]), size, locale=locale)
    screen.begin("shells", PERSON, PERSON)
    screen.wait_status("Wähle deinen Zug: Anna|Choose your move: Ann")
    assert re.search("gleichzeitig|at the same time", screen.page.inner_text(".status"))
    screen.shot("choose")
    screen.tap("shell-0")
    screen.page.wait_for_selector(".pass-screen")
    assert screen.pieces() == set() and screen.moves() == []
    screen.shot("pass-screen")
    screen.press("ready")
    screen.wait_status("Bernd|Bob")
    assert screen.pieces() == set() and screen.moves() == [] and screen.page.locator(".mark-last").count() == 0
    screen.tap("shell-2")
    screen.wait_moves(1)
    assert screen.page.locator(".pass-screen").count() == 0 and screen.pieces() == HANDS
    assert len(screen.moves()) == 1 and all(letter in screen.moves()[0] for letter in "ac")
    screen.shot("round")
    screen.tap("shell-1")  # Ann alone
    screen.wait_moves(2)
    screen.tap("shell-1")
    screen.press("ready")
    screen.tap("shell-1")
    screen.wait_status("Sieg|Victory|Unentschieden|Draw")
    screen.shot("end")
    screen.press("analyse")
    screen.page.wait_for_selector(".is-analysis")
    screen.page.wait_for_function("() => /3 (of|von) 3/.test(document.querySelector('.where').innerText)")
    screen.press("back")
    screen.page.wait_for_function("() => /2 (of|von) 3/.test(document.querySelector('.where').innerText)")
    screen.shot("analysis")


def test_one_against_the_computer_sees_both_choices_appear_together(
    serve: Callable[..., Served], open_screen: Callable[..., Screen]
) -> None:
    screen = open_screen(serve(games=[str(SHELLS)]))
    screen.begin("shells", PERSON, agent("mcts:seconds=4"))
    screen.page.click('[data-tab="thoughts"]')
    screen.wait_status("Choose your move: Ann")
    assert screen.page.locator(".edges").count() == 0
    screen.tap("shell-0")
    screen.wait_status("Waiting for: Bob|preparing|getting ready")
    screen.page.wait_for_selector(".mark-last")  # the own choice
    assert screen.pieces() == set() and screen.moves() == []
    screen.shot("waiting")
    screen.press("now")
    screen.wait_moves(1)
    assert screen.pieces() == HANDS
    screen.page.wait_for_selector(".edges tbody tr")  # what it thought, now that the round is over
    screen.shot("round")
    screen.tap("shell-0")
    screen.wait_moves(2)
    screen.tap("shell-0")
    screen.wait_status("won|Draw")
    screen.press("undo")
    screen.wait_status("Choose your move: Ann")
    assert len(screen.moves()) == 2


@pytest.mark.parametrize("size", ["phone", "laptop"])
def test_two_ride_light_cycles_to_the_end_at_one_screen(
    serve: Callable[..., Served], open_screen: Callable[..., Screen], size: str
) -> None:
    screen = open_screen(serve(games=["light-cycles"]), size)
    screen.begin("light-cycles", PERSON, PERSON, options={"width": 4, "height": 4})
    over = False
    while not over:
        rounds, start = len(screen.moves()), {rider: screen.place(rider) for rider in ("rider-0", "rider-1")}
        ride(screen)
        screen.page.wait_for_selector(".pass-screen")
        screen.press("ready")
        screen.page.wait_for_selector(".pass-screen", state="detached")
        assert {rider: screen.place(rider) for rider in start} == start  # nobody has moved yet
        ride(screen)
        screen.wait_moves(rounds + 1)
        screen.page.wait_for_timeout(500)  # until they have arrived
        screen.shot(f"round-{rounds + 1}")
        over = bool(screen.page.locator('[data-do="again"]').count())
    assert re.search("Victory|Draw", screen.status)


def ride(screen: Screen) -> None:
    """Go to a cell that may be touched, or take the way out that is left as a button."""
    screen.page.wait_for_selector(".play [data-step], .action", state="attached")
    ways = screen.page.locator(".play [data-step]")
    if ways.count():
        ways.first.click(force=True)
    else:
        screen.page.click(".action >> nth=0")
