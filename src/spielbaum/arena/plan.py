"""The plan of a run: which agents meet, in which seats, with which seeds.

A game of a run is a function of the run's plan and the game's number alone, unless there are clocks. So it does not
matter who plays it, when, or beside how many others, and a run that was interrupted knows what is missing.
"""

from __future__ import annotations

import functools
import itertools
import json
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from spielbaum.agents import freeze_spec, resolve
from spielbaum.arena.clocks import TimeControl
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game, changed_options, load, origin
from spielbaum.params import Value, whole
from spielbaum.rules import FIRST_KEY, SEEDS, mix, mix_seed, stream_of
from spielbaum.text import quoted

CHANCE, AGENTS = 0x6A3E, 0xA6E7  # keeps what chance decides apart from what agents draw
SEED_BITS = np.uint64(16)  # dropped: 47 remain, which JSON and a kernel's int64 hold with room for the seats
MOST_GAMES = 2**32
MOST_OPENING = 1000


class Tasks(NamedTuple):
    """Some games of a run: their numbers, the seeds of chance and of agents, and the agents' seats."""

    numbers: np.ndarray  # i8[n]
    seeds: np.ndarray  # i8[n]
    agent_seeds: np.ndarray  # i8[n]
    seats: np.ndarray  # i8[n, seats]: the number of the agent in each seat


@dataclass(frozen=True)
class Plan:
    """Everything that determines the games of a run. `games` is the number for each group of agents."""

    game: str
    options: tuple[tuple[str, Value], ...]
    agents: tuple[str, ...]
    groups: tuple[tuple[int, ...], ...]
    games: int
    seed: int = 0
    rotate: bool = True
    opening: int = 0
    rounds: bool = False
    control: TimeControl | None = None
    move_limit: float | None = None
    """Seconds per decision; an agent that takes longer is killed and forfeits the game."""
    paired: bool = False
    """Whether games that differ only by seats share the seed of chance; with a random opening they always do."""

    @property
    def total(self) -> int:
        """The number of games."""
        return self.games * len(self.groups)

    @property
    def size(self) -> int:
        """The number of seats."""
        return len(self.groups[0])

    @property
    def cycle(self) -> int:
        """The length of a rotation: games in a row that seat every agent everywhere, in all ways if it has several."""
        if not self.rotate:
            return 1
        return len(self.orders) if self.shared else self.size

    @property
    def shared(self) -> bool:
        """Whether an agent has several seats."""
        return len(set(self.groups[0])) < self.size

    @property
    def orders(self) -> list[tuple[int, ...]]:
        """In which orders a group takes its seats, one after the other."""
        return seatings(self.groups[0]) if self.rotate else [tuple(range(self.size))]

    @property
    def lineup(self) -> list[str]:
        """The agents as the command line takes them: `2*random` for one with two seats."""
        counts = Counter(self.groups[0])
        return [f"{counts[agent]}*{spec}" if self.shared else spec for agent, spec in enumerate(self.agents)]

    def load(self) -> Game:
        """The game with its options set."""
        return load(self.game, **dict(self.options))

    def tasks(self, numbers: Iterable[int]) -> Tasks:
        """The games with these numbers."""
        index = np.fromiter(numbers, np.int64)
        group, turn = np.divmod(index, self.games)
        orders = np.array(self.orders)
        order = orders[turn % len(orders)]
        seats = np.take_along_axis(np.array(self.groups)[group], order, axis=1)
        shared = index - turn % self.cycle if self.opening or self.paired else index
        return Tasks(index, self.seeds(CHANCE, shared), self.seeds(AGENTS, index), seats)

    def seeds(self, kind: int, numbers: np.ndarray) -> np.ndarray:
        """i8[n]: the seeds of one kind for games with these numbers."""
        key = mix(mix_seed(FIRST_KEY, self.seed), kind)
        words: np.ndarray = stream_of(mix(np.full(len(numbers), key), numbers))
        return (words >> SEED_BITS).astype(np.int64)

    def with_groups(self, groups: Iterable[Sequence[int]]) -> Plan:
        """The same plan for more groups, whose games come after those of the first ones."""
        return replace(self, groups=tuple(map(tuple, groups)))

    def as_dict(self) -> dict[str, Any]:
        """The plan as plain data."""
        return asdict(self)

    def to_json(self) -> str:
        """The plan as text; equal plans have equal texts."""
        return json.dumps(self.as_dict(), sort_keys=True, ensure_ascii=False)

    @staticmethod
    def from_json(text: str) -> Plan:
        """The plan of such a text; ValueError, TypeError or KeyError if it is not one."""
        fields: dict[str, Any] = json.loads(text)
        require_sound(fields)
        for name in ("options", "groups"):
            fields[name] = tuple(map(tuple, fields[name]))
        control = TimeControl(**fields["control"]) if fields.get("control") else None
        return Plan(**{**fields, "agents": tuple(fields["agents"]), "control": control})


def require_sound(fields: dict[str, Any]) -> None:
    """Raise ValueError for fields that no plan has: a store may come from a stranger."""
    texts = (fields["game"], *fields["agents"], *(name for name, _ in fields["options"]))
    numbers = (
        fields["games"],
        fields["seed"],
        fields["opening"],
        *(agent for group in fields["groups"] for agent in group),
    )
    if not all(isinstance(text, str) for text in texts) or not all(type(number) is int for number in numbers):
        raise ValueError("a plan of other types")
    if not all(0 <= agent < len(fields["agents"]) for group in fields["groups"] for agent in group):
        raise ValueError("agents that the plan does not name")


@functools.cache
def seat_orders(size: int) -> list[tuple[int, ...]]:
    """All orders of so many agents; each `size` of them in a row put every agent into every seat once.

    >>> seat_orders(3)
    [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1), (2, 1, 0), (1, 0, 2)]
    """
    rings = [(0, *rest) for rest in itertools.permutations(range(1, size))]
    return [ring[shift:] + ring[:shift] for ring in rings for shift in range(size)]


@functools.cache
def seatings(group: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The orders that seat a group in different ways; all of them where no agent has two seats.

    >>> [[(0, 0, 1)[place] for place in order] for order in seatings((0, 0, 1))]
    [[0, 0, 1], [0, 1, 0], [1, 0, 0]]
    """
    different: dict[tuple[int, ...], tuple[int, ...]] = {}
    for order in seat_orders(len(group)):
        different.setdefault(tuple(group[place] for place in order), order)
    return list(different.values())


def make_plan(
    game: Game,
    agents: Sequence[str],
    games: int,
    seed: int = 0,
    *,
    groups: Iterable[Sequence[int]] = (),
    rotate: bool = True,
    opening: int = 0,
    rounds: bool = False,
    control: TimeControl | None = None,
    move_limit: float | None = None,
    paired: bool = False,
) -> Plan:
    """A plan that can be played. SpielbaumError names what is wrong with it, before the first game.

    Without `groups` the agents are those of the seats, in their order.
    """
    agents = [freeze_spec(spec, game) for spec in agents]
    for spec in agents:
        if resolve(spec, game)[0].name == "human":
            raise SpielbaumError("a person can't play in the arena; 'spielbaum play' is for people")
    chosen = tuple(map(tuple, groups)) or (tuple(range(len(agents))),)
    if not groups and not rotate and len(agents) == game.players:
        agents, chosen = team_agents(game, agents)
    if any(len(group) != game.players for group in chosen):
        raise SpielbaumError(f"{game.name} has {game.players} seats ({', '.join(game.seats)}), not {len(chosen[0])}")
    games = possible("games", games, 1, MOST_GAMES)
    seed, opening = possible("seed", seed, 0, SEEDS), possible("opening", opening, 0, MOST_OPENING)
    if move_limit is not None and not 0 < move_limit < math.inf:
        raise SpielbaumError(f"move-limit={move_limit:g} is not possible: seconds above 0")
    if rounds and not game.metrics:
        raise SpielbaumError(f"{game.name} has no metrics to record; a game names them in METRICS")
    return Plan(
        game=origin(game),
        options=changed_options(game),
        agents=tuple(agents),
        groups=chosen,
        games=games,
        seed=seed,
        rotate=rotate,
        opening=opening,
        rounds=rounds,
        control=control,
        move_limit=move_limit,
        paired=paired,
    )


def possible(name: str, given: object, low: int, high: int) -> int:
    """A whole number in a range; SpielbaumError for anything else."""
    number = whole(given)
    if number is None or not low <= number < high:
        raise SpielbaumError(f"{name}={quoted(given)} is not possible: a whole number below {high}")
    return number


def team_agents(game: Game, agents: Sequence[str]) -> tuple[list[str], tuple[tuple[int, ...]]]:
    """The agents of a match and their seats: equal agents of one team count as one agent."""
    keys = list(zip(game.teams.tolist(), agents, strict=False))
    known = list(dict.fromkeys(keys))
    return [spec for _, spec in known], (tuple(map(known.index, keys)),)
