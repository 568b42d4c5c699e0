"""How Liar's Dice looks: everybody's dice, and a board of bids on which each is marked by who made it."""

from __future__ import annotations

from typing import Any

from spielbaum.games.liars_dice.rules import LIAR, MOST_BIDS, UNKNOWN, Tables

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
            "kind": "rect", "id": f"bid-{bid}", "at": place(t, bid), "size": [0.94, 0.94], "round": 0.1,
            "role": "field", "edge": "grid", "width": 0.04, "title": bid_name(t, bid),
        }
        for bid in range(bids_of(t))
    ]  # fmt: skip
    names = [
        {"kind": "text", "at": [x + 0.47, y + 0.47], "text": bid_name(t, bid), "size": 0.26, "role": "muted"}
        for bid in range(bids_of(t))
        for x, y in [place(t, bid)]
    ]
    width, height = max(t.faces, t.dice + 1), t.players * (t.dice + 1)
    return {
        "box": [-0.2, -0.2, width + 0.4, height + 0.4],
        "layers": [{"name": "bids", "shapes": cells}, {"name": "names", "shapes": names}],
    }


def place(t: Tables, bid: int) -> list[float]:
    """Where a bid stands, below everybody's dice."""
    return [float(bid % t.faces), float(t.players + bid // t.faces)]


def bid_name(t: Tables, bid: int) -> str:
    return f"{bid // t.faces + 1}×{bid % t.faces + 1}"


def scene(t: Tables, s: Any) -> dict[str, Any]:
    """Dice, face down where they are not known, and a ring around every bid."""
    dice = [shape for q in range(t.players) for shape in dice_of(t, s, q)]
    made = [bid for bid in range(MOST_BIDS) if s.made[bid]]
    marks = [mark(t, bid, number % t.players, bid == s.last) for number, bid in enumerate(made)]
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
    english, german = ("hidden", "verdeckt") if face == UNKNOWN else (str(face + 1), str(face + 1))
    return {"en": f"die of player {player + 1}: {english}", "de": f"Würfel von Spieler {player + 1}: {german}"}


def mark(t: Tables, bid: int, player: int, is_last: bool) -> dict[str, Any]:
    x, y = place(t, bid)
    title = {"en": f"bid of player {player + 1}", "de": f"Gebot von Spieler {player + 1}"}
    look = {"kind": "circle", "id": f"mark-{bid}", "at": [x + 0.47, y + 0.47], "r": 0.4, "role": "none"}
    return {**look, "title": title, "edge": f"player-{player + 1}", "width": 0.1, "opacity": 1 if is_last else 0.4}


def status(s: Any) -> dict[str, str] | None:
    return {"en": "All dice are shown.", "de": "Alle Würfel liegen offen."} if s.called else None


def gesture(t: Tables, action: int) -> dict[str, Any]:
    """Tap a bid, or press the button."""
    if action == LIAR:
        return {"label": {"en": "liar!", "de": "Lüge!"}, "key": "l"}
    return {"steps": [f"bid-{action}"], "label": bid_name(t, action)}


def tell(t: Tables, action: int) -> dict[str, Any]:
    """Everybody hears a bid."""
    return gesture(t, action)


WORDS = {
    "Liar's Dice": {"en": "Liar's Dice", "de": "Lügenwürfel"},
    "about": {
        "en": "Bid how many dice of a face lie on the table, or call the last bidder a liar.",
        "de": "Bieten, wie viele Würfel mit einer Augenzahl auf dem Tisch liegen, oder die letzte Ansage anzweifeln.",
    },
    "first": {"en": "player 1", "de": "Spieler 1"},
    "second": {"en": "player 2", "de": "Spieler 2"},
    "third": {"en": "player 3", "de": "Spieler 3"},
    "fourth": {"en": "player 4", "de": "Spieler 4"},
    "players": {"en": "players", "de": "Spieler"},
    "who play": {"en": "who play", "de": "die mitspielen"},
    "dice": {"en": "dice", "de": "Würfel"},
    "dice of each player": {"en": "dice of each player", "de": "Würfel jedes Spielers"},
    "faces": {"en": "faces", "de": "Flächen"},
    "faces of a die": {"en": "faces of a die", "de": "Flächen eines Würfels"},
}
RULES = [
    {
        "title": {"en": "Bidding", "de": "Ansagen"},
        "text": {
            "en": "Everybody rolls in secret. In turn you bid how many dice of one face lie on the whole table, yours"
            " and all others.\n\n- Each bid is **higher** than the last: more dice, or as many of a higher face.\n"
            "- The **highest face** counts as every other one.",
            "de": "Alle würfeln verdeckt. Reihum sagt man an, wie viele Würfel mit einer Augenzahl auf dem ganzen Tisch"
            " liegen, die eigenen und alle anderen.\n\n- Jede Ansage ist **höher** als die letzte: mehr Würfel oder"
            " gleich viele mit höherer Augenzahl.\n- Die **höchste Augenzahl** zählt als jede andere.",
        },
        "figure": {
            "moves": ["1x3", "1x5", "2x2"],
            "seed": 3,
            "caption": {"en": "Two twos are bid: true or a lie?", "de": "Zwei Zweien sind angesagt: wahr oder Lüge?"},
        },
    },
    {
        "title": {"en": "Liar!", "de": "Lüge!"},
        "text": {
            "en": "Instead of bidding you may doubt the last bid. All dice are shown: if there are as many as were bid,"
            " the bidder wins and you lose, otherwise you win and the bidder loses.",
            "de": "Statt anzusagen, kann man die letzte Ansage anzweifeln. Alle Würfel werden gezeigt: Sind es so viele"
            " wie angesagt, gewinnt, wer sie gemacht hat, und man selbst verliert, sonst ist es umgekehrt.",
        },
    },
]
PREVIEW = ["1x3", "1x5", "2x2"]
