"""Take no hearts and not the queen of spades, or take them all: Hearts, one deal of it without passing.

Four players get thirteen cards each. Who has the two of clubs leads it to the first trick; one follows suit if one can,
the highest card of the suit that was led takes the trick, and who takes it leads to the next. A heart costs a point and
the queen of spades thirteen, but who takes all of them lets the others pay 26. Nobody leads hearts before one of these
cards was thrown, nor throws one on the first trick, unless they have nothing else. This is OpenSpiel's `hearts` with
`pass_cards=false`.

A card is the number 4 * rank + suit, from the two of clubs, 0, to the ace of spades, 51, which is also the code of
playing it. A set of cards is a whole number with a bit for each.
"""

import numpy as np

from spielbaum import TERMINAL, below, rule
from spielbaum.bits import lowest, ones

PLAYERS, CARDS, SUITS = 4, 52, 4
HAND = CARDS // PLAYERS
MAX_ACTIONS, ACTION_CODES = HAND, CARDS
CLUBS, DIAMONDS, HEARTS, SPADES = range(SUITS)
TWO_OF_CLUBS, QUEEN_OF_SPADES = 0, 43
OF_SUIT = tuple(sum(1 << card for card in range(suit, CARDS, SUITS)) for suit in range(SUITS))
COSTLY = OF_SUIT[HEARTS] | 1 << QUEEN_OF_SPADES
ALL_POINTS, QUEEN_POINTS = 26, 13
NOTHING, UNKNOWN = -1, -1

SEATS = ("north", "east", "south", "west")
STATE = np.dtype(
    (
        np.record,
        [
            ("hand", "i8", PLAYERS),  # a set of cards, UNKNOWN to the others
            ("played", "i8"),  # the set of all cards that were played
            ("trick", "i1", PLAYERS),  # what each has played to this trick, NOTHING before
            ("void", "i1", PLAYERS),  # the set of suits that each is known to have no cards of
            ("points", "i1", PLAYERS),
            ("broken", "i1"),  # whether a heart or the queen of spades was played
            ("leader", "i1"),  # of this trick
            ("turn", "i1"),
        ],
    )
)
SCRATCH = np.dtype((np.record, [("card", "i1", CARDS), ("holder", "i1", CARDS)]))


@rule
def start(s, rng):
    """Deal: each card goes to one of the free places of all hands."""
    for card in range(CARDS):
        place = below(rng, CARDS - card)
        q = 0
        while place >= HAND - ones(s.hand[q]):
            place -= HAND - ones(s.hand[q])
            q += 1
        s.hand[q] |= 1 << card
    for q in range(PLAYERS):
        s.trick[q] = NOTHING
        if s.hand[q] >> TWO_OF_CLUBS & 1:
            s.leader = s.turn = q


@rule
def player(s):
    """There are as many cards in a trick as players, so that only a finished game has all of them played."""
    return TERMINAL if ones(s.played) == CARDS else int(s.turn)


@rule
def actions(s, out):
    cards = playable(s)
    n = 0
    while cards:
        out[n] = lowest(cards)
        cards &= cards - 1
        n += 1
    return n


@rule
def playable(s):
    """The cards that the player on turn may play, as a set."""
    hand = s.hand[s.turn]
    if s.played == 0:
        return int(1 << TWO_OF_CLUBS)
    if s.turn == s.leader:
        return hand if s.broken else first_of(hand & ~OF_SUIT[HEARTS], hand)
    same_suit = hand & OF_SUIT[s.trick[s.leader] % SUITS]
    if ones(s.played) < PLAYERS:
        return first_of(same_suit, first_of(hand & ~COSTLY, hand))
    return first_of(same_suit, hand)


@rule
def first_of(cards, others):
    """The cards, or others if there are none."""
    return cards if cards else others


@rule
def play(s, action):
    tell_voids(s, action)
    s.hand[s.turn] &= ~(1 << action)
    s.played |= 1 << action
    s.trick[s.turn] = action
    if COSTLY >> action & 1:
        s.broken = 1
    s.turn = (int(s.turn) + 1) % PLAYERS
    if s.turn == s.leader:
        take_trick(s)


@rule
def tell_voids(s, action):
    """What everybody learns: who does not follow suit has none of it, and who leads hearts too early nothing else."""
    suit = action % SUITS
    if s.turn != s.leader:
        led = s.trick[s.leader] % SUITS
        if suit != led:
            s.void[s.turn] |= 1 << led
    elif suit == HEARTS and not s.broken:
        s.void[s.turn] |= 1 << CLUBS | 1 << DIAMONDS | 1 << SPADES


@rule
def take_trick(s):
    """The highest card of the suit that was led takes the trick, and its player leads to the next."""
    taker, points = int(s.leader), 0
    for q in range(PLAYERS):
        card = int(s.trick[q])
        if card % SUITS == s.trick[taker] % SUITS and card > s.trick[taker]:
            taker = q
        if card % SUITS == HEARTS:
            points += 1
        elif card == QUEEN_OF_SPADES:
            points += QUEEN_POINTS
    for q in range(PLAYERS):
        s.trick[q] = NOTHING
    s.points[taker] += points
    s.leader = s.turn = taker


@rule
def cost(s, player):
    """The points of a player in the end: who has all of them lets the others pay."""
    for q in range(PLAYERS):
        if s.points[q] == ALL_POINTS:
            return 0 if q == player else ALL_POINTS
    return int(s.points[player])


@rule
def returns(s, out):
    """1 without points, -1 with all of them."""
    for q in range(PLAYERS):
        out[q] = 1.0 - 2.0 * cost(s, q) / ALL_POINTS


def units():
    return {"returns": ("points", ALL_POINTS / 2)}


# --- what the others hold -------------------------------------------------------------------------------------------


@rule
def hide(s, player):
    for q in range(PLAYERS):
        if q != player:
            s.hand[q] = UNKNOWN


SWEEPS, MOST_SWEEPS = 4, 400


@rule
def determinize(s, player, rng, scratch):
    """Deal the unseen cards to the other hands; then these swap cards until nobody holds what they can't.

    Each swap is as likely as the one back, so that every deal that may be is drawn about as often as any other.
    """
    n = deal_unseen(s, player, rng, scratch)
    wrong = 0
    for i in range(n):
        wrong += is_wrong(s, i, i, scratch)
    for sweep in range(MOST_SWEEPS):
        for i in range(n):
            wrong -= swap_unless_worse(s, i, below(rng, n), scratch)
        if wrong == 0 and sweep >= SWEEPS - 1:
            break
    for q in range(PLAYERS):
        if q != player:
            s.hand[q] = 0
    for i in range(n):
        s.hand[scratch.holder[i]] |= 1 << int(scratch.card[i])


@rule
def deal_unseen(s, player, rng, scratch):
    """Shuffle the cards that the player has not seen and lay them out by hands; how many there are."""
    unseen = (1 << CARDS) - 1 & ~s.played & ~s.hand[player]
    n = 0
    for q in range(PLAYERS):
        for _ in range(cards_left(s, q) if q != player else 0):
            card = lowest(unseen)
            unseen &= unseen - 1
            other = below(rng, n + 1)
            scratch.holder[n] = q
            scratch.card[n] = scratch.card[other]
            scratch.card[other] = card
            n += 1
    return n


@rule
def cards_left(s, q):
    """How many cards a player holds: one less than at the last trick if they have played to this one."""
    tricks = ones(s.played) // PLAYERS
    return HAND - tricks - (1 if s.trick[q] != NOTHING else 0)


@rule
def swap_unless_worse(s, i, j, scratch):
    """Two hands swap two of their cards, unless more cards would be where they can't be; by how many less it is."""
    better = is_wrong(s, i, i, scratch) + is_wrong(s, j, j, scratch)
    better -= is_wrong(s, i, j, scratch) + is_wrong(s, j, i, scratch)
    if better < 0:
        return 0
    scratch.card[i], scratch.card[j] = scratch.card[j], scratch.card[i]
    return better


@rule
def is_wrong(s, card_at, holder_at, scratch):
    """Whether a card can't be in a hand: the hand has none of its suit, or has not led the two of clubs."""
    card, holder = int(scratch.card[card_at]), int(scratch.holder[holder_at])
    return int((s.void[holder] >> card % SUITS & 1) or (card == TWO_OF_CLUBS and holder != s.turn))


# --- a player by rule of thumb --------------------------------------------------------------------------------------

POLICIES = ("duck",)


@rule
def policy(s):
    """`duck`: lead low, stay below the trick with the highest card that does, and throw what costs most."""
    cards = playable(s)
    if s.turn == s.leader:
        return lowest(cards)
    led = s.trick[s.leader] % SUITS
    if cards & OF_SUIT[led] == 0:
        return dearest(cards)
    best = int(s.trick[s.leader])
    for q in range(PLAYERS):
        if s.trick[q] % SUITS == led and s.trick[q] > best:
            best = int(s.trick[q])
    below_best = cards & ((1 << best) - 1)
    return highest(below_best) if below_best else lowest(cards)


@rule
def dearest(cards):
    """The queen of spades, else the highest heart, else the highest card."""
    if cards >> QUEEN_OF_SPADES & 1:
        return QUEEN_OF_SPADES
    return highest(first_of(cards & OF_SUIT[HEARTS], cards))


@rule
def highest(cards):
    card = 0
    while cards:
        card = lowest(cards)
        cards &= cards - 1
    return card


# --- for people -----------------------------------------------------------------------------------------------------


def format_action(action):
    return name_of(action)


def name_of(card):
    """`QS` for the queen of spades."""
    return "23456789TJQKA"[card // SUITS] + "CDHS"[card % SUITS]


def render(s):
    """The trick, and for each player the points and the hand."""
    trick = " ".join(name_of(card) for card in s.trick if card != NOTHING) or "none"
    lines = [
        f"{seat}: {points} points, {held(hand)}" for seat, points, hand in zip(SEATS, s.points, s.hand, strict=True)
    ]
    return "\n".join([f"trick: {trick}", *lines])


def held(hand):
    """The cards of a hand by suits, spades first; a question mark for those that are not seen."""
    if hand == UNKNOWN:
        return "?"
    return " ".join(name_of(card) for suit in (3, 2, 1, 0) for card in range(suit, CARDS, SUITS) if hand >> card & 1)
