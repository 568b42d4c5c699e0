"""The Stage: games that can be looked at, over HTTP and WebSockets, as a part of any of our servers.

    GET /api/stage              {"games": [{"id": …, "title": …, "round": 12, …}]}
    GET /api/stage/ID           one of them
    GET /stage, /stage/ID       the page
    /api/stage/ID/socket        a WebSocket: what happened so far, then what happens

docs/spe_ed-stage.md has the messages. A connection that takes them slowly gets several rounds at once later on, and
holds up nobody: it asks its stream for what is new when it is ready, and nothing waits in a queue.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import threading
import time
from collections.abc import Iterator
from typing import Annotated, Literal

import uvicorn
from fastapi import APIRouter, FastAPI, WebSocket, WebSocketDisconnect
from fastapi.responses import JSONResponse, RedirectResponse
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from starlette.exceptions import HTTPException

import spielbaum
from spielbaum.online.event_stream import EventStream, EventStreams
from spielbaum.scenes.drawing import Json
from spielbaum.web import app as web
from spielbaum.web.assets import STATIC, Assets, read_files
from spielbaum.web.callers import Allowance, Allowances, origin_of
from spielbaum.web.connection import refused
from spielbaum.web.errors import Refusal, failure
from spielbaum.web.session_server import SHORT_RUN
from spielbaum.web.settings import Settings

PACE = 0.1  # seconds between two messages of what is new; plans change more often
ENTRY = "js/screens/stage.js"


class Message(BaseModel):
    """Strict: no unknown fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)


Player = Annotated[int, Field(ge=0, lt=6)]


class Take(Message):
    """Steer a player by hand, or no longer."""

    type: Literal["take", "release"]
    player: Player


class Steer(Message):
    """What a player that was taken over shall answer in this round."""

    type: Literal["steer"]
    player: Player
    action: Literal["change_nothing", "turn_right", "turn_left", "speed_up", "slow_down"]


class Ping(Message):
    """Is anybody there?"""

    type: Literal["ping"]


REQUEST: TypeAdapter[Take | Steer | Ping] = TypeAdapter(Annotated[Take | Steer | Ping, Field(discriminator="type")])


# --- doors ----------------------------------------------------------------------------------------


def stage_router(streams: EventStreams, settings: Settings) -> APIRouter:
    """The Stage as a part of a server."""
    router, sent = APIRouter(), Allowances(settings.sent_each, SHORT_RUN * settings.sent_each)
    reading = asyncio.Lock()  # one at a time: a game that is stored has to be played again

    async def find(name: str) -> EventStream | None:
        async with reading:
            return await asyncio.to_thread(streams.find, name)

    @router.get("/api/stage")
    async def games() -> Json:
        async with reading:
            return {"games": await asyncio.to_thread(streams.offered)}

    @router.get("/api/stage/{name}")
    async def game(name: str) -> Json:
        stream = await find(name)
        if stream is None:
            raise HTTPException(404, UNKNOWN.reason)
        return {"id": name, "title": stream.title}

    @router.get("/stage")
    async def page() -> RedirectResponse:
        return RedirectResponse("./#/stage")

    @router.get("/stage/{name}")
    async def page_of_game(name: str) -> RedirectResponse:
        if await find(name) is None:
            raise HTTPException(404, UNKNOWN.reason)
        return RedirectResponse(f"../#/stage/{name}")

    @router.websocket("/api/stage/{name}/socket")
    async def join(websocket: WebSocket, name: str) -> None:
        stream = await find(name) if web.same_origin(websocket) else None
        if stream is None:
            refusal = UNKNOWN if web.same_origin(websocket) else FOREIGN
            await websocket.send_denial_response(JSONResponse({"error": refusal.as_dict()}, refusal.status))
            return
        await websocket.accept()
        await follow(websocket, stream, settings, sent.of(origin_of(websocket.client)))

    return router


UNKNOWN = Refusal("unknown-record", "there is no such game on the stage")
FOREIGN = Refusal("forbidden", "pages of other sites may not connect")


# --- a connection ---------------------------------------------------------------------------------


async def follow(websocket: WebSocket, stream: EventStream, settings: Settings, sent: Allowance) -> None:
    """Tell a client what happens until it leaves, and do what it asks for."""
    loop, news, person = asyncio.get_running_loop(), asyncio.Event(), object()

    def told() -> None:
        with contextlib.suppress(RuntimeError):  # the server has ended, the game goes on
            loop.call_soon_threadsafe(news.set)

    unfollow = stream.follow(told)
    writer = asyncio.create_task(write(websocket, Told(stream, person), news, sent))
    try:
        await read(websocket, stream, person, Allowance(settings.rate, settings.burst), settings.patience)
    except (WebSocketDisconnect, RuntimeError):
        pass  # RuntimeError: the connection was closed from our side while we waited
    finally:
        writer.cancel()
        unfollow()
        for player in list(stream.people):
            stream.release(player, person)


async def write(websocket: WebSocket, told: Told, news: asyncio.Event, sent: Allowance) -> None:
    """Send what is new, as often as there is something."""
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        while True:
            news.clear()
            for message in told.news():
                await websocket.send_text(message)
                await asyncio.sleep(sent.spend(len(message)))
            await news.wait()
            await asyncio.sleep(PACE)


async def read(websocket: WebSocket, stream: EventStream, person: object, allowance: Allowance, patience: int) -> None:
    """Do what is asked for, as much as is allowed."""
    while True:
        received = await websocket.receive()
        if received["type"] == "websocket.disconnect":
            return
        if not allowance.take():
            if allowance.beyond > patience:
                await websocket.close(web.FLOOD, "too many messages")
                return
            continue
        reply = answer(stream, person, received.get("text") or "")
        if reply is not None:
            await websocket.send_text(compact(reply))


def answer(stream: EventStream, person: object, text: str) -> Json | None:
    """Do what a message asks for; what there is to say about it."""
    try:
        message = REQUEST.validate_json(text)
        if isinstance(message, Ping):
            return {"type": "pong"}
        if isinstance(message, Steer):
            stream.steer(message.player, message.action, person)
        elif message.type == "release":
            stream.release(message.player, person)
        elif not stream.take(message.player, person):
            raise Refusal("forbidden", "this player can't be taken over", "not-your-seat")
    except ValidationError as error:
        return refused(Refusal("malformed", web.first_slip(error.errors())))
    except Exception as error:  # whatever it is, who asked gets an answer
        return refused(failure(error))
    return None


class Told:
    """What a client knows already."""

    def __init__(self, stream: EventStream, person: object):
        self.stream, self.person = stream, person
        self.shots = 0
        self.game: Json = {}
        self.hands: Json = {}
        self.plans: dict[tuple[int, int], str] = {}

    def news(self) -> Iterator[str]:
        """What it does not know yet, as messages."""
        stream = self.stream
        with stream.changed:
            shots = stream.shots[self.shots :]
            plans = {(number, player): text for number, by in stream.plans.items() for player, text in by.items()}
            game, hands = self.description(), self.steering()
        if not shots and self.shots == 0:
            return
        if not self.game:
            yield compact(game)
        if shots:
            yield compact({"type": "rounds", "first": self.shots, "shots": [shot._asdict() for shot in shots]})
        for (number, player), text in plans.items():
            if self.plans.get((number, player)) is not text:
                yield f'{{"type":"plans","round":{number},"player":{player},"lines":{text}}}'
        if hands != self.hands:
            yield compact(hands)
        if self.game and game != self.game:  # after the last round: it is not over before that
            yield compact(game)
        self.shots += len(shots)
        self.game, self.hands, self.plans = game, hands, plans

    def description(self) -> Json:
        """What seldom changes."""
        stream = self.stream
        count = len(stream.shots[-1].players) if stream.shots else 0
        return {
            "type": "game",
            "title": stream.title,
            "width": stream.width,
            "height": stream.height,
            "names": [stream.names.get(player, "") for player in range(count)],
            "you": stream.you,
            "seats": [player for player in range(count) if stream.may_take(player)],
            "ended": stream.ended,
        }

    def steering(self) -> Json:
        """Who is steered by hand, and what this client wants its players to do."""
        people = self.stream.people
        own = [player for player, person in people.items() if person is self.person]
        return {
            "type": "hands",
            "own": own,
            "others": [player for player in people if player not in own],
            "chosen": {str(player): action for player, action in self.stream.chosen.items() if player in own},
        }


def compact(message: Json) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


# --- a server of its own --------------------------------------------------------------------------


def stage_app(streams: EventStreams, settings: Settings) -> web.Guard:
    """A server with nothing but the Stage."""
    app = FastAPI(title="Spielbaum", openapi_url=None)
    app.add_exception_handler(HTTPException, web.plain_answer)
    app.add_exception_handler(Exception, web.failed_answer)

    @app.get("/api/config")
    async def config() -> Json:
        told = {"kiosk": None, "idle": settings.idle, "home": "stage", "stage": True, "limits": settings.limits()}
        return {"version": spielbaum.__version__, **told}

    app.include_router(stage_router(streams, settings))
    app.mount("/", Assets(read_files(STATIC), ("js/app.js", ENTRY)))
    return web.Guard(app, settings)


def create_stage(streams: EventStreams, host: str, port: int) -> uvicorn.Server:
    """A server with nothing but the Stage, ready to run."""
    hosts = ("127.0.0.1", "localhost", "::1")
    settings = Settings(hosts=hosts if host in hosts else ())
    return web.server_of(stage_app(streams, settings), settings, host, port)


@contextlib.contextmanager
def serve_stage(streams: EventStreams, port: int = 0, host: str = "127.0.0.1") -> Iterator[str]:
    """Show games while something else goes on, from a thread; gives the address of the Stage.

    with serve_stage(streams, 8322) as address:
        print(f"look at {address}")
    """
    door = web.listen(host, port)
    server = create_stage(streams, host, port)
    thread = threading.Thread(target=lambda: server.run(sockets=[door]), daemon=True)
    thread.start()
    while not server.started and thread.is_alive():
        time.sleep(0.01)
    try:
        yield address_of(door)
    finally:
        server.should_exit = True
        thread.join()


def address_of(door: socket.socket) -> str:
    """Where people find a server that listens at a socket."""
    host, port = door.getsockname()[:2]
    shown = "127.0.0.1" if host in ("0.0.0.0", "::") else host
    return f"http://[{shown}]:{port}/" if ":" in shown else f"http://{shown}:{port}/"
