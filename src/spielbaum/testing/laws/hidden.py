"""Hidden information: what a player may not see stays unseen, and what it has seen stays true.

Which parts of a state are secret, only the game knows: it tells by `determinize`, which gives states
that differ in nothing but what the player can't see. So a secret that `hide` shows is found when
`determinize` fills it in; where both agree to leave it alone, it counts as public.
"""

from __future__ import annotations

import collections
import random
from collections.abc import Callable

import numpy as np

from spielbaum.testing.case import Case, Position
from spielbaum.testing.laws.foundations import FOUNDATIONS, wander
from spielbaum.testing.laws.law import law, seat, viewers
from spielbaum.testing.words import difference, listed, same, two

GUESSES = 6  # how often `determinize` is asked about one view
PLIES = 500  # how long random play goes on after it
DEALS, OPENING = 400, 4  # games, and plies of each, in which states are gathered that lie behind the same view
SEEN = 20  # how often each of those must have been seen, on average, for another one to be impossible


@law("hide", "What a player may not see looks the same to it whatever it is.", needs="hide", stops=True)
def hide(position: Position) -> str | None:
    plain, case = position.case.plain, position.case
    for number in viewers(position):
        view, name = plain.hide(position.array, number), seat(position, number)
        case.hid_something |= not same(view, position.array)
        if number in case.game.sees_all and not same(view, position.array):
            return f"{name} is in SEES_ALL, but hide changes {two(position.array, view)} for it"
        twice = plain.hide(view, number)
        if not same(twice, view):
            return f"hiding from {name} what is already hidden changes {two(view, twice)}"
        reason = other_moves(position, view, number)
        if reason:
            return f"in what {name} sees, {reason}"
        if case.game.has("copy_hidden") and not same(position.array, uncovered(position, view)):
            return f"copy_hidden does not bring back {two(position.array, uncovered(position, view))} for {name}"
        looks = [plain.hide(guess, number) for guess in guesses(position, view, number)]
        for look in looks[1:]:
            if not same(look, looks[0]):
                return (
                    f"{name} sees {two(looks[0], look)} in states that differ only in what it can't see:"
                    " hide must blank this, or determinize must leave it alone"
                )
    return None


@law("determinize", "With the blanks filled in, a player sees the same and the game goes on.", needs="determinize")
def determinize(position: Position) -> str | None:
    for number in viewers(position):
        view, name = position.case.plain.hide(position.array, number), seat(position, number)
        for guess in guesses(position, view, number):
            position.case.filled_something |= not same(guess, view)
            look = position.case.plain.hide(guess, number)
            if not same(look, view):
                return f"{name} has seen {two(view, look)} once determinize has filled the blanks"
            reason = other_moves(position, guess, number)
            if reason:
                return f"once determinize has filled the blanks for {name}, {reason}"
        reason = dead_end(position, guess) if number == position.depth % position.case.game.players else None
        if reason:
            return f"once determinize has filled the blanks for {name}, {reason}"
    return None


@law("likelihood", "What others did has a likelihood up to 1, above 0 where it was done.", needs="likelihood")
def likelihood(position: Position) -> str | None:
    for number in viewers(position):
        value = float(position.case.ask("likelihood", position.array, player=number))
        if not 0.0 < value <= 1.0:
            return f"what others than {seat(position, number)} did has the likelihood {value:g} in the true position"
    return None


def uncovered(position: Position, view: np.ndarray) -> np.ndarray:
    """A view with what `hide` has blanked copied back."""
    whole = view.copy()
    position.case.game.rules.copy_hidden(position.case.plain.context, position.array.copy()[0], whole[0])
    return whole


def guesses(position: Position, view: np.ndarray, number: int) -> list[np.ndarray]:
    """States that may be behind a player's view."""
    plain = position.case.plain
    return [plain.determinize(view, number, position.stream(guess)) for guess in range(GUESSES)]


def other_moves(position: Position, state: np.ndarray, number: int) -> str | None:
    """How whose turn it is and the player's own moves differ in a state that should have the same ones."""
    in_rounds = position.case.game.simultaneous
    if in_rounds and number != position.player:
        return None  # as a player sees it, the player is asked first
    who = position.case.plain.survey(state)[0] if in_rounds else int(position.case.ask("player", state))
    if who != position.player:
        return f"player answers {who}, not {position.player}"
    if who != number:
        return None  # what others may do need not be known
    legal = position.case.plain.survey(state)[2]
    if sorted(legal) != sorted(position.legal):
        return f"the legal actions are {listed(legal)}, not {listed(position.legal)}"
    for code in legal:
        seen, name = position.case.name(state, code), position.case.name(position.array, code)
        if seen != name:
            return f"a move is called {seen!r}, not {name!r}"
    return None


def dead_end(position: Position, state: np.ndarray) -> str | None:
    """What random play from a state runs into, where the game itself runs into nothing but its end."""
    if not (position.thorough and position.case.playable):
        return None
    start = Position(position.case, position.seed, None, None, state, position.dice)
    last = [start, *wander(start, random.Random(position.depth), PLIES)][-1]
    for foundation in FOUNDATIONS:
        broken = foundation.breach(last)
        if broken:
            return f"play goes on to break the law {broken[0]}: {broken[1]}"
    return None


def contradiction(case: Case, seed: int, over: Callable[[], bool]) -> tuple[Position, str] | None:
    """A state that `determinize` makes of a view and that never lies behind it, because the player knows better.

    What a player knows, only play can tell: where each of the states behind a view has come up many times, there is
    no other. In large games none comes up twice, and nothing can be said.
    """
    behind: dict[tuple[int, bytes], collections.Counter[bytes]] = collections.defaultdict(collections.Counter)
    examples: dict[tuple[int, bytes], Position] = {}
    for number in range(DEALS):
        start = case.start(seed + number)
        for position in [start, *wander(start, random.Random(seed + number), OPENING)]:
            for viewer in range(case.game.players) if position.trouble is None else ():
                known = viewer, case.plain.hide(position.array, viewer).tobytes()
                behind[known][position.array.tobytes()] += 1
                examples.setdefault(known, position)
        if over():
            break
    for known, states in behind.items():
        if states.total() >= SEEN * max(3, len(states)):
            position, viewer = examples[known], known[0]
            for guess in guesses(position, case.plain.hide(position.array, viewer), viewer):
                if guess.tobytes() not in states:
                    filled = f"determinize fills the blanks for {seat(position, viewer)} with {words(position, guess)}"
                    return position, f"{filled}, which lies behind what it sees in none of {states.total()} games"
    return None


def words(position: Position, guess: np.ndarray) -> str:
    """Where a guess differs from the state that it was made for."""
    place, _, value = difference(position.array[0], guess[0])
    return f"{place} = {value}"
