"""The pictures of README.md and of these pages, taken of the app as it is: `make pictures`, or for some of them
`python docs/pictures.py tree report`.

A server is started on a free port with a store of its own, positions are set up by fixed moves and seeds, and Chromium
takes the screenshots into `docs/assets/`. What a search thinks in a second differs from machine to machine, so
pictures taken twice are alike but not the same.
"""

from __future__ import annotations

import contextlib
import io
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from typing import Annotated, Any

import typer
from PIL import Image
from playwright.sync_api import sync_playwright

from spielbaum.errors import unknown
from spielbaum.game import load

ASSETS = pathlib.Path(__file__).with_name("assets")
SPIELBAUM = (sys.executable, "-m", "spielbaum")
COLOURS = (256, 128, 64)  # of a palette: the first with which a picture is small enough
LARGEST = 140_000  # bytes
WIDTH, HEIGHT = 1280, 800
SEED = 3
LATE_ENOUGH = 120_000  # milliseconds: the first search of a game is compiled

Page = Any


# --- what is on the pictures ----------------------------------------------------------------------


def start(page: Page, address: str) -> None:
    """All games."""
    page.wait_for_selector(".card .board-svg")


def thoughts(page: Page, address: str) -> None:
    """A board with what a search thinks about it."""
    analyse(page, address, "connect-four", ["d", "d", "d", "e", "c", "e"])
    let_think(page, "medium")


def tree(page: Page, address: str) -> None:
    """A walk through the tree of a search."""
    thoughts(page, address)
    page.click('[data-key="tree"]')
    page.wait_for_selector(".can-walk")


def moves(page: Page, address: str) -> None:
    """A piece that was chosen, and where it may go."""
    page.emulate_media(color_scheme="dark")
    game = load("latrunculi")
    analyse(page, address, "latrunculi", game.play_all(game.module.PREVIEW, SEED).history or [])
    page.click('[data-step="g5"]', force=True)


def city(page: Page, address: str) -> None:
    """A large board, with panels for many players."""
    analyse(page, address, "scotland-yard", [])


def setup(page: Page, address: str) -> None:
    """Who plays, and how strong."""
    page.goto(f"{address}#/setup/amazons")
    page.wait_for_selector(".setup-picture .board-svg")


def report(page: Page, address: str) -> None:
    """The plots of a small tournament."""
    with tempfile.TemporaryDirectory() as folder:
        store, file = ["--store", f"{folder}/games.db"], pathlib.Path(folder, "report.html")
        agents = ["hold-at-20", "race-or-pace", "greedy", "random"]
        run("tournament", "pig", *agents, "--games", "100", "--seed", "1", *store)
        run("report", "1", "--output", str(file), *store)
        page.goto(file.as_uri())
        page.set_viewport_size({"width": 1000, "height": 1400})


PICTURES: dict[str, Callable[[Page, str], None]] = {
    shown.__name__: shown for shown in (start, thoughts, tree, moves, city, setup, report)
}


def analyse(page: Page, address: str, game: str, moves: list[str] | list[int]) -> None:
    """Show a position in which all may be seen."""
    wanted = {"game": game, "mode": "analysis", "moves": moves, "seed": SEED}
    begin = "wanted => import(new URL('js/api.js', location.origin)).then(api => api.beginSession(wanted))"
    page.goto(f"{address}#/play/{page.evaluate(begin, wanted)['session']}")
    page.wait_for_selector(".play .target", state="attached")


def let_think(page: Page, level: str) -> None:
    """Let an agent think about the position, to the end."""
    page.select_option('[data-key="think-with"]', level)
    page.click('[data-do="think"]')
    page.wait_for_selector(".thoughts .edges", timeout=LATE_ENOUGH)
    page.wait_for_selector('[data-do="think"]', timeout=LATE_ENOUGH)


# --- taking them ----------------------------------------------------------------------------------


def take(names: list[str], folder: pathlib.Path) -> None:
    """Take some of the pictures."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    folder.mkdir(parents=True, exist_ok=True)
    with serving() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for name in names:
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, locale="en-GB", color_scheme="light")
            page.goto(address)
            page.wait_for_selector("#content")
            PICTURES[name](page, address)
            page.wait_for_timeout(600)  # pieces glide, and pictures of cards come one by one
            file = folder / f"{name}.png"
            file.write_bytes(smaller(page.screenshot(animations="disabled")))
            print(f"{file} ({file.stat().st_size // 1000} kB)")
            page.close()
        browser.close()


@contextlib.contextmanager
def serving() -> Iterator[str]:
    """The address of a server with all games that keeps nothing."""
    with tempfile.TemporaryDirectory() as folder:
        options = ["--port", "0", "--no-open", "--data", folder, "--store", f"{folder}/games.db"]
        server = subprocess.Popen([*SPIELBAUM, "serve", *options], stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        try:
            found = re.search(r"http://\S+/", server.stdout.readline())
            assert found, "the server did not start"
            yield found[0]
        finally:
            server.terminate()
            server.wait()


def run(*arguments: str) -> None:
    subprocess.run([*SPIELBAUM, *arguments], check=True, capture_output=True)


def smaller(png: bytes) -> bytes:
    """The same picture with a palette, about a third as large."""
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    for colours in COLOURS:
        out = io.BytesIO()
        picture.quantize(colours, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
        if out.tell() <= LARGEST:
            break
    return out.getvalue()


def main(
    names: Annotated[list[str], typer.Argument(metavar="[NAME]...", help=", ".join(PICTURES), default_factory=list)],
    to: Annotated[pathlib.Path, typer.Option("--to", help="The folder.")] = ASSETS,
) -> None:
    """Take the pictures of the documentation, all of them if none is named."""
    for name in names:
        if name not in PICTURES:
            raise typer.BadParameter(str(unknown("picture", name, PICTURES)))
    take(names or list(PICTURES), to)


if __name__ == "__main__":
    typer.run(main)
