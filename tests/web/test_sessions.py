"""Sessions last: over reloads, lost connections and restarts of the server. They do not touch each other."""

from __future__ import annotations

import asyncio
import json
import pathlib
import sqlite3
import stat
from collections.abc import Awaitable, Callable

import pytest
from websockets.asyncio.client import connect

from spielbaum.scenes import drawing
from spielbaum.web.catalogue import Catalogue
from spielbaum.web.errors import Refusal
from spielbaum.web.messages import NewSession, SeatChoice
from spielbaum.web.session import Session
from spielbaum.web.session_manager import SessionManager
from spielbaum.web.settings import Settings
from tests.patience import PATIENCE, wait_for
from tests.web.server import PERSON, Client, Server, agent, updated
from tests.web.test_protocol import QUICK, bearer

AT_ONCE = 200
GAME = ("tic-tac-toe",)


def test_a_client_that_comes_back_sees_the_same(server):
    session = server.begin("connect-four", PERSON, PERSON)
    with server.join(session) as client:
        client.act(3)
        before = client.act(2)
    with server.join(session) as client:
        after = client.now
    for state in (before, after):
        state.pop("clock")
    assert after == before


def test_those_who_see_the_same_are_drawn_the_same_picture(server, monkeypatch):
    session = server.begin("connect-four", PERSON, PERSON)
    with server.join(session) as one, server.join(session) as two, server.join(session) as three:
        drawn, scene = [], drawing.scene
        monkeypatch.setattr(drawing, "scene", lambda *told: drawn.append(told) or scene(*told))
        one.act(3)
        states = [client.until(ply=1) for client in (one, two, three)]
        assert states[0] == states[1] == states[2] and len(drawn) == 1


def test_a_page_reload_while_the_agent_thinks_does_not_disturb_it(server):
    session = server.begin("connect-four", PERSON, agent("mcts:seconds=1"))
    with server.join(session) as client:
        client.act(3)
        client.wait("thinking")
    with server.join(session) as client:
        assert client.now["busy"]["seat"] == 1 or client.now["ply"] == 2
        assert client.until(ply=2)["turn"] == 0


def test_sessions_come_back_after_a_restart_of_the_server(tmp_path):
    settings = Settings(folder=tmp_path)
    with Server(settings) as server:
        played = server.begin("connect-four", PERSON, agent("mcts:seconds=20"), options={}, clock=500)
        analysed = server.begin("pig", mode="analysis", moves="roll roll", seed=4)
        with server.join(played) as client:
            client.act(3)
            client.wait("thinking")
            with server.join(analysed) as other:
                other.say("goto", ply=1)
                before = other.until(ply=1)
    with Server(settings) as server:
        with server.join(played) as client:
            assert client.now["ply"] == 1 and client.now["clock"]["limit"] == 500
            assert client.wait("thinking")["seat"] == 1
            client.say("stop")
            assert client.until(ply=2)
        with server.join(analysed) as other:
            assert other.now["scene"] == before["scene"] and other.now["plies"] == 2


def test_a_client_is_told_that_the_server_shuts_down(tmp_path):
    with Server(Settings(folder=tmp_path)) as server:
        client = server.play("tic-tac-toe", PERSON, PERSON)
    with pytest.raises(Exception) as closed:
        client.wait("nothing")
    assert closed.value.rcvd.code in (1001, 1012)


def test_finished_and_abandoned_sessions_are_forgotten():
    with Server(Settings(finished=0.2, abandoned=0.2, unload=0.1, sweep=0.1)) as server:
        finished = server.begin("tic-tac-toe", PERSON, PERSON, moves="a1 a2 b1 b2 c1")
        address, header = f"/api/sessions/{finished['session']}", bearer(finished)
        assert server.http.get(address, headers=header).json()["over"]
        with server.play("tic-tac-toe", PERSON, PERSON) as client:
            wait_for(lambda: server.http.get(address, headers=header).status_code != 200)
            assert client.act(0)["ply"] == 1  # somebody is still there
        wait_for(lambda: not server.http.get("/api/health").json()["sessions"])


def test_a_session_without_a_client_is_only_kept_on_disk(tmp_path):
    with Server(Settings(folder=tmp_path, unload=0.05, sweep=0.05)) as server:
        session = server.begin("tic-tac-toe", PERSON, PERSON)
        with server.join(session) as client:
            client.act(4)
        wait_for(lambda: not server.http.get("/api/health").json()["sessions"])
        with server.join(session) as client:
            assert client.now["ply"] == 1


def test_who_says_hello_late_is_in_the_same_session_as_the_others(tmp_path):
    with Server(Settings(GAME, folder=tmp_path, unload=0.05, sweep=0.05)) as server:
        session = server.begin("tic-tac-toe", PERSON, PERSON)
        late = Client.__new__(Client)
        late.open(server.port, session["session"])
        with late:
            wait_for(lambda: not server.http.get("/api/health").json()["sessions"])
            late.say("hello", token=session["token"])
            late.wait("state")
            with server.join(session) as other:
                other.act(4)
            assert late.until(ply=1)["turn"] == 1


@pytest.fixture
def with_manager(tmp_path) -> Callable[[Callable[[SessionManager, Session], Awaitable[None]]], None]:
    """A function that does something with all sessions of a server, of which there is one."""

    def run(scenario: Callable[[SessionManager, Session], Awaitable[None]]) -> None:
        async def begin() -> None:
            manager = SessionManager(Settings(GAME, folder=tmp_path), Catalogue(GAME))
            created = await manager.create(NewSession(game="tic-tac-toe", seats=[SeatChoice(kind="human")] * 2), "here")
            async with asyncio.timeout(PATIENCE):
                await scenario(manager, manager.loaded[created["session"]])
            await manager.close()

        asyncio.run(begin())

    return run


def test_a_session_that_is_unloaded_again_at_once_is_found_all_the_same(with_manager):
    async def scenario(manager: SessionManager, session: Session) -> None:
        manager.unload(session)
        asked = asyncio.create_task(manager.get(session.identity, "here"))
        await asyncio.sleep(0)
        manager.loading[session.identity].add_done_callback(lambda _: manager.unload(manager.loaded[session.identity]))
        assert (await asked).identity == session.identity and session.identity in manager.loaded

    with_manager(scenario)


def test_who_comes_while_a_session_ends_is_told_so(with_manager):
    async def scenario(manager: SessionManager, session: Session) -> None:
        token = next(iter(session.tokens))
        async with session.lock:
            came = asyncio.create_task(session.connect(token))
            ended = asyncio.create_task(session.end("left"))
            await asyncio.sleep(0)
            with pytest.raises(Refusal, match="no such session"):  # and not what is still on the disk
                await manager.get(session.identity, "here")
            await ended
        with pytest.raises(Refusal, match="ended"):
            await came
        with pytest.raises(Refusal, match="no such session"):
            await manager.get(session.identity, "here")

    with_manager(scenario)


def test_a_folder_that_can_not_be_written_costs_nothing_but_memory(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    with Server(Settings(folder=blocked / "below")) as server, server.play("tic-tac-toe", PERSON, PERSON) as client:
        assert client.act(0)["ply"] == 1


def test_a_database_that_is_no_database_is_left_alone(tmp_path):
    (tmp_path / "sessions.sqlite").write_bytes(b"nonsense" * 1000)
    with Server(Settings(folder=tmp_path)) as server, server.play("tic-tac-toe", PERSON, PERSON) as client:
        assert client.act(0)["ply"] == 1


def test_tokens_of_one_session_are_worth_nothing_in_another(server):
    one, other = server.begin("tic-tac-toe", PERSON, QUICK), server.begin("tic-tac-toe", PERSON, QUICK)
    address = f"/api/sessions/{one['session']}"
    assert server.http.get(address, headers=bearer(other)).status_code == 401
    assert server.http.delete(address, headers=bearer(other)).status_code == 401
    assert server.http.get(f"{address}/record", headers=bearer(other)).status_code == 401
    assert server.http.get(address).status_code == 401
    invite = {"Authorization": f"Bearer {one['invites']['0']}"}
    assert server.http.delete(address, headers=invite).status_code == 403
    assert server.http.delete(address, headers=bearer(one)).status_code == 204
    copy = {"mode": "analysis", "from": {"session": other["session"], "token": one["token"]}}
    assert server.http.post("/api/sessions", json=copy).status_code == 401


def test_hundreds_of_sessions_at_once_do_not_mix():
    """Each session plays its own moves; nobody hears of another session, and every move arrives."""
    with Server(Settings(searches=2)) as server, server.play("connect-four", agent("mcts:seconds=20"), PERSON):
        sessions = [server.begin("connect-four", PERSON, PERSON) for _ in range(AT_ONCE)]
        answers = asyncio.run(play_all(server.port, sessions))
    for number, (session, heard) in enumerate(zip(sessions, answers, strict=True)):
        own = [number % 7, number // 7 % 7, number % 5]
        assert heard[0]["session"] == session["session"]
        assert [move["label"] for move in heard[-1]["moves"]] == ["abcdefg"[action] for action in own]
        assert {message["type"] for message in heard} == {"welcome", "state"}


async def play_all(port: int, sessions: list[dict]) -> list[list[dict]]:
    return await asyncio.gather(*(play_one(port, number, session) for number, session in enumerate(sessions)))


async def play_one(port: int, number: int, session: dict) -> list[dict]:
    """Three moves that depend on the session's number."""
    address = f"ws://127.0.0.1:{port}/api/sessions/{session['session']}/socket"
    async with connect(address, proxy=None, open_timeout=60) as socket:
        await socket.send(json.dumps({"type": "hello", "token": session["token"]}))
        heard = [json.loads(await socket.recv()) for _ in range(2)]
        for action in (number % 7, number // 7 % 7, number % 5):
            await socket.send(json.dumps({"type": "act", "rev": heard[-1]["rev"], "action": action}))
            heard.append(json.loads(await socket.recv()))
        history: dict[str, list] = {}
        for state in heard[1:]:
            history = updated(history, state)
            state |= history
        return heard


def test_stored_sessions_are_private_to_the_user(tmp_path):
    folder = tmp_path / "data"
    with Server(Settings(folder=folder)) as server:
        server.begin("tic-tac-toe", PERSON, PERSON)
    for file in folder.iterdir():
        assert not file.stat().st_mode & (stat.S_IROTH | stat.S_IRGRP), file.name
    assert rows(folder) == 1


def rows(folder: pathlib.Path) -> int:
    with sqlite3.connect(folder / "sessions.sqlite") as database:
        return int(database.execute("SELECT count(*) FROM sessions").fetchone()[0])
