"""How Scotland Yard is drawn, and that nothing of it tells a detective where Mister X is."""

from __future__ import annotations

import json

import numpy as np
import pytest

import spielbaum
from spielbaum.games.scotland_yard.notation import believed
from spielbaum.games.scotland_yard.rules import MRX, REVEALS
from spielbaum.games.scotland_yard.scene import station_centre
from spielbaum.scenes.drawing import backdrop, gestures, scene, told
from spielbaum.web.catalogue import card
from spielbaum.web.live_game import LiveGame, Seat


def position(plies: int, seed: int = 3, **options: object) -> spielbaum.State:
    state, random = spielbaum.load("scotland-yard", **options).new(seed), np.random.default_rng(seed)
    for _ in range(plies):
        if not state.over:
            state.play(int(random.choice(state.actions)))
    return state


def test_the_plan_shows_all_stations_and_lines():
    drawn = backdrop(spielbaum.load("scotland-yard"))
    layers = {layer["name"]: layer["shapes"] for layer in drawn["layers"]}
    assert len(layers["stations"]) == len(layers["numbers"]) == 199
    assert len(layers["lines"]) == 346 + 99 + 20 + 3


@pytest.mark.parametrize("plies", [0, 1, 9, 25, 60, 400])
def test_every_move_of_a_position_can_be_made_on_its_scene(plies):
    state = position(plies)
    seat = None if state.over else state.player
    drawn = scene(state if seat is None else state.view(seat), seat)
    if not state.over:
        hands = [json.dumps([each["steps"], each["label"], each.get("group")]) for each in gestures(state, drawn)]
        assert len(hands) == len(set(hands)) == len(state.actions)


def test_a_detective_s_scene_is_the_same_wherever_mister_x_is():
    state = position(9)
    assert len(believed(state.record)) > 1
    drawn = set()
    for station in believed(state.record):
        state.record.at[MRX] = station
        drawn.add(json.dumps(scene(state.view(2), 2), sort_keys=True))
    assert len(drawn) == 1 and "person-0" not in drawn.pop()
    assert "person-0" in json.dumps(scene(state.view(MRX), MRX))


def test_detectives_are_told_mister_x_s_ticket_and_where_he_shows_himself():
    state = spielbaum.load("scotland-yard").new(3)
    others = told(state, MRX, state.parse("taxi 159"))[1:]
    assert all(each["steps"] == [] and each["label"]["en"] == "taxi" for each in others)
    while state.record.moves + 1 not in REVEALS or state.player != MRX:
        state.play(next(action for action in state.actions))
    assert all(each["steps"] for each in told(state, MRX, state.actions[0]))


@pytest.mark.parametrize("help", [True, False])
def test_without_help_nothing_tells_where_he_may_be(help):
    view = position(9, help=help).view(1)
    drawn = scene(view, 1)
    assert any(layer["name"] == "heat" and layer["shapes"] for layer in drawn["layers"]) is help
    assert ("possible stations" in str(drawn["panels"])) is help
    assert ("he may be at" in str(view)) is help


def test_detectives_see_a_pawn_where_mister_x_showed_himself_last():
    state = spielbaum.load("scotland-yard").new(3)
    met = set()
    while state.record.moves < 5:
        state.play(state.actions[0])
        drawn = {shape["id"]: shape for layer in scene(state, 1)["layers"] for shape in layer["shapes"]}
        met.add((int(state.record.moves), "shown" in drawn, drawn.get("shown", {}).get("opacity")))
        if "shown" in drawn:
            assert drawn["shown"]["title"]["en"] == "Mister X after move 3"
            x, y = station_centre(int(state.record.seen[0]))
            assert drawn["shown"]["at"][0] == x and drawn["shown"]["at"][1] < y  # above the number
    assert met == {(n, n >= 3, None if n <= 3 else 0.5) for n in (1, 2, 3, 4, 5)}
    assert "shown" not in json.dumps(scene(state, MRX)["layers"])  # he knows where he is


def test_where_he_is_visible_nothing_tells_where_he_may_be():
    shown = scene(position(5, visible=True), 1)
    assert "heat" not in {layer["name"] for layer in shown["layers"]}
    assert "outlook" not in {panel["id"] for panel in shown["panels"]}
    (people,) = (layer["shapes"] for layer in shown["layers"] if layer["name"] == "people")
    assert "person-0" in {shape["id"] for shape in people}


def test_numbers_lie_above_all_that_stands_on_the_plan():
    layers = {layer["name"]: layer for layer in backdrop(spielbaum.load("scotland-yard"))["layers"]}
    assert layers["numbers"]["over"] and not any(layers[name].get("over") for name in ("land", "lines", "stations"))


def live_game(**how: object) -> LiveGame:
    game = spielbaum.load("scotland-yard", players=3)
    seats = [Seat("agent", spec="random"), Seat("human"), Seat("human")]
    return LiveGame(game, "scotland-yard", seats, seed=3, **how)


def finished() -> tuple[LiveGame, list[str]]:
    """A whole game by chance, and what a detective was told of the journey before its end."""
    played, random, early = live_game(), np.random.default_rng(5), []
    while not played.over:
        early.append(json.dumps(journey_of(played, 1)))
        state = played.asking(played.turn([]))
        played.play(state.player, int(random.choice(state.actions)))
    return played, early


def journey_of(played: LiveGame, viewer: int | None) -> list[str]:
    panel = next(panel for panel in played.shown(viewer, [])["scene"]["panels"] if panel["id"] == "journey")
    return [item["label"]["en"] for item in panel.get("items", [])]


def test_the_journey_is_disclosed_at_the_end_and_not_before():
    played, early = finished()
    stations = [move.action % 200 for step in played.steps for move in step if move.seat == MRX]
    disclosed = journey_of(played, 1)
    assert [int(label.rsplit(" ", 1)[1]) for label in disclosed] == stations
    assert all(told.count("→") <= len(REVEALS) for told in early)


def test_who_gives_up_learns_nothing():
    played = live_game()
    for _ in range(8):
        played.play(played.state.player, played.state.actions[0])
    before = journey_of(played, 1)
    played.resign(1)
    assert journey_of(played, 1) == before and not any("→" in label for label in before[:2])


def test_the_end_is_told_to_who_looks_on():
    played, _ = finished()
    told = [played.shown(viewer, [])["scene"]["status"] for viewer in (None, MRX, 1)]
    if played.state.record.winner == MRX:
        assert [words["de"] for words in told][1:] == ["Du bist entkommen.", "Mister X ist dir entkommen."]
    else:
        assert told[2]["en"].startswith("You have caught Mister X at ") and told[1]["de"].startswith("Du wurdest an")
    assert "You" not in told[0]["en"] and "status" not in live_game().shown(1, [])["scene"]


def test_its_card_says_2_to_6_players():
    assert card(spielbaum.load("scotland-yard"))["players"] == [2, 6]
