"""How Amazons looks: a chequered board, amazons with their bows, and burnt squares where arrows have struck."""

from __future__ import annotations

from typing import Any

from spielbaum.games.amazons.notation import FILES, move_name, square_name, squares_of
from spielbaum.games.amazons.rules import AMAZONS, LANE_BITS, PLACE, PLACE_BITS, PLAYERS, Tables

MARGIN = 0.55
SIGNS = ("shell", "stone")
TITLES = ({"en": "white amazon", "de": "weiße Amazone"}, {"en": "black amazon", "de": "schwarze Amazone"})


def corner(t: Tables, square: int) -> list[float]:
    """The upper left corner of a square; the first row is at the bottom."""
    return [square & PLACE, t.size - 1 - (square >> PLACE_BITS)]


def centre(t: Tables, square: int) -> list[float]:
    x, y = corner(t, square)
    return [x + 0.5, y + 0.5]


def squares(t: Tables) -> list[int]:
    return [row << PLACE_BITS | column for row in range(t.size) for column in range(t.size)]


def backdrop(t: Tables) -> dict[str, Any]:
    """The empty board."""
    frame = {
        "kind": "rect",
        "at": [-MARGIN, -MARGIN],
        "size": [t.size + 2 * MARGIN, t.size + 2 * MARGIN],
        "round": 0.15,
        "role": "frame",
    }
    fields = [
        {
            "kind": "rect",
            "id": square_name(square),
            "at": corner(t, square),
            "size": [1, 1],
            "role": "field-alt" if (square + (square >> PLACE_BITS)) % 2 == 0 else "field",
            "title": square_name(square),
        }
        for square in squares(t)
    ]
    amazon = [
        {"kind": "circle", "r": 0.8, "role": "ink", "edge": "frame", "width": 0.08},
        {"kind": "path", "d": "M-.3-.55Q.6 0-.3.55Z", "edge": "frame", "width": 0.1},  # the bow
        {"kind": "path", "d": "M-.5 0H.5M.3-.16L.5 0L.3.16", "edge": "frame", "width": 0.1},
    ]
    burnt = [
        {"kind": "rect", "at": [-0.86, -0.86], "size": [1.72, 1.72], "round": 0.2, "role": "muted"},
        {"kind": "path", "d": "M-.42-.42L.42.42M.42-.42L-.42.42", "edge": "paper", "width": 0.16},
    ]
    layers = {"frame": [frame], "fields": fields, "names": names(t)}
    size = t.size + 2 * MARGIN + 0.1
    return {
        "box": [-MARGIN - 0.05, -MARGIN - 0.05, size, size],
        "layers": [{"name": name, "shapes": shapes} for name, shapes in layers.items()],
        "symbols": {
            "amazon": {"box": [-1, -1, 2, 2], "shapes": amazon},
            "burnt": {"box": [-1, -1, 2, 2], "shapes": burnt},
        },
    }


def names(t: Tables) -> list[dict[str, Any]]:
    """Letters below the columns and numbers beside the rows."""
    letter = {"kind": "text", "size": 0.26, "role": "paper"}
    columns = [letter | {"text": FILES[i], "at": [i + 0.5, t.size + MARGIN / 2]} for i in range(t.size)]
    rows = [letter | {"text": str(t.size - i), "at": [-MARGIN / 2, i + 0.5]} for i in range(t.size)]
    return [*columns, *rows]


def scene(t: Tables, s: Any, seat: int | None) -> dict[str, Any]:
    """The arrows and the amazons."""
    taken, standing = s.lines.tolist(), set(s.amazons.ravel().tolist())
    arrows = [
        {
            "kind": "use",
            "symbol": "burnt",
            "id": f"arrow-{square_name(square)}",
            "at": centre(t, square),
            "size": [1, 1],
            "title": {"en": "arrow", "de": "Pfeil"},
        }
        for square in squares(t)
        if taken[square >> PLACE_BITS] >> (square & PLACE) & 1 and square not in standing
    ]
    amazons = [
        {
            "kind": "use",
            "symbol": "amazon",
            "id": f"amazon-{player}-{amazon}",
            "at": centre(t, int(s.amazons[player, amazon])),
            "size": [0.9, 0.9],
            "role": SIGNS[player],
            "title": TITLES[player],
        }
        for player in range(PLAYERS)
        for amazon in range(AMAZONS)
    ]
    return {"layers": [{"name": "arrows", "shapes": arrows}, {"name": "amazons", "shapes": amazons}]}


def gesture(s: Any, player: int, action: int) -> dict[str, Any]:
    """Tap the amazon, where it goes, and what it shoots at."""
    squares = squares_of(s.amazons.item(player, action >> 2 * LANE_BITS), action)
    return {"steps": list(squares), "label": move_name(*squares)}


PREVIEW = [
    "d1-d7/g7", "d10-d8/g8", "g1-g6/d3", "g10-f9/f4", "a4-c6/c9", "j7-h7/h3", "j4-i5/i8", "a7-b7/b2",
]  # fmt: skip
WORDS = {
    "Amazons": {"en": "Amazons", "de": "Amazonen"},
    "about": {
        "en": "Move like a queen and shoot an arrow that blocks a square for good; who can't move any more loses.",
        "de": "Ziehen wie eine Dame und einen Pfeil schießen, der ein Feld für immer sperrt; wer nicht mehr ziehen"
        " kann, verliert.",
    },
    "white": {"en": "white", "de": "Weiß"},
    "black": {"en": "black", "de": "Schwarz"},
    "size": {"en": "size", "de": "Größe"},
    "rows and columns of the board": {"en": "rows and columns of the board", "de": "Reihen und Spalten des Bretts"},
    "a square that a queen reaches in fewer moves than the enemy's": {
        "en": "a square that a queen reaches in fewer moves than the enemy's",
        "de": "ein Feld, das eine Dame in weniger Zügen erreicht als die gegnerischen",
    },
    "a square that a king reaches in fewer moves than the enemy's": {
        "en": "a square that a king reaches in fewer moves than the enemy's",
        "de": "ein Feld, das ein König in weniger Zügen erreicht als die gegnerischen",
    },
    "a square that both queens reach as soon, for who is to move": {
        "en": "a square that both queens reach as soon, for who is to move",
        "de": "ein Feld, das beide Damen gleich schnell erreichen, für den, der am Zug ist",
    },
}
RULES = [
    {
        "title": {"en": "A move", "de": "Ein Zug"},
        "text": {
            "en": "White begins. Move one of your amazons as a queen moves in chess: any distance in a straight or"
            " diagonal line over free squares. Then this amazon shoots an arrow, which flies as a queen moves from"
            " where she stands now. The arrow stays where it strikes.\n\nTap the amazon, the square she goes to, and"
            " the square she shoots at.",
            "de": "Weiß beginnt. Ziehe eine deiner Amazonen wie eine Dame im Schach: beliebig weit gerade oder schräg"
            " über freie Felder. Dann schießt diese Amazone einen Pfeil, der von ihrem neuen Feld aus fliegt, wie eine"
            " Dame zieht. Der Pfeil bleibt, wo er trifft.\n\nTippe auf die Amazone, auf das Feld, auf das sie zieht,"
            " und auf das Feld, auf das sie schießt.",
        },
        "figure": {
            "moves": ["d1-d7/g7"],
            "caption": {
                "en": "White has moved from d1 to d7 and shot at g7.",
                "de": "Weiß ist von d1 nach d7 gezogen und hat auf g7 geschossen.",
            },
        },
    },
    {
        "title": {"en": "Blocked squares", "de": "Gesperrte Felder"},
        "text": {
            "en": "Neither amazons nor arrows pass over amazons or squares that an arrow has struck. Nothing is ever"
            " taken from the board; it fills with every move. An arrow may strike the square that its amazon has just"
            " left.",
            "de": "Weder Amazonen noch Pfeile kommen an Amazonen oder an getroffenen Feldern vorbei. Nichts wird vom"
            " Brett genommen; mit jedem Zug wird es voller. Ein Pfeil darf das Feld treffen, das seine Amazone gerade"
            " verlassen hat.",
        },
        "figure": {
            "moves": PREVIEW,
            "caption": {"en": "After four moves each.", "de": "Nach vier Zügen auf jeder Seite."},
        },
    },
    {
        "title": {"en": "Goal", "de": "Ziel"},
        "text": {
            "en": "Who is to move and can't, loses. So wall in squares that only your own amazons can reach, and shut"
            " those of the enemy into small corners.",
            "de": "Wer am Zug ist und nicht ziehen kann, verliert. Mauere also Felder ein, die nur deine Amazonen"
            " erreichen, und sperre die gegnerischen in kleine Ecken.",
        },
    },
]
