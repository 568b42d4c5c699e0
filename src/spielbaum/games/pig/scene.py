"""How Pig looks: two tracks to the target, what is banked in colour and what is at stake hatched behind it."""

from __future__ import annotations

from typing import Any

from spielbaum.games.pig.rules import HOLD, PLAYERS, Tables

LENGTH, TRACK, GAP = 10.0, 0.9, 1.6
NAMES = ({"en": "first", "de": "erster"}, {"en": "second", "de": "zweiter"})


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
        "text": {"en": f"target {t.target}", "de": f"Ziel {t.target}"},
        "size": 0.4,
        "anchor": "end",
        "role": "muted",
    }
    layers = {"tracks": tracks, "marks": marks, "goal": [goal]}
    return {
        "box": [-0.3, -0.1, LENGTH + 0.6, top(PLAYERS - 1) + TRACK + 0.4],
        "layers": [{"name": name, "shapes": shapes} for name, shapes in layers.items()],
    }


def scene(t: Tables, s: Any, seat: int | None) -> dict[str, Any]:
    """The bars and their numbers."""
    shapes = [shape for player in range(PLAYERS) for shape in bars(t, s, player)]
    panels = [
        {
            "id": f"points-{player}",
            "seat": player,
            "show": "bars",
            "items": [
                {"label": {"en": "points", "de": "Punkte"}, "value": int(s.score[player]), "most": int(t.target)}
            ],
        }
        for player in range(PLAYERS)
    ]
    stake = int(s.total)
    status = {"en": f"{stake} points at stake", "de": f"{stake} Punkte stehen auf dem Spiel"} if stake else None
    return {"layers": [{"name": "bars", "shapes": shapes}], "panels": panels, "status": status}


def bars(t: Tables, s: Any, player: int) -> list[dict[str, Any]]:
    """What a player has banked, and behind it what is at stake."""
    score, stake = int(s.score[player]), int(s.total) if s.to_move == player else 0
    banked = LENGTH * min(1.0, score / t.target)
    risked = min(LENGTH - banked, LENGTH * stake / t.target)
    role, y = f"player-{player + 1}", top(player)
    shapes: list[dict[str, Any]] = []
    if banked:
        shapes.append({"kind": "rect", "at": [0, y], "size": [banked, TRACK], "round": 0.15, "role": role})
    if risked > 0:
        stack = {"kind": "rect", "at": [banked, y], "size": [risked, TRACK], "round": 0.15, "role": role}
        shapes.append({**stack, "opacity": 0.4, "edge": role, "width": 0.04})
    text = f"{score} + {stake}" if stake else str(score)
    number = {"kind": "text", "id": f"score-{player}", "at": [0.25, y + TRACK / 2], "text": text, "size": 0.5}
    number["title"] = {language: f"{name}: {text}" for language, name in NAMES[player].items()}
    return [*shapes, {**number, "anchor": "start", "weight": "bold", "role": "ink"}]


def gesture(t: Tables, s: Any, action: int) -> dict[str, Any]:
    """Two buttons, and a key for each."""
    if action == HOLD:
        return {"label": {"en": "hold", "de": "halten"}, "key": "h"}
    return {"label": {"en": "roll", "de": "würfeln"}, "key": "r"}


WORDS = {
    "Pig": {"en": "Pig", "de": "Böse Eins"},
    "about": {
        "en": "Roll the die as often as you dare: a 1 loses the turn's points, to hold banks them.",
        "de": "Würfle, so oft du dich traust: Eine 1 kostet die Punkte des Zugs, wer aufhört, behält sie.",
    },
    "first": NAMES[0],
    "second": NAMES[1],
    "target": {"en": "target", "de": "Ziel"},
    "points that win the game": {"en": "points that win the game", "de": "Punkte, mit denen man gewinnt"},
    "hold-at-20": {"en": "hold at 20", "de": "halten ab 20"},
    "race-or-pace": {"en": "race or pace", "de": "je nach Rückstand"},
    "a point of the turn's total, against 1 for a banked point": {
        "en": "a point of the turn's total, against 1 for a banked point",
        "de": "ein Punkt des laufenden Zugs, gegenüber 1 für einen sicheren Punkt",
    },
}
RULES = [
    {
        "title": {"en": "A turn", "de": "Ein Zug"},
        "text": {
            "en": "Roll the die as often as you like; each roll counts for the turn.\n\n- A **1** ends the turn and its"
            " points are lost.\n- To **hold** banks the points and passes the die.",
            "de": "Würfle, so oft du möchtest; jeder Wurf zählt für den Zug.\n\n- Eine **1** beendet den Zug, und seine"
            " Punkte sind verloren.\n- Wer **hält**, behält die Punkte und gibt den Würfel weiter.",
        },
        "figure": {
            "moves": ["roll", "roll"],
            "seed": 1,
            "caption": {"en": "Pale points are still at stake.", "de": "Blasse Punkte stehen noch auf dem Spiel."},
        },
    },
    {
        "title": {"en": "Goal", "de": "Ziel"},
        "text": {
            "en": "Whoever banks the target first wins.",
            "de": "Wer das Ziel zuerst sicher erreicht, gewinnt.",
        },
    },
]
