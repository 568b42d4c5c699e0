"""Agents that a file names: what they stand for, where that is said, and what is wrong with a file."""

from __future__ import annotations

import pathlib
import shutil

import pytest

import spielbaum
from spielbaum import agents
from spielbaum.agents import named
from spielbaum.arena import Store, match
from spielbaum.errors import SpielbaumError

GAME = "tic-tac-toe"
TEXT = """# what I play with
[agents.tic-tac-toe]
mine = "mcts:c=0.8"  # the default is 1.4
patient = "mine:iterations=2000"
tough = 'hard'
"""
NIM = pathlib.Path(__file__).parents[1] / "small" / "pennies.py"


@pytest.fixture(autouse=True)
def file(tmp_path, monkeypatch) -> pathlib.Path:
    """The file of a folder to work in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(named.VARIABLE, raising=False)
    (tmp_path / named.FILE).write_text(TEXT)
    return tmp_path / named.FILE


@pytest.fixture(scope="module")
def game() -> spielbaum.Game:
    return spielbaum.load(GAME)


def test_a_name_stands_for_what_the_file_says(game):
    kind, values = agents.resolve("mine", game)
    assert (kind.name, values["c"]) == ("mcts", 0.8)


def test_a_name_may_be_based_on_another_and_be_overridden(game):
    _, values = agents.resolve("patient:c=2", game)
    assert (values["c"], values["iterations"]) == (2.0, 2000)
    assert agents.resolve("tough", game) == agents.resolve("hard", game)


def test_a_pinned_name_says_what_it_meant_and_needs_no_file(game, file):
    frozen = [agents.freeze_spec(spec, game) for spec in ("patient", "patient:c=2", "tough", "mcts:c=1")]
    assert frozen[:2] == ["patient=mcts:c=0.8,iterations=2000", "patient=mcts:c=2,iterations=2000"]
    assert frozen[2:] == ["tough=hard", "mcts:c=1"]
    assert agents.resolve_alias("patient", game) == "mcts:c=0.8,iterations=2000"
    assert agents.resolve_alias("hard", game) == "hard"
    before = agents.resolve("patient", game)
    file.unlink()
    assert agents.resolve(frozen[0], game) == before
    assert agents.freeze_spec(frozen[0], game) == frozen[0]


def test_a_file_is_read_anew_when_it_has_changed(game, file):
    file.write_text(TEXT.replace("c=0.8", "c=0.3"))
    assert agents.resolve("patient", game)[1]["c"] == 0.3


def test_a_name_of_another_game_is_unknown(game):
    with pytest.raises(SpielbaumError, match="unknown agent 'mine' for pig"):
        agents.resolve("mine", spielbaum.load("pig"))
    with pytest.raises(SpielbaumError, match="did you mean 'patient'"):
        agents.resolve("patiennt", game)


def test_the_variable_names_another_file(game, file, monkeypatch):
    file.rename(file.with_name("other.toml"))
    monkeypatch.setenv(named.VARIABLE, "other.toml")
    assert agents.in_file(game)["mine"].where == "other.toml:3"
    monkeypatch.setenv(named.VARIABLE, "gone.toml")
    with pytest.raises(SpielbaumError, match=r"no file 'gone.toml'.*SPIELBAUM_TOML"):
        agents.in_file(game)


def test_a_game_of_ones_own_goes_by_its_file(tmp_path, file):
    shutil.copy(NIM, tmp_path / "nim.py")
    file.write_text('[agents."nim.py"]\nmine = "mcts:iterations=7"\n')
    assert agents.resolve("mine", spielbaum.load(tmp_path / "nim.py"))[1]["iterations"] == 7
    assert agents.in_file(spielbaum.load(NIM)) == {}


@pytest.mark.parametrize(
    "text, told",
    [
        ('[agents.tic-tac-toe]\n\nmine = "mcts', r"spielbaum.toml:3: this is not TOML.*; an agent is name = "),
        ('[agent.pig]\nmine = "mcts"', r"spielbaum.toml:1: unknown key 'agent'; agents stand as .* in \[agents.GAME\]"),
        ('[agents.pig]\nx = "mcts"\n[agents.tictactoe]\ny = "mcts"', r":3: unknown game 'tictactoe'.*'tic-tac-toe'"),
        ('[agents."nim.py"]\nx = "mcts"', r":1: there is no game file 'nim.py' beside spielbaum.toml"),
        ('[agents]\ntic-tac-toe = "mcts"', r":2: 'tic-tac-toe' is a game: .* a table \[agents.tic-tac-toe\]"),
        ("agents = 3", r":1: 'agents' has tables of games"),
        ("[agents.tic-tac-toe]\nmine = 3", r':2: mine must be a text such as "mcts:c=0.8", not 3'),
        ('[agents.tic-tac-toe]\n"a b" = "mcts"', r":2: 'a b' is no name for an agent: it takes letters"),
        ('[agents.tic-tac-toe]\nmine = "mcts:"', r":2: agent 'mcts:' ends with a colon"),
        ('[agents.tic-tac-toe]\nmcts = "greedy"', r":2: 'mcts' is an agent of tic-tac-toe already"),
        ('[agents.tic-tac-toe]\nhard = "mcts"', r":2: 'hard' is an agent of tic-tac-toe already"),
        ('[agents.tic-tac-toe]\na = "b"\nb = "c:c=1"\nc = "a"', r":2: a -> b -> c -> a is a circle"),
        ('[agents.tic-tac-toe]\nx = "mine"\nmine = "mine:c=1"', r":3: mine -> mine is a circle"),
        ('[agents.tic-tac-toe]\nmine = "mcts:cc=1"', r":2: unknown parameter 'cc' .* did you mean 'c'"),
        ('[agents.tic-tac-toe]\nx = "mtcs"\nmine = "x"', r":3: unknown agent 'mtcs' .* did you mean 'mcts'"),
    ],
)
def test_what_is_wrong_with_a_file_is_told_with_its_line(game, file, text, told):
    file.write_text(text)
    with pytest.raises(SpielbaumError, match=told) as error:
        agents.freeze_spec("mine", game)
    assert "\n" not in str(error.value)


def test_a_run_goes_on_as_it_began_when_the_file_changes(file):
    with Store("runs.db") as store:
        first = match(GAME, ["mine:iterations=20", "random"], games=4, seed=3, store=store)
        assert store.run(1).plan.agents == ("mine=mcts:c=0.8,iterations=20", "random")
        file.write_text(TEXT.replace("c=0.8", "c=0"))
        changed = match(GAME, ["mine:iterations=20", "random"], games=4, seed=3, store=store, resume=True)
        assert changed.number == 2, "another agent is another run"
        file.unlink()
        again = match(GAME, list(first.plan.agents), games=8, seed=3, store=store, resume=True)
        assert (again.number, again.played) == (1, 4)


def test_workers_need_no_file(file):
    """They are told what a name meant; the games are those of the agent without a name."""
    plain = match(GAME, ["mcts:c=0.8,iterations=20", "random"], games=6, seed=1)
    run = match(GAME, ["mine:iterations=20", "random"], games=6, seed=1, workers=2)
    assert run.scores.tolist() == plain.scores.tolist()


def test_writing_keeps_the_rest_of_the_file(game, file):
    file.write_text(TEXT + '\n# dice\n[agents.pig]\nbold = "mcts:iterations=5"\n')
    assert named.write("swift", GAME, "mcts:iterations=9") == pathlib.Path(named.FILE)
    named.write("mine", GAME, "mcts:c=0.5")
    expected = TEXT.replace("0.8", "0.5") + 'swift = "mcts:iterations=9"\n'
    assert file.read_text() == expected + '\n# dice\n[agents.pig]\nbold = "mcts:iterations=5"\n'
    assert [one.name for one in agents.in_file(game).values()] == ["mine", "patient", "tough", "swift"]
    assert [path.name for path in file.parent.iterdir()] == [named.FILE]


@pytest.mark.parametrize("before", ["", "# nothing yet", '[agents.pig]\nbold = "mcts"', "[agents.tic-tac-toe]\n"])
def test_writing_begins_a_table_where_there_is_none(game, file, before):
    file.write_text(before)
    named.write("mine", GAME, "mcts:c=0.5")
    assert agents.resolve("mine", game)[1]["c"] == 0.5
    assert file.read_text().startswith(before)


def test_writing_begins_a_file(game, tmp_path):
    path = tmp_path / "new.toml"
    assert named.write("mine", "tic_tac_toe", "mcts:c=0.5", path) == path
    assert path.read_text() == '[agents.tic-tac-toe]\nmine = "mcts:c=0.5"\n'


def test_writing_begins_the_file_that_the_variable_names(game, tmp_path, monkeypatch):
    monkeypatch.setenv(named.VARIABLE, str(tmp_path / "other.toml"))
    assert named.write("mine", GAME, "mcts:c=0.5") == tmp_path / "other.toml"
    assert agents.resolve("mine", game)[1]["c"] == 0.5


def test_writing_keeps_a_link(game, tmp_path, file):
    (tmp_path / "shared").mkdir()
    target = file.rename(tmp_path / "shared" / "agents.toml")
    file.symlink_to(target)
    named.write("mine", GAME, "mcts:c=0.5")
    assert file.is_symlink() and "c=0.5" in target.read_text()


def test_writing_for_a_game_of_ones_own(tmp_path, file):
    (tmp_path / "games").mkdir()
    shutil.copy(NIM, tmp_path / "games" / "nim.py")
    named.write("mine", "games/nim.py", "mcts:iterations=7")
    assert '[agents."games/nim.py"]' in file.read_text()
    assert agents.resolve("mine", spielbaum.load("games/nim.py"))[1]["iterations"] == 7


@pytest.mark.parametrize(
    "name, spec, told",
    [
        ("mcts", "greedy", "'mcts' is an agent of tic-tac-toe already; choose another name"),
        ("hard", "mcts", "'hard' is an agent of tic-tac-toe already; choose another name"),
        ("a:b", "mcts", "'a:b' is no name for an agent"),
        ("new", "mcts:cc=1", "unknown parameter 'cc'"),
        ("mine", "mine:c=1", "'mine' can't be based on itself"),
        ("mine", "patient", "mine -> patient -> mine is a circle"),
    ],
)
def test_what_could_not_be_read_is_not_written(file, name, spec, told):
    with pytest.raises(SpielbaumError, match=told):
        named.write(name, GAME, spec)
    assert file.read_text() == TEXT


@pytest.mark.parametrize(
    "before, after",
    [
        ('agents = { tic-tac-toe = { mine = "mcts" } } # all\n', "} # all\n"),
        ('agents.tic-tac-toe.mine = "mcts" # dotted\n', '# dotted\nagents.tic-tac-toe.new = "mcts:c=1"\n'),
        ('agents = { pig = { a = "mcts" } } # all\n', "} # all\n"),
        ("[agents.\"tic-tac-toe\"]\nmine = 'mcts' # by hand\n\n# dice\n[agents.pig]\n", "\n\n# dice\n[agents.pig]\n"),
        ('[agents.tic-tac-toe]\nmine = """\nmcts"""\n# the end\n', "# the end\n"),
        (
            '[agents.pig]\na = "mcts"\n\n# types\n[agent_types]\n',
            '\n\n# types\n[agent_types]\n\n[agents.tic-tac-toe]\nnew = "mcts:c=1"\nmine = "mcts:c=0.5"\n',
        ),
        ('[agents.pig]\na = "mcts"\n[agent_types]\n[agents.tic-tac-toe]\nmine = "mcts"\n', ""),
    ],
)
def test_whatever_form_its_author_chose_the_file_keeps_it(game, file, before, after):
    file.write_text(before)
    named.write("new", GAME, "mcts:c=1")
    named.write("mine", GAME, "mcts:c=0.5")
    text = file.read_text()
    assert text.endswith(after)
    assert all(line in text for line in before.splitlines() if line.startswith(("#", "[")))
    assert [agents.resolve(name, game)[1]["c"] for name in ("new", "mine")] == [1, 0.5]


# --- kinds of agents in Python --------------------------------------------------------------------

PLAYERS = """
from spielbaum.agents import AgentType, StatelessAgent

class First(StatelessAgent):
    def __init__(self, game, values, seed):
        pass

    def act(self, state, clock=None, *, watch=None):
        return state.actions[0]

def objection(game):
    return "there is nothing hidden to be first in" if game.hidden else None

AGENT_TYPES = (AgentType("first", "plays the first legal move", lambda game: (), First, objection),)
"""


def with_kinds(file, text: str = PLAYERS, games: str = 'tic-tac-toe = "players.py"\nkuhn-poker = "players.py"'):
    file.with_name("players.py").write_text(text)
    file.write_text(f'[agent_types]\n{games}\n\n[agents.tic-tac-toe]\nprime = "first"\n')


def test_a_file_may_bring_kinds_for_a_built_in_game(file):
    with_kinds(file)
    game = spielbaum.load("tic-tac-toe")
    assert spielbaum.agent("first", game).act(game.new()) == spielbaum.agent("prime", game).act(game.new()) == 0
    with pytest.raises(spielbaum.SpielbaumError, match="unknown agent 'first' for pig"):
        spielbaum.agent("first", spielbaum.load("pig"))
    with pytest.raises(spielbaum.SpielbaumError, match="first can't play kuhn-poker: there is nothing hidden"):
        spielbaum.agent("first", spielbaum.load("kuhn-poker"))


@pytest.mark.parametrize(
    ("text", "games", "told"),
    [
        ("", 'tic-tac-toe = "players.py"', "players.py needs AGENT_TYPES, a tuple of spielbaum.agents.AgentType"),
        ("AGENT_TYPES = ('first',)", 'tic-tac-toe = "players.py"', "players.py needs AGENT_TYPES"),
        (
            PLAYERS.replace('"first"', '"hard"'),
            'tic-tac-toe = "players.py"',
            "'hard' is an agent of tic-tac-toe already",
        ),
        (
            PLAYERS.replace('"first"', '"the first"'),
            'tic-tac-toe = "players.py"',
            "'the first' is no name for an agent",
        ),
        ("1 / 0", 'tic-tac-toe = "players.py"', "players.py can't be loaded: ZeroDivisionError"),
        (PLAYERS, 'tic-tac-toe = "nobody.py"', "spielbaum.toml:2: tic-tac-toe needs a Python file beside"),
        (PLAYERS, "tic-tac-toe = 3", "spielbaum.toml:2: tic-tac-toe needs a Python file beside"),
        (PLAYERS, 'tic-tac-to = "players.py"', "spielbaum.toml:2: unknown game 'tic-tac-to'"),
    ],
)
def test_what_is_wrong_with_kinds_is_told_in_a_line(file, text, games, told):
    with_kinds(file, text, games)
    with pytest.raises(spielbaum.SpielbaumError) as error:
        spielbaum.agent("first", spielbaum.load("tic-tac-toe"))
    assert told in str(error.value) and "\n" not in str(error.value)
    assert spielbaum.agent("hard", spielbaum.load("tic-tac-toe"))  # a file that is wrong harms nobody else


@pytest.mark.parametrize("spec", ["players.py:first", "players.py", "./players.py:AGENT_TYPES", "first=players.py"])
def test_no_specification_names_a_file(file, spec):
    with_kinds(file)
    with pytest.raises(spielbaum.SpielbaumError):
        spielbaum.agent(spec, spielbaum.load("tic-tac-toe"))
