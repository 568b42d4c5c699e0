"""The client against servers on real sockets: a whole game, refusals, and servers that do what they should not."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import types
from collections.abc import Callable
from typing import Any

import httpx
import numpy as np
import pytest
from websockets.asyncio.server import ServerConnection
from websockets.utils import accept_key

from spielbaum.agents import StatelessAgent
from spielbaum.arena import Store
from spielbaum.cli import main
from spielbaum.errors import SpielbaumError
from spielbaum.games.spe_ed.cells import paint
from spielbaum.games.spe_ed.lines import Line
from spielbaum.online import client as client_module
from spielbaum.online import import_games, records, validation
from spielbaum.online.clock import Sample, ServerClock
from spielbaum.online.event_stream import EventStream
from tests.games.spe_ed.rounds import begun, cells, ride
from tests.online.servers import Official, Server, a_second_state, a_state, a_third_state, moment, state_message
from tests.patience import PATIENCE, wait_for
from tests.told import without_notices

OFFICIAL = pathlib.Path(__file__).parent / "recorded-games.jsonl.gz"
SPIELBAUM = [sys.executable, "-m", "spielbaum"]
Join = Callable[..., tuple[int, str, str]]


@pytest.fixture
def join(capsys) -> Join:
    """Play on a server: exit code, standard output, standard error."""

    def call(server: Server, *options: str, agent: str = "random") -> tuple[int, str, str]:
        capsys.readouterr()
        code = main(["spe_ed", "join", *server.arguments, "--agent", agent, *options])
        out, err = capsys.readouterr()
        return code, out, without_notices(err)

    return call


def read(path: pathlib.Path) -> list[records.Record]:
    return list(records.read(path))


# --- games that go well ---------------------------------------------------------------------------


def test_a_game_is_played_to_its_end_and_the_log_is_what_the_server_recorded(tmp_path, join):
    official, log = Official(players=3, seed=4), tmp_path / "games.jsonl"
    with Server(official) as server:
        code, out, err = join(server, "--log", str(log), agent="mcts:iterations=50")
    assert (code, err) == (0, "") and server.keys == ["the+key"]
    assert official.answers == official.states > 0 and official.missed == 0
    (ours,), (theirs,) = read(log), official.records
    assert ours | {"id": theirs["id"]} == theirs
    assert records.verify(ours).wrong == []
    died = [number for number, each in enumerate(theirs["rounds"], 1) if each["after"]["1"][4]]
    assert f"of 3 after {len(theirs['rounds'])} rounds" in out and len(died) <= official.states
    assert main(["spe_ed", "import", str(log), "--store", str(tmp_path / "games.db")]) == 0


def test_a_dead_player_reads_on_until_the_end(tmp_path, join):
    official, log = Official(players=3, side=30, seed=1), tmp_path / "games.jsonl"
    with Server(official) as server:
        assert join(server, "--log", str(log), agent="random")[0] == 0
    (ours,) = read(log)
    rounds = ours["rounds"]
    assert official.states < len(rounds) == len(official.records[0]["rounds"])
    assert official.answers == official.states  # none after the own end


def test_address_key_and_time_may_come_from_the_environment(monkeypatch, capsys):
    with Server(Official()) as server:
        for name, value in (("URL", server.url), ("KEY", "the key"), ("TIME_URL", server.time_url)):
            monkeypatch.setenv(name, value)
        assert main(["spe_ed", "join", "--agent", "random"]) == 0
    assert server.keys == ["the+key"]


def test_several_games_are_played_and_a_key_that_is_not_free_yet_is_waited_for(tmp_path, join):
    official, log = Official(), tmp_path / "games.jsonl"
    with Server(official, statuses=(200, 429, 429, 200)) as server:
        code, out, _ = join(server, "--games", "2", "--log", str(log))
    assert code == 0 and len(server.keys) == 4
    assert len(read(log)) == 2 and out.count("place") == 2


def test_a_clock_that_is_hours_ahead_is_no_trouble_if_deadlines_go_by_it(join):
    official = Official(lie=7200.0)
    with Server(official, ahead=7200.0) as server:
        code, _, err = join(server)
    assert (code, err) == (0, "") and official.missed == 0


def test_a_game_on_our_own_server_is_recorded_alike_on_both_sides(tmp_path, capsys):
    log, store = tmp_path / "games.jsonl", tmp_path / "games.db"
    board = [
        "--players",
        "3",
        "--width",
        "14",
        "--height",
        "12",
        "--abrupt",
        "--deadline-min",
        "2",
        "--deadline-max",
        "2",
    ]
    command = [
        *SPIELBAUM,
        "spe_ed",
        "host",
        "--port",
        "0",
        "--games",
        "1",
        "--wait",
        "0.1",
        "--store",
        str(store),
        *board,
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as host:
        assert host.stdout is not None
        url, time_url = re.findall(r"(?:ws|http)://[^\s?]+", host.stdout.readline())
        where = ["--url", url, "--time-url", time_url, "--key", "anna"]
        assert main(["spe_ed", "join", *where, "--agent", "random", "--log", str(log)]) == 0
        assert host.wait(PATIENCE) == 0
    (ours,) = read(log)
    assert records.verify(ours).wrong == [] and "anna" in ours["players"].values()
    with Store(store, create=False) as opened:
        game = opened.run(1).plan.load()
        stored = opened.game(1, 0, game)
    assert import_games.played(records.game_of(ours), ours).history == stored.actions.tolist()


# --- refusals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (403, "does not know this key"),
        (429, "in a game already"),
        (400, "no WebSocket"),
        (503, "refuses the connection (503)"),
    ],
)
def test_refusals_are_explained_in_one_line(join, status, said):
    with Server(Official(), statuses=(status,)) as server:
        code, out, err = join(server)
    assert (code, out, err.count("\n")) == (2, "", 1) and said in err and len(server.keys) == 1


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"--url": "ws://127.0.0.1:1/"}, "can't be reached"),
        ({"--url": "http://127.0.0.1:1/"}, "is no address of a game"),
        ({"--url": "nonsense"}, "is no address of a game"),
        ({"--time-url": "http://127.0.0.1:1/"}, "time can't be read"),
        ({"--time-url": "ws://127.0.0.1:1/"}, "is no address of a web server"),
        ({"--time-url": "http://127.0.0.1:hello/"}, "is no address of a web server"),
        ({"--url": "ws://[::1/"}, "can't be reached"),
        ({"--agent": "nobody"}, "unknown agent 'nobody'"),
        ({"--log": "/no/such/folder/x.jsonl"}, "can't be written"),
        ({"--margin": "99"}, "--margin"),
        ({"--games": "0"}, "--games"),
    ],
)
def test_bad_input_is_told_in_one_line(join, changed, said):
    with Server(Official()) as server:
        code, out, err = join(server, *(part for pair in changed.items() for part in pair))
    assert (code, out, err.count("\n")) == (2, "", 1) and said in err


def test_what_is_missing_is_named_with_its_variable(capsys):
    assert main(["spe_ed", "join", "--key", "x"]) == 2
    assert capsys.readouterr().err == "Missing option '--url' (env var: 'URL').\n"


@pytest.mark.parametrize("answer", ["[]", '{"time": 7, "milliseconds": 3}', '{"time": "noon", "milliseconds": 3}', "{"])
def test_a_time_that_is_none_is_refused(join, monkeypatch, answer):
    monkeypatch.setattr("tests.online.servers.json.dumps", lambda *_, **__: answer)
    with Server(Official()) as server:
        code, _, err = join(server)
    assert (code, err.count("\n")) == (2, 1) and "the server's time can't be read" in err


# --- servers that do what they should not ---------------------------------------------------------


class Saying:
    """Sends some messages, the next one when the one before was answered, and listens for more answers at the end."""

    def __init__(self, *messages: Any, wait: float = 0.3):
        self.messages, self.wait = messages, wait
        self.answers = [0] * len(messages)

    async def __call__(self, socket: ServerConnection) -> None:
        for number, message in enumerate(self.messages):
            await socket.send(message if isinstance(message, str | bytes) else json.dumps(message))
            try:
                while True:
                    await asyncio.wait_for(socket.recv(), self.wait if self.answers[number] else 3.0)
                    self.answers[number] += 1
            except TimeoutError:
                pass


def players(**changed: Any) -> dict[str, Any]:
    given = a_state()["players"]
    return {"players": {**given, "1": given["1"] | changed}}


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("{", "no JSON"),
        (b"\xff\xff", "no JSON"),
        ("[" * 50_000, "no JSON"),
        ("[]", "no object"),
        ({}, "without 'width'"),
        (a_second_state(width="10"), "board of '10' x 8"),
        (a_second_state(width=10**9), "a side has 5 to 200 cells"),
        (a_second_state(cells=[[0, 1], [0]]), "not 8 rows of 10 whole numbers"),
        (a_second_state(cells=[[0.5] * 10] * 8), "not 8 rows of 10 whole numbers"),
        (a_second_state(cells=[[7] * 10] * 8), "from -1 to 2"),
        (a_second_state(players={"1": {}, "3": {}}), "players are not"),
        (a_second_state(**players(x=10)), "puts player 1 at 10,2"),
        (a_second_state(**players(speed=99)), "speed of 99"),
        (a_second_state(**players(direction="north")), "of player 1"),
        (a_second_state(you=3), "who we are"),
        (a_second_state(you=2), "changed who plays"),
        (a_second_state(deadline="soon"), "the server's deadline 'soon' is no time"),
        (a_second_state(deadline=None), "the server's deadline None is no time"),
        (a_second_state(height=9, cells=[[0] * 10] * 9), "was 10 x 8 and is 10 x 9 now"),
    ],
)
def test_garbage_ends_the_game_with_one_line_and_without_an_answer(tmp_path, join, message, said):
    script, log = Saying(a_state(), message, wait=0.05), tmp_path / "games.jsonl"
    with Server(script) as server:
        code, _, err = join(server, "--log", str(log))
    assert (code, err.count("\n")) == (1, 1) and said in err
    assert script.answers == [1, 0]
    assert len(read(log)[0]["rounds"]) == 0  # what is known of the game


def test_garbage_in_the_lobby_is_told_as_well(join):
    with Server(Saying("hello")) as server:
        code, _, err = join(server)
    assert (code, err) == (1, "the server sent what is no JSON\n")


def test_a_first_state_that_no_game_begins_with_is_a_fault(join):
    same = {"players": {number: a_state()["players"]["1"] for number in "12"}}
    with Server(Saying(a_state(**same))) as server:
        code, _, err = join(server)
    assert code == 1 and "puts two players on the same cell" in err


@pytest.mark.parametrize(
    ("states_before", "said"), [(0, "before a game began"), (1, "in round 2, before the game was over")]
)
def test_a_server_that_closes_early_is_told(tmp_path, join, states_before, said):
    async def script(socket: ServerConnection) -> None:
        for state in (a_state(), a_second_state())[: 2 * states_before]:
            await socket.send(json.dumps(state))
            await socket.recv()
        socket.transport.abort()

    with Server(script) as server:
        code, _, err = join(server, "--log", str(tmp_path / "games.jsonl"))
    assert (code, err.count("\n")) == (1, 1) and said in err
    if states_before:
        assert records.verify(read(tmp_path / "games.jsonl")[0]) == (1, [])


def test_names_and_reasons_of_a_server_command_no_terminal(tmp_path, join):
    evil = "\x1b[2J\x07\u202e\ud800Anna\nBlume" + 1000 * "x"
    last = a_second_state(running=False)
    last["players"]["2"]["name"] = evil

    async def script(socket: ServerConnection) -> None:
        await socket.send(json.dumps(a_state()))
        await socket.recv()
        if len(server.keys) == 1:
            await socket.send(json.dumps(last))
        else:
            await socket.close(1011, "\x1b[2J\x07\nover")

    log = tmp_path / "games.jsonl"
    with Server(script) as server:
        assert join(server, "--log", str(log))[0] == 0
        code, _, err = join(server, "--log", str(log))
    assert code == 1 and err.endswith(": 1011 ?[2J? over\n") and err.count("\n") == 1
    assert read(log)[0]["players"]["2"] == "[2JAnna Blume" + 27 * "x"


def test_a_state_that_is_sent_twice_is_answered_once(join):
    async def script(socket: ServerConnection) -> None:
        await socket.send(json.dumps(a_state()))
        await socket.recv()
        await socket.send(json.dumps(a_state(deadline=moment(time.time() + 6))))
        await socket.send(json.dumps(a_second_state()))
        await socket.recv()
        await socket.send(json.dumps(a_second_state(running=False)))
        more.extend([message async for message in socket])

    more: list[Any] = []
    with Server(script) as server:
        assert join(server)[0] == 0
    assert more == []


def test_an_answer_that_was_not_given_in_time_is_never_given(join, monkeypatch):
    """The second state comes while the agent thinks about the first one: it is answered, and the first one is not."""
    thought = slow_agent(monkeypatch, 0.3)

    async def script(socket: ServerConnection) -> None:
        await socket.send(json.dumps(a_state()))
        await asyncio.sleep(0.1)
        await socket.send(json.dumps(a_second_state()))
        answers.append(await socket.recv())
        await socket.send(json.dumps(a_second_state(running=False)))
        answers.extend([message async for message in socket])

    answers: list[Any] = []
    with Server(script) as server:
        assert join(server)[0] == 0
    assert len(answers) == 1 and thought


def slow_agent(monkeypatch, seconds: float) -> list[int]:
    """Let an agent play that thinks for so long, whatever the clock says."""
    thought: list[int] = []

    class Slow(StatelessAgent):
        def act(self, state: Any, clock: Any = None, *, watch: Any = None) -> int:
            thought.append(int(state.record.rounds))
            time.sleep(seconds)
            return 3  # faster, which kills in the end

    monkeypatch.setattr(client_module, "make", lambda *_: Slow())
    return thought


def test_an_agent_that_is_late_is_not_waited_for_and_does_not_die_of_it(join, monkeypatch):
    thought, official = slow_agent(monkeypatch, 1.6), Official(seconds=1.2, side=12)
    with Server(official) as server:
        assert join(server)[0] == 0
    assert official.missed == 0 and official.answers == official.states > 10
    assert len(thought) < official.states  # while it is away others answer
    first = official.records[0]["rounds"][0]
    assert first["actions"]["1"] != "speed_up" and first["after"]["1"][4]


def test_an_agent_that_comes_back_late_thinks_about_the_next_state_in_what_is_left(join, monkeypatch):
    """Its thread is starved in the first round, and comes back when the second one has begun."""

    class Starved(StatelessAgent):
        def act(self, state: Any, clock: Any = None, *, watch: Any = None) -> int:
            if state.record.rounds == 0:
                assert second.wait(20)
                time.sleep(0.1)
            return 2

    async def script(socket: ServerConnection) -> None:
        await socket.send(json.dumps(a_state(deadline=moment(time.time() + 0.5, fractions=True))))
        answers.append(json.loads(await socket.recv())["action"])
        await socket.send(json.dumps(a_second_state(deadline=moment(time.time() + 20))))
        second.set()
        answers.append(json.loads(await socket.recv())["action"])
        await socket.send(json.dumps(a_second_state(running=False)))

    answers, second = list[str](), threading.Event()
    monkeypatch.setattr(client_module, "make", lambda *_: Starved())
    with Server(script) as server:
        assert join(server)[0] == 0
    assert answers == ["change_nothing", "turn_left"]


@pytest.mark.parametrize(("best", "answer"), [(2, "turn_left"), (4, "change_nothing")], ids=["good", "deadly"])
def test_the_best_that_a_late_agent_has_found_is_answered_unless_it_is_deadly(join, monkeypatch, best, answer):
    class Late(StatelessAgent):
        def act(self, state: Any, clock: Any = None, *, watch: Any = None) -> int:
            time.sleep(0.25)
            watch()
            time.sleep(1.0)
            return 3

        def report(self, tree_nodes: int = 0) -> Any:
            return types.SimpleNamespace(action=best)

    async def script(socket: ServerConnection) -> None:
        await socket.send(json.dumps(a_state(deadline=moment(time.time() + 1.0, fractions=True))))
        answers.append(json.loads(await socket.recv()))
        await socket.send(json.dumps(a_second_state(running=False)))

    answers: list[Any] = []
    monkeypatch.setattr(client_module, "make", lambda *_: Late())
    with Server(script) as server:
        assert join(server)[0] == 0
    assert answers == [{"action": answer}]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda: 1 // 0, "ZeroDivisionError: integer division or modulo by zero"),
        (lambda: 7, "IllegalAction: it answered 7, which is no action"),
        (lambda: None, "IllegalAction: it answered None, which is no action"),
    ],
)
def test_an_agent_that_fails_is_told_of_and_the_game_goes_on(join, monkeypatch, answer, said):
    class Broken(StatelessAgent):
        def act(self, state: Any, clock: Any = None, *, watch: Any = None) -> Any:
            return answer()

    monkeypatch.setattr(client_module, "make", lambda *_: Broken())
    official = Official(side=8)
    with Server(official) as server:
        code, _, err = join(server)
    assert (code, err) == (1, f"the agent failed in round 1: {said}\n")
    assert official.answers == official.states > 3 and official.missed == 0


@pytest.mark.parametrize(
    ("lie", "said"), [(-3600.0, "had passed 3"), (3600.0, "s away by its own clock")], ids=["in the past", "far away"]
)
def test_deadlines_that_can_t_be_true_are_told_and_answered_soon_and_once(join, lie, said):
    official = Official(lie=lie, side=8)
    with Server(official) as server:
        code, _, err = join(server, agent="random")
    assert (code, err.count("\n")) == (1, 1) and said in err
    assert official.missed == 0 and official.answers == official.states


# --- what a client knows --------------------------------------------------------------------------


def states_of(record: records.Record) -> list[validation.Told]:
    """The states that a server has sent in a recorded game."""
    state, players = records.game_of(record).new(), len(record["start"])
    cells = np.zeros((record["height"], record["width"]), np.int8)
    for p in range(players):
        cells[state.record.y[p], state.record.x[p]] = p + 1
    found = [
        validation.parsed(json.dumps(state_message(state.record, cells, players, deadline="2026-01-01T12:00:00Z")))
    ]
    for each in record["rounds"]:
        before = state.copy().record
        records.play_round(state, each["actions"])
        paint(cells, before, state.record)
        deadline = None if state.over else "2026-01-01T12:00:00Z"
        found.append(validation.parsed(json.dumps(state_message(state.record, cells, players, deadline=deadline))))
    return found


@pytest.fixture(scope="module")
def recorded() -> list[records.Record]:
    return [record for record in records.read(OFFICIAL) if len(record["rounds"]) < 400]


def test_answers_are_inferred_from_where_players_are(recorded):
    for record in recorded[:4]:
        first, *others = states_of(record)
        followed = validation.FollowedGame(first, "client")
        for each in others:
            followed.follow(each)
        assert followed.record["rounds"] == record["rounds"]
        assert followed.state.history is not None and followed.state.over  # the server kept to the rules


def test_a_position_is_rebuilt_from_a_state_as_the_rules_have_it(recorded):
    first, *others = states_of(recorded[3])
    followed = validation.FollowedGame(first, "client")
    assert validation.rebuilt(followed).array.tobytes() == followed.state.array.tobytes()
    for each in others:
        followed.follow(each)
        assert validation.rebuilt(followed).array.tobytes() == followed.state.array.tobytes()


def test_a_server_with_other_rules_is_followed_all_the_same():
    followed = validation.FollowedGame(validation.parsed(json.dumps(a_state())), "client")
    strange = a_second_state()
    strange["cells"][0][0] = 2
    followed.follow(validation.parsed(json.dumps(strange)))
    view = followed.view()
    assert view is not None and view.history is None and view.player == 0
    assert (view.record.x[0], view.record.rounds) == (4, 1) and not view.record.free[0] & np.uint64(1)
    assert records.verify(followed.record).wrong == [
        f"game {followed.record['id']}, round 1: other cells than by the rules"
    ]


def test_an_agent_is_asked_for_answers_only_and_as_its_own_player():
    followed = validation.FollowedGame(validation.parsed(json.dumps(a_state(you=2))), "client")
    view = followed.view()
    assert view is not None and view.player == 1 and view.actions == [0, 1, 2, 3, 4] and view.history == []
    unknown = followed.view(known=False)
    assert unknown is not None and unknown.history is None


def followed_game(state: Any, answers: list[str]) -> validation.FollowedGame:
    """What a client knows after some rounds of its first player, while the others ride on."""
    sent = [state_message(state.record, cells(state), state.game.players, deadline="2026-01-01T12:00:00Z")]
    for letters in zip(*answers, strict=True):
        ride(state, *letters)
        sent.append(state_message(state.record, cells(state), state.game.players, deadline="2026-01-01T12:00:00Z"))
    followed = validation.FollowedGame(validation.parsed(json.dumps(sent[0])), "client")
    for each in sent[1:]:
        followed.follow(validation.parsed(json.dumps(each)))
    return followed


def test_a_safe_answer_is_not_deadly_if_there_is_one():
    followed = followed_game(begun("4,0,right", "0,7,right", width=6, height=8), ["", ""])
    assert set(validation.safe_answers(followed)) == {
        "change_nothing",
        "turn_right",
    }  # to the left and by two it is outside
    corner = followed_game(begun("5,0,right", "0,7,right", width=6, height=8), ["", ""])
    assert validation.safest(validation.safe_answers(corner)) == "turn_right"
    lost = followed_game(begun("0,0,left", "0,1,right", width=6, height=8), ["", ""])
    assert validation.safe_answers(lost) == {} and validation.safest({}) == "change_nothing"


def test_a_safe_answer_knows_of_jumps_and_of_room():
    followed = followed_game(begun("0,3,right", "16,0,down", width=30, height=8), ["++...", "....."])
    assert "change_nothing" in validation.safe_answers(followed)  # a jump over the other's line
    narrow = followed_game(begun("1,1,up", "0,3,right", width=30, height=8), ["r" + "." * 3, "." * 4])
    rooms = validation.safe_answers(narrow)
    assert rooms["change_nothing"] >= rooms["turn_left"]


# --- the clock ------------------------------------------------------------------------------------


def test_the_server_s_clock_is_known_to_within_half_a_round_trip():
    with Server(Official(), ahead=-500.0) as server:
        clock = ServerClock(server.time_url)
        clock.measure(5)
        shift = clock.local(time.time() - 500.0) - time.monotonic()
        clock.close()
    assert server.times == 5 and abs(shift) <= clock.round_trip / 2 + 0.002  # it tells whole milliseconds


def test_the_shortest_round_trip_counts_until_it_is_old():
    clock = ServerClock("http://127.0.0.1/time")
    for sample in (Sample(0.0, 5.1, 0.1), Sample(1.0, 5.0, 0.01), Sample(2.0, 4.8, 0.2)):
        clock.add(sample)
    assert clock.local(100.0) == 95.0
    clock.add(Sample(500.0, 5.25, 0.3))
    assert clock.local(100.0) == 94.75


@pytest.mark.parametrize("step", [-30.0, 0.5, 30.0])
def test_what_was_known_of_a_clock_that_somebody_has_set_is_forgotten(step):
    clock = ServerClock("http://127.0.0.1/time")
    clock.add(Sample(0.0, 5.0, 0.01))
    clock.add(Sample(1.0, 5.0 + step, 0.2))
    assert clock.local(100.0) == 95.0 - step and clock.round_trip == 0.2
    clock.add(Sample(2.0, 5.0 + step, 0.02))
    assert clock.round_trip == 0.02 and len(clock.samples) == 2


def test_a_time_that_can_t_be_read_any_more_is_told_and_changes_nothing():
    with Server(Official()) as server:
        clock = ServerClock(server.time_url)
        clock.measure()
        known = clock.best
    with pytest.raises(SpielbaumError, match="the server's time can't be read"):
        clock.measure()
    assert clock.best == known


def test_the_clock_is_looked_at_again_during_a_game(join, monkeypatch):
    monkeypatch.setattr(client_module, "LOOK_AGAIN", 0.0)
    official = Official(side=10, players=3)
    with Server(official) as server:
        assert join(server, agent="random")[0] == 0
    assert server.times > 5 and official.missed == 0


def test_answers_are_given_a_margin_before_the_deadline_and_a_third_before_short_ones():
    clock = ServerClock("http://127.0.0.1/time")
    clock.add(Sample(time.monotonic(), 0.0, 0.01))
    player = client_module.Client("ws://host", "key", clock, "random", margin=0.3)
    for left, expected in ((8.0, 7.69), (0.1, 0.057), (-0.9, 0.02), (0.0, 0.02)):
        now = time.monotonic()
        assert player.time_to_answer(now + left) - now == pytest.approx(expected, abs=0.01)
    assert player.doubts == []


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT to send")
def test_ctrl_c_ends_a_game_and_keeps_its_record(tmp_path):
    async def script(connection: ServerConnection) -> None:
        await connection.send(json.dumps(a_state()))
        await connection.recv()
        await connection.send(json.dumps(a_second_state()))
        await connection.recv()
        player.send_signal(signal.SIGINT)
        await connection.wait_closed()

    log = tmp_path / "games.jsonl"
    with Server(script) as server:
        command = [*SPIELBAUM, "spe_ed", "join", *server.arguments, "--log", str(log), "--agent", "random"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as player:
            _, err = player.communicate(timeout=PATIENCE)
    assert (player.returncode, err) == (130, "stopped\n")
    assert records.verify(read(log)[0]) == (1, [])


@pytest.mark.skipif(os.name == "nt", reason="Windows kills otherwise")
def test_a_client_that_is_killed_keeps_its_record_up_to_the_last_round(tmp_path):
    async def script(connection: ServerConnection) -> None:
        await connection.send(json.dumps(a_state()))
        await connection.recv()
        await connection.send(json.dumps(a_second_state()))
        await connection.recv()
        await connection.send(json.dumps(a_third_state()))
        await connection.recv()
        player.kill()
        await connection.wait_closed()

    log = tmp_path / "games.jsonl"
    with Server(script) as server:
        command = [*SPIELBAUM, "spe_ed", "join", *server.arguments, "--log", str(log), "--agent", "random"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as player:
            player.communicate()
    (killed,) = read(log)
    played, wrong = records.verify(killed)
    assert player.returncode == -signal.SIGKILL and wrong == [] and played in (1, 2)
    with Server(Official()) as server:
        assert main(["spe_ed", "join", *server.arguments, "--log", str(log), "--agent", "random"]) == 0
    first, second = read(log)  # the next one writes behind it
    assert first == killed and records.verify(second).wrong == []


def test_two_clients_do_not_write_to_one_file(tmp_path, join):
    log = tmp_path / "games.jsonl"
    other = records.Log(log)
    with Server(Official()) as server:
        code, _, err = join(server, "--log", str(log))
        other.close()
        assert (code, err) == (2, f"another client writes to {log}; give each a file of its own\n")
        assert join(server, "--log", str(log))[0] == 0
    assert len(read(log)) == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no disk that is always full")
def test_a_disk_that_is_full_ends_the_record_and_not_the_game(join):
    official = Official(side=8)
    with Server(official) as server:
        code, out, err = join(server, "--log", "/dev/full")
    assert (code, err.count("\n")) == (1, 1) and "/dev/full can't be written: No space left" in err
    assert "game 1: place" in out and official.answers == official.states > 3


# --- waiting --------------------------------------------------------------------------------------


class Dripping:
    """A server on a bare socket that sends a beginning and then a letter now and then, for ever."""

    def __init__(self, beginning: bytes = b"", letter: bytes = b"x"):
        self.beginning, self.letter = beginning, letter
        self.door = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.door.getsockname()[1]}"
        self.dripped, self.over = threading.Event(), threading.Event()

    def __enter__(self) -> Dripping:
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.door.close()
        self.thread.join(20)

    def run(self) -> None:
        with contextlib.suppress(OSError):
            connection, _ = self.door.accept()
            with connection:
                request = connection.recv(4096).decode()
                connection.sendall(self.beginning or accepted(request))
                for number in range(10_000):
                    connection.sendall(self.letter)
                    if number == 3:
                        self.dripped.set()
                    if self.over.wait(0.05):
                        return


def accepted(request: str) -> bytes:
    """The end of a handshake, and the beginning of a state of 100 bytes."""
    key = next(line.partition(": ")[2] for line in request.splitlines() if line.startswith("Sec-WebSocket-Key"))
    lines = ("HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade")
    return "\r\n".join([*lines, f"Sec-WebSocket-Accept: {accept_key(key)}", "", ""]).encode() + b"\x81\x7e\x20\x00"


def waiting_for(what: str, server: Server, dripping: Dripping) -> list[str]:
    """What makes a client wait for the server that drips."""
    where = {"time": ["--time-url", f"http://{dripping.address}/"], "state": ["--url", f"ws://{dripping.address}/"]}
    return [*server.arguments, *where[what], "--agent", "random"]


def dripping(what: str) -> Dripping:
    return Dripping(b"HTTP/1.1 200 OK\r\nX: ") if what == "time" else Dripping()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT to send")
@pytest.mark.parametrize("what", ["time", "state"])
def test_ctrl_c_is_heard_while_a_server_drips(what):
    with Server(Official()) as server, dripping(what) as drips:
        command = [*SPIELBAUM, "spe_ed", "join", *waiting_for(what, server, drips)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as player:
            try:
                assert drips.dripped.wait(60)
                player.send_signal(signal.SIGINT)
                _, err = player.communicate(timeout=20)
            finally:
                player.kill()
    assert (player.returncode, err) == (130, "stopped\n")


@pytest.mark.parametrize(
    ("what", "limit", "code", "said"),
    [
        ("time", "clock.LONGEST", 2, "waited for the whole answer for 0.5 s"),
        ("state", "client.LOBBY", 1, "no game has begun: waited in the lobby for 0.5 s"),
    ],
)
def test_a_server_that_drips_is_given_up_and_what_was_waited_for_is_told(capsys, monkeypatch, what, limit, code, said):
    monkeypatch.setattr(f"spielbaum.online.{limit}", 0.5)
    with Server(Official()) as server, dripping(what) as drips:
        assert main(["spe_ed", "join", *waiting_for(what, server, drips)]) == code
    err = capsys.readouterr().err
    assert said in err and err.count("\n") == 1


@pytest.mark.parametrize("repeating", [False, True], ids=["nothing more", "the same again and again"])
def test_a_server_that_does_not_go_on_is_given_up(tmp_path, join, monkeypatch, repeating):
    async def script(socket: ServerConnection) -> None:
        while True:
            await socket.send(json.dumps(a_state(deadline=moment(time.time()))))
            await asyncio.sleep(0.2 if repeating else 60)

    monkeypatch.setattr(client_module, "SILENCE", 0.6)
    with Server(script) as server:
        code, _, err = join(server, "--log", str(tmp_path / "games.jsonl"))
    assert (code, err) == (1, "the server fell silent in round 1: waited for the next state for 1 s\n")
    assert len(read(tmp_path / "games.jsonl")) == 1


# --- on the Stage ---------------------------------------------------------------------------------


def test_a_game_is_shown_with_plans_and_a_person_may_take_over(monkeypatch):
    class Planner(StatelessAgent):
        def act(self, state: Any, clock: Any = None, *, watch: Any = None) -> int:
            return 0

        def lines(self) -> list[Line]:
            return [Line(0, [(3, 2), (4, 2)], 1.0)]

    async def script(socket: ServerConnection) -> None:
        await socket.send(json.dumps(a_state()))
        answers.append(json.loads(await socket.recv())["action"])
        assert stream.take(0, person)
        await socket.send(json.dumps(a_second_state()))
        await asyncio.to_thread(wait_for, lambda: len(stream.shots) >= 2)
        stream.steer(0, "turn_left", person)
        answers.append(json.loads(await socket.recv())["action"])
        await socket.send(json.dumps(a_second_state(running=False)))

    stream, person, answers = EventStream("a game"), object(), list[str]()
    monkeypatch.setattr(client_module, "make", lambda *_: Planner())
    with Server(script) as server:
        player = client_module.Client(server.url, "key", ServerClock(server.time_url), "random", stream=lambda: stream)
        asyncio.run(player.play())
    assert answers == ["change_nothing", "turn_left"]
    assert [shot.round for shot in stream.shots] == [0, 1, 1] and stream.ended and stream.you == 0
    assert json.loads(stream.plans[0][0]) == [[0, 1.0, 3, 2, 4, 2]]


def test_the_stage_has_the_game_while_it_is_played(join):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    seen: list[Any] = []

    async def script(connection: ServerConnection) -> None:
        await connection.send(json.dumps(a_state()))
        await connection.recv()
        seen.append(await asyncio.to_thread(lambda: httpx.get(f"http://127.0.0.1:{port}/api/stage").json()))
        await connection.send(json.dumps(a_second_state(running=False)))

    with Server(script) as server:
        code, out, _ = join(server, "--stage", str(port))
    assert code == 0 and f"http://127.0.0.1:{port}/#/stage" in out
    assert [(game["title"], game["ended"]) for game in seen[0]["games"]] == [("random", False)]


def test_a_port_that_is_taken_is_told(join):
    with Server(Official()) as server:
        code, _, err = join(server, "--stage", str(server.port))
    assert (code, err.count("\n")) == (2, 1) and f"port {server.port} is taken" in err


# --- in time --------------------------------------------------------------------------------------

BUSY = [sys.executable, "-c", "while True: pass"]


@pytest.mark.slow
def test_no_deadline_is_missed_in_a_thousand_rounds_of_100_ms_beside_a_busy_core(tmp_path):
    official, log = Official(players=2, side=60, seconds=0.1), tmp_path / "games.jsonl"
    with Server(official) as server:
        command = [*SPIELBAUM, "spe_ed", "join", *server.arguments, "--log", str(log), "--games", "1000"]
        with subprocess.Popen(BUSY) as busy, subprocess.Popen([*command, "--agent", "mcts:seconds=1"]) as player:
            while official.states < 1000 and player.poll() is None:
                time.sleep(0.5)
            rounds, missed = official.states, official.missed  # before it is ended in the middle of a round
            player.terminate()
            busy.terminate()
    shown = ", ".join(f"{share:g} %: {1000 * np.percentile(official.delays, share):.1f} ms" for share in (50, 99, 100))
    print(f"{rounds} rounds, {missed} missed, from state to answer {shown}")
    assert missed == 0 and rounds >= 1000
    assert sum(len(records.verify(record).wrong) for record in read(log)) == 0
