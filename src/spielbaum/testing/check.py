"""The examination: which positions are looked at, and what becomes of the laws there.

First all positions in the order of their distance from the start, as many as the budget allows, so
that a law that breaks early is reported with the shortest sequence of moves there is; then random
games. Where a law breaks only there, the sequence is shortened: an earlier position of the same
game, then the same game with moves left out. Everything follows from the seed.
"""

from __future__ import annotations

import collections
import itertools
import pathlib
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from spielbaum.errors import GameError
from spielbaum.game import Game, load
from spielbaum.link import prepare
from spielbaum.testing import fresh
from spielbaum.testing.case import Case, Position
from spielbaum.testing.laws import LAWS
from spielbaum.testing.laws.foundations import sound, wander
from spielbaum.testing.laws.law import Law

BREADTH = 400  # positions nearest to the start
LISTED = 100_000  # legal actions in all of these: fewer positions where there are thousands in each
SEEDS = 4  # seeds among which these are divided where chance has a part
THOROUGH = 30  # how many of them the costly laws are examined at
PER_GAME = 12  # positions of each random game
PLIES = 120  # plies of a random game in plain Python, on average
ATTEMPTS = 300  # at shortening a sequence of moves

Breach = tuple[Position, str]  # where a law is broken, and why
Status = Literal["passed", "broken", "does not apply", "not reached"]


@dataclass(frozen=True)
class Verdict:
    """What became of one law; a broken one comes with the reason and the moves that lead there.

    A law is not reached where a more basic one was broken in every position.
    """

    law: str
    description: str
    status: Status
    reason: str = ""
    moves: tuple[str, ...] = ()
    seed: int = 0
    positions: int = 0

    def __str__(self) -> str:
        if self.status != "broken":
            return f"{self.law}: {self.status}"
        where = f"after {' '.join(self.moves)}" if self.moves else "at the start"
        return f"{self.law}: broken {where} (seed {self.seed}): {self.reason}"


def check(game: Game, *, games: int = 50, seed: int = 0, limit: int = 20_000) -> list[Verdict]:
    """Judge a game by all laws; random play must end within `limit` actions."""
    case = Case(game, limit)
    near = nearest(case, seed)
    played = random_games(case, seed, games)
    positions = near + selection(played, seed)
    case.playable = all(map(sound, [*near, *(line[-1] for line in played)]))
    broken: dict[str, Breach] = {}
    judged: collections.Counter[str] = collections.Counter()
    laws = [law for law in LAWS if law.judge and law.applies(game)]

    examine([law for law in laws if not law.compiled], positions, broken, judged)
    if not broken and game.hidden:
        broken |= idle_hiding(case, near[0])
    if not any(law.stops and law.name in broken for law in laws):
        if error := compilation_error(game):
            broken["compiled"] = near[0], error
        else:
            mark_endless(played)
            examine([law for law in laws if law.compiled], positions, broken, judged)
    if not broken:
        everything = [*near, *itertools.chain(*played)]
        judged["processes"] = len(everything)
        if breach := fresh.disagreement(case, everything):
            broken["processes"] = breach
    return [conclusion(law, game, broken.get(law.name), judged[law.name]) for law in LAWS]


def assert_lawful(game: Game | str | pathlib.Path, *, games: int = 50, seed: int = 0, limit: int = 20_000) -> None:
    """For a test: fail with the broken laws of a game, which is given as such, by its name or by its file."""
    judged = check(game if isinstance(game, Game) else load(game), games=games, seed=seed, limit=limit)
    broken = [str(verdict) for verdict in judged if verdict.status == "broken"]
    if broken:
        raise AssertionError("\n".join(broken))


def conclusion(law: Law, game: Game, breach: Breach | None, positions: int) -> Verdict:
    """What to say about a law in the end."""
    if breach:
        position, reason = breach
        return Verdict(law.name, law.description, "broken", reason, position.moves, position.seed, positions)
    if not law.applies(game):
        return Verdict(law.name, law.description, "does not apply", f"the game has no {law.needs}")
    if not positions:
        return Verdict(law.name, law.description, "not reached", "put right first what is broken")
    return Verdict(law.name, law.description, "passed", positions=positions)


def compilation_error(game: Game) -> str:
    """Why the rules do not compile; empty if they do."""
    try:
        for template in (game.kernels.face, game.kernels.laws):
            kernel, arguments = template.examples(game.context)[0]
            if kernel.compiled is not kernel.function:  # as it is without the JIT
                prepare(kernel, arguments)
    except GameError as error:
        return str(error)
    return ""


# --- which positions ----------------------------------------------------------------------------


def nearest(case: Case, seed: int) -> list[Position]:
    """The positions nearest to the start, by any order of moves; only new states are followed further."""
    seeds = range(seed, seed + (SEEDS if case.game.chance or case.game.has("start") else 1))
    waiting: collections.deque[tuple[Position | None, int]] = collections.deque((None, seed) for seed in seeds)
    found: list[Position] = []
    known: set[bytes] = set()
    listed = 0
    while waiting and len(found) < BREADTH and listed < LISTED:
        before, choice = waiting.popleft()
        position = case.start(choice) if before is None else before.after(choice)
        position.thorough = len(found) < THOROUGH
        found.append(position)
        identity = position.array.tobytes() + (position.dice.tobytes() if case.game.chance else b"")
        if identity not in known and sound(position):
            waiting.extend((position, action) for action in position.legal)
            listed += len(position.legal)
        known.add(identity)
    return found


def random_games(case: Case, seed: int, games: int) -> list[list[Position]]:
    """Games of random moves, to their ends or as long as there are plies left."""
    played: list[list[Position]] = []
    plies = PLIES * games
    for number in range(games):
        start = case.start(seed + number)
        line = [start, *wander(start, random.Random(seed + number), min(plies, case.limit))]
        plies -= len(line) - 1
        played.append(line)
    return played


def mark_endless(played: list[list[Position]]) -> None:
    """Let machine code play on where a random game was not over; mark the first that does not end."""
    for line in played:
        start, last, case = line[0], line[-1], line[0].case
        try:
            if last.over or case.compiled.finish(last.array, last.dice, last.stream(), case.limit - last.depth):
                continue
            start.endless = f"random play is not over after {case.limit} actions"
        except GameError as error:
            start.endless = str(error)
        return


def selection(played: list[list[Position]], seed: int) -> list[Position]:
    """The positions that are examined of each game: its first, its last, and some between them."""
    rng = random.Random(seed)
    chosen: list[Position] = []
    for line in played:
        between = line[1:-1]
        if len(between) > PER_GAME:
            between = sorted(rng.sample(between, PER_GAME), key=lambda position: position.depth)
        line[0].thorough = line[len(line) // 2].thorough = line[-1].thorough = True
        chosen += [line[0], *between, *line[1:][-1:]]
    return chosen


# --- what they show -----------------------------------------------------------------------------


def examine(
    laws: list[Law], positions: list[Position], broken: dict[str, Breach], judged: collections.Counter[str]
) -> None:
    """Judge the positions by these laws; note the first breach of each, with as few moves as possible."""
    found: dict[str, Breach] = {}
    for position in positions:
        for name, reason in breaches(laws, position, judged):
            found.setdefault(name, (position, reason))
    for name, breach in found.items():
        cause, breach = origin(laws, name, breach)
        shortened = shortest(laws, cause, breach)
        if cause not in broken or len(shortened[0].actions) < len(broken[cause][0].actions):
            broken[cause] = shortened


def breaches(laws: list[Law], position: Position, judged: collections.Counter[str]) -> Iterator[tuple[str, str]]:
    """The laws that are broken at a position, each with the reason; those that were judged are counted."""
    for law in laws:
        judged[law.name] += 1
        breach = law.breach(position)
        if breach:
            yield breach
            if law.stops:
                return


def idle_hiding(case: Case, start: Position) -> dict[str, Breach]:
    """What only all positions together show: that nothing is hidden, or nothing filled in."""
    if not case.hid_something:
        return {"hide": (start, "hide blanks nothing for anybody, in no position")}
    if not case.filled_something:
        return {"determinize": (start, "determinize fills in nothing, though hide has blanked something")}
    return {}


def origin(laws: list[Law], name: str, breach: Breach) -> tuple[str, Breach]:
    """Where in the same game it began: the first breach of this law, or of one on which it rests."""
    stopping = [law.name for law in laws if law.stops]
    for position in breach[0].line():
        found = at_length(laws, position)
        for cause in (name, *stopping):
            if cause in found:
                return cause, (position, found[cause])
    return name, breach


def shortest(laws: list[Law], name: str, breach: Breach) -> Breach:
    """The same breach with moves left out, as long as that is possible."""
    position, _ = breach
    for shorter in itertools.islice(abridgements(position.actions), ATTEMPTS):
        candidate = replayed(position.case, position.seed, shorter)
        if candidate and (reason := at_length(laws, candidate).get(name)):
            return shortest(laws, name, (candidate, reason))
    return breach


def replayed(case: Case, seed: int, actions: list[int]) -> Position | None:
    """The position after these actions, if all of them are legal."""
    position = case.start(seed)
    for action in actions:
        if not sound(position) or action not in position.legal:
            return None
        position = position.after(action)
    return position


def at_length(laws: list[Law], position: Position) -> dict[str, str]:
    """The laws that are broken at a position, whatever it costs to find out."""
    position.thorough = True
    return dict(breaches(laws, position, collections.Counter()))


def abridgements(actions: list[int]) -> Iterator[list[int]]:
    """The same actions with a block left out, large blocks first."""
    size = len(actions)
    while size := size // 2:
        for start in range(0, len(actions) - size + 1, size):
            yield actions[:start] + actions[start + size :]
