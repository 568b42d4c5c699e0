"""Games in rounds: everybody chooses without knowing what others do, and the round is shown at once.

That nothing is told is shown by comparison: two rounds that differ only in what somebody else has chosen must send
the same messages, byte by byte, until the last choice is in.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from spielbaum.web.catalogue import Catalogue
from spielbaum.web.connection import OWNER, Connection
from spielbaum.web.messages import NewSession, SeatChoice
from spielbaum.web.session_manager import SessionManager
from spielbaum.web.settings import Settings
from tests.web.conftest import SHELLS
from tests.web.server import PERSON, Client, Server, agent
from tests.web.test_hidden import lift, without_chance
from tests.web.test_protocol import bearer

ANN, BOB = 0, 1
THINKER = agent("mcts:iterations=200")


def two_devices(server: Server, **more: Any) -> tuple[Client, Client]:
    session = server.begin("shells", PERSON, PERSON, **more)
    return server.join(session, session["invites"]["0"]), server.join(session, session["invites"]["1"])


def asked_for_everything(server: Server, listener: int, choice: int) -> list[str]:
    """What a player hears who asks for everything while the other one has asked for a hint and chosen."""
    clients = two_devices(server, seed=5)
    mine, other = clients[listener], clients[1 - listener]
    with mine, other:
        assert other.ask("hint", "hint", spec="random")["type"] == "hint"
        other.act(choice)
        mine.until(waiting=[listener])
        for kind in ("line", "tree", "undo", "leave", "restart", "stop"):
            mine.ask(kind)
        mine.ask("goto", ply=1)
        mine.ask("view", seat=1 - listener)
        mine.ask("hint", "hint", spec="random")
        return [without_chance(message) for message in mine.heard]


@pytest.mark.parametrize("listener", [ANN, BOB])
def test_nobody_can_tell_two_choices_of_the_other_apart(server, listener):
    server.get_ready("shells", 2, "random")
    assert asked_for_everything(server, listener, 0) == asked_for_everything(server, listener, 2)


def test_a_round_happens_in_one_step_when_the_last_choice_is_in(server):
    ann, bob = two_devices(server)
    with ann, bob:
        before = ann.now["scene"]
        bob.act(2)
        assert bob.now["ply"] == 0 and bob.now["scene"] == before and bob.now["gestures"] == []
        assert [choice["seat"] for choice in bob.now["chosen"]] == [BOB] and bob.now["waiting"] == [ANN]
        waits = ann.until(waiting=[ANN])
        assert waits["chosen"] == [] and waits["moves"] == [] and waits["movers"] == [ANN, BOB]
        ann.act(0)
        for client in (ann, bob):
            state = client.until(ply=1)
            assert [(move["ply"], move["seat"]) for move in state["moves"]] == [(0, ANN), (0, BOB)]
            assert [move["seat"] for move in state["last"]] == [ANN, BOB] and state["scene"] != before


def test_choices_on_two_devices_may_cross(server):
    ann, bob = two_devices(server)
    with ann, bob:
        bob.act(1)
        ann.say("act", rev=0, action=1)  # sent before it heard that Bob has chosen
        assert ann.until(ply=1)["turn"] == ANN
        ann.say("act", rev=0, action=1)  # but the round is over now
        assert ann.wait("error")["code"] == "stale"
        bob.say("act", rev=ann.now["rev"], action=1)
        assert bob.wait("error")["code"] == "not-your-turn"  # Ann alone decides in the second round


def test_a_choice_can_not_be_made_twice(server):
    ann, bob = two_devices(server)
    with ann, bob:
        ann.act(1)
        ann.say("act", rev=ann.now["rev"], action=2)
        assert ann.wait("error")["code"] == "not-your-turn"
        bob.until(waiting=[BOB])
        assert bob.act(7)["code"] == "illegal-action"


def test_the_thoughts_of_an_agent_are_told_when_the_round_is_over(server):
    with server.play("shells", PERSON, THINKER) as ann:
        ann.until(waiting=[ANN])
        assert ann.now["curve"] == [] and ann.now["moves"] == []
        assert all(message["search"] is None for message in ann.heard if message["type"] == "thinking")
        assert ann.ask("tree")["code"] == "forbidden" and ann.ask("line")["code"] == "forbidden"
        ann.act(0)
        message = ann.wait("thinking", ply=0, such=lambda thought: thought["search"])
        assert message["seat"] == BOB and ann.until(ply=1)["curve"][0]["seat"] == BOB


def test_a_person_may_choose_while_an_agent_thinks(server):
    with server.play("shells", PERSON, agent("mcts:seconds=3"), pace=0) as ann:
        ann.wait("thinking", seat=BOB)
        ann.act(0)
        assert ann.now["ply"] == 0 and [choice["seat"] for choice in ann.now["chosen"]] == [ANN]
        ann.say("stop")
        assert ann.until(ply=1)["turn"] == ANN


def test_whole_rounds_are_taken_back(server):
    with server.play("shells", PERSON, agent("random")) as ann:
        ann.until(waiting=[ANN])
        ann.act(0)
        ann.until(ply=1)
        ann.act(1)
        assert ann.until(ply=2, waiting=[ANN])["can"]["undo"]
        ann.say("undo")
        assert len(ann.until(ply=1)["moves"]) == 2
        ann.say("undo")
        assert ann.until(ply=0)["moves"] == []


def test_a_choice_is_taken_back_before_the_round_is_over(server):
    session = server.begin("shells", PERSON, PERSON)
    with server.join(session) as ann, server.join(session, session["invites"]["1"]) as bob:
        ann.until(turn=ANN)
        ann.act(0)
        bob.until(waiting=[BOB])
        ann.say("undo")
        assert ann.until(waiting=[ANN, BOB])["chosen"] == []
        bob.until(waiting=[ANN, BOB])
        bob.act(1)
        ann.until(waiting=[ANN])
        ann.act(2)
        assert [move["action"] for move in bob.until(ply=1)["last"]] == [2, 1]


def test_two_who_choose_at_one_screen_pass_it_and_the_round_is_for_both(server):
    with server.play("shells", PERSON, PERSON) as client:
        assert client.now["type"] == "state" and client.now["viewer"] == ANN
        first = client.now["scene"]
        pass_screen = client.act(0)
        assert pass_screen["type"] == "pass-screen" and pass_screen["seat"] == BOB
        client.say("act", rev=client.now["rev"], action=0)
        assert client.wait("error")["code"] == "not-now"
        lift(client)
        assert client.now["viewer"] == BOB and client.now["chosen"] == [] and client.now["scene"] == first
        after = client.act(1)
        assert after["type"] == "state" and after["ply"] == 1 and len(after["last"]) == 2


def test_a_choice_survives_a_restart_of_the_server_and_is_in_no_record(tmp_path):
    settings = Settings((SHELLS,), folder=tmp_path)
    with Server(settings) as server:
        session = server.begin("shells", PERSON, PERSON, clock=100)
        with server.join(session, session["invites"]["1"]) as bob:
            bob.act(2)
    with Server(settings) as server:
        record = server.http.get(f"/api/sessions/{session['session']}/record", headers=bearer(session)).json()
        assert record["actions"] == [] and record["moves"] == []
        with server.join(session, session["invites"]["1"]) as bob, server.join(session, session["invites"]["0"]) as ann:
            assert [choice["action"] for choice in bob.now["chosen"]] == [2] and ann.now["chosen"] == []
            assert ann.now["clock"]["running"] == [ANN]
            ann.act(0)
            assert [move["action"] for move in bob.until(ply=1)["last"]] == [0, 2]


def test_an_analysis_steps_by_rounds_and_shows_what_is_chosen(server):
    with server.play("shells", mode="analysis", moves="a b a c c") as client:
        assert client.now["plies"] == 3 and client.now["over"]
        client.say("goto", ply=1)
        state = client.until(ply=1)
        assert state["turn"] == ANN and [move["seat"] for move in state["last"]] == [ANN, BOB]
        client.say("goto", ply=2)
        client.until(ply=2)
        client.act(1)
        assert [choice["seat"] for choice in client.now["chosen"]] == [ANN] and client.now["turn"] == BOB
        client.act(1)
        assert client.until(ply=3)["over"] and client.now["plies"] == 3


def test_agents_among_themselves_may_be_watched_round_by_round(server):
    with server.play("shells", THINKER, agent("random"), pace=0) as watcher:
        watcher.until(over=True)
        states = [message for message in watcher.heard if message["type"] == "state"]
        assert {state["ply"] for state in states} == {0, 1, 2, 3} and len(watcher.now["moves"]) == 5
        assert any(message["search"] for message in watcher.heard if message["type"] == "thinking")


def test_asking_what_a_screen_shows_changes_nothing_and_showing_it_does():
    async def look() -> None:
        manager = SessionManager(Settings((SHELLS,)), Catalogue((SHELLS,)))
        created = await manager.create(NewSession(game="shells", seats=[SeatChoice(kind="human")] * 2), "here")
        session = manager.loaded[created["session"]]
        connection = Connection(session, OWNER)
        assert connection.view().viewer == ANN and session.agents.can_see(connection, 0, ANN)
        assert connection.shown is None
        await session.show(connection)
        assert connection.shown == ANN
        await manager.close()

    asyncio.run(look())
