"""Nets of agents that a client asks for: no file is opened that neither the game nor the owner of the server names."""

from __future__ import annotations

import os
import pathlib

import pytest

import spielbaum
from spielbaum.networks import files
from spielbaum.networks.net import random_weights
from spielbaum.web.settings import Settings
from tests.web.server import PERSON, Server, agent

SPECS = (
    ("spe-ed", "neat:net={}"),
    ("connect-four", "policy:net={}"),
    ("connect-four", "network:net={}"),
    ("connect-four", "mcts:value=network,net={}"),
    ("connect-four", "alphabeta:evaluate={}"),
    ("connect-four", "mine=policy:net={}"),
)


@pytest.fixture
def file(tmp_path, monkeypatch) -> pathlib.Path:
    path = tmp_path / "spielbaum.toml"
    monkeypatch.setenv("SPIELBAUM_TOML", str(path))
    path.write_text("")
    return path


@pytest.fixture
def server(tmp_path, file):
    with Server(Settings(("connect-four", "spe-ed"), folder=tmp_path / "data")) as running:
        yield running


def refusal(server: Server, game: str, spec: str) -> tuple[int, str, str]:
    players = spielbaum.load(game).players
    body = {"game": game, "seats": [PERSON, *[agent(spec)] * (players - 1)]}
    answer = server.http.post("/api/sessions", json=body, timeout=60)
    error = answer.json()["error"]
    return answer.status_code, error["why"], error["reason"]


@pytest.mark.parametrize(("game", "spec"), SPECS)
def test_a_client_can_t_name_a_file_and_does_not_learn_whether_it_is_there(server, tmp_path, game, spec):
    for suffix in (".npz", ".onnx"):
        path = tmp_path / f"net{suffix}"
        told = refusal(server, game, spec.format(path))
        assert told[:2] == (422, "bad-agent") and "its owner has named in spielbaum.toml" in told[2]
        os.mkfifo(path)
        assert refusal(server, game, spec.format(path)) == told, "a pipe"
        path.unlink()
        path.mkdir()
        assert refusal(server, game, spec.format(path)) == told, "a folder"
    assert refusal(server, game, spec.format("/dev/zero"))[:2] == (422, "bad-agent")


def test_hints_and_analyses_open_no_files_either(server):
    session = server.begin("connect-four", PERSON, agent("random"))
    with server.join(session) as client:
        client.until_mine()
        refused = client.ask("hint", "error", spec="policy:net=/dev/zero")
        assert (refused["code"], refused["why"]) == ("bad-setup", "bad-agent")
        assert "its owner has named" in refused["reason"]


def test_nets_that_come_with_the_game_are_played(server):
    assert server.begin("connect-four", PERSON, agent("policy:net=selfplay"))
    assert server.begin("connect-four", PERSON, agent("alphabeta:evaluate=selfplay"))


def test_nets_that_the_owner_names_are_played_by_name_and_as_they_are_offered(server, file, tmp_path):
    game, net = spielbaum.load("connect-four"), tmp_path / "mine.npz"
    files.save(net, game, "16-8", random_weights(game, "16-8", seed=1))
    file.write_text(f'[agents.connect-four]\nwrong = "mcts:cc=1"\nmine = "policy:net={net}"\n')
    assert server.begin("connect-four", PERSON, agent("mine"))
    file.write_text(f'[agents.connect-four]\nmine = "policy:net={net}"\n')
    [offered] = server.http.get("/api/games/connect-four").json()["named"]
    assert server.begin("connect-four", PERSON, agent(offered["spec"]))
    assert server.begin("connect-four", PERSON, agent(f"alphabeta:evaluate={net}"))
    assert refusal(server, "connect-four", "mine:net=/dev/zero")[:2] == (422, "bad-agent")
