"""Points over a game: what a game writes down for the score curve, as each viewer may know it."""

from __future__ import annotations

import spielbaum
from spielbaum.games.quick_civ.rules import WAIT
from spielbaum.web.live_game import LiveGame, Seat

START = (
    "map 1, round 40\nnw 0/0/5: city_center 1,1; church 7,7\nne 0/0/0: city_center 1,12\n"
    "se 0/0/0: city_center 13,12\nsw 0/0/0: city_center 13,1"
)


def new_game(**options) -> LiveGame:
    game = spielbaum.load("quick-civ", map=1, **options)
    return LiveGame(game, "quick-civ", [Seat("human")] * 4, seed=1, position=START)


def play_rounds(one: LiveGame, number: int) -> None:
    for _ in range(number):
        for seat in range(4):
            one.play(seat, WAIT)


def scores(one: LiveGame, viewer: int) -> list[list[float]]:
    return one.history(viewer).scores


def test_points_are_written_down_at_the_start_and_after_each_round():
    one = new_game()
    play_rounds(one, 2)
    assert scores(one, 0) == [[5, 0, 0, 0], [13, 0, 0, 0], [21, 0, 0, 0]]


def test_what_is_taken_back_was_never_scored():
    one = new_game()
    play_rounds(one, 3)
    one.undo(1)
    assert len(scores(one, 0)) == 2
    play_rounds(one, 1)
    assert [known[0] for known in scores(one, 0)] == [5, 13, 21]


def test_a_stored_game_has_the_same_scores_again():
    one = new_game()
    play_rounds(one, 2)
    again = LiveGame.restored(one.game, one.as_dict())
    assert scores(again, 0) == scores(one, 0)


def test_in_the_fog_the_curve_shows_what_the_viewer_knows():
    one = new_game(fog=True)
    play_rounds(one, 1)
    assert scores(one, 2) == [[5, 0, 0, 0], [13, 0, 0, 0]]  # points are known to all


def test_a_game_without_points_has_no_curve():
    one = LiveGame(spielbaum.load("tic-tac-toe"), "tic-tac-toe", [Seat("human")] * 2, seed=1)
    one.play(0, one.state.actions[0])
    assert one.history(1).scores == []
