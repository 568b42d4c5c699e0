"""Rules that do not end: other people's code is run in a thread, with somebody beside it who looks at the clock.

No thread can be ended from outside. A loop in Python ends by an exception that is put into its thread, and the
traceback tells where it was. Machine code does not hear it: its thread is given up, and what it was asked is asked once
more of the rules as Python runs them, which tells the line.

`check` tells with every step that it goes on (`Watchdog`). Where games are played nobody has time for that:
`ending_calls` looks now and then at which kernels the threads of the process are in, and for how long already.
"""

from __future__ import annotations

import ctypes
import threading
import time
import types
from collections.abc import Callable
from typing import TypeVar

from spielbaum.compile.errors import author_s_places
from spielbaum.compile.link import Kernel, calls, preparing

T = TypeVar("T")
BETWEEN_LOOKS = 0.1  # seconds
HEARD = 1.0  # seconds in which a loop in Python has heard that it shall end
RULES = 20.0  # seconds of work after which a single question to the rules is said not to end
SLICE = 60.0  # the same for any other kernel: searches work in slices of a fraction of a second

Call = tuple[Kernel, tuple[object, ...]]


class GivenUp(BaseException):
    """Ends a loop in Python that nobody waits for; no `except Exception` of the loop keeps it."""


class Deaf(Exception):
    """A thread went on though it was told to end: it runs machine code."""


def interrupt(thread: threading.Thread) -> None:
    """Let a thread raise `GivenUp` as soon as it is in Python again."""
    if thread.ident is not None and thread.is_alive():
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(GivenUp))


class EndlessCall(Exception):
    """A kernel does not come back."""


class Watchdog:
    """Work in a thread that tells now and then that it goes on; where it does not for long, it is ended."""

    def __init__(self, limit: float):
        self.limit = limit
        self.steps = 0

    def step(self) -> None:
        """What was begun before has ended."""
        self.steps += 1

    def run(self, work: Callable[[], T]) -> T:
        """What comes of the work, `GivenUp` included; `Deaf` where it can't be ended."""
        return looked_after(work, self.look_after)

    def look_after(self, thread: threading.Thread) -> None:
        clock = busy_clock(thread)
        known, since = -1, 0.0
        while thread.is_alive():
            if known != self.steps or preparing():  # compiling is nobody's fault
                known, since = self.steps, clock()
            elif clock() > since + self.limit:
                interrupt(thread)
                thread.join(HEARD)
                if thread.is_alive() and known == self.steps:
                    raise Deaf
                known = -1
            thread.join(BETWEEN_LOOKS)


def looked_after(work: Callable[[], T], look_after: Callable[[threading.Thread], None]) -> T:
    """What comes of work in a thread, which somebody looks after until it has ended."""
    answers: list[T] = []
    errors: list[BaseException] = []

    def worked() -> None:
        try:
            answers.append(work())
        except BaseException as error:  # for whoever waits
            errors.append(error)

    thread = threading.Thread(target=worked, name="watched", daemon=True)
    thread.start()
    try:
        look_after(thread)
    except BaseException:  # such as Ctrl-C
        if not preparing():  # in the middle of a compilation it would be lost, and told as such
            interrupt(thread)
            thread.join(HEARD)
        raise
    if errors:
        raise errors[0]
    return answers[0]


# --- kernels that do not come back --------------------------------------------------------------

lost: list[Call] = []
"""Calls that were given up in this process. Threads that are in them may keep the interpreter from ending."""


def ending_calls(work: Callable[[], T]) -> T:
    """What comes of work in a thread; `EndlessCall` where a kernel that was called meanwhile does not come back."""
    before = [*calls.values()]
    since: dict[int, tuple[Call, float]] = {}

    def look_after(thread: threading.Thread) -> None:
        while thread.is_alive():
            thread.join(BETWEEN_LOOKS)
            for number, call in [*calls.items()]:
                known, begin = since.get(number, (None, 0.0))
                if known is not call or preparing():
                    since[number] = call, seconds_worked(number)
                elif seconds_worked(number) > begin + limit_of(call) and not any(call is each for each in before):
                    lost.append(call)
                    raise EndlessCall(f"{call[0].function.__name__} was still busy after {limit_of(call):g} s")

    return looked_after(work, look_after)


def limit_of(call: Call) -> float:
    return RULES if call[0].place.stem == "game_api" else SLICE


def seconds_worked(thread: int) -> float:
    """Seconds that a thread which is alive has worked, by its number; of the day, where the system does not count."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return time.monotonic()
    try:
        return time.clock_gettime(time.pthread_getcpuclockid(thread))
    except OSError:  # it has just ended
        return 0.0


def busy_clock(thread: threading.Thread) -> Callable[[], float]:
    """Seconds that a thread has worked, where the system counts them for each; otherwise seconds of the day."""
    return lambda: seconds_worked(thread.ident or 0) if thread.is_alive() else 0.0


def endless_words(error: BaseException, game: types.ModuleType, called: str, limit: float) -> str:
    """`play does not end: after 20 s it was at mine.py:14`; `called` is named where no function of the author's was."""
    places = author_s_places(error, game)
    rule, place = (places[0][0], f"it was at {places[-1][1]}") if places else (called, "there was no end")
    inside = f" in {places[-1][0]}" if places and places[-1][0] != rule else ""
    return f"{rule} does not end: after {limit:g} s {place}{inside}"
