"""The formulas of the phases, worked out by hand on tiny trees. Rules run interpreted when Python calls them."""

from __future__ import annotations

import math
import types

import numpy as np
import pytest

import spielbaum
from spielbaum.rules import below, random_stream, uniform
from spielbaum.search.mcts import Mcts
from spielbaum.search.mcts.components import registry
from spielbaum.search.mcts.decide import decide
from spielbaum.search.mcts.kernels import backup, choose, simulate
from spielbaum.search.mcts.policies import parse_filters, parse_policies
from spielbaum.search.mcts.tree import add_edge, add_node, clear, find_slot, grow, layout, new_tree, refill
from tests.conftest import SMALL

VISITS = (4.0, 9.0, 3.0)
MEANS = (0.5, 0.2, -0.1)
PRIORS = (0.2, 0.3, 0.5)
AMAF = (0.1, 0.3, 0.9)
N = 17.0


@pytest.fixture
def game():
    return spielbaum.load(SMALL / "maze.py", seed=0, players=3)


class Phases:
    """A search as its parameters put it together, with a node of three children that were visited 4, 9 and 3 times."""

    def __init__(self, game: spielbaum.Game, spec: str):
        self.search = spielbaum.agent(f"mcts:{spec}" if spec else "mcts", game).search
        assert isinstance(self.search, Mcts)
        self.search.prepare(game.new())
        tree = self.search.trees[0]
        self.tree, self.work, self.p = tree.arrays, tree.work[0], tree.p[0]
        node = add_node(self.tree, N)
        for action in range(3):
            self.fill(add_edge(self.tree, node, action, 0), action)

    def fill(self, edge: int, action: int) -> None:
        visits, mean = VISITS[action], MEANS[action]
        known = {
            "visits": visits,
            "total": visits * mean,
            "prior": PRIORS[action],
            "ucb1_tuned": (visits * (mean * mean + 0.1 * (action + 1)),),
            "rave": (10.0 * AMAF[action], 10.0),
        }
        for field in known.keys() & set(self.tree.edges.dtype.names):
            self.tree.edges[field][edge] = known[field]

    def linked(self, template: types.ModuleType):
        return self.search.game.kernels.link(template, self.search.variant)

    def chosen(self, seed: int = 0) -> int:
        edge = self.linked(choose).select(self.tree, 0, 0, self.work, self.p, random_stream(seed))
        return int(self.tree.edges[edge].action)

    def back_up(self, path: list[int], value: float) -> None:
        """Count a value on a path whose edges all belong to the first node."""
        self.work.path[: len(path)], self.work.path_nodes[: len(path)], self.work.length = path, 0, len(path)
        self.work.values[0] = value
        self.linked(backup).backup(self.tree, len(path), self.work, self.p)


def chosen(game, spec: str, seed: int = 0) -> int:
    return Phases(game, spec).chosen(seed)


def best(scores) -> int:
    return int(np.argmax(scores))


@pytest.mark.parametrize("c", [0.0, 0.3, 0.7, 1.4, 5.0])
def test_ucb1(game, c):
    scores = [q + c * math.sqrt(math.log(N) / n) for q, n in zip(MEANS, VISITS, strict=True)]
    assert chosen(game, f"c={c}") == best(scores)
    assert chosen(game, f"c={c},bias=0.0000001") == best(scores)  # the general path agrees


@pytest.mark.parametrize("c", [0.1, 1.0, 3.0])
def test_ucb1_tuned(game, c):
    scores = []
    for action, (q, n) in enumerate(zip(MEANS, VISITS, strict=True)):
        variance = 0.1 * (action + 1) + math.sqrt(2 * math.log(N) / n)
        scores.append(q + c * math.sqrt(math.log(N) / n * min(1.0, variance)))
    assert chosen(game, f"select=ucb1-tuned,c={c}") == best(scores)


@pytest.mark.parametrize("c", [0.1, 1.0, 3.0])
def test_puct(game, c):
    scores = [q + c * p * math.sqrt(N) / (1 + n) for q, n, p in zip(MEANS, VISITS, PRIORS, strict=True)]
    assert chosen(game, f"select=puct,c={c}") == best(scores)


def test_puct_may_leave_a_child_unvisited_and_ucb1_may_not(game):
    for spec, child in (("select=puct,c=0.1", 0), ("c=0.1", 2)):
        phases = Phases(game, spec)
        phases.tree.edges[3].visits = phases.tree.edges[3].total = 0.0
        assert phases.chosen() == child


@pytest.mark.parametrize("k", [0.5, 20.0, 1e6])
def test_rave_mixes_in_all_moves_as_first(game, k):
    beta = math.sqrt(k / (3 * N + k))
    mixed = [(1 - beta) * q + beta * a for q, a in zip(MEANS, AMAF, strict=True)]
    assert chosen(game, f"c=0,rave={k}") == best(mixed)


def test_progressive_bias_fades_with_visits(game):
    for weight in (0.1, 2.0, 20.0):
        scores = [q + weight * p / (n + 1) for q, n, p in zip(MEANS, VISITS, PRIORS, strict=True)]
        assert chosen(game, f"c=0,bias={weight}") == best(scores)


def test_normalised_values_lie_between_0_and_1(game):
    scaled = [(q - min(MEANS)) / (max(MEANS) - min(MEANS)) for q in MEANS]
    for c in (0.05, 0.3, 1.0, 2.0):
        scores = [q + c * math.sqrt(math.log(N) / n) for q, n in zip(scaled, VISITS, strict=True)]
        assert chosen(game, f"normalise=on,c={c}") == best(scores)


def test_widening_lets_more_children_in_as_visits_grow(game):
    assert chosen(game, "widen=0.0001,c=1000") == 0
    assert chosen(game, "widen=0.25,c=1000") == 0  # 1 + 0.25 * sqrt(17) = 2 children
    assert chosen(game, "widen=0.5,c=1000") == 2  # 3 children


def test_greedy_random_and_epsilon_greedy(game):
    assert chosen(game, "select=greedy") == 0
    phases = Phases(game, "select=random")
    spread = [phases.chosen(seed) for seed in range(300)]
    assert all(70 < spread.count(action) < 130 for action in range(3))
    phases = Phases(game, "select=epsilon-greedy,epsilon=0.3")
    mixed = [phases.chosen(seed) for seed in range(300)]
    assert 210 < mixed.count(0) < 270


def test_mean_backup_adds_the_mover_s_value(game):
    phases = Phases(game, "")
    phases.back_up([2], 0.75)
    assert phases.tree.edges[2].visits == 10
    assert phases.tree.edges[2].total == pytest.approx(9 * 0.2 + 0.75)
    assert phases.tree.nodes[0].visits == N + 1


@pytest.mark.parametrize(("given", "k"), [(2.0, 2.0), (0.01, 0.1)])
def test_vanishing_backup_counts_less_far_from_the_leaf(game, given, k):
    phases = Phases(game, f"backup=vanishing,vanishing={given}")
    phases.back_up([1, 2], 1.0)
    edges = phases.tree.edges
    assert edges[2].visits == pytest.approx(9 + 1 / (k * 1))
    assert edges[1].visits == pytest.approx(4 + 1 / (k * 2))
    assert edges[1].total == pytest.approx(4 * 0.5 + 1 / (k * 2))


@pytest.mark.parametrize("bias", [0.0, 0.4, 1.0])
def test_the_winner_bias_weighs_the_best_opponent(game, bias, monkeypatch):
    phases = Phases(game, f"value=difference,winner-bias={bias}")
    difference = phases.linked(simulate).components.value
    phases.work.difference.at_root[:] = (0.1, 0.2, 0.3)
    ends = (1.1, 0.7, 0.4)  # gains 1.0, 0.5, 0.1
    monkeypatch.setattr(difference, "hooks", types.SimpleNamespace(evaluate=lambda t, s, weights, player: ends[player]))
    difference.value_of(None, None, phases.work, phases.p)
    expected = 1.0 if bias == 0 else 1.0 - bias * 0.5 - (1 - bias) / 3 * 0.1
    assert phases.work.result[0] == pytest.approx(expected)


def test_decisions():
    visits, means = np.array([50.0, 30.0, 1.0, 0.0]), np.array([0.2, 0.3, 0.9, 0.0])
    assert decide(how("robust"), visits, means) == 0
    assert decide(how("max"), visits, means) == 2
    assert decide(how("secure", secure=1), visits, means) == 1
    assert decide(how("secure", secure=4), visits, means) == 0
    assert not how("max-robust").is_decided(visits, means)
    assert how("max-robust").is_decided(visits, np.array([0.2, 0.1, 0.1, 0.0]))
    assert how("robust").is_decided(visits, means)


def how(name: str, **values: float):
    """The Python side of a rule for the decision."""
    game = spielbaum.load("tic-tac-toe")
    return registry(game.module)[f"decide/{name}"].host(game, values, name)


def test_max_robust_searches_on_until_one_child_leads_in_both(game):
    agents = [spielbaum.agent(f"mcts:iterations=40,c=3,decide={how}", game, 5) for how in ("robust", "max-robust")]
    for agent in agents:
        agent.act(game.new())
    assert agents[0].search.iterations == 40
    assert 40 <= agents[1].search.iterations <= 80


def test_policies_are_parsed_for_both_sides(game):
    assert parse_policies(game, "random").tolist() == [[1, 1, 1, 1], [1, 1, 1, 1]]
    weights = parse_policies(game, "greedy/0.75*first-way+0.25*last-way")
    assert weights.tolist() == [[0, 1, 1, 1], [0, 0, 0.75, 1]]
    assert parse_filters(game, "not-the-last + not-the-first") == 0b11


def test_a_grown_hash_table_finds_every_node():
    tree = new_tree(layout([], [], keyed=True, joints=False), edges=64)
    keys = np.random.default_rng(1).integers(0, 2**63, 30, dtype=np.uint64)
    for key in keys:
        slot, node = find_slot(tree, key), add_node(tree, 0.0)
        tree.nodes[node].key, tree.slots[slot] = key, node
    larger = grow(tree, 1 << 20)
    assert len(larger.edges) == 2 * len(tree.edges)
    for number, key in enumerate(keys):
        assert larger.slots[find_slot(larger, key)] == number
    crowded = np.full(32, -1, np.int32)
    refill(crowded, keys, -1)
    assert sorted(crowded[crowded >= 0]) == list(range(30))
    clear(larger)
    assert (larger.slots == -1).all()


def test_random_numbers_are_uniform_and_streams_differ():
    rng = random_stream(1)
    counts = np.bincount([int(below(rng, 6)) for _ in range(6000)], minlength=6)
    assert ((counts - 1000) ** 2 / 1000).sum() < 20.5  # chi-square, 5 degrees of freedom, p = 0.001
    numbers = np.array([uniform(rng) for _ in range(4000)])
    assert numbers.min() >= 0 and numbers.max() < 1
    assert abs(numbers.mean() - 0.5) < 0.02
    streams = {int(random_stream(a, b)[0]) for a in range(40) for b in range(40)}
    assert len(streams) == 1600
    with pytest.raises(spielbaum.SpielbaumError, match="from 0 up to"):
        random_stream(-1)


# --- information sets ----------------------------------------------------------------------------


def test_whatever_a_player_sees_otherwise_gives_another_key(pennies):
    search = spielbaum.agent("ismcts:nodes=view", pennies).search
    search.prepare(pennies.new())
    key_of_words = pennies.kernels.link(simulate, search.variant).components.nodes.key_of_words
    salts = search.trees[0].work[0]["by_view"].salts
    blank = np.zeros(salts.shape[1], np.uint32)
    views = [blank]
    for place in range(len(blank)):
        for seen in (1, 2, 3, 1 << 31, (1 << 32) - 1):
            views.append(blank.copy())
            views[-1][place] = seen
    keys = {int(key_of_words(view, salts, mover)) for view in views for mover in (0, 1)}
    assert len(keys) == 2 * len(views)
    assert key_of_words(views[-1].copy(), salts, 0) == key_of_words(views[-1], salts, 0)
