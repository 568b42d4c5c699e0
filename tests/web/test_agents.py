"""Every agent of every game through a socket: it plays, shows what it thinks, and ends when it is told to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import spielbaum
from spielbaum.agents.network import lacks_net
from spielbaum.agents.registry import agent_types, own_agents
from spielbaum.agents.searching import SearchAgent
from spielbaum.game import names
from spielbaum.web.searches import limited_agent
from spielbaum.web.settings import Settings
from tests.web.server import PERSON, Client, Server, agent

SMALL: dict[str, dict[str, Any]] = {
    "amazons": {"size": 6},
    "goofspiel": {"cards": 3},
    "latrunculi": {"board": "6x6"},
    "light-cycles": {"width": 5, "height": 5},
    "pig": {"target": 20},
    "pursuit": {"rounds": 3},
    "scotland-yard": {"players": 3},
}
QUICK = ("tic-tac-toe", "kuhn-poker", "rock-paper-scissors")
UNLIMITED = {"mcts": "iterations", "ismcts": "iterations", "alphabeta": "depth", "minimax": "depth", "thesis": "depth"}
AT_MOST = {"iterations": 1_000_000_000, "depth": 126}


def agents_of(name: str) -> list[str]:
    """All that can be chosen for a seat, and the searches once more without an end of their own, and pondering."""
    game = spielbaum.load(name, **SMALL.get(name, {}))
    found = [*own_agents(game)]
    for kind in agent_types(game):
        if lacks_net(kind.name, game):
            continue
        found.append(kind.name)
        params = {param.name: param for param in kind.params(game)}
        if kind.name in UNLIMITED:
            limit = UNLIMITED[kind.name]
            found.append(f"{kind.name}:{limit}={params[limit].high or AT_MOST[limit]}")
        if "ponder" in params:
            found.append(f"{kind.name}:ponder=on")
    return [spec for spec in found if not spec.startswith("human")]


def cases() -> Iterator[Any]:
    for name in names():
        for spec in agents_of(name):
            yield pytest.param(name, spec, marks=() if name in QUICK else pytest.mark.slow, id=f"{name}-{spec}")


@pytest.fixture(scope="module")
def brisk() -> Iterator[Server]:
    """A server with all games on which nobody thinks for long."""
    with Server(Settings(searches=2, seconds=0.5, megabytes=32)) as running:
        yield running


@pytest.mark.parametrize(("name", "spec"), list(cases()))
def test_every_agent_plays_and_shows_and_stops(brisk, name, spec):
    with_net = spec.partition(":")[0] in ("network", "policy")
    options = {} if with_net else SMALL.get(name, {})  # nets are trained for the default board
    game = spielbaum.load(name, **options)
    searches = isinstance(limited_agent(spec, game, 0, 1).agent, SearchAgent)
    seats = [agent(spec)] + [PERSON] + [agent("random")] * (game.players - 2)
    with brisk.play(name, *seats, options=options, pace=0, seed=None if game.hidden or game.chance else 1) as client:
        client.say("stop")  # move now
        for _ in range(2):
            client.until_mine()
            assert client.now["faults"] == []
            if client.now["over"]:
                break
            assert_shows(client, searches)
            if client.now["gestures"]:  # in a round the agent may have chosen last meanwhile
                client.act(client.now["gestures"][0]["action"])
        assert [message for message in client.heard if message["type"] == "error"] == []
    health = brisk.http.get("/api/health").json()
    assert health["searches"]["lost"] == [] and health["status"] == "ok"


def assert_shows(client: Client, searches: bool) -> None:
    """What can be asked about a search is answered: its tree and its line, or why there is none."""
    thoughts = [message["search"] for message in client.heard if message["type"] == "thinking" and message["done"]]
    client.say("tree", id=8, path=[], depth=2, top=3)
    tree = client.wait("tree", "error", re=8)
    client.say("line", id=9)
    line = client.wait("line", "error", re=9)
    if searches and thoughts and thoughts[-1]:
        assert tree["type"] == "tree" or tree["code"] == "not-now", tree  # it may ponder already
        assert line["type"] == "line" or line["code"] == "not-now", line
    for answer in (tree, line):
        if answer["type"] == "error":
            assert answer["code"] in ("not-now", "forbidden"), answer
            client.heard.remove(answer)
