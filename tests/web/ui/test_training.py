"""The page that follows a training, in real Chromium: its curves grow, on every screen, in both languages."""

from __future__ import annotations

import pathlib
from collections.abc import Callable, Iterator

import pytest

from tests.networks.made import made_training
from tests.web.ui.conftest import SIZES, Served
from tests.web.ui.screen import Screen
from tests.web.ui.test_axe import findings
from tests.web.ui.test_words import check

LENGTHS = """() => [...document.querySelectorAll('.chart')].map(
  (one) => one.querySelector('.line:not(.interval)').getTotalLength())"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    path = tmp_path_factory.mktemp("trained")
    made_training(path / "mine.training", 6)
    return path


@pytest.fixture(scope="module")
def server(folder: pathlib.Path) -> Iterator[Served]:
    running = Served(games=["connect-four"], store=str(folder / "runs.db"))
    yield running
    running.stop()


def test_a_page_follows_a_training_without_being_reloaded(
    open_screen: Callable[..., Screen], server: Served, folder: pathlib.Path
) -> None:
    screen = open_screen(server)
    screen.page.click('a[href="#/training"]')
    screen.page.click('a[href="#/training/mine"]')
    screen.page.wait_for_selector(".chart .dot")
    assert screen.page.locator(".chart").count() == 3 and screen.page.locator(".chart .dot").count() == 2
    assert "1.2 of 10 minutes · 6 iterations · 6,144 games" in screen.page.inner_text(".tuning-state")
    screen.page.evaluate("() => (window.same = true)")
    before = screen.page.evaluate(LENGTHS)
    made_training(folder / "mine.training", 36)
    screen.page.wait_for_function("() => /36 iterations/.test(document.querySelector('.tuning-state').innerText)")
    assert screen.page.locator(".chart .dot").count() == 8
    assert "Last measured: 82\u202f% (95 % interval 72\u202f% … 92\u202f%)" in screen.page.inner_text(".tuning-state")
    assert screen.page.evaluate(LENGTHS) != before and screen.page.evaluate("() => window.same")
    screen.shot()


@pytest.mark.parametrize(("size", "locale"), [("phone", "de-DE"), ("laptop", "en-GB")])
def test_no_word_is_broken(open_screen: Callable[..., Screen], server: Served, size: str, locale: str) -> None:
    screen = open_screen(server, size, locale=locale)
    for where in ("training", "training/mine"):
        screen.page.goto(f"{server.address}#/{where}")
        screen.page.wait_for_selector(".chart" if "/" in where else ".tunings .button")
        check(screen, where)
    width, height = SIZES[size]
    screen.page.set_viewport_size({"width": width, "height": height})
    screen.page.locator(".chart").first.scroll_into_view_if_needed()
    screen.shot()


def test_a_training_that_is_not_there_is_told(open_screen: Callable[..., Screen], server: Served) -> None:
    screen = open_screen(server)
    screen.page.goto(f"{server.address}#/training/nobody")
    screen.page.wait_for_selector("text=There is no such training here.")


@pytest.mark.needs("axe")
def test_axe_finds_nothing(open_screen: Callable[..., Screen], server: Served) -> None:
    screen = open_screen(server)
    for where in ("training", "training/mine"):
        screen.page.goto(f"{server.address}#/{where}")
        screen.page.wait_for_selector(".chart" if "/" in where else ".tunings .button")
        assert findings(screen) == []
