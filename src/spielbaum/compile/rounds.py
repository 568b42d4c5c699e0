"""Rounds in which all movers choose at once, offered as a game in turns to whatever wants one.

An author writes `movers`, `actions`, `resolve` and `returns`. Derived from them: the movers are asked one after
the other, beginning with `round_first`; their choices stand in the state until the last one is in, and then the
round happens. What was chosen so far is nobody's business: `observe` makes of a state what one player sees of it,
as if that player had been asked first. So who is asked when changes nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spielbaum.errors import GameError
from spielbaum.rules import TERMINAL, inlined, mix, rule

NO_CHOICE = -1


def state_type(own: np.dtype, players: int) -> np.dtype:
    """The game's record with what a round needs to know at its end."""
    fields = [
        ("round_choices", "i4", players),
        ("round_movers", "i1", players),  # in the order in which the rule `movers` names them
        ("round_count", "i1"),  # how many they are; 0 when the game is over
        ("round_asked", "i1"),  # how many of them have chosen
        ("round_first", "i1"),  # who is asked first, where that player is a mover
    ]
    gap = -own.itemsize % 4
    rest = -(own.itemsize + gap + np.dtype(fields).itemsize) % 8
    before, after = [("round_gap", "u1", gap)] * (gap > 0), [("round_rest", "u1", rest)] * (rest > 0)
    added = np.dtype([*before, *fields, *after])  # no padding: a copy of a record would leave it out
    own_places: Any = own.fields
    added_places: Any = added.fields
    layout = {
        "names": [*(own.names or ()), *(added.names or ())],
        "formats": [record[name] for record in (own, added) for name in record.names or ()],
        "offsets": [
            *(own_places[name][1] for name in own.names or ()),
            *(own.itemsize + added_places[name][1] for name in added.names or ()),
        ],
        "itemsize": own.itemsize + added.itemsize,
    }
    return np.dtype((np.record, layout))


def derive(rules: Any) -> None:
    """Give bound rules of a game in rounds those of a game in turns."""
    own_start, own_hide = getattr(rules, "start", no_start), getattr(rules, "hide", nothing_hidden)
    own_key: Any = getattr(rules, "key", None)
    own_playout: Any = getattr(rules, "playout", None)
    movers, resolve, players = rules.movers, rules.resolve, rules.PLAYERS
    from spielbaum.compile.link import title  # which binds rules itself

    name = title(rules)
    too_many = f"{name}: movers named a number of players outside 0 … PLAYERS = {players}"
    nobody = f"{name}: movers named a player outside 0 … PLAYERS - 1 = {players - 1}"
    twice = f"{name}: movers named a player twice"

    @rule
    def open_round(t, s):
        """Who decides now; nobody has chosen yet."""
        for i in range(players):
            s.round_movers[i] = NO_CHOICE
        n = movers(t, s, s.round_movers)
        if n < 0 or n > players:
            raise GameError(too_many)
        for i in range(n):
            if s.round_movers[i] < 0 or s.round_movers[i] >= players:
                raise GameError(nobody)
            for j in range(i):
                if s.round_movers[i] == s.round_movers[j]:
                    raise GameError(twice)
        for i in range(n, players):
            s.round_movers[i] = NO_CHOICE
        for q in range(players):
            s.round_choices[q] = NO_CHOICE
        s.round_count = n
        s.round_asked = 0

    @rule
    def start(t, s, rng):
        own_start(t, s, rng)
        open_round(t, s)

    @rule
    def player(t, s):
        """The next of the movers who is asked."""
        if s.round_count == 0:
            return TERMINAL
        at = np.int64(s.round_asked)
        for i in range(s.round_count):
            if s.round_movers[i] == s.round_first:
                at += i
        return np.int64(s.round_movers[at % s.round_count])

    @inlined
    def resolve_round(t, s, choices, rng):
        """The round happens, and the next one begins."""
        resolve(t, s, choices, rng)
        open_round(t, s)

    @rule
    def play(t, s, action, rng):
        """Take down a choice; with the last one the round happens."""
        s.round_choices[player(t, s)] = action
        s.round_asked += 1
        if s.round_asked == s.round_count:
            resolve_round(t, s, s.round_choices, rng)

    @rule
    def observe(t, s, seat):
        """What a player sees: the own choice, if it is made, and no other."""
        own_hide(t, s, seat)
        s.round_first = seat
        s.round_asked = 1 if s.round_choices[seat] != NO_CHOICE else 0
        for q in range(players):
            if q != seat:
                s.round_choices[q] = NO_CHOICE

    @rule
    def key(t, s):
        """The game's own key, with the choices of this round."""
        found = own_key(t, s)
        if s.round_asked > 0:
            for q in range(players):
                found = mix(found, s.round_choices[q])
        return found

    @rule
    def playout(t, s, rng, limit):
        """The game's own playout from the beginning of a round."""
        played = own_playout(t, s, rng, limit)
        open_round(t, s)
        return played

    rules.STATE = state_type(rules.STATE, players)
    rules.start, rules.player, rules.play = start, player, play
    rules.observe, rules.open_round, rules.resolve_round = observe, open_round, resolve_round
    if own_key is not None:
        rules.key = key
    if own_playout is not None:
        rules.playout = playout


@rule
def no_start(t, s, rng):
    pass


@rule
def nothing_hidden(t, s, player):
    pass
