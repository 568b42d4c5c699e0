"""What a person does at the screen, in the words of the tests."""

from __future__ import annotations

import pathlib
import re
from typing import Any

PERSON = {"kind": "human"}
SOON = 15_000  # milliseconds; most things are there at once
PATIENCE = 300_000  # where a kernel may have to be compiled first


def agent(spec: str) -> dict[str, str]:
    """An agent's seat."""
    return {"kind": "agent", "spec": spec}


class Screen:
    """A page of the app."""

    def __init__(self, page: Any, address: str, picture: pathlib.Path):
        self.page, self.address, self.picture = page, address, picture

    # --- beginning

    def begin(self, game: str, *seats: dict[str, str], **more: Any) -> None:
        """A session that is begun as the setup screen does it, with its token kept, and shown."""
        self.page.wait_for_selector("#content")
        request = {"game": game, **({"seats": list(seats)} if seats else {}), **more}
        session = self.page.evaluate(
            "request => import(new URL('js/api.js', location.origin)).then(api => api.beginSession(request))", request
        )["session"]
        self.page.goto(f"{self.address}#/play/{session}")
        self.page.wait_for_selector(".play")

    # --- looking

    @property
    def status(self) -> str:
        return str(self.page.inner_text(".turn")).strip()

    def wait_status(self, pattern: str) -> None:
        """Until whose turn it is, or the result, reads like this."""
        expression = "pattern => new RegExp(pattern).test(document.querySelector('.turn')?.innerText ?? '')"
        self.page.wait_for_function(expression, arg=pattern, timeout=PATIENCE)

    def moves(self) -> list[str]:
        """The move list."""
        return [text.strip() for text in self.page.locator(".move-list li").all_text_contents()]

    def wait_moves(self, number: int) -> None:
        """Until so many moves were made."""
        expression = "n => document.querySelectorAll('.move-list li').length >= n"
        self.page.wait_for_function(expression, arg=number, timeout=PATIENCE)

    def pieces(self) -> set[str]:
        """Names of all shapes in the scene that stay."""
        return set(self.page.eval_on_selector_all(".play .pieces .shape[data-id]", "all => all.map(e => e.dataset.id)"))

    def place(self, piece: str) -> tuple[float, float]:
        """Where the middle of a piece is seen on the screen."""
        where = "piece => { const { e, f } = piece.getScreenCTM(); return [e, f]; }"
        x, y = self.page.eval_on_selector(f'.play .pieces [data-id="{piece}"]', where)
        return x, y

    def middle(self, square: str) -> tuple[float, float]:
        """The middle of a square on the screen."""
        box = self.page.locator(f'.play .ground [data-id="{square}"]').bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def lit(self) -> set[str]:
        """What is marked as chosen or as a target."""
        marks = ".play .mark-target, .play .mark-chosen"
        return set(self.page.eval_on_selector_all(marks, "all => all.map(e => e.dataset.mark)"))

    def leftovers(self) -> int:
        """Marks of a gesture, things that are held, targets that glow: nothing of it belongs to a board at rest."""
        return int(self.page.locator(".mark-target, .mark-chosen, .ghost, .lifted, .hovered").count())

    def shot(self, name: str = "") -> None:
        """Keep a picture."""
        self.picture.parent.mkdir(exist_ok=True)
        self.page.screenshot(path=f"{self.picture}{'-' + name if name else ''}.png")

    # --- doing

    def press(self, what: str) -> None:
        """A button by its purpose."""
        self.page.click(f'[data-do="{what}"]')

    def tap(self, square: str) -> None:
        """Click a shape that may be touched."""
        self.page.locator(f'[data-step="{square}"]').click(force=True, timeout=SOON)

    def drag(self, origin: str, target: str) -> None:
        """Drag with the mouse from the middle of one square to another."""
        self.page.wait_for_selector(f'[data-step="{origin}"]', timeout=SOON, state="attached")
        self.page.mouse.move(*self.middle(origin))
        self.page.mouse.down()
        self.page.mouse.move(*self.middle(target), steps=4)
        self.page.mouse.up()

    def touch_drag(self, origin: str, target: str) -> None:
        """Drag with a finger."""
        self.page.wait_for_selector(f'[data-step="{origin}"]', timeout=SOON, state="attached")
        (x, y), (to_x, to_y) = self.middle(origin), self.middle(target)
        finger = self.page.context.new_cdp_session(self.page)
        finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        for part in (0.2, 0.6, 1.0):
            at = {"x": x + part * (to_x - x), "y": y + part * (to_y - y)}
            finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [at]})
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        finger.detach()

    def touch_tap(self, square: str) -> None:
        """Tap with a finger."""
        self.page.wait_for_selector(f'[data-step="{square}"]', timeout=SOON, state="attached")
        self.page.touchscreen.tap(*self.middle(square))


def squares(move: str) -> tuple[str, str]:
    """Origin and target of a move in Latrunculi's notation."""
    origin, target = re.match(r"([a-l]\d+)-([a-l]\d+)", move).groups()  # type: ignore[union-attr]
    return origin, target
