"""What a server sends, taken with care: states of the official protocol, and the game that they are the states of.

A client sees positions, not answers. But two positions in a row tell what every player has answered: who turned or
changed its speed is seen to have, who moved on changed nothing, and who is out without having moved gave no answer.
So the game is played along by the rules, with its history, and compared with what the server says.
"""

from __future__ import annotations

import datetime
import json
import secrets
from collections import deque
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from spielbaum.errors import SpielbaumError
from spielbaum.game import State, load
from spielbaum.games.spe_ed.rules import ACROSS, ALONG, FASTEST, JUMP_EVERY, JUMP_SPEED, SLOWEST
from spielbaum.games.spe_ed.tables import DIRECTIONS, LARGEST, PLAYERS, SMALLEST, WORD
from spielbaum.online import records
from spielbaum.online.clock import moment
from spielbaum.online.records import Places, Record
from spielbaum.rules import VIEW, random_stream
from spielbaum.text import name_of, quoted

MOST_ROOM = 300  # cells that are counted around a head
TURNS, SPURTS = {"turn_left": 1, "turn_right": 3}, {"speed_up": 1, "slow_down": -1}
MOVED = {(1, 0): "turn_left", (3, 0): "turn_right", (0, 1): "speed_up", (0, -1): "slow_down"}


class Fault(SpielbaumError):
    """A server does not keep to the protocol."""


# --- one state ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Told:
    """A state as a server told it, checked."""

    cells: np.ndarray  # i1[height, width]
    places: Places
    you: int  # the own player, from 0
    running: bool
    deadline: float | None  # a Unix time of the server's clock
    names: dict[str, str]
    message: dict[str, Any] = field(repr=False)

    def same_position(self, other: Told) -> bool:
        """Whether nothing has happened between two states; in a round somebody moves, so that there was none."""
        alike = self.cells.shape == other.cells.shape and self.places == other.places
        return alike and bool((self.cells == other.cells).all())


def parsed(message: str | bytes) -> Told:
    """A state; what is none is a fault of the server."""
    try:
        state = json.loads(message)
    except (ValueError, RecursionError):
        raise Fault("the server sent what is no JSON") from None
    if not isinstance(state, dict):
        raise Fault("the server sent what is no state: no object")
    if lacking := [name for name in ("width", "height", "cells", "players", "you", "running") if name not in state]:
        raise Fault(f"the server sent a state without {lacking[0]!r}")
    players, running = state["players"], state["running"]
    count = len(players) if isinstance(players, dict) else 0
    if not 2 <= count <= PLAYERS or sorted(players) != [str(number + 1) for number in range(count)]:
        raise Fault(f"the server sent a state whose players are not '1' to at most '{PLAYERS}'")
    if not records.is_whole(state["you"]) or not 1 <= state["you"] <= count or not isinstance(running, bool):
        raise Fault("the server sent a state that does not say who we are and whether the game goes on")
    cells = cells_of(state, count)
    places = {number: place_of(players[number], number, cells.shape) for number in sorted(players)}
    names = {number: name for number, told in players.items() if (name := name_of(str(told.get("name") or "")))}
    return Told(cells, places, state["you"] - 1, running, deadline_of(state), names, state)


def cells_of(state: dict[str, Any], players: int) -> np.ndarray:
    width, height = state["width"], state["height"]
    if not all(records.is_whole(side) and SMALLEST <= side <= LARGEST for side in (width, height)):
        raise Fault(
            f"the server has a board of {quoted(width)} x {quoted(height)}; a side has {SMALLEST} to {LARGEST} cells"
        )
    try:
        cells = np.array(state["cells"])
    except ValueError:
        cells = np.zeros(0)
    if cells.dtype.kind != "i" or cells.shape != (height, width):
        raise Fault(f"the server's cells are not {height} rows of {width} whole numbers")
    if cells.min() < -1 or cells.max() > players:
        raise Fault(f"the server's cells are not all from -1 to {players}, the number of players")
    return cells.astype(np.int8)


def place_of(told: Any, number: str, shape: tuple[int, ...]) -> list[Any]:
    """Where a player is; who has left the board is on the first cell outside."""
    names = ("x", "y", "direction", "speed", "active")
    place: list[Any] = [told.get(name) for name in names] if isinstance(told, dict) else []
    if not records.is_place(place):
        raise Fault(f"the server does not say x, y, direction, speed and active of player {number}")
    x, y, _, speed, active = place
    height, width = shape
    reach = 0 if active else 1
    if not (-reach <= x < width + reach and -reach <= y < height + reach):
        raise Fault(f"the server puts player {number} at {quoted(x)},{quoted(y)}, on a board of {width} x {height}")
    if not SLOWEST - reach <= speed <= FASTEST + reach:
        raise Fault(f"the server gives player {number} a speed of {quoted(speed)}")
    return place


def deadline_of(state: dict[str, Any]) -> float | None:
    if not state["running"]:
        return None
    try:
        return moment(state.get("deadline"))
    except (ValueError, OverflowError):
        raise Fault(
            f"the server's deadline {quoted(state.get('deadline'))} is no time like 2026-01-01T12:00:00Z"
        ) from None


# --- a game ---------------------------------------------------------------------------------------


class FollowedGame:
    """A game from its first state on, played along by the rules as far as the server keeps to them."""

    def __init__(self, first: Told, name: str):
        height, width = first.cells.shape
        self.told, self.you, self.rounds = first, first.you, 0
        self.died = dict.fromkeys(range(len(first.places)), 0)
        names = {number: name if number == str(first.you + 1) else f"player {number}" for number in first.places}
        self.record: Record = records.begun(new_id(), names, first.places, first.cells)
        starts = "; ".join(f"{x},{y},{direction}" for x, y, direction, *_ in records.in_order(first.places))
        options = {"players": len(first.places), "width": width, "height": height, "start": starts}
        try:
            self.game, self.silent = load("spe-ed", **options), load("spe-ed", **options, silence=True)
        except SpielbaumError as error:
            raise Fault(f"the server's first state is none that a game begins with: {error}") from None
        self.first = self.silent.new()
        self.state = self.first.copy() if agree(self.first, first) else rebuilt(self)

    @property
    def alive(self) -> bool:
        return bool(self.told.places[str(self.you + 1)][4])

    def follow(self, told: Told) -> None:
        """The next state: what everybody has answered, and the position it has led to."""
        if told.cells.shape != self.told.cells.shape:
            (height, width), (now_high, now_wide) = self.told.cells.shape, told.cells.shape
            raise Fault(f"the server's board was {width} x {height} and is {now_wide} x {now_high} now")
        if told.places.keys() != self.told.places.keys() or told.you != self.you:
            raise Fault("the server has changed who plays in the middle of a game")
        self.record["players"] |= told.names
        if told.same_position(self.told):
            self.told = told
            return
        actions = {number: answer(self.told.places[number], told.places[number]) for number in told.places}
        self.told, self.rounds = told, self.rounds + 1
        for player, (*_, active) in enumerate(records.in_order(told.places)):
            self.died[player] = 0 if active else self.died[player] or self.rounds
        records.add_round(self.record, actions, told.places, told.cells)
        if not self.state.over:
            records.play_round(self.state, actions)
        if not agree(self.state, told):
            self.state = rebuilt(self)

    def repeats(self, told: Told) -> bool:
        """Whether a server has sent a state once more, which is not to be answered again."""
        return told.running == self.told.running and told.same_position(self.told)

    @property
    def place(self) -> int:
        """Our place: one more than the players who lasted longer, as far as the game is known."""
        lasted = [number or self.rounds + 1 for number in self.died.values()]
        return 1 + sum(other > lasted[self.you] for other in lasted)

    def view(self, *, known: bool = True) -> State | None:
        """The position as our player sees it; None where by the rules nobody is asked. Without a history if it is not
        to be known, so that nobody takes a tree for this game's that has gone another way."""
        history = list(self.state.history) if known and self.state.history is not None else None
        state = State(self.game, self.state.array.copy(), random_stream(VIEW, self.you), history)
        return state.view(self.you) if self.you in state.movers else None


def new_id() -> str:
    """A name for a game, as the protocol has none: when it began, and something that nobody else has."""
    return f"{datetime.datetime.now(datetime.UTC):%Y%m%dT%H%M%SZ}-{secrets.token_hex(3)}"


def answer(before: list[Any], after: list[Any]) -> str | None:
    """What a player must have answered to get from one place to the next."""
    if not before[4]:
        return None
    turned = (DIRECTIONS.index(after[2]) - DIRECTIONS.index(before[2])) % 4
    if turned == 0 and after[3] == before[3]:
        return "change_nothing" if after[:2] != before[:2] else None
    return MOVED.get((turned, after[3] - before[3]))


def agree(state: State, told: Told) -> bool:
    """Whether a position by the rules is what the server says."""
    s, players = state.record, len(told.places)
    words = packed(told.cells == 0)
    return records.places_of(s, players) == told.places and bool((s.free[: len(words)] == words).all())


def packed(free: np.ndarray) -> np.ndarray:
    """u8[height * words]: free cells as the rules keep them, cell x of a row in bit x % 64 of its word x // 64."""
    height, width = free.shape
    columns = np.zeros((height, -(-width // WORD) * WORD), bool)
    columns[:, :width] = free
    return np.packbits(columns, axis=1, bitorder="little").view("<u8").reshape(-1).astype(np.uint64)


def rebuilt(followed: FollowedGame) -> State:
    """The position that a server tells of, whatever led to it."""
    game, told = followed.silent, followed.told
    array = np.zeros(1, game.rules.STATE)
    s = array[0]
    words = packed(told.cells == 0)
    s.free[: len(words)] = words
    s.height, s.width = told.cells.shape
    s.rounds = followed.rounds
    for p, (x, y, direction, speed, active) in enumerate(records.in_order(told.places)):
        s.x[p], s.y[p], s.direction[p], s.speed[p] = x, y, DIRECTIONS.index(direction), speed
        s.died[p] = followed.died[p]
        s.active += active
    for name in ("from_x", "from_y", "from_direction"):
        s[name][:] = followed.first.record[name]
    game.kernels.game_api.open_round(game.context, array)
    return State(game, array, random_stream(VIEW), None)


# --- staying alive --------------------------------------------------------------------------------

Rows = list[list[int]]
"""The cells as the server sent them: lists are read faster than arrays, cell by cell."""


def safe_answers(followed: FollowedGame) -> dict[str, int]:
    """The answers after which our player lives if nobody else moves, and how much room each leaves."""
    x, y, direction, speed, _ = followed.told.places[str(followed.you + 1)]
    rows: Rows = followed.told.message["cells"]
    found: dict[str, int] = {}
    for name in records.ANSWERS:
        heading = (DIRECTIONS.index(direction) + TURNS.get(name, 0)) % 4
        way = ridden(rows, x, y, heading, speed + SPURTS.get(name, 0), followed.rounds + 1)
        if way is not None:
            found[name] = room(rows, way)
    return found


def ridden(rows: Rows, x: int, y: int, heading: int, speed: int, number: int) -> list[tuple[int, int]] | None:
    """The cells that a move draws, None if it is deadly."""
    if not SLOWEST <= speed <= FASTEST:
        return None
    jumps, drawn = speed >= JUMP_SPEED and number % JUMP_EVERY == 0, []
    for step in range(1, speed + 1):
        x, y = x + ACROSS[heading], y + ALONG[heading]
        if not (0 <= x < len(rows[0]) and 0 <= y < len(rows)):
            return None
        if not (jumps and 1 < step < speed):
            if rows[y][x]:
                return None
            drawn.append((x, y))
    return drawn


def room(rows: Rows, way: list[tuple[int, int]]) -> int:
    """How many free cells can be reached from the end of a move, up to many."""
    height, width = len(rows), len(rows[0])
    seen, waiting = set(way), deque(way[-1:])
    while waiting and len(seen) < MOST_ROOM:
        x, y = waiting.popleft()
        for cell in ((x, y - 1), (x - 1, y), (x, y + 1), (x + 1, y)):
            free = 0 <= cell[0] < width and 0 <= cell[1] < height and not rows[cell[1]][cell[0]]
            if free and cell not in seen:
                seen.add(cell)
                waiting.append(cell)
    return len(seen) - len(way)


def safest(safe: dict[str, int]) -> str:
    """Of some answers that are not deadly the one with most room; if there is none, to change nothing."""
    return max(safe, key=lambda name: safe[name], default=records.ANSWERS[0])
