"""A person in the terminal."""

from __future__ import annotations

import sys
from typing import Any

from spielbaum.agents.agent import StatelessAgent, Watch
from spielbaum.clock import Clock
from spielbaum.errors import IllegalAction, SpielbaumError
from spielbaum.game import Game, State, side_by_side
from spielbaum.terminal import behind

UP_AND_BLANK = "\x1b[A\x1b[2K"


class NoAnswer(SpielbaumError):
    """There is nobody who could answer: that is no misdeed of an agent."""


class GameLeft(NoAnswer):
    """The person does not want to go on."""


class Human(StatelessAgent):
    """Shows the position and asks for a move until it is a legal one; `quit` ends the game.

    Who moves several times in a row may type the moves at once; they are made as long as all goes as expected.
    """

    def __init__(self, game: Game, values: dict[str, Any], seed: int):
        self.plan: dict[bytes, int] = {}
        """What to do in which positions, of the moves typed at once."""

    def act(self, state: State, clock: Clock | None = None, *, watch: Watch | None = None) -> int:
        planned = self.plan.pop(state.array.tobytes(), None)
        return self.ask(state) if planned is None else planned

    def ask(self, state: State) -> int:
        print(f"\n{state}\n")
        while True:
            try:
                text = input(f"{state.seat}, your move (? lists them): ").strip()
            except EOFError:
                raise NoAnswer("the input ended before the game did") from None
            if text == "?":
                print(side_by_side(state.moves))
            elif text == "quit":
                raise GameLeft("the game was left")
            elif text:
                try:
                    self.plan = plan(state, text)
                    forget_line(state)
                    return self.plan.pop(state.array.tobytes())
                except IllegalAction as error:
                    print(error)


def forget_line(state: State) -> None:
    """Where others choose at the same time, what was typed does not stay on the screen."""
    if len(state.movers) > 1 and sys.stdout.isatty():
        print(UP_AND_BLANK, end="", file=behind(sys.stdout))


def plan(state: State, text: str) -> dict[bytes, int]:
    """What a player wants to do, in this position and in those that its moves are expected to lead to."""
    planned: dict[bytes, int] = {}
    me, words, ahead = state.player, text.split(), state
    while words:
        if ahead.player != me:
            raise IllegalAction(f"{' '.join(words)!r} is too much: by then it is not your turn")
        action, length = ahead.parse_first(words)
        planned[ahead.array.tobytes()] = action
        words = words[length:]
        if words:
            ahead = imagined(ahead, me).play(action).view(me)
    return planned


def imagined(state: State, player: int) -> State:
    """A whole position that what a player sees may be a part of."""
    world = state.copy()
    if state.game.hidden:
        state.game.kernels.game_api.determinize(state.game.context, world.array, player, world.rng)
    return world
