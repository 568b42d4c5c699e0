"""Memory-MCTS: what it remembers of actions, what it proposes, and what it forgets."""

from __future__ import annotations

import numpy as np

import spielbaum
from tests.conftest import SMALL

SEVENS = np.arange(1400) % 7 == 0


def memory(agent) -> np.ndarray:
    return agent.search.trees[0].work["memory"]["value"][0]


def agent_with(**values):
    given = "".join(f",{name.replace('_', '-')}={value}" for name, value in values.items())
    return spielbaum.agent(f"mcts:iterations=4000,expand=memory,depth=4{given}", game())


def game():
    return spielbaum.load(SMALL / "wide.py")


def test_unknown_actions_are_remembered_as_the_best():
    agent = agent_with()
    agent.values["iterations"] = 1
    agent.act(game().new())
    assert (memory(agent) == 1.0).sum() >= 1399


def test_what_pays_is_remembered_as_better():
    agent = agent_with()
    agent.act(game().new())
    known = memory(agent) < 1.0
    assert memory(agent)[known & SEVENS].mean() > memory(agent)[known & ~SEVENS].mean() + 0.1


def test_a_larger_tournament_tries_more_of_what_is_remembered_well():
    def share(tournament: int) -> float:
        agent = agent_with(tournament=tournament, exploration=1)
        agent.values["iterations"] = 20000
        agent.act(game().new())
        edges = agent.report().edges
        return sum(edge.visits for edge in edges if edge.action % 7 == 0) / sum(edge.visits for edge in edges)

    assert share(1) < share(4) < share(16)


def test_without_exploration_a_node_keeps_its_first_child():
    agent = agent_with(exploration=0)
    agent.act(game().new())
    assert len(agent.report().edges) == 1
    assert len(agent_report(exploration=1).edges) > 100


def agent_report(**values):
    agent = agent_with(**values)
    agent.act(game().new())
    return agent.report()


def test_a_learning_rate_of_one_remembers_the_last_value_only():
    agent = agent_with(learning_rate=1, exploration=1)
    agent.act(game().new())
    known = memory(agent)[memory(agent) != 1.0]
    assert ((known >= 0.0) & (known <= 1.0)).all()
    slow = agent_with(learning_rate=0.01, exploration=1)
    slow.act(game().new())
    assert memory(slow).min() > memory(agent).min()


def test_after_a_decision_memory_fades_and_what_changed_is_forgotten():
    agent = agent_with(reset_strength=1, reset_point=0.25)
    state = game().new()
    state.play(agent.act(state)).play(3)
    agent.values["iterations"] = 1
    agent.act(state)
    assert memory(agent)[3] == 1.0, "the game says that 3 has changed"
    assert (memory(agent) == 0.25).sum() > 1300
    kept = agent_with(reset_strength=0)
    state = game().new()
    before = kept.act(state), memory(kept).copy()
    state.play(before[0]).play(3)
    kept.values["iterations"] = 1
    kept.act(state)
    assert (memory(kept) == before[1]).sum() > 1350


def test_untried_actions_only_are_proposed_if_told_to():
    plain, untried = (agent_report(exploration=1, untried_only=only) for only in ("off", "on"))
    assert len(untried.edges) == 1400 > len(plain.edges)


def test_values_are_scaled_by_one_decision_if_told_to():
    def largest(anew: str) -> float:
        agent = agent_with(scale_anew=anew)
        state = game().new()
        state.play(agent.act(state)).play(3)
        work = agent.search.trees[0].work
        work["memory"]["largest"] = 1000.0
        agent.values["iterations"] = 10
        agent.act(state)
        return float(work["memory"]["largest"][0])

    assert largest("off") == 1000.0 > largest("on")
