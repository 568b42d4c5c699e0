"""Players beyond the thesis: plans that can be built, budgets that are kept, and `architect` ahead of `vanilla`."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from spielbaum.agents import make
from spielbaum.clock import Clock
from spielbaum.errors import SpielbaumError
from spielbaum.experiments import load_experiment
from spielbaum.games.quick_civ.buildings import FOOD, MATERIAL, POINTS
from spielbaum.games.quick_civ.planning import PLAN, POSSIBLE, TASK, chance_of, follow, promise, prospect
from spielbaum.games.quick_civ.players.planner import WORTHS
from spielbaum.games.quick_civ.rules import STATE, WAIT
from spielbaum.games.quick_civ.tables import BUILDINGS, KINDS
from tests.games.quick_civ.matches import civ, play_on

PLANNERS = ("architect", "plan-then-search", "evolutionary-mcts", "portfolio")
KEYS = [building.key for building in BUILDINGS]
WEIGHTS = np.array([param.default for param in WORTHS])


@pytest.fixture(scope="module")
def middle():
    """Round 40 of a game between greedy players."""
    return play_on(civ(map=11).new(1), ["greedy"] * 4, 40, seed=1).state


def own_part(state):
    array = np.zeros(1, STATE)
    for name in STATE.names:
        array[name] = state.array[name]
    return array


@pytest.mark.parametrize("planner", PLANNERS)
def test_the_same_seed_gives_the_same_move_and_another_one_another_search(middle, planner):
    def thought(seed):
        agent = make(f"{planner}:iterations=200", middle.game, seed)
        agent.act(middle)
        report = agent.report()
        return report.action, report.value, [(edge.action, edge.visits, edge.value) for edge in report.edges]

    assert thought(1) == thought(1) != thought(2)


@pytest.mark.parametrize("planner", PLANNERS)
def test_planners_obey_iterations_and_play_legal_moves_all_game_long(planner):
    state = civ(map=12, rounds=20).new(3)
    agents = [make(spec, state.game, seat) for seat, spec in enumerate((f"{planner}:iterations=30", *["greedy"] * 3))]
    while not state.over:
        player = state.player
        action = agents[player].act(state)
        assert action in state.actions
        if player == 0:
            assert agents[0].report().nodes == 30
        state.play(action)


@pytest.mark.parametrize("planner", PLANNERS)
def test_planners_answer_in_the_time_that_they_are_given(middle, planner):
    agent = make(f"{planner}:seconds=0.02", middle.game, 1)
    assert agent.act(middle) in middle.actions
    assert agent.report().nodes > 0 and agent.report().seconds < 5
    agent.act(middle, Clock(deadline=0.0))  # which is over
    assert agent.report().nodes <= 2


@pytest.mark.parametrize("planner", PLANNERS)
def test_a_report_tells_the_plan_and_what_else_was_tried(middle, planner):
    agent = make(f"{planner}:iterations=300", middle.game, 1)
    action = agent.act(middle)
    report = agent.report(tree_nodes=10)
    assert report.action == action == report.edges[0].action == report.principal_variation[0]
    assert report.unit.name == "points" and report.line[0] == middle.format(action)
    assert len(report.line) == len(report.principal_variation)  # all of it can be played
    assert sum(edge.visits for edge in report.edges) <= 300
    assert len(report.tree.children) == min(10, len(report.edges))
    root, position = agent.branch([], 1, 3)
    assert len(root.children) == min(3, len(report.edges)) and position.record.rounds == middle.record.rounds


@pytest.mark.parametrize("planner", PLANNERS[:3])
def test_a_plan_can_be_built_as_it_says(middle, planner):
    agent = make(f"{planner}:iterations=300,horizon=10", middle.game, 1)
    agent.act(middle)
    mine = [action for action in agent.report().principal_variation[::4] if action != WAIT]
    assert len(mine) >= 5
    state = middle.copy()
    for action in agent.report().principal_variation:
        assert action in state.actions
        state.play(action)
    assert agent.search.planned() == mine


def test_a_plan_saves_up_and_leaves_out_what_others_have_taken(middle):
    t, s, task = middle.game.tables, own_part(middle)[0], np.zeros(1, TASK)[0]
    task.me = 0
    plan, trail = np.zeros(1, PLAN)[0], np.zeros(12, STATE)
    own, foreign = (int(np.flatnonzero((s.owner == p) & (s.building != 0))[0]) for p in (0, 1))
    museum = KEYS.index("museum")
    s.stock[0, MATERIAL] = 0
    plan.build[:2], plan.length = (foreign * KINDS + museum, own * KINDS + museum), 2
    assert chance_of(t, s, 0, own * KINDS + museum) < POSSIBLE
    follow(t, s, plan, 0, 0, 12, trail, True)
    bought = int(np.flatnonzero(trail["building"][:, own] == museum)[0])
    assert plan.reached == 2 and plan.now == WAIT and bought > 1
    assert trail["stock"][bought - 1, 0, MATERIAL] >= 250 > trail["stock"][bought - 2, 0, MATERIAL]
    assert s.owner[foreign] == 1


def test_material_promises_points_early_and_less_the_more_of_it_there_is():
    def more(left, before, after):
        return promise(after, 10, 50, 50, left, WEIGHTS) - promise(before, 10, 50, 50, left, WEIGHTS)

    material, a_point = 1 << 20, 1 << 40
    assert more(80, 10 * material, 20 * material) > more(80, 0, 10 * a_point)
    assert more(10, 10 * material, 20 * material) < more(10, 0, 10 * a_point)
    assert more(50, 10 * material, 20 * material) > 5 * more(50, 300 * material, 310 * material)
    assert more(0, 0, 10 * a_point) == 0.0


def test_at_the_end_a_position_is_worth_its_points(middle):
    s = own_part(middle)[0]
    s.rounds = middle.game.tables.rounds
    s.stock[0] = 1000, 1000, 321
    assert prospect(middle.game.tables, s, 0, WEIGHTS) == s.stock[0, POINTS] == 321
    assert s.stock[0, FOOD] == 1000


def test_plan_then_search_divides_its_budget(middle):
    def order(layout):
        agent = make(f"plan-then-search:iterations=400,layout={layout}", middle.game, 1)
        agent.act(middle)
        return int(agent.search.nodes["visits"][0])

    assert (order(1.0), order(0.75)) == (0, 100)


def test_the_search_for_an_order_finds_a_better_one(middle):
    """From the same layout, which gets as many iterations in both."""

    def value(spec):
        agent = make(spec, middle.game, 5)
        agent.act(middle)
        return agent.report().value

    found = [value(f"plan-then-search:iterations={n},layout={60 / n}") for n in (60, 600)]
    assert found[1] > found[0]


def test_more_iterations_find_better_plans(middle):
    def value(planner, iterations):
        agent = make(f"{planner}:iterations={iterations}", middle.game, 4)
        agent.act(middle)
        return agent.report().value

    for planner in ("architect", "evolutionary-mcts"):
        assert value(planner, 1000) > value(planner, 100) > value(planner, 10)


@pytest.mark.parametrize("science", [False, True])
def test_architect_has_more_points_than_vanilla(science):
    """Half a game, two seats each, on two maps."""
    points = []
    for seed, seats in ((21, "avva"), (22, "vava")):
        specs = [{"a": "architect:iterations=1000", "v": "vanilla:iterations=1000"}[seat] for seat in seats]
        state = play_on(civ(map=seed, rounds=60, science=science).new(seed), specs, 60, seed).state
        points.append([state.record.stock[[seat == who for seat in seats], POINTS].mean() for who in "av"])
    ours, theirs = np.mean(points, axis=0)
    assert ours > 1.3 * theirs


def test_architect_alone_earns_more_than_greedy():
    def earned(spec):
        return int(play_on(civ(map=5).new(5), [spec, "wait", "wait", "wait"], 100, 5).state.record.stock[0, POINTS])

    assert earned("architect:iterations=300") > earned("greedy")


THINK = """
import spielbaum
from spielbaum.agents import make
state = spielbaum.load("quick-civ", map=11).new(1)
for planner in {planners}:
    agent = make(f"{{planner}}:iterations=20,horizon=6,draws=3", state.game, 3)
    print(agent.act(state), round(agent.report().value, 6))
"""


@pytest.mark.slow
def test_interpreted_planners_think_the_same():
    def thoughts(**environment):
        command = [sys.executable, "-c", THINK.format(planners=PLANNERS)]
        return subprocess.run(command, env={**os.environ, **environment}, capture_output=True, check=True).stdout

    assert thoughts(NUMBA_DISABLE_JIT="1") == thoughts() != b""


def test_bad_parameters_are_refused(middle):
    with pytest.raises(SpielbaumError, match="horizon=0 is not possible"):
        make("architect:horizon=0", middle.game)
    with pytest.raises(SpielbaumError, match="did you mean 'envy'"):
        make("architect:envi=1", middle.game)


def test_the_experiment_gives_everybody_the_same_time():
    cells = load_experiment("quick-civ/beyond").cells
    assert [cell.name for cell in cells] == ["architect", *PLANNERS[1:], "rave", "control"]
    for cell in cells:
        base, variant = cell.plan.agents
        assert base.startswith("vanilla:") and variant.startswith("vanilla:" if cell.name == "control" else cell.name)
        assert "seconds=0.02" in base and "seconds=0.02" in variant


@pytest.mark.parametrize("options", [{"science": True}, {"fog": True}])
def test_plans_hold_nothing_that_the_options_forbid(options):
    state = civ(map=3, rounds=30, **options).new(3)
    players = [make("architect:iterations=10" if seat % 2 else "greedy", state.game, seat) for seat in range(4)]
    while not state.over:
        action = players[state.player].act(state.view(state.player))
        assert action in state.actions
        state.play(action)


def test_a_plan_researches_what_its_first_build_needs():
    state = civ(map=3, science=True).new(3)
    t, s = state.game.tables, own_part(state)[0]
    plan, trail = np.zeros(1, PLAN)[0], np.zeros(8, STATE)
    site = next(int(tile) for tile in t.near[t.start[0]] if tile >= 0 and t.exists[tile])
    plan.build[0], plan.length = site * KINDS + KEYS.index("museum"), 1
    s.stock[0] = 1000, 1000, 0
    follow(t, s, plan, 0, 0, 8, trail, True)
    known = [int(word).bit_count() for word in trail["known"][:, 0]]
    assert known[:4] == [0, 1, 2, 3] and s.building[site] == KEYS.index("museum") and plan.reached == 1
