"""Who plays the games of a training: threads of this process, or a Ray cluster (extra `cluster`).

A batch of games has a seed of its own, so that it does not matter who plays it. On a cluster there is an actor for each
processor; one that dies is replaced, and its batch is played again.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from spielbaum.arena.executors import MOST_DEATHS
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game, changed_options, load, origin
from spielbaum.networks.net import Weights
from spielbaum.training.selfplay import SelfPlayConfig, SelfPlayer, play_batches

Played = tuple[np.ndarray, int]
Players = Callable[[Game, Weights, Weights, SelfPlayConfig, int, range], Played]
"""As `play_batches`, but for the number of threads."""


def threads(workers: int | str) -> int:
    """How many threads work on this machine: those of a cluster are elsewhere."""
    return workers if isinstance(workers, int) else 1


@contextlib.contextmanager
def players(game: Game, workers: int | str) -> Iterator[Players]:
    """Players for a whole training: so many threads, or those of `ray` or `ray:ADDRESS`."""
    if isinstance(workers, int):
        yield functools.partial(play_batches, workers=workers)
        return
    from spielbaum.arena.cluster import on_one_cluster

    with on_one_cluster(workers.partition(":")[2] or None) as ray:
        yield RayPlayers(ray, game).play


class Actor:
    """Plays batches wherever it is."""

    def __init__(self, name: str, options: dict[str, Any]):
        self.game = load(name, **options)

    def play(self, weights: Weights, past: Weights, config: SelfPlayConfig, seed: int, batch: int) -> Played:
        return SelfPlayer(self.game, weights, past, config).play(seed, batch)


class RayPlayers:
    """Actors of a cluster that play batch after batch."""

    def __init__(self, ray: Any, game: Game):
        self.ray, self.facts = ray, (origin(game), dict(changed_options(game)))
        self.remote = ray.remote(num_cpus=1)(Actor).remote
        self.actors = [self.remote(*self.facts) for _ in range(max(1, int(ray.cluster_resources().get("CPU", 1))))]

    def play(
        self, game: Game, weights: Weights, past: Weights, config: SelfPlayConfig, seed: int, batches: range
    ) -> tuple[np.ndarray, int]:
        """The samples of some batches in their order, and how many moves they had."""
        nets, waiting, free = [*map(self.ray.put, (weights, past))], list(reversed(batches)), list(self.actors)
        tasks: dict[Any, tuple[Any, int]] = {}
        played: dict[int, Played] = {}
        deaths = 0
        while waiting or tasks:
            while waiting and free:
                actor, batch = free.pop(), waiting.pop()
                tasks[actor.play.remote(*nets, config, seed, batch)] = actor, batch
            done = self.ray.wait(list(tasks), num_returns=1)[0][0]
            actor, batch = tasks.pop(done)
            try:
                played[batch], deaths = self.ray.get(done), 0
            except self.ray.exceptions.RayTaskError as error:
                raise error.cause if isinstance(error.cause, SpielbaumError) else error from None
            except self.ray.exceptions.RayError as error:  # the actor or its machine is gone
                deaths += 1
                if deaths >= MOST_DEATHS:
                    raise SpielbaumError(f"{deaths} players in a row died ({type(error).__name__})") from None
                waiting.append(batch)
                actor = self.replaced(actor)
            free.append(actor)
        ordered = [played[batch] for batch in batches]
        return np.concatenate([samples for samples, _ in ordered]), sum(moves for _, moves in ordered)

    def replaced(self, actor: Any) -> Any:
        """A new actor in the place of one that is gone."""
        new = self.remote(*self.facts)
        self.actors[self.actors.index(actor)] = new
        return new
