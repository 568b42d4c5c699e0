"""An agent that is made and thinks in a thread of its own, so that whoever waits for it can also stop waiting.

What it has found so far is looked at a few times a second, between two slices of its search: that is the answer when
it does not come back in time. Then it is told to stop, and when it is back it has what is left of the time for the next
state.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from spielbaum.agents import Agent
from spielbaum.clock import Clock
from spielbaum.errors import IllegalAction
from spielbaum.game import State

if TYPE_CHECKING:
    from spielbaum.online.event_stream import EventStream

LOOKS = 0.2  # seconds between two looks at what an agent thinks
FIRST_LOOK = 1 / 3  # of the time that it has, where that is sooner


class AgentThread:
    """An agent and its thread, which does not outlive the process."""

    def __init__(self, made: Callable[[], Agent], player: int, stream: EventStream | None = None):
        self.made, self.player, self.stream = made, player, stream
        self.agent: Agent | None = None
        self.asked: asyncio.Future[int] | None = None  # what was begun last
        self.thought: asyncio.Future[int] | None = None  # what the thread is busy with
        self.found: tuple[asyncio.Future[int] | None, int | None] = None, None  # the best so far, and of which
        self.next_look = 0.0
        self.tasks: queue.SimpleQueue[Any] = queue.SimpleQueue()
        threading.Thread(target=self.work, name="think", daemon=True).start()

    def start(self, state: State, end: float) -> asyncio.Future[int]:
        """Let it think until a time of `time.monotonic()`, as soon as it is back from an earlier state."""
        self.stop()
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self.asked = answer
        self.tasks.put((state, end, answer))
        return answer

    @property
    def best(self) -> int | None:
        """The best that it has found so far for the state that it was given last."""
        answer, action = self.found
        return action if answer is self.asked else None

    def work(self) -> None:
        """What the thread does."""
        while (task := self.tasks.get()) is not None:
            state, end, answer = task
            if answer.cancelled():  # nobody waits for it any more
                continue
            now = time.monotonic()
            self.thought, self.next_look = answer, now + min(LOOKS, FIRST_LOOK * (end - now))
            try:
                self.agent = self.agent or self.made()
                action, error = checked(self.agent.act(state, Clock(deadline=end), watch=self.look), state), None
            except Exception as raised:  # agents are other people's code, which may raise anything
                action, error = None, raised
            self.show()
            self.thought = None
            with contextlib.suppress(RuntimeError):  # nobody waits any more
                answer.get_loop().call_soon_threadsafe(give, answer, action, error)

    def look(self) -> None:
        """Called by the agent between two slices of its search."""
        now = time.monotonic()
        if now < self.next_look:
            return
        self.next_look = now + LOOKS
        report = None if self.agent is None else self.agent.report()
        if report is not None:
            self.found = self.thought, report.action
        self.show()

    def show(self) -> None:
        """Let others see what the agent has in mind."""
        lines = getattr(self.agent, "lines", None)
        if self.stream is not None and lines is not None:
            with contextlib.suppress(Exception):  # no picture is worth a game
                self.stream.think(lines(), self.player)

    def stop(self) -> None:
        """Let it come back soon, if it is away."""
        if self.thought is not None and self.agent is not None:
            self.agent.stop()

    def close(self) -> None:
        """End the thread, as soon as the agent comes back."""
        self.stop()
        self.tasks.put(None)


def checked(action: Any, state: State) -> int:
    """An agent's answer, if it is one."""
    if action not in state.actions:
        raise IllegalAction(f"it answered {action!r}, which is no action")
    return int(action)


def give(answer: asyncio.Future[int], action: int | None, error: Exception | None) -> None:
    if answer.done():
        return
    if action is None:
        answer.set_exception(error or IllegalAction("it answered nothing"))
    else:
        answer.set_result(action)
