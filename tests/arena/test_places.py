"""Where more than two play for themselves: places, what counts as a win, and that all accounts tell the same."""

from __future__ import annotations

import csv
import io
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import spielbaum
from spielbaum.arena import Store, match, plots, summarize, tournament
from spielbaum.arena.export import to_csv
from spielbaum.arena.report import report
from spielbaum.arena.results import by_group, places_of, points_of, rate
from spielbaum.arena.stats import mean_interval
from spielbaum.cli.results import print_result
from tests.conftest import SMALL

STRAWS = SMALL / "straws.py"
SPE_ED = {"players": 6, "width": 12, "height": 12}


@pytest.fixture(scope="module")
def crowd():
    """Six at a table of spe_ed, one of whom thinks."""
    return match("spe_ed", ["mcts:iterations=10", "random"], 24, seed=5, counts=(1, 5), options=SPE_ED)


@pytest.fixture(scope="module")
def straws():
    return tournament(spielbaum.load(STRAWS, players=3), ["bold", "timid", "random"], 60, seed=2)


@given(st.lists(st.lists(st.integers(-2, 2), min_size=4, max_size=4), min_size=1, max_size=5))
def test_a_win_is_the_first_place_alone_and_a_draw_is_to_share_it(results):
    returns = np.array(results, float)
    places, points = places_of(returns), points_of(returns, np.arange(4))
    for row, place, point in zip(returns, places, points, strict=True):
        ordered = sorted(row, reverse=True)
        assert place.tolist() == [ordered.index(own) + 1 for own in row]
        alone = np.sum(place == 1) == 1
        assert point.tolist() == [0.0 if own > 1 else 1.0 if alone else 0.5 for own in place]


def test_the_order_of_rounds_in_which_players_went_out_is_that_of_their_places(tmp_path):
    with Store(tmp_path / "games.db") as store:
        run = match("spe_ed", ["random"] * 6, 6, seed=5, options=SPE_ED, store=store)
        for number in range(6):
            batch = store.game(run.number, number, run.game)
            died = run.game.play_all(batch.actions.tolist(), int(batch.seeds[0])).record.died
            lasted = [int(at) or 10**6 for at in died]
            places = [1 + sum(other > own for other in lasted) for own in lasted]
            assert run.results.places[number].tolist() == places


def test_a_player_who_is_second_in_every_game_has_won_none(crowd):
    results = crowd.results
    second = results.places == 2
    assert second.any() and not results.points[second].any()
    assert (results.points[results.places == 1] > 0).all()


def test_mean_place_and_its_interval_are_told_and_the_better_player_comes_in_earlier(crowd):
    data, results = summarize(crowd), crowd.results
    mine = results.places[results.seats == 0]
    mean, low, high = mean_interval(mine)
    assert data["agents"]["mcts:iterations=10"]["place"] == {"mean": mean, "interval": [low, high]}
    assert data["agents"]["mcts:iterations=10"]["places"] == [int(np.sum(mine == n)) for n in range(1, 7)]
    assert high < data["agents"]["random"]["place"]["interval"][0]
    assert sum(data["agents"]["random"]["places"]) == 5 * 24
    assert data["seats"]["4"]["place"]["mean"] == pytest.approx(results.places[:, 3].mean())
    tally = data["agents"]["mcts:iterations=10"]
    assert tally["wins"] + tally["draws"] == data["agents"]["mcts:iterations=10"]["places"][0]


def test_a_group_has_the_mean_place_of_its_seats(crowd):
    grouped, results = by_group(crowd.results), crowd.results
    theirs = [row[seated == 1].mean() for row, seated in zip(results.places, results.seats, strict=True)]
    assert grouped.places[:, 1].tolist() == pytest.approx(theirs)
    assert grouped.place_counts() is None and results.place_counts().sum() == 6 * 24


def test_three_at_a_table_are_rated_with_errors_also_when_there_is_one_table_only(straws):
    data = summarize(straws)
    assert [rating["agent"] for rating in data["ratings"]] == [rating.name for rating in rate(straws.results)]
    assert data["ratings"][0]["agent"] == "bold"
    assert all(0 < rating["error"] < 8.3 for rating in data["ratings"])


def test_the_terminal_and_the_report_tell_the_same_places(straws, capsys):
    data = summarize(straws)
    print_result(data, "straws")
    printed = capsys.readouterr().out
    html = report([straws.results])
    for label, agent in data["agents"].items():
        low, high = agent["place"]["interval"]
        told = f"{agent['place']['mean']:.2f} ± {(high - low) / 2:.2f}"
        assert re.search(rf"{label}.*{told}", printed)
        counts = "</td>.*?>".join(map(str, agent["places"]))
        assert re.search(rf"<th scope=\"row\">{label}</th><td class=\"number\">{told}</td>.*?>{counts}</td>", html)
    assert "How often each agent came in where" in html


def test_bars_are_the_shares_of_the_places(straws):
    figure = plots.figures(straws.results)["places"]
    counts = straws.results.place_counts()
    heights = [bar.get_height() for bar in figure.axes[0].patches]
    assert heights == pytest.approx((counts / counts.sum(axis=1, keepdims=True)).ravel().tolist())


def test_exported_games_have_a_place_for_each_seat(tmp_path):
    with Store(tmp_path / "games.db") as store:
        run = tournament(spielbaum.load(STRAWS, players=3), ["bold", "timid", "random"], 6, store=store)
        file = io.StringIO()
        to_csv(store, run.number, file)
    rows = list(csv.DictReader(io.StringIO(file.getvalue())))
    assert [[int(row[f"place p{seat}"]) for seat in range(3)] for row in rows] == run.results.places.tolist()


@pytest.mark.parametrize(
    ("game", "agents", "options"),
    [
        ("pig", ["random", "random"], {}),
        ("scotland-yard", ["random"] * 4, {"players": 4}),
        ("pursuit", ["keen"] * 3, {}),
    ],
)
def test_two_sides_have_no_places(game, agents, options, capsys):
    run = match(game, agents, 4, options=options)
    data = summarize(run)
    assert run.results.places is None and run.results.place_counts() is None
    assert not any("place" in each for each in (*data["agents"].values(), *data["seats"].values()))
    assert "ratings" not in data
    print_result(data, game)
    assert "place" not in capsys.readouterr().out
    assert "places" not in plots.figures(run.results) and "mean place" not in report([run.results])
