"""Agents that do not end cost nobody else anything: they are given up, told about, and refused when they are many."""

from __future__ import annotations

import pathlib
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

import spielbaum
from spielbaum.web import searches
from spielbaum.web.settings import Settings
from tests.patience import PATIENCE, Deadline, wait_for
from tests.web.server import PERSON, Client, Server, agent

ENDLESS = pathlib.Path(__file__).parents[1] / "small" / "endless.py"


@pytest.fixture
def hurried() -> Iterator[Server]:
    """A server with a single thread for searches, which gives up soon."""
    game = spielbaum.load(ENDLESS)
    release = game.module.RELEASE
    release.clear()
    with Server(Settings((ENDLESS, "tic-tac-toe"), searches=1, seconds=0.2, patient=0.3)) as running:
        try:
            yield running
        finally:
            release.set()


def health(server: Server) -> dict[str, Any]:
    found: dict[str, Any] = server.http.get("/api/health").json()
    return found


def until_well(server: Server) -> None:
    wait_for(lambda: health(server)["status"] == "ok")


def assert_others_play(server: Server) -> None:
    with server.play("tic-tac-toe", PERSON, agent("random")) as other:
        other.act(4)
        assert other.until(ply=2)["faults"] == []


def given_up(client: Client) -> str:
    """What players are told when an agent was given up; then they try again."""
    reason: str = client.until(paused=True)["faults"][-1]
    client.now = {**client.now, "paused": False}
    return reason


@pytest.mark.parametrize("how", ["loop", "wait", "spin"])
def test_an_agent_that_does_not_end_is_given_up_and_others_play_on(hurried, how):
    with hurried.play("endless", PERSON, agent(f"endless:how={how}")) as client:
        client.act(1)
        assert f"endless:how={how} was still busy" in given_up(client)
        if how != "loop":  # which an exception has ended
            found = health(hurried)
            assert found["status"] == "trouble"
            assert found["searches"]["lost"] == [{"game": "endless", "agent": f"endless:how={how}"}]
        assert_others_play(hurried)
        spielbaum.load(ENDLESS).module.RELEASE.set()
        client.say("pace", paused=False)
        assert client.until(ply=2)["faults"] == []
    until_well(hurried)


def test_an_agent_that_was_lost_too_often_is_refused_until_its_threads_end(hurried):
    spec = "endless:how=wait"
    with hurried.play("endless", PERSON, agent(spec)) as client:
        client.act(1)
        assert "given up" in given_up(client)
        client.say("pace", paused=False)
        assert "given up" in given_up(client)
        assert len(health(hurried)["searches"]["lost"]) == 2
        client.say("pace", paused=False)
        assert "2 of its searches did not end" in given_up(client)
        refused = {"game": "endless", "seats": [PERSON, agent("endless:how=loop")]}
        answer = hurried.http.post("/api/sessions", json=refused)
        assert answer.status_code == 422 and "did not end" in answer.json()["error"]["reason"]
        assert "did not end" in client.ask("restart", seats=[PERSON, agent(spec)])["reason"]
        with hurried.play("endless", PERSON, PERSON) as other:
            assert "did not end" in other.ask("hint", "hint", spec=spec)["reason"]
        assert len(health(hurried)["searches"]["lost"]) == 2
        spielbaum.load(ENDLESS).module.RELEASE.set()
        until_well(hurried)
        client.say("pace", paused=False)
        assert client.until(ply=2)["faults"] == []


def test_who_takes_back_while_an_agent_hangs_does_not_collect_threads(hurried):
    with hurried.play("endless", PERSON, agent("endless:how=wait")) as client:
        for _ in range(6):
            client.act(1)
            client.say("undo")
            client.until(ply=0)
        assert_others_play(hurried)
        assert len(health(hurried)["searches"]["lost"]) <= 2


def test_an_agent_that_ponders_for_ever_is_made_anew(hurried):
    with hurried.play("endless", PERSON, agent("endless:how=brood")) as client:
        client.act(1)
        client.until(ply=2)
        deadline = Deadline()
        while not health(hurried)["searches"]["lost"]:
            client.say("pace", pace=0.5)  # whatever is published: the old thoughts are stopped, and new ones begin
            time.sleep(min(0.1, deadline.left("thoughts that are given up")))
        client.ask("ping", "pong")
        client.act(1)
        assert client.until(ply=4)["faults"] == []


def test_a_thread_that_can_not_be_started_costs_no_place(monkeypatch):
    def refused(work):
        monkeypatch.undo()
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(searches, "in_thread", refused)
    with (
        Server(Settings(("tic-tac-toe",), searches=1)) as server,
        server.play("tic-tac-toe", PERSON, agent("random")) as client,
    ):
        client.act(4)
        assert "log says why" in given_up(client)
        client.say("pace", paused=False)
        assert client.until(ply=2)["faults"] == []


def test_an_agent_that_exits_ends_nothing_but_its_search(hurried):
    with hurried.play("endless", PERSON, agent("endless:how=exit")) as client:
        client.act(1)
        assert "log says why" in given_up(client)
        assert_others_play(hurried)


def test_an_agent_that_hears_stop_but_never_looks_can_be_told_to_move():
    with (
        Server(Settings((ENDLESS,), searches=1, seconds=PATIENCE)) as server,
        server.play("endless", PERSON, agent("endless:how=heed")) as client,
    ):
        client.act(1)
        wait_for(lambda: health(server)["searches"]["running"])
        client.say("stop")
        assert client.until(ply=2)["faults"] == []


@pytest.mark.parametrize(
    ("game", "spec"),
    [
        ("kuhn-poker", "cfr:traversals=1000000000"),
        ("liars-dice", "cfr:traversals=1000000000"),
        ("tic-tac-toe", "mcts:iterations=1000000000,simulations=1000000,limit=1000000000"),
    ],
)
def test_a_budget_without_end_ends_with_the_server_s_own(game, spec):
    with (
        Server(Settings((game,), searches=1, seconds=0.3)) as server,
        server.play(game, agent(spec), PERSON, pace=0) as client,
    ):
        assert client.until(ply=1)["faults"] == []
        assert health(server)["searches"]["lost"] == []


def test_an_agent_that_does_not_end_is_not_prepared_for_ever():
    command = [sys.executable, "-m", "spielbaum.web.warmer", str(ENDLESS), "{}"]
    done = subprocess.run(command, input='"endless:how=wait"\n', capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 1 and done.stdout == ""


def test_a_server_with_a_lost_search_stops_when_it_is_told(tmp_path):
    code = f"""
import pathlib
from spielbaum.web.app import create_server, listen
from spielbaum.web.settings import Settings
door = listen("127.0.0.1", 0)
settings = Settings((pathlib.Path({str(ENDLESS)!r}),), searches=1, seconds=0.1, patient=0.1)
server = create_server(settings, "127.0.0.1", 0)
print(door.getsockname()[1], flush=True)
server.run(sockets=[door])
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        port = int(re.findall(r"\d+", process.stdout.readline())[0])
        seats = [PERSON, agent("endless:how=wait")]
        body = {"game": "endless", "seats": seats, "moves": [1]}
        answer = httpx.post(f"http://127.0.0.1:{port}/api/sessions", json=body, timeout=PATIENCE)
        with Client(port, answer.json()["session"], answer.json()["token"]) as client:
            client.until(paused=True)
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)
    finally:
        process.kill()
