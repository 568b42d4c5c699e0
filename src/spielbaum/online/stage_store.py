"""Games of spe_ed in a store of the arena, put on the Stage when somebody wants to see them: `run-3-0`.

Servers and clients keep their games there, and so do matches, in which thousands are played; so the first games of the
newest runs are listed, and any can be opened by its address.
"""

from __future__ import annotations

import contextlib
import datetime
import pathlib
import re
from typing import Any

from spielbaum.arena.game_batch import record_of
from spielbaum.arena.run import require_rules
from spielbaum.arena.store import Store, StoredRun
from spielbaum.arena.verify import NONSENSE
from spielbaum.compile.digest import rules_version
from spielbaum.errors import SpielbaumError
from spielbaum.game import load
from spielbaum.online.event_stream import EventStream, EventStreams
from spielbaum.online.local_stage import state_message

GAME = "spe-ed"
NAME = re.compile(r"run-(\d{1,9})-(\d{1,9})")
RUNS, EACH = 50, 10  # that are listed, and how many games of each


class StageStore(EventStreams):
    """A store's games, and whatever else is added."""

    def __init__(self, store: pathlib.Path):
        super().__init__()
        self.store = store
        self.listed: dict[tuple[Any, ...], list[dict[str, Any]]] = {}  # by what the store knows of a run

    def find(self, name: str) -> EventStream | None:
        """A game by its name; None where there is none, or it can't be read."""
        wanted = NAME.fullmatch(name)
        if name not in self and wanted is not None and self.store.exists():
            with contextlib.suppress(*NONSENSE), Store(self.store, create=False) as store:
                run, number = map(int, wanted.groups())
                self.put(name, stored_game(store, store.run(run), number))
        return self.get(name)

    def offered(self) -> list[dict[str, Any]]:
        """What was added, and games of the newest runs."""
        found = [one for one in super().offered() if NAME.fullmatch(one["id"]) is None]
        if self.store.exists():
            with contextlib.suppress(*NONSENSE), Store(self.store, create=False) as store:
                rows = store.run_rows()[::-1][:RUNS]
                self.listed = {row: self.listed[row] if row in self.listed else outlines(store, row) for row in rows}
                found += [one for games in self.listed.values() for one in games]
        return found


def outlines(store: Store, row: tuple[Any, ...]) -> list[dict[str, Any]]:
    """The first games of a run of spe_ed; none where it is damaged."""
    with contextlib.suppress(*NONSENSE):
        stored = store.parse_run(row)
        if stored.plan.game == GAME:
            batch = store.page(stored.run, 0, EACH, load(GAME, **dict(stored.plan.options)))
            names = [dict.fromkeys(stored.plan.agents[agent] for agent in seats) for seats in batch.seats]
            shared = {"began": created(stored), "ended": True}
            return [
                {"id": f"run-{stored.run}-{number}", "title": ", ".join(title), **shared}
                for number, title in zip(batch.numbers.tolist(), names, strict=True)
            ]
    return []


def created(stored: StoredRun) -> float:
    return datetime.datetime.fromisoformat(stored.created).timestamp()


def stored_game(store: Store, stored: StoredRun, number: int) -> EventStream:
    """A game of a run that was played by the rules as they are."""
    if stored.plan.game != GAME:
        raise SpielbaumError(f"run {stored.run} is of {stored.plan.game}")
    game = load(GAME, **dict(stored.plan.options))
    require_rules(stored, rules_version(game.module))
    batch = store.game(stored.run, number, game)
    names = [stored.plan.agents[agent] for agent in batch.seats[0]]
    stream = EventStream(", ".join(dict.fromkeys(names)), seats=(), names=names)
    stream.began = created(stored)
    played = record_of(batch)
    state = game.new(played.seed)
    stream.show(state_message(state))
    for action in played.actions:
        state.play(action)
        if state.asked == 0:
            stream.show(state_message(state))
    stream.end()
    return stream
