"""Pig: the die, the turn, and what is known about holding at 20."""

from __future__ import annotations

import numpy as np
import pytest

import spielbaum
from spielbaum.games.pig import POLICIES, policy
from spielbaum.games.pig.rules import HOLD, ROLL, play
from spielbaum.kernels import policies
from spielbaum.rules import random_stream
from spielbaum.web.live_game import LiveGame, Seat

NO_WEIGHTS = np.zeros(1)  # policies have none


def test_the_die_is_fair():
    state = spielbaum.load("pig").new()
    rng, faces = random_stream(5), np.zeros(7, int)
    for _ in range(6000):
        now = state.array.copy()[0]
        play(now, ROLL, rng)
        faces[1 if now.to_move == 1 else now.total] += 1
    assert ((faces[1:] - 1000) ** 2 / 1000).sum() < 20.5  # chi-square, 5 degrees of freedom, p = 0.001


def test_a_turn_begins_with_a_roll_and_a_hold_banks_it():
    state = spielbaum.load("pig").new(seed=4)
    assert state.moves == ["roll"]
    state.play("roll")
    total = int(state.record.total)
    assert total > 1 and state.moves == ["roll", "hold"]
    state.play("hold")
    assert (state.seat, state.record.score.tolist(), state.record.total) == ("second", [total, 0], 0)


def test_a_one_loses_the_turn_and_its_points():
    state = spielbaum.load("pig").new(seed=0)
    while state.seat == "first":
        state.play("roll")
    assert state.record.score.tolist() == [0, 0] and state.record.total == 0


def test_holding_at_20_earns_eight_points_a_turn():
    """8.14 on average (Neller & Presser 2004); the mean of 20 000 turns must be near it."""
    state = spielbaum.load("pig", target=200).new()
    kernel, rng, turns = state.game.kernels.link(policies).choose, random_stream(9), []
    one = state.array.copy()
    for _ in range(20_000):
        one[0] = state.record
        while one[0].to_move == 0:
            action = int(kernel(state.game.context, one, 0, NO_WEIGHTS, rng))
            state.game.kernels.game_api.advance(state.game.context, one, action, rng)
        turns.append(int(one[0].score[0]))
    error = np.std(turns) / np.sqrt(len(turns))
    assert abs(np.mean(turns) - 8.14) < 4 * error


def play_by(game: spielbaum.Game, chosen: list[int], rng: np.ndarray) -> int:
    """Who wins a game of policies, each given by its number."""
    api, choose, one = game.kernels.game_api, game.kernels.link(policies).choose, game.new().array
    while max(one[0].score) < game.tables.target:
        which = chosen[one[0].to_move]
        api.advance(game.context, one, int(choose(game.context, one, which, NO_WEIGHTS, rng)), rng)
    return int(one[0].score[1] >= game.tables.target)


def test_racing_and_keeping_pace_beats_holding_at_20():
    """54.57 % with seats swapped, as solving the game's equations tells; the share of 2000 games must be near it."""
    game, rng = spielbaum.load("pig"), random_stream(7)
    hold, race = map(POLICIES.index, ("hold-at-20", "race-or-pace"))
    wins = sum(play_by(game, [race, hold], rng) == 0 for _ in range(1000))
    wins += sum(play_by(game, [hold, race], rng) == 1 for _ in range(1000))
    assert abs(wins / 2000 - 0.5457) < 3 * 0.5 / np.sqrt(2000)
    assert wins > 1000


@pytest.mark.parametrize(
    ("scores", "total", "choice"),
    [
        ((0, 0), 20, ROLL),
        ((0, 0), 21, HOLD),
        ((50, 10), 16, HOLD),
        ((10, 50), 25, ROLL),
        ((10, 71), 60, ROLL),
        ((71, 0), 29, HOLD),
    ],
)
def test_who_is_behind_dares_more(scores, total, choice):
    state = spielbaum.load("pig").new()
    state.record.score[:], state.record.total = scores, total
    assert policy(state.game.tables, state.record, POLICIES.index("race-or-pace")) == choice


def test_agents_and_views_have_dice_of_their_own():
    state = spielbaum.load("pig").new(seed=3)
    assert state.view(0).rng[0] != state.rng[0]
    assert state.copy().rng[0] == state.rng[0]


def test_who_banks_the_target_wins():
    game = spielbaum.load("pig", target=10)
    state = game.new(seed=1)
    while not state.over:
        state.play(HOLD if state.record.total + state.record.score[state.player] >= 10 else ROLL)
    assert sorted(state.returns) == [-1, 1]
    assert max(state.record.score) >= 10


@pytest.mark.parametrize("target", [9, 201, "x"])
def test_bad_targets_are_refused_in_one_line(target):
    with pytest.raises(spielbaum.SpielbaumError, match="target is a whole number from 10 up to 200"):
        spielbaum.load("pig", target=target)


# --- how it looks ---------------------------------------------------------------------------------


def table(seed: int) -> LiveGame:
    return LiveGame(spielbaum.load("pig"), "pig", [Seat("human"), Seat("human")], seed=seed)


def drawn_of(played: LiveGame) -> dict:
    return played.shown(None, [])["scene"]


def pips(drawn: dict) -> int:
    shapes = [shape for layer in drawn["layers"] for shape in layer["shapes"]]
    assert any(shape.get("id") == "die" for shape in shapes)
    return sum(shape.get("id", "").startswith("pip-") for shape in shapes)


def test_the_die_shows_the_last_roll_and_what_a_one_has_cost():
    played = table(seed=4)
    assert pips(drawn_of(played)) == 0
    total, faces = 0, []
    while played.state.player == 0:
        played.play(0, ROLL)
        drawn = drawn_of(played)
        faces.append(pips(drawn))
        if played.state.player == 0:
            assert faces[-1] == played.state.record.total - total > 1
            total = int(played.state.record.total)
            assert drawn["status"]["en"] == f"{total} points at stake."
    assert faces[-1] == 1 and total > 0
    assert drawn["status"] == {
        "en": f"A 1: the turn's {total} points are lost.",
        "de": f"Eine 1: Die {total} Punkte des Zugs sind weg.",
    }


def test_what_was_banked_is_told():
    played = table(seed=4)
    played.play(0, ROLL)
    total = int(played.state.record.total)
    played.play(0, HOLD)
    drawn = drawn_of(played)
    assert pips(drawn) == 0 and drawn["status"]["en"] == f"{total} points banked."


def test_an_earlier_position_shows_the_die_of_its_own_roll():
    played = table(seed=4)
    for _ in range(2):
        played.play(0, ROLL)
    after = pips(drawn_of(played))
    played.show(1)
    first = pips(drawn_of(played))
    assert first == int(played.state.record.total) and played.state.player == 0
    played.show(2)
    assert pips(drawn_of(played)) == after
