"""Damage is noticed: every flipped bit of a store is told, or changes nothing that anybody reads."""

from __future__ import annotations

import random
import sqlite3
from dataclasses import replace

import numpy as np
import pytest

import spielbaum
from spielbaum.arena import Store, match
from spielbaum.arena.game_batch import join
from spielbaum.arena.run import recall
from spielbaum.arena.verify import verify
from tests.arena.test_kernel_runner import games_of
from tests.conftest import SMALL

GAME = spielbaum.load(SMALL / "unruly.py")


@pytest.fixture
def path(tmp_path):
    """Two runs, one with forfeits, in a file without a log."""
    with Store(tmp_path / "games.db") as store:
        match(GAME, ["random", "slips"], 60, seed=3, store=store)
        match(GAME, ["unruly", "random"], 6, store=store)
    return tmp_path / "games.db"


def damage(path) -> list[str]:
    with Store(path, create=False) as store:
        return list(verify(store))


def everything(path) -> list:
    """All that can be read in a store."""
    with Store(path, create=False) as store:
        runs = store.runs()
        return [runs, [games_of(batch) for run in runs for batch in store.batches(run.run, GAME)]]


def test_a_store_as_it_was_written_has_no_damage(path):
    assert damage(path) == []


@pytest.mark.parametrize("flips", [pytest.param(60), pytest.param(1000, marks=pytest.mark.slow)])
def test_every_flipped_bit_is_noticed_or_without_effect(path, flips):
    with Store(path) as store:
        match(GAME, ["random", "slips"], 600, seed=4, store=store)  # so that little of the file is empty
    whole, before = path.read_bytes(), everything(path)
    rng, noticed = random.Random(5), 0
    for _ in range(flips):
        data = bytearray(whole)
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        path.write_bytes(data)
        try:
            if damage(path):
                noticed += 1
                continue
        except spielbaum.SpielbaumError:
            noticed += 1
            continue
        assert everything(path) == before
    assert noticed > flips / 4


def tampered(path, **columns) -> list[str]:
    """The damage of a run that was stored with other columns than its games have."""
    with Store(path) as store:
        stored = store.run(1)
        batch = join(GAME, store.batches(1, GAME))
        run = store.create_run("match", stored.plan, stored.rules)
        store.add(run, replace(batch, **{name: change(getattr(batch, name)) for name, change in columns.items()}))
        store.commit()
    return [line.removeprefix(f"run {run}: ") for line in damage(path)]


def but_third(actions):
    return np.concatenate([actions[:2], [0], actions[3:]]).astype(actions.dtype)


def test_games_that_are_none_are_told_though_their_checksums_are_right(path):
    assert tampered(path) == []
    assert tampered(path, actions=but_third) == ["game 0 has an illegal move"]


@pytest.mark.parametrize(
    ("column", "change", "words"),
    [
        ("returns", lambda returns: -returns, "has another result"),
        ("seeds", lambda seeds: seeds + 1, "has another seed than its run gives it"),
        ("seats", lambda seats: seats[:, ::-1], "has other agents than its run seats"),
        ("outcomes", lambda outcomes: np.full(len(outcomes), "won"), "has another outcome"),
    ],
)
def test_what_is_told_of_games_is_compared_with_how_they_go(path, column, change, words):
    lines = tampered(path, **{column: change})
    assert lines[0] == f"game 0 {words}" and lines[-1] == "60 games of 0 to 59 in all"
    assert len(lines) == 11


def test_games_that_are_missing_are_told(path):
    base = sqlite3.connect(path)
    base.execute("DELETE FROM games WHERE rowid = 2")
    base.commit()
    base.close()
    assert damage(path) == ["run 1: 1 of 60 games are there"] or "games are there" in damage(path)[0]


def test_figures_of_damaged_games_are_not_shown(path):
    base = sqlite3.connect(path)
    base.execute("UPDATE games SET returns = zeroblob(length(returns)) WHERE run = 1")
    base.commit()
    base.close()
    with Store(path, create=False) as store:
        with pytest.raises(spielbaum.SpielbaumError, match=r"of run 1 are damaged; 'spielbaum verify' says how much"):
            recall(store, 1)
        assert recall(store, 2).games == 6


def test_a_run_of_other_rules_is_compared_by_its_checksums_alone(tmp_path):
    mine, source = tmp_path / "mine.py", (SMALL / "cheat.py").read_text("utf-8")
    mine.write_text(source)
    with Store(tmp_path / "games.db") as store:
        match(mine, ["random", "random"], 4, store=store)
    for change in (lambda: mine.write_text(source.replace("STICKS = 7", "STICKS = 9")), mine.unlink):
        change()
        (line,) = damage(tmp_path / "games.db")
        assert line.startswith("run 1: its games are not played again, only their checksums are compared: ")
