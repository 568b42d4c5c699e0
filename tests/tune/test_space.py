"""What can be varied, what is refused, and what becomes of it in a specification."""

from __future__ import annotations

import pytest

import spielbaum
from spielbaum.agents import resolve
from spielbaum.agents.network import lacks_net
from spielbaum.tune.space import Gene, species

CONNECT_FOUR = spielbaum.load("connect-four")
QUICK_CIV = spielbaum.load("quick-civ")


def names(spec: str, vary: list[str] | None = None, game=CONNECT_FOUR) -> list[str]:
    return [gene.name for gene in species(game, spec, vary or []).genes]


def test_without_vary_all_numbers_that_declare_a_range_and_matter_are_varied():
    assert names("alphabeta:depth=2") == [
        *("quiescence", "contempt", "weight.threat", "weight.parity", "weight.centre"),
    ]


def test_what_the_specification_fixes_stays_unless_it_is_named():
    assert "c" not in names("mcts:c=0.1")
    assert names("mcts:c=0.1", ["c"]) == ["c"]


def test_weights_are_varied_only_where_a_search_looks_at_the_evaluation():
    assert not any(name.startswith("weight.") for name in names("mcts"))
    assert "weight.threat" in names("mcts:depth=4")


def test_a_weight_of_an_option_of_the_game_is_varied_only_with_that_option():
    assert "weight.science" not in names("vanilla", game=QUICK_CIV)
    assert "weight.science" not in names("vanilla", ["weight.*"], QUICK_CIV)
    assert "weight.science" in names("vanilla", game=spielbaum.load("quick-civ", science=True))
    with pytest.raises(spielbaum.SpielbaumError, match=r"where game\.science.*set it with --option science"):
        species(QUICK_CIV, "vanilla", ["weight.science"])


def test_a_range_of_the_command_line_replaces_the_declared_one():
    (gene,) = species(CONNECT_FOUR, "mcts", ["c=0.2..3"]).genes
    assert (gene.low, gene.high, gene.log) == (0.2, 3.0, True)


def test_a_pattern_stands_for_all_that_have_a_range():
    assert names("alphabeta:depth=2", ["weight.*"]) == ["weight.threat", "weight.parity", "weight.centre"]


def test_limits_are_the_range_of_what_declares_no_other():
    (gene,) = species(CONNECT_FOUR, "mcts:rave=10", ["gumbel-noise"]).genes
    assert (gene.low, gene.high, gene.log) == (0, 10, False)
    assert names("mcts", ["gumbel-n*"]) == ["gumbel-noise"]
    assert "gumbel-noise" not in names("mcts", ["*"]) and "c" in names("mcts", ["*"])


@pytest.mark.parametrize(
    ("spec", "vary", "words"),
    [
        ("mcts", "cc", "unknown parameter 'cc' for mcts in connect-four; did you mean 'c'?"),
        ("mcts", "c=3..1", "the range c=3..1 is empty; LOW must be below HIGH"),
        ("mcts", "c=3..3", "the range c=3..3 is empty"),
        ("mcts", "c=2", "c=2 is not a range; write --vary c=LOW..HIGH"),
        ("mcts", "c=0..2,log", "can't be logarithmic: LOW must be above 0"),
        ("mcts", "c=-1..2", "c=-1.0 is not possible: c is a number from 0"),
        ("mcts:iterations=100", "iterations", "has no range worth searching of its own; give one, such as --vary"),
        ("mcts:select=greedy", "c", "c matters only where select=ucb1|ucb1-tuned|puct"),
        ("mcts", "select=ucb1|ucb3", "unknown value of 'select': 'ucb3'"),
        ("mcts", "guess", "has no choices to vary; name them"),
        ("mcts", "coalition=0.1..1", "coalition=0.1 needs a rule 'credit_assignment'"),
    ],
)
def test_what_can_not_be_varied_is_refused_with_what_could_be(spec, vary, words):
    with pytest.raises(spielbaum.SpielbaumError) as error:
        species(CONNECT_FOUR, spec, [vary])
    assert words in str(error.value)


def test_the_proposed_range_is_one_that_is_taken():
    with pytest.raises(spielbaum.SpielbaumError) as error:
        species(CONNECT_FOUR, "mcts:iterations=100", ["iterations"])
    proposed = str(error.value).rpartition("--vary ")[2]
    assert names("mcts:iterations=100", [proposed]) == ["iterations"]


def test_an_agent_without_parameters_has_nothing_to_vary():
    with pytest.raises(spielbaum.SpielbaumError, match="nothing of random is left to vary"):
        species(CONNECT_FOUR, "random")


def test_a_conditional_gene_is_told_only_where_it_matters():
    tuned = species(CONNECT_FOUR, "mcts:iterations=10", ["select=ucb1|epsilon-greedy", "c", "epsilon"])
    ucb1 = {"select": "ucb1", "c": 0.5, "epsilon": 0.2}
    assert tuned.active(ucb1) == {"select": "ucb1", "c": 0.5}
    assert tuned.spec(ucb1) == "mcts:iterations=10,select=ucb1,c=0.5"
    assert tuned.spec({**ucb1, "select": "epsilon-greedy"}) == "mcts:iterations=10,select=epsilon-greedy,epsilon=0.2"


def test_the_words_of_a_set_are_switches_and_those_not_varied_stay():
    tuned = species(QUICK_CIV, "vanilla:filter=late-no-early", ["filter=near-last|only-greedy-nodes", "weight.near"])
    assert [gene.name for gene in tuned.genes[:2]] == ["filter:near-last", "filter:only-greedy-nodes"]
    values = {**tuned.start, "filter:near-last": True, "weight.near": 3}
    _, resolved = resolve(tuned.spec(values), QUICK_CIV)
    assert resolved["filter"] == "late-no-early+near-last"
    assert resolved["weight.near"] == 3
    assert "weight.near" not in tuned.active({**values, "filter:near-last": False})


@pytest.mark.parametrize(
    "gene",
    [
        Gene("x", 1.0, 0.2, 3.0),
        Gene("x", 1.0, 0.01, 100.0, log=True),
        Gene("x", 3, 1.0, 9.0, whole=True),
        Gene("x", "b", choices=("a", "b", "c")),
        Gene("x", False, choices=(False, True)),
    ],
)
def test_a_value_is_found_again_at_its_place(gene):
    for place in (0.0, 0.2, 0.5, 0.9, 1.0):
        value = gene.at(place)
        assert gene.at(gene.place(value)) == value
        if gene.numeric:
            assert gene.low <= value <= gene.high


def test_the_middle_of_a_logarithmic_range_is_the_geometric_mean():
    assert Gene("x", 1.0, 0.01, 100.0, log=True).at(0.5) == pytest.approx(1.0)


@pytest.mark.parametrize("name", ["connect-four", "latrunculi", "spe_ed", "quick-civ", "amazons", "pig", "pursuit"])
def test_every_declared_range_is_one_that_its_agents_take(name):
    """Whatever an agent declares, both ends of it make an agent: `species` tries them."""
    game = spielbaum.load(name)
    for kind in spielbaum.agents.agent_types(game):
        if not lacks_net(kind.name, game) and any(param.tune and param.type is not str for param in kind.params(game)):
            tuned = species(game, kind.name)
            assert resolve(tuned.spec(tuned.start), game)[0].name == kind.name
