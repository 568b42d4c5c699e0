"""Whatever stands in a stored row, it is read or refused: no request fails, and the other rows are as they were."""

from __future__ import annotations

import asyncio
import copy
import json
import pathlib
import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic_core import to_json

from spielbaum import arena
from spielbaum.arena.store import RUN, checksum
from spielbaum.tune.records import TUNING
from spielbaum.web.catalogue import Catalogue
from spielbaum.web.errors import Refusal
from spielbaum.web.messages import NewSession, SeatChoice
from spielbaum.web.session_manager import SessionManager
from spielbaum.web.settings import Settings
from tests.tune.made import made_store
from tests.web.server import PERSON, Server
from tests.web.test_faults import change

GAME = ("tic-tac-toe",)
NONSENSE = [None, True, -1, 7, 10**30, 1e300, float("nan"), "", "x", "\ud800", [], [7], [[]], {}, {"x": 1}]


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in a piece of JSON."""
    found = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in found:
        yield (*path, key)
        yield from places(value, (*path, key))


def replaced(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    """The same with something else in a place."""
    if not path:
        return value
    changed = copy.copy(data)
    changed[path[0]] = replaced(data[path[0]], path[1:], value)
    return changed


@pytest.mark.parametrize("mode", ["play", "analysis"])
def test_a_stored_session_with_anything_in_it_is_shown_or_refused(tmp_path, mode):
    async def look_at_all() -> set[str]:
        manager = SessionManager(Settings(GAME, folder=tmp_path), Catalogue(GAME))
        seats = [SeatChoice(kind="human")] * 2
        made = await manager.create(NewSession(game="tic-tac-toe", mode=mode, seats=seats, moves=["a1"]), "here")
        session = manager.loaded[made["session"]]
        session.live.ending = {"kind": "resigned", "seat": 0, "returns": [-1.0, 1.0]}
        session.live.curve = [{"ply": 0, "seat": 0, "value": 0.5, "unit": {}}]
        session.agents.recent = [{"type": "thinking", "ply": 0, "seat": 0, "rev": 0}]
        await asyncio.to_thread(session.save)
        data = manager.store.load(session.identity)
        manager.unload(session)
        seen = {
            await looked_at(manager, session.identity, made["token"], json.dumps(replaced(data, path, value)))
            for path in places(data)
            for value in NONSENSE
        }
        await manager.close()
        return seen

    assert asyncio.run(look_at_all()) == {"state", "unreadable", "unauthorised"}


async def looked_at(manager: SessionManager, session: str, token: str, text: str) -> str:
    """What somebody is shown who comes back to a session, or the code of the refusal."""
    manager.store.execute("UPDATE sessions SET data = ? WHERE id = ?", text, session)
    try:
        connection = await (await manager.get(session, "here")).connect(token)
        told = [connection.outbox.get_nowait() for _ in range(connection.outbox.qsize())]
        assert to_json(told)
        assert told[1]["type"] == "state", (told[1], text)
        return "state"
    except Refusal as refusal:
        return refusal.code
    finally:
        for one in [*manager.loaded.values()]:
            manager.unload(one)


RECORD = {"game": "tic-tac-toe", "actions": [0, 1], "returns": None, "summary": {"title": "x"}}


@pytest.mark.parametrize("path", [(), *places(RECORD)], ids=str)
def test_a_stored_game_with_anything_in_it_is_listed_or_left_out(tmp_path, path):
    with Server(Settings(GAME, folder=tmp_path)) as server:
        server.begin("tic-tac-toe", PERSON, PERSON, moves="a1 a2 b1 b2 c1")
        for number, value in enumerate([*NONSENSE, *([] if path else ["[" * 100_000])]):
            text = (
                value if isinstance(value, str) and value.startswith("[") else json.dumps(replaced(RECORD, path, value))
            )
            change(tmp_path, "INSERT INTO records VALUES (?, 0, 'tic-tac-toe', ?)", f"hurt {number}", text)
            opened = server.http.post("/api/sessions", json={"mode": "analysis", "record_id": f"hurt {number}"})
            assert opened.status_code == 201 or opened.json()["error"]["code"] in (
                "unreadable",
                "bad-setup",
                "unknown-game",
            )
        listed = server.http.get("/api/records")
        assert listed.status_code == 200 and any(one["ply"] == 5 for one in listed.json()["records"])


def hurt(path: pathlib.Path, table: str, columns: tuple[str, ...], column: str, value: Any) -> None:
    """Change a row of a store so that its checksum fits."""
    with sqlite3.connect(path) as base:
        key = columns[0]
        base.execute(f"UPDATE {table} SET {column} = ? WHERE {key} = 1", (value,))
        row = base.execute(f"SELECT {', '.join(columns)} FROM {table} WHERE {key} = 1").fetchone()
        base.execute(f"UPDATE {table} SET checksum = ? WHERE {key} = 1", (checksum(*row),))
    base.close()


TEXTS = ["", "x", "7", "[]", "{}", "null", '{"game": 7}', '{"game": ["x"]}', '{"agents": NaN}', "[" * 100_000]


@pytest.mark.parametrize("column", ["settings", "result", "state", "created"])
def test_a_tuning_run_with_anything_in_it_does_not_hide_the_others(tmp_path, column):
    path = tmp_path / "runs.db"
    made_store(path, steps=1)
    made_store(path, steps=1)
    with Server(Settings(GAME, store=path)) as server:
        for text in TEXTS:
            hurt(path, "tunings", TUNING, column, text)
            listed = server.http.get("/api/tunings").json()
            assert 2 in [one["number"] for one in listed["tunings"]]
            assert sorted([one["number"] for one in listed["tunings"]] + listed["damaged"]) == [1, 2]
            for address in ("/api/tunings/1", "/api/tunings/1/pictures"):
                assert server.http.get(address).status_code in (200, 404)


@pytest.mark.parametrize("column", [name for name in RUN if name != "run"])
def test_a_run_with_anything_in_it_does_not_hide_the_others(tmp_path, column):
    path = tmp_path / "runs.db"
    for _ in range(2):
        arena.match("tic-tac-toe", ["random", "random"], games=2, store=path)
    with Server(Settings(GAME, store=path)) as server:
        for text in TEXTS:
            hurt(path, "runs", RUN, column, text)
            listed = server.http.get("/api/runs").json()
            assert 2 in [one["run"] for one in listed["runs"]]
            assert sorted([one["run"] for one in listed["runs"]] + listed["damaged"]) == [1, 2]
            assert server.http.get("/api/runs/1/games").status_code in (200, 404)
            opened = server.http.post("/api/sessions", json={"mode": "analysis", "stored": {"run": 1, "game": 0}})
            assert opened.status_code in (201, 404, 422)
