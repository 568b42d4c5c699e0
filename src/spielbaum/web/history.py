"""The history of a game on the wire: a message carries what its client does not have yet.

A game's moves, points and values grow with every move, and the client knows most of them already. So each list is sent
as `{"keep": 12, "add": […]}`: the client keeps the first 12 entries that it has, drops the rest, and adds the new ones.
`keep` is 0 where the client has nothing, and smaller than before where moves were taken back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from spielbaum.scenes.drawing import Json


@dataclass(frozen=True)
class Move:
    """A move that was made, as each seat knows it: `views` has None for those who learn nothing of it."""

    seat: int
    action: int
    views: list[Json | None]

    def seen_by(self, viewer: int | None) -> Json | None:
        """What a seat knows of the move; for the viewer who sees everything, what its mover knows."""
        return self.views[self.seat if viewer is None else viewer]


class History(NamedTuple):
    """A game so far as one viewer may know it: its steps, the values of searches, and everybody's points."""

    viewer: int | None
    steps: Sequence[Sequence[Move]]
    curve: Sequence[Json]
    scores: Sequence[Sequence[float]]

    def since(self, sent: History | None) -> Json:
        """The lists of a state message for a client that was sent another history before, or None."""
        known = sent if sent is not None and sent.viewer == self.viewer else History(self.viewer, [], [], [])
        ply = shared(known.steps, self.steps)
        moves = [
            {"ply": number, "seat": move.seat, "label": label_of(move.seen_by(self.viewer))}
            for number, step in enumerate(self.steps[ply:], ply)
            for move in step
        ]
        return {
            "moves": {"keep": sum(map(len, self.steps[:ply])), "add": moves},
            "curve": added(known.curve, self.curve),
            "scores": added(known.scores, self.scores),
        }


def shared(one: Sequence[Any], other: Sequence[Any]) -> int:
    """How many entries two lists begin with in common."""
    short = min(len(one), len(other))
    if one[:short] == other[:short]:  # nearly always, and quick: most entries are the same objects
        return short
    return next(number for number, (left, right) in enumerate(zip(one, other, strict=False)) if left != right)


def added(known: Sequence[Any], now: Sequence[Any]) -> Json:
    """What a client must do to its list to have the present one."""
    keep = shared(known, now)
    return {"keep": keep, "add": now[keep:]}


def label_of(move: Json | None) -> Any:
    return None if move is None else move["label"]
