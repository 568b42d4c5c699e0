"""Games of a network against itself, many in a kernel call, side by side in threads; see `kernels/selfplay.py`.

Games come in batches with a seed each, so that what is played does not depend on how many threads or machines play it.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from spielbaum.agents.registry import resolve
from spielbaum.errors import SpielbaumError
from spielbaum.game import Game
from spielbaum.networks.net import Weights, heads, with_net
from spielbaum.rules import random_stream
from spielbaum.search.mcts.components import misfit
from spielbaum.search.mcts.settings import chosen_components, settings, tree_layout, variant_of, work_fields
from spielbaum.search.mcts.tree import new_tree
from spielbaum.search.mcts.workspace import STATES, new_work, words_of
from spielbaum.training.kernels import selfplay as template

AGENT = "network:net=-,gumbel=16"
BATCH = 64  # games of a kernel call
LONGEST = 512  # moves after which a game is a draw


@dataclass(frozen=True)
class SelfPlayConfig:
    """How games are played."""

    simulations: int = 32
    few: int = 8
    share: float = 0.5
    against_past: float = 0.25
    noise: float = 1.0
    random: int = 16
    limit: int = LONGEST


CONFIG = np.dtype(
    (
        np.record,
        [
            *((name, "i8") for name in ("simulations", "few", "random", "limit", "moves", "games")),
            *((name, "f8") for name in ("share", "against_past", "noise")),
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


class SelfPlayer:
    """One thread's search, which plays batch after batch with a net, in some games against a past."""

    def __init__(self, game: Game, weights: Weights, past: Weights, config: SelfPlayConfig):
        if wrong := objection(game):
            raise SpielbaumError(wrong)
        self.game, self.config = game, config
        values = resolve(AGENT, game)[1]
        values["solve"] = can_solve(game, values)
        variant = variant_of(game, values, information_sets=False)
        self.kernels = game.kernels.link(template, variant)
        self.p = settings(game, variant, values, filters=0, guess=0, opponent_policy=-1, me=0, players=game.players)
        fields = [*work_fields(game, variant), ("spare_features", "i8", game.module.FEATURES)]
        self.work = new_work(game, fields, 0, np.zeros(0))
        shape = tree_layout(game, variant)
        self.tree = new_tree(shape, (config.simulations + 2) * (game.module.MAX_ACTIONS + 1))
        self.zeros = np.zeros(1, shape.edge), np.zeros(1, shape.node)
        self.states = np.zeros(STATES, game.rules.STATE)
        self.raw = words_of(self.states)
        self.contexts = [with_net(game.new_context(), each) for each in (weights, past)]

    def play(self, seed: int, batch: int, games: int = BATCH) -> tuple[np.ndarray, int]:
        """The samples of a batch of games, and how many moves they had."""
        config = np.zeros(1, CONFIG)
        for name, value in asdict(self.config).items():
            config[name] = value
        found, rng = [], random_stream(seed, batch)
        samples = np.zeros(max(4096, 2 * self.config.limit), sample_type(self.game))
        while config["games"][0] < games:
            tree = self.tree, self.zeros
            arguments = (*self.contexts, *tree, self.states, self.raw, self.work, self.p, config, samples, rng)
            used = self.kernels.play(*arguments, games - int(config["games"][0]))
            found.append(samples[:used].copy())
        return np.concatenate(found), int(config["moves"][0])


def can_solve(game: Game, values: dict[str, Any]) -> bool:
    """Whether proven results can be told apart in a game."""
    solving = {**values, "solve": True}
    return misfit(game, chosen_components(game, solving, information_sets=False), solving, {}) is None


def play_batches(
    game: Game, weights: Weights, past: Weights, config: SelfPlayConfig, seed: int, batches: range, workers: int
) -> tuple[np.ndarray, int]:
    """The samples of some batches in their order, and how many moves they had, from as many threads as there are."""
    players = [SelfPlayer(game, weights, past, config) for _ in range(min(workers, len(batches)))]
    with ThreadPoolExecutor(len(players)) as pool:
        shares = [
            pool.submit(lambda each, own: [each.play(seed, batch) for batch in own], player, batches[i :: len(players)])
            for i, player in enumerate(players)
        ]
        played = [share.result() for share in shares]
    ordered = [played[i % len(players)][i // len(players)] for i in range(len(batches))]
    return np.concatenate([samples for samples, _ in ordered]), sum(moves for _, moves in ordered)
