"""A network in a kernel says what its formula says, for every game that a network can see."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spielbaum
from spielbaum.errors import SpielbaumError
from spielbaum.game import buffer_size, names
from spielbaum.networks.kernels import network
from spielbaum.networks.net import heads, layer_sizes, shapes, with_net

OPTIONS = {"liars-dice": {"players": 3, "dice": 2}, "latrunculi": {"preset": "same-piece"}}
GAMES = [name for name in names() if spielbaum.load(name).has("features")]
CLOSE = 2e-5  # float32 sums in another order


def weights_of(game: spielbaum.Game, size: str, seed: int) -> dict[str, np.ndarray]:
    """Random weights in every part, so wide that layers are clipped at both ends."""
    rng = np.random.default_rng(seed)
    return {name: rng.normal(0.0, 0.5, shape).astype(np.float32) for name, shape in sorted(shapes(game, size).items())}


def position(game: spielbaum.Game, seed: int, plies: int) -> spielbaum.State:
    """A position of random play in which somebody is to move."""
    rng, state = np.random.default_rng(seed), game.new(seed)
    for _ in range(plies):
        after = state.copy().play(int(rng.choice(state.actions)))
        if after.over:
            break
        state = after
    return state


def active(game: spielbaum.Game, state: spielbaum.State) -> np.ndarray:
    out = np.zeros(game.module.FEATURES, np.int64)
    return out[: game.tell("features", s=state.record, player=state.player, out=out)]


def told(game: spielbaum.Game, state: spielbaum.State, net: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Values of all players and preferences of the legal actions by the formula, in double precision."""
    wide = {name: part.astype(np.float64) for name, part in net.items()}
    layer = np.clip(wide["first_bias"] + wide["first"][active(game, state)].sum(axis=0), 0, 1)
    layer = np.clip(wide["second_bias"] + layer @ wide["second"], 0, 1)
    if wide["third_bias"].size:
        layer = np.clip(wide["third_bias"] + layer @ wide["third"], 0, 1)
    own = np.tanh(wide["value_bias"] + wide["value"] @ layer)
    scores = (wide["policy_bias"] + wide["policy"] @ layer)[state.actions]
    likely = np.exp(scores - scores.max())
    players, values = game.players, np.zeros(game.module.PLAYERS)
    for i in range(players):
        values[(state.player + i) % players] = own[i] if heads(game) > 1 else own[0] * (1 - 2 * i)
    return values, likely / likely.sum()


def asked(game: spielbaum.Game, state: spielbaum.State, net: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """The same from the kernel."""
    size = buffer_size(game.module)
    results, buffer, preferences = np.zeros((1, game.module.PLAYERS)), np.zeros(size, np.int64), np.zeros((1, size))
    game.kernels.link(network).ask(
        with_net(game.new_context(), net), state.array, game.players, results, buffer, preferences
    )
    assert buffer[: len(state.actions)].tolist() == list(state.actions)
    return results[0], preferences[0, : len(state.actions)]


@pytest.mark.parametrize("name", GAMES)
def test_the_kernel_says_what_the_formula_says(name):
    game = spielbaum.load(name, **OPTIONS.get(name, {}))
    nets = [weights_of(game, size, seed) for seed, size in enumerate(("16-8", "16-8-4"))]

    @given(st.integers(0, 2**32), st.integers(0, 60), st.sampled_from(nets))
    @settings(max_examples=25, deadline=None, database=None)
    def agree(seed, plies, net):
        state = position(game, seed, plies)
        values, preferences = asked(game, state, net)
        expected_values, expected_preferences = told(game, state, net)
        assert np.allclose(values, expected_values, atol=CLOSE)
        assert np.allclose(preferences, expected_preferences, atol=CLOSE)
        assert preferences.sum() == pytest.approx(1.0)

    agree()


def test_a_finished_game_is_worth_its_result(tmp_path):
    game = spielbaum.load("tic-tac-toe")
    state = game.play_all(["a1", "a2", "b1", "b2", "c1"])
    results, room = np.zeros((1, 2)), np.zeros(buffer_size(game.module), np.int64)
    context = with_net(game.new_context(), weights_of(game, "16-8", 0))
    game.kernels.link(network).ask(context, state.array, game.players, results, room, np.zeros((1, len(room))))
    assert results.tolist() == [[1.0, -1.0]]


def test_there_are_networks_for_five_games_and_more():
    assert {"connect-four", "tic-tac-toe", "latrunculi", "light-cycles", "liars-dice"} <= set(GAMES)


@pytest.mark.parametrize("size", ["", "256", "256-32-32-8", "0-8", "256-x", "256-4097", "-256-32"])
def test_a_size_that_no_network_has_is_refused(size):
    with pytest.raises(SpielbaumError, match=f"size={size} is not possible: two or three layers of 1 to 4096"):
        layer_sizes(size)
