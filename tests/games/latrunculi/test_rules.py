"""The rules of Latrunculi on drawn boards, and the numbers of games."""

from __future__ import annotations

import pytest

import spielbaum
from spielbaum.errors import SpielbaumError
from spielbaum.games.latrunculi.variants import PRESETS
from spielbaum.search.perft import perft
from spielbaum.testing import assert_lawful
from tests.games.latrunculi.boards import drawn, ranks

COUNTS = [
    ({"board": "6x6"}, [24, 516, 14_284, 374_426], [0, 0, 62, 2_462]),
    ({"board": "6x6", "extra": "none"}, [24, 516, 14_284, 373_748], [0, 0, 62, 2_462]),
    ({"board": "6x6", "extra": "same"}, [24, 516, 14_284, 373_002], [0, 0, 62, 2_462]),
    ({}, [48, 2_136, 112_874, 5_675_688], [0, 0, 128, 10_744]),
]


@pytest.mark.parametrize(("options", "nodes", "captures"), COUNTS)
def test_the_numbers_of_games_are_known(options, nodes, captures):
    found = perft(spielbaum.load("latrunculi", stall="off", **options).new(), 4)
    assert (found.nodes, found.captures) == (nodes, captures)


@pytest.mark.slow
@pytest.mark.parametrize("preset", [name for name in PRESETS if name != "birkenfeld"])
def test_every_preset_is_lawful(preset):
    assert_lawful(spielbaum.load("latrunculi", preset=preset), games=2)


def test_placement_with_all_switches_is_lawful():
    switches = {"extra": "same", "optional": True, "dux": "kowalski", "corner": "two_adjacent", "placement": True}
    assert_lawful(spielbaum.load("latrunculi", board="6x6", **switches), games=2)


# --- moving and taking --------------------------------------------------------------------------


def test_a_piece_slides_any_distance_but_not_over_others():
    state = drawn("...... ...... .S.... ...... .M.M.S ....S.")
    assert [move for move in state.moves if move.startswith("b2")] == ["b2-c2", "b2-a2", "b2-b3", "b2-b1"]


def test_an_enemy_between_two_pieces_is_taken():
    state = drawn("...... ...... .MS..M ...... ...... ..S..S")
    assert ranks(state.play("f4-d4xc4")) == ["......", "......", ".M.M..", "......", "......", "..S..S"]


def test_three_enemies_are_taken_at_once():
    state = drawn("...M.. ...S.. .MS.SM ...... ...... S..M.S")
    state.play("d1-d4xc4xe4xd5")
    assert ranks(state)[:3] == ["...M..", "......", ".M.M.M"]


def test_two_enemies_in_a_row_are_not_taken():
    state = drawn("...... ...... .MSS.M ...... ...... S.....")
    assert "f4-e4" in state.moves


def test_moving_in_between_two_enemies_is_safe():
    state = drawn("...... ...... .S.S.. ...... ..M... M....M")
    assert ranks(state.play("c2-c4"))[2] == ".SMS.."


def test_the_edge_of_the_board_does_not_help():
    state = drawn("..S... ...... ...... ..M... ...... M....S")
    assert "c3-c5" in state.moves


def test_a_piece_on_the_edge_is_taken_along_it():
    state = drawn(".MS... ...M.. ...... ...... ...... S....S")
    assert "d5-d6xc6" in state.moves


def test_a_piece_in_a_corner_is_safe_unless_both_neighbours_may_take_it():
    picture = "SM.... ...... M..... ...... ...... S....S"
    assert "a4-a5" in drawn(picture).moves
    state = drawn(picture, corner="two_adjacent").play("a4-a5xa6")
    assert ranks(state)[0] == ".M...."


def test_a_block_of_four_is_never_taken():
    state = drawn(".MSS.. ..SSM. ...... ...M.. ...M.. ......")
    assert not any("x" in move for move in state.moves)


# --- extra moves --------------------------------------------------------------------------------

CAPTURE = "...... ...... .MS..M ...... ..S... M.S..S"


def test_after_a_capture_the_same_side_moves_again_with_any_piece():
    state = drawn(CAPTURE).play("f4-d4xc4")
    assert state.seat == "shells"
    assert {move[:2] for move in state.moves} == {"a1", "b4", "d4"}
    assert state.play("a1-a2").seat == "stones"


def test_only_the_capturing_piece_moves_again_if_so_agreed():
    state = drawn(CAPTURE, extra="same").play("f4-d4xc4")
    assert {move[:2] for move in state.moves} == {"d4"}


def test_an_optional_extra_move_may_be_declined():
    assert "pass" not in drawn(CAPTURE).play("f4-d4xc4").moves
    state = drawn(CAPTURE, optional=True).play("f4-d4xc4")
    assert state.play("pass").seat == "stones"


def test_without_extra_moves_the_turn_passes():
    assert drawn(CAPTURE, extra="none").play("f4-d4xc4").seat == "stones"


def test_an_extra_move_that_is_impossible_lapses():
    state = drawn("M.S... SMS... ...... .....S ...... ......", extra="same")
    taken = drawn("MS.M.. SM.... MS.... ...... ...... ....SS", extra="same")
    assert state.moves and taken.play("d6-c6xb6").seat == "shells"


# --- ends ---------------------------------------------------------------------------------------


def test_who_has_fewer_than_two_pieces_has_lost_at_once():
    state = drawn("...... ...... .MS..M ...... ...... .....S").play("f4-d4xc4")
    assert (state.over, state.outcome, state.returns) == (True, "on the board", [1.0, -1.0])


def test_the_last_piece_can_fight_on_if_so_agreed():
    state = drawn("...... ...... .MS..M ...... ...... .....S", end="zero").play("f4-d4xc4")
    assert not state.over


def test_who_can_not_move_has_lost():
    state = drawn("SSM... MM.... ...... ...... ...... .....M", "shells to move")
    assert state.play("f1-e1").outcome == "on the board"
    assert state.returns == [1.0, -1.0]


def test_who_blocks_himself_has_not_won():
    state = drawn("MMS... S.S... .M.... ...... ...... ......", "shells to move")
    state.play("b4-b5")
    assert (state.over, state.seat) == (False, "stones")


def shuffle(state: spielbaum.State, plies: int) -> spielbaum.State:
    """Both sides go back and forth with their leftmost piece."""
    there_and_back = ["a1-a2", "a6-a5", "a2-a1", "a5-a6"]
    for ply in range(plies):
        state.play(there_and_back[ply % 4])
    return state


@pytest.mark.parametrize(("stall", "outcome", "returns"), [("majority", "on count", [1, -1]), ("draw", "draw", [0, 0])])
def test_the_third_time_a_position_stands_the_game_stalls(stall, outcome, returns):
    state = shuffle(drawn("S...SS ...... ...... ...... ...... MM..MM", stall=stall), 7)
    assert not state.over
    assert shuffle(state, 0).play("a5-a6").outcome == outcome
    assert state.returns == returns


def test_equal_numbers_draw_a_stalled_game():
    assert shuffle(drawn("SS..SS ...... ...... ...... ...... MM..MM"), 8).outcome == "draw"


def test_without_a_stall_rule_the_game_goes_on():
    assert not shuffle(drawn("SS..SS ...... ...... ...... ...... MM..MM", stall="off"), 400).over


def test_plies_without_a_capture_stall_the_game():
    state = drawn("SS..S. ...... ...... ...... ...... MM..MM", "shells to move, 58 quiet plies")
    assert state.play("a1-a2").over is False
    assert state.play("a6-a5").outcome == "on count"


def test_a_capture_begins_the_count_anew():
    state = drawn("...... ...... .MS..M ...... ..S... M.S..S", "shells to move, 59 quiet plies")
    state.play("f4-d4xc4")
    assert (state.over, state.record.quiet) == (False, 0)


# --- variants -----------------------------------------------------------------------------------


def test_a_dux_is_not_taken_but_takes():
    state = drawn("...... ...... .MdM.. ...... ...S.. ..DS.M", dux="kowalski")
    assert not any("xc4" in move for move in state.moves)
    assert "f1-e1xd1" in state.moves


def test_a_dux_that_is_locked_in_loses_the_game():
    state = drawn("..M... .MdM.. ...... ..M... ...... S.D..S", dux="kowalski")
    assert state.play("c3-c4").outcome == "on the board"


def test_pieces_are_placed_in_turn_before_they_move():
    state = spielbaum.load("latrunculi", board="6x6", placement=True).new()
    for ply in range(12):
        assert state.seat == ("shells", "stones")[ply % 2]
        assert all("-" not in move for move in state.moves)
        state.play(state.moves[0])
    assert all("-" in move for move in state.moves)
    assert not any("x" in move for move in state.moves)


@pytest.mark.parametrize(
    ("first", "seats"), [("shells", {"shells"}), ("stones", {"stones"}), ("random", {"shells", "stones"})]
)
def test_who_begins_is_an_option(first, seats):
    game = spielbaum.load("latrunculi", first=first)
    assert {game.new(seed).seat for seed in range(20)} == seats


def test_presets_set_the_switches_and_options_override_them():
    assert len(ranks(spielbaum.load("latrunculi", preset="kowalski-dux").new())[0]) == 12
    state = spielbaum.load("latrunculi", preset="quintana", rows=1).new()
    assert ranks(state)[:2] == ["S" * 8, "." * 8]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"board": "5x6"}, "each from 6 up to 12"),
        ({"board": "8x13"}, "each from 6 up to 12"),
        ({"board": "eight"}, "such as 7x6"),
        ({"preset": "roman"}, "birkenfeld"),
        ({"rows": 3}, "from 1 up to 2"),
        ({"quiet": 39}, "from 40 up to 200"),
        ({"extra": "all"}, "none, any, same"),
    ],
)
def test_impossible_options_are_refused_with_what_is_allowed(options, words):
    with pytest.raises(SpielbaumError, match=words):
        spielbaum.load("latrunculi", **options)


def test_an_illegal_move_is_refused():
    with pytest.raises(SpielbaumError, match="'a1-b2' is not legal for shells"):
        spielbaum.load("latrunculi").new().play("a1-b2")
