"""Searching with a network: its priors and values decide where the search goes; what is over has its result."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest

import spielbaum
from spielbaum.networks import files
from spielbaum.networks.net import random_weights

WON = "agbgcg"  # yellow has three in a row at the bottom, and d1 wins


def net(folder: pathlib.Path, **changes: np.ndarray) -> str:
    """A net for Connect Four that knows nothing but what is changed."""
    game = spielbaum.load("connect-four")
    weights = random_weights(game, "8-8", 1)
    for name, value in changes.items():
        weights[name] = np.broadcast_to(np.asarray(value, np.float32), weights[name].shape).copy()
    path = folder / "net.npz"
    files.save(path, game, "8-8", weights)
    return str(path)


def searched(spec: str, moves: str = "") -> spielbaum.Game:
    game = spielbaum.load("connect-four")
    state = game.new(1)
    for move in moves:
        state.play("abcdefg".index(move))
    agent = spielbaum.agent(spec, game, seed=1)
    agent.act(state)
    return agent.report()


def test_the_policy_head_proposes_and_the_search_follows(tmp_path):
    likes_b = net(tmp_path, policy_bias=np.array([0, 9, 0, 0, 0, 0, 0]))
    assert searched(f"policy:net={likes_b}").action == 1
    report = searched(f"network:net={likes_b},iterations=50")
    first = report.edges[0]
    assert first.action == 1 and first.prior > 0.9 and first.visits > 40


def test_a_game_that_is_over_has_its_result_whatever_the_net_says(tmp_path):
    report = searched(f"network:net={net(tmp_path)},iterations=300", WON)
    assert report.action == 3 and report.value > 0.8


def test_the_value_head_values_leaves(tmp_path):
    """A net that thinks that the mover always wins sees the own moves lose."""
    report = searched(f"network:net={net(tmp_path, value_bias=np.array([3.0]))},iterations=8,expand-visits=9")
    assert report.value < -0.9


def test_playouts_are_mixed_into_the_value(tmp_path):
    gloomy = net(tmp_path, value_bias=np.array([3.0]))
    shares = (0.0, 0.5, 1.0)
    means = [
        searched(f"network:net={gloomy},iterations=60,expand-visits=99,playouts={share}").value for share in shares
    ]
    assert means[0] < means[1] < means[2]
    assert abs(means[2]) < 0.6  # of random games from the start


def test_a_search_with_a_network_proves_as_well(tmp_path):
    report = searched(f"network:net={net(tmp_path)},iterations=2000,solve=on", WON)
    won = next(edge for edge in report.edges if edge.action == 3)
    assert report.action == 3 and won.proven and report.nodes < 2000


@pytest.mark.parametrize("agent", ["network", "policy"])
def test_an_unknown_net_is_refused(agent):
    with pytest.raises(spielbaum.SpielbaumError, match="unknown net 'nobody'"):
        spielbaum.agent(f"{agent}:net=nobody", spielbaum.load("connect-four"))
