"""The Stage in a real browser: through a game in both directions, plans on the board, and steering by hand."""

from __future__ import annotations

import itertools
import pathlib
import random
import threading
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

import spielbaum
from spielbaum.arena import Store
from spielbaum.game import State
from spielbaum.games.spe_ed.lines import Line
from spielbaum.online import import_games
from spielbaum.online.event_stream import EventStream, EventStreams
from spielbaum.online.local_stage import recorded, state_message
from spielbaum.online.records import read
from spielbaum.online.stage import serve_stage
from spielbaum.online.stage_store import StageStore
from spielbaum.web.settings import Settings
from tests.games.spe_ed.rounds import begun, ride
from tests.web.server import Server
from tests.web.ui.screen import Screen
from tests.web.ui.test_axe import findings
from tests.web.ui.test_words import BROKEN, CUT_OFF

RECORDS = pathlib.Path(__file__).parents[2] / "online" / "recorded-games.jsonl.gz"
DRAWN = """() => {
  const canvas = document.querySelector('.stage-cells');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const field = getComputedStyle(document.documentElement).getPropertyValue('--r-field').trim();
  const free = [1, 3, 5].map(i => parseInt(field.slice(i, i + 2), 16)).join();
  let drawn = 0;
  for (let i = 0; i < data.length; i += 4) if ([data[i], data[i + 1], data[i + 2]].join() !== free) drawn += 1;
  return drawn;
}"""
ABOVE = """([x, y, width, margin]) => {
  const canvas = document.querySelector('.stage-over');
  const unit = canvas.width / (width + 2 * margin);
  return [...canvas.getContext('2d').getImageData((x + margin + 0.5) * unit, (y + margin + 0.5) * unit, 1, 1).data];
}"""
FRAMES = """() => new Promise(done => {
  const times = [];
  const note = time => (times.push(time), times.length < 600 ? requestAnimationFrame(note) : done(times));
  requestAnimationFrame(note);
})"""
FRAME = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


class Theatre(NamedTuple):
    """A server with games to look at."""

    address: str
    streams: EventStreams


@pytest.fixture(scope="module")
def theatre() -> Iterator[Theatre]:
    streams = EventStreams()
    with serve_stage(streams) as address:
        yield Theatre(address, streams)


@pytest.fixture(scope="module")
def short() -> EventStream:
    """A recorded game of four with nineteen rounds."""
    return recorded(next(record for record in read(RECORDS) if record["id"] == "SMHFWRLQHMDNIQXO"))


def begin() -> tuple[State, EventStream]:
    """A game of two that goes on."""
    state, stream = begun("2,2,right", "9,5,left"), EventStream("two", names=("Ada", "Bob"))
    stream.show(state_message(state))
    return state, stream


def look(
    open_screen: Callable[..., Screen], theatre: Theatre, stream: EventStream, size: str = "laptop", **how: Any
) -> Screen:
    """A screen that shows a game."""
    theatre.streams.add(stream)
    name = next(name for name, other in theatre.streams.items() if other is stream)
    screen = open_screen(theatre, size, **how)
    screen.page.goto(f"{theatre.address}#/stage/{name}")
    screen.page.wait_for_selector(".stage-over[aria-label]")
    return screen


def wait_round(screen: Screen, text: str) -> None:
    screen.page.wait_for_function(
        "text => document.querySelector('.stage-where')?.innerText.startsWith(text)", arg=text
    )
    screen.page.evaluate(FRAME)


def drawn_until(stream: EventStream, number: int) -> int:
    """How many cells are drawn after a round."""
    board = np.zeros(stream.width * stream.height, np.int8)
    for shot in stream.shots[: number + 1]:
        board[shot.cells[::2]] = shot.cells[1::2]
    return int(np.count_nonzero(board))


def test_a_recorded_game_is_played_and_gone_through_in_both_directions(open_screen, theatre, short):
    screen = look(open_screen, theatre, short)
    screen.page.click('[data-pace="30"]')
    wait_round(screen, "Round 19 of 19")
    assert "Victory" in screen.page.inner_text(".stage-where")
    assert screen.page.evaluate(DRAWN) == drawn_until(short, 19)
    screen.press("back")
    screen.page.keyboard.press("ArrowLeft")
    wait_round(screen, "Round 17 of 19")
    assert screen.page.evaluate(DRAWN) == drawn_until(short, 17) < drawn_until(short, 19)
    screen.press("first")
    wait_round(screen, "Round 0 of 19")
    assert screen.page.evaluate(DRAWN) == 4
    screen.press("next")
    wait_round(screen, "Round 1 of 19")
    assert screen.page.evaluate(DRAWN) == drawn_until(short, 1)
    screen.page.focus(".stage-slider")
    screen.page.keyboard.press("End")
    wait_round(screen, "Round 19 of 19")
    places = screen.page.locator(".stage-facts").all_text_contents()
    assert sum("place 1" in told for told in places) == 1 and sum("out in round" in told for told in places) == 3
    assert screen.page.locator('[data-do="take"]').is_hidden()  # it is over


def test_a_pause_holds_and_playing_goes_on(open_screen, theatre, short):
    screen = look(open_screen, theatre, short)
    screen.page.click('[data-pace="2"]')
    screen.press("pause")
    before = screen.page.inner_text(".stage-where")
    screen.page.wait_for_timeout(700)
    assert screen.page.inner_text(".stage-where") == before
    screen.press("play")
    screen.page.wait_for_function("text => document.querySelector('.stage-where').innerText !== text", arg=before)


def test_looking_back_at_a_game_that_goes_on_and_live_again(open_screen, theatre):
    state, stream = begin()
    screen = look(open_screen, theatre, stream)
    for _ in range(3):
        stream.show(state_message(ride(state, ".", ".")))
    wait_round(screen, "Round 3 of 3")
    screen.press("back")
    wait_round(screen, "Round 2 of 3")
    stream.show(state_message(ride(state, ".", ".")))
    wait_round(screen, "Round 2 of 4")
    screen.press("live")
    wait_round(screen, "Round 4 of 4")
    stream.show(state_message(ride(state, ".", ".")))
    wait_round(screen, "Round 5 of 5")


def test_a_player_is_taken_over_and_its_answer_changes(open_screen, theatre):
    state, stream = begin()
    screen = look(open_screen, theatre, stream)
    screen.page.keyboard.press("ArrowUp")
    assert stream.taken(1) is None
    screen.page.click('[data-player="1"]')
    screen.page.keyboard.press(" ")
    screen.page.wait_for_selector('[data-action="change_nothing"][aria-pressed="true"]')
    assert stream.taken(1) == "change_nothing" and stream.taken(0) is None
    for key, action in {"ArrowLeft": "turn_left", "ArrowUp": "speed_up", "ArrowDown": "slow_down"}.items():
        screen.page.keyboard.press(key)
        screen.page.wait_for_selector(f'[data-action="{action}"][aria-pressed="true"]')
        assert stream.taken(1) == action
    screen.page.keyboard.press("ArrowRight")
    assert stream.wait(1, 5) and screen.page.wait_for_selector('[data-action="turn_right"][aria-pressed="true"]')
    stream.show(state_message(ride(state, ".", "r")))
    screen.page.wait_for_selector('[data-action="change_nothing"][aria-pressed="true"]')
    assert "steered by you" in screen.page.inner_text('[data-player="1"]')
    screen.page.keyboard.press(" ")
    screen.page.wait_for_selector('[data-action="turn_left"]:disabled')
    assert stream.taken(1) is None


def test_steering_by_touch_on_a_phone(open_screen, theatre):
    _, stream = begin()
    screen = look(open_screen, theatre, stream, "phone", has_touch=True)
    screen.page.tap('[data-player="0"]')
    screen.page.tap('[data-do="take"]')
    screen.page.wait_for_selector('[data-action="turn_left"]:enabled')
    screen.page.tap('[data-action="turn_left"]')
    screen.page.wait_for_selector('[data-action="turn_left"][aria-pressed="true"]')
    assert stream.taken(0) == "turn_left"
    assert screen.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_plans_are_drawn_over_the_board_in_two_colours_and_can_be_turned_off(open_screen, theatre):
    _, stream = begin()
    screen = look(open_screen, theatre, stream)
    own, other, margin = [5, 2, 12, 1], [9, 2, 12, 1], 1
    assert margin == own[3] and screen.page.evaluate(ABOVE, own)[3] == 0
    stream.think([Line(0, [(2, 2), (6, 2)], 0.9), Line(1, [(9, 5), (9, 1)], 0.6)], 0)
    screen.page.wait_for_selector(".stage-legend:not(.vacant)")
    screen.page.evaluate(FRAME)
    red, green, *_, shade = screen.page.evaluate(ABOVE, own)
    assert green > red and shade > 200
    red, green, *_, thinner = screen.page.evaluate(ABOVE, other)
    assert red > green and 0 < thinner < shade
    screen.page.click(".thoughts-switch")
    screen.page.evaluate(FRAME)
    assert screen.page.evaluate(ABOVE, own)[3] == screen.page.evaluate(ABOVE, other)[3] == 0


@pytest.mark.slow
def test_frames_while_plans_change_five_times_a_second(open_screen, theatre):
    """How smooth it is, is printed (`-s`), as it depends on the machine; all plans must have come."""
    stream, dice = EventStream("smooth"), random.Random(1)
    stream.show(state_message(spielbaum.load("spe-ed", width=80, height=80).new(1)))

    def ways() -> Iterator[Line]:
        for number in range(64):
            player = 0 if number < 32 else number % 5 + 1
            x, y = stream.shots[-1].players[player][:2]
            points = [(x, y)]
            for _ in range(39):
                across, along = dice.choice(((1, 0), (-1, 0), (0, 1), (0, -1)))
                x, y = min(79, max(0, x + across)), min(79, max(0, y + along))
                points.append((x, y))
            yield Line(player, points, dice.random())

    def think() -> None:
        while not done.wait(0.2):
            stream.think(list(ways()), 0)

    screen, done = look(open_screen, theatre, stream), threading.Event()
    thinking = threading.Thread(target=think)
    thinking.start()
    times = screen.page.evaluate(FRAMES)
    done.set()
    thinking.join()
    late = sum(after - before > 20 for before, after in itertools.pairwise(times))
    print(f"{late} of {len(times) - 1} frames took longer than 20 ms while plans changed {stream.thoughts} times")
    assert stream.thoughts > 5 and len(times) == 600


def test_after_a_lost_connection_all_is_told_again(open_screen, theatre):
    state, stream = begin()
    screen = look(open_screen, theatre, stream)
    screen.page.context.set_offline(True)
    for _ in range(2):
        stream.show(state_message(ride(state, ".", ".")))
    screen.page.context.set_offline(False)
    wait_round(screen, "Round 2 of 2")
    assert screen.page.evaluate(DRAWN) == drawn_until(stream, 2)


def test_new_games_come_into_the_list_by_themselves(open_screen, theatre):
    screen = open_screen(theatre)
    screen.page.goto(f"{theatre.address}#/stage")
    screen.page.wait_for_selector("h1")
    stream = EventStream("a new one")
    theatre.streams.add(stream)
    screen.page.click("text=a new one")
    stream.show(state_message(begun("2,2,right", "9,5,left")))
    screen.page.wait_for_selector(".stage-over[aria-label]")


def test_the_app_leads_to_stored_games(open_screen, tmp_path):
    with Store(tmp_path / "runs.db") as store:
        import_games.store_record(store, next(record for record in read(RECORDS) if record["id"] == "SMHFWRLQHMDNIQXO"))
    with Server(Settings(("spe-ed",)), StageStore(tmp_path / "runs.db")) as server:
        screen = open_screen(Theatre(f"http://127.0.0.1:{server.port}/", EventStreams()), "phone")
        screen.page.wait_for_selector(".card")
        assert screen.page.evaluate(CUT_OFF) == []
        screen.page.click(".bar a >> nth=1")
        screen.page.click(".records a")
        wait_round(screen, "Round")
        assert screen.page.url.endswith("#/stage/run-1-0")


@pytest.mark.needs("axe")
def test_neither_the_list_nor_a_game_has_findings(open_screen, theatre, short):
    _, stream = begin()
    screen = look(open_screen, theatre, stream)
    stream.think([Line(0, [(2, 2), (6, 2)], 0.9)], 0)
    screen.page.keyboard.press(" ")
    screen.page.wait_for_selector('[data-action="turn_left"]:enabled')
    assert findings(screen) == []
    screen.page.goto(f"{theatre.address}#/stage")
    screen.page.wait_for_selector(".records")
    assert findings(screen) == []


@pytest.mark.parametrize(
    ("locale", "words"), [("de-DE", ("Runde 0", "Übernehmen: Ada")), ("en-GB", ("Round 0", "Take over: Ada"))]
)
def test_no_word_is_broken_in_either_language(open_screen, theatre, locale, words):
    _, stream = begin()
    screen = look(open_screen, theatre, stream, locale=locale)
    assert screen.page.inner_text(".stage-where").startswith(words[0])
    assert screen.page.inner_text('[data-do="take"]') == words[1]
    for width, height in {320: 640, 768: 1024, 1366: 768, 3840: 2160}.items():
        screen.page.set_viewport_size({"width": width, "height": height})
        assert screen.page.evaluate(BROKEN) == [], width
        assert screen.page.evaluate(CUT_OFF) == [], width
    screen.page.click(".language")
    screen.page.wait_for_function("words => !document.body.innerText.includes(words)", arg=words[1])
