"""Every refusal of the server has words in both languages, so that no page shows a sentence of another one."""

from __future__ import annotations

import ast
import pathlib
import re
from collections.abc import Iterator

import spielbaum.web
from spielbaum.web.errors import STATUS
from tests.web.server import PERSON, Server

WEB = pathlib.Path(spielbaum.web.__file__).parent
PAGE_ONLY = {"offline", "fault", "unknown", "not-found"}


def words(language: str) -> dict[str, str]:
    source = (WEB / "static/js/reasons.js").read_text("utf-8")
    body = source.split(f"const {language} = {{\n")[1].split("\n};")[0]
    return dict(re.findall(r'^  "?([\w-]+)"?: "(.*)",$', body, re.MULTILINE))


def refusals() -> Iterator[ast.Call]:
    """Where the server refuses something."""
    for path in WEB.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refusal":
                yield node


def named(call: ast.Call) -> set[str]:
    """The code and the narrower cause that a refusal names."""
    causes = [*call.args[:1], *call.args[2:3], *(given.value for given in call.keywords if given.arg == "why")]
    return {cause.value for cause in causes if isinstance(cause, ast.Constant)}


def test_every_code_and_cause_has_words_in_both_languages() -> None:
    used = set(STATUS).union(*map(named, refusals()))
    assert len(used) > 30
    assert used - words("EN").keys() == set()
    assert words("EN").keys() == words("DE").keys()
    assert words("EN").keys() - used == PAGE_ONLY


def test_only_english_words_have_room_for_the_servers_sentence() -> None:
    assert not any("{reason}" in text for text in words("DE").values())
    assert any("{reason}" in text for text in words("EN").values())


def test_refusals_carry_what_the_words_need(server: Server) -> None:
    with server.play("pig", PERSON, PERSON) as table:
        answer = table.ask("undo")
        assert (answer["code"], answer["why"]) == ("not-now", "undo-chance")
    wrong = server.http.post("/api/games/pig/setup", json={"options": {"target": 5}}).json()["error"]
    assert wrong["why"] == "bad-options" and [name["de"] for name in wrong["params"]["names"]] == ["Ziel"]
    moves = {"game": "tic-tac-toe", "mode": "analysis", "moves": "a1 a1"}
    pasted = server.http.post("/api/sessions", json=moves).json()["error"]
    assert (pasted["why"], pasted["params"]) == ("bad-moves", {"number": 2})
