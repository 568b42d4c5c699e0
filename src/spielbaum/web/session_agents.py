"""The agents of a session: one search at a time, reported while it runs; the last one is kept for questions."""

from __future__ import annotations

import asyncio
import contextlib

from spielbaum.rules import seat_seed
from spielbaum.scenes.drawing import Json
from spielbaum.web.connection import Connection, SessionState
from spielbaum.web.errors import Refusal
from spielbaum.web.searches import AgentHandle, Search, limited_agent
from spielbaum.web.warming import AWAITED, READY

BETWEEN_WORDS = 1.0  # seconds, while kernels are compiled


class SessionAgents:
    """The agents of a session, the search that runs, and the last one that has a report."""

    def __init__(self, session: SessionState):
        self.session = session
        self.agents: dict[int, AgentHandle] = {}
        self.search: Search | None = None
        self.last: Search | None = None
        self.recent: list[Json] = []  # the last report, and the one of the round before, for clients that reconnect

    def new_agent(self, seat: int, spec: str) -> AgentHandle:
        live = self.session.live
        return limited_agent(spec, live.game, seat_seed(live.agent_seed, seat), self.session.server.settings.megabytes)

    async def move(self, seat: int) -> tuple[Search, int]:
        """The move of a seat's agent, and its search. An agent that was forgotten is made again."""
        if seat not in self.agents or self.agents[seat].lost:
            spec = self.session.live.seats[seat].spec or ""
            self.agents[seat] = await asyncio.to_thread(self.new_agent, seat, spec)
        return await self.run(self.agents[seat], seat, "move")

    async def run(self, agent: AgentHandle, seat: int, why: str) -> tuple[Search, int]:
        """Search the position shown, as a seat that is to decide sees it; reports are sent while it runs."""
        loop, state = asyncio.get_running_loop(), self.session.live.state

        def tell(search: Search) -> None:
            loop.call_soon_threadsafe(self.heard, search)

        seconds = self.session.server.settings.seconds
        search = self.search = Search(agent, state.view(seat), why, self.session.live.ply, seconds, tell)
        self.send_report(search)
        await self.prepare(search)
        action = await self.session.server.searches.run(search)
        return search, action

    async def prepare(self, search: Search) -> None:
        """Wait until the kernels of a search are compiled, and report the progress; no clock runs meanwhile."""
        session = self.session
        needed = await session.server.warm(session.live.name, search.state.game, [search.spec], AWAITED)
        for job in needed:
            if job.doing == READY:
                return
            search.job = job
            await session.hold_clocks()
            while not job.prepared.is_set():
                self.send_report(search)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(BETWEEN_WORDS):
                        await job.prepared.wait()
            self.send_report(search)

    def heard(self, search: Search) -> None:
        """Take a report of a search; clocks run again from its first one on."""
        if search.job is not None and search.started is not None:
            search.job = None
            self.session.server.task(self.session.show_all())
        self.send_report(search)

    def finish(self, search: Search) -> None:
        """End a search: keep it for questions, and its value for the curve."""
        if search.report is not None:
            self.last = search
            before = [message for message in self.recent if message["ply"] < search.ply]
            self.recent = [*before[-1:], self.message(search)]
            self.session.server.searches.retain(id(self.session), self.forget)
            live = self.session.live
            estimate = {name: search.report[name] for name in ("value", "unit")}
            point = {"ply": search.ply, "seat": search.seat, **estimate}
            live.curve = [p for p in live.curve if (p["ply"], p["seat"]) != (search.ply, search.seat)] + [point]
        self.send_report(search)
        self.search = None

    def cancel(self) -> None:
        """Cancel the search that runs. Its agent may still be busy with it, and is not used again."""
        if self.search is not None:
            self.search.cancel()
            self.agents.pop(self.search.seat, None)
            self.search = None

    def forget(self) -> None:
        """Release all agents with their memory."""
        self.last = None
        self.agents.clear()

    def send_report(self, search: Search) -> None:
        """Send the state of a search to everybody; what it has found only to those who may see it."""
        if search.cancelled or (search is not self.search and search is not self.last):
            return
        message = self.message(search)
        for connection in self.session.connections:
            knows = self.can_see(connection, search.ply, search.seat)
            connection.send(message if knows else {**message, "search": None})

    def resend_report(self, connection: Connection) -> None:
        """Send a client that reconnects the last report that it may see."""
        known = [message for message in self.recent if self.can_see(connection, message["ply"], message["seat"])]
        for message in known[-1:]:
            connection.send({**message, "rev": self.session.rev})

    def message(self, search: Search) -> Json:
        """A search as a message."""
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

    def send_round_report(self) -> None:
        """Send the last report about the round that is over; until now nobody was allowed to see it."""
        live, search = self.session.live, self.last
        if live.choosing and search is not None and search.ply == live.ply - 1 and search.why == "move":
            self.send_report(search)

    def can_see(self, connection: Connection, ply: int, seat: int) -> bool:
        """Whether a connection may see what a seat thinks about a position."""
        if self.session.live.is_known(ply):
            return True
        view = connection.view()
        return not view.is_hidden and view.viewer == seat

    def search_asked_about(self, connection: Connection) -> Search:
        """The search that a client asks about: the running one, or the last. Refused if it may not see it."""
        search = self.search if self.search is not None and self.search.report is not None else self.last
        if search is None or (self.search not in (None, search) and self.search.handle is search.handle):
            raise Refusal("not-now", "there is no search to ask about; its agent may be gone", "no-search")
        if not self.can_see(connection, search.ply, search.seat):
            raise Refusal("forbidden", "you may not see these thoughts", "secret-thoughts")
        return search
