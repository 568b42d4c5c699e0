"""Games inside one kernel are the games that agents play one move at a time."""

from __future__ import annotations

import numpy as np
import pytest

import spielbaum
from spielbaum.arena.executors import Worker
from spielbaum.arena.game_batch import GameBatch, from_rows, record_of
from spielbaum.arena.kernel_runner import KernelRunner, kernel_runner_for
from spielbaum.arena.plan import make_plan
from tests.conftest import SMALL

GAMES = 24
SECONDS = 10  # the column that no two runs share


def games_of(batch: GameBatch) -> list[tuple]:
    return [batch.pick(np.array([place])).row() for place in range(len(batch))]


def without_times(batch: GameBatch) -> list[tuple]:
    return [row[:SECONDS] + row[SECONDS + 1 :] for row in games_of(batch)]


def rivals(name: str) -> list[tuple[str, str]]:
    """Every policy of a game against the first one."""
    return [(name, policy) for policy in spielbaum.load(name).policies]


@pytest.mark.parametrize(
    ("name", "policy"),
    [pair for name in ("tic-tac-toe", "connect-four", "pig", "light-cycles", "pursuit") for pair in rivals(name)],
)
@pytest.mark.parametrize("opening", [0, 3])
def test_a_batch_plays_the_same_games_as_agents_do(name, policy, opening):
    game = spielbaum.load(name)
    agents = [policy] + ["random"] * (game.players - 1)
    plan = make_plan(game, agents, GAMES, seed=5, opening=opening, rounds=bool(game.metrics))
    one_by_one = Worker(plan)
    one_by_one.batch = None
    (slow,), _ = one_by_one.play(np.arange(GAMES))
    (fast,), _ = Worker(plan).play(np.arange(GAMES))
    assert without_times(fast) == without_times(slow)


def test_openings_take_nothing_whoever_plays_them():
    plan = make_plan(spielbaum.load(SMALL / "captures.py"), ["random", "random"], GAMES, seed=5, opening=4)
    one_by_one = Worker(plan)
    one_by_one.batch = None
    (slow,), _ = one_by_one.play(np.arange(GAMES))
    (fast,), _ = Worker(plan).play(np.arange(GAMES))
    assert without_times(fast) == without_times(slow)
    actions = fast.actions.reshape(GAMES, -1)  # 2 is a capture
    assert actions[:, :4].max() == 1 and actions[:, 4:].max() == 2
    assert len(np.unique(actions[:, :4], axis=0)) > GAMES // 4  # pairs share theirs


def test_greedy_in_a_batch_weighs_as_its_specification_says():
    game = spielbaum.load("pig")
    bold, timid = "greedy:weight.risk=1", "greedy:weight.risk=0"
    plan = make_plan(game, [bold, timid], 40, seed=1)
    one_by_one = Worker(plan)
    one_by_one.batch = None
    assert without_times(one_by_one.play(np.arange(40))[0][0]) == without_times(Worker(plan).play(np.arange(40))[0][0])


def test_agents_that_search_are_no_batch():
    game = spielbaum.load("connect-four")
    assert kernel_runner_for(make_plan(game, ["random", "mcts:iterations=5"], 1), game) is None


def test_games_that_do_not_fit_into_one_call_are_played_in_several():
    game = spielbaum.load("pig")
    plan = make_plan(game, ["hold-at-20", "random"], 50, seed=2)
    whole, narrow = kernel_runner_for(plan, game), kernel_runner_for(plan, game)
    assert whole is not None and narrow is not None
    narrow.make_room(8)  # not even one game
    parts, left = narrow.play(plan.tasks(range(50)))
    assert not len(left)
    assert len(parts) > 5
    rows = [row for part in parts for row in without_times(part)]
    assert rows == without_times(whole.play(plan.tasks(range(50)))[0][0])


def test_a_batch_survives_the_store_and_replays_to_its_result():
    game = spielbaum.load("pig")
    plan = make_plan(game, ["race-or-pace", "random"], 5, rounds=True)
    (batch,), _ = Worker(plan).play(np.arange(5))
    rows = games_of(batch)
    assert games_of(from_rows(game, rows)) == rows
    record = record_of(from_rows(game, rows[3:4]))
    end = game.play_all(record.actions, record.seed)
    assert end.returns == record.returns
    assert record.metrics is not None
    assert record.metrics[0, :, 0].tolist() == [0, 0]  # points at the beginning
    assert record.metrics[-1, :, 0].tolist() == end.record.score.tolist()


def test_a_game_with_an_illegal_answer_is_left_to_those_who_play_move_by_move():
    game = spielbaum.load(SMALL / "cheat.py")
    plan = make_plan(game, ["cheat", "random"], 4)
    runner = kernel_runner_for(plan, game)
    assert isinstance(runner, KernelRunner)
    batches, left = runner.play(plan.tasks(range(4)))
    assert left.tolist() == [0, 2] and [batch.numbers.tolist() for batch in batches] == [[1, 3]]
    assert not any(len(batch.forfeits) for batch in batches)
