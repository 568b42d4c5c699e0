"""The curves of a training: in a report that needs nothing else, and as the server tells them."""

from __future__ import annotations

import os

import pytest

from spielbaum.cli import main
from spielbaum.errors import SpielbaumError
from spielbaum.training import curves
from tests.networks.made import made_training


def test_a_report_has_the_scores_with_intervals_and_all_curves(tmp_path, capsys):
    folder = made_training(tmp_path / "mine.training", 51)
    assert main(["report", str(folder), "-o", str(tmp_path / "report.html")]) == 0
    html = (tmp_path / "report.html").read_text("utf-8")
    assert "Training of mine" in html and html.count("<figure>") == 3
    assert html.count("<tr>") == 1 + 11 and "mcts:iterations=1000" in html
    assert "5.0 %" in html and "87.0 %" in html  # before and after
    assert "<dd>10.2 of 10</dd>" in html and "<dt>state</dt>" not in html
    assert "http://" not in html.replace("http://www.w3.org", "")


def test_pictures_are_written_one_by_one(tmp_path, capsys):
    folder = made_training(tmp_path / "mine.training", 6)
    assert main(["report", f"{folder}/", "--pictures", "svg", "-o", str(tmp_path / "drawn")]) == 0
    assert sorted(path.name for path in (tmp_path / "drawn" / "mine").iterdir()) == [
        "policy.svg",
        "score.svg",
        "value.svg",
    ]


def test_how_far_a_training_is(tmp_path):
    running = curves.read(made_training(tmp_path / "mine.training", 20))
    assert (running.state, running.games, len(running.measured)) == ("running", 20 * 1024, 4)
    os.utime(tmp_path / "mine.training" / "rows.jsonl", (0, 0))
    assert curves.read(tmp_path / "mine.training").state == "interrupted"
    assert curves.read(made_training(tmp_path / "mine.training", 50)).state == "finished"
    made_training(tmp_path / "newer.training", 1)
    assert [folder.name for folder in curves.folders(tmp_path)] == ["newer.training", "mine.training"]


def test_each_yardstick_has_a_curve_and_the_first_one_the_last_word():
    easy, hard = (
        {"baseline": name, "score": at, "low": 0.0, "high": 1.0} for name, at in (("easy", 0.9), ("hard", 0.2))
    )
    rows = [{"iteration": n, "seconds": 1.0, "score": 0.5, "baseline": "mcts", "others": [easy, hard]} for n in (0, 5)]
    history = curves.TrainingHistory("mine", {}, [*rows, {"iteration": 6, "seconds": 2.0}], 0.0)
    assert [(row["baseline"], row["iteration"]) for row in history.measured] == [
        (name, number) for name in ("mcts", "easy", "hard") for number in (0, 5)
    ]
    assert [row["score"] for row in history.measured] == [0.5, 0.5, 0.9, 0.9, 0.2, 0.2]
    assert history.last == rows[1]


def test_long_curves_are_thinned_and_end_where_they_end(tmp_path):
    history = curves.read(made_training(tmp_path / "long.training", 3001, each=1.0))
    points = curves.thinned(history.rows, "value_loss")
    assert len(points) <= curves.MOST_POINTS and points[-1][0] == pytest.approx(3001 / 60)
    assert points[0][1] > points[10][1] > points[-1][1]


def test_a_folder_without_a_training_is_told_in_one_line(tmp_path, capsys):
    assert main(["report", str(tmp_path / "none.training")]) == 2
    told = capsys.readouterr().err
    assert "holds no training" in told and told.count("\n") == 1
    folder = made_training(tmp_path / "broken.training", 2)
    (folder / "rows.jsonl").write_text("{nothing")
    with pytest.raises(SpielbaumError, match=r"holds no training that can be read: .* line 1, is no JSON"):
        curves.read(folder)
