"""The rules of Quick Civ, rule set 1.0: build on hexagons, live on what the neighbourhood yields, besiege the others.

All choose at once to build something on a tile, or to wait. Builds happen in turn, beginning with another player each
round; then everybody has an income, and sieges go on. After the last round, the 100th unless
another number is chosen, the most points win. With science, a player may also research a technology in place of a
build, and expensive buildings need one.

Production and pressure are kept up to date tile by tile: when a tile changes, so do its own production, that of
buildings up to two tiles away, and the pressure up to two tiles away. Sets of tiles are bits of four words.

Loops run over the sizes of tables, not over constants, where the compiler would write them out turn by turn.
"""

from __future__ import annotations

import numpy as np

from spielbaum.bits import lowest, ones
from spielbaum.games.quick_civ.board import REACH, SIGHT, TILES, WORDS
from spielbaum.games.quick_civ.buildings import CITY_CENTRE, FOOD, FOREIGN, LANE, MATERIAL, OWN, POINTS, UNBUILT
from spielbaum.games.quick_civ.maps import draw_map
from spielbaum.games.quick_civ.tables import KINDS, PLAYERS, TECHNOLOGIES
from spielbaum.rules import below, rule

WAIT = TILES * KINDS
RESEARCH = WAIT + 1  # the first technology; builds come before WAIT
ACTION_CODES = RESEARCH + len(TECHNOLOGIES)
MAX_ACTIONS = 218 * KINDS + 1 + len(TECHNOLOGIES)
NOBODY, NOTHING = -1, -1
ROUNDS = 100
GARRISON, SIEGE = 1, 3
BEGINNING = (30, 20, 0)  # food, material and points
BASE_INCOME = 1 + (1 << LANE)  # one food, one material
FOOD_PRICE = (0, 30, 90, 180, 300)  # of an unbuilt tile, by the distance to the nearest own city centre
LATE_PRICE = 250
MAP_SEEDS = 1 << 31

STATE = np.dtype(
    (
        np.record,
        [
            ("own", "u8", (PLAYERS, WORDS)),  # the tiles of each player
            ("centres", "u8", (PLAYERS, WORDS)),
            ("reach", "u8", (PLAYERS, REACH + 1, WORDS)),  # tiles up to each distance from a city centre
            ("pressed", "u8", (PLAYERS, WORDS)),  # tiles on which a player has pressure
            ("running", "u8", WORDS),  # tiles under siege
            ("production", "i8", PLAYERS),  # packed, see buildings.py
            ("stock", "i8", (PLAYERS, 3)),
            ("sight", "u8", (PLAYERS, WORDS)),  # the tiles that each player sees: all, unless there is fog
            ("known", "u8", PLAYERS),  # technologies
            ("unlocked", "u8", PLAYERS),  # buildings that a player knows how to build
            ("rounds", "i8"),  # that are over
            ("map", "i8"),  # the seed of the map
            ("pressure", "i2", (PLAYERS, TILES)),
            ("last", "i2", PLAYERS),  # the tile of the last own build
            ("tiles", "i2", PLAYERS),  # how many
            ("owner", "i1", TILES),
            ("building", "i1", TILES),
            ("nature", "i1", (TILES, 6)),  # forests at distance 0, 1, 2, mountains likewise
            ("holder", "i1", TILES),  # who besieges a tile
            ("siege", "i1", TILES),  # for how many rounds
            ("viewer", "i1"),  # whose view of a game in the fog it is, from 1; 0 where nothing is hidden
            ("late", "i1", PLAYERS),  # whether a player has built one of the most expensive buildings
        ],
    )
)
ONE, NONE = np.uint64(1), np.uint64(0)
ALL = ~NONE


# --- sets of tiles ------------------------------------------------------------------------------


@rule
def has(cells, tile):
    return cells[tile >> 6] >> np.uint64(tile & 63) & ONE != NONE


@rule
def put(cells, tile):
    cells[tile >> 6] |= ONE << np.uint64(tile & 63)


@rule
def take(cells, tile):
    cells[tile >> 6] &= ~(ONE << np.uint64(tile & 63))


@rule
def count(cells):
    return ones(cells[0]) + ones(cells[1]) + ones(cells[2]) + ones(cells[3])


# --- the beginning ------------------------------------------------------------------------------


@rule
def start(t, s, rng, scratch):
    clear(t, s, t.map if t.map >= 0 else below(rng, MAP_SEEDS), scratch)
    for p in range(t.players):
        s.production[p] = BASE_INCOME
        for resource in range(3):
            s.stock[p, resource] = BEGINNING[resource]
        s.last[p] = t.start[p]
        s.unlocked[p] = t.unlocked
        set_tile(t, s, t.start[p], p, CITY_CENTRE)


@rule
def clear(t, s, seed, scratch):
    """A map on which nobody has built."""
    s.map = seed
    for p in range(PLAYERS):
        for word in range(WORDS):
            s.sight[p, word] = NONE if t.fog else ALL
    draw_map(t.atlas, seed, scratch.forest, scratch.mountain, scratch)
    for tile in range(TILES):
        s.owner[tile], s.building[tile], s.holder[tile] = NOBODY, NOTHING, NOBODY
        if t.exists[tile]:
            count_nature(t, s, tile, scratch)


@rule
def count_nature(t, s, tile, scratch):
    s.nature[tile, 0], s.nature[tile, 3] = scratch.forest[tile], scratch.mountain[tile]
    for i in range(t.near.shape[1]):
        other = t.near[tile, i]
        if other >= 0:
            s.nature[tile, 1 if i < 6 else 2] += scratch.forest[other]
            s.nature[tile, 4 if i < 6 else 5] += scratch.mountain[other]


# --- what a tile yields -------------------------------------------------------------------------


@rule
def relation(owner, other):
    """What a tile of `other` is to a player."""
    return UNBUILT if other == NOBODY else (OWN if other == owner else FOREIGN)


@rule
def yield_of(t, s, tile, owner, building):
    """What a building would yield to its owner on a tile."""
    total = t.flat[building]
    for i in range(t.of_nature.shape[1]):
        total += t.of_nature[building, i] * s.nature[tile, i]
    for i in range(t.looks[building]):
        other = t.near[tile, i]
        if other >= 0:
            kind = max(np.int64(s.building[other]), 0)
            total += t.of_tiles[building, np.int64(i >= 6), relation(owner, s.owner[other]), kind]
    return total


@rule
def food(production):
    return ((production + (1 << LANE - 1)) & ((1 << LANE) - 1)) - (1 << LANE - 1)


@rule
def material(production):
    return food((production - food(production)) >> LANE)


@rule
def points(production):
    rest = (production - food(production)) >> LANE
    return (rest - food(rest)) >> LANE


# --- a tile changes -----------------------------------------------------------------------------


@rule
def set_tile(t, s, tile, owner, building):
    """Give a tile an owner and a building, and keep everything that depends on it up to date."""
    old_owner, old_building = np.int64(s.owner[tile]), np.int64(s.building[tile])
    if old_owner != NOBODY:
        s.production[old_owner] -= yield_of(t, s, tile, old_owner, old_building)
    for i in range(t.near.shape[1]):
        other = t.near[tile, i]
        if other >= 0 and s.owner[other] != NOBODY:
            looker, what, ring = np.int64(s.owner[other]), np.int64(s.building[other]), np.int64(i >= 6)
            now = t.of_tiles[what, ring, relation(looker, owner), building]
            s.production[looker] += now - t.of_tiles[what, ring, relation(looker, old_owner), max(old_building, 0)]
    if old_owner != NOBODY:
        press(t, s, tile, old_owner, old_building, -1)
        if old_owner != owner:
            take(s.own[old_owner], tile)
            s.tiles[old_owner] -= 1
    if old_owner != owner:
        put(s.own[owner], tile)
        s.tiles[owner] += 1
        if t.fog:
            look_from(t, s, owner, tile)
            if old_owner != NOBODY:
                look_anew(t, s, old_owner)
    s.owner[tile], s.building[tile] = owner, building
    s.production[owner] += yield_of(t, s, tile, owner, building)
    press(t, s, tile, owner, building, 1)
    move_centre(t, s, tile, old_owner, old_building, owner, building)


@rule
def look_from(t, s, p, tile):
    """In the fog: what a player sees from a tile of its own."""
    for word in range(t.within.shape[2]):
        s.sight[p, word] |= t.within[tile, SIGHT, word]


@rule
def look_anew(t, s, p):
    """The same from all tiles that are left."""
    for word in range(t.within.shape[2]):
        s.sight[p, word] = NONE
    for tile in range(len(t.exists)):
        if has(s.own[p], tile):
            look_from(t, s, p, tile)


@rule
def press(t, s, tile, owner, building, sign):
    """Add the pressure of a building, or take it away."""
    amount = sign * t.pressure[building, 0]
    if amount == 0:
        return
    tiles = (1, 7, 19)[t.pressure[building, 1]]
    for i in range(tiles):
        other = tile if i == 0 else np.int64(t.near[tile, i - 1])
        if other >= 0:
            s.pressure[owner, other] += amount
            if s.pressure[owner, other] > 0:
                put(s.pressed[owner], other)
            else:
                take(s.pressed[owner], other)


@rule
def move_centre(t, s, tile, old_owner, old_building, owner, building):
    """Gaining a city centre adds its surroundings; losing one means to add up what is left."""
    if old_building == CITY_CENTRE and (old_owner != owner or building != CITY_CENTRE):
        take(s.centres[old_owner], tile)
        add_up_reach(t, s, old_owner)
    if building == CITY_CENTRE and (old_owner != owner or old_building != CITY_CENTRE):
        put(s.centres[owner], tile)
        add_reach(t, s, owner, tile)


@rule
def add_reach(t, s, owner, tile):
    for most in range(t.within.shape[1]):
        for word in range(t.within.shape[2]):
            s.reach[owner, most, word] |= t.within[tile, most, word]


@rule
def add_up_reach(t, s, owner):
    for most in range(t.within.shape[1]):
        for word in range(t.within.shape[2]):
            s.reach[owner, most, word] = NONE
    for tile in range(TILES):
        if has(s.centres[owner], tile):
            add_reach(t, s, owner, tile)


# --- what may be built --------------------------------------------------------------------------


@rule
def distance(s, p, tile):
    """From a tile to the nearest city centre of a player; more than anybody reaches where there is none."""
    for most in range(REACH + 1):
        if has(s.reach[p, most], tile):
            return most
    return REACH + 1


@rule
def affordable(t, s, p):
    """How many of the buildings a player has the material for: they stand in the order of their prices."""
    n = 0
    while n < KINDS and t.price[n] <= s.stock[p, MATERIAL]:
        n += 1
    return n


@rule
def is_unlocked(s, p, building):
    return s.unlocked[p] >> np.uint64(building) & ONE != NONE


@rule
def open_kinds(s, p, kinds):
    """Which of the first buildings, those that a player can pay for, it knows how to build, as a word."""
    return s.unlocked[p] & ((ONE << np.uint64(kinds)) - ONE)


@rule
def farthest(s, p):
    """How far from a city centre a player has the food to build on an unbuilt tile."""
    most = REACH
    while most > 0 and FOOD_PRICE[most] > s.stock[p, FOOD]:
        most -= 1
    return most


@rule
def keeps_centre(s, p):
    """Whether a player has one city centre only, which must stay."""
    return count(s.centres[p]) == 1


@rule
def legal_tiles(s, p, word, most, last_centre):
    """One word of the tiles on which a player may build: own ones, and unbuilt ones within reach and in sight."""
    built = s.own[0, word] | s.own[1, word] | s.own[2, word] | s.own[3, word]
    own = s.own[p, word] & ~s.centres[p, word] if last_centre else s.own[p, word]
    return own | s.reach[p, most, word] & s.sight[p, word] & ~built


@rule
def may_build(t, s, p, tile, building):
    """Whether a player may build this here now."""
    if t.price[building] > s.stock[p, MATERIAL] or not is_unlocked(s, p, building):
        return False
    return has_site(s, p, tile)


@rule
def has_site(s, p, tile):
    if s.owner[tile] == p:
        return s.building[tile] != CITY_CENTRE or not keeps_centre(s, p)
    if s.owner[tile] != NOBODY or not has(s.sight[p], tile):
        return False
    away = distance(s, p, tile)
    return away <= REACH and FOOD_PRICE[away] <= s.stock[p, FOOD]


@rule
def may_research(t, s, p, technology):
    """Whether a player may research this now: it is new, all that it needs is known, and it can be paid."""
    is_new = s.known[p] >> np.uint64(technology) & ONE == NONE
    is_possible = t.needs[technology] & ~s.known[p] == NONE
    food_left = s.stock[p, FOOD] - t.research_price[technology, 0]
    return is_new and is_possible and food_left >= 0 and s.stock[p, MATERIAL] >= t.research_price[technology, 1]


@rule
def count_research(t, s, p):
    """How many technologies a player may research now."""
    n = 0
    for technology in range(t.technologies):
        n += may_research(t, s, p, technology)
    return n


@rule
def movers(t, s, out):
    if s.rounds == t.rounds:
        return 0
    for p in range(t.players):
        out[p] = p
    return t.players


@rule
def played(t, s):
    """How many rounds are over, as if the game had 100."""
    return s.rounds * ROUNDS / t.rounds


@rule
def actions(t, s, player, out):
    """All builds, tile by tile, to wait, and all that can be researched."""
    kinds, most, last_centre, n = affordable(t, s, player), farthest(s, player), keeps_centre(s, player), 0
    all_open = ones(open_kinds(s, player, kinds)) == kinds
    if kinds > 0:
        for word in range(WORDS):
            tiles = legal_tiles(s, player, word, most, last_centre)
            while tiles != NONE:
                tile = 64 * word + lowest(tiles)
                tiles &= tiles - ONE
                if all_open:  # as ever without science; apart, because it is twice as fast
                    for building in range(kinds):
                        out[n + building] = tile * KINDS + building
                    n += kinds
                else:
                    n = list_open(s, player, tile, kinds, out, n)
    out[n] = WAIT
    n += 1
    for technology in range(t.technologies):
        if may_research(t, s, player, technology):
            out[n] = RESEARCH + technology
            n += 1
    return n


@rule
def list_open(s, player, tile, kinds, out, n):
    """Add what a player knows how to build on a tile."""
    for building in range(kinds):
        if is_unlocked(s, player, building):
            out[n] = tile * KINDS + building
            n += 1
    return n


@rule
def draw_build(t, s, player, rng, more):
    """A build or something to research, all as likely, and with `more` to wait; to wait where there is nothing."""
    most, last_centre = farthest(s, player), keeps_centre(s, player)
    choice = open_kinds(s, player, affordable(t, s, player))
    kinds, sites = ones(choice), 0
    if kinds > 0:
        for word in range(WORDS):
            sites += ones(legal_tiles(s, player, word, most, last_centre))
    studies = count_research(t, s, player)
    if sites * kinds + studies + more == 0:
        return WAIT
    drawn = below(rng, sites * kinds + studies + more)
    if drawn >= sites * kinds:
        return study_number(t, s, player, drawn - sites * kinds)
    place = drawn // kinds
    for word in range(WORDS):
        tiles = legal_tiles(s, player, word, most, last_centre)
        here = ones(tiles)
        if place < here:
            for _ in range(place):
                tiles &= tiles - ONE
            return (64 * word + lowest(tiles)) * KINDS + building_number(choice, drawn % kinds)
        place -= here
    return WAIT


@rule
def building_number(choice, number):
    """The building with a number among those of a word: the number itself where none before it is missing."""
    if choice & (choice + ONE) == NONE:
        return number
    for _ in range(number):
        choice &= choice - ONE
    return lowest(choice)


@rule
def study_number(t, s, player, number):
    """The action with a number among what a player may research; after the last one to wait."""
    for technology in range(t.technologies):
        if may_research(t, s, player, technology):
            if number == 0:
                return RESEARCH + technology
            number -= 1
    return WAIT


@rule
def sample(t, s, player, rng):
    return draw_build(t, s, player, rng, 1)


# --- a round ------------------------------------------------------------------------------------


@rule
def resolve(t, s, choices):
    """Builds in turn, income, sieges."""
    for i in range(t.players):
        p = (s.rounds + i) % t.players
        act(t, s, p, choices[p])
    end_round(t, s)


@rule
def act(t, s, p, action):
    """Build, if it is still possible, research, or wait."""
    if action >= WAIT:
        if action > WAIT:
            research(t, s, p, action - RESEARCH)
        return
    tile, building = action // KINDS, action % KINDS
    if not may_build(t, s, p, tile, building):
        return
    if s.owner[tile] == NOBODY:
        s.stock[p, FOOD] -= FOOD_PRICE[distance(s, p, tile)]
    s.stock[p, MATERIAL] -= t.price[building]
    s.last[p] = tile
    if t.price[building] >= LATE_PRICE:
        s.late[p] = 1
    set_tile(t, s, tile, p, building)


@rule
def research(t, s, p, technology):
    if not may_research(t, s, p, technology):
        return
    s.stock[p, FOOD] -= t.research_price[technology, 0]
    s.stock[p, MATERIAL] -= t.research_price[technology, 1]
    learn(t, s, p, technology)


@rule
def learn(t, s, p, technology):
    s.known[p] |= ONE << np.uint64(technology)
    s.unlocked[p] |= t.unlocks[technology]


@rule
def end_round(t, s):
    for p in range(t.players):
        earn(s, p)
    besiege(t, s)
    s.rounds += 1


@rule
def earn(s, p):
    """Add what a player produces; no stock falls below 0."""
    production = s.production[p]
    s.stock[p, FOOD] = max(s.stock[p, FOOD] + food(production), 0)
    s.stock[p, MATERIAL] = max(s.stock[p, MATERIAL] + material(production), 0)
    s.stock[p, POINTS] = max(s.stock[p, POINTS] + points(production), 0)


@rule
def besiege(t, s):
    """Count the rounds of all sieges first; then tiles change hands that were besieged for long enough."""
    fallen = 0
    for word in range(WORDS):
        tiles = s.running[word]
        for p in range(t.players):
            tiles |= s.pressed[p, word] & ~s.own[p, word]
        tiles &= s.own[0, word] | s.own[1, word] | s.own[2, word] | s.own[3, word]
        while tiles != NONE:
            tile = 64 * word + lowest(tiles)
            tiles &= tiles - ONE
            fallen += go_on_with_siege(t, s, tile)
    if fallen > 0:
        take_over(t, s)


@rule
def go_on_with_siege(t, s, tile):
    """Whether a tile falls at the end of this round."""
    attacker = strongest(t, s, tile)
    if attacker == NOBODY:
        s.siege[tile], s.holder[tile] = 0, NOBODY
        take(s.running, tile)
        return False
    s.siege[tile] = s.siege[tile] + 1 if s.holder[tile] == attacker else 1
    s.holder[tile] = attacker
    put(s.running, tile)
    return s.siege[tile] >= SIEGE


@rule
def strongest(t, s, tile):
    """Who besieges a tile: the one with the highest pressure of all others, alone, and more than the owner's."""
    owner, found, most = s.owner[tile], NOBODY, 0
    for p in range(t.players):
        if p != owner and s.pressure[p, tile] > most:
            found, most = p, int(s.pressure[p, tile])
        elif p != owner and s.pressure[p, tile] == most:
            found = NOBODY
    return found if most > s.pressure[owner, tile] + GARRISON else NOBODY


@rule
def take_over(t, s):
    for tile in range(TILES):
        if s.siege[tile] >= SIEGE:
            set_tile(t, s, tile, np.int64(s.holder[tile]), np.int64(s.building[tile]))
            s.siege[tile], s.holder[tile] = 0, NOBODY
            take(s.running, tile)


@rule
def returns(t, s, out):
    """By the place, from 1 for the first to -1 for the last; equals share their places."""
    for p in range(t.players):
        for q in range(t.players):
            out[p] += is_ahead(s, p, q) - 1.0 * is_ahead(s, q, p)
        out[p] /= t.players - 1


@rule
def is_ahead(s, p, q):
    """More points, or as many and more tiles."""
    more = s.stock[p, POINTS] > s.stock[q, POINTS]
    return more or (s.stock[p, POINTS] == s.stock[q, POINTS] and s.tiles[p] > s.tiles[q])
