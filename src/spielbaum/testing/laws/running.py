"""How the rules run: compiled as interpreted, again as before, and to an end."""

from __future__ import annotations

import numpy as np

from spielbaum.testing.case import Machine, Position
from spielbaum.testing.laws.law import Law, law, viewers
from spielbaum.testing.words import close, same, two

SYMMETRIC = ("symmetry", "symmetric_action")


@law("compiled", "The compiled rules say the same as the interpreted ones.", stops=True, compiled=True)
def compiled(position: Position) -> str | None:
    plain, machine, before = position.case.plain, position.case.compiled, position.parent
    if before is None:
        array, dice = machine.start_game(position.seed)
    else:
        assert position.action is not None
        array, dice = machine.advance(before.array, before.dice, position.action)
    if not same(array, position.array):
        return f"{'play' if before else 'start'} gives {two(array, position.array, 'compiled', 'interpreted')}"
    if not np.array_equal(dice, position.dice):
        return f"{'play' if before else 'start'} draws other random numbers compiled than interpreted"
    for hook, left, right in zip(("player", "actions", "returns"), machine.look(array), plain.look(array), strict=True):
        if not close(left, right):
            return f"{hook} gives {left} compiled, {right} interpreted"
    answers = machine.answers(array, position.legal, position.stream())
    for hook, right in position.answers.items():
        if not close(answers[hook], right):
            return f"{hook} gives {answers[hook].tolist()} compiled, {right.tolist()} interpreted"
    if before is None and position.case.game.has("symmetry"):
        for hook, left, right in zip(SYMMETRIC, machine.symmetries, plain.symmetries, strict=True):
            if not close(left, right):
                return f"{hook} answers differently compiled and interpreted"
    return views_differ(position, machine, plain)


def views_differ(position: Position, machine: Machine, plain: Machine) -> str | None:
    """How hide or determinize differ between two machines."""
    for number in viewers(position):
        left, right = machine.hide(position.array, number), plain.hide(position.array, number)
        if not same(left, right):
            return f"hide gives {two(left, right, 'compiled', 'interpreted')}"
        left = machine.determinize(right, number, position.stream())
        right = plain.determinize(right, number, position.stream())
        if not same(left, right):
            return f"determinize gives {two(left, right, 'compiled', 'interpreted')}"
    return None


@law("replay", "The same seed and the same actions give the same game, and a copy goes on by itself.", compiled=True)
def replay(position: Position) -> str | None:
    if not position.thorough:
        return None
    again = position.case.game.play_all(position.actions, position.seed)
    if not same(again.array, position.array):
        return f"playing the same again gives {two(position.array, again.array)}"
    if position.over:
        return None
    original, copy = again, again.copy()
    copy.play(position.legal[0])
    if not same(original.array, position.array):
        return f"playing on with a copy changes the original: {two(position.array, original.array)}"
    original.play(position.legal[0])
    if not same(original.array, copy.array):
        return f"a copy goes on differently: {two(original.array, copy.array)}"
    return None


@law("ends", "Random play comes to an end, and not only after a search has cut it off.", compiled=True)
def ends(position: Position) -> str | None:
    return position.endless or None


processes = Law("processes", "A new process without the compiler plays the same games to the same states.")
