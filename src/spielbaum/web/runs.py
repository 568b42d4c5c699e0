"""Games of stored runs in the browser: what `spielbaum runs` and `spielbaum replay` do in a terminal."""

from __future__ import annotations

import contextlib
import logging
import pathlib
from collections.abc import Iterator

from spielbaum.arena.clocks import ON_TIME
from spielbaum.arena.game_batch import record_of
from spielbaum.arena.run import require_rules
from spielbaum.arena.single import GameRecord
from spielbaum.arena.store import Store, StoredRun
from spielbaum.arena.verify import NONSENSE
from spielbaum.compile.digest import rules_version
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game
from spielbaum.scenes.drawing import Json
from spielbaum.web.assets import sound
from spielbaum.web.catalogue import Catalogue
from spielbaum.web.errors import Refusal
from spielbaum.web.messages import Record

log = logging.getLogger(__name__)

AT_ONCE = 200


@contextlib.contextmanager
def opened(path: pathlib.Path | None) -> Iterator[Store]:
    """Open the server's store of runs; a missing or damaged one is refused, without its path."""
    if path is None or not path.exists():
        raise Refusal("unknown-record", "this server has no store of runs", "no-runs")
    try:
        with Store(path, create=False) as store:
            yield store
    except SpielbaumError as error:
        raise Refusal("unknown-record", str(error).replace(f"store {path}", "the store")) from None
    except NONSENSE as error:
        log.warning("what is stored can't be read", extra={"facts": {"why": f"{type(error).__name__}: {error}"}})
        raise Refusal("unknown-record", "what is stored of it is damaged; 'spielbaum verify' says how much") from None


def runs(path: pathlib.Path | None, offered: Catalogue) -> Json:
    """All runs, newest first, and which ones are damaged; none where there is no store."""
    if path is None or not path.exists():
        return {"runs": [], "damaged": []}
    found: list[Json] = []
    damaged: list[int] = []
    with opened(path) as store:
        for row in reversed(store.run_rows()):
            try:
                found.append(sound(summary(store.parse_run(row), offered)))
            except NONSENSE:
                damaged.append(row[0])
    return {"runs": found, "damaged": damaged}


def summary(stored: StoredRun, offered: Catalogue) -> Json:
    return {
        "run": stored.run,
        "created": stored.created,
        "kind": stored.kind,
        "game": offered.name_of(stored.plan.game) or short_name(stored.plan.game),
        "agents": list(stored.plan.agents),
        "games": stored.games,
    }


def short_name(game: str) -> str:
    """A name for a game that is not offered here, and so not loaded: that of its file or folder."""
    file = pathlib.PurePath(game)
    return file.parent.name if file.name == "__init__.py" else file.stem


def game_of(stored: StoredRun, offered: Catalogue) -> Game:
    """The game of a run, if it is one that the server offers: others may be anybody's code."""
    name = offered.name_of(stored.plan.game)
    if name is None:
        raise Refusal("unknown-record", f"run {stored.run} is of {short_name(stored.plan.game)}, not offered here")
    return offered.game(name, dict(stored.plan.options))


def games(path: pathlib.Path | None, run: int, first: int, offered: Catalogue) -> list[Json]:
    """Some games of a run, from a number on."""
    with opened(path) as store:
        stored = store.run(run)
        game = game_of(stored, offered)
        batch = store.page(run, first, AT_ONCE, game)
        columns = batch.numbers, batch.seats, batch.returns, batch.lengths
        found = [
            {
                "number": int(number),
                "seats": dict(zip(game.seats, [stored.plan.agents[agent] for agent in agents], strict=True)),
                "returns": dict(zip(game.seats, returns.tolist(), strict=True)),
                "ply": int(length),
            }
            for number, agents, returns, length in zip(*columns, strict=True)
        ]
        return [sound(one) for one in found]


def record(path: pathlib.Path | None, run: int, number: int, offered: Catalogue) -> tuple[Record, Json | None]:
    """One game of a run, and how it was lost on time if it was; refused if the rules have changed since."""
    with opened(path) as store:
        stored = store.run(run)
        game = game_of(stored, offered)
        require_rules(stored, rules_version(game.module))
        played = record_of(store.game(run, number, game))
    replayed = Record(game=game.name, options=game.options, seed=played.seed, actions=list(played.actions))
    return replayed, time_loss(played)


def time_loss(played: GameRecord) -> Json | None:
    """How a game ended that was lost on time; None for any other."""
    if played.outcome != ON_TIME or not any(played.late):
        return None
    return {"kind": "time", "seat": played.late.index(max(played.late)), "returns": played.returns}
