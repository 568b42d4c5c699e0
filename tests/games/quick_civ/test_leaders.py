"""Leaders play in their own styles, and levels are in the order of their strength."""

from __future__ import annotations

import collections
import functools

import pytest

from spielbaum.agents import make, own_agents, resolve
from spielbaum.games.quick_civ.players.leaders import LEADERS, LEVELS
from spielbaum.games.quick_civ.rules import WAIT
from spielbaum.games.quick_civ.tables import BUILDINGS, KINDS
from spielbaum.web import catalogue
from tests.games.quick_civ.matches import civ

SEEDS, ROUNDS = (31, 32), 60


@functools.cache
def builds() -> dict[str, collections.Counter[str]]:
    """What each leader has built in the first rounds of some games of all four, by category and price."""
    found = {name: collections.Counter[str]() for name in LEADERS}
    for number, seed in enumerate(SEEDS):
        names = [*LEADERS][number:] + [*LEADERS][:number]
        state = civ(map=seed).new(seed)
        players = [make(name, state.game, 10 * seed + seat) for seat, name in enumerate(names)]
        while state.record.rounds < ROUNDS:
            seat = state.player
            action = players[seat].act(state)
            if action < WAIT:
                kind = BUILDINGS[action % KINDS]
                found[names[seat]].update([kind.category, kind.price])
            state.play(action)
    return found


def most(what: str | int) -> str:
    """The leader who has built the most of something."""
    return max(LEADERS, key=lambda name: builds()[name][what])


@pytest.mark.parametrize(
    ("leader", "what"), [("conqueror", "military"), ("merchant", "trade"), ("settler", "expansion")]
)
def test_each_leader_builds_most_of_what_it_is_known_for(leader, what):
    assert most(what) == leader


def test_the_builder_builds_the_least_for_war():
    assert min(LEADERS, key=lambda name: builds()[name]["military"]) == "builder"


def test_leaders_and_levels_differ_in_nothing_but_their_search():
    for name in (*LEADERS, *LEVELS):
        kind, values = resolve(name, civ())
        assert kind.name in ("mcts", "evolution") and values["seconds"] is None and values["iterations"] <= 20_000


def test_levels_stand_last_from_the_weakest_to_the_strongest():
    assert [*own_agents(civ())][-len(LEVELS) :] == [*LEVELS]
    found = [resolve(name, civ()) for name in LEVELS]
    budgets = [values["iterations"] for _, values in found]
    assert budgets == sorted(budgets)
    assert [kind.name for kind, _ in found] == ["mcts"] * 4 + ["evolution"] * 2


def test_leaders_and_levels_are_offered_in_both_languages():
    titles = {level["spec"]: level["title"] for level in catalogue.levels(civ())}
    assert all(titles[name]["en"] and titles[name]["de"] for name in (*LEADERS, *LEVELS))
    assert titles["settler"] == {"en": "Leif, the settler", "de": "Leif, der Siedler"}
