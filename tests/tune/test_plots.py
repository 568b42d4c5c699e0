"""Pictures and reports of tuning runs."""

from __future__ import annotations

import re

import pytest

from spielbaum.tune import plots, read_history
from spielbaum.tune.report import report
from tests.tune.made import GREEDY, MCTS, PARAMETERS, made_store


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    path = tmp_path_factory.mktemp("tuned") / "runs.db"
    made_store(path, steps=6)
    made_store(
        path, steps=3, finished=False, agents=[MCTS], against=["medium"], method="spsa", parameters=PARAMETERS[:3]
    )
    made_store(path, steps=0, finished=False)
    return path


def test_a_picture_for_every_parameter_what_matters_first(store):
    drawn = list(plots.figures(read_history(store, 1)))
    assert drawn[:4] == ["fitness", "species", "response-surface", "parameter-mcts-iterations-100-c"]
    assert len(drawn) == 3 + 6
    assert "species" not in plots.figures(read_history(store, 2)), "there is only one"
    assert plots.figures(read_history(store, 3)) == {}


@pytest.mark.parametrize(
    ("maximised", "in_full"),
    [
        ("wins", "wins, a draw as half of one"),
        ("result", "the mean result, from a loss to a win"),
        ("points", "points, as a share of the best in each game"),
    ],
)
def test_pictures_and_report_name_what_is_maximised(tmp_path, maximised, in_full):
    path = tmp_path / "runs.db"
    made_store(path, steps=3, fitness=maximised)
    made_store(path, steps=3, fitness=maximised, agents=[MCTS], against=["medium"], parameters=PARAMETERS[:3])
    titles = {
        figure.axes[0].get_title("left")
        for number in (1, 2)
        for name, figure in plots.figures(read_history(path, number)).items()
        if name in ("fitness", "response-surface")
    }
    assert titles == {
        f"Fitness ({maximised}) among each other",
        f"Fitness ({maximised}) above the mean of its kind, near each pair of values",
        f"Fitness ({maximised}) against the opponents",
        f"Mean fitness ({maximised}), near each pair of values",
    }
    text = report([read_history(path, number) for number in (1, 2)]).replace("<wbr>", "")
    assert in_full in text and "the score" not in text


def test_the_size_of_a_dot_is_the_number_of_individuals(store):
    run = read_history(store, 1)
    depth = next(one for one in run.parameters if one.name == "depth")
    dots = plots.parameter_figure(run, depth).axes[0].collections[0]
    areas = dict(zip(map(tuple, dots.get_offsets().tolist()), dots.get_sizes(), strict=True))
    counts = {(dot.step, dot.at): dot.number for dot in plots.series.course(run, depth).dots}
    assert areas.keys() == counts.keys() and max(counts.values()) > 1
    assert len({round(areas[at] / counts[at], 6) for at in counts}) == 1


def test_the_same_run_gives_the_same_bytes(store, tmp_path):
    first, second = (plots.write_plots(read_history(store, 2), tmp_path / name, "svg") for name in ("a", "b"))
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


@pytest.mark.parametrize(
    "low, high, log, whole, told",
    [
        (0.1, 10.0, True, False, "0.1 0.2 0.5 1 2 5 10"),
        (1, 4, False, True, "1 2 3 4"),
        (-2.0, 2.0, False, False, "−2 −1 0 1 2"),
        (1, 1_000_000, True, True, "1 10 100 1,000 10,000 100,000 1,000,000"),
        (1, 50, False, True, "10 20 30 40 50"),
        (0.0, 1.0, False, False, "0 0.2 0.4 0.6 0.8 1"),
        (1.0, 1.5, True, False, "1 1.1 1.2 1.3 1.4 1.5"),
    ],
)
def test_ranges_are_marked_with_round_values(low, high, log, whole, told):
    parameter = plots.Parameter("mcts", "x", low, high, log, whole, (), "", None)
    marks = plots.series.ticks(parameter)
    assert " ".join(plots.tick_label(value) for _, value in marks) == told
    assert all(-1e-9 <= at <= 1 + 1e-9 for at, _ in marks)


def test_a_report_says_what_was_found_and_what_the_test_says(store):
    page = report([read_history(store, 1)])
    assert "it is stronger than what was given: Elo difference +41 (95 % interval +12 … +70) in 600 games" in page
    assert page.count("<figure>") == 9 and "<h1>Tuning run 1: connect-four by evolution</h1>" in page
    assert re.search(r"c of mcts</th>.*1\.4</td>.*1\.03</td>.*0\.7 … 1\.4</td>.*80\.0 %", page.replace("\n", ""))
    assert not re.search(r'(?:href|src)="(?!#|data:)', page), "it needs nothing else"


def test_a_report_of_a_run_that_goes_on_promises_nothing(store):
    page = report([read_history(store, number) for number in (2, 3)])
    assert "2 tuning runs" in page and "Thought best so far" in page and "has not been tested" in page
    assert "No step is complete yet." in page
    assert GREEDY in page


def test_on_the_command_line(store, tmp_path, monkeypatch, capsys):
    from spielbaum.cli import main

    monkeypatch.chdir(tmp_path)
    assert main(["report", str(store), "--tuning", "2", "-o", "tuning.html"]) == 0
    assert "Tuning run 2" in (tmp_path / "tuning.html").read_text()
    assert main(["report", "1", str(store)]) == 2
    assert "numbers of runs, or one store" in capsys.readouterr().err
    assert main(["report", str(store), "--tuning", "9"]) == 2
    assert "has no tuning run 9; tuning runs: 1, 2, 3" in capsys.readouterr().err
    assert main(["report"]) == 2
