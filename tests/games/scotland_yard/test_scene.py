"""How Scotland Yard is drawn, and that nothing of it tells a detective where Mister X is."""

from __future__ import annotations

import json

import numpy as np
import pytest

import spielbaum
from spielbaum.games.scotland_yard.notation import believed
from spielbaum.games.scotland_yard.rules import MRX, REVEALS
from spielbaum.web.catalogue import card
from spielbaum.web.drawing import backdrop, gestures, scene, told


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


def test_its_card_says_2_to_6_players():
    assert card(spielbaum.load("scotland-yard"))["players"] == [2, 6]
