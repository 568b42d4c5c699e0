"""Keys of positions are made of random numbers, which must all differ (Zobrist 1970)."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from spielbaum.game import Game, load, names


def random_numbers(game: Game) -> np.ndarray:
    """All random numbers that a game's key is made of; 0 stands for what adds nothing."""
    found = [getattr(game.tables, field) for field in game.tables._fields if field.endswith("_keys")]
    found += [getattr(game.tables, field) for field in game.tables._fields if field.endswith("_key")]
    found += [getattr(sys.modules.get(f"{game.module.__name__}.rules"), "ZOBRIST", 0)]
    numbers = np.concatenate([np.ravel(np.asarray(each, np.uint64)) for each in found])
    return numbers[numbers != 0]


GAMES = [name for name in names() if len(random_numbers(load(name)))]


def test_the_games_with_such_keys_are_found():
    assert {"amazons", "latrunculi", "tic-tac-toe"} <= set(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_all_numbers_differ_and_so_does_what_any_two_of_them_change(name):
    """Two numbers that are equal hide a piece; two pairs with the same sum make two moves one."""
    numbers = random_numbers(load(name))
    assert len(set(numbers.tolist())) == len(numbers)
    one, other = np.triu_indices(len(numbers), 1)
    changes = numbers[one] ^ numbers[other]
    assert len(np.unique(changes)) == len(changes)
    assert not np.isin(changes, numbers).any()
