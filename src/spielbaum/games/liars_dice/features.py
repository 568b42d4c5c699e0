"""What a network sees of Liar's Dice: the own dice, everybody's bids, and whose turn it is if it is another one's.

Others are counted from the player on, so that who bids after the player is the same seat for all. Features are, one
after the other: how many own dice show each face, if any; the bids of each seat; the seats to move but the own.
"""

from __future__ import annotations

from spielbaum.games.liars_dice.rules import MOST_BIDS, MOST_DICE, MOST_FACES, PLAYERS
from spielbaum.rules import rule

BIDS = MOST_FACES * MOST_DICE  # the first feature of each kind
TURN = BIDS + PLAYERS * MOST_BIDS
FEATURES = TURN + PLAYERS - 1


@rule
def features(t, s, player, out):
    n = 0
    for face in range(t.faces):
        dice = int(s.dice[player, face])
        if dice > 0:
            out[n] = MOST_DICE * face + dice - 1
            n += 1
    number = 0
    for bid in range(s.last + 1):
        if s.made[bid]:
            out[n] = BIDS + MOST_BIDS * ((number - player) % t.players) + bid
            n += 1
            number += 1
    if s.turn != player:
        out[n] = TURN + (int(s.turn) - player) % t.players - 1
        n += 1
    return n
