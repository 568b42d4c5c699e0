"""The players of the thesis: what they choose, and its tables."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spielbaum
from spielbaum.agents import make
from spielbaum.arena import match
from spielbaum.games.scotland_yard.board import AGENT_TYPES, board
from spielbaum.games.scotland_yard.detectives import SHARPNESS, prior
from spielbaum.games.scotland_yard.flight import pursuit
from spielbaum.games.scotland_yard.notation import believed, likelihood
from spielbaum.games.scotland_yard.rules import DOUBLE, MRX
from spielbaum.games.scotland_yard.tables import BLACK, ROOM, TICKETS, neighbour_lists
from tests.games.scotland_yard.test_board import all_distances
from tests.games.scotland_yard.test_rules import placed


def wins(mrx: str, detectives: str, games: int, players: int = 6, **options: bool) -> float:
    agents = [mrx, *[detectives] * (players - 1)]
    run = match("scotland-yard", agents, games, seed=41, options={"players": players, **options})
    return 100 * run.results.agent_tally(0).score


def reached(seed: int, plies: int) -> spielbaum.State:
    """A position of a game between sensible players."""
    game = spielbaum.load("scotland-yard")
    agents = [make("chase", game, seed + player) for player in range(6)]
    state = game.new(seed)
    for _ in range(plies):
        if not state.over:
            state.play(agents[state.player].act(state.view(state.player)))
    return state


def distance_with(tickets: tuple[int, ...], origin: int, target: int) -> int:
    return int(all_distances()[(*tickets, origin, target)])


@given(st.integers(0, 5000), st.integers(1, 90))
@settings(max_examples=25, deadline=None)
def test_preferences_of_detectives_fall_with_the_mean_distance_and_mister_x_has_none(seed, plies):
    state = reached(seed, plies)
    if state.over:
        return
    record, q, actions = state.record, state.player, np.array(state.actions)
    preferences = np.zeros(len(actions))
    prior(state.game.tables, record, actions, len(actions), preferences)
    if q == MRX:
        assert preferences == pytest.approx(1 / len(actions))
        return
    purse = [int(record.tickets[q, kind]) for kind in range(len(TICKETS))]

    def mean_distance(action: int) -> float:
        left = tuple(number - (kind == action // ROOM) for kind, number in enumerate(purse))
        return float(np.mean([distance_with(left, action % ROOM, place) for place in believed(record)]))

    far = np.array([mean_distance(action) for action in actions])
    expected = np.exp(SHARPNESS * (far.min() - far))
    assert preferences == pytest.approx(expected / expected.sum())


@given(st.integers(0, 5000), st.integers(1, 90), st.sampled_from(["bool", "float"]), st.sampled_from([1, 2]))
@settings(max_examples=25, deadline=None)
def test_greedy_detectives_follow_their_criteria_in_order(seed, plies, kind, variant):
    state = reached(seed, plies)
    if state.over or state.player == MRX:
        return
    record, q = state.record, state.player
    chance = likelihood(record)
    land = np.zeros(ROOM, int)
    for name, a, b in board().edges:
        if name != AGENT_TYPES[BLACK]:
            land[[a, b]] += 1

    def value(action: int) -> tuple[float, ...]:
        ticket, station = action // ROOM, action % ROOM
        left = tuple(int(record.tickets[q, k]) - (k == ticket) for k in range(len(TICKETS)))
        weight = {p: 1.0 if kind == "bool" else chance[p] for p in believed(record)}
        far = sum(w * distance_with(left, station, p) for p, w in weight.items())
        return round(far, 5), -land[station], -int(record.tickets[q, ticket]) if variant == 2 else 0

    best = min(map(value, state.actions))
    for again in range(3):
        chosen = make(f"greedy-{kind}-{variant}", state.game, again).act(state.view(q))
        assert value(chosen)[0] == pytest.approx(best[0], abs=2e-5)
        assert kind == "float" or value(chosen) == best


@given(st.integers(0, 5000), st.integers(0, 90))
@settings(max_examples=25, deadline=None)
def test_distance_goes_where_detectives_are_farthest_and_saves_cards(seed, plies):
    state = reached(seed, plies)
    if state.over or state.player != MRX:
        return
    by_land = set(state.actions) - {a for a in state.actions if a // ROOM % 4 == BLACK or a >= DOUBLE}
    boats = {BLACK * ROOM + near for near in neighbour_lists()[BLACK][state.record.at[MRX]]} & set(state.actions)
    if by_land | boats:
        chosen = make("distance", state.game, 1).act(state.view(MRX))
        tables, record = state.game.tables, state.record
        value = {a: (pursuit(tables, record, a % ROOM), int(tables.degree[a % ROOM])) for a in by_land | boats}
        assert value[chosen] == max(value.values())


def safe_path_length(state: spielbaum.State, first: int) -> int:
    """The length of the longest shortest safe path that begins with a station, breadth first with plain sets."""
    tables, record = state.game.tables, state.record
    black = record.tickets[MRX, BLACK] > 0
    neighbours = neighbour_lists()
    starts = {int(a) % ROOM for a in state.actions if a < DOUBLE and (a // ROOM != BLACK or is_boat(record, a))}
    layer = {v for v in starts if pursuit(tables, record, v) > 1}
    paths = {v: {v} for v in layer}  # first stations from which each station is reached soonest
    seen, depth, longest = starts | {int(record.at[MRX])}, 1, 0
    while layer:
        longest = depth if any(first in paths[v] for v in layer) else longest
        depth += 1
        following: dict[int, set[int]] = {}
        for v in layer:
            for near in {n for kind in range(4 if black else 3) for n in neighbours[kind][v]} - seen:
                if pursuit(tables, record, near) > depth:
                    following.setdefault(near, set()).update(paths[v])
        tried = {n for v in layer for kind in range(4 if black else 3) for n in neighbours[kind][v]}
        seen |= tried
        paths, layer = paths | following, set(following)
    return longest


def is_boat(record: object, action: int) -> bool:
    return action % ROOM in neighbour_lists()[BLACK][record.at[MRX]]  # type: ignore[attr-defined]


@given(st.integers(0, 5000), st.integers(0, 90))
@settings(max_examples=25, deadline=None)
def test_safepath_takes_the_longest_safe_path(seed, plies):
    state = reached(seed, plies)
    if state.over or state.player != MRX:
        return
    lengths = {a: safe_path_length(state, a % ROOM) for a in state.actions if a < DOUBLE}
    chosen = make("safepath", state.game, 1).act(state.view(MRX))
    if max(lengths.values()) >= 3:
        assert lengths[chosen] == max(lengths.values())
    if chosen >= DOUBLE:
        assert max(lengths.values()) < 3


def test_safepath_uses_a_double_card_when_it_is_surrounded():
    state = placed(8, 20, 43, 32)
    chosen = make("safepath", state.game, 1).act(state.view(MRX))
    assert chosen >= DOUBLE or state.format(chosen) == "taxi 1"


def test_a_player_of_one_side_moves_at_random_on_the_other():
    state = spielbaum.load("scotland-yard").new(1)
    chosen = {make("greedy-bool-1", state.game, seed).act(state.view(MRX)) for seed in range(60)}
    assert chosen == {action for action in state.actions if action < BLACK * ROOM}


@pytest.mark.parametrize(
    ("detectives", "mrx", "low", "high"),
    [("random", "random", 67, 73), ("greedy-bool-1", "distance", 12, 16.5), ("greedy-bool-1", "safepath", 40, 47)],
)
def test_games_between_players_end_as_in_the_thesis(detectives, mrx, low, high):
    assert low < wins(mrx, detectives, 3000) < high


PUBLISHED = {
    "random": (69.89, 99.52, 100.0),
    "greedy-bool-1": (0.05, 14.06, 44.06),
    "greedy-bool-2": (0.05, 13.84, 42.67),
    "greedy-float-1": (0.05, 14.84, 48.72),
    "greedy-float-2": (0.05, 14.56, 46.96),
}


@pytest.mark.slow
@pytest.mark.parametrize("detectives", PUBLISHED)
@pytest.mark.parametrize(("column", "mrx", "band"), [(0, "random", 0.4), (1, "distance", 0.6), (2, "safepath", 5.0)])
def test_the_table_of_the_thesis_is_met_with_many_games(detectives, column, mrx, band):
    assert wins(mrx, detectives, 100_000) == pytest.approx(PUBLISHED[detectives][column], abs=band)


def test_levels_of_either_side_are_ordered():
    """By fewer games than it takes to prove it: the levels lie far apart."""
    mister_x = [wins(mrx, "det-medium", 16) for mrx in ("mrx-easy", "mrx-medium", "mrx-hard:iterations=100")]
    detectives = [wins("mrx-medium", det, 16) for det in ("det-hard:iterations=100", "det-medium", "det-easy")]
    for few, some, many in (mister_x, detectives):
        assert few < some < many


def test_detectives_who_always_see_mister_x_catch_him_more_often():
    assert wins("safepath", "greedy-bool-1", 300, visible=True) < wins("safepath", "greedy-bool-1", 300) - 10
