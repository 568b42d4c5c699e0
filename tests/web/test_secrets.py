"""What nobody can know: the dice of a game, what it hides, what agents are going to do; and whose seat is taken."""

from __future__ import annotations

import json
import pathlib
import signal
import subprocess
import sys

import httpx
import pytest

import spielbaum
from spielbaum.web.live_game import Seat
from spielbaum.web.seating import seeds
from spielbaum.web.settings import Settings
from tests.patience import PATIENCE
from tests.web.server import PERSON, Client, Server, agent
from tests.web.test_protocol import bearer, code

RANDOM = agent("random")
OPEN, DICE, HIDDEN = "connect-four", "pig", "pursuit"


@pytest.mark.parametrize("game", [DICE, HIDDEN])
def test_who_chooses_the_seed_does_not_play(server, game):
    chosen = {"game": game, "seed": 5, "seats": [PERSON, RANDOM]}
    answer = server.http.post("/api/sessions", json=chosen)
    assert answer.status_code == 422 and "seed" in answer.json()["error"]["reason"]
    record = {"record": {"game": game, "seed": 5, "actions": []}, "seats": [PERSON, RANDOM]}
    assert server.http.post("/api/sessions", json=record).status_code == 422
    watched = {**chosen, "seats": [RANDOM] * spielbaum.load(game).players}
    assert server.http.post("/api/sessions", json=watched).status_code == 201


def test_a_seed_that_decides_nothing_may_be_chosen(server):
    assert server.http.post("/api/sessions", json={"game": OPEN, "seed": 5}).status_code == 201


def test_nobody_restarts_or_plays_on_with_a_seed_that_is_known(server):
    with server.play(DICE, PERSON, RANDOM) as client:
        assert code(client.ask("restart", seed=5)) == "bad-setup"
        client.say("restart")
        assert client.wait("welcome")
    with server.play(DICE, mode="analysis", moves="roll") as client:
        assert code(client.ask("continue", seats=[PERSON, RANDOM])) == "bad-setup"
        assert code(client.ask("continue", "session", seats=[RANDOM, RANDOM])) == "session"


def test_seeds_are_as_wide_as_they_can_be_and_agents_have_their_own():
    game, seats = spielbaum.load(DICE), [Seat("human"), Seat("agent", spec="random")]
    drawn = [seeds(game, seats, None) for _ in range(60)]
    assert max(seed for seed, _ in drawn) >= 2**60 and max(agents for _, agents in drawn) >= 2**54
    assert len({seed for seed, _ in drawn} | {agents for _, agents in drawn}) == 120
    one, other = (seeds(spielbaum.load(OPEN), seats, 5)[1] for _ in range(2))
    assert one != other  # a person who chose the seed of an open game does not know what the agent draws
    assert seeds(game, [Seat("agent", spec="random")] * 2, 5) == (5, 5)


def test_the_seed_is_told_when_the_game_is_over_and_not_before(tmp_path):
    """All that a client hears and can ask for holds no seed; the record of the end plays the same game again."""
    with Server(Settings((DICE,), folder=tmp_path)) as server:
        session = server.begin(DICE, PERSON, PERSON, options={"target": 10})
        with server.join(session) as client:
            while not client.now["over"]:
                actions = [gesture["action"] for gesture in client.now["gestures"]]
                client.act(actions[-1])
            record = server.http.get(f"/api/sessions/{session['session']}/record", headers=bearer(session)).json()
            heard = json.dumps([message for message in client.heard if not message.get("over")])
        assert str(record["seed"]) not in heard and "seed" not in heard
        again = json.loads(json.dumps(record))  # as a browser reads it: large numbers are texts
        assert isinstance(again["seed"], str) or again["seed"] < 2**53
        with server.play("ignored", mode="analysis", record=again) as replayed:
            assert replayed.now["over"] and replayed.now["scene"] == client.now["scene"]
        listed = server.http.get("/api/records").json()["records"][0]
        with server.play("ignored", mode="analysis", record_id=listed["id"]) as replayed:
            assert replayed.now["over"] and replayed.now["scene"] == client.now["scene"]


def test_finished_games_are_listed_without_the_names_of_their_sessions(server):
    session = server.begin("tic-tac-toe", PERSON, PERSON, moves="a1 a2 b1 b2")
    with server.join(session) as client:
        client.act(2)
    listed = server.http.get("/api/records").json()["records"][0]
    assert listed["ply"] == 5 and session["session"] not in json.dumps(listed)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a signal that kills")
def test_a_server_that_is_killed_remembers_that_an_invite_was_used(tmp_path):
    process, port = started(tmp_path)
    try:
        seats = [PERSON, PERSON]
        address = f"http://127.0.0.1:{port}/api/sessions"
        session = httpx.post(address, json={"game": "tic-tac-toe", "seats": seats}, timeout=PATIENCE).json()
        guest = Client(port, session["session"], session["invites"]["0"])
        assert guest.welcome["yours"] == [0]
    finally:
        process.kill()
        process.wait()
    process, port = started(tmp_path)
    try:
        owner = Client(port, session["session"], session["token"])
        assert owner.welcome["yours"] == [1]
        assert code(owner.act(4)) == "not-your-turn"
        assert Client(port, session["session"], session["invites"]["0"]).act(4)["ply"] == 1
    finally:
        process.kill()
        process.wait()


def started(folder: pathlib.Path) -> tuple[subprocess.Popen[str], int]:
    """A server in a process of its own, and its port."""
    settings = json.dumps({"games": ["tic-tac-toe"], "folder": str(folder)})
    command = [sys.executable, "-m", "tests.web.ui.serve", settings, "0"]
    root = pathlib.Path(__file__).parents[2]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root)
    assert process.stdout is not None
    return process, int(process.stdout.readline())
