"""How spe_ed is drawn: what is painted round by round is what all rounds paint, and everything is told in words."""

from __future__ import annotations

import base64
import random
from typing import Any

import numpy as np

import spielbaum
from spielbaum.games.spe_ed import painting
from spielbaum.scenes import drawing
from spielbaum.web import catalogue
from tests.games.spe_ed.rounds import begun, cells, ride


def layer(state: spielbaum.State, name: str) -> Any:
    return next(one for one in drawing.scene(state, None)["layers"] if one["name"] == name)


def bitmap(state: spielbaum.State) -> np.ndarray:
    """u1[rows, columns]: what is sent to the browser."""
    sent = layer(state, "cells")
    return np.frombuffer(base64.b64decode(sent["data"]), np.uint8).reshape(sent["rows"], sent["columns"])


def role(state: spielbaum.State, x: int, y: int) -> str:
    return str(layer(state, "cells")["roles"][bitmap(state)[y, x]])


def played(game: spielbaum.Game, seed: int) -> list[spielbaum.State]:
    """All positions of a game, those within rounds as well."""
    state, dice = game.new(seed), random.Random(seed)
    found = [state.copy()]
    while not state.over:
        state.play(dice.choice([0, 0, 0, 0, 1, 2, 3]))
        found.append(state.copy())
    return found


def test_painting_goes_on_as_all_rounds_together_paint():
    game = spielbaum.load("spe-ed", players=4, width=15, height=12)
    for seed in range(3):
        for state in played(game, seed):
            done = painting.painting(game.tables, state.record, state.history)
            assert (done.cells == cells(state)).all()


def test_a_game_that_goes_on_is_not_painted_from_its_start(monkeypatch):
    game = spielbaum.load("spe-ed", players=3, width=15, height=12)
    states = played(game, 5)
    painting.paintings.clear()
    drawing.scene(states[0], None)
    monkeypatch.setattr(painting, "from_start", lambda *_: 1 / 0)
    for state in states[1:]:
        drawing.scene(state, None)


def test_games_that_begin_elsewhere_are_not_mistaken_for_each_other():
    one, other = begun("2,2,right", "9,5,left"), begun("2,3,right", "9,5,left")
    assert role(one, 2, 2) == role(other, 2, 3) == "player-1"
    assert role(other, 2, 2) == "field"


def test_only_so_many_paintings_are_kept(monkeypatch):
    monkeypatch.setattr(painting, "KEPT", 5)
    for state in played(spielbaum.load("spe-ed", players=2, width=20, height=20), 1):
        drawing.scene(state, None)
    assert len(painting.paintings) <= 5


def test_lines_have_their_owners_and_crashes_are_seen():
    state = ride(begun("2,4,right", "9,4,left"), "...", "...")
    assert [role(state, x, 4) for x in (2, 5, 6, 9)] == ["player-1", "player-1", "player-2", "player-2"]
    assert role(ride(begun("2,4,right", "6,4,left"), "..", ".."), 4, 4) == "ink"


def test_a_position_that_was_set_up_shows_lines_without_owners():
    state = ride(begun("2,4,right", "9,4,left"), "..", "..")
    state.history = None
    assert [role(state, x, 4) for x in (2, 3, 4, 5)] == ["muted", "muted", "muted", "field"]


def test_what_was_jumped_over_in_the_last_round_is_dashed_and_free():
    state = ride(begun("0,2,right", "19,8,left", width=22, height=9), "+++...", "......")
    jump = layer(state, "jumps")["shapes"]
    assert [(shape["dashed"], shape["edge"]) for shape in jump] == [(True, "player-1")]
    (first, y), (last, _) = jump[0]["points"]
    assert last > first and role(state, int(first), int(y)) == role(state, int(last), int(y)) == "field"
    assert not layer(ride(state, ".", "."), "jumps").get("shapes")


def test_heads_point_where_they_ride_and_say_so():
    state = ride(begun("2,2,right", "9,5,left"), "r+", ".+")
    shapes = {shape["id"]: shape for shape in layer(state, "heads")["shapes"] if "id" in shape}
    assert shapes["head-1"]["title"]["de"] == "Spieler 1, fährt nach unten, Tempo 2"
    (x, y), *_ = shapes["head-1"]["points"]
    assert y > abs(x)  # its tip is below
    (x, y), *_ = shapes["head-2"]["points"]
    assert -x > abs(y)  # and this one's on the left


def test_who_is_out_has_a_cross_and_a_place():
    state = ride(begun("0,2,left", "6,5,left", "9,1,down"), ".", ".", ".")
    heads = [shape.get("id") for shape in layer(state, "heads")["shapes"]]
    assert "out-1" in heads and "head-1" not in heads and "head-2" in heads
    panels = {panel["id"]: panel for panel in drawing.scene(state, None)["panels"]}
    assert [item["value"] for item in panels["player-1"]["items"]] == [3, 1]
    assert panels["player-2"]["items"][0]["label"]["en"] == "speed"


def test_the_box_follows_the_size_that_was_drawn():
    game = spielbaum.load("spe-ed")
    boxes = {tuple(drawing.scene(game.new(seed), None)["box"]) for seed in range(4)}
    assert len(boxes) == 4
    for seed in range(4):
        s, (left, _, across, _) = game.new(seed).record, drawing.scene(game.new(seed), None)["box"]
        assert left < 0 and across + 2 * left == s.width


def test_every_answer_has_a_button_and_silence_too():
    state = begun("2,2,right", "9,5,left", silence=True)
    made = drawing.gestures(state, drawing.scene(state, 0))
    assert [gesture.get("key") for gesture in made] == [" ", "ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown", None]
    assert not any(gesture["steps"] for gesture in made)


def test_an_answer_that_puts_one_out_is_marked():
    slow, fast = begun("2,2,right", "9,5,left"), ride(begun("2,2,right", "9,5,left"), "+", ".")
    labels = [drawing.gestures(state, drawing.scene(state, 0))[4]["label"]["en"] for state in (slow, fast)]
    assert labels == ["slower (out!)", "slower"]


def test_the_picture_on_the_start_page_is_a_game_with_lines_of_all():
    drawn = catalogue.card(spielbaum.load("spe-ed"))["scene"]
    sent = next(one for one in drawn["layers"] if one["name"] == "cells")
    assert {1, 2, 3, 4, 5, 6} <= set(base64.b64decode(sent["data"]))
