"""Tables for people: readable in any terminal."""

from __future__ import annotations

import contextlib
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielbaum.cli.output import print_lists, print_table

COLUMNS = ("agent", "wins", "score", "95 % interval", "time per move")
ROWS = [("mcts:iterations=500", "1,134", "56.7 %", "54.5 % … 58.9 %", "1.58 ms"), ("random", "9", "1 %", "", "2 ns")]


@pytest.mark.parametrize("width", [12, 24, 40, 60, 120])
def test_words_are_whole_at_any_width(monkeypatch, capsys, width):
    monkeypatch.setenv("COLUMNS", str(width))
    print_table(COLUMNS, ROWS, numbers=COLUMNS[1:])
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= width
    for word in ("agent", "wins", "1,134", "56.7", "interval", "54.5", "58.9", "random"):
        assert word in out.split() or (word == "agent" and width < 60)


def test_a_narrow_table_is_a_list_per_row(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "24")
    print_table(COLUMNS, ROWS)
    assert capsys.readouterr().out.splitlines()[:6] == [
        "mcts:iterations=500",
        "  wins 1,134",
        "  score 56.7 %",
        "  95 % interval 54.5 % …",
        "    58.9 %",
        "  time per move 1.58 ms",
    ]


@pytest.mark.parametrize("nonsense", ["", "0", "wide", "-3", "99999999999999999999"])
def test_a_width_that_is_none_does_not_count(monkeypatch, capsys, nonsense):
    monkeypatch.setenv("COLUMNS", nonsense)
    print_table(COLUMNS, ROWS)
    assert "95 % interval" in capsys.readouterr().out


@given(st.text(st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]), min_size=1))
def test_lists_lose_no_sign(cell):
    with contextlib.redirect_stdout(io.StringIO()) as written:
        print_lists(("first", "second"), [("it", cell)], 24)
    assert "".join(written.getvalue().split()) == f"itsecond{cell}"
