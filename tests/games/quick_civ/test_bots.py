"""The searches of the thesis: their parameters, what a leaf is worth, whose decisions are in the tree, and memory."""

from __future__ import annotations

import numpy as np
import pytest

from spielbaum.agents import make, resolve
from spielbaum.errors import SpielbaumError
from spielbaum.games.quick_civ.evaluate import SCALE, worth
from spielbaum.games.quick_civ.rules import WAIT
from spielbaum.games.quick_civ.tables import BUILDINGS, KINDS
from tests.games.quick_civ.matches import civ, play_on

DEPTH, BIAS = 6, 0.2


@pytest.fixture(scope="module")
def middle():
    return play_on(civ(map=2).new(1), ["greedy"] * 4, 40, seed=1).state


def evaluations(state, weights):
    s = state.record
    return np.array([worth(s.production[p], s.tiles[p], s.rounds, weights) for p in range(4)]) / SCALE


def waited(state, action):
    """What comes of an action if everybody else waits, and then everybody for some rounds."""
    end = state.copy().play(action)
    for _ in range(3 + 4 * DEPTH):
        if not end.over:
            end.play(WAIT)
    return end


def test_vanilla_has_the_parameters_that_the_thesis_found():
    kind, values = resolve("vanilla", civ())
    assert kind.name == "mcts" and values["iterations"] == 1000
    told = {"depth": 6, "depth-in": "rounds", "winner-bias": 0.2, "vanishing": 0.69, "select": "greedy"}
    weights = {"material": 0.68, "food": 0.73, "points": 1.7, "tiles": 6.11, "both": 0.87, "point-increment": 1.86}
    told |= {f"weight.{name}": value for name, value in weights.items()}
    assert {name: values[name] for name in told} == told


def test_a_leaf_is_worth_what_was_gained_less_what_the_others_gained(middle):
    agent = make("vanilla:iterations=40", middle.game, 5)
    agent.act(middle)
    weights, me = agent.search.weights, middle.player
    root, checked = evaluations(middle, weights), 0
    for edge in agent.report().edges[:12]:
        ends = evaluations(waited(middle, edge.action), weights)
        gains, others = ends - root, [p for p in range(4) if p != me]
        best = max(others, key=lambda p: ends[p])
        rest = sum(gains[p] for p in others if p != best)
        assert edge.value == pytest.approx(gains[me] - BIAS * gains[best] - (1 - BIAS) / 4 * rest, abs=1e-12)
        checked += abs(edge.value) > 1e-6
    assert checked >= 3


def test_only_own_decisions_are_in_the_tree_and_the_best_child_is_played(middle):
    agent = make("vanilla:iterations=1500", middle.game, 5)
    chosen = agent.act(middle)
    (tree,) = agent.search.trees
    assert set(tree.arrays.edges["mover"][1 : tree.arrays.used[0]]) == {middle.player}
    edges = [edge for edge in agent.report().edges if edge.visits > 0]
    assert max(edges, key=lambda edge: edge.value).action == chosen


def values_by_action(state, spec, seed=5):
    agent = make(spec, state.game, seed)
    agent.act(state)
    return {edge.action: edge.value for edge in agent.report().edges if edge.visits > 0}


@pytest.mark.slow
def test_enemies_wait_or_share_a_draw_or_are_drawn_for_each_child(middle):
    """All children of the root begin with the same draw where it is shared: then they differ as they do while all
    wait, but for what the enemies' one answer changes."""

    def spread(model):
        values = values_by_action(middle, f"vanilla:iterations=60,weight.both=0,{model}")
        return np.std(list(values.values()))

    waiting, shared, drawn = map(
        spread, ("opponents=per-path", "opponents=per-node,opponent-policy=random", "opponent-policy=random")
    )
    assert waiting < drawn and shared < drawn


def test_answers_need_a_tree_of_own_decisions():
    with pytest.raises(SpielbaumError, match="opponent-policy is for trees of own decisions; add opponents="):
        make("mcts:opponent-policy=wait", civ())
    with pytest.raises(SpielbaumError, match="unknown policy 'wiat'"):
        make("vanilla:opponent-policy=wiat", civ())


@pytest.mark.parametrize("name", ["wait", "random-without-overwrite", "random-without-overwrite-with-military"])
def test_default_policies_build_what_their_names_say(middle, name):
    agent, s = make(name, middle.game, 3), middle.record
    builds = {agent.act(middle) for _ in range(60)}
    over = {action for action in builds - {WAIT} if s.owner[action // KINDS] == middle.player}
    if name == "wait":
        assert builds == {WAIT}
    elif name == "random-without-overwrite":
        assert len(builds) > 20 and not over
    else:
        of_war = [any(BUILDINGS[b].category == "military" for b in (a % KINDS, s.building[a // KINDS])) for a in over]
        assert of_war and all(of_war)


def test_filters_can_be_joined(middle):
    state = middle.copy()
    state.record.late[:] = 1
    both = set(values_by_action(state, "vanilla:iterations=2000,filter=near-last+late-no-early")) - {WAIT}
    assert both and all(BUILDINGS[a % KINDS].price > 10 or a % KINDS == 0 for a in both)
    assert {a // KINDS for a in both} <= {a // KINDS for a in near(state)}


def near(state):
    return set(values_by_action(state, "vanilla:iterations=2000,filter=near-last")) - {WAIT}


def test_memory_tries_untried_actions_only_and_remembers_over_rounds():
    state = civ(map=2).new(1)
    agent = make("memory:iterations=200,exploration=1", state.game, 1)
    agent.act(state)
    visited = [edge for edge in agent.report().edges if edge.visits > 0]
    assert len(visited) == min(200, len(state.actions))
    known = agent.search.trees[0].work["memory"]["value"][0]
    assert (known != 1.0).sum() > 20
    for _ in range(4):
        state.play(WAIT)
    before = known.copy()
    agent.values["iterations"] = 1
    agent.act(state)
    assert np.isclose(known, before * 0.95 + 0.05).sum() >= len(known) - 2


def test_memory_tuned_is_the_thesis_tuned_bot():
    values = resolve("memory-tuned", civ())[1]
    told = {"exploration": 0.92, "tournament": 5, "reset-strength": 0.32, "learning-rate": 1.52, "reset-point": 0.14}
    assert {name: values[name] for name in told} == told and values["weight.both"] == 0.14
