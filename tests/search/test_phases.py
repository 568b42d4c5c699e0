"""The formulas of the phases, worked out by hand on tiny trees. Rules run interpreted when Python calls them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from spielbaum.search.decide import decide, is_settled
from spielbaum.search.policies import parse_filters, parse_policies
from spielbaum.search.tree import add_edge, add_node, clear, find_slot, grow, new_tree, refill
from spielbaum.search.work import new_work

import spielbaum
from spielbaum.params import fill
from spielbaum.rules import below, random_stream, uniform
from spielbaum.search import backup, select, settings
from tests.conftest import SMALL

VISITS = (4.0, 9.0, 3.0)
MEANS = (0.5, 0.2, -0.1)
PRIORS = (0.2, 0.3, 0.5)
N = 17.0


@pytest.fixture
def game():
    return spielbaum.load(SMALL / "maze.py", seed=0, players=3)


@pytest.fixture
def tree():
    """A node with three children that were visited 4, 9 and 3 times."""
    made = new_tree(extras=True, slots=False)
    node = add_node(made, np.uint64(0), N)
    for action, (visits, mean, prior) in enumerate(zip(VISITS, MEANS, PRIORS, strict=True)):
        add_edge(made, node, action, 0, prior)
        edge = made.edges[1 + action]
        edge.visits, edge.total = visits, visits * mean
        made.extras[1 + action].squares = visits * (mean * mean + 0.1 * (action + 1))
        made.extras[1 + action].amaf_visits = 10.0
        made.extras[1 + action].amaf_total = 10.0 * (0.1, 0.3, 0.9)[action]
    return made


def p_of(spec: str, **more):
    given = dict(part.split("=") for part in spec.split(",")) if spec else {}
    values = fill(settings.MCTS, given, "test")
    return settings.settings(values, filters=0, hidden=False, chance=False, me=0, players=3, **more)[0]


def chosen(tree, game, spec: str, seed: int = 0) -> int:
    work = new_work(game, 0, np.zeros(0), parse_policies(game, "random"))[0]
    edge = select.select(tree, 0, work, p_of(spec), random_stream(seed))
    return int(tree.edges[edge].action)


def best(scores) -> int:
    return int(np.argmax(scores))


@pytest.mark.parametrize("c", [0.0, 0.3, 0.7, 1.4, 5.0])
def test_ucb1(tree, game, c):
    scores = [q + c * math.sqrt(math.log(N) / n) for q, n in zip(MEANS, VISITS, strict=True)]
    assert chosen(tree, game, f"c={c}") == best(scores)
    assert chosen(tree, game, f"c={c},bias=0.0000001") == best(scores)  # the general path agrees


@pytest.mark.parametrize("c", [0.1, 1.0, 3.0])
def test_ucb1_tuned(tree, game, c):
    scores = []
    for action, (q, n) in enumerate(zip(MEANS, VISITS, strict=True)):
        variance = 0.1 * (action + 1) + math.sqrt(2 * math.log(N) / n)
        scores.append(q + c * math.sqrt(math.log(N) / n * min(1.0, variance)))
    assert chosen(tree, game, f"select=ucb1-tuned,c={c}") == best(scores)


@pytest.mark.parametrize("c", [0.1, 1.0, 3.0])
def test_puct(tree, game, c):
    scores = [q + c * p * math.sqrt(N) / (1 + n) for q, n, p in zip(MEANS, VISITS, PRIORS, strict=True)]
    assert chosen(tree, game, f"select=puct,c={c}") == best(scores)


def test_puct_may_leave_a_child_unvisited_and_ucb1_may_not(tree, game):
    tree.edges[3].visits = tree.edges[3].total = 0.0
    assert chosen(tree, game, "select=puct,c=0.1") == 0
    assert chosen(tree, game, "c=0.1") == 2


@pytest.mark.parametrize("k", [0.5, 20.0, 1e6])
def test_rave_mixes_in_all_moves_as_first(tree, game, k):
    beta = math.sqrt(k / (3 * N + k))
    mixed = [(1 - beta) * q + beta * a for q, a in zip(MEANS, (0.1, 0.3, 0.9), strict=True)]
    assert chosen(tree, game, f"c=0,rave={k}") == best(mixed)


def test_progressive_bias_fades_with_visits(tree, game):
    for weight in (0.1, 2.0, 20.0):
        scores = [q + weight * p / (n + 1) for q, n, p in zip(MEANS, VISITS, PRIORS, strict=True)]
        assert chosen(tree, game, f"c=0,bias={weight}") == best(scores)


def test_normalised_values_lie_between_0_and_1(tree, game):
    scaled = [(q - min(MEANS)) / (max(MEANS) - min(MEANS)) for q in MEANS]
    for c in (0.05, 0.3, 1.0, 2.0):
        scores = [q + c * math.sqrt(math.log(N) / n) for q, n in zip(scaled, VISITS, strict=True)]
        assert chosen(tree, game, f"normalise=on,c={c}") == best(scores)


def test_widening_lets_more_children_in_as_visits_grow(tree, game):
    assert chosen(tree, game, "widen=0.0001,c=1000") == 0
    assert chosen(tree, game, "widen=0.25,c=1000") == 0  # 1 + 0.25 * sqrt(17) = 2 children
    assert chosen(tree, game, "widen=0.5,c=1000") == 2  # 3 children


def test_greedy_random_and_epsilon_greedy(tree, game):
    assert chosen(tree, game, "select=greedy") == 0
    spread = [chosen(tree, game, "select=random", seed) for seed in range(300)]
    assert all(70 < spread.count(action) < 130 for action in range(3))
    mixed = [chosen(tree, game, "select=epsilon-greedy,epsilon=0.3", seed) for seed in range(300)]
    assert 210 < mixed.count(0) < 270


def test_mean_backup_adds_the_mover_s_value(tree, game):
    work = new_work(game, 0, np.zeros(0), parse_policies(game, "random"))[0]
    work.path[0], work.at[0] = 2, 0
    work.values[0] = 0.75
    backup.backup(tree, 1, work, p_of(""))
    assert tree.edges[2].visits == 10
    assert tree.edges[2].total == pytest.approx(9 * 0.2 + 0.75)
    assert tree.nodes[0].visits == N + 1


@pytest.mark.parametrize(("given", "k"), [(2.0, 2.0), (0.01, 0.1)])
def test_vanishing_backup_counts_less_far_from_the_leaf(tree, game, given, k):
    work = new_work(game, 0, np.zeros(0), parse_policies(game, "random"))[0]
    work.path[0], work.path[1] = 1, 2
    work.values[0] = 1.0
    backup.backup(tree, 2, work, p_of(f"backup=vanishing,vanishing={given}"))
    assert tree.edges[2].visits == pytest.approx(9 + 1 / (k * 1))
    assert tree.edges[1].visits == pytest.approx(4 + 1 / (k * 2))
    assert tree.edges[1].total == pytest.approx(4 * 0.5 + 1 / (k * 2))


@pytest.mark.parametrize("bias", [0.0, 0.4, 1.0])
def test_the_winner_bias_weighs_the_best_opponent(game, bias):
    simulate = game.kernels.simulate
    work = new_work(game, 0, np.zeros(0), parse_policies(game, "random"))[0]
    work.at_root[:] = (0.1, 0.2, 0.3)
    work.result[:] = (1.1, 0.7, 0.4)  # gains 1.0, 0.5, 0.1
    simulate.to_differences(work, p_of(f"value=difference,winner-bias={bias}"))
    expected = 1.0 if bias == 0 else 1.0 - bias * 0.5 - (1 - bias) / 3 * 0.1
    assert work.result[0] == pytest.approx(expected)


def test_decisions():
    visits, means = np.array([50.0, 30.0, 1.0, 0.0]), np.array([0.2, 0.3, 0.9, 0.0])
    assert decide("robust", visits, means, 4) == 0
    assert decide("max", visits, means, 4) == 2
    assert decide("secure", visits, means, 1) == 1
    assert decide("secure", visits, means, 4) == 0
    assert not is_settled("max-robust", visits, means)
    assert is_settled("max-robust", visits, np.array([0.2, 0.1, 0.1, 0.0]))
    assert is_settled("robust", visits, means)


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
    tree = new_tree(extras=False, slots=True, edges=64)
    keys = np.random.default_rng(1).integers(0, 2**63, 30, dtype=np.uint64)
    for key in keys:
        tree.slots[find_slot(tree, key)] = add_node(tree, key, 0.0)
    larger = grow(tree, 1 << 20)
    assert len(larger.edges) == 2 * len(tree.edges)
    for number, key in enumerate(keys):
        assert larger.slots[find_slot(larger, key)] == number
    crowded = np.full(32, -1, np.int32)
    refill(crowded, larger.nodes, 30)
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


def test_whatever_a_player_sees_otherwise_gives_another_key(game):
    view_key, salts = (
        game.kernels.mcts.view_key,
        new_work(game, 0, np.zeros(0), parse_policies(game, "random"))[0].salts,
    )
    blank = np.zeros(salts.shape[1], np.uint32)
    views = [blank]
    for place in range(len(blank)):
        for seen in (1, 2, 3, 1 << 31, (1 << 32) - 1):
            views.append(blank.copy())
            views[-1][place] = seen
    keys = {int(view_key(view, salts, mover)) for view in views for mover in (0, 1)}
    assert len(keys) == 2 * len(views)
    assert view_key(views[-1].copy(), salts, 0) == view_key(views[-1], salts, 0)
