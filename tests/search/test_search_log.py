"""The trees of the minimax family: bounds and visits of every node, against a plain minimax of the same tree."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spielbaum
from spielbaum import State
from spielbaum.search import search_log
from spielbaum.search.budget import Budget
from spielbaum.search.pathsum import PathSum
from spielbaum.search.report import TreeNode
from tests.conftest import SMALL
from tests.search.test_alphabeta import load_maze, reference

SEEDS, DEPTHS = st.integers(0, 10_000), st.integers(1, 6)
WHOLE = 50  # deeper and wider than any tree here


def tree_of(spec: str, state: State) -> TreeNode:
    agent = spielbaum.agent(spec, state.game)
    agent.act(state)
    return agent.branch([], WHOLE, WHOLE)[0]


def below(node: TreeNode, state: State, ply: int = 1) -> Iterator[tuple[TreeNode, State, int]]:
    """Every node but the root, with the position there."""
    for child in node.children:
        assert child.player == state.player
        after = state.copy().play(child.action)
        yield child, after, ply
        yield from below(child, after, ply + 1)


@pytest.mark.parametrize("order", ["on", "off"])
@given(seed=SEEDS, depth=DEPTHS)
@settings(max_examples=25, deadline=None)
def test_every_bound_of_alphabeta_holds(seed, depth, order):
    state = load_maze(seed).new()
    me = state.player
    met = set()
    for node, after, ply in below(tree_of(f"alphabeta:depth={depth},table=0,order={order}", state), state):
        plain = reference(after, depth - ply, me, False, ply)[me]
        truth = plain if node.player == me else -plain
        met.add(node.bound)
        if node.bound == "exact":
            assert node.value == truth
        elif node.bound == "at least":
            assert node.value <= truth
        else:
            assert node.bound == "at most" and node.value >= truth
    assert "exact" in met


def test_all_three_kinds_of_bounds_come_up():
    state = load_maze(4).new()
    assert {node.bound for node, _, _ in below(tree_of("alphabeta:depth=6,table=0", state), state)} == set(
        search_log.BOUNDS
    )


@pytest.mark.parametrize("spec", ["alphabeta:depth=5,table=0", "alphabeta:depth=5,table=1", "minimax:depth=5"])
@given(seed=SEEDS)
@settings(max_examples=15, deadline=None)
def test_visits_are_the_positions_looked_at_below(seed, spec):
    state = load_maze(seed).new()
    tree = tree_of(spec, state)
    for node, after, ply in below(tree, state):
        here = node.visits - sum(child.visits for child in node.children)
        assert here >= 1  # itself, and what was only asked and then looked into once more
        if spec.startswith("minimax"):
            assert here == 1 and node.visits == size(after, 5 - ply)
    assert tree.visits == sum(child.visits for child in tree.children)


def size(state: State, depth: int) -> int:
    """The positions of a whole tree."""
    if state.over or depth == 0:
        return 1
    return 1 + sum(size(state.copy().play(action), depth - 1) for action in state.actions)


@given(SEEDS)
@settings(max_examples=10, deadline=None)
def test_in_max_n_a_node_has_the_worth_for_who_moved_there(seed):
    state = load_maze(seed, players=3).new()
    for node, after, ply in below(tree_of("minimax:depth=4", state), state):
        assert node.bound == "exact"
        assert node.value == reference(after, 4 - ply, state.player, True, ply)[node.player]


def test_a_path_leads_to_the_same_node_as_the_whole_tree():
    state = load_maze(8).new()
    agent = spielbaum.agent("alphabeta:depth=6,table=0", state.game)
    agent.act(state)
    first = agent.branch([], WHOLE, WHOLE)[0].children[0]
    second = first.children[0]
    node, there = agent.branch([first.action, second.action], 1, WHOLE)
    assert (node.value, node.visits, node.bound) == (second.value, second.visits, second.bound)
    assert str(there) == str(state.copy().play(first.action).play(second.action))
    with pytest.raises(spielbaum.SpielbaumError, match="the tree has no node"):
        agent.branch([first.action] * 9, 1, 3)


def test_of_a_long_search_the_upper_plies_are_kept():
    state = spielbaum.load("connect-four").new()
    agent = spielbaum.agent("alphabeta:depth=9,table=0", state.game)
    agent.act(state)
    workspace = agent.search.workspace[0]
    assert workspace["logged"] < search_log.ENTRIES < workspace["nodes"] and 1 < workspace["deepest"] < 9
    tree = agent.branch([], 2, 7)[0]
    assert len(tree.children) == 7 and all(child.children for child in tree.children)
    assert sum(child.visits for child in tree.children) > search_log.ENTRIES
    assert count(agent.report(tree_nodes=30).tree) == 30


def count(node: TreeNode) -> int:
    return 1 + sum(count(child) for child in node.children)


def test_path_sums_tell_what_they_looked_at_and_what_it_gains():
    game = spielbaum.load(SMALL / "gains.py")
    for prune in (False, True):
        search = PathSum(game, np.zeros(1), depth=2, fading=False, prune=prune)
        search.think(game.new(), Budget())
        tree = search.branch([], 2, WHOLE)[0]
        report = search.report()
        assert [edge.visits for edge in report.edges] == [child.visits for child in tree.children]
        assert tree.visits == report.nodes
        for child in tree.children:
            assert child.visits == 1 + sum(reply.visits for reply in child.children)
            assert prune or child.bound == "exact"
        assert report.unit.name == "points"
