"""Games that can be looked at: what happened in each round, what players have in mind, and who steers by hand.

Whoever runs a game, a server, a client or a match of agents, shows its states in the form of the official protocol
(docs/spe_ed-stage.md). A stream keeps of each only what has changed, so that hundreds of rounds on a large board are
small enough to be sent whole to everybody who begins to look on. All of it may be called from any thread.

    stream = streams.add(EventStream("Thor against five Odins"))
    stream.show(state)                # a round; state["round"] counts from 0 for the start
    stream.think(agent.lines())       # as often as there is something new
    action = stream.taken(player) or agent.choose(…)
"""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from spielbaum.errors import SpielbaumError
from spielbaum.games.spe_ed.lines import Line
from spielbaum.games.spe_ed.rules import ACROSS, ALONG, JUMP_EVERY, JUMP_SPEED
from spielbaum.games.spe_ed.tables import DIRECTIONS, LARGEST
from spielbaum.text import name_of

ANSWERS = ("change_nothing", "turn_right", "turn_left", "speed_up", "slow_down")
MOST_LINES, MOST_POINTS = 32, 40  # of the own plans of a player that are shown, and of those expected of others
REMEMBERED = 30  # rounds whose plans are kept
MOST_STREAMS = 500

State = Mapping[str, Any]


class Shot(NamedTuple):
    """A round as it is told to a browser: what differs from the one before."""

    round: int
    players: list[list[int]]  # x, y, direction, speed, whether active
    cells: list[int]  # index, new value, index, new value, …
    jumped: list[int]  # indices of the cells that were jumped over
    deadline: str | None


class EventStream:
    """One game that can be looked at."""

    def __init__(self, title: str, seats: Iterable[int] | None = None, names: Sequence[str] = ()):
        """A game without any state yet; `seats` are the players that a person may take over.

        Unless they are given it is `you` of the states, who alone can be steered by who sees them; all where there is
        none.
        """
        self.title, self.seats = title, None if seats is None else frozenset(seats)
        self.names = {player: name for player, name in enumerate(names) if name}
        self.began = time.time()
        self.width = self.height = 0
        self.you: int | None = None  # the player whose thoughts these are
        self.shots: list[Shot] = []
        self.ended = False
        self.cells = np.zeros(0, np.int8)
        self.plans: dict[int, dict[int, str]] = {}  # by round and player, as JSON
        self.thoughts = 0  # how often somebody has thought
        self.people: dict[int, object] = {}  # who steers a player
        self.chosen: dict[int, str] = {}  # by players, in the present round
        self.changed = threading.Condition()
        self.followers: list[Callable[[], None]] = []

    # --- for who runs the game ----------------------------------------------------------------------

    def show(self, state: State) -> None:
        """A new round, as the protocol tells it; it may come with names, and without `round`, then it is counted."""
        with self.changed:
            cells = self.grid(state)
            players = sorted(state["players"].items(), key=lambda item: int(item[0]))
            self.names |= {int(key) - 1: name_of(str(told["name"])) for key, told in players if told.get("name")}
            rows = [row(told) for _, told in players]
            number = int(state.get("round", len(self.shots)))
            where = np.flatnonzero(cells != self.cells)
            changes = np.stack([where, cells[where]], axis=1).reshape(-1).tolist()
            jumped = self.jumps(number, rows)
            self.shots.append(Shot(number, rows, changes, jumped, state.get("deadline")))
            self.cells, self.ended = cells, not state.get("running", True)
            if "you" in state:
                self.you = int(state["you"]) - 1
            self.people = {player: person for player, person in self.people.items() if rows[player][-1]}
            self.chosen.clear()
            self.plans.pop(number - REMEMBERED, None)
        self.tell()

    def think(self, lines: Iterable[Line], player: int | None = None, number: int | None = None) -> None:
        """The plans of a player, of `you` unless said, in a round, the present one unless said.

        What the player expects of others is among them.
        """
        own = player if player is not None else self.you or 0
        ranked = sorted(lines, key=lambda line: -line.share)
        best = [[line for line in ranked if (line.player == own) is is_own][:MOST_LINES] for is_own in (False, True)]
        told = [
            [line.player, round(float(line.share), 4), *flat(line.points[:MOST_POINTS])]
            for line in sorted(best[0] + best[1], key=lambda line: -line.share)
        ]
        with self.changed:
            if not self.shots:
                return
            at = self.shots[-1].round if number is None else number
            self.plans.setdefault(at, {})[own] = json.dumps(told, separators=(",", ":"))
            self.thoughts += 1
        self.tell()

    def taken(self, player: int) -> str | None:
        """What a person has chosen for a player that was taken over; None where nobody has."""
        return self.chosen.get(player, ANSWERS[0]) if player in self.people else None

    def wait(self, player: int, seconds: float) -> str | None:
        """The same, after a while in which a person may choose; at once when one has, or nobody has taken over."""
        with self.changed:
            self.changed.wait_for(lambda: player in self.chosen or player not in self.people, seconds)
        return self.taken(player)

    def end(self) -> None:
        """No more rounds will come."""
        with self.changed:
            self.ended = True
        self.tell()

    # --- for who looks on ---------------------------------------------------------------------------

    def may_take(self, player: int) -> bool:
        """Whether a player may be steered by hand."""
        players = self.shots[-1].players if self.shots else []
        if self.ended or not (0 <= player < len(players) and players[player][-1]):
            return False
        return player in self.seats if self.seats is not None else self.you in (None, player)

    def take(self, player: int, person: object) -> bool:
        """Let a person steer a player; whether that is possible."""
        with self.changed:
            free = self.may_take(player) and self.people.get(player, person) is person
            if free:
                self.people[player] = person
        self.tell()
        return free

    def release(self, player: int, person: object) -> None:
        """The player is its agent's again."""
        with self.changed:
            if self.people.get(player) is person:
                del self.people[player]
                self.chosen.pop(player, None)
        self.tell()

    def steer(self, player: int, action: str, person: object) -> None:
        """What a person wants a player to answer in the present round; the last word counts."""
        with self.changed:
            if self.people.get(player) is person and action in ANSWERS:
                self.chosen[player] = action
        self.tell()

    def follow(self, told: Callable[[], None]) -> Callable[[], None]:
        """Be told that something has changed, from whichever thread; the answer ends it."""
        self.followers.append(told)
        return lambda: self.followers.remove(told)

    def tell(self) -> None:
        """Let everybody know who waits."""
        with self.changed:
            self.changed.notify_all()
        for told in list(self.followers):
            told()

    # --- what a state says --------------------------------------------------------------------------

    def grid(self, state: State) -> np.ndarray:
        """i1[height * width]: the cells of a state, whose size may not change."""
        width, height = int(state["width"]), int(state["height"])
        if not self.shots:
            if not (0 < width <= LARGEST and 0 < height <= LARGEST):
                raise SpielbaumError(f"a board of {width} x {height} can't be shown; a side has 1 to {LARGEST} cells")
            self.width, self.height = width, height
            self.cells = np.zeros(width * height, np.int8)
        cells = np.asarray(state["cells"], np.int8)
        if cells.shape != (self.height, self.width):
            raise SpielbaumError(f"the board was {self.width} x {self.height} and is {width} x {height} now")
        return cells.reshape(-1)

    def jumps(self, number: int, rows: Sequence[Sequence[int]]) -> list[int]:
        """The cells that were jumped over on the way from the last round to these players."""
        if number % JUMP_EVERY or not self.shots:
            return []
        found = []
        for (x, y, *_, was_active), (to_x, to_y, direction, speed, _) in zip(self.shots[-1].players, rows, strict=True):
            length = abs(to_x - x) + abs(to_y - y)
            if was_active and speed >= JUMP_SPEED:
                for step in range(2, min(length + 1, speed)):
                    column, line = x + step * ACROSS[direction], y + step * ALONG[direction]
                    if 0 <= column < self.width and 0 <= line < self.height:
                        found.append(line * self.width + column)
        return found


def row(told: Mapping[str, Any]) -> list[int]:
    """A player of a state, in short."""
    return [
        int(told["x"]),
        int(told["y"]),
        DIRECTIONS.index(told["direction"]),
        int(told["speed"]),
        int(bool(told["active"])),
    ]


def flat(points: Iterable[tuple[int, int]]) -> list[int]:
    return [int(number) for point in points for number in point]


class EventStreams(dict[str, EventStream]):
    """The games that can be looked at, by their names in addresses; the oldest that are over make room for new ones."""

    def add(self, stream: EventStream) -> EventStream:
        """Offer a game under a new name."""
        self.put(secrets.token_hex(4), stream)
        return stream

    def put(self, name: str, stream: EventStream) -> None:
        """Offer a game."""
        if len(self) >= MOST_STREAMS:
            over = [name for name, other in list(self.items()) if other.ended]
            self.pop(over[0] if over else next(iter(self)), None)
        self[name] = stream

    def find(self, name: str) -> EventStream | None:
        """A game by its name."""
        return self.get(name)

    def offered(self) -> list[dict[str, Any]]:
        """All games in short, for a list."""
        return [
            {
                "id": name,
                "title": stream.title,
                "began": stream.began,
                "round": stream.shots[-1].round if stream.shots else 0,
                "ended": stream.ended,
            }
            for name, stream in list(self.items())
        ]
