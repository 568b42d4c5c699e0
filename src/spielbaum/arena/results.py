"""The games of a run in columns, and what is counted in them.

A seat wins when its result is better than that of every other team, and draws when the best of the
others has the same. Where agents share out the seats between them (two of one, two of the other) each
is a group: it wins when the best seat is one of its own, and all else is the mean over its seats.

Where more than two play for themselves every seat has a place: one more than there are seats with a better result.
So who is alone in front wins, those who share the first place draw, and everybody else has lost.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from spielbaum.arena.clocks import TimeControl
from spielbaum.arena.game_batch import GameBatch, join
from spielbaum.arena.plan import Plan
from spielbaum.arena.single import Forfeit
from spielbaum.arena.stats import Pairs, Rating, Tally, TTest, bradley_terry, paired, plackett_luce, team_ratings
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
    metric_rows: np.ndarray | None = None  # int[games]: how many rounds of metrics
    outcomes: np.ndarray | None = None  # str[games]: how each game ended, where the game tells
    seconds_per_move: Sequence[float] = ()  # of each agent
    facts: Sequence[tuple[str, str]] = ()  # what else to say about the run: ("seed", "7")
    decisions: np.ndarray | None = None  # int[games, seats]
    grouped: bool = False  # agents have several seats each, and are to be compared by what they have together
    control: TimeControl | None = None
    late: np.ndarray | None = None  # int[games, seats]: how often each seat overstepped its time
    shares: Sequence[float] = ()  # of the points that each agent has among equals, where they are not all the same
    forfeits: Mapping[int, Forfeit] = field(default_factory=dict)  # who has forfeited a game and why, by its number
    numbers: np.ndarray | None = None  # int[games]: of the games in their run
    units: np.ndarray | None = None  # int[games]: the rotation of the seats that a game belongs to, -1 if incomplete
    rotation: int = 1  # how many games make a rotation
    same_opening: bool = False  # the games of a rotation begin with the same moves
    places: np.ndarray | None = None  # float[games, seats]: from 1; means for groups, None where there are two sides

    def __repr__(self) -> str:
        return f"<Results of {self.title}, {self.games} games: {', '.join(self.agents)}>"

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

    @functools.cached_property
    def ratings(self) -> list[Rating]:
        """How strong the agents are, best first."""
        return rate(self)

    def agent_tally(self, agent: int) -> Tally:
        """Wins, draws and losses of an agent; a game counts once for a team in which it has several seats."""
        return tally_of(self.points[(self.seats == agent) & self.once])

    @property
    def once(self) -> np.ndarray:
        """b[games, seats]: not where an earlier seat of the same team has the same agent."""
        first = np.ones(self.seats.shape, bool)
        for seat, team in enumerate(self.teams):
            for mate in range(seat):
                if self.teams[mate] == team:
                    first[:, seat] &= self.seats[:, seat] != self.seats[:, mate]
        return first

    @property
    def pairs(self) -> Pairs | None:
        """The scores of the first agent in pairs of games, where games come in pairs."""
        if not self.same_opening or self.rotation != 2 or len(self.seat_names) != 2 or not self.games:
            return None
        scores = self.by_unit(self.by_agent(self.points)[0])
        counts = np.bincount(np.round(4 * scores).astype(np.int64), minlength=5)
        return Pairs(tuple(counts.tolist())) if len(scores) else None

    def by_unit(self, values: np.ndarray) -> np.ndarray:
        """What there is in each game as means over whole rotations of the seats: those are alike and independent."""
        if self.units is None:
            return values
        whole = self.units >= 0
        sums = np.bincount(self.units[whole], values[whole])
        return sums / np.bincount(self.units[whole])

    def seat_tally(self, seat: int) -> Tally:
        return tally_of(self.points[:, seat])

    def against(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Points, games and draws of every agent against every other, from who finished ahead of whom."""
        size, teams, once = len(self.agents), self.teams or range(len(self.seat_names)), self.once
        points, games, draws = (np.zeros((size, size)) for _ in range(3))
        for one, own in enumerate(teams):
            for other, theirs in enumerate(teams):
                if own != theirs:
                    pair = self.seats[:, one], self.seats[:, other]
                    ahead = np.sign(self.returns[:, one] - self.returns[:, other])
                    met = once[:, one] & once[:, other]
                    np.add.at(points, pair, met * (ahead + 1) / 2)
                    np.add.at(games, pair, met)
                    np.add.at(draws, pair, met & (ahead == 0))
        return points, games, draws

    def agent_places(self, agent: int) -> np.ndarray | None:
        """The place of an agent in each of its games, on average over its seats."""
        return None if self.places is None else self.by_agent(self.places)[agent]

    def place_counts(self) -> np.ndarray | None:
        """int[agents, seats]: how often each agent's seats came in at each place; None also for groups."""
        if self.places is None or self.shares:
            return None
        counts = np.zeros((len(self.agents), len(self.seat_names)), np.int64)
        np.add.at(counts, (self.seats, self.places.astype(np.int64) - 1), 1)
        return counts

    def final(self, metric: str) -> list[np.ndarray] | None:
        """The values of a metric at the end of the games, by agent; None where they were not recorded."""
        last = self.last(metric)
        return None if last is None else self.by_agent(last)

    def last(self, metric: str) -> np.ndarray | None:
        """The values of a metric at the end of the games, float[games, seats]; None where they were not recorded."""
        if metric not in self.metric_names or self.metrics is None or self.metric_rows is None or not self.games:
            return None
        if not np.all(self.metric_rows):
            return None
        values: np.ndarray = self.metrics[np.cumsum(self.metric_rows) - 1, :, list(self.metric_names).index(metric)]
        return values

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
    metrics, metric_rows = results.metrics, results.metric_rows
    if metrics is not None and metric_rows is not None:
        seated = np.repeat(results.seats, metric_rows, axis=0)[:, :, None]
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
        places=None if results.places is None else np.stack(results.by_agent(results.places), axis=1),
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


def gather(plan: Plan, game: Game, batches: Iterable[GameBatch], facts: Sequence[tuple[str, str]] = ()) -> Results:
    """The games of some batches as results, in the order of their numbers."""
    whole = join(game, batches)
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
        metric_rows=whole.metric_rows if game.metrics else None,
        outcomes=whole.outcomes if game.has("outcome") else None,
        seconds_per_move=thinking_times(whole, len(plan.agents)),
        facts=[*facts, ("time", str(plan.control))] if plan.control else facts,
        decisions=whole.decisions,
        control=plan.control,
        late=whole.late,
        grouped=are_groups(plan, game),
        forfeits=dict(sorted(whole.forfeits.items())),
        numbers=whole.numbers,
        units=units_of(plan, whole.numbers),
        rotation=plan.cycle,
        same_opening=plan.opening > 0 or plan.paired,
        places=places_of(whole.returns) if has_places(game) else None,
    )


def units_of(plan: Plan, numbers: np.ndarray) -> np.ndarray:
    """int[n]: the rotation of the seats that each game belongs to, counted from 0; -1 where it is not complete."""
    group, turn = np.divmod(numbers, plan.games)
    rotation = group * (plan.games // plan.cycle + 1) + turn // plan.cycle
    begins = np.flatnonzero(np.diff(rotation, prepend=-1))
    sizes = np.diff(begins, append=len(rotation))
    whole = sizes == plan.cycle
    return np.repeat(np.where(whole, np.cumsum(whole) - 1, -1), sizes)


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
        rivals = [returns[:, other] for other in np.flatnonzero(teams != team)]
        best = functools.reduce(np.maximum, rivals) if rivals else 0.0
        points[:, seat] = (np.sign(returns[:, seat] - best) + 1) / 2
    return points


def has_places(game: Game) -> bool:
    """Whether more than two play, each for themselves."""
    return len(set(game.teams[: game.players].tolist())) == game.players > 2


def places_of(returns: np.ndarray) -> np.ndarray:
    """f8[n, seats]: the place of each seat, 1 and as many as have a better result.

    >>> places_of(np.array([[0.2, 1.0, 0.2, -1.0]])).tolist()
    [[2.0, 1.0, 2.0, 4.0]]
    """
    better = [np.sum(returns > seat[:, None], axis=1) for seat in returns.T]
    return 1.0 + np.stack(better, axis=1)


def thinking_times(batch: GameBatch, agents: int) -> list[float]:
    """Seconds per decision of each agent."""
    seats = batch.seats.ravel()
    seconds, decisions = (np.bincount(seats, each.ravel(), agents) for each in (batch.seconds, batch.decisions))
    return (seconds / np.maximum(decisions, 1)).tolist()  # type: ignore[no-any-return]


def compare(results: Results, one: int, other: int, values: Sequence[np.ndarray]) -> TTest:
    """The paired t-test of what two agents have in the games that they share, over whole rotations of the seats."""
    return paired(results.by_unit(values[one]), results.by_unit(values[other]))


def rate(results: Results) -> list[Rating]:
    """Elo where games have two sides, otherwise Plackett-Luce."""
    if in_teams(results):
        return rate_teams(results)[0]
    if results.sides == 2:
        return bradley_terry(results.agents, *results.against())
    teams = np.array(results.teams or range(len(results.seat_names)))
    sides = [np.flatnonzero(teams == team) for team in np.unique(teams)]
    games = (
        ([seats[side].tolist() for side in sides], [float(returns[side].mean()) for side in sides])
        for seats, returns in zip(results.seats, results.returns, strict=True)
    )
    return plackett_luce(results.agents, games)


def ranking(results: Results) -> list[int]:
    """The agents by their ratings, best first: the order of cross tables."""
    return [results.agents.index(rating.name) for rating in results.ratings]


def in_teams(results: Results) -> bool:
    """Whether games have two sides, and one of them several seats."""
    return results.sides == 2 and len(results.seat_names) > 2


def rate_teams(results: Results) -> tuple[list[Rating], float]:
    """Ratings in a game of two teams, and the p-value of all agents being equal."""
    teams = np.array(results.teams)
    first = teams == teams[0]
    shares = np.where(first, 1 / first.sum(), -1 / (~first).sum())
    table = np.stack([((results.seats == agent) * shares).sum(axis=1) for agent in range(len(results.agents))], axis=1)
    together = None
    if results.same_opening and results.units is not None:
        together = np.where(results.units < 0, results.games + np.arange(results.games), results.units)
        together = np.unique(together, return_inverse=True)[1]
    return team_ratings(results.agents, table, results.points[:, 0], together)
