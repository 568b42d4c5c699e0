"""`spielbaum analyse`: what a search thinks of a position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from spielbaum.cli.inputs import GameName, Json, Moves, Options, Position, Seed, load_game, read_position
from spielbaum.cli.output import NOTHING, print_json, print_table
from spielbaum.cli.play import notation
from spielbaum.errors import SpielbaumError

if TYPE_CHECKING:
    from spielbaum.game import Game, State
    from spielbaum.search.report import Edge, SearchReport, Unit

MEGABYTE = 1 << 20
SHOWN = 20  # moves, unless told otherwise


def command(
    game: GameName,
    moves: Moves,
    option: Options,
    position: Position = None,
    agent: Annotated[
        str | None,
        typer.Option(
            "--agent",
            metavar="AGENT",
            help="Who searches, e.g. mcts:iterations=5000.",
            show_default="as in play, mcts where that one does not search",
        ),
    ] = None,
    top: Annotated[
        int | None, typer.Option("--top", min=1, help="How many moves to show.", show_default=f"{SHOWN}, all in JSON")
    ] = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Search a position and show what was found."""
    from spielbaum.agents import freeze_spec

    played = load_game(game, option)
    start = played.play_all([], seed, read_position(position))
    state = start.copy()
    before = state.play_all(moves)
    agent, report = search(state, [freeze_spec(agent, played)] if agent else searchers(played), seed)
    if as_json:
        facts = {"game": played.name, "options": played.options, "seed": seed, "agent": agent}
        facts["moves"] = notation(start, before)
        print_json({**facts, **report.as_dict(), "edges": report.as_dict()["edges"][:top]})
    else:
        show(state, report, top or SHOWN)


def searchers(game: Game) -> list[str]:
    """Whom to ask: the opponent that `play` begins with, and where that one does not search, one that does."""
    from spielbaum.agents import general_search, opponent

    return [opponent(game), general_search(game)]


def search(state: State, specs: list[str], seed: int) -> tuple[str, SearchReport]:
    """The first of some agents that searches the position as its mover sees it, and its report."""
    from spielbaum.agents import make, resolve

    if state.over:
        raise SpielbaumError("there is nothing to search: the game is over after these moves")
    for spec in specs:
        agent = make(spec, state.game, seed)
        kind, _ = resolve(spec, state.game)
        if kind.name != "human":  # the one agent that would ask
            agent.act(state.view(state.player))
            report = agent.report()
            if report is not None:
                return spec, report
    raise SpielbaumError(f"{kind.name} does not search, so there is nothing to show; use mcts or another that does")


def show(state: State, report: SearchReport, top: int) -> None:
    from spielbaum.game import side_by_side

    print(f"{state.view(state.player)}\n")
    print(f"{state.seat} to move; {report.algorithm} plays {state.format(report.action)}")
    total = sum(edge.visits for edge in report.edges) or 1.0
    priors = any(edge.prior is not None for edge in report.edges)
    columns = ["move", "visits", "share", heading(report.unit)] + (["prior"] if priors else [])
    rows = [row(edge, total, report.unit)[: len(columns)] for edge in report.edges[:top]]
    print_table(columns, rows, numbers=columns[1:])
    if len(report.edges) > top:
        rest = sum(edge.visits for edge in report.edges[top:])
        print(f"and {len(report.edges) - top:,} more with {rest:,.0f} visits together; --top shows more of them")
    print(f"line: {side_by_side(report.line)}")
    print(summary(report))


def heading(unit: Unit) -> str:
    """What values are counted in, as the head of their column."""
    return "chance to win" if unit.name == "chance" else unit.name


def row(edge: Edge, total: float, unit: Unit) -> list[str]:
    visits = f"{edge.visits:,.0f}" if edge.visits == int(edge.visits) else f"{edge.visits:,.2f}"
    return [edge.move, visits, f"{edge.visits / total:.1%}", worth(edge, unit), number(edge.prior)]


def worth(edge: Edge, unit: Unit) -> str:
    """`61.5%`, `+1.25` of the unit, `≤ +1.25` for what is only a bound, `= 50.0%` or `win in 5` for what is certain."""
    text = NOTHING if edge.value is None else counted(edge.value, unit)
    if not edge.exact:
        return f"≤ {text}"
    return f"= {text}" if edge.proven else text


def counted(value: float, unit: Unit) -> str:
    from spielbaum.search.frames import SURE

    if abs(value) > SURE / 2:
        return f"{'win' if value > 0 else 'loss'} in {SURE - abs(value):.0f}"
    if abs(value) > SURE / 100:
        return f"certainly {value / SURE:+.2f}"  # a result between a draw and a win
    return f"{(1 + value) / 2:.1%}" if unit.name == "chance" else f"{value * unit.scale + 0.0:+.2f}"


def number(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.3f}"


def summary(report: SearchReport) -> str:
    """`1,000 nodes, depth 9, 0.01 s, 100,000 per second, 1.5 MB`, and what else there is to say."""
    parts = [
        f"{report.nodes:,} nodes",
        f"depth {report.depth}",
        f"{report.seconds:.2f} s",
        f"{report.per_second:,.0f} per second",
        f"{report.memory / MEGABYTE:.1f} MB",
    ]
    if report.table_hits is not None:
        parts.append(f"{report.table_hits:.1%} table hits")
    if report.cut_off:
        parts.append(f"{report.cut_off:.1%} of simulations cut off")
    if report.full:
        parts.append("the tree is full")
    if report.proven:
        parts.append("proven")
    return ", ".join(parts)
