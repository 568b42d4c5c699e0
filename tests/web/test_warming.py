"""Kernels are compiled beside the games, and nobody's time runs while somebody waits for them."""

from __future__ import annotations

import asyncio
import pathlib
import queue
import shutil
import threading
from collections.abc import Iterator
from typing import Any

import pytest

import spielbaum
from spielbaum.agents import warm_up
from spielbaum.compile.cache import CACHE_VARIABLE
from spielbaum.compile.link import cache_counts
from spielbaum.web import warming
from spielbaum.web.settings import Settings
from spielbaum.web.warming import AWAITED, WAITING, Job, Warming
from tests.patience import PATIENCE, wait_for
from tests.web.server import PERSON, Server, agent

GARDEN = pathlib.Path(__file__).parent / "ui" / "garden.py"
QUICK = agent("mcts:iterations=10")


class Compiler:
    """Stands for the child process: does a job when it is told to, and says in which order they came."""

    def __init__(self) -> None:
        self.begun = queue.SimpleQueue[str]()
        self.order: list[tuple[str, str]] = []
        self.go = threading.Event()
        self.failure: str | None = None

    def compile(self, warming: Warming, job: Job) -> str | None:
        self.order.append((job.need.game, job.spec))
        self.begun.put(job.spec)
        while not self.go.wait(0.02):
            if warming.closed:
                return "closed"
        return self.failure


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch) -> Compiler:
    """No kernel is in the cache, as it seems."""
    pretended = Compiler()
    monkeypatch.setattr(Warming, "compile", lambda warming, job: pretended.compile(warming, job))
    monkeypatch.setattr(warm_up, "is_warm", lambda need: False)
    monkeypatch.setattr(warm_up, "write_record", lambda need, seconds: None)
    return pretended


@pytest.fixture
def cold(compiler: Compiler) -> Iterator[Server]:
    """A server that has compiled nothing yet."""
    with Server(Settings(("tic-tac-toe", "connect-four", "pig"), searches=2, seconds=5.0, megabytes=32)) as running:
        yield running


def preparation(server: Server, game: str) -> dict[str, Any]:
    answer = server.http.get(f"/api/games/{game}/preparation")
    assert answer.status_code == 200
    told: dict[str, Any] = answer.json()
    return told


def until_ready(server: Server, game: str) -> dict[str, Any]:
    wait_for(lambda: (told := preparation(server, game))["ready"] and told["agents"])
    return preparation(server, game)


def doing(thinking: dict[str, Any]) -> str | None:
    """What is done before a search can begin."""
    return (thinking["preparation"] or {"doing": None})["doing"]


def look_at(server: Server, game: str) -> None:
    assert server.http.post(f"/api/games/{game}/setup", json={}).status_code == 200


# --- before a game --------------------------------------------------------------------------------


def test_a_setup_page_has_the_usual_agents_compiled_once_for_all_who_look(cold, compiler):
    assert preparation(cold, "connect-four") == {"ready": True, "agents": []}
    for _ in range(3):
        look_at(cold, "connect-four")
    first = compiler.begun.get(timeout=60)
    told = preparation(cold, "connect-four")
    assert not told["ready"] and told["agents"][0]["spec"] == first
    assert told["agents"][0]["doing"] == "compiling" and told["agents"][0]["expected"] > 0
    compiler.go.set()
    told = until_ready(cold, "connect-four")
    assert {each["doing"] for each in told["agents"]} == {"loading"}
    assert len(compiler.order) == len(set(compiler.order)) == len(told["agents"])


def test_the_opponent_and_who_gives_hints_come_first(cold, compiler):
    compiler.go.set()
    look_at(cold, "connect-four")
    until_ready(cold, "connect-four")
    game = spielbaum.load("connect-four")
    assert compiler.order[0] == ("connect-four", warming.usual_agents(game)[0])
    needs = {warm_up.compile_target(game, spec) for spec in warming.usual_agents(game)}
    assert len(compiler.order) == len(needs)


def test_what_somebody_plays_is_compiled_before_what_others_look_at(cold, compiler):
    look_at(cold, "pig")
    compiler.begun.get(timeout=60)
    look_at(cold, "connect-four")
    wait_for(lambda: preparation(cold, "connect-four")["agents"])
    with cold.play("tic-tac-toe", agent("minimax:depth=2"), PERSON) as client:
        assert client.wait("thinking")["preparation"] is None
        waits = client.wait("thinking")
        assert waits["preparation"]["doing"] == "waiting"
        compiler.go.set()
        client.until(ply=1)
    until_ready(cold, "connect-four")
    games = [game for game, _ in compiler.order]
    assert games[:2] == ["pig", "tic-tac-toe"] and compiler.order[1][1] == "minimax:depth=2"
    assert "connect-four" in games[2:]


def test_searches_of_all_kinds_do_not_keep_others_waiting(cold, compiler, monkeypatch):
    monkeypatch.setattr(warming, "MOST", 1)
    look_at(cold, "connect-four")
    compiler.begun.get(timeout=60)
    cold.begin("tic-tac-toe", agent("mcts:select=puct"), agent("mcts:select=ucb1-tuned"))
    wait_for(lambda: "waiting" in {each["doing"] for each in preparation(cold, "tic-tac-toe")["agents"]})
    with cold.play("tic-tac-toe", agent("minimax:depth=2"), PERSON) as client:
        assert client.until(ply=1)["faults"] == []
        told = [m["preparation"]["doing"] for m in client.heard if m["type"] == "thinking" and m["preparation"]]
        assert set(told) == {"alone"}


def test_a_kiosk_is_prepared_before_its_first_visitor(compiler):
    with Server(Settings(("tic-tac-toe",), kiosk="tic-tac-toe")) as server:
        spec = compiler.begun.get(timeout=60)
        assert preparation(server, "tic-tac-toe")["agents"][0]["spec"] == spec


def test_a_client_that_only_hears_of_compiling_does_not_wait_for_ever(cold):
    with cold.play("tic-tac-toe", QUICK, PERSON) as client:
        client.patience = 3.0
        with pytest.raises(AssertionError, match=r"after 3 s still waiting for {'ply': 1}; .*'doing': 'compiling'"):
            client.until(ply=1)


# --- during a game --------------------------------------------------------------------------------


def test_no_clock_runs_while_an_opponent_is_compiled_and_the_page_is_told(cold, compiler):
    with cold.play("tic-tac-toe", PERSON, QUICK, clock=1.0) as client:
        client.act(4)
        told = client.wait("thinking", preparing=True, such=lambda waits: doing(waits) == "compiling")["preparation"]
        assert set(told) == {"doing", "elapsed", "expected", "last"} and told["expected"] > 0
        client.wait("thinking", such=lambda waits: waits["preparation"]["elapsed"] >= 2.0)  # twice what the agent has
        assert client.now["clock"]["running"] == [] and client.now["busy"]["preparation"]
        compiler.go.set()
        assert client.until(ply=2)["result"] is None
        assert client.now["clock"]["running"] == [0]


def test_no_clock_runs_while_a_hint_is_compiled(cold, compiler):
    with cold.play("tic-tac-toe", PERSON, PERSON, clock=1.0) as client:
        client.say("hint", id=3, spec=QUICK["spec"])
        client.wait("thinking", such=lambda waits: doing(waits) and waits["preparation"]["elapsed"] >= 2.0)
        assert client.now["clock"]["running"] == []
        compiler.go.set()
        assert client.wait("hint", "error", re=3)["type"] == "hint"
        assert client.until(busy=None)["clock"]["running"] == [0]


def test_the_first_search_alone_says_that_it_loads(cold, compiler):
    compiler.go.set()
    with cold.play("tic-tac-toe", PERSON, QUICK) as client:
        for action in (4, 0):
            client.act(action if action in [g["action"] for g in client.now["gestures"]] else 1)
            client.until_mine()
        told = [m["preparation"] for m in client.heard if m["type"] == "thinking" and m["preparation"]]
        assert told[-1]["doing"] == "loading"
        assert {m["ply"] for m in client.heard if m["type"] == "thinking" and m["preparation"]} == {1}


def test_an_analysis_is_told_too_and_can_be_cancelled(cold, compiler):
    with cold.play("tic-tac-toe", mode="analysis") as client:
        client.say("think", spec=QUICK["spec"])
        client.wait("thinking", such=doing)
        client.say("cancel")
        assert client.until(busy=None)["ply"] == 0
        compiler.go.set()
        client.say("think", spec=QUICK["spec"])
        assert client.wait("thinking", done=True)["search"]


@pytest.mark.parametrize("is_compiled", [True, False])
def test_a_hint_can_be_cancelled_and_asked_for_again(cold, compiler, is_compiled):
    if is_compiled:
        compiler.go.set()
    with cold.play("tic-tac-toe", PERSON, PERSON) as client:
        client.say("hint", id=3, spec="mcts:seconds=30")
        client.wait("thinking")
        client.say("cancel")
        assert client.wait("error", "hint", re=3)["code"] == "cancelled"
        assert client.until(busy=None)["can"]["hint"]
        compiler.go.set()
        assert client.ask("hint", "hint", spec=QUICK["spec"])["type"] == "hint"
        assert client.ask("cancel")["code"] == "not-now"


def test_a_hint_that_a_move_makes_needless_is_answered(cold, compiler):
    compiler.go.set()
    with cold.play("tic-tac-toe", PERSON, PERSON) as client:
        client.say("hint", id=3, spec="mcts:seconds=30")
        client.wait("thinking")
        client.say("act", rev=client.now["rev"], action=4)
        assert client.wait("error", "hint", re=3)["code"] == "cancelled"


def test_a_search_compiles_for_itself_where_the_child_failed(cold, compiler, caplog):
    compiler.failure = "it fell over"
    compiler.go.set()
    with cold.play("tic-tac-toe", PERSON, QUICK) as client:
        client.act(4)
        assert client.until(ply=2)["faults"] == []
        told = [m["preparation"]["doing"] for m in client.heard if m["type"] == "thinking" and m["preparation"]]
        assert "alone" in told and "loading" not in told
    assert any(record.facts.get("why") == "it fell over" for record in caplog.records if hasattr(record, "facts"))


def test_what_is_wanted_while_the_child_ends_is_compiled(compiler, monkeypatch):
    ends, may_end, end_child = threading.Event(), threading.Event(), Warming.end_child

    def slowly(self):
        ends.set()
        assert may_end.wait(PATIENCE)
        end_child(self)

    async def want_two() -> None:
        server, game = Warming(), spielbaum.load("tic-tac-toe")
        await server.want("tic-tac-toe", game, [QUICK["spec"]])
        assert await asyncio.to_thread(ends.wait, PATIENCE)
        (job,) = await server.want("tic-tac-toe", game, ["minimax:depth=2"], AWAITED)
        assert job.doing == WAITING
        may_end.set()
        async with asyncio.timeout(PATIENCE):
            await job.prepared.wait()
        await server.close()

    monkeypatch.setattr(Warming, "end_child", slowly)
    compiler.go.set()
    asyncio.run(want_two())
    assert [spec for _, spec in compiler.order] == [QUICK["spec"], "minimax:depth=2"]


# --- the child --------------------------------------------------------------------------------------


@pytest.fixture
def meadow(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """A small game that no cache knows."""
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    return pathlib.Path(shutil.copy(GARDEN, tmp_path / "meadow.py"))


def test_a_child_fills_the_cache_and_the_server_compiles_nothing(meadow):
    with Server(Settings((meadow,))) as server:
        compiled = cache_counts()[1]
        with server.play("meadow", PERSON, agent("random")) as client:
            client.act(0)
            assert client.until(ply=2)["faults"] == []
            told = [m["preparation"]["doing"] for m in client.heard if m["type"] == "thinking" and m["preparation"]]
            assert "compiling" in told and told[-1] == "loading"
        assert cache_counts()[1] == compiled
    game = spielbaum.load(meadow)
    assert warm_up.is_warm(warm_up.compile_target(game, "random"))
    assert warm_up.time_of(warm_up.compile_target(game, "random")).last is not None


def test_a_game_that_was_edited_since_is_compiled_by_the_search(meadow):
    with Server(Settings((meadow,))) as server:
        meadow.write_text(meadow.read_text().replace("BEDS, PLANTS = 3, 2", "BEDS, PLANTS = 4, 2"))
        with server.play("meadow", PERSON, agent("random")) as client:
            client.act(0)
            assert client.until(ply=2)["faults"] == []
            told = [m["preparation"]["doing"] for m in client.heard if m["type"] == "thinking" and m["preparation"]]
            assert told[-1] == "alone"


def test_the_child_ends_with_the_server(meadow, monkeypatch):
    children, start = queue.SimpleQueue[Any](), Warming.start_child

    def noted(self, game):
        start(self, game)
        children.put(self.child)

    monkeypatch.setattr(Warming, "start_child", noted)
    with Server(Settings((meadow,))) as server:
        look_at(server, "meadow")
        child = children.get(timeout=60)
        assert child.poll() is None
    assert child.poll() is not None


def test_a_child_that_can_not_be_started_is_done_without(meadow, monkeypatch):
    def refused(self, game):
        raise OSError("no more processes")

    monkeypatch.setattr(Warming, "start_child", refused)
    with Server(Settings((meadow,))) as server, server.play("meadow", agent("random"), PERSON) as client:
        assert client.until(ply=1)["faults"] == []


def test_a_child_that_talks_nonsense_keeps_nobody_waiting(meadow):
    meadow.write_text(f"{meadow.read_text()}\nimport os\n\nos.write(1, b'5\\n')\n")
    with Server(Settings((meadow,))) as server, server.play("meadow", agent("random"), PERSON) as client:
        assert client.until(ply=1)["faults"] == []
        told = [m["preparation"]["doing"] for m in client.heard if m["type"] == "thinking" and m["preparation"]]
        assert told[-1] == "alone"


def test_a_child_that_dies_is_told_of_and_others_come_after_it(meadow, monkeypatch):
    children, start = [], Warming.start_child

    def dying(self, game):
        start(self, game)
        children.append(self.child)
        if len(children) == 1:
            self.child.kill()

    monkeypatch.setattr(Warming, "start_child", dying)
    with Server(Settings((meadow,))) as server:
        with server.play("meadow", agent("random"), PERSON) as client:
            assert client.until(ply=1)["faults"] == []
            told = [m["preparation"]["doing"] for m in client.heard if m["type"] == "thinking" and m["preparation"]]
            assert told[-1] == "alone"
        wait_for(lambda: len(children) == 2)
