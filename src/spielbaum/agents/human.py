"""A person in the terminal."""

from __future__ import annotations

from typing import Any

from spielbaum.errors import IllegalAction, SpielbaumError
from spielbaum.game import Game, State
from spielbaum.search.report import SearchReport


class GameLeft(SpielbaumError):
    """The person does not want to go on."""


class Human:
    """Shows the position and asks for a move until it is a legal one; `quit` ends the game."""

    def __init__(self, game: Game, values: dict[str, Any], seed: int):
        pass

    def act(self, state: State, deadline: float | None = None) -> int:
        print(f"\n{state}\n")
        while True:
            try:
                text = input(f"{state.seat}, your move (? lists them): ").strip()
            except EOFError:
                raise SpielbaumError("the input ended before the game did") from None
            if text == "?":
                print(" ".join(state.moves))
            elif text == "quit":
                raise GameLeft("the game was left")
            elif text:
                try:
                    return state.parse(text)
                except IllegalAction as error:
                    print(error)

    def report(self, tree_nodes: int = 0) -> SearchReport | None:
        return None
