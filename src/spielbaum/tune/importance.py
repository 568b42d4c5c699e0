"""What the games of a tuning run say about each parameter: an additive model, by ridge regression.

A range is divided into PARTS parts, and each part (or choice) of each gene has an effect on the score:

    score = level of the step or opponent + Σ over genes of effect(part of its range)

Where two tuned agents meet the score is the difference of their effects. Importance is the variance of a gene's effects
over its range, less what is noise, as a share of all genes' (functional ANOVA of first order: Hutter et al. 2014). The
interval has the part of the tuned value, and all that are not worse than it by more than 1.96 errors of the difference;
a gene that the tuned agent does not have is told by its best part.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from spielbaum.arena.stats import Z95, difference_errors, weighted_ridge
from spielbaum.params import Value, written
from spielbaum.tune.history import ParameterImportance
from spielbaum.tune.method import Batch, Trial
from spielbaum.tune.space import Gene, Species

PARTS = 6
RIDGE = 1.0  # games' worth of no effect that everything begins with


class StepResult(NamedTuple):
    """A step: who met whom, and what each side had."""

    batch: Batch
    results: np.ndarray


class Columns:
    """Where the effects of each gene are in the regression."""

    def __init__(self, species: Sequence[Species], levels: int):
        self.at: list[list[slice]] = []
        width = levels
        for each in species:
            places = []
            for gene in each.genes:
                parts = parts_of(gene)
                places.append(slice(width, width + parts))
                width += parts
            self.at.append(places)
        self.width = width


def parts_of(gene: Gene) -> int:
    return min(gene.levels, PARTS) if gene.levels and gene.numeric else len(gene.choices) or PARTS


def parameter_importances(
    species: Sequence[Species], steps: Sequence[StepResult], tuned: Trial
) -> list[ParameterImportance]:
    """The importance of every gene, the effects of its values, and the values that are as good as the tuned one."""
    columns = Columns(species, len(steps))
    rows, scores, weights, seen = regression(species, steps, columns)
    found, covariance = weighted_ridge(rows, scores, weights, RIDGE)
    has = [each.active(tuned.values) if tuned.species == number else {} for number, each in enumerate(species)]
    estimates = [
        (each, gene, *levels_of(gene, found[at], covariance[at, at], seen[at], own.get(gene.name)))
        for each, places, own in zip(species, columns.at, has, strict=True)
        for gene, at in zip(each.genes, places, strict=True)
    ]
    total = sum(variance for *_, variance in estimates) or 1.0
    return [
        ParameterImportance(each.given, gene.name, variance / total, kept, levels)
        for each, gene, levels, kept, variance in estimates
    ]


def regression(
    species: Sequence[Species], steps: Sequence[StepResult], columns: Columns
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """f8[rows, columns], f8[rows], f8[rows], b[columns]: who was there, the score, its games; what was tried."""
    rows, scores, weights, seen = [], [], [], np.zeros(columns.width, bool)
    for step, (batch, results) in enumerate(steps):
        marks = np.zeros((len(batch.trials), columns.width))
        for mark, trial in zip(marks, batch.trials, strict=True):
            each = species[trial.species]
            active = each.active(trial.values)
            for gene, at in zip(each.genes, columns.at[trial.species], strict=True):
                if gene.name in active:
                    mark[at] = -1 / (at.stop - at.start)  # so that the mean effect of a conditional gene is its owner's
                    mark[at.start + part_of(gene, active[gene.name])] += 1.0
                    seen[at.start + part_of(gene, active[gene.name])] = True
        for meeting, had in zip(batch.meetings, results, strict=True):
            if len(meeting) == 2 and min(meeting) >= 0:
                rows.append(marks[meeting[0]] - marks[meeting[1]])
                scores.append(had[0] - 0.5)
                weights.append(float(batch.games))
                continue
            for side, value in zip(meeting, had, strict=True):
                if side >= 0:
                    row = marks[side].copy()
                    row[step] = 1.0
                    rows.append(row)
                    scores.append(value)
                    weights.append(float(batch.games))
    return np.array(rows), np.array(scores), np.array(weights), seen


def part_of(gene: Gene, value: Value) -> int:
    """The part of the range in which a value is."""
    parts = parts_of(gene)
    return min(int(gene.place(value) * parts), parts - 1)


def levels_of(
    gene: Gene, found: np.ndarray, covariance: np.ndarray, seen: np.ndarray, tuned: Value | None
) -> tuple[tuple[tuple[Value, float, float], ...], tuple[str, ...], float]:
    """The effects of a gene's parts, those as good as the tuned value, and the variance over them without noise."""
    parts = len(found)
    if not seen.any():
        return (), (), 0.0
    centre = np.eye(parts) - seen / seen.sum()  # effects are told from their mean: only differences are known
    found, covariance = centre @ found, centre @ covariance @ centre.T
    errors = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    levels = tuple(
        (gene.at((part + 0.5) / parts), float(found[part]), float(errors[part])) for part in np.flatnonzero(seen)
    )
    own = part_of(gene, tuned) if tuned is not None else int(np.argmax(np.where(seen, found, -np.inf)))
    kept = seen & (found[own] - found <= Z95 * difference_errors(covariance, own))
    kept[own] = True
    variance = max(0.0, float(np.mean(found[seen] ** 2) - np.mean(errors[seen] ** 2)))
    if not gene.numeric:
        return levels, tuple(written(gene.choices[part]) for part in np.flatnonzero(kept)), variance
    first, last = int(np.flatnonzero(kept)[0]), int(np.flatnonzero(kept)[-1])
    return levels, (written(gene.at(first / parts)), written(gene.at((last + 1) / parts))), variance
