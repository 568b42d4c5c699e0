"""Entries of a TOML file with the lines on which they stand, so that an error can name the one that is wrong."""

from __future__ import annotations

import pathlib
import re
import tomllib
from typing import Any, NamedTuple

from spielbaum.errors import GameError, SpielbaumError
from spielbaum.foreign import parse_toml, read_text

HEADER = re.compile(r"\s*\[\[?([\w.-]+)\]\]?")
FIELD = re.compile(r"\s*(\w+)\s*=")
KIND_WORDS = {str: "a text", int: "a whole number", list: "a list"}


class Entry(NamedTuple):
    """One `[[table]]` of a file."""

    values: dict[str, Any]
    lines: dict[str, int]  # of the fields, and of the header under ""
    file: str

    @property
    def key(self) -> str:
        given = self.values.get("key")
        return given if isinstance(given, str) else "an entry without key"

    def wrong(self, field: str, message: str) -> GameError:
        """What to say of a field that is wrong."""
        return GameError(f"{self.file}, line {self.lines.get(field, self.lines[''])}: {self.key} {message}")

    def demand(self, needed: dict[str, type], allowed: dict[str, type]) -> None:
        """Refuse an entry that lacks something, has something unknown, or something of the wrong kind."""
        for field, kind in needed.items():
            if field not in self.values:
                raise self.wrong("", f"needs {field}, {KIND_WORDS[kind]}")
        known = needed | allowed
        for field, value in self.values.items():
            if field not in known:
                raise self.wrong(field, f"has an unknown entry {field!r}; there are {', '.join(known)}")
            if type(value) is not known[field]:
                raise self.wrong(field, f"has {field} = {value!r}; right is {KIND_WORDS[known[field]]}")


def entries(file: pathlib.Path, table: str) -> list[Entry]:
    """All entries of a table, in the order of the file."""
    try:
        text = read_text(file)
        found = parse_toml(text).get(table, [])
    except (SpielbaumError, tomllib.TOMLDecodeError) as error:
        raise GameError(f"{file.name} can't be read: {error}") from None
    if not isinstance(found, list) or not all(isinstance(values, dict) for values in found):
        raise GameError(f"{file.name}: {table} must be written [[{table}]], once for each")
    return [Entry(values, at, file.name) for values, at in zip(found, lines_of(text, table), strict=True)]


def lines_of(text: str, table: str) -> list[dict[str, int]]:
    """Where the entries of a table and their fields stand.

    >>> lines_of('[[one]]\\nkey = "a"\\n\\n[[two]]\\n[[one]]\\nprice = 3', "one")
    [{'': 1, 'key': 2}, {'': 5, 'price': 6}]
    """
    found: list[dict[str, int]] = []
    here: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if header := HEADER.match(line):
            here = {"": number}
            if header[1] == table:
                found.append(here)
        elif field := FIELD.match(line):
            here.setdefault(field[1], number)
    return found
