"""One client does not stop the others: long work, many sessions, and connections that never come to the point."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from spielbaum.game import State
from spielbaum.web.callers import origin
from spielbaum.web.connection import Connection
from spielbaum.web.history import History
from spielbaum.web.settings import Settings
from tests.patience import PATIENCE, wait_for
from tests.web.server import PERSON, Server
from tests.web.test_protocol import bearer

GAME = ("tic-tac-toe",)
SOON = 30.0  # seconds until a connection is ended that has to be
HEAD = b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n"


@contextlib.contextmanager
def sockets(server: Server, number: int, said: bytes = b"") -> Iterator[list[socket.socket]]:
    """Connections that say what is given and no more."""
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(one_socket(server, said)) for _ in range(number)]


def one_socket(server: Server, said: bytes) -> socket.socket:
    opened = socket.create_connection(("127.0.0.1", server.port), SOON)
    opened.sendall(said)
    return opened


def asked(server: Server, address: str) -> Any:
    """How the server was started, asked from an address over a new connection."""
    with httpx.Client(transport=httpx.HTTPTransport(local_address=address), timeout=PATIENCE) as client:
        return client.get(f"http://127.0.0.1:{server.port}/api/config")


def ends(connection: socket.socket) -> bool:
    """Wait until the other side ends a connection."""
    with contextlib.suppress(ConnectionResetError):
        while connection.recv(4096):
            pass
    return True


# --- connections --------------------------------------------------------------------------------


POST = b"POST /api/sessions HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"


@pytest.mark.parametrize("said", [b"", b"GET /api/hea", HEAD, POST])
def test_who_does_not_come_to_the_point_is_let_go(said):
    with Server(Settings(GAME, request=0.2)) as server, sockets(server, 2, said=said) as idle:
        assert ends(idle[0]) and ends(idle[1])
        assert server.http.get("/api/health").status_code == 200


def test_a_connection_that_has_asked_once_does_not_stay_for_a_single_byte():
    with Server(Settings(GAME, request=0.2)) as server, sockets(server, 1, said=HEAD + b"\r\n") as kept:
        assert kept[0].recv(4096).startswith(b"HTTP/1.1 200")
        kept[0].sendall(b"G")
        assert ends(kept[0])


def test_idle_connections_make_room_for_who_asks():
    with Server(Settings(GAME, clients=20, clients_each=20)) as server, sockets(server, 20) as idle:
        assert asked(server, "127.0.0.2").status_code == 200
        assert asked(server, "127.0.0.1").status_code == 200
        assert ends(idle[0])


def test_one_address_does_not_take_all_places():
    with Server(Settings(GAME, clients=10, clients_each=4)) as server:
        session = server.begin("tic-tac-toe", PERSON, PERSON)
        server.http.close()
        with contextlib.ExitStack() as stack:
            for _ in range(4):
                stack.enter_context(server.join(session))
            refused = asked(server, "127.0.0.1")
            assert refused.status_code == 429 and "your address" in refused.json()["error"]["reason"]
            assert refused.headers["x-content-type-options"] == "nosniff"
            assert asked(server, "127.0.0.2").status_code == 200


def test_a_full_server_says_so():
    with Server(Settings(GAME, clients=2)) as server:
        session = server.begin("tic-tac-toe", PERSON, PERSON)
        server.http.close()
        with server.join(session), server.join(session):
            refused = asked(server, "127.0.0.2")
            assert refused.status_code == 503 and refused.json()["error"]["code"] == "busy"
        wait_for(lambda: asked(server, "127.0.0.2").status_code != 503)  # until the places are free again


def test_a_flood_of_requests_is_refused_for_its_address_only():
    with Server(Settings(GAME, requests=0.001, requests_burst=5)) as server:
        answers = [server.http.get("/api/config").status_code for _ in range(7)]
        assert answers == [200] * 5 + [429] * 2
        assert server.http.get("/api/health").status_code == 200  # a watchdog may always ask
        assert asked(server, "127.0.0.2").status_code == 200


def test_an_address_is_believed_from_a_proxy_only():
    def statuses(server: Server) -> list[int]:
        claims = [{"X-Forwarded-For": f"192.0.2.{number}"} for number in range(3)]
        return [server.http.get("/api/config", headers=claim).status_code for claim in claims]

    with Server(Settings(GAME, requests=0.001, requests_burst=1)) as server:
        assert statuses(server) == [200, 429, 429]
    with Server(Settings(GAME, requests=0.001, requests_burst=1, proxies=("127.0.0.1",))) as server:
        assert statuses(server) == [200, 200, 200]


def test_an_address_of_ipv6_counts_with_its_network():
    assert origin("2001:db8::1") == origin("2001:db8::ffff:2") != origin("2001:db8:0:1::1")


# --- sessions -----------------------------------------------------------------------------------


def test_sessions_are_limited_for_each_address():
    with Server(Settings(GAME, sessions_each=2)) as server:
        first, _ = (server.begin("tic-tac-toe", PERSON, PERSON) for _ in range(2))
        answer = server.http.post("/api/sessions", json={"game": "tic-tac-toe"})
        assert answer.status_code == 429 and "your address" in answer.json()["error"]["reason"]
        with httpx.Client(transport=httpx.HTTPTransport(local_address="127.0.0.2"), timeout=PATIENCE) as other:
            address = f"http://127.0.0.1:{server.port}/api/sessions"
            assert other.post(address, json={"game": "tic-tac-toe"}).status_code == 201
        server.http.delete(f"/api/sessions/{first['session']}", headers=bearer(first))
        assert server.http.post("/api/sessions", json={"game": "tic-tac-toe"}).status_code == 201


def test_sessions_that_nobody_is_connected_to_make_room(tmp_path):
    with Server(Settings(GAME, folder=tmp_path, sessions=2)) as server:
        sessions = [server.begin("tic-tac-toe", PERSON, PERSON, moves="a1") for _ in range(4)]
        for session in sessions:
            with server.join(session) as client:
                assert client.now["ply"] == 1


# --- long work ----------------------------------------------------------------------------------

LONG = {"game": "pig", "mode": "analysis", "moves": [0] * 20_000}


@contextlib.contextmanager
def posting(server: Server, number: int, body: Any) -> Iterator[list[int]]:
    """So many clients that begin a session at once; afterwards, the statuses of their answers."""
    statuses: list[int] = []

    def post() -> None:
        answer = httpx.post(f"http://127.0.0.1:{server.port}/api/sessions", json=body, timeout=PATIENCE)
        statuses.append(answer.status_code)

    threads = [threading.Thread(target=post) for _ in range(number)]
    for thread in threads:
        thread.start()
    try:
        yield statuses
    finally:
        for thread in threads:
            thread.join()


@pytest.fixture
def gate(monkeypatch) -> Iterator[threading.Semaphore]:
    """Long records of Pig are played again without end while it is there; it counts those that have begun."""
    begun, end, play_all = threading.Semaphore(0), threading.Event(), State.play_all

    def endless(self: State, moves: list[int], *more: Any) -> list[int]:
        if self.game.name == "pig" and len(moves) > 1000:
            begun.release()
            assert end.wait(PATIENCE)
            moves = []
        return play_all(self, moves, *more)

    monkeypatch.setattr(State, "play_all", endless)
    begun.end = end  # type: ignore[attr-defined]
    yield begun
    end.set()


def test_long_records_do_not_stop_the_others(gate):
    """There are more of them at once than the server has threads for all; somebody else plays a whole game."""
    with Server(Settings(("pig", "tic-tac-toe"))) as server, server.play("tic-tac-toe", PERSON, PERSON) as client:
        with posting(server, 20, LONG) as statuses:
            try:
                assert gate.acquire(timeout=SOON) and gate.acquire(timeout=SOON)
                server.http.timeout = SOON
                assert server.begin("tic-tac-toe", PERSON, PERSON, moves="a1 b2")
                for action in (0, 3, 1, 4, 2):
                    client.say("act", rev=client.now["rev"], action=action)
                    client.now = json.loads(client.socket.recv(SOON))
                assert client.now["over"] and not statuses
            finally:
                gate.end.set()
        assert set(statuses) == {201}


def test_a_record_that_takes_too_long_is_refused_with_a_reason():
    with Server(Settings(("pig",), replay=0.05)) as server:
        for moves in (LONG["moves"], "roll " * 20_000):
            answer = server.http.post("/api/sessions", json={**LONG, "moves": moves})
            assert answer.status_code == 413, answer.text
            assert "0.05 s" in answer.json()["error"]["reason"]


def test_one_address_has_so_much_long_work_and_no_more(gate):
    with Server(Settings(("pig",), chores=1, chores_each=2)) as server, posting(server, 2, LONG) as statuses:
        try:
            assert gate.acquire(timeout=SOON)
            full = {"running": 1, "waiting": 1, "limit": 1}
            wait_for(lambda: server.http.get("/api/health").json()["chores"] == full)
            refused = server.http.post("/api/sessions", json=LONG)
            assert refused.status_code == 429 and "your address" in refused.json()["error"]["reason"]
            assert not statuses
        finally:
            gate.end.set()


def test_who_is_sent_much_gets_it_slowly_and_the_others_as_before():
    """At 2000 bytes a second nobody gets a hundred thousand; another address is sent its own allowance."""
    with Server(Settings(("pig", "tic-tac-toe"), sent_each=2000)) as server:
        session = server.begin("tic-tac-toe", PERSON, PERSON)
        with server.play("pig", mode="analysis", moves=[0] * 2000) as greedy:
            for ply in range(20):
                greedy.say("goto", ply=ply)
            address = f"ws://127.0.0.1:{server.port}/api/sessions/{session['session']}/socket"
            with connect(address, proxy=None, source_address=("127.0.0.2", 0)) as other:
                other.send(json.dumps({"type": "hello", "token": session["token"]}))
                assert json.loads(other.recv(SOON))["type"] == "welcome"
                assert json.loads(other.recv(SOON))["type"] == "state"
            with pytest.raises(TimeoutError):
                greedy.socket.recv(0.5)


def test_only_the_latest_positions_of_a_long_game_wait_for_a_slow_client():
    connection = Connection(None, 0)  # type: ignore[arg-type]
    for rev in range(10):
        connection.send({"type": "state", "rev": rev, "history": History(None, [[]] * 5000, [], [])})
    assert [connection.outbox.get_nowait()["rev"] for _ in range(connection.outbox.qsize())] == [6, 7, 8, 9]


# --- headers ------------------------------------------------------------------------------------


def test_refusals_have_the_headers_of_all_answers(server):
    post = {"content": b"x" * 2_000_000, "headers": {"Content-Type": "application/json"}}
    parts = iter([b"x" * 600_000] * 3)
    refusals = [
        server.http.get("/nothing"),
        server.http.get("/api/nothing"),
        server.http.put("/api/health"),
        server.http.post("/api/sessions", json={}),
        server.http.post("/api/sessions", **post),
        server.http.post("/api/sessions", content=parts, headers=post["headers"]),
    ]
    assert [refusal.status_code for refusal in refusals] == [404, 404, 405, 400, 413, 413]
    for refusal in refusals:
        assert refusal.headers["x-content-type-options"] == "nosniff", refusal.request.url
        assert "default-src 'self'" in refusal.headers["content-security-policy"]
        assert refusal.json()["error"]["reason"]
    with sockets(server, 1, said=b"nonsense\r\n\r\n") as spoken:
        assert b"nosniff" in spoken[0].recv(4096)


def test_a_foreign_name_or_page_is_refused_with_headers():
    with Server(Settings(GAME, hosts=("127.0.0.1",))) as server:
        foreign = server.http.get("/api/health", headers={"Host": "elsewhere.example"})
        assert foreign.status_code == 403 and foreign.headers["x-content-type-options"] == "nosniff"
        session = server.begin("tic-tac-toe", PERSON, PERSON)
        address = f"ws://127.0.0.1:{server.port}/api/sessions/{session['session']}/socket"
        with pytest.raises(Exception, match="403") as refused:
            connect(address, proxy=None, origin="http://elsewhere.example")  # type: ignore[arg-type]
        assert refused.value.response.headers["x-content-type-options"] == "nosniff"  # type: ignore[attr-defined]
        assert json.loads(refused.value.response.body)["error"]["code"] == "forbidden"  # type: ignore[attr-defined]
