"""A rule that does not end costs its own game a move, and no other game anything; the author is told the line."""

from __future__ import annotations

import pathlib
import subprocess
import sys

STUCK = pathlib.Path(__file__).parents[1] / "small" / "stuck.py"
SERVED = """
import sys
from spielbaum.web.settings import Settings
from tests.web.server import PERSON, Server, agent

with Server(Settings((sys.argv[1], "tic-tac-toe"), searches=1, seconds=0.2, patient=0.5)) as server:
    with server.play("stuck", PERSON, PERSON) as client:
        for action in (1, 1):
            client.act(action)
        print(client.act(1)["reason"])
        client.act(0)
        print(client.until(ply=3)["turn"])
        with server.play("tic-tac-toe", PERSON, agent("random")) as other:
            other.act(4)
            print(other.until(ply=2)["faults"])
        client.act(0)
        print(client.act(1)["reason"])
"""


def test_a_rule_that_does_not_end_is_told_to_its_players_and_others_play_on():
    command = [sys.executable, "-c", SERVED, str(STUCK)]  # the thread that never ends, ends with the process
    told = subprocess.run(command, capture_output=True, text=True, check=True, cwd=STUCK.parents[2]).stdout
    reason, turn, faults, refusal = told.splitlines()[-4:]
    assert reason.startswith("a rule of the game was still busy after 0.5 s, and was given up: stuck: play does not")
    assert "it was at stuck.py:" in reason and reason.endswith("after 1 1 1")
    assert turn == "1" and faults == "[]"
    assert refusal == "stuck is played no further: 2 of its moves did not end"


CATALOGUE = """
import sys
from spielbaum.web import catalogue

catalogue.DRAWN = 0.5
offered = catalogue.Catalogue([sys.argv[1], "tic-tac-toe"])
print([card["name"] for card in offered.cards], offered.broken)
"""


def test_a_rule_that_does_not_end_does_not_keep_a_server_from_starting(tmp_path):
    game = tmp_path / "stuck.py"
    game.write_text(STUCK.read_text().replace("PREVIEW = ()\n", ""))
    command = [sys.executable, "-c", CATALOGUE, str(game)]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1]
    assert told.startswith(
        "['tic-tac-toe'] [{'file': 'stuck.py', 'reason': 'stuck: play does not end: after 1 s it was"
    )
