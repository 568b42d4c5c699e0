"""Game and State: the Python API of compiled rules.

A game is a module (a file, or a folder with an `__init__`) that offers the names of the protocol:

| name | what it is |
|---|---|
| `STATE` | the NumPy record of a position; starts as zeros |
| `PLAYERS`, `MAX_ACTIONS`, `ACTION_CODES` | players at most, legal actions at most, codes 0 … n-1 |
| `player(s)` | whose decision it is, `TERMINAL` when the game is over |
| `actions(s, out)` | fills `out` with the legal action codes and returns how many |
| `play(s, action)` | applies an action in place |
| `returns(s, out)` | the final result of each player, -1 … 1; teams share theirs |

A game in which all move at once has `movers(s, out)`, who decides in this round, and `resolve(s, choices)` in place
of `player` and `play`; its `actions` asks for the `player`.

Rules take what they need, by name: also `t`, the tables, `rng`, for chance, and more. Everything else is optional
and found by its name; docs/protocol.md lists it.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import hashlib
import importlib
import importlib.util
import operator
import pathlib
import pkgutil
import sys
import threading
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.machinery import PathFinder
from typing import Any

import numpy as np

from spielbaum import plugins
from spielbaum.compile.bind import Context, fixed_tables, new_context
from spielbaum.compile.digest import LIBRARIES, rules_version
from spielbaum.compile.errors import author_s_place, raised_words, unreadable_table
from spielbaum.compile.link import Kernels, short_name, title
from spielbaum.compile.validate_game import default_seats, validate, wrong_answer_of_seats
from spielbaum.errors import GameError, IllegalAction, SpielbaumError, unknown
from spielbaum.kernels import game_api, hooks
from spielbaum.params import Param, Value, fill, whole, whole_number
from spielbaum.protocol import parameters
from spielbaum.rules import DICE, TERMINAL, VIEW, NoTables, random_stream
from spielbaum.text import quoted


class GameKernels(Kernels):
    """The templates linked for one game, with those that every game needs."""

    @functools.cached_property
    def game_api(self) -> Any:
        """What `Game` and `State` ask of the rules."""
        return self.link(game_api)

    @functools.cached_property
    def hooks(self) -> Any:
        """All hooks of the game, the optional ones with what happens without them."""
        return self.link(hooks)


class Game:
    """A game with its options set: rules, tables, seats and compiled kernels."""

    def __init__(self, module: types.ModuleType, options: Mapping[str, Value] | None = None):
        validate(module)
        self.module = module
        self.name = short_name(module)
        self.title = title(module)
        self.about = (module.__doc__ or "").strip().partition("\n")[0]
        self.params: tuple[Param, ...] = tuple(getattr(module, "OPTIONS", ()))
        self.options = fill(self.params, options or {}, self.name)
        self.tables = self._tables()
        self.seats: tuple[str, ...] = self._seats()
        self.players = len(self.seats)
        self.teams = np.array(getattr(module, "TEAMS", range(module.PLAYERS)), np.int64)
        self.hidden = self._hides()
        self.kernels = GameKernels(module)
        self._contexts = threading.local()

    @functools.cached_property
    def interpreted(self) -> Game:
        """The same game with its rules run as plain Python: slow, and there without waiting for a compiler."""
        twin = copy.copy(self)
        twin.kernels = GameKernels(self.module, interpreted=True)
        return twin

    @property
    def is_compiled(self) -> bool:
        """Whether the kernels that play it are there; otherwise the first move waits for them."""
        return bool(self.kernels.game_api.look.is_compiled)

    @property
    def rules(self) -> Any:
        """The constants and rules as kernels call them; rounds of simultaneous moves appear as turns."""
        return self.kernels.hooks.rules

    @property
    def context(self) -> Context:
        """The tables and this thread's scratch, for a kernel that is called now."""
        if not hasattr(self._contexts, "own"):
            self._contexts.own = self.new_context()
        return self._contexts.own  # type: ignore[no-any-return]

    def new_context(self) -> Context:
        """The tables and a scratch of its own, for a search that may run in any thread."""
        return new_context(self.module, self.tables)

    def _tables(self) -> Any:
        if not hasattr(self.module, "tables"):
            return NoTables()
        fixed = functools.partial(fixed_tables, self.module)  # computed once
        tables = self._of_options("tables") if self.params else self._guarded("tables", fixed)
        if wrong := unreadable_table(tables):
            raise GameError(f"{self.title}: {wrong}")
        return tables

    def _hides(self) -> bool:
        """Whether players see only a part of the state, with these options."""
        if not self.has("hides"):
            return self.has("hide")
        hides = getattr(self.module.hides, "py_func", self.module.hides)
        return bool(self._guarded("hides", lambda: hides(*(self.tables for _ in parameters(hides)))))

    def _seats(self) -> tuple[str, ...]:
        if not hasattr(self.module, "seats"):
            return default_seats(self.module)
        seats = self._of_options("seats")
        if wrong := wrong_answer_of_seats(self.module, seats):
            raise GameError(f"{self.title}: {wrong}")
        return tuple(seats)

    def _of_options(self, function: str) -> Any:
        """Call a function of the game, with the options if it has a parameter for them."""
        return self._call(function, *(self.options for _ in parameters(getattr(self.module, function))))

    def __repr__(self) -> str:
        changed = {p.name: self.options[p.name] for p in self.params if self.options[p.name] != p.default}
        return f"<Game {self.name} {changed}>" if changed else f"<Game {self.name}>"

    def __reduce__(self) -> tuple[Any, ...]:
        if getattr(self.module, "__file__", None) is None:
            raise SpielbaumError(f"{self.name} has no file, so that another process could not load it")
        return loaded_again, identity(self)

    def has(self, hook: str) -> bool:
        """Whether the game offers an optional hook, such as `evaluate` or `key`."""
        return hasattr(self.module, hook)

    def tell(self, function: str, **offered: Any) -> Any:
        """Call a plain function of the game with the offered values that its parameters name; `t` is always offered."""
        offered |= {"t": self.tables, "scratch": self.context.scratch[0]}
        return self._call(function, *(offered[name] for name in parameters(getattr(self.module, function))))

    def tell_each(self, function: str, actions: Sequence[int], **offered: Any) -> list[Any]:
        """Call it for each action; its parameters are looked up once, as there may be thousands of actions."""
        offered |= {"t": self.tables, "scratch": self.context.scratch[0], "action": None}
        told: Callable[..., Any] = getattr(self.module, function)
        names = parameters(told)
        given = [offered[name] for name in names]
        if "action" not in names:
            return self._guarded(function, lambda: [told(*given) for _ in actions])  # type: ignore[no-any-return]
        before, after = given[: names.index("action")], given[names.index("action") + 1 :]
        return self._guarded(function, lambda: [told(*before, action, *after) for action in actions])  # type: ignore[no-any-return]

    def _call(self, function: str, *arguments: Any) -> Any:
        return self._guarded(function, functools.partial(getattr(self.module, function), *arguments))

    def _guarded(self, function: str, call: Callable[[], Any]) -> Any:
        """Call a function of the game's author; an exception becomes a GameError that names file and line."""
        try:
            return call()
        except SpielbaumError:
            raise
        except (Exception, SystemExit) as error:
            raise GameError(f"{self.title}: {raised_words(error, self.module, function)}") from error

    @property
    def chance(self) -> bool:
        """Whether `play` draws random numbers."""
        return bool(getattr(self.module, "CHANCE", False))

    @property
    def simultaneous(self) -> bool:
        """Whether there are rounds in which several players choose at once."""
        return self.has("movers")

    @property
    def sees_all(self) -> frozenset[int]:
        """Players of a game with hidden information who see everything, such as Mister X."""
        return frozenset(self.seats.index(seat) for seat in getattr(self.module, "SEES_ALL", ()) if seat in self.seats)

    @property
    def policies(self) -> tuple[str, ...]:
        """The names of all playout policies: `random`, `greedy` with an evaluation, the game's own."""
        general = ("random", "greedy") if self.has("evaluate") else ("random",)
        own = tuple(getattr(self.module, "POLICIES", ()))
        return tuple(dict.fromkeys(general + own))

    @property
    def filters(self) -> tuple[str, ...]:
        """The names of the game's prunings."""
        return tuple(getattr(self.module, "FILTERS", ()))

    @property
    def guesses(self) -> tuple[str, ...]:
        """The names of the game's ways to guess what is hidden, besides the plain one."""
        return tuple(getattr(self.module, "GUESSES", ()))

    @property
    def stake(self) -> float:
        """What a result of 1 stands for in the game's own unit, such as chips."""
        return float(getattr(self.module, "STAKE", 1))

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of the numbers that tell how a game goes, such as `points`."""
        return tuple(getattr(self.module, "METRICS", ()))

    @property
    def weights(self) -> tuple[Param, ...]:
        """The declared weights of the game's evaluation."""
        return tuple(getattr(self.module, "WEIGHTS", ()))

    def new(self, seed: int = 0) -> State:
        """The first position of a game; the seed decides everything that chance decides."""
        rng = random_stream(seed, DICE)
        state = State(self, np.zeros(1, self.rules.STATE), rng, [])
        self.kernels.game_api.start_game(self.context, state.array, rng)
        return state

    def set_up(self, text: str, seed: int = 0) -> State:
        """The position that a text describes in the game's own way; how it came about is not known."""
        if not self.has("parse_position"):
            raise SpielbaumError(f"{self.name} has no way to write down positions; give the moves instead")
        array = self.tell("parse_position", text=text)
        if self.simultaneous:
            own, array = array, np.zeros(1, self.rules.STATE)
            for field in self.module.STATE.names:
                array[field] = own[field]
            self.kernels.game_api.open_round(self.context, array)
        return State(self, array, random_stream(seed, DICE), None)

    def play_all(self, moves: Sequence[str | int], seed: int = 0, position: str | None = None) -> State:
        """The position after some moves, from the start or from a position as text; errors name the illegal move."""
        state = self.new(seed) if position is None else self.set_up(position, seed)
        state.play_all(moves)
        return state

    @property
    def rotates(self) -> bool:
        """Whether agents swap seats in a match; off where the sides differ so much that few agents play both."""
        return not getattr(self.module, "SIDES_DIFFER", False)

    @property
    def seat_groups(self) -> dict[str, list[str]]:
        """Names for several seats at once, and the seats."""
        groups: Mapping[str, Sequence[str]] = getattr(self.module, "SEAT_GROUPS", {})
        return {name: [seat for seat in members if seat in self.seats] for name, members in groups.items()}

    def seated(self, given: Mapping[str, str]) -> dict[int, str]:
        """Map each seat to its agent; the name of a group fills all its seats that are not named themselves."""
        groups = self.seat_groups
        chosen: dict[int, str] = {}
        single: dict[int, str] = {}
        for name, spec in given.items():
            if name.lower() in groups:
                chosen.update(dict.fromkeys(map(self.seat_index, groups[name.lower()]), spec))
                continue
            player = self.seat_index(name)
            if player in single:
                raise SpielbaumError(f"seat {self.seats[player]!r} is given twice")
            single[player] = spec
        return chosen | single

    def seat_index(self, seat: str | int) -> int:
        """The player's number for the name of a seat, or for the number itself."""
        if not isinstance(seat, str):
            return whole_number("seat", seat, 0, self.players - 1)
        names = [name.lower() for name in self.seats]
        if seat.lower() not in names:
            raise unknown("seat", seat, [*self.seats, *self.seat_groups], self.name)
        return names.index(seat.lower())


class State:
    """A position. `play` changes it in place, `copy` makes another one.

    Two states are equal when their games are the same, with the same options, and their records are: however the
    position came about, and whatever the dice will be. It has no hash, as it changes; `array.tobytes()` can be a key.

    `array` holds the record as an array of length one, `rng` the dice, and `history` the actions
    so far, None where they are not known: in the view of a player from whom the game hides
    something, and in a position that was set up. `viewer` is the player whose view it is; None
    in the position itself, in a copy, and after a move.
    """

    __slots__ = ("_seen", "array", "game", "history", "rng", "viewer")

    def __init__(self, game: Game, array: np.ndarray, rng: np.ndarray, history: list[int] | None):
        self.game = game
        self.array = array
        self.rng = rng
        self.history = history
        self.viewer: int | None = None
        self._seen: tuple[int, list[int], list[float]] | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        same_game = self.game is other.game or identity(self.game) == identity(other.game)
        return same_game and self.array.tobytes() == other.array.tobytes()

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return restored, (self.game, self.array, self.rng, self.history, self.viewer)

    @property
    def record(self) -> Any:
        """The state's record, with its fields as attributes."""
        return self.array.view(quick_record(self.array.dtype))[0]

    def _look(self) -> tuple[int, list[int], list[float]]:
        if self._seen is None:
            game = self.game
            legal = np.empty(buffer_size(game.module), np.int64)
            results = np.zeros(game.module.PLAYERS)
            player, n = game.kernels.game_api.look(game.context, self.array, legal, results)
            self._seen = int(player), legal[:n].tolist(), results[: game.players].tolist()
        return self._seen

    @property
    def player(self) -> int:
        """The number of the player whose decision it is, `TERMINAL` at the end."""
        return self._look()[0]

    @property
    def movers(self) -> list[int]:
        """Who decides in this round: the player to move, or all who choose at once."""
        if not self.game.simultaneous:
            return [] if self.over else [self.player]
        return [int(mover) for mover in self.record.round_movers[: self.record.round_count]]

    @property
    def asked(self) -> int:
        """How many players have already chosen in this round, which nobody else may know."""
        return int(self.record.round_asked) if self.game.simultaneous else 0

    @property
    def seat(self) -> str:
        """The name of the seat whose decision it is."""
        return self.game.seats[self.player] if not self.over else ""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.player == TERMINAL

    @property
    def actions(self) -> list[int]:
        """The codes of the legal actions; none at the end."""
        return self._look()[1].copy()

    @property
    def returns(self) -> list[float]:
        """The result of each player, all 0 before the end."""
        return self._look()[2].copy()

    @property
    def outcome(self) -> str:
        """How the game ended, such as `on the board` or `on count`, where the game tells kinds of endings apart."""
        if not self.over or not self.game.has("outcome"):
            return ""
        return str(self.game.tell("outcome", s=self.record))

    @property
    def moves(self) -> list[str]:
        """The legal actions in the game's notation."""
        return self._formats(self.actions)

    @property
    def position(self) -> str:
        """The position as a text that `Game.set_up` reads."""
        if not self.game.has("format_position"):
            raise SpielbaumError(f"{self.game.name} has no way to write down positions")
        return str(self.game.tell("format_position", s=self.record))

    def play(self, action: int | str) -> State:
        """Play a legal action, given as a code or in the game's notation."""
        code = self.parse(action) if isinstance(action, str) else self._code(action)
        if code not in self._look()[1]:
            raise IllegalAction(self._refusal(f"action {code}"))
        self.game.kernels.game_api.advance(self.game.context, self.array, code, self.rng)
        if self.history is not None:
            self.history.append(code)
        self._seen = self.viewer = None
        return self

    def play_all(self, moves: Sequence[str | int], watch: Callable[[], None] = lambda: None) -> list[int]:
        """Play codes or texts of one or more moves each, and return the codes; an error names the first illegal move.

        In a text commas separate moves. Without them spaces do, and a move is as long as it can be. `watch` is called
        before each move, and may raise.
        """
        played: list[int] = []
        try:
            for move in moves:
                for action in self._read(move) if isinstance(move, str) else [self._code(move)]:
                    watch()
                    self.play(action)
                    played.append(action)
        except IllegalAction as error:
            raise IllegalAction(f"move {len(played) + 1}: {error}") from None
        return played

    def _code(self, action: object) -> int:
        """The code of an action that is given as a number, legal or not."""
        code = whole(action)
        if code is None:
            raise IllegalAction(f"an action is a whole number or a move in the game's notation, not {quoted(action)}")
        if not 0 <= code < self.game.module.ACTION_CODES:
            raise IllegalAction(self._refusal(f"action {quoted(code)}"))
        return code

    def _read(self, text: str) -> Iterator[int]:
        """The actions of a text, each read when those before it have been played."""
        whole = " ".join(text.split())
        parts = [whole] if whole.lower() in map(str.lower, self.moves) else text.split(",")
        for words in map(str.split, parts):
            while words:
                action, length = self.parse_first(words)
                yield action
                words = words[length:]

    def copy(self) -> State:
        """Another state that goes on independently, with the same dice."""
        history = None if self.history is None else self.history.copy()
        return State(self.game, self.array.copy(), self.rng.copy(), history)

    __copy__ = copy

    def __deepcopy__(self, _known: dict[int, Any]) -> State:
        return self.copy()

    def view(self, player: int) -> State:
        """What a player may see: hidden parts are blanked, and the dice are others."""
        player = whole_number("seat", player, 0, self.game.players - 1)
        seen = self.copy()
        seen.rng = random_stream(VIEW, player)
        hides = self.game.hidden and player not in self.game.sees_all
        if seen.history is not None:
            known = len(seen.history) - (self.asked if self.viewer is None else 0)  # a view tells of no choices already
            seen.history = None if hides else seen.history[:known]
        if hides or self.game.simultaneous:
            self.game.kernels.game_api.observe(self.game.context, seen.array, player)
        seen.viewer = player
        return seen

    def format(self, action: int) -> str:
        """The action in the game's notation."""
        return self.formats([action])[0]

    def formats(self, actions: Sequence[int]) -> list[str]:
        """Some actions in the game's notation."""
        codes = self.game.module.ACTION_CODES
        return self._formats([whole_number("action", action, 0, codes - 1) for action in actions])

    def _formats(self, actions: Sequence[int]) -> list[str]:
        if not self.game.has("format_action"):
            return list(map(str, actions))
        return list(map(str, self.game.tell_each("format_action", actions, s=self.record)))

    def parse(self, text: str) -> int:
        """The legal action that a text stands for."""
        if not isinstance(text, str):
            raise IllegalAction(f"a move in the game's notation is a text, not {quoted(text)}")
        wanted = " ".join(text.split()).lower()
        names = {name.lower(): action for name, action in zip(self.moves, self.actions, strict=True)}
        if wanted not in names:
            raise IllegalAction(self._refusal(f"move {text!r}"))
        return names[wanted]

    def parse_first(self, words: Sequence[str]) -> tuple[int, int]:
        """The legal action with the longest name that the words begin with, and how many words that name has."""
        names = {tuple(name.lower().split()): action for name, action in zip(self.moves, self.actions, strict=True)}
        longest = max(map(len, names), default=len(words))
        for length in range(min(longest, len(words)), 0, -1):
            name = tuple(word.lower() for word in words[:length])
            if name in names:
                return names[name], length
        wrong = words[:1] if longest == 1 else words
        raise IllegalAction(self._refusal(f"move {' '.join(wrong)!r}"))

    def _refusal(self, what: str) -> str:
        if self.over:
            return f"{what} is not legal: the game is over"
        legal = self.moves
        shown = side_by_side(legal[:12]) + (" …" if len(legal) > 12 else "")
        return f"{what} is not legal for {self.seat} here; legal: {shown}"

    def __str__(self) -> str:
        if self.game.has("render"):
            return str(self.game.tell("render", s=self.record, history=self.history))
        fields = self.game.module.STATE.names or ()
        return "\n".join(f"{field}: {self.record[field]}" for field in fields)

    def __repr__(self) -> str:
        """The player to move and the position as one text, if the game can write positions."""
        seen = "" if self.viewer is None else f", as {self.game.seats[self.viewer]} sees it"
        try:
            now = "over" if self.over else f"{self.seat} to move"
            shown = f" {self.position}" if self.game.has("format_position") else f"\n{self}"
        except SpielbaumError as error:  # of the game's author, who may be looking for it in a debugger
            now, shown = "it can't be shown", f" {error}"
        return f"<State of {self.game.name}{seen}, {now}:{shown}>"


def restored(game: Game, array: np.ndarray, rng: np.ndarray, history: list[int] | None, viewer: int | None) -> State:
    """A state that was pickled."""
    state = State(game, array, rng, history)
    state.viewer = viewer
    return state


@functools.cache
def quick_record(dtype: np.dtype) -> np.dtype:
    """The same record with a property for each field, and its arrays, which are views of it, looked up once.

    `np.record` looks attributes up in Python, six times as long as it takes to read a field; functions that draw a
    position or name its moves do little else.
    """
    names = dtype.names or ()
    if any(dtype[name].base.names for name in names):
        return dtype  # records in records are looked up as ever
    fields: dict[str, Any] = {}
    for name in names:
        read = operator.itemgetter(name)
        fields[name] = functools.cached_property(read) if dtype[name].shape else property(read)
    plain = {"__getattribute__": object.__getattribute__, "__getitem__": np.void.__getitem__}
    return np.dtype((type("record", (np.record,), fields | plain), dtype))


def side_by_side(moves: Sequence[str]) -> str:
    """Moves in one line, with commas where they hold spaces.

    >>> side_by_side(["taxi 8", "bus 46"])
    'taxi 8, bus 46'
    """
    return (", " if any(" " in move for move in moves) else " ").join(moves)


def buffer_size(module: types.ModuleType) -> int:
    """Size of a buffer for legal actions, with room to notice a game that lists more than MAX_ACTIONS."""
    return int(module.ACTION_CODES + module.MAX_ACTIONS + 64)


@functools.cache
def built_in() -> list[str]:
    """The names of the games that come with Spielbaum."""
    found = pkgutil.iter_modules([str(pathlib.Path(__file__).with_name("games"))])
    return sorted(item.name.replace("_", "-") for item in found)


def names() -> list[str]:
    """The names of all games that `load` knows: the built-in ones, and those of installed packages."""
    return sorted({*built_in(), *plugins.brought(plugins.GAMES)})


def load(name: str | pathlib.Path, /, **options: Value) -> Game:
    """A built-in or installed game by its name, or a game of yours by the path of its file.

    >>> load("tic-tac-toe").seats
    ('X', 'O')
    """
    text = str(name)
    if text.endswith(".py") or "/" in text or "\\" in text:
        return Game(module_from(pathlib.Path(text)), options)
    if text.replace("_", "-") in built_in():
        return Game(importlib.import_module(f"spielbaum.games.{text.replace('-', '_')}"), options)
    if text not in plugins.brought(plugins.GAMES):
        raise unknown("game", text, names())
    return Game(plugins.loaded(plugins.brought(plugins.GAMES)[text]), options)


def origin(game: Game) -> str:
    """What `load` takes to find the game again, in any folder."""
    if game.module.__name__.startswith("spielbaum.games."):
        return game.name
    for name, point in plugins.brought(plugins.GAMES).items():
        if point.module == game.module.__name__:
            return name
    return str(pathlib.Path(game.module.__file__ or "").resolve())


def changed_options(game: Game) -> tuple[tuple[str, Value], ...]:
    """The options that are not as declared, so that a new option does not make an old run another one."""
    declared: Mapping[str, Value] = {param.name: param.default for param in game.params}
    return tuple((name, value) for name, value in game.options.items() if value != declared[name])


def identity(game: Game) -> tuple[str, tuple[tuple[str, Value], ...], str]:
    """Identity of a game across processes: its source, its options and the version of its rules."""
    return origin(game), changed_options(game), rules_version(game.module)


def loaded_again(origin: str, options: tuple[tuple[str, Value], ...], version: str) -> Game:
    """The game of something that was pickled; its rules must be what they were then."""
    game = load(origin, **dict(options))
    now = rules_version(game.module)
    if now != version:
        raise SpielbaumError(
            f"this was pickled with other rules of {origin} (version {version}, now {now}); load it with these, or make"
            " it anew from its moves"
        )
    return game


def module_from(path: pathlib.Path) -> types.ModuleType:
    """The module of a game's file (or folder), loaded anew when the file has changed."""
    file = path / "__init__.py" if path.is_dir() else path
    if not file.is_file():
        raise SpielbaumError(f"there is no game file {str(path)!r}")
    stat = file.stat()
    return _module_from(file.resolve(), stat.st_mtime_ns, stat.st_size)


@functools.cache
def _module_from(file: pathlib.Path, _changed: int, _size: int) -> types.ModuleType:
    stem = file.parent.name if file.name == "__init__.py" else file.stem
    unique = hashlib.sha256(str(file).encode()).hexdigest()[:8]
    name = f"{stem}__{unique}"
    folder = [str(file.parent)] if file.name == "__init__.py" else None
    spec = importlib.util.spec_from_file_location(name, file, submodule_search_locations=folder)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        with files_beside(file.parent):
            spec.loader.exec_module(module)
    except SpielbaumError:
        raise
    except (Exception, SystemExit) as error:
        what = "it calls sys.exit" if isinstance(error, SystemExit) else f"{type(error).__name__}: {error}"
        found = author_s_place(error, module)
        place = f" ({found[1]})" if found else ""
        raise GameError(f"{file.name} can't be loaded: {what}{place}") from error
    return module


_beside = set[str]()  # the names of modules that lie beside games


@contextlib.contextmanager
def files_beside(folder: pathlib.Path) -> Iterator[None]:
    """Let a game import files that lie beside it, but none in place of the standard library.

    Files of one name beside two games are two modules.
    """

    def find_spec(name: str, path: Any = None, _target: Any = None) -> Any:
        if path is not None or name in LIBRARIES:
            return None
        spec = PathFinder.find_spec(name, [str(folder)])
        if spec is not None and spec.loader is None:  # a folder may be anything: installed packages come first
            return PathFinder.find_spec(name) or spec
        if spec is not None:
            _beside.add(name)
        return spec

    for name in _beside & sys.modules.keys():
        file = getattr(sys.modules[name], "__file__", None)
        if file is None or not pathlib.Path(file).is_relative_to(folder):
            del sys.modules[name]
    finder: Any = types.SimpleNamespace(find_spec=find_spec)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
