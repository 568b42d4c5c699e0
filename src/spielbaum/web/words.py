"""What the engine declares in English, in both languages: levels, agents, and what their parameters do.

Names of parameters are part of the syntax of specifications and are the same in every language. The texts of a game
stand in a catalogue of its own (`WORDS`).
"""

from __future__ import annotations

import functools
import pathlib

from spielbaum.translations import Text, Translations

TEXTS = Translations(pathlib.Path(__file__).with_name("texts.toml"))
LEVELS = ("easy", "medium", "hard", "master")
NAMES = {"mcts": "MCTS", "ismcts": "IS-MCTS", "minimax": "Minimax"}  # the same in every language


@functools.cache
def general_words() -> dict[str, str | Text]:
    """All of them, by what is declared."""
    return {**TEXTS.words(), **NAMES}
