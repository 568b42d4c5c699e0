"""The page that follows a tuning run, in real Chromium: it grows with the run, on every screen, in both languages."""

from __future__ import annotations

import pathlib
from collections.abc import Callable, Iterator

import pytest

from spielbaum.arena import Store
from tests.tune.made import add_step, made_store
from tests.web.ui.conftest import Served
from tests.web.ui.screen import Screen
from tests.web.ui.test_axe import findings
from tests.web.ui.test_words import check

GENERATION = "() => [...document.querySelectorAll('.chart')].map(one => one.querySelectorAll('.dot').length)"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    path = tmp_path_factory.mktemp("tuned") / "runs.db"
    made_store(path, steps=6)
    made_store(path, steps=2, finished=False)
    return path


@pytest.fixture(scope="module")
def server(store: pathlib.Path) -> Iterator[Served]:
    running = Served(games=["connect-four"], store=str(store))
    yield running
    running.stop()


def test_a_page_follows_a_run_without_being_reloaded(
    open_screen: Callable[..., Screen], server: Served, store: pathlib.Path
) -> None:
    screen = open_screen(server)
    screen.page.click('a[href="#/tuning"]')
    screen.page.click('a[href="#/tuning/2"]')
    screen.page.wait_for_selector(".chart .dot")
    assert screen.page.locator(".chart").count() == 3 + 6
    assert "2 of 10 generations" in screen.page.inner_text(".tuning-state")
    before = screen.page.evaluate(GENERATION)
    screen.page.evaluate("() => (window.same = true)")
    with Store(store) as opened:
        for number in range(3, 9):
            add_step(opened, 2, number, 12)
        opened.commit()
    screen.page.wait_for_function("() => /8 of 10/.test(document.querySelector('.tuning-state').innerText)")
    after = screen.page.evaluate(GENERATION)
    assert len(after) == len(before) and after[0] > before[0] and after[3] > before[3]
    assert screen.page.evaluate("() => window.same")
    assert "has not been tested" in screen.page.inner_text("main")
    screen.shot()


def test_a_run_that_has_ended_says_what_was_found(open_screen: Callable[..., Screen], server: Served) -> None:
    screen = open_screen(server, color_scheme="dark", locale="de-DE")
    screen.page.goto(f"{server.address}#/tuning/1")
    screen.page.wait_for_selector(".found-spec code")
    text = screen.page.inner_text("main")
    assert "mcts:iterations=100,c=1.03,depth=3" in text
    assert "stärker als das Gegebene. Elo-Unterschied +41 (95-%-Intervall +12 … +70) in 600 Partien." in text
    assert screen.page.locator(".tuned tbody tr").count() == 6
    screen.shot()


@pytest.mark.parametrize(
    ("locale", "said"),
    [
        (
            "de-DE",
            ("Siege, ein Remis als ein halber", "Fitness (Siege) untereinander", "Fitness (Siege) über dem Mittel"),
        ),
        ("en-GB", ("wins, a draw as half of one", "Fitness (wins) among each other", "Fitness (wins) above the mean")),
    ],
)
def test_the_page_names_what_is_maximised(
    open_screen: Callable[..., Screen], server: Served, locale: str, said: tuple[str, ...]
) -> None:
    screen = open_screen(server, locale=locale)
    screen.page.goto(f"{server.address}#/tuning/1")
    screen.page.wait_for_selector(".chart .dot")
    text = screen.page.inner_text("main")
    assert [each for each in said if each not in text] == []


@pytest.mark.parametrize("locale", ["de-DE", "en-GB"])
def test_no_word_is_broken(open_screen: Callable[..., Screen], server: Served, locale: str) -> None:
    screen = open_screen(server, locale=locale)
    for where in ("tuning", "tuning/1"):
        screen.page.goto(f"{server.address}#/{where}")
        screen.page.wait_for_selector(".tuned" if "/" in where else ".tunings .button")
        check(screen, where)


def test_a_run_that_is_not_there_is_told(open_screen: Callable[..., Screen], server: Served) -> None:
    screen = open_screen(server)
    screen.page.goto(f"{server.address}#/tuning/9")
    screen.page.wait_for_selector("text=There is no such tuning run here.")


@pytest.mark.needs("axe")
def test_axe_finds_nothing(open_screen: Callable[..., Screen], server: Served) -> None:
    screen = open_screen(server)
    for where in ("tuning", "tuning/1"):
        screen.page.goto(f"{server.address}#/{where}")
        screen.page.wait_for_selector(".tuned table" if "/" in where else ".tunings .button")
        assert findings(screen) == []
