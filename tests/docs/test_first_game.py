"""The page "Your first game in ten minutes" keeps its promises: its file, its commands, its results.

The page is the only source. What a search answers where the theory leaves it free may change with the
search; the winning bite may not.
"""

from __future__ import annotations

import pathlib
from collections.abc import Callable, Sequence

import pytest

import spielbaum
from spielbaum import Game
from spielbaum.search.report import SearchReport
from spielbaum.testing import assert_lawful
from tests.docs.pages import NUMBER, agrees, commands, hooks, page, place, run_command, run_examples

TEXT = page("first-game.md")
HOOKS = hooks()
WHOLE = HOOKS.assembled(TEXT, "chomp.py")
FREE = rf"{NUMBER}|\b(?!b2\b)[a-e][1-5]\b|[■·]"


@pytest.fixture
def steps(pytestconfig: pytest.Config) -> Callable[[str], pathlib.Path]:
    """A function from a part of the page to the game's file as it is then.

    Every step has a folder of its own that stays the same, so that its kernels are found again.
    """
    root = pathlib.Path(pytestconfig.cache.mkdir("docs-first-game"))  # type: ignore[union-attr]

    def file(text: str) -> pathlib.Path:
        step = text.count('title="chomp.py"')
        return place(root / f"step-{step}" / "chomp.py", HOOKS.assembled(text, "chomp.py"))

    return file


@pytest.fixture
def chomp(steps) -> Game:
    return spielbaum.load(steps(TEXT))


def best_move(game: Game, spec: str, seed: int = 1) -> str:
    state = game.new()
    return state.format(spielbaum.agent(spec, game, seed).act(state))


def proof(game: Game, moves: Sequence[str] = ()) -> SearchReport:
    """What alpha-beta finds when it may look to the end."""
    agent = spielbaum.agent("alphabeta:depth=28", game, seed=1)
    agent.act(game.play_all(moves))
    report = agent.report()
    assert report is not None
    return report


def test_the_file_of_the_page_is_a_lawful_game(chomp):
    assert_lawful(chomp, games=20)


def test_the_page_shows_the_whole_file_at_its_end():
    assert WHOLE in HOOKS.on_page_markdown(TEXT)


def test_commands_print_what_the_page_shows(steps, monkeypatch):
    for command, shown in commands(TEXT):
        monkeypatch.chdir(steps(TEXT[: TEXT.index(f"$ {command}\n{shown}")]).parent)
        printed = run_command(command, shown)
        assert agrees(shown, printed, FREE), f"$ {command}\n{printed}"


def test_the_examples_of_the_match_run(steps, monkeypatch):
    monkeypatch.chdir(steps(TEXT).parent)
    run_examples(TEXT, {})


def test_search_finds_the_winning_bite_of_a_square_bar(chomp):
    assert best_move(chomp, "alphabeta:depth=25") == "b2"
    assert best_move(chomp, "mcts:iterations=10000,transpositions=on") == "b2"


def test_alphabeta_proves_that_the_first_player_wins(chomp):
    report = proof(chomp)
    assert report.proven and report.value > 0


def test_the_key_saves_alphabeta_most_of_the_positions(steps, chomp):
    without = spielbaum.load(steps(TEXT[: TEXT.index("## 5.")]))
    assert not without.has("key") and chomp.has("key")
    assert 4 * proof(chomp).nodes < proof(without).nodes


def test_doing_in_the_row_what_was_done_in_the_column_beats_every_answer(chomp):
    """The recipe of the page, tried against all that the second player can do."""

    def wins(state: spielbaum.State) -> bool:
        if state.over:
            return state.returns[0] == 1.0
        return all(wins(state.copy().play(move).play(mirrored(move))) for move in state.moves)

    def mirrored(move: str) -> str:
        return "abcde"[int(move[1]) - 1] + str("abcde".index(move[0]) + 1)

    assert wins(chomp.play_all(["b2"]))


def test_another_bar_has_a_single_winning_first_bite(steps):
    wide = WHOLE.replace("COLUMNS, ROWS = 5, 5", "COLUMNS, ROWS = 7, 4")
    game = spielbaum.load(place(steps(TEXT).with_name("wide.py"), wide))
    reports = {move: proof(game, [move]) for move in game.new().moves}
    assert all(report.proven for report in reports.values())
    assert [move for move in reports if reports[move].value < 0] == [best_move(game, "alphabeta:depth=28")]
