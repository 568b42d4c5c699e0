"""A position as data for the browser: calls the drawing functions of a game and checks what they return.

A game that draws nothing is shown as its text with its moves as buttons, so that every game can be played.
What a seat may not see is hidden before the game's own code gets to draw it.
"""

from __future__ import annotations

import functools
import pathlib
import re
from collections.abc import Iterable
from typing import Any

from spielbaum.errors import GameError
from spielbaum.game import Game, State
from spielbaum.web.scene import Backdrop, Gesture, Scene, validated

Json = dict[str, Any]


def words(game: Game, name: str) -> Any:
    """A declared name or help text in the reader's languages, as far as the game translates it."""
    return getattr(game.module, "WORDS", {}).get(name, name)


@functools.lru_cache(maxsize=256)
def backdrop(game: Game) -> Json | None:
    """What stays the same during a game; None for a game that draws nothing."""
    if not game.has("backdrop"):
        return None
    return validated(Backdrop, game.tell("backdrop"), f"{game.name}: backdrop")


@functools.lru_cache(maxsize=256)
def artwork(game: Game) -> str | None:
    """The SVG file with the game's symbols."""
    path = getattr(game.module, "SYMBOLS", None)
    return None if path is None else pathlib.Path(path).read_text("utf-8")


@functools.lru_cache(maxsize=256)
def standing_names(game: Game) -> tuple[frozenset[str], frozenset[str]]:
    """The shapes of the backdrop that gestures may name, and the symbols that shapes may use."""
    drawn = backdrop(game) or {}
    symbols = [*drawn.get("symbols", {}), *re.findall(r'<symbol[^>]*\bid="([^"]+)"', artwork(game) or "")]
    return frozenset(names_of(drawn.get("layers", []))), frozenset(symbols)


def scene(
    state: State, seat: int | None, moves: list[tuple[int, int]] | None = None, before: State | None = None
) -> Json:
    """The position as a seat sees it, None for everything.

    `moves` (players and actions) and the position `before` the last of them are given where all of it may be known.
    """
    game = state.game
    seen = state.copy() if seat is None else state.view(seat)
    if not game.has("scene"):
        return {"panels": [{"id": "position", "mono": True, "text": str(seen)}]}
    where = f"{game.name}: scene"
    told = {"moves": moves, "before": None if before is None else before.copy().record}
    drawn = validated(Scene, game.tell("scene", s=seen.record, seat=seat, **told), where)
    unknown = symbols_of(drawn) - standing_names(game)[1]
    if unknown:
        raise GameError(f"{where}: there is no symbol {min(unknown)!r}")
    return drawn


def gesture(state: State, action: int) -> Json:
    """How the player to move makes a move; the state must show what that player may know."""
    game, given = state.game, None
    if game.has("gesture"):
        given = game.tell("gesture", s=state.record, action=action, player=state.player)
    return completed(state, action, given)


def completed(state: State, action: int, given: Any) -> Json:
    """A gesture with everything that an author may leave out."""
    fields = given if isinstance(given, dict) else {"steps": given or []}
    where = f"{state.game.name}: gesture of {state.format(action)}"
    return validated(Gesture, {"label": state.format(action), **fields, "action": action}, where)


def gestures(state: State, drawn: Json) -> list[Json]:
    """How each legal move is made on a scene that was drawn of this state."""
    shown = state.view(state.player)
    found = [gesture(shown, action) for action in shown.actions]
    known = standing_names(state.game)[0] | names_of(drawn.get("layers", []))
    for each in found:
        for step in each["steps"]:
            if step.partition(":")[0] not in known:
                raise GameError(f"{state.game.name}: gesture of {each['label']}: there is no shape {step!r}")
    return found


def told(state: State, mover: int, action: int) -> list[Json | None]:
    """What each seat learns of a move when it has been made: all of it, a part, or nothing (None)."""
    game = state.game
    whole = gesture(state.view(mover), action)
    if not game.hidden:
        return [whole] * game.players
    return [whole if seat == mover else told_to(state, mover, action, seat) for seat in range(game.players)]


def told_to(state: State, mover: int, action: int, seat: int) -> Json | None:
    """What another seat learns of a move in a game that hides: what the game tells."""
    game = state.game
    if not game.has("tell"):
        return None
    given = game.tell("tell", s=state.copy().record, action=action, player=mover, seat=seat)
    if given is None:
        return None
    is_label = isinstance(given, str) or (isinstance(given, dict) and "en" in given)
    return completed(state, action, {"label": given} if is_label else given) | {"action": None}


def names_of(layers: Iterable[Json]) -> set[str]:
    """What gestures may name on some layers: shapes with an id, and bitmaps."""
    names = set()
    for layer in layers:
        if layer.get("kind") == "bitmap":
            names.add(layer["name"])
        names.update(shape["id"] for shape in layer.get("shapes", []) if "id" in shape)
    return names


def symbols_of(drawn: Json) -> set[str]:
    """The symbols that a scene uses."""
    shapes = [shape for layer in drawn.get("layers", []) for shape in layer.get("shapes", [])]
    items = [item for panel in drawn.get("panels", []) for item in panel.get("items", [])]
    return {thing["symbol"] for thing in (*shapes, *items) if "symbol" in thing}
