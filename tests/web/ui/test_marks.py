"""Legal moves can be seen: each mark differs from what lies beside it by 3:1, measured on the screen's own pixels.

The ratio is that of WCAG 2.2, (lighter + 0.05) / (darker + 0.05) of relative luminances; 3:1 is what it asks of
graphical objects (success criterion 1.4.11).
"""

from __future__ import annotations

import io
import pathlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PIL import Image

import spielbaum
from spielbaum.game import names
from spielbaum.scenes.scene import ROLES
from spielbaum.web.catalogue import PREVIEW_SEED, preview
from tests.web.ui.conftest import Served
from tests.web.ui.screen import Screen

LEAST = 3.0
FLAT = 1.3  # below this ratio nothing but the mark can be what is seen between two pixels
PAIRS = 16  # of pixels that differ so much, for each mark
NEAR = 3  # pixels between the two of a pair, at most
WITH_BUTTONS_ONLY = {"kuhn-poker", "pig", "rock-paper-scissors", "spe-ed"}
HIDE_MARKS = ".marks, .marks-legal { visibility: hidden; }"
LEGAL = ".play .target:not(.begin)"
MARKED = f"{LEGAL}, .play .target[aria-pressed=true]"
BOXES = """marked => [...document.querySelectorAll(marked)].map(target => {
  const { left, top, right, bottom } = target.getBoundingClientRect();
  return [target.dataset.step, [left, top, right, bottom]];
}).filter(([, [left, top, right, bottom]]) => left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight)"""


def luminance(png: bytes) -> Any:
    """The relative luminance of each pixel."""
    colours = np.asarray(Image.open(io.BytesIO(png)).convert("RGB"), float) / 255
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.2126, 0.7152, 0.0722]) + 0.05


def pictures(screen: Screen) -> tuple[Any, Any]:
    """The page with the marks and without."""
    screen.page.mouse.move(1, 1)  # nothing is hovered over
    marked = screen.page.screenshot(animations="disabled")
    sheet = screen.page.add_style_tag(content=HIDE_MARKS)
    plain = screen.page.screenshot(animations="disabled")
    sheet.evaluate("sheet => sheet.remove()")
    return luminance(marked), luminance(plain)


def contrasts(screen: Screen) -> dict[str, float]:
    """How much the mark of each legal step differs from what lies beside it."""
    marked, plain = pictures(screen)
    found = {}
    for step, (left, top, right, bottom) in screen.page.evaluate(BOXES, MARKED):
        room = 12  # the ring around a small place is larger than the place
        rows = slice(max(0, int(top) - room), int(bottom) + room)
        columns = slice(max(0, int(left) - room), int(right) + room)
        found[step] = ratio(marked[rows, columns], plain[rows, columns])
    return found


def ratio(marked: Any, plain: Any) -> float:
    """The ratio that the best pairs of pixels reach, one of them in the mark, where there was none before."""
    reached = []
    for axis in (0, 1):
        for far in range(1, NEAR + 1):
            here, there = (slice(far, None), slice(None, -far))
            one, other = (here, there) if axis == 0 else ((slice(None), here), (slice(None), there))
            before = np.maximum(plain[one] / plain[other], plain[other] / plain[one])
            after = np.maximum(marked[one] / marked[other], marked[other] / marked[one])
            changed = (marked[one] != plain[one]) | (marked[other] != plain[other])
            reached.append(after[changed & (before < FLAT)])
    best = np.sort(np.concatenate(reached))[::-1]
    return float(best[PAIRS - 1]) if len(best) >= PAIRS else 1.0


def check(screen: Screen, name: str) -> None:
    for scheme in ("light", "dark"):
        screen.page.emulate_media(color_scheme=scheme)
        screen.page.wait_for_timeout(150)
        screen.shot(f"{name}-{scheme}")
        seen = contrasts(screen)
        assert seen, name
        assert {step: round(value, 2) for step, value in seen.items() if value < LEAST} == {}, (name, scheme)


def show(screen: Screen, game: str, moves: list[int], seed: int) -> None:
    screen.begin(game, mode="analysis", moves=moves, seed=seed)
    screen.page.wait_for_selector(".play .target", state="attached")


BOARDS = [
    *((name, "laptop") for name in names() if name not in WITH_BUTTONS_ONLY),
    *(
        pytest.param(name, "phone", marks=pytest.mark.slow)
        for name in ("latrunculi", "light-cycles", "scotland-yard", "liars-dice")
    ),
]


@pytest.mark.parametrize(("name", "size"), BOARDS)
def test_legal_moves_are_seen_in_both_themes(
    open_screen: Callable[..., Screen], served: Served, name: str, size: str
) -> None:
    screen = open_screen(served, size)
    for moves in ([], preview(spielbaum.load(name)).history or []):
        show(screen, name, moves, PREVIEW_SEED)
        check(screen, f"after-{len(moves)}")
        start = screen.page.eval_on_selector(LEGAL, "target => target.dataset.step")
        screen.tap(start)
        if screen.lit() and screen.page.locator(LEGAL).count():
            check(screen, f"after-{len(moves)}-chosen")


def test_legal_moves_are_seen_on_every_colour_and_every_kind_of_shape(
    open_screen: Callable[..., Screen], serve: Callable[..., Served]
) -> None:
    screen = open_screen(serve(games=[str(pathlib.Path(__file__).with_name("palette.py"))]))
    show(screen, "palette", [], 0)
    assert screen.page.locator(LEGAL).count() == 2 * len(ROLES) + 6
    check(screen, "palette")
