"""Networks in files: `.npz` with the weights, a version, the game's name and a digest of what the net sees.

A net for one board is none for another: the options that it was trained with are in the file, and a digest of how the
game begins with them. With other options it plays as long as the game begins in the same way.

A name without a folder is one of the nets that come with the game, `games/GAME/nets/NAME.npz`.
"""

from __future__ import annotations

import functools
import hashlib
import io
import json
import pathlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from spielbaum.atomic_write import write_whole
from spielbaum.compile.digest import plain_source, python_function, reachable, references, repr_of
from spielbaum.errors import SpielbaumError, unknown
from spielbaum.foreign import MOST_ARRAYS, parse_json, read_arrays, version
from spielbaum.game import Game
from spielbaum.networks.net import WEIGHTS, Weights, heads
from spielbaum.text import brief

VERSION = 1
SUFFIX = ".npz"
FACTS = ("version", "game", "features", "size")
OF_OPTIONS = ("options", "start")  # facts that the first files do not have
LARGEST = float(np.finfo(np.float32).max)


def features_digest(game: Game) -> str:
    """A digest of what a net of the game sees: the rule `features`, all that it uses, and the numbers of actions."""
    parts = [str((game.module.FEATURES, game.module.ACTION_CODES, game.module.PLAYERS))]
    for thing in reachable([game.module.features]):
        function = python_function(thing)
        assert function is not None
        plain = sorted(repr_of(value) for value in references(function) if is_plain(value))
        parts.append(f"{function.__qualname__}: {plain_source(function)} {plain}")
    return hashlib.sha256("\n".join(sorted(parts)).encode()).hexdigest()[:12]


def start_digest(game: Game) -> str:
    """A digest of what there is to see and to do at the beginning, whoever begins."""
    state, out = game.new(0), np.zeros(game.module.FEATURES, np.int64)
    seen = {
        int(feature)
        for player in range(game.players)
        for feature in out[: game.tell("features", s=state.record, player=player, out=out)]
    }
    return hashlib.sha256(str((game.players, sorted(seen), len(state.actions))).encode()).hexdigest()[:12]


def is_plain(value: Any) -> bool:
    return isinstance(value, bool | int | float | tuple | np.ndarray | np.generic)


def save(path: pathlib.Path, game: Game, size: str, weights: Mapping[str, np.ndarray]) -> None:
    """Write a net; whoever reads meanwhile finds the one before."""
    facts = {"version": VERSION, "game": game.name, "features": features_digest(game), "size": size}
    facts |= {"options": json.dumps(game.options), "start": start_digest(game)}
    content: dict[str, Any] = {name: np.array(fact) for name, fact in facts.items()} | dict(weights)
    packed = io.BytesIO()
    np.savez_compressed(packed, **content)
    try:
        write_whole(path, packed.getvalue())
    except OSError as error:
        raise SpielbaumError(f"the net {path} can't be written: {error.strerror or error}") from None


def shipped(game: Game) -> dict[str, pathlib.Path]:
    """The nets that come with a game."""
    folder = pathlib.Path(game.module.__file__ or "").parent / "nets"
    return {path.stem: path for path in sorted(folder.glob(f"*{SUFFIX}"))}


def find(name: str, game: Game) -> pathlib.Path:
    """The file of a net: one that comes with the game, or a path."""
    known = shipped(game)
    if name in known:
        return known[name]
    if not name.endswith(SUFFIX):
        hint = f"a net of yours goes by its file, NAME{SUFFIX}"
        raise SpielbaumError(f"{unknown('net', name, list(known), game.name)}; {hint}")
    return pathlib.Path(name)


def load(name: str, game: Game) -> Weights:
    """The weights of a net for a game; one that does not fit is refused."""
    path = find(name, game)
    return read(path, version(path, MOST_ARRAYS), game)


@functools.lru_cache(maxsize=16)
def read(path: pathlib.Path, _changed: int, game: Game) -> Weights:
    found = read_arrays(path, "net")
    missing = [name for name in (*FACTS, *WEIGHTS) if name not in found]
    if missing:
        raise SpielbaumError(f"{path} is no net: it has no {missing[0]!r}")
    check(path, found, game)
    return {name: np.ascontiguousarray(found[name], np.float32) for name in WEIGHTS}


def check(path: pathlib.Path, found: Mapping[str, np.ndarray], game: Game) -> None:
    """Refuse a net for another game, for other features, or of other shapes than it says."""
    from spielbaum.networks.net import shapes

    for fact in (*FACTS, *(fact for fact in OF_OPTIONS if fact in found)):
        if found[fact].shape != ():
            raise SpielbaumError(f"{path} is no net: its {fact!r} is not one value")
    written, name, features, size = (found[fact].item() for fact in FACTS)
    if written != VERSION:
        raise SpielbaumError(f"{path} is a net of version {brief(written)}; this Spielbaum reads version {VERSION}")
    if name != game.name:
        raise SpielbaumError(f"{path} is a net for {brief(name)}, not for {game.name}")
    if features != features_digest(game):
        raise SpielbaumError(f"{path} was trained on other features than {game.name} has now; train it anew")
    if "start" in found and found["start"].item() != start_digest(game):
        raise SpielbaumError(f"{path} was trained on another {game.name}: {deviations(path, found, game)}")
    for part, shape in shapes(game, str(size)).items():
        if found[part].shape != shape:
            raise SpielbaumError(f"{path} is no net: {part} is {found[part].shape}, not {shape}")
        if found[part].dtype.kind != "f" or not (np.abs(found[part]) <= LARGEST).all():
            raise SpielbaumError(f"{path} is no net: {part} holds numbers that are none")
    assert found["value"].shape[0] == heads(game)


def deviations(path: pathlib.Path, found: Mapping[str, np.ndarray], game: Game) -> str:
    """In which options a net's game differs from the one that is to be played."""
    trained = parse_json(str(found["options"].item()) if "options" in found else "", f"'options' of {path}")
    if not isinstance(trained, dict):
        raise SpielbaumError(f"{path} is no net: its 'options' are none")
    names = [name for name, value in game.options.items() if trained.get(name) != value]
    was, now = ({name: values.get(name) for name in names} for values in (trained, game.options))
    return f"with {assignments(was)}, not with {assignments(now)}"


def assignments(options: Mapping[str, Any]) -> str:
    """Options as they are typed."""
    return ", ".join(f"{name}={'its default' if value is None else brief(value)}" for name, value in options.items())
