"""The rules of Scotland Yard: Mister X, whom nobody sees, against one to five detectives.

After a bachelor thesis on the game (Stuttgart 2015). A move is a destination and a ticket. Mister X moves
first in a round, twice with a double card; then the detectives do, one after the other, and what they pay
is his. He shows himself after his moves 3, 8, 13 and 18, or with the option `visible` always. Everything but
his station is public, and so is what follows from it: where he may be (`belief`), and how likely if he moved
at random (`mass`).
"""

from __future__ import annotations

import numpy as np

from spielbaum.bits import lowest
from spielbaum.games.scotland_yard.belief import found_empty, reveal, spread
from spielbaum.games.scotland_yard.bits import NONE, ONE, bit, contains, insert, remove
from spielbaum.games.scotland_yard.tables import (
    BLACK,
    BUS,
    BUS_STEP,
    ROOM,
    TAXI,
    TAXI_STEP,
    TICKETS,
    UNDERGROUND,
    WORDS,
)
from spielbaum.params import Param
from spielbaum.rules import TERMINAL, below, rule

MRX = 0
PLAYERS = 6
TEAMS = (0, 1, 1, 1, 1, 1)
DETECTIVES = 1  # the other side, as winners
UNKNOWN = 0  # the station of somebody whom one can't see
NOBODY = -1
DOUBLE = 4 * ROOM  # what is added to the code of a move that begins a double one
ACTION_CODES = 2 * DOUBLE
MAX_ACTIONS = 52  # thirteen edges, each with its ticket or a black one, and again with a double card
MRX_TICKETS, DOUBLES = (4, 3, 3), 2
REVEALS = (3, 8, 13, 18)
LOG = 120  # moves of Mister X, at most: one for each ticket of the detectives, and some
SETS = 5  # sets of stations on a policy's sheet
SECOND_HALF = 8  # marks a move in the log that was the second half of a double one

STATE = np.dtype(
    (
        np.record,
        [
            ("at", "i8", PLAYERS),  # everybody's station
            ("tickets", "i8", (PLAYERS, 4)),  # of each kind
            ("doubles", "i8"),  # double cards of Mister X
            ("turn", "i8"),
            ("second", "i8"),  # whether he is in the second half of a double move
            ("moves", "i8"),  # his single moves so far
            ("winner", "i8"),  # MRX or DETECTIVES once the game is over
            ("row", "i8", PLAYERS),  # the row of a detective's distances in the table
            ("occupied", "u8", WORDS),  # stations where detectives stand
            ("belief", "u8", WORDS),  # stations where Mister X may be
            ("mass", "f4", ROOM),  # how likely he is where
            ("seen", "u1", len(REVEALS)),  # where he showed himself
            ("log", "u1", LOG),  # one more than the ticket of each of his moves, and SECOND_HALF
        ],
    )
)
SCRATCH = np.dtype(
    (
        np.record,
        [
            ("sheet", "u8", (SETS, WORDS)),  # for a policy to reckon on
            ("parts", "f4", ROOM),  # of the mass, while it flows
        ],
    )
)
METRICS = ("rounds",)
OPTIONS = (
    Param("players", 6, "players: Mister X and the detectives", low=2, high=PLAYERS),
    Param("help", True, "show where Mister X may be"),
    Param("visible", False, "everybody sees Mister X all the time"),
)


@rule
def start(t, s, rng):
    """Everybody draws a start station; the detectives know that Mister X is on one of the others."""
    s.winner = NOBODY
    for q in range(1, t.players):
        s.at[q] = free_start(t, s, rng)
        insert(s.occupied, s.at[q])
        for ticket in range(BLACK):
            s.tickets[q, ticket] = TICKETS[ticket]
        s.row[q] = t.rows[purse(s, q), s.at[q]]
    s.at[MRX] = free_start(t, s, rng)
    for ticket in range(BLACK):
        s.tickets[MRX, ticket] = MRX_TICKETS[ticket]
    s.tickets[MRX, BLACK] = t.players - 1
    s.doubles = DOUBLES
    for i in range(len(t.starts)):
        if not contains(s.occupied, t.starts[i]):
            insert(s.belief, t.starts[i])
            s.mass[t.starts[i]] = 1.0
    if t.visible:
        reveal(s, s.at[MRX])


@rule
def purse(s, q):
    """The number of the tickets that a detective holds."""
    return s.tickets[q, TAXI] * TAXI_STEP + s.tickets[q, BUS] * BUS_STEP + s.tickets[q, UNDERGROUND]


@rule
def free_start(t, s, rng):
    while True:
        station = t.starts[below(rng, len(t.starts))]
        if not contains(s.occupied, station):
            return station


@rule
def player(s):
    return s.turn if s.winner == NOBODY else TERMINAL


@rule
def actions(t, s, out):
    n = list_moves(t, s, out)
    if s.turn == MRX and s.doubles > 0 and s.second == 0:
        for i in range(n):
            out[n + i] = DOUBLE + out[i]
        n *= 2
    return n


@rule
def list_moves(t, s, out):
    """The single moves of whoever's turn it is; Mister X may pay each of them with a black ticket."""
    plain, hidden = plain_edges(t, s, s.turn), hidden_edges(t, s, s.turn)
    edges = plain | hidden
    n = 0
    while edges != NONE:
        number = lowest(edges)
        edge = t.first[s.at[s.turn], TAXI] + number
        if plain & bit(number) != NONE:
            out[n] = move(int(t.kind[edge]), int(t.to[edge]))
            n += 1
        if hidden & bit(number) != NONE:
            out[n] = move(BLACK, int(t.to[edge]))
            n += 1
        edges &= edges - ONE
    return n


@rule
def plain_edges(t, s, q):
    """The edges that a player may take with their own tickets, as bits in the order of the station's edges."""
    edges = NONE
    for ticket in range(4):
        if s.tickets[q, ticket] > 0:
            edges |= np.uint64(t.lines[s.at[q], ticket])
    return edges & ~blocked_edges(t, s, q)


@rule
def hidden_edges(t, s, q):
    """The edges by land that a player may take with a black ticket, one to each neighbour."""
    if s.tickets[q, BLACK] == 0:
        return NONE
    return np.uint64(t.distinct[s.at[q]]) & ~blocked_edges(t, s, q)


@rule
def blocked_edges(t, s, q):
    """The edges at whose ends detectives stand."""
    edges = NONE
    for other in range(1, t.players):
        edges |= np.uint64(t.towards[s.at[q], s.at[other]])
    return edges


@rule
def move(ticket, station):
    """The code of a single move."""
    return ticket * ROOM + station


@rule
def play(t, s, action, scratch):
    ticket, station = action % DOUBLE // ROOM, action % ROOM
    if s.turn == MRX:
        flee(t, s, ticket, station, action >= DOUBLE, scratch.parts)
    else:
        pursue(t, s, ticket, station)


@rule
def flee(t, s, ticket, station, doubling, parts):
    """A single move of Mister X."""
    s.tickets[MRX, ticket] -= 1
    s.at[MRX] = station
    s.log[s.moves] = 1 + ticket + SECOND_HALF * s.second
    s.moves += 1
    number = reveal_number(s.moves)
    if number >= 0:
        s.seen[number] = station
    if number >= 0 or t.visible:
        reveal(s, station)
    else:
        spread(t, s, ticket, parts)
    s.second = 1 if doubling else 0
    if doubling:
        s.doubles -= 1
        demand_move(t, s)
    else:
        next_turn(t, s)


@rule
def reveal_number(moves):
    """Which time he shows himself after so many moves, or -1."""
    for i in range(len(REVEALS)):
        if moves == REVEALS[i]:
            return i
    return -1


@rule
def pursue(t, s, ticket, station):
    """A move of a detective, who hands the ticket to Mister X."""
    s.tickets[s.turn, ticket] -= 1
    s.tickets[MRX, ticket] += 1
    remove(s.occupied, s.at[s.turn])
    insert(s.occupied, station)
    s.at[s.turn] = station
    s.row[s.turn] = t.rows[purse(s, s.turn), station]
    if station == s.at[MRX]:
        s.winner = DETECTIVES
        reveal(s, station)
    else:
        found_empty(s, station)
        next_turn(t, s)


@rule
def next_turn(t, s):
    """The next detective who can move is on; after the last one Mister X, who wins when none of them could."""
    for q in range(s.turn + 1, t.players):
        if can_move(t, s, q):
            s.turn = q
            return
    if s.turn == MRX:
        s.winner = MRX
        return
    s.turn = MRX
    demand_move(t, s)


@rule
def demand_move(t, s):
    """Mister X has lost when he can't move."""
    if not can_move(t, s, MRX):
        s.winner = DETECTIVES


@rule
def can_move(t, s, q):
    """Whether a ticket leads to a free neighbour; most often to the first one."""
    black = s.tickets[q, BLACK] > 0
    for edge in range(t.first[s.at[q], TAXI], t.first[s.at[q], 4]):
        if (black or s.tickets[q, t.kind[edge]] > 0) and not contains(s.occupied, t.to[edge]):
            return True
    return False


@rule
def returns(t, s, out):
    out[MRX] = 1.0 if s.winner == MRX else -1.0
    for q in range(1, t.players):
        out[q] = -out[MRX]


@rule
def metrics(s, out):
    """The thesis counts rounds by Mister X's single moves."""
    out[0] = s.moves


@rule
def hides(t):
    return not t.visible


@rule
def hide(s, player):
    """Detectives do not see where Mister X is, before the end."""
    if player != MRX and s.winner == NOBODY:
        s.at[MRX] = UNKNOWN


@rule
def copy_hidden(s, other):
    other.at[MRX] = s.at[MRX]
