"""What stays the same during a game of Quick Civ: who plays, the board, and the numbers of the buildings."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spielbaum.games.quick_civ import board, buildings, maps, technologies
from spielbaum.games.quick_civ.board import TILES
from spielbaum.params import Param

PLAYERS = 4
BUILDINGS = buildings.read()
KINDS = len(BUILDINGS)
TECHNOLOGIES = technologies.read(BUILDINGS)
SEATS = ("nw", "ne", "se", "sw")
SEATED = {2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)}  # corners, by the number of players

OPTIONS = (
    Param("players", PLAYERS, "how many play", low=2, high=PLAYERS),
    Param("rounds", 100, "how many rounds are played", low=10, high=1000),
    Param("map", None, "seed of the map; each game has its own unless given", low=0, high=2**31 - 1, kind=int),
    Param("fog", False, "whether players see only what lies near their own tiles"),
    Param("science", False, "whether expensive buildings need technologies"),
)


class Tables(NamedTuple):
    """The same for all games with the same options."""

    players: int
    rounds: int
    map: int  # -1 where it is drawn
    start: np.ndarray  # i8[players]: where they begin
    exists: np.ndarray  # ?[225]
    near: np.ndarray  # i2[225, 18]: tiles at distance 1 and 2
    within: np.ndarray  # u8[225, 5, 4]: tiles up to each distance, as words
    atlas: maps.Atlas
    price: np.ndarray  # i8[28]
    military: np.ndarray  # i8[28]: 1 for military buildings
    category: np.ndarray  # i8[28]
    flat: np.ndarray  # i8[28]: packed production, see buildings.py
    of_nature: np.ndarray  # i8[28, 6]
    of_tiles: np.ndarray  # i8[28, 2, 3, 28]
    looks: np.ndarray  # i8[28]: how many of the tiles around a building it depends on: 0, 6 or 18
    pressure: np.ndarray  # i8[28, 2]: amount and range
    fog: bool
    order: np.ndarray  # i8[players, 218]: the tiles from the nearest to where a player begins to the farthest
    technologies: int  # how many there are; 0 without science
    research_price: np.ndarray  # i8[technologies, 2]: food and material
    needs: np.ndarray  # u8[technologies]: technologies, as a word
    unlocks: np.ndarray  # u8[technologies]: buildings, as a word
    unlocked_by: np.ndarray  # i8[28]: the technology of each building, -1 for none
    unlocked: np.uint64  # buildings that everybody can build from the beginning, as a word


def tables(options: dict[str, Any]) -> Tables:
    kinds, players = BUILDINGS, options["players"]
    of_tiles = buildings.of_tiles(kinds)
    looks = [18 if far.any() else 6 if near.any() else 0 for near, far in of_tiles]
    return Tables(
        players=players,
        rounds=options["rounds"],
        map=-1 if options["map"] is None else options["map"],
        start=np.array([board.tile(*board.STARTS[seat]) for seat in SEATED[players]]),
        exists=np.array([board.exists(*divmod(tile, board.SIDE)) for tile in range(TILES)]),
        near=board.near(),
        within=board.within(),
        atlas=maps.atlas(),
        price=np.array([kind.price for kind in kinds]),
        military=np.array([int(kind.category == "military") for kind in kinds]),
        category=np.array([buildings.CATEGORIES.index(kind.category) for kind in kinds]),
        flat=buildings.flat(kinds),
        of_nature=buildings.of_nature(kinds),
        of_tiles=of_tiles,
        looks=np.array(looks),
        pressure=np.array([kind.pressure for kind in kinds]),
        fog=options["fog"],
        order=np.array([board.by_distance(board.STARTS[seat]) for seat in SEATED[players]]),
        **science(options["science"]),
    )


def science(is_on: bool) -> dict[str, Any]:
    """The numbers of the technologies; without science there are none, and everybody can build everything."""
    known = TECHNOLOGIES if is_on else []
    if is_on:
        technologies.refuse_none(known)
    order, keys = [each.key for each in known], [kind.key for kind in BUILDINGS]
    free = [key for key in keys if not any(key in each.unlocks for each in known)]
    return {
        "technologies": len(known),
        "research_price": np.array([[each.food, each.material] for each in known], np.int64).reshape(-1, 2),
        "needs": np.array([technologies.mask(each.needs, order) for each in known], np.uint64),
        "unlocks": np.array([technologies.mask(each.unlocks, keys) for each in known], np.uint64),
        "unlocked_by": np.array(technologies.unlocked_by(BUILDINGS, known)),
        "unlocked": technologies.mask(free, keys),
    }


def seats(options: dict[str, Any]) -> tuple[str, ...]:
    return tuple(SEATS[seat] for seat in SEATED[options["players"]])
