"""Rounds in which several choose at once: nobody knows of the others, and nobody comes first.

The engine asks the movers one after the other and keeps their choices in fields `round_*` of the state. A rule that
looks there, or at a choice that nobody has made, makes a difference where there must be none.
"""

from __future__ import annotations

import random

import numpy as np

from spielbaum.compile.rounds import NO_CHOICE
from spielbaum.testing.case import Position
from spielbaum.testing.laws.law import law, seat
from spielbaum.testing.words import listed, same, two


@law("somebody", "In the first position there is somebody who decides.", needs="movers")
def somebody(position: Position) -> str | None:
    if position.parent is None and position.over:
        return "movers names nobody in the first position, so the game is over before it begins"
    return None


@law("alone", "What a mover may choose does not depend on what others have chosen.", needs="movers", stops=True)
def alone(position: Position) -> str | None:
    if position.over or asked(position) == 0:
        return None
    first = position.array.copy()
    first[0].round_choices[:] = NO_CHOICE
    first[0].round_first, first[0].round_asked = position.player, 0
    legal = position.case.plain.survey(first)[2]
    if legal == position.legal:
        return None
    name = seat(position, position.player)
    return f"the legal actions of {name} are {listed(position.legal)}, but {listed(legal)} when it is asked first"


@law("secret", "Nobody sees what the others have chosen before the round is over.", needs="movers", stops=True)
def secret(position: Position) -> str | None:
    if position.parent is None or asked(position) == 0:
        return None
    chooser, plain = position.parent.player, position.case.plain
    for viewer in range(position.case.game.players):
        for action in position.parent.legal if viewer != chooser else []:
            twin = position.array.copy()
            twin[0].round_choices[chooser] = action
            one, other = plain.hide(position.array, viewer), plain.hide(twin, viewer)
            if not same(one, other):
                chosen = f"{seat(position, viewer)} sees {two(one, other)}"
                return f"{chosen} in states that differ only in what {seat(position, chooser)} has chosen"
    return None


@law("order", "In which order the movers are asked changes nothing.", needs="movers")
def order(position: Position) -> str | None:
    if position.over or asked(position) > 0:
        return None
    movers = position.state().movers
    rng = random.Random(position.depth)
    choices = {mover: rng.choice(asked_first(position, mover)) for mover in movers}
    usual = round_played(position, choices, int(position.array[0].round_first))
    for first in movers:
        other = round_played(position, choices, first)
        if not same(usual, other):
            return f"the round ends with {two(usual, other)} when {seat(position, first)} is asked first"
    return None


@law("choices", "What resolve makes of a round does not depend on those who do not move.", needs="movers")
def choices(position: Position) -> str | None:
    s = position.array[0]
    idle = set(range(position.case.game.module.PLAYERS)) - set(position.state().movers)
    if position.over or not idle or asked(position) + 1 < s.round_count:
        return None
    plain, action = position.case.plain, position.legal[0]
    usual = plain.advance(position.array, position.dice, action)[0]
    for number in sorted(idle):
        for filler in (0, position.case.game.module.ACTION_CODES - 1):
            twin = position.array.copy()
            twin[0].round_choices[number] = filler
            other = plain.advance(twin, position.dice, action)[0]
            if not same(usual, other):
                return f"resolve reads choices[{number}], which nobody has made: it gives {two(usual, other)}"
    return None


def asked(position: Position) -> int:
    """How many have chosen in this round."""
    return int(position.array[0].round_asked)


def asked_first(position: Position, mover: int) -> list[int]:
    """The legal actions of a mover."""
    state = position.array.copy()
    state[0].round_first = mover
    return position.case.plain.survey(state)[2]


def round_played(position: Position, choices: dict[int, int], first: int) -> np.ndarray:
    """The state after a round in which this player was asked first."""
    plain, state, dice = position.case.plain, position.array.copy(), position.dice
    state[0].round_first = first
    for _ in choices:
        state, dice = plain.advance(state, dice, choices[plain.survey(state)[0]])
    state[0].round_first = position.array[0].round_first
    return state
