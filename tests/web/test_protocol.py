"""What a client may say and what it hears, on real sockets."""

from __future__ import annotations

import json
import logging
import queue
import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from websockets.exceptions import ConnectionClosed

import spielbaum
from spielbaum import arena
from spielbaum.agents.searching import SearchAgent
from spielbaum.arena.clocks import ON_TIME
from spielbaum.arena.game_batch import GameBatch, record_of
from spielbaum.arena.single import GameRecord
from spielbaum.web.live_game import LiveGame, Seat
from spielbaum.web.settings import Settings
from tests.web.server import PERSON, Client, Server, agent

QUICK = agent("mcts:iterations=30")


def code(message: dict) -> str:
    return message["code"] if message["type"] == "error" else message["type"]


# --- playing ------------------------------------------------------------------------------------


def test_a_person_plays_a_whole_game_against_an_agent(server):
    with server.play("tic-tac-toe", PERSON, QUICK) as client:
        while not client.until_mine()["over"]:
            client.act(client.now["gestures"][0]["action"])
        result = client.now["result"]
        assert result["kind"] == "played" and len(result["returns"]) == 2
        assert client.now["gestures"] == [] and client.now["turn"] is None
        assert [move["seat"] for move in client.now["moves"]] == [ply % 2 for ply in range(client.now["ply"])]


def test_minimax_is_an_opponent_like_others(server):
    with server.play("tic-tac-toe", PERSON, agent("minimax:depth=9")) as client:
        client.act(4)
        assert client.until(ply=2)["faults"] == []
        assert client.ask("tree", "tree", path=[], depth=1, top=3)["node"]["children"]


def test_the_thesis_player_shows_its_line_as_a_tree_and_can_be_stopped(server):
    players = agent("thesis:depth=16"), PERSON
    with server.play("latrunculi", *players, options={"board": "6x6"}) as client:
        client.wait("thinking", done=False, preparing=False)
        client.say("stop")
        assert client.until(ply=1)["faults"] == []
        assert client.ask("tree", "tree", path=[], depth=1, top=3)["node"]["children"]


def test_an_agent_ponders_while_a_person_thinks(server, monkeypatch):
    begun, ended, ponder = queue.SimpleQueue[int](), queue.SimpleQueue[int](), SearchAgent.ponder

    def noted(self, state, *, watch=None):
        begun.put(len(state.history))
        ponder(self, state, watch=watch)
        ended.put(len(state.history))

    monkeypatch.setattr(SearchAgent, "ponder", noted)
    with server.play("connect-four", PERSON, agent("mcts:iterations=300,ponder=on")) as client:
        for ply in (0, 2, 4):
            client.act(ply // 2)
            client.until(ply=ply + 2)
            assert begun.get(timeout=60) == ply + 2
    assert [ended.get(timeout=60) for _ in range(3)] == [2, 4, 6]


def test_two_people_play_at_one_screen(server):
    with server.play("connect-four", PERSON, PERSON) as client:
        for action in (3, 0, 3, 0, 3, 0, 3):
            client.act(action)
        assert client.now["result"]["winners"] == [0]
        assert code(client.act(0)) == "not-now"


def test_agents_play_against_each_other_to_the_end_and_begin_again():
    with (
        Server(Settings(pause=0.01)) as server,
        server.play("tic-tac-toe", QUICK, QUICK, pace=0, repeat=True) as client,
    ):
        client.until(over=True)
        assert client.until(over=False)["ply"] < 9
        assert client.now["repeat"]


def test_agents_wait_while_they_are_paused(server):
    with server.play("tic-tac-toe", agent("random"), agent("random"), pace=60) as client:
        client.until(ply=1)
        client.say("pace", paused=True, pace=0)
        assert client.until(paused=True)["ply"] == 1
        assert client.ask("ping", "pong")["type"] == "pong"
        assert client.now["ply"] == 1
        client.say("pace", paused=False)
        client.until(over=True)


def test_two_devices_play_each_their_own_seat(server):
    session = server.begin("tic-tac-toe", PERSON, PERSON)
    with server.join(session, session["invites"]["0"]) as one, server.join(session, session["invites"]["1"]) as other:
        assert one.welcome["yours"] == [0] and other.welcome["yours"] == [1]
        assert one.now["gestures"] and not other.now["gestures"]
        one.act(4)
        assert other.until(ply=1)["gestures"]
        assert other.act(0)["ply"] == 2
        assert code(other.ask("restart")) == "forbidden"


def test_a_time_limit_ends_the_game(server):
    with server.play("tic-tac-toe", PERSON, PERSON, clock=1.0) as client:
        result = client.until(over=True)["result"]
        assert result["kind"] == "time" and result["seat"] == 0 and result["winners"] == [1]


def test_who_resigns_has_lost(server):
    with server.play("connect-four", PERSON, QUICK) as client:
        assert code(client.ask("resign", seat=1)) == "forbidden"
        client.say("resign", seat=0)
        assert client.until(over=True)["result"] == {
            "kind": "resigned", "seat": 0, "returns": [-1.0, 1.0], "winners": [1], "outcome": None,
        }  # fmt: skip


@pytest.mark.parametrize(("seat", "returns"), [(0, [-1.0, 1.0, 1.0]), (1, [1.0, -1.0, -1.0]), (2, [1.0, -1.0, -1.0])])
def test_who_resigns_has_lost_with_the_team(seat, returns):
    """The fugitive of Pursuit plays alone, both hunters are a team."""
    live = LiveGame(spielbaum.load("pursuit"), "pursuit", [Seat("human")] * 3, seed=1)
    live.resign(seat)
    result = live.result()
    assert result["returns"] == returns
    assert result["winners"] == [number for number, value in enumerate(returns) if value > 0]


def test_undo_goes_back_to_ones_own_last_decision(server):
    with server.play("connect-four", PERSON, QUICK) as client:
        client.act(3)
        client.until(ply=2)
        client.act(3)
        client.until(ply=4)
        client.say("undo")
        assert client.until(ply=2)["turn"] == 0
        client.say("undo")
        assert client.until(ply=0)["can"]["undo"] is False
        assert code(client.ask("undo")) == "not-now"


def test_undo_while_the_agent_thinks_stops_it(server):
    with server.play("connect-four", PERSON, agent("mcts:seconds=4")) as client:
        client.act(3)
        client.wait("thinking")
        client.say("undo")
        assert client.until(ply=0)["busy"] is None
        client.act(2)
        assert client.wait("thinking")["ply"] == 1


def test_nothing_is_taken_back_in_a_game_of_chance(server):
    with server.play("pig", PERSON, PERSON) as client:
        client.act(0)
        assert not client.now["can"]["undo"]
        refusal = client.ask("undo")
        assert code(refusal) == "not-now" and "chance" in refusal["reason"]


def test_restart_keeps_the_table_and_can_change_the_seats(server):
    with server.play("tic-tac-toe", PERSON, QUICK) as client:
        client.act(4)
        client.say("restart", seats=[PERSON, PERSON])
        assert [seat["kind"] for seat in client.wait("welcome")["seats"]] == ["human", "human"]
        assert client.until(ply=0)["turn"] == 0


def test_leaving_ends_the_session(server):
    session = server.begin("tic-tac-toe", PERSON, QUICK)
    with server.join(session) as client:
        client.say("leave")
        assert client.wait("ended")["reason"] == "left"
        with pytest.raises(ConnectionClosed) as closed:
            client.hear()
        assert closed.value.rcvd.code == 4410
    answer = server.http.get(f"/api/sessions/{session['session']}", headers=bearer(session))
    assert answer.status_code == 404 and answer.json()["error"]["code"] == "unknown-session"


def bearer(session: dict) -> dict[str, str]:
    return {"Authorization": f"Bearer {session['token']}"}


# --- thinking -----------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["mcts:seconds=1.5", "alphabeta:seconds=1.5"])
def test_thoughts_are_streamed(server, spec):
    with server.play("connect-four", agent(spec), PERSON) as client:
        client.until(ply=1)
        thoughts = [message for message in client.heard if message["type"] == "thinking" and message["search"]]
        assert len(thoughts) >= 5
        assert thoughts[-1]["done"] and not thoughts[0]["done"]
        search = thoughts[-1]["search"]
        assert search["nodes"] > thoughts[0]["search"]["nodes"] > 0
        assert {edge["action"] for edge in search["edges"]} == set(range(7))
        assert sum(edge["share"] for edge in search["edges"]) == pytest.approx(1)
        assert search["line"][0]["steps"] == [f"column-{search['action']}"]
        assert client.now["curve"][0]["value"] == search["value"]


@pytest.mark.parametrize("spec", ["mcts:iterations=500", "alphabeta:depth=4"])
def test_the_tree_can_be_walked_and_the_line_played_out(server, spec):
    with server.play("connect-four", agent(spec), PERSON) as client:
        client.until(ply=1)
        root = client.ask("tree", "tree", depth=2, top=3)
        assert root["turn"] == 0 and len(root["node"]["children"]) >= 1
        best = root["node"]["children"][0]
        below = client.ask("tree", "tree", path=[best["action"]])
        assert below["node"]["label"] == best["label"] and below["turn"] == 1
        assert len(below["scene"]["layers"][0]["shapes"]) == 1
        line = client.ask("line", "line")["line"]
        assert [len(step["scene"]["layers"][0]["shapes"]) for step in line] == list(range(1, len(line) + 1))
        assert code(client.ask("tree", path=[99])) == "not-now"


def test_the_tree_can_be_walked_while_it_grows(server):
    with server.play("connect-four", agent("mcts:seconds=4"), PERSON) as client:
        client.wait("thinking", such=lambda thought: thought["search"])
        assert client.ask("tree", "tree")["node"]["children"]
        assert client.now["ply"] == 0
        client.say("stop")
        assert client.until(ply=1)


def test_a_hint_is_given_for_ones_own_decision_only(server):
    with server.play("connect-four", PERSON, agent("mcts:seconds=4"), moves="d a d a d a") as client:
        hint = client.ask("hint", "hint", spec="alphabeta:depth=3")
        assert hint["label"] == "d" and hint["search"]["edges"]
        client.act(0)
        assert code(client.ask("hint")) == "not-your-turn"


def test_thinking_time_and_memory_are_limited():
    endless = agent("mcts:iterations=1000000000,memory=65536")
    with Server(Settings(seconds=0.3, megabytes=1)) as server, server.play("connect-four", endless, PERSON) as client:
        client.until(ply=1)
        thought = [m["search"] for m in client.heard if m["type"] == "thinking" and m["done"]][-1]
        assert 0 < thought["nodes"] < 1_000_000_000
        assert thought["full"] and thought["memory"] < 2_000_000


def test_searches_beyond_the_cap_wait_in_a_queue_that_moves_up():
    with Server(Settings(searches=1)) as server:
        first = server.play("connect-four", agent("mcts:seconds=20"), PERSON)
        first.wait("thinking", such=lambda thought: thought["search"])
        second = server.play("connect-four", agent("mcts:iterations=100"), PERSON)
        third = server.play("connect-four", agent("mcts:iterations=100"), PERSON)
        assert second.wait("thinking", queue=1) and third.wait("thinking", queue=2)
        searches = server.http.get("/api/health").json()["searches"]
        assert searches == {"running": 1, "waiting": 2, "limit": 1, "lost": []}
        first.say("leave")
        assert third.wait("thinking", queue=1)
        assert second.until(ply=1) and third.until(ply=1)


# --- analysis -----------------------------------------------------------------------------------


def test_a_move_list_can_be_stepped_through_searched_and_played_on(server):
    with server.play("connect-four", mode="analysis", moves="d d e e") as client:
        assert client.now["ply"] == client.now["plies"] == 4
        client.say("goto", ply=2)
        assert client.until(ply=2)["plies"] == 4
        client.say("think", spec="alphabeta:depth=5")
        assert client.wait("thinking", done=True)["ply"] == 2
        state = client.wait("state")
        assert state["busy"] is None and state["curve"] and state["gestures"]
        assert client.act(6)["plies"] == 3
        begun = client.ask("continue", "session", seats=[PERSON, PERSON])
        with server.join(begun) as continued:
            assert continued.now["ply"] == 3 and continued.now["turn"] == 1


def test_a_record_can_be_opened(server):
    session = server.begin("connect-four", PERSON, PERSON, moves="d a d a d a d")
    record = server.http.get(f"/api/sessions/{session['session']}/record", headers=bearer(session)).json()
    assert record["returns"] == {"yellow": 1.0, "red": -1.0}
    with server.play("ignored", mode="analysis", record=record) as client:
        assert client.now["plies"] == 7 and client.now["over"]
    with server.play("ignored", mode="analysis", **{"from": {k: session[k] for k in ("session", "token")}}) as client:
        assert client.now["plies"] == 7


POSITION = "......../......../..M...S./......../......../.S....../....M.../........ stones to move"


@pytest.mark.parametrize("field", ["moves", "position"])
def test_a_pasted_position_can_be_searched_and_played_on(server, field):
    with server.play("latrunculi", mode="analysis", **{field: POSITION}) as client:
        assert client.now["plies"] == 0 and client.now["turn"] == 1
        client.act(client.now["gestures"][0]["action"])
        client.say("goto", ply=0)
        assert client.until(ply=0)["turn"] == 1
        begun = client.ask("continue", "session", seats=[PERSON, PERSON])
        with server.join(begun) as continued:
            assert continued.now["turn"] == 1
            assert len(continued.now["gestures"]) == len(client.now["gestures"])
    record = server.http.get(f"/api/sessions/{begun['session']}/record", headers=bearer(begun)).json()
    assert record["position"] == POSITION
    with server.play("ignored", mode="analysis", record=record) as client:
        assert client.now["turn"] == 1


def test_a_text_that_is_neither_moves_nor_a_position_is_refused_with_both_reasons(server):
    answer = server.http.post("/api/sessions", json={"game": "latrunculi", "mode": "analysis", "moves": "....../MS"})
    assert answer.status_code == 422
    reason = answer.json()["error"]["reason"]
    assert "move 1" in reason and "as a position" in reason
    wrong = {"game": "connect-four", "mode": "analysis", "position": "x"}
    assert "no way to write down positions" in server.http.post("/api/sessions", json=wrong).text


def test_finished_games_are_listed_and_can_be_opened(server):
    with server.play("tic-tac-toe", PERSON, PERSON) as client:
        for action in (0, 3, 1, 4, 2):
            client.act(action)
    newest = server.http.get("/api/records").json()["records"][0]
    assert newest["game"] == "tic-tac-toe" and newest["ply"] == 5
    with server.play("ignored", mode="analysis", record_id=newest["id"]) as client:
        assert client.now["result"]["winners"] == [0]


def test_a_game_of_a_stored_run_can_be_opened(tmp_path):
    store = tmp_path / "runs.db"
    arena.match("tic-tac-toe", ["random", "random"], games=4, store=store)
    with Server(Settings(store=store)) as server:
        run = server.http.get("/api/runs").json()["runs"][0]
        assert run["game"] == "tic-tac-toe" and run["games"] == 4
        games = server.http.get(f"/api/runs/{run['run']}/games", params={"first": 1}).json()["games"]
        assert [game["number"] for game in games] == [1, 2, 3]
        chosen = {"run": run["run"], "game": games[0]["number"]}
        with server.play("ignored", mode="analysis", stored=chosen) as client:
            assert client.now["plies"] == games[0]["ply"] and client.now["over"]
            assert client.now["result"]["returns"] == list(games[0]["returns"].values())
        wrong = {"mode": "analysis", "stored": {"run": run["run"], "game": 99}}
        assert server.http.post("/api/sessions", json=wrong).status_code == 404
        assert server.http.get("/api/runs/77/games").status_code == 404


def test_a_stored_game_that_was_lost_on_time_says_so_at_its_end(tmp_path, monkeypatch):
    store = tmp_path / "runs.db"
    arena.match("tic-tac-toe", ["random", "random"], games=1, store=store)

    def cut_off(batch: GameBatch) -> GameRecord:
        whole = record_of(batch)
        return replace(whole, actions=whole.actions[:2], returns=[-1.0, 1.0], outcome=ON_TIME, late=[1, 0])

    monkeypatch.setattr("spielbaum.web.runs.record_of", cut_off)
    with (
        Server(Settings(("tic-tac-toe",), store=store)) as server,
        server.play("ignored", mode="analysis", stored={"run": 1, "game": 0}) as client,
    ):
        result = client.now["result"]
        assert (result["kind"], result["seat"], result["winners"]) == ("time", 0, [1])
        further = client.act(client.now["gestures"][0]["action"])  # one may look how it would have gone on
        assert further["ply"] == 3 and further["result"] is None


def test_a_game_that_was_given_up_says_so_in_its_analysis(server):
    session = server.begin("tic-tac-toe", PERSON, PERSON, moves="a1")
    with server.join(session) as client:
        client.say("resign", seat=1)
        client.until(over=True)
    with server.play(
        "ignored", mode="analysis", **{"from": {name: session[name] for name in ("session", "token")}}
    ) as client:
        assert client.now["result"]["kind"] == "resigned" and client.now["result"]["winners"] == [0]
        client.say("goto", ply=0)
        assert client.until(ply=0)["result"] is None


def test_a_server_without_a_store_has_no_runs(server):
    assert server.http.get("/api/runs").json() == {"runs": [], "damaged": []}
    assert server.http.get("/api/runs/1/games").status_code == 404


# --- what is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{", "malformed"),
        ("", "malformed"),
        ("[1, 2]", "malformed"),
        ("null", "malformed"),
        ('"act"', "malformed"),
        ("[" * 10_000, "malformed"),
        ("{}", "malformed"),
        ('{"type": "act"}', "malformed"),
        ('{"type": "act", "rev": 0, "action": "4"}', "malformed"),
        ('{"type": "act", "rev": 0, "action": 1e400}', "malformed"),
        ('{"type": "act", "rev": 0, "action": 4, "more": 1}', "malformed"),
        ('{"type": "fly", "id": 3}', "unknown-type"),
        ('{"type": ["act"]}', "unknown-type"),
        ('{"type": "hello", "token": "again"}', "not-now"),
        ('{"type": "goto", "ply": 0}', "not-now"),
        ('{"type": "think", "spec": "mcts"}', "not-now"),
        ('{"type": "tree"}', "not-now"),
        ('{"type": "hint", "spec": "mtcs"}', "bad-setup"),
        ('{"type": "restart", "seats": [{"kind": "agent", "spec": "human"}]}', "bad-setup"),
    ],
)
def test_nonsense_is_refused_and_the_connection_goes_on(server, text, expected):
    with server.play("tic-tac-toe", PERSON, PERSON) as client:
        client.socket.send(text)
        refusal = client.wait("error")
        assert refusal["code"] == expected and refusal["reason"]
        assert client.act(4)["ply"] == 1


def test_bytes_are_refused(server):
    with server.play("tic-tac-toe", PERSON, PERSON) as client:
        client.socket.send(b"\x00\xff")
        assert code(client.wait("error")) == "malformed"


def test_an_answer_names_its_request_even_if_it_was_nonsense(server):
    with server.play("tic-tac-toe", PERSON, PERSON) as client:
        client.say("fly", id=12)
        assert client.wait("error")["re"] == 12


@pytest.mark.parametrize("action", [-1, 9, 2**62, 10**30])
def test_an_unknown_action_is_refused(server, action):
    with server.play("tic-tac-toe", PERSON, PERSON) as client:
        refusal = client.act(action)
        assert code(refusal) in ("illegal-action", "malformed") and client.now["ply"] == 0
        assert client.act(0)["ply"] == 1
        assert code(client.act(0)) == "illegal-action"


def test_an_action_out_of_turn_is_refused(server):
    with server.play("connect-four", PERSON, agent("mcts:seconds=4")) as client:
        client.act(3)
        assert code(client.act(3)) == "not-your-turn"


def test_an_action_of_another_seat_is_refused(server):
    session = server.begin("tic-tac-toe", PERSON, PERSON)
    with server.join(session, session["invites"]["1"]) as client:
        assert code(client.act(4)) == "not-your-turn"
        assert client.now["ply"] == 0


def test_an_action_for_an_older_position_is_refused_and_the_present_one_shown(server):
    with server.play("tic-tac-toe", PERSON, PERSON) as client:
        client.act(4)
        client.say("act", rev=client.now["rev"] - 1, action=0)
        assert code(client.wait("error")) == "stale"
        assert client.wait("state")["ply"] == 1


def test_fast_successive_moves_count_once(server):
    with server.play("tic-tac-toe", PERSON, PERSON) as client:
        for _ in range(5):
            client.say("act", rev=client.now["rev"], action=4)
        assert client.ask("ping", "pong")
        assert client.now["ply"] == 1
        assert [m["code"] for m in client.heard if m["type"] == "error"] == ["stale"] * 4


def test_a_message_that_is_too_large_ends_the_connection_and_nothing_else(server):
    session = server.begin("tic-tac-toe", PERSON, PERSON)
    with server.join(session) as client:
        client.say("hint", spec="x" * 100_000)
        with pytest.raises(ConnectionClosed) as closed:
            client.wait("nothing")
        assert closed.value.rcvd.code == 1009
    with server.join(session) as client:
        assert client.act(4)["ply"] == 1


def test_a_flood_is_refused_and_cut_off_while_others_play_on(server):
    with server.play("tic-tac-toe", PERSON, PERSON) as other, server.play("tic-tac-toe", PERSON, PERSON) as client:
        with pytest.raises(ConnectionClosed) as closed:
            for _ in range(20_000):
                client.socket.send('{"type": "ping"}')
            client.wait("nothing")
        assert closed.value.rcvd.code == 4429
        assert other.act(4)["ply"] == 1


@pytest.mark.parametrize(
    ("first", "closing"),
    [
        ('{"type": "hello", "token": "wrong"}', 4401),
        ('{"type": "hello", "token": "fälsch"}', 4401),
        ('{"type": "act", "rev": 0, "action": 4}', 4401),
        ("nonsense", 4401),
    ],
)
def test_nobody_gets_in_without_a_token(server, first, closing):
    session = server.begin("tic-tac-toe", PERSON, PERSON)
    client = Client.__new__(Client)
    client.open(server.port, session["session"])
    client.socket.send(first)
    with pytest.raises(ConnectionClosed) as closed:
        while True:
            assert code(client.hear()) in ("unauthorised", "malformed")
    assert closed.value.rcvd.code == closing


def test_who_does_not_say_hello_is_let_go():
    with Server(Settings(hello=0.05)) as server:
        session = server.begin("tic-tac-toe", PERSON, PERSON)
        client = Client.__new__(Client)
        client.open(server.port, session["session"])
        with pytest.raises(ConnectionClosed) as closed:
            client.wait("nothing")
        assert closed.value.rcvd.code == 4401


def test_a_session_that_does_not_exist_is_refused(server):
    client = Client.__new__(Client)
    client.open(server.port, "nowhere")
    with pytest.raises(ConnectionClosed) as closed:
        client.wait("nothing")
    assert closed.value.rcvd.code == 4404


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        ({}, 400, "a session needs a game"),
        ({"game": "ches"}, 404, "unknown game 'ches'"),
        ({"game": 3}, 400, "game"),
        ({"game": "pig", "options": {"target": 5}}, 422, "target=5 is not possible"),
        ({"game": "pig", "options": {"targt": 50}}, 422, "did you mean 'target'"),
        ({"game": "pig", "seats": [PERSON] * 3}, 422, "2 seats"),
        ({"game": "pig", "seats": [agent("alphabeta")]}, 422, "can't play pig"),
        ({"game": "pig", "seats": [agent("mcts:c=-1")]}, 422, "c=-1 is not possible"),
        ({"game": "tic-tac-toe", "moves": "a1 a1"}, 422, "move 2"),
        ({"game": "tic-tac-toe", "moves": ["a1", {}]}, 400, "moves"),
        ({"game": "tic-tac-toe", "record_id": "none"}, 404, "no such record"),
        ({"game": "tic-tac-toe", "surprise": 1}, 400, "surprise"),
        ({"game": "tic-tac-toe", "pace": 1e9}, 400, "pace"),
    ],
)
def test_a_session_that_can_not_be_is_refused_in_words(server, body, status, reason):
    answer = server.http.post("/api/sessions", json=body)
    assert answer.status_code == status
    assert reason in answer.json()["error"]["reason"]


def test_requests_that_are_no_json_or_too_large_are_refused(server):
    assert server.http.post("/api/sessions", content=b"{").status_code in (400, 415)
    large = json.dumps({"game": "x" * 2_000_000}).encode()
    answer = server.http.post("/api/sessions", content=large, headers={"Content-Type": "application/json"})
    assert answer.status_code == 413
    assert server.http.get("/api/nothing").status_code == 404


def test_a_page_of_another_site_may_not_connect(server):
    session = server.begin("tic-tac-toe", PERSON, PERSON)
    with pytest.raises(Exception, match="403"):
        Client.__new__(Client).open(server.port, session["session"], origin="http://elsewhere.example")


def test_a_server_for_this_machine_answers_to_its_own_names_only():
    with Server(Settings(hosts=("127.0.0.1",))) as server:
        assert server.http.get("/api/health").status_code == 200
        assert server.http.get("/api/health", headers={"Host": "elsewhere.example"}).status_code == 403


def test_the_dice_of_a_running_game_can_not_be_foreseen(server):
    session = server.begin("pig", PERSON, QUICK)
    source = {name: session[name] for name in ("session", "token")}
    assert server.http.get(f"/api/sessions/{session['session']}/record", headers=bearer(session)).status_code == 403
    assert server.http.post("/api/sessions", json={"mode": "analysis", "from": source}).status_code == 403


def test_pages_say_that_they_load_nothing_from_elsewhere(server):
    headers = server.http.get("/api/health").headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"


def test_too_many_sessions_are_refused():
    with (
        Server(Settings(("tic-tac-toe",), sessions=2)) as server,
        server.play("tic-tac-toe", PERSON, PERSON),
        server.play("tic-tac-toe", PERSON, PERSON),
    ):
        answer = server.http.post("/api/sessions", json={"game": "tic-tac-toe"})
        assert answer.status_code == 429 and answer.json()["error"]["code"] == "too-many"


def test_an_agent_that_fails_stops_the_game_with_a_word(server, monkeypatch):
    def fail(*_: object, **__: object) -> int:
        raise RuntimeError("no idea")

    monkeypatch.setattr("spielbaum.agents.random.Random.act", fail)
    with server.play("tic-tac-toe", PERSON, agent("random")) as client:
        client.act(4)
        state = client.until(paused=True)
        assert state["faults"] and state["turn"] == 1
        monkeypatch.undo()
        client.say("pace", paused=False)
        assert client.until(ply=2)["faults"] == []


def test_a_game_that_can_not_be_drawn_is_told(server, monkeypatch):
    with server.play("tic-tac-toe", PERSON, PERSON) as client:
        module = spielbaum.load("tic-tac-toe").module
        monkeypatch.setattr(module, "scene", lambda t, s, seat: {"colour": 1})
        assert "tic-tac-toe: scene: colour" in client.act(4)["broken"]


@pytest.fixture(scope="module")
def patient_server() -> Iterator[Server]:
    """A server that takes as many messages as come."""
    with Server(Settings(rate=1e6, burst=1_000_000)) as running:
        yield running


@pytest.fixture
def complaints() -> Iterator[list[str]]:
    """What the server logs as an error."""
    found: list[str] = []
    handler = logging.Handler(logging.ERROR)
    handler.emit = lambda record: found.append(record.getMessage())  # type: ignore[method-assign]
    logging.getLogger("spielbaum.web").addHandler(handler)
    yield found
    logging.getLogger("spielbaum.web").removeHandler(handler)


@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_asked_in_whatever_order_the_session_lives_on(patient_server, complaints, seed):
    dice = random.Random(seed)
    game = dice.choice(["tic-tac-toe", "connect-four", "pig", "light-cycles", "pursuit"])
    mode = dice.choice(["play", "play", "analysis"])
    players = spielbaum.load(game).players
    chosen = [dice.choice([PERSON, agent("random"), agent("mcts:iterations=40")]) for _ in range(players)]
    with patient_server.play(game, *chosen, mode=mode, pace=0) as client:
        for number in range(60):
            kind, fields = dice.choice(REQUESTS)
            client.say(kind, id=number, **fields(dice, client))
            if dice.random() < 0.5:
                client.say("ping", id=1000 + number)
                client.wait("pong", re=1000 + number)
        client.say("ping", id=5000)
        assert client.wait("pong", re=5000)
        errors = {message["code"] for message in client.heard if message["type"] == "error"}
        assert "broken-game" not in errors and "too-many" not in errors
    assert not complaints


def some_action(dice: random.Random, client: Client) -> dict:
    gestures = client.now.get("gestures") or [{"action": dice.randrange(9)}]
    return {"rev": client.now["rev"], "action": dice.choice(gestures)["action"]}


def nothing(dice: random.Random, client: Client) -> dict:
    return {}


REQUESTS = [
    *[("act", some_action)] * 12,
    *[("ready", nothing)] * 4,
    *[(kind, nothing) for kind in ("undo", "line", "stop", "tree", "restart", "hint")],
    ("hint", lambda dice, client: {"spec": dice.choice(["random", "mcts:iterations=200", "nonsense"])}),
    ("think", lambda dice, client: {"spec": "mcts:iterations=300"}),
    ("tree", lambda dice, client: {"path": [dice.randrange(9) for _ in range(dice.randrange(3))], "depth": 3}),
    ("goto", lambda dice, client: {"ply": dice.randrange(6)}),
    ("view", lambda dice, client: {"seat": dice.choice([None, 0, 1, 5])}),
    ("resign", lambda dice, client: {"seat": dice.randrange(3)}),
    ("pace", lambda dice, client: {"paused": dice.random() < 0.3, "pace": 0.0}),
    ("continue", lambda dice, client: {"seats": [PERSON]}),
]
