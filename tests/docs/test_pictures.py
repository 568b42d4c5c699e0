"""The pictures of README.md and of the pages: all are there, small, and taken by a command."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from PIL import Image

from tests.docs.pages import DOCS

ROOT = DOCS.parent
COMMAND = DOCS / "pictures.py"
LINK = re.compile(r"!\[[^\]]+\]\(((?:docs/)?assets/[\w-]+\.(?:png|svg))\)")


def linked() -> dict[str, set[str]]:
    """The pictures that each page shows."""
    pages = [ROOT / "README.md", *DOCS.glob("*.md")]
    return {page.name: {(page.parent / link).name for link in LINK.findall(page.read_text("utf-8"))} for page in pages}


def test_every_picture_that_is_shown_is_there_and_small():
    shown = set().union(*linked().values())
    assert {"thoughts.png", "tree.png", "report.png"} <= linked()["README.md"]
    for name in shown:
        size = (DOCS / "assets" / name).stat().st_size
        assert name.endswith(".svg") or size < 150_000, name


def test_every_picture_is_shown_somewhere_and_can_be_taken_again():
    taken = {path.name for path in (DOCS / "assets").glob("*.png")}
    assert taken == {name for names in linked().values() for name in names if name.endswith(".png")}
    told = subprocess.run([sys.executable, COMMAND, "--help"], capture_output=True, text=True, check=True).stdout
    assert all(name.removesuffix(".png") in told for name in taken)


@pytest.mark.needs("chromium")
def test_a_picture_is_taken_of_the_running_app(tmp_path):
    subprocess.run([sys.executable, COMMAND, "moves", "--to", tmp_path], check=True, capture_output=True)
    picture = Image.open(tmp_path / "moves.png")
    assert picture.size == (1280, 800)
    assert len(picture.convert("RGB").getcolors(1 << 20) or []) > 100  # a board, not an empty page


def test_an_unknown_picture_is_told():
    answer = subprocess.run([sys.executable, COMMAND, "mooves"], capture_output=True, text=True)
    assert answer.returncode == 2 and "did you mean 'moves'" in answer.stderr
