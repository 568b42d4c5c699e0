"""Minimax, max^n and alpha-beta against a plain recursion over random mazes, and against known theory."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spielbaum
from spielbaum import Game, State
from spielbaum.search.alphabeta import AlphaBeta
from spielbaum.search.budget import Budget
from spielbaum.search.frames import SURE
from tests.conftest import SMALL

SEEDS = st.integers(0, 10_000)
DEPTHS = st.integers(1, 8)


def load_maze(seed: int, players: int = 2) -> Game:
    return spielbaum.load(SMALL / "maze.py", seed=seed, players=players)


def worth(state: State, ply: int) -> list[float]:
    """Each player's value where a search stops."""
    if state.over:
        return [r * SURE - ply if r > 0 else r * SURE + ply if r < 0 else 0.0 for r in state.returns]
    value = state.game.tables.value[state.record.layer, state.record.place]
    return value[: state.game.players].tolist()


def reference(state: State, depth: int, me: int, max_n: bool, ply: int = 0) -> list[float]:
    """Minimax as a textbook has it."""
    if state.over or depth == 0:
        return worth(state, ply)
    values = [reference(state.copy().play(a), depth - 1, me, max_n, ply + 1) for a in state.actions]
    if max_n:
        return max(values, key=lambda value: value[state.player])
    choose = max if state.player == me else min
    return choose(values, key=lambda value: value[me])


def root_value(spec: str, state: State) -> float:
    agent = spielbaum.agent(spec, state.game)
    agent.act(state)
    report = agent.report()
    assert report is not None
    return report.value


@given(SEEDS, DEPTHS)
@settings(max_examples=40, deadline=None)
def test_minimax_equals_the_textbook(seed, depth):
    state = load_maze(seed).new()
    assert root_value(f"minimax:depth={depth}", state) == reference(state, depth, state.player, False)[state.player]


@given(SEEDS, DEPTHS)
@settings(max_examples=40, deadline=None)
def test_max_n_equals_the_textbook(seed, depth):
    state = load_maze(seed, players=3).new()
    assert root_value(f"minimax:depth={depth}", state) == reference(state, depth, state.player, True)[state.player]


@given(SEEDS, DEPTHS)
@settings(max_examples=40, deadline=None)
def test_paranoid_equals_the_textbook(seed, depth):
    state = load_maze(seed, players=3).new()
    expected = reference(state, depth, state.player, False)[state.player]
    assert root_value(f"minimax:depth={depth},model=paranoid", state) == expected


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("table", ["0", "1", "1,replace=always", "1,replace=depth"])
@pytest.mark.parametrize("order", ["on", "off"])
@given(seed=SEEDS, depth=DEPTHS)
@settings(max_examples=15, deadline=None)
def test_alphabeta_equals_minimax_at_the_same_depth(seed, depth, players, table, order):
    state = load_maze(seed, players).new()
    plain = root_value(f"minimax:depth={depth},model=paranoid", state)
    assert root_value(f"alphabeta:depth={depth},table={table},order={order}", state) == plain


@given(SEEDS)
@settings(max_examples=25, deadline=None)
def test_the_principal_variation_leads_to_the_value(seed):
    state = load_maze(seed).new()
    me = state.player
    agent = spielbaum.agent("alphabeta:depth=5,table=0", state.game)
    agent.act(state)
    report = agent.report()
    for action in report.principal_variation:
        state.play(action)
    assert len(report.principal_variation) == 5
    assert report.value == worth(state, 5)[me]


@given(SEEDS)
@settings(max_examples=25, deadline=None)
def test_a_search_to_the_end_is_proven_and_a_shorter_one_is_not(seed):
    state = load_maze(seed).new()
    for depth, proven in ((4, False), (7, True), (9, True)):
        agent = spielbaum.agent(f"alphabeta:depth={depth}", state.game)
        agent.act(state)
        assert agent.report().proven is proven


def test_the_table_saves_work_and_changes_nothing():
    state = spielbaum.load("connect-four").new()
    reports = []
    for table in (0, 16):
        agent = spielbaum.agent(f"alphabeta:depth=11,table={table}", state.game, seed=1)
        agent.act(state)
        reports.append(agent.report())
    without, with_table = reports
    assert with_table.value == without.value
    assert with_table.nodes < 0.6 * without.nodes
    assert with_table.table_hits > 0
    assert without.table_hits is None


# Columns from 1 to 7, and a depth at which a table of one megabyte is too small.
CROWDED = {"4444": 13, "44455": 13, "35333571": 14, "4453225": 14}


def test_keeping_the_deepest_results_saves_work_in_a_small_table():
    game = spielbaum.load("connect-four")

    def nodes(replace: str) -> int:
        total = 0
        for columns, depth in CROWDED.items():
            agent = spielbaum.agent(f"alphabeta:depth={depth},table=1,replace={replace}", game, seed=1)
            agent.act(game.play_all([int(column) - 1 for column in columns]))
            total += agent.report().nodes
        return total

    always = nodes("always")
    assert nodes("bucket") < 0.8 * always
    assert nodes("depth") < 0.8 * always


def test_each_decision_is_a_generation_of_its_own():
    state = spielbaum.load("tic-tac-toe").new()
    agent = spielbaum.agent("alphabeta:depth=2,table=1", state.game)
    generations = []
    for _ in range(3):
        agent.act(state)
        generations.append(int(agent.search.workspace["generation"][0]))
    assert len(set(generations)) == 3


def test_very_many_action_codes_take_little_memory_and_change_nothing(tmp_path):
    text = (SMALL / "maze.py").read_text()
    for old, new in (
        ("ACTION_CODES = 3, WAYS, WAYS", "ACTION_CODES = 3, WAYS, 3 << 20"),
        ("out[way] = way", "out[way] = way << 20"),
        ("t.way[s.layer, s.place, action]", "t.way[s.layer, s.place, action >> 20]"),
    ):
        assert old in text
        text = text.replace(old, new)
    (tmp_path / "wide.py").write_text(text)
    state, plain = spielbaum.load(tmp_path / "wide.py", seed=1).new(), load_maze(1).new()
    agent = spielbaum.agent("alphabeta:depth=6,table=0", state.game)
    agent.act(state)
    assert agent.report().value == root_value("alphabeta:depth=6,table=0", plain)
    assert agent.search.frames.nbytes + agent.search.workspace.nbytes < 5_000_000


def test_ordering_saves_work_and_changes_nothing():
    state = spielbaum.load("connect-four").new()
    nodes, values = [], []
    for order in ("on", "off"):
        agent = spielbaum.agent(f"alphabeta:depth=8,table=0,order={order}", state.game, seed=1)
        agent.act(state)
        nodes.append(agent.report().nodes)
        values.append(agent.report().value)
    assert values[0] == values[1]
    assert nodes[0] < nodes[1]


def test_tic_tac_toe_is_a_proven_draw():
    state = spielbaum.load("tic-tac-toe").new()
    for spec in ("alphabeta:depth=9", "minimax:depth=9"):
        agent = spielbaum.agent(spec, state.game)
        agent.act(state)
        assert (agent.report().value, agent.report().proven) == (0.0, True)


# Columns from 1 to 7, and the score of the side to move: 22 less the discs that the winner will have,
# negative when it loses (from the benchmark positions of P. Pons, "Solving Connect 4").
SOLVED_POSITIONS = {
    "4455": 18,
    "44455554221": -15,
    "2252576253462244111563365343671351441": -1,
    "7422341735647741166133573473242566": 1,
    "23163416124767223154467471272416755633": 0,
}


@pytest.mark.parametrize(("columns", "score"), SOLVED_POSITIONS.items())
def test_alphabeta_solves_connect_four_positions_with_known_results(columns, score):
    state = spielbaum.load("connect-four").play_all([int(column) - 1 for column in columns])
    agent = spielbaum.agent("alphabeta:depth=42", state.game)
    agent.act(state)
    report = agent.report()
    assert report.proven
    assert solver_score(report.value, len(columns)) == score


def solver_score(value: float, discs: int) -> int:
    """The literature's score for a proven value: SURE less the moves until the win."""
    if value == 0:
        return 0
    total = discs + round(SURE - abs(value))  # discs on the board when somebody wins
    return (22 - (total + 1) // 2) * (1 if value > 0 else -1)


def test_a_node_limit_is_kept_and_the_answer_is_legal():
    state = spielbaum.load("connect-four").new()
    agent = spielbaum.agent("alphabeta:nodes=5000", state.game)
    assert agent.act(state) in state.actions
    assert agent.report().nodes <= 5001 + 7
    tiny = spielbaum.agent("alphabeta:nodes=1", state.game)
    assert tiny.act(state) in state.actions


def test_a_stop_from_outside_ends_the_search_with_an_answer():
    state = spielbaum.load("connect-four").new()
    agent = spielbaum.agent("alphabeta", state.game)
    search = agent.search
    assert isinstance(search, AlphaBeta)
    begin = time.monotonic()
    action = search.think(state, Budget(stop=lambda: time.monotonic() > begin + 0.2))
    assert action in state.actions
    assert search.report().nodes > 1000


@pytest.mark.parametrize("margin", [0.0, 0.5, 1.5])
def test_a_hopeful_choice_is_kept_unless_another_is_better_by_the_margin(margin):
    kept = 0
    for seed in range(60):
        state = load_maze(seed).new()

        def value(action: int, state: State = state) -> float:
            return reference(state.copy().play(action), 3, state.player, False, 1)[state.player]

        shallow = spielbaum.agent("alphabeta:depth=3", state.game, seed).act(state)
        agent = spielbaum.agent(f"alphabeta:depth=4,trap-depth=3,trap-margin={margin}", state.game, seed)
        choice = agent.act(state)
        if choice == shallow:
            assert max(map(value, state.actions)) <= value(shallow) + margin
            kept += value(shallow) < max(map(value, state.actions))
        else:
            assert value(choice) == max(map(value, state.actions)) > value(shallow) + margin
        assert agent.report().value == value(choice)
    assert (kept > 0) == (margin > 0)


def test_equal_moves_are_chosen_at_random():
    state = spielbaum.load("tic-tac-toe").new()
    first_moves = {spielbaum.agent("minimax:depth=9", state.game, seed=seed).act(state) for seed in range(12)}
    assert len(first_moves) > 3


def test_games_that_hide_or_roll_are_refused_with_a_reason():
    with pytest.raises(spielbaum.SpielbaumError, match=r"can't play pennies: it needs to see everything"):
        spielbaum.agent("alphabeta", spielbaum.load(SMALL / "pennies.py"))


# --- more moves than a frame holds --------------------------------------------------------------

MILLION = SMALL / "million.py"


@pytest.mark.parametrize("spec", ["minimax:depth=2", "alphabeta:depth=2", "alphabeta:depth=2,order=off"])
def test_moves_beyond_a_frame_are_searched_as_well(spec):
    game = spielbaum.load(MILLION)
    agent = spielbaum.agent(spec, game)
    assert agent.act(game.new()) == 1  # the first box loses to a single one of five thousand keys
    assert agent.report().value == pytest.approx(0.2 * SURE, rel=1e-4)
    at_the_box = game.play_all([0])
    assert agent.act(at_the_box) == 4567  # at the root, too
    assert len(agent.report().edges) == (5000 if spec.startswith("minimax") else len(agent.report().edges))


def test_captures_beyond_a_frame_are_searched_as_well():
    game = spielbaum.load(MILLION)
    agent = spielbaum.agent("alphabeta:depth=1,quiescence=1", game)
    assert agent.act(game.new()) == 1


def test_memory_does_not_depend_on_how_many_codes_there_are(tmp_path):
    few = tmp_path / "few.py"
    few.write_text(MILLION.read_text().replace("1_000_000, 1_000_000", "5000, 1_000_000"))
    fewer = tmp_path / "fewer.py"
    fewer.write_text(MILLION.read_text().replace("1_000_000, 1_000_000", "5000, 70_000"))
    memory = {}
    for path in (MILLION, few, fewer):
        game = spielbaum.load(path)
        search = spielbaum.agent("alphabeta:table=0", game).search
        search.prepare(game.new())
        memory[path] = search.memory()
    assert memory[few] == memory[fewer] < 16 << 20
    assert memory[MILLION] < 64 << 20
