"""Components: every pair of them works or is refused in one line, and anybody can bring one."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import spielbaum
from spielbaum.search.mcts.components import SLOTS, registry
from spielbaum.search.mcts.tree import add_edge, add_node, clear, grow, layout, new_tree, record
from tests.conftest import SMALL

CHOICES = {
    "select": ("ucb1", "ucb1-tuned", "puct", "greedy", "epsilon-greedy", "random", "exp3", "regret-matching"),
    "expand": ("all", "one", "lazy", "memory"),
    "value": ("result", "evaluation", "difference"),
    "backup": ("mean", "vanishing"),
    "opponents": ("tree", "open-loop", "per-path", "per-node"),
    "decide": ("robust", "max", "max-robust", "secure", "mix"),
    "reuse": ("fresh", "keep", "normalise"),
    "transpositions": ("on",),
    "bias": ("2",),
    "coalition": ("0.5",),
    "gumbel": ("4",),
    "normalise": ("on",),
    "rave": ("50",),
    "solve": ("on",),
    "threshold": ("3",),
    "widen": ("0.7",),
    "filter": ("not-the-last",),
    "simulate": ("greedy", "0.5*random+0.5*first-way"),
    "mix": ("simulation",),
    "depth": ("2",),
    "expand-visits": ("0", "3"),
    "simulations": ("2",),
}
GIVEN = [(name, value) for name, values in CHOICES.items() for value in values]
PAIRS = [(one, other) for one, other in itertools.combinations(GIVEN, 2) if one[0] != other[0]]


def interpreted(search, state, iterations: int) -> None:
    """Search as the kernel does, in Python, so that nothing is compiled."""
    search.prepare(state)
    for tree in search.trees:
        tree.plan(iterations)
        arguments = (tree.context, tree.arrays, tree.states, tree.raw, tree.work, tree.p, tree.rng, iterations)
        with np.errstate(all="ignore"):
            assert tree.kernels.run.function(*arguments) == iterations or tree.settled


@pytest.fixture(scope="module")
def maze():
    return spielbaum.load(SMALL / "maze.py", seed=0, players=2)


def test_every_component_of_the_engine_is_tried_in_pairs(maze):
    known = {(each.slot, each.name) for each in registry(maze.module).values()}
    tried = {(slot, name) for slot in SLOTS for name in CHOICES.get(slot, ())}
    switches = {each.params[0].name for each in registry(maze.module).values() if each.slot == "enhancement"}
    assert switches <= CHOICES.keys()
    assert {(slot, name) for slot, name in known if slot in CHOICES} - tried == {
        ("value", "network"),
        ("value", "onnx"),
    }


def test_every_pair_of_parameters_works_or_is_refused_in_one_line(maze):
    refused = 0
    for (name, value), (other_name, other_value) in PAIRS:
        spec = f"mcts:iterations=2,{name}={value},{other_name}={other_value}"
        try:
            search = spielbaum.agent(spec, maze, seed=1).search
        except spielbaum.SpielbaumError as error:
            refused += 1
            assert "\n" not in str(error)
            continue
        state = maze.new()
        try:
            interpreted(search, state, 2)
            assert search.best() in state.actions
        except Exception as error:
            raise AssertionError(f"{spec}: {type(error).__name__}: {error}") from error
    assert 0 < refused < len(PAIRS) / 2


def test_fields_of_components_begin_with_zeros_in_a_tree_that_is_used_again_or_grown():
    fields = (("mark", "i8"),)
    tree = new_tree(layout([("mine", record(fields))], [("mine", record(fields))], keyed=False, joints=False), edges=8)

    def fill() -> list[int]:
        found = []
        for _ in range(3):
            node = add_node(tree, 0.0)
            edge = add_edge(tree, node, 0, 0)
            found += [int(tree.nodes[node].mine.mark), int(tree.edges[edge].mine.mark)]
            tree.nodes[node].mine.mark = tree.edges[edge].mine.mark = 7
        return found

    assert fill() == [0] * 6
    clear(tree)
    assert fill() == [0] * 6
    tree = grow(tree, 1 << 20)
    assert fill() == [0] * 6


def test_components_that_keep_the_same_name_of_a_field_do_not_meet(maze):
    """Both mark what they have seen, each for itself."""
    search = spielbaum.agent("mcts:expand=lazy,rave=50,iterations=2", maze, seed=1).search
    interpreted(search, maze.new(), 20)
    own, other = (search.trees[0].work[name][0] for name in ("rave", "lazy"))
    assert own["mark"] == 20 != other["mark"]
