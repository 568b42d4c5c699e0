"""Agents that somebody has named in a file, `spielbaum.toml` in the folder where one works:

    [agents.connect-four]
    mine = "mcts:c=0.8"
    patient = "mine:iterations=20000"

A table stands for a game, by its name or by the path of its file from where this one lies. An agent may be based on
one of the game's own or on another of the file. `SPIELBAUM_TOML` names another file.

Kinds of agents in Python, for games that are somebody else's, stand in files that it names, each as a game would name
them in `AGENT_TYPES`:

    [agent_types]
    connect-four = "players.py"

Only who may write this file can name one: a specification has no way to.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import pathlib
import re
import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from spielbaum.agents.specs import parse
from spielbaum.atomic_write import write_whole
from spielbaum.errors import SpielbaumError, unknown
from spielbaum.foreign import parse_toml, read_text
from spielbaum.game import Game, load
from spielbaum.game import names as built_in
from spielbaum.text import brief

FILE, VARIABLE = "spielbaum.toml", "SPIELBAUM_TOML"
NAME = re.compile(r"[^\W_][\w-]*")
NO_NAME = "is no name for an agent: it takes letters, digits and -, and begins with a letter or digit"
BARE = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True)
class Named:
    """An agent of the file: what it is called, what that stands for, and where it says so."""

    name: str
    spec: str
    where: str  # `spielbaum.toml:3`


def location() -> pathlib.Path:
    """The file of named agents: $SPIELBAUM_TOML, or `spielbaum.toml` in the present folder."""
    return pathlib.Path(os.environ.get(VARIABLE) or FILE)


def agents_in(game: Game, taken: Collection[str], path: pathlib.Path | None = None) -> dict[str, Named]:
    """The agents that the file names for a game; none of them may have a name that is `taken`."""
    path = path or location()
    return read(game, taken, path, text_of(path))


def agent_types_file(game: Game, path: pathlib.Path | None = None) -> pathlib.Path | None:
    """The file with further agent_types of agents for a game, where one is named."""
    path = path or location()
    text = text_of(path)
    checked(path, text)
    files: dict[str, str] = tomllib.loads(text).get("agent_types", {})
    return next((path.parent / files[key] for key in files if is_table_of(key, game, path)), None)


def read(game: Game, taken: Collection[str], path: pathlib.Path, text: str) -> dict[str, Named]:
    """The agents that a file with this text names for a game."""
    tables = checked(path, text)
    found: dict[str, Named] = {}
    for key in tables:
        if is_table_of(key, game, path):
            for name, spec in tables[key].items():
                place = Location(path, text, ("agents", key, name))
                if name in taken:
                    raise place.error(f"{name!r} is an agent of {game.name} already; choose another name")
                if name in found:
                    raise place.error(f"{name!r} is given twice for {game.name}; choose another name")
                found[name] = Named(name, spec, str(place))
    for named in found.values():
        refuse_circle(named, found)
    return found


def refuse_circle(named: Named, found: dict[str, Named]) -> None:
    """An agent can't be based on itself, at once or by way of others."""
    way = [named.name]
    while (basis := parse(found[way[-1]].spec)[0]) in found:
        way.append(basis)
        if basis == named.name:
            circle = " -> ".join(way)
            raise SpielbaumError(f"{named.where}: {circle} is a circle; one of them must be based on another agent")
        if basis in way[:-1]:
            return  # a circle of others, which is told where it is theirs


# --- reading ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Location:
    """Where something stands in the file: the names of its tables and its key."""

    path: pathlib.Path
    text: str
    keys: tuple[str, ...]

    @property
    def line(self) -> int:
        return line_of(self.text, self.keys)

    def error(self, told: str) -> SpielbaumError:
        return SpielbaumError(f"{self}: {told}")

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


@functools.lru_cache(maxsize=256)
def line_of(text: str, keys: tuple[str, ...]) -> int:
    """The first line up to which a text has a key; Python's reader of TOML tells no lines.

    Only lines that name it can be the one, and a value of several lines ends at a later one.
    """
    lines = text.splitlines(keepends=True)
    named = (number for number, line in enumerate(lines, 1) if keys[-1] in line)
    return next((number for number in named if has(first_lines(lines, number), keys)), 1)


def first_lines(lines: list[str], number: int) -> dict[str, Any]:
    """What a file holds up to the end of a line, or of the value that goes on there."""
    for end in range(number, len(lines) + 1):
        try:
            return parse_toml("".join(lines[:end]))
        except tomllib.TOMLDecodeError:
            continue
    return {}


def has(data: Any, keys: tuple[str, ...]) -> bool:
    for key in keys:
        if not isinstance(data, dict) or key not in data:
            return False
        data = data[key]
    return True


def text_of(path: pathlib.Path) -> str:
    """The file's text; none where there is no file, unless it was asked for by name."""
    if path.exists():
        return read_text(path)
    if VARIABLE not in os.environ or path != location():
        return ""
    raise SpielbaumError(f"there is no file {str(path)!r}, which {VARIABLE} names; create it, or unset it")


@functools.lru_cache(maxsize=8)
def checked(path: pathlib.Path, text: str) -> dict[str, dict[str, str]]:
    """The tables of the games, as they are written; what does not belong there is refused."""
    try:
        data = parse_toml(text)
    except tomllib.TOMLDecodeError as error:
        raise broken(path, text, error) from None
    for key in data:
        if key not in ("agents", "agent_types"):
            raise Location(path, text, (key,)).error(
                f'unknown key {key!r}; agents stand as name = "agent" in [agents.GAME], files in [agent_types]'
            )
    check_agent_types(path, text, data.get("agent_types", {}))
    tables = data.get("agents", {})
    if not isinstance(tables, dict):
        raise Location(path, text, ("agents",)).error("'agents' has tables of games, such as [agents.connect-four]")
    for key, table in tables.items():
        check_table(path, text, key, table)
    return tables


def broken(path: pathlib.Path, text: str, error: tomllib.TOMLDecodeError) -> SpielbaumError:
    told = str(error)
    found = re.search(r" \(at line (\d+), column \d+\)$", told)
    line = int(found[1]) if found else len(text.splitlines())
    return SpielbaumError(
        f'{path}:{line}: this is not TOML: {told[: found.start()] if found else told}; an agent is name = "mcts:c=0.8"'
    )


def check_agent_types(path: pathlib.Path, text: str, files: Any) -> None:
    """Refuse games and files that do not exist."""
    if not isinstance(files, dict):
        raise Location(path, text, ("agent_types",)).error(
            "'agent_types' has a line for each game, such as connect-four = \"players.py\""
        )
    for key, file in files.items():
        place = Location(path, text, ("agent_types", key))
        check_game(place, path, key)
        if not isinstance(file, str) or not (path.parent / file).is_file():
            raise place.error(f'{key} needs a Python file beside {path.name}, such as "players.py", not {file!r}')


def check_game(place: Location, path: pathlib.Path, key: str) -> None:
    """Refuse a game that does not exist."""
    if not is_file_name(key) and key.replace("_", "-") not in built_in():
        hint = 'a game of yours goes by its file, as in [agents."mine.py"]'
        raise place.error(f"{unknown('game', key, built_in())}; {hint}")
    if is_file_name(key) and not (path.parent / key).exists():
        raise place.error(f"there is no game file {key!r} beside {path.name}")


def check_table(path: pathlib.Path, text: str, key: str, table: Any) -> None:
    """Refuse a game that does not exist, and agents that are no agents."""
    place = Location(path, text, ("agents", key))
    check_game(place, path, key)
    if not isinstance(table, dict):
        raise place.error(f"{key!r} is a game: its agents stand in a table [agents.{quoted(key)}]")
    for name, spec in table.items():
        place = Location(path, text, ("agents", key, name))
        if not NAME.fullmatch(name):
            raise place.error(f"{name!r} {NO_NAME}")
        if not isinstance(spec, str):
            raise place.error(f'{name} must be a text such as "mcts:c=0.8", not {brief(repr(spec))}')
        try:
            parse(spec)
        except SpielbaumError as error:
            raise place.error(str(error)) from None


def is_file_name(key: str) -> bool:
    """Whether a game is named by its file, as `load` tells it."""
    return key.endswith(".py") or "/" in key or "\\" in key


def is_table_of(key: str, game: Game, path: pathlib.Path) -> bool:
    if not is_file_name(key):
        return game.module.__name__.startswith("spielbaum.games.") and key.replace("_", "-") == game.name
    file, named = pathlib.Path(game.module.__file__ or "").resolve(), (path.parent / key).resolve()
    return named in (file, file.parent if file.name == "__init__.py" else file)


# --- writing ------------------------------------------------------------------------------------


def write(name: str, game: str, spec: str, path: pathlib.Path | None = None) -> pathlib.Path:
    """Name an agent of a game (a name, or the path of its file) in the file, which else stays as it is.

    What was called so before is no more. Another writer sees the file as it was or as it is, never half of it.
    """
    from spielbaum.agents.registry import resolve  # which reads what is written here

    path, played = path or location(), load(game)
    require_free(name, played)
    if parse(spec)[0] == name:
        raise SpielbaumError(f"{name!r} can't be based on itself; give what it stands for")
    resolve(spec, played)
    text = text_of(path) if path.exists() else ""
    found = read(played, (), path, text)
    key = next((key for key in checked(path, text) if is_table_of(key, played, path)), key_of(played, path))
    refuse_circle(Named(name, spec, str(path)), {**found, name: Named(name, spec, str(path))})
    write_whole(path, edited(text, key, name, spec).encode())
    return path


def require_free(name: str, game: Game) -> None:
    """Refuse what can't be the name of an agent in the file."""
    from spielbaum.agents.registry import names_taken

    if not NAME.fullmatch(name):
        raise SpielbaumError(f"{name!r} {NO_NAME}")
    if name in names_taken(game):
        raise SpielbaumError(f"{name!r} is an agent of {game.name} already; choose another name")


def key_of(game: Game, path: pathlib.Path) -> str:
    """What the file calls a game: its name, or where its file is from there."""
    if game.module.__name__.startswith("spielbaum.games."):
        return game.name
    file = pathlib.Path(game.module.__file__ or "").resolve()
    target = file.parent if file.name == "__init__.py" else file
    relative = os.path.relpath(target, path.parent.resolve()).replace(os.sep, "/")
    return relative if is_file_name(relative) else f"./{relative}"


def edited(text: str, key: str, name: str, spec: str) -> str:
    """The text with an agent in it: its value changed, a line more in its table, or a table more; all else stays."""
    import tomlkit  # of the extra `tune`: nothing else writes the file

    whole = text if text.endswith("\n") or not text else f"{text}\n"
    document = tomlkit.parse(whole)
    tables: Any = document.get("agents", {})
    if name in tables.get(key, ()):
        tables[key][name] = spec
    elif key in tables:
        add_last(tables[key], name, spec)
    else:
        appended = f"{whole}{whole and chr(10)}{tomlkit.dumps({'agents': {key: {name: spec}}})}"
        with contextlib.suppress(tomllib.TOMLDecodeError):  # where all agents are one value, no table can follow
            parse_toml(appended)
            return appended
        tables[key] = {name: spec}
    return tomlkit.dumps(document)


def add_last(table: Any, name: str, spec: str) -> None:
    """Add a line to a table of tomlkit, before the comments that stand above the next table."""
    body = table.value.body
    behind = list(itertools.takewhile(lambda item: item[0] is None, reversed(body)))
    del body[len(body) - len(behind) :]
    table[name] = spec
    for _, item in reversed(behind):
        table.add(item)


def quoted(key: str) -> str:
    """A key as TOML writes it."""
    return key if BARE.fullmatch(key) else toml(key)


def toml(text: str) -> str:
    """A string as TOML writes it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
