"""A game that is being played or analysed: the part of a session that has nothing to do with the network.

It holds the moves, tells what may be done, and says what each viewer is shown. Everything follows from the
game, its seed and the list of actions, so that is all that is stored.

The game goes on in steps. A step is a move, or in a game in rounds what all movers have chosen: choices are kept
here until the last one is in, and the state knows nothing of them, so that nothing drawn from it can tell them.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field

import numpy as np

from spielbaum.errors import IllegalAction
from spielbaum.game import Game, State
from spielbaum.scenes import drawing
from spielbaum.scenes.drawing import Json
from spielbaum.search.report import notation
from spielbaum.web import safe_drawing
from spielbaum.web.errors import Refusal
from spielbaum.web.history import History, Move

EVERYTHING = None  # the viewer who may see all
SEED_BITS = 63  # as wide as the rules' streams take it; their state has 62 bits
AGENT_BITS = SEED_BITS - 6  # the seat needs the rest
SCORE = "points"  # the metric that is drawn over the game
EXACT = 2**53  # from which on JavaScript's numbers are rounded


@dataclass
class Seat:
    """Who sits in a seat: a person (with a name) or an agent (with a specification)."""

    kind: str
    person: str | None = None
    spec: str | None = None


@dataclass
class LiveGame:
    """A game in play or analysis: its seats, its moves so far, and the position that is shown."""

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
    steps: list[list[Move]] = field(default_factory=list)
    choices: dict[int, int] = field(default_factory=dict)  # of this round by seat, until the last one is in
    changes: int = 0  # how often another position was shown
    used: list[float] = field(default_factory=list)
    since: dict[int, float] = field(default_factory=dict)  # when the clocks that run began to
    ending: Json | None = None
    curve: list[Json] = field(default_factory=list)
    scores: list[dict[int | None, list[float]]] = field(default_factory=list)  # by step, as each viewer knows them
    faults: list[str] = field(default_factory=list)
    before: State | None = None  # the position before the last step
    agent_seed: int = field(default_factory=lambda: secrets.randbits(AGENT_BITS))  # what they do tells of no dice

    def __post_init__(self) -> None:
        self.used = self.used or [0.0] * self.game.players
        self.state = self.first()
        self.asked: dict[int, State] = {}  # views of this position by seat
        self.record_scores()

    # --- the game -------------------------------------------------------------------------------

    def first(self) -> State:
        """The position in which the game begins."""
        return self.game.play_all([], self.seed, self.position)

    @property
    def humans(self) -> list[int]:
        """The seats of people."""
        return [number for number, seat in enumerate(self.seats) if seat.kind == "human"]

    @property
    def waiting(self) -> list[int]:
        """The seats that have yet to decide in the position shown: the one to move, or all who have not chosen."""
        return [] if self.over else [seat for seat in self.state.movers if seat not in self.choices]

    def turn(self, mine: Sequence[int]) -> int | None:
        """The seat to move, one of these if there is one; None at the end."""
        waiting = self.waiting
        return next((seat for seat in waiting if seat in mine), waiting[0] if waiting else None)

    @property
    def over(self) -> bool:
        """Whether the game has ended, by its rules or otherwise."""
        return self.state.over or (self.ending is not None and self.mode == "play")

    @property
    def actions(self) -> list[int]:
        """The whole game as action codes."""
        return actions_of(self.steps)

    @property
    def secret(self) -> bool:
        """Whether people play who may not see everything."""
        return self.game.hidden and self.mode == "play" and bool(self.humans)

    @property
    def choosing(self) -> bool:
        """Whether people play who may not know what others choose in this round."""
        return self.game.simultaneous and self.mode == "play" and bool(self.humans)

    def legal(self, seat: int, action: int) -> None:
        """Refuse a move that a seat can't make in the position shown."""
        if self.over:
            raise Refusal("not-now", "the game is over", "over")
        state = self.state if self.state.player == seat else self.asking(seat)
        if action not in state.actions:
            try:
                state.copy().play(action)
            except IllegalAction as error:
                raise Refusal("illegal-action", str(error)) from None

    def asking(self, seat: int) -> State:
        """The position as a seat that is to decide sees it, made once; in a round it shows nobody's choice."""
        if not self.game.hidden and not self.game.simultaneous:
            return self.state
        if seat not in self.asked:
            self.asked[seat] = self.state.view(seat)
        return self.asked[seat]

    def play(self, seat: int, action: int) -> None:
        """Play a seat's move; in a round keep it until the last seat has chosen.

        In an analysis the steps after the position shown are dropped.
        """
        self.legal(seat, action)
        choices = {**self.choices, seat: action}
        if self.waiting == [seat]:
            self.step(choices)
        else:
            self.choices = choices
        self.stop_clock(seat)

    def step(self, choices: dict[int, int]) -> None:
        """Play the moves that were chosen, as one step."""
        after, moves = self.state, []
        before = self.state = after.copy()  # it stays if a rule fails; the one that is played on knows its legal moves
        while choices:
            seat = after.player
            action = choices.pop(seat)
            moves.append(Move(seat, action, safe_drawing.move_views(before, seat, action)))
            after.play(action)
        self.before, self.state, self.choices = before, after, {}
        if self.ply < len(self.steps):
            self.steps = self.steps[: self.ply]
        self.steps.append(moves)
        self.curve = [point for point in self.curve if point["ply"] <= self.ply]
        self.ending = None
        self.ply += 1
        self.changes += 1
        self.asked.clear()
        self.record_scores()

    def record_scores(self) -> None:
        """Record everybody's points in the position shown, if the game has points."""
        if SCORE not in self.game.metrics:
            return
        viewers = [None, *range(self.game.players)] if self.game.hidden else [None]
        known = {seat: points_of(self.state if seat is None else self.state.view(seat)) for seat in viewers}
        self.scores = [*self.scores[: self.ply], known]

    def play_all(self, moves: Sequence[int | str], watch: Callable[[], None] = lambda: None) -> None:
        """Make some moves, given as codes or in the game's notation; `watch` is asked before each whether to go on."""
        asked = self.state.copy()
        try:
            actions = self.state.copy().play_all(moves, watch)
        except IllegalAction as error:
            raise Refusal("bad-setup", str(error)) from None
        history, self.state.history, asked.history = self.state.history, None, None  # copied with every move otherwise
        for action in actions:
            watch()
            self.play(asked.player, action)
            asked.play(action)
        self.state.history = None if history is None else history + actions

    def show(self, ply: int) -> None:
        """Go to another position of the game."""
        if ply > len(self.steps):
            raise Refusal("malformed", f"ply {ply} does not exist; the game has {len(self.steps)}")
        self.before = self.game.play_all(actions_of(self.steps[: ply - 1]), self.seed, self.position) if ply else None
        self.state = self.first() if self.before is None else self.before.copy()
        for action in actions_of(self.steps[max(0, ply - 1) : ply]):
            self.state.play(action)
        self.ply, self.choices = ply, {}
        self.changes += 1
        self.asked.clear()

    def undo_ply(self) -> int | None:
        """The position to which a person may take back; None where nothing can be taken back."""
        if self.mode != "play" or self.game.chance or self.game.hidden or not self.humans:
            return None
        if self.ending is not None or any(seat in self.choices for seat in self.humans):
            return self.ply
        decisions = [ply for ply, step in enumerate(self.steps) if any(move.seat in self.humans for move in step)]
        return decisions[-1] if decisions else None

    def undo(self, ply: int) -> None:
        """Take back to a position, so that a person is to move again."""
        self.ending = None
        self.show(ply)
        self.steps = self.steps[:ply]
        self.curve = [point for point in self.curve if point["ply"] < ply]
        self.scores = self.scores[: ply + 1]
        self.since = {}

    def no_undo(self) -> Refusal:
        if self.game.chance:
            return Refusal("not-now", "nothing can be taken back in a game of chance", "undo-chance")
        if self.game.hidden:
            return Refusal("not-now", "nothing can be taken back in a game that hides something", "undo-hidden")
        return Refusal("not-now", "there is nothing to take back", "undo-nothing")

    def resign(self, seat: int) -> None:
        """Give up: the seat's team loses, all others win."""
        self.end("resigned", seat)

    def end(self, kind: str, seat: int) -> None:
        if self.over:
            raise Refusal("not-now", "the game is over", "over")
        self.stop_clock(*self.since)
        self.choices = {}
        teams = self.game.teams
        lost = [bool(teams[other] == teams[seat]) for other in range(self.game.players)]
        self.ending = {"kind": kind, "seat": seat, "returns": [-1.0 if out else 1.0 for out in lost]}

    def result(self) -> Json | None:
        """How it ended; None while it goes on, and at any other position than the last."""
        ending = self.ending if self.ply == len(self.steps) else None
        if ending is None and not self.state.over:
            return None
        word = self.state.outcome if ending is None else ""
        ending = ending or {"kind": "played", "seat": None, "returns": self.state.returns}
        best, worst = max(ending["returns"]), min(ending["returns"])
        winners = [seat for seat, value in enumerate(ending["returns"]) if value == best > worst]
        return {**ending, "winners": winners, "outcome": drawing.words(self.game, word) if word else None}

    def record(self) -> Json:
        """The game as data that can be played again."""
        names, result = self.game.seats, self.result()
        return {
            "game": self.name,
            "options": self.game.options,
            "seed": self.seed if self.seed < EXACT else str(self.seed),
            "position": self.position,
            "seats": {name: seat.spec or "human" for name, seat in zip(names, self.seats, strict=True)},
            "moves": notation(self.first(), self.actions),
            "actions": self.actions,
            "returns": dict(zip(names, result["returns"], strict=True)) if result else None,
        }

    def summary(self) -> Json:
        """The game in a list of games: what it is called, who sits where, and how it ended; nobody's own name."""
        return {
            "title": drawing.words(self.game, self.game.title),
            "players": [
                {"name": drawing.words(self.game, name), "kind": seat.kind, "person": None, "spec": seat.spec}
                for name, seat in zip(self.game.seats, self.seats, strict=True)
            ],
            "result": self.result(),
        }

    # --- the clock ------------------------------------------------------------------------------

    def start_clocks(self, seats: Iterable[int]) -> None:
        """Start the clocks of seats that are to decide."""
        if self.mode == "play":
            for seat in seats:
                self.since.setdefault(seat, time.monotonic())

    def stop_clock(self, *seats: int) -> None:
        for seat in seats:
            if seat in self.since:
                self.used[seat] += time.monotonic() - self.since.pop(seat)

    def clock(self) -> Json:
        """Seconds used by each seat, the running turn included."""
        used = self.used.copy()
        for seat, since in self.since.items():
            used[seat] += time.monotonic() - since
        return {"used": [round(seconds, 2) for seconds in used], "running": sorted(self.since), "limit": self.limit}

    # --- what is shown --------------------------------------------------------------------------

    def same_view(self, one: int, other: int) -> bool:
        """Whether two seats see the same."""
        return self.state.view(one).array.tobytes() == self.state.view(other).array.tobytes()

    def shown(self, viewer: int | None, mine: list[int]) -> Json:
        """The position for a viewer; `mine` are the seats for which it may decide."""
        turn = self.turn(mine)
        decides = self.mode == "analysis" or turn in mine
        asked = self.asking(turn) if turn is not None and decides else None
        drawn, made, broken = safe_drawing.shown(self.state, viewer, asked, *self.known_history())
        return {
            "ply": self.ply,
            "plies": len(self.steps),
            "turn": turn,
            "movers": [] if self.over else self.state.movers,
            "waiting": self.waiting,
            "viewer": viewer,
            "over": self.over,
            "scene": drawn,
            **drawing.packed(made),
            "broken": broken,
            "chosen": self.chosen(viewer),
            "last": self.last(viewer),
            "history": self.history(viewer),
            "clock": self.clock(),
            "result": self.result(),
            "pace": self.pace,
            "paused": self.paused,
            "repeat": self.repeat,
            "faults": self.faults,
        }

    def history(self, viewer: int | None) -> History:
        """The game so far as a viewer may know it."""
        curve = [point for point in self.curve if self.is_known(point["ply"]) or point["seat"] == viewer]
        scores = [known[viewer if self.game.hidden else None] for known in self.scores]
        return History(viewer, [*self.steps], curve, scores)

    def known_history(self) -> tuple[list[tuple[int, int]] | None, State | None]:
        """The moves so far and the position before the last one, for drawing; None while something is secret."""
        if self.secret and not self.state.over:
            return None, None
        return [(move.seat, move.action) for step in self.steps[: self.ply] for move in step], self.before

    def is_known(self, ply: int) -> bool:
        """Whether everybody may see what was thought about a position."""
        return not self.secret and not (self.choosing and ply == self.ply and not self.over)

    def last(self, viewer: int | None) -> list[Json]:
        """The moves that led to the position shown, those that the viewer knows."""
        moves = self.steps[self.ply - 1] if self.ply else []
        known = [(move.seat, move.seen_by(viewer)) for move in moves]
        return [{"seat": seat, **move_outline(move)} for seat, move in known if move is not None]

    def chosen(self, viewer: int | None) -> list[Json]:
        """The choices of this round that the viewer may know: the own one, in an analysis all."""
        known = self.choices if self.mode == "analysis" else {viewer}
        return [
            {"seat": seat, **move_outline(safe_drawing.gesture(self.asking(seat), action))}
            for seat, action in self.choices.items()
            if seat in known
        ]

    # --- storing --------------------------------------------------------------------------------

    def as_dict(self) -> Json:
        """The data from which `restored` makes the game again."""
        kept = (
            "name",
            "seed",
            "agent_seed",
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
            "choices": [*self.choices.items()],
            "options": self.game.options,
            "seats": [asdict(seat) for seat in self.seats],
            "actions": self.actions,
            "faults": self.faults,
        }

    @classmethod
    def restored(cls, game: Game, data: Json) -> LiveGame:
        """The game as it was stored; no clock has run since."""
        data = dict(data)
        actions, ply, ending = data.pop("actions"), data.pop("ply"), data.pop("ending")
        curve, seats = data.pop("curve"), [Seat(**seat) for seat in data.pop("seats")]
        if not len(seats) == len(data["used"]) == game.players > (data["view"] or 0):
            raise ValueError(f"{game.name} has {game.players} seats")
        choices = data.pop("choices", [])
        data.pop("options")
        live = cls(game=game, seats=seats, **{**data, "used": []})
        live.play_all(actions)
        if ply != len(live.steps):
            live.show(ply)
        live.choices = dict(choices)
        live.used, live.ending, live.curve = data["used"], ending, curve
        return live


def points_of(state: State) -> list[float]:
    """The points of all players."""
    game, out = state.game, np.zeros(len(state.game.metrics))
    found = []
    for player in range(game.players):
        game.tell("metrics", s=state.record, player=player, out=out)
        found.append(float(out[game.metrics.index(SCORE)]))
    return found


def actions_of(steps: Iterable[Iterable[Move]]) -> list[int]:
    """Steps as action codes, in the order in which the rules ask for them."""
    return [move.action for step in steps for move in step]


def move_outline(move: Json) -> Json:
    """A move as other messages name and draw it."""
    return {"action": move["action"], "label": move["label"], "steps": move["steps"]}
