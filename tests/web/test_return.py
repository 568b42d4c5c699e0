"""What somebody finds who comes back after a reload, looks for games of before, or follows a link from elsewhere."""

from __future__ import annotations

import pathlib

from spielbaum.web.settings import Settings
from tests.web.server import PERSON, Client, Server, agent
from tests.web.test_protocol import bearer

QUICK = agent("mcts:iterations=50")


def again(server: Server, session: dict[str, str]) -> list[dict[str, object]]:
    """The thoughts that are told to somebody who says hello, until the answer to the next question."""
    with server.join(session) as client:
        client.ask("ping", "pong")
        return [message for message in client.heard if message["type"] == "thinking" and message["search"]]


def last_thoughts(client: Client) -> dict[str, object]:
    return [message for message in client.heard if message["type"] == "thinking" and message["done"]][-1]


def test_thoughts_come_back_after_a_reload(server: Server) -> None:
    session = server.begin("connect-four", PERSON, QUICK)
    with server.join(session) as client:
        client.act(3)
        client.until(ply=2)
        before = last_thoughts(client)
    (after,) = again(server, session)
    assert after["search"] == before["search"] and after["done"]
    assert {**before, "rev": after["rev"]} == after


def test_thoughts_come_back_after_the_tree_was_given_up(server: Server) -> None:
    session = server.begin("tic-tac-toe", PERSON, QUICK)
    with server.join(session) as client:
        client.act(0)
        client.until(ply=2)
    for _ in range(8):  # more than keep their trees
        with server.play("tic-tac-toe", PERSON, QUICK) as other:
            other.act(0)
            other.until(ply=2)
    assert again(server, session)[0]["search"]


def test_thoughts_come_back_after_a_restart_of_the_server(tmp_path: pathlib.Path) -> None:
    settings = Settings(("tic-tac-toe",), folder=tmp_path)
    with Server(settings) as server:
        session = server.begin("tic-tac-toe", PERSON, QUICK)
        client = server.join(session)
        client.act(0)
        client.until(ply=2)
        before = last_thoughts(client)
    with Server(settings) as server:
        assert again(server, session)[0]["search"] == before["search"]


def test_another_game_begins_without_thoughts(server: Server) -> None:
    session = server.begin("tic-tac-toe", PERSON, QUICK)
    with server.join(session) as client:
        client.act(0)
        client.until(ply=2)
        client.say("restart")
        client.until(ply=0)
    assert again(server, session) == []


def test_thoughts_that_were_secret_stay_so_after_a_reload(server: Server) -> None:
    session = server.begin("pursuit", agent("ismcts:iterations=60"), PERSON, PERSON, seed=1)
    with server.join(session, session["invites"]["1"]) as hunter:
        hunter.until(ply=1)
    with server.join(session, session["invites"]["1"]) as hunter:
        hunter.ask("ping", "pong")
        assert not any(message["type"] == "thinking" and message["search"] for message in hunter.heard)


def test_in_a_round_only_the_thoughts_of_the_one_before_come_back(server: Server) -> None:
    session = server.begin("shells", PERSON, agent("mcts:iterations=200"))
    with server.join(session) as client:
        if not any(message["type"] == "thinking" and message["done"] for message in client.heard):
            client.wait("thinking", done=True)
    assert again(server, session) == []
    with server.join(session) as client:
        client.act(client.now["gestures"][0]["action"])
        client.until(ply=1)
    assert [message["ply"] for message in again(server, session)] == [0]
    with server.join(session) as client:
        client.say("undo")
        client.until(ply=0)
    assert again(server, session) == []


def test_records_say_what_was_played_by_whom_and_how_it_ended(server: Server) -> None:
    with server.play("tic-tac-toe", {**PERSON, "name": "Ada"}, agent("random")) as client:
        client.say("resign", seat=0)
        client.until(over=True)
    newest = server.http.get("/api/records").json()["records"][0]
    assert newest["title"]["de"] == "Tic-Tac-Toe"
    assert [(player["kind"], player["spec"]) for player in newest["players"]] == [("human", None), ("agent", "random")]
    assert newest["result"]["kind"] == "resigned" and newest["result"]["winners"] == [1]
    assert "Ada" not in str(newest) and "seed" not in newest
    ends = [record["ended"] for record in server.http.get("/api/records").json()["records"]]
    assert ends == sorted(ends, reverse=True)


def test_whoever_holds_a_session_learns_who_plays_it(server: Server) -> None:
    session = server.begin("connect-four", PERSON, agent("random"), moves=["d", "d"])
    told = server.http.get(f"/api/sessions/{session['session']}", headers=bearer(session)).json()
    assert told["title"]["de"] == "Vier gewinnt" and told["ply"] == 2 and not told["over"]
    assert [player["spec"] for player in told["players"]] == [None, "random"]


def test_a_link_from_elsewhere_tells_what_is_played_and_nothing_more(server: Server) -> None:
    session = server.begin("pursuit", PERSON, PERSON, PERSON)
    told = server.http.get(f"/api/sessions/{session['session']}/about").json()
    assert told["game"] == "pursuit" and told["mode"] == "play" and told["over"] is False
    assert told.keys() == {"session", "game", "title", "mode", "over"}
    gone = server.http.get("/api/sessions/nosuchsession/about")
    assert gone.status_code == 404 and gone.json()["error"]["code"] == "unknown-session"
