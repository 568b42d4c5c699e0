"""What a network sees: numbers that it has weights for, nothing that is hidden, and the same from every side.

Whether a layer that is kept is right shows only in a row of positions: all that are judged are valued one after the
other, by the same net with random weights.

No rule makes the mirrored image of a position. So symmetries are judged by what they do to all features and all
actions, and by play: where the first position is its own image, symmetric moves lead to symmetric positions. A move
that is the only one may have any code: what there is no choice about is not a matter of sides.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from spielbaum.testing.case import Position
from spielbaum.testing.laws.hidden import guesses
from spielbaum.testing.laws.law import law, seat
from spielbaum.testing.words import listed, repeated


@law(
    "features",
    "A network sees distinct features from 0 to FEATURES - 1, and nothing that is hidden from the player.",
    needs="features",
    stops=True,
)
def features(position: Position) -> str | None:
    for number in range(position.case.game.players):
        reason = unusable(position, number) or seen_through(position, number)
        if reason:
            return reason
    return None


def unusable(position: Position, number: int) -> str | None:
    """Why a network could not add up the features of a player."""
    most, count = position.case.game.module.FEATURES, int(position.answers["counts"][number])
    if not 0 <= count <= most:
        return f"features says that {seat(position, number)} sees {count} of them, FEATURES is {most}"
    active = visible_features(position, number)
    outside = [feature for feature in active if not 0 <= feature < most]
    if outside:
        return f"features gives {seat(position, number)} the feature {outside[0]}, FEATURES is {most}"
    twice = repeated(active)
    return None if twice is None else f"features gives {seat(position, number)} the feature {twice} twice"


def seen_through(position: Position, number: int) -> str | None:
    """How a player's features differ between the position and what the player may take it for."""
    active = sorted(visible_features(position, number))
    for which, state in looking_the_same(position, number):
        others = sorted(asked(position, state, number))
        if others != active:
            return f"features gives {seat(position, number)} {listed(active)}, but {listed(others)} in {which}"
    return None


def looking_the_same(position: Position, number: int) -> Iterator[tuple[str, np.ndarray]]:
    """States that look to a player as the position does, and what they are."""
    case = position.case
    if case.game.hidden or case.game.simultaneous:
        view = case.plain.hide(position.array, number)
        yield "what it sees", view
        if case.game.hidden:
            yield from (("another state that looks the same to it", state) for state in guesses(position, view, number))


def visible_features(position: Position, number: int) -> list[int]:
    """The active features of a player."""
    found: list[int] = position.answers["features"][number, : position.answers["counts"][number]].tolist()
    return found


def asked(position: Position, state: np.ndarray, number: int) -> list[int]:
    """The active features of a player in another state."""
    out = np.full(position.answers["features"].shape[1], -1)
    count = position.case.ask("features", state, player=number, out=out)
    return [int(feature) for feature in out[:count]]


@law(
    "incremental",
    "A network whose first layer is kept from position to position says what it says of each of them alone.",
    needs="features",
    compiled=True,
)
def incremental(position: Position) -> str | None:
    if position.over:
        return None
    kept, anew = position.case.valued(position.array)
    for number in range(position.case.game.players):
        if kept[number] != anew[number]:
            told = f"{kept[number]:.6f} when its first layer is kept, {anew[number]:.6f} when it is not"
            return f"for {seat(position, number)} a network says {told}"
    return None


@law(
    "planes",
    "The planes of a network hold finite numbers, and nothing that is hidden from the player.",
    needs="planes",
    stops=True,
)
def planes(position: Position) -> str | None:
    for number, drawn in enumerate(position.answers["planes"]):
        wrong = np.argwhere(~np.isfinite(drawn))
        if len(wrong):
            place = tuple(wrong[0].tolist())
            return f"planes gives {seat(position, number)} {drawn[place]} at {place}"
        for which, state in looking_the_same(position, number):
            others = np.zeros_like(drawn)
            position.case.ask("planes", state, player=number, out=others)
            if not np.array_equal(drawn, others):
                place = tuple(np.argwhere(drawn != others)[0].tolist())
                told = f"planes gives {seat(position, number)} {drawn[place]:g} at {place}"
                return f"{told}, but {others[place]:g} in {which}"
    return None


@law(
    "symmetry",
    "Symmetries map features and actions one to one, and symmetric moves lead to symmetric positions.",
    needs="symmetry",
    stops=True,
)
def symmetry(position: Position) -> str | None:
    game, (of_features, of_actions) = position.case.game, position.case.plain.symmetries
    if position.parent is None:
        reason = no_permutation("symmetry", "feature", of_features)
        reason = reason or no_permutation("symmetric_action", "action", of_actions)
        if reason:
            return reason
    if not position.thorough or game.chance:
        return None
    for which in range(1, game.module.SYMMETRIES):
        if is_image(position.line()[0], position.line()[0], which):
            reason = broken_image(position, which)
            if reason:
                return f"by symmetry {which} {reason}"
    return None


def no_permutation(rule: str, what: str, images: np.ndarray) -> str | None:
    """Why the images of some numbers are not the same numbers in another order, or for 0 in the same."""
    for which, image in enumerate(images.tolist()):
        for number, place in enumerate(image):
            if not 0 <= place < len(image):
                return f"{rule}({which}, …) makes {place} of {what} {number}, outside of 0 … {len(image) - 1}"
            if which == 0 and place != number:
                return f"{rule}(0, …) must leave everything as it is, but makes {place} of {what} {number}"
        twice = repeated(image)
        if twice is not None:
            one, other = [number for number, place in enumerate(image) if place == twice][:2]
            return f"{rule}({which}, …) makes {twice} of {what} {one} and of {what} {other}"
    return None


def is_image(position: Position, twin: Position, which: int) -> bool:
    """Whether every player sees in a position the image of what it sees in another one."""
    return all(
        image(position, q, which) == sorted(visible_features(twin, q)) for q in range(position.case.game.players)
    )


def image(position: Position, number: int, which: int) -> list[int]:
    """The images of what a player sees."""
    return sorted(position.case.plain.symmetries[0][which][visible_features(position, number)].tolist())


def broken_image(position: Position, which: int) -> str | None:
    """How the game with symmetric moves is not the image of the game."""
    images = position.case.plain.symmetries[1][which]
    twin = position.case.start(position.seed)
    for action in images[position.actions].tolist():
        forced = len(twin.legal) == 1
        if action not in twin.legal and not forced:
            return f"the image of {listed(position.actions)} is {listed(twin.actions)} and then {action}, not legal"
        twin = twin.after(twin.legal[0] if forced else action)
        if twin.trouble:
            raise twin.trouble
    moves = f"after {listed(twin.actions) or 'no moves'}, the image of this game,"
    if twin.player != position.player:
        return f"{moves} player answers {twin.player}, not {position.player}"
    legal, expected = sorted(twin.legal), sorted(images[position.legal].tolist())
    if legal != expected and not len(legal) == len(expected) == 1:
        return f"{moves} the legal actions are {listed(legal)}, the images of the legal ones {listed(expected)}"
    for number in range(position.case.game.players):
        sees, expected = sorted(visible_features(twin, number)), image(position, number, which)
        if sees != expected:
            return f"{moves} {seat(position, number)} sees {listed(sees)}, not {listed(expected)}"
    return None
