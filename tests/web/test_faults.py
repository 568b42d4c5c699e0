"""Faults are told and end no game: a full disk, a store that can't be read, a clock that jumps, damaged runs."""

from __future__ import annotations

import json
import pathlib
import sqlite3
import time
from dataclasses import replace

import numpy as np
import pytest

import spielbaum
from spielbaum import arena
from spielbaum.arena import store as arena_store
from spielbaum.web.settings import Settings
from spielbaum.web.store import Store
from tests.patience import wait_for
from tests.web.server import PERSON, Server
from tests.web.test_protocol import bearer

GAME = ("tic-tac-toe",)
DAYS = 10 * 86_400


def health(server: Server) -> dict:
    answer: dict = server.http.get("/api/health").json()
    return answer


def store_of(server: Server) -> Store:
    store: Store = server.server.config.app.app.state.manager.store  # type: ignore[union-attr]
    return store


def change(folder: pathlib.Path, command: str, *values: object) -> None:
    with sqlite3.connect(folder / "sessions.sqlite") as database:
        database.execute(command, values)
    database.close()


# --- the disk -----------------------------------------------------------------------------------


def test_a_full_disk_ends_no_game_and_is_told(tmp_path):
    settings = Settings(GAME, folder=tmp_path, unload=0.05, sweep=0.05)
    with Server(settings) as server:
        session = server.begin("tic-tac-toe", PERSON, PERSON)
        assert health(server)["status"] == "ok"
        pages = store_of(server).execute("PRAGMA page_count")[0][0]
        store_of(server).execute(f"PRAGMA max_page_count = {pages}")  # of what there is, not one page more
        with server.join(session) as client:
            fill(server)
            for action in (0, 3, 1, 4):
                client.act(action)
            assert client.act(2)["over"]
            told = health(server)
            assert told["status"] == "trouble" and "full" in told["store"]["writing"]
        time.sleep(0.3)  # long enough to be unloaded; but it is nowhere else
        address = f"/api/sessions/{session['session']}"
        assert server.http.get(address, headers=bearer(session)).json()["ply"] == 5
        store_of(server).execute("PRAGMA max_page_count = 1000000")
        wait_for(lambda: health(server)["status"] == "ok")
        assert server.http.get(address, headers=bearer(session)).json()["ply"] == 5
    with Server(settings) as server:
        assert server.http.get(address, headers=bearer(session)).json()["ply"] == 5
        assert server.http.get("/api/records").json()["records"]


def fill(server: Server) -> None:
    """Use the pages that are left."""
    store = store_of(server)
    for size in (100_000, 10_000, 1000, 100, 10, 1):
        try:
            while True:
                store.execute("INSERT INTO records VALUES (hex(randomblob(9)), 0, '', ?)", "x" * size)
        except sqlite3.Error:
            pass


@pytest.mark.parametrize("made", ["below a file", "no database"])
def test_a_store_that_can_not_be_used_is_told_without_its_place(tmp_path, made):
    folder = tmp_path
    if made == "below a file":
        (tmp_path / "file").write_text("no folder")
        folder = tmp_path / "file" / "below"
    else:
        (tmp_path / "sessions.sqlite").write_bytes(b"nonsense" * 1000)
    with Server(Settings(GAME, folder=folder)) as server, server.play("tic-tac-toe", PERSON, PERSON) as client:
        assert client.act(0)["ply"] == 1
        told = health(server)
        assert told["status"] == "trouble" and told["store"]["memory"] and "memory only" in told["store"]["writing"]
        assert str(tmp_path) not in json.dumps(told)


@pytest.mark.parametrize("damaged", ['{"live": {"na', "{}", '{"live": {"name": "tic-tac-toe", "options": {}}}', "7"])
def test_a_damaged_row_costs_its_own_session_only(tmp_path, damaged):
    with Server(Settings(GAME, folder=tmp_path)) as server:
        lost, kept = (server.begin("tic-tac-toe", PERSON, PERSON, moves="a1") for _ in range(2))
    change(tmp_path, "UPDATE sessions SET data = ? WHERE id = ?", damaged, lost["session"])
    change(tmp_path, "INSERT INTO records VALUES ('cut', 0, 'tic-tac-toe', '{\"game')")
    with Server(Settings(GAME, folder=tmp_path)) as server:
        answer = server.http.get(f"/api/sessions/{lost['session']}", headers=bearer(lost))
        assert answer.status_code == 500 and answer.json()["error"]["code"] == "unreadable"
        assert health(server)["store"]["reading"]
        assert server.http.get("/api/records").json() == {"records": []}
        with server.join(kept) as client:
            assert client.act(4)["ply"] == 2


def test_a_store_that_is_damaged_while_it_is_used_is_told(tmp_path):
    with Server(Settings(GAME, folder=tmp_path, sweep=0.05)) as server:
        session = server.begin("tic-tac-toe", PERSON, PERSON)
        store_of(server).execute("DROP TABLE sessions")
        with server.join(session) as client:
            assert client.act(0)["ply"] == 1
            assert "could not be stored" in health(server)["store"]["writing"]
            answer = server.http.get("/api/sessions/other", headers=bearer(session))
            assert answer.status_code == 500 and answer.json()["error"]["code"] == "unreadable"
            assert client.act(1)["ply"] == 2


# --- the clock ----------------------------------------------------------------------------------


@pytest.mark.parametrize("jump", [DAYS, -DAYS])
def test_a_clock_that_jumps_forgets_nothing(tmp_path, monkeypatch, jump):
    real = time.time
    settings = Settings(GAME, folder=tmp_path, unload=0.01, sweep=0.05)
    with Server(settings) as server:
        session = server.begin("tic-tac-toe", PERSON, PERSON, moves="a1 a2 b1 b2")
        address = f"/api/sessions/{session['session']}"
        wait_for(lambda: not health(server)["sessions"])
        monkeypatch.setattr(time, "time", lambda: real() + jump)
        time.sleep(0.3)
        assert server.http.get(address, headers=bearer(session)).json()["ply"] == 4
        with server.join(session) as client:
            client.act(2)
    monkeypatch.setattr(time, "time", lambda: real() + 2 * jump)
    with Server(settings) as server:
        time.sleep(0.3)
        assert server.http.get(address, headers=bearer(session)).json()["over"]
        assert len(server.http.get("/api/records").json()["records"]) == 1


def test_the_newest_games_stay_whatever_the_clock_says(tmp_path, monkeypatch):
    real = time.time
    monkeypatch.setattr("spielbaum.web.store.MOST_RECORDS", 3)
    store = Store(tmp_path)
    for number in range(5):
        monkeypatch.setattr(time, "time", lambda number=number: real() - number * DAYS)
        store.add_record({"game": "pig", "summary": {"number": number}})
    assert [record["number"] for record in store.records()] == [4, 3, 2]
    store.close()


def test_more_sessions_than_are_kept_are_forgotten_oldest_first(tmp_path):
    store = Store(tmp_path)
    for number in range(5):
        store.save(str(number), {}, over=False)
    assert store.sweep(finished=100.0, abandoned=100.0, most=2) == []  # none is old enough
    assert sorted(store.sweep(finished=0.0, abandoned=100.0, most=2)) == ["0", "1", "2"]
    store.close()


# --- runs ---------------------------------------------------------------------------------------

MINE = """
from spielbaum.games.tic_tac_toe import *
import pathlib
pathlib.Path(__file__).with_suffix(".loaded").touch()
"""


def test_a_damaged_plan_hides_no_other_run(tmp_path):
    store = tmp_path / "runs.db"
    for _ in range(3):
        arena.match("tic-tac-toe", ["random", "random"], games=2, store=store)
    with sqlite3.connect(store) as database:
        database.execute("UPDATE runs SET plan = substr(plan, 1, 30) WHERE run = 2")
    database.close()
    with Server(Settings(GAME, store=store)) as server:
        told = server.http.get("/api/runs").json()
        assert [run["run"] for run in told["runs"]] == [3, 1] and told["damaged"] == [2]
        assert len(server.http.get("/api/runs/3/games").json()["games"]) == 2
        refused = server.http.get("/api/runs/2/games")
        assert refused.status_code == 404 and "damaged" in refused.json()["error"]["reason"]
        assert str(tmp_path) not in refused.text


def test_a_game_that_is_not_offered_is_not_loaded(tmp_path):
    store, file = tmp_path / "runs.db", tmp_path / "mine.py"
    file.write_text(MINE)
    arena.match(str(file), ["random", "random"], games=2, store=store)
    loaded = file.with_suffix(".loaded")
    assert loaded.exists()
    loaded.unlink()
    file.write_text(MINE + "\n# changed\n")  # would be loaded anew
    with Server(Settings(GAME, store=store)) as server:
        listed = server.http.get("/api/runs")
        assert listed.json()["runs"][0]["game"] == "mine" and str(tmp_path) not in listed.text
        answers = [
            server.http.get("/api/runs/1/games"),
            server.http.post("/api/sessions", json={"mode": "analysis", "stored": {"run": 1, "game": 0}}),
        ]
        for answer in answers:
            assert answer.status_code == 404 and "not offered" in answer.json()["error"]["reason"]
            assert str(tmp_path) not in answer.text
        assert not loaded.exists()
    with Server(Settings((file,), store=store)) as server:
        assert server.http.get("/api/runs").json()["runs"][0]["game"] == "mine"
        assert len(server.http.get("/api/runs/1/games").json()["games"]) == 2


def test_games_are_shown_from_any_number_on(tmp_path):
    store = tmp_path / "runs.db"
    arena.match("tic-tac-toe", ["random", "random"], games=950, store=store)
    with Server(Settings(GAME, store=store)) as server:

        def numbers(first: object) -> list[int]:
            found = server.http.get("/api/runs/1/games", params={"first": first}).json()["games"]
            return [game["number"] for game in found]

        assert numbers(0) == [*range(200)] and numbers(377) == [*range(377, 577)]
        assert numbers(949) == [949] and numbers(950) == numbers(2**62) == []
        for wrong in (-1, 2**63, "x"):
            assert server.http.get("/api/runs/1/games", params={"first": wrong}).status_code == 400


def test_a_game_that_ended_late_makes_no_page_slow(tmp_path, monkeypatch):
    """It lies in a row with games of much larger numbers; still only rows with games of the page are read."""
    path, game = tmp_path / "runs.db", spielbaum.load("tic-tac-toe")
    arena.match("tic-tac-toe", ["random", "random"], games=1500, store=path)
    with arena_store.Store(path) as store:
        played = next(store.batches(1, game))
        with store.writing():
            store.base.execute("DELETE FROM games")
            store.write(replace(store.run(1), games=0, total=0))
            late = [3, *range(1490, 1500)]
            rows = [[number for number in range(first, first + 10) if number != 3] for first in range(0, 1490, 10)]
            for numbers in (*rows, late):
                store.insert(1, played.pick(np.array(numbers)))
        store.commit()
    read = 0

    def counted(self, *arguments, **named):
        nonlocal read
        for row in rows_of(self, *arguments, **named):
            read += 1
            yield row

    rows_of = arena_store.Store.rows
    monkeypatch.setattr(arena_store.Store, "rows", counted)
    with Server(Settings(GAME, store=path)) as server:
        for first in (0, 600, 1400):
            read = 0
            found = server.http.get("/api/runs/1/games", params={"first": first}).json()["games"]
            assert [game["number"] for game in found] == [*range(first, min(first + 200, 1500))]
            assert read <= 25
