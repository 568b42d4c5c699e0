"""`spielbaum spe_ed watch`: recorded games and games of agents on the Stage, and what is refused in one line."""

from __future__ import annotations

import contextlib
import json
import pathlib
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from spielbaum.cli import main
from spielbaum.online.local_stage import recorded, think_through
from spielbaum.online.records import read
from tests.patience import wait_for

RECORDS = str(pathlib.Path(__file__).parent / "recorded-games.jsonl.gz")
SMALL = ("--option", "width=8", "--option", "height=8")


@contextlib.contextmanager
def watching(*arguments: str) -> Iterator[tuple[str, httpx.Client]]:
    """The Stage in a process of its own: what it says, and a client for it."""
    command = [sys.executable, "-m", "spielbaum", "spe_ed", "watch", *arguments, "--port", "0", "--no-open"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None and process.stderr is not None
        line = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/", line)
        assert found, line + process.stderr.read()
        with httpx.Client(base_url=found[0], timeout=60) as http:
            yield line, http
    finally:
        process.kill()
        process.wait()


def games(http: httpx.Client) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = http.get("/api/stage").json()["games"]
    return listed


def test_a_recorded_game_is_on_the_stage():
    with watching(RECORDS, "--game", "1") as (line, http):
        (game,) = games(http)
        assert f"#/stage/{game['id']} " in line
        assert (game["title"], game["round"], game["ended"]) == ("client, JumpingSnailAI", 65, True)


def test_an_agent_thinks_a_recorded_game_through():
    record = next(iter(read(pathlib.Path(RECORDS))))
    stream = recorded(record)
    think_through(record, "tyr:iterations=20", 1, stream)
    heads = {shot.round: tuple(shot.players[1][:2]) for shot in stream.shots if shot.players[1][-1]}
    began = {
        number: {tuple(line[2:4]) for line in json.loads(by[1]) if line[0] == 1} for number, by in stream.plans.items()
    }
    assert len(began) > 60
    assert all(places <= {heads[number]} for number, places in began.items())


def test_agents_play_a_game_on_the_stage():
    with watching("--agents", "2*random,siegfried", *SMALL, "--pace", "0") as (_, http):
        wait_for(lambda: games(http)[0]["ended"])
        assert games(http)[0]["title"] == "random, siegfried" and games(http)[0]["round"] > 0


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "give a file with recorded games, or --agents who play one now"),
        ([RECORDS, "--agents", "2*random"], "give a file with recorded games, or --agents who play one now"),
        ([RECORDS, "--game", "13"], f"there is no game 13 in {RECORDS}, which has 12"),
        ([RECORDS, "--think", "odni"], "odni"),
        ([RECORDS, "--game", "1", "--think", "odin", "--player", "3"], "--player 3 is not in a game of 2"),
        (["--agents", "2*random", "--think", "odin"], "--think is for recorded games"),
        (["nowhere.jsonl"], "nowhere.jsonl can't be read: No such file or directory"),
        (["--agents", "2*odni"], "odni"),
        (["--agents", "random"], "players"),
        (["--agents", "7*random"], "players"),
        (["--agents", "2*random", "--option", "width=3"], "width"),
        (["--agents", "2*random", "--option", "players=3"], "has 3 seats"),
        (["--agents", "2*random", "--host", "nowhere.example"], "can't listen on nowhere.example"),
    ],
)
def test_what_can_not_be_shown_is_told_in_one_line(capsys, arguments, reason):
    assert main(["spe_ed", "watch", *arguments, "--port", "0", "--no-open"]) == 2
    told = capsys.readouterr().err
    assert reason in told and told.count("\n") == 1 and "Traceback" not in told
