"""Every agent of every game can be asked the same: to act, to ponder, to stop, for its report and for its tree."""

from __future__ import annotations

import functools
import pathlib
import tempfile
import threading
import time
from typing import Any

import pytest

import spielbaum
from spielbaum import Game, SpielbaumError, State
from spielbaum.agents import Agent, StatelessAgent, agent_types, own_agents, resolve
from spielbaum.agents.pondering import pondering
from spielbaum.clock import Clock
from spielbaum.networks import files
from spielbaum.networks.net import random_weights
from spielbaum.search.report import SearchReport

PATIENCE = 300.0  # seconds after which something hangs

LONG = (("liars-dice", "cfr"),)  # solves a game of 300,000 positions first
SLOW = {  # to compile: general searches of large games, and a third and fourth network
    "amazons": ("minimax", "alphabeta", "hard"),
    "latrunculi": ("mcts", "minimax", "network", "policy"),
    "liars-dice": ("network", "policy"),
    "light-cycles": ("alphabeta", "minimax", "network", "policy"),
    "quick-civ": ("alphabeta", "evolution", "mcts", "memory", "memory-tuned", "minimax", "plan-then-search", "rave"),
    "spe-ed": ("alphabeta", "ismcts", "mcts", "minimax"),
}

loaded = functools.cache(spielbaum.load)


def everybody() -> list[tuple[str, str]]:
    """Each game with each of its agents: general and own kinds, policies, and those that it names."""
    agents = []
    for name in spielbaum.game.names():
        own = [
            each.name for each in agent_types(loaded(name)) if each.name != "human" and (name, each.name) not in LONG
        ]
        agents += [(name, spec) for spec in dict.fromkeys([*own, *own_agents(loaded(name))])]
    return agents


AGENTS = [
    pytest.param((name, spec), id=f"{name}-{spec}", marks=pytest.mark.slow if spec in SLOW.get(name, ()) else ())
    for name, spec in everybody()
]


def built(game: Game, spec: str, *, endless: bool = False) -> Agent:
    """An agent with a budget that is gone in no time, or with one that lasts as long as its parameters allow."""
    kind, values = resolve(spec, game)
    if values.get("net") == "" and kind.name in ("network", "policy"):  # none comes with the game
        values["net"] = random_net(game)
    budgets: dict[str, Any] = {"table": 1, "nodes": None} if kind.name == "alphabeta" else {}
    if "iterations" in values:
        budgets = {"seconds": 1000.0 if endless else None, "iterations": None if endless else 1000}
    elif "depth" in values:
        deepest = next(param.high for param in kind.params(game) if param.name == "depth")
        budgets |= {"depth": int(deepest or 0) if endless else 2}
        budgets |= {"seconds": None} if "seconds" in values else {}
    return kind.seat(game, values | budgets, 1)


@functools.cache
def random_net(game: Game) -> str:
    """The file of a net that has learned nothing."""
    path = pathlib.Path(tempfile.mkdtemp()) / f"{game.name}.npz"
    files.save(path, game, "8-8", random_weights(game, "8-8", 1))
    return str(path)


def position(game: Game, spec: str) -> State:
    """The first decision of a seat for which the agent is made."""
    state = game.new(1)
    while spec.startswith("det-") and state.player == 0:
        state.play(state.actions[0])
    return state


@pytest.fixture(params=AGENTS)
def seat(request) -> tuple[Game, str, State]:
    name, spec = request.param
    return loaded(name), spec, position(loaded(name), spec)


def test_an_agent_acts_reports_and_shows_its_tree(seat):
    game, spec, state = seat
    agent, view = built(game, spec), state.view(state.player)
    assert agent.report() is None
    with pytest.raises(SpielbaumError, match="no tree to look at"):
        agent.branch([], 1, 3)
    action = agent.act(view)
    assert action in state.actions
    if not isinstance(agent, StatelessAgent):
        report = agent.report(tree_nodes=5)
        assert isinstance(report, SearchReport) and report.action == action and report.tree is not None
        node, there = agent.branch([], 1, 3)
        assert node.children and there.player == state.player
        node, there = agent.branch([action], 1, 3)
        assert node.action == action
        if not game.chance and not game.hidden:
            assert str(there) == str(state.copy().play(action))


def test_time_that_is_up_still_gets_a_legal_answer(seat):
    game, spec, state = seat
    agent = built(game, spec, endless=True)
    assert agent.act(state.view(state.player), Clock(deadline=time.monotonic() - 0.01)) in state.actions
    assert isinstance(agent, StatelessAgent) or isinstance(agent.report(), SearchReport)


def test_a_stop_from_another_thread_ends_an_endless_search(seat):
    game, spec, state = seat
    agent, begun, answers = built(game, spec, endless=True), threading.Event(), list[int]()
    view = state.view(state.player)
    thread = threading.Thread(target=lambda: answers.append(agent.act(view, watch=begun.set)), daemon=True)
    thread.start()
    if not isinstance(agent, StatelessAgent):
        assert begun.wait(PATIENCE)
    agent.stop()
    thread.join(PATIENCE)
    assert answers and answers[0] in state.actions
    assert isinstance(agent, StatelessAgent) or isinstance(agent.report(), SearchReport)


def test_pondering_ends_when_it_is_stopped_and_the_next_answer_is_legal(seat):
    game, spec, state = seat
    agent, me, state = built(game, spec), state.player, state.copy()
    state.play(agent.act(state.view(me)))
    with pondering(agent, state.view(me)):
        pass
    while not state.over and state.player != me:
        state.play(state.actions[0])
    assert state.over or agent.act(state.view(me)) in state.actions
