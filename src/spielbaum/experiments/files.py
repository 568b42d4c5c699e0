"""Where experiments stand, and how their files are read."""

from __future__ import annotations

import pathlib
import re
from typing import Any

from spielbaum.errors import SpielbaumError, unknown
from spielbaum.foreign import read_toml

FOLDER = pathlib.Path(__file__).parent
RENAMED = FOLDER / "renamed.toml"  # names that experiments had, or that their source has, and what they are called here
STUDY = "positions"  # the field that tells a study from matches
NUMBER = re.compile(r"(\d+)\.(\d+)")


def names() -> list[str]:
    """The experiments that come with Spielbaum, by their game and number."""
    found = (path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.glob("*/*.toml"))
    return sorted(found, key=by_number)


def by_number(name: str) -> list[tuple[int, str]]:
    """A key that sorts numbers within names as numbers.

    >>> sorted(["a/7.10", "a/7.2", "a/levels"], key=by_number)
    ['a/7.2', 'a/7.10', 'a/levels']
    """
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)]


def read(name: str) -> tuple[dict[str, Any], str]:
    """What an experiment's file holds, by its name or by the path of a file of yours, and what the file is called."""
    path = pathlib.Path(name) if name.endswith(".toml") else FOLDER / f"{name}.toml"
    if not path.is_file() or path == RENAMED:
        raise missing(name)
    return read_toml(path), path.name


def renamed() -> dict[str, str]:
    """What experiments are called now, by the names they had before."""
    return read_toml(RENAMED)


def missing(name: str) -> SpielbaumError:
    """The error for an experiment that is not there: its new name, the nearest number, or the nearest name."""
    if name in renamed():
        return SpielbaumError(f"unknown experiment {name!r}; it is {renamed()[name]!r} now")
    if (near := nearest_number(name, names())) is not None:
        return SpielbaumError(f"unknown experiment {name!r}; did you mean {near!r}?")
    return unknown("experiment", name, names())


def nearest_number(name: str, known: list[str]) -> str | None:
    """The experiment of the same folder whose number is nearest; None for what has no number.

    >>> nearest_number("a/7.9", ["a/4.1", "a/7.1", "a/7.10", "b/7.9"])
    'a/7.10'
    """
    folder, _, given = name.rpartition("/")
    numbers = {
        each: tuple(map(int, found.groups()))
        for each in known
        if each.startswith(f"{folder}/") and (found := NUMBER.match(each.rpartition("/")[2]))
    }
    wanted = NUMBER.fullmatch(given)
    if wanted is None or not numbers:
        return None
    chapter, number = map(int, wanted.groups())
    return min(numbers, key=lambda each: (abs(numbers[each][0] - chapter), abs(numbers[each][1] - number)))


def is_study(name: str) -> bool:
    """Whether an experiment studies positions; otherwise it is played."""
    return STUDY in read(name)[0]


def has(name: str, field: str) -> bool:
    """Whether an experiment's file has a field, which tells what it is: `surfaces`, or the `sizes` of an evolution."""
    return field in read(name)[0]


def require(data: dict[str, Any], known: set[str], needed: set[str], where: str) -> None:
    """Refuse what nobody would read, and what is missing."""
    for name in data:
        if name not in known:
            raise unknown("field", name, sorted(known), where)
    for name in sorted(needed - set(data)):
        raise SpielbaumError(f"{where} needs {name!r}")
