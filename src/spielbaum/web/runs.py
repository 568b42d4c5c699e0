"""Games of stored runs in the browser: what `spielbaum runs` and `spielbaum replay` do in a terminal."""

from __future__ import annotations

import itertools
import pathlib

from spielbaum.arena.block import record_of
from spielbaum.arena.clocks import ON_TIME
from spielbaum.arena.plan import Plan
from spielbaum.arena.run import require_rules
from spielbaum.arena.single import GameRecord
from spielbaum.arena.store import Store
from spielbaum.digest import rules_version
from spielbaum.errors import SpielbaumError
from spielbaum.web.drawing import Json
from spielbaum.web.errors import Refusal
from spielbaum.web.messages import Record

AT_ONCE = 200


def opened(path: pathlib.Path | None) -> Store:
    """The store that the server was started with."""
    if path is None or not path.exists():
        raise Refusal("unknown-record", "this server has no store of runs", "no-runs")
    try:
        return Store(path, create=False)
    except SpielbaumError as error:
        raise Refusal("unknown-record", str(error)) from None


def runs(path: pathlib.Path | None) -> list[Json]:
    """All runs, newest first; none where there is no store."""
    if path is None or not path.exists():
        return []
    with opened(path) as store:
        return [
            {
                "run": stored.run,
                "created": stored.created,
                "kind": stored.kind,
                "game": game_name(stored.plan),
                "agents": list(stored.plan.agents),
                "games": stored.games,
            }
            for stored in reversed(store.runs())
        ]


def game_name(plan: Plan) -> str:
    """What the game is called; where it can't be found any more, what it was loaded by."""
    try:
        return plan.load().name
    except SpielbaumError:
        return plan.game


def games(path: pathlib.Path | None, run: int, first: int) -> list[Json]:
    """Some games of a run, from a number on."""
    try:
        with opened(path) as store:
            stored = store.run(run)
            game = stored.plan.load()
            blocks = store.blocks(run, game, f"AND last >= {first:d}", actions=False)
            rows = (
                {
                    "number": int(number),
                    "seats": dict(zip(game.seats, [stored.plan.agents[agent] for agent in agents], strict=True)),
                    "returns": dict(zip(game.seats, returns.tolist(), strict=True)),
                    "ply": int(length),
                }
                for block in blocks
                for number, agents, returns, length in zip(
                    block.numbers, block.seats, block.returns, block.lengths, strict=True
                )
                if number >= first
            )
            return list(itertools.islice(rows, AT_ONCE))
    except SpielbaumError as error:
        raise Refusal("unknown-record", str(error)) from None


def record(path: pathlib.Path | None, run: int, number: int) -> tuple[Record, Json | None]:
    """One game of a run, if it was played by the rules as they are, and who has lost it on time if somebody has."""
    try:
        with opened(path) as store:
            stored = store.run(run)
            game = stored.plan.load()
            require_rules(stored, rules_version(game.module))
            played = record_of(store.game(run, number, game))
    except SpielbaumError as error:
        raise Refusal("unknown-record", str(error)) from None
    replayed = Record(game=game.name, options=game.options, seed=played.seed, actions=list(played.actions))
    return replayed, time_loss(played)


def time_loss(played: GameRecord) -> Json | None:
    """How a game ended that was lost on time; None for any other."""
    if played.outcome != ON_TIME or not any(played.late):
        return None
    return {"kind": "time", "seat": played.late.index(max(played.late)), "returns": played.returns}
