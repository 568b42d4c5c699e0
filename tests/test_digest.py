"""The digest of a game changes with everything that its machine code depends on, and with nothing else."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import sys
import types

import numba
import pytest

import spielbaum
from spielbaum.compile import digest
from spielbaum.compile.digest import game_digest, machine, references, rules_version
from spielbaum.game import module_from
from spielbaum.search.mcts.kernels import mcts
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
from spielbaum.compile.digest import game_digest
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


# --- kernels of the engine ------------------------------------------------------------------------

UCB1, TUNED, SHARED = "mcts:select=ucb1", "mcts:select=ucb1-tuned", "mcts:transpositions=on"
MCTS = {UCB1, TUNED, SHARED}
ALL = {*MCTS, "alphabeta:depth=1", "game_api", "laws"}
PRINT_KERNELS = """
import json, pathlib, spielbaum
from spielbaum.kernels import game_api
from spielbaum.search.kernels import alphabeta
from spielbaum.search.mcts.kernels import mcts
from spielbaum.testing.kernels import laws
game = spielbaum.load("tic-tac-toe")
found = {"game_api": game.kernels.link(game_api), "laws": game.kernels.link(laws)}
for spec in ("mcts:select=ucb1", "mcts:select=ucb1-tuned", "mcts:transpositions=on", "alphabeta:depth=1"):
    template = alphabeta if spec.startswith("alphabeta") else mcts
    found[spec] = game.kernels.link(template, spielbaum.agent(spec, game).search.variant)
print(json.dumps({name: pathlib.Path(module.__file__).parent.name for name, module in found.items()}))
"""


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    """A copy of the engine that may be edited."""
    folder = tmp_path_factory.mktemp("engine")
    package = pathlib.Path(spielbaum.__file__).parent
    shutil.copytree(package, folder / "spielbaum", ignore=shutil.ignore_patterns("__pycache__", "static"))
    return folder


@pytest.fixture(scope="module")
def unchanged(engine):
    return kernels_of(engine)


def kernels_of(engine: pathlib.Path) -> dict[str, str]:
    """Where the kernels of Tic-Tac-Toe lie, as a process says that was just started."""
    variables = {"PYTHONPATH": str(engine), "PYTHONDONTWRITEBYTECODE": "1"}
    return json.loads(python(PRINT_KERNELS, engine / "cache", **variables).stdout)


@pytest.mark.parametrize(
    ("file", "old", "new", "depend"),
    [
        ("search/mcts/search.py", "LONGEST_LINE = 64", "LONGEST_LINE = 65", set()),
        ("search/mcts/select/exp3.py", "0.5 * (value", "0.6 * (value", set()),
        ("search/kernels/ucb1.py", "c * c", "c * 2.0", {UCB1, SHARED}),
        ("search/kernels/ucb1.py", "import math\n", "import math  # for the logarithm\n\n", set()),
        ("search/mcts/nodes/position.py", "node < 0", "node < -1", {SHARED}),
        ("search/mcts/kernels/backup.py", "depth + 1", "depth + 2", MCTS),
        ("search/mcts/tree.py", "tree.used[STARVED] = 1\n    return fits", "return fits", MCTS),
        ("search/mcts/tree.py", "joint.visits += 1.0", "joint.visits += 2.0", set()),  # nobody here tells joints apart
        ("search/table.py", "LOWER, UPPER", "UPPER, LOWER", {"alphabeta:depth=1"}),
        ("rules.py", "4294883355", "4294883357", {*MCTS, "laws"}),  # what needs random numbers
        ("kernels/hooks.py", "if n > MAX_ACTIONS:", "if n >= MAX_ACTIONS:", ALL),
    ],
)
def test_a_kernel_depends_on_what_it_uses_and_on_nothing_else(engine, unchanged, file, old, new, depend):
    path = engine / "spielbaum" / file
    text = path.read_text("utf-8")
    try:
        edit(path, old, new)
        after = kernels_of(engine)
    finally:
        path.write_text(text, "utf-8")
    assert unchanged.keys() == ALL
    assert {name for name in unchanged if after[name] != unchanged[name]} == depend


@pytest.mark.parametrize("form", ["    from spielbaum.kernels import hooks", "    from ...kernels import hooks"])
def test_an_import_is_followed_wherever_it_stands_and_however_it_is_written(engine, form):
    """An indented or a relative import of a template is one as well."""
    path, other = engine / "spielbaum/search/kernels/perft.py", engine / "spielbaum/kernels/hooks.py"
    texts = path.read_text("utf-8"), other.read_text("utf-8")
    code = (
        "import spielbaum; from spielbaum.search.kernels import perft; "
        "print(spielbaum.load('tic-tac-toe').kernels.link(perft).__file__)"
    )

    def where() -> str:
        return python(code, engine / "cache", PYTHONPATH=str(engine), PYTHONDONTWRITEBYTECODE="1").stdout

    try:
        path.write_text(texts[0].replace("from spielbaum.kernels import hooks", f"if True:\n{form}"), "utf-8")
        before = where()
        edit(other, "if n > MAX_ACTIONS:", "if n >= MAX_ACTIONS + 1:")
        assert where() != before
    finally:
        path.write_text(texts[0], "utf-8")
        other.write_text(texts[1], "utf-8")


def variant(spec: str) -> str:
    """Where the kernel of a search of Tic-Tac-Toe lies."""
    game = spielbaum.load("tic-tac-toe")
    return game.kernels.link(mcts, spielbaum.agent(spec, game).search.variant).__file__


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
def test_numbers_are_not_in_the_digest_and_components_are(one, other, same):
    assert (variant(one) == variant(other)) is same


def test_references_follow_modules_closures_and_inner_functions():
    here, there = types.ModuleType("here"), types.ModuleType("there")
    here.there, there.value = there, "attribute"
    enclosed = "closure"

    def function(x):
        return [here.there.value + enclosed + y + sys.platform for y in x.nothing]

    assert {"attribute", "closure", sys.platform} <= {thing for thing in references(function) if isinstance(thing, str)}


def test_the_version_of_rules_depends_on_what_their_files_hold_and_not_on_where_they_lie(tmp_path):
    """A record that was made in one folder is one of the same rules in another."""
    reads = (
        "import pathlib\nFILE = pathlib.Path(__file__).with_name('board.txt')\n\n"
        "def tables():\n    return Tables(len(FILE.read_text()))\n\n"
        "class Tables(NamedTuple):\n    size: int\n"
    )

    def version(folder: str, board: str) -> str:
        (tmp_path / folder).mkdir()
        path = write_race(tmp_path / folder)
        path.write_text(f"from typing import NamedTuple\n{path.read_text()}\n{reads}")
        path.with_name("board.txt").write_text(board)
        return rules_version(module_from(path))

    here = version("here", "####")
    assert version("there", "####") == here != version("elsewhere", "####.")
