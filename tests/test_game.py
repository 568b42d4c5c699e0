"""Game and State: what is refused, and what copies, views and notation promise."""

from __future__ import annotations

import textwrap

import pytest

import spielbaum
from spielbaum import GameError, IllegalAction, SpielbaumError

COUNTING = '''
"""Count to four in turn."""

import numpy as np

from spielbaum import TERMINAL, rule

PLAYERS, MAX_ACTIONS, ACTION_CODES = 2, 3, 3
STATE = np.dtype((np.record, [("n", "i8")]))


@rule
def player(t, s):
    return TERMINAL if s.n >= 4 else s.n % 2


@rule
def actions(t, s, out):
    for i in range(3):
        out[i] = i
    return 3


@rule
def play(t, s, action, rng):
    s.n += 1


@rule
def returns(t, s, out):
    out[0] = 0.0
    out[1] = 0.0
'''


@pytest.fixture
def write(tmp_path):
    """A function that writes the counting game with some text replaced, and gives its path."""

    def write_game(*replacements: tuple[str, str]):
        text = textwrap.dedent(COUNTING)
        for old, new in replacements:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / "counting.py"
        path.write_text(text)
        return path

    return write_game


def refusal(path, use=lambda game: game.new().actions) -> str:
    with pytest.raises(GameError) as error:
        use(spielbaum.load(path))
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_state_with_python_objects_is_refused(write):
    path = write(('("n", "i8")', '("n", "i8"), ("who", "O")'))
    assert refusal(path) == "counting: STATE field 'who' holds Python objects; use numbers or arrays"


def test_a_game_without_its_required_names_is_refused(write):
    assert "counting: a game needs returns" in refusal(write(("def returns", "def results")))


def test_a_state_that_is_no_record_is_refused(write):
    assert "STATE must be np.dtype((np.record" in refusal(write(("np.dtype((np.record, [", "(([")))


def search(spec: str):
    return lambda game: spielbaum.agent(spec, game).act(game.new())


@pytest.mark.parametrize("use", [None, "mcts:iterations=50", "minimax:depth=2"])
def test_more_actions_than_promised_are_an_error_wherever_they_are_listed(write, use):
    path = write(("MAX_ACTIONS, ACTION_CODES = 2, 3, 3", "MAX_ACTIONS, ACTION_CODES = 2, 2, 3"))
    message = refusal(path, search(use)) if use else refusal(path)
    assert message == "counting: actions offered more than MAX_ACTIONS = 2 actions"


@pytest.mark.parametrize("use", [None, "alphabeta"])
def test_a_code_out_of_range_is_an_error(write, use):
    path = write(("out[i] = i", "out[i] = 2 * i"))
    message = refusal(path, search(use)) if use else refusal(path)
    assert "actions offered a code outside 0 … ACTION_CODES - 1 = 2" in message


def test_a_game_that_goes_on_without_a_legal_action_is_an_error(write):
    path = write(("    return 3\n", "    return 0 if s.n == 2 else 3\n"))
    assert "actions offered none" in refusal(path, search("minimax:depth=4"))


def test_a_player_out_of_range_is_an_error(write):
    assert "player answered a number outside 0 … PLAYERS - 1 = 1" in refusal(write(("s.n % 2", "7")))


def test_a_file_that_does_not_load_is_told_in_one_line(write):
    assert "counting.py can't be loaded: NameError" in refusal(write(("import numpy as np\n", "")))


def test_unknown_games_and_files_are_answered_with_the_nearest():
    with pytest.raises(SpielbaumError, match="unknown game 'conect-four'; did you mean 'connect-four'"):
        spielbaum.load("conect-four")
    with pytest.raises(SpielbaumError, match=r"there is no game file 'nowhere\.py'"):
        spielbaum.load("nowhere.py")


def test_a_copy_goes_on_by_itself():
    state = spielbaum.load("connect-four").new()
    other = state.copy().play("d")
    assert state.history == [] and other.history == [3]
    assert state.record.count == 0 and other.record.count == 1


def test_moves_are_read_in_any_case_and_refused_with_what_is_legal():
    state = spielbaum.load("tic-tac-toe").new()
    state.play(" A1 ")
    with pytest.raises(IllegalAction, match="move 'a1' is not legal for O here; legal: b1 c1 a2"):
        state.play("a1")
    with pytest.raises(IllegalAction, match="action 77 is not legal"):
        state.play(77)


def test_after_the_end_nothing_is_legal():
    state = spielbaum.load("tic-tac-toe").play_all(["a1", "a2", "b1", "b2", "c1"])
    assert state.over and state.actions == [] and state.seat == ""
    with pytest.raises(IllegalAction, match="the game is over"):
        state.play("c3")


def test_an_illegal_move_in_a_list_is_named_with_its_number():
    with pytest.raises(IllegalAction, match="move 2: move 'a1' is not legal"):
        spielbaum.load("tic-tac-toe").play_all(["a1", "a1"])


def test_seats_have_names():
    game = spielbaum.load("pursuit")
    assert game.seat_index("Hunter-2") == 2
    with pytest.raises(SpielbaumError, match="unknown seat 'hunter' for pursuit; did you mean 'hunter-"):
        game.seat_index("hunter")
