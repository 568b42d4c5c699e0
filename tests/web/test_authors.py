"""Authors' games that fail: the others are served, the page says where, and a game that was begun goes on."""

from __future__ import annotations

import logging
import pathlib
import re

import pytest

import spielbaum
from spielbaum.errors import GameError
from spielbaum.scenes import drawing
from spielbaum.web import catalogue
from spielbaum.web.catalogue import Catalogue
from spielbaum.web.settings import Settings
from tests.web.server import PERSON, Server

EXAMPLE = (pathlib.Path(__file__).parents[2] / "examples" / "twenty_one.py").read_text()
DRAWN = """

def backdrop():
    return {"box": [0, 0, 3, 1], "layers": [{"name": "stones", "shapes": [
        {"kind": "circle", "id": f"take-{n}", "at": [n + 0.5, 0.5], "r": 0.4, "role": "field"} for n in range(3)]}]}


def scene(s):
    SCENE
    return {"layers": []}


def gesture(action):
    return [f"take-{action - 1}"]
"""
FAILING = "if s.taken > 5:\n        raise KeyError(f'{__file__} has no stones')"
LATE = 'PREVIEW = ["1"]' + DRAWN.replace("SCENE", FAILING)


def write(folder: pathlib.Path, name: str, text: str) -> str:
    file = folder / name
    file.write_text(text)
    return str(file)


def line_of(file: str, words: str) -> int:
    return next(i for i, line in enumerate(pathlib.Path(file).read_text().splitlines(), 1) if words in line)


@pytest.fixture
def logged() -> list[logging.LogRecord]:
    """What the server logs."""
    records: list[logging.LogRecord] = []
    handler = logging.Handler()
    handler.emit = records.append  # type: ignore[method-assign]
    logger = logging.getLogger("spielbaum.web")
    logger.addHandler(handler)
    yield records
    logger.removeHandler(handler)


SLIPS = {
    "syntax.py": ("def (", r"syntax.py can't be loaded: SyntaxError: .*\(syntax.py:1\)"),
    "absent.py": ("\nimport no_such_thing", r"absent.py can't be loaded: ModuleNotFoundError: .* \(absent.py:2\)"),
    "lawless.py": ('"""Nothing but words."""', "lawless: "),
    "drawn.py": (EXAMPLE + DRAWN.replace("SCENE", "1 / 0"), r"scene raised ZeroDivisionError: .* \(drawn.py:\d+\)"),
    "twins.py": (EXAMPLE + DRAWN.replace('f"take-{n}"', '"a"').replace("SCENE", "pass"), "two shapes have the id 'a'"),
}


def test_files_that_hold_no_game_are_told_and_the_others_are_served(tmp_path, logged):
    files = [write(tmp_path, name, text) for name, (text, _) in SLIPS.items()]
    with Server(Settings((*files, "tic-tac-toe"))) as server:
        answer = server.http.get("/api/games").json()
        assert [game["name"] for game in answer["games"]] == ["tic-tac-toe"]
        reasons = {one["file"]: one["reason"] for one in answer["broken"]}
        assert reasons.keys() == SLIPS.keys()
        for name, (_, pattern) in SLIPS.items():
            assert pattern in reasons[name] or re.search(pattern, reasons[name]), reasons[name]
        assert str(tmp_path) not in str(answer)
        assert server.http.get("/api/games/drawn").status_code == 404
        with server.play("tic-tac-toe", PERSON, PERSON) as client:
            assert client.act(4)["ply"] == 1
    traced = {record.facts["file"] for record in logged if record.exc_info and record.levelname == "ERROR"}
    assert traced == SLIPS.keys()


def test_a_scene_that_fails_in_a_game_is_told_with_its_line_and_the_game_goes_on(tmp_path, logged):
    file = write(tmp_path, "late.py", EXAMPLE + LATE)
    with Server(Settings((file,))) as server, server.play("late", PERSON, PERSON) as client:
        assert client.act(3)["broken"] is None
        state = client.act(3)
        line = line_of(file, "raise KeyError")
        assert state["broken"] == f"late: scene raised KeyError: 'late.py has no stones' (late.py:{line})"
        assert "taken: 6" in state["scene"]["panels"][0]["text"]
        assert [gesture["steps"] for gesture in state["gestures"]] == [[]] * 3
        assert client.act(state["gestures"][0]["action"])["ply"] == 3
        assert any(record.exc_info and "KeyError" in str(record.exc_info[1].__cause__.__class__) for record in logged)


def test_a_gesture_that_fails_leaves_the_move_a_button(tmp_path):
    file = write(tmp_path, "clumsy.py", EXAMPLE + DRAWN.replace("SCENE", "pass").replace("[f", "[1 / 0, f"))
    with Server(Settings((file,))) as server, server.play("clumsy", PERSON, PERSON) as client:
        assert "gesture raised ZeroDivisionError" in client.now["broken"]
        assert client.act(2)["moves"][0]["label"] == "2"


def test_when_all_fail_one_line_says_so(tmp_path):
    files = [write(tmp_path, name, text) for name, (text, _) in SLIPS.items()]
    with pytest.raises(GameError) as raised:
        _ = Catalogue(files).cards
    assert "\n" not in str(raised.value) and all(name in str(raised.value) for name in ("syntax.py", "drawn.py"))


def test_what_a_function_answers_is_refused_with_its_line(tmp_path):
    file = write(tmp_path, "wrong.py", EXAMPLE + DRAWN.replace("SCENE", "return {'colour': 1}"))
    game = spielbaum.load(file)
    with pytest.raises(GameError, match=rf"wrong: scene: colour: .*\(wrong.py:{line_of(file, 'def scene')}\)"):
        drawing.scene(game.new(), 0)


def test_the_docstring_is_the_rules_of_a_game_that_has_no_others(tmp_path):
    file = write(tmp_path, "said.py", EXAMPLE.replace('wins."""', 'wins.\n\nNobody may pass.\n"""', 1))
    game = spielbaum.load(file)
    assert catalogue.setup(game)["rules"] and len(catalogue.setup(game)["levels"]) >= 3
    assert catalogue.rules(game)["sections"][0]["text"].endswith("Nobody may pass.")
