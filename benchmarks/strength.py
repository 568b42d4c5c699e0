"""Playing strength as a check of correctness: MCTS against OpenSpiel's, with the same simulations.

Two games, sides swapped, begin with the same random moves: equal players would repeat few games from one position.
"""

from __future__ import annotations

from typing import Any

from benchmarks.result import Result, open_spiel
from spielbaum.agents import Agent, make
from spielbaum.arena.single import opened
from spielbaum.arena.stats import Tally
from spielbaum.errors import SpielbaumError
from spielbaum.game import State, load

GAMES, SIMULATIONS, OPENING = 400, 1000, 4


def against_open_spiel() -> Result:
    """Our share of the points over games with sides swapped; the peer's value is its own share."""
    score = match_open_spiel(GAMES).score
    return Result("strength/connect-four", score, "score", "OpenSpiel MCTSBot (C++)", 1 - score)


def match_open_spiel(games: int) -> Tally:
    """Our wins, draws and losses; we have the first seat in the even ones."""
    pyspiel = open_spiel()
    if pyspiel is None:
        raise SpielbaumError("strength/connect-four needs OpenSpiel: install the extra 'bench'")
    results = [points(pyspiel, number) for number in range(games)]
    return Tally(results.count(1.0), results.count(0.5), results.count(0.0))


def points(pyspiel: Any, number: int) -> float:
    """1, 1/2 or 0 points for us in the game with this number; we have the first seat in the even ones."""
    game = load("connect-four")
    ours: Agent = make(f"mcts:iterations={SIMULATIONS},c=1.4", game, seed=number)
    peer_game = pyspiel.load_game("connect_four")
    evaluator = pyspiel.RandomRolloutEvaluator(1, number + 1)
    bot = pyspiel.MCTSBot(peer_game, evaluator, 1.4, SIMULATIONS, 1000, False, number + 1, False)
    return play(opened(game, number // 2, OPENING), ours, peer_game, bot, number % 2)


def play(state: State, ours: Agent, peer_game: Any, bot: Any, seat: int) -> float:
    """Our points of a game that goes on from a position."""
    peer_state = peer_game.new_initial_state()
    for action in state.history or ():
        peer_state.apply_action(action)
    while not state.over:
        action = ours.act(state) if state.player == seat else bot.step(peer_state)
        state.play(int(action))
        peer_state.apply_action(int(action))
    return (state.returns[seat] + 1) / 2
