"""Matches: as many agents as there are seats, for as many games as it takes."""

from __future__ import annotations

import pathlib
import re
from collections.abc import Iterable, Mapping, Sequence

from spielbaum.arena.clocks import TimeControl
from spielbaum.arena.plan import make_plan
from spielbaum.arena.run import Run, Watch, play
from spielbaum.arena.stats import Sprt
from spielbaum.arena.store import Store, opened
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game, load
from spielbaum.params import Value

PAIRED_OPENING = 2  # random moves that each pair of games of a sequential test begins with


def match(
    game: str | pathlib.Path | Game,
    agents: Sequence[str],
    games: int,
    seed: int = 0,
    *,
    counts: Sequence[int] = (),
    options: Mapping[str, Value] | None = None,
    rotate: bool | None = None,
    opening: int | None = None,
    rounds: bool = False,
    sprt: Sprt | None = None,
    control: TimeControl | None = None,
    move_limit: float | None = None,
    strict: bool = False,
    workers: str | int = 1,
    store: Store | str | pathlib.Path | None = None,
    resume: bool = False,
    watch: Watch | None = None,
) -> Run:
    """Play a match between agents, given in the order of the seats that they begin in.

    Seats rotate unless told otherwise, by `rotate` or by the game. With `counts` each agent has so many seats, and
    is compared with the others by what it has in them together. `control` limits everybody's time.

    An agent that raises, plays illegally or exceeds `move_limit` seconds forfeits the game; with `strict` the match
    stops instead.

    >>> run = match("tic-tac-toe", ["mcts:iterations=50", "random"], games=40, seed=7)
    >>> run.games, run.results.agent_tally(0).score > 0.5
    (40, True)
    """
    played = game if isinstance(game, Game) else load(game, **(options or {}))
    if opening is None:
        opening = PAIRED_OPENING if sprt else 0
    rotate = played.rotates if rotate is None else rotate
    groups = [seats_of(played, agents, counts)] if counts else []
    plan = make_plan(
        played,
        agents,
        games,
        seed,
        groups=groups,
        rotate=rotate,
        opening=opening,
        rounds=rounds,
        control=control,
        move_limit=move_limit,
    )
    with opened(store) as kept:
        return play(plan, workers=workers, store=kept, resume=resume, sprt=sprt, watch=watch, strict=strict)


def parse_groups(given: Iterable[str]) -> tuple[list[int], list[str]]:
    """How many seats there are for which agent; a comma before a count ends a specification.

    >>> parse_groups(["2*mcts:c=1,iterations=5,1*random", "1*greedy"])
    ([2, 1, 1], ['mcts:c=1,iterations=5', 'random', 'greedy'])
    """
    counts, agents = [], []
    for text in (part for each in given for part in re.split(r",\s*(?=\d+\s*\*)", each)):
        count, star, agent = text.partition("*")
        if not star or not count.strip().isdecimal() or not int(count) or not agent.strip():
            raise SpielbaumError(
                f"agents {text!r} are not possible: COUNT*AGENT, such as 2*random,2*mcts:iterations=50"
            )
        counts.append(int(count))
        agents.append(agent.strip())
    return counts, agents


def seats_of(game: Game, agents: Sequence[str], counts: Sequence[int]) -> tuple[int, ...]:
    """The number of the agent in each seat, where each has so many of them, one after the other."""
    if len(counts) != len(agents) or min(counts) < 1:
        raise SpielbaumError(f"{len(agents)} agents need as many counts of seats from 1, not {list(counts)}")
    if sum(counts) != game.players:
        sums = f"{' + '.join(map(str, counts))} = {sum(counts)}" if len(counts) > 1 else str(counts[0])
        raise SpielbaumError(
            f"{game.name} has {game.players} seats ({', '.join(game.seats)}), and the agents take {sums}"
        )
    return tuple(agent for agent, count in enumerate(counts) for _ in range(count))
