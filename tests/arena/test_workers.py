"""Whoever plays them, in this process, in two or on Ray: games with networks and of Quick Civ are the same bytes."""

from __future__ import annotations

import pytest

import spielbaum
from spielbaum.arena import Store, make_plan
from spielbaum.arena.run import play
from spielbaum.networks import files
from spielbaum.networks.net import random_weights
from tests.arena.test_run import stored_games

ELSEWHERE = ["2", pytest.param("ray", marks=[pytest.mark.slow, pytest.mark.needs("ray")])]


@pytest.fixture
def cluster(request, monkeypatch):
    """Two workers of Ray on this machine, for who asks for Ray."""
    if request.node.callspec.params["workers"] != "ray":
        yield
        return
    import ray

    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    yield
    ray.shutdown()


def played(plan, workers: str, folder) -> list[tuple]:
    """All that is stored of the games but how long they took."""
    with Store(folder / f"{workers}.db") as store:
        assert play(plan, workers=workers, store=store).games == plan.total
    return stored_games(folder / f"{workers}.db")


@pytest.mark.parametrize("workers", ELSEWHERE)
def test_games_with_networks_do_not_depend_on_who_plays_them(cluster, workers, tmp_path):
    game, net = spielbaum.load("tic-tac-toe"), tmp_path / "net.npz"
    files.save(net, game, "16-8", random_weights(game, "16-8", 1))
    plan = make_plan(game, [f"network:net={net},iterations=20", f"policy:net={net}"], 12, seed=3)
    assert played(plan, workers, tmp_path) == played(plan, "1", tmp_path)


@pytest.mark.parametrize("workers", ELSEWHERE)
def test_games_of_quick_civ_do_not_depend_on_who_plays_them(cluster, workers, tmp_path):
    game = spielbaum.load("quick-civ", map=1, rounds=12)
    plan = make_plan(game, ["greedy", "mcts:iterations=20", "random", "greedy"], 4, seed=3)
    assert played(plan, workers, tmp_path) == played(plan, "1", tmp_path)
