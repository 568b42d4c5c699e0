"""No word is broken in two, on any screen, at any size, in either language."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from spielbaum.game import load, names
from tests.web.ui.conftest import Served
from tests.web.ui.screen import PERSON, Screen, agent

LONGEST_NAME = "Friedrich-Wilhelm Donaudampfschifffahrts"  # 40 letters
BROKEN = r"""() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const within = node.parentElement;
    if (!within?.checkVisibility() || within.closest('svg, pre, textarea, script, style')) continue;
    for (const { 0: word, index } of node.data.matchAll(/[^\s\-\/–—\u00ad\u200b]+/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = [...range.getClientRects()].filter(({ width }) => width > 0);
      const height = Math.max(...lines.map(line => line.height));
      if (lines.some(line => Math.abs(line.top - lines[0].top) > height / 2)) found.push(word);
    }
  }
  return found;
}"""
CUT_OFF = """() => [...document.querySelectorAll('body *')]
  .filter(e => e.checkVisibility() && !e.closest('svg, pre, .branches, .sr-only, .switch, input, select'))
  .filter(e => !e.matches('.board-place') && !(getComputedStyle(e).textOverflow === 'ellipsis' && e.title))
  .filter(e => e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0 && getComputedStyle(e).display !== 'inline')
  .filter(e => getComputedStyle(e).overflowX !== 'auto')
  .map(e => e.outerHTML.slice(0, 90))"""


WIDTHS = {320: 640, 390: 844, 768: 1024, 1024: 768, 1366: 768, 1920: 1080, 3840: 2160}


def check(screen: Screen, name: str) -> None:
    for width, height in WIDTHS.items():
        screen.page.set_viewport_size({"width": width, "height": height})
        assert screen.page.evaluate(BROKEN) == [], (name, width)
        assert screen.page.evaluate(CUT_OFF) == [], (name, width)


def go(screen: Screen, where: str) -> None:
    screen.page.eval_on_selector("#content", "content => content.remove()")
    screen.page.goto(f"{screen.address}#/{where}")


def unfold(screen: Screen) -> None:
    screen.page.eval_on_selector_all("details", "all => all.forEach(fold => (fold.open = true))")


@pytest.mark.parametrize("locale", ["de-DE", pytest.param("en-GB", marks=pytest.mark.slow)])
def test_no_word_is_broken(open_screen: Callable[..., Screen], served: Served, locale: str) -> None:
    screen = open_screen(served, locale=locale)
    screen.page.wait_for_selector(".card .board-svg")
    check(screen, "start")
    go(screen, "analysis")
    screen.page.wait_for_selector("#pasted")
    check(screen, "analysis")
    for game in names():
        go(screen, f"setup/{game}")
        screen.page.wait_for_selector(".setup-picture .board-svg")
        unfold(screen)
        check(screen, f"setup of {game}")
        go(screen, f"rules/{game}")
        screen.page.wait_for_selector(".rules-text .board-svg")
        check(screen, f"rules of {game}")
        screen.begin(game, {**PERSON, "name": LONGEST_NAME}, *[agent("random")] * (load(game).players - 1))
        screen.page.wait_for_selector(".seat")
        check(screen, f"playing {game}")
