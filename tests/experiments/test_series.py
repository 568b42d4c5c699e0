"""Series: a variant and what it varies share out the seats, and are compared by their points."""

from __future__ import annotations

import json
import pathlib
from collections import Counter

import pytest

from spielbaum.cli import main
from spielbaum.errors import SpielbaumError
from spielbaum.experiments import load_experiment, names

SERIES = """
title = "Greedy instead of random"
source = "Nobody"
game = "quick-civ"
games = 6
quick = 2
seed = 4
parameters = { turns = 15 }
why = "Theirs were other rules."

[[series]]
name = "greedy"
base = "random"
variant = "greedy:turns-for-city-centre={turns}"
published = -2.5

[[series]]
name = "control"
base = "greedy"
variant = "greedy"
"""
METRICS = ("Points", "Income-points", "Income-food", "Income-material", "Tiles", "Military")


@pytest.fixture
def file(tmp_path: pathlib.Path) -> pathlib.Path:
    path = tmp_path / "series.toml"
    path.write_text(SERIES)
    return path


def test_a_series_is_told_with_both_tests_its_sign_and_curves(file, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    store = ("--store", str(file.with_name("games.db")), "--workers", "1")
    report = file.with_name("report.html")
    assert main(("reproduce", str(file), *store, "--json", "-o", str(report))) == 0
    greedy, control = json.loads(capsys.readouterr().out)["cells"]
    assert greedy["means"][1] > 10 * greedy["means"][0] and greedy["welch"]["t"] > 3 and greedy["welch"]["p"] < 0.05
    assert greedy["verdict"] == "the other sign than published. Theirs were other rules."
    assert greedy["by_seat"]["means"] == greedy["welch"]["means"] and greedy["by_seat"]["freedom"] > 6
    assert control["verdict"] == "" and 0.5 < control["ratio"] < 2 and control["agents"] == ["greedy", "greedy"]
    page = report.read_text()
    assert "Our t has the other sign than published. Theirs were other rules." in page
    assert all(page.count(f"{metric} per round, mean with 95 % interval") >= 2 for metric in METRICS)
    assert main(("reproduce", str(file), *store)) == 0
    printed = capsys.readouterr().out
    assert f"{greedy['welch']['t']:.2f}" in printed and "-2.5" in printed


def test_both_have_half_of_the_seats_in_all_seatings(file):
    greedy, _ = load_experiment(str(file), parameters={"turns": 3}).cells
    assert greedy.plan.agents == ("random", "greedy:turns-for-city-centre=3") and greedy.plan.rounds
    seatings = Counter(tuple(seats) for seats in greedy.plan.tasks(range(6)).seats.tolist())
    assert len(seatings) == 6 and all(sorted(seats) == [0, 0, 1, 1] for seats in seatings)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("variant = ", "varaint = ", "series 1 of series.toml; did you mean 'variant'"),
        ('base = "random"', "", "series 1 of series.toml needs 'base'"),
        ('"random"', '"radnom"', "did you mean 'random'"),
    ],
)
def test_wrong_series_are_refused_in_one_line(file, old, new, message):
    file.write_text(SERIES.replace(old, new, 1))
    with pytest.raises(SpielbaumError, match=message):
        load_experiment(str(file))


PUBLISHED = {"7.11": -26.64, "7.12": 17.98, "7.13": 3.15, "7.14": 3.24, "7.16": 2.83, "7.17": 13.78}


def test_quick_civs_experiments_carry_the_numbers_of_the_thesis():
    found = {name.removeprefix("quick-civ/7.") for name in names() if name.startswith("quick-civ/7.")}
    assert found == {"1", "6", "10", "11", "12", "13", "14", "16", "17"}  # 7.15 shows two more metrics of 7.14


@pytest.mark.parametrize("number", PUBLISHED)
def test_every_series_of_the_thesis_is_played_under_both_enemy_models_and_by_time(number):
    experiment = load_experiment(f"quick-civ/{number}")
    assert [cell.name for cell in experiment.cells] == ["enemies wait", "random replies", "by time"]
    assert {float(cell.published) for cell in experiment.cells} == {PUBLISHED[number]}
    waiting, replying, by_time = (cell.plan for cell in experiment.cells)
    assert waiting.agents[0] == "vanilla:iterations=1000" and waiting.games == 500
    assert replying.agents[0] == "thesis:iterations=1000" and replying.games == 500
    assert all("seconds=0.004" in spec for spec in by_time.agents)


def test_both_enemy_models_have_a_control():
    controls = [cell.plan.agents for cell in load_experiment("quick-civ/control").cells]
    assert controls == [("vanilla:iterations=1000",) * 2, ("thesis:iterations=1000",) * 2]


def test_a_match_tells_the_points_of_each_seat(capsys, tmp_path):
    seats = [argument for seat in ("nw", "ne", "se", "sw") for argument in ("--seat", f"{seat}=greedy")]
    command = ("match", "quick-civ", "--option", "map=1", *seats, "-n", "1", "--no-rotate", "--json")
    assert main((*command, "--store", str(tmp_path / "games.db"))) == 0
    told = json.loads(capsys.readouterr().out)["seats"]
    assert {seat: data["points"] for seat, data in told.items()} == {"nw": 15962, "ne": 13590, "se": 14311, "sw": 14413}
