"""Games over the network as JSON lines, one game a line: written while they are played, read, and played again.

    {"id": "K7", "players": {"1": "tyr", "2": "RandomAI"}, "width": 60, "height": 50,
     "start": {"1": [x, y, direction, speed, active], …}, "start_sha1": "…",
     "rounds": [{"actions": {"1": "turn_left", "2": null}, "after": {"1": […], …}, "sha1": "…"}, …]}

A null is no answer, or that of a player who was out. The hash is the SHA-1 of all cells, row by row, as decimal numbers
joined by commas: `0,0,3,-1,…`. The rules are right when they lead to every position and every hash again.

A client writes a line round by round, and `players` at its end, when it knows them all. A line in the middle of which
it was killed is read up to the last whole round.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import pathlib
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from spielbaum.errors import SpielbaumError
from spielbaum.foreign import lines, parse_json
from spielbaum.game import Game, State, load
from spielbaum.games.spe_ed import ACTIONS
from spielbaum.games.spe_ed.cells import paint
from spielbaum.games.spe_ed.rules import NO_ANSWER
from spielbaum.games.spe_ed.tables import DIRECTIONS, PLAYERS
from spielbaum.text import name_of

try:
    import fcntl
except ModuleNotFoundError:  # Windows has no such locks
    fcntl = None  # type: ignore[assignment]

Record = dict[str, Any]
Places = dict[str, list[Any]]
"""`[x, y, direction, speed, active]` of each player, by its number as a text."""

ANSWERS = ACTIONS[:NO_ANSWER]
CODES = {None: NO_ANSWER} | {name: code for code, name in enumerate(ANSWERS)}
LETTERS = np.frombuffer(b"-0123456", np.uint8)  # what a cell from -1 to 6 is written as, for -1 its first letter


# --- writing --------------------------------------------------------------------------------------


def begun(id: str, names: Mapping[str, str], places: Places, cells: np.ndarray) -> Record:
    """The record of a game that begins: who plays, and where they are; `cells` is i1[height, width]."""
    height, width = cells.shape
    start = {"start": places, "start_sha1": digest(cells), "rounds": []}
    return {"id": id, "players": dict(names), "width": width, "height": height, **start}


def add_round(record: Record, actions: Mapping[str, str | None], places: Places, cells: np.ndarray) -> None:
    """Note what everybody answered in a round, and what came of it."""
    record["rounds"].append({"actions": dict(actions), "after": places, "sha1": digest(cells)})


class Log:
    """A file to which games are added while they are played, by one writer: a line is written round by round."""

    def __init__(self, path: pathlib.Path):
        self.path, self.file = path, open(path, "ab", buffering=0)  # noqa: SIM115
        try:
            if fcntl is not None:
                fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.file.close()
            raise SpielbaumError(f"another client writes to {path}; give each a file of its own") from None
        except OSError:
            pass  # a file system or a pipe that knows no locks
        self.torn = is_torn(path)  # whether the last line has no end
        self.id, self.rounds = "", 0

    def write(self, record: Record, *, over: bool = False) -> None:
        """Add what is new of a game, and its end when it is over."""
        parts = []
        if record["id"] != self.id:
            parts += ["\n" * self.torn, first_line(record)]
            self.id, self.rounds = record["id"], 0
        for number in range(self.rounds, len(record["rounds"])):
            parts += ["," * (number > 0), compact(record["rounds"][number])]
        parts += [f'],"players":{compact(record["players"])}}}\n'] * over
        self.torn, self.rounds = not over, len(record["rounds"])
        text = "".join(parts).encode()
        if text and self.file.write(text) != len(text):
            raise OSError(errno.ENOSPC, "no space is left for all of it", str(self.path))

    def close(self) -> None:
        self.file.close()


def is_torn(path: pathlib.Path) -> bool:
    """Whether a file ends in the middle of a line."""
    if not path.is_file() or not path.stat().st_size:
        return False
    with open(path, "rb") as file:
        file.seek(-1, 2)
        return file.read() != b"\n"


def first_line(record: Record) -> str:
    """A record up to its rounds."""
    known = {key: value for key, value in record.items() if key not in ("players", "rounds")}
    return f'{compact(known)[:-1]},"rounds":['


def compact(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)


def places_of(s: Any, players: int) -> Places:
    """Where the players are in a state of the game."""
    return {
        str(p + 1): [int(s.x[p]), int(s.y[p]), DIRECTIONS[s.direction[p]], int(s.speed[p]), bool(s.died[p] == 0)]
        for p in range(players)
    }


def digest(cells: np.ndarray) -> str:
    """The SHA-1 of cells."""
    text = np.full(2 * cells.size, ord(","), np.uint8)
    text[::2] = LETTERS[cells.ravel() + 1]
    return hashlib.sha1(text.tobytes()[:-1].replace(b"-", b"-1"), usedforsecurity=False).hexdigest()


# --- reading --------------------------------------------------------------------------------------


def read(path: pathlib.Path) -> Iterator[Record]:
    """The games of a file, packed or not; what is no game is told by its line."""
    found = False
    for number, line in lines(path):
        if line.strip():
            found = True
            yield checked(line, f"{path}, line {number}")
    if not found:
        raise SpielbaumError(f"{path} is empty: games are JSON lines, packed by gzip or not")


def checked(line: str, where: str) -> Record:
    """A line as a record, if it is one."""
    try:
        record = parse_json(line, f"{where},")
    except SpielbaumError:
        record = broken_off(line)
        if record is None:
            raise
    if wrong := objection(record):
        raise SpielbaumError(f"{where}, is no game of spe_ed: {wrong}")
    record["id"] = str(record["id"])
    return record  # type: ignore[no-any-return]


def broken_off(line: str) -> Any:
    """The game of a line in the middle of which its writer was killed, up to the last whole round, if it is one."""
    for text in (line.rstrip(), line.rpartition(',{"actions"')[0]):
        if '"players":' not in text:
            with contextlib.suppress(SpielbaumError):
                return parse_json(text + '],"players":{}}', "the game")
    return None


def objection(record: Any) -> str | None:
    """What keeps something from being a record."""
    if not isinstance(record, dict):
        return "it is no object"
    lacking = [
        name for name in ("id", "players", "width", "height", "start", "start_sha1", "rounds") if name not in record
    ]
    if lacking:
        return f"it has no {lacking[0]!r}"
    if not (is_whole(record["width"]) and is_whole(record["height"])):
        return "width and height are whole numbers"
    start, rounds = record["start"], record["rounds"]
    numbers = [str(number + 1) for number in range(PLAYERS)]
    if not isinstance(start, dict) or not 2 <= len(start) <= PLAYERS or sorted(start) != numbers[: len(start)]:
        return f"'start' has the players '1' to at most '{PLAYERS}'"
    if not isinstance(record["id"], str | int) or not isinstance(record["start_sha1"], str):
        return "'id' and 'start_sha1' are texts"
    if not isinstance(record["players"], dict) or not isinstance(rounds, list):
        return "'players' is an object and 'rounds' a list"
    if not all(name is None or isinstance(name, str) for name in record["players"].values()):
        return "'players' has names that are no texts"
    if not are_places(start, start):
        return "'start' has x, y, direction, speed and whether active of each player"
    for number, each in enumerate(rounds, 1):
        if not isinstance(each, dict) or not are_places(each.get("after"), start):
            return f"round {number} does not say where all players are afterwards"
        if not isinstance(each.get("sha1"), str):
            return f"round {number} has no 'sha1', the hash of all cells"
        actions = each.get("actions")
        if not isinstance(actions, dict) or not all(is_action(action) for action in actions.values()):
            return f"round {number} has answers that are none of {', '.join(ANSWERS)} and null"
    return None


def is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def is_action(value: Any) -> bool:
    return value is None or (isinstance(value, str) and value in CODES)


def are_places(places: Any, start: Places) -> bool:
    return isinstance(places, dict) and places.keys() == start.keys() and all(map(is_place, places.values()))


def is_place(place: Any) -> bool:
    if not isinstance(place, list) or len(place) != 5:
        return False
    x, y, direction, speed, active = place
    return all(map(is_whole, (x, y, speed))) and direction in DIRECTIONS and isinstance(active, bool)


# --- playing again --------------------------------------------------------------------------------


class Replayed(NamedTuple):
    """What the rules make of a record."""

    rounds: int
    """How many were played."""
    wrong: list[str]
    """The rounds that go otherwise, a line each."""


def verify(record: Record) -> Replayed:
    """Play a game again and compare every round, up to the first position that is another one."""
    wrong, number = [], 0
    for number, (places, sha1) in enumerate(replay(record)):
        told = record["rounds"][number - 1] if number else {"after": record["start"], "sha1": record["start_sha1"]}
        if places != told["after"]:
            wrong.append(f"game {record['id']}, round {number}: {difference(places, told['after'])}")
            return Replayed(number, wrong)
        if sha1 != told["sha1"]:
            wrong.append(f"game {record['id']}, round {number}: other cells than by the rules")
    if number < len(record["rounds"]):
        wrong.append(f"game {record['id']}, round {number + 1}: by the rules the game is over")
    return Replayed(number, wrong)


def difference(ours: Places, theirs: Places) -> str:
    """The first player who is elsewhere."""
    player = next(player for player in ours if ours[player] != theirs[player])
    return f"player {player} is {theirs[player]}, by the rules {ours[player]}"


def replay(record: Record) -> Iterator[tuple[Places, str]]:
    """Where players are by the rules, and the hash of the cells: at the start and after every round there is."""
    game = game_of(record)
    state, cells = game.new(), np.zeros((record["height"], record["width"]), np.int8)
    for p in range(game.players):
        cells[state.record.y[p], state.record.x[p]] = p + 1
    yield places_of(state.record, game.players), digest(cells)
    for each in record["rounds"]:
        if state.over:
            return
        before = state.copy().record
        play_round(state, each["actions"])
        paint(cells, before, state.record)
        yield places_of(state.record, game.players), digest(cells)


def play_round(state: State, actions: Mapping[str, str | None]) -> None:
    """Let the answers of a round happen."""
    for player in state.movers:
        state.play(CODES[actions.get(str(player + 1))])


def game_of(record: Record) -> Game:
    """The game with the options that a record was played with."""
    places = "; ".join(f"{x},{y},{direction}" for x, y, direction, *_ in in_order(record["start"]))
    try:
        size = {"width": record["width"], "height": record["height"]}
        return load("spe-ed", players=len(record["start"]), **size, start=places, silence=True)
    except SpielbaumError as error:
        raise SpielbaumError(f"game {record['id']} can't be played: {error}") from None


def in_order(by_player: Mapping[str, Any]) -> list[Any]:
    """What there is of each player, in the order of their numbers."""
    return [by_player[player] for player in sorted(by_player)]


def names_of(record: Record) -> list[str]:
    """Who played, in the order of their numbers; whatever a server calls them, in one short line."""
    given = [record["players"].get(player) or f"player {player}" for player in sorted(record["start"])]
    return [name_of(str(name)) or "?" for name in given]
