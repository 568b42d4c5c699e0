"""A small game as a whole, in extensive form: every position that can come up, and what each player knows there.

The tree grows level by level. Chance is no player here: what it does happens in the action that sets it off, so an
edge has a probability, and there is one for every way in which the dice can fall. To find them, rules run as plain
Python with a stream of random numbers that falls as it is told to and log how many ways there were (`Dice`).

Two things are known of a decision. Its *view* is what an agent is shown, and all that an agent's strategy depends on.
Its *memory* is all that the player has seen and done so far: who looks for a best response may remember everything,
whether the game's views hold it or not (perfect recall).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from spielbaum.errors import SpielbaumError
from spielbaum.game import Game, State, buffer_size
from spielbaum.rules import HALF, MULTIPLIER, TERMINAL, below, random_stream

LARGEST = 1_000_000  # positions
SAMPLES, FAR_TOO_LARGE = 20, 10  # random games, and how much too large the guess from them has to be
OFTEN = 1000  # positions after which somebody may want to stop
NO_DICE = np.zeros(1, np.uint64)
Watch = Callable[[int], None]
"""Told how much is done now and then."""


class Dice:
    """A stream of random numbers for rules in plain Python that falls by a script, and then always the first way.

    It stands for the generator's word wherever `random_word` computes with it, until `below` asks for one of n.
    """

    def __init__(self, script: list[int]):
        self.script, self.ways = script, list[int]()

    def __getitem__(self, index: int) -> Dice:
        return self

    def __setitem__(self, index: int, word: Dice) -> None:
        pass

    def __and__(self, other: Any) -> Dice:
        return self

    __rshift__ = __xor__ = __add__ = __and__

    def __mul__(self, number: np.uint64) -> Any:
        if number == MULTIPLIER:
            return self
        self.ways.append(int(number))
        fallen = self.script[len(self.ways) - 1] if len(self.ways) <= len(self.script) else 0
        return np.uint64(fallen) << HALF

    def __float__(self) -> float:
        raise SpielbaumError("the game draws a real number, so that its positions can't be counted")


def outcomes(happen: Callable[[Dice], np.ndarray]) -> Iterator[tuple[np.ndarray, float]]:
    """All that can happen, each with its probability: `happen` is told how the dice fall."""
    scripts = [list[int]()]
    while scripts:
        script = scripts.pop()
        dice = Dice(script)
        array = happen(dice)
        for draw in range(len(script), len(dice.ways)):
            scripts += [[*script, *[0] * (draw - len(script)), way] for way in range(1, dice.ways[draw])]
        yield array, 1.0 / float(np.prod(dice.ways, dtype=np.float64))


@dataclass
class Level:
    """All positions after so many actions, as arrays."""

    parent: np.ndarray  # in the level before
    choice: np.ndarray  # which of the parent's actions has led here, by number
    chance: np.ndarray  # that the dice fall like this, when it is played
    player: np.ndarray  # TERMINAL at the end
    returns: np.ndarray  # [positions, players]
    view: np.ndarray  # the first slot of what the player to move is shown, -1 at the end
    memory: np.ndarray  # the first slot of all that the player to move has seen and done, -1 at the end


@dataclass
class Slots:
    """Room for a number about each action of each decision; the actions of one lie side by side."""

    first: list[int] = field(default_factory=lambda: [0])  # of each decision, and then how many slots there are

    def add(self, actions: int) -> int:
        """The first slot of one more decision."""
        self.first.append(self.first[-1] + actions)
        return self.first[-2]

    @property
    def size(self) -> int:
        """How many there are."""
        return self.first[-1]

    @functools.cached_property
    def decision(self) -> np.ndarray:
        """The decision of each slot."""
        return np.repeat(np.arange(len(self.first) - 1), np.diff(self.first))

    def shares(self, weights: np.ndarray) -> np.ndarray:
        """Weights of actions as probabilities; the same for all where there are none."""
        totals = np.bincount(self.decision, weights, len(self.first) - 1)[self.decision]
        equal = 1.0 / np.diff(self.first)[self.decision]
        return np.where(totals > 0.0, weights / np.where(totals > 0.0, totals, 1.0), equal)


@dataclass
class View:
    """What a player is shown before a decision, and between which actions it is."""

    state: State
    actions: list[int]
    slot: int


@dataclass
class Tree:
    """The levels, what players are shown, and slots for the actions there and for those by memory."""

    game: Game
    levels: list[Level] = field(default_factory=list)
    views: dict[tuple[int, bytes], View] = field(default_factory=dict)
    by_view: Slots = field(default_factory=Slots)
    by_memory: Slots = field(default_factory=Slots)

    @property
    def size(self) -> int:
        """How many positions there are."""
        return sum(len(level.player) for level in self.levels)


def extensive(game: Game, watch: Watch | None = None, largest: int = LARGEST) -> Tree:
    """The whole tree of a game; one that is too large is refused, at once where random games show it."""
    if estimated_size(game) > FAR_TOO_LARGE * largest:
        raise too_large(game, largest)
    return TreeBuilder(game, largest).build(watch or (lambda positions: None))


def estimated_size(game: Game) -> float:
    """How many positions follow a first one, guessed from the branching along random games (Knuth 1975)."""
    found = []
    for seed in range(SAMPLES):
        state, rng, width, size = game.new(seed), random_stream(seed), 1.0, 1.0
        while not state.over and size < np.inf:
            actions = state.actions
            width *= len(actions)
            size += width
            state.play(actions[int(below(rng, len(actions)))])
        found.append(size)
    return float(np.mean(found))


def too_large(game: Game, largest: int) -> SpielbaumError:
    return SpielbaumError(
        f"{game.name} is too large: it has more than {largest:,} positions, and only a game that can be looked at as a"
        " whole can be solved; its options may make it smaller"
    )


class Front:
    """The positions that a tree grows from, column by column: so many tuples would keep the garbage collector busy."""

    def __init__(self, players: int):
        self.parent, self.choice = list[int](), list[int]()
        self.chance, self.arrays = list[float](), list[np.ndarray]()
        self.memories = [list[int]() for _ in range(players)]

    def add(self, parent: int, choice: int, chance: float, array: np.ndarray, memories: list[int]) -> None:
        """One more."""
        self.parent.append(parent)
        self.choice.append(choice)
        self.chance.append(chance)
        self.arrays.append(array)
        for remembered, memory in zip(self.memories, memories, strict=True):
            remembered.append(memory)


class TreeBuilder:
    """Makes the tree of a game."""

    def __init__(self, game: Game, largest: int):
        self.game, self.largest = game, largest
        self.tree = Tree(game)
        self.remembered: dict[tuple[int, int, int, bytes], int] = {}
        self.memory_slots: dict[int, int] = {}
        self.legal = np.empty(buffer_size(game.module), np.int64)
        self.results = np.zeros(game.module.PLAYERS)

    def build(self, watch: Watch) -> Tree:
        """Level by level, until all games are over."""
        front = Front(self.game.players)
        for array, chance in self.first_positions():
            front.add(-1, -1, chance, array, [0] * self.game.players)
            if len(front.arrays) % OFTEN == 0:
                watch(0)
        while front.arrays:
            front = self.add_level(front, watch)
            watch(self.tree.size)
        return self.tree

    def first_positions(self) -> Iterator[tuple[np.ndarray, float]]:
        """All deals."""
        start_game = self.game.kernels.game_api.start_game.function

        def happen(dice: Dice) -> np.ndarray:
            array = np.zeros(1, self.game.rules.STATE)
            start_game(self.game.context, array, dice)
            return array

        return outcomes(happen)

    def positions_after(self, before: np.ndarray, action: int) -> Iterator[tuple[np.ndarray, float]]:
        """All positions that an action can lead to."""
        advance, context = self.game.kernels.game_api.advance, self.game.context

        def happen(dice: Dice) -> np.ndarray:
            array = before.copy()
            advance.function(context, array, action, dice)
            return array

        if self.game.chance:
            yield from outcomes(happen)
        else:
            array = before.copy()
            advance(context, array, action, NO_DICE)
            yield array, 1.0

    def add_level(self, front: Front, watch: Watch) -> Front:
        """Note the positions of one level; those of the next."""
        after, players, n = Front(self.game.players), range(self.game.players), len(front.arrays)
        room = self.largest - self.tree.size - n
        level = Level(
            *(np.array(front.parent), np.array(front.choice), np.array(front.chance)),
            *(np.full(n, TERMINAL), np.zeros((n, len(players))), np.full(n, -1), np.full(n, -1)),
        )
        for number, array in enumerate(front.arrays):
            mover, legal = self.look(array, level.returns[number])
            if mover == TERMINAL:
                continue
            sights = [self.sight(array, player) for player in players]
            memories = [self.memory(p, front.memories[p][number], -1, sights[p]) for p in players]
            mine = memories[mover]
            level.player[number] = mover
            level.view[number] = self.view(mover, sights[mover], array, legal).slot
            level.memory[number] = self.memory_slot(mine, len(legal))
            for choice, action in enumerate(legal):
                memories[mover] = self.memory(mover, mine, action, b"")
                for next_array, chance in self.positions_after(array, action):
                    after.add(number, choice, chance, next_array, memories)
            if len(after.arrays) > room:
                raise too_large(self.game, self.largest)
            if number % OFTEN == 0:
                watch(self.tree.size + number)
        self.tree.levels.append(level)
        return after

    def look(self, array: np.ndarray, returns: np.ndarray) -> tuple[int, list[int]]:
        """Who is to move and the legal actions; at the end the results are written down."""
        player, n = self.game.kernels.game_api.look(self.game.context, array, self.legal, self.results)
        if player == TERMINAL:
            returns[:] = self.results[: len(returns)]
        return int(player), sorted(self.legal[:n].tolist())

    def sight(self, array: np.ndarray, player: int) -> bytes:
        """What a player sees of a position."""
        seen = array.copy()
        if self.game.hidden or self.game.simultaneous:
            self.game.kernels.game_api.observe(self.game.context, seen, player)
        return seen.tobytes()

    def view(self, player: int, sight: bytes, array: np.ndarray, legal: list[int]) -> View:
        """What a player is shown, logged once."""
        key = (player, sight)
        if key not in self.tree.views:
            state = State(self.game, array, NO_DICE.copy(), None).view(player)
            self.tree.views[key] = View(state, legal, self.tree.by_view.add(len(legal)))
        return self.tree.views[key]

    def memory(self, player: int, before: int, action: int, sight: bytes) -> int:
        """The number of what a player remembers after an own action or a look at the position."""
        return self.remembered.setdefault((player, before, action, sight), len(self.remembered) + 1)

    def memory_slot(self, memory: int, actions: int) -> int:
        """The first slot of a decision by what its player remembers."""
        if memory not in self.memory_slots:
            self.memory_slots[memory] = self.tree.by_memory.add(actions)
        return self.memory_slots[memory]
