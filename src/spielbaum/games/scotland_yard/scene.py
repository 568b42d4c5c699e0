"""How Scotland Yard looks: a plan of the city with its lines, our own drawing from the board's facts.

Stations are ringed in the colour of the fastest transport that stops there. Where Mister X may be is warm, the
warmer the likelier. He is drawn only for those who see him.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spielbaum.games.scotland_yard.board import KINDS, board
from spielbaum.games.scotland_yard.notation import believed, likelihood
from spielbaum.games.scotland_yard.rules import DOUBLE, LOG, MRX, NOBODY, REVEALS, SECOND_HALF, UNKNOWN
from spielbaum.games.scotland_yard.tables import BLACK, ROOM, Tables

RADIUS, FIGURE = 10.0, 40.0
LEFT, TOP, WIDTH, HEIGHT = BOX = (-25.0, -45.0, 1050.0, 850.0)
COLOURS = ("warning", "good", "bad", "ink")  # taxi, bus, underground, boat
WIDTHS = (2.2, 4.5, 7.0, 3.0)
RIVER = ((-60, 765), (100, 800), (240, 790), (321, 722), (402, 654), (480, 610), (560, 590), (640, 570), (590, 400),
         (612, 355), (634, 310), (760, 330), (872, 412), (984, 494), (980, 440), (1080, 410))  # fmt: skip
"""The middle of the river: points of cubic Bézier curves, each of which begins where the last one ends."""
BREADTH = 28.0
TICKET_WORDS = (
    {"en": "taxi", "de": "Taxi"},
    {"en": "bus", "de": "Bus"},
    {"en": "underground", "de": "U-Bahn"},
    {"en": "black ticket", "de": "schwarzes Ticket"},
)
SHORT_WORDS = (*TICKET_WORDS[:BLACK], {"en": "black", "de": "schwarz"})
HEAT = "show where Mister X may be"
CAUGHT = {
    "": {"en": "Mister X was caught at {station}.", "de": "Mister X wurde an Station {station} gefasst."},
    "mrx": {"en": "You were caught at {station}.", "de": "Du wurdest an Station {station} gefasst."},
    "detective": {
        "en": "You have caught Mister X at {station}.",
        "de": "Du hast Mister X an Station {station} gefasst.",
    },
}
TRAPPED = {
    "": {"en": "Mister X is trapped at {station}.", "de": "Mister X sitzt an Station {station} fest."},
    "mrx": {"en": "You are trapped at {station}.", "de": "Du sitzt an Station {station} fest."},
    "detective": {
        "en": "You have trapped Mister X at {station}.",
        "de": "Du hast Mister X an Station {station} in die Enge getrieben.",
    },
}
ESCAPED = {
    "": {"en": "Mister X has escaped.", "de": "Mister X ist entkommen."},
    "mrx": {"en": "You have escaped.", "de": "Du bist entkommen."},
    "detective": {"en": "Mister X has escaped you.", "de": "Mister X ist dir entkommen."},
}
"""How a game ended, for each who looks on."""
DOUBLE_SIGN = "2×"
DOUBLE_WORDS = {"en": "with a double card", "de": "mit Doppelzug"}


def circle(r: float, sweep: int) -> str:
    """The path of a circle around the origin, one way round or the other."""
    return f"M{-r} 0A{r} {r} 0 1 {sweep} {r} 0A{r} {r} 0 1 {sweep} {-r} 0Z"


RING = circle(1.9 * RADIUS, 1) + circle(RADIUS, 0)


def spot(station: int) -> list[float]:
    """Where a station lies."""
    x, y = board().places[station]
    return [float(x), float(y)]


def backdrop(t: Tables) -> dict[str, Any]:
    """The river, the lines by kind of transport, and the stations."""
    layers = {"land": [land(), river()], "lines": lines(), "stations": stations(t)}
    person = [
        {
            "kind": "path",
            "d": "M-0.42 0.5C-0.42 -0.1 0.42 -0.1 0.42 0.5Z",
            "role": "ink",
            "edge": "paper",
            "width": 0.07,
        },
        {"kind": "circle", "at": [0, -0.28], "r": 0.24, "role": "ink", "edge": "paper", "width": 0.07},
    ]
    return {
        "box": list(BOX),
        "layers": [
            *({"name": name, "shapes": shapes} for name, shapes in layers.items()),
            {"name": "numbers", "shapes": numbers(), "over": True},
        ],
        "symbols": {"person": {"box": [-0.6, -0.6, 1.2, 1.2], "shapes": person}},
    }


def land() -> dict[str, Any]:
    return {"kind": "rect", "at": [LEFT, TOP], "size": [WIDTH, HEIGHT], "round": 16, "role": "hole"}


def river() -> dict[str, Any]:
    """Its two banks, from one edge of the plan to the other."""
    points, along = np.array(RIVER, float), np.linspace(0, 1, 16)[:, None]
    curves = [points[i : i + 4] for i in range(0, len(points) - 1, 3)]
    middle = np.concatenate([bezier(curve, along) for curve in curves])
    across = np.gradient(middle, axis=0) @ np.array([[0.0, 1.0], [-1.0, 0.0]])
    across *= BREADTH / 2 / np.linalg.norm(across, axis=1, keepdims=True)
    banks = np.concatenate([middle + across, (middle - across)[::-1]])
    banks[:, 0] = banks[:, 0].clip(LEFT, LEFT + WIDTH)
    return {"kind": "polygon", "points": banks.round(1).tolist(), "role": "water", "opacity": 0.6}


def bezier(p: np.ndarray, along: np.ndarray) -> np.ndarray:
    back = 1 - along
    return np.asarray(back**3 * p[0] + 3 * back**2 * along * p[1] + 3 * back * along**2 * p[2] + along**3 * p[3])


def lines() -> list[dict[str, Any]]:
    """Wide ones below narrow ones, so that all can be seen where they run together."""
    order = sorted(board().edges, key=lambda edge: -WIDTHS[KINDS.index(edge[0])])
    return [
        {
            "kind": "line",
            "points": [spot(a), spot(b)],
            "edge": COLOURS[KINDS.index(kind)],
            "width": WIDTHS[KINDS.index(kind)],
            "dashed": kind == "boat",
        }
        for kind, a, b in order
    ]


def stations(t: Tables) -> list[dict[str, Any]]:
    return [
        {
            "kind": "circle",
            "id": f"station-{station}",
            "at": spot(station),
            "r": RADIUS,
            "role": "paper",
            "edge": COLOURS[fastest(t, station)],
            "width": 2.5,
            "title": {"en": f"station {station}", "de": f"Station {station}"},
        }
        for station in range(1, ROOM)
    ]


def fastest(t: Tables, station: int) -> int:
    """The fastest transport over land that stops at a station."""
    return max(kind for kind in range(BLACK) if t.first[station, kind] < t.first[station, kind + 1])


def numbers() -> list[dict[str, Any]]:
    look = {"kind": "text", "size": 9, "role": "ink", "weight": "bold", "edge": "paper", "width": 2.5}
    return [{**look, "at": spot(station), "text": str(station)} for station in range(1, ROOM)]


def scene(t: Tables, s: Any, seat: int | None, moves: list[tuple[int, int]] | None) -> dict[str, Any]:
    """Who is where as far as it is known, tickets, and Mister X's journey."""
    warm = [{"name": "heat", "shapes": heat(s), "switch": WORDS[HEAT]}] if t.help else []
    said, purses = outcome_for(s, seat), [purse(s, q) for q in range(t.players)]
    drawn = {
        "layers": [*warm, {"name": "people", "shapes": [*trace(s), *people(t, s)]}],
        "panels": [journey(s, moves), outlook(t, s), *purses],
    }
    return {**drawn, "status": said} if said else drawn


def outcome_for(s: Any, seat: int | None) -> dict[str, str] | None:
    """How the game ended, told to who looks on."""
    if s.winner == NOBODY:
        return None
    words = ESCAPED if s.winner == MRX else CAUGHT if s.at[MRX] in s.at[1:] else TRAPPED
    said = words["" if seat is None else "mrx" if seat == MRX else "detective"]
    return {lang: text.format(station=int(s.at[MRX])) for lang, text in said.items()}


def trace(s: Any) -> list[dict[str, Any]]:
    """Mister X where he showed himself last, for those who do not see him now: pale once he has moved on."""
    shown = [number for number in REVEALS if number <= s.moves]
    if s.at[MRX] != UNKNOWN or not shown:
        return []
    station = int(s.seen[len(shown) - 1])
    title = {"en": f"Mister X after move {shown[-1]}", "de": f"Mister X nach Zug {shown[-1]}"}
    pale = {} if s.moves == shown[-1] else {"opacity": 0.5}
    return [{**figure("shown", station, MRX), **pale, "title": title}]


def figure(name: str, station: int, q: int) -> dict[str, Any]:
    """Somebody at a station, above its number."""
    x, y = spot(station)
    look = {"kind": "use", "symbol": "person", "size": [FIGURE, FIGURE], "role": f"player-{q + 1}"}
    return {**look, "id": name, "at": [x, y - 2.3 * RADIUS], "on": f"station-{station}"}


def heat(s: Any) -> list[dict[str, Any]]:
    """Around each station how likely Mister X is there, compared with the likeliest; none once he is caught or gone."""
    if s.winner != NOBODY:
        return []
    chance = likelihood(s)
    return [
        {
            "kind": "path",
            "id": f"heat-{station}",
            "at": spot(station),
            "d": RING,
            "heat": float(chance[station] / chance.max()),
            "opacity": 0.8,
            "title": f"{100 * chance[station]:.1f} %",
            "on": f"station-{station}",
        }
        for station in believed(s)
    ]


def people(t: Tables, s: Any) -> list[dict[str, Any]]:
    return [
        {**figure(f"person-{q}", int(s.at[q]), q), "title": WORDS["mrx" if q == MRX else f"detective-{q}"]}
        for q in reversed(range(t.players))
        if s.at[q] != UNKNOWN
    ]


def purse(s: Any, q: int) -> dict[str, Any]:
    """The tickets of a player, and his double cards."""
    items = [
        {"label": SHORT_WORDS[ticket], "value": int(s.tickets[q, ticket]), "role": COLOURS[ticket]}
        for ticket in range(BLACK + 1 if q == MRX else BLACK)
    ]
    if q == MRX:
        items.append({"label": {"en": "double cards", "de": "Doppelzüge"}, "value": int(s.doubles)})
    return {"id": f"tickets-{q}", "seat": q, "show": "row", "items": items}


def journey(s: Any, moves: list[tuple[int, int]] | None) -> dict[str, Any]:
    """Mister X's moves by their tickets, and where he showed himself; all stations where everything may be known."""
    stations = {number: int(s.seen[i]) for i, number in enumerate(REVEALS) if number <= s.moves}
    if moves is not None:
        stations = dict(enumerate((action % ROOM for player, action in moves if player == MRX), 1))
    items = []
    for number in range(1, min(int(s.moves), LOG) + 1):
        entry = int(s.log[number - 1])
        ticket, sign = entry % SECOND_HALF - 1, "+ " if entry >= SECOND_HALF else ""
        where = f" → {stations[number]}" if number in stations else ""
        label = {lang: f"{number}. {sign}{word}{where}" for lang, word in SHORT_WORDS[ticket].items()}
        items.append({"label": label, "role": COLOURS[ticket]})
    title = {"en": "Mister X's journey", "de": "Fahrtentafel von Mister X"}
    none = {} if items else {"text": {"en": "has not begun", "de": "noch keine Fahrt"}}
    return {"id": "journey", "title": title, "show": "row", "items": items, **none}


def outlook(t: Tables, s: Any) -> dict[str, Any]:
    """How many stations are possible, unless nobody is to be helped, and when he shows himself again."""
    possible = {"label": {"en": "possible stations", "de": "mögliche Stationen"}, "value": len(believed(s))}
    ahead = [number - int(s.moves) for number in REVEALS if number > s.moves]
    when: dict[str, Any] = {"label": {"en": "he does not show himself again", "de": "er zeigt sich nicht mehr"}}
    if ahead:
        when = {"label": {"en": "moves until he shows himself", "de": "Züge, bis er sich zeigt"}, "value": ahead[0]}
    return {"id": "outlook", "items": [possible, when] if t.help else [when]}


def gesture(t: Tables, s: Any, action: int) -> dict[str, Any]:
    """Tap the station to go to, then choose the ticket where several fit."""
    station = action % ROOM
    label = {lang: f"{words} {station}" for lang, words in ticket_words(action).items()}
    hand = {"steps": [f"station-{station}"], "label": label}
    return {**hand, "group": DOUBLE_WORDS} if action >= DOUBLE else hand


def ticket_words(action: int) -> dict[str, str]:
    """What Mister X lays down for a move."""
    words = TICKET_WORDS[action % DOUBLE // ROOM]
    return {lang: f"{DOUBLE_SIGN} {word}" for lang, word in words.items()} if action >= DOUBLE else words


def tell(t: Tables, s: Any, action: int, seat: int) -> dict[str, Any] | None:
    """Everybody sees where detectives go; of Mister X the ticket, and the station when he shows himself."""
    if s.turn != MRX or int(s.moves) + 1 in REVEALS:
        return gesture(t, s, action)
    return {"steps": [], "label": ticket_words(action)}


def detective(number: int) -> dict[str, str]:
    return {"en": f"detective {number}", "de": f"Detektiv {number}"}


WORDS = {
    "Scotland Yard": {"en": "Scotland Yard", "de": "Scotland Yard"},
    "about": {
        "en": "Detectives hunt Mister X through a city and see him only now and then.",
        "de": "Detektive jagen Mister X durch eine Stadt und sehen ihn nur ab und zu.",
    },
    "mrx": {"en": "Mister X", "de": "Mister X"},
    "detectives": {"en": "all detectives", "de": "alle Detektive"},
    **{f"detective-{number}": detective(number) for number in range(1, 6)},
    "players": {"en": "players", "de": "Mitspieler"},
    "players: Mister X and the detectives": {
        "en": "players: Mister X and the detectives",
        "de": "Mitspieler: Mister X und die Detektive",
    },
    "help": {"en": "help", "de": "Hilfe"},
    HEAT: {"en": HEAT, "de": "zeigen, wo Mister X sein kann"},
    "easy": {"en": "easy", "de": "leicht"},
    "medium": {"en": "medium", "de": "mittel"},
    "hard": {"en": "hard", "de": "schwer"},
    "mrx-easy": {"en": "Mister X, easy", "de": "Mister X, leicht"},
    "mrx-medium": {"en": "Mister X, medium", "de": "Mister X, mittel"},
    "mrx-hard": {"en": "Mister X, hard", "de": "Mister X, schwer"},
    "det-easy": {"en": "detective, easy", "de": "Detektiv, leicht"},
    "det-medium": {"en": "detective, medium", "de": "Detektiv, mittel"},
    "det-hard": {"en": "detective, hard", "de": "Detektiv, schwer"},
}
RULES = [
    {
        "title": {"en": "A round", "de": "Eine Runde"},
        "text": {
            "en": "First Mister X moves along one line to another station and pays with the ticket of that line; only"
            " the ticket is seen. Then each detective moves, and the tickets they pay are Mister X's. Nobody enters a"
            " station where a detective stands; who can't move is left out.",
            "de": "Zuerst fährt Mister X eine Linie weit und zahlt mit deren Ticket; nur das Ticket ist zu sehen. Dann"
            " fährt jeder Detektiv, und was sie zahlen, bekommt Mister X. Niemand betritt eine Station, an der ein"
            " Detektiv steht; wer nicht fahren kann, setzt aus.",
        },
        "figure": {"moves": [], "seed": 3, "caption": {"en": "At the start.", "de": "Zu Beginn."}},
    },
    {
        "title": {"en": "Mister X", "de": "Mister X"},
        "text": {
            "en": "A black ticket fits every line and hides which; boats take nothing else. With a double card he moves"
            " twice. After his moves 3, 8, 13 and 18 he shows himself.",
            "de": "Ein schwarzes Ticket passt auf jede Linie und verrät nicht, auf welche; Boote nehmen nur dieses. Mit"
            " einem Doppelzug fährt er zweimal. Nach seinen Zügen 3, 8, 13 und 18 zeigt er sich.",
        },
    },
    {
        "title": {"en": "The end", "de": "Das Ende"},
        "text": {
            "en": "A detective who enters Mister X's station has caught him. He has also lost when he can't move. When"
            " no detective can move any more, he has escaped.",
            "de": "Betritt ein Detektiv die Station von Mister X, ist er gefasst. Auch wenn er nicht fahren kann, hat"
            " er verloren. Kann kein Detektiv mehr fahren, ist er entkommen.",
        },
    },
]
PREVIEW: list[str] = []
