"""Whatever a stranger sends over HTTP or a WebSocket is answered, and never by a failure of the server."""

from __future__ import annotations

import http.client
import json
import logging
import socket
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from spielbaum.web.settings import Settings
from tests.patience import PATIENCE
from tests.web.server import PERSON, Client, Server

OFTEN = 10**9  # as often as anybody likes
FUZZ = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


class Failures(logging.Handler):
    """All that a server's log would have with a traceback, and what this project calls an error."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        is_ours = record.levelno >= logging.ERROR and record.name.startswith("spielbaum")
        if is_ours or (record.exc_info and not record.name.startswith("websockets.client")):
            self.found.append(logging.Formatter().format(record))

    def need_none(self) -> None:
        """Fail if there was one since the last time."""
        found, self.found = self.found, []
        assert found == []


@pytest.fixture(scope="module")
def failures() -> Iterator[Failures]:
    """What was logged by anybody; a server logs in its own thread."""
    handler = Failures()
    logging.getLogger().addHandler(handler)
    yield handler
    logging.getLogger().removeHandler(handler)


@pytest.fixture(scope="module")
def patient(failures: Failures, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that does not mind how often it is asked."""
    folder = tmp_path_factory.mktemp("nonsense")
    often = dict.fromkeys(("message", "requests", "requests_burst", "rate", "burst", "sessions_each"), OFTEN)
    hosts = ("127.0.0.1", "localhost")
    with Server(Settings(("tic-tac-toe", "pig"), folder=folder, store=folder / "runs.db", hosts=hosts, **often)) as one:
        yield one


# --- what is sent -----------------------------------------------------------------------------------

DIGITS = "9" * 5000
VALUES = [
    "0", "-1", "1", "7", "0.5", "-0.0", "9007199254740993", "9223372036854775808", "-9223372036854775809",
    "18446744073709551616", "1e300", "-1e300", "1e999", "-1e999", "NaN", "Infinity", "-Infinity", DIGITS,
    f"-{DIGITS}", "9" * 4299, f"{DIGITS}e-4999", "true", "false", "null", '""', r'"\ud800"', r'"\udfff x"',
    r'"\u0000"', r'"\u001b[2J"', '"\u2028"', '"a1"', '"nan"', '"inf"', f'"{DIGITS}"', '"' + "a1 " * 2000 + '"',
    '"random"', '"mcts:iterations=1e300"', '"mcts:iterations=nan"', '"mcts:c=inf"', r'"mcts:c=\ud800"',
    '"alphabeta:depth=-9999999999999999999999"', '":"', '"=,:"', '"../../etc/passwd"', '"play"', '"analysis"',
    '"human"', '"agent"', '"tic-tac-toe"', '"pig"', "[]", "{}", "[[]]", "[null]", "[0]", "[4, 4]", f"[{DIGITS}]",
    "[1e300]", "[9223372036854775808]", '["a1", 4]', r'["\ud800"]', '[{"kind": "human"}, {"kind": "agent"}]',
    '[{"kind": "agent", "spec": "mcts:iterations=nan"}]', r'{"\ud800": 1}', r'{"": 1}', '{"target": 1e300}',
    '{"target": NaN}', '{"target": 9223372036854775808}', f'{{"target": {"9" * 4299}}}', r'{"target": "\ud800"}',
    '{"game": "pig", "moves": [0]}', '{"run": 0, "game": 0}', '{"game": "pig", "seed": "99999999999999999999"}',
    '{"session": "x", "token": "y"}', "[" * 5000 + "]" * 5000, '{"a":' * 3000 + "1" + "}" * 3000,
]  # fmt: skip
"""JSON, and what is nearly JSON."""
values = st.sampled_from(VALUES)
BODY = [
    "game", "options", "mode", "seats", "seed", "position", "moves", "record", "record_id", "stored", "from", "clock",
    "pace", "repeat", "\\ud800", "\\u0000",
]  # fmt: skip
MESSAGES = {
    "hello": {"token": '"x"'}, "act": {"rev": "0", "action": "0"}, "hint": {"spec": '"random"'},
    "resign": {"seat": "0"}, "restart": {"seats": "null", "seed": "null"}, "goto": {"ply": "0"},
    "pace": {"pace": "1.0", "paused": "false", "repeat": "false"}, "view": {"seat": "0"}, "think": {"spec": '"random"'},
    "tree": {"path": "[]", "depth": "1", "top": "1"}, "continue": {"seats": "null"}, "ready": {}, "undo": {},
    "line": {}, "stop": {}, "cancel": {}, "ping": {}, "nonsense": {},
}  # fmt: skip
"""What clients may say, with values that are right."""


def some(names: list[str]) -> st.SearchStrategy[dict[str, str]]:
    """Nonsense for some fields, seldom for many."""
    return st.dictionaries(st.sampled_from(names), values, max_size=2)


@st.composite
def said(draw: st.DrawFn) -> str:
    """A message of a kind that there is, with nonsense in its fields or beside them."""
    kind = draw(st.sampled_from([*MESSAGES]))
    odd = draw(some([*MESSAGES[kind], *MESSAGES[kind], "id", "\\ud800", "more"]))
    return written({"type": json.dumps(kind), **MESSAGES[kind], **odd})


def written(given: dict[str, str]) -> str:
    """An object whose values are written already."""
    return "{" + ", ".join(f'"{name}": {value}' for name, value in given.items()) + "}"


def asked(server: Server, method: str, path: str, headers: dict[str, Any], body: bytes = b"") -> tuple[int, bytes]:
    """The status and the body of an answer; the request goes over the wire as it is."""
    lines = [f"{method} {path} HTTP/1.1".encode("latin-1")]
    lines += [f"{name}: ".encode("latin-1") + value for name, value in headers.items()]
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as wire:
        wire.sendall(b"\r\n".join([*lines, b"", b""]) + body)
        answer = http.client.HTTPResponse(wire, method=method)
        answer.begin()
        return answer.status, answer.read()


def assert_refused(failures: Failures, status: int, body: bytes) -> None:
    """An answer is no failure, and one line says why if it is a refusal."""
    assert status < 500, body
    if status >= 400 and body:  # to HEAD there is none
        reason = json.loads(body)["error"]["reason"]
        assert reason and "\n" not in reason and "Traceback" not in reason
    failures.need_none()


# --- HTTP -------------------------------------------------------------------------------------------

odd = st.one_of(
    st.sampled_from([
        "1e300", "inf", "nan", "-1", "0", "1", DIGITS, "9223372036854775807", "9223372036854775808", "١", "\x00",
        "\ud7ff", "..", "[", "]", "{}", "a/b", "\x1b[2J", "x" * 4000,
    ]),
    st.text(max_size=20),
)  # fmt: skip
paths = st.sampled_from(
    [
        "/{}", "/api/{}", "/api/games/{}", "/api/games/{}/rules", "/api/games/{}/preparation",
        "/api/games/{}/symbols.svg", "/api/sessions/{}", "/api/sessions/{}/about", "/api/sessions/{}/record",
        "/api/runs/{}/games", "/api/runs/0/games?first={}", "/api/tunings/{}", "/api/tunings/{}/pictures",
        "/api/trainings/{}", "/static/{}", "/api/config?{}",
    ]
)  # fmt: skip


def escaped(text: str) -> str:
    return quote(text, safe="", errors="surrogatepass")


@FUZZ
@given(method=st.sampled_from(["GET", "GET", "HEAD", "DELETE", "PATCH", "OPTIONS"]), path=paths, what=odd)
def test_any_address_is_answered(patient, failures, method, path, what):
    headers = {"Host": b"127.0.0.1", "Authorization": b"Bearer x", "Connection": b"close"}
    status, body = asked(patient, method, path.format(escaped(what)), headers)
    assert_refused(failures, status, body)


ODD_HEADERS = [
    b"[", b"http://[", b"//[", b"[::1", b"]", b"[::1]:99999999", b"a:b:c", b":", b"@", b"\xff\xfe", b"x" * 5000, b"0",
    b"-1", b"9" * 30, b"9" * 5000, b"1e300", b"\xc2\xbd", b"Bearer", b"Bearer \xff", b"Bearer " + b"x" * 3000,
    b"gzip;q=nan", b'W/"', b"*", b"chunked, chunked", b"127.0.0.1, 127.0.0.1", b"127.0.0.1:x", b"\t", b"%00",
    b"text/plain; charset=\xff", b"application/json; charset=nonsense", b"bytes=0-99999999999999999999", b"websocket",
    b"Upgrade", b"h2c", b"100-continue", b"13",
]  # fmt: skip
HEADERS = [
    "Host", "Origin", "Authorization", "Accept-Encoding", "If-None-Match", "Content-Length", "Content-Type",
    "Transfer-Encoding", "X-Forwarded-For", "X-Forwarded-Proto", "Range", "Cookie", "Upgrade", "Connection", "Expect",
    "Sec-WebSocket-Version", "Sec-WebSocket-Key", "Sec-WebSocket-Protocol", "Accept", "Accept-Language",
]  # fmt: skip
odd_headers = st.dictionaries(st.sampled_from(HEADERS), st.sampled_from(ODD_HEADERS), max_size=3)


@FUZZ
@given(
    path=st.sampled_from(["/", "/api/config", "/api/games", "/api/sessions/x", "/api/sessions/x/socket"]),
    odd=odd_headers,
)
@example(path="/api/config", odd={"Host": b"http://["})
@example(path="/api/config", odd={"Host": b"["})
def test_any_header_is_answered(patient, failures, path, odd):
    if "Content-Length" in odd or "Transfer-Encoding" in odd or "Expect" in odd:
        odd = {**odd, "Connection": b"close"}
    status, body = asked(patient, "GET", path, {"Host": b"127.0.0.1", "Connection": b"close", **odd})
    assert_refused(failures, status, body)


@pytest.mark.parametrize("origin", ["http://[", "[", "//[::1", "null", "http://\xff"])
def test_an_origin_that_is_no_address_is_refused(patient, failures, origin):
    session = patient.begin("tic-tac-toe", PERSON, PERSON)
    upgrade = {"Connection": b"Upgrade", "Upgrade": b"websocket", "Sec-WebSocket-Version": b"13"}
    headers = {
        "Host": b"127.0.0.1",
        "Origin": origin.encode("latin-1"),
        "Sec-WebSocket-Key": b"dGhlIHNhbXBsZSBub25jZQ==",
        **upgrade,
    }
    status, body = asked(patient, "GET", f"/api/sessions/{session['session']}/socket", headers)
    assert status == 403
    assert_refused(failures, status, body)


@FUZZ
@given(
    path=st.sampled_from(["/api/sessions", "/api/sessions", "/api/games/pig/setup", "/api/games/tic-tac-toe/setup"]),
    given=some(BODY),
    game=st.sampled_from(["pig", "tic-tac-toe"]),
)
def test_any_body_is_answered(patient, failures, path, given, game):
    begun = {"game": f'"{game}"'} if path.endswith("sessions") else {}
    answer = patient.http.post(
        path, content=written({**begun, **given}).encode(), headers={"Content-Type": "application/json"}
    )
    assert_refused(failures, answer.status_code, answer.content)


@FUZZ
@given(
    body=st.one_of(st.binary(max_size=40), values.map(str.encode)),
    kind=st.sampled_from(["application/json", "text/plain", "multipart/form-data", "application/json; charset=utf-16"]),
)
def test_what_is_no_object_is_answered(patient, failures, body, kind):
    answer = patient.http.post("/api/sessions", content=body, headers={"Content-Type": kind})
    assert_refused(failures, answer.status_code, answer.content)


# --- WebSocket --------------------------------------------------------------------------------------


@FUZZ
@given(mode=st.sampled_from(["play", "analysis"]), words=st.lists(said(), min_size=1, max_size=6))
def test_any_message_is_answered(patient, failures, mode, words):
    seats = [PERSON, PERSON] if mode == "play" else []
    with patient.play("tic-tac-toe", *seats, mode=mode) as client:
        for word in words:
            client.socket.send(word)
        client.say("ping", id=-1)
        client.wait("pong", re=-1)
        errors = [message for message in client.heard if message["type"] == "error"]
        assert [message for message in errors if message["code"] in ("internal", "broken-game", "unreadable")] == []
        assert all("\n" not in message["reason"] for message in errors)
    failures.need_none()


@FUZZ
@given(word=st.one_of(st.text(max_size=40), st.binary(max_size=40), values, said()))
def test_any_first_word_is_answered(patient, failures, word):
    session = patient.begin("tic-tac-toe", PERSON, PERSON)
    client = Client.__new__(Client)
    client.open(patient.port, session["session"])
    with client, pytest.raises(ConnectionClosed) as closed:
        client.socket.send(word)
        client.wait("nothing")
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 4401
    failures.need_none()
