"""Kernels are warm when somebody has used them once: then they are in the cache, and the next process loads them.

A record in the cache says so for every search of a game, and how long its first use took:

    <cache>/<game>-warm-<digest>/record.json

The digest is that of all that machine code depends on, so that a record never speaks of an older game or engine, and
records are swept like kernels. The name of the search is in the record: the last one of the same name tells how long
people will wait when the game was edited.
"""

from __future__ import annotations

import contextlib
import json
import pathlib
import statistics
import time
from typing import Any, NamedTuple

from spielbaum.agents import Agent, make, resolve
from spielbaum.agents.agent import Watch
from spielbaum.agents.searching import SearchAgent
from spielbaum.compile import shipped
from spielbaum.compile.cache import cache_folder, home
from spielbaum.compile.digest import digest_on, machine, search_digest
from spielbaum.compile.link import cache_counts, short_name
from spielbaum.game import Game

DECISIONS = 2  # a tree is used again in the second one
LOOK = 0.3  # seconds after which a decision is stopped: kernels that grow and tidy a tree come later than the first one
TYPICAL = 8.0  # seconds that a search takes to compile, where this machine has not compiled any yet


class CompileTarget(NamedTuple):
    """A search of a game whose kernels must be there before it can begin."""

    game: str
    search: str
    content: str  # the digest of what they are made from

    @property
    def digest(self) -> str:
        """That of their machine code here."""
        return digest_on(self.content, machine())

    @property
    def record(self) -> pathlib.Path:
        """Where is told that its kernels are in the cache."""
        return home(cache_folder() / f"{self.game}-warm-{self.digest}") / "record.json"


class Time(NamedTuple):
    """How long a first use will probably take, in seconds, and what it took the last time on this machine."""

    expected: float
    last: float | None


def compile_target(game: Game, spec: str) -> CompileTarget | None:
    """What an agent needs: agents whose searches have the same variant need the same.

    None for an agent of the game's own that is no search: nobody knows what it does, nor when it ends.
    """
    kind, agent = resolve(spec, game)[0], make(spec, game)
    if kind in getattr(game.module, "AGENT_TYPES", ()) and not isinstance(agent, SearchAgent):
        return None
    variant = getattr(getattr(agent, "search", None), "variant", None)
    search = f"{kind.name} {variant}"
    return CompileTarget(short_name(game.module), search, search_digest(game.module, search))


def is_warm(target: CompileTarget) -> bool:
    """Whether somebody has used these kernels, here or in another process, or they came with the package."""
    return shipped.has_search(target.content) or target.record.exists()


def time_of(target: CompileTarget) -> Time:
    """How long it took the last time, or else in the middle of what other searches took here."""
    records = [record for record in map(read, cache_folder().glob("*-warm-*/record.json")) if record.get("seconds")]
    same = [record for record in records if (record["game"], record["search"]) == (target.game, target.search)]
    if same:
        last = float(max(same, key=lambda record: record["at"])["seconds"])
        return Time(last, last)
    return Time(statistics.median(record["seconds"] for record in records) if records else TYPICAL, None)


def read(path: pathlib.Path) -> dict[str, Any]:
    """A record; an unreadable one says nothing."""
    with contextlib.suppress(OSError, ValueError):
        record = json.loads(path.read_text("utf-8"))
        return record if isinstance(record, dict) else {}
    return {}


def warm(game: Game, spec: str, agent: Agent | None = None) -> tuple[CompileTarget | None, int]:
    """Use an agent once and record it; what it needed, and how many kernels had to be compiled for it."""
    wanted, (_, before), begin = compile_target(game, spec), cache_counts(), time.monotonic()
    use(game, agent or make(spec, game))
    compiled = cache_counts()[1] - before
    if wanted is not None:
        write_record(wanted, time.monotonic() - begin if compiled else None)
    return wanted, compiled


def write_record(target: CompileTarget, seconds: float | None) -> None:
    """Say that kernels are in the cache; without seconds where they were before."""
    facts = {"game": target.game, "search": target.search, "seconds": seconds, "at": time.time()}
    with contextlib.suppress(OSError):  # somebody may have tidied up
        if seconds is not None or not target.record.exists():
            target.record.write_text(json.dumps(facts), "utf-8")


def use(game: Game, agent: Agent) -> None:
    """Let an agent make its first decisions of a game and tell of them; the others do what comes first."""
    state = game.new()
    me = state.player
    for _ in range(DECISIONS):
        if state.over:
            return
        state.play(agent.act(state.view(me), watch=stopping(agent)))
        agent.report()
        while not state.over and state.player != me:
            state.play(state.actions[0])


def stopping(agent: Agent) -> Watch:
    """Let an agent think for a moment only, whatever it was told."""
    end = time.monotonic() + LOOK

    def watch() -> None:
        if time.monotonic() > end:
            agent.stop()

    return watch
