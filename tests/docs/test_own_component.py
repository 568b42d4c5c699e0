"""The page "A component of your own" keeps its promises, for a game that brings one and for an installed package."""

from __future__ import annotations

import pathlib
import sys

import pytest

import spielbaum
from spielbaum.arena import match
from spielbaum.rules import random_stream
from spielbaum.search.mcts.kernels import simulate
from spielbaum.search.mcts.workspace import NOW
from tests.docs.pages import blocks, hooks, page, place, run_examples
from tests.tiny import python

TEXT = page("own-component.md")
HOOKS = hooks()
FILES = ("mast.py", "heaps.py", "lengths.py")


@pytest.fixture
def folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """A folder with the files of the page."""
    for name in FILES:
        place(tmp_path / name, HOOKS.assembled(TEXT, name))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for name in ("mast", "lengths"):
        sys.modules.pop(name, None)


def test_simulated_players_prefer_what_has_done_well(folder):
    """All actions have lost once, and one has won."""
    game = spielbaum.load(folder / "heaps.py")
    (winner, *others) = game.new().actions[3:]

    def chosen(epsilon: float) -> set[int]:
        search = spielbaum.agent(f"mcts:playout=mast,mast-epsilon={epsilon},iterations=1", game, seed=1).search
        search.prepare(game.new())
        tree = search.trees[0]
        work, rng = tree.work[0], random_stream(1)
        work.mast.count[:], work.mast.total[:] = 1.0, -1.0
        work.mast.total[0, winner] = 1.0
        tree.states[NOW] = game.new().array[0]
        mast = game.kernels.link(simulate, search.variant).components.playout
        return {int(mast.playout_action(tree.context, tree.states, work, 0, tree.p[0], rng)) for _ in range(100)}

    assert chosen(0.0) == {winner}
    assert chosen(1.0) > {winner, *others}


def test_the_page_s_command_runs(folder):
    run = match("heaps.py", ["mcts:playout=mast,iterations=50", "mcts:iterations=50"], games=20, seed=3)
    assert run.games == 20 and not run.results.forfeits


def test_its_parameters_are_those_of_the_game_s_searches_and_of_no_other(folder):
    heaps, other = spielbaum.load(folder / "heaps.py"), spielbaum.load("tic-tac-toe")
    with pytest.raises(spielbaum.SpielbaumError, match="mast-epsilon=2 is not possible"):
        spielbaum.agent("mcts:playout=mast,mast-epsilon=2", heaps)
    with pytest.raises(spielbaum.SpielbaumError, match="unknown parameter 'playout'"):
        spielbaum.agent("mcts:playout=mast", other)


def test_the_page_s_kernel_runs_with_its_game(folder):
    run_examples(TEXT, {})


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("def on_action(action, player, own)", "def on_action(actoin, player, own)", "did you mean 'action'"),
        ('"playout",\n', '"playuot",\n', "did you mean 'playout'"),
        ("COMPONENT = ", "COMPONENTS = ", "it has no COMPONENT"),
    ],
)
def test_what_is_wrong_with_a_component_is_said_in_a_line(folder, old, new, told):
    place(folder / "mast.py", (folder / "mast.py").read_text("utf-8").replace(old, new))
    game = spielbaum.load(folder / "heaps.py")
    with pytest.raises(spielbaum.SpielbaumError, match=told) as raised:
        spielbaum.agent("mcts:playout=mast,iterations=10", game).act(game.new())
    assert "\n" not in str(raised.value)


INSTALLED = """
import spielbaum, spielbaum.game
print("heaps" in spielbaum.game.names(), spielbaum.game.origin(spielbaum.load("heaps")))
print(repr(spielbaum.agent("careful", spielbaum.load("heaps"))))
print(repr(spielbaum.agent("mcts:playout=mast", spielbaum.load("tic-tac-toe"))))
"""


LISTED = """
from spielbaum.cli import main
from spielbaum.web.catalogue import Catalogue
print(main(["games"]))
offered = Catalogue()
print(len(offered.sources) > 10, "tic-tac-toe" in offered.sources, "gone" in offered.sources)
print([(one["file"], one["reason"]) for one in offered.broken])
"""


def test_a_game_of_an_installed_package_that_can_t_be_loaded_is_told_of_beside_the_others(tmp_path):
    package, facts = tmp_path / "site/my_games", tmp_path / "site/my_games-1.0.dist-info"
    for path in (package, facts):
        path.mkdir(parents=True)
    place(package / "__init__.py", "")
    place(package / "empty.py", '"""No game."""\n')
    place(facts / "METADATA", "Metadata-Version: 2.1\nName: my-games\nVersion: 1.0\n")
    place(facts / "entry_points.txt", "[spielbaum.games]\ngone = my_games.nowhere\nempty = my_games.empty\n")
    run = python(LISTED, tmp_path / "cache", PYTHONPATH=str(tmp_path / "site"))
    *listed, code, offered, broken = run.stdout.splitlines()
    assert any(line.split()[:1] == ["tic-tac-toe"] for line in listed)
    assert not any(line.split()[:1] in (["gone"], ["empty"]) for line in listed)
    assert (code, offered) == ("0", "True True False")
    gone = "'gone' of an installed package (my_games.nowhere) can't be loaded: ModuleNotFoundError"
    assert gone in broken and "('empty', " in broken
    told, _, _log = run.stderr.partition("a game can't be served")
    assert len(told.splitlines()) == 2 and told.count(gone) == 1


def test_an_installed_package_brings_games_agents_and_components(folder, tmp_path):
    site, players = tmp_path / "site", HOOKS.assembled(page("own-agent.md"), "players.py")
    package, facts = site / "my_games", site / "my_games-1.0.dist-info"
    for path in (package, facts):
        path.mkdir(parents=True)
    place(package / "__init__.py", "")
    place(package / "players.py", players)
    place(package / "mast.py", (folder / "mast.py").read_text("utf-8"))
    place(
        package / "heaps.py",
        (folder / "heaps.py").read_text("utf-8").replace("import mast\n", "").replace("(mast,)", "()"),
    )
    place(facts / "METADATA", "Metadata-Version: 2.1\nName: my-games\nVersion: 1.0\n")
    (declared,) = blocks(TEXT, "toml")
    declared = declared.replace('[project.entry-points."', "[").replace('"]', "]")
    broken = "broken = my_games.nowhere\nheaps ="
    place(facts / "entry_points.txt", declared.replace('"', "").replace("heaps =", broken))
    run = python(INSTALLED, tmp_path / "cache", PYTHONPATH=str(site))
    assert run.stdout.splitlines() == [
        "True heaps",
        "<Agent careful for heaps>",
        "<Agent mcts:playout=mast for tic-tac-toe>",
    ]
