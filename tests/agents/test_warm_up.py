"""What is in the cache, and how long it took to get there."""

from __future__ import annotations

import pathlib

import pytest

import spielbaum
from spielbaum.agents import warm_up
from spielbaum.agents.warm_up import CompileTarget, Time
from spielbaum.compile.cache import CACHE_VARIABLE
from tests.tiny import write_race


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))


def test_agents_whose_searches_have_the_same_structure_need_the_same(tmp_path):
    race = spielbaum.load(write_race(tmp_path))
    plain = warm_up.compile_target(race, "mcts:iterations=10")
    assert warm_up.compile_target(race, "mcts:seconds=3") == plain
    assert warm_up.compile_target(race, "mcts:select=puct") != plain
    assert warm_up.compile_target(race, "random").search != plain.search


def test_nobody_knows_what_an_agent_of_the_game_s_own_needs_that_is_no_search():
    straws = spielbaum.load(pathlib.Path(__file__).parents[1] / "small" / "straws.py")
    assert warm_up.compile_target(straws, "sleeper") is None
    assert warm_up.compile_target(straws, "bold") is not None
    thesis = warm_up.compile_target(spielbaum.load("latrunculi"), "thesis:depth=2")
    assert thesis is not None


def test_an_edited_game_needs_something_else_but_is_known_by_its_name(tmp_path):
    before = warm_up.compile_target(spielbaum.load(write_race(tmp_path)), "random")
    warm_up.write_record(before, 4.5)
    edited = warm_up.compile_target(spielbaum.load(write_race(tmp_path, play="s.n += action")), "random")
    assert warm_up.is_warm(before) and not warm_up.is_warm(edited)
    assert warm_up.time_of(edited) == Time(4.5, 4.5)


def test_what_was_never_compiled_takes_about_as_long_as_others():
    new = CompileTarget("new", "mcts", "0" * 16)
    assert warm_up.time_of(new) == Time(warm_up.TYPICAL, None)
    for number, seconds in enumerate((3.0, 90.0, 5.0, None)):
        warm_up.write_record(CompileTarget("other", f"search {number}", f"{number}" * 16), seconds)
    assert warm_up.time_of(new) == Time(5.0, None)


def test_who_only_loads_keeps_the_time_of_who_compiled():
    compiled = CompileTarget("game", "mcts", "1" * 16)
    warm_up.write_record(compiled, 6.0)
    warm_up.write_record(compiled, None)
    assert warm_up.time_of(compiled).last == 6.0


def test_a_record_that_can_not_be_read_says_nothing():
    spoilt = CompileTarget("game", "mcts", "2" * 16)
    spoilt.record.write_text("{")
    assert warm_up.time_of(spoilt) == Time(warm_up.TYPICAL, None)


def test_using_an_agent_is_noted(tmp_path):
    race = spielbaum.load(write_race(tmp_path, "used"))
    need, compiled = warm_up.warm(race, "random")
    assert compiled and warm_up.is_warm(need) and warm_up.time_of(need).last
    assert warm_up.warm(race, "random") == (need, 0)
