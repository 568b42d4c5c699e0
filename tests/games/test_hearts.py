"""The example Hearts: its rules are those of OpenSpiel, and hands are dealt anew from all that everybody knows."""

from __future__ import annotations

import collections
import itertools
import pathlib
import random
from typing import Any

import numpy as np
import pytest

import spielbaum
from spielbaum.game import Game, State
from spielbaum.rules import random_stream
from spielbaum.testing import check

FILE = pathlib.Path(__file__).parents[2] / "examples" / "hearts.py"
CARDS, PLAYERS, SUITS = 52, 4, 4
GAMES = 300
SECONDS = 20  # for the laws: hands are dealt slowly where rules are interpreted


@pytest.fixture(scope="module")
def hearts() -> Game:
    return spielbaum.load(FILE)


def held(hand: int) -> list[int]:
    return [card for card in range(CARDS) if int(hand) >> card & 1]


def random_game(hearts: Game, seed: int) -> tuple[State, random.Random]:
    return hearts.new(seed), random.Random(seed)


def worlds(state: State, player: int, count: int) -> np.ndarray:
    """STATE[count]: what may be behind what a player sees."""
    drawn = np.repeat(state.view(player).array, count)
    rng = random_stream(len(state.history or ()), player)
    for i in range(count):
        state.game.kernels.game_api.determinize(state.game.context, drawn[i : i + 1], player, rng)
    return drawn


def test_hearts_is_lawful(hearts):
    verdicts = {verdict.law: verdict.status for verdict in check(hearts, games=2, seconds=SECONDS)}
    assert "broken" not in verdicts.values()
    assert verdicts["hide"] == verdicts["determinize"] == "passed"


@pytest.mark.needs("pyspiel")
def test_hearts_is_that_of_open_spiel(hearts):
    import pyspiel

    peer = pyspiel.load_game("hearts(pass_cards=false)")
    for seed in range(GAMES):
        ours, choices = random_game(hearts, seed)
        theirs = dealt(peer, ours)
        while not theirs.is_terminal():
            assert ours.player == theirs.current_player()
            assert sorted(ours.actions) == sorted(theirs.legal_actions())
            action = choices.choice(sorted(ours.actions))
            assert ours.format(action) == theirs.action_to_string(action)
            ours.play(action)
            theirs.apply_action(action)
        assert ours.over
        assert [13 + 13 * result for result in ours.returns] == pytest.approx(theirs.returns())


def dealt(peer: Any, ours: State) -> Any:
    """OpenSpiel's game with the same hands: it draws that nobody passes, and deals to the seats in turn."""
    theirs = peer.new_initial_state()
    theirs.apply_action(0)
    for cards in zip(*(held(hand) for hand in ours.record.hand), strict=True):
        for card in cards:
            theirs.apply_action(card)
    return theirs


def test_hands_are_dealt_anew_without_what_their_players_are_known_not_to_have(hearts):
    known = 0
    for seed in range(20):
        state, choices = random_game(hearts, seed)
        shown: set[tuple[int, int]] = set()  # player and suit that it could not follow
        while not state.over:
            true = [len(held(hand)) for hand in state.record.hand]
            for player in range(PLAYERS):
                for world in worlds(state, player, 3):
                    hands = [held(hand) for hand in world.hand]
                    assert hands[player] == held(state.record.hand[player])
                    assert [len(hand) for hand in hands] == true
                    assert len({card for hand in hands for card in hand} | set(held(world.played))) == CARDS
                    assert all(
                        (q, card % SUITS) not in shown for q, hand in enumerate(hands) if q != player for card in hand
                    )
                    assert state.record.played or 0 in hands[state.player]
            known += len(shown)
            led, mover = int(state.record.trick[state.record.leader]), state.player
            action = choices.choice(state.actions)
            if led >= 0 and action % SUITS != led % SUITS:
                shown.add((mover, led % SUITS))
            state.play(action)
    assert known > 1000


def test_every_deal_that_may_be_is_drawn_about_as_often(hearts):
    """All deals of some endings are listed; each comes up as often as the others, within five standard errors."""
    looked, draws = 0, 200
    for seed in range(40):
        state, choices = random_game(hearts, seed)
        while len(held(state.record.played)) < 40:
            state.play(choices.choice(state.actions))
        player = state.player
        possible = deals(state, player)
        if not 3 <= len(possible) <= 60 or not any(state.record.void):
            continue
        looked += 1
        found = collections.Counter(
            tuple(map(int, world.hand)) for world in worlds(state, player, draws * len(possible))
        )
        assert set(found) == possible
        assert all(abs(count - draws) < 5 * draws**0.5 for count in found.values()), (seed, sorted(found.values()))
    assert looked >= 3


def deals(state: State, player: int) -> set[tuple[int, ...]]:
    """All hands that there may be behind what a player sees, by trying all ways to hand out the unseen cards."""
    hands, void = [held(hand) for hand in state.record.hand], state.record.void
    others = [q for q in range(PLAYERS) if q != player]
    unseen = [card for q in others for card in hands[q]]
    found = set()
    for holders in itertools.product(others, repeat=len(unseen)):
        if any(holders.count(q) != len(hands[q]) for q in others):
            continue
        if any(int(void[q]) >> card % SUITS & 1 for q, card in zip(holders, unseen, strict=True)):
            continue
        found.add(tuple(
            sum(1 << card for holder, card in zip(holders, unseen, strict=True) if holder == q)
            if q != player else int(state.record.hand[q])
            for q in range(PLAYERS)
        ))  # fmt: skip
    return found


def test_who_takes_all_points_lets_the_others_pay(hearts):
    state = hearts.new(1)
    state.record.played = (1 << CARDS) - 1
    state.record.points = (0, 26, 0, 0)
    ended = State(hearts, state.array, random_stream(1), None)
    assert ended.returns == [-1.0, 1.0, -1.0, -1.0]
