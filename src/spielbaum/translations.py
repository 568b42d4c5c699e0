"""The texts of a game in English and German, in one file that a translator can edit.

    [words]  # what the game declares elsewhere, in English: its title, seats, options, agents and their help
    "rows" = "Reihen"
    about = { en = "Three in a row win.", de = "Drei in einer Reihe gewinnen." }

    [scene]  # what its drawings say
    "column {letter}" = "Spalte {letter}"

    [[rules]]  # the sections of the page with the rules
    title = { en = "Goal", de = "Ziel" }
    text.en = "…"
    text.de = "…"
    figure.moves = ["a1", "b2"]
    figure.caption = { en = "…", de = "…" }

An entry is `"English" = "German"`, or a key with both languages where the English is not the key. Each part may be
missing. The file is read when the first text is asked for, so that a game that nobody looks at loads as fast without.
"""

from __future__ import annotations

import functools
import pathlib
import re
import string
from collections.abc import Iterable
from typing import Any

from spielbaum.errors import GameError, SpielbaumError, nearest
from spielbaum.foreign import read_toml

Text = dict[str, str]
"""The same text by language: `en` and `de`."""

LANGUAGES = ("en", "de")
PARTS = ("words", "scene", "rules")
SECTION = {"title", "text", "figure"}


class Translations:
    """The texts of one file; `texts["captured"]` is a text of `[scene]` in both languages.

    A file that is no TOML, or in which a language is missing, raises a GameError of one line when it is read.
    """

    def __init__(self, file: str | pathlib.Path):
        self.file = pathlib.Path(file)

    def __getitem__(self, key: str) -> Text:
        try:
            return self._scene[key]
        except KeyError:
            raise self._wrong(f"[scene] has no {key!r}{nearest(key, self._scene)}") from None

    def format(self, key: str, **values: Any) -> Text:
        """A text of `[scene]` with its `{names}` filled in; a value may be a text in both languages itself."""
        return filled(self[key], **values)

    def words(self) -> dict[str, Text]:
        """Translations of what the game declares, for its `WORDS`."""
        return self._words

    def scene(self) -> dict[str, Text]:
        """What its drawings say, by key."""
        return self._scene

    def rules(self) -> list[dict[str, Any]]:
        """The sections of the rules, for its `RULES`; lines may be broken anywhere, as in Markdown."""
        return self._rules

    def _wrong(self, message: str) -> GameError:
        return GameError(f"{self.file.name}: {message}")

    @functools.cached_property
    def _parts(self) -> dict[str, Any]:
        try:
            found = read_toml(self.file)
        except SpielbaumError as error:
            raise GameError(str(error)) from None
        for part in found:
            if part not in PARTS:
                raise self._wrong(f"there is no part {part!r}; right are [words], [scene] and [[rules]]")
        return found

    @functools.cached_property
    def _words(self) -> dict[str, Text]:
        return self._table("words")

    @functools.cached_property
    def _scene(self) -> dict[str, Text]:
        found = self._table("scene")
        for key, text in found.items():
            try:
                same = fields(text["en"]) == fields(text["de"])
            except ValueError:
                raise self._wrong(f"[scene] {key!r} has a brace without its other") from None
            if not same:
                raise self._wrong(f"[scene] {key!r} needs the same {{names}} in both languages")
        return found

    @functools.cached_property
    def _rules(self) -> list[dict[str, Any]]:
        given = self._parts.get("rules", [])
        if not isinstance(given, list) or not all(isinstance(section, dict) for section in given):
            raise self._wrong("rules must be written [[rules]], once for each section")
        return [self._section(f"[[rules]] {number}", section) for number, section in enumerate(given, 1)]

    def _table(self, part: str) -> dict[str, Text]:
        """A part that is a table; a string is the German for its key."""
        found = self._parts.get(part, {})
        if not isinstance(found, dict):
            raise self._wrong(f"{part} must be a table, written [{part}]")
        both = {key: {"en": key, "de": given} if isinstance(given, str) else given for key, given in found.items()}
        return {key: self._text(f"[{part}] {key!r}", given) for key, given in both.items()}

    def _section(self, where: str, given: dict[str, Any]) -> dict[str, Any]:
        if unknown := given.keys() - SECTION:
            raise self._wrong(f"{where} has an unknown {min(unknown)!r}; right are title, text, figure")
        title, text = (self._text(f"{where}, {field}", given.get(field)) for field in ("title", "text"))
        section: dict[str, Any] = {"title": title, "text": {lang: unwrapped(said) for lang, said in text.items()}}
        if "figure" in given:
            if not isinstance(given["figure"], dict):
                raise self._wrong(f"{where}, figure must be a table")
            caption = self._text(f"{where}, figure.caption", given["figure"].get("caption"))
            section["figure"] = {**given["figure"], "caption": caption}
        return section

    def _text(self, where: str, given: Any) -> Text:
        """A text that has both languages, and no other."""
        if not isinstance(given, dict) or not all(is_told(given.get(language)) for language in LANGUAGES):
            raise self._wrong(f"{where} needs a text in English and German, en and de")
        if unknown := given.keys() - set(LANGUAGES):
            raise self._wrong(f"{where} has an unknown language {min(unknown)!r}; right are en and de")
        return {language: given[language] for language in LANGUAGES}


def filled(text: Text, **values: Any) -> Text:
    """A text with its `{names}` filled in; a value may be a text in both languages itself."""
    return {
        language: said.format(**{name: in_language(value, language) for name, value in values.items()})
        for language, said in text.items()
    }


def joined(separator: str, texts: Iterable[Text]) -> Text:
    """Some texts as one, in both languages."""
    found = list(texts)
    return {language: separator.join(text[language] for text in found) for language in LANGUAGES}


def is_told(given: Any) -> bool:
    return isinstance(given, str) and given != ""


def in_language(value: Any, language: str) -> Any:
    return value[language] if isinstance(value, dict) else value


def fields(text: str) -> set[str | None]:
    """The `{names}` in a text."""
    return {name for _, name, _, _ in string.Formatter().parse(text)} - {None}


def unwrapped(text: str) -> str:
    """A text with one line for each paragraph and each item of a list, wherever its lines were broken.

    >>> unwrapped("One\\nparagraph.\\n\\n- An\\nitem\\n- another\\n")
    'One paragraph.\\n\\n- An item\\n- another'
    """
    return re.sub(r"(?<!\n)\n(?!\n|- )", " ", text.strip())
