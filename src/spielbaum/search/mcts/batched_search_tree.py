"""A tree whose leaves wait for a network: batches of them are evaluated in a thread while the search goes on.

There are two batches, of half of `leaves` each: one is filled by the kernel while the other one is evaluated. Which
leaves are in which batch depends on the number of iterations only, never on how fast the network is: the same seed
grows the same tree.
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from spielbaum.game import Game
from spielbaum.networks.onnx import OnnxNet
from spielbaum.search.mcts.kernels import leaves as template
from spielbaum.search.mcts.search_tree import SearchTree
from spielbaum.search.mcts.tree import APART
from spielbaum.search.mcts.value.onnx import OnnxHost
from spielbaum.search.mcts.workspace import PATH

COUNT, BLOCKED = template.COUNT, template.BLOCKED


class Leaves(NamedTuple):
    """A batch of leaves that wait: how they were reached, what a network sees of them, and what it says."""

    states: np.ndarray  # STATE[n]
    path: np.ndarray  # i4[n, PATH]: the edges that lead to each
    path_nodes: np.ndarray  # i4[n, PATH]: and their nodes
    length: np.ndarray  # i8[n]
    planes: np.ndarray  # f4[n, *PLANES]
    logits: np.ndarray  # f4[n, action codes]
    values: np.ndarray  # f4[n, values]: from the mover on
    used: np.ndarray  # i8[APART], indexed by COUNT and BLOCKED


def new_leaves(game: Game, n: int, values: int) -> Leaves:
    """Room for n leaves."""
    return Leaves(
        states=np.zeros(n, game.rules.STATE),
        path=np.zeros((n, PATH), np.int32),
        path_nodes=np.zeros((n, PATH), np.int32),
        length=np.zeros(n, np.int64),
        planes=np.zeros((n, *game.module.PLANES), np.float32),
        logits=np.zeros((n, game.module.ACTION_CODES), np.float32),
        values=np.zeros((n, values), np.float32),
        used=np.zeros(APART, np.int64),
    )


class BatchedSearchTree(SearchTree):
    """One tree that grows by what a network says of its leaves, later."""

    def __init__(self, *rest: Any):
        super().__init__(*rest)
        host = next(host for host in self.hosts if isinstance(host, OnnxHost))
        self.net: OnnxNet = host.net
        self.kernels = self.game.kernels.link(template, self.variant)
        leaves: int = host.values["leaves"]
        sizes = [leaves - leaves // 2, leaves // 2] if leaves > 1 else [1]
        self.filling, *self.free = [new_leaves(self.game, size, self.net.values) for size in sizes]
        self.under_way: list[tuple[Leaves, Future[None]]] = []
        self.thread = ThreadPoolExecutor(1)

    def run_kernel(self, iterations: int) -> int:
        """Go down until the iterations are done or a batch is; one that is full or blocked is handed over."""
        batch = self.filling
        done = int(self.kernels.collect(*self.arguments[:3], self.raw, *self.arguments[3:], batch, iterations))
        blocked = bool(batch.used[BLOCKED])
        if iterations == 0:  # compiles at the very first time
            self.kernels.arrive(*self.arguments, new_leaves(self.game, 1, self.net.values))
        elif blocked or batch.used[COUNT] == len(batch.states):
            self.hand_over()
            if blocked or not self.free:
                self.take_in()
            self.filling = self.free.pop()
        return done

    @property
    def arguments(self) -> tuple[Any, ...]:
        return self.context, self.arrays, self.states, self.work, self.p, self.rng

    def hand_over(self) -> None:
        """Have the batch evaluated."""
        if self.filling.used[COUNT]:
            self.under_way.append((self.filling, self.thread.submit(self.net.evaluate, self.filling)))
        else:
            self.free.append(self.filling)

    def take_in(self) -> None:
        """Wait for the batch that has been under way for longest, and back it up."""
        batch, evaluated = self.under_way.pop(0)
        evaluated.result()
        self.kernels.arrive(*self.arguments, batch)
        self.free.append(batch)

    def finish(self) -> None:
        """Wait for all leaves, so that no virtual loss is left."""
        self.hand_over()
        while self.under_way:
            self.take_in()
        self.filling = self.free.pop()
