"""The laws on which the others rest: there is somebody to play, something to play, and one outcome."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np

from spielbaum.rules import random_stream
from spielbaum.testing.case import CHOICES, Position
from spielbaum.testing.kernels import laws as template
from spielbaum.testing.laws.law import Law, law, seat
from spielbaum.testing.words import close, listed, repeated, same, two

LITTER = (0x00, 0x7F)  # bytes of scratch that nobody has written to: zeros, and large numbers of any width
LITTERED = 8  # actions that are tried with them
OTHER_DICE = 4  # how many other dice a game without chance must not care about


halts = Law("halts", "Every rule comes to an end.")


@law("legal-play", "Playing any legal action works, and so does looking at what comes of it.", stops=True)
def legal_play(position: Position) -> str | None:
    if position.trouble:
        raise position.trouble
    if position.over:
        position.case.plain.look(position.array)  # asks for the results
    return None


@law("player", "Whose decision it is, is one of the players or TERMINAL.", stops=True)
def player(position: Position) -> str | None:
    players = position.case.game.players
    if position.over or 0 <= position.player < players:
        return None
    return f"player answers {position.player}, not 0 … {players - 1} or TERMINAL"


@law("some", "While the game goes on there is a legal action.", stops=True)
def some(position: Position) -> str | None:
    if position.over or position.survey[1] > 0:
        return None
    return f"{seat(position, position.player)} is to play but actions offers none"


@law("range", "At most MAX_ACTIONS legal actions, with codes from 0 to ACTION_CODES - 1.", stops=True)
def within_range(position: Position) -> str | None:
    most, codes = position.case.game.module.MAX_ACTIONS, position.case.game.module.ACTION_CODES
    if position.survey[1] > most:
        return f"actions offers {position.survey[1]} actions, MAX_ACTIONS is {most}"
    outside = [code for code in position.legal if not 0 <= code < codes]
    return f"actions offers the code {outside[0]}, ACTION_CODES is {codes}" if outside else None


@law("distinct", "No legal action is offered twice.", stops=True)
def distinct(position: Position) -> str | None:
    twice = repeated(position.legal)
    return None if twice is None else f"actions offers the code {twice} twice"


FOUNDATIONS = (legal_play, player, some, within_range, distinct)


def sound(position: Position) -> bool:
    """Whether the game is over here or can go on: somebody has legal actions, as promised."""
    return all(law.breach(position) is None for law in FOUNDATIONS)


def wander(start: Position, rng: random.Random, plies: int) -> Iterator[Position]:
    """The positions of random play, as far as they are sound and for a number of plies at most."""
    position = start
    for _ in range(plies):
        if not sound(position) or position.over:
            return
        position = position.after(rng.choice(position.legal))
        yield position


@law("hooks", "Every optional rule of the game can be asked about any position.", stops=True)
def answers(position: Position) -> str | None:
    assert position.answers  # or one of them has raised
    return None


@law("no-leak", "Only start, play, hide, determinize and playout change a state, and none the tables.", stops=True)
def no_leak(position: Position) -> str | None:
    plain, array = position.case.plain, position.array
    laws, results = plain.kernels.link(template), np.zeros(position.case.game.module.PLAYERS)
    questions = [
        (laws.survey, (plain.buffer(),)),
        (laws.answer, plain.questions(position.legal, position.stream())),
        (plain.kernels.game_api.look, (plain.buffer(), results)),
    ]
    for kernel, arguments in questions:
        after = plain.run(kernel, array, *arguments)[0]
        if not same(after, array):
            locked = array.copy()
            locked.setflags(write=False)
            plain.call(kernel, locked, *arguments)  # raises, and so tells which rule it is
            return f"looking at the position makes it {two(array, after)}"
    return None


@law("scratch", "What was in the scratch before changes no answer.", needs="SCRATCH", stops=True)
def scratch(position: Position) -> str | None:
    if not position.thorough:
        return None
    clean, littered = (said_with(position, litter) for litter in LITTER)
    for before, after, action in zip(clean[0], littered[0], position.legal, strict=False):
        if not same(before, after):
            return f"play gives {two(before, after)} after {position.move(action)} where the scratch was another before"
    if clean[1] != littered[1]:
        return f"actions gives {listed(clean[1][2])} or {listed(littered[1][2])} where the scratch was another before"
    for hook, answer in clean[2].items():
        if not close(answer, littered[2][hook]):
            return f"{hook} gives other answers where the scratch was another before"
    return None


def said_with(
    position: Position, litter: int
) -> tuple[list[np.ndarray], tuple[int, int, list[int]], dict[str, np.ndarray]]:
    """What some actions lead to, who may do what, and what the hooks say, with this in the scratch before each."""
    plain = position.case.plain
    plain.litter = litter
    try:
        after = [plain.advance(position.array, position.dice, action)[0] for action in position.legal[:LITTERED]]
        return after, plain.survey(position.array), plain.answers(position.array, position.legal, position.stream())
    finally:
        plain.litter = None


@law("determinism", "An action has one outcome for given dice, and for any dice unless CHANCE is set.", stops=True)
def determinism(position: Position) -> str | None:
    plain, before = position.case.plain, position.parent
    if before is None:
        again = plain.start_game(position.seed)[0]
        return None if same(again, position.array) else f"start gives {two(position.array, again)} with the same seed"
    assert position.action is not None
    again = plain.advance(before.array, before.dice, position.action)[0]
    if not same(again, position.array):
        return f"play gives {two(position.array, again)} with the same dice"
    for number in range(0 if position.case.game.chance else OTHER_DICE):
        other = plain.advance(before.array, random_stream(CHOICES, number), position.action)[0]
        if not same(other, position.array):
            return f"play gives {two(position.array, other)} with other dice, but CHANCE is not set"
    return None
