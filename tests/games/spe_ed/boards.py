"""Positions drawn as text: · or . is free, # is drawn, and ^ < v > are the heads, by reading order or as numbered."""

from __future__ import annotations

from typing import Any

import numpy as np

from spielbaum.game import Game, State, load

HEADS = "^<v>"


def drawn(text: str, *, speeds: tuple[int, ...] = (), rounds: int = 0, order: str = "") -> tuple[Game, State]:
    """A game of that size and number of heads, and the position; `order` names the heads' signs, first player first."""
    rows = text.split()
    heads = [(x, y, sign) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign in HEADS]
    if order:
        heads.sort(key=lambda head: order.index(head[2]))
    places = ";".join(f"{x},{y},{('up', 'left', 'down', 'right')[HEADS.index(sign)]}" for x, y, sign in heads)
    game = load("spe-ed", players=len(heads), width=len(rows[0]), height=len(rows), start=places)
    state = game.new()
    s = state.record
    for y, row in enumerate(rows):
        for x, sign in enumerate(row):
            if sign == "#":
                occupy(game, s, x, y)
    s.rounds = rounds
    for p, speed in enumerate(speeds):
        s.speed[p] = speed
    return game, state


def occupy(game: Game, s: Any, x: int, y: int) -> None:
    s.free[game.tables.words * y + x // 64] &= ~(np.uint64(1) << np.uint64(x % 64))


def cells(game: Game, words: Any, width: int, height: int) -> set[tuple[int, int]]:
    """A set of cells from rows of bits."""
    row = game.tables.words
    return {(x, y) for y in range(height) for x in range(width) if int(words[row * y + x // 64]) >> x % 64 & 1}
