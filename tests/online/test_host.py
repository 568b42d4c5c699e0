"""The server of spe_ed on real sockets: the protocol, and what comes of those who do not keep to it."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import gc
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
import urllib.error
import urllib.request
from urllib.parse import quote

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

import spielbaum
from spielbaum.arena import Store
from spielbaum.arena.game_batch import record_of
from spielbaum.arena.verify import verify
from spielbaum.errors import SpielbaumError
from spielbaum.games.spe_ed.cells import painted
from spielbaum.online import door, game_store, seats
from spielbaum.online.event_stream import EventStreams
from spielbaum.online.host import Host, Settings, Staging
from spielbaum.online.lobby import Keys
from spielbaum.online.match import Match, Times
from spielbaum.web.app import listen
from tests.needs import CHROMIUM

PATIENCE = 30  # seconds after which a test has failed
QUICK = Times(0.1, 0.1, 0.2)
SLOW = Times(60, 60, 0)  # a test in which somebody waits for the cut-off fails
STRAIGHT, LEFT, RIGHT = (f'{{"action": "{name}"}}' for name in ("change_nothing", "turn_left", "turn_right"))


@pytest.fixture
def hosted(tmp_path):
    """`async with hosted(…) as (host, url)`: a server on a small board, with its store in a folder of its own."""

    @contextlib.asynccontextmanager
    async def begin(stage=None, **settings):
        chosen = {
            "bots": ["random"],
            "players": 2,
            "width": 16,
            "height": 12,
            "times": SLOW,
            "store": str(tmp_path / "store.db"),
        } | settings
        host = Host(Settings(**chosen), stage=stage)
        listening = listen("127.0.0.1", 0)
        serving = asyncio.create_task(host.serve(listening))
        try:
            async with asyncio.timeout(PATIENCE):
                yield host, f"ws://127.0.0.1:{listening.getsockname()[1]}/spe_ed"
                if host.settings.games:
                    await serving
        finally:
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)

    return begin


def joined(url, key, **options):
    return connect(f"{url}?key={quote(key)}", proxy=None, max_size=None, **options)


async def play(url, key, answer=lambda state: STRAIGHT, **options):
    """All states of a game; `answer` is asked while the player is active."""
    states = []
    async with joined(url, key, **options) as client:
        with contextlib.suppress(ConnectionClosed):
            async for text in client:
                states.append(json.loads(text))
                if me(states[-1])["active"] and states[-1]["running"] and (said := answer(states[-1])):
                    await client.send(said)
    return states


def me(state):
    return state["players"][str(state["you"])]


def careful(state):
    """The first of straight on, left and right that hits nothing."""
    x, y, direction = (me(state)[key] for key in ("x", "y", "direction"))
    across, along = {"up": (0, -1), "left": (-1, 0), "down": (0, 1), "right": (1, 0)}[direction]
    ways = ((STRAIGHT, across, along), (LEFT, along, -across), (RIGHT, -along, across))
    return next((said for said, dx, dy in ways if is_free(state, x + dx, y + dy)), STRAIGHT)


def is_free(state, x, y):
    return 0 <= x < state["width"] and 0 <= y < state["height"] and state["cells"][y][x] == 0


async def until(condition):
    """Wait for something that happens soon."""
    while not condition():
        await asyncio.sleep(0.005)


def stored(path):
    """Nothing is wrong with a store; all its games, as positions at their ends."""
    with Store(path, create=False) as store:
        assert list(verify(store)) == []
        games = []
        for run in store.runs():
            game = run.plan.load()
            for number in store.numbers(run.run).tolist():
                record = record_of(store.game(run.run, number, game))
                games.append(game.play_all(record.actions, record.seed))
    return games


# --- a game -----------------------------------------------------------------------------------------


def test_everybody_gets_every_state_and_the_names_at_the_end(hosted):
    async def game():
        async with hosted(players=3, games=1) as (_, url):
            return await asyncio.gather(
                play(url, "anna", careful),
                play(url, "ben", careful),
                play(url, "carla", lambda state: '{"action": 1}'),
            )

    anna, ben, carla = asyncio.run(game())
    assert [state["you"] for state in (anna[0], ben[0], carla[0])] != [1, 1, 1]
    assert not me(carla[1])["active"]
    assert len(anna) == len(ben) == len(carla) > 2
    for states in zip(anna, ben, carla, strict=True):
        rest = [{key: value for key, value in state.items() if key != "you"} for state in states]
        assert rest[0] == rest[1] == rest[2]
    assert all(state["running"] and "deadline" in state for state in anna[:-1])
    assert not anna[-1]["running"] and "deadline" not in anna[-1]
    assert not any("name" in player for state in anna[:-1] for player in state["players"].values())
    assert sorted(player["name"] for player in anna[-1]["players"].values()) == ["anna", "ben", "carla"]
    assert me(anna[-1])["name"] == "anna"


def test_games_are_stored_as_they_were_told(hosted, tmp_path):
    async def games():
        async with hosted(games=2) as (_, url):
            return [(await asyncio.gather(play(url, "a", careful), play(url, "b")))[0][-1] for _ in range(2)]

    told = asyncio.run(games())
    kept = stored(tmp_path / "store.db")
    assert len(kept) == 2
    for state, last in zip(kept, told, strict=True):
        assert painted(state.game.tables, state.record, state.history).tolist() == last["cells"]
        for number, player in last["players"].items():
            s, p = state.record, int(number) - 1
            assert (s.x[p], s.y[p], s.speed[p], s.died[p] == 0) == tuple(
                player[k] for k in ("x", "y", "speed", "active")
            )


def test_tables_of_different_sizes_are_runs_of_their_own(hosted, tmp_path):
    async def games():
        async with hosted(games=6, players=None, wait=0, seed=3) as (_, url):
            for number in range(6):
                await play(url, f"guest {number % 2}", careful)

    asyncio.run(games())
    with Store(tmp_path / "store.db", create=False) as store:
        runs = store.runs()
        assert len(runs) > 1
        assert sum(run.games for run in runs) == 6
        assert len({dict(run.plan.options).get("players", 6) for run in runs}) == len(runs)
    assert len(stored(tmp_path / "store.db")) == 6


def test_a_run_that_is_full_is_followed_by_another_with_other_games(hosted, tmp_path, monkeypatch):
    monkeypatch.setattr(game_store, "MOST_GAMES", 1)

    async def games():
        async with hosted(games=2, wait=0) as (_, url):
            return [(await play(url, "a", careful))[0]["cells"] for _ in range(2)]

    first, second = asyncio.run(games())
    assert first != second
    assert len(stored(tmp_path / "store.db")) == 2
    with Store(tmp_path / "store.db", create=False) as store:
        assert [run.games for run in store.runs()] == [1, 1]


def test_the_same_seed_deals_the_same_games(hosted, tmp_path):
    async def games(seed):
        async with hosted(games=3, players=None, wait=0, seed=seed, width=None, height=None) as (_, url):
            return [(await play(url, "a", lambda state: LEFT))[-1] for _ in range(3)]

    first, again, other = (asyncio.run(games(seed)) for seed in (1, 1, 2))
    assert first == again != other


def test_the_end_is_a_clean_close_or_none_at_all(hosted):
    async def code(abrupt):
        async with hosted(games=1, wait=0, abrupt=abrupt) as (_, url), joined(url, "a") as client:
            states = []
            with contextlib.suppress(ConnectionClosed):
                async for text in client:
                    states.append(json.loads(text))
                    await client.send("no answer")
            assert not states[-1]["running"]
            return client.close_code

    assert asyncio.run(code(False)) == 1000
    assert asyncio.run(code(True)) == 1006


# --- at the door ------------------------------------------------------------------------------------


async def status(url, key=None):
    with pytest.raises(InvalidStatus) as refused:
        async with connect(url if key is None else f"{url}?key={key}", proxy=None):
            pass
    return refused.value.response.status_code


async def fetched(url, path):
    """The status and text of a plain HTTP request."""
    address = url.replace("ws://", "http://").replace("/spe_ed", path)

    def ask():
        try:
            with urllib.request.urlopen(address, timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    return await asyncio.to_thread(ask)


def handshake(key):
    """How a client begins that has nothing but a socket."""
    lines = ("Host: localhost", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13")
    wanted = (f"GET /spe_ed?key={key} HTTP/1.1", *lines, "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "", "")
    return "\r\n".join(wanted).encode()


def address_of(url):
    return "127.0.0.1", int(url.split(":")[2].partition("/")[0])


def test_who_gets_in(hosted, tmp_path):
    keys = tmp_path / "keys"
    keys.write_text("# who may play\nk1 Anna Blume\n\nk2 Ben  # the other one\n")

    async def knock():
        async with hosted(keys=keys) as (host, url), joined(url, "k1"):
            await until(lambda: host.lobby.waiting)
            found = [await status(url), await status(url, ""), await status(url, "k3"), await status(url, "k1")]
            plain = [(await fetched(url, path))[0] for path in ("/spe_ed?key=k2", "/spe_ed", "/nothing", "/games/7")]
            return found, plain, [guest.name for guest, _ in host.lobby.waiting]

    assert asyncio.run(knock()) == ([403, 403, 403, 429], [400, 400, 404, 404], ["Anna Blume"])


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("k1\n", "line 1: a key without a name"),
        ("k1 Anna\nk1 Ben\n", "line 2: the key of 'Anna' once more"),
        ("k1 Anna\nk2 ANNA\n", "line 2: 'ANNA' looks like 'Anna'"),
        ("# nobody\n", "has no keys"),
    ],
)
def test_a_file_of_keys_that_is_wrong(tmp_path, text, complaint):
    (tmp_path / "keys").write_text(text)
    with pytest.raises(SpielbaumError, match=complaint):
        Keys(tmp_path / "keys")


@pytest.mark.parametrize("path", ["//[", "//[?key=a", "http://[/spe_ed?key=a", "/spe_ed?key=[", "/%", "/games/["])
def test_a_path_that_is_no_address_is_refused_and_the_host_goes_on(hosted, path):
    async def ask():
        async with hosted() as (_, url):
            reader, writer = await asyncio.open_connection(*address_of(url))
            writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            line = await reader.readline()
            writer.close()
            return int(line.split()[1]), (await fetched(url, "/spe_ed_time"))[0]

    code, time_code = asyncio.run(ask())
    assert code in (400, 404) and time_code == 200


def test_the_time_is_told_in_seconds_and_milliseconds(hosted):
    async def ask():
        async with hosted() as (_, url):
            return await fetched(url, "/spe_ed_time")

    before = time.time()
    code, text = asyncio.run(ask())
    told = json.loads(text)
    assert code == 200 and list(told) == ["time", "milliseconds"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", told["time"]) and 0 <= told["milliseconds"] < 1000
    now = datetime.datetime.fromisoformat(told["time"]).timestamp() + told["milliseconds"] / 1000
    assert before - 0.001 <= now <= time.time()


def test_a_key_is_free_again_when_its_socket_is_closed_or_its_game_over(hosted):
    async def come_and_go():
        async with hosted(wait=0) as (host, url):
            for _ in range(2):
                states = await play(url, "a", lambda state: "no answer")
                assert not states[-1]["running"]
        async with hosted() as (host, url):
            for _ in range(2):
                async with joined(url, "a"):
                    await until(lambda: host.lobby.waiting)
                await until(lambda: not host.lobby.waiting)
            assert not host.taken and not host.matches

    asyncio.run(come_and_go())


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have one address for themselves")
def test_guessing_keys_is_slow_and_does_not_disturb_a_game(hosted, tmp_path):
    (tmp_path / "keys").write_text("k1 Anna\nk2 Ben\n")

    async def knock(address, key, gate):
        async with gate:
            reader, writer = await asyncio.open_connection(*address, local_addr=("127.0.0.2", 0))
            writer.write(handshake(key))
            answer = await reader.read()
            writer.close()
            return answer.split()[1]

    async def game():
        async with hosted(keys=tmp_path / "keys", times=Times(5, 5, 0)) as (_, url):
            address = address_of(url)
            gate = asyncio.Semaphore(200)
            refusals = asyncio.gather(*(knock(address, f"wrong{number}", gate) for number in range(1000)))
            ended = await asyncio.gather(play(url, "k1", careful), play(url, "k2"))
            return ended[0], await refusals, await knock(address, "k1", gate)

    states, refusals, guessed = asyncio.run(game())
    assert not states[-1]["running"] and len(states) > 2
    assert set(refusals) == {b"403", b"429"} and refusals.count(b"403") < 100
    assert guessed == b"429"  # nobody learns that it is right


def test_an_address_has_so_many_connections_and_gets_one_back_when_it_closes_one(hosted, monkeypatch):
    monkeypatch.setattr(door, "MOST_EACH", 3)

    async def knock():
        async with hosted(players=6) as (host, url), joined(url, "a"), joined(url, "b"):
            async with joined(url, "c"):
                refused = await fetched(url, "/spe_ed_time")
            await until(lambda: host.door.open.total() == 2)
            return refused, (await fetched(url, "/spe_ed_time"))[0]

    refused, later = asyncio.run(knock())
    assert refused == (429, "3 connections from your address are open already\n") and later == 200


def test_who_only_opens_connections_takes_no_place_for_long(hosted, monkeypatch):
    monkeypatch.setattr(door, "MOST_EACH", 3)

    async def knock():
        async with hosted() as (host, url):
            opened = [await asyncio.open_connection(*address_of(url)) for _ in range(6)]
            cut = [await reader.read() for reader, _ in opened[3:]]
            left = host.door.open.total()
            for _, writer in opened:
                writer.close()
            return cut, left

    assert asyncio.run(knock()) == ([b""] * 3, 3)


@pytest.mark.parametrize("flood", ["pings", "parts"])
def test_a_flood_of_pings_or_of_parts_of_a_message_closes_the_connection(hosted, flood):
    def parts():
        for _ in range(10_000):
            yield " "

    async def send():
        async with hosted(wait=1000) as (host, url), joined(url, "a") as anna:
            with contextlib.suppress(ConnectionClosed):
                if flood == "pings":
                    for _ in range(10_000):
                        await anna.ping()
                else:
                    await anna.send(parts())
                await anna.wait_closed()
            await until(lambda: not host.lobby.waiting)
            return anna.close_code, anna.close_reason

    assert asyncio.run(send()) == (1008, "too many pings or parts of messages")


def test_pages_of_other_sites_do_not_get_in_and_neither_do_other_names_of_this_computer(hosted):
    async def knock():
        async with hosted() as (_, url):
            own = url.replace("ws://", "http://").removesuffix("/spe_ed")
            found = []
            for headers in ({"Origin": "http://evil.example"}, {"Origin": "null"}, {"Host": "evil.example"}):
                request = [f"{name}: {value}" for name, value in ({"Host": "localhost"} | headers).items()]
                reader, writer = await asyncio.open_connection(*address_of(url))
                upgrade = handshake("a").decode().partition("Upgrade")
                writer.write("\r\n".join(["GET /spe_ed?key=a HTTP/1.1", *request, "Upgrade" + upgrade[2]]).encode())
                found.append((await reader.readline()).split()[1])
                writer.close()
            async with joined(url, "a", origin=own):
                return found

    assert asyncio.run(knock()) == [b"403"] * 3


@pytest.mark.parametrize("alike", ["ANNA", "\uff21nna", "an\u200bna", " anna "])
def test_names_that_look_alike_do_not_sit_together(hosted, alike):
    async def knock():
        async with hosted(players=6) as (host, url), joined(url, "anna"):
            await until(lambda: host.lobby.waiting)
            found = await status(url, quote(alike)), await status(url, "RANDOM")
            async with joined(url, "ben"):
                return found

    assert asyncio.run(knock()) == (429, 403)  # the other is a bot's


# --- the lobby --------------------------------------------------------------------------------------


def test_bots_take_the_empty_seats_when_the_first_has_waited_long_enough(hosted):
    async def game():
        async with hosted(players=4, wait=0.2, games=1, bots=["random", "mcts:iterations=4"]) as (_, url):
            states = await play(url, "a", careful)
            return states[-1]

    names = sorted(player["name"] for player in asyncio.run(game())["players"].values())
    assert len(names) == 4 and names[0] == "a" and set(names[1:]) <= {"random", "mcts:iterations=4"}


def test_a_game_begins_at_once_when_the_table_is_complete(hosted):
    async def game():
        async with hosted(players=3, wait=1000) as (host, url), joined(url, "a"), joined(url, "b"):
            await until(lambda: len(host.lobby.waiting) == 2)
            assert not host.matches
            async with joined(url, "c") as last:
                state = json.loads(await last.recv())
                assert not host.lobby.waiting and len(state["players"]) == 3

    asyncio.run(game())


def test_who_leaves_the_lobby_takes_no_seat(hosted):
    async def game():
        async with hosted(players=2, wait=1000) as (host, url):
            async with joined(url, "a"):
                await until(lambda: host.lobby.waiting)
            await until(lambda: not host.lobby.waiting)
            async with joined(url, "b") as ben:
                await until(lambda: host.lobby.waiting)
                assert not host.matches
                async with joined(url, "c") as carla:
                    assert json.loads(await ben.recv())["you"] != json.loads(await carla.recv())["you"]

    asyncio.run(game())


def test_how_many_play_is_drawn(hosted):
    async def sizes():
        async with hosted(players=None, wait=0) as (_, url):
            return {len((await play(url, "a", lambda state: "nothing"))[0]["players"]) for _ in range(20)}

    assert asyncio.run(sizes()) == {2, 3, 4, 5, 6}


# --- answers that are none --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "said",
    [
        "turn_left",
        "{",
        "[]",
        '{"action": 2}',
        '{"action": "fly"}',
        '{"action": "no_answer"}',
        "{}",
        b"\xff",
        "[" * 9000,
    ],
    ids=lambda said: repr(said)[:20],
)
def test_what_is_no_answer_puts_a_player_out_at_once(hosted, said):
    async def game():
        async with hosted(games=1) as (_, url):
            return (await asyncio.gather(play(url, "a", lambda state: said), play(url, "b")))[1]

    states = asyncio.run(game())  # the deadline is a minute away
    assert len(states) == 2 and me(states[-1])["active"]


def test_other_fields_of_an_answer_do_not_matter(hosted):
    answer = '{"speed": 3, "action": "speed_up", "x": [{}]}'

    async def game():
        async with hosted(games=1) as (_, url):
            return (await asyncio.gather(play(url, "a", lambda state: answer), play(url, "b")))[0]

    states = asyncio.run(game())
    assert me(states[1])["active"] and me(states[1])["speed"] == 2


def test_a_second_answer_in_a_round_puts_a_player_out(hosted):
    async def game():
        async with hosted(games=1) as (host, url), joined(url, "a") as anna, joined(url, "b") as ben:
            await anna.recv(), await ben.recv()
            await anna.send(STRAIGHT)
            await anna.send(LEFT)
            match = host.matches[1]
            await until(lambda: match.choices and 5 in match.choices.values())
            await ben.send(STRAIGHT)
            return json.loads(await anna.recv()), json.loads(await ben.recv())

    anna, ben = asyncio.run(game())
    assert not me(anna)["active"] and me(ben)["active"] and not ben["running"]


def test_answers_count_until_the_cut_off_and_not_after_it(hosted):
    async def game():
        async with (
            hosted(games=1, players=3, times=Times(0.1, 0.1, 1.4)) as (_, url),
            joined(url, "a") as anna,
            joined(url, "b") as ben,
            joined(url, "c") as carla,
        ):
            everybody = (anna, ben, carla)
            first = [json.loads(await each.recv()) for each in everybody]
            await carla.send(STRAIGHT)
            await asyncio.sleep(0.2)  # beyond the deadline, within the grace
            await anna.send(STRAIGHT)
            second = [json.loads(await each.recv()) for each in everybody]
            await ben.send(STRAIGHT)
            await anna.send(STRAIGHT), await carla.send(LEFT)
            third = [json.loads(await each.recv()) for each in everybody]
            return [[me(state)["active"] for state in states] for states in (first, second, third)]

    first, second, third = asyncio.run(game())
    assert first == [True, True, True]
    assert second == [True, False, True]
    assert not third[1]


def test_the_announced_deadline_is_whole_seconds_before_the_real_one(hosted):
    async def deadline(times):
        async with hosted(wait=0, times=times) as (_, url), joined(url, "a") as client:
            return json.loads(await client.recv())["deadline"]

    whole, fine, forced = (
        asyncio.run(deadline(t)) for t in (Times(5, 5, 2), Times(0.5, 5, 2), Times(0.5, 5, 2, False))
    )
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", whole) and len(whole) == len(forced)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", fine)


@pytest.mark.parametrize("step", [-3600.0, 3600.0])
def test_deadlines_and_the_time_go_on_as_before_when_somebody_sets_the_clock(hosted, monkeypatch, step):
    async def told(url):
        answer = json.loads((await fetched(url, "/spe_ed_time"))[1])
        return datetime.datetime.fromisoformat(answer["time"]).timestamp()

    async def run():
        async with hosted() as (_, url):
            before, wall = await told(url), time.time
            monkeypatch.setattr(time, "time", lambda: wall() + step)
            async with joined(url, "a") as client, joined(url, "b"):
                state = json.loads(await client.recv())
            return before, datetime.datetime.fromisoformat(state["deadline"]).timestamp(), await told(url)

    before, deadline, after = asyncio.run(run())
    assert 0 <= after - before <= PATIENCE
    assert SLOW.shortest - 1 <= deadline - before <= SLOW.longest + PATIENCE


@pytest.mark.parametrize(
    ("times", "complaint"),
    [
        ((0.05, 1, 0), "0.1 to 3600 s"),
        ((2, 1, 0), "the shorter one first"),
        ((1, 1e300, 0), "from 1 to 1e\\+300 s are not possible"),
        ((1, float("nan"), 0), "from 1 to nan s are not possible"),
        ((1, 1, -1), "0 to 3600 s"),
        ((1, 1, float("inf")), "a grace of inf s is not possible"),
    ],
)
def test_times_that_are_not_possible(times, complaint):
    with pytest.raises(SpielbaumError, match=complaint):
        Times(*times)


def test_who_leaves_a_game_is_out_at_once(hosted):
    async def game():
        async with hosted(games=1, players=3) as (_, url):
            ben, carla = asyncio.create_task(play(url, "b", careful)), asyncio.create_task(play(url, "c", careful))
            async with joined(url, "a") as anna:
                you = json.loads(await anna.recv())["you"]
            return you, await ben, await carla

    you, ben, _ = asyncio.run(game())  # the deadline is a minute away
    assert ben[0]["players"][str(you)]["active"] and not ben[1]["players"][str(you)]["active"]
    assert len(ben) > 3


def test_a_message_that_is_too_long_closes_the_connection(hosted):
    async def game():
        async with hosted(games=1) as (_, url):
            other = asyncio.create_task(play(url, "b"))
            async with joined(url, "a") as anna:
                await anna.recv()
                await anna.send(json.dumps({"action": "turn_left", "why": "x" * 100_000}))
                await anna.wait_closed()
            return anna.close_code, await other

    code, states = asyncio.run(game())
    assert code == 1009
    assert len(states) == 2 and me(states[-1])["active"]


def test_a_flood_of_messages_closes_the_connection(hosted):
    async def flood():
        async with hosted(players=2, wait=1000) as (host, url), joined(url, "a") as anna:
            with contextlib.suppress(ConnectionClosed):
                for _ in range(10_000):
                    await anna.send(LEFT)
                await anna.wait_closed()
            await until(lambda: not host.lobby.waiting)
            return anna.close_code

    assert asyncio.run(flood()) == 1008


def test_who_never_reads_is_dropped_and_keeps_nobody_waiting(hosted, monkeypatch):
    monkeypatch.setattr(seats, "UNREAD", 1 << 16)

    async def game():
        async with hosted(games=1, players=3, width=200, height=200, times=Times(2, 2, 0)) as (host, url):
            address = address_of(url)
            deaf = socket.socket()
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            deaf.connect(address)
            deaf.sendall(handshake("deaf"))
            await until(lambda: host.lobby.waiting)
            others = asyncio.gather(play(url, "a"), play(url, "b"))
            await until(lambda: host.matches)
            await until(lambda: "deaf" not in host.taken)
            dropped_in = host.matches[1].rounds if host.matches else None
            deaf.close()
            return dropped_in, (await others)[0]

    dropped_in, states = asyncio.run(game())
    assert dropped_in is not None and dropped_in < len(states) - 1
    assert sum(player["active"] for player in states[1]["players"].values()) == 2


# --- bots -------------------------------------------------------------------------------------------


class Stuck(spielbaum.agents.StatelessAgent):
    """Thinks for ever."""

    def act(self, state, clock=None, *, watch=None):
        time.sleep(5)
        return 0


class Broken(spielbaum.agents.StatelessAgent):
    def act(self, state, clock=None, *, watch=None):
        raise RuntimeError("no idea")


class Wrong(spielbaum.agents.StatelessAgent):
    def act(self, state, clock=None, *, watch=None):
        return 5


@pytest.mark.parametrize("kind", [Stuck, Broken, Wrong])
def test_a_bot_without_an_answer_is_out_at_the_cut_off(hosted, monkeypatch, kind):
    monkeypatch.setattr(seats, "make", lambda spec, game, seed: kind())

    async def game():
        async with hosted(games=1, wait=0, times=QUICK) as (_, url):
            return await play(url, "a")

    states = asyncio.run(game())
    assert len(states) == 2 and me(states[-1])["active"]


def test_a_bot_that_is_late_when_the_game_ends_is_given_up_in_silence(hosted, monkeypatch):
    monkeypatch.setattr(seats, "make", lambda spec, game, seed: Stuck())
    raised = []

    async def game():
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: raised.append(context["message"]))
        async with hosted(games=1, wait=0, times=QUICK, stage=Staging(EventStreams(), 1, hands=True)) as (_, url):
            await play(url, "a")
            await asyncio.sleep(0.1)
        gc.collect()

    asyncio.run(game())
    assert raised == []


def test_bots_share_the_time_and_all_answer_before_the_cut_off(hosted):
    async def game():
        settings = {"players": 6, "wait": 0, "times": Times(0.4, 0.4, 0.4), "bots": ["mcts:seconds=60"], "games": 1}
        async with hosted(**settings, width=40, height=40) as (host, url):
            host.warm_up()
            async with joined(url, "a") as client:
                await client.recv()
                await client.send(STRAIGHT)
                match = host.matches[1]
                await client.recv()
                late = list(match.late)
                host.finished.set()
            return late

    assert asyncio.run(game()) == [0] * 6


class Straight(spielbaum.agents.StatelessAgent):
    def act(self, state, clock=None, *, watch=None):
        return 0


def test_a_person_at_the_screen_takes_over_a_bot_and_nobody_else(hosted, monkeypatch):
    monkeypatch.setattr(seats, "make", lambda spec, game, seed: Straight())
    person = object()

    async def game():
        stage = Staging(EventStreams(), 1, hands=True)
        settings = {"wait": 0, "games": 1, "width": 60, "height": 60, "stage": stage}
        async with hosted(**settings) as (host, url), joined(url, "a") as client:
            first = json.loads(await client.recv())
            stream, me, bot = host.matches[1].stream, first["you"] - 1, 2 - first["you"]
            assert stage.name(stream) in stage.streams and not stream.names
            assert stream.take(bot, person) and not stream.take(me, person)
            stream.steer(bot, "change_nothing", person)  # counts unless the bot has answered already
            headings = []
            for steering in ("turn_left", "turn_right", "change_nothing"):
                await client.send(STRAIGHT)
                state = json.loads(await client.recv())
                headings.append(state["players"][str(bot + 1)]["direction"])
                stream.steer(bot, steering, person)
            return headings, stream

    headings, stream = asyncio.run(game())
    around = ["up", "left", "down", "right"]
    turned = around[(around.index(headings[0]) + 1) % 4]
    assert headings == [headings[0], turned, headings[0]]
    assert stream.ended and sorted(stream.names.values()) == ["a", "random"] and len(stream.shots) > 4


def test_what_bots_think_is_shown_while_somebody_looks_on(hosted):
    async def game():
        stage = Staging(EventStreams(), 1, hands=True)
        settings = {"wait": 0, "games": 1, "width": 60, "height": 60, "bots": ["mcts:iterations=50"], "stage": stage}
        async with hosted(**settings) as (host, url), joined(url, "a") as client:
            await client.recv()
            stream = host.matches[1].stream
            await client.send(STRAIGHT)
            await client.recv()
            unseen = stream.thoughts
            stream.follow(lambda: None)
            for _ in range(2):  # the bot may have answered already when the first of them begins
                await client.send(STRAIGHT)
                await client.recv()
            return unseen, stream.thoughts

    unseen, seen = asyncio.run(game())
    assert unseen == 0 < seen


def test_a_bot_that_there_is_not(tmp_path):
    with pytest.raises(SpielbaumError, match="unknown agent 'rnadom'"):
        Host(Settings(bots=["rnadom"], store=str(tmp_path / "store.db")))
    with pytest.raises(SpielbaumError, match="a person can't be a bot"):
        Host(Settings(bots=["human"], store=str(tmp_path / "store.db")))


# --- what is told to people -------------------------------------------------------------------------


def test_the_page_tells_of_games_results_and_ratings_but_not_who_plays(hosted):
    async def look():
        async with hosted() as (host, url):
            await asyncio.gather(play(url, "winner", careful), play(url, "loser", lambda state: "nothing"))
            await until(lambda: host.ended == 1)
            async with joined(url, "x"), joined(url, "y") as client:
                state = json.loads(await client.recv())
                page, games, board = [await fetched(url, path) for path in ("/", "/games", "/games/2")]
            return page, json.loads(games[1]), json.loads(board[1]), state

    page, told, board, state = asyncio.run(look())
    assert page[0] == 200 and "<html" in page[1]
    assert [match["number"] for match in told["running"]] == [2]
    assert '"x"' not in json.dumps(told["running"]) and board["cells"] == state["cells"]
    assert [player["name"] for player in told["results"][0]["players"]] == ["winner", "loser"]
    assert [(each["name"], each["wins"], each["place"]) for each in told["ratings"]] == [
        ("winner", 1, 1),
        ("loser", 0, 2),
    ]
    assert told["ratings"][0]["rating"] > 25 > told["ratings"][1]["rating"]


def test_a_host_without_any_game_has_a_page_all_the_same(hosted):
    async def look():
        async with hosted() as (_, url):
            return await fetched(url, "/games")

    code, text = asyncio.run(look())
    told = json.loads(text)
    assert code == 200 and (told["results"], told["ratings"], told["running"]) == ([], [], [])


def test_ratings_are_reckoned_though_who_asked_first_has_gone(hosted, monkeypatch):
    begun, go_on = threading.Event(), threading.Event()

    def slow(games):
        begun.set()
        assert go_on.wait(PATIENCE)
        return standing(games)

    standing = game_store.standing
    monkeypatch.setattr(game_store, "standing", slow)

    async def ask():
        async with hosted() as (host, url):
            await asyncio.gather(play(url, "winner"), play(url, "loser", lambda state: "nothing"))
            await until(lambda: host.ended == 1)
            first = asyncio.create_task(host.store.ratings())
            assert await asyncio.to_thread(begun.wait, PATIENCE)
            first.cancel()
            await asyncio.gather(first, return_exceptions=True)
            go_on.set()
            return await host.store.ratings()

    assert [rating["name"] for rating in asyncio.run(ask())] == ["winner", "loser"]


def test_ratings_go_on_where_an_earlier_server_stopped(hosted):
    async def game(count):
        async with hosted(games=1) as (host, url):
            assert host.store.games == count
            await asyncio.gather(play(url, "winner"), play(url, "loser", lambda state: "nothing"))

    for count in range(3):
        asyncio.run(game(count))


@pytest.mark.needs("chromium", "axe")
def test_the_page_in_a_browser(hosted):
    from axe_playwright_python.async_playwright import Axe
    from playwright.async_api import async_playwright

    async def look():
        async with hosted() as (host, url), async_playwright() as driver:
            await asyncio.gather(play(url, "<b>bold</b>", careful), play(url, "b", lambda state: "nothing"))
            await until(lambda: host.ended == 1)
            browser = await driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            page = await (await browser.new_context(locale="de-DE")).new_page()
            wrong = []
            page.on("pageerror", lambda error: wrong.append(str(error)))
            page.on("console", lambda message: wrong.append(message.text))
            await page.goto(url.replace("ws://", "http://").removesuffix("spe_ed"))
            german = await page.get_by_text("Zurzeit spielt niemand.").inner_text()
            results = await page.locator("#results").inner_text()
            async with joined(url, "x"), joined(url, "y"):
                board = page.locator("canvas")
                await board.wait_for()
                label = await board.get_attribute("aria-label")
                barriers = await Axe().run(page)
                wrong += [each["id"] for each in barriers.response["violations"]]
                await page.get_by_role("button", name="English").click()
                english = await page.get_by_role("heading", name="Games now").inner_text()
            await browser.close()
            return wrong, german, results, label, english

    wrong, german, results, label, english = asyncio.run(look())
    assert not wrong
    assert german and "1. <b>bold</b>" in results
    assert label == "Spiel 2, 16 mal 12 Felder, 2 Spieler aktiv" and english == "Games now"


# --- the command ------------------------------------------------------------------------------------


def started(*arguments):
    """A server of its own, and its address."""
    command = [sys.executable, "-m", "spielbaum", "spe_ed", "host", "--port", "0", *map(str, arguments)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    found = re.search(r"ws://[\d.:]+/spe_ed", process.stdout.readline())
    assert found, process.communicate()
    return process, found[0]


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_it_with_all_games_stored(tmp_path, ending):
    store = tmp_path / "store.db"
    process, url = started("--store", store, "--players", 2, "--width", 12, "--height", 12)

    async def game():
        await asyncio.gather(play(url, "a", careful), play(url, "b"))
        async with joined(url, "a") as anna, joined(url, "b") as ben:
            await anna.recv(), await ben.recv()
            process.send_signal(ending)
            await anna.wait_closed()
            return anna.close_code

    try:
        assert asyncio.run(game()) == 1001
        out, errors = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert "1 games are in" in out and "Traceback" not in errors
    assert process.returncode == (130 if ending == signal.SIGINT else 0)
    assert len(stored(store)) == 1


def test_a_host_that_is_killed_when_a_guest_hears_the_end_has_stored_the_game(tmp_path):
    store = tmp_path / "store.db"
    process, url = started("--store", store, "--players", 2, "--width", 12, "--height", 12)

    async def game():
        other = asyncio.create_task(play(url, "b"))
        async with joined(url, "a") as client:
            async for text in client:
                state = json.loads(text)
                if not state["running"]:
                    process.kill()
                    break
                await client.send(careful(state))
        await asyncio.gather(other, return_exceptions=True)
        return state

    try:
        last = asyncio.run(asyncio.wait_for(game(), PATIENCE))
        process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    (state,) = stored(store)
    assert painted(state.game.tables, state.record, state.history).tolist() == last["cells"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--deadline-min", "9", "--deadline-max", "3"], "deadlines from 9 to 3 s are not possible"),
        (["--keys", "nowhere"], "nowhere can't be read: No such file"),
        (["--bot", "rnadom"], "unknown agent 'rnadom'"),
        (["--players", "7"], "--players"),
        (["--wait", "1e6"], "0 to 86400 seconds"),
        (["--deadline-max", "1e6"], "are not possible: 0.1 to 3600 s"),
        (["--store", "/nowhere/store.db"], "can't be written"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(capfd, tmp_path, arguments, complaint):
    from spielbaum.cli import main

    at_home = [] if "--store" in arguments else ["--store", str(tmp_path / "store.db")]
    assert main(["spe_ed", "host", "--port", "0", *at_home, *arguments]) == 2
    errors = capfd.readouterr().err
    assert complaint in errors and errors.count("\n") == 1


@pytest.mark.skipif(sys.platform != "linux", reason="children are looked up as Linux tells of them")
def test_a_benchmark_that_is_killed_leaves_no_server_behind(tmp_path):
    code = f"""
import sys, time
sys.path.insert(0, {str(pathlib.Path(__file__).parents[2])!r})  # the benchmarks are not installed
from benchmarks.host import running_host
with running_host({str(tmp_path / "store.db")!r}, 5) as url:
    print(url, flush=True)
    time.sleep(1000)
"""
    driver = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert driver.stdout is not None
    url = driver.stdout.readline().strip()
    (child,) = pathlib.Path(f"/proc/{driver.pid}/task/{driver.pid}/children").read_text().split()
    driver.kill()
    driver.communicate()

    async def refused():
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    (await asyncio.open_connection(*address_of(url)))[1].close()
                except ConnectionRefusedError:
                    return True
                await asyncio.sleep(0.05)

    try:
        assert asyncio.run(refused())
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(child), signal.SIGKILL)


@pytest.mark.slow
@pytest.mark.parametrize("guests", [1, 4])
def test_fifty_games_at_once_and_nobody_misses_a_cut_off(guests):
    from benchmarks.host import measured

    waits, late, answers = measured(guests)
    assert late == 0 and answers > 500 and len(waits) > 500


def test_a_game_that_the_server_breaks_off_ends_with_a_code_and_a_reason(hosted, monkeypatch):
    def broken(self):
        raise RuntimeError("a fault")

    async def run():
        async with hosted() as (_, url), joined(url, "a") as one, joined(url, "b") as other:
            for client in (one, other):
                await client.recv()
                await client.send(STRAIGHT)
            await asyncio.gather(one.wait_closed(), other.wait_closed())
            return {(client.close_code, client.close_reason) for client in (one, other)}

    monkeypatch.setattr(Match, "resolve", broken)
    assert asyncio.run(run()) == {(1011, "the game was broken off: an error of the server")}


@pytest.mark.parametrize("fault", [SpielbaumError("the disk is full"), RuntimeError("a fault")])
def test_a_game_that_can_t_be_stored_counts_for_the_end_of_the_host(hosted, monkeypatch, fault):
    def broken(self, *_):
        raise fault

    async def run():
        async with hosted(games=1) as (host, url):  # which waits for the host to end
            await asyncio.gather(*(play(url, key, lambda state: "no answer") for key in "ab"))
        return host.ended

    monkeypatch.setattr(game_store.GameStore, "write", broken)
    assert asyncio.run(run()) == 1
