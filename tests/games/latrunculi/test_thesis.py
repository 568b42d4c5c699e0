"""The thesis' player: each flag on a drawn board, both versions of the evaluation, and the search."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spielbaum
from spielbaum.errors import SpielbaumError
from spielbaum.games.latrunculi.notation import square_cell
from spielbaum.games.latrunculi.thesis import flags
from spielbaum.games.latrunculi.thesis.gain import gain
from spielbaum.games.latrunculi.thesis.points import CHARACTERS, Points
from spielbaum.games.latrunculi.threats import NOBODY, is_capturable
from spielbaum.search.budget import Budget
from spielbaum.search.pathsum import PathSum
from tests.conftest import SMALL
from tests.games.latrunculi.boards import drawn

SHELLS, STONES = 0, 1


def on(state: spielbaum.State, square: str) -> int:
    return square_cell(state.game.tables, square)


def capturable(picture: str, square: str, **options) -> bool:
    state = drawn(picture, **options)
    side = SHELLS if state.record.board[on(state, square)] & 32 else STONES
    return bool(is_capturable(state.game.tables, state.record, on(state, square), side, NOBODY))


def flag(question, picture: str, square: str) -> bool:
    """The answer for the shells."""
    state = drawn(picture)
    arguments = (state.game.tables, state.record, on(state, square), SHELLS)
    return bool(question(*arguments) if question.__code__.co_varnames[0] == "t" else question(*arguments[1:]))


def asks(name: str):
    return getattr(getattr(flags, name), "py_func", getattr(flags, name))


# --- flags --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("picture", "square", "expected"),
    [
        ("...... .SM... ....S. ...... M....S", "c5", False),  # nobody comes to d5
        ("...... .SM... ...S.. ...... M....S", "c5", True),  # d4-d5
        ("...... .SM... ...... ...S.. M....S", "c5", True),  # from further away
        ("...... .SM... ...M.. ...S.. M....S", "c5", False),  # the way is barred
        ("...... .SMM.. ...S.. ...... M....S", "c5", False),  # a friend behind it
        ("MS.... ...... S..... ...... M....S", "a6", False),  # in the corner
        ("..M... ..S... S..... ...... M....S", "c6", False),  # the edge does not help
        (".SM... ...... ...S.. ...... M....S", "c6", True),  # along the edge
    ],
)
def test_danger_is_what_one_enemy_ply_can_take(picture, square, expected):
    assert capturable(picture, square) is expected


def test_a_corner_is_in_danger_where_both_neighbours_may_take():
    assert capturable("MS.... ...... S..... ...... M....S", "a6", corner="two_adjacent")


@pytest.mark.parametrize(
    ("picture", "expected"),
    [
        (".MS... ...... ...... ...... M....S", True),
        (".MSS.. ...... ...... ...... M....S", True),  # the square behind is not ours
        (".MSM.. ...... ...... ...... M....S", False),  # it is ours
        (".M..S. ...... ...... ...... M....S", False),  # not beside
        ("SM.... ...... ...... ...... M....S", False),  # no square behind
    ],
)
def test_a_threat_is_an_enemy_beside_with_a_square_behind(picture, expected):
    assert flag(asks("is_threatening"), picture, "b6") is expected


@pytest.mark.parametrize(
    ("picture", "expected"),
    [
        (".MS... ...... ...M.. ...... .....S", True),  # d4-d6
        (".MS... ....M. ...... ...... .....S", False),  # nobody comes to d6 in one ply
        (".MSS.. ...... ...M.. ...... .....S", False),  # d6 is taken
    ],
)
def test_a_high_threat_can_be_carried_out_by_another_piece(picture, expected):
    assert flag(asks("is_threatening_highly"), picture, "b6") is expected


SQUARES = [
    ("MM.... MM.... ...... ...... .....S", True, False),
    ("MM.... M..... ...... ...... .....S", False, True),
    ("MM.... MS.... ...... ...... .....S", False, False),  # the fourth square is not free
    (".M.... M..... ...... ...... .....S", False, False),
]


@pytest.mark.parametrize(("picture", "squad", "prep_squad"), SQUARES)
def test_a_squad_is_a_block_of_four_and_a_prep_squad_lacks_one(picture, squad, prep_squad):
    square = "a6" if picture[0] == "M" else "b6"
    assert flag(asks("is_in_squad"), picture, square) is squad
    assert flag(asks("is_in_prep_squad"), picture, square) is prep_squad


def test_the_square_next_to_a_friendly_corner():
    assert flag(asks("is_by_friendly_corner"), "MM.... ...... ...... ...... .....S", "b6")
    assert not flag(asks("is_by_friendly_corner"), "SM.... ...... ...... ...... .....S", "b6")
    assert not flag(asks("is_by_friendly_corner"), "M.M... ...... ...... ...... .....S", "c6")


# --- evaluations --------------------------------------------------------------------------------

DISTINCT = Points(1000, 200, 3000, 40, 500, 60, 7000, 800, -90_000)


def worth(picture: str, move: str, version: int, points: Points = DISTINCT, words: str = "shells to move") -> float:
    state = drawn(picture, words)
    action = state.parse(move)
    after = state.copy().play(action)
    weights = np.array([version, *points], np.float64)
    return float(gain(state.game.tables, state.record, after.record, action, weights))


FAR = "...... ...... .....S"  # three ranks in which nothing happens


@pytest.mark.parametrize(
    ("picture", "move", "first", "second"),
    [
        # an ordinary move; fewer pieces change nothing of it
        ("...... .M.... ...... ...... ...... ..MS.S", "b5-b4", 1, 1),
        # one capture: attack, doubled for a capture and tripled for the majority
        ("...... ...... .MS..M ...... ...... ....SS", "f4-d4xc4", 1 + 1000, 1 + 1000 * 2 * 2),
        # two captures count twice in both versions
        ("...... ...... .MS.SM ...... ...M.. S....S", "d2-d4xc4xe4", 1 + 2000, 1 + 2 * 1000 * 2 * 3),
        # a threat between equals counts twice in the second version
        ("...... ...... ..S... M..... ...... S.M...", "a3-a4", 1, 1),
        ("...... .M.... ..S... ...... ...... ....SM", "b5-b4", 1 + 3000, 1 + 3000 * 2),
        # into a corner; out of it
        ("...... .M.... ...... ...... ...... S.M..S", "b5-a5", 1, 1),
        ("...... M..... ...... ...... ...... S.M..S", "a5-a6", 1, 1 + 7000),
        ("M..... ...... ...... ...... ...... S.M..S", "a6-b6", 1, 1 - 20),
    ],
)
def test_moves_are_worth_what_their_flags_say(picture, move, first, second):
    assert worth(picture, move, 1) == first
    assert worth(picture, move, 2) == second


def test_a_piece_in_danger_hides_and_that_counts_double():
    picture = "...... .SM... ...S.. ...... ...... M....."
    assert worth(picture, "c5-c6", 1) == 1 + 200
    assert worth(picture, "c5-c6", 2) == 1 + 200 * 2


def test_high_alert_is_a_fault_of_the_second_version_only():
    picture = "...... .S.... ...S.. ..M... ...... ....MS"
    assert worth(picture, "c3-c5", 2) == 1 - 90_000 + 3000 * 1
    assert worth(picture, "c3-c5", 1) == 1 + 3000


def test_leaving_squads_and_friendly_corners_costs_points():
    prep_squad = "...... .MM... .M.... ...... ...... S....S"
    assert worth(prep_squad, "c5-e5", 2) == 1 - 10
    friendly_corner = "M..... M..... ...... ...... ...... S....S"
    assert worth(friendly_corner, "a5-d5", 2) == 1 - 50


def test_squads_are_worth_more_to_who_has_fewer_pieces():
    assert worth("...... .MM... .M...M ...... ...... S..SS.", "f4-c4", 2) == 1 + 500
    assert worth("...... .MM... .M...M ...... ...... SSSSS.", "f4-c4", 2) == 1 + 500 * 2


def test_a_winning_move_is_worth_250_more():
    picture = "...... ...... .MS..M ...... ...... ....S."
    assert worth(picture, "f4-d4xc4", 1) == 1 + 1000 + 250


# --- the search ---------------------------------------------------------------------------------


def root_values(search: PathSum, state: spielbaum.State) -> tuple[float, dict[str, float]]:
    search.think(state, Budget())
    report = search.report()
    assert report is not None
    return report.value, {edge.move: edge.value for edge in report.edges}


@pytest.fixture
def figure() -> spielbaum.Game:
    return spielbaum.load(SMALL / "gains.py")


@pytest.mark.parametrize("prune", [False, True])
def test_the_figure_of_the_thesis(figure, prune):
    search = PathSum(figure, np.zeros(1), depth=2, fading=False, prune=prune)
    value, moves = root_values(search, figure.new())
    assert value == -40
    assert moves["0"] == -40 and moves["1"] <= -70 and moves["2"] <= -70


def test_pruning_cuts_the_figures_other_subtrees(figure):
    plain = PathSum(figure, np.zeros(1), depth=2, fading=False, prune=False)
    pruned = PathSum(figure, np.zeros(1), depth=2, fading=False, order=False)
    assert root_values(plain, figure.new())[1] == {"0": -40, "1": -70, "2": -70}
    assert root_values(pruned, figure.new())[1] == {"0": -40, "1": -70, "2": -70}
    assert plain.report().nodes == 3 + 6
    assert pruned.report().nodes == 3 + 5  # the last reply to the third move is not looked at


CASES = st.tuples(st.sampled_from(sorted(CHARACTERS)), st.integers(1, 2), st.integers(1, 3), st.integers(0, 1 << 30))


@given(CASES)
@settings(max_examples=12, deadline=None)
def test_pruning_changes_neither_the_value_nor_the_best_moves(case):
    points, version, depth, seed = case
    dice, state = random.Random(seed), spielbaum.load("latrunculi", board="6x6").new()
    for _ in range(dice.randrange(40)):
        captures = [move for move in state.moves if "x" in move]
        state.play(dice.choice(captures or state.moves))
        if state.over:
            return
    weights = np.array([version, *CHARACTERS[points]], np.float64)
    results = []
    for prune in (False, True):
        search = PathSum(state.game, weights, depth=depth, fading=version == 2, prune=prune)
        value, moves = root_values(search, state)
        results.append((value, {move for move, found in moves.items() if found == value}))
    assert results[0] == results[1]


def path_sum(state: spielbaum.State, me: int, weights: np.ndarray, depth: int, ply: int = 0) -> float:
    """The definition, by recursion."""
    if state.over or ply == depth:
        return 0.0
    values = []
    for action in state.actions:
        after = state.copy().play(action)
        term = float(gain(state.game.tables, state.record, after.record, action, weights)) / (ply + 1)
        values.append((term if state.player == me else -term) + path_sum(after, me, weights, depth, ply + 1))
    return max(values) if state.player == me else min(values)


def test_the_search_computes_what_the_definition_says():
    state = drawn("...... .SM... ...S.. M..... ...... M....S")
    weights = np.array([2, *CHARACTERS["aggressive"]], np.float64)
    search = PathSum(state.game, weights, depth=2)
    assert root_values(search, state)[0] == pytest.approx(path_sum(state, SHELLS, weights, 2))


@pytest.mark.parametrize("prune", [False, True])
@pytest.mark.parametrize("depth", [1, 3, 4])
def test_the_gains_along_the_reported_line_sum_up_to_its_value(depth, prune):
    state = drawn("...... .SM... ...S.. M..... ...... M....S")
    weights = np.array([2, *CHARACTERS["aggressive"]], np.float64)
    search = PathSum(state.game, weights, depth=depth, prune=prune)
    chosen = search.think(state, Budget())
    report = search.report()
    assert report is not None and report.principal_variation[0] == chosen
    total, here, me = 0.0, state.copy(), state.player
    for ply, action in enumerate(report.principal_variation):
        before, mover = here.copy(), here.player
        here.play(action)
        term = float(gain(state.game.tables, before.record, here.record, action, weights)) / (ply + 1)
        total += term if mover == me else -term
    assert total == pytest.approx(report.value)
    assert here.over or len(report.principal_variation) == depth


def test_a_search_that_is_cut_short_reports_the_moves_that_it_has_valued():
    state = spielbaum.load("latrunculi", board="6x6").new()
    agent, counts = spielbaum.agent("thesis:depth=4", state.game), list[int]()

    def watch() -> None:
        report = agent.report()
        counts.append(len(report.edges) if report else 0)
        if counts[-1] > 1:
            agent.stop()

    action = agent.act(state, watch=watch)
    assert counts == sorted(counts)
    edges = agent.report().edges
    assert edges[0].action == action and edges[0].value == max(edge.value for edge in edges)


def test_equal_moves_are_chosen_at_random():
    state = spielbaum.load("latrunculi").new()
    assert (
        len({spielbaum.agent("thesis:version=1,depth=1", state.game, seed=seed).act(state) for seed in range(20)}) > 5
    )


# --- the agent ----------------------------------------------------------------------------------


def test_points_can_be_given_one_by_one():
    game = spielbaum.load("latrunculi")
    agent = spielbaum.agent("thesis:points=defensive,version=1,depth=1,attack=7,highalert=-3", game)
    assert agent.search.workspace["weights"][0].tolist() == [1, 7, 20, 10, 60, 40, 20, 100, 20, -3]


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("thesis:points=wild", "balanced, aggressive, defensive"),
        ("thesis:depth=17", "up to 16"),
        ("thesis:version=3", "up to 2"),
        ("thesis:atack=3", "did you mean 'attack'"),
    ],
)
def test_unknown_parameters_are_refused_with_what_is_allowed(spec, words):
    with pytest.raises(SpielbaumError, match=words):
        spielbaum.agent(spec, spielbaum.load("latrunculi"))


def test_only_latrunculi_has_the_thesis_player():
    with pytest.raises(SpielbaumError, match="unknown agent 'thesis'"):
        spielbaum.agent("thesis", spielbaum.load("connect-four"))
