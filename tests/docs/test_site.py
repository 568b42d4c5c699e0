"""The site builds without a warning and needs no network."""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys

import pytest

pytestmark = pytest.mark.needs("mkdocs")
ROOT = pathlib.Path(__file__).parents[2]
FETCHED = re.compile(r"""<(?:script|img|iframe|source)[^>]+src=["']?(https?:)?//|<link[^>]+href=["']?(https?:)?//""")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The site as `make docs` builds it."""
    target = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(target)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    return target


def test_every_page_is_in_the_site(site):
    for source in (ROOT / "docs").glob("*.md"):
        assert (site / f"{source.stem}.html").is_file()


def test_pages_fetch_nothing_from_elsewhere(site):
    for file in site.rglob("*.html"):
        assert not FETCHED.search(file.read_text("utf-8")), file.name
    for file in (site / "assets").rglob("*.css"):
        assert not re.search(r"url\(['\"]?https?:", file.read_text("utf-8")), file.name


def test_no_marker_is_left_unfilled(site):
    for file in site.rglob("*.html"):
        assert "generated:" not in file.read_text("utf-8"), file.name
