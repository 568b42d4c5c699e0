"""Games over the network in the arena's store: a game is a run of its own, as each has a board and starts of its own.

What the store knows of it suffices to show, replay and analyse it like any other game: options, names and actions.
"""

from __future__ import annotations

import zlib

import numpy as np

from spielbaum.arena.game_batch import from_records
from spielbaum.arena.plan import Plan
from spielbaum.arena.single import GameRecord, metrics_of
from spielbaum.arena.store import Store
from spielbaum.compile.digest import rules_version
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game, State, changed_options, origin
from spielbaum.online.records import Record, game_of, names_of, play_round, verify

KIND = "online"


def store_record(store: Store, record: Record) -> int | None:
    """Store a game that is over and went by the rules; the number of its run, None where it is stored already."""
    if wrong := verify(record).wrong:
        raise SpielbaumError(f"{wrong[0]}; only games that go by the rules are stored")
    game = game_of(record)
    plan, state = plan_of(game, record), played(game, record)
    if not state.over:
        raise SpielbaumError(f"game {record['id']} is not over after {len(record['rounds'])} rounds, and is not stored")
    if store.find(KIND, plan) is not None:
        return None
    run, tasks = store.create_run(KIND, plan, rules_version(game.module)), plan.tasks([0])
    store.add(run, from_records(game, tasks.numbers, tasks.seats, [as_record(state, int(tasks.seeds[0]))]))
    store.commit()
    return run


def plan_of(game: Game, record: Record) -> Plan:
    """A run of one game; what the server called it stands for its seed, so that no game is stored twice."""
    names = names_of(record)
    agents = list(dict.fromkeys(names))
    group = tuple(map(agents.index, names))
    seed = zlib.crc32(record["id"].encode("utf-8", "replace"))
    return Plan(origin(game), changed_options(game), tuple(agents), (group,), 1, seed, rotate=False)


def played(game: Game, record: Record) -> State:
    """The position at the end of a record."""
    state = game.new()
    for each in record["rounds"]:
        play_round(state, each["actions"])
    return state


def as_record(state: State, seed: int) -> GameRecord:
    """A finished game as the arena knows it; nobody knows how long others have thought."""
    players, s = state.game.players, state.record
    return GameRecord(
        seed=seed,
        actions=list(state.history or ()),
        returns=state.returns,
        decisions=[int(s.died[p] or s.rounds) for p in range(players)],
        seconds=[0.0] * players,
        metrics=np.array([metrics_of(state)]) if state.game.metrics else None,
        outcome=state.outcome,
        late=[0] * players,
    )
