"""Scenes: every game draws valid ones in both languages, and slips are told."""

from __future__ import annotations

import base64
import json
import pathlib
from typing import Any

import jsonschema
import numpy as np
import pytest

import spielbaum
from spielbaum.agents.registry import AGENT_TYPES
from spielbaum.errors import GameError
from spielbaum.game import names
from spielbaum.protocol import parameters
from spielbaum.scenes import drawing
from spielbaum.scenes.scene import ROLES, Backdrop, Gesture, Scene, schema, validated
from spielbaum.web import catalogue

EXAMPLE = pathlib.Path(__file__).parents[2] / "examples" / "twenty_one.py"
MOST_POSITIONS = 50
SCHEMA = jsonschema.Draft202012Validator(schema())


def positions(game: spielbaum.Game, seed: int) -> list[spielbaum.State]:
    """A game of random moves, position by position; of a long one some, from the first to the last."""
    dice, state = np.random.default_rng(seed), game.new(seed)
    found = [state.copy()]
    while not state.over:
        state.play(int(dice.choice(state.actions)))
        found.append(state.copy())
    return [*found[: -1 : len(found) // MOST_POSITIONS + 1], found[-1]]


@pytest.mark.parametrize("name", names())
def test_every_position_of_a_game_can_be_drawn_and_every_move_made(name):
    game = spielbaum.load(name)
    for state in positions(game, 1):
        for seat in (None, *range(game.players)):
            drawn = drawing.scene(state, seat)
            gestures = drawing.gestures(state, drawn) if seat == state.player else []
            if seat == state.player:
                assert [gesture["action"] for gesture in gestures] == state.actions


@pytest.mark.parametrize("name", names())
def test_all_gestures_at_once_are_those_that_are_checked_one_by_one(name):
    game = spielbaum.load(name)
    for state in positions(game, 3)[:-1:7]:
        shown = state.view(state.player)
        one_by_one = [drawing.gesture(shown, action) for action in shown.actions]
        assert json.dumps(drawing.gestures(state, drawing.scene(state, state.player))) == json.dumps(one_by_one)


@pytest.mark.parametrize("name", ["amazons", "latrunculi"])
def test_thousands_of_moves_are_named_once_and_need_no_check_of_their_own(name, monkeypatch):
    game = spielbaum.load(name)
    state, asked, checked = game.new(1), [], []
    drawn = drawing.scene(state, 0)
    name_of = game.module.format_action
    monkeypatch.setattr(game.module, "format_action", lambda s, action, t=None: asked.append(action) or name_of(
        **{word: given for word, given in (("t", t), ("s", s), ("action", action)) if word in parameters(name_of)}
    ))  # fmt: skip
    monkeypatch.setattr(drawing, "validated", lambda model, *given: checked.append(model) or validated(model, *given))
    assert len(drawing.gestures(state, drawn)) == len(state.actions)
    assert len(asked) <= len(state.actions) and not checked


def test_a_record_reads_and_writes_its_fields_as_numpy_s_own_does():
    state = spielbaum.load("latrunculi").new(1)
    quick, plain = state.record, state.array[0]
    assert isinstance(quick, np.record)
    for name in state.array.dtype.names:
        assert np.array_equal(getattr(quick, name), getattr(plain, name)) and np.array_equal(quick[name], plain[name])
    quick.to_move = 1
    quick.board[17] = 3
    assert plain.to_move == quick.to_move == state.record.to_move == 1 and plain.board[17] == quick.board[17] == 3
    copied = quick.copy()
    copied.board[17] = 0
    assert quick.board[17] == 3


@pytest.mark.parametrize("name", names())
def test_the_schema_fits_what_is_sent(name):
    game = spielbaum.load(name)
    state = catalogue.preview(game)
    drawn = drawing.scene(state, None)
    before = game.new() if state.over else state
    for gesture in drawing.gestures(before, drawing.scene(before, None))[:1]:
        SCHEMA.validate({"backdrop": drawing.backdrop(game), "scene": drawn, "gesture": gesture})


@pytest.mark.parametrize("name", names())
def test_two_views_that_are_equal_are_drawn_equally(name):
    game = spielbaum.load(name)
    for state in positions(game, 2):
        for seat in range(game.players):
            assert drawing.scene(state, seat) == drawing.scene(state.view(seat), seat)


@pytest.mark.parametrize("name", names())
def test_moves_have_distinct_names_and_gestures(name):
    game = spielbaum.load(name)
    for state in positions(game, 3)[:-1]:
        found = drawing.gestures(state, drawing.scene(state, state.player))
        assert len({(tuple(gesture["steps"]), str(gesture["label"])) for gesture in found}) == len(found)
        keys = [gesture["key"] for gesture in found if "key" in gesture]
        assert len(set(keys)) == len(keys)


# --- languages ----------------------------------------------------------------------------------


def texts(thing: Any) -> list[dict[str, str]]:
    """All texts in two languages inside some data."""
    if isinstance(thing, dict):
        if set(thing) == {"en", "de"}:
            return [thing]
        return [text for value in thing.values() for text in texts(value)]
    return [text for value in thing for text in texts(value)] if isinstance(thing, list) else []


@pytest.mark.parametrize("name", names())
def test_everything_that_is_shown_before_a_game_is_translated(name):
    game = spielbaum.load(name)
    setup = catalogue.setup(game)
    assert set(setup["about"]) == set(setup["title"]) == {"en", "de"}
    for field in (*setup["options"], *(param for agent in setup["agents"] for param in agent["params"])):
        assert isinstance(field["help"], dict), f"{field['name']}: {field['help']}"
    for option in setup["options"]:
        assert isinstance(option["title"], dict), option["name"]
        titles = [choice["title"] for choice in option.get("choices", ())]
        assert all(isinstance(title, dict) or title[0].isdigit() for title in titles), option["name"]
    assert all(isinstance(agent["help"], dict) for agent in setup["agents"])
    assert all(isinstance(level["title"], dict) for level in setup["levels"])
    assert all(isinstance(seat["name"], dict) or len(seat["name"]) == 1 for seat in setup["seats"])


@pytest.mark.parametrize("name", names())
def test_rules_are_there_in_both_languages_with_drawn_examples(name):
    rules = catalogue.rules(spielbaum.load(name))
    assert any(section["figure"] for section in rules["sections"])
    for section in rules["sections"]:
        assert texts([section["title"], section["text"]]) == [section["title"], section["text"]]
        assert section["figure"] is None or section["figure"]["scene"]


@pytest.mark.parametrize("name", names())
def test_rules_from_a_source_mark_what_is_ours_and_say_what_the_mark_means(name):
    sections = catalogue.rules(spielbaum.load(name))["sections"]
    told = [[section["title"], section["text"], *([section["figure"]["caption"]] if section["figure"] else [])]
            for section in sections]  # fmt: skip
    marks = [{language: sum(text[language].count("†") for text in each) for language in ("en", "de")} for each in told]
    assert all(count["en"] == count["de"] for count in marks)
    if name not in ("latrunculi", "quick-civ", "scotland-yard", "spe-ed"):
        assert not any(count["en"] for count in marks)
        return
    assert sections[-1]["title"]["de"] == "Woher die Regeln stammen" and "† marks" in sections[-1]["text"]["en"]
    assert any(count["en"] for count in marks[:-1])


def test_garrison_and_stall_rule_are_marked_as_ours():
    def text(name: str, title: str) -> str:
        sections = catalogue.rules(spielbaum.load(name))["sections"]
        return next(section["text"]["en"] for section in sections if section["title"]["en"] == title)

    assert "by more than 1,†" in text("quick-civ", "Pressure and siege")
    assert "for the third time" in text("latrunculi", "When nothing happens").partition("†")[0]
    sections = catalogue.rules(spielbaum.load("quick-civ"))["sections"]
    items = [line for section in sections for line in section["text"]["en"].splitlines() if line.startswith("- **")]
    marked = {item.split("**")[1] for item in items if item.endswith("†")}
    assert {"City centre", "Plantation"} < marked and "Farm" not in marked


@pytest.mark.parametrize("name", names())
def test_no_translation_is_empty_or_forgotten(name):
    game = spielbaum.load(name)
    for text in texts([catalogue.setup(game), catalogue.rules(game)]):
        assert text["en"] and text["de"]


def test_every_kind_of_agent_is_translated():
    game = spielbaum.load("connect-four")
    for kind in AGENT_TYPES:
        assert isinstance(catalogue.general(game, kind.help), dict), kind.help


# --- a game that draws nothing ------------------------------------------------------------------


def test_a_game_without_a_scene_is_shown_as_its_text_with_buttons():
    game = spielbaum.load(EXAMPLE)
    state = game.new()
    assert drawing.backdrop(game) is None
    drawn = drawing.scene(state, 0)
    assert drawn["panels"][0]["text"] == str(state)
    assert [gesture["label"] for gesture in drawing.gestures(state, drawn)] == state.moves


# --- slips --------------------------------------------------------------------------------------


def shape(**fields: Any) -> dict[str, Any]:
    return {"layers": [{"name": "a", "shapes": [{"kind": "circle", "r": 1, **fields}]}]}


@pytest.mark.parametrize(
    ("model", "given", "message"),
    [
        (Scene, shape(colour="red"), "colour: Extra inputs"),
        (Scene, shape(role="red"), "role: Input should be 'none'"),
        (Scene, shape(r=-1), "greater than 0"),
        (Scene, shape(at=[float("nan"), 0]), "at.0"),
        (Scene, shape(id="a b"), "id"),
        (Scene, shape(kind="blob"), "blob"),
        (Scene, {"layers": [{"name": "a", "shapes": 2 * [{"kind": "circle", "r": 1, "id": "x"}]}]}, "the id 'x'"),
        (Scene, {"panels": [{"id": "a", "text": {"en": "no German"}}]}, "de"),
        (Scene, [], "valid dictionary"),
        (Backdrop, {}, "box: Field required"),
        (Gesture, {"action": 1, "label": "a", "steps": ["a b"]}, "steps.0"),
        (Gesture, {"action": 1, "label": "a", "rank": 0.5}, "rank"),
        (Scene, {"why": [{"places": [], "text": "far"}]}, "why.0.places"),
        (Scene, {"why": [{"places": ["a"]}]}, "why.0.text: Field required"),
    ],
)
def test_a_slip_is_told_with_its_place(model, given, message):
    with pytest.raises(GameError, match="my game: ") as raised:
        validated(model, given, "my game")
    assert message in str(raised.value) and "\n" not in str(raised.value)


def bitmap(cells: bytes, **fields: Any) -> dict[str, Any]:
    layer = {"kind": "bitmap", "name": "b", "columns": 2, "rows": 2, "roles": list(ROLES[:2])}
    return {"layers": [{**layer, "data": base64.b64encode(cells).decode(), **fields}]}


def test_a_bitmap_must_fit_its_grid_and_roles():
    assert validated(Scene, bitmap(b"\x00\x01\x01\x00"), "x")["layers"][0]["columns"] == 2
    with pytest.raises(GameError, match="3 cells where columns \\* rows is 4"):
        validated(Scene, bitmap(b"\x00\x01\x01"), "x")
    with pytest.raises(GameError, match="role 2 where there are 2 roles"):
        validated(Scene, bitmap(b"\x00\x01\x02\x00"), "x")


def test_a_bitmap_has_as_many_names_as_roles_or_none():
    wall = {"en": "wall", "de": "Mauer"}
    assert validated(Scene, bitmap(b"\x00\x01\x01\x00", names=["", wall]), "x")["layers"][0]["names"] == ["", wall]
    with pytest.raises(GameError, match="there are 1 names for 2 roles"):
        validated(Scene, bitmap(b"\x00\x01\x01\x00", names=[wall]), "x")


def test_numbers_of_numpy_are_numbers():
    drawn = validated(Scene, shape(at=[np.int64(3), np.float32(0.5)]), "x")
    assert drawn["layers"][0]["shapes"][0]["at"] == [3.0, 0.5]


@pytest.mark.parametrize(
    ("name", "function", "message"),
    [
        ("gesture", lambda t, s, action: ["nowhere"], "gesture of a1: there is no shape 'nowhere'"),
        ("gesture", lambda: {"steps": ["cell-0"], "symbol": "ghost"}, "gesture of a1: there is no symbol 'ghost'"),
        ("every_gesture", lambda actions: [["cell-0"]] * 8, "every_gesture: 9 are asked for in a list, not 8 of them"),
        ("every_gesture", lambda: None, "every_gesture: 9 are asked for in a list, not None"),
        ("scene", lambda: {"why": [FAR]}, "why nothing can be done at 'cell-9' is told, and there is no such shape"),
        ("gesture", lambda: 1 / 0, "gesture raised ZeroDivisionError"),
        ("scene", lambda t, s, seat: s.nothing, "scene raised AttributeError"),
        ("scene", lambda: shape(on="cell-9"), "something stands on 'cell-9', and there is no such shape"),
        ("scene", lambda t, s, seat: shape() | {"panels": [{"id": "p", "items": [USES]}]}, "no symbol 'ghost'"),
    ],
)
def test_a_drawing_function_that_fails_is_named(monkeypatch, name, function, message):
    game = spielbaum.load("tic-tac-toe")
    monkeypatch.setattr(game.module, name, function, raising=False)
    state = game.new()
    with pytest.raises(GameError, match=r"(?i)tic-tac-toe: ") as raised:
        drawing.gestures(state, drawing.scene(state, 0))
    assert message in str(raised.value)


USES = {"label": "a", "symbol": "ghost"}
FAR = {"places": ["cell-0", "cell-9"], "text": "too far"}
