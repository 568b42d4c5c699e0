"""What clients ask a session for, one function for each kind of message. Each does it, or refuses.

They run under the session's lock; what takes long goes on as a task beside it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from spielbaum.agents import strongest
from spielbaum.errors import GameError, SpielbaumError
from spielbaum.web import messages
from spielbaum.web.connection import Connection, refused
from spielbaum.web.drawing import Json, words
from spielbaum.web.errors import Refusal, failure
from spielbaum.web.searches import Search, Thinker
from spielbaum.web.seating import chosen_seats, seeds
from spielbaum.web.table import Table, actions_of

if TYPE_CHECKING:
    from spielbaum.web.session import Session


# --- playing --------------------------------------------------------------------------------------


async def hello(session: Session, connection: Connection, message: Any) -> None:
    raise Refusal("not-now", "hello was said already")


async def ping(session: Session, connection: Connection, message: Any) -> None:
    connection.send({"type": "pong", "re": message.id})


async def act(session: Session, connection: Connection, message: messages.Act) -> None:
    table = session.table
    seat = connection.turn if table.mode == "play" else table.turn([])
    oldest = session.position_rev if table.choosing else session.rev  # others may choose at the same time
    if not oldest <= message.rev <= session.rev:
        connection.send(refused(Refusal("stale", f"the position is at rev {session.rev}"), message.id))
        await session.show(connection)
        return
    if not table.waiting:
        raise Refusal("not-now", "the game is over", "over")
    if seat is None:
        names = [table.game.seats[other] for other in table.waiting]
        told = [words(table.game, name) for name in names]
        raise Refusal("not-your-turn", f"it is the turn of {', '.join(names)}", names=told)
    need_open_curtain(connection)
    table.legal(seat, message.action)
    search = session.mind.search
    if table.mode == "analysis" or (search is not None and search.why == "hint" and search.seat == seat):
        session.stop_work()
    await asyncio.to_thread(table.play, seat, message.action)
    await session.publish()


def need_open_curtain(connection: Connection) -> None:
    if connection.view()[2]:
        raise Refusal("not-now", "the curtain is down; say ready first", "curtain")


async def ready(session: Session, connection: Connection, message: Any) -> None:
    _, seat, curtain = connection.view()
    if curtain and seat is not None:
        connection.shown = seat
    await session.show(connection)


async def undo(session: Session, connection: Connection, message: Any) -> None:
    connection.need_control()
    ply = session.table.undo_ply()
    if ply is None:
        raise session.table.no_undo()
    session.stop_work()
    await session.hub.replay(session.origin, ply, lambda: session.table.undo(ply))
    session.mind.told = [message for message in session.mind.told if message["ply"] < ply]
    session.recorded = False
    await session.publish()


async def resign(session: Session, connection: Connection, message: messages.Resign) -> None:
    if message.seat not in connection.seats:
        raise Refusal("forbidden", "that seat is not yours", "not-your-seat")
    session.table.resign(message.seat)
    session.stop_work()
    await session.publish()


async def restart(session: Session, connection: Connection, message: messages.Restart) -> None:
    connection.need_control()
    seats = session.table.seats if message.seats is None else chosen_seats(session.table.game, message.seats)
    session.hub.admit(session.table.game, seats)
    session.stop_work()
    await session.begin_anew(seats, message.seed)


async def pace(session: Session, connection: Connection, message: messages.PaceOf) -> None:
    connection.need_control()
    table = session.table
    table.pace = table.pace if message.pace is None else message.pace
    table.repeat = table.repeat if message.repeat is None else message.repeat
    if message.paused is not None:
        table.paused = message.paused
        table.faults = [] if not message.paused else table.faults
        if message.paused and session.agent_to_move() is not None:
            session.stop_work()
    await session.publish()


async def leave(session: Session, connection: Connection, message: Any) -> None:
    connection.need_control()
    await session.end("left")


async def stop(session: Session, connection: Connection, message: Any) -> None:
    connection.need_control()
    if session.mind.search is not None:
        session.mind.search.enough = True


async def cancel(session: Session, connection: Connection, message: Any) -> None:
    search = session.mind.search
    if search is None or search.why == "move":
        raise Refusal("not-now", "there is no hint and no thinking to be cancelled")
    if search.why != "hint" or search.seat not in connection.seats:
        connection.need_control()
    session.stop_work()
    session.go_on()
    await session.show_again()


# --- asking agents --------------------------------------------------------------------------------


async def hint(session: Session, connection: Connection, message: messages.Hint) -> None:
    seat = connection.turn
    if seat is None:
        raise Refusal("not-your-turn", "a hint is for one's own decision", "hint-for-oneself")
    need_open_curtain(connection)
    if session.is_working:
        raise Refusal("not-now", "a search is running already", "searching")

    def give(search: Search, action: int) -> None:
        connection.send({"type": "hint", "re": message.id, **search.place(action), "search": search.report})

    def drop(work: asyncio.Task[None]) -> None:
        if work.cancelled():
            connection.send(refused(Refusal("cancelled", "the hint is not wanted any more"), message.id))

    work = await start_search(session, message.spec or strongest(session.table.game), seat, "hint", give)
    work.add_done_callback(drop)


async def think(session: Session, connection: Connection, message: messages.Think) -> None:
    if session.table.mode != "analysis":
        raise Refusal("not-now", "thinking about any position is for an analysis", "analysis-only")
    connection.need_control()
    seat = session.table.turn([])
    if seat is None:
        raise Refusal("not-now", "the game is over here", "over")
    session.stop_work()
    await start_search(session, message.spec, seat, "think", lambda search, action: None)
    await session.publish()


async def start_search(
    session: Session, spec: str, seat: int, why: str, deliver: Callable[[Search, int], None]
) -> asyncio.Task[None]:
    """Let an agent of its own search the position shown, for a seat that is to decide."""
    try:
        agent = await asyncio.to_thread(session.mind.new_agent, seat, spec)
        session.hub.searches.admit(*agent.breed)
    except SpielbaumError as error:
        raise Refusal("bad-setup", str(error), "bad-agent", agent=spec) from None
    session.work = session.hub.task(search_and_deliver(session, agent, seat, why, deliver))
    return session.work


async def search_and_deliver(
    session: Session, agent: Thinker, seat: int, why: str, deliver: Callable[[Search, int], None]
) -> None:
    try:
        search, action = await session.mind.run(agent, seat, why)
        async with session.lock:
            session.mind.finish(search)
            session.work = None
            deliver(search, action)
            session.go_on()
            await session.show_again()
    except Exception as error:  # rules and agents are other people's code, which may raise anything
        await session.fault(error)


async def line(session: Session, connection: Connection, message: Any) -> None:
    search = session.mind.asked(connection)
    session.hub.task(answer(connection, message, search, "line", lambda: {"line": search.line_shown()}))


async def tree(session: Session, connection: Connection, message: messages.Tree) -> None:
    search = session.mind.asked(connection)

    def branch() -> Json:
        return search.branch(message.path, message.depth, message.top)

    session.hub.task(answer(connection, message, search, "tree", branch))


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
    if session.table.mode != "analysis":
        raise Refusal("not-now", "that is for an analysis", "analysis-only")
    connection.need_control()


async def goto(session: Session, connection: Connection, message: messages.Goto) -> None:
    need_analysis(session, connection)
    if message.ply > len(session.table.steps):
        session.table.show(message.ply)  # refuses
    session.stop_work()
    await session.hub.replay(session.origin, message.ply, lambda: session.table.show(message.ply))
    await session.publish()


async def view(session: Session, connection: Connection, message: messages.View) -> None:
    need_analysis(session, connection)
    if message.seat is not None and message.seat >= session.table.game.players:
        raise Refusal("malformed", f"there is no seat {message.seat}")
    session.table.view = message.seat
    await session.publish()


async def play_on(session: Session, connection: Connection, message: messages.Continue) -> None:
    need_analysis(session, connection)
    table = session.table
    seats = chosen_seats(table.game, message.seats)
    seed, agent_seed = seeds(table.game, seats, table.seed)
    begun = Table(table.game, table.name, seats, seed, position=table.position, agent_seed=agent_seed)
    moves = actions_of(table.steps[: table.ply])
    await session.hub.replay(session.origin, len(moves), lambda: begun.play_all(moves))
    created = await session.hub.add(begun, session.origin)
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
"""What does what a message of each type asks for."""
