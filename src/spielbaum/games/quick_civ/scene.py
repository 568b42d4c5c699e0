"""How Quick Civ looks: an island of hexagons with trees and mountains, tiles in the colours of their owners.

A build is a touch on a tile and a choice among the buildings, which say what they bring each round. Numbers of pressure
lie on a layer of their own; a besieged tile has a broken rim in its besieger's colour and the rounds it has left.
"""

from __future__ import annotations

import functools
import math
import pathlib
import re
from typing import Any

import numpy as np

from spielbaum.games.quick_civ.board import PLACES, REACH, SIDE, SIGHT, TILES, tile
from spielbaum.games.quick_civ.buildings import CITY_CENTRE, FOOD, MATERIAL, POINTS, RESOURCES
from spielbaum.games.quick_civ.descriptions import (
    TEXTS,
    at_place,
    build_note,
    building_name,
    category_name,
    place_name,
    seat_names,
    signed,
)
from spielbaum.games.quick_civ.effects import changes, distances, unpacked
from spielbaum.games.quick_civ.research import (
    BOOK,
    STRIP,
    book,
    researched,
    study,
    technologies,
    why_not,
)
from spielbaum.games.quick_civ.rules import FOOD_PRICE, NOBODY, RESEARCH, SIEGE, WAIT, has
from spielbaum.games.quick_civ.tables import BUILDINGS, KINDS, Tables
from spielbaum.translations import Text, joined

Shape = dict[str, Any]
SYMBOLS = pathlib.Path(__file__).with_name("symbols.svg")
DRAWN = frozenset(re.findall(r'<symbol id="([^"]+)"', SYMBOLS.read_text("utf-8")))
ICONS = [kind.key if kind.key in DRAWN else "other" for kind in BUILDINGS]
WIDTH = 10.0
RADIUS = WIDTH / math.sqrt(3)
MARGIN = 2.6
WORDS = TEXTS.words
HEXAGON = [
    [round(RADIUS * math.sin(math.pi * i / 3), 3), round(-RADIUS * math.cos(math.pi * i / 3), 3)] for i in range(6)
]


def tile_centre(number: int) -> list[float]:
    """The middle of a tile."""
    row, column = divmod(number, SIDE)
    return [WIDTH * (column + row % 2 / 2), round(1.5 * RADIUS * row, 2)]


SPOTS = [tile_centre(number) for number in range(TILES)]
EXISTING = [tile(*place) for place in PLACES]


def backdrop(t: Tables) -> dict[str, Any]:
    """The sea and the tiles, and with science a book below them."""
    return island(bool(t.technologies))


def island(with_book: bool = False) -> dict[str, Any]:
    left, top = -WIDTH / 2 - MARGIN, -RADIUS - MARGIN
    size = [WIDTH * SIDE + 2 * MARGIN, RADIUS * (1.5 * (SIDE - 1) + 2) + 2 * MARGIN]
    shapes = book(left + size[0] / 2, top + size[1]) if with_book else []
    size[1] += STRIP if with_book else 0
    sea = {"kind": "rect", "at": [left, top], "size": size, "round": 4, "role": "water"}
    look = {"kind": "polygon", "points": HEXAGON, "role": "land", "edge": "grid", "width": 0.35}
    tiles = [{**look, "id": f"t{n}", "at": SPOTS[n], "title": place_name(n)} for n in EXISTING]
    layers = {"sea": [sea, *shapes], "tiles": tiles}
    return {"box": [left, top, *size], "layers": [{"name": name, "shapes": lie} for name, lie in layers.items()]}


def scene(t: Tables, s: Any, seat: int | None, moves: list[tuple[int, int]] | None, before: Any) -> dict[str, Any]:
    """Who owns what, nature, buildings, sieges, stocks, and what happened in the last round."""
    built = [n for n in EXISTING if s.owner[n] != NOBODY]
    drawn: dict[str, Any] = {
        "layers": [
            {"name": "land", "shapes": [owned(n, int(s.owner[n])) for n in built]},
            {"name": "nature", "shapes": nature(s)},
            {"name": "buildings", "shapes": buildings(t, s, built)},
            {"name": "pressure", "switch": TEXTS["show pressure"], "shapes": pressure(t, s, built)},
            {"name": "sieges", "shapes": sieges(t, s, built)},
            {"name": "fog", "shapes": [cloud(n) for n in out_of_sight(s)]},
        ],
        "panels": [*last_round(t, s, moves, before), standings(t, s), *(purse(t, s, p) for p in range(t.players))],
    }
    if seat is None:
        return drawn
    drawn["panels"] += technologies(t, s, seat)
    return drawn if s.rounds == t.rounds else {**drawn, "why": [*why(t, s, seat), *why_not(t, s, seat)]}


# --- the map ------------------------------------------------------------------------------------


@functools.cache
def owned(number: int, player: int) -> Shape:
    return {
        "kind": "use", "symbol": "owned", "id": f"own-{number}", "at": SPOTS[number],
        "size": [WIDTH, round(2 * RADIUS, 3)], "role": f"player-{player + 1}",
    }  # fmt: skip


def nature(s: Any) -> list[Shape]:
    """In the middle of a tile, and above the building where there is one."""
    here = np.nonzero(s.nature[:, 0] + s.nature[:, 3])[0].tolist()
    return [elements(n, int(s.nature[n, 0]), int(s.nature[n, 3]), bool(s.owner[n] != NOBODY)) for n in here]


@functools.cache
def elements(number: int, forests: int, mountains: int, is_built: bool) -> Shape:
    x, y = SPOTS[number]
    size = 0.48 * WIDTH if is_built else 0.88 * WIDTH
    return {
        "kind": "use", "symbol": f"nature-{forests}-{mountains}", "id": f"nature-{number}",
        "at": [x, round(y - 0.3 * WIDTH, 2) if is_built else y], "size": [size, size],
        "title": nature_text(forests, mountains),
    }  # fmt: skip


def nature_text(forests: int, mountains: int) -> Text:
    """
    >>> nature_text(2, 1)["en"]
    '2 forests, 1 mountain'
    """
    counts = ((forests, "1 forest", "{number} forests"), (mountains, "1 mountain", "{number} mountains"))
    return joined(", ", [TEXTS.format(several if n > 1 else one, number=n) for n, one, several in counts if n])


def buildings(t: Tables, s: Any, built: list[int]) -> list[Shape]:
    return [
        icon(n, int(s.building[n]), int(s.owner[n]), t.players, bool(s.nature[n, 0] + s.nature[n, 3])) for n in built
    ]


@functools.cache
def icon(number: int, building: int, player: int, players: int, is_low: bool) -> Shape:
    """A building, a little lower and smaller where trees or mountains stand above it."""
    x, y = SPOTS[number]
    size = 0.56 * WIDTH if is_low else 0.66 * WIDTH
    return {
        "kind": "use", "symbol": ICONS[building], "id": f"building-{number}",
        "at": [x, round(y + 0.17 * WIDTH, 2) if is_low else y], "size": [size, size], "role": "ink",
        "title": owned_text(building, player, players),
    }  # fmt: skip


def owned_text(building: int, player: int, players: int) -> Text:
    name, owner = building_name(building), seat_names(players)[player]
    return {language: f"{name[language]} ({owner[language]})" for language in name}


def pressure(t: Tables, s: Any, built: list[int]) -> list[Shape]:
    """The pressure of all players on a tile, unless it is only that of what stands there."""
    shapes: list[Shape] = []
    for n in built:
        present = {p: int(s.pressure[p, n]) for p in range(t.players) if s.pressure[p, n] > 0}
        if present not in ({}, {int(s.owner[n]): int(t.pressure[s.building[n], 0])}):
            shapes += pressed(n, present)
    return shapes


def pressed(number: int, present: dict[int, int]) -> list[Shape]:
    """Numbers in the colours of the players, in a row along the lower edge of a tile."""
    x, y = SPOTS[number]
    shapes: list[Shape] = []
    for i, (player, amount) in enumerate(present.items()):
        at = [round(x + 0.28 * WIDTH * (i - (len(present) - 1) / 2), 2), round(y + 0.37 * WIDTH, 2)]
        shapes += badge(f"pressure-{number}-{player}", at, 0.14 * WIDTH, player, str(amount))
    return shapes


def badge(name: str, at: list[float], r: float, player: int, text: str) -> list[Shape]:
    return [
        {"kind": "circle", "id": name, "at": at, "r": r, "role": f"player-{player + 1}", "edge": "paper", "width": 0.2},
        {"kind": "text", "id": f"{name}-n", "at": at, "text": text, "size": 1.1 * r, "weight": "bold", "role": "paper"},
    ]


def sieges(t: Tables, s: Any, built: list[int]) -> list[Shape]:
    besieged = [n for n in built if s.siege[n] > 0]
    return [part for n in besieged for part in siege(n, int(s.holder[n]), SIEGE - int(s.siege[n]), t.players)]


def siege(number: int, attacker: int, left: int, players: int) -> list[Shape]:
    """Around a besieged tile a broken rim in the besieger's colour, and in how many rounds it falls."""
    x, y = SPOTS[number]
    rim = {
        "kind": "use", "symbol": "siege", "id": f"siege-{number}", "at": SPOTS[number],
        "size": [WIDTH, round(2 * RADIUS, 3)], "role": f"player-{attacker + 1}",
        "title": siege_text(seat_names(players)[attacker], left),
    }  # fmt: skip
    at = [round(x + 0.34 * WIDTH, 2), round(y - 0.36 * WIDTH, 2)]
    return [rim, *badge(f"left-{number}", at, 0.2 * WIDTH, attacker, str(left))]


def siege_text(attacker: Text, left: int) -> Text:
    one, several = "besieged by {attacker}, falls in 1 round", "besieged by {attacker}, falls in {left} rounds"
    return TEXTS.format(one if left == 1 else several, attacker=attacker, left=left)


def out_of_sight(s: Any) -> list[int]:
    """The tiles that the player can't see whose view it is."""
    return [n for n in EXISTING if not has(s.sight[s.viewer - 1], n)] if s.viewer else []


@functools.cache
def cloud(number: int) -> Shape:
    return {
        "kind": "polygon", "points": HEXAGON, "id": f"fog-{number}", "at": SPOTS[number], "role": "muted",
        "opacity": 0.55, "title": TEXTS["out of sight"],
    }  # fmt: skip


# --- beside the map -----------------------------------------------------------------------------


def purse(t: Tables, s: Any, player: int) -> dict[str, Any]:
    """A player's stocks and what each round adds to them, and the number of tiles; in the fog of others the points."""
    if s.viewer and player != s.viewer - 1:
        score = {"label": TEXTS[RESOURCES[POINTS]], "value": int(s.stock[player, POINTS]), "symbol": "points"}
        return {"id": f"purse-{player}", "seat": player, "show": "row", "items": [score]}
    income = unpacked(int(s.production[player]))
    items: list[dict[str, Any]] = [
        {
            "label": TEXTS[RESOURCES[i]],
            "value": f"{s.stock[player, i]}\u00a0({signed(income[i])})",
            "symbol": RESOURCES[i],
        }
        for i in (FOOD, MATERIAL, POINTS)
    ]
    items.append({"label": TEXTS["tiles"], "value": int(s.tiles[player]), "symbol": "tile"})
    if t.technologies:
        items.append({"label": TEXTS["science"], "value": int(s.known[player]).bit_count(), "symbol": BOOK})
    return {"id": f"purse-{player}", "seat": player, "show": "row", "items": items}


def standings(t: Tables, s: Any) -> dict[str, Any]:
    names, most = seat_names(t.players), max(1, int(s.stock[: t.players, POINTS].max()))
    items = [
        {"label": names[p], "value": int(s.stock[p, POINTS]), "most": most, "role": f"player-{p + 1}"}
        for p in range(t.players)
    ]
    return {"id": "points", "title": progress(t, s), "show": "bars", "items": items}


def progress(t: Tables, s: Any) -> Text:
    if s.rounds == t.rounds:
        return TEXTS.format("points after {rounds} rounds", rounds=t.rounds)
    return TEXTS.format("points in round {round} of {rounds}", round=s.rounds + 1, rounds=t.rounds)


def last_round(t: Tables, s: Any, moves: list[tuple[int, int]] | None, before: Any) -> list[dict[str, Any]]:
    """What everybody did, and which tiles changed hands."""
    if not moves or before is None:
        return []
    items = [move_item(s, before, player, action) for player, action in moves[-t.players :]]
    items += [
        {
            "label": TEXTS.format("takes {building}", building=at_place(int(s.building[n]), n)),
            "symbol": ICONS[int(s.building[n])],
            "role": f"player-{int(s.owner[n]) + 1}",
        }
        for n in np.nonzero((before.owner != NOBODY) & (before.owner != s.owner))[0].tolist()
    ]
    return [{"id": "last-round", "title": TEXTS["last round"], "show": "row", "items": items}]


def move_item(s: Any, before: Any, player: int, action: int) -> dict[str, Any]:
    """What a player did; somebody else may have been quicker on a tile."""
    role = f"player-{player + 1}"
    if action == WAIT:
        return {"label": TEXTS["wait"], "role": role}
    if action > WAIT:
        return {"label": researched(action), "symbol": BOOK, "role": role}
    number, building = divmod(action, KINDS)
    late = before.owner[number] == NOBODY and s.owner[number] != player
    built = at_place(building, number)
    label = TEXTS.format("{building}, too late", building=built) if late else built
    return {"label": label, "symbol": ICONS[building], "role": role}


def tell(s: Any, action: int, seat: int) -> dict[str, Any] | None:
    """What another player learns of a build in the fog: all of it, if the tile is in sight, and nothing otherwise."""
    if action >= WAIT or not has(s.sight[seat], action // KINDS):
        return None
    number, building = divmod(action, KINDS)
    return {"steps": STEPS[number], "label": at_place(building, number)}


# --- by hand ------------------------------------------------------------------------------------


def every_gesture(t: Tables, s: Any, actions: list[int], player: int) -> list[dict[str, Any]]:
    """Touch a tile, then choose what to build there; the book opens what can be researched; to wait is a button."""
    codes = np.array(actions)
    numbers, kinds = np.divmod(np.minimum(codes, WAIT - 1), KINDS)
    sites, where = np.unique(numbers, return_inverse=True)
    change = zip(*(part[where, kinds].tolist() for part in unpacked(changes(t, s, player, sites))), strict=True)
    away = np.where(s.owner[numbers] == player, 0, np.minimum(distances(s, player)[numbers], REACH))
    price = np.array(FOOD_PRICE)[away]
    each_one = zip(codes.tolist(), numbers.tolist(), kinds.tolist(), change, price.tolist(), strict=True)
    waiting = {"steps": [], "label": TEXTS["wait"], "key": "w"}
    others = {WAIT: waiting} | {code: study(code - RESEARCH) for code in actions if code > WAIT}
    return [
        {"steps": STEPS[number], **build(kind, gain, cost)} if code < WAIT else others[code]
        for code, number, kind, gain, cost in each_one
    ]


NAMES = [building_name(building) for building in range(KINDS)]
STEPS = [[f"t{number}"] for number in range(TILES)]


@functools.cache
def build(building: int, gain: tuple[int, int, int], cost: int) -> dict[str, Any]:
    """A choice of the build menu, which is the same for many tiles."""
    return {
        "label": NAMES[building],
        "group": category_name(BUILDINGS[building].category),
        "note": build_note(BUILDINGS[building].price, BUILDINGS[building].pressure, gain, cost),
        "symbol": ICONS[building],
        "rank": sum(gain),
    }


def why(t: Tables, s: Any, player: int) -> list[dict[str, Any]]:
    """Why a player can't build on the tiles on which nothing can be built."""
    food, material = int(s.stock[player, FOOD]), int(s.stock[player, MATERIAL])
    away, names = distances(s, player), seat_names(t.players)
    reasons: dict[tuple[str, int], list[str]] = {}
    for n in EXISTING:
        reason = no_site(s, player, n, int(away[n]), food)
        if reason is None and material < BUILDINGS[0].price:
            reason = ("material", material)
        if reason is not None:
            reasons.setdefault(reason, []).append(f"t{n}")
    return [
        {"places": places, "text": reason_text(kind, number, names, food)} for (kind, number), places in reasons.items()
    ]


def no_site(s: Any, player: int, number: int, away: int, food: int) -> tuple[str, int] | None:
    """Why a tile is none on which to build, in short; None where it is one."""
    owner = int(s.owner[number])
    if owner == player:
        is_last = s.building[number] == CITY_CENTRE and int(np.bitwise_count(s.centres[player]).sum()) == 1
        return ("last", 0) if is_last else None
    if owner != NOBODY:
        return "foreign", owner
    if away <= REACH and not has(s.sight[player], number):
        return "fog", 0
    if away > REACH:
        return ("far", 0) if s.centres[player].any() else ("homeless", 0)
    return ("food", FOOD_PRICE[away]) if FOOD_PRICE[away] > food else None


def reason_text(kind: str, number: int, names: list[Text], food: int) -> Text:
    match kind:
        case "last":
            return TEXTS["Your only city centre must stay. Build another one first."]
        case "homeless":
            return TEXTS["Without a city centre you can build only on your own tiles."]
        case "fog":
            return TEXTS.format("fog", sight=SIGHT)
        case "far":
            return TEXTS.format("far", reach=REACH)
        case "food":
            return TEXTS.format("too-little-food", price=number, stock=food)
        case "material":
            return TEXTS.format("too-little-material", price=BUILDINGS[0].price, stock=number)
    return TEXTS.format("foreign", owner=names[number])


OPENING = """
lumberjack 1,2; lumberjack 1,11; lumberjack 13,11; lumberjack 13,2; wait; wait; wait; wait; wait; wait; wait; wait;
wait; wait; wait; wait; wait; wait; wait; wait; city_center 2,2; city_center 2,12; city_center 12,13; city_center
12,2; wait; wait; wait; wait; wait; wait; wait; wait; wait; wait; city_center 11,12; wait; mine 0,2; mine 0,12;
lumberjack 13,12; mine 14,2; wait; wait; wait; wait; wait; wait; sawmill 12,12; wait; city_center 3,2; city_center
3,11; wait; city_center 11,2; gatherer 2,2; gatherer 2,12; wait; gatherer 12,2; wait; wait; wait; wait; house 2,3;
house 2,11; city_center 10,12; house 12,3; gatherer 3,2; gatherer 3,11; lumberjack 11,12; gatherer 11,2; city_center
2,1; city_center 1,13; wait; city_center 12,1; farm 1,1; farm 1,12; city_center 9,11; farm 13,1; city_center 3,0;
city_center 2,13; sawmill 12,13; city_center 11,0; house 1,1; house 1,12; gatherer 13,11; house 13,1; city_center 4,1;
farm 0,13; lumberjack 11,11; city_center 10,1; city_center 5,1; windmill 1,13; sawmill 10,12; city_center 9,1; mine
1,2; farm 2,14; city_center 8,11; mine 13,2
"""  # 24 rounds of four greedy players
PREVIEW = " ".join(OPENING.split()).split("; ")
