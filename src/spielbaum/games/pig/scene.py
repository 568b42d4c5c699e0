"""How Pig looks: two tracks to the target, what is banked in colour and what is at stake behind it, and the die."""

from __future__ import annotations

import pathlib
from typing import Any

from spielbaum.games.pig.rules import HOLD, PLAYERS, Tables
from spielbaum.translations import Translations

TEXTS = Translations(pathlib.Path(__file__).with_name("texts.toml"))
WORDS, RULES = TEXTS.words, TEXTS.rules
LENGTH, TRACK, GAP = 10.0, 0.9, 1.6
DIE, PIP = 2.0, 0.2
LOW, MID, HIGH = 0.5, 1.0, 1.5  # where pips lie
CORNERS = [(LOW, LOW), (HIGH, HIGH), (HIGH, LOW), (LOW, HIGH)]
CENTRE, SIDES = [(MID, MID)], [(LOW, MID), (HIGH, MID)]
PIPS = (CENTRE[:0], CENTRE, CORNERS[:2], CORNERS[:2] + CENTRE, CORNERS, CORNERS + CENTRE, CORNERS + SIDES)
NOT_ROLLED = 0
TITLES = ("player 1: {points}", "player 2: {points}")


def top(player: int) -> float:
    """The upper edge of a player's track."""
    return 0.6 + player * GAP


def backdrop(t: Tables) -> dict[str, Any]:
    """Two empty tracks with marks at every tenth of the way."""
    tracks = [
        {"kind": "rect", "at": [0, top(player)], "size": [LENGTH, TRACK], "round": 0.15, "role": "field"}
        for player in range(PLAYERS)
    ]
    marks = [
        {"kind": "line", "points": [[x, top(p) + 0.1], [x, top(p) + TRACK - 0.1]], "edge": "grid", "width": 0.03}
        for p in range(PLAYERS)
        for x in range(1, int(LENGTH))
    ]
    goal = {
        "kind": "text",
        "at": [LENGTH, 0.28],
        "text": TEXTS.format("target {points}", points=t.target),
        "size": 0.4,
        "anchor": "end",
        "role": "muted",
    }
    layers = {"tracks": tracks, "marks": marks, "goal": [goal]}
    return {
        "box": [-0.3, -0.1, LENGTH + 0.6, top(PLAYERS) + DIE + 0.5],
        "layers": [{"name": name, "shapes": shapes} for name, shapes in layers.items()],
    }


def scene(t: Tables, s: Any, moves: list[tuple[int, int]] | None, before: Any) -> dict[str, Any]:
    """The bars and their numbers, and the die as it fell."""
    shapes = [shape for player in range(PLAYERS) for shape in bars(t, s, player)]
    numbers = [score_text(s, player) for player in range(PLAYERS)]
    panels = [
        {
            "id": f"points-{player}",
            "seat": player,
            "show": "bars",
            "items": [{"label": TEXTS["points"], "value": int(s.score[player]), "most": int(t.target)}],
        }
        for player in range(PLAYERS)
    ]
    face, lost, banked = last_move(s, *moves[-1], int(before.total)) if moves else (NOT_ROLLED, 0, 0)
    layers = {"bars": shapes, "numbers": numbers, "die": die(face, lost)}
    drawn = [{"name": name, "shapes": shapes} for name, shapes in layers.items()]
    return {"layers": drawn, "panels": panels, "status": status(int(s.total), face, lost, banked)}


def last_move(s: Any, mover: int, action: int, total: int) -> tuple[int, int, int]:
    """What the die shows, what a 1 has cost, and what was banked; `total` was the turn's before the move."""
    if action == HOLD:
        return NOT_ROLLED, 0, total
    if s.to_move != mover:
        return 1, total, 0
    return int(s.total) - total, 0, 0


def die(face: int, lost: int) -> list[dict[str, Any]]:
    """The die below the tracks, and beside it what it has brought."""
    x, y = LENGTH / 2 - DIE / 2, top(PLAYERS)
    ink = "bad" if face == 1 else "ink"
    cube = {"kind": "rect", "id": "die", "at": [x, y], "size": [DIE, DIE], "round": 0.35, "role": "paper", "edge": ink}
    pips = [
        {"kind": "circle", "id": f"pip-{face}-{i}", "at": [x + dx, y + dy], "r": PIP, "role": ink}
        for i, (dx, dy) in enumerate(PIPS[face])
    ]
    title = TEXTS.format("die: {face}", face=face) if face else TEXTS["die"]
    drawn = [{**cube, "width": 0.1, "opacity": 1.0 if face else 0.35, "title": title}, *pips]
    if face == NOT_ROLLED or (face == 1 and not lost):
        return drawn
    text, role = (f"−{lost}", "bad") if face == 1 else (f"+{face}", "good")
    gain = {"kind": "text", "id": "gain", "at": [x + DIE + 0.5, y + DIE / 2], "anchor": "start", "weight": "bold"}
    return [*drawn, {**gain, "text": text, "size": 0.8, "role": role}]


def status(stake: int, face: int, lost: int, banked: int) -> dict[str, str] | None:
    """What has happened, and what may be lost."""
    if lost:
        return TEXTS.format("A 1: the turn's {points} points are lost.", points=lost)
    if face == 1:
        return TEXTS["A 1: the turn is over."]
    if stake:
        return TEXTS.format("{points} points at stake.", points=stake)
    return TEXTS.format("{points} points banked.", points=banked) if banked else None


def bars(t: Tables, s: Any, player: int) -> list[dict[str, Any]]:
    """What a player has banked, and behind it what is at stake."""
    score, stake = points_of(s, player)
    banked = LENGTH * min(1.0, score / t.target)
    risked = min(LENGTH - banked, LENGTH * stake / t.target)
    role, y = f"player-{player + 1}", top(player)
    shapes: list[dict[str, Any]] = []
    if banked:
        shapes.append({"kind": "rect", "at": [0, y], "size": [banked, TRACK], "round": 0.15, "role": role})
    if risked > 0:
        stack = {"kind": "rect", "at": [banked, y], "size": [risked, TRACK], "round": 0.15, "role": role}
        shapes.append({**stack, "opacity": 0.4, "edge": role, "width": 0.04})
    return shapes


def score_text(s: Any, player: int) -> dict[str, Any]:
    """The points in figures."""
    score, stake = points_of(s, player)
    text = f"{score} + {stake}" if stake else str(score)
    look = {"kind": "text", "size": 0.5, "anchor": "start", "weight": "bold", "role": "ink"}
    title = TEXTS.format(TITLES[player], points=text)
    return {**look, "id": f"score-{player}", "at": [0.25, top(player) + TRACK / 2], "text": text, "title": title}


def points_of(s: Any, player: int) -> tuple[int, int]:
    """What a player has banked, and what is at stake."""
    return int(s.score[player]), int(s.total) if s.to_move == player else 0


def gesture(action: int) -> dict[str, Any]:
    """Two buttons, and a key for each."""
    if action == HOLD:
        return {"label": TEXTS["hold"], "key": "h"}
    return {"label": TEXTS["roll"], "key": "r"}
