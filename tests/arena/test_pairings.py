"""Tournament formats: everybody gets their due."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spielbaum.arena import pairings
from spielbaum.errors import SpielbaumError

FIELDS = st.tuples(st.integers(2, 12), st.integers(2, 6)).filter(lambda field: field[1] <= field[0])


def appearances(groups):
    return Counter(itertools.chain.from_iterable(groups))


@given(FIELDS)
def test_a_round_robin_holds_every_group_once(field):
    agents, seats = field
    groups = pairings.round_robin(agents, seats)
    assert len(set(groups)) == len(groups) == math.comb(agents, seats)
    assert all(list(group) == sorted(set(group)) for group in groups)


@settings(deadline=None)
@given(st.integers(7, 14), st.integers(3, 6), st.integers(5, 60), st.integers(0, 5))
def test_a_sample_of_too_many_groups_is_fair_and_distinct(agents, seats, most, seed):
    groups = pairings.round_robin(agents, seats, most, seed)
    assert len(groups) == min(most, math.comb(agents, seats))
    assert all(len(set(group)) == seats for group in groups)
    assert len(set(groups)) == len(groups) or most > math.comb(agents, seats) / 3
    times = appearances(groups)
    assert max(times.values()) - min(times[agent] for agent in range(agents)) <= 1


def test_a_sample_is_a_function_of_its_seed():
    assert pairings.round_robin(12, 4, 50, seed=1) == pairings.round_robin(12, 4, 50, seed=1)
    assert pairings.round_robin(12, 4, 50, seed=1) != pairings.round_robin(12, 4, 50, seed=2)


@settings(deadline=None)
@given(FIELDS, st.integers(5, 400))
def test_the_first_agent_runs_the_whole_gauntlet(field, most):
    agents, seats = field
    groups = pairings.gauntlet(agents, seats, most)
    times = appearances(groups)
    assert all(group[0] == 0 and len(set(group)) == seats for group in groups)
    others = [times[agent] for agent in range(1, agents)]
    assert max(others) - min(others) <= 1


def test_too_few_agents_are_refused():
    for make in (pairings.round_robin, pairings.gauntlet):
        with pytest.raises(SpielbaumError, match=r"games with 4 seats needs at least 4 agents, not 3"):
            make(3, 4)


def swiss(agents, rounds, seed):
    """The rounds of a simulated tournament in which the lower number tends to win, and who had a bye."""
    rng = np.random.default_rng(seed)
    scores, met, byes, played = [0.0] * agents, [], [], []
    for _ in range(rounds):
        off = pairings.bye(scores, byes)
        pairs = pairings.swiss_round(scores, met, byes)
        played.append((list(scores), pairs, off))
        for a, b in pairs:
            points = float(rng.choice([0, 0.5, 1], p=[0.2, 0.2, 0.6]))
            scores[a] += points
            scores[b] += 1 - points
        if off is not None:
            scores[off] += 1
            byes.append(off)
        met += pairs
    return played, byes


@settings(deadline=None, max_examples=30)
@given(st.integers(2, 13), st.integers(0, 3))
def test_in_a_swiss_everybody_plays_or_has_a_fair_bye(agents, seed):
    played, byes = swiss(agents, pairings.swiss_rounds(agents), seed)
    for _, pairs, off in played:
        everybody = list(itertools.chain(*pairs)) + ([] if off is None else [off])
        assert sorted(everybody) == list(range(agents))
    assert len(set(byes)) == len(byes)  # nobody twice before everybody once


@pytest.mark.parametrize("agents", [4, 6, 8, 10])
def test_nobody_meets_twice_while_that_can_be_avoided(agents):
    played, _ = swiss(agents, pairings.swiss_rounds(agents), seed=1)
    pairs = list(itertools.chain.from_iterable(pairs for _, pairs, _ in played))
    assert len(set(pairs)) == len(pairs)


def test_the_last_round_of_all_against_all_is_found():
    everybody = set(itertools.combinations(range(6), 2))
    last = {(0, 5), (1, 3), (2, 4)}
    assert pairings.swiss_round([5, 4, 3, 2, 1, 0], everybody - last) == sorted(last)


def test_where_repeats_are_unavoidable_there_are_as_few_as_possible():
    assert pairings.swiss_round([1, 0], met=[(0, 1)]) == [(0, 1)]
    everybody = list(itertools.combinations(range(4), 2))
    assert pairings.swiss_round([3, 2, 1, 0], met=[*everybody, (0, 1), (2, 3)]) == [(0, 2), (1, 3)]


def test_equals_meet_equals():
    assert pairings.swiss_round([2, 0, 1, 2, 1, 0], met=[]) == [(0, 3), (1, 5), (2, 4)]


def test_one_great_mismatch_is_worse_than_two_small_ones():
    assert pairings.swiss_round([4, 2, 2, 0], met=[(1, 2)]) in ([(0, 1), (2, 3)], [(0, 2), (1, 3)])
    assert pairings.swiss_round([3, 2, 1, 0], met=[(0, 1), (2, 3)]) == [(0, 2), (1, 3)]


def test_samples_of_nearly_all_groups_come_to_an_end():
    groups = pairings.round_robin(12, 11, most=11)
    assert len(groups) == 11 and max(appearances(groups).values()) - min(appearances(groups).values()) <= 1
