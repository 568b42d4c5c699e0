"""Nobody sees what their seat may not see: agents act on the view of the player to move, whatever they are given."""

from __future__ import annotations

import pathlib

import pytest

import spielbaum
from spielbaum import GameError
from spielbaum.agents import AgentType, StatelessAgent
from spielbaum.web.searches import limited_agent

SMALL = pathlib.Path(__file__).parents[1] / "small"
JACK, QUEEN, KING = range(3)


class Witness(StatelessAgent):
    """An agent that does not ask for views, and tells what it was shown."""

    def __init__(self, game, values, seed):
        self.shown = []

    def act(self, state, clock=None, *, watch=None):
        self.shown.append(state)
        return state.actions[0]

    def ponder(self, state, *, watch=None):
        self.shown.append(state)


WITNESS = AgentType("witness", "sees", lambda game: (), Witness)


@pytest.fixture
def pennies():
    return spielbaum.load(SMALL / "pennies.py")


def test_a_policy_that_would_peek_is_given_nothing_to_see(pennies):
    answers = {spielbaum.agent("peek", pennies).act(pennies.new().play(coin)) for coin in pennies.new().actions}
    assert len(answers) == 1


@pytest.mark.parametrize("spec", ["mcts:iterations=200", "ismcts:iterations=200", "hard", "random"])
def test_an_agent_answers_the_same_whatever_is_hidden_from_it(spec):
    poker = spielbaum.load("kuhn-poker")
    for seed in range(5):
        deals = [queen_against(poker, other).play("bet") for other in (JACK, KING)]
        assert len({spielbaum.agent(spec, poker, seed).act(state) for state in deals}) == 1


def queen_against(poker, other):
    """A game in which the second player holds the queen."""
    return next(state for state in map(poker.new, range(100)) if state.record.card.tolist() == [other, QUEEN])


def test_kinds_of_a_games_own_are_shown_views_too(pennies, monkeypatch):
    monkeypatch.setattr(pennies.module, "AGENT_TYPES", (WITNESS,), raising=False)
    agents = [spielbaum.agent("witness", pennies), limited_agent("witness", pennies, 0, 1).agent]
    state = pennies.new().play(0)
    for agent in agents:
        agent.act(state)
        agent.ponder(state.copy())
        assert [shown.array.tobytes() for shown in agent.shown] == [state.view(1).array.tobytes()] * 2
        assert all(shown.history is None and shown.rng[0] != state.rng[0] for shown in agent.shown)


def test_what_is_a_view_already_is_not_viewed_again(pennies):
    witness, view = WITNESS.seat(pennies, {}, 0), pennies.new().play(0).view(1)
    witness.act(view)
    witness.act(view.copy())
    assert witness.shown[0] is view and witness.shown[1] is not view
    assert view.copy().play(0).viewer is None


def test_an_agent_in_a_round_is_not_shown_what_was_chosen_before_it():
    goofspiel = spielbaum.load("goofspiel", cards=4)
    states = [goofspiel.new(1).play(card) for card in range(4)]
    for spec in ("mcts:iterations=100", "mcts:iterations=100,model=sequential", "greedy", "random", "matching"):
        assert len({spielbaum.agent(spec, goofspiel, 3).act(state) for state in states}) == 1


HIDELESS = (SMALL / "pennies.py").read_text().replace("def hide(", "def {name}(")


@pytest.mark.parametrize(
    "name, complaint",
    [
        ("hiden", "open: nobody asks for 'hiden'; did you mean 'hide'? (a name for yourself alone may begin with _)"),
        ("conceal", "open: determinize needs hide, which blanks what a player may not see"),
    ],
)
def test_a_game_that_fills_in_but_does_not_hide_is_refused_at_load(tmp_path, name, complaint):
    path = tmp_path / "open.py"
    path.write_text(HIDELESS.replace("{name}", name))
    with pytest.raises(GameError) as error:
        spielbaum.load(path)
    assert str(error.value) == complaint
