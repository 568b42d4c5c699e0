"""`spielbaum serve`: starts, tells where, refuses in one line, and ends without losing a game."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
from collections.abc import Iterator

import httpx
import pytest

from spielbaum.web.app import listen
from tests.cli.conftest import PENNIES
from tests.web.server import PERSON, Client

TWENTY_ONE = str(pathlib.Path(__file__).parents[2] / "examples" / "twenty_one.py")


@contextlib.contextmanager
def serving(folder: pathlib.Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], httpx.Client]]:
    """A server in a process of its own, and a client for it."""
    options = ["--port", "0", "--no-open", "--data", str(folder)]
    command = [sys.executable, "-m", "spielbaum", "serve", *arguments, *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/", line)
        assert found, line + process.stderr.read()
        with httpx.Client(base_url=found[0], timeout=60) as http:
            yield process, http
    finally:
        process.kill()
        process.wait()


def test_a_game_of_ones_own_can_be_played(tmp_path):
    with serving(tmp_path, TWENTY_ONE, PENNIES) as (_, http):
        assert [game["name"] for game in http.get("/api/games").json()["games"]] == ["twenty-one", "pennies"]
        session = http.post("/api/sessions", json={"game": "twenty-one", "seats": [PERSON, PERSON]}).json()
        with Client(http.base_url.port, session["session"], session["token"]) as client:
            assert client.welcome["backdrop"] is None and client.now["scene"]["panels"][0]["mono"]
            client.act(client.now["gestures"][0]["action"])
            assert client.now["ply"] == 1 and [bool(move["label"]) for move in client.now["last"]] == [True]


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_is_stopped_stores_its_games_and_says_goodbye(tmp_path, how):
    with serving(tmp_path, "tic-tac-toe") as (process, http):
        body = {"game": "tic-tac-toe", "seats": [PERSON, PERSON]}
        session = http.post("/api/sessions", json=body).json()
        client = Client(http.base_url.port, session["session"], session["token"])
        client.act(4)
        process.send_signal(how)
        assert process.wait(30) in (0, -how, 130)
    assert stored_ply(tmp_path, session) == 1
    lines = [json.loads(line) for line in (tmp_path / "server.jsonl").read_text().splitlines()]
    assert {"server started", "session begun", "server stopped"} <= {line["message"] for line in lines}


def test_a_server_that_is_killed_loses_no_move(tmp_path):
    with serving(tmp_path, "tic-tac-toe") as (process, http):
        body = {"game": "tic-tac-toe", "seats": [PERSON, PERSON]}
        session = http.post("/api/sessions", json=body).json()
        client = Client(http.base_url.port, session["session"], session["token"])
        client.act(4)
        client.act(0)
        process.kill()
    assert stored_ply(tmp_path, session) == 2


def stored_ply(folder: pathlib.Path, session: dict[str, str]) -> int:
    """How far a game is for a server that starts from a folder."""
    with serving(folder, "tic-tac-toe") as (_, http):
        header = {"Authorization": f"Bearer {session['token']}"}
        return int(http.get(f"/api/sessions/{session['session']}", headers=header).json()["ply"])


def test_a_kiosk_offers_its_game_alone(tmp_path):
    with serving(tmp_path, "--kiosk", "tic-tac-toe") as (_, http):
        assert http.get("/api/config").json()["kiosk"] == "tic-tac-toe"
        assert [game["name"] for game in http.get("/api/games").json()["games"]] == ["tic-tac-toe"]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_enough(tmp_path):
    tmp_path.chmod(0o500)
    with serving(tmp_path, "tic-tac-toe") as (_, http):
        assert http.get("/api/health").json()["status"] == "ok"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("ches",), "unknown game 'ches'"),
        (("--kiosk", "ches"), "unknown game 'ches'"),
        (("nowhere.py",), "there is no game file 'nowhere.py'"),
        (("--port", "99999"), "--port"),
        (("tic-tac-toe", "--host", "203.0.113.7"), "can't listen on 203.0.113.7"),
    ],
)
def test_what_can_not_be_served_is_told_in_one_line(run, tmp_path, arguments, message):
    answer = run("serve", *arguments, "--no-open", "--data", str(tmp_path))
    assert answer.code == 2
    assert message in answer.err and answer.err.count("\n") == 1


def test_a_game_that_can_not_be_loaded_is_told_where_there_is_no_other(run, tmp_path):
    slip = tmp_path / "slip.py"
    slip.write_text("import nowhere")
    answer = run("serve", str(slip), "--no-open", "--data", str(tmp_path))
    assert answer.code == 2 and answer.err.count("\n") == 1
    assert answer.err.startswith("slip.py can't be loaded: ModuleNotFoundError") and "(slip.py:1)" in answer.err
    with serving(tmp_path, str(slip), "tic-tac-toe") as (_, http):
        assert [game["file"] for game in http.get("/api/games").json()["broken"]] == ["slip.py"]


def test_a_port_that_is_taken_is_told(run, tmp_path):
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        answer = run("serve", "tic-tac-toe", "--port", str(port), "--no-open", "--data", str(tmp_path))
    assert answer.code == 2
    assert answer.err == f"port {port} is taken; choose another one with --port, or 0 for any\n"


def test_the_help_does_not_wait_for_the_web(run):
    program = "import sys; from spielbaum.cli import main; main(['--help']); sys.exit('fastapi' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True).returncode == 0
