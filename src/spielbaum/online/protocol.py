"""The official protocol as text: what a server sends in every round, what it makes of an answer, and what time it is.

    {"width": 60, "height": 50, "cells": [[0, 1, …], …],
     "players": {"1": {"x": 4, "y": 7, "direction": "up", "speed": 1, "active": true}, …},
     "you": 1, "running": true, "deadline": "2026-01-01T12:00:00Z"}

The last state of a game has no deadline, and tells the players' names. All players get the same but for `you`, and from
one round to the next few rows of cells change: a message is put together from texts that are made once.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from spielbaum.games.spe_ed import ACTIONS
from spielbaum.games.spe_ed.cells import paint
from spielbaum.games.spe_ed.rules import ANSWERS, NO_ANSWER
from spielbaum.games.spe_ed.tables import DIRECTIONS

CODES = {name: code for code, name in enumerate(ACTIONS[:ANSWERS])}


def action_of(message: str | bytes) -> int:
    """What a client's message asks for; no answer where it is not JSON, no object, or has no action that there is.

    >>> action_of('{"action": "turn_left", "mood": 7}') == CODES["turn_left"], action_of('{"action": 2}') == NO_ANSWER
    (True, True)
    """
    try:
        given = json.loads(message)
    except (ValueError, RecursionError):
        return NO_ANSWER
    action = given.get("action") if isinstance(given, dict) else None
    return CODES.get(action, NO_ANSWER) if isinstance(action, str) else NO_ANSWER


def moment(seconds: float, *, fractions: bool = False) -> str:
    """A time as RFC 3339 writes it, in UTC, truncated to whole seconds or to milliseconds.

    >>> moment(1767268800.9876), moment(1767268800.9876, fractions=True)
    ('2026-01-01T12:00:00Z', '2026-01-01T12:00:00.987Z')
    """
    whole = datetime.datetime.fromtimestamp(int(seconds), datetime.UTC).strftime("%Y-%m-%dT%H:%M:%S")
    return f"{whole}.{int(seconds % 1 * 1000):03d}Z" if fractions else f"{whole}Z"


def time_told(seconds: float) -> str:
    """What the time endpoint answers.

    >>> time_told(1767268800.8035)
    '{"time":"2026-01-01T12:00:00Z","milliseconds":803}'
    """
    return compact({"time": moment(seconds), "milliseconds": int(seconds % 1 * 1000)})


class Board:
    """The cells of a game while it is played, with the text of each row."""

    def __init__(self, s: Any, players: int):
        self.cells = np.zeros((s.height, s.width), np.int8)
        for p in range(players):
            self.cells[s.y[p], s.x[p]] = p + 1
        self.rows = [compact(row) for row in self.cells.tolist()]

    def draw(self, before: Any, after: Any) -> None:
        """Mark the cells of a round; only rows between where a player was and where it is now can change."""
        paint(self.cells, before, after)
        height = len(self.rows)
        spans = (sorted((int(y), int(z))) for y, z in zip(before.y, after.y, strict=True))
        for y in {y for low, high in spans for y in range(max(low, 0), min(high, height - 1) + 1)}:
            self.rows[y] = compact(self.cells[y].tolist())


class Message(NamedTuple):
    """A state for all players: what stands before and after the number of the one who gets it."""

    before: str
    after: str

    def to(self, player: int) -> str:
        """As a player gets it, who counts from 0."""
        return f"{self.before}{player + 1}{self.after}"


def message(board: Board, s: Any, players: int, *, deadline: str | None, names: Sequence[str] = ()) -> Message:
    """A state of a game; without a deadline the last one, which tells the names."""
    told = compact({str(p + 1): player_told(s, p) | ({"name": names[p]} if names else {}) for p in range(players)})
    cells = ",".join(board.rows)
    end = '"running":false}' if deadline is None else f'"running":true,"deadline":"{deadline}"}}'
    return Message(
        f'{{"width":{s.width},"height":{s.height},"cells":[{cells}],"players":{told},"you":',
        f",{end}",
    )


def player_told(s: Any, p: int) -> dict[str, Any]:
    return {
        "x": int(s.x[p]),
        "y": int(s.y[p]),
        "direction": DIRECTIONS[s.direction[p]],
        "speed": int(s.speed[p]),
        "active": bool(s.died[p] == 0),
    }


def compact(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)
