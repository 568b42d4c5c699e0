"""What Quick Civ shows: gains of builds, reasons, sieges and pressure, names and pictures of all buildings."""

from __future__ import annotations

import functools
import re
from typing import Any

import numpy as np
import pytest

import spielbaum
from spielbaum.errors import SpielbaumError
from spielbaum.games.quick_civ.board import tile
from spielbaum.games.quick_civ.buildings import MATERIAL
from spielbaum.games.quick_civ.effects import changes, unpacked
from spielbaum.games.quick_civ.evaluate import production_with
from spielbaum.games.quick_civ.rules import FOOD_PRICE, NOBODY, WAIT, distance, set_tile
from spielbaum.games.quick_civ.scene import EXISTING, ICONS, SYMBOLS
from spielbaum.games.quick_civ.tables import BUILDINGS, KINDS
from spielbaum.scenes import drawing

NUMBERS = {kind.key: number for number, kind in enumerate(BUILDINGS)}
RICH = 1000


@functools.cache
def four() -> spielbaum.Game:
    return spielbaum.load("quick-civ", map=1)


@functools.cache
def in_the_middle_of_a_game() -> spielbaum.State:
    """All sorts of buildings side by side, and everybody can afford everything."""
    dice, state = np.random.default_rng(4), four().new(1)
    for number in dice.choice(EXISTING, 90, replace=False):
        if state.record.owner[number] == NOBODY:
            set_tile(four().tables, state.record, number, dice.integers(4), dice.integers(KINDS))
    state.record.stock[:] = RICH
    return state


def with_buildings(*buildings: tuple[str, int, tuple[int, int]]) -> spielbaum.State:
    state = four().new(1)
    for key, player, place in buildings:
        set_tile(four().tables, state.record, tile(*place), player, NUMBERS[key])
    return state


def shapes(scene: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {shape["id"]: shape for layer in scene["layers"] for shape in layer["shapes"]}


def reasons(state: spielbaum.State, seat: int = 0) -> dict[str, str]:
    scene = drawing.scene(state, seat)
    return {place: reason["text"]["en"] for reason in scene["why"] for place in reason["places"]}


# --- the build menu -----------------------------------------------------------------------------


def test_gains_of_all_builds_are_those_of_the_rules():
    state = in_the_middle_of_a_game()
    t, s, player = four().tables, state.record, state.player
    codes = np.array(state.actions[:-1])
    sites = np.unique(codes // KINDS)
    assert len(codes) > 1000 and len(sites) * KINDS == len(codes)
    found = changes(t, s, player, sites).reshape(-1)
    picked = np.random.default_rng(1).choice(len(codes), 300, replace=False)
    for i in picked:
        wanted = production_with(t, s, player, codes[i] // KINDS, codes[i] % KINDS) - s.production[player]
        assert found[i] == wanted, four().new(1).format(int(codes[i]))


def test_a_build_says_what_it_brings_and_costs():
    state = with_buildings(("farm", 0, (1, 2)), ("farm", 0, (2, 2)))
    state.record.stock[0] = RICH
    windmill = tile(2, 3) * KINDS + NUMBERS["windmill"]
    told = drawing.gesture(state, windmill)
    away = distance(state.record, 0, tile(2, 3))
    assert told["note"]["en"] == f"+8 food for 50 material, {FOOD_PRICE[away]} food"
    assert told["label"] == {"en": "Windmill", "de": "Windmühle"} and told["group"]["en"] == "Food"
    assert told["rank"] == 8 and told["symbol"] == "windmill"


def test_more_of_the_same_gain_is_a_higher_rank():
    state = in_the_middle_of_a_game()
    for gesture in drawing.gestures(state, drawing.scene(state, state.player))[:-1:17]:
        gains = [
            int(n.replace("−", "-")) for n in re.findall(r"([+−]\d+) (?:food|material|points)", gesture["note"]["en"])
        ]
        assert gesture["rank"] == sum(gains)


def test_a_tile_comes_before_its_building_and_waiting_is_a_button():
    state = in_the_middle_of_a_game()
    gestures = drawing.gestures(state, drawing.scene(state, state.player))
    *builds, wait = gestures
    assert all(gesture["steps"] == [f"t{gesture['action'] // KINDS}"] for gesture in builds)
    assert wait["action"] == WAIT and wait["steps"] == []


def test_thousands_of_builds_are_sent_with_what_they_share_told_once():
    state = in_the_middle_of_a_game()
    gestures = drawing.gestures(state, drawing.scene(state, state.player))
    sent = drawing.packed(gestures)
    assert len(sent["choices"]) == KINDS and len(sent["notes"]) < len(gestures) / 2
    for short, whole in zip(sent["gestures"], gestures, strict=True):
        if "choice" in short:
            number, note = short.pop("choice"), short.pop("note")
            short = {**short, **sent["choices"][number], "note": sent["notes"][note]}
        assert short == whole


# --- why not ------------------------------------------------------------------------------------


def test_every_tile_can_be_built_on_or_has_a_reason():
    state = four().new(1)
    state.record.stock[0] = [100, 200, 0]
    seat = 0
    gestures = drawing.gestures(state, drawing.scene(state, seat))
    touchable = {gesture["steps"][0] for gesture in gestures if gesture["steps"]}
    named = set(reasons(state, seat))
    assert touchable | named == {f"t{number}" for number in EXISTING}


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ((1, 1), "only city centre"),
        ((1, 12), "belongs to Northeast"),
        ((7, 7), "Too far away: at most 4"),
        ((1, 3), "Not enough food: this tile costs 90, you have 30"),
    ],
)
def test_the_reason_is_the_one_that_holds(place, words):
    assert words in reasons(four().new(1))[f"t{tile(*place)}"]


def test_who_has_no_material_is_told_so_where_a_build_would_be_possible():
    state = four().new(1)
    beside = f"t{tile(1, 2)}"
    assert beside not in reasons(state)
    state.record.stock[0, MATERIAL] = 4
    assert "the cheapest building costs 10, you have 4" in reasons(state)[beside]


def test_nobody_is_told_reasons_who_plays_no_seat():
    assert "why" not in drawing.scene(four().new(1), None)


# --- the map ------------------------------------------------------------------------------------


def test_tiles_have_the_colour_of_their_owner_and_the_picture_of_their_building():
    found = shapes(drawing.scene(with_buildings(("church", 2, (5, 5))), 0))
    number = tile(5, 5)
    assert found[f"own-{number}"]["role"] == "player-3"
    assert found[f"building-{number}"]["symbol"] == "church"
    assert found[f"building-{number}"]["title"] == {"en": "Church (Southeast)", "de": "Kirche (Südost)"}


def test_a_besieged_tile_shows_by_whom_and_how_long_it_holds():
    state = with_buildings(("barracks", 0, (7, 7)), ("farm", 1, (7, 8)))
    number = tile(7, 8)
    for left in (2, 1):
        for _ in range(4):
            state.play(WAIT)
        found = shapes(drawing.scene(state, 0))
        assert found[f"siege-{number}"]["role"] == "player-1" and found[f"left-{number}-n"]["text"] == str(left)
    for _ in range(4):
        state.play(WAIT)
    after = shapes(drawing.scene(state, 0))
    assert after[f"own-{number}"]["role"] == "player-1" and f"siege-{number}" not in after


def test_pressure_is_numbers_on_a_layer_that_can_be_turned_off():
    scene = drawing.scene(with_buildings(("barracks", 0, (7, 7)), ("fort", 1, (7, 8))), 0)
    layer = next(layer for layer in scene["layers"] if layer["name"] == "pressure")
    texts = {shape["id"]: shape["text"] for shape in layer["shapes"] if shape["kind"] == "text"}
    assert layer["switch"] and texts == {
        f"pressure-{tile(7, 7)}-0-n": "3", f"pressure-{tile(7, 7)}-1-n": "1",
        f"pressure-{tile(7, 8)}-0-n": "3", f"pressure-{tile(7, 8)}-1-n": "1",
    }  # fmt: skip


def test_the_last_round_is_told_with_who_came_too_late():
    state = with_buildings(("city_center", 1, (7, 7)), ("city_center", 0, (7, 5)))
    before, build = state.copy(), tile(7, 6) * KINDS + NUMBERS["farm"]
    choices = [build, build, WAIT, WAIT]
    for action in choices:
        state.play(action)
    panel = drawing.scene(state, 0, [*enumerate(choices)], before)["panels"][0]
    assert [item["label"]["en"] for item in panel["items"]] == ["Farm 7,6", "Farm 7,6, too late", "wait", "wait"]


def test_stocks_are_shown_with_what_a_round_adds():
    state = four().new(1)
    income = unpacked(int(state.record.production[0]))
    purse = next(panel for panel in drawing.scene(state, 0)["panels"] if panel["id"] == "purse-0")
    assert [item["value"] for item in purse["items"]][:2] == [f"30\u00a0(+{income[0]})", f"20\u00a0(+{income[1]})"]


# --- pictures and words -------------------------------------------------------------------------


def test_every_building_has_a_picture_of_its_own():
    art = SYMBOLS.read_text("utf-8")
    pictures = [re.search(rf'<symbol id="{kind.key}".*?</symbol>', art, re.DOTALL) for kind in BUILDINGS]
    drawn = {re.sub(r'id="\w+"', "", found[0], count=1) for found in pictures if found}
    assert len(drawn) == KINDS and "other" not in ICONS


def test_the_rules_name_every_building_with_its_price_in_both_languages():
    texts = [section["text"] for section in four().module.RULES()]
    for kind in BUILDINGS:
        assert any(f"**{kind.en}** ({kind.price}):" in text["en"] for text in texts)
        assert any(f"**{kind.de}** ({kind.price}):" in text["de"] for text in texts)


def test_the_text_shows_owners_buildings_nature_and_stocks():
    lines = str(four().new(1)).splitlines()
    assert "1Ci" in lines[1] and "2Ci" in lines[1] and "1Ci" not in lines[0]
    assert lines[16] == "round 1 of 100"
    assert lines[17].startswith("1 nw: food 30 (+") and lines[17].endswith("tiles 1")


def test_moves_are_read_as_they_are_written():
    state = in_the_middle_of_a_game()
    for action in state.actions[::97]:
        assert state.parse(state.format(action)) == action


# --- short games --------------------------------------------------------------------------------


def test_a_position_beyond_the_rounds_of_a_short_game_is_refused():
    short, text = spielbaum.load("quick-civ", map=1, rounds=20), four().new(1).position
    assert short.set_up(text.replace("round 1", "round 20")).record.rounds == 19
    with pytest.raises(SpielbaumError, match=r"\(of 20\)"):
        short.set_up(text.replace("round 1", "round 22"))


def test_a_short_game_ends_after_its_rounds_and_counts_points_in_time():
    short = spielbaum.load("quick-civ", map=1, rounds=20)
    state, players = short.new(1), [spielbaum.agent("greedy", short) for _ in range(4)]
    while not state.over:
        state.play(players[state.player].act(state.view(state.player)))
    assert state.record.rounds == 20
    assert all(state.record.stock[:, 2] > 0)  # in a game of 100 rounds nobody has points by then
