"""HTML of reports: the template engine, and what templates are filled with.

The templates are files in `spielbaum/templates`. They escape whatever they are given, unless it is Markup: a picture.
A report is one file that needs nothing else, for screens of every size, light and dark, and paper.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import jinja2
from markupsafe import Markup, escape

from spielbaum.arena import plots

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NUMBER = "number"  # the class of cells that are set as figures
DASH = "–"
SCREEN = (4.8, 3.2)  # inches: smaller than on paper, so that the words are large enough on a phone


@dataclass(frozen=True)
class Bar:
    """A score with its interval, and where an even score would be, in per cent."""

    score: float
    low: float
    high: float
    even: float


@dataclass(frozen=True)
class Cell:
    """A cell of a table: its text or bar, its class and style, and what the pointer shows."""

    content: str | Bar
    kind: str = NUMBER
    style: str = ""
    title: str = ""


@dataclass(frozen=True)
class Table:
    """A table with a caption; the first cell of each row is its heading."""

    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    note: str = ""


@functools.cache
def environment() -> jinja2.Environment:
    found = jinja2.Environment(
        loader=jinja2.PackageLoader("spielbaum"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    found.filters["breakable"] = breakable
    return found


def render(template: str, **values: Any) -> str:
    """The HTML file that a template makes of some values."""
    return environment().get_template(template).render(values)


def breakable(name: str) -> Markup:
    """A name that may break after its commas.

    >>> breakable("mcts:c=1,<x>")
    Markup('mcts:c=1,<wbr>&lt;x&gt;')
    """
    return escape(name).replace(",", Markup(",<wbr>"))


def name_cell(name: str) -> Cell:
    return Cell(name, "name")


# --- pictures -------------------------------------------------------------------------------------


def picture(figure: Figure, prefix: str, label: str | None = None) -> Markup:
    """A figure as part of a page, with ids that begin with a prefix; its title is its label unless one is given."""
    svg = plots.rendered(figure, "svg", svg_text="none").decode()
    return inline(svg, figure.axes[0].get_title("left") if label is None else label, prefix)


def inline(svg: str, label: str, prefix: str) -> Markup:
    """An SVG file as part of a page: its colours as variables, its size that of its place, its names its own."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'<g id="[^"]*">', "<g>", svg)
    svg = re.sub(r'(id="|href="#|url\(#)', rf"\1{prefix}", svg)
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"| height="[^"]*pt"', lambda match: match[1] or "", svg, count=2)
    svg = svg.replace("<svg", f'<svg role="img" aria-label="{escape(label)}"', 1)
    for place, colour in enumerate(plots.PALETTE):
        svg = svg.replace(colour, f"var(--line-{place})")
    for variable, colour in (("ink", plots.INK), ("faint", plots.FAINT), ("grid", plots.GRID), ("page", "#ffffff")):
        svg = svg.replace(colour, f"var(--{variable})")
    return Markup(svg)


# --- numbers --------------------------------------------------------------------------------------


def percent(share: float) -> str:
    """
    >>> percent(0.5), percent(0.99996)
    ('50.0 %', '> 99.9 %')
    """
    if 0.9995 <= share < 1:
        return "> 99.9 %"
    return "< 0.1 %" if 0 < share < 0.0005 else f"{100 * share:.1f} %"


def duration(seconds: float) -> str:
    """
    >>> duration(1.234), duration(0.0123), duration(4.2e-6)
    ('1.23 s', '12.3 ms', '4.2 µs')
    """
    if seconds >= 1:
        return f"{seconds:.3g} s"
    return f"{1e3 * seconds:.3g} ms" if seconds >= 1e-3 else f"{1e6 * seconds:.3g} µs"


def signed(elo: float) -> str:
    """
    >>> signed(12.3), signed(-4.0), signed(float("-inf"))
    ('+12', '−4', '−∞')
    """
    if math.isinf(elo):
        return "+∞" if elo > 0 else "−∞"
    return f"{elo:+.0f}".replace("-", "−")


def p_value(p: float, relation: bool = False) -> str:
    """
    >>> p_value(0.0412), p_value(1e-9), p_value(0.5, relation=True)
    ('0.041', '< 0.001', '= 0.500')
    """
    return "< 0.001" if p < 0.001 else f"= {p:.3f}" if relation else f"{p:.3f}"
