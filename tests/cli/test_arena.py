"""`match`, `tournament`, `runs`, `show`, `replay`, `report` and `export`: what users of the arena type and read."""

from __future__ import annotations

import csv
import io
import os
import pty
import signal
import sqlite3
import subprocess
import sys
import time

import pytest

from tests.conftest import SMALL
from tests.told import complaints

STRAWS = str(SMALL / "straws.py")
MATCH = ("match", "light-cycles", "--seat", "blue=roomy", "--seat", "orange=random")


@pytest.fixture
def store(tmp_path) -> str:
    return str(tmp_path / "games.db")


def test_a_match_says_who_is_better_and_how_sure_that_is(run, store):
    answer = run(*MATCH, "-n", "60", "--seed", "7", "--store", store)
    assert answer.code == 0
    for words in ("Light Cycles: 60 games, seed 7, run 1", "95 % interval", "Elo difference", "length", "games/s"):
        assert words in answer.out


def test_a_match_as_json_has_the_promised_shape(run, store):
    data = run(*MATCH, "-n", "60", "--seed", "7", "--store", store, "--json").json
    assert data["games"] == 60
    assert list(data["seats"]) == ["blue", "orange"] and list(data["agents"]) == ["roomy", "random"]
    for tally in (*data["seats"].values(), *data["agents"].values()):
        assert tally["wins"] + tally["draws"] + tally["losses"] == 60
        low, high = tally["interval"]
        assert 0 <= low <= tally["score"] <= high <= 1
    assert data["length"]["min"] <= data["length"]["mean"] <= data["length"]["max"]
    assert data["games_per_second"] > 0
    assert data["comparison"]["elo"] > 0 and data["sprt"] is None


def test_points_are_compared_where_the_game_has_points(run, store):
    match = ("match", "pig", "--seat", "first=hold-at-20", "--seat", "second=random", "-n", "100", "--store", store)
    data = run(*match, "--json").json
    assert data["comparison"]["t_test"]["p"] < 0.001
    assert "Welch's t-test: t = " in run("show", "1", "--store", store).out


def test_options_of_the_game_are_played_and_shown(run, store):
    answer = run(*MATCH, "--option", "width=5", "-n", "4", "--store", store)
    assert answer.code == 0 and "Light Cycles width=5: 4 games" in answer.out


def test_without_rotation_seats_and_agents_agree(run, store):
    data = run(*MATCH, "-n", "30", "--no-rotate", "--store", store, "--json").json
    assert data["seats"]["blue"]["wins"] == data["agents"]["roomy"]["wins"]


def test_a_sequential_test_says_how_it_ended(run, store):
    answer = run(*MATCH, "-n", "2000", "--sprt", "elo0=0,elo1=100", "--store", store)
    assert "sequential test: at least 100 Elo stronger (log-likelihood ratio +" in answer.out
    assert "verdict" in run("runs", "--store", store, "--json").json[0]


def test_groups_are_played_shown_reported_and_exported(run, store, tmp_path):
    answer = run("match", STRAWS, "--agents", "2*bold,2*timid", "-n", "60", "--metrics", "--store", store)
    assert answer.code == 0
    for words in ("group, mean over its seats", "points of bold against timid: ", "Welch's t-test: t = ", "Elo diff"):
        assert words in answer.out
    assert run("show", "1", "--store", store).out.splitlines()[1:] == answer.out.splitlines()[1:-1]
    data = run("show", "1", "--store", store, "--json").json
    assert data["groups"]["bold"]["seats"] == 2 and data["tests"][0]["t"] > 0
    assert "2*bold, 2*timid" in run("runs", "--store", store).out
    rows = list(csv.DictReader(io.StringIO(run("export", "1", "--csv", "--store", store).out)))
    assert all(sorted(row[f"agent p{seat}"] for seat in range(4)) == ["bold"] * 2 + ["timid"] * 2 for row in rows)
    assert run("report", "1", "-o", str(tmp_path / "r.html"), "--store", store).code == 0
    assert "Groups compared by points" in (tmp_path / "r.html").read_text("utf-8")


def test_groups_can_be_given_one_by_one_and_be_the_same_agent(run, store):
    groups = ("--agents", "1*mcts:iterations=2,c=0.5", "--agents", "3*mcts:iterations=2,c=0.5")
    data = run("match", STRAWS, *groups, "-n", "4", "--store", store, "--json").json
    assert [group["seats"] for group in data["groups"].values()] == [1, 3]
    assert list(data["groups"]) == ["mcts:iterations=2,c=0.5", "mcts:iterations=2,c=0.5 (2)"]


def test_a_match_of_unequal_groups_tells_what_equals_would_score(run, store):
    match = ("match", STRAWS, "-n", "4", "--store", store)
    assert "even score, of equal strength: bold 25.0 %, timid 75.0 %" in run(*match, "--agents", "1*bold,3*timid").out
    assert run("show", "1", "--store", store, "--json").json["agents"]["bold"]["even"] == 0.25
    assert "even score" not in run(*match, "--agents", "2*bold,2*timid").out


SLOW = ("match", STRAWS, "--option", "players=2", "--seat", "p0=sleeper:seconds=0.25", "--seat", "p1=sleeper")


def test_who_oversteps_the_time_is_told_and_loses_where_that_is_agreed(run, store):
    timed = (*SLOW, "-n", "2", "--seconds-per-move", "0.02", "--store", store)
    assert "moves beyond the time: sleeper:seconds=0.25 8, sleeper 0" in run(*timed, "--option", "rounds=4").out
    answer = run(*timed, "--lose-on-time")
    assert "games lost on time: sleeper:seconds=0.25 2, sleeper 0" in answer.out
    assert run("show", "2", "--store", store, "--json").json["time"]["lost"] == {
        "sleeper:seconds=0.25": 2,
        "sleeper": 0,
    }
    replayed = run("replay", "2", "1", "--store", store)
    assert replayed.code == 0 and "p0 +1, p1 -1 (time)" in replayed.out
    rows = list(csv.DictReader(io.StringIO(run("export", "2", "--csv", "--store", store).out)))
    assert [(row["late p0"], row["late p1"], row["outcome"]) for row in rows] == [
        ("1", "0", "time"),
        ("0", "1", "time"),
    ]


def test_a_tournament_can_have_clocks(run, store):
    agents = ("sleeper:seconds=0.25", "sleeper")
    timed = ("tournament", STRAWS, *agents, "--option", "players=2", "-n", "2", "--clock", "0.1+0.01", "--lose-on-time")
    assert run(*timed, "--store", store, "--json").json["time"]["lost"] == {agents[0]: 2, agents[1]: 0}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*MATCH, "--lose-on-time"), "give --seconds-per-move or --clock"),
        ((*MATCH, "--clock", "ten"), "clock=ten is not possible: SECONDS or SECONDS+INCREMENT, such as 60+0.5"),
        (("match", STRAWS, "--agents", "2*bold,1*timid"), "and the agents take 2 + 1 = 3"),
        (("match", STRAWS, "--agents", "2*bold,2*tmid"), "did you mean 'timid'?"),
        (("match", STRAWS, "--agents", "bold,timid"), "'bold,timid' are not possible: COUNT*AGENT, such as 2*random"),
        (("match", STRAWS, "--agents", "0*bold,4*timid"), "'0*bold' are not possible"),
        (("match", STRAWS, "--agents", "2*bold,2*"), "'2*' are not possible"),
        ((*MATCH, "--agents", "1*roomy,1*random"), "give either --agents or --seat, not both"),
        (("match", "light-cycles", "--seat", "blue=random"), "no agent for seat 'orange'"),
        (
            ("match", "light-cycles", "--seat", "bleu=random"),
            "unknown seat 'bleu' for light-cycles; did you mean 'blue'?",
        ),
        ((*MATCH, "--sprt", "elo0=9,elo1=1"), "elo0 must be below elo1"),
        ((*MATCH, "--sprt", "elo=1"), "unknown parameter 'elo'"),
        ((*MATCH, "--workers", "none"), "workers=none is not possible"),
        (
            ("match", "light-cycles", "--seat", "blue=human", "--seat", "orange=random"),
            "a person can't play in the arena",
        ),
        (("tournament", "light-cycles", "random"), "needs at least 2 agents, not 1"),
        (("tournament", "light-cycles", "random", "roomy", "--format", "cup"), "unknown format 'cup'"),
        (("show", "7"), "has no run 7; runs: 1"),
        (("replay", "1", "99"), "run 1 has no game 99"),
        (("export", "1"), "give one of --csv and --parquet"),
        (("report", "1", "--pictures", "gif"), "pictures=gif is not possible: png or svg"),
        (("report", "1", "-o", "/nowhere/at/all.html"), "can't be written: there is no folder /nowhere/at"),
        (("export", "1", "--csv", "-o", "/nowhere/at/all.csv"), "can't be written: there is no folder /nowhere/at"),
        (("export", "1", "--parquet", "-o", "/nowhere/a.parquet"), "can't be written: there is no folder /nowhere"),
        ((*MATCH, "--opening", "9" * 9), "is not possible: a whole number below 1000"),
        ((*MATCH, "--workers", "9" * 20), "is not possible: a whole number from 1 to 1000"),
        ((*MATCH, "--sprt", f"elo1={'9' * 20}"), "elo1 must be between -5000 and 5000"),
        (("replay", "1", "9" * 20), "Invalid value for 'GAME_INDEX'"),
    ],
)
def test_wrong_input_is_answered_in_one_line(run, store, arguments, message):
    run(*MATCH, "-n", "2", "--store", store)
    answer = run(*arguments, "--store", store)
    assert answer.code == 2 and message in answer.err
    assert answer.err.count("\n") == 1


def test_a_store_that_is_not_there_or_not_ours_is_told(run, tmp_path):
    assert "there is no store" in run("runs", "--store", str(tmp_path / "none.db")).err
    (tmp_path / "text.db").write_text("this is no database " * 100)
    answer = run(*MATCH, "--store", str(tmp_path / "text.db"))
    assert answer.code == 2 and "not a database" in answer.err
    newer = sqlite3.connect(tmp_path / "newer.db")
    newer.executescript("CREATE TABLE runs (x); PRAGMA application_id = 1397768781; PRAGMA user_version = 99")
    newer.close()
    assert "newer Spielbaum" in run("runs", "--store", str(tmp_path / "newer.db")).err


def test_a_tournament_prints_ratings_and_a_cross_table(run, store):
    answer = run("tournament", "pig", "hold-at-20", "greedy", "random", "-n", "40", "--store", store)
    assert answer.code == 0
    for words in ("Elo", "standard error", "p against the next", "/40"):
        assert words in answer.out
    assert run("show", "1", "--store", store).out.splitlines()[1:] == answer.out.splitlines()[1:-1]


def test_runs_are_listed_with_how_far_they_came(run, store):
    run(*MATCH, "-n", "4", "--store", store)
    run("tournament", "pig", "greedy", "random", "easy", "-n", "2", "--store", store)
    answer = run("runs", "--store", store)
    assert "match" in answer.out and "round-robin" in answer.out and "done" in answer.out
    listed = run("runs", "--store", store, "--json").json
    assert [(each["run"], each["games"]) for each in listed] == [(1, 4), (2, 6)]


def test_a_game_is_replayed_move_by_move_to_its_result(run, store):
    run("match", "pig", "--seat", "first=random", "--seat", "second=random", "-n", "3", "--store", store)
    answer = run("replay", "1", "2", "--store", store)
    data = run("replay", "1", "2", "--store", store, "--json").json
    assert answer.code == 0
    for number, move in enumerate(data["moves"], 1):
        assert f"\n{number}. " in answer.out and move in answer.out
    assert f"first {data['returns']['first']:+g}" in answer.out


def test_a_game_in_rounds_is_replayed_round_by_round(run, store):
    run(*MATCH, "-n", "1", "--store", store)
    answer = run("replay", "1", "0", "--store", store)
    moves = run("replay", "1", "0", "--store", store, "--json").json["moves"]
    shown = [line for line in answer.out.splitlines() if ". blue: " in line]
    rounds = list(zip(moves[::2], moves[1::2], strict=True))
    assert shown == [f"{number}. blue: {one}, orange: {other}" for number, (one, other) in enumerate(rounds, 1)]


def test_a_game_of_other_rules_is_not_replayed(run, store, tmp_path):
    mine, source = tmp_path / "mine.py", (SMALL / "cheat.py").read_text("utf-8")
    mine.write_text(source)
    assert run("match", str(mine), "--seat", "1=random", "--seat", "2=random", "-n", "2", "--store", store).code == 0
    assert run("replay", "1", "0", "--store", store).code == 0
    mine.write_text(source.replace("STICKS = 7", "STICKS = 9"))
    answer = run("replay", "1", "0", "--store", store)
    assert answer.code == 2 and "was played by other rules" in answer.err


def test_a_person_steps_to_and_fro_through_a_replay(run, store):
    run(*MATCH, "-n", "1", "--store", store)
    controller, terminal = pty.openpty()
    command = [sys.executable, "-m", "spielbaum", "replay", "1", "0", "--store", store]
    process = subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=terminal)
    os.close(terminal)
    os.write(controller, b"\n\nb\n5\nq\n")
    shown = b""
    while process.poll() is None or not shown:
        try:
            shown += os.read(controller, 4096)
        except OSError:
            break
    text = shown.decode()
    positions = [line.split(" of ")[0] for line in text.splitlines() if "Enter goes on" in line]
    assert [int(position) for position in positions] == [0, 1, 2, 1, 5]


def test_a_run_is_exported_as_csv(run, store):
    run(*MATCH, "-n", "20", "--store", store)
    rows = list(csv.DictReader(io.StringIO(run("export", "1", "--csv", "--store", store).out)))
    assert [row["game"] for row in rows] == [str(number) for number in range(20)]
    assert all(float(row["score blue"]) + float(row["score orange"]) == 1 for row in rows)
    assert all(len(row["actions"].split()) == int(row["length"]) for row in rows)


@pytest.mark.needs("pyarrow")
def test_a_run_is_exported_as_parquet(run, store, tmp_path):
    from pyarrow import parquet

    run(*MATCH, "-n", "20", "--store", store)
    rows = list(csv.DictReader(io.StringIO(run("export", "1", "--csv", "--store", store).out)))
    assert run("export", "1", "--parquet", "-o", str(tmp_path / "x.parquet"), "--store", store).code == 0
    table = parquet.read_table(tmp_path / "x.parquet").to_pylist()
    assert [row["seed"] for row in table] == [int(row["seed"]) for row in rows]


def test_a_report_is_one_file_and_pictures_are_files_of_their_own(run, store, tmp_path):
    run(*MATCH, "-n", "20", "--metrics", "--store", store)
    assert run("report", "1", "-o", str(tmp_path / "r.html"), "--store", store).code == 0
    html = (tmp_path / "r.html").read_text("utf-8")
    assert "territory" in html and "<svg" in html and "http" not in html.replace("http://www.w3.org", "")
    assert run("report", "1", "-o", str(tmp_path / "pictures"), "--pictures", "svg", "--store", store).code == 0
    assert {path.suffix for path in (tmp_path / "pictures" / "run-1").iterdir()} == {".svg"}


def test_ctrl_c_keeps_what_was_played_and_says_how_to_go_on(store):
    command = [
        *(sys.executable, "-m", "spielbaum", "match", "tic-tac-toe", "--seat", "X=mcts:iterations=2"),
        *("--seat", "O=random", "-n", "100000", "--store", store, "--workers", "2"),
    ]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    while not games_in(store):
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode == 130
    said = err.splitlines()[-1]
    assert said.startswith("stopped; ") and said.endswith("the same command with --resume goes on")
    assert f"{games_in(store)} of 100000 games are stored" in said


def games_in(store: str) -> int:
    try:
        return sqlite3.connect(store).execute("SELECT coalesce(sum(games), 0) FROM runs").fetchone()[0]
    except sqlite3.OperationalError:
        return 0


UNRULY = ("match", str(SMALL / "unruly.py"), "--seat", "1=unruly", "--seat", "2=random", "-n", "8", "--seed", "1")


def test_a_forfeit_is_told_with_its_number_and_its_reason_wherever_games_are_told(run, store, tmp_path):
    answer = run(*UNRULY, "--store", store)
    assert answer.code == 0 and "Traceback" not in answer.err
    first = run("show", "1", "--store", store, "--json").json["forfeits"][0]
    line = f"game {first['game']}: {first['seat']} (unruly) raised ValueError: no idea"
    assert "forfeits: " in answer.out and line in answer.out
    assert line in run("show", "1", "--store", store).out
    rows = list(csv.DictReader(io.StringIO(run("export", "1", "--csv", "--store", store).out)))
    assert rows[first["game"]]["forfeit"] == f"{first['seat']} raised ValueError: no idea"
    assert run("report", "1", "-o", str(tmp_path / "r.html"), "--store", store).code == 0
    assert "raised ValueError: no idea" in (tmp_path / "r.html").read_text("utf-8")
    replayed = run("replay", "1", str(first["game"]), "--store", store)
    assert f"(forfeit): {first['seat']} raised ValueError: no idea" in replayed.out
    replayed = run("replay", "1", str(first["game"]), "--store", store, "--json").json
    assert replayed["forfeit"] == {"seat": first["seat"], "reason": "raised ValueError: no idea"}
    assert run("verify", "--store", store).code == 0


def test_a_forfeit_is_told_at_the_end_of_a_single_game(run):
    answer = run("play", str(SMALL / "cheat.py"), "--seat", "1=cheat", "--seat", "2=random")
    assert answer.code == 0 and "forfeit: 1 policy 'cheat' of cheat chose 0, which is not legal" in answer.out


def test_strict_stops_in_one_line(run, store):
    answer = run(*UNRULY, "--strict", "--store", store)
    (complaint,) = complaints(answer.err)
    assert answer.code == 2
    assert "(unruly) raised ValueError: no idea; without --strict it forfeits that game alone" in complaint


def test_a_move_limit_ends_who_does_not_answer(run, store):
    deaf = [word.replace("unruly", "unruly:how=sleep") if word.startswith("1=") else word for word in UNRULY]
    answer = run(*deaf, "-n", "2", "--move-limit", "0.4", "--store", store)
    assert answer.code == 0 and "did not answer within 0.4 s" in answer.out


def test_a_store_is_verified(run, store):
    run(*UNRULY, "--store", store)
    answer = run("verify", "--store", store)
    assert answer.code == 0 and "1 run, 8 games: all checksums are right" in answer.out
    base = sqlite3.connect(store)
    base.execute("UPDATE games SET seconds = zeroblob(length(seconds))")
    base.commit()
    base.close()
    answer = run("verify", "1", "--store", store)
    assert answer.code == 1 and "are damaged: their checksum is wrong" in answer.out
    assert run("verify", "1", "--store", store, "--json").json["damage"]
    shown = run("show", "1", "--store", store)
    assert shown.code == 2 and "'spielbaum verify' says how much" in shown.err
    assert run("verify", "9", "--store", store).code == 2


def test_a_run_of_a_game_that_was_moved_does_not_hide_the_others(run, store, tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text((SMALL / "cheat.py").read_text("utf-8"))
    for game in (str(mine), str(SMALL / "cheat.py")):
        run("match", game, "--seat", "1=random", "--seat", "2=random", "-n", "2", "--store", store)
    mine.unlink()
    assert run("runs", "--store", store).out.count("done") == 2
    assert run("show", "1", "--store", store).code == 2 and run("show", "2", "--store", store).code == 0
    report = run("report", "1", "2", "-o", str(tmp_path / "r.html"), "--store", store)
    assert report.code == 0 and report.err.startswith("left out: ") and (tmp_path / "r.html").exists()


def test_another_sequential_test_does_not_go_on_with_a_run(run, store):
    sequential = (*MATCH, "-n", "40", "--store", store, "--sprt")
    run(*sequential, "elo0=0,elo1=5")
    assert "sequential test: undecided" in run("show", "1", "--store", store).out
    assert run(*sequential, "elo0=0,elo1=5", "--resume").code == 0
    answer = run(*sequential, "elo0=0,elo1=9", "--resume")
    assert answer.code == 2 and answer.err.count("\n") == 1
    assert "run 1 was begun with --sprt elo0=0,elo1=5,alpha=0.05,beta=0.05, not with --sprt elo0=0,elo1=9" in answer.err


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
@pytest.mark.parametrize("arguments", [("report", "1"), ("export", "1", "--csv")])
def test_a_report_on_a_full_disk_is_told_in_one_line(run, store, arguments):
    run(*MATCH, "-n", "2", "--store", store)
    answer = run(*arguments, "-o", "/dev/full", "--store", store)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == "/dev/full can't be written: No space left on device; choose another place with -o\n"
