"""The examination: which positions are looked at, and what becomes of the laws there.

The rules are compiled before anything is played: what does not compile is told at once. Then come all
positions in the order of their distance from the start, as many as the budget allows, so
that a law that breaks early is reported with the shortest sequence of moves there is; then random
games. Where a law breaks only there, the sequence is shortened: an earlier position of the same
game, then the same game with moves left out. Everything follows from the seed, unless time runs short.
"""

from __future__ import annotations

import collections
import itertools
import pathlib
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from spielbaum import rules
from spielbaum.compile.link import prepare
from spielbaum.errors import GameError
from spielbaum.game import Game, load
from spielbaum.params import whole_number
from spielbaum.rules import below, random_stream
from spielbaum.search.mcts.settings import LONGEST
from spielbaum.testing import fresh
from spielbaum.testing.case import CHOICES, Asked, Case, Endless, Position, rule_behind
from spielbaum.testing.kernels import laws as laws_template
from spielbaum.testing.laws import LAWS
from spielbaum.testing.laws.foundations import sound, wander
from spielbaum.testing.laws.hidden import contradiction
from spielbaum.testing.laws.law import Law
from spielbaum.testing.words import listed
from spielbaum.watchdog import Deaf

BREADTH = 400  # positions nearest to the start
LISTED = 100_000  # legal actions in all of these: fewer positions where there are thousands in each
SEEDS = 4  # seeds among which these are divided where chance has a part
THOROUGH = 30  # how many of them the costly laws are examined at
PER_GAME = 12  # positions of each random game
PLIES = 120  # plies of a random game in plain Python, on average
FEWEST, FEWEST_COMPILED = 16, 4  # positions of each kind that are looked at however short the time is
FOLLOWED_GAMES = 20  # games that each policy plays, for each random one
LAST_SEED = rules.SEEDS // 2 - 1  # others follow it
MOST_GAMES, MOST_ACTIONS = 1_000_000, 1_000_000_000
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


Watch = Callable[[str, float], None]
"""Called with what is going on and the share of the examination that is done."""


class Progress:
    """How far an examination is, and whether the time for a part of it is used up."""

    def __init__(self, seconds: float | None, watch: Watch | None):
        self.seconds, self.watch = seconds, watch
        self.begin = time.monotonic()
        self.told = 0.0

    def compiled(self) -> None:
        """What is left after compiling is what there is, but never less than half of the time."""
        if self.seconds is not None:
            self.seconds = max(self.seconds / 2, self.seconds - (time.monotonic() - self.begin))
        self.begin = time.monotonic()

    def over(self, share: float = 1.0) -> bool:
        """Whether this share of the time is used up."""
        return self.seconds is not None and time.monotonic() - self.begin >= share * self.seconds

    def tell(self, stage: str, share: float) -> None:
        self.told = max(self.told, share)
        if self.watch is not None:
            self.watch(stage, self.told)


# the share of the time at the end of which each stage is over
NEAR, PLAYED, JUDGED_NEAR, JUDGED, COMPILED_NEAR, COMPILED, FOLLOWED = 0.15, 0.3, 0.45, 0.65, 0.75, 0.85, 0.9


def check(
    game: Game,
    *,
    games: int = 50,
    seed: int = 0,
    limit: int = 20_000,
    seconds: float | None = None,
    watch: Watch | None = None,
) -> list[Verdict]:
    """Judge a game by all laws; random play must end within `limit` actions.

    With `seconds` every stage has a share of the time, and looks at fewer positions where it is short.
    """
    seed, games = whole_number("seed", seed, 0, LAST_SEED), whole_number("number of games", games, 1, MOST_GAMES)
    progress = Progress(seconds, watch)
    case = Case(game, whole_number("limit", limit, 1, MOST_ACTIONS))
    broken: dict[str, Breach] = {}
    judged: collections.Counter[str] = collections.Counter()
    progress.tell("compiling", 0.0)
    error = compilation_error(game)
    progress.compiled()
    if error:
        broken["compiled"] = case.start(seed), error
    else:
        try:
            case.watched.run(lambda: play_and_judge(case, seed, games, progress, broken, judged))
        except Endless as endless:
            broken["halts"] = endless.position, endless.reason
        except Deaf:
            broken["halts"] = retraced(case)
        if not broken and not progress.over():
            judge_processes(case, progress, broken, judged)
    return [conclusion(law, game, broken, judged[law.name]) for law in LAWS]


def play_and_judge(
    case: Case,
    seed: int,
    games: int,
    progress: Progress,
    broken: dict[str, Breach],
    judged: collections.Counter[str],
) -> None:
    """Play, then judge the positions: interpreted first, and only what is safe there by machine code as well."""
    near = nearest(case, seed, progress)
    played = random_games(case, seed, games, progress)
    case.seen = [*near, *itertools.chain(*played)]
    judged["halts"] = len(case.seen)
    chosen = selection(played, seed)
    case.playable = all(map(sound, [*near, *(line[-1] for line in played)]))
    laws = [law for law in LAWS if law.judge and law.applies(case.game)]
    plain, compiled = [law for law in laws if not law.compiled], [law for law in laws if law.compiled]

    examine(plain, [(near, JUDGED_NEAR), (chosen, JUDGED)], broken, judged, progress)
    if not broken and case.game.hidden:
        broken |= doubtful_hiding(case, near[0], progress)
    if any(law.stops and law.name in broken for law in laws):
        return
    mark_endless(played)
    examine(compiled, [(near, COMPILED_NEAR), (chosen, COMPILED)], broken, judged, progress)
    if "policy" not in broken and (breach := illegal_policy(case, seed, games, progress)):
        broken["policy"] = shortest(laws, "policy", breach, progress)


def judge_processes(
    case: Case, progress: Progress, broken: dict[str, Breach], judged: collections.Counter[str]
) -> None:
    """Let another process play what was played."""
    judged["processes"] = len(case.seen)
    progress.tell("another process", FOLLOWED)
    if breach := fresh.disagreement(case, case.seen):
        broken["processes"] = breach


def retraced(case: Case) -> Breach:
    """Where machine code that does not end is at work, and why: what it was asked is asked of plain Python."""
    asked, at = case.compiled.asked, case.at
    assert asked is not None and at is not None
    called = rule_behind(asked.kernel)
    try:
        case.watched.run(lambda: ask_again(case, asked, at))
    except Endless as endless:
        return endless.position, endless.reason
    told = f"as machine code {called} does not end within {case.watched.limit:g} s, though interpreted it does"
    return at, f"{case.game.title}: {told}"


def ask_again(case: Case, asked: Asked, at: Position) -> None:
    """Ask plain Python what machine code was asked, move by move where that was a whole game."""
    laws = case.game.kernels.link(laws_template)
    if asked.kernel is laws.finish:
        choices = asked.arguments[2]
        while sound(at) and not at.over:
            at = at.after(at.legal[below(choices, len(at.legal))])
    elif asked.kernel is laws.follow:
        played = case.compiled.played
        reached = replayed(case, at.seed, played[played >= 0].tolist())
        if reached is not None:
            with case.looking_at(reached, "policy"):
                assert reached.answers
    else:
        with case.looking_at(at, rule_behind(asked.kernel)):
            case.plain.call(asked.kernel, asked.state, *asked.arguments)


def assert_lawful(game: Game | str | pathlib.Path, *, games: int = 50, seed: int = 0, limit: int = 20_000) -> None:
    """For a test: fail with the broken laws of a game, which is given as such, by its name or by its file."""
    judged = check(game if isinstance(game, Game) else load(game), games=games, seed=seed, limit=limit)
    broken = [str(verdict) for verdict in judged if verdict.status == "broken"]
    if broken:
        raise AssertionError("\n".join(broken))


def conclusion(law: Law, game: Game, broken: dict[str, Breach], positions: int) -> Verdict:
    """What to say about a law in the end."""
    if law.name in broken:
        position, reason = broken[law.name]
        return Verdict(law.name, law.description, "broken", reason, position.moves, position.seed, positions)
    if not law.applies(game):
        return Verdict(law.name, law.description, "does not apply", f"the game has no {law.needs}")
    if not positions:
        why = "put right first what is broken" if broken else "no time was left for it; give more with --seconds"
        return Verdict(law.name, law.description, "not reached", why)
    return Verdict(law.name, law.description, "passed", positions=positions)


def compilation_error(game: Game) -> str:
    """Why the rules do not compile; empty if they do."""
    try:
        for template in (game.kernels.game_api, game.kernels.link(laws_template)):
            kernel, arguments = template.examples(game.context)[0]
            if kernel.compiled is not kernel.function:  # as it is without the JIT
                prepare(kernel, arguments)
    except GameError as error:
        return str(error)
    return ""


# --- which positions ----------------------------------------------------------------------------


def nearest(case: Case, seed: int, progress: Progress) -> list[Position]:
    """The positions nearest to the start, by any order of moves; only new states are followed further."""
    seeds = range(seed, seed + (SEEDS if case.game.chance or case.game.has("start") else 1))
    waiting: collections.deque[tuple[Position | None, int]] = collections.deque((None, seed) for seed in seeds)
    found: list[Position] = []
    known: set[bytes] = set()
    listed = 0
    while waiting and len(found) < BREADTH and listed < LISTED and not (found and progress.over(NEAR)):
        progress.tell("positions", NEAR * len(found) / BREADTH)
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


def random_games(case: Case, seed: int, games: int, progress: Progress) -> list[list[Position]]:
    """Games of random moves, to their ends or as long as there are plies left."""
    played: list[list[Position]] = []
    plies = PLIES * games
    for number in range(games):
        if played and progress.over(PLAYED):
            break
        progress.tell("games", NEAR + (PLAYED - NEAR) * number / games)
        start = case.start(seed + number)
        line = [start, *wander(start, random.Random(seed + number), min(plies, case.limit))]
        plies -= len(line) - 1
        played.append(line)
    return played


def mark_endless(played: list[list[Position]]) -> None:
    """Let machine code play on where a random game was not over; mark the first that does not end.

    Mark the first one as well where all are so long that a search would cut all of its simulations off.
    """
    lengths = []
    for line in played:
        last, case = line[-1], line[0].case
        try:
            with case.looking_at(last, "play"):
                left = case.limit - last.depth
                rest = 0 if last.over else case.compiled.finish(last.array, last.dice, last.stream(), left)
        except GameError as error:
            line[0].endless = str(error)
            return
        if rest < 0:
            line[0].endless = f"random play is not over after {case.limit} actions"
            return
        lengths.append(last.depth + rest)
    if min(lengths) > LONGEST:
        cut = "a search would cut all of its simulations off there and learn nothing"
        played[0][0].endless = f"random play takes more than {LONGEST} actions in all {len(played)} games: {cut}"


def illegal_policy(case: Case, seed: int, games: int, progress: Progress) -> Breach | None:
    """A decision that a policy gets wrong in games of its own: it leads elsewhere than random play."""
    names = tuple(getattr(case.game.module, "POLICIES", ()))
    for which, name in enumerate(names):
        choices = random_stream(CHOICES, seed, which)
        for number in range(FOLLOWED_GAMES * games):
            if progress.over(FOLLOWED):
                return None
            with case.looking_at(case.start(seed + number), "policy"):
                actions = case.compiled.follow(seed + number, which, choices, LONGEST)
            position = replayed(case, seed + number, actions[:-1]) if actions else None
            if position is not None:
                return position, f"policy {name!r} chooses {actions[-1]}, legal are {listed(position.legal)}"
    return None


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
    laws: list[Law],
    groups: list[tuple[list[Position], float]],
    broken: dict[str, Breach],
    judged: collections.Counter[str],
    progress: Progress,
) -> None:
    """Judge groups of positions by these laws, each until its share of the time is used up.

    Of each law the first breach is noted, with as few moves as possible.
    """
    found: dict[str, Breach] = {}
    machine_code = any(law.compiled for law in laws)
    fewest = FEWEST_COMPILED if machine_code else FEWEST
    for positions, share in groups:
        for number, position in enumerate(positions):
            if progress.over(share) and number >= fewest:
                break
            progress.tell("laws, compiled" if machine_code else "laws", share - 0.1 * (1 - number / len(positions)))
            for name, reason in breaches(laws, position, judged):
                found.setdefault(name, (position, reason))
    for name, breach in found.items():
        cause, breach = origin(laws, name, breach)
        shortened = shortest(laws, cause, breach, progress)
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


def doubtful_hiding(case: Case, start: Position, progress: Progress) -> dict[str, Breach]:
    """What only many positions together show: nothing is hidden, nothing filled in, or what can't be."""
    if not case.hid_something:
        return {"hide": (start, "hide blanks nothing for anybody, in no position")}
    if not case.filled_something:
        return {"determinize": (start, "determinize fills in nothing, though hide has blanked something")}
    breach = contradiction(case, start.seed, lambda: progress.over(JUDGED))
    return {"determinize": breach} if breach else {}


def origin(laws: list[Law], name: str, breach: Breach) -> tuple[str, Breach]:
    """Where in the same game it began: the first breach of this law, or of one on which it rests."""
    stopping = [law.name for law in laws if law.stops]
    for position in breach[0].line():
        found = at_length(laws, position)
        for cause in (name, *stopping):
            if cause in found:
                return cause, (position, found[cause])
    return name, breach


def shortest(laws: list[Law], name: str, breach: Breach, progress: Progress) -> Breach:
    """The same breach with moves left out, as long as that is possible and there is time."""
    position, _ = breach
    for shorter in itertools.islice(abridgements(position.actions), ATTEMPTS):
        if progress.over():
            break
        candidate = replayed(position.case, position.seed, shorter)
        if candidate and (reason := at_length(laws, candidate).get(name)):
            return shortest(laws, name, (candidate, reason), progress)
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
