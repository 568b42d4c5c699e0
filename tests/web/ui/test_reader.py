"""Playing without eyes and without a pointer: what a screen reader is told, where the focus goes, and keys alone."""

from __future__ import annotations

import itertools
import pathlib
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import spielbaum
from tests.web.ui.conftest import Served
from tests.web.ui.screen import PATIENCE, PERSON, SOON, Screen, agent

GARDEN = str(pathlib.Path(__file__).with_name("garden.py"))
FOCUS = "() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.className"


@pytest.fixture(scope="module")
def reader(browser: Any, served: Served) -> Iterator[Screen]:
    """One page for many short tests."""
    context = browser.new_context(viewport={"width": 1366, "height": 768}, locale="en-GB", reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(20_000)
    page.goto(f"{served.address}#/rules/pig")
    yield Screen(page, served.address, pathlib.Path("reader"))
    context.close()


def begin_open(screen: Screen, game: str, *seats: dict[str, str], **more: Any) -> None:
    """A game whose first position is seen."""
    screen.begin(game, *(seats or [PERSON] * len(spielbaum.load(game).seats)), **more)
    screen.page.wait_for_selector(".turn, .pass-screen")
    if screen.page.locator(".pass-screen").count():
        screen.press("ready")
    screen.page.wait_for_selector(".turn")


def told(screen: Screen) -> list[str]:
    """What the log of moves says."""
    return [str(text) for text in screen.page.locator(".announced p").all_text_contents()]


def wait_told(screen: Screen, words: str) -> None:
    expression = "words => [...document.querySelectorAll('.announced p')].some(p => p.textContent.includes(words))"
    screen.page.wait_for_function(expression, arg=words, timeout=PATIENCE)


def board(screen: Screen) -> list[str]:
    """The accessible names of all pieces, as Chromium's own tree has them."""
    lines = screen.page.locator('[role="group"].board-svg').aria_snapshot().splitlines()
    return [line.split('"')[1] for line in lines if " img " in line or "'img " in line]


def wait_focus(screen: Screen, name: str) -> None:
    expression = "([get, name]) => (document.activeElement.getAttribute('aria-label') ?? '').startsWith(name)"
    screen.page.wait_for_function(expression, arg=["", name], timeout=SOON)


# --- what is told of a position


@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("latrunculi", {"shell on a1", "stone on h8"}),
        ("amazons", {"white amazon on d1", "black amazon on j7"}),
        ("light-cycles", {"blue rider on column 1, row 4", "row 4: blue trail 1, orange trail 8"}),
        ("goofspiel", {"card 6 of the first player", "card 1 of the second player"}),
        ("kuhn-poker", {"card of the second player: hidden", "chip of the first player"}),
        ("liars-dice", {"die of player 2: hidden"}),
        ("pig", {"player 1: 0", "player 2: 0"}),
        ("pursuit", {"fugitive on place ", "hunter 1 on place ", "hunter 2 on place "}),
    ],
)
def test_every_piece_is_told_with_its_place(game: str, names: set[str], reader: Screen) -> None:
    begin_open(reader, game)
    found = board(reader)
    assert [name for name in names if not any(one.startswith(name) for one in found)] == [], found


def test_people_on_a_map_are_told_with_the_station_they_stand_on(reader: Screen) -> None:
    begin_open(reader, "scotland-yard", seed=1)
    state = spielbaum.load("scotland-yard").new(1)
    where = {f"detective {q} on station {state.record.at[q]}" for q in range(1, 6)}
    assert where <= set(board(reader))


def test_a_game_without_titles_is_told_by_its_seats_and_texts(
    open_screen: Callable[..., Screen], serve: Callable[..., Served]
) -> None:
    screen = open_screen(serve(games=[GARDEN]))
    begin_open(screen, "garden", PERSON, PERSON)
    screen.tap("bed-1")
    screen.page.locator(".choices button").first.click()
    screen.wait_moves(1)
    assert board(screen) == ["rose on bed 2"]
    assert screen.page.locator('[data-step="bed-0"]').get_attribute("aria-label") == "bed 1"
    wait_told(screen, "red: rose; rose on bed 2")


def test_texts_that_only_help_the_eye_are_not_read(reader: Screen) -> None:
    begin_open(reader, "liars-dice")
    assert "2×3" not in board(reader)
    tree = reader.page.locator(".board-svg").aria_snapshot()
    assert "- text:" not in tree, tree


def test_marks_of_a_search_are_not_read_on_the_board(reader: Screen) -> None:
    begin_open(reader, "connect-four", mode="analysis", moves=[])
    reader.page.click('[data-do="think"]')
    reader.page.wait_for_selector(".share text", state="attached", timeout=PATIENCE)
    assert "%" not in reader.page.locator(".board-svg").aria_snapshot()


# --- what is told of a move


def test_a_move_is_told_with_what_it_did(reader: Screen) -> None:
    begin_open(reader, "connect-four", PERSON, agent("random"), seed=3)
    reader.tap("column-3")
    wait_told(reader, "yellow: d; yellow disc on d1")
    wait_told(reader, "red: ")
    assert told(reader)[1].startswith("red: ") and "red disc on " in told(reader)[1]


def test_a_piece_that_is_taken_is_told_in_the_readers_language(
    open_screen: Callable[..., Screen], served: Served
) -> None:
    moves, taken = first_capture()
    screen = open_screen(served, locale="de-DE")
    begin_open(screen, "latrunculi", mode="analysis", moves=moves)
    screen.page.keyboard.press("ArrowLeft")
    wait_told(screen, f"Stellung {len(moves) - 1} von {len(moves)}")
    screen.page.keyboard.press("ArrowRight")
    wait_told(screen, "schlägt: ")
    assert any(f"schlägt: {taken}" in line and "geschlagen, " in line for line in told(screen)), told(screen)


def first_capture() -> tuple[list[str], str]:
    """Moves of Latrunculi up to the first capture, and the piece with its square in German."""
    game = spielbaum.load("latrunculi")
    state, dice = game.new(), random.Random(4)
    moves: list[str] = []
    while not state.over:
        before = {side: places(state, side) for side in range(2)}
        action, player = dice.choice(state.actions), state.player
        moves.append(state.format(action))
        state.play(action)
        gone = before[1 - player] - places(state, 1 - player)
        if gone:
            return moves, f"{('Muschel', 'Stein')[1 - player]} auf {min(gone)}"
    raise AssertionError("nothing is taken in this game")


def places(state: spielbaum.State, side: int) -> set[str]:
    """The squares on which a side has pieces."""
    from spielbaum.games.latrunculi.notation import square_name

    return {square_name(int(cell)) for cell in state.record.pieces[side][: state.record.count[side]]}


def test_nothing_is_told_of_a_hidden_move_but_that_it_was_made(reader: Screen) -> None:
    begin_open(reader, "pursuit", agent("random"), PERSON, PERSON, seed=2)
    wait_told(reader, "fugitive: hidden")
    assert not any("fugitive on" in line or "fugitive from" in line for line in told(reader))


def test_points_that_change_are_told(reader: Screen) -> None:
    begin_open(reader, "pig", PERSON, PERSON, seed=1)
    for number in range(1, 20):
        reader.page.keyboard.press("r")
        reader.wait_moves(number)
        if "at stake" in reader.page.inner_text(".status"):
            break
    reader.page.keyboard.press("h")
    wait_told(reader, ": hold; ")
    assert "points " in told(reader)[-1]


# --- where the focus is


def test_after_a_move_the_focus_stays_on_the_board(reader: Screen) -> None:
    begin_open(reader, "connect-four", PERSON, agent("random"), seed=3)
    reader.page.locator('[data-step="column-4"]').focus()
    reader.page.keyboard.press("Enter")
    reader.wait_moves(2)
    wait_focus(reader, "column e")


def test_while_nothing_can_be_touched_the_board_itself_has_the_focus(reader: Screen) -> None:
    begin_open(reader, "tic-tac-toe", PERSON, PERSON)
    reader.page.locator('[data-step="cell-4"]').focus()
    reader.page.evaluate("document.querySelector('.board-svg').addEventListener('focus', () => (window.waited = true))")
    reader.page.keyboard.press("Enter")
    reader.wait_moves(1)
    assert reader.page.evaluate("window.waited") is True
    assert reader.page.evaluate(FOCUS) in {"b1", "a2", "c2", "b3"}  # beside the cell that is taken now


def test_a_choice_that_is_left_gives_the_focus_back(reader: Screen) -> None:
    begin_open(reader, "scotland-yard", seed=1)
    reader.page.locator('.target[tabindex="0"]').focus()
    reader.page.keyboard.press("Enter")
    reader.page.wait_for_selector(".choices")
    assert reader.page.evaluate("() => document.activeElement.closest('.choices') !== null")
    reader.page.keyboard.press("Escape")
    wait_focus(reader, "station ")


def test_a_button_that_comes_again_has_the_focus_again(reader: Screen) -> None:
    begin_open(reader, "pig", PERSON, agent("random"), seed=1)
    reader.page.locator('[data-key="action-0"]').focus()
    reader.page.keyboard.press("Enter")
    reader.wait_status("Your turn")
    reader.page.wait_for_function("() => document.activeElement.dataset.key === 'action-0'", timeout=SOON)


def test_dialogs_hold_the_focus_and_give_it_back(reader: Screen) -> None:
    begin_open(reader, "tic-tac-toe", PERSON, PERSON)
    reader.page.locator('[data-do="resign"]').focus()
    reader.page.keyboard.press("Enter")
    reader.page.wait_for_selector("dialog[open]")
    for _ in range(6):
        reader.page.keyboard.press("Tab")
        assert reader.page.evaluate("() => document.activeElement.closest('.side, .table, header.play-bar')") is None
    reader.page.evaluate("document.querySelector('.controls').replaceChildren(...document.querySelector('.controls')"
                         ".cloneNode(true).childNodes)")  # as when the position changes meanwhile  # fmt: skip
    reader.page.keyboard.press("Escape")
    reader.page.wait_for_function("() => document.activeElement.dataset.do === 'resign'")


def test_a_pass_and_play_screen_takes_the_focus_but_not_on_its_button_and_the_board_gets_it(reader: Screen) -> None:
    reader.begin("liars-dice", PERSON, PERSON)
    reader.page.wait_for_selector(".pass-screen")
    assert reader.page.evaluate(FOCUS) == "pass-screen"
    reader.page.keyboard.press("Enter")  # perhaps still held down from a move
    assert reader.page.locator(".pass-screen").count() == 1
    reader.page.keyboard.press("Tab")
    reader.page.keyboard.press("Enter")
    wait_focus(reader, "1×")


def test_tabs_are_tabs(reader: Screen) -> None:
    begin_open(reader, "tic-tac-toe", PERSON, PERSON)
    tab = reader.page.get_by_role("tab", name="Moves")
    tab.click()
    assert tab.get_attribute("aria-selected") == "true"
    for key, name in (("ArrowRight", "Thoughts"), ("ArrowRight", "Moves"), ("End", "Thoughts"), ("Home", "Moves")):
        reader.page.keyboard.press(key)
        here = reader.page.get_by_role("tab", selected=True)
        assert here.inner_text() == name == reader.page.evaluate("() => document.activeElement.innerText")
        assert reader.page.get_by_role("tabpanel", name=name).is_visible()
    assert reader.page.locator('[role="tab"][tabindex="0"]').count() == 1


def test_every_screen_has_a_title_of_its_own(reader: Screen) -> None:
    for path, title in (
        ("#/setup/pig", "Pig · Spielbaum"),
        ("#/analysis", "Analysis · Spielbaum"),
        ("#/nothing", "There is nothing at this address. · Spielbaum"),
        ("#/", "Spielbaum"),
    ):
        reader.page.evaluate("path => { location.hash = path; }", path)
        reader.page.wait_for_function("title => document.title === title", arg=title)
    begin_open(reader, "pig", PERSON, PERSON)
    assert reader.page.title() == "Pig · Spielbaum"


def test_a_notice_is_told_in_a_place_that_was_there_before(reader: Screen) -> None:
    reader.page.evaluate("location.hash = '#/play/nobody'")
    reader.page.wait_for_selector('[role="status"] > .notice')


def test_headings_go_down_one_by_one(reader: Screen) -> None:
    begin_open(reader, "latrunculi", PERSON, PERSON)
    levels = reader.page.eval_on_selector_all("h1, h2, h3, h4, h5", "all => all.map(e => Number(e.tagName[1]))")
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels)), levels


# --- keys alone


def press_until(screen: Screen, key: str, name: str, most: int = 60) -> None:
    """Press a key until something whose name begins like this has the focus."""
    for _ in range(most):
        if str(screen.page.evaluate(FOCUS)).startswith(name):
            return
        screen.page.keyboard.press(key)
    raise AssertionError(f"{key} does not lead to {name}: {screen.page.evaluate(FOCUS)}")


def test_a_whole_game_by_keys_alone_from_the_start_page_to_the_end(screen: Screen) -> None:
    screen.page.wait_for_selector('[data-game="tic-tac-toe"]')
    for _ in range(40):
        if screen.page.evaluate("() => document.activeElement.dataset.game") == "tic-tac-toe":
            break
        screen.page.keyboard.press("Tab")
    screen.page.keyboard.press("Enter")
    screen.page.wait_for_selector('[data-key="begin"]')
    press_until(screen, "Tab", "Two people")
    screen.page.keyboard.press("Enter")
    press_until(screen, "Tab", "Begin")
    screen.page.keyboard.press("Enter")
    screen.page.wait_for_selector(".turn")
    press_until(screen, "Tab", "a1")
    for number, cell in enumerate(("a1", "a2", "b1", "b2", "c1"), 1):
        go_to(screen, cell)
        screen.page.keyboard.press("Enter")
        screen.wait_moves(number)
    screen.wait_status("Victory: X")


def go_to(screen: Screen, cell: str) -> None:
    """Arrow keys to a cell of tic-tac-toe."""
    for _ in range(6):
        here = str(screen.page.evaluate(FOCUS))
        if here == cell:
            return
        across, up = ord(cell[0]) - ord(here[0]), int(cell[1]) - int(here[1])
        sideways = "ArrowRight" if across > 0 else "ArrowLeft"
        screen.page.keyboard.press(sideways if across else ("ArrowUp" if up > 0 else "ArrowDown"))
    raise AssertionError(f"arrow keys do not lead to {cell}")
