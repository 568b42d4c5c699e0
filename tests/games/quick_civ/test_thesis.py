"""The search as the thesis writes it down: its enemies in the tree, its simulations, its tree policies, its metrics."""

from __future__ import annotations

import numpy as np
import pytest

from spielbaum.agents import make
from spielbaum.errors import SpielbaumError
from spielbaum.games.quick_civ import METRICS
from spielbaum.games.quick_civ.evaluate import SCALE, at_random, worth
from spielbaum.games.quick_civ.position import NUMBERS
from spielbaum.games.quick_civ.rules import WAIT
from spielbaum.games.quick_civ.tables import KINDS
from spielbaum.rules import mix
from tests.games.quick_civ.matches import civ, play_on

DEPTH, BIAS = 6, 0.2


@pytest.fixture(scope="module")
def middle():
    return play_on(civ(map=2).new(1), ["greedy"] * 4, 40, seed=1).state


def searched(state, spec, seed=5):
    agent = make(spec, state.game, seed)
    agent.act(state)
    return agent


def edges(state, spec):
    return {edge.action: (edge.visits, edge.value) for edge in searched(state, spec).report().edges if edge.visits > 0}


def after_replies(state, action, dice):
    """What comes of an action if every enemy builds what it draws, and then everybody waits for some rounds."""
    end, rng = state.copy().play(action), np.array([dice], np.uint64)
    while end.player != state.player:
        end.play(at_random(end.game.tables, end.record, end.player, rng))
    for _ in range(4 * DEPTH):
        end.play(WAIT)
    return end


def worths(state, weights):
    s = state.record
    return np.array([worth(s.production[p], s.tiles[p], s.rounds, weights) for p in range(4)]) / SCALE


def test_every_enemy_builds_something_at_random_for_each_new_child_and_then_all_wait(middle):
    agent = searched(middle, "thesis:iterations=40")
    plan, weights, me = agent.search.trees[0].work["per_path"]["plan"][0], agent.search.weights, middle.player
    root, replies = worths(middle, weights), set()
    for edge in agent.report().edges[:12]:
        end = after_replies(middle, edge.action, mix(plan, np.uint64(edge.action)))
        replies.add(tuple(end.record.building[end.record.owner != me]))
        gains, others = worths(end, weights) - root, [p for p in range(4) if p != me]
        best = max(others, key=lambda p: worths(end, weights)[p])
        rest = sum(gains[p] for p in others if p != best)
        assert edge.value == pytest.approx(gains[me] - BIAS * gains[best] - (1 - BIAS) / 4 * rest, abs=1e-12)
    assert len(replies) == 12


def test_everybody_waits_as_soon_as_one_waits(middle):
    waiting = edges(middle, "thesis:iterations=40")
    assert edges(middle, "thesis:iterations=40,enemy-policy=random,simulations=3") == waiting
    assert edges(middle, "thesis:iterations=40,own-policy=greedy") == waiting
    assert edges(middle, "thesis:iterations=40,own-policy=random,enemy-policy=random") != waiting


def test_simulated_players_are_told_apart(middle):
    greedy = edges(middle, "thesis:iterations=40,own-policy=greedy,enemy-policy=random-without-overwrite")
    random = edges(middle, "thesis:iterations=40,own-policy=random,enemy-policy=random-without-overwrite")
    assert np.mean([value for _, value in greedy.values()]) > np.mean([value for _, value in random.values()])


def test_simulations_of_the_thesis_need_full_information():
    with pytest.raises(SpielbaumError, match="needs full information, not quick-civ"):
        make("thesis", civ(fog=True))


def test_all_tree_policies_of_the_thesis_share_a_kernel():
    state = civ(map=2).new(1)

    def most_visited(policy):
        visits = [visits for visits, _ in edges(state, f"vanilla:iterations=600,select=any-policy,{policy}").values()]
        return max(visits) / sum(visits)

    assert edges(state, "vanilla:iterations=600,select=any-policy") == edges(state, "vanilla:iterations=600")
    greedy, random = most_visited("tree-policy=greedy"), most_visited("tree-policy=random")
    sometimes, always = (most_visited(f"tree-policy=epsilon-greedy,tree-epsilon={share}") for share in (0.5, 2))
    assert greedy > sometimes > 2 * max(always, random)
    assert greedy > most_visited("tree-policy=ucb1,tree-c=1") > most_visited("tree-policy=ucb1,tree-c=3")
    assert most_visited("tree-policy=ucb1,tree-c=0") == greedy


def metrics(state, player):
    out = np.zeros(len(METRICS))
    state.game.tell("metrics", s=state.record, player=player, out=out)
    return dict(zip(METRICS, out.tolist(), strict=True))


def military(state):
    return [metrics(state, player)["military"] for player in range(4)]


def test_metrics_are_what_the_figures_show():
    """Points as a stock, incomes of a round, tiles and military as they are now: 5 unbuilt tiles beside the centre."""
    others = "ne 30/20/0: city_center 1,12", "se 30/20/0: city_center 13,12", "sw 30/20/0: city_center 13,1"
    state = civ(map=1).set_up("\n".join(("map 1, round 40", "nw 120/35/8: city_center 1,1; farm 1,2", *others)))
    incomes = {"income-points": 0, "income-food": 1 + 5 + 3, "income-material": 1}
    assert metrics(state, 0) == {"points": 8, **incomes, "tiles": 2, "military": 0}


def test_the_military_that_stands_is_counted_not_what_was_ever_built():
    lines = "nw 500/500/0: city_center 1,1; fort 1,2; barracks 2,1", "ne 30/20/0: city_center 1,12; lookout 1,11"
    others = "se 30/20/0: city_center 13,12", "sw 30/20/0: city_center 13,1"
    state = civ(map=1).set_up("\n".join(("map 1, round 40", *lines, *others)))
    assert military(state) == [2, 1, 0, 0]
    state.play((15 * 1 + 2) * KINDS + NUMBERS["farm"])
    for _ in range(3):
        state.play(WAIT)
    assert military(state) == [1, 1, 0, 0]


def test_conquered_military_counts_for_who_has_it():
    lines = "nw 500/500/0: city_center 1,1; barracks 1,4; barracks 2,4", "ne 30/20/0: city_center 1,12; fort 1,5"
    others = "se 30/20/0: city_center 13,12", "sw 30/20/0: city_center 13,1"
    state = civ(map=1).set_up("\n".join(("map 1, round 40", *lines, *others, "siege 1,5 by nw for 2")))
    assert military(state) == [2, 1, 0, 0]
    for _ in range(4):
        state.play(WAIT)
    assert military(state) == [3, 0, 0, 0]
