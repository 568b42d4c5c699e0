"""The server's interface: HTTP for what is asked once, a WebSocket for playing, as in docs/web-protocol.md.

Nothing that a client sends is trusted: sizes and rates are limited, every message is checked against its
model, and a refusal says why.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import logging
import os
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from typing import Annotated, Any
from urllib.parse import urlsplit

import uvicorn
from fastapi import APIRouter, FastAPI, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import Field, ValidationError
from pydantic_core import to_json
from starlette.exceptions import HTTPException

import spielbaum
from spielbaum.errors import GameError
from spielbaum.scenes import drawing
from spielbaum.scenes.drawing import Json
from spielbaum.scenes.scene import schema
from spielbaum.web import catalogue, handlers, messages, runs, trainings, tunings
from spielbaum.web.assets import STATIC, Assets, asset, json_response, read_files, sent
from spielbaum.web.callers import Allowance, Allowances, Caller, Crowd, origin_of
from spielbaum.web.catalogue import Catalogue
from spielbaum.web.connection import OWNER, Connection, refused
from spielbaum.web.errors import HEADERS, Refusal, failure
from spielbaum.web.session import Session
from spielbaum.web.session_manager import SessionManager, need_open
from spielbaum.web.settings import Settings

try:
    import resource
except ModuleNotFoundError:  # Windows has no such limit
    resource = None  # type: ignore[assignment]

log = logging.getLogger(__name__)

GARBAGE = 10_000, 20, 50  # a position of a game with thousands of moves is as many objects, gone as soon as it is sent
WRONG_TOKEN, NO_SESSION, ENDED, FLOOD, FAILED = 4401, 4404, 4410, 4429, 1011
CLOSING = dict.fromkeys(("internal", "broken-game", "unreadable"), FAILED)
CLOSING |= {"unknown-session": NO_SESSION, "too-many": FLOOD}
WAITING, AT_A_TIME = 1024, 4  # connections before they are taken, and how many are taken in a row
OTHER_FILES = 256  # beside connections

Number = Annotated[int, Field(ge=0, lt=2**63)]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


def create_app(settings: Settings, stage: APIRouter | None = None) -> FastAPI:
    """The app with its games loaded, and with a stage; sessions begin to live when the server starts."""
    offered = Catalogue(settings.games)
    if settings.games:
        assert offered.cards  # drawn now: a file that can't be drawn is told before anybody waits for it
    if settings.kiosk is not None and settings.kiosk not in offered.sources:
        raise GameError(offered.complaint)
    app = FastAPI(title="Spielbaum", lifespan=lifespan, openapi_url=None)
    app.state.settings, app.state.catalogue = settings, offered
    app.add_exception_handler(Refusal, refusal_answer)
    app.add_exception_handler(RequestValidationError, malformed_answer)
    app.add_exception_handler(HTTPException, plain_answer)
    app.add_exception_handler(Exception, failed_answer)
    add_game_routes(app, settings, offered, staged=stage is not None)
    add_session_routes(app, settings, offered)
    if stage is not None:
        app.include_router(stage)
    first = "js/screens/attract.js" if settings.kiosk else "js/screens/start.js"
    app.mount("/", Assets(read_files(STATIC), ("js/app.js", first)))
    return app


@contextlib.asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Sessions live as long as the server does, and are stored at its end."""
    app.state.manager = SessionManager(app.state.settings, app.state.catalogue)
    sweeper = asyncio.create_task(app.state.manager.clean_up())
    app.state.manager.task(asyncio.to_thread(lambda: app.state.catalogue.cards))
    if app.state.settings.kiosk is not None:
        app.state.manager.task(app.state.manager.look_at(app.state.settings.kiosk, {}))
    log.info("server started", extra={"facts": {"games": list(app.state.catalogue.sources)}})
    yield
    sweeper.cancel()
    await app.state.manager.close()
    log.info("server stopped")


class Guard:
    """Around the whole app: limits what comes in, sets the headers that every answer has, and logs what was asked."""

    def __init__(self, app: Callable[[Scope, Receive, Send], Awaitable[None]], settings: Settings):
        self.app, self.settings, self.crowd = app, settings, Crowd(settings)
        self.allowances = Allowances(settings.requests, settings.requests_burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, with the limits around it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        started, answer, size = time.monotonic(), Dressed(send), Limited(receive, self.settings.body)
        try:
            self.need_leave(scope)
            if scope["type"] == "websocket":
                with self.crowd.socket(origin_of(scope["client"])):
                    await self.app(scope, receive, answer.send)
            else:
                await self.app(scope, size.receive, answer.send)
        except Refusal as refusal:
            await JSONResponse({"error": refusal.as_dict()}, refusal.status)(scope, receive, answer.send)
        except Exception:
            if answer.status == 0:  # `failed_answer` has answered, or nobody can any more
                raise
        if scope["path"].startswith("/api/") and scope["type"] == "http":
            took = round(1000 * (time.monotonic() - started), 1)
            facts = {"method": scope["method"], "path": scope["path"], "status": answer.status, "milliseconds": took}
            log.info("request", extra={"facts": facts})

    def need_leave(self, scope: Scope) -> None:
        """Refuse a request for another host, one too many, and one that is too large."""
        settings, name = self.settings, host_of(scope)
        if settings.hosts and name not in settings.hosts:
            raise Refusal("forbidden", f"this server is not {name}")
        is_counted = scope["path"].startswith("/api/") and scope["path"] != "/api/health"  # a watchdog may always ask
        if is_counted and not self.allowances.of(origin_of(scope["client"])).take():
            raise Refusal("too-many", "too many requests from your address; wait some seconds", "too-many-messages")
        lengths = [int(value) for name, value in scope["headers"] if name == b"content-length" and value.isdigit()]
        if any(length > settings.body for length in lengths):
            raise too_large(settings.body)


def too_large(most: int) -> Refusal:
    return Refusal("too-large", f"a request may have {most} bytes")


class Dressed:
    """Answers with the headers that all have; knows the status of the last one."""

    def __init__(self, send: Send):
        self.onward, self.status = send, 0

    async def send(self, message: MutableMapping[str, Any]) -> None:
        """Pass it on."""
        if message["type"].endswith("http.response.start"):  # of a WebSocket that is refused, too
            self.status = message["status"]
            own = {name.lower() for name, _ in message["headers"]}
            message["headers"] = [*message["headers"], *(header for header in HEADERS if header[0] not in own)]
        await self.onward(message)


class Limited:
    """A body that is not longer than allowed, also where nobody said how long it would be."""

    def __init__(self, receive: Receive, most: int):
        self.onward, self.most, self.taken = receive, most, 0

    async def receive(self) -> MutableMapping[str, Any]:
        """The next part of it."""
        message = await self.onward()
        self.taken += len(message.get("body", b""))
        if self.taken > self.most:
            raise HTTPException(413, too_large(self.most).reason)
        return message


def host_of(scope: Scope) -> str:
    """The name under which the server is asked.

    A page of another site can make a browser believe that its own name is ours (DNS rebinding); this name gives
    it away.
    """
    host = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"host"), "")
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        raise Refusal("malformed", "the header Host is neither a name nor an address") from None


# --- refusals -----------------------------------------------------------------------------------


def refusal_answer(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    return JSONResponse({"error": error.as_dict()}, error.status)


def failed_answer(request: Request, error: Exception) -> Response:
    """Answer a request that raised an exception."""
    return refusal_answer(request, failure(error, method=request.method, path=request.url.path))


def malformed_answer(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return refusal_answer(request, Refusal("malformed", first_slip(error.errors())))


def plain_answer(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = {404: "not-found", 413: "too-large"}.get(error.status_code, "malformed")
    return JSONResponse({"error": {"code": code, "reason": str(error.detail)}}, error.status_code, error.headers)


def first_slip(errors: Any) -> str:
    """The first error of a validation, in one line."""
    first = errors[0]
    place = ".".join(str(part) for part in first["loc"] if part != "body")
    return f"{place}: {first['msg']}" if place else str(first["msg"])


# --- HTTP ---------------------------------------------------------------------------------------


def add_game_routes(app: FastAPI, settings: Settings, offered: Catalogue, *, staged: bool) -> None:
    """Routes about games."""

    @app.get("/api/health")
    async def health(request: Request) -> Json:
        sessions = manager_of(request)
        is_well = not any(sessions.store.trouble.values()) and not sessions.searches.lost
        status = "ok" if is_well else "trouble"
        return {"status": status, "version": spielbaum.__version__, **sessions.health()}

    @app.get("/api/config")
    def config() -> Json:
        return {
            "version": spielbaum.__version__,
            "kiosk": settings.kiosk,
            "idle": settings.idle,
            "home": "start",
            "stage": staged,
            "tunings": settings.kiosk is None and tunings.are_there(settings.store),
            "trainings": settings.kiosk is None and trainings.are_there(settings.store),
            "limits": settings.limits(),
        }

    @app.get("/api/schema")
    def scene_schema(request: Request) -> Response:
        return json_response(request, schema())

    @app.get("/api/games")
    def games(request: Request) -> Response:
        return json_response(request, {"games": offered.cards, "broken": offered.broken})

    @app.get("/api/games/{game}")
    def game(request: Request, game: str) -> Response:
        return json_response(request, catalogue.setup(offered.game(game)))

    @app.post("/api/games/{game}/setup")
    async def setup(request: Request, game: str, wanted: messages.Setup) -> Response:
        def set_up() -> Json:
            chosen = offered.game(game, wanted.options)
            return {"options": chosen.options, "seats": catalogue.seats(chosen), **catalogue.picture(chosen)}

        answer = json_response(request, await manager_of(request).chores.run(origin_of(request.client), set_up))
        manager_of(request).task(manager_of(request).look_at(game, wanted.options))
        return answer

    @app.get("/api/games/{game}/preparation")
    async def preparation(request: Request, game: str) -> Json:
        offered.game(game)
        return manager_of(request).warming.of_game(offered.sources[game])

    @app.get("/api/games/{game}/rules")
    def rules(request: Request, game: str) -> Response:
        return json_response(request, catalogue.rules(offered.game(game)))

    @app.get("/api/games/{game}/symbols.svg")
    def symbols(request: Request, game: str) -> Response:
        text = drawing.artwork(offered.game(game))
        if text is None:
            raise HTTPException(404, "this game has no artwork")
        return sent(request, asset(text.encode()), ".svg")


def add_session_routes(app: FastAPI, settings: Settings, offered: Catalogue) -> None:
    """Routes about sessions and about what is stored."""

    @app.post("/api/sessions", status_code=201)
    async def create_session(request: Request, wanted: messages.NewSession) -> Json:
        created: Json = await manager_of(request).create(wanted, origin_of(request.client))
        return created

    @app.get("/api/sessions/{session}")
    async def look(request: Request, session: str) -> Json:
        return outline(await authorised(request, session))

    @app.get("/api/sessions/{session}/about")
    async def about(request: Request, session: str) -> Json:
        summary = outline(await manager_of(request).get(session, origin_of(request.client)))
        return {name: summary[name] for name in ("session", "game", "title", "mode", "over")}

    @app.delete("/api/sessions/{session}", status_code=204)
    async def leave(request: Request, session: str) -> None:
        found = await authorised(request, session)
        if found.permission_of(bearer(request)) != OWNER:
            raise Refusal("forbidden", "only who began the session may end it", "owner-only")
        async with found.lock:
            await found.end("left")

    @app.get("/api/sessions/{session}/record")
    async def record(request: Request, session: str) -> Json:
        found = await authorised(request, session)
        need_open(found.live)
        live, origin = found.live, origin_of(request.client)
        return await manager_of(request).replay(origin, live.name, len(live.steps), live.record)

    @app.get("/api/records")
    def records(request: Request) -> Json:
        return {"records": manager_of(request).store.records()}

    @app.get("/api/runs")
    def stored_runs(request: Request) -> Json:
        return runs.runs(settings.store, offered)

    @app.get("/api/runs/{run}/games")
    def stored_games(request: Request, run: Number, first: Number = 0) -> Json:
        return {"games": runs.games(settings.store, run, first, offered)}

    @app.get("/api/tunings")
    def all_tunings(request: Request) -> Response:
        return json_response(
            request, tunings.tunings(manager_of(request).settings.store, manager_of(request).catalogue)
        )

    @app.get("/api/tunings/{number}")
    def tuning(request: Request, number: Number) -> Response:
        return json_response(request, tunings.tuning(settings.store, number, offered))

    @app.get("/api/tunings/{number}/pictures")
    def tuning_pictures(request: Request, number: Number) -> Response:
        return json_response(request, tunings.pictures(settings.store, number))

    @app.get("/api/trainings")
    def all_trainings(request: Request) -> Response:
        return json_response(request, trainings.trainings(settings.store, offered))

    @app.get("/api/trainings/{name}")
    def training(request: Request, name: str) -> Response:
        return json_response(request, trainings.training(settings.store, name, offered))

    @app.websocket("/api/sessions/{session}/socket")
    async def join(websocket: WebSocket, session: str) -> None:
        await talk(websocket, session)


def manager_of(request: Request | WebSocket) -> SessionManager:
    sessions: SessionManager = request.app.state.manager
    return sessions


def outline(session: Session) -> Json:
    """A session in a list of sessions."""
    live = session.live
    return {
        "session": session.identity,
        "game": live.name,
        "mode": live.mode,
        "over": live.over,
        "ply": live.ply,
        **live.summary(),
    }


async def authorised(request: Request, session: str) -> Session:
    return await manager_of(request).authorised(session, bearer(request), origin_of(request.client))


def bearer(request: Request) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise Refusal("unauthorised", "a token is needed: Authorization: Bearer …")
    return token


# --- WebSocket ----------------------------------------------------------------------------------


async def talk(websocket: WebSocket, name: str) -> None:
    """One connection, from hello to the end."""
    if not same_origin(websocket):
        refusal = Refusal("forbidden", "pages of other sites may not connect")
        await websocket.send_denial_response(JSONResponse({"error": refusal.as_dict()}, refusal.status))
        return
    await websocket.accept()
    try:
        session, connection = await introduce(websocket, name)
    except WebSocketDisconnect:
        return
    except Exception as error:  # any failure is answered
        refusal = failure(error, session=name)
        code = CLOSING.get(refusal.code, WRONG_TOKEN)
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await websocket.send_text(json.dumps(refused(refusal)))
            await websocket.close(code, shortened(refusal.reason))
        return
    writer = asyncio.create_task(write(websocket, connection))
    try:
        await read(websocket, session, connection)
    except (WebSocketDisconnect, RuntimeError):
        pass  # RuntimeError: the connection was closed from our side while we waited
    finally:
        writer.cancel()
        session.disconnect(connection)


def shortened(reason: str) -> str:
    """A reason, cut to what a closing frame can hold."""
    return reason.encode()[:120].decode(errors="ignore")


def same_origin(websocket: WebSocket) -> bool:
    """A browser says which page it is that connects; other programs say nothing."""
    origin = websocket.headers.get("origin")
    try:
        return origin is None or urlsplit(origin).netloc == websocket.headers.get("host")
    except ValueError:  # it is no address
        return False


async def introduce(websocket: WebSocket, name: str) -> tuple[Session, Connection]:
    """Wait for hello."""
    await manager_of(websocket).get(name, origin_of(websocket.client))  # refuses an unknown session at once
    try:
        async with asyncio.timeout(websocket.app.state.settings.hello):
            hello = parsed(await websocket.receive())
    except TimeoutError:
        raise Refusal("unauthorised", "nobody said hello in time") from None
    if not isinstance(hello, messages.Hello):
        raise Refusal("unauthorised", "the first message must be hello")
    session = await manager_of(websocket).get(name, origin_of(websocket.client))  # it may be unloaded by now
    return session, await session.connect(hello.token)


async def write(websocket: WebSocket, connection: Connection) -> None:
    """Send queued messages until the session closes the connection."""
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        allowance = manager_of(websocket).sent.of(origin_of(websocket.client))
        while (message := await connection.next_message()) is not None:
            text = to_json(message).decode()
            await websocket.send_text(text)
            await asyncio.sleep(allowance.spend(len(text)))
        ended = connection.session.ended
        await websocket.close(ENDED if ended else 1001, "the session has ended" if ended else "the server shuts down")


async def read(websocket: WebSocket, session: Session, connection: Connection) -> None:
    """Handle the client's messages, within their limit, until it disconnects."""
    settings = websocket.app.state.settings
    allowance = Allowance(settings.rate, settings.burst)
    while True:
        received = await websocket.receive()
        if received["type"] == "websocket.disconnect":
            return
        if not allowance.take():
            if allowance.beyond > settings.patience:
                log.warning("a flood was cut off", extra={"facts": {"session": session.identity}})
                await websocket.close(FLOOD, "too many messages")
                return
            if allowance.beyond == 1:
                flood = Refusal("too-many", "too many messages; the rest is dropped for a while", "too-many-messages")
                connection.send(refused(flood))
            continue
        message = None
        try:
            message = parsed(received)
            await handlers.handle(session, connection, message)
        except Exception as error:  # any failure is answered
            facts = {"session": session.identity, "asked": message.type if message else None}
            connection.send(refused(failure(error, **facts), message.id if message else number_of(received)))


def parsed(received: MutableMapping[str, Any]) -> Any:
    """A message that was received and checked; an invalid one is refused."""
    if received["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(received.get("code", 1000))
    try:
        return messages.REQUEST.validate_json(received.get("text") or "")
    except ValidationError as error:
        first = error.errors()[0]
        code = "unknown-type" if first["type"] == "union_tag_invalid" else "malformed"
        raise Refusal(code, first_slip(error.errors())) from None


def number_of(received: MutableMapping[str, Any]) -> int | None:
    """The id of an invalid message, if it has one."""
    with contextlib.suppress(ValueError, TypeError, RecursionError):
        message = json.loads(received.get("text") or "")
        if isinstance(message, dict) and isinstance(message.get("id"), int):
            return int(message["id"])
    return None


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
        door.listen(WAITING)
    except BaseException:
        door.close()
        raise
    return door


def allow_files(number: int) -> None:
    """Let this process have so many files and connections open, as far as the system lets it."""
    if resource is not None:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = number if hard == resource.RLIM_INFINITY else min(number, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


class Server(uvicorn.Server):
    """uvicorn's, which takes a few connections at a time, so that a flood of them leaves time for the others."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen; asyncio takes as many connections in a row as may wait, so this is set apart again."""
        await super().startup(sockets)
        for door in sockets or ():
            door.listen(WAITING)


def create_server(settings: Settings, host: str, port: int, stage: APIRouter | None = None) -> uvicorn.Server:
    """A server that is ready to run."""
    return server_of(Guard(create_app(settings, stage), settings), settings, host, port)


def server_of(app: Guard, settings: Settings, host: str, port: int) -> uvicorn.Server:
    """The uvicorn server of an app."""
    allow_files(settings.clients + OTHER_FILES)
    gc.freeze()  # what is loaded stays: nobody waits for the collector to look through all of Numba
    gc.set_threshold(*GARBAGE)
    config = uvicorn.Config(
        app,
        host,
        port,
        http=Caller,
        backlog=AT_A_TIME,
        log_config=None,
        access_log=False,
        ws_max_size=settings.message,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=[*settings.proxies],
        timeout_graceful_shutdown=3,
        server_header=False,
    )
    return Server(config)
