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
from spielbaum.online import event_stream, import_games, records
from spielbaum.online.event_stream import EventStream, EventStreams
from spielbaum.online.local_stage import play_on_stage, recorded, state_message
from spielbaum.online.stage import serve_stage
from spielbaum.online.stage_store import StageStore
from spielbaum.web.settings import Settings
from tests.games.spe_ed.rounds import begun, cells, ride
from tests.patience import Deadline, wait_for
from tests.web.server import Server

OFFICIAL = pathlib.Path(__file__).parent / "recorded-games.jsonl.gz"
PERSON = object()
SOON = 60.0  # seconds


def shown(*words: tuple[str, str]) -> EventStream:
    """A stream of a game of two on a small board."""
    state, stream = begun("2,2,right", "9,5,left"), EventStream("two")
    stream.show(state_message(state))
    for answers in words:
        stream.show(state_message(ride(state, *answers)))
    return stream


def rebuilt(stream: EventStream) -> np.ndarray:
    """The cells that a browser gets from all that has changed."""
    board = np.zeros(stream.width * stream.height, np.int8)
    for shot in stream.shots:
        board[shot.cells[::2]] = shot.cells[1::2]
    return board.reshape(stream.height, stream.width)


# --- what is kept -----------------------------------------------------------------------------------


def test_changes_of_all_rounds_make_the_board():
    state, stream = begun("2,2,right", "9,5,left"), EventStream("two")
    stream.show(state_message(state))
    for letter in "+r+...l":
        stream.show(state_message(ride(state, letter, ".")))
        assert (rebuilt(stream) == cells(state)).all()
    assert max(len(shot.cells) for shot in stream.shots) <= 2 * 4  # three cells of one and one of the other


def short() -> records.Record:
    """A recorded game of four with nineteen rounds."""
    return next(record for record in records.read(OFFICIAL) if record["id"] == "SMHFWRLQHMDNIQXO")


def test_a_recorded_game_ends_with_the_cells_that_the_official_server_had():
    record = short()
    stream = recorded(record)
    assert len(stream.shots) == 1 + len(record["rounds"]) and stream.ended
    assert records.digest(rebuilt(stream)) == record["rounds"][-1]["sha1"]
    assert stream.names[0] == record["players"]["1"] and not any(map(stream.may_take, range(4)))


def test_jumps_are_told_in_the_round_in_which_they_happen():
    state, stream = begun("0,2,right", "19,8,left", width=22, height=9), EventStream("jump")
    stream.show(state_message(state))
    for letter in "+++....":
        stream.show(state_message(ride(state, letter, ".")))
    jumped = {shot.round: shot.jumped for shot in stream.shots if shot.jumped}
    assert list(jumped) == [6] and len(jumped[6]) == 2
    assert not rebuilt(stream).reshape(-1)[jumped[6]].any()


def test_another_size_is_refused():
    stream = shown()
    other = state_message(begun("2,2,right", "9,5,left", width=13))
    with pytest.raises(SpielbaumError, match="the board was 12 x 8 and is 13 x 8 now"):
        stream.show(other)


def test_the_likeliest_plans_are_shown_and_old_ones_forgotten(monkeypatch):
    monkeypatch.setattr(event_stream, "REMEMBERED", 2)
    stream = shown()
    stream.think([Line(0, [(2, 2), (3 + share, 2)], share / 100) for share in range(50)])
    lines = json.loads(stream.plans[0][0])
    assert len(lines) == event_stream.MOST_LINES and lines[0] == [0, 0.49, 2, 2, 52, 2]
    state = begun("2,2,right", "9,5,left")
    for _ in range(2):
        stream.show(state_message(ride(state, ".", ".")))
    assert 0 not in stream.plans


def test_the_oldest_game_that_is_over_makes_room(monkeypatch):
    monkeypatch.setattr(event_stream, "MOST_STREAMS", 2)
    streams = EventStreams()
    running, over = streams.add(EventStream("runs")), streams.add(EventStream("over"))
    over.end()
    new = streams.add(EventStream("new"))
    assert list(streams.values()) == [running, new]


def test_stored_games_are_on_the_stage_of_the_app(tmp_path):
    path, record = tmp_path / "runs.db", short()
    with Store(path) as store:
        import_games.store_record(store, record)
    match(spielbaum.load("tic-tac-toe"), ["random", "random"], 2, workers=1, store=path)
    match(spielbaum.load("spe-ed", players=2, width=6, height=6), ["random", "random"], 12, workers=1, store=path)
    stored = StageStore(path)
    stored.add(shown())
    names = [game["id"] for game in stored.offered()]
    assert names[1:] == [*(f"run-3-{number}" for number in range(10)), "run-1-0"] and "run" not in names[0]
    stream = stored.find("run-1-0")
    assert stream is not None and records.digest(rebuilt(stream)) == record["rounds"][-1]["sha1"]
    assert stream.names == dict(enumerate(records.names_of(record))) and not stream.may_take(0)
    assert len(stored.find("run-3-11").shots) > 1 and stored.find("run-1-0") is stream
    assert [stored.find(name) for name in ("run-2-0", "run-1-1", "run-9-0", "run-1", "nothing")] == [None] * 5


def test_a_store_that_is_missing_or_damaged_shows_nothing(tmp_path):
    (tmp_path / "damaged.db").write_bytes(b"no store")
    for name in ("missing.db", "damaged.db"):
        stored = StageStore(tmp_path / name)
        assert stored.offered() == [] and stored.find("run-1-0") is None
    assert not (tmp_path / "missing.db").exists()


# --- steering ---------------------------------------------------------------------------------------


def test_a_choice_counts_for_one_round():
    stream = shown()
    assert stream.taken(0) is None
    assert stream.take(0, PERSON) and stream.taken(0) == "change_nothing"
    stream.steer(0, "turn_left", PERSON)
    assert stream.taken(0) == "turn_left" and stream.taken(1) is None
    stream.show(state_message(ride(begun("2,2,right", "9,5,left"), ".", ".")))
    assert stream.taken(0) == "change_nothing"
    stream.release(0, PERSON)
    assert stream.taken(0) is None


def test_nobody_steers_a_player_of_somebody_else():
    stream = shown()
    assert stream.take(0, PERSON) and not stream.take(0, object())
    stream.steer(0, "turn_left", object())
    stream.release(0, object())
    assert stream.taken(0) == "change_nothing"


def test_only_those_players_are_taken_over_that_may_be():
    closed, own = EventStream("closed", seats=()), EventStream("own")
    closed.show(state_message(begun("2,2,right", "9,5,left")))
    own.show(state_message(begun("2,2,right", "9,5,left")) | {"you": 2})
    assert not closed.take(0, PERSON)
    assert own.take(1, PERSON) and not own.take(0, PERSON)


def test_who_is_out_can_not_be_steered():
    state, stream = begun("0,2,left", "6,5,left", "9,1,down"), EventStream("three")
    stream.show(state_message(state))
    assert stream.take(0, PERSON)
    stream.show(state_message(ride(state, ".", ".", ".")))
    assert stream.taken(0) is None and not stream.take(0, PERSON) and stream.take(1, PERSON)


def test_waiting_ends_with_a_key():
    stream = shown()
    stream.take(0, PERSON)
    threading.Timer(0.05, lambda: stream.steer(0, "speed_up", PERSON)).start()
    assert stream.wait(0, SOON) == "speed_up"
    assert stream.wait(1, SOON) is None  # at once


def test_a_person_steers_in_a_game_of_agents():
    game = spielbaum.load("spe-ed", players=2, width=12, height=12, start="6,6,up; 1,1,right")
    stream, seen = EventStream("match"), []

    def come() -> None:
        if len(stream.shots) > len(seen):
            seen.append(stream.shots[-1].players[0][2])
            stream.take(0, PERSON)
            stream.steer(0, "turn_left", PERSON)

    stream.follow(come)
    state = play_on_stage(
        game, [make("random", game, seat) for seat in range(2)], stream, seed=1, pace=0, patience=SOON
    )
    assert state.over and stream.ended and seen[:4] == [0, 1, 2, 3][: len(seen)]
    assert len(seen) > 1 and all(0 not in by for by in stream.plans.values())  # its agent was not asked


def test_thoughts_of_a_search_are_lines_from_the_head():
    game = spielbaum.load("spe-ed", players=2, width=12, height=12, start="6,6,up; 1,1,right")
    agents = [make(spec, game, 1) for spec in ("mcts:iterations=40", "random")]
    stream = EventStream("match")
    play_on_stage(game, agents, stream, seed=1, pace=0, patience=0)
    lines = json.loads(stream.plans[0][0])
    assert {tuple(line[2:4]) for line in lines} == {(6, 6)} and len(lines) == 4  # slower is out at once
    assert 0 < sum(share for _, share, *_ in lines) <= 1.001
    assert json.loads(stream.plans[0][1]) == []


# --- over the network -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def stage() -> Iterator[tuple[str, EventStreams]]:
    streams = EventStreams()
    with serve_stage(streams) as address:
        yield address, streams


@contextlib.contextmanager
def looking(stage: tuple[str, EventStreams], stream: EventStream) -> Iterator[ClientConnection]:
    """Somebody who looks on."""
    address, streams = stage
    streams.add(stream)
    name = next(name for name, other in streams.items() if other is stream)
    with connect(f"{address.replace('http', 'ws')}api/stage/{name}/socket", proxy=None) as socket:
        yield socket


def heard(socket: ClientConnection, kind: str) -> dict[str, Any]:
    """The next message of a kind."""
    deadline = Deadline(SOON)
    while True:
        message: dict[str, Any] = json.loads(socket.recv(deadline.left(kind)))
        if message["type"] == kind:
            return message


def test_who_comes_late_is_told_everything_and_then_what_is_new(stage):
    stream = shown((".", "."), ("+", "r"))
    stream.think([Line(0, [(2, 2), (3, 2)], 0.5)])
    with looking(stage, stream) as socket:
        game = heard(socket, "game")
        assert (game["title"], game["width"], game["height"], game["seats"]) == ("two", 12, 8, [0, 1])
        rounds = heard(socket, "rounds")
        assert rounds["first"] == 0 and [shot["round"] for shot in rounds["shots"]] == [0, 1, 2]
        assert heard(socket, "plans") == {"type": "plans", "round": 2, "player": 0, "lines": [[0, 0.5, 2, 2, 3, 2]]}
        stream.show(state_message(ride(begun("2,2,right", "9,5,left"), "...", "...")) | {"running": False})
        news = heard(socket, "rounds")
        assert news["first"] == 3 and len(news["shots"]) == 1
        assert heard(socket, "game")["ended"] is True


def test_hands_are_told_and_let_go_when_somebody_leaves(stage):
    stream = shown()
    with looking(stage, stream) as one:
        one.send('{"type": "take", "player": 1}')
        one.send('{"type": "steer", "player": 1, "action": "turn_right"}')
        wait_for(lambda: heard(one, "hands")["chosen"] == {"1": "turn_right"}, SOON)
        assert stream.taken(1) == "turn_right"
        name = next(name for name, other in stage[1].items() if other is stream)
        with connect(f"{stage[0].replace('http', 'ws')}api/stage/{name}/socket", proxy=None) as other:
            hands = heard(other, "hands")
            assert (hands["own"], hands["others"], hands["chosen"]) == ([], [1], {})
            other.send('{"type": "take", "player": 1}')
            assert heard(other, "error")["why"] == "not-your-seat"
    gone = threading.Event()
    stream.follow(lambda: gone.set() if stream.taken(1) is None else None)
    assert stream.taken(1) is None or gone.wait(SOON)


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
        deadline = Deadline(SOON)
        while True:
            socket.recv(deadline.left("the end of a flood"))
    assert ended.value.rcvd is not None and ended.value.rcvd.code == 4429


def test_other_sites_and_unknown_games_are_refused(stage):
    address, streams = stage
    stream = streams.add(shown())
    name = next(name for name, other in streams.items() if other is stream)
    for path, origin, status in ((name, "http://elsewhere.example", 403), ("nothing", None, 404)):
        with pytest.raises(InvalidStatus) as refused, connect(
            f"{address.replace('http', 'ws')}api/stage/{path}/socket", proxy=None, origin=origin
        ):  # fmt: skip
            pass
        assert refused.value.response.status_code == status


def test_pages_have_their_headers_and_addresses(stage):
    address, streams = stage
    stream = streams.add(shown())
    name = next(name for name, other in streams.items() if other is stream)
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


@pytest.mark.parametrize(("streams", "status"), [(EventStreams(), 200), (None, 404)])
def test_the_app_has_a_stage_where_there_is_something_to_show(streams, status):
    with Server(Settings(("tic-tac-toe",)), streams) as server:
        assert server.http.get("/api/stage").status_code == status
        assert server.http.get("/api/config").json()["stage"] is (status == 200)
