"""How Scotland Yard looks: a plan of the city with its lines, our own drawing from the board's facts.

Stations are ringed in the colour of the fastest transport that stops there. Where Mister X may be is warm, the
warmer the likelier. He is drawn only for those who see him.
"""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np

from spielbaum.games.scotland_yard.board import AGENT_TYPES, board
from spielbaum.games.scotland_yard.notation import believed, likelihood
from spielbaum.games.scotland_yard.rules import DOUBLE, LOG, MRX, NOBODY, REVEALS, SECOND_HALF, UNKNOWN
from spielbaum.games.scotland_yard.tables import BLACK, ROOM, Tables
from spielbaum.translations import Text, Translations

TEXTS = Translations(pathlib.Path(__file__).with_name("texts.toml"))
WORDS, RULES = TEXTS.words, TEXTS.rules
RADIUS, FIGURE = 10.0, 40.0
LEFT, TOP, WIDTH, HEIGHT = BOX = (-25.0, -45.0, 1050.0, 850.0)
COLOURS = ("warning", "good", "bad", "ink")  # taxi, bus, underground, boat
WIDTHS = (2.2, 4.5, 7.0, 3.0)
RIVER = ((-60, 765), (100, 800), (240, 790), (321, 722), (402, 654), (480, 610), (560, 590), (640, 570), (590, 400),
         (612, 355), (634, 310), (760, 330), (872, 412), (984, 494), (980, 440), (1080, 410))  # fmt: skip
"""The middle of the river: points of cubic Bézier curves, each of which begins where the last one ends."""
BREADTH = 28.0
TICKETS = ("taxi", "bus", "underground", "black ticket")
SHORT_TICKETS = (*TICKETS[:BLACK], "black")
CAUGHT = (
    "Mister X was caught at {station}.",
    "You were caught at {station}.",
    "You have caught Mister X at {station}.",
)
TRAPPED = (
    "Mister X is trapped at {station}.",
    "You are trapped at {station}.",
    "You have trapped Mister X at {station}.",
)
ESCAPED = ("Mister X has escaped.", "You have escaped.", "Mister X has escaped you.")
"""How a game ended, as a spectator, Mister X and a detective are told."""
DOUBLE_SIGN = "2×"


def circle(r: float, sweep: int) -> str:
    """The path of a circle around the origin, one way round or the other."""
    return f"M{-r} 0A{r} {r} 0 1 {sweep} {r} 0A{r} {r} 0 1 {sweep} {-r} 0Z"


RING = circle(1.9 * RADIUS, 1) + circle(RADIUS, 0)


def station_centre(station: int) -> list[float]:
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
    order = sorted(board().edges, key=lambda edge: -WIDTHS[AGENT_TYPES.index(edge[0])])
    return [
        {
            "kind": "line",
            "points": [station_centre(a), station_centre(b)],
            "edge": COLOURS[AGENT_TYPES.index(kind)],
            "width": WIDTHS[AGENT_TYPES.index(kind)],
            "dashed": kind == "boat",
        }
        for kind, a, b in order
    ]


def stations(t: Tables) -> list[dict[str, Any]]:
    return [
        {
            "kind": "circle",
            "id": f"station-{station}",
            "at": station_centre(station),
            "r": RADIUS,
            "role": "paper",
            "edge": COLOURS[fastest(t, station)],
            "width": 2.5,
            "title": TEXTS.format("station {station}", station=station),
        }
        for station in range(1, ROOM)
    ]


def fastest(t: Tables, station: int) -> int:
    """The fastest transport over land that stops at a station."""
    return max(kind for kind in range(BLACK) if t.first[station, kind] < t.first[station, kind + 1])


def numbers() -> list[dict[str, Any]]:
    look = {"kind": "text", "size": 9, "role": "ink", "weight": "bold", "edge": "paper", "width": 2.5}
    return [{**look, "at": station_centre(station), "text": str(station)} for station in range(1, ROOM)]


def scene(t: Tables, s: Any, seat: int | None, moves: list[tuple[int, int]] | None) -> dict[str, Any]:
    """Who is where as far as it is known, tickets, and Mister X's journey."""
    helped = t.help and not t.visible
    warm = [{"name": "heat", "shapes": heat_rings(s), "switch": TEXTS["show where Mister X may be"]}] if helped else []
    said, purses = outcome_for(s, seat), [ticket_panel(s, q) for q in range(t.players)]
    drawn = {
        "layers": [*warm, {"name": "people", "shapes": [*last_seen_figure(s), *people(t, s)]}],
        "panels": [journey_panel(s, moves), *([] if t.visible else [outlook_panel(t, s)]), *purses],
    }
    return {**drawn, "status": said} if said else drawn


def outcome_for(s: Any, seat: int | None) -> dict[str, str] | None:
    """How the game ended, told to who looks on."""
    if s.winner == NOBODY:
        return None
    endings = ESCAPED if s.winner == MRX else CAUGHT if s.at[MRX] in s.at[1:] else TRAPPED
    ending = endings[0 if seat is None else 1 if seat == MRX else 2]
    return TEXTS.format(ending, station=int(s.at[MRX]))


def last_seen_figure(s: Any) -> list[dict[str, Any]]:
    """Mister X where he showed himself last, for those who do not see him now: pale once he has moved on."""
    shown = [number for number in REVEALS if number <= s.moves]
    if s.at[MRX] != UNKNOWN or not shown:
        return []
    station = int(s.seen[len(shown) - 1])
    title = TEXTS.format("Mister X after move {number}", number=shown[-1])
    pale = {} if s.moves == shown[-1] else {"opacity": 0.5}
    return [{**figure("shown", station, MRX), **pale, "title": title}]


def figure(name: str, station: int, q: int) -> dict[str, Any]:
    """Somebody at a station, above its number."""
    x, y = station_centre(station)
    look = {"kind": "use", "symbol": "person", "size": [FIGURE, FIGURE], "role": f"player-{q + 1}"}
    return {**look, "id": name, "at": [x, y - 2.3 * RADIUS], "on": f"station-{station}"}


def heat_rings(s: Any) -> list[dict[str, Any]]:
    """Around each station how likely Mister X is there, compared with the likeliest; none once he is caught or gone."""
    if s.winner != NOBODY:
        return []
    chance = likelihood(s)
    return [
        {
            "kind": "path",
            "id": f"heat-{station}",
            "at": station_centre(station),
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
        {**figure(f"person-{q}", int(s.at[q]), q), "title": name_of(q)}
        for q in reversed(range(t.players))
        if s.at[q] != UNKNOWN
    ]


def ticket_panel(s: Any, q: int) -> dict[str, Any]:
    """The tickets of a player, and his double cards."""
    items = [
        {"label": TEXTS[SHORT_TICKETS[ticket]], "value": int(s.tickets[q, ticket]), "role": COLOURS[ticket]}
        for ticket in range(BLACK + 1 if q == MRX else BLACK)
    ]
    if q == MRX:
        items.append({"label": TEXTS["double cards"], "value": int(s.doubles)})
    return {"id": f"tickets-{q}", "seat": q, "show": "row", "items": items}


def journey_panel(s: Any, moves: list[tuple[int, int]] | None) -> dict[str, Any]:
    """Mister X's moves by their tickets, and where he showed himself; all stations where everything may be known."""
    stations = {number: int(s.seen[i]) for i, number in enumerate(REVEALS) if number <= s.moves}
    if moves is not None:
        stations = dict(enumerate((action % ROOM for player, action in moves if player == MRX), 1))
    items = []
    for number in range(1, min(int(s.moves), LOG) + 1):
        entry = int(s.log[number - 1])
        ticket, sign = entry % SECOND_HALF - 1, "+ " if entry >= SECOND_HALF else ""
        where = f" → {stations[number]}" if number in stations else ""
        label = {lang: f"{number}. {sign}{name}{where}" for lang, name in TEXTS[SHORT_TICKETS[ticket]].items()}
        items.append({"label": label, "role": COLOURS[ticket]})
    none = {} if items else {"text": TEXTS["has not begun"]}
    return {"id": "journey", "title": TEXTS["Mister X's journey"], "show": "row", "items": items, **none}


def outlook_panel(t: Tables, s: Any) -> dict[str, Any]:
    """How many stations are possible, unless nobody is to be helped, and when he shows himself again."""
    possible = {"label": TEXTS["possible stations"], "value": len(believed(s))}
    ahead = [number - int(s.moves) for number in REVEALS if number > s.moves]
    when: dict[str, Any] = {"label": TEXTS["he does not show himself again"]}
    if ahead:
        when = {"label": TEXTS["moves until he shows himself"], "value": ahead[0]}
    return {"id": "outlook", "items": [possible, when] if t.help else [when]}


def gesture(action: int) -> dict[str, Any]:
    """Tap the station to go to, then choose the ticket where several fit."""
    station = action % ROOM
    label = {lang: f"{ticket} {station}" for lang, ticket in ticket_name(action).items()}
    hand = {"steps": [f"station-{station}"], "label": label}
    return {**hand, "group": TEXTS["with a double card"]} if action >= DOUBLE else hand


def ticket_name(action: int) -> Text:
    """What Mister X lays down for a move."""
    ticket = TEXTS[TICKETS[action % DOUBLE // ROOM]]
    return {lang: f"{DOUBLE_SIGN} {name}" for lang, name in ticket.items()} if action >= DOUBLE else ticket


def tell(s: Any, action: int) -> dict[str, Any] | None:
    """Everybody sees where detectives go; of Mister X the ticket, and the station when he shows himself."""
    if s.turn != MRX or int(s.moves) + 1 in REVEALS:
        return gesture(action)
    return {"steps": [], "label": ticket_name(action)}


def name_of(q: int) -> Text:
    """What a player is called."""
    return TEXTS["Mister X"] if q == MRX else TEXTS.format("detective {number}", number=q)


PREVIEW: list[str] = []
