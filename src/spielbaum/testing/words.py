"""States compared, and what was found put into words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

CLOSE = 1e-9  # compiled and interpreted numbers may differ in their last bits


def same(left: np.ndarray, right: np.ndarray) -> bool:
    """Whether two states are equal, byte by byte."""
    return left.tobytes() == right.tobytes()


def close(left: object, right: object) -> bool:
    """Whether two answers agree: exactly, or to the last bits where they are not whole numbers."""
    one, other = np.asarray(left), np.asarray(right)
    if one.shape != other.shape:
        return False
    if one.dtype.kind != "f":
        return bool(np.array_equal(one, other))
    return bool(np.allclose(one, other, rtol=CLOSE, atol=CLOSE, equal_nan=True))


def two(left: np.ndarray, right: np.ndarray, first: str = "", second: str = "") -> str:
    """The first place at which two states differ, with both values.

    >>> kind = np.dtype((np.record, [("turn", "i8"), ("board", "i1", 3)]))
    >>> left, right = np.zeros(1, kind), np.zeros(1, kind)
    >>> right[0].board[2] = 5
    >>> two(left, right)
    'board[2] = 0 or 5'
    >>> two(left, right, "compiled", "interpreted")
    'board[2] = 0 compiled, 5 interpreted'
    """
    place, one, other = difference(left[0], right[0])
    return f"{place} = {one} {first}, {other} {second}" if first else f"{place} = {one} or {other}"


def difference(left: Any, right: Any) -> tuple[str, object, object]:
    """The place of the first difference between two records, and what stands there."""
    for field in left.dtype.names or ():
        one, other = np.asarray(left[field]), np.asarray(right[field])
        for index in np.ndindex(one.shape):
            if one[index].tobytes() != other[index].tobytes():
                place = field + "".join(f"[{number}]" for number in index)
                if one.dtype.names is None:
                    return place, one[index], other[index]
                inner, here, there = difference(one[index], other[index])
                return f"{place}.{inner}", here, there
    return "padding between the fields", "one value", "another"


def without_key(state: np.ndarray) -> bytes:
    """The state's bytes with the field `key` blanked."""
    bare = state.copy()
    if "key" in (bare.dtype.names or ()):
        bare["key"] = 0
    return bare.tobytes()


def repeated(things: Iterable[object]) -> object | None:
    """The first thing that comes a second time."""
    seen = set()
    for thing in things:
        if thing in seen:
            return thing
        seen.add(thing)
    return None


def listed(codes: list[int]) -> str:
    """Some action codes, not too many of them."""
    return " ".join(map(str, codes[:12])) + (" …" if len(codes) > 12 else "")
