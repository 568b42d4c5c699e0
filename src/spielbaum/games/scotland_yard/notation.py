"""Moves as `taxi 8`, `black 115`, `double bus 46 + taxi 78` in its two halves; and the position as text."""

from __future__ import annotations

from typing import Any

import numpy as np

from spielbaum.games.scotland_yard.rules import (
    DOUBLE,
    LOG,
    MRX,
    NOBODY,
    REVEALS,
    SECOND_HALF,
    UNKNOWN,
)
from spielbaum.games.scotland_yard.tables import BLACK, ROOM, Tables

TICKET_NAMES = ("taxi", "bus", "underground", "black")
SHORT = ("taxi", "bus", "und", "black")


def format_action(s: Any, action: int) -> str:
    """A move; the second half of a double one begins with a plus sign."""
    move = f"{TICKET_NAMES[action % DOUBLE // ROOM]} {action % ROOM}"
    if action >= DOUBLE:
        return f"double {move}"
    return f"+ {move}" if s.turn == MRX and s.second else move


def render(t: Tables, s: Any) -> str:
    """Everybody's station and tickets, Mister X's journey, and where he may be."""
    lines = [f"{seat_name(q):<12} {where(s, q):>4}  {purse(s, q)}" for q in range(t.players)]
    lines[0] += f", {s.doubles} double"
    lines.append(f"journey: {' '.join(journey(s)) or 'none yet'}")
    if t.help and not t.visible:
        stations = believed(s)
        shown = " ".join(map(str, stations[:40])) + (" …" if len(stations) > 40 else "")
        lines.append(f"he may be at {len(stations)} of {ROOM - 1} stations: {shown}")
    turn = "the game is over" if s.winner != NOBODY else f"{seat_name(s.turn)} to move"
    return "\n".join([*lines, f"move {int(s.moves) + 1}, {turn}"])


def seat_name(q: int) -> str:
    return "mrx" if q == MRX else f"detective-{q}"


def where(s: Any, q: int) -> str:
    return "?" if s.at[q] == UNKNOWN else str(s.at[q])


def purse(s: Any, q: int) -> str:
    """The tickets of a player, black ones only of Mister X."""
    kinds = range(BLACK + 1 if q == MRX else BLACK)
    return ", ".join(f"{int(s.tickets[q, ticket]):>2} {TICKET_NAMES[ticket]}" for ticket in kinds)


def journey(s: Any) -> list[str]:
    """Mister X's tickets in their order, with the stations where he showed himself."""
    words = []
    for number in range(min(int(s.moves), LOG)):
        entry = int(s.log[number])
        word = ("+" if entry >= SECOND_HALF else "") + SHORT[entry % SECOND_HALF - 1]
        if number + 1 in REVEALS:
            word += f"[{int(s.seen[REVEALS.index(number + 1)])}]"
        words.append(word)
    return words


def believed(s: Any) -> list[int]:
    """The stations where Mister X may be."""
    return [station for station in range(1, ROOM) if int(s.belief[station >> 6]) >> (station & 63) & 1]


def likelihood(s: Any) -> np.ndarray:
    """How likely Mister X would be at each station if he moved at random, f8[ROOM], adding up to 1."""
    mass = s.mass.astype(np.float64)
    return np.asarray(mass / mass.sum())
