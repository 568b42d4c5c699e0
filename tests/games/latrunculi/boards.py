"""Drawn boards for the tests of Latrunculi."""

from __future__ import annotations

import spielbaum

SMALL = {"board": "6x6"}
WIDTH = 6


def drawn(picture: str, words: str = "shells to move", **options) -> spielbaum.State:
    """A 6x6 position (or another board by option) from its ranks; missing ranks below are empty."""
    game = spielbaum.load("latrunculi", **{**SMALL, **options})
    ranks = picture.split()
    ranks += ["." * game.tables.width] * (game.tables.height - len(ranks))
    return game.set_up("\n".join([*ranks, words]))


def ranks(state: spielbaum.State) -> list[str]:
    """The position as ranks from the top."""
    return state.position.splitlines()[:-1]
