"""What is in the cache, and how long it took to get there."""

from __future__ import annotations

import pathlib

import pytest

import spielbaum
from spielbaum import warmth
from spielbaum.cache import CACHE_VARIABLE
from spielbaum.warmth import Need, Time
from tests.tiny import write_race


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))


def test_agents_whose_searches_have_the_same_structure_need_the_same(tmp_path):
    race = spielbaum.load(write_race(tmp_path))
    plain = warmth.need(race, "mcts:iterations=10")
    assert warmth.need(race, "mcts:seconds=3") == plain
    assert warmth.need(race, "mcts:select=puct") != plain
    assert warmth.need(race, "random").search != plain.search


def test_nobody_knows_what_an_agent_of_the_game_s_own_needs_that_is_no_search():
    straws = spielbaum.load(pathlib.Path(__file__).parent / "small" / "straws.py")
    assert warmth.need(straws, "sleeper") is None
    assert warmth.need(straws, "bold") is not None
    thesis = warmth.need(spielbaum.load("latrunculi"), "thesis:depth=2")
    assert thesis is not None


def test_an_edited_game_needs_something_else_but_is_known_by_its_name(tmp_path):
    before = warmth.need(spielbaum.load(write_race(tmp_path)), "random")
    warmth.write_note(before, 4.5)
    edited = warmth.need(spielbaum.load(write_race(tmp_path, play="s.n += action")), "random")
    assert warmth.is_warm(before) and not warmth.is_warm(edited)
    assert warmth.time_of(edited) == Time(4.5, 4.5)


def test_what_was_never_compiled_takes_about_as_long_as_others():
    new = Need("new", "mcts", "0" * 16)
    assert warmth.time_of(new) == Time(warmth.TYPICAL, None)
    for number, seconds in enumerate((3.0, 90.0, 5.0, None)):
        warmth.write_note(Need("other", f"search {number}", f"{number}" * 16), seconds)
    assert warmth.time_of(new) == Time(5.0, None)


def test_who_only_loads_keeps_the_time_of_who_compiled():
    compiled = Need("game", "mcts", "1" * 16)
    warmth.write_note(compiled, 6.0)
    warmth.write_note(compiled, None)
    assert warmth.time_of(compiled).last == 6.0


def test_a_note_that_can_not_be_read_says_nothing():
    spoilt = Need("game", "mcts", "2" * 16)
    spoilt.note.write_text("{")
    assert warmth.time_of(spoilt) == Time(warmth.TYPICAL, None)


def test_using_an_agent_is_noted(tmp_path):
    race = spielbaum.load(write_race(tmp_path, "used"))
    need, compiled = warmth.warm(race, "random")
    assert compiled and warmth.is_warm(need) and warmth.time_of(need).last
    assert warmth.warm(race, "random") == (need, 0)
