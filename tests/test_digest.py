"""The digest of a game changes with everything that its machine code depends on, and with nothing else."""

from __future__ import annotations

import os
import pathlib
import sys
import types

import numba
import pytest

import spielbaum
from spielbaum import digest, link
from spielbaum.digest import game_digest, machine, references
from spielbaum.game import module_from
from tests.tiny import python, write_race

HELPER = "@rule\ndef helper(x{default}):\n    return x + {constant}  # {comment}"
SHAPES = """
from spielbaum.rules import rule

@rule
def edges(x):
    return inner(x)

@rule
def inner(x):
    return x + 1
"""
PRINT_DIGEST = """
import pathlib
from spielbaum.digest import game_digest
from spielbaum.game import module_from
print(game_digest(module_from(pathlib.Path({path!r}))))
"""


def digest_of(path) -> str:
    return game_digest(module_from(path))


def edit(path, old: str, new: str) -> None:
    """Change a file; the clock of a file system may be too coarse to show it."""
    text = path.read_text()
    assert old in text
    before = path.stat().st_mtime_ns
    path.write_text(text.replace(old, new))
    os.utime(path, ns=(before + 10**9, before + 10**9))


@pytest.mark.parametrize(
    ("helpers", "old", "new"),
    [
        ("", "s.turn = 1 - s.turn", "s.turn = 0 + s.turn"),
        ("", "GOAL = 10", "GOAL = 11"),
        ("", "MAX_ACTIONS, ACTION_CODES = 2, 2, 3", "MAX_ACTIONS, ACTION_CODES = 2, 3, 3"),
        ("", '("b", "i8", 4)', '("b", "i8", 5)'),
        ("", "return Tables(np.array([1, 2]), 0)", "return Tables(np.array([2, 1]), 0)"),
        ("", "    steps: np.ndarray\n    bonus: int", "    bonus: int\n    steps: np.ndarray"),
        (HELPER.format(default="", constant=1, comment=""), "x + 1", "x + 2"),
        (HELPER.format(default=", y=1", constant="y", comment=""), "y=1", "y=2"),
        (HELPER.format(default="", constant="AREA[0]", comment="") + "\nAREA = np.array([1, 2])", "[1, 2]", "[1, 3]"),
        (HELPER.format(default="", constant="SIDES[0]", comment="") + "\nSIDES = (1, 2)", "(1, 2)", "(1, 3)"),
        (HELPER.format(default="", constant="(lambda y=1: y)()", comment=""), "y=1", "y=2"),
        ("def make(y):\n    @rule\n    def helper(x):\n        return x + y\n    return helper\nhelper = make(1)",
         "make(1)", "make(2)"),
    ],
)  # fmt: skip
def test_what_a_rule_depends_on_changes_the_digest(tmp_path, helpers, old, new):
    play = "s.n += helper(1)" if "helper" in helpers else "s.n += 1"
    path = write_race(tmp_path, helpers=helpers, play=play)
    before = digest_of(path)
    edit(path, old, new)
    assert digest_of(path) != before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# one", "# a comment of another length\n\n"),
        ("return Tables(np.array([1, 2]), 0)", "return Tables(np.array([2, 1]), 0)"),
        ("from typing", "UNUSED = 3\nfrom typing"),
    ],
)
def test_what_no_rule_depends_on_does_not_change_the_digest(tmp_path, old, new):
    options = "from spielbaum import Param\nOPTIONS = (Param('rows', 3, 'rows'),)\n\n\n"  # tables are arguments then
    helpers = options + HELPER.format(default="", constant=1, comment="one")
    path = write_race(tmp_path, helpers=helpers, play="s.n += helper(1)")
    before = digest_of(path)
    edit(path, old, new)
    assert digest_of(path) == before


@pytest.mark.parametrize(
    ("helpers", "call"),
    [
        ("from shapes import edges", "edges(1)"),
        ("import shapes", "shapes.edges(1)"),
        ("import shapes.deep", "shapes.deep.edges(1)"),
        ("from shapes import deep", "deep.edges(1)"),
    ],
)
def test_an_edited_module_changes_the_digest_of_the_next_process(tmp_path, helpers, call):
    folder = tmp_path / "shapes"
    folder.mkdir()
    for name in ("__init__", "deep"):
        (folder / f"{name}.py").write_text(SHAPES)
    path = write_race(tmp_path, helpers=helpers, play=f"s.n += {call}")
    code = PRINT_DIGEST.format(path=str(path))
    before = python(code, tmp_path, PYTHONDONTWRITEBYTECODE="1").stdout
    edit(folder / ("deep.py" if "deep" in helpers else "__init__.py"), "x + 1", "x + 2")
    assert python(code, tmp_path, PYTHONDONTWRITEBYTECODE="1").stdout != before


def test_the_digest_is_the_same_in_every_process(tmp_path):
    helpers = "class Piece: pass\nPIECE = Piece()\n@rule\ndef helper(x):\n    return x in {'a', 'b', 'c'} or PIECE"
    path = write_race(tmp_path, helpers=helpers, play="s.n += helper(1)")
    code = PRINT_DIGEST.format(path=str(path))
    assert len({python(code, tmp_path, PYTHONHASHSEED=seed).stdout for seed in "123"}) == 1


@pytest.mark.parametrize(
    ("owner", "name"), [(numba, "__version__"), (digest.np, "__version__"), (numba.config, "BOUNDSCHECK")]
)
def test_compiler_and_its_settings_change_the_digest(monkeypatch, owner, name):
    before = machine()
    monkeypatch.setattr(owner, name, "another")
    assert machine.__wrapped__() != before


def test_the_processor_changes_the_digest(monkeypatch):
    before = machine()
    monkeypatch.setattr(digest.llvmlite.binding, "get_host_cpu_name", lambda: "another")
    assert machine.__wrapped__() != before
    monkeypatch.undo()
    assert machine.__wrapped__() == before


# --- files of the engine --------------------------------------------------------------------------

UCB1, TUNED, SHARED = "mcts:select=ucb1", "mcts:select=ucb1-tuned", "mcts:transpositions=on"


def kernel_digest(template: str, agent: str | None = None) -> str:
    """The digest of a kernel of Tic-Tac-Toe, computed as in a process that was just started."""
    game = spielbaum.load("tic-tac-toe")
    structure = spielbaum.agent(agent, game).search.structure if agent else None
    files = link.files_of(link.Link(link.TEMPLATES[template], game.module, structure))
    return digest.kernel_digest.__wrapped__(game.module, structure, tuple(sorted(files)))


def digests() -> dict[str, str]:
    """The digests of several kernels, by name."""
    searches = {agent: kernel_digest("mcts", agent) for agent in (UCB1, TUNED, SHARED)}
    searches["alphabeta"] = kernel_digest("alphabeta", "alphabeta:depth=1")
    return {**searches, **{template: kernel_digest(template) for template in ("face", "laws")}}


@pytest.mark.parametrize(
    ("file", "depend"),
    [
        ("search/report.py", set()),
        ("search/mcts/picture.py", set()),
        ("search/mcts/search.py", set()),
        ("search/mcts/settings.py", set()),
        ("search/mcts/select/exp3.py", set()),
        ("search/mcts/select/ucb1.py", {UCB1, SHARED}),
        ("search/mcts/select/ucb1_tuned.py", {TUNED}),
        ("search/mcts/nodes/position.py", {SHARED}),
        ("search/mcts/kernels/backup.py", {UCB1, TUNED, SHARED}),
        ("search/mcts/tree.py", {UCB1, TUNED, SHARED}),
        ("search/sides.py", {UCB1, TUNED, SHARED, "alphabeta"}),
        ("search/table.py", {"alphabeta"}),
        ("kernels/face.py", {"face"}),
        ("kernels/hooks.py", {UCB1, TUNED, SHARED, "face", "alphabeta", "laws"}),
        ("rules.py", {UCB1, TUNED, SHARED, "face", "alphabeta", "laws"}),
    ],
)
def test_an_edited_file_changes_the_digests_of_what_is_linked_from_it(monkeypatch, file, depend):
    before, read = digests(), pathlib.Path.read_bytes
    edited = digest.ENGINE / file
    assert edited.is_file()
    monkeypatch.setattr(pathlib.Path, "read_bytes", lambda path: read(path) + b"#" * (path == edited))
    after = digests()
    assert {name for name in before if after[name] != before[name]} == depend


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("mcts:c=0.5", "mcts:c=2", True),
        ("mcts:iterations=10", "mcts:seconds=1,threads=2,memory=64", True),
        ("mcts:decide=robust", "mcts:decide=max", True),
        ("mcts:select=ucb1", "mcts:select=greedy", False),
        ("mcts:rave=0", "mcts:rave=100", False),
        ("mcts:rave=10", "mcts:rave=100", True),
        ("mcts:threshold=0", "mcts:threshold=5", False),
    ],
)
def test_numbers_are_not_in_the_digest_and_parts_are(one, other, same):
    assert (kernel_digest("mcts", one) == kernel_digest("mcts", other)) is same


def test_references_follow_modules_closures_and_inner_functions():
    here, there = types.ModuleType("here"), types.ModuleType("there")
    here.there, there.value = there, "attribute"
    enclosed = "closure"

    def function(x):
        return [here.there.value + enclosed + y + sys.platform for y in x.nothing]

    assert {"attribute", "closure", sys.platform} <= {thing for thing in references(function) if isinstance(thing, str)}
