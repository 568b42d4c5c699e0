"""A game small enough to be compiled in a second, written anew for every test that needs to spoil it."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

RACE = '''\
"""Race to ten: add one or two; who gets there wins."""

from typing import NamedTuple

import numpy as np

from spielbaum.rules import TERMINAL, below, rule

STATE = np.dtype((np.record, [("n", "i8"), ("turn", "i8"), ("b", "i8", 4)]))
PLAYERS, MAX_ACTIONS, ACTION_CODES = 2, 2, 3
GOAL = 10


class Tables(NamedTuple):
    steps: np.ndarray
    bonus: int


def tables(options):
    return Tables(np.array([1, 2]), 0)


{helpers}


@rule
def player(t, s):
    {player}


@rule
def actions(t, s, out):
    {actions}


@rule
def play(t, s, action, rng):
    s.turn = 1 - s.turn
    {play}


@rule
def returns(s, out):
    out[s.turn] = -1.0
    out[1 - s.turn] = 1.0
'''
RULES = {
    "helpers": "",
    "player": "return TERMINAL if s.n >= GOAL else s.turn",
    "actions": "for i in range(2):\n        out[i] = t.steps[i]\n    return 2",
    "play": "s.n += action + t.bonus",
}
COMPLAIN = """
import spielbaum
try:
    spielbaum.load({path!r}).new().play(1).play(1)
except spielbaum.GameError as error:
    print(error)
"""
"""Code that plays two moves and prints what is wrong with the rules."""


def write_race(folder: pathlib.Path, name: str = "mine", **rules: str) -> pathlib.Path:
    """The file of the game with some of its rules replaced."""
    path = folder / f"{name}.py"
    path.write_text(RACE.format(**{**RULES, **rules}))
    return path


def line_of(path: pathlib.Path, text: str) -> str:
    """`mine.py:14`, where the line of a file that holds a text is the fourteenth."""
    lines = path.read_text().splitlines()
    return f"{path.name}:{next(number for number, line in enumerate(lines, 1) if text in line)}"


def environment(cache: pathlib.Path, **variables: str) -> dict[str, str]:
    return {**os.environ, "SPIELBAUM_CACHE": str(cache), **variables}


def python(code: str, cache: pathlib.Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run some code in a process of its own."""
    run = subprocess.run(
        [sys.executable, "-c", code], env=environment(cache, **variables), capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    return run
