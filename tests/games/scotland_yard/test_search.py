"""Tree searches of Scotland Yard: whose worlds, how they are guessed, and what is left out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import spielbaum
from spielbaum.agents import make
from spielbaum.arena import match
from spielbaum.errors import SpielbaumError
from spielbaum.games.scotland_yard.belief_sampling import GUESSES
from spielbaum.games.scotland_yard.flight import pursuit
from spielbaum.games.scotland_yard.notation import believed
from spielbaum.games.scotland_yard.rules import DOUBLE, MRX
from spielbaum.games.scotland_yard.tables import BLACK, ROOM
from spielbaum.rules import random_stream
from spielbaum.search.mcts.workspace import ROOT_STATE
from tests.games.scotland_yard.test_players import reached
from tests.games.scotland_yard.test_rules import placed


def searched(spec: str, state: spielbaum.State, seed: int = 1) -> Any:
    agent: Any = make(spec, state.game, seed)
    agent.act(state.view(state.player))
    return agent.search


def statistics(search: Any) -> list[tuple[str, float, float | None]]:
    return sorted((edge.move, edge.visits, edge.value) for edge in search.report().edges)


def expected(spec: str, state: spielbaum.State) -> float:
    """What searches expect for who is to move, on average over several seeds."""
    return float(np.mean([searched(spec, state, seed).report().value for seed in range(1, 7)]))


@pytest.fixture(scope="module")
def chased() -> spielbaum.State:
    """A detective's turn with some possible stations that differ in how likely and how far they are."""
    state = reached(5, 10)
    assert state.player != MRX
    assert len(set(state.record.mass.tolist())) > 2
    assert len({pursuit(state.game.tables, state.record, station) for station in believed(state.record)}) > 2
    return state


def test_detectives_grow_a_tree_for_each_possible_station(chased):
    search = searched("mcts:iterations=100,determinizations=0,simulate=chase", chased)
    stations = believed(chased.record)
    assert [int(tree.states[ROOT_STATE].at[MRX]) for tree in search.trees] == stations
    assert {tree.done for tree in search.trees} == {100 // len(stations)}


def test_with_more_stations_than_iterations_any_move_is_played(chased):
    played = {
        make("mcts:iterations=2,determinizations=0", chased.game, seed).act(chased.view(chased.player))
        for seed in range(40)
    }
    assert played == set(chased.actions)


def test_mister_x_sees_everything_and_grows_one_tree():
    search = searched("mcts:iterations=50,determinizations=0,simulate=chase", spielbaum.load("scotland-yard").new(1))
    assert [tree.done for tree in search.trees] == [50]


@pytest.mark.parametrize(
    "spec",
    [
        "mcts:iterations=60,determinizations=0",
        pytest.param("mcts:iterations=60,guess=mass", marks=pytest.mark.slow),
        "ismcts:iterations=60",
    ],
)
def test_a_detective_s_search_does_not_depend_on_where_mister_x_is(chased, spec):
    found = []
    for station in believed(chased.record)[:2]:
        state = chased.copy()
        state.record.at[MRX] = station
        found.append(statistics(searched(f"{spec},simulate=chase", state)))
    assert found[0] == found[1]


@pytest.mark.parametrize("which", range(len(GUESSES)))
def test_guesses_follow_their_weights(chased, which):
    view, rng, counts = chased.view(chased.player), random_stream(3), np.zeros(ROOM)
    for _ in range(3000):
        world = view.array.copy()
        view.game.kernels.game_api.guess(view.game.context, world, which, chased.player, rng)
        counts[world[0].at[MRX]] += 1
    mass = chased.record.mass.astype(float)
    experience = np.array([0.0, 0.016, 0.092, 0.051, 0.054, 0.052, 0.078])
    weight = np.zeros(ROOM)
    for station in believed(chased.record):
        category = experience[min(pursuit(chased.game.tables, chased.record, station), 6)]
        weight[station] = {"mass": mass[station], "category": category, "mass-category": mass[station] * category}[
            GUESSES[which]
        ]
    assert counts / 3000 == pytest.approx(weight / weight.sum(), abs=0.04)


def test_a_catch_by_a_colleague_counts_less_with_coalition_reduction():
    state = placed(1, 18, 58).play("taxi 9").play("taxi 8")
    spec = "mcts:iterations=300,determinizations=0,simulate=chase,decide=max"
    assert expected(f"{spec},coalition=1", state) < expected(f"{spec},coalition=0.5", state) < expected(spec, state)


def test_without_second_halves_the_search_does_not_see_what_double_cards_are_good_for():
    state, spec = placed(8, 20, 43, 32), "mcts:iterations=400,simulate=chase"

    def best_double(search: Any) -> float:
        return max(edge.value for edge in search.report().edges if edge.action >= DOUBLE)

    whole, cut = (
        np.mean([best_double(searched(spec + which, state, seed)) for seed in range(4)])
        for which in ("", ",opponents=no-second-half")
    )
    assert cut < whole - 0.2


def test_filters_spare_black_tickets_and_double_cards_at_the_beginning():
    state = spielbaum.load("scotland-yard").new(1)
    tried = [edge.action for edge in searched("mcts:iterations=200,filter=black+double", state).report().edges]
    assert tried and all(action < DOUBLE and action // ROOM != BLACK for action in tried)
    assert any(edge.action >= DOUBLE for edge in searched("mcts:iterations=200", state).report().edges)


@pytest.mark.parametrize(
    ("moves", "black", "double"),
    [
        (0, False, False),
        (1, False, False),
        (2, False, True),
        (3, True, True),
        (6, True, False),
        (7, False, True),
        (8, True, True),
        (11, True, False),
        (12, False, True),
    ],
)
def test_filters_spare_black_tickets_before_he_is_seen_and_double_moves_that_end_in_sight(moves, black, double):
    state = placed(1, 100)
    state.record.moves = moves
    tried = [edge.action for edge in searched("mcts:iterations=200,filter=black+double", state).report().edges]
    assert any(action % DOUBLE // ROOM == BLACK for action in tried) is black
    assert any(action >= DOUBLE for action in tried) is double


@pytest.mark.parametrize(("moves", "black"), [(1, False), (5, True), (6, False), (7, True), (11, False), (16, False)])
def test_a_filter_spares_black_tickets_one_move_before_he_shows_himself(moves, black):
    state = placed(1, 100)
    state.record.moves = moves
    tried = [edge.action for edge in searched("mcts:iterations=200,filter=black-before", state).report().edges]
    assert any(action % DOUBLE // ROOM == BLACK for action in tried) is black
    assert any(action >= DOUBLE for action in tried)


def test_filters_leave_black_tickets_to_boats_and_to_who_has_no_others():
    tried = {edge.move for edge in searched("mcts:iterations=200,filter=black", placed(115, 1)).report().edges}
    assert {move for move in tried if "black" in move} == {
        "black 108",
        "black 157",
        "double black 108",
        "double black 157",
    }
    bare = placed(1, 100, tickets={MRX: (0, 0, 0, 2)})
    assert "black" in bare.format(make("mcts:iterations=50,filter=black+double", bare.game).act(bare.view(MRX)))


@pytest.mark.parametrize("kind", [pytest.param("mcts:determinizations=0", marks=pytest.mark.slow), "ismcts:guess=mass"])
def test_mixtures_of_players_simulate_games_of_both_sides(chased, kind):
    for state in (chased, spielbaum.load("scotland-yard").new(2)):
        mixtures = ("random", "0.5*chase+0.5*random", "chase")
        worst, middling, best = (expected(f"{kind},iterations=150,simulate={own}/chase", state) for own in mixtures)
        assert worst < middling < best


@pytest.mark.slow
def test_thesis_players_hold_mister_x_better_than_random_ones():
    state = spielbaum.load("scotland-yard").new(2)
    spec = "mcts:iterations=150,simulate=0.5*safepath+0.5*distance"
    assert expected(f"{spec}/greedy-bool-1+greedy-float-2", state) < expected(f"{spec}/random", state)


def test_every_seat_may_be_simulated_by_another_player(chased):
    seats = len(chased.game.seats)
    alike = statistics(searched("mcts:determinizations=0,iterations=150,simulate=chase", chased))
    spelled = statistics(
        searched(f"mcts:determinizations=0,iterations=150,simulate={'/'.join(['chase'] * seats)}", chased)
    )
    assert str(alike) == str(spelled)
    mixed = "/".join(["chase", "random", *["chase"] * (seats - 2)])
    spec = "mcts:determinizations=0,iterations=150,simulate="
    assert expected(f"{spec}{mixed}", chased) < expected(f"{spec}chase", chased)  # one detective strays
    with pytest.raises(SpielbaumError, match=f"one for each of {seats} seats"):
        make("mcts:simulate=chase/chase/chase/chase/chase/chase/chase", chased.game)


@pytest.mark.parametrize("kind", [pytest.param("mcts", marks=pytest.mark.slow), "ismcts"])
def test_a_station_is_worth_going_to_as_far_as_mister_x_is_guessed_there(kind):
    """13 is likelier than others if he moves at random; but he hardly ever is beside a detective."""
    state = reached(1, 10)
    masses = state.record.mass
    assert masses[13] > 1.2 * masses[believed(state.record)].mean()
    assert pursuit(state.game.tables, state.record, 13) == 1

    def worth(guess: str) -> float:
        found = [
            searched(f"{kind}:iterations=640,simulate=random/chase,guess={guess}", state, seed) for seed in range(1, 7)
        ]
        edges = [edge for search in found for edge in search.report().edges if edge.move.endswith(" 13")]
        return sum(edge.value * edge.visits for edge in edges) / sum(edge.visits for edge in edges)

    equal, mass, category, both = (worth(guess) for guess in ("", *GUESSES))
    assert category < equal < mass
    assert both < mass


@pytest.mark.parametrize("opponents", ["tree", pytest.param("open-loop", marks=pytest.mark.slow)])
@pytest.mark.parametrize("reuse", ["keep", "normalise"])
def test_mister_x_can_keep_his_tree(reuse, opponents):
    state = spielbaum.load("scotland-yard", players=2).new(4)
    agent: Any = make(f"mcts:iterations=400,simulate=chase,opponents={opponents},reuse={reuse}", state.game, 1)
    detective = make("greedy-bool-1", state.game, 2)
    state.play(agent.act(state.view(MRX)))
    while state.player != MRX:
        state.play(detective.act(state.view(state.player)))
    agent.act(state.view(MRX))
    assert sum(edge.visits for edge in agent.report().edges) > 400


@pytest.mark.parametrize("opponents", ["tree", pytest.param("open-loop", marks=pytest.mark.slow)])
def test_detectives_begin_a_new_tree_because_they_do_not_know_what_was_played(chased, opponents):
    agent: Any = make(
        f"mcts:iterations=100,determinizations=0,simulate=chase,opponents={opponents},reuse=keep", chased.game, 1
    )
    for _ in range(2):
        agent.act(chased.view(chased.player))
        assert sum(edge.visits for edge in agent.report().edges) <= 100


def test_all_worlds_and_a_way_to_guess_some_exclude_each_other():
    with pytest.raises(SpielbaumError, match="guess=mass draws some, but determinizations=0 takes all"):
        make("mcts:determinizations=0,guess=mass", spielbaum.load("scotland-yard"))


@pytest.mark.parametrize(
    "spec", ["mcts:seconds=0.02,determinizations=0,simulate=chase", "ismcts:seconds=0.02,simulate=chase"]
)
def test_a_time_budget_serves_both_sides(chased, spec):
    for state in (chased, spielbaum.load("scotland-yard").new(2)):
        assert searched(spec, state).report().nodes > 0


def test_each_detective_may_be_another_player():
    seats = [
        "distance",
        "greedy-bool-1",
        "random",
        "mcts:iterations=20,determinizations=0",
        "ismcts:iterations=20,guess=category",
    ]
    run = match("scotland-yard", seats, games=2, options={"players": 5})
    assert run.results.agents == seats


def test_an_unknown_way_of_guessing_is_refused():
    with pytest.raises(SpielbaumError, match=r"unknown guess 'masses' for scotland-yard; did you mean 'mass'\?"):
        make("ismcts:guess=masses", spielbaum.load("scotland-yard"))


def test_what_a_game_does_not_offer_is_refused():
    pursuit_game = spielbaum.load("pursuit")
    with pytest.raises(SpielbaumError, match="determinizations=0 needs a rule 'enumerate_worlds'"):
        make("mcts:determinizations=0", pursuit_game)
    with pytest.raises(SpielbaumError, match=r"coalition=0.5 needs a rule 'credit_assignment', which pursuit"):
        make("mcts:coalition=0.5", pursuit_game)


@pytest.mark.parametrize("spec", ["mrx-hard:seconds=0.01", "det-hard:seconds=0.01", "hard:seconds=0.01", "medium"])
def test_named_players_move_in_both_roles(chased, spec):
    for state in (chased, spielbaum.load("scotland-yard").new(2)):
        assert make(spec, state.game, 1).act(state.view(state.player)) in state.actions
