"""What the agents of a session think: one search at a time, told while it runs, and the last one kept for questions."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from spielbaum.rules import seat_seed
from spielbaum.web.connection import Connection
from spielbaum.web.drawing import Json
from spielbaum.web.errors import Refusal
from spielbaum.web.searches import Search, Thinker, limited_agent
from spielbaum.web.warming import AWAITED, READY

if TYPE_CHECKING:
    from spielbaum.web.session import Session

BETWEEN_WORDS = 1.0  # seconds, while kernels are compiled


class Mind:
    """The agents of a session, what is searched now, and the latest search that has something to show."""

    def __init__(self, session: Session):
        self.session = session
        self.agents: dict[int, Thinker] = {}
        self.search: Search | None = None
        self.last: Search | None = None
        self.told: list[Json] = []  # the latest report, and that of the round before, for those who come back

    def new_agent(self, seat: int, spec: str) -> Thinker:
        table = self.session.table
        return limited_agent(spec, table.game, seat_seed(table.agent_seed, seat), self.session.hub.settings.megabytes)

    async def move(self, seat: int) -> tuple[Search, int]:
        """What the agent of a seat would play; it is made anew where it was forgotten."""
        if seat not in self.agents or self.agents[seat].lost:
            spec = self.session.table.seats[seat].spec or ""
            self.agents[seat] = await asyncio.to_thread(self.new_agent, seat, spec)
        return await self.run(self.agents[seat], seat, "move")

    async def run(self, agent: Thinker, seat: int, why: str) -> tuple[Search, int]:
        """Search the position shown, as a seat that is to decide sees it, and tell what is thought meanwhile."""
        loop, state = asyncio.get_running_loop(), self.session.table.state

        def tell(search: Search) -> None:
            loop.call_soon_threadsafe(self.hear, search)

        seconds = self.session.hub.settings.seconds
        search = self.search = Search(agent, state.view(seat), why, self.session.table.ply, seconds, tell)
        self.tell(search)
        await self.prepare(search)
        action = await self.session.hub.searches.run(search)
        return search, action

    async def prepare(self, search: Search) -> None:
        """Wait until the kernels of a search are in the cache, and tell how far that is; nobody's time runs."""
        session = self.session
        needed = await session.hub.warm(session.table.name, search.state.game, [search.spec], AWAITED)
        for job in needed:
            if job.doing == READY:
                return
            search.job = job
            await session.hold_clocks()
            while not job.prepared.is_set():
                self.tell(search)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(BETWEEN_WORDS):
                        await job.prepared.wait()
            self.tell(search)

    def hear(self, search: Search) -> None:
        """A search tells something; from its first word on time runs again."""
        if search.job is not None and search.begin is not None:
            search.job = None
            self.session.hub.task(self.session.show_all())
        self.tell(search)

    def finish(self, search: Search) -> None:
        """A search is over: keep what can be asked about it, and its value for the curve."""
        if search.report is not None:
            self.last = search
            before = [message for message in self.told if message["ply"] < search.ply]
            self.told = [*before[-1:], self.message(search)]
            self.session.hub.searches.keep(id(self.session), self.forget)
            table = self.session.table
            told = {name: search.report[name] for name in ("value", "unit")}
            point = {"ply": search.ply, "seat": search.seat, **told}
            table.curve = [p for p in table.curve if (p["ply"], p["seat"]) != (search.ply, search.seat)] + [point]
        self.tell(search)
        self.search = None

    def cancel(self) -> None:
        """What is searched is no longer wanted. The agent, which may still be at it, is not used again."""
        if self.search is not None:
            self.search.cancel()
            self.agents.pop(self.search.seat, None)
            self.search = None

    def forget(self) -> None:
        """Let go of agents and their memory."""
        self.last = None
        self.agents.clear()

    def tell(self, search: Search) -> None:
        """Stream what a search has found so far."""
        if search.cancelled or (search is not self.search and search is not self.last):
            return
        message = self.message(search)
        for connection in self.session.connections:
            knows = self.may_know(connection, search.ply, search.seat)
            connection.send(message if knows else {**message, "search": None})

    def tell_again(self, connection: Connection) -> None:
        """Tell somebody who comes back after a break the latest thoughts that it may know."""
        known = [message for message in self.told if self.may_know(connection, message["ply"], message["seat"])]
        for message in known[-1:]:
            connection.send({**message, "rev": self.session.rev})

    def message(self, search: Search) -> Json:
        """What a search has found, for those who may know it."""
        return {
            "type": "thinking",
            "rev": self.session.rev,
            "ply": search.ply,
            "seat": search.seat,
            "why": search.why,
            "queue": search.position,
            "preparing": search.preparing,
            "preparation": search.preparation,
            "done": search.done,
            "spec": search.spec,
            "search": search.report,
        }

    def tell_round(self) -> None:
        """Tell what an agent has thought in the round that is over, which nobody could be told before."""
        table, search = self.session.table, self.last
        if table.choosing and search is not None and search.ply == table.ply - 1 and search.why == "move":
            self.tell(search)

    def may_know(self, connection: Connection, ply: int, seat: int) -> bool:
        """Whether thoughts of a seat about a position tell a connection nothing that its screen may not show."""
        if self.session.table.is_known(ply):
            return True
        viewer, _, curtain = connection.view()
        return not curtain and viewer == seat

    def asked(self, connection: Connection) -> Search:
        """The search that questions are about: the running one, or the last."""
        search = self.search if self.search is not None and self.search.report is not None else self.last
        if search is None or (self.search not in (None, search) and self.search.thinker is search.thinker):
            raise Refusal("not-now", "nothing was searched yet, or it is forgotten", "no-search")
        if not self.may_know(connection, search.ply, search.seat):
            raise Refusal("forbidden", "these thoughts are not for your eyes", "secret-thoughts")
        return search
