"""What people see of a search: values in their unit, nothing clipped, and nothing of the board hidden by it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.web.ui.screen import PERSON, Screen, agent

POINTS = {"name": "points", "title": {"en": "points", "de": "Punkte"}, "scale": 1}
CHANCE = {"name": "chance", "title": {"en": "chance to win", "de": "Gewinnchance"}, "scale": 1}
SEATS = [{"seat": 0, "name": "shells"}, {"seat": 1, "name": "stones"}]
MODULE = "new URL('js/{}', location.origin)"


def think(screen: Screen, game: str, level: str, moves: str = "") -> None:
    """Let an agent think about a position until it has something to show."""
    screen.begin(game, mode="analysis", moves=moves)
    screen.page.select_option('[data-key="think-with"]', level)
    screen.press("think")
    screen.page.wait_for_selector(".edges tbody tr")
    screen.page.wait_for_selector('[data-do="think"]:not([disabled])')


def column(screen: Screen, number: int) -> list[str]:
    return [text.strip() for text in screen.page.locator(f".edges td:nth-child({number})").all_inner_texts()]


def test_a_chance_is_told_in_per_cent(screen: Screen) -> None:
    think(screen, "connect-four", "easy", "d d")
    assert screen.page.locator(".edges thead").inner_text().strip().endswith("Chance to win")
    assert all(re.fullmatch(r"\d+\s%", value) for value in column(screen, 4))
    assert re.fullmatch(r"\d+\s% chance to win", screen.page.inner_text(".figures dd >> nth=0"))


def test_points_are_told_as_points_with_what_each_move_has_cost(screen: Screen) -> None:
    think(screen, "latrunculi", "easy")
    assert screen.page.locator(".edges thead").inner_text().strip().endswith("Points")
    assert all(re.fullmatch(r"(≤ )?[+−]?\d+\.\d+", value) for value in column(screen, 4))
    assert len(set(column(screen, 3))) > 1  # not one visit each
    assert screen.page.inner_text(".figures dd >> nth=0").endswith(" points")
    screen.shot()


def test_alphabeta_s_tree_has_bounds_and_visits_and_fits_its_page(screen: Screen) -> None:
    think(screen, "latrunculi", "hard")
    screen.page.click('[data-key="tree"]')
    screen.page.wait_for_selector(".node-label")
    facts = screen.page.locator("text.node-facts").all_text_contents()
    assert any("≤ " in text for text in facts) and any("≥ " in text for text in facts)
    assert all("pieces" in text or "in " in text for text in facts)
    spoken = screen.page.eval_on_selector_all(".node", "all => all.map(e => e.getAttribute('aria-label'))")
    visits = [int(re.search(r"Visits ([\d,]+)", words)[1].replace(",", "")) for words in spoken]  # type: ignore[index]
    assert len(set(visits)) > 2
    edge = screen.page.locator(".wide-dialog").bounding_box()
    rights = screen.page.eval_on_selector_all(".node text", "all => all.map(e => e.getBoundingClientRect().right)")
    assert max(rights) <= edge["x"] + edge["width"]
    screen.shot()


def curve(screen: Screen, points: list[dict[str, Any]]) -> tuple[list[list[float]], str]:
    """The heights of a curve's lines, and its caption."""
    drawn = screen.page.evaluate(
        f"""async ([points, seats]) => {{
            const {{ drawCurve }} = await import({MODULE.format("parts/curve.js")});
            const figure = drawCurve(points, seats, 10, 0);
            return [[...figure.querySelectorAll('.curve-line')].map(e => e.getAttribute('d')), figure.textContent];
        }}""",
        [points, SEATS],
    )
    return [[float(y) for y in re.findall(r" ([\d.-]+)(?=L|$)", path)] for path in drawn[0]], drawn[1]


def test_no_value_of_a_curve_is_clipped(screen: Screen) -> None:
    values = [50.5, -24.0, 10.0, 100.0, 999_990.0]
    points = [{"ply": i, "seat": 0, "value": value, "unit": POINTS} for i, value in enumerate(values)]
    ((heights), caption) = curve(screen, points)
    (line,) = heights
    assert len(set(line)) == len(values) and all(0 < y < 36 for y in line)
    assert [values[i] for i in sorted(range(5), key=lambda i: -line[i])] == sorted(values)
    assert caption == "Shells: won in 10"


def test_different_units_have_lines_of_their_own(screen: Screen) -> None:
    points = [{"ply": i, "seat": i % 2, "value": 0.5, "unit": (CHANCE, POINTS)[i % 2]} for i in range(4)]
    lines, caption = curve(screen, points)
    assert [len(line) for line in lines] == [2, 2]
    assert caption == "Shells: 75\u202f% chance to win; Shells: −0.5 points"  # both as the first player sees it


SHARES = f"""async name => {{
    const game = await (await fetch(`/api/games/${{name}}`)).json();
    const {{ Board }} = await import({MODULE.format("board/board.js")});
    const {{ shares }} = await import({MODULE.format("board/shares.js")});
    const host = document.createElement('div');
    host.style = 'position: fixed; inset: 0; background: white; z-index: 99';
    document.body.append(host);
    const board = new Board(name, game.backdrop);
    host.append(board.element);
    board.show(game.scene);
    const ids = [...board.shapes.values()].filter(s => ['rect', 'circle'].includes(s.kind)).map(s => s.id);
    const edges = ids.filter((_, i) => i % Math.ceil(ids.length / 12) === 0)
        .map((id, i) => ({{ action: i, label: id, steps: [id], visits: 1, share: 1 / 12, value: 0 }}));
    const drawn = shares(board, edges);
    board.under.append(...drawn.below);
    board.over.append(...drawn.above);
    const box = (x, y, w, h) => ({{ left: x - w / 2, right: x + w / 2, top: y - h / 2, bottom: y + h / 2 }});
    const standing = (game.scene.layers ?? []).flatMap(layer => layer.shapes ?? []).flatMap(s => {{
        if (s.kind === 'use') return [box(...s.at, ...(s.size ?? [1, 1]))];
        return s.kind === 'circle' && s.heat === undefined ? [box(...s.at, 2 * s.r, 2 * s.r)] : [];
    }});
    const inverse = board.svg.getScreenCTM().inverse();
    const written = [...board.svg.querySelectorAll('.ground text, .pieces text, .top text')].map(e => {{
        const r = e.getBoundingClientRect(), middle = new DOMPoint(r.x + r.width / 2, r.y + r.height / 2);
        const {{ x, y }} = middle.matrixTransform(inverse);
        return box(x, y, r.width * inverse.a, 0.75 * r.height * inverse.a);  // without room for accents
    }});
    const labels = drawn.above.map(g => {{
        const [x, y, w, h] = ['x', 'y', 'width', 'height'].map(n => Number(g.querySelector('rect').getAttribute(n)));
        return {{ left: x, right: x + w, top: y, bottom: y + h }};
    }});
    const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    const hits = labels.flatMap((label, i) =>
        [...standing, ...written, ...labels.slice(i + 1)].filter(other => meet(label, other)).map(() => i));
    return [labels.length, hits];
}}"""


@pytest.mark.parametrize(
    "game",
    ["connect-four", "tic-tac-toe", "goofspiel", "liars-dice", "pursuit", "scotland-yard", "latrunculi", "amazons"],
)
def test_shares_hide_neither_pieces_nor_what_is_written_on_the_board(screen: Screen, game: str) -> None:
    labels, hits = screen.page.evaluate(SHARES, game)
    screen.shot()
    assert labels > 3 and hits == []


# --- games -----------------------------------------------------------------------------------------


def test_pig_shows_the_die_and_buttons_that_are_easy_to_press(screen: Screen) -> None:
    screen.begin("pig", PERSON, agent("hold-at-20"), pace=0, seed=4)
    screen.wait_status("Your turn: player 1")
    assert screen.page.locator('.pieces [data-id^="pip-"]').count() == 0
    screen.page.click('[data-action="0"]')
    screen.page.wait_for_selector('.pieces [data-id^="pip-"]')
    screen.page.wait_for_selector('[data-action="1"]')
    for button in screen.page.locator(".action").all():
        box = button.bounding_box()
        assert box["height"] >= 52 and box["width"] >= 120
    screen.shot()


def test_light_cycles_lists_moves_when_the_round_is_over(screen: Screen) -> None:
    screen.begin("light-cycles", PERSON, agent("mcts:seconds=2"), pace=0)
    screen.page.locator(".play [data-step]").first.click(force=True)
    screen.wait_status("Waiting for: orange")
    assert screen.moves() == [] and "(chosen)" in screen.page.inner_text(".status")
    screen.wait_moves(1)
    (first,) = screen.moves()
    assert len(re.findall("north|east|south|west", first)) == 2
