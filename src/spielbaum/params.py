"""Parameters declared once: name, default, range and one line of help.

The agent syntax, `--help`, forms, tuners and the reference in the docs are all derived from them.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from spielbaum.errors import SpielbaumError, unknown
from spielbaum.text import brief, quoted

Value = bool | int | float | str | None

LARGEST = 2**63 - 1  # that kernels and the store hold
TRUE, FALSE = ("on", "true", "yes", "1"), ("off", "false", "no", "0")


@dataclass(frozen=True)
class Param:
    """One parameter of a game or an agent. Its type is that of its default unless `kind` says so.

    A default of None means that the parameter is off unless set; then `kind` is needed. A tuner varies what says in
    `tune` what is worth trying: a range of numbers, or some values.
    """

    name: str
    default: Value
    help: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] | None = None
    kind: type | None = None
    tune: tuple[Value, ...] | None = None
    """What is worth trying: the two ends of a range, or the choices; of a text that joins words by +, those words."""
    log: bool = False
    """Whether a tuner steps through the range by factors."""
    when: str = ""
    """Where it matters at all: `select=ucb1|puct`; `depth` alone: where that is not 0; `game.science`: with that option
    of the game. See `holds`."""
    file: bool = False
    """Whether it names a file; then a server lets only its owner do so."""

    @property
    def type(self) -> type:
        """The Python type of the parameter's values."""
        return self.kind or type(self.default)

    def allowed(self) -> str:
        """What the parameter takes, in words.

        >>> Param("c", 1.4, "exploration", low=0).allowed()
        'a number from 0'
        """
        if self.choices:
            return " | ".join(self.choices)
        if self.type is bool:
            return "on | off"
        if self.type is str:
            return "text"
        words = "a whole number" if self.type is int else "a number"
        if self.low is not None:
            words += f" from {self.low:g}"
        if self.high is not None:
            words += f" up to {self.high:g}"
        return words

    def parse(self, given: Value) -> Value:
        """The value that `given` (often text) stands for; an error names what is allowed."""
        if given is None and self.default is None:
            return None
        try:
            value = convert(self.type, given)
        except (ValueError, OverflowError):
            raise self.refuse(given) from None
        if self.choices and value not in self.choices:
            raise unknown(f"value of {self.name!r}:", str(value), self.choices)
        if isinstance(value, float) and not math.isfinite(value):
            raise self.refuse(given)
        if isinstance(value, int | float) and not isinstance(value, bool):
            too_low = self.low is not None and value < self.low
            too_high = self.high is not None and value > self.high
            if too_low or too_high:
                raise self.refuse(given)
            if abs(value) > LARGEST:
                raise SpielbaumError(f"{self.name}={brief(given)} is not possible: numbers go up to {LARGEST}")
        return value

    def refuse(self, given: Value) -> SpielbaumError:
        return SpielbaumError(f"{self.name}={brief(given)} is not possible: {self.name} is {self.allowed()}")


def convert(kind: type, given: Value) -> Value:
    """`given` as a `kind`; text as people write it, numbers only where nothing is lost."""
    if kind is str:
        return str(given)
    if kind is bool:
        word = str(given).lower()
        if word not in TRUE + FALSE:
            raise ValueError(word)
        return word in TRUE
    if isinstance(given, bool) or given is None:
        raise ValueError(given)
    number = float(given)
    if kind is float:
        return number
    if number != int(number):
        raise ValueError(given)
    return int(given) if isinstance(given, str) and given.lstrip("+-").isdigit() else int(number)


def whole(given: object) -> int | None:
    """A whole number, also one of NumPy's, as an int; None for anything else, truth values and 2.0 included.

    >>> import numpy as np
    >>> whole(np.int8(3)), whole(2.0), whole(True), whole("3")
    (3, None, None, None)
    """
    try:
        return None if isinstance(given, bool) else operator.index(given)  # type: ignore[arg-type]
    except TypeError:
        return None


def whole_number(what: str, given: object, low: int, high: int) -> int:
    """A whole number of a range that somebody gives in Python; anything else is refused.

    >>> whole_number("seat", 9, 0, 1)
    Traceback (most recent call last):
    spielbaum.errors.SpielbaumError: a seat is a whole number from 0 up to 1, not 9
    """
    number = whole(given)
    if number is None or not low <= number <= high:
        raise SpielbaumError(f"{article(what)} {what} is a whole number from {low} up to {high}, not {quoted(given)}")
    return number


def article(word: str) -> str:
    return "an" if word[0] in "aeiou" else "a"


def written(value: Value) -> str:
    """A value as a specification has it.

    >>> written(True), written(0.5)
    ('on', '0.5')
    """
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, float) else str(value)


def fill(params: Iterable[Param], given: Mapping[str, Value], where: str) -> dict[str, Any]:
    """All parameters with their values, the given ones parsed; unknown names are refused."""
    known = {param.name: param for param in params}
    for name in given:
        if name not in known:
            raise unknown("parameter", name, known, where)
    return {name: param.parse(given[name]) if name in given else param.default for name, param in known.items()}


def holds(when: str, values: Mapping[str, Value]) -> bool:
    """Whether what a parameter's `when` asks for is the case: clauses joined by &, each with alternatives.

    A value that joins several words is any of them.

    >>> holds("select=ucb1|puct", {"select": "puct"}), holds("depth or value=evaluation", {"depth": 0})
    (True, False)
    >>> holds("filter=near-last", {"filter": "greedy+near-last"})
    True
    """

    def met(text: str) -> bool:
        name, equals, wanted = text.strip().partition("=")
        value = values.get(name)
        if not equals:
            return bool(value)
        words = {str(value), *re.split(r"[+/*]", str(value))}
        return bool(words & set(wanted.split("|")))

    return not when or all(any(map(met, clause.split(" or "))) for clause in when.split(" & "))


def parse_assignments(texts: Iterable[str], form: str = "key=value") -> dict[str, Value]:
    """`["board=7x6", "rows=1"]` as a dictionary; each text once, each with an equals sign."""
    values: dict[str, Value] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        name = name.strip()
        if not equals or not name:
            raise SpielbaumError(f"{text!r} is not of the form {form}")
        if name in values:
            raise SpielbaumError(f"{name!r} is given twice")
        values[name] = value.strip()
    return values
