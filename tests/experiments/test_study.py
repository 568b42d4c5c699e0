"""Studies: how far from an equilibrium searches are."""

from __future__ import annotations

import pytest

from spielbaum.errors import SpielbaumError
from spielbaum.experiments.study import Point, load_study, measure
from spielbaum.search.equilibrium import equilibrium

NAME = "simultaneous/equilibrium"
SMALL = """
title = "Hands"
searches = 20
iterations = [10, 4000]
agents = { matching = "mcts:select=regret-matching,decide=mix", Exp3 = "mcts:select=exp3,decide=mix", one = "mcts" }

[[positions]]
name = "even"
game = "rock-paper-scissors"

[[positions]]
name = "biased"
game = "rock-paper-scissors"
options = { win = 2 }
"""


@pytest.fixture(scope="module")
def points(tmp_path_factory) -> dict[tuple[str, str, int], Point]:
    path = tmp_path_factory.mktemp("study") / "small.toml"
    path.write_text(SMALL)
    return {(point.position, point.agent, point.iterations): point for point in measure(load_study(str(path)))}


@pytest.mark.parametrize("position", ["even", "biased"])
@pytest.mark.parametrize("agent", ["matching", "Exp3"])
def test_average_strategies_come_closer_to_an_equilibrium(points, position, agent):
    few, many = points[position, agent, 10], points[position, agent, 4000]
    assert many.high < few.low and many.low <= many.exploitability <= many.high


def test_regret_matching_comes_close(points):
    assert points["even", "matching", 4000].exploitability < 0.05


def test_who_always_plays_one_move_stays_exploitable(points):
    assert points["even", "one", 4000].exploitability == 1


def test_the_positions_of_the_study_are_worth_what_is_known_of_them():
    study = load_study(NAME)
    solved = {position.name: equilibrium(position.state) for position in study.positions[:3]}
    assert [found.value for found in solved.values()] == pytest.approx([0, 0, 0], abs=1e-9)
    assert solved["Rock wins four times as much"].strategies[0] == pytest.approx([1 / 6, 2 / 3, 1 / 6])
    tron = equilibrium(study.positions[-1].state)
    assert [list(strategy) for strategy in tron.strategies] == [pytest.approx([0.5, 0.5])] * 2


def test_goofspiel_mixes_in_its_second_round():
    state = next(position.state for position in load_study(NAME).positions if "after" in position.name)
    found = equilibrium(state)
    assert 0 < found.value < 1 and max(found.strategies[0]) < 1


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (('one = "mcts"', 'one = "random"'), "only the strategies of mcts are studied"),
        (('one = "mcts"', 'one = "mcts:seconds=1"'), "leave iterations and seconds out"),
        (("iterations = [10, 4000]", ""), "needs 'iterations'"),
        (("win = 2", "win = 0"), "win=0 is not possible"),
    ],
)
def test_a_wrong_study_is_refused_in_one_line(tmp_path, change, complaint):
    (tmp_path / "small.toml").write_text(SMALL.replace(*change))
    with pytest.raises(SpielbaumError, match=complaint):
        load_study(str(tmp_path / "small.toml"))
