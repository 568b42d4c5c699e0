"""`gumbel=m`: how sequential halving divides iterations among the actions at the root."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest

import spielbaum
from spielbaum import Game, SpielbaumError
from spielbaum.arena.matches import match
from spielbaum.clock import Clock
from tests.search.test_mcts import searched

PUCT = "mcts:select=puct,expand=all"


@pytest.fixture(scope="module")
def game() -> Game:
    return spielbaum.load("connect-four")


def halving(actions: int, iterations: int) -> list[int]:
    """How often each action is chosen, as the paper's Algorithm 2 has it."""
    field, left, visits = actions, iterations, [0] * actions
    while left:
        for _ in range(max(1, int(iterations / (max(1, math.ceil(math.log2(actions))) * field)))):
            for i in range(field):
                visits[i], left = visits[i] + bool(left), max(0, left - 1)
        field = min(actions, max(2, field // 2))
    return sorted(visits)


def visits(game: Game, spec: str, seed: int = 1) -> dict[int, float]:
    report = searched(game, spec, seed=seed).report()
    return {edge.action: edge.visits for edge in report.edges}


@pytest.mark.parametrize(("considered", "iterations"), [(4, 32), (7, 64), (2, 10), (1, 5), (16, 50), (5, 3)])
def test_iterations_are_divided_by_halving_the_field(game, considered, iterations):
    found = visits(game, f"{PUCT},gumbel={considered},iterations={iterations}")
    expected = halving(min(considered, 7), iterations)
    assert sorted(found.values()) == [0] * (7 - len(expected)) + expected


def test_without_noise_the_likeliest_actions_are_looked_at(game):
    found = visits(game, f"{PUCT},gumbel=3,iterations=30")
    assert {action for action, count in found.items() if count} == {2, 3, 4}  # the centre, as the game prefers


def test_noise_draws_others_and_the_same_for_a_seed(game):
    spec = f"{PUCT},gumbel=2,gumbel-noise=1,iterations=12"
    fields = [frozenset(a for a, n in visits(game, spec, seed).items() if n) for seed in range(12)]
    assert len(set(fields)) > 3
    assert visits(game, spec, 5) == visits(game, spec, 5)


def test_a_large_scale_lets_values_decide_and_none_priors(game):
    state = game.play_all(["a", "b", "a", "b", "a", "b"])  # yellow wins in column a, which the prior likes least
    win = {scale: np.bincount([act(game, state, scale, seed) for seed in range(5)], minlength=7)[0] for scale in (0, 1)}
    assert win == {0: 0, 1: 5}


def act(game: Game, state: spielbaum.State, scale: float, seed: int) -> int:
    agent = spielbaum.agent(f"{PUCT},gumbel=7,gumbel-scale={scale},iterations=200", game, seed=seed)
    return agent.act(state)


def test_proven_actions_drop_out_and_are_decided_by_their_value(game):
    state = game.play_all(["a", "b", "a", "b", "a", "c"])
    for seed in range(4):
        agent = spielbaum.agent(f"{PUCT},gumbel=7,solve=on,iterations=200", game, seed=seed)
        assert agent.act(state) == 0
        assert agent.report().proven
    lost = game.play_all(["a", "d", "a", "d", "b", "d"])  # red wins in column d unless it is stopped
    agent = spielbaum.agent(f"{PUCT},gumbel=7,solve=on,iterations=300", game, seed=1)
    assert agent.act(lost) == 3


def test_a_kept_tree_is_halved_anew(game):
    agent = spielbaum.agent(f"{PUCT},gumbel=4,reuse=keep,iterations=32", game, seed=3)
    state = game.new()
    for _ in range(3):
        before = agent.act(state)
        assert sorted(agent.search.trees[0].work["gumbel"]["chosen"][0, :7]) == [0, 0, 0, *halving(4, 32)]
        state.play(before)
        state.play(state.actions[0])


def test_a_clock_alone_goes_on_without_halving(game):
    agent = spielbaum.agent(f"{PUCT},gumbel=2", game, seed=3)
    agent.act(game.new(), Clock(deadline=time.monotonic() + 0.02))
    assert sum(edge.visits > 0 for edge in agent.report().edges) > 2


@pytest.mark.parametrize(
    ("name", "spec", "line"),
    [
        ("connect-four", "seconds=1", "gumbel=4 must know how many iterations there are; add iterations=N"),
        ("connect-four", "threads=2", "gumbel=4 divides the iterations of one tree; leave threads=2 out"),
        ("connect-four", "expand=one", "gumbel=4 needs expand=all, not one"),
        ("connect-four", "widen=2", "gumbel=4 does not go with widen=2.0"),
        ("kuhn-poker", "iterations=9", "gumbel=4 needs full information, not kuhn-poker"),
    ],
)
def test_what_does_not_fit_is_refused(name, spec, line):
    played = spielbaum.load(name)
    with pytest.raises(SpielbaumError, match=line):
        spielbaum.agent(f"mcts:select=puct,gumbel=4,{spec}", played)


@pytest.mark.slow
def test_with_few_iterations_a_halved_root_is_not_weaker(game):
    agents = ["network:iterations=24,gumbel=7", "network:iterations=24"]
    assert match(game, agents, 200, 5, opening=4, workers=1).results.agent_tally(0).score > 0.45
