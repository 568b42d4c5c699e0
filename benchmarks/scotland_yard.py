"""Scotland Yard: whole games between players that do not plan, and one with a planning Mister X, six players each."""

from __future__ import annotations

import time

from benchmarks.result import Result, medians, rate
from spielbaum.agents import make
from spielbaum.arena import make_plan
from spielbaum.arena.kernel_runner import kernel_runner_for
from spielbaum.arena.single import play_game
from spielbaum.game import load

PLANNING = "mcts:iterations=2000,simulate=safepath/greedy-bool-1,decide=max,c=2.83"
THESIS_GAME = 98.0  # seconds, for the same with its program
THESIS_RATE = 185.0  # games/s, safepath against greedy-float-1


def games(mrx: str, detectives: str, number: int) -> Result:
    """Games per second of processor time."""
    game = load("scotland-yard")
    plan = make_plan(game, [mrx, *[detectives] * 5], number, rotate=False)
    runner = kernel_runner_for(plan, game)
    assert runner is not None
    tasks = plan.tasks(range(number))

    def play() -> float:
        return sum(map(len, runner.play(tasks)[0]))

    peer = ("the thesis", THESIS_RATE) if detectives == "greedy-float-1" else (None, None)
    return Result(f"scotland-yard/{mrx}-{detectives}", medians(lambda: rate(play))[0], "games/s", *peer)


def planning() -> Result:
    """Seconds of a whole game in which Mister X searches 2000 iterations a move, beside the thesis."""
    game = load("scotland-yard")

    def play(seed: int) -> float:
        agents = [make(PLANNING, game, seed), *(make("greedy-bool-1", game, seed + q) for q in range(1, 6))]
        begin = time.process_time()
        play_game(game, agents, seed)
        return time.process_time() - begin

    play(1)
    return Result("scotland-yard/planning", medians(lambda: play(2))[0], "s/game", "the thesis", THESIS_GAME)
