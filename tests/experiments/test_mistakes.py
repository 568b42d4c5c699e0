"""How often agents err in known positions of Connect Four."""

from __future__ import annotations

import pytest

import spielbaum
from spielbaum import SpielbaumError
from spielbaum.experiments.mistakes import errs, load_trial, measure
from spielbaum.games.connect_four.positions import SETS, Known, read

NAME = "connect-four/mistakes"


def test_a_move_that_changes_the_outcome_is_a_mistake():
    game = spielbaum.load("connect-four")
    moves = "adadbd"  # red threatens to win in column d
    known = Known("L1_R1", moves, 0, "d")
    assert not errs(game, "mcts:iterations=300", known, 1)
    assert errs(game, "mcts:iterations=300", known._replace(keeping="abc"), 1)


def test_search_errs_less_than_chance_and_all_sets_are_told(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('title = "mine"\nseed = 3\n[mistakes]\nchance = "random"\nsearch = "mcts:iterations=300"\n')
    shares = list(measure(load_trial(str(file), 12, False, {})))
    assert [share.set for share in shares] == 2 * list(SETS)
    assert {share.positions for share in shares} == {12}
    mistakes = {agent: sum(s.mistakes for s in shares if s.agent == agent) for agent in ("chance", "search")}
    assert mistakes["search"] < mistakes["chance"] / 2
    assert all(share.low <= share.mistakes / share.positions <= share.high for share in shares)
    assert shares == list(measure(load_trial(str(file), 12, False, {})))  # the same seeds, the same moves


def test_the_file_that_comes_along_sets_our_figures_beside_published_ones():
    trial = load_trial(NAME, None, True, {"seconds": 0.02})
    assert trial.agents["network"].startswith("network:seconds=0.02")
    assert len(trial.known) == 20 * len(SETS) < len(read())
    assert all(set(theirs) == set(SETS) for theirs in trial.published.values())
    with pytest.raises(SpielbaumError, match="unknown parameter 'second'"):
        load_trial(NAME, None, True, {"second": 1})
