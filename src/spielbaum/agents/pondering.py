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


@contextlib.contextmanager
def others_pondering(agents: Sequence[Agent], state: State) -> Iterator[None]:
    """Let those ponder who want to, while the one who is to move in `state` decides; one agent per seat."""
    with contextlib.ExitStack() as thinking:
        for seat, agent in enumerate(agents):
            if agent.ponders and seat != state.player:
                thinking.enter_context(pondering(agent, state.view(seat)))
        yield
