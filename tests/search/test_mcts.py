"""MCTS: against an independent implementation, and its promises about limits. Parameters: test_effects.py."""

from __future__ import annotations

import json
import math
import os
import pathlib
import time

import numpy as np
import pytest

import spielbaum
from spielbaum import Game, State
from spielbaum.clock import Clock
from spielbaum.rules import below, random_stream
from spielbaum.search.budget import Budget
from spielbaum.search.mcts import Mcts
from spielbaum.search.mcts.tree import FULL, ROOT, USED_EDGES, USED_NODES, tree_bytes
from spielbaum.search.mcts.workspace import ROOT_STATE

GOLDEN = pathlib.Path(__file__).with_name("golden_tree.json")


def searched(game: Game, spec: str, state: State | None = None, seed: int = 0) -> Mcts:
    """The search of an agent after one decision."""
    agent = spielbaum.agent(spec, game, seed)
    agent.act(state or game.new())
    search = agent.search
    assert isinstance(search, Mcts)
    return search


def root_statistics(search: Mcts) -> dict[int, tuple[float, float]]:
    return {edge.action: (edge.visits, edge.value) for edge in search.report().edges}


# --- an independent implementation ---------------------------------------------------------------


class Plain:
    """MCTS as the Scotland Yard thesis writes it: every node keeps the searching side's value, and
    selection inverts it where the others decide. Children are objects; nothing is shared with the engine
    but the random numbers. With a `vanishing` backup both count less far from the leaf."""

    def __init__(self, action: int = -1):
        self.action, self.visits, self.total = action, 0.0, 0.0
        self.children: list[Plain] | None = None


def plain_mcts(state: State, iterations: int, c: float, rng: np.ndarray, vanishing: float | None = None) -> Plain:
    root, me = Plain(), state.player
    for _ in range(iterations):
        now, path = state.copy(), [root]
        while not now.over:
            node = path[-1]
            if node.children is None:
                if node is not root and node.visits < 1:
                    break
                node.children = [Plain(action) for action in shuffled(now.actions, rng)]
            sign = 1 if now.player == me else -1
            node = plain_select(node, sign, c)
            path.append(node)
            now.play(node.action)
        while not now.over:
            actions = now.actions
            now.play(actions[int(below(rng, len(actions)))])
        for distance, node in enumerate(reversed(path), 1):
            share = 1.0 if vanishing is None else 1 / (vanishing * distance)
            node.visits += share
            node.total += now.returns[me] * share
    return root


def plain_select(node: Plain, sign: int, c: float) -> Plain:
    assert node.children is not None
    for child in node.children:
        if child.visits == 0:
            return child
    explore = c * c * math.log(max(node.visits, 1.0))
    return max(node.children, key=lambda e: sign * e.total / e.visits + math.sqrt(explore / e.visits))


def shuffled(actions: list[int], rng: np.ndarray) -> list[int]:
    for i in range(len(actions) - 1, 0, -1):
        j = int(below(rng, i + 1))
        actions[i], actions[j] = actions[j], actions[i]
    return actions


@pytest.mark.parametrize("seed", range(8))
def test_the_mover_s_value_in_each_edge_equals_inverting_the_searcher_s(maze, seed):
    state = maze(seed).new()
    expected = plain_mcts(state, 400, 1.4, random_stream(seed, 0, 0))
    assert_same_children(expected, searched(state.game, "mcts:iterations=400,c=1.4", state, seed))


@pytest.mark.parametrize("k", [0.4, 1.0, 2.5])
@pytest.mark.parametrize("seed", [2, 5, 7])
def test_a_vanishing_backup_weighs_nodes_as_it_weighs_edges(maze, seed, k):
    state = maze(seed).new()
    expected = plain_mcts(state, 400, 1.4, random_stream(seed, 0, 0), k)
    found = searched(state.game, f"mcts:iterations=400,c=1.4,backup=vanishing,vanishing={k}", state, seed)
    assert_same_children(expected, found)


def assert_same_children(expected: Plain, search: Mcts) -> None:
    found = root_statistics(search)
    assert expected.children is not None
    for child in expected.children:
        visits, value = found[child.action]
        assert visits == pytest.approx(child.visits, rel=1e-9)
        assert value == pytest.approx(child.total / child.visits, abs=1e-9)


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_many_iterations_find_the_move_of_max_n(maze, players, seed):
    state = maze(seed, players).new()
    exact = spielbaum.agent("minimax:depth=7", state.game)
    exact.act(state)
    values = {edge.action: edge.value for edge in exact.report().edges}
    chosen = searched(state.game, "mcts:iterations=20000,c=1.0", state).report().action
    assert values[chosen] >= max(values.values()) - 0.02e6


# --- slices ---------------------------------------------------------------------------------------


def test_a_search_does_not_depend_on_the_slices_it_runs_in(maze):
    game = maze(1)
    whole = searched(game, "mcts:iterations=5000")
    parts = Mcts(game, whole.values, whole.weights)
    parts.prepare(game.new())
    for size in (1, 7, 92, 4900):
        parts.trees[0].run(size)
    assert root_statistics(parts) == root_statistics(whole)


# --- whose decisions are in the tree -------------------------------------------------------------


@pytest.mark.parametrize("opponents", ["open-loop", "per-path"])
def test_a_tree_of_own_decisions_holds_no_others(maze, opponents):
    search = searched(maze(3), f"mcts:iterations=500,opponents={opponents}")
    tree = search.trees[0].arrays
    movers = tree.edges["mover"][1 : tree.used[USED_EDGES]]
    assert set(movers.tolist()) == {search.state.player}
    everybody = searched(maze(3), "mcts:iterations=500").trees[0].arrays
    assert set(everybody.edges["mover"][1 : everybody.used[USED_EDGES]].tolist()) == {0, 1}


def test_a_tree_of_own_decisions_goes_on_below_the_one_that_was_played():
    game = spielbaum.load("tic-tac-toe")
    for place in (0, -1):  # what the search has chosen, and what it has tried least
        agent = spielbaum.agent("mcts:iterations=300,opponents=open-loop,reuse=keep", game, seed=1)
        agent.act(game.new())
        edge = agent.report().edges[place]
        then = game.new().play(edge.action)
        agent.search.prepare(then.play(then.actions[0]))
        assert agent.search.trees[0].arrays.edges["visits"][ROOT] == edge.visits


def test_a_tree_of_own_decisions_is_dropped_in_another_game():
    game = spielbaum.load("tic-tac-toe")
    agent = spielbaum.agent("mcts:iterations=300,opponents=open-loop,reuse=keep", game, seed=1)
    then = game.new()
    then.play(agent.act(game.new()))
    then.play(then.actions[0])
    then.array[0] = game.new().array[0]  # not what these actions lead to
    agent.search.prepare(then)
    assert agent.search.trees[0].arrays.edges["visits"][ROOT] == 0


def test_positions_in_a_tree_of_own_decisions_have_answers_of_the_others():
    game = spielbaum.load("tic-tac-toe")
    agent = spielbaum.agent("mcts:iterations=300,opponents=open-loop", game, seed=1)
    first = agent.act(game.new())
    second = agent.branch([first], 1, 1)[0].children[0].action
    _, position = agent.branch([first, second], 1, 1)
    assert position.history[0] == first and position.history[2] == second
    assert position.player == 1 and agent.report().line[1] == position.format(second)


def test_shared_nodes_are_fewer_and_lead_to_the_same_move(maze):
    apart, shared = (searched(maze(3), f"mcts:iterations=3000,transpositions={how}") for how in ("off", "on"))
    assert shared.trees[0].arrays.used[USED_NODES] < apart.trees[0].arrays.used[USED_NODES]
    assert shared.report().action == apart.report().action


# --- limits --------------------------------------------------------------------------------------


def test_at_the_memory_cap_the_search_goes_on_without_growing():
    game = spielbaum.load("connect-four")
    search = searched(game, "mcts:iterations=100000,memory=1")
    report = search.report()
    assert report.full
    assert report.memory <= 1 << 20
    assert report.nodes == 100_000
    assert sum(edge.visits for edge in report.edges) == 100_000
    assert not searched(game, "mcts:iterations=1000,memory=1").report().full


@pytest.mark.parametrize(
    ("spec", "size"),
    [
        ("mcts", 40),
        ("mcts:transpositions=on", 48),
        ("mcts:select=puct,widen=1", 40),
        ("mcts:select=ucb1-tuned,rave=100,bias=1", 64),
    ],
)
def test_an_edge_takes_the_bytes_that_its_search_needs(maze, spec, size):
    search = spielbaum.agent(spec, maze(3)).search
    search.prepare(maze(3).new())
    tree = search.trees[0].arrays
    assert tree_bytes(tree) <= size * len(tree.edges) + 64


def test_seconds_deadline_and_stop_end_a_search_with_an_answer(maze):
    game = maze(3)
    state = game.new()
    search = searched(game, "mcts:iterations=1")
    calls = []
    budgets = (
        Budget(seconds=0.05),
        Budget(deadline=time.monotonic() + 0.1),
        Budget(stop=lambda: len(calls) > 3 or calls.append(1) is not None),
    )
    for budget in budgets:
        assert search.think(state, budget) in state.actions
        assert search.iterations > 1


def test_a_deadline_that_has_passed_still_gets_a_legal_answer(maze):
    state = maze(3).new()
    agent = spielbaum.agent("mcts:seconds=5", state.game)
    assert agent.act(state, Clock(deadline=time.monotonic() - 1)) in state.actions


def test_threads_share_the_iterations_and_sum_their_trees(maze):
    search = searched(maze(3), "mcts:iterations=1001,threads=2")
    assert [tree.arrays.edges[0].visits for tree in search.trees] == [500, 500]
    assert sum(edge.visits for edge in search.report().edges) == 1000


def test_watching_a_search_sees_it_between_slices(maze):
    game = maze(3)
    search = spielbaum.agent("mcts", game).search
    seen: list[float] = []
    search.think(game.new(), Budget(200_000), lambda: seen.append(search.trees[0].arrays.edges[0].visits))
    assert len(seen) > 2
    assert seen == sorted(seen)
    assert seen[-1] == 200_000


# --- between moves -------------------------------------------------------------------------------


def played_on(game: Game, spec: str) -> tuple[Mcts, dict[int, float], int]:
    """A search that has thought twice, with an own and another move between; what it knew of the second position."""
    agent = spielbaum.agent(spec, game, seed=1)
    state = game.new()
    state.play(agent.act(state))
    search = agent.search
    tree = search.trees[0]
    first = next(edge for edge in tree.children(ROOT) if tree.arrays.edges[edge].action == search.action)
    while not state.over and state.player != search.state.player:
        reply = max(tree.children(first), key=lambda edge: tree.arrays.edges[edge].visits)
        first = reply
        state.play(int(tree.arrays.edges[reply].action))
    known = {int(tree.arrays.edges[e].action): float(tree.arrays.edges[e].visits) for e in tree.children(first)}
    agent.act(state)
    return search, known, len(state.history)


def test_a_kept_tree_starts_with_what_it_knew():
    game = spielbaum.load("connect-four")
    search, known, _ = played_on(game, "mcts:iterations=500,reuse=keep")
    found = root_statistics(search)
    assert sum(known.values()) > 20
    assert sum(visits for visits, _ in found.values()) == sum(known.values()) + 500
    assert all(found[action][0] >= visits for action, visits in known.items())


def test_a_normalised_tree_counts_old_iterations_as_one():
    game = spielbaum.load("connect-four")
    search, known, _ = played_on(game, "mcts:iterations=500,reuse=normalise")
    tried = sum(visits > 0 for visits in known.values())
    assert sum(visits for visits, _ in root_statistics(search).values()) == tried + 500


def test_a_normalised_node_counts_itself_and_each_child_that_was_tried_once():
    game = spielbaum.load("connect-four")
    agent = spielbaum.agent("mcts:iterations=500,reuse=normalise", game, seed=1)
    agent.act(game.new())
    tree = agent.search.trees[0]
    means = {int(e.action): e.total / e.visits for e in (tree.arrays.edges[each] for each in tree.children(ROOT))}
    tree.keep_subtree([], normalise=True)
    arrays, inner = tree.arrays, 0
    for edge in [ROOT, *tree.children(ROOT)]:
        below = [arrays.edges[child] for child in tree.children(edge)]
        tried = [child for child in below if child.visits > 0]
        assert all(child.visits == 1 for child in tried) and len(tried) > 1
        assert arrays.nodes[arrays.edges[edge].node].visits == len(tried) + 1
        inner += edge != ROOT
    assert inner == 7
    assert {int(e.action): e.total for e in (arrays.edges[each] for each in tree.children(ROOT))} == means


def test_a_fresh_tree_knows_nothing():
    game = spielbaum.load("connect-four")
    search, _, _ = played_on(game, "mcts:iterations=500,reuse=fresh")
    assert sum(visits for visits, _ in root_statistics(search).values()) == 500


def test_a_kept_tree_is_dropped_when_the_game_is_another_one():
    game = spielbaum.load("connect-four")
    agent = spielbaum.agent("mcts:iterations=100,reuse=keep", game)
    agent.act(game.new())
    agent.act(game.play_all([0, 1, 2, 3]))
    agent.act(game.new())
    assert sum(visits for visits, _ in root_statistics(agent.search).values()) == 100


# --- hidden information --------------------------------------------------------------------------


def test_worlds_divide_the_iterations_evenly_and_drop_the_remainder(pennies):
    search = searched(pennies, "mcts:iterations=1000,determinizations=7", pennies.new().play(0).view(1))
    assert [tree.arrays.edges[0].visits for tree in search.trees] == [142] * 7
    assert search.report().nodes == 7 * 142


def test_a_player_who_sees_everything_needs_one_world(pennies):
    search = searched(pennies, "mcts:iterations=1000,determinizations=7")
    assert [tree.arrays.edges[0].visits for tree in search.trees] == [1000]


def test_a_single_world_has_its_blanks_filled_too(pennies):
    search = searched(pennies, "mcts:iterations=10,determinizations=1", pennies.new().play(0).view(1))
    assert search.trees[0].states[ROOT_STATE].committed in (1, 2)


@pytest.mark.parametrize("spec", ["mcts:iterations=1600", "ismcts:iterations=100"])
def test_a_report_is_played_on_from_a_possible_world_not_from_blanks(pennies, spec):
    search = searched(pennies, spec, pennies.new().play(0).view(1))
    assert search.world().record.committed in (1, 2)
    assert len(search.report().line) > 1


def test_information_sets_do_not_see_a_simultaneous_choice(pennies):
    report = searched(pennies, "ismcts:iterations=20000").report()
    assert abs(report.value) < 0.3
    assert all(0.4 < edge.visits / report.nodes < 0.6 for edge in report.edges)


def test_a_tree_over_paths_lets_the_second_player_see_the_choice(pennies):
    report = searched(pennies, "ismcts:iterations=20000,nodes=path").report()
    assert report.value < -0.5


def test_what_the_first_player_chose_makes_no_difference_to_the_second(pennies):
    heads, tails = (pennies.new().play(coin).view(1) for coin in (0, 1))
    for spec in ("ismcts:iterations=5000", "ismcts:iterations=5000,nodes=path", "mcts:iterations=5000"):
        assert root_statistics(searched(pennies, spec, heads)) == root_statistics(searched(pennies, spec, tails))


def test_chance_decides_whose_turn_it_is_and_each_keeps_its_own_values():
    game = spielbaum.load("pig")
    state = game.new()
    search = searched(game, "mcts:iterations=3000", state)
    assert state.format(search.report().action) == "roll"
    tree = search.trees[0].arrays
    assert {0, 1} == set(tree.edges["mover"][1 : tree.used[USED_EDGES]].tolist())


# --- reports -------------------------------------------------------------------------------------


def test_the_report_adds_up():
    game = spielbaum.load("connect-four")
    report = searched(game, "mcts:iterations=2000").report(tree_nodes=30)
    assert sum(edge.visits for edge in report.edges) == report.nodes == 2000
    assert report.edges[0].action == report.action == report.principal_variation[0]
    assert report.edges == sorted(report.edges, key=lambda edge: -edge.visits)
    assert all(edge.prior is None for edge in report.edges)
    assert len(report.line) == len(report.principal_variation) > 2
    state = game.new()
    for move in report.line:
        state.play(move)
    assert count(report.tree) == 30
    assert [child.visits for child in report.tree.children] == [
        edge.visits for edge in report.edges[: len(report.tree.children)]
    ]
    json.dumps(report.as_dict())


def count(node) -> int:
    return 1 + sum(count(child) for child in node.children)


def test_the_golden_tree_has_not_changed():
    """Shows at once whether a change of the engine changed the search; SPIELBAUM_GOLDEN=1 writes it anew."""
    game = spielbaum.load("connect-four")
    report = searched(game, "mcts:iterations=400", seed=7).report(tree_nodes=40).as_dict()
    golden = {"edges": report["edges"], "tree": report["tree"]}
    if os.environ.get("SPIELBAUM_GOLDEN"):
        GOLDEN.write_text(json.dumps(golden, indent=1) + "\n")
    kept = json.loads(GOLDEN.read_text())
    for edge in (*golden["edges"], *kept["edges"]):
        edge["prior"] = None  # plain UCT keeps none
        edge.pop("proven", None)  # and proves nothing
    golden["tree"] = without_bounds(golden["tree"])
    assert json.loads(json.dumps(golden)) == kept


def without_bounds(node: dict) -> dict:
    """A node without what only depth-first searches have: means are no bounds."""
    assert node["bound"] == "exact"
    kept = {name: value for name, value in node.items() if name != "bound"}
    return {**kept, "children": [without_bounds(child) for child in node["children"]]}


def test_the_tree_is_marked_full_only_at_the_cap(maze):
    assert searched(maze(3), "mcts:iterations=50000").trees[0].arrays.used[FULL] == 0


# --- combinations that would be wrong ------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("mcts:transpositions=on", "transpositions=on needs a rule 'key'"),
        ("mcts:value=evaluation", "needs a rule 'evaluate'"),
        ("mcts:depth=3", "depth=3 needs a rule 'evaluate'"),
        ("mcts:reuse=keep", "reuse=keep needs to know what was played"),
        ("mcts:opponents=per-path,reuse=keep", "does not go with opponents=per-path"),
        ("mcts:simulate=greedy", "unknown policy 'greedy' for pennies; valid: random"),
        ("mcts:simulate=a/b/c", "'own', 'own/others'"),
        ("mcts:simulate=x*random", "not a weighted policy"),
        ("mcts:filter=safe", "unknown filter 'safe' for pennies"),
        ("mcts:iteration=5", "unknown parameter 'iteration' for mcts in pennies; did you mean 'iterations'?"),
        ("mcts:select=ucb", "unknown value of 'select': 'ucb'; did you mean 'ucb1'?"),
        ("mcts:c=-1", "c=-1 is not possible: c is a number from 0"),
        ("mcts:c=nan", "c=nan is not possible"),
        ("mcts:iterations=0", "iterations=0 is not possible: iterations is a whole number from 1"),
        ("mcts:iterations=1.5", "iterations=1.5 is not possible"),
        ("mcts:c=1,c=2", "'c' is given twice"),
        ("mcts:", "ends with a colon"),
        ("mcts:c", "'c' is not of the form key=value"),
        ("mtcs", "unknown agent 'mtcs' for pennies; did you mean 'mcts'?"),
    ],
)
def test_what_would_be_wrong_is_refused_in_one_line(pennies, spec, message):
    with pytest.raises(spielbaum.SpielbaumError) as error:
        spielbaum.agent(spec, pennies)
    assert message in str(error.value)
    assert "\n" not in str(error.value)
