"""The rules of Kuhn poker (H. W. Kuhn, "A simplified two-person poker", 1950): the smallest game in which one bluffs.

Jack, queen and king; both put a chip into the pot and get a card, the third stays unseen. In turn they may bet one
more chip. Whoever does not match a bet folds and leaves the pot to the other; otherwise the higher card takes it.

In an equilibrium the first player loses 1/18 of a chip a game. They bet a jack with some probability a up to 1/3 and
a king three times as often, and call with a queen with probability a + 1/3; the second player calls with a queen and
bluffs with a jack one time in three. Results are chips won, divided by the most that can be won.
"""

from __future__ import annotations

import numpy as np

from spielbaum.rules import TERMINAL, below, rule

PLAYERS, MAX_ACTIONS, ACTION_CODES = 2, 2, 2
STAKE = 2  # chips that a result of 1 stands for
PASS, BET = 0, 1
JACK, QUEEN, KING = range(3)
CARDS = 3
UNKNOWN = -1
NOT_YET = -1
MOST_MOVES = 3

STATE = np.dtype(
    (
        np.record,
        [
            ("card", "i1", PLAYERS),  # UNKNOWN to the other player
            ("moves", "i1", MOST_MOVES),  # passes and bets so far, NOT_YET after them
            ("count", "i1"),
        ],
    )
)


@rule
def start(s, rng):
    s.card[0] = below(rng, CARDS)
    s.card[1] = another(s.card[0], rng)
    for i in range(MOST_MOVES):
        s.moves[i] = NOT_YET


@rule
def another(card, rng):
    """One of the other cards."""
    return (int(card) + 1 + below(rng, CARDS - 1)) % CARDS


@rule
def faces_bet(s):
    return s.count > 0 and s.moves[s.count - 1] == BET


@rule
def has_folded(s):
    return s.count > 1 and s.moves[s.count - 1] == PASS and s.moves[s.count - 2] == BET


@rule
def is_over(s):
    """A bet was answered, or nobody wanted to bet."""
    return s.count > 1 and (s.moves[s.count - 2] == BET or s.moves[s.count - 1] == PASS)


@rule
def player(s):
    return TERMINAL if is_over(s) else int(s.count) % PLAYERS


@rule
def actions(out):
    out[0], out[1] = PASS, BET
    return 2


@rule
def play(s, action):
    s.moves[s.count] = action
    s.count += 1


@rule
def returns(s, out):
    """What the winner takes of the loser's chips."""
    winner = 0 if s.card[0] > s.card[1] else 1
    if has_folded(s):
        winner = int(s.count) % PLAYERS  # the one before folded
    chips = 2 if faces_bet(s) else 1
    out[winner] = chips / STAKE
    out[1 - winner] = -out[winner]


def units() -> dict[str, tuple[str, float]]:
    """Chips won or lost."""
    return {"returns": ("chips", STAKE)}


@rule
def hide(s, player):
    """The other's card; it is shown in the end unless somebody folds."""
    if not is_over(s) or has_folded(s):
        s.card[1 - player] = UNKNOWN


@rule
def determinize(s, player, rng):
    if s.card[1 - player] == UNKNOWN:
        s.card[1 - player] = another(s.card[player], rng)
