"""The game under examination: its rules, run in two ways, and its positions.

Every kernel runs compiled and as plain Python. Plain Python comes first and decides what positions
there are, for there a slip raises: an index beyond the board, which machine code would follow into
somebody else's memory, or a write to the tables, which are read-only here.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from spielbaum.compile.errors import author_s_place, raised_words
from spielbaum.compile.link import Kernel
from spielbaum.errors import GameError
from spielbaum.game import Game, State, buffer_size
from spielbaum.networks.kernels import incremental
from spielbaum.networks.net import KeptContext, shapes, with_kept
from spielbaum.rules import DICE, TERMINAL, random_stream
from spielbaum.testing.kernels import laws as template
from spielbaum.testing.strict import overflow, overflow_words, strict
from spielbaum.watchdog import GivenUp, Watchdog, endless_words

CHOICES = 0xC401  # keeps experiments apart from a game's own dice
GUARD = 0xA5  # fills the states beside the one that a rule is given
NET = "16-8"  # the size of a network that is asked what it says
PATIENCE = 20.0  # seconds of work after which a rule is said not to end
READ_ONLY = "assignment destination is read-only"


class Leak(GameError):
    """A rule wrote where it may only read."""


class Endless(Exception):
    """A rule did not end; the examination does."""

    def __init__(self, position: Position, reason: str):
        super().__init__(reason)
        self.position, self.reason = position, reason


class Asked(NamedTuple):
    """What machine code was asked last, as it was then."""

    kernel: Kernel
    state: np.ndarray
    arguments: tuple[Any, ...]


class Machine:
    """A game's kernels, compiled or as Python runs them. The states they are given stay as they were."""

    asked: Asked | None = None
    litter: int | None = None
    """The byte that fills the scratch before every question; None leaves in it what was there."""

    def __init__(self, game: Game, compiled: bool, watched: Watchdog | None = None):
        self.game = game
        self.watched = watched or Watchdog(PATIENCE)
        self.compiled = compiled
        self.context = game.context if compiled else game.context._replace(tables=read_only(game.tables))
        self.kernels = game.kernels

    def run(self, kernel: Kernel, state: np.ndarray, *arguments: Any) -> tuple[np.ndarray, Any]:
        """The state after a kernel, and the kernel's answer."""
        row = np.empty(3, state.dtype)
        row.view(np.uint8)[:] = GUARD
        row[1:2].view(np.uint8)[:] = state.view(np.uint8)  # byte by byte, padding as well
        answer = self.call(kernel, row[1:2], *arguments)
        if not row[0].tobytes() == row[2].tobytes() == bytes([GUARD]) * state.itemsize:
            raise Leak(f"{self.game.title}: {rule_behind(kernel)} writes beyond its state")
        return row[1:2].copy(), answer

    def call(self, kernel: Kernel, state: np.ndarray, *arguments: Any) -> Any:
        """The kernel's answer; what plain Python raises becomes one line with the rule's name."""
        self.watched.step()
        if self.compiled:
            self.asked = Asked(kernel, state.copy(), copy.deepcopy(arguments))
            return kernel(self.context, state, *arguments)
        if self.litter is not None:
            self.context.scratch.view(np.uint8)[:] = self.litter
        try:
            with overflow():
                return kernel.function(self.context, strict(state), *arguments)
        except GameError:
            raise
        except Exception as error:
            raise explained(error, self.game, rule_behind(kernel), state) from error

    def start_game(self, seed: int) -> tuple[np.ndarray, np.ndarray]:
        """The first position and the dice that go on from there."""
        dice = random_stream(seed, DICE)
        return self.run(self.kernels.game_api.start_game, np.zeros(1, self.game.rules.STATE), dice)[0], dice

    def advance(self, state: np.ndarray, dice: np.ndarray, action: int) -> tuple[np.ndarray, np.ndarray]:
        """The position after an action, and its dice."""
        dice = dice.copy()
        return self.run(self.kernels.game_api.advance, state, action, dice)[0], dice

    def survey(self, state: np.ndarray) -> tuple[int, int, list[int]]:
        """Player, number of legal actions and their codes, exactly as the rules give them."""
        legal = self.buffer()
        player, n = self.run(self.kernels.link(template).survey, state, legal)[1]
        return int(player), int(n), legal[: max(0, n)].tolist()

    def look(self, state: np.ndarray) -> tuple[int, list[int], list[float]]:
        """Player, legal actions and results, checked; a result that was not given is NaN."""
        legal, results = self.buffer(), np.full(self.game.module.PLAYERS, np.nan)
        player, n = self.run(self.kernels.game_api.look, state, legal, results)[1]
        return int(player), legal[:n].tolist(), results[: self.game.players].tolist()

    def hide(self, state: np.ndarray, player: int) -> np.ndarray:
        """What a player sees."""
        return self.run(self.kernels.game_api.observe, state, player)[0]

    def determinize(self, view: np.ndarray, player: int, rng: np.ndarray) -> np.ndarray:
        """One state that may be behind a view."""
        return self.run(self.kernels.game_api.determinize, view, player, rng.copy())[0]

    def answers(self, state: np.ndarray, legal: list[int], rng: np.ndarray) -> dict[str, np.ndarray]:
        """What the optional hooks say, by their names; arrays over the legal actions or the players."""
        questions = self.questions(legal, rng)
        self.run(self.kernels.link(template).answer, state, *questions)
        hooks = (
            "key",
            "evaluate",
            "prior",
            "capture",
            "keep",
            "sample",
            "policy",
            "metrics",
            "counts",
            "features",
            "planes",
        )
        told = dict(zip(hooks, questions[4], strict=True))
        return {**told, "prior": told["prior"][: len(legal)]}

    def questions(self, legal: list[int], rng: np.ndarray) -> tuple[Any, ...]:
        """Arguments for the kernel `answer`."""
        codes = self.buffer()
        codes[: len(legal)] = legal
        out = self.kernels.link(template).room(self.game.players, len(legal), len(codes))
        return self.game.players, codes, len(legal), self.weights(), out, rng.copy()

    @functools.cached_property
    def symmetries(self) -> tuple[np.ndarray, np.ndarray]:
        """i8[symmetries, features], i8[symmetries, action codes]: where each symmetry takes them."""
        features, actions = self.kernels.link(template).symmetry_room()
        self.run(self.kernels.link(template).symmetries, np.zeros(1, self.game.rules.STATE), features, actions)
        return features, actions

    def playout(self, state: np.ndarray, rng: np.ndarray, limit: int) -> tuple[np.ndarray, int]:
        """Where the game's own playout ends, and after how many actions it says it does."""
        after, plies = self.run(self.kernels.link(template).playout, state, rng.copy(), limit)
        return after, int(plies)

    def finish(self, state: np.ndarray, dice: np.ndarray, choices: np.ndarray, limit: int) -> int:
        """How many actions random play takes; -1 where it does not end within the limit."""
        return int(
            self.run(self.kernels.link(template).finish, state, self.buffer(), dice.copy(), choices.copy(), limit)[1]
        )

    def follow(self, seed: int, which: int, choices: np.ndarray, limit: int) -> list[int]:
        """The actions of a policy that plays the game with this seed, up to one that is not legal; none if all are."""
        state, dice = self.start_game(seed)
        played = self.played = np.full(limit, -1)
        arguments = (np.empty_like(state), self.buffer(), which, self.weights(), dice, choices, played)
        wrong = int(self.run(self.kernels.link(template).follow, state, *arguments)[1])
        return [int(action) for action in played[: wrong + 1]]

    def weights(self) -> np.ndarray:
        """The weights of the evaluation as the game declares them."""
        return np.array([param.default for param in self.game.weights] or [0.0], np.float64)

    def buffer(self) -> np.ndarray:
        return np.full(buffer_size(self.game.module), -1, np.int64)


def rule_behind(kernel: Kernel) -> str:
    """The rule that a kernel calls."""
    name = kernel.function.__name__
    return {"begin": "start", "advance": "play"}.get(name, name)


def explained(error: BaseException, game: Game, called: str, state: np.ndarray) -> GameError:
    """What a rule of the game raised, and where; `called` is where it began."""
    if isinstance(error, GameError):
        return error
    if READ_ONLY in str(error):
        rule = (author_s_place(error, game.module) or (called, ""))[0]
        return Leak(f"{game.title}: {rule} writes to the {'tables' if state.flags.writeable else 'state'}")
    if wrong := overflow_words(error):
        rule, place = author_s_place(error, game.module) or (called, "")
        return GameError(f"{game.title}: {rule} {wrong}" + (f" ({place})" if place else ""))
    return GameError(f"{game.title}: {raised_words(error, game.module, called)}")


def read_only(tables: Any) -> Any:
    """The same tables, but an attempt to write raises."""
    if isinstance(tables, np.ndarray):
        view = tables.view()
        view.setflags(write=False)
        return view
    if isinstance(tables, tuple):
        parts = [read_only(part) for part in tables]
        return type(tables)(*parts) if hasattr(tables, "_fields") else tuple(parts)
    return tables


class Case:
    """A game under examination, with what has been seen of it so far."""

    def __init__(self, game: Game, limit: int):
        self.game = game
        self.limit = limit
        self.watched = Watchdog(PATIENCE)
        self.plain = Machine(game, False, self.watched)
        self.compiled = Machine(game, True, self.watched)
        self.at: Position | None = None  # what is looked at now
        self.twins: dict[bytes, Position] = {}  # the first position with this state, the key left out
        self.holders: dict[int, Position] = {}  # the first position with this key
        self.playable = True  # whether all play found so far goes on to an end
        self.seen: list[Position] = []
        self.hid_something = False
        self.filled_something = False

    def start(self, seed: int) -> Position:
        """The first position of the game with this seed."""
        blank = Position(self, seed, None, None, np.zeros(1, self.game.rules.STATE), random_stream(seed, DICE))
        try:
            with self.looking_at(blank, "start"):
                return Position(self, seed, None, None, *self.plain.start_game(seed))
        except GameError as error:
            blank.trouble = error
            return blank

    @contextlib.contextmanager
    def looking_at(self, position: Position, called: str) -> Iterator[None]:
        """A rule that does not end meanwhile is told with the moves that lead to the position."""
        before, self.at = self.at, position
        self.watched.step()
        try:
            yield
        except GivenUp as error:
            words = endless_words(error, self.game.module, called, self.watched.limit)
            raise Endless(position, f"{self.game.title}: {words}") from None
        finally:
            self.at = before

    def ask(self, function: str, state: np.ndarray, **offered: Any) -> Any:
        """What a single function of the game answers in plain Python; it may not write to the state."""
        given, hook = state.copy(), function
        try:
            answer = self.game.tell(function, s=given[0], **offered)
        except GameError as error:
            raise explained(error.__cause__ or error, self.game, hook, given) from error
        if given.tobytes() != state.tobytes():
            raise Leak(f"{self.game.title}: {hook} writes to the state")
        return answer

    def valued(self, state: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What a network says for every player: its first layer kept since the last position, and computed anew."""
        kept, anew = np.zeros(self.game.players), np.zeros(self.game.players)
        self.game.kernels.link(incremental).compare(self.net, state, self.game.players, kept, anew)
        return kept, anew

    @functools.cached_property
    def net(self) -> KeptContext:
        """A network with random weights."""
        rng = np.random.default_rng(0)
        weights = {name: rng.normal(0.0, 0.5, shape) for name, shape in shapes(self.game, NET).items()}
        return with_kept(
            self.game.new_context(),
            {name: part.astype(np.float32) for name, part in weights.items()},
            self.game.module.PLAYERS,
        )

    def name(self, state: np.ndarray, action: int) -> str:
        """An action in the game's notation."""
        return str(self.ask("format_action", state, action=action)) if self.game.has("format_action") else str(action)


@dataclass(eq=False)
class Position:
    """A state with its dice and the way it was reached; `trouble` is what `play` raised on that way."""

    case: Case
    seed: int
    parent: Position | None
    action: int | None
    array: np.ndarray
    dice: np.ndarray
    trouble: GameError | None = None
    thorough: bool = False  # whether laws that cost much are examined here
    endless: str = ""  # why random play from here did not end
    depth: int = 0

    @functools.cached_property
    def survey(self) -> tuple[int, int, list[int]]:
        """Player, number of legal actions and their codes, exactly as the rules give them."""
        return self.case.plain.survey(self.array)

    @functools.cached_property
    def answers(self) -> dict[str, np.ndarray]:
        """What the optional hooks say."""
        return self.case.plain.answers(self.array, self.legal, self.stream())

    @property
    def player(self) -> int:
        """Whose decision it is."""
        return self.survey[0]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.player == TERMINAL

    @property
    def legal(self) -> list[int]:
        """The codes of the legal actions."""
        return self.survey[2]

    def after(self, action: int) -> Position:
        """The position after an action, as plain Python computes it."""
        beyond = Position(self.case, self.seed, self, action, self.array, self.dice, depth=self.depth + 1)
        try:
            with self.case.looking_at(beyond, "play"):
                array, dice = self.case.plain.advance(self.array, self.dice, action)
        except GameError as error:
            beyond.trouble = error
            return beyond
        return Position(self.case, self.seed, self, action, array, dice, depth=self.depth + 1)

    def line(self) -> list[Position]:
        """All positions from the first one to this."""
        line = [self]
        while line[-1].parent is not None:
            line.append(line[-1].parent)
        return line[::-1]

    @property
    def actions(self) -> list[int]:
        """The actions that led here."""
        return [position.action for position in self.line() if position.action is not None]

    @property
    def moves(self) -> tuple[str, ...]:
        """The actions that led here in the game's notation, as codes where that fails."""
        line = self.line()
        return tuple(before.move(action) for before, action in zip(line, self.actions, strict=False))

    def move(self, action: int) -> str:
        """An action in the game's notation, its code where that fails."""
        try:
            return self.case.name(self.array, action)
        except GameError:
            return str(action)

    def state(self) -> State:
        """The position as a `State`."""
        return State(self.case.game, self.array.copy(), self.dice.copy(), None)

    def stream(self, number: int = 0) -> np.ndarray:
        """Random numbers for an experiment at this position, the same ones every time."""
        return random_stream(CHOICES, number, zlib.crc32(self.array.tobytes()))
