"""Long work that clients ask for, such as playing a long record again: in threads of its own, addresses in turn.

Who asks for much waits for it; who asks for little waits for no more than one piece of work of each other address.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import TypeVar

from spielbaum.web.errors import Refusal
from spielbaum.web.threads import within

T = TypeVar("T")


def patience(seconds: float) -> Callable[[], None]:
    """What refuses to go on when this thread has computed for so many seconds from now on."""
    end = time.thread_time() + seconds

    def watch() -> None:
        if time.thread_time() > end:
            raise Refusal("too-large", f"it takes longer than {seconds:g} s to play this game again; give fewer moves")

    return watch


class Chores:
    """`limit` pieces of work at once, and `each` of one address, those included that wait.

    One that computes for more than some `seconds` is given up.
    """

    def __init__(self, limit: int, each: int, seconds: float):
        self.limit, self.each, self.free, self.seconds = limit, each, limit, seconds
        self.waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self.asked: dict[str, int] = {}

    def health(self) -> dict[str, int]:
        """How much there is to do."""
        waiting = sum(map(len, self.waiting.values()))
        return {"running": self.limit - self.free, "waiting": waiting, "limit": self.limit}

    async def run(self, origin: str, work: Callable[[], T]) -> T:
        """What the work gives, when it has had its turn."""
        if self.asked.get(origin, 0) >= self.each:
            raise Refusal("too-many", f"{self.each} games from your address are being set up; wait until they are")
        self.asked[origin] = self.asked.get(origin, 0) + 1
        try:
            await self.turn(origin)
            done: asyncio.Task[T] = asyncio.create_task(within(self.seconds, work))
            done.add_done_callback(self.next)  # also when nobody waits for it any more
            return await asyncio.shield(done)
        finally:
            self.asked[origin] -= 1
            if not self.asked[origin]:
                del self.asked[origin]

    async def turn(self, origin: str) -> None:
        """Wait for a thread."""
        if self.free:
            self.free -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.waiting.setdefault(origin, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it came just now, and goes to somebody else
                self.next()
            raise

    def next(self, _: object = None) -> None:
        """A thread is free: it goes to the address that was served longest ago."""
        while self.waiting:
            origin, turns = self.waiting.popitem(last=False)
            turn = turns.popleft()
            if turns:
                self.waiting[origin] = turns  # at the end of the line
            if not turn.done():
                turn.set_result(None)
                return
        self.free += 1
