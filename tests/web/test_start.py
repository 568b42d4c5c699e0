"""A server answers as soon as it runs: its start page needs no compiler, whatever is in the cache."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import httpx
import pytest

from spielbaum.game import load, names
from spielbaum.scenes import drawing
from spielbaum.web import catalogue
from tests.patience import PATIENCE, Deadline, wait_for


@pytest.mark.parametrize("name", names())
def test_a_game_looks_the_same_interpreted_and_compiled(name):
    game = load(name)
    plain = catalogue.preview(game.interpreted)
    compiled = catalogue.preview(game)
    assert plain.array.tobytes() == compiled.array.tobytes() and plain.actions == compiled.actions
    assert drawing.scene(plain, None) == drawing.scene(compiled, None)
    assert game.is_compiled and catalogue.without_waiting(game) is game


def test_a_file_of_one_s_own_is_compiled_when_it_is_drawn(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text((catalogue.pathlib.Path(load("tic-tac-toe").module.__file__).parent / "rules.py").read_text())
    game = load(file)
    assert not game.is_compiled and catalogue.without_waiting(game) is game


def test_a_cold_server_shows_all_games_and_their_setup_without_compiling(tmp_path):
    command = [sys.executable, "-m", "spielbaum", "serve", "--no-open", "--port", "0", "--data", str(tmp_path / "data")]
    environment = {**os.environ, "SPIELBAUM_CACHE": str(tmp_path / "cache")}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().split()[3]
            deadline = Deadline(PATIENCE)
            wait_for(lambda: answers(address))
            listed = httpx.get(f"{address}api/games", timeout=deadline.left("the games")).json()
            assert [card["name"] for card in listed["games"]] == names() and listed["broken"] == []
            shown = httpx.get(f"{address}api/games/quick-civ", timeout=PATIENCE).json()
            assert shown["scene"] == next(card["scene"] for card in listed["games"] if card["name"] == "quick-civ")
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=PATIENCE)
    assert list((tmp_path / "cache").rglob("*.nbi")) == []


def answers(address: str) -> bool:
    try:
        return httpx.get(address).status_code == 200
    except httpx.TransportError:
        return False
