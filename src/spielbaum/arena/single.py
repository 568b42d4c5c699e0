"""One game between agents: each sees what its seat may see, and only legal actions count.

An agent that raises or plays illegally forfeits the game. `sandbox` ends agents that exceed a limit of time.
"""

from __future__ import annotations

import operator
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from spielbaum.agents import Agent, make
from spielbaum.agents.human import NoAnswer
from spielbaum.agents.pondering import PonderingFailed, others_pondering
from spielbaum.arena.clocks import ON_TIME, Clocks, TimeControl, forfeited
from spielbaum.clock import Clock
from spielbaum.compile.link import prepared_seconds
from spielbaum.errors import IllegalAction, SpielbaumError
from spielbaum.game import Game, State, buffer_size
from spielbaum.kernels import policies
from spielbaum.params import whole_number
from spielbaum.rules import OPENING, SEEDS, TERMINAL, random_stream, seat_seed

STARTS = 8  # games that are begun to see whether chance has a hand in it
MOST_ACTIONS = 100_000  # a game that goes on longer is broken
LAST_SEED = SEEDS // 64 - 1  # of which every seat has one of its own
FORFEIT = "forfeit"  # the outcome of a game that a player has lost by breaking the rules of the arena
MOST_LETTERS = 200  # of an agent's own words

DecisionCallback = Callable[[int | None, list[int], float], None]
"""Takes the seat that decides next, all actions so far, and how many seconds the last decision took."""


class Forfeit(NamedTuple):
    """The seat that forfeited a game, and the reason: `(1, "answered 7, which is not legal")`."""

    seat: int
    reason: str


class Unplayable(Exception):
    """An agent raised, or its answer is no legal action; the message says which."""


@dataclass(frozen=True)
class GameRecord:
    """A finished game: what is needed to replay it, its results and its times."""

    seed: int
    actions: list[int]
    returns: list[float]
    decisions: list[int] = field(default_factory=list)
    """How often each seat decided."""
    seconds: list[float] = field(default_factory=list, compare=False)
    """How long each seat thought."""
    metrics: np.ndarray | None = field(default=None, compare=False)
    """f8[rows, seats, metrics]: at the beginning of each round where asked for, and at the end."""
    outcome: str = ""
    """The kind of ending, for games that name kinds, and for games lost on time or by forfeit."""
    late: list[int] = field(default_factory=list, compare=False)
    """How often each seat exceeded its time. A move that loses on time is not played."""
    forfeit: Forfeit | None = None
    """The forfeit that ended the game, if one did."""


def make_agents(game: Game, specs: Sequence[str], seed: int) -> list[Agent]:
    """One agent per seat, each with a random stream of its own."""
    if len(specs) != game.players:
        raise SpielbaumError(f"{game.name} has {game.players} seats ({', '.join(game.seats)}), not {len(specs)}")
    seed = whole_number("seed", seed, 0, LAST_SEED)
    return [make(spec, game, seat_seed(seed, seat)) for seat, spec in enumerate(specs)]


def play_game(
    game: Game,
    agents: Sequence[Agent],
    seed: int = 0,
    watch: Callable[[State, int], None] | None = None,
    *,
    opening: int = 0,
    rounds: bool = False,
    control: TimeControl | None = None,
    on_decision: DecisionCallback | None = None,
) -> GameRecord:
    """Play one game to its end; `watch` is called with each position and the action chosen there.

    The first `opening` moves are random and take nothing. With `rounds` the game's metrics are recorded in every
    round; `control` limits everybody's time. `on_decision` is called before each decision, see `DecisionCallback`.
    """
    state = opened(game, seed, opening)
    actions = list(state.history or ())
    decisions, seconds = [0] * game.players, [0.0] * game.players
    clocks = None if control is None else Clocks(control, game.players)
    late_loser: int | None = None
    forfeit: Forfeit | None = None
    notes: list[np.ndarray] = []
    before, spent = TERMINAL, 0.0
    while not state.over:
        if len(actions) >= MOST_ACTIONS:
            raise SpielbaumError(f"{game.name} did not end within {MOST_ACTIONS} actions")
        player = state.player
        if rounds and (before == TERMINAL or begins_round(state, before)):
            notes.append(metrics_of(state))
        if on_decision is not None:
            on_decision(player, actions, spent)
        try:
            with others_pondering(agents, state):  # their end is not the mover's time
                clock = None if clocks is None else clocks.start(player)
                begin = thinking_clock()
                try:
                    action = ask(agents[player], state, clock)
                finally:
                    spent = thinking_clock() - begin
        except Unplayable as reason:
            forfeit = Forfeit(player, str(reason))
        except PonderingFailed as failed:
            forfeit = Forfeit(failed.seat, raised(failed.__cause__ or failed))
        seconds[player] += spent
        decisions[player] += 1
        if forfeit is not None:
            break
        if clocks is not None and clocks.stop(player, spent) and clocks.control.lose:
            late_loser = player
            break
        if watch is not None:
            watch(state, action)
        actions.append(action)
        state.play(action)
        before = player
    if game.metrics:
        notes.append(metrics_of(state))
    return GameRecord(
        seed=seed,
        actions=actions,
        returns=results(state, forfeit.seat if forfeit else late_loser),
        decisions=decisions,
        seconds=seconds,
        metrics=np.array(notes) if notes else None,
        outcome=FORFEIT if forfeit else state.outcome if late_loser is None else ON_TIME,
        late=[0] * game.players if clocks is None else clocks.late,
        forfeit=forfeit,
    )


def results(state: State, loser: int | None) -> list[float]:
    """The results of a game that has ended, or that a player has lost before its end."""
    return state.returns if loser is None else forfeited(state.game.teams[: state.game.players].tolist(), loser)


def cut_short(
    game: Game,
    seed: int,
    actions: Sequence[int],
    forfeit: Forfeit,
    seconds: Sequence[float],
    *,
    opening: int = 0,
    rounds: bool = False,
) -> GameRecord:
    """The record of a game that ends with a forfeit, rebuilt from the actions before it."""
    state, before = opened(game, seed, opening), TERMINAL
    decisions, notes = [0] * game.players, []
    for action in [*actions[len(state.history or ()) :], None]:
        if rounds and (before == TERMINAL or begins_round(state, before)):
            notes.append(metrics_of(state))
        before = state.player
        decisions[before] += 1
        if action is not None:
            state.play(action)
    if game.metrics:
        notes.append(metrics_of(state))
    return GameRecord(
        seed=seed,
        actions=list(state.history or ()),
        returns=results(state, forfeit.seat),
        decisions=decisions,
        seconds=list(seconds),
        metrics=np.array(notes) if notes else None,
        outcome=FORFEIT,
        late=[0] * game.players,
        forfeit=forfeit,
    )


def begins_round(state: State, before: int) -> bool:
    """Whether a round begins: all movers are asked again, or the turn has passed to a lower seat."""
    return state.asked == 0 if state.game.simultaneous else state.player < before


def thinking_clock() -> float:
    """A clock in seconds that stands still while kernels are compiled."""
    return time.perf_counter() - prepared_seconds()


def opened(game: Game, seed: int, plies: int) -> State:
    """A new game after some random moves that take nothing, fewer where the next one would end it."""
    state, rng = game.new(seed), random_stream(seed, OPENING)
    buffer, kernels = np.empty(buffer_size(game.module), np.int64), game.kernels.link(policies)
    for _ in range(plies):
        after = state.copy()
        action = int(kernels.opening(game.context, state.array, buffer, rng))
        if action == kernels.NO_OPENING or after.play(action).over:
            break
        state = after
    return state


def starts_alike(game: Game) -> bool:
    """Whether every game begins with the same position, so that only random moves make games differ."""
    first, *others = (game.new(seed).array.tobytes() for seed in range(STARTS))
    return all(other == first for other in others)


def metrics_of(state: State) -> np.ndarray:
    """f8[seats, metrics]: the game's metrics in a position."""
    game = state.game
    out = np.zeros((game.players, len(game.metrics)))
    for player in range(game.players):
        game.rules.metrics(game.context, state.record, player, out[player])
    return out


def ask(agent: Agent, state: State, clock: Clock | None = None) -> int:
    """The action that an agent chooses; Unplayable if it raises or answers no legal action."""
    try:
        answer = agent.act(state.view(state.player), clock)
    except NoAnswer:
        raise
    except (Exception, SystemExit) as error:
        raise Unplayable(raised(error)) from error
    try:
        action = operator.index(answer)
    except TypeError:
        raise Unplayable(f"answered {shortened(repr(answer))}, which is not an action") from None
    if action not in state.actions:
        raise Unplayable(f"answered {action}, which is not legal")
    return action


def raised(error: BaseException) -> str:
    """The reason of a forfeit by an error, in one line."""
    if isinstance(error, IllegalAction):
        return shortened(str(error))
    return shortened(f"raised {type(error).__name__}: {error}".removesuffix(": "))


def shortened(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= MOST_LETTERS else words[: MOST_LETTERS - 1] + "…"
