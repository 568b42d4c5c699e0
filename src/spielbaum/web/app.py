"""The server's doors: HTTP for what is asked once, a WebSocket for playing. docs/web-protocol.md describes both.

Nothing that a client sends is trusted: sizes and rates are limited, every message is checked against its
model, and a refusal says why.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import pathlib
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

import uvicorn
from fastapi import FastAPI, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

import spielbaum
from spielbaum.errors import GameError
from spielbaum.web import catalogue, drawing, messages, runs
from spielbaum.web.catalogue import Catalogue
from spielbaum.web.connection import OWNER, Connection, refused
from spielbaum.web.drawing import Json
from spielbaum.web.errors import Refusal
from spielbaum.web.scene import schema
from spielbaum.web.session import Session
from spielbaum.web.sessions import Sessions, need_open
from spielbaum.web.settings import Settings

log = logging.getLogger(__name__)

STATIC = pathlib.Path(__file__).with_name("static")
WRONG_TOKEN, NO_SESSION, ENDED, FLOOD = 4401, 4404, 4410, 4429
HEADERS = [
    (b"content-security-policy", b"default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline';"
     b" connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-cache"),
]  # fmt: skip

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


def create_app(settings: Settings) -> FastAPI:
    """The app with its games loaded; sessions begin to live when the server starts."""
    offered = Catalogue(settings.games)
    assert offered.cards  # drawn now: a game that can't be drawn is told before anybody waits for it
    app = FastAPI(title="Spielbaum", lifespan=lifespan, openapi_url=None)
    app.state.settings, app.state.catalogue = settings, offered
    app.add_middleware(Guard, settings=settings)
    app.add_exception_handler(Refusal, refusal_answer)
    app.add_exception_handler(GameError, broken_game_answer)
    app.add_exception_handler(RequestValidationError, malformed_answer)
    app.add_exception_handler(HTTPException, plain_answer)
    add_game_routes(app, settings, offered)
    add_session_routes(app)
    if STATIC.is_dir():
        app.mount("/", StaticFiles(directory=STATIC, html=True))
    return app


@contextlib.asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Sessions live as long as the server does, and are stored at its end."""
    app.state.sessions = Sessions(app.state.settings, app.state.catalogue)
    sweeper = asyncio.create_task(app.state.sessions.clean_up())
    if app.state.settings.kiosk is not None:
        app.state.sessions.task(app.state.sessions.look_at(app.state.settings.kiosk, {}))
    log.info("server started", extra={"facts": {"games": list(app.state.catalogue.sources)}})
    yield
    sweeper.cancel()
    await app.state.sessions.close()
    log.info("server stopped")


class Guard:
    """Limits the size of requests, sets the headers that every answer has, and logs what was asked."""

    def __init__(self, app: Callable[[Scope, Receive, Send], Awaitable[None]], settings: Settings):
        self.app, self.largest, self.hosts = app, settings.body, settings.hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, with the limits around it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
        elif self.hosts and host_of(scope) not in self.hosts:
            refusal = Refusal("forbidden", f"this server is not {host_of(scope)}")
            await JSONResponse({"error": refusal.as_dict()}, refusal.status)(scope, receive, send)
        elif scope["type"] == "websocket":
            await self.app(scope, receive, send)
        else:
            await self.answer(scope, receive, send)

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One HTTP request."""
        lengths = [int(value) for name, value in scope["headers"] if name == b"content-length" and value.isdigit()]
        if any(length > self.largest for length in lengths):
            refusal = Refusal("too-large", f"a request may have {self.largest} bytes")
            await JSONResponse({"error": refusal.as_dict()}, refusal.status)(scope, receive, send)
            return
        begin, taken, status = time.monotonic(), 0, 0

        async def limited() -> MutableMapping[str, Any]:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > self.largest:  # nobody said how long it would be
                return {"type": "http.disconnect"}
            return message

        async def dressed(message: MutableMapping[str, Any]) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], *HEADERS]
            await send(message)

        await self.app(scope, limited, dressed)
        if scope["path"].startswith("/api/"):
            took = round(1000 * (time.monotonic() - begin), 1)
            facts = {"method": scope["method"], "path": scope["path"], "status": status, "milliseconds": took}
            log.info("request", extra={"facts": facts})


def host_of(scope: Scope) -> str:
    """The name under which the server is asked.

    A page of another site can make a browser believe that its own name is ours (DNS rebinding); this name gives
    it away.
    """
    host = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"host"), "")
    return urlsplit(f"//{host}").hostname or ""


# --- refusals -----------------------------------------------------------------------------------


def refusal_answer(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    return JSONResponse({"error": error.as_dict()}, error.status)


def broken_game_answer(request: Request, error: Exception) -> Response:
    log.error("a game is broken", extra={"facts": {"why": str(error)}})
    return refusal_answer(request, Refusal("broken-game", str(error)))


def malformed_answer(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return refusal_answer(request, Refusal("malformed", first_slip(error.errors())))


def plain_answer(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": {"code": "not-found", "reason": str(error.detail)}}, error.status_code)


def first_slip(errors: Any) -> str:
    """What is wrong with a message, in one line."""
    first = errors[0]
    place = ".".join(str(part) for part in first["loc"] if part != "body")
    return f"{place}: {first['msg']}" if place else str(first["msg"])


# --- HTTP ---------------------------------------------------------------------------------------


def add_game_routes(app: FastAPI, settings: Settings, offered: Catalogue) -> None:
    """What there is to play."""

    @app.get("/api/health")
    async def health(request: Request) -> Json:
        return {"status": "ok", "version": spielbaum.__version__, **request.app.state.sessions.health()}

    @app.get("/api/config")
    async def config() -> Json:
        return {
            "version": spielbaum.__version__,
            "kiosk": settings.kiosk,
            "idle": settings.idle,
            "limits": settings.limits(),
        }

    @app.get("/api/schema")
    async def scene_schema() -> Json:
        return schema()

    @app.get("/api/games")
    def games() -> Json:
        return {"games": offered.cards}

    @app.get("/api/games/{game}")
    def game(game: str) -> Json:
        return catalogue.setup(offered.game(game))

    @app.post("/api/games/{game}/setup")
    async def setup(request: Request, game: str, wanted: messages.Setup) -> Json:
        answer = await asyncio.to_thread(set_up, game, wanted)
        hub(request).task(hub(request).look_at(game, wanted.options))
        return answer

    def set_up(game: str, wanted: messages.Setup) -> Json:
        chosen = offered.game(game, wanted.options)
        return {"options": chosen.options, "seats": catalogue.seats(chosen), **catalogue.picture(chosen)}

    @app.get("/api/games/{game}/preparation")
    async def preparation(request: Request, game: str) -> Json:
        offered.game(game)
        return hub(request).warming.of_game(offered.sources[game])

    @app.get("/api/games/{game}/rules")
    def rules(game: str) -> Json:
        return catalogue.rules(offered.game(game))

    @app.get("/api/games/{game}/symbols.svg")
    def symbols(game: str) -> Response:
        text = drawing.artwork(offered.game(game))
        if text is None:
            raise HTTPException(404, "this game has no artwork")
        return PlainTextResponse(text, media_type="image/svg+xml")


def add_session_routes(app: FastAPI) -> None:
    """Sessions: begin, look, end, and play."""

    @app.post("/api/sessions", status_code=201)
    async def begin(request: Request, wanted: messages.NewSession) -> Json:
        created: Json = await hub(request).create(wanted)
        return created

    @app.get("/api/sessions/{session}")
    async def look(request: Request, session: str) -> Json:
        found = await hub(request).authorised(session, bearer(request))
        table = found.table
        return {"session": session, "game": table.name, "mode": table.mode, "over": table.over, "ply": table.ply}

    @app.delete("/api/sessions/{session}", status_code=204)
    async def leave(request: Request, session: str) -> None:
        found = await hub(request).authorised(session, bearer(request))
        if found.granted(bearer(request)) != OWNER:
            raise Refusal("forbidden", "only who began the session may end it")
        async with found.lock:
            await found.end("left")

    @app.get("/api/sessions/{session}/record")
    async def record(request: Request, session: str) -> Json:
        found = await hub(request).authorised(session, bearer(request))
        need_open(found.table)
        return found.table.record()

    @app.get("/api/records")
    def records(request: Request) -> Json:
        return {
            "records": [
                {"id": identity, "ended": ended, "ply": len(data["actions"]), **data}
                for identity, ended, data in hub(request).store.records()
            ]
        }

    @app.get("/api/runs")
    def stored_runs(request: Request) -> Json:
        return {"runs": runs.runs(hub(request).settings.store)}

    @app.get("/api/runs/{run}/games")
    def stored_games(request: Request, run: int, first: int = 0) -> Json:
        return {"games": runs.games(hub(request).settings.store, run, first)}

    @app.websocket("/api/sessions/{session}/socket")
    async def join(websocket: WebSocket, session: str) -> None:
        await talk(websocket, session)


def hub(request: Request | WebSocket) -> Sessions:
    sessions: Sessions = request.app.state.sessions
    return sessions


def bearer(request: Request) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise Refusal("unauthorised", "a token is needed: Authorization: Bearer …")
    return token


# --- WebSocket ----------------------------------------------------------------------------------


async def talk(websocket: WebSocket, name: str) -> None:
    """One connection, from hello to the end."""
    if not same_origin(websocket):
        await websocket.close(1008, "pages of other sites may not connect")
        return
    await websocket.accept()
    try:
        session, connection = await introduce(websocket, name)
    except Refusal as refusal:
        code = {"unknown-session": NO_SESSION, "too-many": FLOOD}.get(refusal.code, WRONG_TOKEN)
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await websocket.send_text(json.dumps(refused(refusal)))
            await websocket.close(code, refusal.reason)
        return
    except WebSocketDisconnect:
        return
    writer = asyncio.create_task(write(websocket, connection))
    try:
        await read(websocket, session, connection)
    except (WebSocketDisconnect, RuntimeError):
        pass  # RuntimeError: the connection was closed from our side while we waited
    finally:
        writer.cancel()
        session.disconnect(connection)


def same_origin(websocket: WebSocket) -> bool:
    """A browser says which page it is that connects; other programs say nothing."""
    origin = websocket.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == websocket.headers.get("host")


async def introduce(websocket: WebSocket, name: str) -> tuple[Session, Connection]:
    """Wait for hello."""
    session = await hub(websocket).get(name)
    try:
        async with asyncio.timeout(websocket.app.state.settings.hello):
            hello = parsed(await websocket.receive())
    except TimeoutError:
        raise Refusal("unauthorised", "nobody said hello in time") from None
    if not isinstance(hello, messages.Hello):
        raise Refusal("unauthorised", "the first message must be hello")
    return session, await session.connect(hello.token)


async def write(websocket: WebSocket, connection: Connection) -> None:
    """Send what is on its way, until the session ends the connection."""
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        while (message := await connection.outbox.get()) is not None:
            await websocket.send_text(json.dumps(message, ensure_ascii=False, separators=(",", ":")))
        ended = connection.session.ended
        await websocket.close(ENDED if ended else 1001, "the session has ended" if ended else "the server shuts down")


async def read(websocket: WebSocket, session: Session, connection: Connection) -> None:
    """Answer messages, as many as are allowed."""
    allowance = Allowance(websocket.app.state.settings)
    while True:
        received = await websocket.receive()
        if received["type"] == "websocket.disconnect":
            return
        if not allowance.take():
            if allowance.beyond > allowance.settings.patience:
                log.warning("a flood was cut off", extra={"facts": {"session": session.identity}})
                await websocket.close(FLOOD, "too many messages")
                return
            if allowance.beyond == 1:
                connection.send(refused(Refusal("too-many", "too many messages; the rest is dropped for a while")))
            continue
        message = None
        try:
            message = parsed(received)
            await session.handle(connection, message)
        except Refusal as refusal:
            connection.send(refused(refusal, message.id if message else number_of(received)))
        except GameError as error:
            connection.send(refused(Refusal("broken-game", str(error)), message.id if message else None))


def parsed(received: MutableMapping[str, Any]) -> Any:
    """A message that is one of those that exist, or a refusal."""
    if received["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(received.get("code", 1000))
    try:
        return messages.REQUEST.validate_json(received.get("text") or "")
    except ValidationError as error:
        first = error.errors()[0]
        code = "unknown-type" if first["type"] == "union_tag_invalid" else "malformed"
        raise Refusal(code, first_slip(error.errors())) from None


def number_of(received: MutableMapping[str, Any]) -> int | None:
    """The id of a message that is otherwise not understood, if it has one."""
    with contextlib.suppress(ValueError, TypeError, RecursionError):
        message = json.loads(received.get("text") or "")
        if isinstance(message, dict) and isinstance(message.get("id"), int):
            return int(message["id"])
    return None


class Allowance:
    """A bucket of messages that fills up at a steady rate."""

    def __init__(self, settings: Settings):
        self.settings = settings
        self.left = float(settings.burst)
        self.at = time.monotonic()
        self.beyond = 0

    def take(self) -> bool:
        """Whether one more message is allowed now."""
        now = time.monotonic()
        self.left = min(self.settings.burst, self.left + (now - self.at) * self.settings.rate)
        self.at = now
        if self.left < 1:
            self.beyond += 1
            return False
        self.left -= 1
        self.beyond = 0
        return True


def listen(host: str, port: int) -> socket.socket:
    """A socket at an address.

    It names its protocol, unlike those of `socket.create_server`: otherwise asyncio leaves Nagle's algorithm on,
    which holds back every small answer for 40 ms.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    door = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":
            door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.bind((host, port))
        door.listen(1024)
    except BaseException:
        door.close()
        raise
    return door


def create_server(settings: Settings, host: str, port: int) -> uvicorn.Server:
    """A server that is ready to run."""
    config = uvicorn.Config(
        create_app(settings),
        host,
        port,
        log_config=None,
        access_log=False,
        ws_max_size=settings.message,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        limit_concurrency=settings.clients,
        timeout_graceful_shutdown=3,
        server_header=False,
    )
    return uvicorn.Server(config)
