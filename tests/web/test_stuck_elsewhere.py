"""What does not end in a search, a drawing or a record is given up and named, and others play on."""

from __future__ import annotations

import pathlib
import subprocess
import sys

STUCK = pathlib.Path(__file__).parents[1] / "small" / "stuck.py"
SERVED = """
import sys
from spielbaum.web.settings import Settings
from tests.web.server import PERSON, Server, agent

with Server(Settings((sys.argv[1], "tic-tac-toe"), searches=2, seconds=0.2, patient=0.5, replay=0.5)) as server:
    {}
    with server.play("tic-tac-toe", PERSON, agent("random")) as other:
        other.act(4)
        print(other.until(ply=2)["faults"])
"""
SEARCH = """
    with server.play("stuck", PERSON, agent("mcts:iterations=100000")) as client:
        client.act(1)
        print(client.until(paused=True)["faults"][-1])
        print(client.until_state("the rule", lambda state: "does not end" in state["faults"][-1])["faults"][-1])
"""
RECORD = """
    for _ in range(3):
        body = {"game": "stuck", "seats": [PERSON, PERSON], "moves": [1, 1, 1]}
        answer = server.http.post("/api/sessions", json=body)
        print(answer.status_code, answer.json()["error"]["reason"])
"""
DRAWING = """
    with server.play("stuck", PERSON, PERSON) as client:
        print(client.act(1)["reason"])
"""


def served(what: str, game: pathlib.Path = STUCK) -> list[str]:
    command = [sys.executable, "-c", SERVED.replace("{}", what.strip()), str(game)]  # the thread ends with the process
    told = subprocess.run(command, capture_output=True, text=True, check=True, cwd=STUCK.parents[2]).stdout
    *lines, faults = told.splitlines()
    assert faults == "[]"
    return lines


def test_a_search_that_meets_a_rule_without_end_is_given_up_at_once_and_the_rule_named_later():
    first, completed = served(SEARCH)[-2:]
    assert "mcts:iterations=100000 was still busy" in first and "does not end" not in first
    assert completed.startswith(first + ": stuck: play does not end: after 1 s it was at stuck.py:2")


def test_a_record_that_does_not_end_is_refused_and_not_begun_for_ever():
    first, second, third = served(RECORD)[-3:]
    assert first == second == "500 stuck: a rule of the game was still busy after 1 s, and was given up"
    assert third == "500 stuck is played no further: 2 of its records did not end"


def test_a_drawing_that_does_not_end_is_given_up_and_told_with_its_line(tmp_path):
    game = tmp_path / "stuck.py"
    loop = "\n\ndef render(s):\n    while s.n == 2:\n        s.n += 0\n    return str(s.n)\n"
    game.write_text(STUCK.read_text() + loop)
    (reason,) = served(DRAWING, game)[-1:]
    assert reason.startswith(
        "a rule of the game was still busy after 0.5 s, and was given up: stuck: render does not end"
    )
    assert "stuck.py:" in reason
