"""How Liar's Dice looks: everybody's dice, and a board of bids on which each is marked by who made it."""

from __future__ import annotations

import pathlib
from typing import Any

from spielbaum.games.liars_dice.rules import LIAR, MOST_BIDS, UNKNOWN, Tables
from spielbaum.translations import Translations

TEXTS = Translations(pathlib.Path(__file__).with_name("texts.toml"))
WORDS, RULES = TEXTS.words, TEXTS.rules
SIDE = 0.8


def faces_of(t: Tables, s: Any, player: int) -> list[int]:
    """A player's dice in order, UNKNOWN where they are not seen."""
    if s.dice[player][0] == UNKNOWN:
        return [UNKNOWN] * t.dice
    return [face for face in range(t.faces) for _ in range(s.dice[player][face])]


def bids_of(t: Tables) -> int:
    return t.players * t.dice * t.faces


def backdrop(t: Tables) -> dict[str, Any]:
    """The board of bids: a row for each number of dice, a column for each face."""
    cells = [
        {
            "kind": "rect", "id": f"bid-{bid}", "at": bid_corner(t, bid), "size": [0.94, 0.94], "round": 0.1,
            "role": "field", "edge": "grid", "width": 0.04, "title": bid_name(t, bid),
        }
        for bid in range(bids_of(t))
    ]  # fmt: skip
    names = [
        {"kind": "text", "at": [x + 0.47, y + 0.47], "text": bid_name(t, bid), "size": 0.26, "role": "muted"}
        for bid in range(bids_of(t))
        for x, y in [bid_corner(t, bid)]
    ]
    width, height = max(t.faces, t.dice + 1), t.players * (t.dice + 1)
    return {
        "box": [-0.2, -0.2, width + 0.4, height + 0.4],
        "layers": [{"name": "bids", "shapes": cells}, {"name": "names", "shapes": names}],
    }


def bid_corner(t: Tables, bid: int) -> list[float]:
    """Where a bid stands, below everybody's dice."""
    return [float(bid % t.faces), float(t.players + bid // t.faces)]


def bid_name(t: Tables, bid: int) -> str:
    return f"{bid // t.faces + 1}×{bid % t.faces + 1}"


def scene(t: Tables, s: Any) -> dict[str, Any]:
    """Dice, face down where they are not known, and a ring around every bid."""
    dice = [shape for q in range(t.players) for shape in dice_of(t, s, q)]
    made = [bid for bid in range(MOST_BIDS) if s.made[bid]]
    marks = [bid_mark(t, bid, number % t.players, bid == s.last) for number, bid in enumerate(made)]
    return {"layers": [{"name": "dice", "shapes": dice}, {"name": "marks", "shapes": marks}], "status": status(s)}


def dice_of(t: Tables, s: Any, player: int) -> list[dict[str, Any]]:
    shapes = []
    for number, face in enumerate(faces_of(t, s, player)):
        name, x, y = f"die-{player}-{number}", float(number), float(player)
        look = {"kind": "rect", "id": name, "at": [x, y], "size": [SIDE, SIDE], "round": 0.15, "width": 0.07}
        role, edge = "neutral" if face == UNKNOWN else "paper", f"player-{player + 1}"
        shapes.append({**look, "role": role, "edge": edge, "title": die_name(player, face)})
        text = {"kind": "text", "id": f"{name}-face", "at": [x + SIDE / 2, y + SIDE / 2], "size": 0.5, "weight": "bold"}
        shapes.append({**text, "text": "?" if face == UNKNOWN else str(face + 1), "role": "ink"})
    return shapes


def die_name(player: int, face: int) -> dict[str, str]:
    seen = TEXTS["hidden"] if face == UNKNOWN else face + 1
    return TEXTS.format("die of player {player}: {face}", player=player + 1, face=seen)


def bid_mark(t: Tables, bid: int, player: int, is_last: bool) -> dict[str, Any]:
    x, y = bid_corner(t, bid)
    title = TEXTS.format("bid of player {player}", player=player + 1)
    look = {"kind": "circle", "id": f"mark-{bid}", "at": [x + 0.47, y + 0.47], "r": 0.4, "role": "none"}
    return {**look, "title": title, "edge": f"player-{player + 1}", "width": 0.1, "opacity": 1 if is_last else 0.4}


def status(s: Any) -> dict[str, str] | None:
    return TEXTS["All dice are shown."] if s.called else None


def gesture(t: Tables, action: int) -> dict[str, Any]:
    """Tap a bid, or press the button."""
    if action == LIAR:
        return {"label": TEXTS["liar!"], "key": "l"}
    return {"steps": [f"bid-{action}"], "label": bid_name(t, action)}


def tell(t: Tables, action: int) -> dict[str, Any]:
    """Everybody hears a bid."""
    return gesture(t, action)


PREVIEW = ["1x3", "1x5", "2x2"]
