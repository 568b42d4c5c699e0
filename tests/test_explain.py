"""A mistake in a rule is told in one line: the game, the rule, the place and the reason."""

from __future__ import annotations

import pytest

import spielbaum
from spielbaum import GameError
from spielbaum.compile.errors import split_arguments, type_words
from tests.tiny import COMPLAIN, line_of, python, write_race

HELPER = "@rule\ndef helper(s):\n    {}"


@pytest.fixture(autouse=True)
def cold_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("SPIELBAUM_CACHE", str(tmp_path / "cache"))


def complaint(path) -> str:
    """What is said when the game is begun and a move played."""
    with pytest.raises(GameError) as error:
        spielbaum.load(path).new().play(1)
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize(
    ("play", "reason"),
    [
        ("s.q += 1", "the state has no field 'q' (fields: n, turn, b)"),
        ("s.n = t.missing", "the tables have no field 'missing' (fields: steps, bonus)"),
        ("t.bonus = 3", "can't set 'bonus' of Tables(array of int64, int64)"),
        ('s.n += "one"', "can't compute int64 + str"),
        ("s.n = len(s.n)", "can't call len(int64)"),
        ("for i in range(s.b): pass", "can't call range(array of int64)"),
        ("s.n = s.b[1, 2]", "cannot index array of int64 with 2 indices: tuple of int64"),
        ("s.n = (1, 'a')[action]", "can't index tuple with int64"),
        ("s.n = 'ten'", "can't convert str to int64"),
        ("s.n = nowhere", "name 'nowhere' is not defined"),
        ("s.n = open('x')", "open can't be used in a rule"),
        ("s.n = np.nowhere(1)", "module 'numpy' has no attribute 'nowhere'"),
        ("s.n = s.b.nowhere()", "array of int64 has no attribute 'nowhere'"),
        ("s.n = below(rng)", "below(rng, n) can't be called with (array of uint64)"),
        ("s.n = below(rng, 'x')", "below(rng, n) can't be called with (array of uint64, str)"),
        ("x = 1 if s.n else (1, 2)", "a value is int in one place and tuple in another"),
        ("import math", "Use of unsupported opcode (IMPORT_NAME) found"),
    ],
)
def test_a_rule_that_does_not_compile_is_told_with_its_place(tmp_path, play, reason):
    path = write_race(tmp_path, play=play)
    assert complaint(path) == f"mine: play does not compile ({line_of(path, play)}): {reason}"


@pytest.mark.parametrize(
    ("helpers", "play", "reason"),
    [
        ("def helper(s):\n    return 1", "s.n = helper(s)", "helper is not a rule; decorate it with @rule"),
        (HELPER.format("return 1"), "s.n = helper(s, 3)", "helper(s) can't be called with (record, int)"),
        (HELPER.format("return 1"), "s.n = helper(x=s)", "helper(s) can't be called with (x=record)"),
        (HELPER.format("s.n = 1"), "s.n = helper(s) + 1", "can't compute None + int (helper returns nothing)"),
        ("LOOKUP = {1: 2}", "s.n = LOOKUP[1]", "LOOKUP is a dict, which rules can't read; use a tuple or an array"),
        ("STEPS = [1, 2]", "s.n = STEPS[1]", "STEPS is a list, which rules can't read; use a tuple or an array"),
        ("class Piece: pass\nPIECE = Piece()", "len(PIECE)", "PIECE is a Piece, which rules can't read"),
    ],
)
def test_a_rule_that_uses_what_it_can_t_is_told(tmp_path, helpers, play, reason):
    path = write_race(tmp_path, helpers=helpers, play=play)
    assert complaint(path) == f"mine: play does not compile ({line_of(path, play)}): {reason}"


def test_the_innermost_rule_is_named(tmp_path):
    helpers = "@rule\ndef deep(s):\n    s.zz = 1\n\n@rule\ndef between(s):\n    deep(s)"
    path = write_race(tmp_path, helpers=helpers, play="between(s)")
    place = line_of(path, "s.zz")
    assert complaint(path) == f"mine: deep does not compile ({place}): the state has no field 'zz' (fields: n, turn, b)"


def test_a_rule_of_another_file_is_named_with_that_file(tmp_path):
    helper = tmp_path / "squares_of_mine.py"
    helper.write_text("from spielbaum.rules import rule\n\n@rule\ndef square(s):\n    return s.missing\n")
    path = write_race(tmp_path, helpers="import squares_of_mine", play="s.n = squares_of_mine.square(s)")
    reason = "the state has no field 'missing' (fields: n, turn, b)"
    assert complaint(path) == f"mine: square does not compile (squares_of_mine.py:5): {reason}"


def test_a_plain_function_of_another_file_is_told(tmp_path):
    (tmp_path / "plain_of_mine.py").write_text("def square(s):\n    return s.n\n")
    path = write_race(tmp_path, helpers="import plain_of_mine", play="s.n = plain_of_mine.square(s)")
    assert complaint(path).endswith("square is not a rule; decorate it with @rule")


@pytest.mark.parametrize(
    ("play", "reason"),
    [
        ("if s.n == 1:\n        return 3\n    return 'x'", "it returns different types: int, str"),
        ("x = 1\n    for i in s.b:\n        x = 'a'\n    s.n = len(x)", "'x' is int in one place and str in another"),
    ],
)
def test_types_that_do_not_agree_are_named(tmp_path, play, reason):
    assert complaint(write_race(tmp_path, play=play)).endswith(reason)


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        ({"player": "s.n"}, "player must return a whole number, but returns nothing"),
        ({"player": "return s.n / 2"}, "player must return a whole number, but returns float64"),
        (
            {"player": "if s.n < 10:\n        return s.turn"},
            "player must return a whole number, but returns nothing on some of its paths",
        ),
        ({"actions": "out[0] = 1"}, "actions must return a whole number, but returns nothing"),
        ({"play": "return s.n"}, "play changes the state and returns nothing, but returns int64"),
    ],
)
def test_a_hook_that_returns_the_wrong_thing_is_told(tmp_path, rules, reason):
    path = write_race(tmp_path, **rules)
    hook = next(iter(rules))
    number = int(line_of(path, f"def {hook}(").rpartition(":")[2]) - 1
    for _ in range(2):  # it is not forgotten, nor kept in the cache
        assert complaint(path) == f"mine: {reason} (mine.py:{number})"


@pytest.mark.parametrize(
    ("helpers", "reason"),
    [
        ("@rule\ndef start(s, rgn):\n    s.n = 1", "start asks for 'rgn'; did you mean 'rng'?"),
        ("@rule\ndef key(s, extra):\n    return s.n", "key asks for 'extra'; it may ask for t, s, scratch"),
        ("def start(t, s, rng):\n    s.n = 1", "start is not a rule; decorate it with @rule"),
        ("import json as evaluate", "evaluate is a module where the protocol expects the rule"),
    ],
)
def test_a_hook_that_can_t_be_called_is_told(tmp_path, helpers, reason):
    assert complaint(write_race(tmp_path, helpers=helpers)).startswith(f"mine: {reason}")


def test_a_table_that_rules_can_t_read_is_named(tmp_path):
    path = write_race(tmp_path)
    path.write_text(path.read_text().replace("Tables(np.array([1, 2]), 0)", "Tables(np.array([1, 2]), {})"))
    assert complaint(path) == "mine: rules can't read the table 'bonus', a dict; use numbers and arrays"


def test_a_mistake_is_told_again_at_the_next_call(tmp_path):
    path = write_race(tmp_path, play="s.q = 1")
    assert complaint(path) == complaint(path)


@pytest.mark.parametrize(
    ("helper", "said"),
    [
        ("raise ValueError('two is bad')", "ValueError: two is bad"),
        ("raise ValueError", "ValueError"),
        ("assert s.n == 4, 'not four'", "AssertionError: not four"),
        ("s.n = (1, 2)[s.n + 5]", "IndexError: tuple index out of range"),
        ("s.n = 1 // (s.n - 1)", "ZeroDivisionError: integer division by zero"),
        ("s.n = 3 % (s.n - 1)", "ZeroDivisionError: integer modulo by zero"),
    ],
)
def test_a_rule_that_raises_is_named_with_its_place(tmp_path, helper, said):
    path = write_race(tmp_path, helpers=HELPER.format(helper), play="s.n += 1\n    helper(s)")
    for _ in range(2):  # compiled, and from the cache
        assert complaint(path) == f"mine: helper raised {said} ({line_of(path, helper)})"


def test_the_place_is_known_to_a_search_and_from_the_cache_of_another_process(tmp_path):
    path = write_race(tmp_path, play="s.n += (1, 2)[s.n]")
    said = f"mine: play raised IndexError: tuple index out of range ({line_of(path, '(1, 2)[s.n]')})\n"
    code = (
        "import spielbaum\ntry:\n"
        f"    game = spielbaum.load({str(path)!r})\n"
        "    spielbaum.agent('random', game); print(spielbaum.agent('mcts:iterations=30', game).act(game.new()))\n"
        "except spielbaum.GameError as error:\n    print(error)"
    )
    assert [python(code, tmp_path).stdout for _ in range(2)] == [said, said]


def test_without_the_jit_the_place_is_known_too(tmp_path):
    path = write_race(tmp_path, helpers=HELPER.format("s.n = (1, 2)[s.n + 5]"), play="helper(s)")
    said = python(COMPLAIN.format(path=str(path)), tmp_path, NUMBA_DISABLE_JIT="1").stdout
    assert said == f"mine: helper raised IndexError: tuple index out of range ({line_of(path, '(1, 2)')})\n"


def test_types_are_said_in_an_author_s_words():
    record = "Record(n[type=int64;offset=0],b[type=nestedarray(int64, (4,));offset=8];40;False)"
    numba = f"{record}, Literal[int](3), UniTuple(int64 x 2), unaligned array({record}, 1d, C), list(int64)<iv=None>"
    assert type_words(numba) == "record, int, tuple of int64, array of record, list of int64"
    assert split_arguments("record, f(int64, str), int") == ["record", "f(int64, str)", "int"]


@pytest.mark.parametrize(
    ("helpers", "name"),
    [
        ("@rule\ndef again(n):\n    return 0 if n == 0 else again(n - 1)", "again"),
        (
            "@rule\ndef again(n):\n    return 0 if n == 0 else other(n)\n\n\n"
            "@rule\ndef other(n):\n    return again(n - 1)",
            "again",
        ),
    ],
)
def test_a_rule_that_calls_itself_is_refused_because_its_code_could_not_be_kept(tmp_path, helpers, name):
    path = write_race(tmp_path, helpers=helpers, play="s.n += 1 + again(3)")
    message = complaint(path)
    assert message.startswith("mine: ") and message.endswith("; use a loop instead")
    assert "calls itself (mine.py:" in message
    assert name in message or "other" in message
