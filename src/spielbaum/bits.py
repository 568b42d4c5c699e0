"""What a processor does with the bits of a word in one instruction, and Numba does not offer."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload


def lowest(word: Any) -> int:
    """The place of the lowest bit that is set; one machine instruction where it is compiled."""
    number = int(word)
    return (number & -number).bit_length() - 1


@intrinsic
def trailing_zeros(typing_context: Any, word: Any) -> Any:
    """The instruction itself."""
    defined_for_zero = ir.Constant(ir.IntType(1), 0)
    return word(word), lambda context, builder, signature, arguments: builder.cttz(arguments[0], defined_for_zero)


@overload(lowest)
def compiled_lowest(word):  # type: ignore[no-untyped-def]  # Numba compares signatures
    if isinstance(word, types.Integer):
        return lambda word: np.int64(trailing_zeros(word))  # type: ignore[call-arg]
    return None


def ones(word: Any) -> int:
    """How many bits are set; one machine instruction where it is compiled."""
    return int(word).bit_count()


@intrinsic
def population(typing_context: Any, word: Any) -> Any:
    """The instruction itself."""
    return word(word), lambda context, builder, signature, arguments: builder.ctpop(arguments[0])


@overload(ones)
def compiled_ones(word):  # type: ignore[no-untyped-def]
    if isinstance(word, types.Integer):
        return lambda word: np.int64(population(word))  # type: ignore[call-arg]
    return None
