"""The laws of a game in the order in which they are judged.

A position that breaks a law on which others rest is not judged further, so that one slip is reported
once and under the name of what is wrong.
"""

from __future__ import annotations

from spielbaum.testing.laws import foundations, hidden, hooks, meaning, networks, rounds, running

LAWS = (
    foundations.halts,
    *foundations.FOUNDATIONS,
    foundations.answers,
    foundations.no_leak,
    foundations.scratch,
    foundations.determinism,
    meaning.results,
    meaning.key,
    meaning.notation,
    meaning.render,
    meaning.scene,
    rounds.somebody,
    rounds.alone,
    rounds.secret,
    rounds.order,
    rounds.choices,
    hidden.hide,
    hidden.determinize,
    hidden.likelihood,
    hooks.evaluate,
    hooks.metrics,
    hooks.prior,
    hooks.sample,
    hooks.policy,
    hooks.playout,
    networks.features,
    networks.planes,
    networks.symmetry,
    running.compiled,
    networks.incremental,
    running.replay,
    running.ends,
    running.processes,
)
