"""Scotland Yard: moving, paying, catching, and what stays hidden."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spielbaum
from spielbaum.errors import IllegalAction, SpielbaumError
from spielbaum.games.scotland_yard.board import STARTS
from spielbaum.games.scotland_yard.notation import believed, likelihood
from spielbaum.games.scotland_yard.rules import MRX, REVEALS, SECOND_HALF, UNKNOWN, purse
from spielbaum.games.scotland_yard.tables import BLACK, ROOM, geography, neighbour_lists
from spielbaum.rules import random_stream


def placed(mrx: int, *detectives: int, tickets: dict[int, tuple[int, ...]] | None = None) -> spielbaum.State:
    """A first move with everybody where we want them; nobody but the detectives knows where Mister X may be."""
    state = spielbaum.load("scotland-yard", players=1 + len(detectives)).new()
    record = state.record
    record.at[: 1 + len(detectives)] = [mrx, *detectives]
    for words, stations in ((record.occupied, detectives), (record.belief, [mrx])):
        words[:] = 0
        for station in stations:
            words[station >> 6] |= np.uint64(1 << (station & 63))
    record.mass[:] = 0
    record.mass[mrx] = 1
    for player, held in (tickets or {}).items():
        record.tickets[player, : len(held)] = held
    for player in range(1, 1 + len(detectives)):
        record.row[player] = geography().rows[purse(record, player), record.at[player]]
    state._seen = None
    return state


def test_everybody_starts_on_another_start_station():
    for seed in range(30):
        record = spielbaum.load("scotland-yard").new(seed).record
        assert len(set(record.at.tolist())) == 6 and set(record.at.tolist()) <= set(STARTS)
        assert set(believed(record)) == set(STARTS) - set(record.at[1:].tolist())


def test_mister_x_has_a_black_ticket_for_each_detective():
    assert spielbaum.load("scotland-yard", players=3).new().record.tickets.tolist() == [
        [4, 3, 3, 2],
        [10, 8, 4, 0],
        [10, 8, 4, 0],
        [0, 0, 0, 0],
        [0, 0, 0, 0],
        [0, 0, 0, 0],
    ]


def test_everybody_sees_mister_x_all_the_time_where_he_is_visible():
    state = spielbaum.load("scotland-yard", players=3, visible=True).new(4)
    while not state.over and state.record.moves < 12:
        assert believed(state.record) == [state.record.at[MRX]]
        assert all(state.view(seat).record.at[MRX] == state.record.at[MRX] for seat in range(3))
        state.play(state.actions[0])
    assert state.record.moves > 3 and "he may be at" not in str(state.view(1))


def test_moves_are_written_as_ticket_and_station():
    state = placed(1, 100)
    single = ["taxi 8", "black 8", "taxi 9", "black 9", "bus 46", "black 46", "bus 58", "black 58", "underground 46"]
    assert sorted(state.moves) == sorted([*single, *(f"double {move}" for move in single)])


def test_a_double_move_is_two_moves_of_which_the_second_has_a_plus_sign():
    state = placed(1, 100).play("double bus 46")
    assert state.seat == "mrx" and state.record.doubles == 1
    assert "+ taxi 78" not in state.moves and "+ bus 78" in state.moves
    assert not any(move.startswith("double") for move in state.moves)
    assert state.play("+ bus 78").seat == "detective-1"
    assert state.record.tickets[MRX].tolist() == [4, 1, 3, 1]


def test_boats_take_a_black_ticket_and_carry_mister_x_only():
    assert "black 108" in placed(115, 1).moves
    assert all("108" not in move for move in placed(115, 1, tickets={MRX: (4, 3, 3, 0)}).moves)
    assert all("108" not in move for move in placed(1, 115).play("taxi 8").moves)


def test_nobody_enters_a_station_where_a_detective_stands():
    state = placed(1, 8, 18)
    assert not any(move.endswith(" 8") for move in state.moves)
    assert not any(move.endswith(" 18") for move in state.play("taxi 9").moves)


def test_the_ticket_of_a_detective_goes_to_mister_x():
    state = placed(1, 100).play("taxi 8").play("taxi 80")
    assert state.record.tickets[:2].tolist() == [[4, 3, 3, 1], [9, 8, 4, 0]]


@pytest.mark.parametrize("players", range(2, 7))
def test_games_of_2_to_6_players_end_with_every_ticket_accounted_for(players):
    state, random = spielbaum.load("scotland-yard", players=players).new(players), np.random.default_rng(players)
    dealt = state.record.tickets.sum(axis=0)
    while not state.over:
        assert state.player < players
        state.play(int(random.choice(state.actions)))
    used = [int(entry) % SECOND_HALF - 1 for entry in state.record.log[: int(state.record.moves)]]
    assert (state.record.tickets.sum(axis=0) + np.bincount(used, minlength=4) == dealt).all()
    assert state.returns == [state.returns[0], *[-state.returns[0]] * (players - 1)]


def test_a_detective_who_enters_his_station_catches_mister_x():
    state = placed(1, 18).play("taxi 8").play("taxi 8")
    assert state.over and state.returns == [-1, 1]


def test_a_detective_who_cannot_move_is_skipped():
    state = placed(1, 100, 150, tickets={1: (0, 0, 0)}).play("taxi 8")
    assert state.seat == "detective-2"


def test_mister_x_wins_when_no_detective_can_move():
    state = placed(1, 100, tickets={1: (0, 0, 0)}).play("taxi 8")
    assert state.over and state.returns == [1, -1]


def test_mister_x_who_cannot_move_has_lost():
    state = placed(1, 100, tickets={MRX: (1, 0, 0, 0), 1: (0, 8, 0)})
    state.play("taxi 8").play("bus 82")  # a bus ticket is no use at a station of taxis
    assert state.over and state.returns == [-1, 1]


@pytest.mark.parametrize("number", REVEALS)
def test_mister_x_shows_himself_after_some_of_his_moves(number):
    state, random = spielbaum.load("scotland-yard").new(4), np.random.default_rng(5)
    while state.record.moves < number and not state.over:
        assert state.record.seen[REVEALS.index(number)] == 0
        state.play(int(random.choice(state.actions)))
    if state.record.moves == number and not state.over:
        assert believed(state.record) == [state.record.at[MRX]]
        assert state.record.seen[REVEALS.index(number)] == state.record.at[MRX]


def test_detectives_do_not_see_where_mister_x_is():
    state = spielbaum.load("scotland-yard").new(1)
    views = set()
    for station in believed(state.record):
        other = state.copy()
        other.record.at[MRX] = station
        views |= {other.view(detective).array.tobytes() for detective in range(1, 6)}
    assert len(views) == 1
    assert state.view(1).record.at[MRX] == UNKNOWN and state.view(0).record.at[MRX] != UNKNOWN
    assert "mrx             ?" in str(state.view(3))


def test_everybody_sees_mister_x_at_the_end():
    state = placed(1, 18).play("taxi 8").play("taxi 8")
    assert state.view(1).record.at[MRX] == 8


def brute_force(state: spielbaum.State, public: list[Any]) -> dict[int, float]:
    """Where Mister X may be and how likely, from the public history alone: set by set, edge by edge."""
    detectives = dict(enumerate(map(int, state.record.at[1 : state.game.players]), 1))
    mass = {station: 1.0 for station in STARTS if station not in detectives.values()}
    neighbours = neighbour_lists()
    for player, ticket, station in public:
        if player != MRX:
            detectives[player] = station
            mass.pop(station, None)
        elif station is not None:
            mass = {station: 1.0}
        else:
            kinds = range(4) if ticket == BLACK else [ticket]
            flow: dict[int, float] = {}
            for origin, weight in mass.items():
                ends = [near for kind in kinds for near in neighbours[kind][origin]]
                for near in ends:
                    if near not in detectives.values():
                        flow[near] = flow.get(near, 0.0) + weight / len(ends)
            mass = flow
    total = sum(mass.values())
    return {station: weight / total for station, weight in mass.items()}


@given(st.integers(0, 10_000), st.integers(2, 6))
@settings(max_examples=25, deadline=None)
def test_belief_and_mass_equal_a_recomputation_from_the_public_history(seed, players):
    state, random = spielbaum.load("scotland-yard", players=players).new(seed), np.random.default_rng(seed)
    first, public = state.copy(), []
    for _ in range(60):
        action, player = int(random.choice(state.actions)), state.player
        state.play(action)
        if state.over:
            break
        seen = state.record.moves in REVEALS and player == MRX
        station = None if player == MRX and not seen else action % ROOM
        public.append((player, action // ROOM % 4, station))
        expected = brute_force(first, public)
        assert believed(state.record) == sorted(expected)
        assert state.record.at[MRX] in expected
        found = likelihood(state.record)
        assert found[sorted(expected)] == pytest.approx([expected[p] for p in sorted(expected)], rel=1e-4)
        assert found.sum() == pytest.approx(1) and np.count_nonzero(state.record.mass) == len(expected)


def test_mass_flows_as_in_the_example_of_the_thesis():
    state = placed(8, 100)
    for station in (18, 31):
        state.record.belief[0] |= np.uint64(1 << station)
        state.record.mass[station] = 1
    state.play("taxi 18")
    found = {station: round(float(share), 2) for station, share in enumerate(likelihood(state.record)) if share}
    assert found == {1: 0.11, 8: 0.11, 18: 0.22, 19: 0.11, 31: 0.11, 43: 0.22, 44: 0.11}


def test_a_guess_is_any_possible_station_equally_often():
    view = spielbaum.load("scotland-yard").new(2).view(1)
    rng, guesses = random_stream(3), np.zeros(ROOM, int)
    for _ in range(1300):
        world = view.array.copy()
        view.game.kernels.game_api.determinize(view.game.context, world, 1, rng)
        guesses[world[0].at[MRX]] += 1
    possible = believed(view.record)
    assert guesses.sum() == guesses[possible].sum() == 1300
    assert ((guesses[possible] - 100) ** 2 / 100).sum() < 32.9  # chi-square, 12 degrees of freedom, p = 0.001


@pytest.mark.parametrize("players", [1, 7, "many"])
def test_player_numbers_out_of_range_are_refused_in_one_line(players):
    with pytest.raises(SpielbaumError, match=r"players=.* is not possible: players is a whole number from 2 up to 6"):
        spielbaum.load("scotland-yard", players=players)


def test_a_move_that_the_seat_may_not_make_is_refused():
    with pytest.raises(IllegalAction, match="'taxi 46' is not legal for mrx here; legal: taxi 8"):
        placed(1, 100).play("taxi 46")
    with pytest.raises(IllegalAction, match="'black 82' is not legal for detective-1"):
        placed(1, 100).play("taxi 8").play("black 82")
