"""The games of a run in columns, and what is counted in them.

A seat wins when its result is better than that of every other team, and draws when the best of the
others has the same. Where agents share out the seats between them (two of one, two of the other) each
is a group: it wins when the best seat is one of its own, and all else is the mean over its seats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from spielbaum.arena.block import Block, join
from spielbaum.arena.clocks import TimeControl
from spielbaum.arena.plan import Plan
from spielbaum.arena.stats import Rating, Tally, bradley_terry, plackett_luce
from spielbaum.game import Game

POINTS = "points"  # the metric that a t-test compares


@dataclass(frozen=True)
class Results:
    """The games of a run in columns, in the order in which they count.

    In a game of teams all seats of a team have the same number in `teams`; by default everybody stands alone.
    """

    title: str
    agents: Sequence[str]
    seat_names: Sequence[str]
    seats: np.ndarray  # int[games, seats]: the agent in each seat
    points: np.ndarray  # float[games, seats]: 1 a win, 1/2 a draw, 0 a loss
    returns: np.ndarray  # float[games, seats]: who finished ahead of whom
    lengths: np.ndarray  # int[games]: how many actions
    teams: Sequence[int] = ()
    metric_names: Sequence[str] = ()
    metrics: np.ndarray | None = None  # float[rounds of all games, seats, metrics]
    noted: np.ndarray | None = None  # int[games]: how many rounds of metrics
    outcomes: Sequence[str] = ()  # how each game ended, where the game tells
    seconds_per_move: Sequence[float] = ()  # of each agent
    facts: Sequence[tuple[str, str]] = ()  # what else to say about the run: ("seed", "7")
    decisions: np.ndarray | None = None  # int[games, seats]
    grouped: bool = False  # agents have several seats each, and are to be compared by what they have together
    control: TimeControl | None = None
    late: np.ndarray | None = None  # int[games, seats]: how often each seat overstepped its time
    shares: Sequence[float] = ()  # of the points that each agent has among equals, where they are not all the same

    @property
    def games(self) -> int:
        return len(self.seats)

    @property
    def sides(self) -> int:
        """How many sides a game has."""
        return len(set(self.teams)) if self.teams else len(self.seat_names)

    def even(self, agent: int) -> float:
        """The score of an agent among equals."""
        return self.shares[agent] if self.shares else 1 / self.sides

    def agent_tally(self, agent: int) -> Tally:
        """How an agent fared; a game counts once for a team of which it has several seats."""
        own = self.seats == agent
        for seat, team in enumerate(self.teams):
            mates = [other for other in range(seat) if self.teams[other] == team]
            own[:, seat] &= ~own[:, mates].any(axis=1)
        return tally_of(self.points[own])

    def seat_tally(self, seat: int) -> Tally:
        return tally_of(self.points[:, seat])

    def against(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Points, games and draws of every agent against every other, from who finished ahead of whom."""
        size, teams = len(self.agents), self.teams or range(len(self.seat_names))
        points, games, draws = (np.zeros((size, size)) for _ in range(3))
        for one, own in enumerate(teams):
            for other, theirs in enumerate(teams):
                if own != theirs:
                    pair = self.seats[:, one], self.seats[:, other]
                    ahead = np.sign(self.returns[:, one] - self.returns[:, other])
                    np.add.at(points, pair, (ahead + 1) / 2)
                    np.add.at(games, pair, 1)
                    np.add.at(draws, pair, ahead == 0)
        return points, games, draws

    def final(self, metric: str) -> list[np.ndarray] | None:
        """The values of a metric at the end of the games, by agent; None where they were not noted."""
        if metric not in self.metric_names or self.metrics is None or self.noted is None or not np.all(self.noted):
            return None
        last = self.metrics[np.cumsum(self.noted) - 1, :, list(self.metric_names).index(metric)]
        return self.by_agent(last)

    def by_agent(self, values: np.ndarray) -> list[np.ndarray]:
        """What the seats have in each game as what each agent has in each of its games, on average over its seats."""
        means = []
        for agent in range(len(self.agents)):
            own = self.seats == agent
            games = own.any(axis=1)
            means.append(np.where(own, values, 0).sum(axis=1, dtype=float)[games] / own.sum(axis=1)[games])
        return means

    @property
    def compared(self) -> tuple[str, list[np.ndarray]]:
        """What a t-test compares, by agent: points where the game has them, otherwise its results."""
        points = self.final(POINTS)
        return ("return", self.by_agent(self.returns)) if points is None else (POINTS, points)


def by_group(results: Results) -> Results:
    """The same games with a group in place of its seats; the same results where agents are no groups."""
    if not results.grouped or not results.games:
        return results
    agents = range(len(results.agents))
    own = [results.seats == agent for agent in agents]
    metrics, noted = results.metrics, results.noted
    if metrics is not None and noted is not None:
        seated = np.repeat(results.seats, noted, axis=0)[:, :, None]
        metrics = np.stack([np.mean(metrics, axis=1, dtype=float, where=seated == agent) for agent in agents], axis=1)
    return replace(
        results,
        seat_names=results.agents,
        seats=np.tile(agents, (results.games, 1)),
        points=np.stack([best_seat(results.returns, mine) for mine in own], axis=1),
        returns=np.stack(results.by_agent(results.returns), axis=1),
        teams=(),
        metrics=metrics,
        decisions=None if results.decisions is None else np.stack(results.by_agent(results.decisions), axis=1),
        late=None
        if results.late is None
        else np.stack([np.where(m, results.late, 0).sum(axis=1) for m in own], axis=1),
        grouped=False,
        shares=[float(np.mean(mine)) for mine in own],
    )


def best_seat(returns: np.ndarray, own: np.ndarray) -> np.ndarray:
    """f8[n]: 1 where the best seat is one's own, 1/2 where the others have one as good, 0 where theirs is better.

    >>> best_seat(np.array([[1.0, -1.0, 0.0], [0.5, 0.5, 0.0]]), np.array([[True, False, True]] * 2)).tolist()
    [1.0, 0.5]
    """
    ours, theirs = (np.where(seats, returns, -np.inf).max(axis=1) for seats in (own, ~own))
    return np.asarray((np.sign(ours - theirs) + 1) / 2)


def are_groups(plan: Plan, game: Game) -> bool:
    """Whether agents with several seats are groups; a team that always sits together is a side of the game."""
    teams = game.teams[: game.players].tolist()
    alone = len(set(teams)) == len(teams)
    return plan.shared and len(plan.agents) > 1 and (plan.rotate or alone)


def tally_of(points: np.ndarray) -> Tally:
    wins, losses = int(np.sum(points >= 1)), int(np.sum(points <= 0))
    return Tally(wins, points.size - wins - losses, losses)


def gather(plan: Plan, game: Game, blocks: Iterable[Block], facts: Sequence[tuple[str, str]] = ()) -> Results:
    """The games of some blocks as results; the blocks are light or in the order of the games' numbers."""
    whole = join(game, blocks)
    teams = game.teams[: game.players]
    return Results(
        title=game.title,
        agents=labels(plan.agents),
        seat_names=game.seats,
        seats=whole.seats.astype(np.int64),
        points=points_of(whole.returns, teams),
        returns=whole.returns,
        lengths=whole.lengths,
        teams=teams.tolist(),
        metric_names=game.metrics,
        metrics=whole.metrics if game.metrics else None,
        noted=whole.noted if game.metrics else None,
        outcomes=list(map(str, whole.outcomes)) if game.has("outcome") else (),
        seconds_per_move=thinking_times(whole, len(plan.agents)),
        facts=[*facts, ("time", str(plan.control))] if plan.control else facts,
        decisions=whole.decisions,
        control=plan.control,
        late=whole.late,
        grouped=are_groups(plan, game),
    )


def labels(specs: Sequence[str]) -> list[str]:
    """A name for each agent; the second one of two that are the same is `random (2)`.

    >>> labels(["mcts", "random", "random"])
    ['mcts', 'random', 'random (2)']
    """
    seen: Counter[str] = Counter()
    names = []
    for spec in specs:
        seen[spec] += 1
        names.append(f"{spec} ({seen[spec]})" if seen[spec] > 1 else spec)
    return names


def points_of(returns: np.ndarray, teams: np.ndarray) -> np.ndarray:
    """f8[n, seats]: 1 for a win, 1/2 for a draw and 0 for a loss.

    >>> points_of(np.array([[1.0, -1.0], [0.0, 0.0]]), np.array([0, 1])).tolist()
    [[1.0, 0.0], [0.5, 0.5]]
    """
    points = np.empty(returns.shape)
    for seat, team in enumerate(teams):
        others = returns[:, teams != team]
        best = others.max(axis=1) if others.shape[1] else np.zeros(len(returns))
        points[:, seat] = (np.sign(returns[:, seat] - best) + 1) / 2
    return points


def thinking_times(block: Block, agents: int) -> list[float]:
    """Seconds per decision of each agent."""
    seconds, decisions = np.zeros(agents), np.zeros(agents)
    np.add.at(seconds, block.seats, block.seconds)
    np.add.at(decisions, block.seats, block.decisions)
    return (seconds / np.maximum(decisions, 1)).tolist()  # type: ignore[no-any-return]


def rate(results: Results) -> list[Rating]:
    """Elo where games have two sides, otherwise Plackett-Luce."""
    if results.sides == 2:
        return bradley_terry(results.agents, *results.against())
    teams = np.array(results.teams or range(len(results.seat_names)))
    sides = [np.flatnonzero(teams == team) for team in np.unique(teams)]
    games = (
        ([seats[side].tolist() for side in sides], [float(returns[side].mean()) for side in sides])
        for seats, returns in zip(results.seats, results.returns, strict=True)
    )
    return plackett_luce(results.agents, games)
