"""What a user notices of a compilation: one line when it takes place, and that Ctrl-C ends it."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing import resource_tracker
from typing import Any

from spielbaum.numba_internals import on_pass


@contextlib.contextmanager
def notice(what: str, before: Callable[[], None]) -> Iterator[None]:
    """One line around a compilation, after what is to be said before; none where the machine code is there already."""
    compilation, result = Compilation(what, before), "stopped"
    with on_pass(compilation.on_pass) as heard, on_interrupt(compilation.interrupt, heard):
        try:
            yield
            result = f"{time.perf_counter() - compilation.begin:.1f} s"
        finally:
            if compilation.begin:
                say(f"{result}\n")
    if compilation.interrupted:
        raise KeyboardInterrupt


class Compilation:
    """Hears of every pass of the compiler: announces the first, and lets none begin after Ctrl-C.

    An exception at any other moment might be lost. The longest part of a compilation is LLVM's, which
    calls back into Python from where nothing can be raised.
    """

    def __init__(self, what: str, before: Callable[[], None]):
        self.what, self.before = what, before
        self.begin = 0.0
        self.interrupted = False

    def interrupt(self, *_: Any) -> None:
        self.interrupted = True

    def on_pass(self) -> None:
        if self.interrupted:
            raise KeyboardInterrupt
        if not self.begin:
            self.begin = time.perf_counter()
            self.before()
            say(f"compiling {self.what} for this machine, once … ")


@contextlib.contextmanager
def on_interrupt(handler: Callable[..., None], can_stop: bool) -> Iterator[None]:
    """Let Ctrl-C call a function that can stop things for a while, unless somebody has other plans with it."""
    in_main_thread = threading.current_thread() is threading.main_thread()
    if can_stop and in_main_thread and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, handler)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, signal.default_int_handler)
    else:
        yield


@contextlib.contextmanager
def unheard_interrupts() -> Iterator[None]:
    """Processes that are started meanwhile never hear of Ctrl-C; for this one it waits until then.

    A process inherits which signals are blocked, so that it is deaf from its first moment on.
    """
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # it is started with the first process, and then unblocks what it has not blocked
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def say(text: str) -> None:
    """A word on standard error, where that can be written."""
    with contextlib.suppress(OSError):
        sys.stderr.write(text)
        sys.stderr.flush()
