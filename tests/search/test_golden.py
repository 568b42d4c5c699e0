"""Golden trees: the same seed grows the same tree, one example for every variant of MCTS.

A change that should change nothing (a faster loop, another layout) leaves all of these as they are; one that
mends a variant shows in review which trees it touches. `python -m tests.search.test_golden NAME …` writes anew.
"""

from __future__ import annotations

import hashlib
import json
import pathlib
import sys
from typing import Any

import pytest

import spielbaum
from spielbaum.search.mcts import Mcts
from spielbaum.search.mcts.tree import ROOT

TREES = pathlib.Path(__file__).with_name("golden_trees.json")

VARIANTS = {
    "ucb1": ("connect-four", "mcts"),
    "ucb1-tuned": ("connect-four", "mcts:select=ucb1-tuned"),
    "puct": ("latrunculi", "mcts:select=puct,c=2"),
    "puct with priors": ("scotland-yard", "mcts:select=puct,determinizations=4"),
    "greedy": ("connect-four", "mcts:select=greedy"),
    "epsilon-greedy": ("connect-four", "mcts:select=epsilon-greedy,epsilon=0.3"),
    "random": ("connect-four", "mcts:select=random"),
    "normalise": ("connect-four", "mcts:normalise=on"),
    "threshold": ("connect-four", "mcts:threshold=20"),
    "rave": ("connect-four", "mcts:rave=200"),
    "bias": ("scotland-yard", "mcts:bias=3,determinizations=2"),
    "widen": ("connect-four", "mcts:widen=0.5"),
    "one": ("connect-four", "mcts:expand=one"),
    "one, widen": ("connect-four", "mcts:expand=one,widen=0.7"),
    "expand-visits": ("connect-four", "mcts:expand-visits=4"),
    "greedy simulations": ("latrunculi", "mcts:simulate=greedy/random,depth=6,iterations=100"),
    "mixture per move": ("latrunculi", "mcts:simulate=0.7*random+0.3*greedy,depth=6,iterations=100"),
    "mixture per simulation": ("latrunculi", "mcts:simulate=random+greedy,mix=simulation,depth=6,iterations=100"),
    "depth": ("latrunculi", "mcts:depth=8"),
    "simulations": ("connect-four", "mcts:simulations=3"),
    "evaluation": ("latrunculi", "mcts:value=evaluation,depth=4"),
    "difference": ("latrunculi", "mcts:value=difference,depth=4"),
    "vanishing": ("connect-four", "mcts:backup=vanishing,vanishing=0.5"),
    "vanishing, one": ("connect-four", "mcts:backup=vanishing,vanishing=2,expand=one"),
    "share": ("tic-tac-toe", "mcts:transpositions=on"),
    "share, rave": ("tic-tac-toe", "mcts:transpositions=on,rave=50"),
    "resample": ("connect-four", "mcts:opponents=open-loop"),
    "resample, tuned": ("connect-four", "mcts:opponents=open-loop,select=ucb1-tuned"),
    "resample, one": ("connect-four", "mcts:opponents=open-loop,expand=one"),
    "fixed": ("connect-four", "mcts:opponents=per-path"),
    "chance": ("pig", "mcts"),
    "chance, puct, widen": ("pig", "mcts:select=puct,widen=0.5"),
    "chance, rave": ("pig", "mcts:rave=100"),
    "worlds": ("pursuit", "mcts:determinizations=4"),
    "information sets by view": ("pursuit", "ismcts"),
    "information sets by path": ("pursuit", "ismcts:nodes=path"),
    "information sets, rave": ("pursuit", "ismcts:rave=50"),
}
SEED, ITERATIONS = 5, 400


def grown(game_name: str, spec: str) -> list[dict[str, Any]]:
    """What the trees of the first decision, and of the second one, look like."""
    game = spielbaum.load(game_name)
    if "iterations=" not in spec:
        spec += f"{',' if ':' in spec else ':'}iterations={ITERATIONS}"
    agent = spielbaum.agent(spec, game, SEED)
    state = game.new(SEED)
    pictures = []
    for _ in range(2):
        state.play(agent.act(state.view(state.player)))
        pictures.append(picture(agent.search))
        while not state.over and state.player != 0:
            state.play(state.actions[0])
    return pictures


def picture(search: Mcts) -> dict[str, Any]:
    """Root statistics in full, and a digest of everything below."""
    lines: list[str] = []
    root: list[list[float]] = []
    for number, tree in enumerate(search.trees):
        level, seen = [(ROOT, "")], set()
        while level:
            below = []
            for edge, path in level:
                for child in sorted(tree.children(edge), key=lambda e: tuple(map(int, key_of(tree, e)))):
                    e = tree.arrays.edges[child]
                    if child in seen or e.visits == 0:
                        continue
                    seen.add(child)
                    here = f"{path} {int(e.action)}"
                    lines.append(f"{number}:{here} {int(e.mover)} {float(e.visits):.9g} {float(e.total):.9g}")
                    if number == 0 and edge == ROOT:
                        root.append([int(e.action), float(f"{float(e.visits):.9g}"), float(f"{float(e.total):.9g}")])
                    below.append((child, here))
            level = below
    return {"root": root, "edges": len(lines), "digest": hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]}


def key_of(tree: Any, edge: int) -> tuple[int, int]:
    e = tree.arrays.edges[edge]
    return e.mover, e.action


@pytest.mark.parametrize("name", VARIANTS)
def test_the_same_seed_grows_the_same_tree(name):
    assert grown(*VARIANTS[name]) == json.loads(TREES.read_text())[name]


def test_every_stored_tree_is_one_of_a_variant():
    assert json.loads(TREES.read_text()).keys() == VARIANTS.keys()


if __name__ == "__main__":
    stored = json.loads(TREES.read_text()) if TREES.exists() else {}
    for each in sys.argv[1:] or VARIANTS:
        stored[each] = grown(*VARIANTS[each])
    ordered = {each: stored[each] for each in VARIANTS}
    TREES.write_text("{\n" + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in ordered.items()) + "\n}\n")
