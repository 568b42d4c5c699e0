"""`spielbaum tune` as somebody types it."""

from __future__ import annotations

import pytest

from tests.told import complaints

TUNE = ("tune", "pig", "--agent", "greedy:weight.risk=0.3", "--vary", "weight.risk", "--method", "spsa")


def test_a_tuned_agent_is_told_with_its_parameters_and_the_test(run, tmp_path):
    answer = run(*TUNE, "--games", "1000", "--test", "1500", "--seed", "3", "--store", str(tmp_path / "t.db"))
    assert answer.code == 0, answer.err
    assert "1,000 games, then at most 1,500 of a test" in answer.err
    assert "Elo apart" in answer.err
    assert "weight.risk" in answer.out
    assert "it is stronger than the agent as given" in answer.out


def test_the_winner_gets_a_name_that_every_command_knows(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answer = run(*TUNE, "--games", "1000", "--test", "1500", "--seed", "3", "--apply", "bold", "--json")
    assert answer.code == 0, answer.err
    assert "now names it bold" in answer.err
    told = answer.json
    assert told["test"]["verdict"] == "stronger"
    assert told["best"]["spec"] in (tmp_path / "spielbaum.toml").read_text()
    assert run("match", "pig", "--seat", "first=bold", "--seat", "second=random", "-n", "2").code == 0


def test_no_name_for_what_is_not_stronger(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answer = run(*TUNE, "--games", "32", "--test", "0", "--apply", "bold")
    assert answer.code == 0, answer.err
    assert "bold is not written" in answer.err
    assert not (tmp_path / "spielbaum.toml").exists()


def test_minutes_become_games(run, tmp_path):
    answer = run(*TUNE, "--minutes", "0.01", "--store", str(tmp_path / "t.db"), "--json")
    assert answer.code == 0, answer.err
    assert answer.json["games"] > 10
    again = (*TUNE, "--minutes", "0.01", "--store", str(tmp_path / "t.db"), "--resume", "--json")
    assert run(*again).json["games"] == answer.json["games"]


def test_minutes_go_on_with_their_own_run_when_there_is_a_newer_one(run, tmp_path):
    store = ("--store", str(tmp_path / "t.db"), "--json")
    first = run(*TUNE, "--minutes", "0.01", *store).json
    assert run(*TUNE, "--games", "32", "--test", "0", "--seed", "9", *store).json["number"] == 2
    answer = run(*TUNE, "--minutes", "0.01", "--resume", *store)
    assert answer.code == 0, answer.err
    assert (answer.json["number"], answer.json["games"]) == (1, first["games"])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--vary", "rsik"), "unknown parameter 'rsik' for greedy in pig"),
        (("--vary", "weight.risk=1..0"), "is empty"),
        (("--method", "annealing"), "unknown method 'annealing'; valid: evolution, ntbea, spsa, optuna"),
        (("--against", "alphabeta"), "alphabeta can't play pig"),
        (("--agent", "mtcs"), "unknown agent 'mtcs'"),
        (("--games", "10", "--minutes", "1"), "give either --games or --minutes, not both"),
        (("--set", "rite=1"), "unknown parameter 'rite' for --method spsa"),
        (("--workers", "many"), "workers=many is not possible"),
        (("--maximise", "elo"), "unknown value of --maximise: 'elo'; valid: wins, result, points"),
        (
            ("--method", "evolution", "--set", "population=4", "--agent", "greedy:weight.risk=1", "--agent", "greedy"),
            "--set population=4 is too small for 3 species",
        ),
    ],
)
def test_wrong_input_is_one_line_and_code_2(run, tmp_path, arguments, words):
    fixed = list(TUNE)
    if arguments[0] in ("--vary", "--agent", "--method"):
        place = fixed.index(arguments[0])
        del fixed[place : place + 2]
    answer = run(*fixed, *arguments, "--store", str(tmp_path / "t.db"))
    (complaint,) = complaints(answer.err)
    assert answer.code == 2 and words in complaint


def test_a_choice_is_not_for_spsa(run, tmp_path):
    answer = run("tune", "tic-tac-toe", "--agent", "mcts", "--vary", "select", "--method", "spsa", "--games", "10")
    assert answer.code == 2
    assert "spsa can't vary 'select', which is a choice" in answer.err


def test_a_store_of_another_run_is_refused(run, tmp_path):
    store = ("--store", str(tmp_path / "t.db"))
    assert run(*TUNE, "--games", "32", "--test", "0", *store).code == 0
    for other, words in {
        ("--test", "8"): "--test was 0, not 8",
        ("--seed", "5"): "--seed was 0, not 5",
        ("--maximise", "result"): "--maximise was wins, not result",
        ("--against", "random"): "--against was not given, not random",
        ("--set", "c=0.2"): "--set was not given, not c=0.2",
        ("--vary", "weight.risk=0..0.9"): "--vary was weight.risk=0..1, not weight.risk=0..0.9",
    }.items():
        fixed = TUNE if other[0] != "--vary" else (*TUNE[:4], *TUNE[6:])
        answer = run(
            *fixed, "--games", "32", "--resume", *store, *(() if other[0] == "--test" else ("--test", "0")), *other
        )
        complaint = complaints(answer.err)[-1]
        assert answer.code == 2
        assert f"holds another tuning run: {words}; give the same command" in complaint


def test_resumed_with_more_games_a_run_goes_on_beyond_its_end(run, tmp_path):
    tuned = (*TUNE, "--test", "0", "--store", str(tmp_path / "t.db"), "--json")
    first = run(*tuned, "--games", "32").json
    longer = run(*tuned, "--games", "96", "--resume").json
    assert (first["number"], first["games"], longer["number"], longer["games"]) == (1, 32, 1, 96)
    assert run(*tuned, "--games", "32", "--resume").json["games"] == 96  # as a match that was planned longer


def test_what_is_maximised_is_said_and_can_be_chosen(run, tmp_path):
    tuned = (*TUNE, "--games", "32", "--test", "0", "--json", "--store")
    answer = run(*tuned, str(tmp_path / "wins.db"))
    assert answer.json["maximises"] == "wins" and "maximises wins, a draw as half of one; 32 games" in answer.err
    found = {name: run(*tuned, str(tmp_path / f"{name}.db"), "--maximise", name) for name in ("result", "points")}
    assert "maximises points, as a share of the best in each game" in found["points"].err
    assert {each.json["maximises"] for each in found.values()} == {"result", "points"}
    without = ("tune", "tic-tac-toe", "--agent", "mcts:iterations=5", "--vary", "c", "--maximise", "points")
    assert "tic-tac-toe counts no points" in run(*without).err


def test_runs_list_a_tuning_run_once(run, tmp_path):
    store = ("--store", str(tmp_path / "t.db"))
    assert run(*TUNE, "--games", "64", "--test", "0", *store).code == 0
    answer = run("runs", *store)
    assert answer.code == 0
    assert answer.out.count("tune 1") == 1
