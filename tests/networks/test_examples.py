"""Training from examples: a teacher's games and scores, or stored runs."""

from __future__ import annotations

import numpy as np
import pytest

import spielbaum
from spielbaum.arena import Store
from spielbaum.arena.matches import match
from spielbaum.cli import main
from spielbaum.game import State
from spielbaum.networks import files
from spielbaum.rules import random_stream
from spielbaum.training import examples
from spielbaum.training import run as training
from spielbaum.training.cluster import players
from tests.told import complaints

pytest.importorskip("torch", reason="training needs the extra networks")

TEACHER = "alphabeta:depth=3"


@pytest.fixture
def short(monkeypatch):
    """Iterations that take no time."""
    monkeypatch.setattr(examples, "STEPS", 3)
    monkeypatch.setattr(examples, "BATCHES", 2)
    monkeypatch.setattr(training, "MEASURED", 2)


@pytest.fixture
def runs(tmp_path):
    """A store with a run of tic-tac-toe and one of Connect Four."""
    path = tmp_path / "games.db"
    with Store(path) as store:
        for game in ("tic-tac-toe", "connect-four"):
            match(spielbaum.load(game), ["random", "random"], 6, 1, store=store)
    return path


def plan(teacher: str = TEACHER, **given) -> examples.ExamplePlan:
    game = spielbaum.load("tic-tac-toe")
    return examples.ExamplePlan(game.name, dict(game.options), "16-8", 1, 100.0, 8, teacher, **given)


def some(run: training.Training, iterations: int, share: float = 0.0) -> training.Training:
    with players(run.game, 1) as play:
        while len(run.rows) < iterations:
            run.save(run.iterate(share, play))
    return run


def teach(folder, teacher: str = TEACHER, *, resume: bool = False, **given) -> training.Training:
    folder.mkdir(exist_ok=True)
    return examples.ExampleTraining(
        spielbaum.load("tic-tac-toe"), plan(teacher, **given), folder / "net.npz", 1, resume
    )


def same(one: examples.Examples, other: examples.Examples) -> bool:
    return all(left.tobytes() == right.tobytes() for left, right in zip(one, other, strict=True))


@pytest.mark.parametrize("teacher", [TEACHER, "alphabeta:nodes=30"])
def test_lessons_do_not_depend_on_how_many_give_them(teacher):
    game = spielbaum.load("tic-tac-toe")
    one, two = (
        examples.together(examples.distillation_games(game, teacher, 5, range(3), workers)) for workers in (1, 2)
    )
    assert same(one, two) and len(one.states) > 20
    assert not same(one, examples.together(examples.distillation_games(game, teacher, 6, range(3), 1)))


def test_a_lesson_in_a_kernel_scores_as_the_agent_does():
    game = spielbaum.load("connect-four")
    found = examples.distilled_batch(game, "alphabeta:depth=4,table=0", 1, 0)
    agent = spielbaum.agent("alphabeta:depth=4,table=0", game)
    for i in range(0, len(found.states), 9):
        state = State(game, found.states[i : i + 1].copy(), random_stream(1), None)
        assert found.actions[i] in state.actions and state.player == found.movers[i]
        agent.act(state)
        assert found.scores[i] == agent.report().value


def test_samples_hold_the_move_the_score_and_the_result():
    game = spielbaum.load("tic-tac-toe")
    found = examples.distilled_batch(game, TEACHER, 1, 0)
    samples = examples.samples_of(game, found, 2.0)
    assert (samples["result"][:, 0] == np.where(found.aside, samples["mean"], found.results)).all()
    assert 0.0 < found.aside.mean() < 0.4
    assert np.allclose(samples["mean"], np.tanh(2 * found.scores), atol=1e-6)
    assert (samples["actions"] + samples["active"] == 9).all()
    likely = np.take_along_axis(samples["action"], samples["chance"].argmax(axis=1)[:, None], 1)[:, 0]
    assert (likely == found.actions).all() and (samples["chance"].sum(axis=1) == 1).all()


def test_the_scale_of_scores_is_the_one_that_tells_results():
    game = spielbaum.load("tic-tac-toe")
    found = examples.distilled_batch(game, TEACHER, 1, 0)
    rng = np.random.default_rng(1)
    scores = rng.normal(0, 0.2, len(found.movers))
    returns = np.where(rng.random(len(scores)) < (1 + np.tanh(5 * scores)) / 2, 1.0, -1.0)
    both = np.where(found.movers[:, None] == [0, 1], returns[:, None], -returns[:, None])
    assert 2 < examples.best_scale(game, TEACHER, found._replace(scores=scores, returns=both)) < 12
    assert examples.best_scale(game, "mcts:iterations=5", found) is None


def test_wider_samples_keep_what_narrow_ones_hold():
    game = spielbaum.load("tic-tac-toe")
    parts = [examples.samples_of(game, examples.distilled_batch(game, TEACHER, seed, 0), None) for seed in (1, 2)]
    narrow = parts[0][parts[0]["actions"] <= 4].astype(examples.narrow_type(game, 9, 4))
    wide = examples.joined([narrow, parts[1]])
    assert len(wide) == len(narrow) + len(parts[1]) and wide.dtype["action"].shape == parts[1].dtype["action"].shape
    assert (wide["mean"][: len(narrow)] == narrow["mean"]).all()
    assert (wide["feature"][len(narrow) :, : parts[1].dtype["feature"].shape[0]] == parts[1]["feature"]).all()


def test_a_training_that_goes_on_ends_as_one_that_never_stopped(tmp_path, short):
    whole = some(teach(tmp_path / "whole"), 3)
    some(teach(tmp_path / "parts"), 1)
    parts = some(teach(tmp_path / "parts", resume=True), 3)
    assert all((whole.learner.average[name] == parts.learner.average[name]).all() for name in whole.learner.average)
    assert [row["policy_loss"] for row in whole.rows] == [row["policy_loss"] for row in parts.rows]
    parts.close()
    with pytest.raises(spielbaum.SpielbaumError, match="has teacher=alphabeta:depth=3, not alphabeta:depth=2"):
        teach(tmp_path / "parts", "alphabeta:depth=2", resume=True)


def test_at_the_end_everything_is_learned_from_and_the_rate_falls(tmp_path, short):
    whole = some(some(teach(tmp_path / "whole"), 2), 4, share=0.9)
    assert [row["games"] > 0 for row in whole.rows] == [True, True, False, False]
    assert len(whole.window[0]) == sum(row["positions"] for row in whole.rows)
    assert whole.rows[1]["rate"] == whole.rows[0]["rate"] > 3 * whole.rows[2]["rate"]
    some(some(teach(tmp_path / "parts"), 2), 3, share=0.9)
    parts = some(teach(tmp_path / "parts", resume=True), 4, share=0.9)
    assert parts.window[0].tobytes() == whole.window[0].tobytes()
    assert all((whole.learner.average[name] == parts.learner.average[name]).all() for name in whole.learner.average)


def test_a_net_that_was_taught_can_teach_the_next_one(tmp_path, short):
    first = some(teach(tmp_path / "first"), 1)
    second = some(teach(tmp_path / "second", f"{TEACHER},evaluate={first.net}"), 1)
    assert second.rows[0]["games"] > 0 and second.rows[0]["scale"] is None  # its scores are chances already
    assert np.abs(second.window[0]["mean"]).max() <= 1.0


def test_what_a_teacher_says_is_learned(tmp_path, short):
    run = some(teach(tmp_path), 1)
    before = run.learner.learn(run.window[0], 5, 1e-9)
    run.learner.learn(run.window[0], 300, 5e-3)
    after = run.learner.learn(run.window[0], 5, 1e-9)
    assert after["value_loss"] < 0.7 * before["value_loss"]


def test_stored_runs_are_learned_from_and_the_net_plays(tmp_path, short, runs):
    run = some(teach(tmp_path / "net", "", runs=(1,), store=str(runs)), 2)
    with Store(runs) as store:
        batch = next(store.batches(1, run.game))
    assert run.rows[0]["positions"] == batch.lengths.sum() == len(run.window[0])
    assert (run.window[0]["result"][:, 0] == run.window[0]["mean"]).all()
    run.close()
    again = some(teach(tmp_path / "net", "", runs=(1,), store=str(runs), resume=True), 3)
    assert len(again.rows) == 3 and again.window[0].tobytes() == run.window[0].tobytes()
    assert files.load(str(run.net), run.game)["first"].shape[1] == 16
    agent = spielbaum.agent(f"alphabeta:depth=1,evaluate={run.net}", run.game)
    assert agent.act(run.game.new()) in range(9)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--teacher", "random"], "random gives no score to positions, so that it can't teach"),
        (["--teacher", "alphabet"], "unknown agent 'alphabet'"),
        (["--teacher", TEACHER, "--from", "1"], "give one of --from and --teacher"),
        (["--from", "2"], "is of connect-four, not of tic-tac-toe"),
        (["--from", "7"], "no run 7"),
    ],
)
def test_examples_that_are_none_are_told_in_one_line(capsys, monkeypatch, tmp_path, runs, arguments, reason):
    monkeypatch.chdir(tmp_path)
    assert main(["train", "tic-tac-toe", "-o", "net.npz", "--store", str(runs), *arguments]) == 2
    (told,) = complaints(capsys.readouterr().err)
    assert reason in told


def test_a_training_from_a_teacher_is_told_in_a_table(capsys, monkeypatch, tmp_path, short):
    monkeypatch.chdir(tmp_path)
    arguments = ["--teacher", TEACHER, "--minutes", "0.01", "--size", "16-8", "--workers", "1", "-o", "net.npz"]
    assert main(["train", "tic-tac-toe", *arguments]) == 0
    assert "value_loss" in capsys.readouterr().out and (tmp_path / "net.npz").exists()
