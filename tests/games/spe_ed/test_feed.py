"""What is shown to who looks on: rounds, plans and hands, kept in little room and sent over real sockets."""

from __future__ import annotations

import contextlib
import json
import pathlib
import threading
from collections.abc import Iterator
from typing import Any

import httpx
import numpy as np
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

import spielbaum
from spielbaum.agents import make
from spielbaum.arena import Store, match
from spielbaum.errors import SpielbaumError
from spielbaum.games.spe_ed.lines import Line
from spielbaum.games.spe_ed.online import archive, records
from spielbaum.games.spe_ed.online import feed as feed_module
from spielbaum.games.spe_ed.online.feed import Feed, Feeds
from spielbaum.games.spe_ed.online.shelf import Shelf
from spielbaum.games.spe_ed.online.showing import play_on_stage, recorded, told
from spielbaum.games.spe_ed.online.stage import serve_stage
from spielbaum.web.settings import Settings
from tests.games.spe_ed.rounds import begun, cells, ride
from tests.web.server import Server

OFFICIAL = pathlib.Path(__file__).parent / "recorded-games.jsonl.gz"
PERSON = object()
SOON = 10.0


def shown(*words: tuple[str, str]) -> Feed:
    """A feed of a game of two on a small board."""
    state, feed = begun("2,2,right", "9,5,left"), Feed("two")
    feed.show(told(state))
    for answers in words:
        feed.show(told(ride(state, *answers)))
    return feed


def rebuilt(feed: Feed) -> np.ndarray:
    """The cells that a browser gets from all that has changed."""
    board = np.zeros(feed.width * feed.height, np.int8)
    for shot in feed.shots:
        board[shot.cells[::2]] = shot.cells[1::2]
    return board.reshape(feed.height, feed.width)


# --- what is kept -----------------------------------------------------------------------------------


def test_changes_of_all_rounds_make_the_board():
    state, feed = begun("2,2,right", "9,5,left"), Feed("two")
    feed.show(told(state))
    for letter in "+r+...l":
        feed.show(told(ride(state, letter, ".")))
        assert (rebuilt(feed) == cells(state)).all()
    assert max(len(shot.cells) for shot in feed.shots) <= 2 * 4  # three cells of one and one of the other


def short() -> records.Record:
    """A recorded game of four with nineteen rounds."""
    return next(record for record in records.read(OFFICIAL) if record["id"] == "SMHFWRLQHMDNIQXO")


def test_a_recorded_game_ends_with_the_cells_that_the_official_server_had():
    record = short()
    feed = recorded(record)
    assert len(feed.shots) == 1 + len(record["rounds"]) and feed.ended
    assert records.digest(rebuilt(feed)) == record["rounds"][-1]["sha1"]
    assert feed.names[0] == record["players"]["1"] and not any(map(feed.may_take, range(4)))


def test_jumps_are_told_in_the_round_in_which_they_happen():
    state, feed = begun("0,2,right", "19,8,left", width=22, height=9), Feed("jump")
    feed.show(told(state))
    for letter in "+++....":
        feed.show(told(ride(state, letter, ".")))
    jumped = {shot.round: shot.jumped for shot in feed.shots if shot.jumped}
    assert list(jumped) == [6] and len(jumped[6]) == 2
    assert not rebuilt(feed).reshape(-1)[jumped[6]].any()


def test_another_size_is_refused():
    feed = shown()
    other = told(begun("2,2,right", "9,5,left", width=13))
    with pytest.raises(SpielbaumError, match="the board was 12 x 8 and is 13 x 8 now"):
        feed.show(other)


def test_the_likeliest_plans_are_shown_and_old_ones_forgotten(monkeypatch):
    monkeypatch.setattr(feed_module, "REMEMBERED", 2)
    feed = shown()
    feed.think([Line(0, [(2, 2), (3 + share, 2)], share / 100) for share in range(50)])
    lines = json.loads(feed.plans[0][0])
    assert len(lines) == feed_module.MOST_LINES and lines[0] == [0, 0.49, 2, 2, 52, 2]
    state = begun("2,2,right", "9,5,left")
    for _ in range(2):
        feed.show(told(ride(state, ".", ".")))
    assert 0 not in feed.plans


def test_the_oldest_game_that_is_over_makes_room(monkeypatch):
    monkeypatch.setattr(feed_module, "MOST_FEEDS", 2)
    feeds = Feeds()
    running, over = feeds.add(Feed("runs")), feeds.add(Feed("over"))
    over.end()
    new = feeds.add(Feed("new"))
    assert list(feeds.values()) == [running, new]


def test_stored_games_are_on_the_stage_of_the_app(tmp_path):
    path, record = tmp_path / "runs.db", short()
    with Store(path) as store:
        archive.keep(store, record)
    match(spielbaum.load("tic-tac-toe"), ["random", "random"], 2, workers=1, store=path)
    match(spielbaum.load("spe-ed", players=2, width=6, height=6), ["random", "random"], 12, workers=1, store=path)
    shelf = Shelf(path)
    shelf.add(shown())
    names = [game["id"] for game in shelf.offered()]
    assert names[1:] == [*(f"run-3-{number}" for number in range(10)), "run-1-0"] and "run" not in names[0]
    feed = shelf.find("run-1-0")
    assert feed is not None and records.digest(rebuilt(feed)) == record["rounds"][-1]["sha1"]
    assert feed.names == dict(enumerate(records.names_of(record))) and not feed.may_take(0)
    assert len(shelf.find("run-3-11").shots) > 1 and shelf.find("run-1-0") is feed
    assert [shelf.find(name) for name in ("run-2-0", "run-1-1", "run-9-0", "run-1", "nothing")] == [None] * 5


def test_a_store_that_is_missing_or_damaged_shows_nothing(tmp_path):
    (tmp_path / "damaged.db").write_bytes(b"no store")
    for name in ("missing.db", "damaged.db"):
        shelf = Shelf(tmp_path / name)
        assert shelf.offered() == [] and shelf.find("run-1-0") is None
    assert not (tmp_path / "missing.db").exists()


# --- steering ---------------------------------------------------------------------------------------


def test_a_choice_counts_for_one_round():
    feed = shown()
    assert feed.taken(0) is None
    assert feed.take(0, PERSON) and feed.taken(0) == "change_nothing"
    feed.steer(0, "turn_left", PERSON)
    assert feed.taken(0) == "turn_left" and feed.taken(1) is None
    feed.show(told(ride(begun("2,2,right", "9,5,left"), ".", ".")))
    assert feed.taken(0) == "change_nothing"
    feed.release(0, PERSON)
    assert feed.taken(0) is None


def test_nobody_steers_a_player_of_somebody_else():
    feed = shown()
    assert feed.take(0, PERSON) and not feed.take(0, object())
    feed.steer(0, "turn_left", object())
    feed.release(0, object())
    assert feed.taken(0) == "change_nothing"


def test_only_those_players_are_taken_over_that_may_be():
    closed, own = Feed("closed", seats=()), Feed("own")
    closed.show(told(begun("2,2,right", "9,5,left")))
    own.show(told(begun("2,2,right", "9,5,left")) | {"you": 2})
    assert not closed.take(0, PERSON)
    assert own.take(1, PERSON) and not own.take(0, PERSON)


def test_who_is_out_can_not_be_steered():
    state, feed = begun("0,2,left", "6,5,left", "9,1,down"), Feed("three")
    feed.show(told(state))
    assert feed.take(0, PERSON)
    feed.show(told(ride(state, ".", ".", ".")))
    assert feed.taken(0) is None and not feed.take(0, PERSON) and feed.take(1, PERSON)


def test_waiting_ends_with_a_key():
    feed = shown()
    feed.take(0, PERSON)
    threading.Timer(0.05, lambda: feed.steer(0, "speed_up", PERSON)).start()
    assert feed.wait(0, SOON) == "speed_up"
    assert feed.wait(1, SOON) is None  # at once


def test_a_person_steers_in_a_game_of_agents():
    game = spielbaum.load("spe-ed", players=2, width=12, height=12, start="6,6,up; 1,1,right")
    feed, seen = Feed("match"), []

    def come() -> None:
        if len(feed.shots) > len(seen):
            seen.append(feed.shots[-1].players[0][2])
            feed.take(0, PERSON)
            feed.steer(0, "turn_left", PERSON)

    feed.follow(come)
    state = play_on_stage(game, [make("random", game, seat) for seat in range(2)], feed, seed=1, pace=0, patience=SOON)
    assert state.over and feed.ended and seen[:4] == [0, 1, 2, 3][: len(seen)]
    assert len(seen) > 1 and all(0 not in by for by in feed.plans.values())  # its agent was not asked


def test_thoughts_of_a_search_are_lines_from_the_head():
    game = spielbaum.load("spe-ed", players=2, width=12, height=12, start="6,6,up; 1,1,right")
    agents = [make(spec, game, 1) for spec in ("mcts:iterations=40", "random")]
    feed = Feed("match")
    play_on_stage(game, agents, feed, seed=1, pace=0, patience=0)
    lines = json.loads(feed.plans[0][0])
    assert {tuple(line[2:4]) for line in lines} == {(6, 6)} and len(lines) == 4  # slower is out at once
    assert 0 < sum(share for _, share, *_ in lines) <= 1.001
    assert json.loads(feed.plans[0][1]) == []


# --- over the network -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def stage() -> Iterator[tuple[str, Feeds]]:
    feeds = Feeds()
    with serve_stage(feeds) as address:
        yield address, feeds


@contextlib.contextmanager
def looking(stage: tuple[str, Feeds], feed: Feed) -> Iterator[ClientConnection]:
    """Somebody who looks on."""
    address, feeds = stage
    feeds.add(feed)
    name = next(name for name, other in feeds.items() if other is feed)
    with connect(f"{address.replace('http', 'ws')}api/stage/{name}/socket", proxy=None) as socket:
        yield socket


def heard(socket: ClientConnection, kind: str) -> dict[str, Any]:
    """The next message of a kind."""
    while True:
        message: dict[str, Any] = json.loads(socket.recv(SOON))
        if message["type"] == kind:
            return message


def test_who_comes_late_is_told_everything_and_then_what_is_new(stage):
    feed = shown((".", "."), ("+", "r"))
    feed.think([Line(0, [(2, 2), (3, 2)], 0.5)])
    with looking(stage, feed) as socket:
        game = heard(socket, "game")
        assert (game["title"], game["width"], game["height"], game["seats"]) == ("two", 12, 8, [0, 1])
        rounds = heard(socket, "rounds")
        assert rounds["first"] == 0 and [shot["round"] for shot in rounds["shots"]] == [0, 1, 2]
        assert heard(socket, "plans") == {"type": "plans", "round": 2, "player": 0, "lines": [[0, 0.5, 2, 2, 3, 2]]}
        feed.show(told(ride(begun("2,2,right", "9,5,left"), "...", "...")) | {"running": False})
        news = heard(socket, "rounds")
        assert news["first"] == 3 and len(news["shots"]) == 1
        assert heard(socket, "game")["ended"] is True


def test_hands_are_told_and_let_go_when_somebody_leaves(stage):
    feed = shown()
    with looking(stage, feed) as one:
        one.send('{"type": "take", "player": 1}')
        one.send('{"type": "steer", "player": 1, "action": "turn_right"}')
        while heard(one, "hands")["chosen"] != {"1": "turn_right"}:
            pass
        assert feed.taken(1) == "turn_right"
        name = next(name for name, other in stage[1].items() if other is feed)
        with connect(f"{stage[0].replace('http', 'ws')}api/stage/{name}/socket", proxy=None) as other:
            hands = heard(other, "hands")
            assert (hands["own"], hands["others"], hands["chosen"]) == ([], [1], {})
            other.send('{"type": "take", "player": 1}')
            assert heard(other, "error")["why"] == "not-your-seat"
    gone = threading.Event()
    feed.follow(lambda: gone.set() if feed.taken(1) is None else None)
    assert feed.taken(1) is None or gone.wait(SOON)


@pytest.mark.parametrize(
    "message",
    ["", "{", "[]", "null", '{"type": "steer", "player": 0, "action": "fly"}', '{"type": "take", "player": 9}',
     '{"type": "take", "player": "0"}}', '{"type": "dance"}', '{"type": "ping", "more": 1}'],
)  # fmt: skip
def test_what_is_no_message_is_refused_and_the_rest_goes_on(stage, message):
    with looking(stage, shown()) as socket:
        socket.send(message)
        assert heard(socket, "error")["code"] == "malformed"
        socket.send('{"type": "ping"}')
        assert heard(socket, "pong")


def test_a_flood_is_cut_off(stage):
    with looking(stage, shown()) as socket, pytest.raises(ConnectionClosed) as ended:
        for _ in range(5000):
            socket.send('{"type": "ping"}')
        while True:
            socket.recv(SOON)
    assert ended.value.rcvd is not None and ended.value.rcvd.code == 4429


def test_other_sites_and_unknown_games_are_refused(stage):
    address, feeds = stage
    feed = feeds.add(shown())
    name = next(name for name, other in feeds.items() if other is feed)
    for path, origin, status in ((name, "http://elsewhere.example", 403), ("nothing", None, 404)):
        with pytest.raises(InvalidStatus) as refused, connect(
            f"{address.replace('http', 'ws')}api/stage/{path}/socket", proxy=None, origin=origin
        ):  # fmt: skip
            pass
        assert refused.value.response.status_code == status


def test_pages_have_their_headers_and_addresses(stage):
    address, feeds = stage
    feed = feeds.add(shown())
    name = next(name for name, other in feeds.items() if other is feed)
    with httpx.Client(base_url=address) as http:
        assert "frame-ancestors 'none'" in http.get("/").headers["content-security-policy"]
        assert http.get(f"/stage/{name}").headers["location"] == f"../#/stage/{name}"
        assert http.get("/stage").headers["location"] == "./#/stage"
        assert http.get("/stage/nothing").status_code == 404
        assert http.get("/api/config").json()["home"] == "stage"
        assert http.get("/", headers={"host": "elsewhere.example"}).status_code == 403
        assert {"id": name, "title": "two", "round": 0, "ended": False} .items() <= next(
            game for game in http.get("/api/stage").json()["games"] if game["id"] == name
        ).items()  # fmt: skip


@pytest.mark.parametrize(("feeds", "status"), [(Feeds(), 200), (None, 404)])
def test_the_app_has_a_stage_where_there_is_something_to_show(feeds, status):
    with Server(Settings(("tic-tac-toe",)), feeds) as server:
        assert server.http.get("/api/stage").status_code == status
        assert server.http.get("/api/config").json()["stage"] is (status == 200)
