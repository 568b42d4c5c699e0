"""Pictures show what was played: their data, not their pixels."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielbaum.arena import plots
from spielbaum.arena.results import Results
from spielbaum.arena.stats import Tally, wilson

LONG = "mcts:iterations=5000,c=0.7,policy=greedy"


def played(agents=2, games=40, seats=2, seed=1, names=None):
    """Made-up games in which agents with lower numbers tend to win, with points recorded every round."""
    rng = np.random.default_rng(seed)
    seated = np.array([rng.permutation(agents)[:seats] for _ in range(games)])
    returns = np.sign(rng.normal(0.4, 1, (games, seats)) - seated).astype(float)
    best = returns == returns.max(axis=1, keepdims=True)
    points = np.where(best, np.where(best.sum(axis=1, keepdims=True) > 1, 0.5, 1.0), 0.0)
    metric_rows = rng.integers(3, 12, games)
    return Results(
        title="a match",
        agents=names or [f"agent {i}" for i in range(agents)],
        seat_names=[f"seat {i}" for i in range(seats)],
        seats=seated,
        points=points,
        returns=returns,
        lengths=metric_rows * seats,
        metric_names=("points",),
        metrics=rng.gamma(2, 3, (metric_rows.sum(), seats, 1)),
        metric_rows=metric_rows,
    )


def test_a_score_curve_ends_at_the_score_with_its_interval():
    results = played(games=900)
    (curve,) = plots.score_curves(results)
    tally = results.agent_tally(0)
    assert curve.y[-1] == pytest.approx(tally.score) and curve.x[-1] == 900
    assert (curve.low[-1], curve.high[-1]) == pytest.approx(tally.interval)
    assert len(curve.x) <= plots.MOST_POINTS


def test_every_agent_of_many_has_a_curve_and_one_who_did_not_play_has_none():
    results = played(agents=5, seats=3)
    assert [curve.agent for curve in plots.score_curves(results)] == [0, 1, 2, 3, 4]
    absent = played(agents=4)
    absent.seats[absent.seats == 3] = 2
    assert [curve.agent for curve in plots.score_curves(absent)] == [0, 1, 2]


def test_a_metric_is_averaged_per_round_over_the_games_that_reached_it():
    results = played(games=30)
    curve = plots.metric_curves(results, "points")[1]
    starts = np.cumsum(results.metric_rows) - results.metric_rows
    second = [
        results.metrics[start + 1, list(seated).index(1), 0]
        for start, seated in zip(starts, results.seats, strict=True)
    ]
    assert curve.x[1] == 2
    assert curve.y[1] == pytest.approx(np.mean(second))
    error = np.std(second, ddof=1) / np.sqrt(len(second))
    assert curve.high[1] - curve.y[1] == pytest.approx(1.96 * error, rel=1e-3)


def test_the_cross_table_counts_who_finished_ahead_of_whom():
    results = Results(
        title="",
        agents="abc",
        seat_names="xyz",
        seats=np.array([[0, 1, 2], [2, 1, 0]]),
        points=np.array([[1, 0, 0], [0.5, 0.5, 0]]),
        returns=np.array([[3.0, 2.0, 1.0], [1.0, 1.0, 0.0]]),
        lengths=np.array([4, 5]),
    )
    points, games, draws = results.against()
    assert games.tolist() == [[0, 2, 2], [2, 0, 2], [2, 2, 0]]
    assert points.tolist() == [[0, 1, 1], [1, 0, 1.5], [1, 0.5, 0]]
    assert draws[1, 2] == draws[2, 1] == 1 and draws.sum() == 2
    assert results.agent_tally(1) == Tally(0, 1, 1) and results.seat_tally(0) == Tally(1, 1, 0)


def test_team_mates_do_not_meet_in_the_cross_table():
    seats = np.array([[0, 1, 1]])
    results = Results(
        "", "ab", "xyz", seats, np.array([[1, 0, 0]]), np.array([[1.0, -1, -1]]), np.array([9]), (0, 1, 1)
    )
    _, games, _ = results.against()
    assert results.sides == 2 and games.tolist() == [[0, 1], [1, 0]]


@given(st.lists(st.integers(1, 5000), min_size=1, max_size=60))
def test_every_length_falls_into_a_bin(lengths):
    bins = plots.length_bins(np.array(lengths))
    assert np.histogram(lengths, bins)[0].sum() == len(lengths)
    assert 2 <= len(bins) <= 42 and len(set(np.diff(bins))) == 1


@given(st.lists(st.floats(0, 100), min_size=1, max_size=12), st.floats(0.1, 10))
def test_names_keep_their_order_and_their_distance(heights, gap):
    apart = plots.spread(sorted(heights, reverse=True), gap)
    assert all(upper - lower >= gap - 1e-6 for upper, lower in pairwise(apart))


def test_a_histogram_has_the_games_and_their_mean():
    results = played(games=50)
    with plots.styled():
        axes = plots.length_figure(results).axes[0]
    assert sum(bar.get_height() for bar in axes.patches) == 50
    assert f"mean {results.lengths.mean():.1f}" in [text.get_text() for text in axes.texts]


def test_short_names_stand_beside_their_curves_and_long_ones_below():
    with plots.styled():
        short = plots.score_figure(played(agents=3))
        long = plots.score_figure(played(agents=3, names=[LONG, LONG + ",b=1", "random"]))
    assert sorted(text.get_text() for text in short.axes[0].texts) == ["agent 0", "agent 1", "agent 2"]
    assert not short.legends
    assert sorted(text.get_text() for text in long.axes[0].texts) == ["1", "2", "3"]
    assert {text.get_text()[3:] for text in long.legends[0].get_texts()} == {LONG, LONG + ",b=1", "random"}


@pytest.mark.parametrize("format", ["png", "svg"])
def test_the_same_results_give_the_same_bytes(tmp_path, format):
    first, second = (plots.write_plots(played(agents=3), tmp_path / run, format) for run in ("a", "b"))
    assert [path.name for path in first] == [
        f"{name}.{format}" for name in ("score", "length", "metric-points", "cross-table")
    ]
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


def test_names_are_drawn_as_they_are():
    (figure, *_) = plots.figures(played(agents=3, names=["$a_1$", "b^2", "$c"])).values()
    assert b"$a_1$" in plots.rendered(figure, "svg", svg_text="none")


@pytest.mark.parametrize(("agents", "games", "seats"), [(1, 1, 1), (2, 1, 2), (2, 2, 2), (12, 90, 2), (4, 9, 4)])
def test_every_shape_of_a_run_can_be_drawn(agents, games, seats):
    assert plots.figures(played(agents, games, seats))


def test_the_users_settings_stay_as_they_were():
    import matplotlib as mpl

    with mpl.rc_context({"font.size": 33}):
        plots.figures(played(games=3))
        assert mpl.rcParams["font.size"] == 33


def test_drawing_needs_no_display_and_no_pyplot():
    import subprocess
    import sys

    code = (
        "import sys; from tests.arena.test_plots import played; from spielbaum.arena import plots;"
        "assert 'matplotlib' not in sys.modules; plots.figures(played()); print('matplotlib.pyplot' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "False", done.stderr


def test_a_wilson_band_narrows_with_the_games():
    (curve,) = plots.score_curves(played(games=400))
    assert curve.high[-1] - curve.low[-1] < 0.11 < curve.high[0] - curve.low[0]
    assert wilson(float(curve.y[0]), int(curve.x[0])) == pytest.approx((curve.low[0], curve.high[0]))
