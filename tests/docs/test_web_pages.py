"""The pages about drawing and about the browser protocol say what is so."""

from __future__ import annotations

import ast
import json
import re
import types
from typing import Any, get_args

import spielbaum
from spielbaum.scenes import drawing
from spielbaum.scenes.scene import ROLES, Backdrop, Gesture, Rect, Scene, validated
from spielbaum.web import messages
from spielbaum.web.errors import STATUS
from tests.docs.pages import blocks, page

SCENE, PROTOCOL = page("scene.md"), page("web-protocol.md")


def json_documents(text: str) -> list[Any]:
    """The JSON documents of a block, one after the other."""
    decoder, documents, text = json.JSONDecoder(), [], text.strip()
    while text:
        document, end = decoder.raw_decode(text)
        documents.append(document)
        text = text[end:].strip()
    return documents


def test_the_examples_of_scenes_are_valid():
    examples = [document for block in blocks(SCENE, "json") for document in json_documents(block)]
    backdrop, bitmap, *panels, reasons = examples
    assert validated(Backdrop, backdrop, "page")["symbols"]
    assert validated(Scene, {"layers": [bitmap], "panels": panels, **reasons}, "page")


def test_the_examples_of_gestures_are_valid():
    [block] = [block for block in blocks(SCENE, "python") if block.startswith('["a1"')]
    for line in ast.parse(block).body:
        assert isinstance(line, ast.Expr)
        given = ast.literal_eval(line.value)
        fields = given if isinstance(given, dict) else {"steps": given}
        assert "label" in validated(Gesture, {"action": 0, "label": "x", **fields}, "page")


def test_the_example_draws_tic_tac_toe(monkeypatch):
    [block] = [block for block in blocks(SCENE, "python") if block.startswith("def backdrop")]
    names: dict[str, Any] = {}
    exec(block, names)
    game = spielbaum.load("tic-tac-toe")
    module = types.ModuleType("drawn")
    module.__dict__.update({**vars(game.module), **names, "__name__": "drawn"})
    drawn = spielbaum.Game(module)
    state = drawn.play_all(["b2", "a1"])
    scene = drawing.scene(state, None)
    assert len(scene["layers"][0]["shapes"]) == 2
    assert len(drawing.gestures(state, scene)) == 7


def test_all_roles_and_fields_are_listed():
    listed = set(re.findall(r"`([a-z0-9-]+)`", SCENE[SCENE.index("### Roles") : SCENE.index("### Bitmaps")]))
    assert {role for role in ROLES if not role.startswith("player-")} <= listed
    shapes = SCENE[SCENE.index("## Shapes") : SCENE.index("### Roles")]
    assert all(f"`{field}`" in shapes for field in Rect.model_fields if field != "kind")


def test_every_message_of_a_client_is_in_the_table():
    table = PROTOCOL[PROTOCOL.index("### From the client") : PROTOCOL.index("## Errors")]
    listed = set(re.findall(r'`\{"type": "([a-z]+)"', table))
    models = get_args(get_args(messages.Request)[0])
    known = {name for model in models for name in get_args(model.model_fields["type"].annotation)}
    assert listed | {"hello"} == known


def test_every_refusal_is_in_the_table():
    table = PROTOCOL[PROTOCOL.index("## Errors") :]
    assert [code for code in STATUS if f"`{code}`" not in table] == []


def test_every_address_is_in_the_table():
    from spielbaum.web.app import create_app
    from spielbaum.web.settings import Settings

    app = create_app(Settings(games=("tic-tac-toe",)))
    paths = {route.path for route in app.routes if getattr(route, "path", "").startswith("/api/")}
    assert paths
    for path in paths:
        assert re.search(rf"`(GET|POST|DELETE|WebSocket) {re.escape(path)}[?`]", PROTOCOL), path
