"""Recorded games: the official server's are reproduced, what is changed in them is found, and the arena has them."""

from __future__ import annotations

import copy
import gzip
import json
import pathlib
from typing import Any

import numpy as np
import pytest

from spielbaum.arena import Store
from spielbaum.arena.verify import verify as damage
from spielbaum.cli import main
from spielbaum.errors import SpielbaumError
from spielbaum.online import import_games, records
from spielbaum.web.settings import Settings
from tests.web.server import Server

OFFICIAL = pathlib.Path(__file__).parent / "recorded-games.jsonl.gz"


@pytest.fixture(scope="module")
def games() -> dict[str, records.Record]:
    return {record["id"]: record for record in records.read(OFFICIAL)}


@pytest.fixture
def short(games) -> records.Record:
    """A game of four with nineteen rounds."""
    return copy.deepcopy(games["SMHFWRLQHMDNIQXO"])


def test_the_rules_lead_to_every_position_and_all_cells_that_the_official_server_recorded(games):
    found = [records.verify(record) for record in games.values()]
    assert [line for game in found for line in game.wrong] == []
    assert (len(found), sum(game.rounds for game in found)) == (12, 4638)


def spoilt_place(record: Any) -> None:
    record["rounds"][6]["after"]["3"][0] += 1


def spoilt_activity(record: Any) -> None:
    record["rounds"][6]["after"]["2"][4] = False


def spoilt_cells(record: Any) -> None:
    record["rounds"][6]["sha1"] = record["rounds"][5]["sha1"]


def spoilt_action(record: Any) -> None:
    actions = record["rounds"][6]["actions"]
    actions["1"] = "turn_left" if actions["1"] != "turn_left" else "turn_right"


def silenced(record: Any) -> None:
    record["rounds"][6]["actions"]["1"] = None


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (spoilt_place, "player 3 is"),
        (spoilt_activity, "player 2 is"),
        (spoilt_cells, "other cells than by the rules"),
        (spoilt_action, "player 1 is"),
        (silenced, "player 1 is"),
    ],
)
def test_what_is_changed_in_a_record_is_found_in_its_round(short, spoil, said):
    spoil(short)
    (line,) = records.verify(short).wrong
    assert line.startswith(f"game {short['id']}, round 7: {said}")


def test_a_spoilt_start_is_found(short):
    short["start_sha1"] = "0" * 40
    assert records.verify(short).wrong == [f"game {short['id']}, round 0: other cells than by the rules"]


def test_a_flipped_cell_changes_the_hash(short):
    (_, sha1), *_ = records.replay(short)
    cells = np.zeros((short["height"], short["width"]), np.int8)
    for player, (x, y, *_rest) in short["start"].items():
        cells[y, x] = int(player)
    assert records.digest(cells) == sha1 == short["start_sha1"]
    cells[0, 0] = -1
    assert records.digest(cells) != sha1


def test_a_game_that_goes_on_after_its_end_is_wrong(short):
    short["rounds"].append(short["rounds"][-1])
    assert records.verify(short).wrong == [f"game {short['id']}, round 20: by the rules the game is over"]


def test_a_game_that_was_cut_off_is_compared_as_far_as_it_goes(short):
    del short["rounds"][10:]
    assert records.verify(short) == (10, [])


def verified(capsys, path: pathlib.Path, *options: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(["spe_ed", "verify", str(path), *options])
    return code, *capsys.readouterr()


def write(path: pathlib.Path, *lines: Any) -> pathlib.Path:
    path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines), "utf-8")
    return path


def test_the_command_counts_games_rounds_and_what_is_wrong(tmp_path, capsys, short):
    path = write(tmp_path / "games.jsonl", short, "", short)
    code, out, _ = verified(capsys, path, "--json")
    assert (code, json.loads(out)) == (0, {"games": 2, "rounds": 38, "wrong": 0})
    spoilt_cells(short)
    code, out, err = verified(capsys, write(path, short), "--json")
    assert (code, json.loads(out)["wrong"]) == (1, 1) and "round 7" in err
    code, out, _ = verified(capsys, path)
    assert code == 1 and out.splitlines()[1] == "games 1, rounds 19, wrong 1"


def test_packed_games_are_read_as_well_as_plain_ones(tmp_path, capsys, short):
    path = tmp_path / "games.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(short).encode()))
    assert verified(capsys, path)[0] == 0


def without(record: Any, name: str) -> Any:
    return {key: value for key, value in record.items() if key != name}


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda record: "[1, 2", "line 1, is no JSON"),
        (lambda record: "[" * 100_000, "line 1, is no JSON"),
        (lambda record: [record], "it is no object"),
        (lambda record: without(record, "rounds"), "it has no 'rounds'"),
        (lambda record: record | {"width": "wide"}, "width and height are whole numbers"),
        (lambda record: record | {"width": 1000}, "width=1000 is not possible"),
        (lambda record: record | {"start": {"1": [1, 1, "up", 1, True]}}, "'start' has the players '1' to at most '6'"),
        (lambda record: record | {"rounds": [7]}, "round 1 does not say where all players are afterwards"),
        (
            lambda record: record | {"rounds": [{"actions": {"1": ["up"]}, "after": record["start"], "sha1": ""}]},
            "round 1 has answers",
        ),
        (
            lambda record: record | {"rounds": [without(record["rounds"][0], "sha1")]},
            "round 1 has no 'sha1', the hash of all cells",
        ),
        (lambda record: record | {"players": {"1": "\ud800"}}, "a text holds half a sign"),
        (lambda record: record | {"players": {"1": ["a", "list"]}}, "'players' has names that are no texts"),
        (lambda record: record | {"id": [[]]}, "'id' and 'start_sha1' are texts"),
        (lambda record: record | {"start": record["start"] | {"1": [-1, 1, "up", 1, True]}}, "is no place on a board"),
    ],
)
def test_what_is_no_game_is_told_in_one_line(tmp_path, capsys, short, spoil, said):
    code, out, err = verified(capsys, write(tmp_path / "games.jsonl", spoil(short)))
    assert (code, out, err.count("\n")) == (2, "", 1) and said in err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"\x1f\x8b\x08\x00", "can't be read"),
        (OFFICIAL.read_bytes()[:500], "can't be read"),
        (b"\x1f\x8b" + b"x" * 100, "can't be read"),
        (b"\xff\xfe\x00", "line 1, is not UTF-8"),
        (None, "can't be read: No such file"),
    ],
)
def test_files_that_can_t_be_read_are_told_in_one_line(tmp_path, capsys, content, said):
    path = tmp_path / "games.jsonl.gz"
    if content is not None:
        path.write_bytes(content)
    code, out, err = verified(capsys, path)
    assert (code, out, err.count("\n")) == (2, "", 1) and said in err


def test_the_arena_has_each_game_once_with_its_names_and_results(tmp_path, capsys, games, short):
    long = games["KOJCVGOOTJSB7CLQ"]
    unfinished = {**short, "id": "cut", "rounds": short["rounds"][:5]}
    path, store = write(tmp_path / "games.jsonl", long, short, unfinished), str(tmp_path / "games.db")
    for known in (0, 2):
        capsys.readouterr()
        assert main(["spe_ed", "import", str(path), "--store", store, "--json"]) == 1
        out, err = capsys.readouterr()
        assert json.loads(out) == {"runs": [] if known else [1, 2], "known": known, "refused": 1}
        assert "game cut is not over after 5 rounds" in err
    with Store(store, create=False) as opened:
        assert list(damage(opened)) == []
        stored = opened.run(2)
        batch = opened.game(2, 0, stored.plan.load())
    assert stored.plan.agents == ("client", "StupidAI", "ChristmasAI", "JumpingLargestFreeAI")
    assert batch.returns[0].tolist() == [0, 1, 0, -1]  # the second survives, the first and the third die together
    assert batch.decisions[0].tolist() == [19, 19, 19, 16]


def test_a_stored_game_can_be_replayed_in_the_browser(tmp_path, capsys, short):
    path, store = write(tmp_path / "games.jsonl", short), str(tmp_path / "games.db")
    assert main(["spe_ed", "import", str(path), "--store", store]) == 0
    capsys.readouterr()
    assert main(["replay", "1", "0", "--store", store, "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    with Server(Settings(("spe-ed",), tmp_path, pathlib.Path(store))) as server:
        for game in ({"record": record}, {"stored": {"run": 1, "game": 0}}):
            with server.play("spe-ed", mode="analysis", **game) as client:
                assert client.now["plies"] == 19  # a step is a round


def test_a_game_that_breaks_the_rules_is_not_stored(tmp_path, short):
    spoilt_cells(short)
    with Store(tmp_path / "games.db") as store, pytest.raises(SpielbaumError, match="only games that go by the rules"):
        import_games.store_record(store, short)


def test_names_are_one_short_line_whatever_a_server_calls_its_players(short):
    short["players"] = {"1": "a\n\tb\x1b[31m", "2": 7, "3": "x" * 100}
    assert records.names_of(short) == ["a b[31m", "7", "x" * 40, "player 4"]
