"""What a position means: its result, its key, its name for each move, its picture."""

from __future__ import annotations

import math

from spielbaum.testing.case import Position
from spielbaum.testing.laws.law import law, seat, viewers
from spielbaum.testing.words import close, repeated, without_key

TYPED = 4  # names that are read back at each position


@law("returns", "At the end every player has a finite result from -1 to 1, and teams share theirs.")
def results(position: Position) -> str | None:
    if not position.over:
        return None
    result = position.case.plain.look(position.array)[2]
    for number, value in enumerate(result):
        name = seat(position, number)
        if math.isnan(value):
            return f"returns gives {name} no result, or one that is no number"
        if not -1.0 <= value <= 1.0:
            return f"returns gives {name} {value:g}"
        for other in range(number):
            if position.case.game.teams[other] == position.case.game.teams[number] and result[other] != value:
                return f"returns gives {name} {value:g} but {seat(position, other)} of the same team {result[other]:g}"
    return None


@law("key", "Equal positions have equal keys; positions with different futures have different ones.", needs="key")
def key(position: Position) -> str | None:
    case, now = position.case, int(position.answers["key"][0])
    if case.game.has("recompute_key"):
        fresh = int(case.ask("recompute_key", position.array))
        if fresh != now:
            return f"the key is {now:#018x}, computed anew it is {fresh:#018x}"
    twin = case.twins.setdefault(without_key(position.array), position)
    if int(twin.answers["key"][0]) != now:
        return f"the position is the same as {reached(twin)}, but its key is another"
    holder = case.holders.setdefault(now, position)
    if (holder.player, sorted(holder.legal)) != (position.player, sorted(position.legal)):
        return f"the key is the same as {reached(holder)}, but the player or the legal actions are others"
    if position.over and not close(case.plain.look(position.array)[2], case.plain.look(holder.array)[2]):
        return f"the key is the same as {reached(holder)}, but the result is another"
    return None


@law("render", "Every state can be shown, and so can what each player sees of it.", needs="render")
def render(position: Position) -> str | None:
    views = [position.case.plain.hide(position.array, number) for number in viewers(position)]
    for state, history in ((position.array, position.actions), *((view, None) for view in views)):
        if not str(position.case.ask("render", state, history=history)).strip():
            return "render shows nothing"
    return None


@law("scene", "Each player's view can be drawn, and every legal action made by hand.", needs="scene", compiled=True)
def scene(position: Position) -> str | None:
    from spielbaum.scenes import drawing

    state = position.state()
    for number in range(position.case.game.players):
        drawn = drawing.scene(state, number)
        if number == position.player:
            made = [(tuple(gesture["steps"]), str(gesture["label"])) for gesture in drawing.gestures(state, drawn)]
            if repeated(map(str, made)) is not None:
                return "two legal actions have the same steps and the same label"
    return None


@law("notation", "Legal actions have distinct names, and a name is read as the action it stands for.", compiled=True)
def notation(position: Position) -> str | None:
    names = [position.case.name(position.array, code) for code in position.legal]
    twice = repeated(name.lower() for name in names)
    if twice is not None:
        return f"two legal actions are called {twice!r} (upper and lower case count as the same)"
    state = position.state()
    for name, code in zip(names[:TYPED], position.legal, strict=False):
        if " ".join(name.split()) != name or state.parse(name) != code:
            return f"the name {name!r} can't be typed: it has needless spaces"
    return None


def reached(position: Position) -> str:
    """How a position came about."""
    return f"after {' '.join(position.moves)}" if position.actions else "at the start"
