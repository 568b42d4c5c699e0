"""Threads for other people's code, which can be given up when it does not end.

No thread can be ended from outside. One that is still busy long after it was told to stop is lost: nobody waits for it
any more, and another one takes its place. A loop in Python ends by an exception that is put into its thread; machine
code and calls of the system do not hear it and go on until they end by themselves. None of them keeps the process
alive.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import sys
import threading
from collections.abc import Callable
from typing import Any

from spielbaum.errors import SpielbaumError

POLITENESS = 5  # as in `nice`


class Lost(SpielbaumError):
    """A thread was given up."""


class GivenUp(BaseException):
    """Ends a loop in Python that nobody waits for; no `except Exception` of the loop keeps it."""


def in_thread(work: Callable[[], Any]) -> tuple[threading.Thread, asyncio.Future[Any]]:
    """Begin to work in a thread of its own; the future has what comes of it."""
    loop = asyncio.get_running_loop()
    result: asyncio.Future[Any] = loop.create_future()

    def deliver(answer: Any, error: BaseException | None) -> None:
        if not result.cancelled():
            result.set_result(answer) if error is None else result.set_exception(error)

    def run() -> None:
        answer, error = None, None
        try:
            give_way()
            answer = work()
        except Exception as raised:
            error = raised
        except BaseException as raised:  # such as `exit()`, which is not for an agent to say
            error = RuntimeError(f"{type(raised).__name__} in a thread")
        with contextlib.suppress(RuntimeError):  # the server has stopped meanwhile
            loop.call_soon_threadsafe(deliver, answer, error)

    thread = threading.Thread(target=run, name="search", daemon=True)
    thread.start()
    return thread, result


def give_way() -> None:
    """Let the threads that answer people go before this one, where the system knows threads' priorities."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), POLITENESS)


def interrupt(thread: threading.Thread) -> None:
    """Let a thread raise `GivenUp` as soon as it is in Python again."""
    if thread.ident is not None and thread.is_alive():
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(GivenUp))
