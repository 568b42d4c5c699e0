"""`spielbaum check`: verdicts and exit codes."""

from __future__ import annotations

import pytest

from spielbaum import testing
from spielbaum.testing import Verdict


@pytest.fixture
def laws(monkeypatch):
    """A function that sets what the laws say about any game."""

    def say(*verdicts: Verdict) -> None:
        monkeypatch.setattr(testing, "check", lambda game, **given: list(verdicts))

    return say


KEPT = Verdict("ends", "every game ends", "passed")
BROKEN = Verdict("distinct", "legal actions are distinct", "broken", "action 3 is offered twice", ("3", "4"), 7)
ELSEWHERE = Verdict("hide", "hide leaks nothing", "does not apply", "the game hides nothing")


def test_exit_code_is_0_when_no_law_is_broken(run, laws):
    laws(KEPT, ELSEWHERE)
    answer = run("check", "connect-four")
    assert answer.code == 0
    assert "every game ends" in answer.out and "the game hides nothing" in answer.out


def test_a_broken_law_says_how_to_see_it_again(run, laws):
    laws(KEPT, BROKEN)
    answer = run("check", "connect-four")
    assert answer.code == 1
    assert "action 3 is offered twice (seed 7, moves: 3 4)" in answer.out


def test_json_holds_all_verdicts(run, laws):
    laws(KEPT, BROKEN)
    answer = run("check", "connect-four", "--json", "--games", "3")
    assert answer.code == 1 and answer.json["games"] == 3
    assert [verdict["status"] for verdict in answer.json["verdicts"]] == ["passed", "broken"]


def test_there_are_sixty_seconds_unless_more_are_given(run, monkeypatch):
    given = []
    monkeypatch.setattr(testing, "check", lambda game, **asked: given.append(asked["seconds"]) or [KEPT])
    run("check", "connect-four")
    run("check", "connect-four", "--seconds", "5")
    assert given == [60.0, 5.0]


def test_connect_four_keeps_the_laws(run):
    assert run("check", "connect-four", "--games", "5").code == 0
