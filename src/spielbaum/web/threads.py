"""Threads for other people's code, which can be given up when it does not end.

No thread can be ended from outside. One that is still busy long after it was told to stop is lost: nobody waits for it
any more, and another one takes its place. A loop in Python ends by an exception that is put into its thread; machine
code and calls of the system do not hear it and go on until they end by themselves. None of them keeps the process
alive.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
from collections.abc import Callable
from typing import Any

from spielbaum.compile.link import preparing
from spielbaum.errors import SpielbaumError
from spielbaum.watchdog import HEARD, GivenUp, busy_clock, interrupt

POLITENESS = 5  # as in `nice`
BETWEEN_LOOKS = 0.25  # seconds after which a thread is looked after again


class Lost(SpielbaumError):
    """A thread was given up."""


def in_thread(work: Callable[[], Any], *, polite: bool = True) -> tuple[threading.Thread, asyncio.Future[Any]]:
    """Start work in a thread of its own, with low priority if `polite`; the future has its result."""
    loop = asyncio.get_running_loop()
    result: asyncio.Future[Any] = loop.create_future()

    def deliver(answer: Any, error: BaseException | None) -> None:
        if not result.cancelled():
            result.set_result(answer) if error is None else result.set_exception(error)

    def run() -> None:
        answer, error = None, None
        try:
            if polite:
                give_way()
            answer = work()
        except Exception as raised:
            error = raised
        except BaseException as raised:  # such as `exit()`, which is not for an agent to say
            error = RuntimeError(f"{type(raised).__name__} in a thread")
            error.__cause__ = raised
        with contextlib.suppress(RuntimeError):  # the server has stopped meanwhile
            loop.call_soon_threadsafe(deliver, answer, error)

    thread = threading.Thread(target=run, name="search", daemon=True)
    thread.start()
    return thread, result


async def within(seconds: float, work: Callable[[], Any], *, polite: bool = True) -> Any:
    """Run code of a game in a thread of its own and return its result; raise `Lost` if it computes for longer.

    Compiling does not count. Where it was a loop in Python, the cause of `Lost` tells where that was.
    """
    thread, result = in_thread(work, polite=polite)
    clock = busy_clock(thread)
    since = clock()
    while not (await asyncio.wait({result}, timeout=BETWEEN_LOOKS))[0]:
        if preparing():
            since = clock()
        elif clock() > since + seconds:
            interrupt(thread)
            result.add_done_callback(lambda given_up: given_up.cancelled() or given_up.exception())
            await asyncio.wait({result}, timeout=HEARD)
            ended = result.exception() if result.done() else None
            heard = ended.__cause__ if ended is not None and isinstance(ended.__cause__, GivenUp) else None
            raise Lost(f"a rule of the game was still busy after {seconds:g} s, and was given up") from heard
    return result.result()


def give_way() -> None:
    """Lower the priority of this thread, on systems where threads have one."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), POLITENESS)
