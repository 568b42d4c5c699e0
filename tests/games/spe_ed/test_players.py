"""Odin, Brunhilde and Thor do what the report says of them, and their parameters change it in the right direction."""

from __future__ import annotations

import itertools
import math
import time

import numpy as np
import pytest

from spielbaum.agents import make
from spielbaum.arena import match
from spielbaum.clock import Clock
from spielbaum.games.spe_ed.evaluate import AREA, AREA_DIV_ENEMIES, evaluate, metrics, worth
from spielbaum.games.spe_ed.policies import nearest_enemy
from spielbaum.games.spe_ed.rules import ANSWERS, CHANGE_NOTHING, SPEED_UP, TURN_RIGHT, resolve
from spielbaum.search.mcts.tree import DEEPEST, USED_EDGES

from .boards import drawn

SMALL = {"players": 2, "width": 12, "height": 12}

DOOR = """
    ...#.....
    ...#.....
    ..>......
    ...#.....
    ^..#.....
    """

CLOSING = """
    .....#...
    .....#...
    ...^.....
    .........
    .........
    .....^...
    """

POCKET = """
    .......
    .#####.
    >....#.
    .#####.
    ......^
    """

CORRIDORS = """
    >....
    #####
    #####
    ##.##
    ##^##
    """  # the second player has one move that is not deadly, and then none

WIDE = "\n".join(["." * 20] * 17 + ["." * 18 + "^.", ">" + "." * 19, "." * 20])


def chosen(spec, board, seed=1):
    game, state = board
    return state.format(make(spec, game, seed=seed).act(state))


def told(spec, board, seed=1):
    game, state = board
    agent = make(spec, game, seed=seed)
    agent.act(state)
    return agent.report()


def after(game, s, answers):
    """The position after a round in which some players give other answers than to change nothing."""
    s = s.copy()
    choices = np.full(6, CHANGE_NOTHING)
    for player, answer in answers.items():
        choices[player] = answer
    resolve(game.tables, s, choices)
    return s


def random_boards(number, players=2):
    for seed in range(number):
        rng = np.random.default_rng(seed)
        rows = [["#" if rng.random() < 0.2 else "." for _ in range(8)] for _ in range(7)]
        for place in rng.choice(56, players, replace=False):
            rows[place // 8][place % 8] = "^<v>"[rng.integers(4)]
        yield drawn("\n".join(map("".join, rows)), speeds=tuple(rng.integers(1, 4, players).tolist()), rounds=seed)


# --- what a position is worth -------------------------------------------------------------------

PARTED = """
    ..#....
    .>#....
    ..#...^
    ..#....
    ..#....
    """


def test_the_evaluations_are_the_report_s():
    game, state = drawn(PARTED)
    scratch = game.context.scratch[0]
    assert worth(game.tables, state.record, 0, AREA, scratch) == 9 / (9 + 19)
    assert worth(game.tables, state.record, 0, AREA_DIV_ENEMIES, scratch) == 9 / (1 + 19)
    assert worth(game.tables, state.record, 1, AREA_DIV_ENEMIES, scratch) == 19 / (1 + 9)
    state.record.died[0] = 1
    assert worth(game.tables, state.record, 0, AREA, scratch) == 0
    assert worth(game.tables, state.record, 1, AREA_DIV_ENEMIES, scratch) == 19


def test_general_agents_are_told_the_own_share_less_that_of_the_others():
    game, state = drawn(PARTED)
    scratch = game.context.scratch[0]
    values = [evaluate(game.tables, state.record, np.array([1.0, 1.0]), p, scratch) for p in (0, 1)]
    assert values == [pytest.approx(-10 / 28), pytest.approx(10 / 28)]
    assert evaluate(game.tables, state.record, np.array([1.0, 0.0]), 0, scratch) == pytest.approx(9 / 28)
    state.record.died[0] = 1
    assert evaluate(game.tables, state.record, np.array([1.0, 1.0]), 0, scratch) == -1


def test_metrics_are_the_area_and_the_speed():
    game, state = drawn(PARTED, speeds=(1, 4))
    out = np.full(2, np.nan)
    metrics(game.tables, state.record, 1, game.context.scratch[0], out)
    assert out.tolist() == [19, 4]


# --- odin ---------------------------------------------------------------------------------------


def test_odin_avoids_a_dead_end_that_random_enters():
    assert "change_nothing" in {chosen("random", drawn(POCKET), seed) for seed in range(20)}
    assert chosen("odin", drawn(POCKET)) in ("turn_left", "turn_right")


def test_odin_leaves_through_a_door_before_it_is_closed_if_it_looks_ahead():
    assert chosen("odin:depth=0", drawn(CLOSING)) == "change_nothing"
    assert chosen("odin:depth=2", drawn(CLOSING)) == "turn_right"


def odin(game, s, depth, exploration, which):
    """The report's search, word by word; value and answer."""
    best, answer = 0.0, CHANGE_NOTHING
    for option in range(ANSWERS):
        there = after(game, s, {0: option})
        e = worth(game.tables, there, 0, which, game.context.scratch[0])
        if e > 0 and e > best / exploration and depth > 0:
            e, _ = odin(game, there, depth - 1, exploration, which)
        if e > best:
            best, answer = e, option
    return best, answer


@pytest.mark.parametrize(("name", "which"), [("area", AREA), ("area_div_enemies", AREA_DIV_ENEMIES)])
def test_odin_searches_as_the_report_says(name, which):
    for game, state in random_boards(6, players=3):
        value, answer = odin(game, state.record, 1, 1.2, which)
        report = told(f"odin:depth=1,exploration=1.2,evaluation={name}", (game, state))
        assert (report.action, report.value) == (answer, pytest.approx(value))


def test_odin_looks_at_more_the_more_it_explores():
    board, spec = drawn(DOOR), "odin:evaluation=area,exploration={}"
    nodes = [told(spec.format(exploration), board).nodes for exploration in (1, 1.4, 100)]
    assert nodes[0] < nodes[1] < nodes[2]


# --- brunhilde ----------------------------------------------------------------------------------


def brunhilde(game, s, rival, depth):
    """Minimax without pruning: we choose, the rival answers, the others ride straight on."""
    values = []
    for own in range(ANSWERS):
        answers = range(ANSWERS) if s.died[rival] == 0 else (CHANGE_NOTHING,)
        outcomes = [after(game, s, {0: own, rival: answer}) for answer in answers]
        values.append(min(valued(game, there, rival, depth) for there in outcomes))
    return max(values), values.index(max(values))


def valued(game, s, rival, depth):
    if depth == 1 or s.died[0] or s.active < 2:
        return worth(game.tables, s, 0, AREA, game.context.scratch[0])
    return brunhilde(game, s, rival, depth - 1)[0]


@pytest.mark.parametrize(("depth", "boards"), [(1, 8), (2, 1)])
def test_brunhilde_is_minimax_against_the_nearest_opponent(depth, boards):
    for game, state in random_boards(boards, players=3):
        rival = nearest_enemy(game.tables, state.record, 0)
        value, answer = brunhilde(game, state.record, rival, depth)
        report = told(f"brunhilde:depth={depth}", (game, state))
        assert (report.action, report.value) == (answer, pytest.approx(value))


def test_brunhilde_fears_only_the_nearest_opponent():
    near = """
        ...........
        ....>.<....
        ...........
        ...........
        .........^.
        """
    game, state = drawn(near)
    assert nearest_enemy(game.tables, state.record, 0) == 1
    state.record.died[1] = 1
    assert nearest_enemy(game.tables, state.record, 0) == 2
    assert chosen("brunhilde:depth=1", drawn(near)) != "change_nothing"  # both would come to the cell between them


def test_brunhilde_looks_deeper_when_told_to():
    reports = [told(f"brunhilde:depth={depth}", drawn(CLOSING)) for depth in (1, 2)]
    assert reports[0].nodes < reports[1].nodes


# --- thor ---------------------------------------------------------------------------------------


def visits(report):
    return {edge.move: edge.visits for edge in report.edges}


def test_thor_avoids_a_dead_end():
    assert chosen("thor:iterations=30", drawn(POCKET)) in ("turn_left", "turn_right")


def test_thor_beats_random():
    results = match("spe-ed", ["thor:iterations=200", "random"], 12, seed=1, options=SMALL).results
    assert results.agent_tally(0).wins >= 9


def test_every_iteration_visits_an_answer():
    report = told("thor:iterations=500", drawn(CLOSING))
    assert sum(visits(report).values()) == 500 and report.nodes == 500


def test_thor_repeats_itself_with_the_same_seed_only():
    reports = [told("thor:iterations=400", drawn(CLOSING), seed) for seed in (1, 1, 2)]
    assert visits(reports[0]) == visits(reports[1]) != visits(reports[2])


def test_exploration_spreads_the_visits():
    most = [max(visits(told(f"thor:iterations=800,c={c}", drawn(WIDE))).values()) for c in (0, 1.4)]
    assert most[0] > 2 * most[1]


def test_a_child_that_was_never_worth_anything_is_explored_only_if_it_may_be_revived():
    dead, revived = (told(f"thor:iterations=500,c=1.4,revive={on}", drawn(CLOSING)) for on in ("off", "on"))
    assert visits(dead)["slow_down"] == 1
    assert visits(revived)["slow_down"] > 3


def second_round(reuse):
    """What Thor knows at the beginning of the second round."""
    game, state = drawn(CLOSING)
    agent = make(f"thor:iterations=400,reuse={reuse}", game, seed=1)
    state.play(agent.act(state))
    state.play(CHANGE_NOTHING)
    return known_at(agent, state)


def known_at(agent, state):
    """The visits of the answers before a position is searched."""
    agent.search.prepare(state.view(state.player))
    return agent.search.root()[1].tolist()


def test_the_tree_is_kept_between_rounds_with_its_visits_or_with_one_for_each_node():
    assert second_round("fresh") == [0] * ANSWERS
    assert set(second_round("one")) <= {0, 1}
    assert second_round("keep") == second_round("reevaluate") and sum(second_round("keep")) > 50


def test_the_tree_below_the_move_that_was_played_is_kept_whoever_chose_it():
    game, state = drawn(CLOSING)
    for answer in (CHANGE_NOTHING, TURN_RIGHT):
        agent = make("thor:iterations=100,c=1.4,reuse=keep", game, seed=1)
        agent.act(state)
        tried = visits(agent.report())[state.format(answer)]
        assert sum(known_at(agent, state.copy().play(answer).play(CHANGE_NOTHING))) == tried - 1 > 5


def test_the_tree_of_another_game_is_not_kept():
    game, state = drawn(CLOSING)
    agent = make("thor:iterations=100,reuse=keep", game, seed=1)
    answer = agent.act(state)
    other = drawn(CLOSING.replace("...^.....", "..^......"))[1]
    assert sum(known_at(agent, other.play(answer).play(CHANGE_NOTHING))) == 0


def test_thor_s_tree_by_hand():
    """All lines that live are worth 1, so that the order decides: what is later first, and of equals the later one.

    5 iterations try slow_down (0), speed_up (1), both turns (0) and change_nothing (1); the 6th goes on with speed_up,
    whose slow_down lives, the 7th tries its speed_up, which leaves the board; the 8th change_nothing's slow_down.
    """
    trees = [told(f"thor:iterations={iterations}", drawn(CORRIDORS)) for iterations in (1, 3, 6, 8)]
    assert [visits(tree) for tree in trees] == [
        dict(zip(DOWNWARDS, tried, strict=True))
        for tried in ([1, 0, 0, 0, 0], [1, 1, 1, 0, 0], [1, 2, 1, 1, 1], [1, 3, 1, 1, 2])
    ]
    values = {edge.move: edge.value for edge in trees[-1].edges}
    assert values == pytest.approx(dict(zip(DOWNWARDS, [0, 2 / 3, 0, 0, 1 / 2], strict=True)))
    assert [chosen(f"thor:iterations={iterations}", drawn(CORRIDORS)) for iterations in (6, 8)] == ["speed_up"] * 2


DOWNWARDS = ("slow_down", "speed_up", "turn_left", "turn_right", "change_nothing")


@pytest.mark.parametrize(("reuse", "fourth", "fifth"), [("reevaluate", 1, 2 / 3), ("keep", 1 / 2, 1 / 3)])
def test_a_kept_node_is_valued_once_more_before_the_search_goes_below_it_by_hand(reuse, fourth, fifth):
    """Of speed_up's five answers, slow_down was worth 1 and speed_up 0; the three others are tried first.

    The 4th iteration comes to slow_down: valued once more it is worth 1 again, and the 5th finds a deadly move below.
    A tree that is kept as it is finds that move in the 4th iteration, and another one in the 5th.
    """
    game, state = drawn(CORRIDORS)
    agent = make(f"thor:iterations=8,reuse={reuse}", game, seed=1)
    state.play(agent.act(state)).play(CHANGE_NOTHING)
    agent.search.prepare(state.view(state.player))
    found = []
    for iterations in (0, 3, 1, 1):
        agent.search.trees[0].run(iterations)
        _, tried, means, _ = agent.search.root()
        found.append((tried.tolist(), means[0]))
    assert [tried for tried, _ in found[:2]] == [[1, 1, 0, 0, 0], [1, 1, 1, 1, 1]]
    assert [(tried[0], mean) for tried, mean in found[2:]] == [(2, pytest.approx(fourth)), (3, pytest.approx(fifth))]


def test_the_search_goes_down_a_kept_tree_step_by_step():
    """It visits one layer in the first iteration, and at most one more in each that follows."""
    game, state = drawn(CLOSING)
    layers = {}
    for reuse in ("reevaluate", "keep"):
        agent = make(f"thor:iterations=400,reuse={reuse}", game, seed=1)
        now = state.copy()
        now.play(agent.act(now)).play(CHANGE_NOTHING)
        agent.search.prepare(now.view(now.player))
        tree = agent.search.trees[0]
        tree.arrays.used[DEEPEST] = 0
        layers[reuse] = [tree.run(1) and int(tree.arrays.used[DEEPEST]) for _ in range(4)]
        edges, used = tree.arrays.edges, tree.arrays.used[USED_EDGES]
        below = [edge for edge in range(1, used) if edges["node"][edge] >= 0]
        assert (tree.arrays.nodes["visits"][edges["node"][below]] == edges["visits"][below]).all()
    assert layers["reevaluate"][0] == 1 and max(np.diff(layers["reevaluate"])) <= 1
    assert layers["keep"][0] > 3


def test_a_way_is_counted_to_its_end_although_its_player_goes_out_on_it():
    """Below every node there is one visit less than at it, its own: none ends where a draw was deadly."""
    game, state = drawn(CLOSING)
    agent = make("thor:iterations=1000", game, seed=1)
    agent.act(state)
    tree = agent.search.trees[0]
    visits = tree.arrays.edges["visits"]
    below = [edge for edge in range(1, tree.arrays.used[USED_EDGES]) if tree.children(edge)]
    assert len(below) > 50
    assert all(visits[tree.children(edge)].sum() == visits[edge] - 1 for edge in below)


def test_thor_s_evaluation_can_be_aggressive_by_hand():
    """Alone with 3 cells or with 2: all free cells in any case, but not as many in absolute numbers."""
    reports = [told(f"thor:iterations=5,evaluation={name}", drawn(CORRIDORS)) for name in ("area", "area_div_enemies")]
    values = [[edge.value for edge in sorted(report.edges, key=lambda edge: edge.action)] for report in reports]
    assert values == [[1, 0, 0, 1, 0], [3, 0, 0, 2, 0]]
    assert [report.action for report in reports] == [SPEED_UP, CHANGE_NOTHING]


def test_thor_answers_its_margin_before_the_deadline():
    game, state = drawn(CLOSING)
    agent = make("thor:margin=3600", game, seed=1)
    agent.act(state, Clock(deadline=time.monotonic() + 60))
    assert agent.report().nodes == 1  # no time was left at all
    assert told("thor", drawn(CLOSING)).nodes == 1000


def test_thor_goes_on_without_growing_when_its_memory_is_full():
    report = told("thor:iterations=80000,memory=1", drawn(WIDE))
    assert report.full and report.nodes == 80000 and report.memory <= 1 << 20


def test_thor_s_tree_can_be_looked_at():
    game, state = drawn(CLOSING)
    agent = make("thor:iterations=500", game, seed=1)
    agent.act(state)
    tree = agent.report(tree_nodes=20).tree
    assert size_of(tree) == 20 and tree.visits == 500
    report = agent.report()
    branch, position = agent.branch([report.action], 2, 3)
    assert position.asked == 1 and agent.branch([report.action, 0], 1, 1)[1].record.rounds == 1
    assert branch.visits == visits(report)[position.format(report.action)]
    assert len(branch.children) == 3


def size_of(tree):
    return 1 + sum(map(size_of, tree.children))


def test_lines_begin_at_the_heads_and_tell_the_share_of_the_visits():
    game, state = drawn(CLOSING)
    agent = make("thor:iterations=500", game, seed=1)
    assert agent.lines() == []
    agent.act(state)
    lines = agent.lines()
    own, others = ([line for line in lines if line.player == p] for p in (0, 1))
    assert all(line.points[0] == (3, 2) for line in own) and all(line.points[0] == (5, 5) for line in others)
    assert all(0 < line.share <= 1 for line in lines)
    assert own[0].share == max(line.share for line in own)
    assert sum(line.share for line in others) == pytest.approx(1)
    assert all(math.dist(*pair) > 0 for line in own for pair in itertools.pairwise(line.points))


# --- against each other -------------------------------------------------------------------------


@pytest.mark.slow
def test_plain_tree_search_with_blind_playouts_loses_to_odin():
    options = {"players": 2, "width": 40, "height": 40}
    results = match("spe-ed", ["mcts:iterations=1000,simulate=blind", "odin"], 40, seed=1, options=options).results
    assert results.agent_tally(0).score < 0.35


@pytest.mark.slow
def test_thor_is_stronger_than_siegfried():
    options = {"players": 2, "width": 20, "height": 20}
    results = match("spe-ed", ["thor:iterations=1000", "siegfried"], 200, seed=1, options=options).results
    assert results.agent_tally(0).score > 0.5
