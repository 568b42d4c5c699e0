"""Kernels are warm when somebody has used them once: then they are in the cache, and the next process loads them.

A note in the cache says so for every search of a game, and how long its first use took:

    <cache>/<game>-warm-<digest>/note.json

The digest is that of all that machine code depends on, so that a note never speaks of an older game or engine, and
notes are swept like kernels. The name of the search is in the note: the last one of the same name tells how long
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
from spielbaum.cache import cache_folder, home
from spielbaum.digest import kernel_digest
from spielbaum.game import Game
from spielbaum.link import TEMPLATES, cache_counts, short_name

DECISIONS = 2  # a tree is used again in the second one
LOOK = 0.3  # seconds after which a decision is stopped: kernels that grow and tidy a tree come later than the first one
TYPICAL = 8.0  # seconds that a search takes to compile, where this machine has not compiled any yet


class Need(NamedTuple):
    """A search of a game whose kernels must be there before it can begin."""

    game: str
    search: str
    digest: str

    @property
    def note(self) -> pathlib.Path:
        """Where is told that its kernels are in the cache."""
        return home(cache_folder() / f"{self.game}-warm-{self.digest}") / "note.json"


class Time(NamedTuple):
    """How long a first use will probably take, in seconds, and what it took the last time on this machine."""

    expected: float
    last: float | None


def need(game: Game, spec: str) -> Need | None:
    """What an agent needs: agents whose searches have the same structure need the same.

    None for an agent of the game's own that is no search: nobody knows what it does, nor when it ends.
    """
    kind, agent = resolve(spec, game)[0], make(spec, game)
    if kind in getattr(game.module, "KINDS", ()) and not isinstance(agent, SearchAgent):
        return None
    structure = getattr(getattr(agent, "search", None), "structure", None)
    search = f"{kind.name} {structure}"
    digest = kernel_digest(game.module, search, tuple(sorted(TEMPLATES.values())))
    return Need(short_name(game.module), search, digest)


def is_warm(need: Need) -> bool:
    """Whether somebody has used these kernels, here or in another process."""
    return need.note.exists()


def time_of(need: Need) -> Time:
    """How long it took the last time, or else in the middle of what other searches took here."""
    notes = [note for note in map(read, cache_folder().glob("*-warm-*/note.json")) if note.get("seconds")]
    same = [note for note in notes if (note["game"], note["search"]) == (need.game, need.search)]
    if same:
        last = float(max(same, key=lambda note: note["at"])["seconds"])
        return Time(last, last)
    return Time(statistics.median(note["seconds"] for note in notes) if notes else TYPICAL, None)


def read(path: pathlib.Path) -> dict[str, Any]:
    """A note; an unreadable one says nothing."""
    with contextlib.suppress(OSError, ValueError):
        note = json.loads(path.read_text("utf-8"))
        return note if isinstance(note, dict) else {}
    return {}


def warm(game: Game, spec: str, agent: Agent | None = None) -> tuple[Need | None, int]:
    """Use an agent once and note it; what it needed, and how many kernels had to be compiled for it."""
    wanted, (_, before), begin = need(game, spec), cache_counts(), time.monotonic()
    use(game, agent or make(spec, game))
    compiled = cache_counts()[1] - before
    if wanted is not None:
        write_note(wanted, time.monotonic() - begin if compiled else None)
    return wanted, compiled


def write_note(need: Need, seconds: float | None) -> None:
    """Say that kernels are in the cache; without seconds where they were before."""
    facts = {"game": need.game, "search": need.search, "seconds": seconds, "at": time.time()}
    with contextlib.suppress(OSError):  # somebody may have tidied up
        if seconds is not None or not need.note.exists():
            need.note.write_text(json.dumps(facts), "utf-8")


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
