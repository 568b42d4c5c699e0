"""Nets as they are played: nodes in an order in which each comes after those that it depends on.

A hidden node is tanh(2.5 (bias + sum of weight * value)), as in neat-python. An output is the sum alone: only which one
is largest matters. Files are JSON as `evolve.py` writes them; what is played is their `best`.
"""

from __future__ import annotations

import functools
import math
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from spielbaum.errors import SpielbaumError
from spielbaum.foreign import MOST_JSON, read_json, version
from spielbaum.games.spe_ed.neat.senses import INPUTS, sense
from spielbaum.games.spe_ed.rules import ANSWERS
from spielbaum.rules import rule
from spielbaum.text import brief

SHIPPED = pathlib.Path(__file__).parent / "population.json"
STEEPNESS = 2.5
REMEDY = "'spielbaum spe_ed train-neat' writes such a file"
Links = Sequence[tuple[int, int, float]]
"""From, to and weight. Inputs are -1, -2, …; outputs 0, 1, … as actions are numbered; hidden nodes come after them."""


class Net(NamedTuple):
    """Node k has the links from begins[k] to begins[k + 1]; sources are inputs first, then nodes. Outputs come last."""

    begins: np.ndarray  # i8[nodes + 1]
    sources: np.ndarray  # i8[links]
    weights: np.ndarray  # f8[links]
    biases: np.ndarray  # f8[nodes]

    @property
    def room(self) -> np.ndarray:
        """f8: for the values of inputs and nodes."""
        return np.zeros(len(INPUTS) + len(self.biases))


def net_of(biases: dict[int, float], links: Links) -> Net:
    """A net from its nodes with their biases, and its links.

    >>> net_of({0: 0.5, 1: 0.0, 2: 0.0, 3: 0.0, 4: 0.0, 7: 1.0}, [(-1, 7, 2.0), (7, 0, 1.0)]).sources.tolist()
    [0, 10]
    """
    into: dict[int, list[tuple[int, float]]] = {node: [] for node in biases}
    for source, target, weight in links:
        into.setdefault(target, []).append((source, weight))
    order = [*by_depth([node for node in biases if node >= ANSWERS], into), *range(ANSWERS)]
    slots = {-number - 1: number for number in range(len(INPUTS))}
    slots |= {node: len(INPUTS) + place for place, node in enumerate(order)}
    incoming = [[(slots[source], weight) for source, weight in into[node]] for node in order]
    flat = [link for links_in in incoming for link in links_in]
    return Net(
        begins=np.cumsum([0, *map(len, incoming)]),
        sources=np.array([slot for slot, _ in flat], np.int64),
        weights=np.array([weight for _, weight in flat], np.float64),
        biases=np.array([biases[node] for node in order], np.float64),
    )


def by_depth(hidden: Sequence[int], into: Mapping[int, Sequence[tuple[int, float]]]) -> list[int]:
    """Hidden nodes behind those that they depend on: by how many links lead there at most, then as they are given."""
    depths = dict.fromkeys(range(-len(INPUTS), 0), 0)
    waiting = {node: len(into[node]) for node in hidden}
    leading: dict[int, list[int]] = {}
    for node in hidden:
        for source, _ in into[node]:
            leading.setdefault(source, []).append(node)
    ready = [*depths, *(node for node in hidden if not waiting[node])]
    for source in ready:  # which grows
        depths.setdefault(source, 1)
        for node in leading.get(source, ()):
            waiting[node] -= 1
            if not waiting[node]:
                depths[node] = 1 + max(depths[one] for one, _ in into[node])
                ready.append(node)
    if any(waiting.values()):
        raise ValueError("links in a circle")
    return sorted(hidden, key=depths.__getitem__)


@rule
def answer(t, s, player, net, values):
    """The action whose output is largest; the first of those that are."""
    begins, sources, weights, biases = net
    sense(t, s, player, values)
    first_output = len(biases) - ANSWERS
    best, chosen = -math.inf, 0
    for node in range(len(biases)):
        total = biases[node]
        for link in range(begins[node], begins[node + 1]):
            total += weights[link] * values[sources[link]]
        if node < first_output:
            values[len(INPUTS) + node] = math.tanh(STEEPNESS * total)
        elif total > best:
            best, chosen = total, node - first_output
    return chosen


def load_net(path: str) -> Net:
    """The best net of a file, of the one that comes with the game unless a path is given."""
    file = pathlib.Path(path) if path else SHIPPED
    try:
        return best_net(file, version(file, MOST_JSON))
    except SpielbaumError as error:
        raise SpielbaumError(f"{error}; {REMEDY}") from None


@functools.lru_cache(maxsize=8)
def best_net(file: pathlib.Path, changed: int) -> Net:
    data = read(file)
    try:
        return net_of(*genes_of(data["best"]))
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise SpielbaumError(f"{file}: its best net can't be played ({brief(error)})") from None


def read(file: pathlib.Path) -> dict[str, Any]:
    """What a file of `train-neat` holds."""
    data = read_json(file)
    if not isinstance(data, dict) or data.get("inputs") != list(INPUTS) or "best" not in data:
        raise SpielbaumError(f"{file} holds no nets for spe_ed")
    return data


def genes_of(genome: dict[str, Any]) -> tuple[dict[int, float], list[tuple[int, int, float]]]:
    """The biases and the links of a genome as a file holds it; links that are switched off are left out."""
    biases = {int(node): float(bias) for node, bias in genome["nodes"]}
    links = [(int(a), int(b), float(weight)) for a, b, weight, on, _ in genome["links"] if on]
    if not all(map(math.isfinite, (*biases.values(), *(weight for _, _, weight in links)))):
        raise ValueError("numbers that are none")
    return biases, links
