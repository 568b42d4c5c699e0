"""Thinking in the time of others: what was expected helps, what was not changes nothing."""

from __future__ import annotations

import pytest

import spielbaum
from spielbaum import SpielbaumError, State
from spielbaum.agents import StatelessAgent
from spielbaum.agents.pondering import PonderingFailed, others_pondering
from spielbaum.agents.searching import SearchAgent
from spielbaum.arena.single import play_game
from spielbaum.clock import Clock


def decided(spec: str, game: str = "connect-four", seed: int = 3) -> tuple[SearchAgent, State]:
    """An agent that has made the first move, and the position after it."""
    agent, state = spielbaum.agent(spec, spielbaum.load(game), seed), spielbaum.load(game).new()
    assert isinstance(agent, SearchAgent)
    return agent, state.play(agent.act(state))


def expected_reply(agent: SearchAgent) -> int:
    report = agent.report()
    assert report is not None
    return report.principal_variation[1]


def test_the_table_is_warm_when_the_expected_move_comes():
    nodes = []
    for ponders in (False, True):
        agent, state = decided("alphabeta:depth=8,table=4")
        reply = expected_reply(agent)
        if ponders:
            agent.ponder(state)  # ends at its depth
        agent.act(state.play(reply))
        report = agent.report()
        assert report is not None
        nodes.append(report.nodes)
    assert nodes[1] < nodes[0]


@pytest.mark.parametrize("spec", ["mcts:iterations=300", "mcts:iterations=300,reuse=keep", "minimax:depth=3"])
def test_another_move_is_answered_as_if_nothing_had_been_pondered(spec):
    for seed in range(3):
        actions = []
        for ponders in (False, True):
            agent, state = decided(spec, seed=seed)
            other = next(action for action in state.actions if action != expected_reply(agent))
            if ponders:
                agent.ponder(state, watch=agent.stop)
            actions.append(agent.act(state.play(other)))
        assert actions[0] == actions[1]


def slices_of_pondering(agent: SearchAgent, state: State) -> int:
    slices = []

    def watch() -> None:
        slices.append(1)
        agent.stop()

    agent.ponder(state, watch=watch)
    return len(slices)


def test_one_ponders_the_position_that_is_expected():
    agent, state = decided("mcts:iterations=2000")
    ahead = state.copy().play(expected_reply(agent))
    assert slices_of_pondering(agent, state) == 1
    assert str(agent.search.ahead.state) == str(ahead)
    assert agent.branch([], 1, 1)[1].history == []  # what is told is still about the last decision


def test_nobody_ponders_where_nothing_can_be_expected():
    fresh = spielbaum.agent("mcts", spielbaum.load("connect-four"))
    assert isinstance(fresh, SearchAgent)
    assert slices_of_pondering(fresh, spielbaum.load("connect-four").new()) == 0
    agent, _ = decided("mcts:iterations=2000")
    elsewhere = spielbaum.load("connect-four").play_all([0, 1, 2])
    assert slices_of_pondering(agent, elsewhere) == 0
    roller, state = decided("mcts:iterations=100", "pig")
    assert slices_of_pondering(roller, state) == 0


def test_the_switch_is_offered_where_one_can_know_what_to_expect():
    assert spielbaum.agent("mcts:ponder=on", spielbaum.load("connect-four")).ponders
    assert not spielbaum.agent("mcts", spielbaum.load("connect-four")).ponders
    for game in ("pig", "pursuit"):
        with pytest.raises(SpielbaumError, match="unknown parameter 'ponder'"):
            spielbaum.agent("mcts:ponder=on", spielbaum.load(game))


class First(StatelessAgent):
    """Plays the first legal action, and notes when it is asked to ponder."""

    def __init__(self, ponders: bool):
        self.ponders, self.plies = ponders, list[int]()

    def act(self, state, clock=None, *, watch=None):
        return state.actions[0]

    def ponder(self, state, *, watch=None):
        self.plies.append(len(state.history))


def test_those_who_want_to_ponder_while_others_decide():
    eager, lazy = First(ponders=True), First(ponders=False)
    record = play_game(spielbaum.load("connect-four"), [eager, lazy])
    assert eager.plies == list(range(1, len(record.actions), 2)) and lazy.plies == []


def test_what_goes_wrong_while_pondering_is_not_lost():
    class Broken(First):
        def ponder(self, state, *, watch=None):
            raise SpielbaumError("lost the thread")

    state = spielbaum.load("connect-four").new()
    with pytest.raises(PonderingFailed) as failed, others_pondering([First(True), Broken(True)], state):
        pass
    assert failed.value.seat == 1 and str(failed.value.__cause__) == "lost the thread"


def test_a_clock_limits_thinking_unless_the_own_budget_is_shorter():
    game = spielbaum.load("connect-four")
    plain, hasty = spielbaum.agent("mcts", game), spielbaum.agent("mcts:seconds=0.5", game)
    assert isinstance(plain, SearchAgent) and isinstance(hasty, SearchAgent)
    assert plain.budget(Clock(left=50.0)).seconds == 2.0
    assert hasty.budget(Clock(left=50.0)).seconds == 0.5
    assert hasty.budget(Clock(left=1.0)).seconds == 0.04


def test_what_was_pondered_counts_when_the_expected_move_comes():
    agent, state = decided("mcts:iterations=2000")
    ahead = state.copy().play(expected_reply(agent))
    slices_of_pondering(agent, state)
    pondered = agent.search.ahead.trees[0].done
    agent.act(ahead)
    assert sum(edge.visits for edge in agent.report().edges) == pondered + 2000
