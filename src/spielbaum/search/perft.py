"""Perft from Python: how many sequences of actions there are, the plainest test of a game's rules."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from spielbaum.errors import SpielbaumError
from spielbaum.game import State, buffer_size
from spielbaum.rules import random_stream
from spielbaum.search.kernels import perft as template

STEPS = 1 << 16  # positions between two chances to be stopped: some milliseconds
DEEPEST = 256
TALLY = np.dtype((np.record, [("nodes", "i8"), ("captures", "i8")]))


@dataclass(frozen=True)
class Perft:
    """Sequences of 1, 2, … actions, and how many of them end with a capture where the game has a rule for it."""

    nodes: list[int]
    captures: list[int] | None
    seconds: float


def perft(state: State, depth: int) -> Perft:
    """Count the sequences of up to `depth` actions from a position; none goes on after the end of the game.

    >>> from spielbaum import load
    >>> perft(load("connect-four").new(), 4).nodes
    [7, 49, 343, 2401]
    """
    game = state.game
    if game.chance or game.hidden:
        reason = "rolls dice" if game.chance else "hides something"
        raise SpielbaumError(f"perft needs a game without chance in which everything is seen; {game.name} {reason}")
    if not 1 <= depth <= DEEPEST:
        raise SpielbaumError(f"perft counts to a depth of 1 … {DEEPEST}, not {depth}")
    begin = time.monotonic()
    tallies = count(state, depth)
    captures = tallies["captures"].tolist() if game.has("capture") else None
    return Perft(tallies["nodes"].tolist(), captures, time.monotonic() - begin)


def count(state: State, depth: int) -> np.ndarray:
    """TALLY[depth]."""
    game, kernel = state.game, state.game.kernels.link(template)
    frame = np.dtype((np.record, [("moves", "i8", buffer_size(game.module)), ("count", "i8"), ("tried", "i8")]))
    states, frames = np.zeros(depth + 1, game.rules.STATE), np.zeros(depth, frame)
    tallies, rng = np.zeros(depth, TALLY), random_stream(0)
    states[0] = state.record
    ply = kernel.START
    while ply != kernel.DONE:
        ply = kernel.walk(game.context, states, frames, tallies, rng, ply, STEPS)
    return tallies
