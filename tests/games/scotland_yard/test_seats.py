"""Seats of Scotland Yard: an agent for all detectives, and others for single ones."""

from __future__ import annotations

import pytest

import spielbaum
from spielbaum.arena import match
from spielbaum.cli import main
from spielbaum.errors import SpielbaumError


def test_a_group_of_seats_takes_one_agent_and_single_seats_override_it():
    game = spielbaum.load("scotland-yard", players=4)
    assert game.seats == ("mrx", "detective-1", "detective-2", "detective-3")
    given = {"detective-2": "random", "mrx": "safepath", "detectives": "greedy-bool-1"}
    assert game.seated(given) == {0: "safepath", 1: "greedy-bool-1", 2: "random", 3: "greedy-bool-1"}


def test_the_group_is_shown_with_the_game(capsys):
    assert main(("games", "scotland-yard")) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "seat detectives: all of detective-1, detective-2, detective-3, detective-4, detective-5" in shown


def test_an_unknown_seat_is_told_with_the_groups():
    with pytest.raises(SpielbaumError, match="unknown seat 'detective' for scotland-yard; did you mean 'detectives'"):
        spielbaum.load("scotland-yard").seated({"detective": "random"})


def test_detectives_that_are_alike_count_as_one_agent_and_stay_in_their_seats():
    run = match("scotland-yard", ["random", *["greedy-bool-1"] * 5], games=40)
    assert run.results.agents == ["random", "greedy-bool-1"]
    assert [run.results.agent_tally(agent).games for agent in (0, 1)] == [40, 40]
    assert set(map(tuple, run.results.seats.tolist())) == {(0, 1, 1, 1, 1, 1)}
