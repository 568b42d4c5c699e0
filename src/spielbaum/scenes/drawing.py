"""A position as data for the browser: calls the drawing functions of a game and checks what they return.

A game that draws nothing is shown as its text with its moves as buttons, so that every game can be played.
What a seat may not see is hidden before the game's own code gets to draw it.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import pathlib
import re
from collections.abc import Iterable, Iterator
from typing import Any

from spielbaum.compile.errors import position
from spielbaum.errors import GameError
from spielbaum.game import Game, State
from spielbaum.scenes.scene import MOST_STEPS, Backdrop, Gesture, Scene, validated

Json = dict[str, Any]


def words(game: Game, name: str) -> Any:
    """A declared name or help text in the reader's languages, as far as the game translates it."""
    return declared(game, "WORDS", {}).get(name, name)


def declared(game: Game, constant: str, default: Any) -> Any:
    """A constant of the game, or what it returns if it is a function, such as one that reads a file only when asked."""
    given = getattr(game.module, constant, default)
    return game.tell(constant) if callable(given) else given


@functools.lru_cache(maxsize=256)
def backdrop(game: Game) -> Json | None:
    """What stays the same during a game; None for a game that draws nothing."""
    if not game.has("backdrop"):
        return None
    with told_where(game, "backdrop"):
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

    `moves` (players and actions) and the position `before` the last of them are given where all of it may be known;
    `history` are the actions alone, where the position knows them, in previews and in rules as well.
    """
    game = state.game
    seen = state.copy() if seat is None else state.view(seat)
    if not game.has("scene"):
        return as_text(str(seen))
    where = f"{game.name}: scene"
    told = {"moves": moves, "before": None if before is None else before.copy().record, "history": seen.history}
    with told_where(game, "scene"):
        drawn = validated(Scene, game.tell("scene", s=seen.record, seat=seat, **told), where)
        unknown = symbols_of(drawn) - standing_names(game)[1]
        if unknown:
            raise GameError(f"{where}: there is no symbol {min(unknown)!r}")
        nowhere = grounds_of(drawn) - standing_names(game)[0] - names_of(drawn.get("layers", []))
        if nowhere:
            raise GameError(f"{where}: something stands on {min(nowhere)!r}, and there is no such shape")
        unreal = unexplained(drawn) - standing_names(game)[0] - names_of(drawn.get("layers", []))
        if unreal:
            raise GameError(f"{where}: why nothing can be done at {min(unreal)!r} is told, and there is no such shape")
    return drawn


def as_text(text: str) -> Json:
    """A scene that is a text."""
    return {"panels": [{"id": "position", "mono": True, "text": text}]}


@contextlib.contextmanager
def told_where(game: Game, hook: str) -> Iterator[None]:
    """Say in which file and line the function begins whose answer is refused."""
    try:
        yield
    except GameError as error:
        code = getattr(inspect.unwrap(getattr(game.module, hook)), "__code__", None)
        if error.__cause__ is not None or code is None:  # what was raised is told with its own place
            raise
        raise GameError(f"{error} ({position(code, code.co_firstlineno)})") from None


def gesture(state: State, action: int) -> Json:
    """How the player to move makes a move; the state must show what that player may know."""
    return completed(state.game, *hands(state, [action], state.player)[0])


def hands(state: State, actions: list[int], player: int) -> list[tuple[int, Json]]:
    """What the game says about how a player makes each of some moves: steps, or fields that have a label at least."""
    if state.game.has("every_gesture"):
        given = given_at_once(state, actions, player)
    elif state.game.has("gesture"):
        given = state.game.tell_each("gesture", actions, s=state.record, player=player)
    else:
        given = [None] * len(actions)
    found = [each if isinstance(each, dict) else {"steps": each or []} for each in given]
    unnamed = [number for number, fields in enumerate(found) if "label" not in fields]
    for number, label in zip(unnamed, state.formats([actions[number] for number in unnamed]), strict=True):
        found[number] = {"label": label, **found[number]}
    return list(zip(actions, found, strict=True))


def given_at_once(state: State, actions: list[int], player: int) -> list[Any]:
    """What a game says about all of some moves that it is asked of together."""
    given = state.game.tell("every_gesture", actions=actions, s=state.record, player=player)
    if not isinstance(given, list) or len(given) != len(actions):
        found = f"{len(given)} of them" if isinstance(given, list) else repr(given)[:60]
        with told_where(state.game, "every_gesture"):
            raise GameError(f"{state.game.name}: every_gesture: {len(actions)} are asked for in a list, not {found}")
    return given


def completed(game: Game, action: int, fields: Json) -> Json:
    """A gesture with everything that an author may leave out."""
    return validated(Gesture, {**fields, "action": action}, f"{game.name}: gesture of {fields['label']}")


def gestures(state: State, drawn: Json) -> list[Json]:
    """How each legal move is made on a scene that was drawn of this state.

    The game's own code gets a view to draw from. Where that hides nothing more, the state knows what is legal already.
    """
    game, player = state.game, state.player
    shown = state.view(player)
    is_open = state.viewer == player or not (game.hidden or game.simultaneous)
    standing, symbols = standing_names(state.game)
    known = standing | names_of(drawn.get("layers", []))
    found = []
    for action, fields in hands(shown, state.actions if is_open else shown.actions, player):
        if is_plain(fields, known, symbols):  # thousands of moves may be legal: checked one by one they take long
            found.append({"action": action, "steps": fields["steps"], **fields})
        else:
            found.append(completed(state.game, action, fields))
            refuse_unknown(state.game, found[-1], known, symbols)
    return found


def is_plain(fields: Json, known: frozenset[str], symbols: frozenset[str]) -> bool:
    """Whether a gesture is texts and shapes that are there, so that nothing else needs to be checked."""
    steps = fields.get("steps")
    if type(steps) is not list or not 0 < len(steps) <= MOST_STEPS or not fields.keys() <= PLAIN:
        return False
    try:
        return (
            known.issuperset(steps)
            and is_text(fields["label"])
            and is_text(fields.get("group", ""))
            and is_text(fields.get("note", ""))
            and type(fields.get("rank", 0)) is int
            and ("symbol" not in fields or fields["symbol"] in symbols)
        )
    except TypeError:  # a step or a symbol that is no name
        return False


def is_text(given: Any) -> bool:
    if type(given) is not dict:
        return type(given) is str
    return len(given) == 2 and next(iter(given)) == "en" and type(given["en"]) is type(given.get("de")) is str


PLAIN = {"steps", "label", "group", "note", "symbol", "rank"}
"""Fields of a gesture that are seen to be right."""


def packed(gestures: list[Json]) -> Json:
    """Gestures for sending: the names, groups and symbols of moves with a note, and the notes, stand in lists, once."""
    choices: dict[tuple[int, int, str | None], tuple[int, Json]] = {}
    notes: dict[int, tuple[int, Any]] = {}
    short = []
    for gesture in gestures:
        if "note" in gesture:  # of thousands of moves, many share their texts, which are told apart by where they lie
            name = id(gesture["label"]), id(gesture.get("group")), gesture.get("symbol")
            if name not in choices:
                choices[name] = len(choices), {field: gesture[field] for field in SHARED if field in gesture}
            note = notes.setdefault(id(gesture["note"]), (len(notes), gesture["note"]))
            rest = {field: given for field, given in gesture.items() if field not in SHARED}
            gesture = {**rest, "choice": choices[name][0], "note": note[0]}
        short.append(gesture)
    shared = {"choices": [each for _, each in choices.values()], "notes": [each for _, each in notes.values()]}
    return {**shared, "gestures": short}


SHARED = ("label", "group", "symbol")


def refuse_unknown(game: Game, gesture: Json, known: frozenset[str], symbols: frozenset[str]) -> None:
    hook = "every_gesture" if game.has("every_gesture") else "gesture"
    missing = [f"shape {step!r}" for step in gesture["steps"] if step.partition(":")[0] not in known]
    missing += [f"symbol {name!r}" for name in (gesture.get("symbol"),) if name is not None and name not in symbols]
    if missing:
        with told_where(game, hook):
            raise GameError(f"{game.name}: gesture of {gesture['label']}: there is no {missing[0]}")


def told(state: State, mover: int, action: int) -> list[Json | None]:
    """What each seat learns of a move when it has been made: all of it, a part, or nothing (None)."""
    game = state.game
    whole = completed(game, *hands(state.view(mover), [action], mover)[0])
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
    fields = {"label": given} if is_label else given if isinstance(given, dict) else {"steps": given or []}
    return completed(game, action, {"label": state.format(action), **fields}) | {"action": None}


def names_of(layers: Iterable[Json]) -> set[str]:
    """What gestures may name on some layers: shapes with an id, and bitmaps."""
    names = set()
    for layer in layers:
        if layer.get("kind") == "bitmap":
            names.add(layer["name"])
        names.update(shape["id"] for shape in layer.get("shapes", []) if "id" in shape)
    return names


def grounds_of(drawn: Json) -> set[str]:
    """What the shapes of a scene say they stand on: shapes, or bitmaps with a cell of theirs."""
    shapes = [shape for layer in drawn.get("layers", []) for shape in layer.get("shapes", [])]
    return {shape["on"].partition(":")[0] for shape in shapes if "on" in shape}


def unexplained(drawn: Json) -> set[str]:
    """The places of which a scene says why nothing can be done there: shapes, or bitmaps with a cell of theirs."""
    return {place.partition(":")[0] for reason in drawn.get("why", []) for place in reason["places"]}


def symbols_of(drawn: Json) -> set[str]:
    """The symbols that a scene uses."""
    shapes = [shape for layer in drawn.get("layers", []) for shape in layer.get("shapes", [])]
    items = [item for panel in drawn.get("panels", []) for item in panel.get("items", [])]
    return {thing["symbol"] for thing in (*shapes, *items) if "symbol" in thing}
