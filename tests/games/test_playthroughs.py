"""A seeded random game of each kind, written out: every change of rules shows in review.

Write them anew with SPIELBAUM_GOLDEN=1, and look at the difference.
"""

from __future__ import annotations

import os
import pathlib

import pytest

import spielbaum
from spielbaum.game import names
from spielbaum.rules import below, random_stream

FOLDER = pathlib.Path(__file__).parent / "playthroughs"
SMALLER = {
    "quick-civ": {"players": 2, "rounds": 12, "map": 1},
    "spe-ed": {"players": 3, "width": 16, "height": 10, "silence": True},
}


def playthrough(name: str) -> str:
    game = spielbaum.load(name, **SMALLER.get(name, {}))
    state, rng = game.new(seed=2021), random_stream(2021)
    parts = [f"{game.title}: seats {', '.join(game.seats)}, options {game.options}"]
    while not state.over:
        action = state.actions[int(below(rng, len(state.actions)))]
        parts.append(f"{state}\n\n{state.seat} of {' '.join(state.moves)}: {state.format(action)}")
        state.play(action)
    parts.append(f"{state}\n\nresult {state.returns}")
    return "\n\n".join(parts) + "\n"


@pytest.mark.parametrize("name", names())
def test_a_random_game_is_played_as_before(name):
    file = FOLDER / f"{name}.txt"
    if os.environ.get("SPIELBAUM_GOLDEN"):
        FOLDER.mkdir(exist_ok=True)
        file.write_text(playthrough(name))
    assert playthrough(name) == file.read_text()
