"""The report: one well-formed file that needs nothing else and says what was played."""

from __future__ import annotations

import dataclasses
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from spielbaum.arena import plots, stats
from spielbaum.arena.report import cross_table, rating_table, report
from spielbaum.arena.results import Results
from spielbaum.arena.summary import cross_data, ratings_data
from tests.arena.test_plots import played

VOID = {"meta", "br", "wbr"}


class Page(HTMLParser):
    """Checks that tags match, and gathers text, attributes and names."""

    def __init__(self, html):
        super().__init__()
        self.open, self.attributes, self.text = [], [], []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.attributes += attributes
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.attributes += attributes

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)

    def all(self, name):
        return [value for attribute, value in self.attributes if attribute == name]


@pytest.fixture(scope="module")
def html():
    return report([played(agents=3, games=60), played(agents=5, games=40, seats=4)])


def test_the_page_is_well_formed_and_its_names_are_unique(html):
    names = Page(html).all("id")
    assert len(set(names)) == len(names)


def test_nothing_is_fetched_and_nothing_is_run(html):
    page = Page(html)
    assert all(value.startswith("#") for name in ("href", "xlink:href", "src") for value in page.all(name))
    outside = set(re.findall(r"https?://[^\"' )]+", html))
    assert outside <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}  # names, not addresses
    assert "<script" not in html and "@import" not in html and "<image" not in html
    assert not re.search(r"url\((?!#)", html)


def test_every_reference_within_the_page_is_found(html):
    page = Page(html)
    wanted = {value[1:] for name in ("href", "xlink:href") for value in page.all(name)}
    wanted |= set(re.findall(r"url\(#([^)]+)\)", html))
    assert wanted <= set(page.all("id"))


def test_names_are_escaped():
    evil = '<script>alert("x")</script>&'
    results = dataclasses.replace(
        played(names=[evil, "plain,name"]), title=evil, seat_names=[evil, "b"], facts=((evil, evil),)
    )
    html = report([results])
    assert "<script" not in html
    assert evil in "".join(Page(html).text)


def test_what_is_less_than_something_is_no_tag(html):
    assert "&lt; 0.001" in html, "a p-value"
    assert not re.search(r"<(?![a-z/!])", html)


def test_tables_hold_the_figures_of_the_run():
    results = played(games=60)
    text = " ".join(Page(report([results])).text)
    tally = results.agent_tally(0)
    difference, _, _ = stats.elo_interval(tally)
    assert f"{100 * tally.score:.1f} % of the points" in text
    assert f"Elo difference {difference:+.0f}".replace("-", "−") in text
    assert "Welch’s t-test" in text and "likelihood of superiority" in text
    assert f"{results.lengths.mean():.1f}" in text


def test_two_sides_are_rated_by_elo_and_many_by_plackett_luce(html):
    text = " ".join(Page(html).text)
    assert text.count("Elo by maximum likelihood") == 1 and text.count("Plackett-Luce") == 1


def test_pictures_follow_the_theme_of_the_page(html):
    drawings = "".join(re.findall(r"<figure>.*?</figure>", html, flags=re.DOTALL))
    assert drawings.count("<svg") == 6
    assert "var(--ink)" in drawings and "var(--line-0)" in drawings
    assert not re.search(r"(fill|stroke): #", drawings)
    assert "prefers-color-scheme: dark" in html and "@media print" in html


def test_the_same_runs_give_the_same_page(html):
    assert report([played(agents=3, games=60), played(agents=5, games=40, seats=4)]) == html


def test_a_run_without_games_says_so():
    full = played()
    empty = dataclasses.replace(
        full,
        seats=full.seats[:0],
        points=full.points[:0],
        returns=full.returns[:0],
        lengths=full.lengths[:0],
        metrics=full.metrics[:0],
        metric_rows=np.zeros(0, np.int64),
    )
    assert "No game has been played yet." in "".join(Page(report([empty])).text)


def test_the_time_per_move_is_told_where_it_is_known():
    assert "time per move" not in report([played(games=2)])
    timed = report([dataclasses.replace(played(games=2), seconds_per_move=[0.0125, 2e-6])])
    assert "time per move" in timed and "12.5 ms" in timed and "2 µs" in timed


def test_one_game_is_enough_for_a_report():
    assert "Score over games" in report([played(games=1)])


def test_every_cross_table_has_the_order_of_the_ratings():
    """First beats middle, which beats last so often that its score is the best of all."""
    pairs = np.array([[0, 1]] * 10 + [[1, 2]] * 10)
    won = np.array([[1.0, 0.0]] * 6 + [[0.0, 1.0]] * 4 + [[1.0, 0.0]] * 9 + [[0.0, 1.0]])
    agents = ["last", "middle", "first"]
    results = Results("", agents, ["x", "y"], 2 - pairs, won, 2 * won - 1, np.full(20, 9))
    assert plots.ranked(results) == [1, 2, 0]
    order = ["first", "middle", "last"]
    assert [rating["agent"] for rating in ratings_data(results)] == order
    assert list(cross_data(results)) == order and list(cross_data(results)["middle"]) == ["first", "last"]
    names = [row[0].content for row in cross_table(results).rows]
    assert [name.split("\N{NO-BREAK SPACE}")[1] for name in names] == order
    assert [row[0].content for row in rating_table(results).rows] == order
    (axes,) = plots.cross_figure(results).axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["first  1", "middle  2", "last  3"]
