"""A training that nobody has trained: files as one writes them."""

from __future__ import annotations

import json
import math
import pathlib

PLAN = {"game": "connect-four", "options": {}, "size": "256-32", "seed": 1, "minutes": 10.0, "simulations": 64}


def made_training(folder: pathlib.Path, iterations: int, each: float = 12.0) -> pathlib.Path:
    """A training of so many iterations, every fifth of which was measured."""
    folder.mkdir(exist_ok=True)
    (folder / "plan.json").write_text(json.dumps(PLAN))
    (folder / "rows.jsonl").write_text("".join(json.dumps(row(number, each)) + "\n" for number in range(iterations)))
    return folder


def row(number: int, each: float) -> dict[str, object]:
    fallen, score = math.exp(-number / 12), round(0.9 - 0.85 * math.exp(-number / 15), 3)
    known = {
        "score": score,
        "low": max(0.0, score - 0.1),
        "high": min(1.0, score + 0.1),
        "baseline": "mcts:iterations=1000",
    }
    return {
        "iteration": number, "games": 1024, "moves": 30000, "positions": 7500, "rate": 1e-3, "play_seconds": each / 2,
        "policy_loss": 0.9 + fallen, "value_loss": 0.3 + 0.6 * fallen, "entropy": 0.7 + fallen,
        "seconds": each * (number + 1),
        **(known if number % 5 == 0 else {}),
    }  # fmt: skip
