"""Games of a network against itself, many in a kernel call, side by side in threads; see `kernels/selfplay.py`.

Games come in batches with a seed each, so that what is played does not depend on how many threads or machines play it.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from spielbaum.agents.kinds import resolve
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game
from spielbaum.networks.net import Weights, heads, with_net
from spielbaum.rules import random_stream
from spielbaum.search.mcts.parts import declaration
from spielbaum.search.mcts.policies import parse_policies
from spielbaum.search.mcts.settings import settings, structure_of, tree_layout, work_fields
from spielbaum.search.mcts.tree import new_tree
from spielbaum.search.mcts.work import STATES, new_work, words_of

AGENT = "network:net=-,gumbel=16"
BATCH = 64  # games of a kernel call
LONGEST = 512  # moves after which a game is a draw


@dataclass(frozen=True)
class Course:
    """How games are played."""

    simulations: int = 32
    few: int = 8
    share: float = 0.5
    rivalry: float = 0.25
    noise: float = 1.0
    random: int = 16
    limit: int = LONGEST


COURSE = np.dtype(
    (
        np.record,
        [
            *((name, "i8") for name in ("simulations", "few", "random", "limit", "moves", "games")),
            *((name, "f8") for name in ("share", "rivalry", "noise")),
        ],
    )
)


def sample_type(game: Game) -> np.dtype:
    """What is learned from one position."""
    module = game.module
    fields: list[Any] = [
        ("feature", "u2", module.FEATURES),
        ("action", "i4", module.MAX_ACTIONS),
        ("chance", "f4", module.MAX_ACTIONS),
        ("result", "f4", heads(game)),
        ("mean", "f4"),
        ("certain", "?"),
        ("active", "i4"),
        ("actions", "i4"),
        ("mover", "i4"),
        ("left", "i4"),
    ]
    return np.dtype((np.record, fields), align=True)


def objection(game: Game) -> str | None:
    """Why networks can't learn a game from themselves."""
    if not game.has("features"):
        return f"{game.name} has no rule 'features', so that a network sees nothing of it"
    if game.hidden or game.simultaneous:
        return f"{game.name} hides something or lets all move at once; train on games in turns that hide nothing"
    return None


class Player:
    """One thread's search, which plays batch after batch with a net, in some games against a rival."""

    def __init__(self, game: Game, weights: Weights, rival: Weights, course: Course):
        if wrong := objection(game):
            raise SpielbaumError(wrong)
        self.game, self.course = game, course
        values = resolve(AGENT, game)[1]
        values["solve"] = declaration("modify/solve").objection(game, values) is None
        structure = structure_of(game, values, information_sets=False)
        self.kernels = game.kernels.linked("selfplay", structure)
        self.p = settings(structure, values, filters=0, guess=0, answers=0, me=0, players=game.players)
        fields = [*work_fields(game, structure), ("spare_features", "i8", game.module.FEATURES)]
        chances = parse_policies(game, values["simulate"])
        self.work = new_work(game, fields, 0, np.zeros(0), chances)
        self.tree = new_tree(tree_layout(structure), (course.simulations + 2) * (game.module.MAX_ACTIONS + 1))
        self.states = np.zeros(STATES, game.rules.STATE)
        self.raw = words_of(self.states)
        self.contexts = [with_net(game.new_context(), each) for each in (weights, rival)]

    def play(self, seed: int, batch: int, games: int = BATCH) -> tuple[np.ndarray, int]:
        """The samples of a batch of games, and how many moves they had."""
        course = np.zeros(1, COURSE)
        for name, value in asdict(self.course).items():
            course[name] = value
        found, rng = [], random_stream(seed, batch)
        samples = np.zeros(max(4096, 2 * self.course.limit), sample_type(self.game))
        while course["games"][0] < games:
            arguments = (*self.contexts, self.tree, self.states, self.raw, self.work, self.p, course, samples, rng)
            used = self.kernels.play(*arguments, games - int(course["games"][0]))
            found.append(samples[:used].copy())
        return np.concatenate(found), int(course["moves"][0])


def play_batches(
    game: Game, weights: Weights, rival: Weights, course: Course, seed: int, batches: range, workers: int
) -> tuple[np.ndarray, int]:
    """The samples of some batches in their order, and how many moves they had, from as many threads as there are."""
    players = [Player(game, weights, rival, course) for _ in range(min(workers, len(batches)))]
    with ThreadPoolExecutor(len(players)) as pool:
        shares = [
            pool.submit(lambda each, own: [each.play(seed, batch) for batch in own], player, batches[i :: len(players)])
            for i, player in enumerate(players)
        ]
        played = [share.result() for share in shares]
    ordered = [played[i % len(players)][i // len(players)] for i in range(len(batches))]
    return np.concatenate([samples for samples, _ in ordered]), sum(moves for _, moves in ordered)
