"""Alpha-beta with a network: a first layer that is kept, and what the search makes of the net's values."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

import spielbaum
from spielbaum.errors import SpielbaumError
from spielbaum.networks import files
from spielbaum.networks.kernels import incremental as template
from spielbaum.networks.net import exact, with_kept
from spielbaum.search.frames import SURE
from spielbaum.search.report import CHANCE
from spielbaum.testing.case import Case
from spielbaum.testing.laws.networks import incremental
from tests.networks.test_net import told, weights_of


@pytest.fixture
def net(tmp_path):
    """A net for tic-tac-toe that was trained on nothing."""
    game = spielbaum.load("tic-tac-toe")
    files.save(tmp_path / "net.npz", game, "16-8", weights_of(game, "16-8", 3))
    return tmp_path / "net.npz"


def test_sums_of_the_first_layer_are_the_same_in_any_order():
    game = spielbaum.load("connect-four")
    weights = weights_of(game, "32-8", 1)
    first = exact(weights)["first"]
    assert np.abs(first - weights["first"]).max() < 1e-4
    rows = list(range(42))
    random.Random(1).shuffle(rows)
    there, back = np.zeros(32, np.float32), np.zeros(32, np.float32)
    for row in sorted(rows):
        there += first[row]
    for row in rows:
        back += first[row]
    assert (there == back).all()


@pytest.mark.parametrize("size", ["16-8", "16-8-4"])
def test_a_layer_that_is_kept_says_what_the_formula_says(size):
    game, rng = spielbaum.load("tic-tac-toe"), random.Random(2)
    weights = weights_of(game, size, 4)
    context = with_kept(game.new_context(), weights, players=2)
    kept, anew = np.zeros(2), np.zeros(2)
    for _ in range(20):
        state = game.new()
        for _ in range(rng.randrange(9)):
            if not state.over:
                state.play(rng.choice(state.actions))
        if not state.over:
            game.kernels.link(template).compare(context, state.array, 2, kept, anew)
            assert kept.tolist() == anew.tolist()
            assert kept[state.player] == pytest.approx(told(game, state, weights)[0][state.player], abs=1e-4)


def test_a_layer_that_went_wrong_breaks_the_law():
    case = Case(spielbaum.load("tic-tac-toe"), limit=100)
    position = case.start(0)
    assert incremental.breach(position) is None
    case.net.kept.sums[1] += np.float32(0.25)
    name, reason = incremental.breach(position.after(4))
    assert name == "incremental" and "when its first layer is kept" in reason


def best_of_two_plies(game: spielbaum.Game, state: spielbaum.State, weights: dict[str, np.ndarray]) -> float:
    """Plain minimax with values by the formula."""

    def after(state, action):
        return state.copy().play(action)

    def worth(state):
        if state.over:
            return SURE * state.returns[0]
        return told(game, state, weights)[0][0]

    return max(
        min(worth(after(reply_to, reply)) for reply in reply_to.actions)
        for reply_to in (after(state, action) for action in state.actions)
    )


def test_alpha_beta_finds_the_best_of_what_the_net_says(net):
    game = spielbaum.load("tic-tac-toe")
    agent = spielbaum.agent(f"alphabeta:depth=2,evaluate={net}", game)
    agent.act(game.new())
    report = agent.report(tree_nodes=20)
    assert report.value == pytest.approx(best_of_two_plies(game, game.new(), weights_of(game, "16-8", 3)), abs=1e-4)
    assert report.unit == CHANCE and all(-1 < edge.value < 1 for edge in report.edges)
    assert report.tree is not None and report.tree.children


def test_a_net_changes_what_is_found_and_the_end_of_the_game_stays_what_it_is(net):
    game = spielbaum.load("tic-tac-toe")
    values = []
    for spec in ("alphabeta:depth=2", f"alphabeta:depth=2,evaluate={net}"):
        agent = spielbaum.agent(spec, game)
        agent.act(game.new())
        values.append(agent.report().value)
        agent.act(game.play_all(["a1", "a2", "b1", "b2"]))
        assert agent.report().proven and agent.report().line[0] == "c1"
    assert values[0] != values[1]


def test_the_shipped_net_of_connect_four_wins_and_ponders():
    game = spielbaum.load("connect-four")
    name = next(iter(files.shipped(game)))
    agent = spielbaum.agent(f"alphabeta:depth=3,evaluate={name}", game)
    assert game.new().format(agent.act(game.play_all(["d", "e", "d", "e", "d", "e"]))) == "d"


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        ("connect-four", "is a net for tic-tac-toe, not for connect-four"),
        ("amazons", "needs a rule 'features', which amazons does not have"),
        ("liars-dice", "alphabeta can't play liars-dice"),
    ],
)
def test_a_net_that_can_not_evaluate_is_refused_in_one_line(net, game, reason):
    with pytest.raises(SpielbaumError, match=reason) as caught:
        spielbaum.agent(f"alphabeta:evaluate={net}", spielbaum.load(game))
    assert "\n" not in str(caught.value)


def test_a_net_for_three_players_can_not_evaluate(net, monkeypatch):
    game = spielbaum.load("tic-tac-toe")
    monkeypatch.setattr(game.module, "PLAYERS", 3)
    with pytest.raises(SpielbaumError, match=r"is for games of two; tic-tac-toe is for up to 3"):
        spielbaum.agent(f"alphabeta:evaluate={net}", game)


def test_two_searches_with_nets_do_not_disturb_each_other(net):
    game = spielbaum.load("tic-tac-toe")
    agents = [spielbaum.agent(f"alphabeta:depth=3,evaluate={net}", game) for _ in range(3)]
    state, alone = game.new(), []
    agents[2].act(state)
    for agent, _ in itertools.product(agents[:2], range(2)):
        agent.act(state)
        alone.append(agent.report().value)
    assert set(alone) == {agents[2].report().value}
