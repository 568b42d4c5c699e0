"""A search can be watched and stopped while it runs, and its tree walked afterwards."""

from __future__ import annotations

import itertools

import pytest

import spielbaum
from spielbaum.agents.searching import SearchAgent
from spielbaum.errors import SpielbaumError
from spielbaum.search.budget import Budget


def searcher(spec: str, game: str = "connect-four") -> SearchAgent:
    agent = spielbaum.agent(spec, spielbaum.load(game), seed=5)
    assert isinstance(agent, SearchAgent)
    return agent


@pytest.mark.parametrize("spec", ["mcts:iterations=3000", "mcts:iterations=200000,threads=2", "alphabeta:depth=7"])
def test_reports_grow_while_the_search_runs_and_watching_changes_nothing(spec):
    agent, state, reports = searcher(spec), spielbaum.load("connect-four").new(), []

    def watch() -> None:
        report = agent.report()
        assert report is not None
        reports.append(report)

    action = agent.act(state, watch=watch)
    assert all(before.nodes <= after.nodes for before, after in itertools.pairwise(reports))
    last = agent.report()
    assert last is not None and last.action == action and last.nodes >= reports[-1].nodes
    if "threads" not in spec:
        assert searcher(spec).act(state) == action


@pytest.mark.parametrize("spec", ["mcts", "alphabeta", "minimax:depth=3"])
def test_a_stop_that_never_comes_is_no_budget(spec):
    state = spielbaum.load("connect-four").new()
    agent, search = searcher(spec), searcher(spec).search
    assert agent.act(state) == search.think(state, Budget())
    one, other = agent.report(), search.report()
    assert one is not None and other is not None and one.nodes == other.nodes


@pytest.mark.parametrize("spec", ["mcts:iterations=1000000000", "alphabeta:depth=40", "minimax:depth=40"])
def test_a_search_that_is_stopped_answers_with_what_it_has(spec):
    state = spielbaum.load("connect-four").new()
    agent = searcher(spec)
    assert agent.act(state, watch=agent.stop) in state.actions
    report = agent.report()
    assert report is not None and report.edges


@pytest.mark.parametrize("spec", ["minimax:depth=40", "alphabeta:depth=40"])
def test_a_report_may_be_asked_for_before_the_first_move_is_valued(spec):
    agent, reports = searcher(spec), []

    def watch() -> None:
        reports.append(agent.report())
        agent.stop()

    agent.act(spielbaum.load("connect-four").new(), watch=watch)
    assert reports and (reports[0] is None or reports[0].edges)


def test_a_branch_shows_the_most_visited_children_level_by_level():
    agent, state = searcher("mcts:iterations=2000"), spielbaum.load("connect-four").new()
    agent.act(state)
    root, position = agent.branch([], depth=2, top=3)
    assert len(root.children) == 3 and root.more
    assert all(len(child.children) == 3 for child in root.children)
    assert str(position) == str(state)
    best = root.children[0]
    node, position = agent.branch([best.action], depth=1, top=40)
    assert node.visits == best.visits and not node.more
    assert position.history == [best.action]
    assert [child.visits for child in node.children] == sorted((c.visits for c in node.children), reverse=True)
    with pytest.raises(SpielbaumError, match="the tree has no node"):
        agent.branch([99], depth=1, top=1)


def test_alpha_beta_shows_its_line_and_what_it_has_looked_at_beside_it():
    agent, state = searcher("alphabeta:depth=5"), spielbaum.load("connect-four").new()
    agent.act(state)
    report = agent.report()
    assert report is not None
    path = report.principal_variation[:2]
    node, position = agent.branch(path, depth=1, top=1)
    assert position.history == path
    assert node.children[0].action == report.principal_variation[2]
    assert (node.player, node.children[0].player) == (1, 0) and node.value == -node.children[0].value
    beside, _ = agent.branch([0], depth=1, top=1)
    assert path[0] != 0 and beside.visits > 0 and beside.bound == "at most"
    with pytest.raises(SpielbaumError, match="the tree has no node"):
        agent.branch([99], depth=1, top=1)
