"""Where experiments stand, and how their files are read."""

from __future__ import annotations

import pathlib
from typing import Any

from spielbaum.errors import SpielbaumError, unknown
from spielbaum.foreign import read_toml

FOLDER = pathlib.Path(__file__).parent
STUDY = "positions"  # the field that tells a study from matches


def names() -> list[str]:
    """The experiments that come with Spielbaum."""
    return sorted(path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.rglob("*.toml"))


def read(name: str) -> tuple[dict[str, Any], str]:
    """What an experiment's file holds, by its name or by the path of a file of yours, and what the file is called."""
    path = pathlib.Path(name) if name.endswith(".toml") else FOLDER / f"{name}.toml"
    if not path.is_file():
        raise unknown("experiment", name, names())
    return read_toml(path), path.name


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
