"""Pairings: which agents meet in each format of a tournament.

Agents are numbered from 0. Each function gives groups of agents that play one game together; the runner plays
every group in all orders of its seats, so the order within a group means nothing (it is ascending).

- *round-robin*: every possible group; where that is too many, a sample in which everybody plays equally often;
- *gauntlet*: the first agent in every group, against each combination of the others;
- *swiss*: round by round, equals meet equals; nobody meets the same opponent twice while that can be avoided.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from spielbaum.errors import SpielbaumError

Group = tuple[int, ...]

MOST_GROUPS = 1000
DEALS = 50  # tries to find groups that have not been dealt yet


def round_robin(agents: int, seats: int = 2, most: int = MOST_GROUPS, seed: int = 0) -> list[Group]:
    """All groups of agents, or a balanced sample of `most` where there are more.

    >>> round_robin(3)
    [(0, 1), (0, 2), (1, 2)]
    """
    need(agents, seats)
    if math.comb(agents, seats) <= most:
        return list(itertools.combinations(range(agents), seats))
    return balanced_sample(agents, seats, most, seed)


def gauntlet(agents: int, seats: int = 2, most: int = MOST_GROUPS, seed: int = 0) -> list[Group]:
    """The first agent against all combinations of the others, or a balanced sample of them.

    >>> gauntlet(4)
    [(0, 1), (0, 2), (0, 3)]
    """
    need(agents, seats)
    if seats == 2 or math.comb(agents - 1, seats - 1) <= most:
        return [(0, *others) for others in itertools.combinations(range(1, agents), seats - 1)]
    sample = balanced_sample(agents - 1, seats - 1, most, seed)
    return [(0, *(agent + 1 for agent in group)) for group in sample]


def balanced_sample(agents: int, seats: int, most: int, seed: int) -> list[Group]:
    """`most` groups in which all agents play equally often, give or take one game; distinct while chance allows.

    One random order of the agents after another is dealt out, `seats` at a time.
    """
    rng = np.random.default_rng(seed)
    chosen: list[Group] = []
    rest: list[int] = []
    while len(chosen) < most:
        for _ in range(DEALS):
            dealt = rest + order_after(rest, seats, [int(agent) for agent in rng.permutation(agents)])
            whole = len(dealt) // seats * seats
            hands = [tuple(sorted(dealt[i : i + seats])) for i in range(0, whole, seats)]
            if not set(chosen) & set(hands):
                break
        chosen += hands
        rest = dealt[whole:]
    return sorted(chosen[:most])


def order_after(rest: Sequence[int], seats: int, order: Sequence[int]) -> list[int]:
    """The order with those agents first that complete the group begun by `rest` without repeating a member.

    >>> order_after([2], 3, [2, 1, 3, 0])
    [1, 3, 2, 0]
    """
    first = [agent for agent in order if agent not in rest][: -len(rest) % seats]
    return first + [agent for agent in order if agent not in first]


def swiss_round(scores: Sequence[float], met: Iterable[Group], byes: Sequence[int] = ()) -> list[Group]:
    """The pairs of the next round: agents with like scores, no repeats while possible.

    `scores` are the points so far (a bye counts as a win), `met` the pairs that have played, `byes` the agents that had
    a bye. If the number of agents is odd, one has a bye; see `bye`.

    >>> swiss_round([1, 0, 1, 0], met=[(0, 1), (2, 3)])
    [(0, 2), (1, 3)]
    """
    need(len(scores), 2)
    meetings = Counter(tuple(sorted(pair)) for pair in met)
    off = bye(scores, byes)
    playing = [agent for agent in by_score(scores) if agent != off]
    return sorted(fewest_repeats(playing, scores, meetings))


def bye(scores: Sequence[float], byes: Sequence[int] = ()) -> int | None:
    """The agent with a bye in the next round: the last in the ranking of those with the fewest; None if all can play.

    >>> bye([1, 0, 0]), bye([1, 0, 0], byes=[2]), bye([1, 0])
    (2, 1, None)
    """
    if len(scores) % 2 == 0:
        return None
    return min(reversed(by_score(scores)), key=Counter(byes).__getitem__)


def swiss_rounds(agents: int) -> int:
    """How many rounds find the best of so many: as many as a knock-out would take.

    >>> [swiss_rounds(agents) for agents in (2, 3, 8, 9)]
    [1, 2, 3, 4]
    """
    return (agents - 1).bit_length()


def by_score(scores: Sequence[float]) -> list[int]:
    """Agents from the best score to the worst; the lower number first among equals."""
    return sorted(range(len(scores)), key=lambda agent: (-scores[agent], agent))


def fewest_repeats(playing: Sequence[int], scores: Sequence[float], meetings: Mapping[Group, int]) -> list[Group]:
    """The pairing with the fewest repeated meetings and, among those, the least distance between scores.

    A perfect matching of minimum weight, as an integer program: each pair is taken or not, and everybody is in
    exactly one. Distances count squared, so that one great mismatch is worse than two small ones; a repeat outweighs
    all of them together.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    pairs = list(itertools.combinations(sorted(playing), 2))
    span = max(scores) - min(scores) or 1.0
    weights = [((scores[a] - scores[b]) / span) ** 2 + len(playing) * meetings.get((a, b), 0) for a, b in pairs]
    once = LinearConstraint([[float(agent in pair) for pair in pairs] for agent in playing], 1, 1)
    taken = milp(
        weights, integrality=np.ones(len(pairs)), bounds=Bounds(0, 1), constraints=once, options={"mip_rel_gap": 0}
    ).x
    return [pair for pair, share in zip(pairs, taken, strict=True) if share > 0.5]


def need(agents: int, seats: int) -> None:
    if agents < seats:
        raise SpielbaumError(f"a tournament of games with {seats} seats needs at least {seats} agents, not {agents}")
