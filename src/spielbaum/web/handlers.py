"""The handlers of client messages, one function for each type. Each does what is asked, or raises `Refusal`.

They run under the session's lock; what takes long goes on as a task beside it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from spielbaum.agents import strongest
from spielbaum.errors import GameError, SpielbaumError
from spielbaum.scenes.drawing import Json, words
from spielbaum.web import messages
from spielbaum.web.connection import Connection, refused
from spielbaum.web.errors import Refusal, failure
from spielbaum.web.live_game import LiveGame, actions_of
from spielbaum.web.nets import require_own_files
from spielbaum.web.searches import AgentHandle, Search
from spielbaum.web.seating import chosen_seats, seeds
from spielbaum.web.session import Session


async def handle(session: Session, connection: Connection, message: Any) -> None:
    """Do what a client asks for; raises `Refusal`, or whatever the code of a game or an agent raises."""
    async with session.lock:
        if session.ended:
            raise Refusal("not-now", "the session has ended", "ended")
        await HANDLERS[message.type](session, connection, message)


# --- playing --------------------------------------------------------------------------------------


async def hello(session: Session, connection: Connection, message: Any) -> None:
    raise Refusal("not-now", "hello may be sent once only")


async def ping(session: Session, connection: Connection, message: Any) -> None:
    connection.send({"type": "pong", "re": message.id})


async def act(session: Session, connection: Connection, message: messages.Act) -> None:
    live = session.live
    seat = connection.turn if live.mode == "play" else live.turn([])
    oldest = session.position_rev if live.choosing else session.rev  # others may choose at the same time
    if not oldest <= message.rev <= session.rev:
        connection.send(refused(Refusal("stale", f"the position is at rev {session.rev}"), message.id))
        await session.show(connection)
        return
    if not live.waiting:
        raise Refusal("not-now", "the game is over", "over")
    if seat is None:
        names = [live.game.seats[other] for other in live.waiting]
        said = [words(live.game, name) for name in names]
        raise Refusal("not-your-turn", f"it is the turn of {', '.join(names)}", names=said)
    need_no_pass_screen(connection)
    await session.play(seat, message.action)
    search = session.agents.search
    if live.mode == "analysis" or (search is not None and search.why == "hint" and search.seat == seat):
        session.stop_work()
    await session.publish()


def need_no_pass_screen(connection: Connection) -> None:
    if connection.view().is_hidden:
        raise Refusal("not-now", "the pass-and-play screen hides the board; send ready first", "pass-screen")


async def ready(session: Session, connection: Connection, message: Any) -> None:
    seat = connection.view().passed_to
    if seat is not None:
        connection.shown = seat
    await session.show(connection)


async def undo(session: Session, connection: Connection, message: Any) -> None:
    connection.need_control()
    ply = session.live.undo_ply()
    if ply is None:
        raise session.live.no_undo()
    session.stop_work()
    await session.server.replay(session.origin, session.live.name, ply, lambda: session.live.undo(ply))
    session.agents.recent = [message for message in session.agents.recent if message["ply"] < ply]
    session.recorded = False
    await session.publish()


async def resign(session: Session, connection: Connection, message: messages.Resign) -> None:
    if message.seat not in connection.seats:
        raise Refusal("forbidden", "that seat is not yours", "not-your-seat")
    session.live.resign(message.seat)
    session.stop_work()
    await session.publish()


async def restart(session: Session, connection: Connection, message: messages.Restart) -> None:
    connection.need_control()
    seats = session.live.seats if message.seats is None else chosen_seats(session.live.game, message.seats)
    session.server.admit(session.live.game, seats)
    session.stop_work()
    await session.restart(seats, message.seed)


async def pace(session: Session, connection: Connection, message: messages.PaceOf) -> None:
    connection.need_control()
    live = session.live
    live.pace = live.pace if message.pace is None else message.pace
    live.repeat = live.repeat if message.repeat is None else message.repeat
    if message.paused is not None:
        live.paused = message.paused
        live.faults = [] if not message.paused else live.faults
        if message.paused and session.agent_to_move() is not None:
            session.stop_work()
    await session.publish()


async def leave(session: Session, connection: Connection, message: Any) -> None:
    connection.need_control()
    await session.end("left")


async def stop(session: Session, connection: Connection, message: Any) -> None:
    connection.need_control()
    if session.agents.search is not None:
        session.agents.search.enough = True


async def cancel(session: Session, connection: Connection, message: Any) -> None:
    search = session.agents.search
    if search is None or search.why == "move":
        raise Refusal("not-now", "no hint and no analysis is searched that could be cancelled")
    if search.why != "hint" or search.seat not in connection.seats:
        connection.need_control()
    session.stop_work()
    session.go_on()
    await session.show_again()


# --- asking agents --------------------------------------------------------------------------------


async def hint(session: Session, connection: Connection, message: messages.Hint) -> None:
    seat = connection.turn
    if seat is None:
        raise Refusal("not-your-turn", "a hint can be asked for when one of your seats is to move", "hint-for-oneself")
    need_no_pass_screen(connection)
    if session.is_working:
        raise Refusal("not-now", "a search is running already", "searching")

    def give(search: Search, action: int) -> None:
        connection.send({"type": "hint", "re": message.id, **search.place(action), "search": search.report})

    def drop(work: asyncio.Task[None]) -> None:
        if work.cancelled():
            connection.send(refused(Refusal("cancelled", "the hint was cancelled"), message.id))

    work = await start_search(session, message.spec or strongest(session.live.game), seat, "hint", give)
    work.add_done_callback(drop)


async def think(session: Session, connection: Connection, message: messages.Think) -> None:
    if session.live.mode != "analysis":
        raise Refusal("not-now", "think works in an analysis only", "analysis-only")
    connection.need_control()
    seat = session.live.turn([])
    if seat is None:
        raise Refusal("not-now", "the game is over here", "over")
    session.stop_work()
    await start_search(session, message.spec, seat, "think", lambda search, action: None)
    await session.publish()


async def start_search(
    session: Session, spec: str, seat: int, why: str, deliver: Callable[[Search, int], None]
) -> asyncio.Task[None]:
    """Start a search of the position shown by an agent of its own, for a seat that is to decide."""
    try:
        await asyncio.to_thread(require_own_files, spec, session.live.game)
        agent = await asyncio.to_thread(session.agents.new_agent, seat, spec)
        session.server.searches.admit(*agent.type_key)
    except SpielbaumError as error:
        raise Refusal("bad-setup", str(error), "bad-agent", agent=spec) from None
    session.work = session.server.task(search_and_deliver(session, agent, seat, why, deliver))
    return session.work


async def search_and_deliver(
    session: Session, agent: AgentHandle, seat: int, why: str, deliver: Callable[[Search, int], None]
) -> None:
    try:
        search, action = await session.agents.run(agent, seat, why)
        async with session.lock:
            session.agents.finish(search)
            session.work = None
            deliver(search, action)
            session.go_on()
            await session.show_again()
    except Exception as error:  # rules and agents are other people's code, which may raise anything
        await session.fault(error)


async def line(session: Session, connection: Connection, message: Any) -> None:
    search = session.agents.search_asked_about(connection)
    session.server.task(answer(connection, message, search, "line", lambda: {"line": search.line_shown()}))


async def tree(session: Session, connection: Connection, message: messages.Tree) -> None:
    search = session.agents.search_asked_about(connection)

    def branch() -> Json:
        return search.branch(message.path, message.depth, message.top)

    session.server.task(answer(connection, message, search, "tree", branch))


async def answer(connection: Connection, message: Any, search: Search, kind: str, question: Callable[[], Json]) -> None:
    try:
        found = await search.ask(question)
        connection.send({"type": kind, "re": message.id, "ply": search.ply, **found})
    except Exception as error:  # an agent's or a game's own code, which may raise anything
        excuse = isinstance(error, SpielbaumError) and not isinstance(error, GameError)
        refusal = Refusal("not-now", str(error), "no-search") if excuse else failure(error, asked=kind)
        connection.send(refused(refusal, message.id))


# --- analysis -------------------------------------------------------------------------------------


def need_analysis(session: Session, connection: Connection) -> None:
    if session.live.mode != "analysis":
        raise Refusal("not-now", "this works in an analysis only", "analysis-only")
    connection.need_control()


async def goto(session: Session, connection: Connection, message: messages.Goto) -> None:
    need_analysis(session, connection)
    if message.ply > len(session.live.steps):
        session.live.show(message.ply)  # refuses
    session.stop_work()
    await session.server.replay(session.origin, session.live.name, message.ply, lambda: session.live.show(message.ply))
    await session.publish()


async def view(session: Session, connection: Connection, message: messages.View) -> None:
    need_analysis(session, connection)
    if message.seat is not None and message.seat >= session.live.game.players:
        raise Refusal("malformed", f"there is no seat {message.seat}")
    session.live.view = message.seat
    await session.publish()


async def play_on(session: Session, connection: Connection, message: messages.Continue) -> None:
    need_analysis(session, connection)
    live = session.live
    seats = chosen_seats(live.game, message.seats)
    seed, agent_seed = seeds(live.game, seats, live.seed)
    begun = LiveGame(live.game, live.name, seats, seed, position=live.position, agent_seed=agent_seed)
    moves = actions_of(live.steps[: live.ply])
    await session.server.replay(session.origin, session.live.name, len(moves), lambda: begun.play_all(moves))
    created = await session.server.add(begun, session.origin)
    connection.send({"type": "session", "re": message.id, **created})


HANDLERS: dict[str, Callable[[Session, Connection, Any], Awaitable[None]]] = {
    "hello": hello,
    "ping": ping,
    "act": act,
    "ready": ready,
    "undo": undo,
    "resign": resign,
    "restart": restart,
    "pace": pace,
    "leave": leave,
    "stop": stop,
    "cancel": cancel,
    "hint": hint,
    "think": think,
    "line": line,
    "tree": tree,
    "goto": goto,
    "view": view,
    "continue": play_on,
}
"""The handler of each type of message."""
