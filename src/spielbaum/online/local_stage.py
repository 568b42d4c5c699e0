"""What goes on the Stage without a server of the game: recorded games, and games between agents in this process."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from spielbaum.agents import Agent, make
from spielbaum.game import Game, State
from spielbaum.games.spe_ed.cells import Rider, ridden
from spielbaum.games.spe_ed.lines import Line
from spielbaum.games.spe_ed.painting import painting
from spielbaum.games.spe_ed.tables import DIRECTIONS
from spielbaum.online.event_stream import ANSWERS, EventStream
from spielbaum.online.records import Record, game_of, names_of, play_round

THOUGHTS = 0.2  # seconds between two looks at what an agent thinks


def state_message(state: State) -> dict[str, Any]:
    """A state as the protocol tells it, with the number of the round."""
    t, s = state.game.tables, state.record
    assert state.history is not None
    players = {
        str(p + 1): {
            "x": int(s.x[p]),
            "y": int(s.y[p]),
            "direction": DIRECTIONS[s.direction[p]],
            "speed": int(s.speed[p]),
            "active": bool(s.died[p] == 0),
        }
        for p in range(t.players)
    }
    return {
        "width": int(s.width),
        "height": int(s.height),
        "cells": painting(t, s, state.history).cells,
        "players": players,
        "running": not state.over,
        "round": int(s.rounds),
    }


def recorded(record: Record) -> EventStream:
    """A recorded game; a record that stops in the middle of a game is shown as far as it goes."""
    state = game_of(record).new()
    names = names_of(record)
    stream = EventStream(", ".join(dict.fromkeys(names)), seats=(), names=names)
    stream.began = 0.0  # nobody knows when
    stream.show(state_message(state))
    for each in record["rounds"]:
        if not state.over:
            play_round(state, each["actions"])
            stream.show(state_message(state))
    stream.end()
    return stream


def think_through(record: Record, spec: str, player: int, stream: EventStream) -> None:
    """What an agent would have had in mind in a player's place, round after round of a recorded game."""
    state = game_of(record).new()
    agent = make(spec, state.game, 0)
    for each in record["rounds"]:
        if player not in state.movers:
            return
        seen = asked(state, player)
        agent.act(seen)
        stream.think(plans(agent, seen, player), player, int(state.record.rounds))
        play_round(state, each["actions"])


def asked(state: State, player: int) -> State:
    """A round in which it is a player's turn to choose; what the others choose is not seen."""
    one = state.copy()
    while one.player != player:
        one.play(ANSWERS.index("change_nothing"))
    return one.view(player)


def play_on_stage(
    game: Game, agents: Sequence[Agent], stream: EventStream, seed: int, pace: float, patience: float
) -> State:
    """Play a game between agents; a round takes at least `pace` seconds, and a person has `patience` for an answer."""
    state = game.new(seed)
    stream.show(state_message(state))
    while not state.over:
        begin = time.monotonic()
        for player in state.movers:
            state.play(choice(agents[player], state, player, stream, patience))
        time.sleep(max(0.0, begin + pace - time.monotonic()))
        stream.show(state_message(state))
    return state


def choice(agent: Agent, state: State, player: int, stream: EventStream, patience: float) -> int:
    """What an agent answers; or a person, who may come and go while it thinks."""
    view, last = state.view(player), time.monotonic()

    def watch() -> None:
        nonlocal last
        if stream.taken(player) is not None:
            agent.stop()
        if time.monotonic() - last > THOUGHTS:
            last = time.monotonic()
            stream.think(plans(agent, view, player), player)

    action = None
    if stream.taken(player) is None:
        action = agent.act(view, watch=watch)
        stream.think(plans(agent, view, player), player)
    answer = stream.wait(player, patience)
    return ANSWERS.index(answer) if answer is not None else agent.act(view) if action is None else action


def plans(agent: Agent, state: State, player: int) -> list[Line]:
    """What an agent has in mind: its own lines, or how often its search has tried each answer."""
    if hasattr(agent, "lines"):
        return list(agent.lines())
    report, s = agent.report(), state.record
    visits = sum(edge.visits for edge in report.edges) if report is not None else 0
    if report is None or not visits:
        return []
    rider = Rider(int(s.x[player]), int(s.y[player]), int(s.direction[player]), int(s.speed[player]))
    found = []
    for edge in report.edges:
        went = ridden(s, int(s.rounds) + 1, rider, edge.action)
        if went is not None:
            found.append(Line(player, [(rider.x, rider.y), (went[0].x, went[0].y)], edge.visits / visits))
    return found
