"""Hidden information stays hidden: whatever a client may do, no message tells it what its seat may not know.

The strongest claim is made by comparison: two games that differ only in what a hunter can't see must send the
hunter the same messages, byte by byte.
"""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

import spielbaum
from tests.patience import Deadline
from tests.web.server import PERSON, Client, Server, agent

FUGITIVE, HUNTER = 0, 1
SHY = agent("ismcts:iterations=60")
HUNTS = [("pursuit", {"reveal": 50}), ("scotland-yard", {"players": 3})]
hunts = pytest.mark.parametrize(("name", "options"), HUNTS)


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Kernels first, where nobody waits at a socket for them."""
    for name, options in HUNTS:
        game = spielbaum.load(name, **options)
        spielbaum.agent(SHY["spec"], game).act(game.new())


def twins(name: str, options: dict[str, Any]) -> tuple[int, list[str], list[str]]:
    """A seed and two first moves of the fugitive after which a hunter sees the same."""
    game = spielbaum.load(name, **options)
    for seed in range(50):
        moves = game.new(seed).moves
        for other in moves[1:]:
            one, two = game.play_all(moves[:1], seed), game.play_all([other], seed)
            if one.view(HUNTER).array.tobytes() == two.view(HUNTER).array.tobytes():
                return seed, moves[:1], [other]
    raise AssertionError("there are no twins")


def without_chance(message: dict[str, Any]) -> str:
    """A message without what differs between any two sessions: their names and the clock."""
    kept = {key: value for key, value in message.items() if key not in ("session", "clock")}
    return json.dumps(kept, sort_keys=True)


def hunt(server: Server, name: str, options: dict[str, Any], seed: int, moves: list[str]) -> list[str]:
    """Everything that a hunter hears who asks for everything."""
    session = server.begin(name, PERSON, PERSON, PERSON, options=options, seed=seed, moves=moves)
    with server.join(session, session["invites"]["1"]) as hunter, server.join(session, session["invites"]["0"]) as prey:
        for kind in ("line", "tree", "undo", "leave", "restart", "stop"):
            hunter.ask(kind)
        hunter.ask("goto", ply=0)
        hunter.ask("view", seat=FUGITIVE)
        hunter.ask("hint", "hint", spec="random")
        hunter.until_mine()
        hunter.act(hunter.now["gestures"][0]["action"])
        prey.say("resign", seat=0)
        hunter.until(over=True)
        return [without_chance(message) for message in hunter.heard]


@hunts
def test_a_hunter_can_not_tell_two_fugitives_apart(server, name, options):
    seed, one, other = twins(name, options)
    assert one != other
    server.get_ready(name, 3, "random", options=options)
    assert hunt(server, name, options, seed, one) == hunt(server, name, options, seed, other)


@hunts
def test_the_thoughts_of_a_hidden_player_are_not_told(server, name, options):
    session = server.begin(name, SHY, PERSON, PERSON, options=options, seed=1)
    with server.join(session) as client:
        deadline = Deadline()
        while client.now["type"] == "pass-screen":
            client.say("ready")
            client.hear(deadline.left("a position after the pass-and-play screen"))
        client.until_mine()
        thoughts = [message for message in client.heard if message["type"] == "thinking"]
        assert thoughts and all(message["search"] is None for message in thoughts)
        assert client.now["curve"] == [] and not any(move["steps"] for move in client.now["last"])
        for move in client.now["moves"]:
            assert move["seat"] == FUGITIVE and not re.search(r"\d$", str((move["label"] or {}).get("en")))
        assert client.ask("tree")["code"] in ("forbidden", "not-now")
        assert client.ask("line")["code"] in ("forbidden", "not-now")


def test_nothing_draws_the_fugitive_for_a_hunter_through_whole_games(server):
    for seed in range(3):
        with server.play("pursuit", SHY, PERSON, SHY, seed=seed, pace=0, options={"reveal": 50}) as hunter:
            while not hunter.until_mine()["over"]:
                hunter.act(hunter.now["gestures"][-1]["action"])
            for message in hunter.heard:
                assert '"id": "fugitive"' not in json.dumps(message)
                for move in message.get("moves", []):
                    assert (move["label"] is None) == (move["seat"] == FUGITIVE)


def test_the_fugitive_sees_himself_and_the_hunters_moves(server):
    with server.play("pursuit", PERSON, SHY, SHY) as prey:
        prey.act(prey.now["gestures"][0]["action"])
        state = prey.until_mine()
        assert '"id": "fugitive"' in json.dumps(state["scene"])
        assert all(move["label"] for move in state["moves"])


@hunts
def test_a_game_that_hides_is_not_copied_or_recorded_before_its_end(server, name, options):
    session = server.begin(name, SHY, PERSON, PERSON, options=options)
    header = {"Authorization": f"Bearer {session['token']}"}
    copy = {"mode": "analysis", "from": {"session": session["session"], "token": session["token"]}}
    assert server.http.get(f"/api/sessions/{session['session']}/record", headers=header).status_code == 403
    assert server.http.post("/api/sessions", json=copy).status_code == 403


def test_agents_alone_may_be_watched_with_everything(server):
    with server.play("pursuit", SHY, SHY, SHY, pace=0) as watcher:
        watcher.until(over=True)
        assert watcher.now["viewer"] is None
        assert any(message["search"] for message in watcher.heard if message["type"] == "thinking")


def test_a_seat_that_somebody_came_for_is_no_longer_seen_by_who_began_the_session(server):
    session = server.begin("pursuit", PERSON, PERSON, PERSON, seed=1)
    with server.join(session) as owner:
        assert owner.welcome["yours"] == [0, 1, 2]
        with server.join(session, session["invites"]["1"]) as guest:
            assert owner.wait("welcome")["yours"] == [0, 2]
            lift(owner)
            owner.act(owner.now["gestures"][0]["action"])
            assert owner.now["type"] == "state" and owner.now["viewer"] == FUGITIVE
            owner.say("ready")
            assert owner.wait("state")["viewer"] == FUGITIVE
            owner.say("act", rev=owner.now["rev"], action=0)
            assert owner.wait("error")["code"] == "not-your-turn"
            assert guest.until(ply=1)["gestures"]


# --- one screen for several people ----------------------------------------------------------------


def lift(client: Client) -> None:
    client.say("ready")
    client.wait("state")


def test_the_screen_is_passed_when_another_person_is_to_decide(server):
    with server.play("pursuit", PERSON, PERSON, PERSON, seed=1) as client:
        assert client.now == {"type": "pass-screen", "rev": 0, "seat": 0, "ply": 0}
        client.say("act", rev=0, action=0)
        assert client.wait("error")["code"] == "not-now"
        lift(client)
        pass_screen = client.act(client.now["gestures"][0]["action"])
        assert pass_screen["type"] == "pass-screen" and pass_screen["seat"] == 1 and "scene" not in pass_screen
        lift(client)
        assert client.now["viewer"] == 1 and client.now["last"] == []
        assert client.now["moves"] == [{"ply": 0, "seat": 0, "label": None}]


@hunts
def test_one_screen_is_passed_between_a_fugitive_and_hunters(server, name, options):
    with server.play(name, PERSON, PERSON, PERSON, options=options, seed=1) as client:
        lift(client)
        for viewer, pass_screen in ((0, True), (1, False), (2, True)):
            assert client.now["viewer"] == viewer
            after = client.act(client.now["gestures"][0]["action"])
            assert (after["type"] == "pass-screen") is pass_screen and ("scene" in after) is not pass_screen
            if pass_screen:
                lift(client)
        assert client.now["viewer"] == FUGITIVE


@hunts
def test_players_who_see_the_same_do_not_pass_the_screen(server, name, options):
    with server.play(name, SHY, PERSON, PERSON, options=options, seed=1) as client:
        assert client.now["type"] == "state"  # nor at the beginning: one person may play them all
        client.until_mine()
        assert client.act(client.now["gestures"][0]["action"])["type"] == "state"
        assert client.now["turn"] in (2, None)
