"""When the computer fails, the page says so, and people let it try again."""

from __future__ import annotations

import pathlib
from collections.abc import Callable

import pytest

from tests.web.ui.conftest import Served
from tests.web.ui.screen import PERSON, Screen, agent

ENDLESS = pathlib.Path(__file__).parents[2] / "small" / "endless.py"


@pytest.mark.parametrize(("locale", "size"), [("en", "laptop"), ("de", "phone")])
def test_an_agent_that_failed_tries_again(
    serve: Callable[..., Served], open_screen: Callable[..., Screen], locale: str, size: str
) -> None:
    screen = open_screen(serve(games=[str(ENDLESS)]), size, locale=locale)
    screen.begin("endless", PERSON, agent("endless:how=once"), moves=[1])
    button = screen.page.locator('[data-do="try-again"]')
    button.wait_for()
    said = screen.page.inner_text(".play")
    assert ("can't play on" if locale == "en" else "kann nicht weiterspielen") in said
    assert ("Paused" if locale == "en" else "Angehalten") in screen.status
    assert button.inner_text() == ("Try again" if locale == "en" else "Noch einmal versuchen")
    screen.shot()
    button.click()
    screen.wait_moves(2)
    assert button.count() == 0
