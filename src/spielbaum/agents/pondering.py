"""Thinking in the time of others, in threads that end when they have moved."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait

from spielbaum.agents.agent import Agent
from spielbaum.game import State
from spielbaum.search.budget import SLICE


@contextlib.contextmanager
def pondering(agent: Agent, state: State) -> Iterator[None]:
    """Let an agent ponder, in a thread of its own, while the body runs; `state` is what its player sees."""
    with ThreadPoolExecutor(1, "ponder") as pool:
        thoughts = pool.submit(agent.ponder, state)
        try:
            yield
        finally:
            while wait([thoughts], 0).not_done:
                agent.stop()  # again and again: it may not have begun the first time
                wait([thoughts], SLICE)
        thoughts.result()


class PonderingFailed(Exception):
    """Somebody's thoughts in the time of others have raised, which `__cause__` tells."""

    def __init__(self, seat: int):
        self.seat = seat


@contextlib.contextmanager
def others_pondering(agents: Sequence[Agent], state: State) -> Iterator[None]:
    """Let those ponder who want to, while the one who is to move in `state` decides; one agent per seat."""
    with contextlib.ExitStack() as thinking:
        for seat, agent in enumerate(agents):
            if agent.ponders and seat != state.player:
                thinking.enter_context(pondering_in(seat, agent, state.view(seat)))
        yield


@contextlib.contextmanager
def pondering_in(seat: int, agent: Agent, state: State) -> Iterator[None]:
    """The same as `pondering`, with the seat of an agent that fails."""
    thoughts = pondering(agent, state)
    thoughts.__enter__()
    try:
        yield
    finally:
        try:
            thoughts.__exit__(None, None, None)
        except Exception as error:  # agents are other people's code, which may raise anything
            raise PonderingFailed(seat) from error
