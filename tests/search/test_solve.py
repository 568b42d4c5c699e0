"""`solve=on`: what MCTS has proven agrees with exhaustive search, and is used."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spielbaum
from spielbaum import Game, SpielbaumError, State
from spielbaum.search.mcts.decide import decide_proven
from spielbaum.search.mcts.places import Place, root_of
from spielbaum.search.report import TreeNode
from tests.search.test_mcts import searched

FORCED_WINS = (32, 131, 194, 208, 215, 275)  # seeds of positions after 16 moves that are won in 5 to 9 plies
KNOWN: dict[tuple[str, str, bytes], list[float]] = {}
VARIANTS = [
    "expand=one,widen=0.5,rave=20,simulations=3",
    "select=epsilon-greedy,threshold=5,normalise=on",
    "select=puct,backup=vanishing",
]


@pytest.fixture
def connect_four() -> Game:
    return loaded("connect-four")


@functools.cache
def loaded(name: str) -> Game:
    return spielbaum.load(name)


def position(game: Game, moves: int, seed: int) -> State:
    """After so many random moves, fewer where the game would be over."""
    random, state = np.random.default_rng(seed), game.new()
    for _ in range(moves):
        after = state.copy().play(int(random.choice(state.actions)))
        if after.over:
            break
        state = after
    return state


def exact(state: State) -> list[float]:
    """What everybody gets with best play, by looking at everything; at each position once."""
    key = state.game.name, str(state.game.options), state.array.tobytes()
    if key not in KNOWN:
        KNOWN[key] = list(state.returns) if state.over else best_reply(state)
    return KNOWN[key]


def best_reply(state: State) -> list[float]:
    mover = state.player
    return max((exact(state.copy().play(action)) for action in state.actions), key=lambda values: values[mover])


def all_proofs(place: Place) -> list[tuple[State, int, float]]:
    """Every proven edge of a tree: the position above it, its action, and its value for the mover."""
    found = [(place.state, action, value) for action, value in place.proofs().items()]
    for edge in place.visited():
        found += all_proofs(place.after(edge))
    return found


def nodes_of(node: TreeNode) -> list[TreeNode]:
    return [node, *(found for child in node.children for found in nodes_of(child))]


# --- proofs are right -----------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(moves=st.integers(2, 8), seed=st.integers(0, 10**6), iterations=st.integers(1, 300))
def test_every_proof_of_tic_tac_toe_is_what_exhaustive_search_finds(moves, seed, iterations):
    state = position(loaded("tic-tac-toe"), moves, seed)
    search = searched(state.game, f"mcts:iterations={iterations},solve=on", state, seed)
    for above, action, found in all_proofs(root_of(search.trees[0], state)):
        assert found == exact(above.copy().play(action))[above.player]
    if search.proven():
        assert search.report().value == exact(state)[state.player]


@settings(max_examples=40, deadline=None)
@given(moves=st.integers(24, 40), seed=st.integers(0, 10**6), iterations=st.integers(50, 5000))
def test_every_proof_at_the_root_of_connect_four_is_what_alpha_beta_finds(moves, seed, iterations):
    state = position(loaded("connect-four"), moves, seed)
    search = searched(state.game, f"mcts:iterations={iterations},solve=on", state, seed)
    for action, value in search.proofs().items():
        assert value == alphabeta_value(state.copy().play(action), state.player)
    if search.proven():
        assert search.report().value == alphabeta_value(state, state.player)
        assert search.proofs()[search.action] == search.report().value
    else:
        assert search.proofs().get(search.action, 0.0) > -1.0  # a lost move is not played while another is open


def alphabeta_value(state: State, player: int) -> float:
    """-1, 0 or 1 for a player."""
    if state.over:
        return float(state.returns[player])
    agent = spielbaum.agent("alphabeta:depth=42,table=4", state.game)
    agent.act(state)
    report = agent.report()
    assert report is not None and report.proven
    return float(np.sign(report.value)) * (1 if state.player == player else -1)


@pytest.mark.parametrize("seed", range(8))
def test_players_who_move_again_and_results_between_are_proven_as_well(maze, seed):
    state = maze(seed).new()
    search = searched(state.game, "mcts:iterations=100000,solve=on", state)
    assert search.proven() and search.iterations < 100000
    assert search.report().value == pytest.approx(exact(state)[state.player])
    for above, action, found in all_proofs(root_of(search.trees[0], state)):
        assert found == pytest.approx(exact(above.copy().play(action))[above.player])


@pytest.mark.parametrize("spec", VARIANTS)
def test_every_other_part_finds_the_same(spec):
    game = loaded("tic-tac-toe")
    for seed in range(5):
        state = position(game, 4, seed)
        search = searched(game, f"mcts:iterations=20000,solve=on,{spec}", state, seed)
        assert search.proven() and search.iterations < 20000
        assert search.report().value == exact(state)[state.player]
        assert exact(state.copy().play(search.action)) == exact(state)


# --- and they are used ----------------------------------------------------------------------------


def test_tic_tac_toe_is_a_draw_which_ends_the_search():
    search = searched(loaded("tic-tac-toe"), "mcts:iterations=1000000,solve=on")
    report = search.report(tree_nodes=50)
    assert report.proven and report.value == 0.0 and report.nodes < 200_000
    assert all(edge.proven and edge.value == 0.0 for edge in report.edges)
    assert {node.bound for node in report.tree.children} == {"proven"}


def test_what_is_not_proven_is_not_marked(connect_four):
    report = searched(connect_four, "mcts:iterations=500,solve=on").report(tree_nodes=50)
    assert not report.proven and not any(edge.proven for edge in report.edges)
    assert {node.bound for node in nodes_of(report.tree)} == {"exact"}


def test_without_it_nothing_is_proven_and_the_budget_is_used_up():
    state = position(loaded("tic-tac-toe"), 7, 3)
    report = searched(state.game, "mcts:iterations=2000", state).report(tree_nodes=50)
    assert report.nodes == 2000 and not report.proven and not any(edge.proven for edge in report.edges)
    assert {node.bound for node in nodes_of(report.tree)} == {"exact"}


@pytest.mark.parametrize("seed", FORCED_WINS)
def test_a_forced_win_is_known_long_before_plain_search_is_sure_of_it(connect_four, seed):
    state = position(connect_four, 16, seed)
    proof = searched(connect_four, "mcts:iterations=100000,solve=on", state, seed).report()
    assert proof.proven and proof.value == 1.0
    assert len(proof.line) % 2 == 1 and state.play_all(proof.line) and state.over  # a line to the win itself
    state = position(connect_four, 16, seed)
    assert searched(connect_four, f"mcts:iterations={10 * proof.nodes}", state, seed).report().value < 0.98


def test_the_move_that_alone_does_not_lose_is_left_and_played(connect_four):
    state = connect_four.play_all(list("deded"))  # whoever does not answer on d loses at once
    for seed in range(10):
        report = searched(connect_four, "mcts:iterations=150,solve=on", state, seed).report()
        assert state.format(report.action) == "d" and not report.proven
        assert {edge.move for edge in report.edges if edge.proven and edge.value == -1.0} == set("abcefg")


def test_proven_values_decide():
    def chosen(visits: list[float], means: list[float], proven: str, how: str = "robust") -> int:
        rule = spielbaum.agent(f"mcts:decide={how}", loaded("tic-tac-toe")).search.decide
        return decide_proven(rule, np.array(visits), np.array(means), np.array([c == "p" for c in proven]))

    assert chosen([900, 50, 3], [0.9, 0.5, 1.0], "--p") == 2  # a win, however little it was visited
    assert chosen([900, 50, 3], [-1.0, -0.9, -0.8], "p--") == 1  # no loss, however often; of the others the usual one
    assert chosen([900, 50, 3], [-1.0, -0.9, -0.8], "p--", "max") == 2
    assert chosen([900, 50, 3], [-1.0, -1.0, 0.0], "p--") == 1  # what only seems to be lost is still open
    assert chosen([3, 50, 900], [-1.0, -1.0, -1.0], "ppp") == 2  # of losses the most visited
    assert chosen([3, 50, 900], [0.0, -0.2, -1.0], "p-p") == 0  # a draw counts as a draw
    assert chosen([3, 50, 900], [0.0, 0.2, -1.0], "p-p") == 1
    assert chosen([3, 50, 40], [0.0, 0.0, 0.0], "ppp") == 1
    assert chosen([900, 50, 3], [0.1, 0.5, 0.7], "---") == 0


def test_a_draw_in_hand_counts_above_what_nobody_would_play_instead():
    """At the root of tic-tac-toe no move is worth more than a draw, and long before the proof none seems to be."""
    plain, proving = (
        max(edge.value for edge in searched(loaded("tic-tac-toe"), f"mcts:iterations=30000{spec}").report().edges)
        for spec in ("", ",solve=on")
    )
    assert -0.02 < proving < plain


@pytest.mark.parametrize("reuse", ["keep", "normalise"])
def test_a_kept_tree_keeps_its_proofs(reuse):
    game = loaded("tic-tac-toe")
    agent = spielbaum.agent(f"mcts:iterations=200000,solve=on,reuse={reuse}", game, 1)
    state = game.new()
    while not state.over:
        value = exact(state)[state.player]
        action = agent.act(state)
        report = agent.report()
        assert report is not None and report.proven and report.value == value
        assert (report.nodes > 0) == (len(state.history) == 0)
        state.play(action)
        assert exact(state)[1 - state.player if not state.over else 0] == value
        if not state.over:
            state.play(state.actions[-1])


def test_a_proof_in_any_tree_counts_and_the_same_seed_finds_the_same():
    state = position(loaded("tic-tac-toe"), 3, 5)
    one, two = (searched(state.game, "mcts:iterations=8000,threads=2,solve=on", state, 7) for _ in range(2))
    assert one.proven() and one.report().value == exact(state)[state.player]
    assert one.iterations < 8000
    assert one.report().edges == two.report().edges


def test_under_a_clock_a_proof_ends_the_search_of_all_trees():
    state = position(loaded("tic-tac-toe"), 4, 2)
    agent = spielbaum.agent("mcts:seconds=20,threads=2,solve=on", state.game)
    agent.act(state)
    assert agent.report().proven
    assert agent.report().nodes < 100_000  # of millions


# --- where it does not fit ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "spec", "wrong"),
    [
        ("pig", "mcts:solve=on", "needs no dice, not pig"),
        ("kuhn-poker", "ismcts:solve=on", "full information"),
        ("rock-paper-scissors", "mcts:solve=on", "needs turns"),
        ("rock-paper-scissors", "mcts:solve=on,model=sequential", "needs turns"),
        ("connect-four", "mcts:solve=on,opponents=per-path", "needs opponents=tree, not per-path"),
        ("connect-four", "mcts:solve=on,opponents=open-loop", "needs opponents=tree, not open-loop"),
        ("connect-four", "mcts:solve=on,transpositions=on", "does not go with transpositions=on"),
        ("connect-four", "mcts:solve=on,value=evaluation", "needs value=network or onnx or result, not evaluation"),
        ("connect-four", "mcts:solve=on,expand=lazy", "needs expand=all or one, not lazy"),
        ("connect-four", "mcts:solve=on,select=exp3", "does not go with select=exp3"),
        ("connect-four", "mcts:solve=on,decide=mix", "does not go with decide=mix"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(name, spec, wrong):
    with pytest.raises(SpielbaumError, match=wrong) as refusal:
        spielbaum.agent(spec, loaded(name))
    assert "\n" not in str(refusal.value)


def test_filters_which_leave_out_moves_are_refused(maze):
    with pytest.raises(SpielbaumError, match="does not go with filter=not-the-first"):
        spielbaum.agent("mcts:solve=on,filter=not-the-first", maze())


def test_three_players_are_refused(maze):
    with pytest.raises(SpielbaumError, match="needs two players, not maze"):
        spielbaum.agent("mcts:solve=on", maze(0, 3))
