"""The job of a tuning run: the tuned agents, their opponents and the number of games; and what it will cost.

Every step, the test and the probe of how long a game takes have seeds of their own, all of which follow from the run's.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spielbaum.agents import freeze_spec, resolve, resolve_alias
from spielbaum.arena.executors import Worker, number_of
from spielbaum.arena.plan import SEED_BITS, Plan, make_plan, seatings
from spielbaum.arena.results import POINTS
from spielbaum.arena.single import starts_alike, thinking_clock
from spielbaum.arena.stats import detectable_elo
from spielbaum.errors import SpielbaumError, unknown
from spielbaum.game import Game, origin
from spielbaum.params import Value
from spielbaum.rules import FIRST_KEY, mix, mix_seed, stream_of
from spielbaum.tune import method
from spielbaum.tune.evolution import games_of
from spielbaum.tune.method import Batch, Task, Trial
from spielbaum.tune.space import Species, concerns, species

GAMES = 2000  # unless told otherwise
OPENING = 4  # random moves, where games would begin alike
TEST_SHARE, LEAST_TEST = 0.25, 400
MOST_SEATINGS = 6
PROBE_SECONDS = 1.0
FITNESS = {
    "wins": "wins, a draw as half of one",
    "result": "the mean result, from a loss to a win",
    "points": "points, as a share of the best in each game",
}
STEP, TEST, PROBE = 0x57E9, 0x7E57, 0x9B0B  # keep the seeds of these apart


@dataclass(frozen=True)
class Job:
    """All that decides a tuning run."""

    game: Game
    species: tuple[Species, ...]
    method: str
    pool: tuple[str, ...]
    """The fixed opponents; the agent as given where none was named."""
    meet: bool
    """Whether tuned agents may play each other."""
    games: int
    seed: int = 0
    opening: int = 0
    seat: str = ""
    """The seats of the tuned agent, where sides differ."""
    test_games: int = 0
    fitness: str = "wins"
    """What is maximised, one of FITNESS."""
    options: Mapping[str, Value] = dataclasses.field(default_factory=dict)
    """Of the method."""
    earlier: tuple[int, ...] = ()
    """How many games there were to be, in all, before the run was made longer."""

    @property
    def stages(self) -> tuple[int, ...]:
        """How many games there are in all at the end of each part of the run."""
        return (*self.earlier, self.games)

    @property
    def task(self) -> Task:
        """What a method is told."""
        return Task(
            self.species,
            self.stages[0],
            self.seed,
            pool=len(self.pool),
            meet=self.meet,
            seats=self.game.players if self.meet else 2,
            pair=self.pair,
            options=self.options,
        )

    @property
    def pair(self) -> int:
        """How many games make a fair meeting of two sides."""
        if not alike(self.game):
            return 1
        ways = len(seatings(self.shared_seats((0, 1))))
        return ways if ways <= MOST_SEATINGS else self.game.players

    def shared_seats(self, meeting: Sequence[int]) -> tuple[int, ...]:
        """Seats of each side: one per participant, half each for two sides, or by team where the sides differ."""
        players = self.game.players
        if not alike(self.game):
            teams = self.game.teams[:players].tolist()
            own = {teams[seat] for seat in self.game.seated({self.seat: ""})}
            return tuple(meeting[0] if team in own else meeting[1] for team in teams)
        if len(meeting) == players:
            return tuple(meeting)
        half = players // 2
        return (meeting[0],) * half + (meeting[1],) * (players - half)

    def settings(self, steps: int) -> dict[str, Any]:
        """What the store keeps: two runs with the same settings are the same."""
        return {
            "method": self.method,
            "game": origin(self.game),
            "options": dict(self.game.options),
            "agents": [each.given for each in self.species],
            "against": [] if self.meet else list(self.pool),
            "seed": self.seed,
            "seat": self.seat,
            "opening": self.opening,
            "fitness": self.fitness,
            "parameters": [parameter._asdict() for each in self.species for parameter in each.parameters()],
            "method_options": dict(self.options),
            "steps": steps,
            "games": self.games,
            "test_games": self.test_games,
            **({"earlier": list(self.earlier)} if self.earlier else {}),
        }


def prepare(
    game: Game,
    agents: Sequence[str],
    *,
    vary: Sequence[str] = (),
    against: Sequence[str] = (),
    name: str = "ntbea",
    games: int | None = None,
    seed: int = 0,
    seat: str = "",
    opening: int | None = None,
    test_games: int | None = None,
    options: Mapping[str, Value] | None = None,
    maximise: str | None = None,
) -> Job:
    """A job that can be played. SpielbaumError names what is wrong with it, before the first game."""
    method.module_of(name)
    if not agents:
        raise SpielbaumError("nothing to tune; name an agent with --agent")
    agents, against = [resolve_alias(spec, game) for spec in agents], [freeze_spec(spec, game) for spec in against]
    names = [resolve(spec, game)[0].name for spec in agents] + [spec.partition(":")[0] for spec in agents]
    kinds = [
        species(game, spec, [text for text in vary if concerns(text, names, spec.partition(":")[0])]) for spec in agents
    ]
    for spec in against:
        if resolve(spec, game)[0].name == "human":
            raise SpielbaumError("a person can't be the opponent of a tuner; name an agent with --against")
    if game.players < 2:
        raise SpielbaumError(f"{game.name} is for one player; a tuner needs somebody to win against")
    if alike(game) == bool(seat):
        told = "leave --seat out" if seat else f"say with --seat which are tuned: {', '.join(seat_names(game))}"
        raise SpielbaumError(f"the sides of {game.name} are {'alike' if seat else 'played differently'}; {told}")
    if seat:
        game.seated({seat: ""})
    if not alike(game) and not against:
        raise SpielbaumError(f"the sides of {game.name} are played differently; name an opponent with --against")
    meet = alike(game) and not against and name in ("evolution", "spsa") and (name == "evolution" or game.players == 2)
    if opening is None:
        opening = OPENING if not game.chance and starts_alike(game) else 0
    fitness = fitness_of(game, maximise, share=name == "evolution" and meet)
    job = Job(
        game, tuple(kinds), name, tuple(against or agents[:1]), meet, games or GAMES, seed, opening, seat,
        0, fitness, dict(options or {}),
    )  # fmt: skip
    if name == "evolution" and (games is None or "generations" in job.options):
        job = dataclasses.replace(job, games=games_of(job.task))
    tests = max(LEAST_TEST, int(TEST_SHARE * job.games)) if test_games is None else test_games
    job = dataclasses.replace(job, test_games=tests)
    method.create(name, job.task)  # refuses what it can't do
    return job


def fitness_of(game: Game, maximise: str | None, share: bool) -> str:
    """What is maximised: as told, else wins, or points where several `share` a game and it has them."""
    if maximise is None:
        return "points" if share and POINTS in game.metrics else "wins"
    if maximise not in FITNESS:
        raise unknown("value of --maximise:", maximise, FITNESS)
    if maximise == "points" and POINTS not in game.metrics:
        raise SpielbaumError(
            f"{game.name} counts no points (METRICS has no {POINTS!r}); give --maximise wins or result"
        )
    return maximise


def alike(game: Game) -> bool:
    """Whether everybody may sit anywhere: nobody is in a team, and the sides are played alike."""
    return game.rotates and len(set(game.teams[: game.players].tolist())) == game.players


def seat_names(game: Game) -> list[str]:
    return [*game.seat_groups, *(seat for seat in game.seats if not any(seat in g for g in game.seat_groups.values()))]


def cost(job: Job, workers: str) -> dict[str, float]:
    """What it will take: measured seconds of a game between agents as given, and what so many games can tell."""
    seconds = seconds_per_game(job)
    processes = (os.cpu_count() or 1) if workers.startswith("ray") else min(number_of(workers), os.cpu_count() or 1)
    return {
        "games": job.games,
        "test_games": job.test_games,
        "seconds_per_game": seconds,
        "seconds": (job.games + job.test_games) * seconds / processes,
        "detectable_elo": detectable_elo(job.games),
        "test_detectable_elo": detectable_elo(job.test_games),
    }


def seconds_per_game(job: Job) -> float:
    """How long a game takes here, from a few that nobody counts."""
    trials = [Trial(number, each.start) for number, each in enumerate(job.species)]
    sides = tuple(number % len(trials) for number in range(job.game.players)) if len(trials) > 1 else (0, ~0)
    many = len(sides) == 2 or len(trials) == 1
    meeting = sides if many else tuple(sides[: job.game.players])
    if not many:
        trials, meeting = [trials[side] for side in sides], tuple(range(job.game.players))
    plan = plan_of(job, Batch(trials, [meeting], 1000), seed_of(job.seed, PROBE, 0))
    worker = Worker(plan)
    try:
        begin, played = thinking_clock(), 0
        while played < 1 or (thinking_clock() - begin < PROBE_SECONDS and played < 500):
            worker.play(np.arange(played, 2 * played + 1))
            played = 2 * played + 1
        return (thinking_clock() - begin) / played
    finally:
        worker.close()


def games_in(minutes: float, seconds: float, workers: str) -> tuple[int, int]:
    """How many games fit into some minutes, for the search and for the test."""
    processes = (os.cpu_count() or 1) if workers.startswith("ray") else min(number_of(workers), os.cpu_count() or 1)
    whole = 60 * minutes * processes / seconds
    tests = int(whole * TEST_SHARE / (1 + TEST_SHARE))
    return max(2, int(whole) - tests), tests


def plan_of(job: Job, batch: Batch, seed: int) -> Plan:
    """The games of a step as a plan of the arena's."""
    agents = [job.species[trial.species].spec(trial.values) for trial in batch.trials]
    opponents = sorted({~side for meeting in batch.meetings for side in meeting if side < 0})
    places = {~opponent: len(agents) + place for place, opponent in enumerate(opponents)}
    agents += [job.pool[opponent] for opponent in opponents]
    groups = [job.shared_seats([places.get(side, side) for side in meeting]) for meeting in batch.meetings]
    return make_plan(
        job.game,
        agents,
        batch.games,
        seed,
        groups=groups,
        rotate=alike(job.game),
        opening=job.opening,
        paired=batch.games > 1,
    )


def seed_of(seed: int, kind: int, number: int) -> int:
    """A seed that follows from the run's, for one purpose."""
    key = mix(mix_seed(FIRST_KEY, seed), kind)
    words: np.ndarray = stream_of(mix(np.full(1, key), np.array([number])))
    return int((words >> SEED_BITS)[0])
