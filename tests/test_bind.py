"""How rules are declared: what they may ask for, what is refused, and scratch that is there for them."""

from __future__ import annotations

import pathlib

import pytest

import spielbaum
from spielbaum.errors import GameError
from spielbaum.testing.case import Machine
from tests.tiny import write_race

SCRATCH = """
SCRATCH = np.dtype((np.record, [("steps", "i8", 4)]))


@rule
def counted(scratch, n):
    scratch.steps[:] = 0
    for i in range(n):
        scratch.steps[i % 4] += 1
    return scratch.steps[0] + scratch.steps[1] + scratch.steps[2] + scratch.steps[3]


@rule
def evaluate(scratch, s, player):
    return counted(scratch, s.n) if player == 0 else -counted(scratch, s.n)
"""
ROUNDS = """
@rule
def movers(s, out):
    return 0


@rule
def resolve(s, choices):
    pass
"""


def refusal(path: pathlib.Path) -> str:
    """What is wrong with a game, told when it is loaded or first played."""
    with pytest.raises(GameError) as raised:
        spielbaum.load(path).new()
    message = str(raised.value)
    assert "\n" not in message
    return message


def test_a_game_is_played_in_turns_or_in_rounds(tmp_path):
    message = refusal(write_race(tmp_path, helpers=ROUNDS))
    assert "in turns (player and play) or in rounds (movers and resolve); it has rules of both" in message


def test_half_of_a_pair_is_not_enough(tmp_path):
    path = write_race(tmp_path, helpers=ROUNDS.partition("\n\n\n@rule")[0])
    assert "a game needs resolve" in refusal(path)


def test_scratch_holds_numbers(tmp_path):
    path = write_race(tmp_path, helpers='SCRATCH = np.dtype((np.record, [("names", "O")]))')
    assert refusal(path).endswith("SCRATCH field 'names' holds Python objects; use numbers or arrays")


def test_a_rule_that_asks_for_what_there_is_not_is_told_what_is_near(tmp_path):
    path = write_race(tmp_path, helpers="@rule\ndef evaluate(s, wieghts, player):\n    return 0.0")
    assert "evaluate asks for 'wieghts'; did you mean 'weights'" in refusal(path)
    path = write_race(tmp_path, "other", helpers="@rule\ndef evaluate(s, luck):\n    return 0.0")
    assert "evaluate asks for 'luck'; it may ask for t, s, weights, player, scratch" in refusal(path)


def test_a_misspelt_rule_is_noticed(tmp_path):
    path = write_race(tmp_path, helpers="@rule\ndef evalute(s, player):\n    return 0.0")
    assert "no rule 'evalute' is asked for by anybody; did you mean 'evaluate'" in refusal(path)


def test_scratch_is_there_and_the_same_compiled_as_interpreted(tmp_path):
    game = spielbaum.load(write_race(tmp_path, helpers=SCRATCH))
    state, machines = game.new(), [Machine(game, compiled) for compiled in (True, False)]
    for number in (0, 1, 3, 5):
        while state.record.n < number:
            state.play(1 if number - state.record.n == 1 else 2)
        answers = [machine.answers(state.array, state.actions, state.rng) for machine in machines]
        assert [answer["evaluate"].tolist() for answer in answers] == [[number, -number]] * 2


def test_each_context_has_scratch_of_its_own(tmp_path):
    game = spielbaum.load(write_race(tmp_path, helpers=SCRATCH))
    one, other = game.new_context(), game.new_context()
    one.scratch[0].steps[:] = 7
    assert other.scratch[0].steps.tolist() == [0, 0, 0, 0]
