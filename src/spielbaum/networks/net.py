"""A small network that is evaluated inside compiled kernels, beside the rules.

What it sees are the numbers of the binary features that are active (`features` of the game), from the point of view of
the player to move. The first layer is the sum of the columns of the active ones, as in NNUE (Y. Nasu, "Efficiently
updatable neural network based evaluation functions for computer shogi", 2018); one or two dense layers follow, all of
them with a clipped ReLU:

    h1 = clip(b1 + Σ over active features f of W1[f], 0, 1)
    h2 = clip(b2 + h1 W2, 0, 1)              and the same once more where there is a third layer
    v  = tanh(bv + h W_v)                    for the mover, in a game of more than two for everybody from the mover on
    π  = softmax(bp + h W_p)                 over the legal actions only

Weights are arguments of kernels, so that another net compiles nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spielbaum.compile.bind import Context
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game

WIDEST = 4096
DEFAULT_SIZE = "256-32"
WEIGHTS = (
    *("first", "first_bias", "second", "second_bias", "third", "third_bias"),
    *("value", "value_bias", "policy", "policy_bias"),
)


Weights = dict[str, np.ndarray]


class Net(NamedTuple):
    """The weights of a network, and what one thread works with while it evaluates it."""

    first: np.ndarray  # f4[features, h1]
    first_bias: np.ndarray
    second: np.ndarray  # f4[h1, h2]
    second_bias: np.ndarray
    third: np.ndarray  # f4[h2, h3], with h3 = 0 where there is none
    third_bias: np.ndarray
    value: np.ndarray  # f4[heads, h]
    value_bias: np.ndarray
    policy: np.ndarray  # f4[action codes, h]
    policy_bias: np.ndarray
    active: np.ndarray  # i8[features]
    hidden: np.ndarray  # f4[h1]
    middle: np.ndarray  # f4[h2]
    last: np.ndarray  # f4[h], the layer that the heads see
    awake: np.ndarray  # i8, the units of a layer that are not silent


class Kept(NamedTuple):
    """The first layer of the last position that was valued, as each player saw it; see `kernels/incremental.py`."""

    sums: np.ndarray  # f4[players, h1]
    seen: np.ndarray  # i8[players, features], the active features
    active: np.ndarray  # i8[players], how many there are
    marks: np.ndarray  # i8[players, features], the number of the last valuation in which each was active
    turn: np.ndarray  # i8[players], the number of the last valuation
    added: np.ndarray  # i8[features]
    removed: np.ndarray


class NetContext(NamedTuple):
    """A context whose kernels may ask a network."""

    tables: Any
    scratch: np.ndarray
    net: Net


class KeptContext(NamedTuple):
    """A context whose kernels may ask a network for the value of one position after the other."""

    tables: Any
    scratch: np.ndarray
    net: Net
    kept: Kept


def with_net(context: Context, weights: Weights) -> NetContext:
    """The context of a thread with a network of its own to work with; weights are shared."""
    return NetContext(context.tables, context.scratch, new_net(weights))


def with_kept(context: Context, weights: Weights, players: int) -> KeptContext:
    """The context of a thread with a network whose first layer is kept."""
    net = new_net(exact(weights))
    features = len(net.first)
    kept = Kept(
        sums=np.tile(net.first_bias, (players, 1)),
        seen=np.zeros((players, features), np.int64),
        active=np.zeros(players, np.int64),
        marks=np.zeros((players, features), np.int64),
        turn=np.ones(players, np.int64),
        added=np.zeros(features, np.int64),
        removed=np.zeros(features, np.int64),
    )
    return KeptContext(context.tables, context.scratch, net, kept)


def exact(weights: Weights) -> Weights:
    """The same net with a first layer whose sums have no rounding error, in whatever order they are made.

    Its weights become multiples of a power of two so large that no sum needs more than the 24 bits of a float32.
    """
    first, bias = weights["first"], weights["first_bias"]
    largest = float((np.abs(first).sum(axis=0, dtype=np.float64) + np.abs(bias)).max(initial=1.0))
    unit = np.float32(2.0 ** (np.ceil(np.log2(2 * largest)) - 23))
    rounded = {name: np.round(weights[name] / unit) * unit for name in ("first", "first_bias")}
    return weights | rounded


def new_net(weights: Weights) -> Net:
    """Weights with fresh working memory."""
    features, first = weights["first"].shape
    second, last = weights["second"].shape[1], weights["value"].shape[1]
    return Net(
        **{name: weights[name] for name in WEIGHTS},
        active=np.zeros(features, np.int64),
        hidden=np.zeros(first, np.float32),
        middle=np.zeros(second, np.float32),
        last=np.zeros(last, np.float32),
        awake=np.zeros(max(first, second) + 1, np.int64),
    )


def heads(game: Game) -> int:
    """Values that a network tells: in a game of two one is enough."""
    return 1 if game.module.PLAYERS == 2 else int(game.module.PLAYERS)


def layer_sizes(size: str) -> list[int]:
    """`256-32` or `256-32-32` as numbers.

    >>> layer_sizes("256-32")
    [256, 32]
    """
    parts = size.split("-")
    if len(parts) not in (2, 3) or not all(part.isdecimal() and 1 <= int(part) <= WIDEST for part in parts):
        raise SpielbaumError(f"size={size} is not possible: two or three layers of 1 to {WIDEST}, such as 256-32")
    return [int(part) for part in parts]


def shapes(game: Game, size: str) -> dict[str, tuple[int, ...]]:
    """The shapes of the weights of a network for a game."""
    first, second, third = [*layer_sizes(size), 0][:3]
    last, codes, values = third or second, game.module.ACTION_CODES, heads(game)
    return {
        "first": (game.module.FEATURES, first),
        "first_bias": (first,),
        "second": (first, second),
        "second_bias": (second,),
        "third": (second, third),
        "third_bias": (third,),
        "value": (values, last),
        "value_bias": (values,),
        "policy": (codes, last),
        "policy_bias": (codes,),
    }


def random_weights(game: Game, size: str, seed: int) -> Weights:
    """Where a training begins: small random weights, and heads that know nothing."""
    rng = np.random.default_rng(seed)
    found = {}
    for name, shape in shapes(game, size).items():
        if name.endswith("_bias") or name in ("value", "policy"):
            found[name] = np.zeros(shape, np.float32)
        else:
            spread = 1.0 / np.sqrt(max(shape[0], 1))
            found[name] = rng.uniform(-spread, spread, shape).astype(np.float32)
    found["first_bias"] += np.float32(0.1)
    found["second_bias"] += np.float32(0.1)
    return found
