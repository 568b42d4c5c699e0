"""Tuning runs over HTTP: which there are, how far one is, and what its pictures show."""

from __future__ import annotations

import pathlib
import re
import sqlite3
from collections.abc import Iterator

import pytest

from spielbaum.arena import Store
from spielbaum.web.settings import Settings
from tests.tune.made import MCTS, add_step, made_store
from tests.web.server import Server
from tests.web.test_static import STATIC


@pytest.fixture(scope="module")
def store(tmp_path_factory) -> pathlib.Path:
    path: pathlib.Path = tmp_path_factory.mktemp("tuned") / "runs.db"
    made_store(path, steps=6)
    made_store(path, steps=3, finished=False, agents=[MCTS], against=["medium"], method="spsa")
    return path


@pytest.fixture(scope="module")
def small(store) -> Iterator[Server]:
    with Server(Settings(("connect-four",), store=store)) as running:
        yield running


def test_all_runs_are_listed_newest_first(small):
    listed = small.http.get("/api/tunings").json()
    assert [(run["number"], run["state"], run["steps"]) for run in listed["tunings"]] == [
        (2, "running", 3),
        (1, "finished", 6),
    ]
    assert listed["tunings"][0]["title"]["de"] == "Vier gewinnt"
    assert small.http.get("/api/config").json()["tunings"] is True


def test_an_outline_tells_how_far_it_is_and_the_test(small):
    told = small.http.get("/api/tunings/1").json()
    assert (told["games_planned"], told["agents"], told["against"]) == (1000, [MCTS, "greedy"], [])
    assert (told["test"]["verdict"], told["test"]["elo"], told["maximises"]) == ("stronger", 41.0, "wins")


def test_pictures_hold_what_matters_first(small):
    told = small.http.get("/api/tunings/1/pictures").json()
    assert [one["name"] for one in told["parameters"]][:2] == ["c", "depth"]
    assert (told["parameters"][0]["given"], told["parameters"][0]["tuned"]) == (1.4, 1.03)
    assert sum(n for _, _, n in told["fitness"][0]["dots"] + told["fitness"][1]["dots"]) == 6 * 12
    assert (told["response_surface"]["y"]["name"], told["response_surface"]["x"]["name"]) == ("c", "depth")
    assert [len(one["line"]) for one in told["shares"]] == [6, 6]


def test_what_has_not_changed_is_not_sent_again(small, store):
    first = small.http.get("/api/tunings/2/pictures")
    again = small.http.get("/api/tunings/2/pictures", headers={"if-none-match": first.headers["etag"]})
    assert again.status_code == 304
    with Store(store) as opened:
        add_step(opened, 2, 4, 12)
        opened.commit()
    assert small.http.get("/api/tunings/2").json()["steps"] == 4
    later = small.http.get("/api/tunings/2/pictures", headers={"if-none-match": first.headers["etag"]})
    assert (later.status_code, later.json()["steps"]) == (200, 4)


def test_a_browser_on_another_computer_may_look_where_the_server_is_open(small, store):
    away = {"host": "192.168.1.5:8321"}
    assert small.http.get("/api/tunings/1", headers=away).status_code == 200
    with Server(Settings(("connect-four",), store=store, hosts=("127.0.0.1",))) as closed:
        assert closed.http.get("/api/tunings/1", headers=away).status_code == 403


def test_a_run_that_is_not_there(small):
    refused = small.http.get("/api/tunings/9")
    assert (refused.status_code, refused.json()["error"]["why"]) == (404, "no-tuning")
    assert small.http.get("/api/tunings/9/pictures").status_code == 404


def test_without_a_store_there_is_nothing(tmp_path):
    with Server(Settings(("pig",), store=tmp_path / "none.db")) as empty:
        assert empty.http.get("/api/tunings").json() == {"tunings": [], "damaged": []}
        assert empty.http.get("/api/config").json()["tunings"] is False
        (tmp_path / "none.db").write_text("this is no store, and long enough to be looked at as one" * 20)
        assert empty.http.get("/api/config").json()["tunings"] is False


def test_a_damaged_run_does_not_hide_the_others(tmp_path):
    path = tmp_path / "runs.db"
    made_store(path, steps=1)
    made_store(path, steps=1)
    with sqlite3.connect(path) as base:
        base.execute("UPDATE tunings SET settings = replace(settings, 'evolution', 'revolution') WHERE tuning = 1")
    with Server(Settings(("pig",), store=path)) as server:
        listed = server.http.get("/api/tunings").json()
        assert ([run["number"] for run in listed["tunings"]], listed["damaged"]) == ([2], [1])
        assert server.http.get("/api/tunings/1").status_code == 404


def test_the_page_has_its_words_in_both_languages() -> None:
    source = (STATIC / "js/tuning/words.js").read_text("utf-8")
    english, german = (dict(re.findall(r'^  (\w+): "(.*)",$', body, re.MULTILINE)) for body in source.split("const DE"))
    assert english.keys() == german.keys() and len(english) > 30
    blanks = [{key: set(re.findall(r"\{\w+\}", text)) for key, text in each.items()} for each in (english, german)]
    assert blanks[0] == blanks[1]
    scripts = [STATIC / "js/screens/tuning.js", *(STATIC / "js/tuning").glob("charts.js")]
    used = "\n".join(path.read_text("utf-8") for path in scripts)
    states = {"running", "finished", "interrupted"}  # as the server calls them
    assert {key for key in english if f'"{key}"' not in used} <= states
