"""Agents of the file in the server's folder: offered as they are now, pinned when a session begins."""

from __future__ import annotations

import pathlib

import pytest

from spielbaum.web.settings import Settings
from tests.agents.test_named import PLAYERS
from tests.web.server import PERSON, Server, agent

SPEC = "mine=mcts:c=0.8,iterations=30"


@pytest.fixture
def file(tmp_path, monkeypatch) -> pathlib.Path:
    path = tmp_path / "spielbaum.toml"
    monkeypatch.setenv("SPIELBAUM_TOML", str(path))
    path.write_text('[agents.tic-tac-toe]\nmine = "mcts:c=0.8,iterations=30"\n')
    return path


@pytest.fixture
def small(tmp_path):
    with Server(Settings(("tic-tac-toe", "pig"), folder=tmp_path)) as running:
        yield running


def test_setup_offers_what_the_file_names_now(file, small):
    assert small.http.get("/api/games/tic-tac-toe").json()["named"] == [{"spec": SPEC, "title": "mine"}]
    assert small.http.get("/api/games/pig").json()["named"] == []
    file.write_text(file.read_text().replace("mine", "yours"))
    assert small.http.get("/api/games/tic-tac-toe").json()["named"][0]["title"] == "yours"


def test_a_session_keeps_what_the_name_meant(file, small):
    session = small.begin("tic-tac-toe", PERSON, agent("mine"))
    file.write_text("")
    with small.join(session) as client:
        client.say("ready")
        client.until_mine()
        assert client.welcome["seats"][1]["spec"] == SPEC
        client.act(0)
        client.until(ply=2)


def test_a_file_that_is_wrong_is_told_and_no_obstacle(file, small):
    file.write_text('[agents.tic-tac-toe]\nmine = "mcts:cc=1"\n')
    told = small.http.get("/api/games/tic-tac-toe").json()
    assert (told["named"], told["trouble"]) == (
        [],
        "spielbaum.toml:2: unknown parameter 'cc' for mcts in tic-tac-toe; did you mean 'c'?",
    )
    body = {"game": "tic-tac-toe", "seats": [PERSON, agent("mine")]}
    refused = small.http.post("/api/sessions", json=body)
    assert (refused.status_code, refused.json()["error"]["why"]) == (422, "bad-agent")
    assert small.http.get("/api/games").status_code == 200
    file.write_text("[agents")
    body["seats"][1] = agent("random")
    assert small.http.post("/api/sessions", json=body).status_code == 201, "who does not need the file can play"


def test_kinds_of_a_file_beside_it_are_offered_and_played_but_no_visitor_names_a_file(file, small):
    players = file.with_name("players.py")
    players.write_text(PLAYERS)
    file.write_text('[agent_types]\ntic-tac-toe = "players.py"\n')
    assert small.http.get("/api/games/tic-tac-toe").json()["named"] == [{"spec": "first", "title": "first"}]
    session = small.begin("tic-tac-toe", PERSON, agent("first"))
    with small.join(session) as client:
        client.say("ready")
        client.until_mine()
        client.act(4)
        client.until(ply=2)
    for spec in (str(players), f"{players}:AGENT_TYPES", f"first={players}", "players.py:first"):
        refused = small.http.post("/api/sessions", json={"game": "tic-tac-toe", "seats": [PERSON, agent(spec)]})
        assert refused.status_code == 422, spec
