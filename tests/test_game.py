"""Game and State: what is refused, and what copies, views and notation promise."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import spielbaum
from spielbaum import GameError, IllegalAction, SpielbaumError
from spielbaum.arena import match
from spielbaum.arena.single import make_agents, play_game
from spielbaum.testing import check

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


NO_WHOLE_NUMBERS = (None, True, 1.0, 1.5, [1])
NO_SEATS = (*NO_WHOLE_NUMBERS, "1", -1, 9, 2**64, 10**5000)
NO_SEEDS = (*NO_WHOLE_NUMBERS, "3", -1, 2**63, 2**64, 10**5000)


@pytest.mark.parametrize("seat", NO_SEATS, ids=lambda seat: str(type(seat)))
def test_nobody_sees_from_a_seat_that_there_is_not(seat) -> None:
    state = spielbaum.load("kuhn-poker").new()
    with pytest.raises(SpielbaumError, match=r"^a seat is a whole number from 0 up to 1, not "):
        state.view(seat)
    if not isinstance(seat, str):
        with pytest.raises(SpielbaumError, match=r"^a seat is a whole number from 0 up to 1, not "):
            state.game.seat_index(seat)


@pytest.mark.parametrize("action", [*NO_WHOLE_NUMBERS, -1, 9, 2**64, 10**5000], ids=lambda action: str(type(action)))
def test_what_is_no_action_is_refused_in_words_and_changes_nothing(action) -> None:
    state = spielbaum.load("tic-tac-toe").new()
    with pytest.raises(IllegalAction, match=r"^an action is a whole number or a move|^action .* is not legal for X"):
        state.play(action)
    with pytest.raises(IllegalAction, match=r"^move 1: an action is a whole number|^move 1: action .* is not legal"):
        state.play_all([action])
    with pytest.raises(SpielbaumError, match=r"^an action is a whole number from 0 up to 8, not "):
        state.format(action)
    assert state.history == [] and len(state.actions) == 9


@pytest.mark.parametrize("text", [None, 3])
def test_only_a_text_is_read_as_a_move(text) -> None:
    with pytest.raises(IllegalAction, match=f"^a move in the game's notation is a text, not {text}$"):
        spielbaum.load("tic-tac-toe").new().parse(text)


@pytest.mark.parametrize("seed", NO_SEEDS, ids=lambda seed: str(type(seed)))
def test_what_is_no_seed_is_refused_wherever_one_is_given(seed) -> None:
    game, refusal = spielbaum.load("tic-tac-toe"), r"^a seed is a whole number from 0 up to \d+, not "
    for take in (
        game.new,
        lambda seed: game.play_all([], seed),
        lambda seed: spielbaum.agent("random", game, seed),
        lambda seed: spielbaum.agent("mcts:iterations=1", game, seed),
        lambda seed: make_agents(game, ["random", "random"], seed),
        lambda seed: play_game(game, make_agents(game, ["random", "random"], 0), seed),
        lambda seed: check(game, seed=seed),
    ):
        with pytest.raises(SpielbaumError, match=refusal):
            take(seed)
    with pytest.raises(SpielbaumError, match=r"^seed=.* is not possible: a whole number below"):
        match("tic-tac-toe", ["random", "random"], games=1, seed=seed)


def test_numpy_s_whole_numbers_are_as_good_as_python_s() -> None:
    game = spielbaum.load("kuhn-poker")
    state = game.new(np.uint64(3))
    assert (state.array == game.new(3).array).all()
    assert state.view(np.int8(1)).viewer == 1
    assert game.seat_index(np.int64(1)) == 1
    assert state.play(np.int32(1)).history == [1]
    assert state.game.play_all([np.int64(1)], seed=3).history == [1]
    assert check(game, games=np.int64(1), seed=np.int64(1), seconds=0)
    assert match("tic-tac-toe", ["random", "random"], games=np.int64(2), seed=np.int64(1)).games == 2


@pytest.mark.parametrize("spec", ["random", "mcts:iterations=5", "alphabeta:depth=2"])
def test_an_agent_decides_in_its_own_game_and_while_it_goes_on(spec) -> None:
    game = spielbaum.load("tic-tac-toe")
    agent = spielbaum.agent(spec, game)
    with pytest.raises(IllegalAction, match=r"^there is nothing to decide: the game is over$"):
        agent.act(game.play_all([0, 3, 1, 4, 2]))
    with pytest.raises(SpielbaumError, match=r"^an agent for tic-tac-toe decides in a State of that game, not in one"):
        agent.act(spielbaum.load("kuhn-poker").new())
    with pytest.raises(SpielbaumError, match=r"decides in a State of that game, not in None$"):
        agent.act(None)


# --- equality, copies, pickles and what is shown --------------------------------------------------


def test_positions_are_equal_however_they_came_about():
    game, again = spielbaum.load("tic-tac-toe"), spielbaum.load("tic-tac-toe")
    state = game.play_all(["a1", "b2", "c3"])
    assert state == game.play_all(["c3", "b2", "a1"], seed=5) == again.play_all(["a1", "b2", "c3"])
    assert state != game.play_all(["a1", "b2", "c2"])
    assert state != state.history and state != "a1 b2 c3"


def test_positions_of_other_games_or_options_are_not_equal():
    assert spielbaum.load("pig").new() != spielbaum.load("tic-tac-toe").new()
    assert spielbaum.load("goofspiel").new() != spielbaum.load("goofspiel", cards=5).new()


def test_a_state_has_no_hash_as_it_changes():
    with pytest.raises(TypeError, match="unhashable"):
        hash(spielbaum.load("tic-tac-toe").new())


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda state: pickle.loads(pickle.dumps(state))])
def test_a_copy_of_any_kind_is_equal_and_goes_on_by_itself_with_the_same_dice(copied):
    state = spielbaum.load("pig").new(seed=3).play("roll")
    other = copied(state)
    assert other == state and other.history == state.history and other.history is not state.history
    before = str(state)
    other.play("roll")
    assert str(state) == before
    assert state.play("roll") == other  # the same dice


def test_all_copies_of_a_state_share_its_game():
    state = spielbaum.load("tic-tac-toe").new()
    assert copy.copy(state).game is copy.deepcopy([state])[0].game is state.game


def test_a_view_that_was_pickled_is_still_a_view():
    state = spielbaum.load("kuhn-poker").new(seed=1)
    view = pickle.loads(pickle.dumps(state.view(0)))
    assert view == state.view(0) != state and view.viewer == 0 and view.history is None


def test_another_process_loads_a_pickled_state_with_the_file_and_options_of_its_game(write, tmp_path):
    path = write(
        ("ACTION_CODES = 2, 3, 3", "ACTION_CODES = 2, 3, 3\nOPTIONS = [Param('size', 3, 'how many', low=1)]"),
        ("import TERMINAL", "import TERMINAL, Param"),
    )
    state = spielbaum.load(path, size=7).new().play(2).play(1)
    (tmp_path / "state.pickle").write_bytes(pickle.dumps(state))
    program = (
        "import pickle, sys; s = pickle.load(open(sys.argv[1], 'rb')); print(s.game, s.history, s.play(0).record.n)"
    )
    shown = subprocess.run(
        [sys.executable, "-c", program, tmp_path / "state.pickle"], cwd="/", capture_output=True, text=True, check=True
    )
    assert shown.stdout == "<Game counting {'size': 7}> [2, 1, 0] 3\n"


def test_a_pickled_state_tells_that_its_game_s_rules_have_changed(write):
    pickled = pickle.dumps(spielbaum.load(write()).new().play(0))
    assert pickle.loads(pickled) == spielbaum.load(write()).new().play(1)
    commented = write(("s.n += 1", "s.n += 1  # and nothing else"))
    assert pickle.loads(pickled) == spielbaum.load(commented).new().play(1)
    write(("s.n += 1", "s.n += 2"))
    with pytest.raises(
        SpielbaumError, match=r"was pickled with other rules of .*counting\.py \(version \w+, now \w+\)"
    ):
        pickle.loads(pickled)


def test_a_state_of_a_game_without_a_file_says_why_it_can_t_be_pickled(write):
    module = spielbaum.load(write()).module
    nameless = type(module)("nameless", "A game.")
    vars(nameless).update({name: value for name, value in vars(module).items() if not name.startswith("__")})
    with pytest.raises(SpielbaumError, match="nameless has no file"):
        pickle.dumps(spielbaum.Game(nameless).new())


def test_a_state_shows_its_position(write):
    shown = repr(spielbaum.load("tic-tac-toe").play_all(["b2"]))
    assert shown == "<State of tic-tac-toe, O to move:\n3  · · ·\n2  · X ·\n1  · · ·\n   a b c>"
    assert repr(spielbaum.load(write()).play_all([0, 0, 0, 0])) == "<State of counting, over:\nn: 4>"
    assert repr(spielbaum.load("kuhn-poker").new().view(1)).startswith("<State of kuhn-poker, as second sees it, first")


def test_a_state_that_can_t_be_drawn_says_so_in_place_of_raising(write):
    path = write(("@rule\ndef player", "def render(s):\n    return 1 / 0\n\n\n@rule\ndef player"))
    assert repr(spielbaum.load(path).new()).startswith("<State of counting, it can't be shown: counting: ")


def test_what_programs_get_is_told_in_a_line():
    game = spielbaum.load("tic-tac-toe")
    agent = spielbaum.agent("hard:seconds=0.5", game)
    assert repr(agent) == "<Agent alphabeta:depth=9,seconds=0.5,table=1 for tic-tac-toe>"
    agent.act(game.play_all(["b2", "a1", "b1", "a2"]))
    report = agent.report(tree_nodes=5)
    assert repr(report).startswith("<SearchReport of alphabeta: b3, proven 1e+06, ")
    assert repr(report.tree).startswith("<TreeNode ")
    run = match(game, ["random", "random"], games=4)
    assert repr(run).startswith("<Run of tic-tac-toe, 4 of 4 games: random, random; random has 0.")
    assert repr(run.results).startswith("<Results of Tic-tac-toe, 4 games: random")
    assert repr(run.batches[0]).startswith("<GameBatch of ")
