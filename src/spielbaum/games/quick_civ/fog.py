"""Fog of war, as an option: a player sees what lies within three tiles of its own tiles, and builds only where it sees.

The land itself, the round and everybody's points are known. Hidden are the tiles of others out of sight with all that
follows from them, and the others' food, material, technologies and what they did. So what a player may do depends on
nothing that it can't see, and an action tells nothing of what is out there.

A view is the game as it would be if there were nothing out of sight; it can be played on from. To guess what is there,
others are taken to be as large and as rich as oneself: tiles out of sight, nearest to where they began, with any
building, the start with its city centre.
"""

from __future__ import annotations

import numpy as np

from spielbaum.games.quick_civ.buildings import CITY_CENTRE, FOOD, MATERIAL
from spielbaum.games.quick_civ.rules import (
    NOBODY,
    NOTHING,
    add_up_reach,
    has,
    look_anew,
    press,
    relation,
    set_tile,
    take,
    yield_of,
)
from spielbaum.games.quick_civ.tables import KINDS
from spielbaum.rules import below, rule


@rule
def hides(t):
    return t.fog


@rule
def hide(t, s, player):
    if not t.fog:
        return
    s.viewer = player + 1
    for tile in range(len(t.exists)):
        if s.owner[tile] != NOBODY and not has(s.sight[player], tile):
            clear_tile(t, s, tile)
    for q in range(t.players):
        if q != player:
            add_up_reach(t, s, q)
            look_anew(t, s, q)
            forget(t, s, q)


@rule
def clear_tile(t, s, tile):
    """Nobody owns a tile any more, and all that depends on it is as if nobody ever had."""
    owner, building = np.int64(s.owner[tile]), np.int64(s.building[tile])
    s.production[owner] -= yield_of(t, s, tile, owner, building)
    for i in range(t.near.shape[1]):
        other = t.near[tile, i]
        if other >= 0 and s.owner[other] != NOBODY:
            looker, what, ring = np.int64(s.owner[other]), np.int64(s.building[other]), np.int64(i >= 6)
            rows = t.of_tiles[what, ring]
            s.production[looker] += rows[relation(looker, NOBODY), 0] - rows[relation(looker, owner), building]
    press(t, s, tile, owner, building, -1)
    take(s.own[owner], tile)
    take(s.centres[owner], tile)
    take(s.running, tile)
    s.tiles[owner] -= 1
    s.owner[tile], s.building[tile] = NOBODY, NOTHING
    s.siege[tile], s.holder[tile] = 0, NOBODY


@rule
def forget(t, s, q):
    """What is nobody else's business: stocks, technologies, and what a player did."""
    s.stock[q, FOOD], s.stock[q, MATERIAL] = 0, 0
    s.known[q], s.unlocked[q] = 0, t.unlocked
    s.last[q], s.late[q] = t.start[q], 0


@rule
def determinize(t, s, player, rng):
    if not t.fog:
        return
    s.viewer = 0
    for q in range(t.players):
        if q != player:
            s.stock[q, FOOD], s.stock[q, MATERIAL] = s.stock[player, FOOD], s.stock[player, MATERIAL]
            s.known[q], s.unlocked[q], s.late[q] = s.known[player], s.unlocked[player], s.late[player]
            settle(t, s, player, q, rng)


@rule
def settle(t, s, player, q, rng):
    """Give a player tiles out of sight of another one, until it has as many."""
    for i in range(t.order.shape[1]):
        tile = t.order[q, i]
        if i > 0 and s.tiles[q] >= s.tiles[player]:
            return
        if s.owner[tile] == NOBODY and not has(s.sight[player], tile):
            set_tile(t, s, tile, q, CITY_CENTRE if i == 0 else below(rng, KINDS))
