"""Texts of others, from the wire or from a file, as they can be shown in a terminal, on a page, or in a log."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Any

MOST_LETTERS = 40  # of a name
MOST_TOLD = 60  # letters of what is told of anything else


def cleaned(text: str, instead: str = "") -> str:
    """One line of signs that can be seen: no control characters, no marks that turn a line around, no halves of signs.

    >>> cleaned("a\\x1b[2Jb\\nc"), cleaned("a\\ud800\\u202eb", "?")
    ('a[2Jb c', 'a??b')
    """
    return "".join(sign if sign.isprintable() else " " if sign.isspace() else instead for sign in text)


def name_of(text: str) -> str:
    """A name as it can be shown, not too long; empty where nothing is left of it."""
    return " ".join(cleaned(text).split())[:MOST_LETTERS].strip()


def likeness(name: str) -> str:
    """What names have in common that look alike.

    >>> likeness("Straße") == likeness("ＳＴＲＡＳＳＥ")
    True
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def quoted(value: Any) -> str:
    """Any value as Python writes it, short, and in one line."""
    return brief(plain(value, repr))


def brief(value: Any) -> str:
    """What somebody says, as it may be told: one short line without control characters.

    >>> brief("a\\x1b[2Jname\\nof two lines")
    'a?[2Jname of two lines'
    """
    text = cleaned(plain(value, str)[: MOST_TOLD + 1], "?")
    return text if len(text) <= MOST_TOLD else f"{text[:MOST_TOLD]}…"


def plain(value: Any, write: Callable[[Any], str]) -> str:
    try:
        return write(value)
    except ValueError:  # Python does not write down numbers of thousands of digits
        return "a number of thousands of digits"
