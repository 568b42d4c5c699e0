"""Drawing that never fails: where a game's own drawing raises, its text and its moves as buttons are shown.

Drawing functions are other people's code, which may fail in the middle of a game. The author is told where, by file and
line; the log has the traceback.
"""

from __future__ import annotations

import logging
import os
import pathlib
from collections.abc import Callable

from spielbaum.errors import GameError
from spielbaum.game import Game, State
from spielbaum.scenes import drawing
from spielbaum.scenes.drawing import Json

log = logging.getLogger(__name__)


def shown(
    state: State,
    viewer: int | None,
    asked: State | None,
    moves: list[tuple[int, int]] | None = None,
    before: State | None = None,
) -> tuple[Json, list[Json], str | None]:
    """The scene for a seat, the gestures of whoever is to move, and why they are not the game's own, if so."""
    try:
        drawn = drawing.scene(state, viewer, moves, before)
        return drawn, [] if asked is None else drawing.gestures(asked, drawn), None
    except GameError as error:
        buttons = [] if asked is None else [button(asked, action) for action in asked.actions]
        return text(state, viewer), buttons, log_failure(state.game, error)


def scene(state: State, viewer: int | None) -> Json:
    """The position as a seat sees it."""
    return shown(state, viewer, None)[0]


def gesture(state: State, action: int) -> Json:
    """How a move is made."""
    try:
        return drawing.gesture(state, action)
    except GameError as error:
        log_failure(state.game, error)
        return button(state, action)


def move_views(state: State, mover: int, action: int) -> list[Json | None]:
    """What each seat learns of a move; where it can't be told to others, nothing that they may not know."""
    try:
        return drawing.told(state, mover, action)
    except GameError as error:
        log_failure(state.game, error)
        game = state.game
        return [button(state, action) if seat == mover or not game.hidden else None for seat in range(game.players)]


def text(state: State, viewer: int | None) -> Json:
    view = state.copy() if viewer is None else state.view(viewer)
    fields = view.game.module.STATE.names or ()
    return drawing.as_text(
        otherwise(lambda: str(view), "\n".join(f"{field}: {view.record[field]}" for field in fields))
    )


def button(state: State, action: int) -> Json:
    return {"action": action, "steps": [], "label": otherwise(lambda: state.format(action), str(action))}


def otherwise(ask: Callable[[], str], instead: str) -> str:
    try:
        return ask()
    except GameError:
        return instead


def log_failure(game: Game, error: GameError) -> str:
    """Log why a drawing failed, and return it for the page."""
    log.error("a game can't be drawn", exc_info=error, extra={"facts": {"game": game.name}})
    return without_folder(str(error), pathlib.Path(game.module.__file__ or ""))


def without_folder(message: str, file: pathlib.Path) -> str:
    """A message that names files as the author does, without where they lie on the server.

    >>> without_folder("no such file: '/home/ada/games/board.svg'", pathlib.Path("/home/ada/games/mine.py"))
    "no such file: 'board.svg'"
    """
    return message.replace(f"{file.parent}{os.sep}", "")
