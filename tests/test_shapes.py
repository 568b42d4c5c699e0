"""A game whose names or shapes are wrong is refused when it is loaded, in one line that says what would be right."""

from __future__ import annotations

import subprocess
import sys

import pytest

import spielbaum
from spielbaum import GameError
from spielbaum.cli import main
from spielbaum.cli.commands import COMMANDS
from tests.tiny import environment, line_of, write_race

SEES = "@rule\ndef features(s, out):\n    return 0"
MIRRORS = "@rule\ndef symmetry(feature):\n    return feature\n\n\n"
MIRRORS += "@rule\ndef symmetric_action(action):\n    return action"


def refusal(path) -> str:
    with pytest.raises(GameError) as error:
        spielbaum.load(path)
    assert "\n" not in str(error.value)
    return str(error.value)


NEAR_MISSES = {
    "rule": ("@rule\ndef evalute(s):\n    return 0.0", "'evalute'; did you mean 'evaluate'?"),
    "rule without decorator": ("def evalute(s):\n    return 0.0", "'evalute'; did you mean 'evaluate'?"),
    "notation": ("def format_acton(action):\n    return str(action)", "'format_acton'; did you mean 'format_action'?"),
    "gesture": ("def gestures(action):\n    return []", "'gestures'; did you mean 'gesture'?"),
    "constant": ("POLICES = ('first',)", "'POLICES'; did you mean 'POLICIES'?"),
    "constant in lower case": ("seat_names = 3\ntitle = 'Race'", "'title'; did you mean 'TITLE'?"),
    "constant of a unit": ("STAKES = 2", "'STAKES'; did you mean 'STAKE'?"),
    "constant of the browser": ("SUGGESTION = {}", "'SUGGESTION'; did you mean 'SUGGESTIONS'?"),
}


@pytest.mark.parametrize("case", NEAR_MISSES)
def test_a_name_that_nobody_uses_and_that_is_nearly_one_of_the_protocol_is_refused(tmp_path, case):
    helpers, said = NEAR_MISSES[case]
    assert f"mine: nobody asks for {said}" in refusal(write_race(tmp_path, helpers=helpers))


@pytest.mark.parametrize(
    "helpers",
    [
        "@rule\ndef keys(s):\n    return s.n\n\n\n@rule\ndef evaluate(s):\n    return keys(s) / 100",
        "SEAT = 2\nSEATS = ('a', 'b')[:SEAT]",
        "def moves(s):\n    return s.n",  # near to `movers`, which a game in turns can't have
        "def _evalute(s):\n    return 0.0",
    ],
)
def test_a_name_of_the_author_s_own_is_left_alone(tmp_path, helpers):
    assert spielbaum.load(write_race(tmp_path, helpers=helpers)).players == 2


def test_a_required_name_is_missed_with_the_one_that_may_be_meant(tmp_path):
    path = write_race(tmp_path)
    path.write_text(path.read_text().replace("MAX_ACTIONS", "MAX_ACTION").replace("def returns", "def return_s"))
    said = refusal(path)
    assert said.startswith("mine: a game needs MAX_ACTIONS, returns (")
    assert "'MAX_ACTION' may be meant for MAX_ACTIONS" in said


WRONG_SHAPES = {
    "too many seats": ("SEATS = ('a', 'b', 'c')", "SEATS has 3 names, PLAYERS is 2"),
    "one seat": ("SEATS = ('a',)", "SEATS has 1 names, PLAYERS is 2"),
    "a text for seats": ("SEATS = 'ab'", "SEATS must be a tuple of names, not a str"),
    "seats that are numbers": ("SEATS = (1, 2)", "SEATS must hold texts, not 1"),
    "seats of one name": ("SEATS = ('a', 'A')", "SEATS names 'A' twice"),
    "seats that is no function": ("seats = ('a', 'b')", "seats is a tuple where the protocol expects seats(options)"),
    "too many seats for the options": (
        "def seats(options):\n    return ['a', 'b', 'c']",
        "seats gives 3 names, PLAYERS is 2",
    ),
    "teams": ("TEAMS = (0,)", "TEAMS has 1 entries, PLAYERS is 2"),
    "teams by name": ("TEAMS = ('us', 'them')", "TEAMS must hold whole numbers from 0, not 'us'"),
    "policy without names": (
        "@rule\ndef policy(s, which):\n    return 1",
        "there is a rule 'policy' but no POLICIES, the names of the policies",
    ),
    "keep without names": ("@rule\ndef keep(s, action):\n    return True", "there is a rule 'keep' but no FILTERS"),
    "names without policy": ("POLICIES = ('first',)", "POLICIES are named but there is no rule 'policy'"),
    "policies as a text": (
        "POLICIES = 'first'\n\n\n@rule\ndef policy(s):\n    return 1",
        "POLICIES must be a tuple of names, not a str",
    ),
    "features without their number": (SEES, "there is a rule 'features' but no FEATURES, how many there are"),
    "number without features": ("FEATURES = 3", "there are FEATURES but no rule 'features'"),
    "no features": (f"FEATURES = 0\n\n\n{SEES}", "FEATURES must be a whole number from 1, not 0"),
    "features by name": (f"FEATURES = ('n',)\n\n\n{SEES}", "FEATURES must be a whole number from 1, not ('n',)"),
    "features or none": (f"FEATURES = True\n\n\n{SEES}", "FEATURES must be a whole number from 1, not True"),
    "features that ask for what they can't have": (
        "FEATURES = 3\n\n\n@rule\ndef features(s, weights):\n    return 0",
        "features asks for 'weights'; it may ask for t, s, player, out, scratch",
    ),
    "planes without their shape": (
        "@rule\ndef planes(out):\n    pass",
        "there is a rule 'planes' but no PLANES, the shape",
    ),
    "shape without planes": ("PLANES = (2, 3)", "there are PLANES but no rule 'planes'"),
    "planes by number": (
        "PLANES = 6\n\n\n@rule\ndef planes(out):\n    pass",
        "PLANES must be a tuple of whole numbers from 1, such as (2, 6, 7), not 6",
    ),
    "empty planes": (
        "PLANES = (2, 0)\n\n\n@rule\ndef planes(out):\n    pass",
        "PLANES must be a tuple of whole numbers",
    ),
    "symmetries without their number": (
        f"FEATURES = 3\n\n\n{SEES}\n\n\n{MIRRORS}",
        "there is a rule 'symmetry' but no SYMMETRIES, how many there are",
    ),
    "symmetries of features alone": (
        f"FEATURES, SYMMETRIES = 3, 2\n\n\n{SEES}\n\n\n{MIRRORS.replace('symmetric_action', 'turned')}",
        "there are SYMMETRIES but no rule 'symmetric_action'",
    ),
    "symmetries of actions alone": (
        f"FEATURES, SYMMETRIES = 3, 2\n\n\n{SEES}\n\n\n{MIRRORS.replace('def symmetry', 'def turned')}",
        "there are SYMMETRIES but no rule 'symmetry'",
    ),
    "symmetries of nothing": (
        f"SYMMETRIES = 2\n\n\n{MIRRORS}",
        "SYMMETRIES needs features, the rule that tells what a network sees",
    ),
    "symmetries less than one": (
        f"FEATURES, SYMMETRIES = 3, -8\n\n\n{SEES}\n\n\n{MIRRORS}",
        "SYMMETRIES must be a whole number from 1, not -8",
    ),
    "options": ("OPTIONS = {'rows': 3}", "OPTIONS must be a tuple of Param, not a dict"),
    "option": ("OPTIONS = ('rows',)", "OPTIONS must hold Param(name, default, help), not 'rows'"),
    "agents": ("AGENTS = ('mcts',)", "AGENTS must be a dictionary of names and agents, not a tuple"),
    "sees all": ("SEES_ALL = ('eve',)", "SEES_ALL names the seat 'eve', which there is not; seats: 1, 2"),
    "groups": ("SEAT_GROUPS = {'all': ('eve',)}", "SEAT_GROUPS names the seat 'eve', which there is not"),
    "function that asks for what it can't have": (
        "def render(s, board):\n    return ''",
        "render asks for 'board'; it may ask for",
    ),
    "hook that asks for what it can't have": ("@rule\ndef start(s, rgn):\n    s.n = 1", "start asks for 'rgn'"),
    "undecorated hook": ("def start(s):\n    s.n = 1", "start is not a rule; decorate it with @rule"),
    "tables": (
        "def tables(options):\n    return {}",
        "tables must make a NamedTuple of numbers and arrays, not a dict",
    ),
    "tables of other names": ("def tables(size):\n    return {}", "tables asks for 'size'; it may ask for options"),
    "seats of other names": (
        "def seats(optons):\n    return ['a']",
        "seats asks for 'optons'; did you mean 'options'?",
    ),
}


@pytest.mark.parametrize("case", WRONG_SHAPES)
def test_a_wrong_shape_is_refused_at_load(tmp_path, case):
    helpers, said = WRONG_SHAPES[case]
    assert f"mine: {said}" in refusal(write_race(tmp_path, helpers=helpers))


@pytest.mark.parametrize("options", ["", "OPTIONS = (Param('n', 1, 'what nobody asks for'),)"])
def test_tables_and_seats_take_what_they_need_by_name_as_everything_does(tmp_path, options):
    helpers = f"from spielbaum import Param\n{options}\n\n\ndef tables():\n    return Tables(np.array([1, 2]), 5)\n\n\n"
    game = spielbaum.load(write_race(tmp_path, helpers=helpers + "def seats():\n    return ['a', 'b']\n"))
    assert game.tables.bonus == 5 and game.seats == ("a", "b")
    assert game.new().play(2).record.n == 7


def test_seats_may_be_fewer_than_players_where_the_options_decide(tmp_path):
    helpers = "from spielbaum import Param\nOPTIONS = (Param('n', 1, 'players', low=1, high=2),)\n\n\n"
    helpers += "def seats(options):\n    return ['a', 'b'][: options['n']]\n\n\nSEES_ALL = ('b',)"
    assert spielbaum.load(write_race(tmp_path, helpers=helpers)).seats == ("a",)


# --- what a file does when it is loaded ---------------------------------------------------------


def test_a_file_that_leaves_python_is_an_error_with_its_line(tmp_path):
    path = write_race(tmp_path, helpers="import sys\nsys.exit(3)")
    assert refusal(path) == f"mine.py can't be loaded: it calls sys.exit ({line_of(path, 'sys.exit')})"


@pytest.mark.parametrize(
    ("helpers", "said"), [("{}['x']", "KeyError: 'x'"), ("import nowhere_at_all", "ModuleNotFoundError: No module")]
)
def test_an_error_while_loading_is_told_with_its_line(tmp_path, helpers, said):
    path = write_race(tmp_path, helpers=helpers)
    message = refusal(path)
    assert message.startswith(f"mine.py can't be loaded: {said}") and message.endswith(f"({line_of(path, helpers)})")


@pytest.mark.parametrize("function", ["tables", "seats"])
def test_an_error_in_a_function_that_is_called_at_load_is_told_with_its_line(tmp_path, function):
    path = write_race(tmp_path)
    path.write_text(path.read_text() + f"\n\ndef {function}(options):\n    return options['rows']\n")
    place = line_of(path, "options['rows']")
    assert refusal(path) == f"mine: {function} raised KeyError: 'rows' ({place})"


def test_a_function_that_leaves_python_is_an_error(tmp_path):
    helpers = "def render(s):\n    raise SystemExit(1)"
    path = write_race(tmp_path, helpers=helpers)
    game = spielbaum.load(path)
    with pytest.raises(GameError, match=r"mine: render raised SystemExit: 1 \(mine.py:\d+\)"):
        game.tell("render", s=None)


@pytest.mark.parametrize("name", ["random", "math", "statistics", "colorsys"])
def test_a_file_beside_the_game_does_not_hide_the_standard_library(tmp_path, name):
    (tmp_path / f"{name}.py").write_text("raise RuntimeError('not the standard library')")
    (tmp_path / "beside_the_game.py").write_text("STEP = 1")
    path = write_race(tmp_path, helpers=f"import {name}\nimport beside_the_game")
    code = f"import spielbaum; print(spielbaum.load({str(path)!r}).module.{name}.__file__)"
    run = subprocess.run(
        [sys.executable, "-P", "-c", code], env=environment(tmp_path), cwd=tmp_path, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    assert str(tmp_path) not in run.stdout


def test_files_of_one_name_beside_two_games_are_each_game_s_own(tmp_path):
    games = []
    for number in (1, 2):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "sizes_of_mine.py").write_text(f"SIZE = {number}")
        games.append(spielbaum.load(write_race(folder, helpers="from sizes_of_mine import SIZE")))
    assert [game.module.SIZE for game in games] == [1, 2]


# --- every command ------------------------------------------------------------------------------

GIVEN = {
    "perft": ["2"],
    "match": ["--games", "2"],
    "tournament": ["random", "mcts", "--games", "2"],
}
LOADING = ("games", "agents", "play", "serve", "analyse", "match", "tournament", "check", "perft", "warm")


@pytest.mark.parametrize("command", LOADING)
def test_every_command_refuses_a_misspelt_hook_in_one_line(tmp_path, monkeypatch, capsys, command):
    monkeypatch.chdir(tmp_path)
    path = write_race(tmp_path, helpers="@rule\ndef evalute(s):\n    return 0.0")
    assert command in {module.__name__.rpartition(".")[2] for module in COMMANDS}
    assert main([command, str(path), *GIVEN.get(command, [])]) == 2
    said = capsys.readouterr().err
    assert said.startswith("mine: nobody asks for 'evalute'; did you mean 'evaluate'?") and said.count("\n") == 1


PLAYING = ("play", "analyse", "match", "tournament", "perft", "warm")


@pytest.mark.parametrize("returned", ["nothing", "float64"])
def test_every_command_that_plays_refuses_a_rule_that_returns_the_wrong_thing_in_one_line(
    tmp_path, monkeypatch, capsys, returned
):
    monkeypatch.chdir(tmp_path)
    path = write_race(tmp_path, player="s.n" if returned == "nothing" else "return s.n / 2")
    for command in PLAYING:
        seats = ["--seat", "1=random", "--seat", "2=random"] if command in ("play", "match") else []
        assert main([command, str(path), *GIVEN.get(command, []), *seats]) == 2, command
        said = capsys.readouterr().err.splitlines()[-1]
        assert said.startswith(f"mine: player must return a whole number, but returns {returned} (mine.py:"), command
    assert main(["check", str(path)]) == 1
    assert "player must return a whole number" in " ".join(capsys.readouterr().out.split())


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "mine.py", "--games", "2"),
        ("match", "mine.py", "--seat", "1=random", "--seat", "2=mcts:iterations=9", "-n", "2", "--workers", "2"),
    ],
)
def test_processes_that_a_command_starts_do_not_take_files_of_the_folder_for_the_standard_library(tmp_path, arguments):
    write_race(tmp_path)
    for name in ("random", "math"):
        (tmp_path / f"{name}.py").write_text("raise RuntimeError('not the standard library')")
    run = subprocess.run(
        [sys.executable, "-P", "-m", "spielbaum", *arguments],
        env=environment(tmp_path / "cache"), cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
