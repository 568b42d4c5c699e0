"""How Latrunculi is drawn and touched."""

from __future__ import annotations

from typing import Any

import spielbaum
from spielbaum.scenes import drawing
from tests.games.latrunculi.boards import drawn


def shapes(state: spielbaum.State) -> dict[str, dict[str, Any]]:
    """The pieces of a scene by their names."""
    layers = drawing.scene(state, None)["layers"]
    return {shape["id"]: shape for layer in layers for shape in layer["shapes"]}


def panel(state: spielbaum.State, name: str) -> dict[str, Any]:
    return next(panel for panel in drawing.scene(state, None)["panels"] if panel["id"] == name)


def test_pieces_are_named_by_their_squares_and_stand_on_them() -> None:
    state = drawn("S..... ...... ...... ...... ...... M.M...")
    assert {name: shape["at"] for name, shape in shapes(state).items()} == {
        "stone-a6": [0.5, 0.5], "shell-a1": [0.5, 5.5], "shell-c1": [2.5, 5.5],
    }  # fmt: skip


def test_a_move_is_made_from_square_to_square() -> None:
    state = drawn("S.S... ...... ...... ...... ...... M.M...")
    steps = {gesture["label"]: gesture["steps"] for gesture in drawing.gestures(state, drawing.scene(state, 0))}
    assert steps["a1-a5"] == ["a1", "a5"]


def test_captured_pieces_are_counted_by_who_took_them() -> None:
    state = spielbaum.load("latrunculi", board="6x6").play_all(["c1-c3", "b6-b2", "c3-b3xb2"], 0)
    assert panel(state, "taken-0")["items"][0]["value"] == 1
    assert panel(state, "taken-1")["items"][0]["value"] == 0
    assert drawing.scene(state, None)["status"]["en"] == "Something was taken: move again."


def test_declining_the_extra_move_is_a_button() -> None:
    state = spielbaum.load("latrunculi", board="6x6", optional=True).play_all(["c1-c3", "b6-b2", "c3-b3xb2"], 0)
    found = drawing.gestures(state, drawing.scene(state, 0))
    assert [gesture["label"]["en"] for gesture in found if not gesture["steps"]] == ["do not move again"]


def test_pieces_are_placed_by_a_touch_and_counted_down() -> None:
    state = spielbaum.load("latrunculi", board="6x6", placement=True).play_all(["c3"], 0)
    assert panel(state, "hand-0")["items"][0]["value"] == 5
    assert all(len(gesture["steps"]) == 1 for gesture in drawing.gestures(state, drawing.scene(state, 1)))


def test_a_dux_wears_a_wreath() -> None:
    state = spielbaum.load("latrunculi", preset="kowalski-dux").new(0)
    wreaths = [shape for name, shape in shapes(state).items() if name.startswith("wreath-")]
    assert len(wreaths) == 2
