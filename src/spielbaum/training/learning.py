"""How a network learns from samples: PyTorch on the processor, in the shape that kernels evaluate (`net.py`).

    loss = - Σ over legal actions π'(a) log π(a)  +  (v - z)²  +  (l - m / (m + 16))² / 4

with the improved policy π' of the search, and z the game's result by one quarter, by three the value of the
search, which has less noise. How many plies m were left tells apart what the result does not: l is a head that only
learning knows, an auxiliary target (D. Wu, "Accelerating self-play learning in Go", 2019). Every sample is seen in a
random one of the game's symmetries. Kernels get weights that are averaged over the last steps (Polyak & Juditsky 1992).
Where the value is what matters, the policy is learned from a share of the samples only, and counts as much less.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from spielbaum.errors import SpielbaumError
from spielbaum.game import Game
from spielbaum.networks.net import WEIGHTS, Weights

try:
    import torch
    from torch import nn
except ModuleNotFoundError:
    raise SpielbaumError("training needs PyTorch, which is not installed; pip install 'spielbaum[networks]'") from None

BATCH = 1024
AVERAGED = 0.998  # of the weights that are kept, with every step
SEARCH_SHARE = 0.75  # of the search's mean in the value to learn
LENGTH_SHARE, USUAL_LENGTH = 0.25, 16.0  # of how long games last in the loss, and plies that are neither few nor many
DECAY = 1e-4


def use_threads(count: int) -> None:
    """How many threads learn; with another number sums are rounded otherwise."""
    torch.set_num_threads(count)


class Model(nn.Module):
    """The network with gradients, and a head for how long games last."""

    def __init__(self, weights: Weights):
        super().__init__()
        for name in WEIGHTS:
            self.register_parameter(name, nn.Parameter(torch.from_numpy(weights[name].copy())))
        self.length = nn.Parameter(torch.zeros(weights["value"].shape[1]))

    def forward(
        self, features: torch.Tensor, offsets: torch.Tensor, actions: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Values, of the first positions the logits of some actions each, and lengths from 0 to 1."""
        own: Any = self
        layer = nn.functional.embedding_bag(features, own.first, offsets, mode="sum") + own.first_bias
        layer = layer.clamp(0, 1) @ own.second + own.second_bias
        if own.third_bias.numel():
            layer = layer.clamp(0, 1) @ own.third + own.third_bias
        layer = layer.clamp(0, 1)
        rows = nn.functional.embedding(actions, own.policy)
        logits = (rows @ layer[: len(actions), :, None])[:, :, 0] + own.policy_bias[actions]
        return torch.tanh(layer @ own.value.T + own.value_bias), logits, torch.sigmoid(layer @ own.length)

    def weights(self) -> Weights:
        return {name: self.get_parameter(name).detach().numpy().copy() for name in WEIGHTS}


class Learner:
    """A model with its optimiser, and the average of what it was of late."""

    def __init__(self, game: Game, weights: Weights, seed: int):
        self.game, self.model, self.policy_share, self.length_share = game, Model(weights), 1.0, LENGTH_SHARE
        self.average = self.model.weights()
        self.optimiser = torch.optim.AdamW(self.model.parameters(), lr=1e-3, weight_decay=DECAY)
        self.rng = np.random.default_rng(seed)
        self.features, self.actions = symmetry_tables(game)

    def learn(self, samples: np.ndarray, steps: int, rate: float) -> dict[str, float]:
        """Some steps of gradient descent; the means of what they showed."""
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        told = {"policy_loss": 0.0, "value_loss": 0.0, "length_loss": 0.0, "entropy": 0.0}
        for _ in range(steps):
            for name, value in self.step(samples[self.rng.integers(0, len(samples), BATCH)]).items():
                told[name] += value / steps
        return told

    def step(self, samples: np.ndarray) -> dict[str, float]:
        which = self.rng.integers(0, len(self.features), len(samples))
        here = np.arange(samples["feature"].shape[1]) < samples["active"][:, None]
        features = self.features[which[:, None], samples["feature"]][here]
        offsets = np.concatenate([[0], np.cumsum(samples["active"])[:-1]])
        some = samples[: math.ceil(self.policy_share * len(samples))]
        legal = torch.from_numpy(np.arange(some["action"].shape[1]) < some["actions"][:, None])
        actions = torch.from_numpy(self.actions[which[: len(some), None], some["action"]])
        chances = torch.from_numpy(np.where(legal.numpy(), some["chance"], 0.0).astype(np.float32))
        values, logits, lengths = self.model(torch.from_numpy(features), torch.from_numpy(offsets), actions)
        logs = torch.log_softmax(logits.masked_fill(~legal, -1e9), 1)
        policy_loss = -(chances * logs).sum(1).mean()
        value_loss = ((values - torch.from_numpy(self.targets(samples))) ** 2).mean()
        left = torch.from_numpy(samples["left"].astype(np.float32))
        length_loss = ((lengths - left / (left + USUAL_LENGTH)) ** 2).mean()
        self.optimiser.zero_grad()
        (self.policy_share * policy_loss + value_loss + self.length_share * length_loss).backward()
        self.optimiser.step()
        for name, now in self.model.weights().items():
            self.average[name] += (1 - AVERAGED) * (now - self.average[name])
        entropy = -(logs.exp() * logs.clamp(min=-50)).sum(1).mean()
        losses = {"policy_loss": policy_loss, "value_loss": value_loss, "length_loss": length_loss, "entropy": entropy}
        return {name: loss.item() for name, loss in losses.items()}

    def targets(self, samples: np.ndarray) -> np.ndarray:
        """The values to learn."""
        found = samples["result"].copy()
        found[:, 0] += SEARCH_SHARE * (samples["mean"] - found[:, 0])
        return found

    def state(self) -> dict[str, Any]:
        """All that is needed to go on."""
        return {
            "model": self.model.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "average": {name: torch.from_numpy(value) for name, value in self.average.items()},
            "rng": self.rng.bit_generator.state,
        }

    def restore(self, state: dict[str, Any]) -> None:
        self.model.load_state_dict(state["model"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.average = {name: value.numpy() for name, value in state["average"].items()}
        self.rng.bit_generator.state = state["rng"]


def symmetry_tables(game: Game) -> tuple[np.ndarray, np.ndarray]:
    """What each symmetry makes of each feature and of each action; one that changes nothing where there is none."""
    module, t = game.module, game.tables
    count = getattr(module, "SYMMETRIES", 1)
    features = np.tile(np.arange(module.FEATURES), (count, 1))
    actions = np.tile(np.arange(module.ACTION_CODES), (count, 1))
    for which in range(count if game.has("symmetry") else 0):
        features[which] = [asked(module.symmetry, t=t, which=which, feature=each) for each in range(module.FEATURES)]
        codes = range(module.ACTION_CODES)
        actions[which] = [asked(module.symmetric_action, t=t, which=which, action=each) for each in codes]
    return features, actions


def asked(rule: Any, **offered: Any) -> int:
    """What a rule answers that takes what it needs by name."""
    from spielbaum.protocol import parameters

    return int(getattr(rule, "py_func", rule)(**{name: offered[name] for name in parameters(rule)}))
