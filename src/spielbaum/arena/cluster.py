"""Games on a Ray cluster (extra `cluster`): a worker per processor, wherever it is.

Ray starts the processes, also on other machines, carries messages and notices deaths. That is what `worker_pool` does
on one machine, so nothing is left to share but the chunks of games.
"""

from __future__ import annotations

import contextlib
import importlib
import socket
from collections.abc import Iterator
from typing import Any

import numpy as np

from spielbaum.arena.executors import Chunks, Stuck, Worker
from spielbaum.arena.game_batch import GameBatch
from spielbaum.arena.plan import Plan
from spielbaum.errors import SpielbaumError

PATIENCE = 5.0  # seconds to wait for a cluster that does not answer


def on_ray(plan: Plan, numbers: np.ndarray, address: str | None = None, strict: bool = False) -> Iterator[GameBatch]:
    """Play on the cluster at an address, or on one of this machine's own that ends with the run."""
    with on_one_cluster(address) as ray:
        yield from play(ray, plan, numbers, strict)


@contextlib.contextmanager
def on_one_cluster(address: str | None) -> Iterator[Any]:
    """The cluster that is in use already, or one until the end of this."""
    ray = installed()
    ours = not ray.is_initialized()
    if ours:
        start(ray, address)
    try:
        yield ray
    finally:
        if ours:
            ray.shutdown()


def installed() -> Any:
    try:
        return importlib.import_module("ray")
    except ImportError:
        raise SpielbaumError("Ray is not installed; pip install 'spielbaum[cluster]', or use --workers N") from None


def start(ray: Any, address: str | None) -> None:
    ours: dict[str, Any] = {} if address else {"include_dashboard": False}
    try:
        knock(address or "")
        ray.init(address=address or "local", log_to_driver=False, logging_level="ERROR", **ours)
    except (OSError, ValueError, RuntimeError) as error:
        reason = str(error).strip().splitlines()[0]
        raise SpielbaumError(f"no Ray cluster answers at {address!r}: {reason}") from None


def knock(address: str) -> None:
    """See whether anybody listens at HOST:PORT; Ray itself would wait for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon and port.isdecimal():
        socket.create_connection((host, int(port)), PATIENCE).close()


def play(ray: Any, plan: Plan, numbers: np.ndarray, strict: bool) -> Iterator[GameBatch]:
    """Hand out chunks to one actor per processor; an actor that dies is replaced."""
    workers = max(1, int(ray.cluster_resources().get("CPU", 1)))
    chunks = Chunks(numbers, workers)
    spawn = ray.remote(num_cpus=1)(Worker).remote
    tasks: dict[Any, tuple[Any, np.ndarray]] = {}

    def feed(actor: Any) -> None:
        if (chunk := chunks.take()) is not None:
            tasks[actor.play.remote(chunk)] = actor, chunk

    for _ in range(min(workers, max(1, len(numbers)))):
        feed(spawn(plan, strict))
    while tasks:
        ready, _ = ray.wait(list(tasks), num_returns=1)
        actor, chunk = tasks.pop(ready[0])
        try:
            batches, seconds = ray.get(ready[0])
        except ray.exceptions.RayTaskError as error:
            if isinstance(error.cause, Stuck):
                ray.kill(actor)
                chunks.got_stuck(error.cause)
                yield from error.cause.batches
                actor = spawn(plan, strict, chunks.together)
            elif isinstance(error.cause, SpielbaumError):
                raise error.cause from None
            else:
                raise
        except ray.exceptions.RayError as error:  # the actor or its machine is gone
            chunks.died([chunk], type(error).__name__)
            actor = spawn(plan, strict, chunks.together)
        else:
            chunks.finished(len(chunk), seconds)
            yield from batches
        feed(actor)
