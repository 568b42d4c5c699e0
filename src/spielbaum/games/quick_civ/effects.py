"""What builds would change: the production of a round, for all buildings on many tiles at once.

The same as `production_with` in evaluate.py, which asks about one build, with tables in place of loops: a thousand
builds may be legal, and who plays by hand wants to see what each of them brings.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spielbaum.games.quick_civ.board import REACH
from spielbaum.games.quick_civ.buildings import FOREIGN, LANE, OWN, UNBUILT
from spielbaum.games.quick_civ.rules import NOBODY
from spielbaum.games.quick_civ.tables import Tables

RINGS = np.repeat([0, 1], [6, 12])  # of the tiles around a tile: beside it, or two away


def changes(t: Tables, s: Any, player: int, sites: np.ndarray) -> np.ndarray:
    """i8[len(sites), 28], packed: by how much a player's production changes with each build on own or unbuilt tiles."""
    owner, kind = s.owner.astype(np.int64), np.maximum(s.building, 0).astype(np.int64)
    relation = np.where(owner == NOBODY, UNBUILT, np.where(owner == player, OWN, FOREIGN))
    near = t.near[sites].astype(np.int64)
    there = (near >= 0)[..., None]
    looks = np.moveaxis(t.of_tiles, 0, -1)  # ring, relation, other building -> what each building has of it
    seen = looks[RINGS, relation[near], kind[near]]
    own = t.flat + s.nature[sites].astype(np.int64) @ t.of_nature.T + (seen * there).sum(1)
    ours = there & (owner[near] == player)[..., None]
    rows = t.of_tiles[kind[near], RINGS]  # what the buildings around have of a tile, by its relation and building
    here = np.arange(len(sites))
    before = rows[here[:, None], np.arange(len(RINGS)), relation[sites][:, None], kind[sites][:, None]]
    around = ((rows[:, :, OWN] - before[..., None]) * ours).sum(1)
    lost = np.where(owner[sites] == player, own[here, kind[sites]], 0)
    return np.asarray(own + around - lost[:, None])


def unpacked(production: Any) -> tuple[Any, Any, Any]:
    """Food, material and points."""
    found, half = [], 1 << LANE - 1
    for _ in range(3):
        lane = ((production + half) & ((1 << LANE) - 1)) - half
        found.append(lane)
        production = (production - lane) >> LANE
    return found[0], found[1], found[2]


def distances(s: Any, player: int) -> np.ndarray:
    """i8[256]: how far each tile is from the nearest city centre of a player; REACH + 1 where that is too far."""
    reached = np.unpackbits(s.reach[player].astype("<u8").view(np.uint8), axis=-1, bitorder="little")
    return np.asarray(REACH + 1 - reached.astype(np.int64).sum(0))
