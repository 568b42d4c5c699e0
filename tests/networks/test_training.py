"""Training by self-play: the same seed gives the same net, a run that was killed goes on, and the net gets better."""

from __future__ import annotations

import contextlib
import functools
import json
import pathlib
import resource
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import spielbaum
from spielbaum.cli import main
from spielbaum.networks import files
from spielbaum.networks.net import layer_sizes, random_weights
from spielbaum.training import run as training
from spielbaum.training.selfplay import SelfPlayConfig, SelfPlayer, play_batches

pytest.importorskip("torch", reason="training needs the extra networks")

SMALL = SelfPlayConfig(simulations=8, few=4)


@pytest.fixture
def short(monkeypatch):
    """Iterations that take no time, and no baseline after the first."""
    monkeypatch.setattr(training, "BATCHES", 1)
    monkeypatch.setattr(training, "STEPS", 2)
    monkeypatch.setattr(training, "MEASURED", 2)
    monkeypatch.setattr(training, "BASELINE", "random")


def started(
    folder: pathlib.Path, minutes: float = 100.0, *, resume: bool = False, seed: int = 1, workers: int | str = 1
) -> training.Training:
    game = spielbaum.load("tic-tac-toe")
    plan = training.TrainingPlan(game.name, dict(game.options), "16-8", seed, minutes, 8)
    return training.Training(game, plan, folder / "net.npz", workers, resume)


def some(run: training.Training, iterations: int) -> training.Training:
    while len(run.rows) < iterations:
        run.save(run.iterate(0.0, functools.partial(play_batches, workers=1)))
    return run


def test_games_do_not_depend_on_how_many_play_them():
    game = spielbaum.load("tic-tac-toe")
    weights = random_weights(game, "16-8", 3)
    one, two = (play_batches(game, weights, weights, SMALL, 5, range(3), workers) for workers in (1, 2))
    assert one[0].tobytes() == two[0].tobytes() and one[1] == two[1]
    other, _ = play_batches(game, weights, weights, SMALL, 6, range(3), 1)
    assert other.tobytes() != one[0].tobytes()


def test_samples_are_what_the_mover_saw():
    game = spielbaum.load("tic-tac-toe")
    weights = random_weights(game, "16-8", 3)
    samples, moves = play_batches(game, weights, weights, SMALL, 5, range(2), 1)
    assert 0 < len(samples) < moves
    assert set(np.unique(samples["result"])) <= {-1.0, 0.0, 1.0}
    for sample in samples:
        chances = sample["chance"][: sample["actions"]]
        assert abs(chances.sum() - 1) < 1e-4 and sample["actions"] + sample["active"] == 9
        assert sample["active"] % 2 == sample["mover"]
        assert 1 <= sample["left"] <= 9 - sample["active"]


def test_nothing_is_learned_from_a_rival_s_moves():
    game = spielbaum.load("tic-tac-toe")
    weights, other = random_weights(game, "16-8", 3), random_weights(game, "16-8", 4)
    other["policy"] += np.random.default_rng(4).normal(size=other["policy"].shape).astype(np.float32)
    config = SelfPlayConfig(simulations=8, few=4, share=1.0, against_past=1.0, random=0)
    sides = set()
    for batch in range(8):
        samples, moves = SelfPlayer(game, weights, other, config).play(5, batch, games=1)
        assert len(set(samples["mover"])) == 1
        assert len(samples) in (moves // 2, moves - moves // 2)
        sides.add(int(samples["mover"][0]))
    assert sides == {0, 1}
    against_other, against_itself = (SelfPlayer(game, weights, past, config).play(5, 0)[0] for past in (other, weights))
    assert against_other.tobytes() != against_itself.tobytes()


def test_rivals_are_earlier_nets_of_the_second_half(tmp_path, short, monkeypatch):
    monkeypatch.setattr(training, "EARLIER", 2)
    run = some(started(tmp_path), 3)
    third = {name: part.copy() for name, part in run.learner.average.items()}
    some(run, 4)
    assert all((run.past(4)[name] == part).all() for name, part in third.items())
    some(run, 7)
    kept = sorted(path.name for path in run.folder.glob("earlier-*.npz"))
    assert kept == ["earlier-0.npz", "earlier-4.npz", "earlier-6.npz"]


def test_a_net_is_measured_by_levels_and_the_first_net_too(tmp_path, short):
    run = some(started(tmp_path), 2)
    told = run.measure(2)
    assert told["baseline"] == "random"
    assert [each["baseline"] for each in told["others"]] == [*training.quick_levels(run.game), "the first net"]
    levels = training.quick_levels(spielbaum.load("connect-four"))
    assert levels[:2] == ["easy", "medium"] and "master" not in levels  # it plays by the clock


def test_proven_results_are_learned_as_they_are():
    game = spielbaum.load("tic-tac-toe")
    weights = random_weights(game, "16-8", 3)
    samples, _ = play_batches(game, weights, weights, SelfPlayConfig(64, 16), 5, range(2), 1)
    certain = [sample for sample in samples if sample["certain"]]
    assert 50 < len(certain) < len(samples)
    for sample in certain:
        seen = sample["feature"][: sample["active"]].tolist()
        exact = outcome(frozenset(f for f in seen if f < 9), frozenset(f - 9 for f in seen if f >= 9))
        assert sample["result"][0] == sample["mean"] == exact


LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def outcome(own: frozenset[int], others: frozenset[int]) -> int:
    """What tic-tac-toe gives who is to move, by looking at everything."""
    if any(others.issuperset(line) for line in LINES):
        return -1
    free = set(range(9)) - own - others
    return max((-outcome(others, own | {cell}) for cell in free), default=0)


def test_the_action_that_wins_is_learned():
    """A net that knows nothing likes all actions; what is learned from its search is the one that wins."""
    game = spielbaum.load("connect-four")
    weights = random_weights(game, "16-8", 3)
    samples, _ = play_batches(game, weights, weights, SelfPlayConfig(128, 16, share=1.0), 5, range(1), 1)
    won = samples[samples["certain"] & (samples["mean"] == 1)]
    assert len(won) > 20
    assert np.median(won["chance"].max(1)) > 0.9


def test_a_training_that_goes_on_ends_as_one_that_never_stopped(tmp_path, short):
    for name in ("whole", "parts"):
        (tmp_path / name).mkdir()
    whole = some(started(tmp_path / "whole"), 4)
    some(started(tmp_path / "parts"), 2)
    parts = some(started(tmp_path / "parts", resume=True), 4)
    assert all((whole.learner.average[name] == parts.learner.average[name]).all() for name in whole.learner.average)
    told = [[(row["policy_loss"], row["moves"]) for row in run.rows] for run in (whole, parts)]
    assert told[0] == told[1]


def test_learning_makes_the_samples_likelier(tmp_path, short):
    run = some(started(tmp_path), 1)
    before = run.learner.learn(run.window[0], 5, 1e-9)
    run.learner.learn(run.window[0], 300, 5e-3)
    after = run.learner.learn(run.window[0], 5, 1e-9)
    assert all(after[loss] < before[loss] for loss in ("policy_loss", "value_loss", "length_loss"))


def test_another_plan_or_a_damaged_state_is_refused(tmp_path, short):
    some(started(tmp_path), 1)
    with pytest.raises(spielbaum.SpielbaumError, match="--resume goes on with it"):
        started(tmp_path)
    with pytest.raises(spielbaum.SpielbaumError, match="has seed=1, not 2"):
        started(tmp_path, resume=True, seed=2)
    (tmp_path / "net.training" / "state.pt").write_bytes(b"nothing")
    with pytest.raises(spielbaum.SpielbaumError, match=r"state\.pt can't be read"):
        started(tmp_path, resume=True)


def test_a_killed_training_goes_on(tmp_path):
    command = [sys.executable, "-m", "spielbaum", "train", "tic-tac-toe", "--minutes", "60", "--size", "16-8"]
    command += ["--simulations", "4", "--workers", "1", "-o", str(tmp_path / "net.npz")]
    rows = tmp_path / "net.training" / "rows.jsonl"
    process = subprocess.Popen(command, stderr=subprocess.PIPE)
    while not rows.exists() and process.poll() is None:
        time.sleep(0.05)
    process.kill()
    process.wait()
    kept = len(rows.read_text().splitlines())
    process = subprocess.Popen([*command, "--resume"], stderr=subprocess.PIPE, text=True)
    while len(rows.read_text().splitlines()) < kept + 2 and process.poll() is None:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    assert "--resume goes on" in process.communicate()[1] and process.returncode == 130
    numbers = [json.loads(line)["iteration"] for line in rows.read_text().splitlines()]
    assert numbers == list(range(len(numbers))) and len(numbers) >= kept + 2


@contextlib.contextmanager
def no_room(most: int):
    """A disk that takes no more than so many bytes at once."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_is_told_in_one_line_and_the_training_goes_on(tmp_path, short, capsys):
    command = ["train", "tic-tac-toe", "--minutes", "0.01", "--size", "16-8", "--simulations", "4", "--workers", "1"]
    command += ["-o", str(tmp_path / "net.npz")]
    with no_room(600):
        assert main(command) == 2
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 1 and "can't be written: File too large; --resume goes on" in told[0]
    assert main([*command, "--resume"]) == 0
    assert files.load(str(tmp_path / "net.npz"), spielbaum.load("tic-tac-toe"))


@pytest.mark.parametrize("most", [600, 5000])  # before the first file, after some of them
def test_whatever_was_kept_before_a_disk_was_full_is_the_same_training(tmp_path, short, most):
    for name in ("whole", "parts"):
        (tmp_path / name).mkdir()
    whole, broken = some(started(tmp_path / "whole"), 3), some(started(tmp_path / "parts"), 1)
    with no_room(most), contextlib.suppress(spielbaum.SpielbaumError):
        some(broken, 2)
    broken.close()
    parts = some(started(tmp_path / "parts", resume=True), 3)
    assert all((whole.learner.average[name] == parts.learner.average[name]).all() for name in whole.learner.average)
    assert not list(tmp_path.rglob(".*"))


@pytest.mark.needs("ray")
@pytest.mark.slow
def test_ray_trains_the_same_net(tmp_path, short, monkeypatch):
    import ray

    monkeypatch.setattr(training, "BATCHES", 3)
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    try:
        nets = []
        for workers in ("ray", 1):
            (tmp_path / str(workers)).mkdir()
            run = started(tmp_path / str(workers), 1e-5, workers=workers)
            assert len(run.run()) == 1
            nets.append(run)
    finally:
        ray.shutdown()
    on_ray, here = nets
    assert on_ray.rows[0]["moves"] == here.rows[0]["moves"]
    assert all((on_ray.learner.average[name] == here.learner.average[name]).all() for name in here.learner.average)


def test_a_trained_net_plays(tmp_path, short):
    run = some(started(tmp_path), 1)
    game = spielbaum.load("tic-tac-toe")
    assert files.load(str(run.net), game)["first"].shape == (game.module.FEATURES, 16)
    for agent in (f"policy:net={run.net}", f"network:net={run.net},iterations=20"):
        assert spielbaum.agent(agent, game).act(game.new()) in range(9)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["tic-tac-toe"], "say where to write the net: -o NAME.npz"),
        (["tic-tac-toe", "-o", "net.txt"], "say where to write the net: -o NAME.npz"),
        (["tic-tac-toe", "-o", "nowhere/net.npz"], "there is no folder 'nowhere'"),
        (["tic-tac-toe", "-o", "net.npz", "--size", "16"], "size=16 is not possible"),
        (["pig", "-o", "net.npz"], "has no rule 'features'"),
    ],
)
def test_what_can_not_be_trained_is_told_in_one_line(capsys, monkeypatch, tmp_path, arguments, reason):
    monkeypatch.chdir(tmp_path)
    assert main(["train", *arguments]) == 2
    told = capsys.readouterr().err
    assert reason in told and told.count("\n") == 1


def test_sizes():
    assert layer_sizes("256-32-32") == [256, 32, 32]
    for wrong in ("256", "0-8", "a-b", "1-2-3-4", "9999-8"):
        with pytest.raises(spielbaum.SpielbaumError, match="is not possible"):
            layer_sizes(wrong)


def test_the_window_keeps_the_newest_samples_that_there_is_room_for(monkeypatch) -> None:
    window = [np.full(100, number, np.int8) for number in range(50)]
    assert [each[0] for each in training.newest(window, 8)] == list(range(40, 50))
    assert len(training.newest(window, 1000)) == 50
    monkeypatch.setattr(training, "ROOM", 350)
    assert [each[0] for each in training.newest(window, 1000)] == [47, 48, 49]
    monkeypatch.setattr(training, "ROOM", 50)
    assert [each[0] for each in training.newest(window, 1000)] == [49], "what was just played is always learned from"
