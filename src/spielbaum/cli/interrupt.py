"""Ctrl-C at any moment: the process ends at once, with one word and exit code 130.

An exception would be lost where compiled code calls back, be caught by who tries an import, or come after the last
handler. Only who has something to put in order asks for one: see `in_order`.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import sys

TYPE_CHECKING = False  # that of `typing` would take its time, in which nobody listens
if TYPE_CHECKING:
    from collections.abc import Iterator

STOPPED = 130


def listen() -> None:
    """From now on until the interpreter itself ends; who started the process may have switched Ctrl-C off."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return
    signal.signal(signal.SIGINT, leave)
    atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)  # registered first, so that it comes last
    sys.unraisablehook = unraisable


def leave(*_: object) -> None:
    """End the process now."""
    signal.signal(signal.SIGINT, leave_silently)
    with contextlib.suppress(Exception):  # whatever the interrupt came into the middle of
        sys.stdout.flush()
    with contextlib.suppress(OSError):
        os.write(2, b"stopped\n")
    leave_silently()


def leave_silently(*_: object) -> None:
    os._exit(STOPPED)


def unraisable(lost: sys.UnraisableHookArgs) -> None:
    """An exception in a callback or a finalizer goes nowhere; that of Ctrl-C is not to be lost."""
    if isinstance(lost.exc_value, KeyboardInterrupt):
        leave()
    sys.__unraisablehook__(lost)


@contextlib.contextmanager
def in_order() -> Iterator[None]:
    """Ctrl-C raises KeyboardInterrupt meanwhile: there are games to store, or processes to end."""
    if signal.getsignal(signal.SIGINT) is not leave:
        yield
        return
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        yield
    finally:
        signal.signal(signal.SIGINT, leave)


def said_enough() -> None:
    """From now on Ctrl-C is answered by the exit code alone."""
    if signal.getsignal(signal.SIGINT) is leave:
        signal.signal(signal.SIGINT, leave_silently)
