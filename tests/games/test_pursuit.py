"""Pursuit: moving, catching, being seen, and what the hunters can conclude."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spielbaum
from spielbaum.games.pursuit.rules import FUGITIVE, UNKNOWN
from spielbaum.games.pursuit.town import NAMES, PLACES, distances, roads
from spielbaum.rules import random_stream


def placed(fugitive: str, hunters: str, **options: int) -> spielbaum.State:
    """A first round with everybody where we want them; the fugitive may be anywhere else."""
    state = spielbaum.load("pursuit", **options).new()
    state.record.fugitive = NAMES.index(fugitive)
    state.record.hunters[:] = [NAMES.index(hunter) for hunter in hunters]
    state.record.possible = sum(1 << place for place in range(PLACES) if NAMES[place] not in hunters)
    state._seen = None
    return state


def places(mask: int) -> str:
    return "".join(NAMES[place] for place in range(PLACES) if mask >> place & 1)


def neighbours() -> dict[int, set[int]]:
    """A place and those that a road connects it with."""
    known = {place: {place} for place in range(PLACES)}
    for a, b in roads():
        known[a].add(b)
        known[b].add(a)
    return known


def test_the_roads_are_those_of_the_drawing():
    named = {NAMES[a] + NAMES[b] for a, b in roads()}
    assert len(named) == len(roads()) == 33
    assert {"ab", "af", "bh", "dh", "ei", "gm", "io", "ms", "os"} <= named
    assert "ch" not in named and "no" not in named


def test_distances_are_those_of_a_breadth_first_search():
    for start in range(PLACES):
        front, steps, found = {start}, 0, {start: 0}
        while front:
            steps += 1
            front = {place for here in front for place in neighbours()[here]} - found.keys()
            found |= dict.fromkeys(front, steps)
        assert [found[place] for place in range(PLACES)] == distances()[start].tolist()


def test_a_player_may_wait_or_go_one_road_but_not_onto_a_hunter():
    state = placed("a", "bp")
    assert state.moves == ["a", "f"]
    state.play("f")
    assert state.seat == "hunter-1"
    assert state.moves == ["a", "b", "c", "g", "h"]


def test_hunters_keep_out_of_each_other_s_place():
    assert placed("a", "no").play("a").moves == ["i", "m", "n", "s"]
    assert placed("a", "st").play("a").moves == ["m", "n", "o", "r", "s"]


def test_the_fugitive_is_caught_where_a_hunter_enters():
    state = placed("a", "bp").play("a").play("a")
    assert state.over
    assert state.returns == [-1, 1, 1]


def test_the_fugitive_escapes_after_the_last_round():
    state = placed("a", "kp", rounds=1).play("a").play("k").play("p")
    assert state.over
    assert state.returns == [1, -1, -1]


def test_the_hunters_see_the_fugitive_in_every_reveal_round():
    state = placed("a", "kp", reveal=2)
    state.play("a").play("k").play("p")
    assert len(places(state.record.possible)) > 1
    state.play("a")
    assert places(state.record.possible) == "a"


def test_hunters_do_not_see_where_the_fugitive_is():
    seen = {placed(place, "kp").view(1).array.tobytes() for place in "abcdefg"}
    assert len(seen) == 1
    assert placed("a", "kp").view(2).record.fugitive == UNKNOWN
    assert placed("a", "kp").view(0).record.fugitive == 0
    assert placed("a", "kp").play("a").view(1).history is None


def test_a_guess_is_any_possible_place_equally_often():
    view = placed("a", "kp").view(1)
    rng, guesses = random_stream(3), np.zeros(PLACES, int)
    for _ in range(1800):
        world = view.array.copy()
        view.game.kernels.game_api.determinize(view.game.context, world, 1, rng)
        guesses[world[0].fugitive] += 1
    possible = [place for place in range(PLACES) if view.record.possible >> place & 1]
    assert guesses.sum() == guesses[possible].sum() == 1800
    assert ((guesses[possible] - 100) ** 2 / 100).sum() < 40.8  # chi-square, 17 degrees of freedom, p = 0.001


def brute_force(first: spielbaum.State, public: list[tuple[int, int, int | None]]) -> int:
    """All places that agree with the public history: each start, each path, step by step."""
    record = first.record
    where = {place for place in range(PLACES) if record.possible >> place & 1}
    hunters = [int(hunter) for hunter in record.hunters]
    near = neighbours()
    for player, action, seen in public:
        if player == FUGITIVE:
            where = {place for start in where for place in near[start] if place not in hunters}
            where = where if seen is None else where & {seen}
        else:
            hunters[player - 1] = action
            where.discard(action)
    return sum(1 << place for place in where)


@given(st.integers(0, 10_000), st.integers(1, 5))
@settings(max_examples=30, deadline=None)
def test_what_is_possible_equals_a_recomputation_from_the_public_history(seed, reveal):
    game = spielbaum.load("pursuit", reveal=reveal)
    state, random = game.new(seed), np.random.default_rng(seed)
    first, public = state.copy(), []
    while not state.over:
        player, action = state.player, int(random.choice(state.actions))
        in_sight = player == FUGITIVE and (state.record.elapsed + 1) % reveal == 0
        public.append((player, action, action if in_sight else None))
        state.play(action)
        if not state.record.caught:
            assert state.record.possible == brute_force(first, public)
            assert state.record.possible >> state.record.fugitive & 1


@given(st.integers(0, 10_000), st.integers(1, 5), st.integers(1, 2))
@settings(max_examples=30, deadline=None)
def test_a_hunter_can_look_ahead_from_what_is_known_to_the_end(seed, reveal, hunter):
    random = np.random.default_rng(seed)
    state = spielbaum.load("pursuit", reveal=reveal).new(seed).view(hunter)
    while not state.over:
        state.play(int(random.choice(state.actions)))
    assert set(state.returns) == {-1, 1}


def test_the_fugitive_goes_wherever_it_may_be_when_a_hunter_looks_ahead():
    view = placed("a", "kp").view(1)
    view.record.possible = 1 << NAMES.index("a") | 1 << NAMES.index("e")
    assert view.moves == ["a", "b", "d", "e", "f", "i", "j"]


def test_a_hunter_who_looks_ahead_catches_the_fugitive_in_the_last_possible_place():
    view = placed("a", "bt", reveal=1).play("a").view(1)
    assert view.record.fugitive == UNKNOWN
    assert view.play("a").returns == [-1, 1, 1]


@given(st.integers(0, 10_000))
@settings(max_examples=50, deadline=None)
def test_the_fugitive_has_a_head_start(seed):
    state = spielbaum.load("pursuit").new(seed)
    distance = state.game.tables.distance
    assert all(distance[state.record.fugitive, hunter] >= 2 for hunter in state.record.hunters)
    assert state.record.hunters[0] != state.record.hunters[1]


@pytest.mark.parametrize("option", [{"rounds": 0}, {"reveal": 51}, {"rounds": "many"}])
def test_bad_options_are_refused_in_one_line(option):
    with pytest.raises(spielbaum.SpielbaumError, match="is not possible") as error:
        spielbaum.load("pursuit", **option)
    assert "\n" not in str(error.value)


def test_the_map_is_drawn_with_what_is_known():
    drawn = str(placed("a", "kp").view(1)).splitlines()
    assert drawn[0].startswith("?---?---?---?---?")
    assert drawn[4].startswith("1---?---?---?   ?")
    assert str(placed("a", "kp")).startswith("*---?")
