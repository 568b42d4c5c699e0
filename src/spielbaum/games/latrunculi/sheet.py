"""Latrunculi for people: the rule sheet with drawn examples, the kinds of game, and all names in German."""

from __future__ import annotations

from typing import Any

from spielbaum.games.latrunculi.scene import drawing
from spielbaum.games.latrunculi.variants import LARGEST, SMALLEST

SIZES = range(SMALLEST, LARGEST + 1)

SUGGESTIONS = {"board": [f"{files}x{ranks}" for files in SIZES for ranks in SIZES]}
PRESETS = {
    "birkenfeld": {},
    "small": {"board": "6x6"},
    "large": {"board": "10x10"},
    "kowalski": {"preset": "kowalski"},
    "kowalski-dux": {"preset": "kowalski-dux"},
    "quintana": {"preset": "quintana"},
    "same-piece": {"preset": "same-piece"},
}
KIOSK = {"options": {"board": "6x6"}, "agents": ["master", "mcts:iterations=1000,depth=4,c=0.3"]}
PREVIEW = ["d1-d4", "e8-e5", "e1-e4", "d8-d5", "c1-c5", "f8-f5", "g1-g5", "b8-b4"]


def section(title: tuple[str, str], text: tuple[str, str], caption: tuple[str, str] | None = None, **drawn: Any) -> Any:
    """A section of the sheet; English first."""
    figure = {"figure": {**drawing(**drawn), "caption": both(*caption)}} if caption else {}
    return {"title": both(*title), "text": both(*text), **figure}


def both(en: str, de: str) -> dict[str, str]:
    return {"en": en, "de": de}


RULES = [
    section(
        ("Goal", "Ziel"),
        (
            "Take the other side's pieces. Whoever leaves the opponent with a single piece, or without a move, wins.",
            "Schlage die Figuren der anderen Seite. Wer dem Gegner nur eine Figur oder keinen Zug mehr lässt, gewinnt.",
        ),
        ("Shells below, stones above; shells begin.", "Unten die Muscheln, oben die Steine; Muscheln beginnen."),
        rows=["SSSSSS", "......", "......", "......", "......", "MMMMMM"],
    ),
    section(
        ("Moving", "Ziehen"),
        (
            "A piece moves along its row or column, as far as you like, but never over another piece.",
            "Eine Figur zieht waagrecht oder senkrecht, so weit du willst, aber nie über eine andere hinweg.",
        ),
        ("Where this shell can go.", "Wohin diese Muschel ziehen kann."),
        rows=[".....", "..S..", ".....", "..M..", "....."],
        arrows=[("c2", "a2"), ("c2", "e2"), ("c2", "c3"), ("c2", "c1")],
    ),
    section(
        ("Capturing", "Schlagen"),
        (
            "Enclose an enemy between two of your pieces, side by side in a row or column, and it is taken. "
            "One move can take up to three.\n\nCapturing is never compulsory.",
            "Schließe einen Gegner waagrecht oder senkrecht zwischen zwei deiner Figuren ein: Er ist geschlagen. "
            "Ein Zug kann bis zu drei Figuren schlagen.\n\nNiemand muss schlagen.",
        ),
        ("The shell encloses the stone.", "Die Muschel schließt den Stein ein."),
        rows=[".....", "...S.", ".MS..", "...M.", "....."],
        arrows=[("d2", "d3")],
        crosses=["c3"],
    ),
    section(
        ("Safe places", "Sichere Plätze"),
        (
            "- A piece that moves in between two enemies is not taken.\n"
            "- A piece in a corner cannot be taken, one at the edge only along the edge.\n"
            "- Four pieces in a square protect each other.",
            "- Wer selbst zwischen zwei Gegner zieht, wird nicht geschlagen.\n"
            "- In der Ecke ist man sicher, am Rand nur entlang des Randes zu schlagen.\n"
            "- Vier Figuren im Quadrat schützen einander.",
        ),
        ("All these shells are safe.", "All diese Muscheln sind sicher."),
        rows=["M....", "S....", "...MM", ".S.MM", "....S"],
    ),
    section(
        ("Moving again", "Noch einmal ziehen"),
        (
            "Whoever takes something moves again, with any piece, and again as long as something is taken.",
            "Wer geschlagen hat, muss noch einmal ziehen, mit einer beliebigen Figur, solange er weiter schlägt.",
        ),
    ),
    section(
        ("When nothing happens", "Wenn nichts mehr geschieht"),
        (
            "If the same position stands for the third time, or nothing was taken for 60 plies, the game is over: "
            "**the side with more pieces wins**, with equal numbers it is a draw.",
            "Steht dieselbe Stellung zum dritten Mal da oder wurde in 60 Zügen nichts geschlagen, ist das Spiel aus: "
            "**Wer mehr Figuren hat, gewinnt**, bei gleicher Zahl ist es unentschieden.",
        ),
    ),
]

GERMAN = {
    "Latrunculi": "Latrunculi",
    "who begins": "wer beginnt",
    "the lead in pieces, by all pieces": "der Vorsprung an Figuren, geteilt durch alle Figuren",
    "the lead in moves, by all moves": "der Vorsprung an Zügen, geteilt durch alle Züge",
    "the enemy's pieces that can be taken, less one's own, by all pieces": (
        "schlagbare Figuren des Gegners weniger eigene, geteilt durch alle Figuren"
    ),
    "the enemy's pieces that can't move, less one's own, by all pieces": (
        "unbewegliche Figuren des Gegners weniger eigene, geteilt durch alle Figuren"
    ),
    "how close the enemy is to having no move at all, less the same of oneself": (
        "wie nahe der Gegner daran ist, keinen Zug zu haben, weniger dasselbe von einem selbst"
    ),
    "having the move": "am Zug zu sein",
    "how much the tastes count: edge, contact, row, diagonal and advance": (
        "wie sehr Vorlieben zählen: Rand, Berührung, Reihe, Diagonale und Vorrücken"
    ),
    "a taste: own pieces at the edge, by one's pieces": (
        "Vorliebe: eigene Figuren am Rand, geteilt durch eigene Figuren"
    ),
    "a taste: enemies beside own pieces, by one's pieces": (
        "Vorliebe: Gegner neben eigenen Figuren, geteilt durch eigene Figuren"
    ),
    "a taste: own pieces side by side, by one's pieces": (
        "Vorliebe: eigene Figuren nebeneinander, geteilt durch eigene Figuren"
    ),
    "a taste: own pieces corner to corner, by one's pieces": (
        "Vorliebe: eigene Figuren Ecke an Ecke, geteilt durch eigene Figuren"
    ),
    "a taste: the part of the board that one's pieces have crossed": (
        "Vorliebe: der Teil des Bretts, den die eigenen Figuren überquert haben"
    ),
    "the character": "der Charakter",
    "of the evaluation; the first does not fade with the ply": (
        "der Bewertung; in der ersten zählt jeder Halbzug gleich"
    ),
    "plies to look ahead": "Halbzüge, die vorausgeschaut wird",
    "leave out what can't matter, by alpha-beta": "weglassen, was nichts ändern kann (Alpha-Beta)",
    "with pruning: try the moves with the largest gains first": "mit Alpha-Beta: Züge mit dem größten Gewinn zuerst",
    "the thesis' player: points for moves, summed along a line": (
        "der Spieler der Abschlussarbeit: Punkte für Züge, entlang einer Zugfolge addiert"
    ),
    "shells": "Muscheln",
    "stones": "Steine",
    "pieces": "Figuren",
    "random": "zufällig",
    "the rules from which the other options deviate": "die Regeln, von denen die anderen Angaben abweichen",
    "board": "Brett",
    "files x ranks, such as 7x6; 6 to 12 each": "Spalten x Reihen, etwa 7x6; je 6 bis 12",
    "ranks that each side fills at the start": "Reihen, die jede Seite am Anfang füllt",
    "another move after a capture: with any piece or only the same": (
        "noch ein Zug nach einem Schlag: mit jeder Figur oder nur mit derselben"
    ),
    "none": "keiner",
    "the extra move may be declined": "auf den Zusatzzug darf man verzichten",
    "a piece in a corner is safe, or taken from its two neighbours": (
        "in der Ecke ist man sicher, oder wird von den beiden Nachbarfeldern geschlagen"
    ),
    "off": "aus",
    "dux": "Dux",
    "one piece more a side that can't be taken and must not be locked in": (
        "je eine Figur mehr, die nicht geschlagen und nicht eingesperrt werden darf"
    ),
    "pieces are first placed one by one, anywhere": "die Figuren werden erst einzeln beliebig aufgestellt",
    "a side has lost with fewer than two pieces, or with none": (
        "verloren hat, wer weniger als zwei Figuren hat, oder keine"
    ),
    "what a stalled game is: won by the majority, drawn, or not ended": (
        "was bei Stillstand gilt: die Mehrheit gewinnt, unentschieden, oder es geht weiter"
    ),
    "draw": "unentschieden",
    "plies without a capture that stall the game": "Züge ohne Schlag, nach denen Stillstand herrscht",
    "times that a position must stand to stall the game": "so oft muss eine Stellung für Stillstand wiederkehren",
}
"""What is declared elsewhere in English."""

MERITS = {
    "attack": both("a capture", "einen Schlag"),
    "hide": both("hiding", "ein Versteck"),
    "threat": both("a threat", "eine Drohung"),
    "highthreat": both("a strong threat", "eine starke Drohung"),
    "squad": both("a block of four", "einen Viererblock"),
    "prepsquad": both("preparing a block of four", "einen vorbereiteten Viererblock"),
    "corner": both("a corner", "eine Ecke"),
    "friendlycorner": both("a place beside an own corner", "einen Platz neben eigener Ecke"),
    "highalert": both("danger", "Gefahr"),
}
"""What the thesis' player gives points for."""


def points_for(merit: dict[str, str]) -> dict[str, str]:
    return both(f"points for {merit['en']}", f"Punkte für {merit['de']}")


WORDS = {
    **{english: both(english, german) for english, german in GERMAN.items()},
    **{name: points_for(merit) for name, merit in MERITS.items()},
    **{
        f"points for {name}, instead of the character's": both(
            "instead of the character's points", "statt der Punkte des Charakters"
        )
        for name in MERITS
    },
    "balanced": both("balanced", "ausgewogen"),
    "aggressive": both("aggressive", "angriffslustig"),
    "defensive": both("defensive", "vorsichtig"),
    "version": both("version", "Fassung"),
    "about": both(
        "The Roman game of little soldiers: slide, enclose your enemies, and move again.",
        "Das Soldatenspiel der Römer: ziehen, Gegner einschließen und gleich noch einmal ziehen.",
    ),
    "birkenfeld": both("Birkenfeld, 8×8", "Birkenfeld, 8×8"),
    "small": both("small board, 6×6", "kleines Brett, 6×6"),
    "large": both("large board, 10×10", "großes Brett, 10×10"),
    "kowalski": both("Kowalski", "Kowalski"),
    "kowalski-dux": both("Kowalski with dux", "Kowalski mit Dux"),
    "quintana": both("Quintana, two rows", "Quintana, zwei Reihen"),
    "same-piece": both("only the same piece again", "nur dieselbe Figur noch einmal"),
    "preset": both("rules", "Regeln"),
    "rows": both("rows of pieces", "Reihen von Figuren"),
    "extra": both("extra move", "Zusatzzug"),
    "any": both("any piece", "jede Figur"),
    "same": both("the same piece", "dieselbe Figur"),
    "optional": both("extra move is optional", "Zusatzzug freiwillig"),
    "corner": both("corners", "Ecken"),
    "two_adjacent": both("from two neighbours", "von zwei Nachbarn"),
    "placement": both("place the pieces first", "Figuren erst setzen"),
    "end": both("end of the game", "Ende des Spiels"),
    "lt2": both("fewer than two", "weniger als zwei"),
    "zero": both("none left", "keine mehr"),
    "stall": both("stalled game", "Stillstand"),
    "majority": both("majority wins", "Mehrheit gewinnt"),
    "quiet": both("quiet plies", "Züge ohne Schlag"),
    "repetition": both("repetitions", "Wiederholungen"),
    "first": both("who begins", "wer beginnt"),
    "thesis": both("path-sum minimax", "Pfadsummen-Minimax"),
}
