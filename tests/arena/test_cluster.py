"""A real Ray of two workers on this machine, one of which is killed during the run."""

from __future__ import annotations

import os
import signal

import pytest

import spielbaum
from spielbaum.arena import Store, make_plan, match, summarize
from spielbaum.arena.run import Run, play
from tests.arena.test_run import stored_games
from tests.conftest import SMALL

pytestmark = pytest.mark.needs("ray")


@pytest.fixture
def two_workers(monkeypatch):
    import ray

    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    yield
    ray.shutdown()


def actors() -> list[int]:
    """The processes in which Ray's workers play."""
    import psutil

    children = psutil.Process().children(recursive=True)
    return [child.pid for child in children if child.name().startswith("ray::Worker")]


def test_ray_plays_the_same_games_though_a_worker_is_killed(two_workers, tmp_path):
    game = spielbaum.load("light-cycles")
    plan = make_plan(game, ["mcts:iterations=300", "roomy"], 40, seed=5)
    killed = []

    def kill(run: Run) -> None:
        if not killed and run.games and (alive := actors()):
            killed.append(alive[0])
            os.kill(alive[0], signal.SIGKILL)

    with Store(tmp_path / "ray.db") as store:
        run = play(plan, workers="ray", store=store, watch=kill)
    with Store(tmp_path / "inline.db") as store:
        play(plan, store=store)
    assert killed
    assert run.games == 40
    assert stored_games(tmp_path / "ray.db") == stored_games(tmp_path / "inline.db")


def test_a_run_that_lost_a_worker_and_was_stopped_goes_on_and_plays_nothing_twice(two_workers, tmp_path):
    plan = make_plan(spielbaum.load("light-cycles"), ["mcts:iterations=300", "roomy"], 40, seed=5)
    counted = []

    def kill_and_stop(run: Run) -> None:
        if not counted and run.games and (alive := actors()):
            counted.append(run.games)
            os.kill(alive[0], signal.SIGKILL)
            raise KeyboardInterrupt

    with Store(tmp_path / "ray.db") as store, pytest.raises(KeyboardInterrupt):
        play(plan, workers="ray", store=store, watch=kill_and_stop)
    before = len(stored_games(tmp_path / "ray.db"))
    assert counted and counted[0] <= before < 40
    with Store(tmp_path / "ray.db") as store:
        assert play(plan, workers="ray", store=store, resume=True).played == 40 - before
    with Store(tmp_path / "inline.db") as store:
        play(plan, store=store)
    assert stored_games(tmp_path / "ray.db") == stored_games(tmp_path / "inline.db")


def test_an_address_where_nobody_answers_is_told(monkeypatch):
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    game = spielbaum.load("tic-tac-toe")
    with pytest.raises(spielbaum.SpielbaumError, match=r"no Ray cluster answers at '127\.0\.0\.1:9'"):
        play(make_plan(game, ["random", "random"], 2), workers="ray:127.0.0.1:9")


def test_ray_seats_groups_like_everybody_else(two_workers, tmp_path):
    game = spielbaum.load(SMALL / "straws.py")
    for workers in ("ray", "1"):
        match(game, ["bold", "random"], 12, counts=(1, 3), seed=5, workers=workers, store=tmp_path / f"{workers}.db")
    assert stored_games(tmp_path / "ray.db") == stored_games(tmp_path / "1.db")


def test_ray_tells_forfeits_in_the_same_words(two_workers, tmp_path):
    game = spielbaum.load(SMALL / "unruly.py")
    told = []
    for workers in ("ray", "1"):
        for how, limit in (("raise", None), ("deaf", 0.4)):
            path = tmp_path / f"{workers}-{how}.db"
            run = match(game, [f"unruly:how={how}", "random"], 3, 1, workers=workers, store=path, move_limit=limit)
            told.append((summarize(run)["forfeits"], stored_games(path)))
    assert told[:2] == told[2:]
    with pytest.raises(spielbaum.SpielbaumError, match=r"^game \d: . \(unruly\) raised ValueError: no idea; without"):
        match(game, ["unruly", "random"], 6, 1, workers="ray", strict=True)
