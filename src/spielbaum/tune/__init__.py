"""Tuning: let the machine find an agent's parameters, and say honestly what it found.

spielbaum tune connect-four --agent mcts:iterations=200 --vary c --method spsa --games 2000
"""

from __future__ import annotations

from spielbaum.tune.history import (
    Estimate,
    History,
    Individual,
    Parameter,
    ParameterImportance,
    Step,
    Verdict,
    numbers,
    read_history,
)

__all__ = [
    "Estimate",
    "History",
    "Individual",
    "Parameter",
    "ParameterImportance",
    "Step",
    "Verdict",
    "numbers",
    "read_history",
]
