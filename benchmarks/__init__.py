"""Performance claims, each as a figure and, where there is a peer, a ratio measured in the same run.

    make bench                                          all of them
    python -m benchmarks mcts/connect-four --json       in the repository's folder

They are no part of the package: who only plays needs none of them.
OpenSpiel (the extra `bench`) is the peer; without it the figures stand alone. Every figure is the
median of at least three rounds in which we and the peer take turns.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

from benchmarks import (
    alphabeta,
    arena,
    authors,
    host,
    latrunculi,
    mcts,
    networks,
    playouts,
    quick_civ,
    scotland_yard,
    spe_ed,
    start,
    strength,
    tuning,
    web,
    wide,
)
from benchmarks.result import Result
from spielbaum.compile import shipped
from spielbaum.game import names

__all__ = ["BENCHMARKS", "Result"]

BENCHMARKS: dict[str, Callable[[], Result]] = {
    "mcts/connect-four": lambda: mcts.simulations("mcts/connect-four", "connect-four", "connect_four"),
    "mcts/tic-tac-toe": lambda: mcts.simulations("mcts/tic-tac-toe", "tic-tac-toe", "tic_tac_toe"),
    "mcts/threads": mcts.two_threads,
    "mcts/memory": mcts.bytes_per_edge,
    "alphabeta/connect-four": alphabeta.nodes,
    "alphabeta/table": alphabeta.with_and_without_table,
    "alphabeta/replace-bucket": lambda: alphabeta.replacement("bucket"),
    "alphabeta/replace-depth": lambda: alphabeta.replacement("depth"),
    "playouts/connect-four": playouts.random_games,
    "arena/batch": arena.batches,
    "arena/overhead": arena.overhead,
    "arena/workers": arena.workers,
    "arena/store": arena.storing,
    "latrunculi/nodes": latrunculi.nodes,
    "latrunculi/depth-8-8x8": lambda: latrunculi.seconds_to(8, "8x8"),
    "latrunculi/depth-10-6x6": lambda: latrunculi.seconds_to(10, "6x6"),
    "latrunculi/branching": latrunculi.branching,
    "latrunculi/table-hits": latrunculi.table_hits,
    "latrunculi/replace": latrunculi.replacement,
    "latrunculi/playouts": latrunculi.playouts,
    "scotland-yard/random-random": lambda: scotland_yard.games("random", "random", 100_000),
    "scotland-yard/distance-greedy-bool-1": lambda: scotland_yard.games("distance", "greedy-bool-1", 30_000),
    "scotland-yard/safepath-greedy-bool-1": lambda: scotland_yard.games("safepath", "greedy-bool-1", 10_000),
    "scotland-yard/safepath-greedy-float-1": lambda: scotland_yard.games("safepath", "greedy-float-1", 10_000),
    "scotland-yard/planning": scotland_yard.planning,
    "spe_ed/random": spe_ed.random_games,
    "spe_ed/area": spe_ed.area,
    "spe_ed/voronoi": spe_ed.voronoi,
    "spe_ed/thor": spe_ed.thor,
    "spe_ed/tyr": spe_ed.tyr,
    **{f"quick-civ/{how}": functools.partial(quick_civ.builds, how) for how in ("sample", "list", "apply")},
    "quick-civ/mcts": quick_civ.iterations,
    **{f"networks/{name}": functools.partial(networks.in_tree, name) for name in ("connect-four", "latrunculi")},
    **{f"networks/alphabeta-{name}": functools.partial(networks.in_alphabeta, name) for name in networks.SEARCHED},
    "networks/self-play": networks.self_play,
    **{f"tuning/{method}": functools.partial(tuning.overhead, method) for method in tuning.METHODS},
    "wide/amazons": wide.searching,
    "wide/memory": wide.memory,
    "simultaneous/tron": lambda: mcts.simulations("simultaneous/tron", "light-cycles", board="a"),
    **{f"authors/{name}": functools.partial(authors.searching, name) for name in authors.NAMES},
    **{f"authors/{name}-cold": functools.partial(authors.cold, name) for name in authors.NAMES},
    "authors/tables": authors.in_tables,
    "start/import": start.importing,
    "start/warm": start.from_a_warm_cache,
    **({"start/shipped": start.shipped_kernels} if shipped.found()[0] else {}),
    "start/cold": start.cold_compilation,
    "start/cold-connect-four": lambda: start.first_move("start/cold-connect-four", "connect-four"),
    "start/cold-scotland-yard": lambda: start.first_move("start/cold-scotland-yard", "scotland-yard"),
    "strength/connect-four": strength.against_open_spiel,
    **{
        f"web/{name}-p{percent}": functools.partial(web.wait_under_load, name, percent)
        for name in names()
        for percent in (50, 99)
    },
    "spe_ed/host": lambda: host.waiting("host", 4),
    "spe_ed/host-missed": lambda: host.missed("host-missed", 4),
    "spe_ed/host-bots": lambda: host.waiting("host-bots", 1),
    "spe_ed/host-bots-missed": lambda: host.missed("host-bots-missed", 1),
    "web/latrunculi-500-p99": lambda: web.wait_under_load("latrunculi", 99, 500),
}
