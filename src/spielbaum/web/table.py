"""A game that is being played or analysed: the part of a session that has nothing to do with the network.

It holds the moves, tells what may be done, and says what each viewer is shown. Everything follows from the
game, its seed and the list of actions, so that is all that is stored.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from spielbaum.errors import IllegalAction
from spielbaum.game import Game, State
from spielbaum.search.report import notation
from spielbaum.web import drawing
from spielbaum.web.drawing import Json
from spielbaum.web.errors import Refusal

EVERYTHING = None  # the viewer who may see all


@dataclass
class Seat:
    """Who sits in a seat: a person (with a name) or an agent (with a specification)."""

    kind: str
    person: str | None = None
    spec: str | None = None


@dataclass(frozen=True)
class Move:
    """A move that was made, as its mover and as each seat knows it."""

    seat: int
    action: int
    whole: Json
    told: list[Json | None]

    def seen_by(self, viewer: int | None) -> Json | None:
        return self.whole if viewer is EVERYTHING else self.told[viewer]


@dataclass
class Table:
    """A game with its seats, its moves so far, and how it is shown."""

    game: Game
    name: str
    seats: list[Seat]
    seed: int
    mode: str = "play"
    limit: float | None = None
    pace: float = 1.0
    repeat: bool = False
    paused: bool = False
    view: int | None = EVERYTHING
    position: str | None = None  # the first one as text, where it is not that of every game
    ply: int = 0
    moves: list[Move] = field(default_factory=list)
    used: list[float] = field(default_factory=list)
    since: float | None = None
    ending: Json | None = None
    curve: list[Json] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.used = self.used or [0.0] * self.game.players
        self.state = self.first()

    # --- the game -------------------------------------------------------------------------------

    def first(self) -> State:
        """The position in which the game begins."""
        return self.game.play_all([], self.seed, self.position)

    @property
    def humans(self) -> list[int]:
        """The seats of people."""
        return [number for number, seat in enumerate(self.seats) if seat.kind == "human"]

    @property
    def turn(self) -> int | None:
        """The seat to move in the position shown."""
        return None if self.over else self.state.player

    @property
    def over(self) -> bool:
        """Whether the game has ended, by its rules or otherwise."""
        return self.state.over or self.ending is not None

    @property
    def actions(self) -> list[int]:
        """The whole game as action codes."""
        return [move.action for move in self.moves]

    @property
    def secret(self) -> bool:
        """Whether people play who may not see everything."""
        return self.game.conceals and self.mode == "play" and bool(self.humans)

    def play(self, action: int) -> None:
        """Make a move in the position shown; in an analysis the moves after it are dropped."""
        if self.over:
            raise Refusal("not-now", "the game is over")
        seat = self.state.player
        try:
            after = self.state.copy().play(action)
        except IllegalAction as error:
            raise Refusal("illegal-action", str(error)) from None
        self.stop_clock()
        known = drawing.told(self.state, action)
        whole, choosing = known[seat], len(self.state.movers)
        assert whole is not None
        self.state = after
        self.moves = [*self.moves[: self.ply], Move(seat, action, whole, known)]
        self.curve = [point for point in self.curve if point["ply"] <= self.ply]
        self.ply += 1
        if after.asked == 0 and not self.game.hidden:
            self.reveal(choosing)
        self.start_clock()

    def reveal(self, count: int) -> None:
        """All have chosen: everybody learns what the last so many moves were."""
        begin, players = self.ply - count, self.game.players
        told = [replace(move, told=[move.whole] * players) for move in self.moves[begin:]]
        self.moves = [*self.moves[:begin], *told]

    def play_all(self, moves: Sequence[int | str]) -> None:
        """Make some moves, given as codes or in the game's notation."""
        try:
            actions = self.state.copy().play_all(moves)
        except IllegalAction as error:
            raise Refusal("bad-setup", str(error)) from None
        for action in actions:
            self.play(action)

    def show(self, ply: int) -> None:
        """Go to another position of the game."""
        if ply > len(self.moves):
            raise Refusal("malformed", f"ply {ply} does not exist; the game has {len(self.moves)} moves")
        self.state = self.game.play_all(self.actions[:ply], self.seed, self.position)
        self.ply = ply

    def undo_ply(self) -> int | None:
        """The position to which a person may take back; None where nothing can be taken back."""
        if self.mode != "play" or self.game.chance or self.game.conceals or not self.humans:
            return None
        if self.ending is not None:
            return self.ply
        decisions = [ply for ply, move in enumerate(self.moves) if move.seat in self.humans]
        return decisions[-1] if decisions else None

    def undo(self, ply: int) -> None:
        """Take back to a position, so that a person is to move again."""
        self.ending = None
        self.show(ply)
        self.moves = self.moves[:ply]
        self.curve = [point for point in self.curve if point["ply"] < ply]
        self.since = None
        self.start_clock()

    def why_no_undo(self) -> str:
        if self.game.chance:
            return "nothing can be taken back in a game of chance"
        if self.game.conceals:
            return "nothing can be taken back in a game that hides something"
        return "there is nothing to take back"

    def resign(self, seat: int) -> None:
        """Give up: the seat's team loses, all others win."""
        self.end("resigned", seat)

    def end(self, kind: str, seat: int) -> None:
        if self.over:
            raise Refusal("not-now", "the game is over")
        self.stop_clock()
        teams = self.game.teams
        lost = [bool(teams[other] == teams[seat]) for other in range(self.game.players)]
        self.ending = {"kind": kind, "seat": seat, "returns": [-1.0 if out else 1.0 for out in lost]}

    def result(self) -> Json | None:
        """How it ended; None while it goes on."""
        if not self.over:
            return None
        ending = self.ending or {"kind": "played", "seat": None, "returns": self.state.returns}
        word = self.state.outcome if self.ending is None else ""
        best, worst = max(ending["returns"]), min(ending["returns"])
        winners = [seat for seat, value in enumerate(ending["returns"]) if value == best > worst]
        return {**ending, "winners": winners, "outcome": drawing.words(self.game, word) if word else None}

    def record(self) -> Json:
        """The game as data that can be played again."""
        names, result = self.game.seats, self.result()
        return {
            "game": self.name,
            "options": self.game.options,
            "seed": self.seed,
            "position": self.position,
            "seats": {name: seat.spec or "human" for name, seat in zip(names, self.seats, strict=True)},
            "moves": notation(self.first(), self.actions),
            "actions": self.actions,
            "returns": dict(zip(names, result["returns"], strict=True)) if result else None,
        }

    # --- the clock ------------------------------------------------------------------------------

    def start_clock(self) -> None:
        if self.mode == "play" and not self.over:
            self.since = time.monotonic()

    def stop_clock(self) -> None:
        if self.since is not None and self.turn is not None:
            self.used[self.turn] += time.monotonic() - self.since
        self.since = None

    def clock(self) -> Json:
        """Seconds used by each seat, the running turn included."""
        used = self.used.copy()
        if self.since is not None and self.turn is not None:
            used[self.turn] += time.monotonic() - self.since
        return {"used": [round(seconds, 2) for seconds in used], "running": self.turn, "limit": self.limit}

    # --- what is shown --------------------------------------------------------------------------

    def same_view(self, one: int, other: int) -> bool:
        """Whether two seats see the same."""
        return self.state.view(one).array.tobytes() == self.state.view(other).array.tobytes()

    def shown(self, viewer: int | None, mine: list[int]) -> Json:
        """The position for a viewer; `mine` are the seats for which it may decide."""
        drawn = drawing.scene(self.state, viewer)
        decides = not self.over and (self.mode == "analysis" or self.state.player in mine)
        return {
            "ply": self.ply,
            "plies": len(self.moves),
            "turn": self.turn,
            "viewer": viewer,
            "over": self.over,
            "scene": drawn,
            "gestures": drawing.gestures(self.state, drawn) if decides else [],
            "last": self.last(viewer),
            "moves": [{"seat": move.seat, "label": label_of(move.seen_by(viewer))} for move in self.moves],
            "clock": self.clock(),
            "result": self.result(),
            "curve": [point for point in self.curve if not self.secret or point["seat"] in mine],
            "pace": self.pace,
            "paused": self.paused,
            "repeat": self.repeat,
            "faults": self.faults,
        }

    def last(self, viewer: int | None) -> Json | None:
        """The move that led to the position shown, if the viewer knows it."""
        move = self.moves[self.ply - 1] if self.ply else None
        seen = move.seen_by(viewer) if move else None
        return {"ply": self.ply - 1, "seat": move.seat, **place_of(seen)} if move and seen else None

    # --- storing --------------------------------------------------------------------------------

    def as_dict(self) -> Json:
        """Everything from which the table can be set up again."""
        kept = (
            "name",
            "seed",
            "position",
            "mode",
            "limit",
            "pace",
            "repeat",
            "paused",
            "view",
            "ply",
            "ending",
            "curve",
        )
        return {
            **{name: getattr(self, name) for name in kept},
            "used": self.clock()["used"],
            "options": self.game.options,
            "seats": [asdict(seat) for seat in self.seats],
            "actions": self.actions,
            "faults": self.faults,
        }

    @classmethod
    def restored(cls, game: Game, data: Json) -> Table:
        """The table as it was stored; the time in between is nobody's."""
        data = dict(data)
        actions, ply, ending = data.pop("actions"), data.pop("ply"), data.pop("ending")
        curve, seats = data.pop("curve"), [Seat(**seat) for seat in data.pop("seats")]
        data.pop("options")
        table = cls(game=game, seats=seats, **{**data, "used": []})
        table.play_all(actions)
        if ply != len(actions):
            table.show(ply)
        table.used, table.since, table.ending, table.curve = data["used"], None, ending, curve
        return table


def label_of(seen: Json | None) -> Any:
    return None if seen is None else seen["label"]


def place_of(seen: Json) -> Json:
    """A move as it is told and drawn elsewhere: what it is called and where it is."""
    return {"action": seen["action"], "label": seen["label"], "steps": seen["steps"]}
