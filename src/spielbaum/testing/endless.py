"""Which rule does not end, after somebody has waited in vain for a move: looked for as Python runs the rules.

Machine code that was ended tells nothing. So the game is played again to where it stood, and on at random from what the
player to move may take the position for, until a rule does not end or the time is up.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

from spielbaum.game import Game
from spielbaum.testing.case import Case, Endless, Position
from spielbaum.testing.laws.foundations import sound, wander

WORKED = 1.0  # seconds of work after which a rule is said not to end
LOOKED = 2.0  # seconds of work in which it must be found
PLIES = 200  # how far each random game goes
SHOWN = 12  # moves that are told


def endless_rule(game: Game, seed: int, actions: Sequence[int]) -> str:
    """The rule that does not end in a position or soon after, its line and the last moves; empty if none is found."""
    case = Case(game, PLIES)
    case.watched.limit = WORKED
    try:
        case.watched.run(lambda: look_for(case, seed, actions))
    except Endless as endless:
        moves = endless.position.moves
        led = " ".join(moves[-SHOWN:]) if moves else "nothing"
        return f"{endless.reason}, after {'… ' if len(moves) > SHOWN else ''}{led}"
    return ""


def look_for(case: Case, seed: int, actions: Sequence[int]) -> None:
    """Play to the position and on from there, until time is up; a rule that does not end raises."""
    position, end = case.start(seed), time.thread_time() + LOOKED
    for action in actions:
        position = position.after(action)
    for action in position.legal if sound(position) else ():
        sound(position.after(action))
    number = 0
    while time.thread_time() < end:
        for after in wander(supposed(position, number), random.Random(number), PLIES):
            if time.thread_time() > end or (sound(after) and not after.answers):
                return
        number += 1


def supposed(position: Position, number: int) -> Position:
    """One of the states that the player to move may take the position for."""
    case, player = position.case, position.player
    if not case.game.hidden or position.over:
        return position
    with case.looking_at(position, "determinize"):
        view = case.plain.hide(position.array, player)
        state = case.plain.determinize(view, player, position.stream(number))
    parent, action = position.parent, position.action
    return Position(case, position.seed, parent, action, state, position.dice, depth=position.depth)
