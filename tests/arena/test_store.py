"""The store: every game once, safe on the disk, and clear words for files that are none of ours."""

from __future__ import annotations

import contextlib
import os
import pathlib
import sqlite3
import tempfile

import numpy as np
import pytest

import spielbaum
from spielbaum.arena.executors import Worker
from spielbaum.arena.plan import Plan, make_plan
from spielbaum.arena.run import recall
from spielbaum.arena.store import FORMAT, Store, continues
from tests.arena.test_kernel_runner import games_of

GAME = spielbaum.load("tic-tac-toe")


def plan(games=20, **settings) -> Plan:
    return make_plan(GAME, ["random", "random"], games, **settings)


def batch(numbers):
    return Worker(plan()).play(np.array(numbers))[0][0]


def many(games):
    return Worker(plan(games)).play(np.arange(games))[0][0]


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "games.db") as opened:
        yield opened


def test_a_game_is_stored_once_however_often_it_is_added(store):
    run = store.create_run("match", plan(), "rules")
    store.add(run, batch([3, 1]))
    store.add(run, batch([1, 2]))
    store.commit()
    assert store.numbers(run).tolist() == [1, 2, 3]
    assert store.run(run).state == "3 of 20"


def test_what_is_not_committed_does_not_count(store):
    run = store.create_run("match", plan(), "rules")
    store.add(run, batch([0]))
    with Store(store.path) as other:
        assert other.numbers(run).tolist() == []
        store.commit()
        assert other.numbers(run).tolist() == [0]


def test_games_come_back_as_they_were(store):
    run = store.create_run("match", plan(), "rules")
    games = batch(range(20))
    store.add(run, games)
    store.commit()
    (back,) = store.batches(run, GAME)
    assert games_of(back) == games_of(games)
    assert games_of(store.game(run, 7, GAME)) == [games_of(games)[7]]


def test_a_run_that_is_the_same_or_goes_further_is_continued_and_no_other():
    assert continues(plan(20), plan(20)) and continues(plan(20), plan(30))
    assert not continues(plan(20), plan(20, seed=1))
    assert not continues(plan(20), plan(20, opening=2))
    many = make_plan(GAME, ["random"] * 3, 4, groups=[(0, 1), (0, 2)])
    assert continues(many, many.with_groups([(0, 1), (0, 2), (1, 2)]))
    assert not continues(many, many.with_groups([(0, 2), (0, 1)]))


def test_the_newest_fitting_run_is_found(store):
    for seed in (1, 2, 1):
        store.create_run("match", plan(seed=seed), "rules")
    found = store.find("match", plan(seed=1))
    assert found is not None and found.run == 3
    assert store.find("swiss", plan(seed=1)) is None


def refusal(path, **settings) -> str:
    with pytest.raises(spielbaum.SpielbaumError) as error:
        Store(path, **settings)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_store_of_a_newer_version_is_refused_and_left_alone(tmp_path):
    Store(tmp_path / "games.db").base.close()
    base = sqlite3.connect(tmp_path / "games.db")
    base.execute(f"PRAGMA user_version = {FORMAT + 1}")
    base.close()
    message = refusal(tmp_path / "games.db")
    assert "newer Spielbaum" in message and "upgrade" in message


def test_files_that_are_no_stores_are_refused(tmp_path):
    (tmp_path / "text.db").write_text("not a database, but long enough to look at" * 40)
    assert "not a database" in refusal(tmp_path / "text.db")
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("CREATE TABLE things (x)")
    other.close()
    assert "not a store of games" in refusal(tmp_path / "other.db")
    assert "there is no store" in refusal(tmp_path / "none.db", create=False)
    assert "can't be written" in refusal(tmp_path / "no" / "folder.db")


def test_a_damaged_store_is_told_and_not_made_worse(tmp_path):
    path = tmp_path / "games.db"
    with Store(path) as store:
        run = store.create_run("match", plan(), "rules")
        store.add(run, batch(range(20)))
        store.commit()
        store.base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = bytearray(path.read_bytes())
    data[4096 * 1 : 4096 * 3] = b"\xff" * 8192
    path.write_bytes(data)
    with pytest.raises(spielbaum.SpielbaumError, match=r"the file is damaged; keep it"), Store(path) as store:
        list(store.batches(1, GAME))
    assert path.read_bytes()[: len(data)] == bytes(data)


def test_a_full_disk_is_told_and_what_was_stored_stays_readable(store):
    run = store.create_run("match", plan(), "rules")
    store.add(run, batch([0, 1, 2]))
    store.commit()
    pages = store.pragma("page_count")
    store.base.execute(f"PRAGMA max_page_count = {pages}")  # what SQLite finds on a full disk
    with pytest.raises(spielbaum.SpielbaumError, match=r"the disk is full; what was stored is safe.*--resume"):
        store.add(run, many(1000))
    with Store(store.path) as other:
        assert {0, 1, 2} <= set(other.numbers(run).tolist())


def test_an_unknown_run_or_game_is_answered_with_those_that_there_are(store):
    run = store.create_run("match", plan(), "rules")
    with pytest.raises(spielbaum.SpielbaumError, match="has no run 9; runs: 1"):
        store.run(9)
    with pytest.raises(spielbaum.SpielbaumError, match=r"run 1 has no game 5; it has 0 of the numbers 0 to 19"):
        store.game(run, 5, GAME)


def test_a_store_of_an_older_version_is_refused_in_one_line(tmp_path):
    old = sqlite3.connect(tmp_path / "games.db")
    old.executescript("CREATE TABLE runs (x); PRAGMA application_id = 1397768781; PRAGMA user_version = 2")
    old.close()
    for settings in ({}, {"create": False}):
        assert "written by an older Spielbaum (format 2, this one knows" in refusal(tmp_path / "games.db", **settings)


@pytest.mark.parametrize("how", ["deleted", "replaced"])
def test_a_store_that_disappears_while_a_run_writes_to_it_is_noticed(store, how):
    run = store.create_run("match", plan(), "rules")
    store.add(run, batch([0]))
    store.commit()
    store.path.rename(store.path.with_suffix(".old"))
    if how == "replaced":
        store.path.write_bytes(b"")
    store.add(run, batch([1]))
    with pytest.raises(spielbaum.SpielbaumError, match="was moved, replaced or deleted while games were written"):
        store.commit()


@contextlib.contextmanager
def nobody():
    """Somebody who may not write everywhere, as the administrator may."""
    administrator = os.geteuid() == 0
    if administrator:
        os.seteuid(65534)
    yield
    if administrator:
        os.seteuid(0)


def test_a_store_on_media_that_can_not_be_written_is_read():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "games.db"
        with Store(path) as store:
            run = store.create_run("match", plan(), "rules")
            store.add(run, batch(range(20)))
            store.commit()
        path.chmod(0o444)
        pathlib.Path(folder).chmod(0o555)
        with nobody():
            assert not os.access(folder, os.W_OK, effective_ids=True)
            with Store(path, create=False) as store:
                assert store.runs()[0].games == 20 and recall(store, run).games == 20
        pathlib.Path(folder).chmod(0o755)


def test_readers_see_what_is_written_meanwhile_and_leave_no_trace(store):
    run = store.create_run("match", plan(), "rules")
    with Store(store.path, create=False) as reader:
        for number in range(3):
            store.add(run, batch([number]))
            store.commit()
            assert reader.numbers(run).tolist() == list(range(number + 1))
        with pytest.raises(spielbaum.SpielbaumError, match="can't be written"):
            reader.create_run("match", plan(), "rules")
