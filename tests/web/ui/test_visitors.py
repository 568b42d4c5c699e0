"""What visitors may count on: nothing is lost unasked, nothing lost by a reload, and every page says where one is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from spielbaum.game import names
from tests.web.ui.conftest import Served
from tests.web.ui.screen import PERSON, Screen, agent

QUICK = agent("mcts:iterations=300")
IN_SIGHT = """selector => {
  const box = document.querySelector(selector).getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  return box.top >= 0 && box.bottom <= innerHeight && document.elementFromPoint(x, y)?.closest(selector) !== null;
}"""


SPILLING = "all => all.filter(e => e.scrollWidth > e.clientWidth).map(e => e.outerHTML)"
BELOW = "e => innerHeight - e.getBoundingClientRect().bottom"
DRAWN = """game => location.hash.endsWith(game) && document.querySelector('.setup-picture > *') !== null"""


def seen(screen: Screen, selector: str) -> bool:
    """Whether something is within the window, whole and with nothing over it."""
    return bool(screen.page.evaluate(IN_SIGHT, selector))


def style(screen: Screen, selector: str, name: str) -> str:
    """How something looks, in the words of CSS."""
    return str(screen.page.eval_on_selector(selector, "(place, name) => getComputedStyle(place)[name]", name))


def think_and_look_ahead(screen: Screen) -> None:
    """A game after two moves, with the line that is expected played out on the board."""
    screen.begin("connect-four", PERSON, agent("mcts:iterations=3000"))
    screen.page.click('[data-tab="thoughts"]')
    screen.tap("column-3")
    screen.wait_moves(2)
    screen.page.click(".line-move >> nth=1")
    screen.page.wait_for_selector(".is-preview .looking")


# --- nothing is lost unasked


def test_restart_asks_only_when_a_game_would_be_lost(screen: Screen) -> None:
    with screen.page.expect_websocket() as socket:
        screen.begin("tic-tac-toe", PERSON, PERSON)
    screen.page.wait_for_selector("[data-step]", state="attached")
    with socket.value.expect_event("framereceived", lambda frame: '"state"' in str(frame)):  # before, a move is stale
        screen.press("restart")
    assert screen.page.locator("dialog").count() == 0, "nothing was played yet"
    screen.page.locator('[aria-label^="a1"]').click(force=True)
    screen.wait_moves(1)
    screen.press("restart")
    assert "lost" in screen.page.inner_text("dialog h2")
    screen.press("no")
    assert len(screen.moves()) == 1
    screen.press("restart")
    screen.press("yes")
    screen.page.wait_for_function("() => document.querySelectorAll('.move-list li').length === 0")


def test_a_game_that_is_over_begins_again_at_once(screen: Screen) -> None:
    screen.begin("tic-tac-toe", PERSON, PERSON, moves=["a1", "a2", "b1", "b2", "c1"])
    screen.press("again")
    screen.page.wait_for_function("() => document.querySelectorAll('.move-list li').length === 0")


# --- looking ahead


@pytest.mark.parametrize("size", ["phone", "laptop"])
def test_looking_ahead_can_not_be_taken_for_the_game(
    open_screen: Callable[..., Screen], served: Served, size: str
) -> None:
    screen = open_screen(served, size)
    think_and_look_ahead(screen)
    assert screen.page.inner_text(".looking-where").startswith("Looking ahead: move ")
    assert style(screen, ".board-place", "outlineStyle") == "dashed"
    assert "saturate" in style(screen, ".play .board-svg", "filter")
    assert seen(screen, '[data-key="look-back"]')
    screen.shot()
    screen.page.mouse.click(*screen.middle("column-0"))
    screen.page.wait_for_timeout(300)
    assert len(screen.moves()) == 2, "a touch on the board plays nothing"
    screen.page.click('[data-key="look-back"]')
    screen.page.wait_for_selector(".is-preview", state="detached")
    screen.tap("column-0")
    screen.wait_moves(3)


def test_escape_leads_back_to_the_game_from_anywhere(screen: Screen) -> None:
    think_and_look_ahead(screen)
    screen.page.focus(".thoughts-switch input")
    screen.page.keyboard.press("Escape")
    screen.page.wait_for_selector(".is-preview", state="detached")


def test_the_tree_says_that_it_is_not_the_game(screen: Screen) -> None:
    screen.begin("connect-four", PERSON, agent("mcts:iterations=3000"))
    screen.page.click('[data-tab="thoughts"]')
    screen.tap("column-3")
    screen.wait_moves(2)
    screen.page.click('[data-key="tree"]')
    screen.page.click(".tree .node.can-walk >> nth=0")
    screen.page.wait_for_function("() => document.querySelector('.looking-where')?.innerText.includes('move 1')")
    screen.shot()
    screen.page.click('dialog [data-key="look-back"]')
    screen.page.wait_for_selector("dialog", state="detached")


# --- coming back


def test_thoughts_and_curve_are_there_after_a_reload(screen: Screen) -> None:
    screen.begin("connect-four", PERSON, QUICK)
    for column, moves in (("column-3", 2), ("column-2", 4)):
        screen.tap(column)
        screen.wait_moves(moves)
    screen.page.click('[data-tab="thoughts"]')
    before = screen.page.inner_text(".edges")
    curve = screen.page.get_attribute(".curve-line", "d")
    screen.page.reload()
    screen.page.wait_for_selector(".edges tbody tr")
    assert screen.page.inner_text(".edges") == before
    assert screen.page.get_attribute(".curve-line", "d") == curve


def test_all_unfinished_games_are_offered_and_can_be_given_up(screen: Screen) -> None:
    for game, seats, moves in (
        ("connect-four", (PERSON, agent("easy")), ["d", "d"]),
        ("tic-tac-toe", (PERSON, PERSON), ["a1"]),
        ("connect-four", (PERSON, agent("random")), []),
    ):
        screen.begin(game, *seats, moves=moves)
    screen.begin("tic-tac-toe", agent("random"), agent("random"), pace=60)
    screen.page.goto(f"{screen.address}#/")
    screen.page.wait_for_selector(".resume-place li")
    screen.shot()
    offered = screen.page.locator(".resume-place li p").all_inner_texts()
    assert [text.replace("\n", " ") for text in offered] == [
        "Tic-tac-toe Two people · move 2",
        "Connect Four against Computer, easy · move 3",
    ]
    screen.page.set_viewport_size({"width": 320, "height": 640})
    assert screen.page.eval_on_selector_all(".resume-place li > *", SPILLING) == []
    screen.page.click('[data-do="drop"] >> nth=0')
    screen.press("yes")
    screen.page.wait_for_function("() => document.querySelectorAll('.resume-place li').length === 1")
    screen.page.click(".resume")
    screen.wait_status("Your turn: yellow")


def test_records_have_titles_players_results_and_dates(open_screen: Callable[..., Screen], served: Served) -> None:
    screen = open_screen(served, "phone", locale="de-DE")
    screen.begin("connect-four", PERSON, agent("easy"), moves=["d", "d"])
    screen.press("resign")
    screen.press("yes")
    screen.wait_status("Aufgegeben")
    screen.page.goto(f"{screen.address}#/analysis")
    newest = screen.page.locator(".records li").first
    title = newest.locator("button").inner_text()
    assert title == "Vier gewinnt · Gelb (Mensch) – Rot (Computer, leicht) · Sieg: Rot · Züge: 2"
    assert str(screen.page.evaluate("() => new Date().getFullYear()")) in newest.locator("time").inner_text()
    screen.shot()


def test_a_link_that_is_opened_elsewhere_tells_the_truth(open_screen: Callable[..., Screen], served: Served) -> None:
    mine = open_screen(served)
    mine.begin("connect-four", PERSON, agent("easy"))
    other = open_screen(served, "phone", locale="de-DE")
    other.page.goto(mine.page.url)
    other.page.wait_for_selector(".elsewhere")
    text = other.page.inner_text(".elsewhere")
    assert "Vier gewinnt" in text and "auf einem anderen Gerät gespielt" in text and "Link allein" in text
    other.shot()
    other.page.click(".elsewhere .primary")
    other.page.wait_for_selector(".setup")
    assert other.page.url.endswith("#/setup/connect-four")


def test_a_german_page_refuses_in_german(open_screen: Callable[..., Screen], served: Served) -> None:
    screen = open_screen(served, locale="de-DE")
    screen.page.goto(f"{screen.address}#/analysis/tic-tac-toe")
    screen.page.fill("#pasted", "a1 a1")
    screen.page.click(".page .primary")
    said = "Diese Züge passen nicht zum Spiel. Zug 2 ist nicht möglich."
    assert screen.page.inner_text(".notice") == said


# --- phones


@pytest.mark.parametrize("size", ["phone", pytest.param("tall", marks=pytest.mark.slow)])
@pytest.mark.parametrize("locale", ["de-DE", pytest.param("en-GB", marks=pytest.mark.slow)])
def test_every_game_can_be_begun_without_scrolling(
    open_screen: Callable[..., Screen], served: Served, size: str, locale: str
) -> None:
    screen = open_screen(served, size, locale=locale, has_touch=True)
    for game in names():
        screen.page.goto("about:blank")
        screen.page.goto(f"{screen.address}#/setup/{game}")
        screen.page.wait_for_function(DRAWN, arg=game)
        assert screen.page.evaluate("() => scrollY") == 0
        assert seen(screen, '[data-key="begin"]'), game
        assert screen.page.eval_on_selector('[data-key="begin"]', BELOW) < 30, "nothing is kept free below it"
    screen.shot()


def test_on_a_phone_the_tree_is_walked_in_lists(open_screen: Callable[..., Screen], served: Served) -> None:
    screen = open_screen(served, "phone", has_touch=True)
    screen.begin("connect-four", PERSON, agent("mcts:iterations=3000"))
    screen.page.click('[data-tab="thoughts"]')
    screen.tap("column-3")
    screen.wait_moves(2)
    screen.page.click('[data-key="tree"]')
    screen.page.wait_for_selector(".walk-list button")
    assert screen.page.locator(".tree-svg").count() == 0
    first = screen.page.inner_text(".walk-list button >> nth=0")
    assert "%" in first
    screen.page.click(".walk-list button >> nth=0")
    screen.page.wait_for_function("() => document.querySelectorAll('.crumb').length === 2")
    assert screen.page.evaluate("() => document.querySelector('dialog').scrollWidth <= innerWidth")
    screen.shot()
    screen.page.click(".walk-list button >> nth=0")
    screen.page.wait_for_function("() => document.querySelectorAll('.crumb').length === 3")
    screen.page.click(".crumb >> nth=0")
    screen.page.wait_for_function("() => document.querySelectorAll('.crumb').length === 1")
    assert seen(screen, 'dialog [data-key="look-back"]')
    screen.page.click('dialog [data-key="look-back"]')
    screen.page.wait_for_selector("dialog", state="detached")
