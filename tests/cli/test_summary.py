"""`spielbaum reproduce --summary`: summaries of experiments, and the page that is made of them."""

from __future__ import annotations

import gzip
import json
import pathlib

import pytest

from spielbaum.errors import SpielbaumError
from spielbaum.experiments import Settings, files, load_experiment
from spielbaum.experiments.results import page, quotes, section
from spielbaum.experiments.summaries import SUFFIX, Summary, read, require_fit
from tests.cli.test_reproduce import FIELD, STUDY, TABLE
from tests.experiments.test_experiments import SMALL
from tests.experiments.test_series import SERIES

LEAGUE = """
title = "Three who meet"
game = "tic-tac-toe"
games = 4
league = ["random", "mcts:iterations=20", "mcts:iterations=40"]

[[groups]]
name = "two at a table"
"""
MISTAKES = """
title = "Luck"
[mistakes]
luck = "random"
[published]
others = { L1_R1 = 1.5 }
"""
EVOLUTION = """
title = "Who survives"
game = "tic-tac-toe"
agents = ["mcts:iterations={iterations}", "mcts:iterations=30"]
vary = ["mcts:c=0..3"]
sizes = { population = 4, generations = 2, matches = 1, iterations = 5 }
settles = ["c"]

[published]
"mcts is driven out" = "within 8 generations"
"""
SURFACES = """
title = "Tuners"
surfaces = ["peak"]
methods = ["random search"]
games = [500]
seeds = 2
"""


@pytest.fixture
def folder(tmp_path, monkeypatch) -> pathlib.Path:
    """A folder of experiments in place of those of the package."""
    monkeypatch.setattr(files, "FOLDER", tmp_path / "experiments")
    (tmp_path / "experiments" / "mine").mkdir(parents=True)
    return tmp_path


@pytest.fixture
def summarized(folder, run):
    """Play an experiment, and write its summary."""

    def play(text: str, *further: str, stored: bool = True) -> Summary:
        (folder / "experiments" / "mine" / "one.toml").write_text(text)
        store = ("--store", str(folder / "games.db"))
        if stored:
            assert run("reproduce", "mine/one", *store, "--workers", "1", *further).code == 0
        answer = run("reproduce", "mine/one", *store, *further, "--summary", str(folder / "results"))
        assert answer.code == 0, answer.err
        return read(folder / "results" / "mine" / f"one{SUFFIX}")

    return play


@pytest.mark.parametrize(
    ("text", "further", "stored", "cells", "words"),
    [
        (SMALL, ("--games", "6"), True, 2, ("29 %", "score of O", "random against random", "| 6 |")),
        (TABLE, ("--games", "6"), True, 2, ("wins of X", "58.5", "search")),
        (FIELD, ("--games", "4"), True, 3, ("Score of row against column", "Mean score", "theirs 86")),
        (SERIES, ("--games", "2"), True, 2, ("t (Welch)", "-2.5", "control")),
        (LEAGUE, (), True, 1, ("elo ± standard error", "mcts:iterations=40")),
        (STUDY, ("--games", "2"), False, 4, ("exploitability", "| matching |", "--games 2")),
        (MISTAKES, ("--games", "2"), False, 6, ("mistakes in %", "others (theirs)", "1.5")),
        (SURFACES, (), False, 1, ("median regret", "| random search |", "500 games")),
        (EVOLUTION, (), True, 1, ("within 8 generations", "Best: `mcts", "population 4")),
    ],
)
def test_every_kind_of_experiment_has_a_summary_and_a_section(summarized, folder, text, further, stored, cells, words):
    summary = summarized(text, *further, stored=stored)
    assert len(summary.outcomes) == cells
    told = page(folder / "results")
    assert all(word in told for word in words), told
    assert "spielbaum reproduce mine/one" in told and "[`mine/one`](#mineone)" in told


def test_a_summary_is_the_same_bytes_whenever_it_is_made(summarized, folder):
    summarized(SMALL, "--games", "4")
    path = folder / "results" / "mine" / f"one{SUFFIX}"
    before = path.read_bytes()
    summarized(SMALL, "--games", "4")
    assert path.read_bytes() == before and path.stat().st_size < 2000


def test_parts_from_several_stores_come_together_with_most_games_each(folder, run):
    (folder / "experiments" / "mine" / "one.toml").write_text(SMALL)
    for store, games, group in (("a.db", "4", "random"), ("b.db", "6", "random"), ("b.db", "2", "search")):
        arguments = ("--store", str(folder / store), "--games", games, "--group", group)
        assert run("reproduce", "mine/one", *arguments, "--workers", "1").code == 0
    both = ("--store", str(folder / "a.db"), "--store", str(folder / "b.db"))
    told = run("reproduce", "mine/one", *both, "--summary", str(folder / "results"), "--json").json
    assert told["cells"] == 2 and told["games"] == 8
    assert [outcome.games for outcome in read(pathlib.Path(told["file"])).outcomes] == [6, 2]
    refused = run("reproduce", "mine/one", *both)
    assert refused.code == 2 and "several --store are for --summary" in refused.err


def test_other_seeds_and_parameters_stand_beside_each_other(summarized, folder):
    summarized(FIELD, "--games", "2")
    summarized(FIELD, "--games", "2", "--set", "iterations=3")
    summary = summarized(FIELD, "--games", "2", "--seed", "5")
    assert len(summary.outcomes) == 9 and {outcome.settings.seed for outcome in summary.outcomes} == {0, 5}
    told = page(folder / "results")
    assert "--games 2 --set iterations=3\n" in told and "--games 2 --seed 5\n" in told


def test_what_was_published_is_read_from_the_file_alone(summarized, folder):
    summarized(SMALL, "--games", "4")
    file = folder / "experiments" / "mine" / "one.toml"
    file.write_text(SMALL.replace("29 %", "31 %").replace("Three in a row", "Noughts"))
    told = page(folder / "results")
    assert "31 %" in told and "29 %" not in told and "Noughts" in told


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("mcts:iterations=40", "mcts:iterations=41", "'search against random' was played in another way"),
        ("seed = 3", "seed = 3\nopening = 2", "'random against random' was played in another way"),
        ('name = "search against random"', 'name = "search"', "unknown cell 'search, search against random'"),
    ],
)
def test_a_summary_that_does_not_fit_its_file_is_refused_in_one_line(summarized, folder, old, new, complaint):
    summarized(SMALL, "--games", "2")
    file = folder / "experiments" / "mine" / "one.toml"
    file.write_text(SMALL.replace(old, new))
    with pytest.raises(SpielbaumError, match=complaint) as refused:
        page(folder / "results")
    assert "\n" not in str(refused.value) and "one.json.gz" in str(refused.value)


def test_what_is_no_summary_or_of_no_experiment_is_refused(summarized, folder):
    summarized(SMALL, "--games", "2")
    path = folder / "results" / "mine" / f"one{SUFFIX}"
    kept = path.read_bytes()
    lines = gzip.decompress(kept).decode().splitlines()
    broken = {
        "can't be read": b"\x1f\x8b",
        "no summary of an experiment": b"[]\n",
        "is no JSON": (lines[0] + "\n{").encode(),
        "needs 'digest'": (lines[0] + "\n" + json.dumps({**json.loads(lines[1]), "digest": 1}).replace(
            ', "digest": 1', "").replace('"digest": 1, ', "")).encode(),
        "is a summary of mine/two": lines[0].replace("one", "two").encode(),
    }  # fmt: skip
    for complaint, content in broken.items():
        path.write_bytes(content)
        with pytest.raises(SpielbaumError, match=complaint):
            page(folder / "results")
    path.write_bytes(kept)
    path.rename(path.with_name(f"two{SUFFIX}"))
    with pytest.raises(SpielbaumError, match="the summary of no experiment"):
        page(folder / "results")


def test_an_experiment_without_games_has_no_summary(folder, run):
    (folder / "experiments" / "mine" / "one.toml").write_text(SMALL)
    (folder / "experiments" / "mine" / "two.toml").write_text(SMALL.replace("seed = 3", "seed = 4"))
    store = ("--store", str(folder / "games.db"))
    assert run("reproduce", "mine/one", *store, "--workers", "1", "--games", "2").code == 0
    answer = run("reproduce", "mine/two", *store, "--summary", str(folder / "results"))
    assert answer.code == 2 and "no games of mine/two" in answer.err
    assert page(folder / "results") == "Without a result so far: `mine/one`, `mine/two`."


def test_cells_are_marked_by_their_intervals(summarized):
    """The second side has 18 of 40 points here."""
    for published, further, mark in (
        ("40 %", "", "agrees"),
        ("90", "", "**differs**"),
        ("90", 'stronger = "lower"\n', "stronger"),
        ("90", 'published_games = 1\n', "agrees"),
        ("in words", "", "–"),
    ):  # fmt: skip
        text = SMALL.replace("29 %", published).replace("seed = 3", f"seed = 3\n{further}")
        told = section(summarized(text), "mine/one").text
        assert f"| {published} | {mark} |" in told, told
    for words, mark in (("[0, 0.7]", "agrees"), ("[0, 0.5]", "undecided"), ("[0.7, 1]", "**differs**")):
        ranged = SMALL.replace('published = "29 %"', f'published = "loses"\npublished_range = {words}')
        assert f"| loses | {mark} |" in section(summarized(ranged), "mine/one").text


def test_a_difference_has_its_reason_or_is_called_unexplained(summarized, folder):
    wrong = SMALL.replace("29 %", "90 %")
    assert "Unexplained: `random against random`." in section(summarized(wrong), "mine/one").text
    why = 'seed = 3\nwhy = { random = "They meant other rules." }'
    told = section(summarized(wrong.replace("seed = 3", why)), "mine/one").text
    assert "Why (`random against random`): They meant other rules." in told and "Unexplained" not in told
    stronger = 'stronger = "lower"\n'
    told = section(summarized(wrong.replace("seed = 3", stronger + why)), "mine/one").text
    assert "| stronger |" in told and "Why (`random against random`): They meant other rules." in told
    assert "Unexplained" not in section(summarized(wrong.replace("seed = 3", stronger + "seed = 3")), "mine/one").text
    (folder / "experiments" / "mine" / "one.toml").write_text(
        SMALL.replace("seed = 3", why.replace("random", "chance"))
    )
    with pytest.raises(SpielbaumError, match=r"unknown label 'chance' for why of one\.toml"):
        load_experiment("mine/one")


def test_a_file_of_yours_has_a_summary_under_its_own_name(run, tmp_path):
    (tmp_path / "mine.toml").write_text(SMALL)
    place = (str(tmp_path / "mine.toml"), "--store", str(tmp_path / "games.db"))
    assert run("reproduce", *place, "--workers", "1", "--games", "2").code == 0
    answer = run("reproduce", *place, "--summary", str(tmp_path / "results"))
    assert answer.code == 0 and answer.out.startswith(str(tmp_path / "results" / f"mine{SUFFIX}: 2 cells"))
    (tmp_path / "taken").write_text("")
    refused = run("reproduce", *place, "--summary", str(tmp_path / "taken"))
    assert refused.code == 2 and "can't be written to" in refused.err


def test_single_cells_are_quoted_with_links(summarized, folder):
    summarized(SMALL, "--games", "4")
    told = quotes(folder / "results", [("mine/one", "random against random", "Luck")], "results.md")
    assert "| [Luck](results.md#mineone) | 4 | " in told and "| 29 % | " in told
    with pytest.raises(SpielbaumError, match="did you mean 'search against random'"):
        quotes(folder / "results", [("mine/one", "search against randm", "Luck")], "results.md")


def test_a_summary_knows_the_settings_it_was_played_with(summarized):
    summary = summarized(FIELD, "--full", "--games", "2")
    first = summary.outcomes[0]
    assert first.settings == Settings(True, 0, {"iterations": 60}) and first.agents == ("random", "mcts:iterations=60")
    require_fit(summary, "here")
    assert load_experiment("mine/one", full=True).settings.parameters == {"iterations": 60}


def test_parameters_are_kept_with_all_their_digits(summarized):
    exact = SERIES.replace("turns = 15", "turns = 15.1234567").replace("={turns}", "=15")
    assert {each.settings.parameters["turns"] for each in summarized(exact).outcomes} == {15.1234567}
