"""The app in real Chromium: languages, reloads, watching, thoughts, analysis, pass-and-play, games from files."""

from __future__ import annotations

import pathlib
from collections.abc import Callable

from tests.web.ui.conftest import Served
from tests.web.ui.screen import PERSON, Screen, agent

FILE = pathlib.Path(__file__)


def test_setup_begins_what_was_chosen(screen: Screen) -> None:
    screen.page.click('[data-game="tic-tac-toe"]')
    screen.page.click('[data-chips="mode"] [data-value="computer"]')
    screen.page.click('[data-chips="side"] [data-value="1"]')
    screen.shot()
    screen.page.click('[data-key="begin"]')
    screen.wait_moves(1)
    screen.wait_status("Your turn: O")


def test_game_goes_on_in_another_language(screen: Screen) -> None:
    screen.begin("connect-four", PERSON, PERSON)
    screen.tap("column-3")
    screen.wait_moves(1)
    assert screen.status == "To move: red"
    screen.page.click(".language")
    screen.wait_status("Am Zug: Rot")
    assert screen.page.evaluate("() => document.documentElement.lang") == "de"
    screen.tap("column-3")
    screen.wait_moves(2)
    screen.page.reload()
    screen.wait_status("Am Zug: Gelb")


def test_reload_while_the_computer_thinks(screen: Screen) -> None:
    screen.begin("connect-four", PERSON, agent("mcts:seconds=2.5"))
    screen.tap("column-3")
    screen.wait_status("thinking")
    screen.page.reload()
    screen.wait_status("thinking|Your turn")
    screen.wait_moves(2)
    screen.wait_status("Your turn: yellow")
    screen.tap("column-0")
    screen.wait_moves(3)


def test_thoughts_are_drawn_while_the_computer_thinks(screen: Screen) -> None:
    screen.begin("connect-four", PERSON, agent("mcts:seconds=5"))
    screen.page.click('[data-tab="thoughts"]')
    screen.tap("column-3")
    screen.page.wait_for_selector(".share text")
    screen.page.wait_for_selector(".edges tbody tr")
    seen = {screen.page.inner_text(".figures") for _ in range(24) if screen.page.wait_for_timeout(100) is None}
    assert len(seen) >= 2, "the figures are to change while it thinks"
    screen.shot()
    screen.wait_moves(2)
    assert screen.page.locator(".share").count() == 0


def test_expected_line_is_played_out_on_the_board(screen: Screen) -> None:
    screen.begin("connect-four", PERSON, agent("mcts:iterations=3000"))
    screen.page.click('[data-tab="thoughts"]')
    screen.tap("column-3")
    screen.wait_moves(2)
    screen.page.click(".line-move >> nth=2")
    screen.page.wait_for_selector(".looking")
    assert len(screen.pieces()) >= 4
    screen.shot()
    screen.page.click('[data-key="look-back"]')
    screen.page.wait_for_function("() => document.querySelectorAll('.play .pieces .shape[data-id]').length === 2")
    screen.tap("column-0")
    screen.wait_moves(3)


def test_tree_can_be_walked_with_its_board_beside_it(screen: Screen) -> None:
    screen.begin("connect-four", PERSON, agent("mcts:iterations=3000"))
    screen.page.click('[data-tab="thoughts"]')
    screen.tap("column-3")
    screen.wait_moves(2)
    screen.page.click('[data-key="tree"]')
    screen.page.wait_for_selector(".tree .node.can-walk")
    discs = ".tree-board .pieces .shape[data-id]"
    assert screen.page.locator(discs).count() == 1
    screen.shot()
    screen.page.click(".tree .node.can-walk >> nth=0")
    screen.page.wait_for_function(
        "discs => document.querySelectorAll(discs).length === 2 && document.querySelectorAll('.crumb').length === 2",
        arg=discs,
    )
    screen.page.click(".crumb >> nth=0")
    screen.page.wait_for_function("() => document.querySelectorAll('.crumb').length === 1")


def test_alpha_beta_shows_its_root_moves_and_its_line_as_a_tree(screen: Screen) -> None:
    screen.begin("connect-four", PERSON, agent("alphabeta:depth=5"))
    screen.page.click('[data-tab="thoughts"]')
    screen.tap("column-3")
    screen.wait_moves(2)
    assert screen.page.locator(".edges tbody tr").count() == 7
    screen.page.click('[data-key="tree"]')
    screen.page.wait_for_selector(".tree .node.can-walk")
    assert screen.page.locator(".tree .node").count() >= 8
    screen.shot()


def test_agents_play_to_the_end_and_can_be_paused(screen: Screen) -> None:
    screen.begin("tic-tac-toe", agent("random"), agent("random"), pace=2.0)
    screen.wait_moves(1)
    screen.press("pause")
    screen.wait_status("Paused")
    halted = screen.moves()
    screen.page.wait_for_timeout(2500)
    assert screen.moves() == halted
    screen.press("pace0")
    screen.press("pause")
    screen.wait_status("Victory|Draw")
    screen.shot()
    screen.press("pace3")  # at once, the next game would be over before anybody sees it begin
    screen.page.wait_for_selector('[data-do="pace3"][aria-pressed="true"]')
    screen.press("again")
    screen.page.wait_for_selector('[data-do="again"]', state="detached")


def test_the_pass_and_play_screen_hides_the_board_until_it_is_handed_over(screen: Screen) -> None:
    screen.begin("pursuit", PERSON, PERSON, agent("random"))
    screen.page.wait_for_selector('[data-step], [data-do="ready"]')
    if screen.page.locator('[data-do="ready"]').count():
        screen.press("ready")
    fugitive = '.play .pieces [data-id="fugitive"]'
    screen.page.wait_for_selector(fugitive)
    screen.page.locator("[data-step]").first.click(force=True)
    if screen.page.locator(".choices button").count():
        screen.page.click(".choices button >> nth=0")
    screen.page.wait_for_selector(".pass-screen")
    screen.shot()
    assert screen.pieces() == set()
    screen.press("ready")
    screen.page.wait_for_selector(".pass-screen", state="detached")
    assert screen.page.locator(fugitive).count() == 0


def test_arrow_keys_steer_light_cycles(screen: Screen) -> None:
    screen.begin("light-cycles", PERSON, agent("random"))
    screen.page.wait_for_selector(".play [data-step]", state="attached")
    screen.page.keyboard.press("ArrowRight")
    screen.wait_moves(1)
    screen.shot()


def test_moves_without_a_place_are_buttons(screen: Screen) -> None:
    screen.begin("pig", PERSON, PERSON, seed=3)
    screen.page.click(".action >> nth=0")
    screen.wait_moves(1)
    screen.shot()


def test_analysis_steps_with_keys_thinks_and_plays_on(screen: Screen) -> None:
    screen.page.goto(f"{screen.address}#/analysis/connect-four")
    screen.page.fill("#pasted", "d d d d c c e")
    screen.page.click(".page .primary")
    screen.page.wait_for_selector(".is-analysis")
    screen.wait_moves(7)
    screen.page.keyboard.press("Home")
    screen.page.wait_for_function("() => document.querySelector('.where').innerText.includes('0 of 7')")
    assert screen.pieces() == set()
    for _ in range(3):
        screen.page.keyboard.press("ArrowRight")
    screen.page.wait_for_function("() => document.querySelector('.where').innerText.includes('3 of 7')")
    screen.page.select_option('[data-key="think-with"]', "alphabeta")
    screen.press("think")
    screen.page.wait_for_selector(".edges tbody tr")
    screen.page.wait_for_selector(".share text")
    screen.shot()
    screen.page.wait_for_selector('[data-do="think"]', timeout=60_000)
    screen.press("continue")
    screen.page.wait_for_selector(".play:not(.is-analysis)")
    screen.wait_status("Your turn: red")
    assert len(screen.pieces()) == 3


def test_finished_game_can_be_analysed(screen: Screen) -> None:
    screen.begin("tic-tac-toe", PERSON, PERSON, moves=["a1", "a2", "b1", "b2"])
    screen.page.wait_for_selector("[data-step]", state="attached")
    screen.page.locator('[aria-label^="c1"]').click(force=True)
    screen.wait_status("Victory: X")
    screen.press("analyse")
    screen.page.wait_for_selector(".is-analysis")
    assert len(screen.moves()) == 5


def test_connection_that_is_lost_comes_back(
    serve: Callable[..., Served], open_screen: Callable[..., Screen], tmp_path: pathlib.Path
) -> None:
    server = serve(folder=str(tmp_path))
    screen = open_screen(server)
    screen.begin("connect-four", PERSON, PERSON)
    screen.tap("column-3")
    screen.wait_moves(1)
    server.stop()
    screen.page.wait_for_selector(".offline:visible")
    screen.shot()
    server.start()
    screen.page.wait_for_selector(".offline", state="hidden", timeout=40_000)
    screen.tap("column-3")
    screen.wait_moves(2)


def test_game_of_a_user_needs_no_javascript(serve: Callable[..., Served], open_screen: Callable[..., Screen]) -> None:
    screen = open_screen(serve(games=[str(FILE.with_name("garden.py"))]))
    screen.page.click('[data-game="garden"]')
    screen.page.click('[data-chips="mode"] [data-value="people"]')
    screen.page.click('[data-key="begin"]')
    screen.tap("bed-1")
    screen.page.wait_for_selector(".choices")
    screen.shot("choice")
    screen.page.click('.choices button:has-text("oak")')
    screen.wait_moves(1)
    screen.page.keyboard.press("p")
    screen.wait_moves(2)
    for bed, number in (("bed-0", 3), ("bed-2", 4)):
        screen.tap(bed)
        screen.page.click('.choices button:has-text("rose")')
        screen.wait_moves(number)
    screen.wait_status("Victory: green")
    assert screen.moves() == ["oak", "pass", "rose", "rose"]


def test_game_that_draws_nothing_is_played_as_text(
    serve: Callable[..., Served], open_screen: Callable[..., Screen]
) -> None:
    screen = open_screen(serve(games=[str(FILE.parents[2] / "small" / "maze.py")]))
    screen.begin("maze", PERSON, PERSON)
    assert "layer: 0" in screen.page.inner_text(".board-place")
    screen.page.click(".action >> nth=0")
    screen.wait_moves(1)
    assert "layer: 1" in screen.page.inner_text(".board-place")
    screen.shot()


def test_unfinished_game_is_offered_on_the_start_page(screen: Screen) -> None:
    screen.begin("connect-four", PERSON, PERSON)
    screen.tap("column-3")
    screen.wait_moves(1)
    screen.press("leave")
    screen.page.click(".resume")
    screen.wait_status("To move: red")


def test_session_that_is_gone_leads_to_the_start(screen: Screen) -> None:
    screen.page.goto(f"{screen.address}#/play/nosuchsession")
    screen.page.wait_for_selector(".card")
    assert "no longer" in screen.page.inner_text(".notice")


def test_script_in_a_name_stays_text(screen: Screen) -> None:
    name = "<img src=x onerror=alert(1)>"
    screen.begin("connect-four", {**PERSON, "name": name}, PERSON)
    screen.page.wait_for_selector(".seat-who")
    assert name in screen.page.inner_text(".seats")
    assert screen.page.locator(".seats img").count() == 0


def test_setup_offers_agents_of_the_users_own(open_screen: Callable[..., Screen], serve, tmp_path, monkeypatch) -> None:
    """By their names, in the list of a seat too; and says what is wrong with their file."""
    file = tmp_path / "spielbaum.toml"
    monkeypatch.setenv("SPIELBAUM_TOML", str(file))
    file.write_text('[agents.tic-tac-toe]\nmy-own = "mcts:iterations=20"\n')
    screen = open_screen(serve(games=["tic-tac-toe"]))
    screen.page.click('[data-game="tic-tac-toe"]')
    screen.page.click('[data-chips="level"] button:has-text("my-own")')
    screen.shot()
    screen.page.click('[data-key="begin"]')
    screen.wait_status("Your turn: X")
    assert "my-own" in screen.page.inner_text(".play") and "iterations" not in screen.page.inner_text(".play")
    file.write_text('[agents.tic-tac-toe]\nmy-own = "mtcs"\n')
    screen.page.goto(f"{screen.address}#/setup/tic-tac-toe")
    told = screen.page.inner_text(".trouble")
    assert "spielbaum.toml:2: unknown agent 'mtcs'" in told and "did you mean 'mcts'?" in told
