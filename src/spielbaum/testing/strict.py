"""States that refuse what does not fit, for rules as Python runs them.

NumPy stores a wide number into a narrow field without a word, and so does machine code: 200 becomes -56 in an int8. A
strict state raises there, so that the line is told. Arithmetic that wraps is raised by NumPy itself, see `overflow`.
"""

from __future__ import annotations

import contextlib
import functools
from typing import Any

import numpy as np

ADVICE = "; convert before computing, such as int(s.small) + 1, or declare the field wider"


def overflow() -> contextlib.AbstractContextManager[Any]:
    """Arithmetic on NumPy's integers that wraps around raises meanwhile."""
    return np.errstate(all="ignore", over="raise")


def overflow_words(error: BaseException) -> str | None:
    """What went wrong where a number did not fit; None where something else did."""
    text = str(error)
    if isinstance(error, FloatingPointError) and "overflow" in text:
        return f"wraps around in NumPy's {text.rpartition(' ')[2]} of narrow or unsigned integers{ADVICE}"
    if isinstance(error, Misfit) or (isinstance(error, OverflowError) and "out of bounds for" in text):
        return f"stores a number that does not fit: {text}{ADVICE}"
    return None


class Misfit(Exception):
    """A number does not fit where a rule stores it."""


class Fitting(np.ndarray):
    """An array of integers that refuses numbers which it can't hold."""

    def __setitem__(self, index: Any, value: Any) -> None:
        fit(value, self.dtype)
        super().__setitem__(index, value)


def fit(value: Any, kind: np.dtype, field: str = "an array") -> None:
    """Refuse whole numbers that a kind of integer can't hold."""
    if isinstance(value, np.ndarray):
        whole = value.dtype.kind in "iu" and value.size > 0
        smallest, largest = (value.min(), value.max()) if whole else (0, 0)
    else:
        smallest = largest = value if isinstance(value, int | np.integer) else 0
    low, high = limits(kind)
    for number in (int(smallest), int(largest)):
        if not low <= number <= high:
            raise Misfit(f"{number} in {field} of {kind.name}, which goes from {low} up to {high}")


@functools.cache
def limits(kind: np.dtype) -> tuple[int, int]:
    """The smallest and the largest number of a kind of integer."""
    return int(np.iinfo(kind).min), int(np.iinfo(kind).max)


def strict(state: np.ndarray) -> np.ndarray:
    """The same memory, where what does not fit is refused."""
    return state.view(strict_record(state.dtype))


@functools.cache
def strict_record(dtype: np.dtype) -> np.dtype:
    """The same record with a property for each field that checks what is stored; records in records do not."""
    names = dtype.names or ()
    if any(dtype[name].base.names for name in names):
        return dtype
    fields = {name: strict_field(name, dtype[name]) for name in names}
    plain = {
        "__getattribute__": object.__getattribute__,
        "__setattr__": object.__setattr__,
        "__getitem__": np.void.__getitem__,
    }
    return np.dtype((type("record", (np.record,), fields | plain), dtype))


def strict_field(name: str, kind: np.dtype) -> property:
    integers = kind.base.kind in "iu"

    def read(record: Any) -> Any:
        value = np.void.__getitem__(record, name)
        return value.view(Fitting) if integers and kind.shape else value

    def write(record: Any, value: Any) -> None:
        if integers:
            fit(value, kind.base, f"the field {name}")
        np.void.__setitem__(record, name, value)

    return property(read, write)
