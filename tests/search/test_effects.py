"""The parameters of MCTS, one by one: which way each of them moves a search, or the very values it should give.

Searches of random games are compared over several seeds, so that no effect hangs on a lucky one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

import spielbaum
from spielbaum import Game, State
from spielbaum.search.mcts.expand import memory
from spielbaum.search.mcts.settings import mcts_params
from spielbaum.search.report import SearchReport, TreeNode
from tests.search.test_mcts import root_statistics, searched

SEEDS = range(20)
WHOLE_TREE = 1_000_000


@pytest.fixture
def game(maze) -> Game:
    """A maze with three ways at the beginning, at which the prior grows with the number of the way."""
    return maze(5)


def reports(game: Game, spec: str, seeds: range = SEEDS) -> list[SearchReport]:
    return [searched(game, f"mcts:{spec}", seed=seed).report(WHOLE_TREE) for seed in seeds]


# --- which way ------------------------------------------------------------------------------------


def visits(report: SearchReport) -> float:
    return sum(edge.visits for edge in report.edges)


def spread(report: SearchReport) -> float:
    """How evenly the root's children are visited: the entropy of their shares."""
    shares = [edge.visits / visits(report) for edge in report.edges if edge.visits > 0]
    return -sum(share * math.log(share) for share in shares)


def preferred(report: SearchReport) -> float:
    """The number of the way, with which the prior grows, on average over visits."""
    return sum(edge.visits * edge.action for edge in report.edges) / visits(report)


def tried(report: SearchReport) -> float:
    return sum(edge.visits > 0 for edge in report.edges)


def value(report: SearchReport) -> float:
    return report.value


def size(report: SearchReport) -> float:
    return len(below(report.tree)) if report.tree else 0.0


def below(node: TreeNode) -> list[TreeNode]:
    return [node, *(found for child in node.children for found in below(child))]


LESS, MORE = -1, 1
Effect = tuple[str, str, str, Callable[[SearchReport], float], int]
ROOT_ONLY = "expand-visits=1000"
CERTAIN = f"simulate=first-way,depth=1,value=evaluation,{ROOT_ONLY}"  # values that do not vary
EFFECTS: list[Effect] = [
    ("iterations", "iterations=30", "iterations=31", visits, MORE),
    ("select", CERTAIN, "select=ucb1-tuned", spread, LESS),
    ("select", "c=5", "select=puct", preferred, MORE),
    ("select", "", "select=greedy", spread, LESS),
    ("select", "c=0.2", "select=random", spread, MORE),
    ("select", "c=0", "select=epsilon-greedy,epsilon=0.5", spread, MORE),
    ("select", "c=5", "select=exp3,gamma=0.1,iterations=3000", spread, LESS),
    ("select", "c=5", "select=regret-matching,gamma=0.1,iterations=3000", spread, LESS),
    ("c", "", "c=0.2", spread, LESS),
    ("c", "select=puct", "c=0.2", spread, LESS),
    ("c", "select=ucb1-tuned", "c=0.2", spread, LESS),
    ("epsilon", "select=epsilon-greedy", "epsilon=0.9", spread, MORE),
    ("gamma", "select=exp3,iterations=3000", "gamma=1", spread, MORE),
    ("gamma", "select=regret-matching,iterations=3000", "gamma=1", spread, MORE),
    ("normalise", "", "normalise=on", spread, LESS),  # values that lie close together are told apart
    ("threshold", "simulate=first-way", "threshold=1000", tried, LESS),
    ("solve", "iterations=20000", "solve=on", visits, LESS),  # what is proven needs no more search
    ("gumbel", "select=puct", "gumbel=2", tried, LESS),
    ("gumbel-noise", "gumbel=1", "gumbel-noise=9", preferred, LESS),  # at first the likeliest way alone
    ("gumbel-scale", "gumbel=3", "gumbel-scale=0", preferred, MORE),
    ("bias", "", "bias=50", preferred, MORE),
    ("widen", "", "widen=0.1", tried, LESS),
    ("expand", "iterations=3,select=random", "expand=one", tried, MORE),
    ("expand-visits", "", "expand-visits=5", size, LESS),
    ("filter", "", "filter=not-the-first", tried, LESS),
    ("filter", "filter=not-the-first", "filter=not-the-first+not-the-last", tried, LESS),
    ("simulate", "", "simulate=random/greedy", value, LESS),
    ("simulate", "simulate=greedy", "simulate=greedy/random", value, MORE),
    ("simulate", "simulate=random/random+greedy", "simulate=random/0.1*random+0.9*greedy", value, LESS),
    ("backup", "", "backup=vanishing", visits, LESS),
    ("vanishing", "backup=vanishing", "vanishing=3", visits, LESS),
    ("opponents", "", "opponents=open-loop", size, LESS),
    ("opponents", "opponents=open-loop", "opponents=per-path", size, LESS),
    ("opponents", "opponents=open-loop", "opponents=per-node", size, LESS),
    ("opponent-policy", "opponents=open-loop", "opponent-policy=greedy", value, LESS),
    ("transpositions", "", "transpositions=on", size, LESS),
]


@pytest.mark.parametrize(("name", "given", "added", "measure", "way"), EFFECTS, ids=[f"{e[0]}:{e[2]}" for e in EFFECTS])
def test_a_parameter_moves_the_search_its_way(game, name, given, added, measure, way):
    before, after = (np.mean([measure(report) for report in reports(game, spec)]) for spec in specs_of(given, added))
    assert way * after > way * before


def specs_of(given: str, added: str) -> tuple[str, str]:
    """Two specs: `given`, and the same with what is added to it or put in its place."""
    values = {"iterations": "300", **dict(part.split("=") for part in given.split(",") if part)}
    changed = {**values, **dict(part.split("=") for part in added.split(","))}
    before, after = (",".join(f"{key}={value}" for key, value in each.items()) for each in (values, changed))
    return before, after


def test_a_filter_leaves_out_the_actions_it_does_not_keep(game):
    def left(names: str) -> set[int]:
        return set(root_statistics(searched(game, f"mcts:iterations=50,filter={names}")))

    assert left("not-the-first") == {1, 2}
    assert left("not-the-last") == {0, 1}
    assert left("not-the-first+not-the-last") == {1}


def test_below_the_threshold_the_simulation_policy_selects(game):
    for policy, action in (("first-way", 0), ("last-way", 2)):
        found = root_statistics(searched(game, f"mcts:iterations=300,simulate={policy},threshold=200"))
        assert found[action][0] >= 200 and sum(visits for visits, _ in found.values()) == 300


def test_rave_finds_the_middle_without_exploring():
    """What is good later in Connect Four is good now: all moves as first find it where a few results do not."""
    connect_four = spielbaum.load("connect-four")

    def share_of_the_middle(rave: int) -> float:
        found = [root_statistics(searched(connect_four, f"mcts:c=0,rave={rave}", seed=seed)) for seed in SEEDS]
        return float(np.mean([statistics[3][0] / 1000 for statistics in found]))

    assert share_of_the_middle(3000) > share_of_the_middle(0)


def test_several_simulations_of_a_leaf_vary_less(game):
    def variance(simulations: int) -> float:
        spec = f"mcts:iterations=3,simulations={simulations},{ROOT_ONLY}"
        return float(np.var([root_statistics(searched(game, spec, seed=seed))[0][1] for seed in range(100)]))

    assert variance(16) < variance(1) / 4


# --- the very values ------------------------------------------------------------------------------


def evaluated(state: State) -> float:
    """The evaluation for who begins."""
    record = state.record
    return float(state.game.tables.value[record.layer, record.place, state.game.new().player])


def reached(state: State, moves: int) -> list[State]:
    """Every position after some moves, or at the end of the game if that comes first."""
    if moves == 0 or state.over:
        return [state]
    return [end for action in state.actions for end in reached(state.copy().play(action), moves - 1)]


def is_one_of(found: float, expected: list[float]) -> bool:
    return bool(np.isclose(found, expected, rtol=0, atol=1e-9).any())


VALUES = [
    ("", 7, lambda end, root: end),
    ("depth=1", 2, lambda end, root: math.tanh(end)),
    ("limit=2", 3, lambda end, root: math.tanh(end)),
    ("depth=3,limit=1", 2, lambda end, root: math.tanh(end)),
    ("depth=2,value=evaluation", 3, lambda end, root: end),
    ("depth=2,value=difference", 3, lambda end, root: end - root),
    ("depth=2,value=difference,winner-bias=1", 3, lambda end, root: 2 * (end - root)),  # the other loses as much
]


@pytest.mark.parametrize(("spec", "moves", "expected"), VALUES, ids=[spec for spec, _, _ in VALUES])
def test_a_simulation_is_cut_off_and_valued_as_it_should(game, spec, moves, expected):
    ends = [expected(evaluated(end), evaluated(game.new())) for end in reached(game.new(), moves)]
    found = [report.value for report in reports(game, f"iterations=1,{spec}".rstrip(","))]
    assert all(is_one_of(value, ends) for value in found)
    assert len(set(found)) > 2


def test_a_mixture_is_drawn_for_every_move_or_once_a_simulation(game):
    ways = (lambda state: 0, lambda state: len(state.actions) - 1)
    pure = []
    for action, own, others in product(game.new().actions, ways, ways):
        state = game.new().play(action)
        while not state.over:
            state.play((own if state.player == game.new().player else others)(state))
        pure.append(evaluated(state))
    spec = "iterations=1,simulate=first-way+last-way,mix="
    assert all(is_one_of(report.value, pure) for report in reports(game, f"{spec}simulation"))
    assert not all(is_one_of(report.value, pure) for report in reports(game, f"{spec}move"))


def often_reached_ends(game: Game, opponents: str, seed: int) -> list[float]:
    """The values of own last moves that were visited several times."""
    (report,) = reports(game, f"iterations=2000,opponents={opponents}", range(seed, seed + 1))
    assert report.tree is not None
    return [node.value or 0.0 for node in below(report.tree) if not node.children and node.visits > 5]


@pytest.mark.parametrize("seed", range(4))
def test_fixed_opponents_answer_alike_at_every_visit(game, seed):
    pays = [evaluated(end) for end in reached(game.new(), 7)]
    fixed, resampled = (often_reached_ends(game, opponents, seed) for opponents in ("per-path", "open-loop"))
    assert fixed and all(is_one_of(value, pays) for value in fixed)
    assert not all(is_one_of(value, pays) for value in resampled)


def test_fixed_opponents_are_drawn_anew_for_every_search(game):
    assert len({len(often_reached_ends(game, "per-path", seed)) for seed in range(6)}) > 1


# --- all of them ----------------------------------------------------------------------------------

BY_VALUE = {"rave", "depth", "limit", "value", "winner-bias", "mix", "simulations"}
ELSEWHERE = {"seconds", "memory", "decide", "secure", "reuse", "determinizations", "guess", "coalition", "threads"}
OF_NETWORKS = {"leaves", "net", "playouts"}  # tests/networks
IN_ROUNDS = {"depth-in"}  # test_rounds.py
OF_MEMORY = {param.name for param in memory.PARAMS}  # test_memory.py


def test_every_declared_parameter_is_tested_for_its_effect(game):
    tested = {name for name, *_ in EFFECTS} | BY_VALUE | ELSEWHERE | IN_ROUNDS | OF_MEMORY | OF_NETWORKS
    assert tested == {param.name for param in mcts_params(game)}


@pytest.mark.parametrize("spec", sorted({specs_of(given, added)[1] for _, given, added, _, _ in EFFECTS}))
def test_the_same_seed_gives_the_same_search(game, spec):
    once, again = (root_statistics(searched(game, f"mcts:{spec}", seed=5)) for _ in range(2))
    assert once == again


def test_another_seed_gives_another_search(game):
    assert len({str(root_statistics(searched(game, "mcts:iterations=300", seed=seed))) for seed in SEEDS}) == len(SEEDS)
