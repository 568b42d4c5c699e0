"""How rules are declared: what they may ask for, what is refused, and scratch that is there for them."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest

import spielbaum
from spielbaum.compile import digest
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


# --- tables as constants ------------------------------------------------------------------------

LARGE = "Tables(np.zeros(20_000, np.int64) + 1, 0)"


def types_of_tables(path, text: str = "", new: str = "") -> list[str]:
    """The types of the tables with which the rule `play` was compiled."""
    path.write_text(path.read_text().replace(text, new) if text else path.read_text())
    game = spielbaum.load(path)
    game.new().play(1)
    (signature,) = game.module.play.signatures
    return [str(field) for field in signature[0]]


def test_small_tables_of_a_game_without_options_are_constants(tmp_path):
    steps, bonus = types_of_tables(write_race(tmp_path))
    assert steps.startswith("readonly array(int64") and bonus == "int64"


def test_large_tables_stay_arguments(tmp_path):
    steps, _ = types_of_tables(write_race(tmp_path), "Tables(np.array([1, 2]), 0)", LARGE)
    assert steps.startswith("array(int64")


def test_tables_of_a_game_with_options_stay_arguments_so_that_one_kernel_serves_all(tmp_path):
    helpers = "from spielbaum import Param\nOPTIONS = (Param('first', 1, 'the first step', low=1, high=2),)"
    path = write_race(tmp_path, helpers=helpers)
    path.write_text(path.read_text().replace("np.array([1, 2])", "np.array([options['first'], 2])"))
    steps, _ = types_of_tables(path)
    assert steps.startswith("array(int64")
    folders = {spielbaum.load(path, first=first).kernels.game_api.__file__ for first in (1, 2)}
    assert len(folders) == 1


def test_other_values_in_small_tables_are_another_kernel(tmp_path):
    files = []
    for step in (1, 2):
        folder = tmp_path / str(step)
        folder.mkdir()
        path = write_race(folder)
        path.write_text(path.read_text().replace("np.array([1, 2])", f"np.load({str(folder / 'steps.npy')!r})"))
        np.save(folder / "steps.npy", np.array([step, 2]))
        files.append(digest.game_digest(spielbaum.load(path).module))
        assert spielbaum.load(path).new().actions == [step, 2]
    assert files[0] != files[1]


def test_a_rule_that_writes_to_a_table_is_told(tmp_path):
    path = write_race(tmp_path, play="t.steps[0] = 3")
    with pytest.raises(GameError, match=r"mine: play does not compile \(mine.py:\d+\): nobody may write to the tables"):
        spielbaum.load(path).new().play(1)
