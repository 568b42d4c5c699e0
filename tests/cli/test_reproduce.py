"""`spielbaum reproduce`: ours beside theirs."""

from __future__ import annotations

import pytest

from tests.experiments.test_experiments import SMALL


@pytest.fixture
def place(tmp_path) -> tuple[str, ...]:
    (tmp_path / "small.toml").write_text(SMALL)
    return str(tmp_path / "small.toml"), "--store", str(tmp_path / "games.db"), "--workers", "1"


def test_our_figures_stand_beside_the_published_ones(run, place):
    answer = run("reproduce", *place)
    assert answer.code == 0
    for words in ("Three in a row", "Nobody", "random against random", "29 %", "score of O", "95 % interval"):
        assert words in answer.out


def test_cells_are_counted_from_the_side_that_the_table_is_about(run, place):
    data = run("reproduce", *place, "--json").json
    plain, searching = data["cells"]
    assert plain["score"] < 0.5 < searching["score"]  # the second side is worse off, unless it thinks
    assert plain["published"] == "29 %" and plain["games"] == 40
    assert sum(plain["endings"].values()) == 40


def test_it_goes_on_where_it_was(run, place):
    first = run("reproduce", *place, "--quick", "--json").json
    assert [cell["games"] for cell in first["cells"]] == [4, 4]
    whole = run("reproduce", *place, "--json").json
    assert [cell["games"] for cell in whole["cells"]] == [40, 40]
    assert [cell["run"] for cell in whole["cells"]] == [cell["run"] for cell in first["cells"]]


def test_without_a_name_the_experiments_are_listed(run):
    assert "latrunculi/6.2" in run("reproduce").out.splitlines()
    answer = run("reproduce", "latrunculi/62")
    assert answer.code == 2 and "did you mean 'latrunculi/6.2'" in answer.err
