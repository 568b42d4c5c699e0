"""Nets that were evolved: what they see, how they answer, how they are bred, and that they die in dead ends."""

from __future__ import annotations

import json
import pathlib
import shutil
import signal
import subprocess
import sys

import numpy as np
import pytest

import spielbaum
from spielbaum.agents import make
from spielbaum.arena import Store, match, summarize
from spielbaum.cli import main
from spielbaum.games.spe_ed.kernels import area
from spielbaum.games.spe_ed.neat.evolve import Settings, Training, game_seeds, train
from spielbaum.games.spe_ed.neat.net import SHIPPED, load_net, net_of, read
from spielbaum.games.spe_ed.neat.senses import INPUTS, sense
from spielbaum.games.spe_ed.policies import survives
from tests.games.spe_ed.boards import drawn
from tests.patience import wait_for

needs_neat = pytest.mark.needs("neat")
TINY = Settings(population=8, games=4, seed=3, options={"players": 3, "width": 12, "height": 12})


def senses(game, state, player: int) -> dict[str, float]:
    out = np.zeros(len(INPUTS))
    sense(game.tables, state.record, player, out)
    return dict(zip(INPUTS, out.tolist(), strict=True))


# --- what a net sees, and its answer -----------------------------------------------------------------


def test_a_net_sees_how_far_lines_are_from_where_it_is_heading():
    game, state = drawn(
        """
        ···#·····
        ·········
        ·#·^···#·
        ·········
        ········<
        """,
        speeds=(3, 1),
        rounds=5,
    )
    seen = senses(game, state, 0)
    assert seen["ahead"] == 1 / 2 and seen["left"] == 1 / 2 and seen["right"] == 1 / 4
    assert seen["left-ahead"] == 1 / 3 and seen["right-back"] == 1 / 3  # beyond the border
    assert seen["speed"] == 0.3 and seen["jump"] == 1.0 and seen["opponent"] == 1 / 7
    turned = senses(game, state, 1)
    assert turned["left"] == 1.0 and turned["right"] == 1 / 5 and turned["ahead"] == 1 / 9
    assert turned["speed"] == 0.1


def test_compiled_and_interpreted_nets_see_and_answer_the_same():
    from spielbaum.games.spe_ed.neat.net import answer

    game = spielbaum.load("spe_ed", players=4, width=16, height=16)
    net, agent = load_net(""), make("neat", game)
    state = game.new(seed=4)
    for _ in range(40):
        if state.over:
            break
        values = net.room
        chosen = answer.py_func(game.tables, state.record, state.player, tuple(net), values)
        assert agent.act(state) == chosen
        state.play(chosen)


@needs_neat
def test_nets_answer_as_those_of_neat_python_do():
    import neat

    training = Training(TINY)
    for _ in range(4):
        training.breed()
    rng = np.random.default_rng(1)
    for genome in training.population.population.values():
        theirs = neat.nn.FeedForwardNetwork.create(genome, training.config)
        net = net_of(
            {key: node.bias for key, node in genome.nodes.items()},
            [(*key, link.weight) for key, link in genome.connections.items() if link.enabled],
        )
        for _ in range(5):
            inputs = rng.uniform(0, 1, len(INPUTS))
            outputs = np.arctanh(np.clip(theirs.activate(inputs.tolist()), -1 + 1e-15, 1 - 1e-15)) / 2.5
            assert by_hand(net, inputs) == pytest.approx(outputs, abs=1e-2) or np.abs(outputs).max() > 4


def by_hand(net, inputs: np.ndarray) -> list[float]:
    """The sums of the outputs."""
    values = list(inputs)
    for node in range(len(net.biases)):
        links = range(net.begins[node], net.begins[node + 1])
        total = net.biases[node] + sum(net.weights[link] * values[net.sources[link]] for link in links)
        values.append(np.tanh(2.5 * total) if node < len(net.biases) - 5 else total)
    return values[-5:]


def test_links_in_a_circle_are_refused():
    biases = dict.fromkeys([*range(5), 7, 8], 0.0)
    with pytest.raises(ValueError, match="circle"):
        net_of(biases, [(7, 8, 1.0), (8, 7, 1.0), (8, 0, 1.0)])


# --- breeding ----------------------------------------------------------------------------------------


@needs_neat
def test_the_same_seed_breeds_the_same_nets_whether_interrupted_or_not(tmp_path: pathlib.Path):
    train(tmp_path / "whole.json", 6, TINY)
    train(tmp_path / "parts.json", 2, TINY)
    for generations in (3, 6):
        train(tmp_path / "parts.json", generations, TINY, resume=True)
    assert (tmp_path / "whole.json").read_text() == (tmp_path / "parts.json").read_text()
    train(tmp_path / "other.json", 6, Settings(TINY.population, TINY.games, 4, TINY.options))
    assert read(tmp_path / "other.json")["population"] != read(tmp_path / "whole.json")["population"]


@needs_neat
def test_nets_get_better_and_the_agent_plays_the_best_one(tmp_path: pathlib.Path):
    file = tmp_path / "nets.json"
    settings = Settings(population=30, games=12, seed=1, options={"players": 3, "width": 16, "height": 16})
    first = train(file, 1, settings)
    new_games = game_seeds(99, 0, 200)
    before = first.sparring.marks(first.best, new_games)
    last = train(file, 25, settings, resume=True)
    after = last.sparring.marks(last.best, new_games)
    assert after.fitness > before.fitness + 0.1 and after.rounds > before.rounds and after.place < before.place
    agent = make(f"neat:net={file}", last.game)
    assert (agent.net.weights == load_net(str(file)).weights).all()
    assert len(agent.net.weights) != len(load_net("").weights) or (agent.net.weights != load_net("").weights).any()


@needs_neat
def test_a_training_is_not_overwritten_and_goes_on_as_it_began(tmp_path: pathlib.Path, capsys):
    file = str(tmp_path / "nets.json")
    small = ("--population", "6", "-n", "2", "--option", "players=2", "--option", "width=10", "--option", "height=10")
    assert main(("spe_ed", "train-neat", "-o", file, "--generations", "2", *small, "--json")) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["generation"] == 2 and data["players"] == 2 and 0 <= data["dead_ends"] <= 1
    for arguments, words in (
        ((), "exists already; --resume goes on with it"),
        (("--resume", "--population", "7"), "goes on as it began; leave out --population"),
    ):
        assert main(("spe_ed", "train-neat", "-o", file, "--generations", "3", *arguments)) == 2
        error = capsys.readouterr().err
        assert words in error and error.count("\n") == 1
    assert main(("spe_ed", "train-neat", "-o", file, "--generations", "3", "--resume")) == 0
    assert "3 generations" in capsys.readouterr().out and read(pathlib.Path(file))["generation"] == 3


@needs_neat
def test_ctrl_c_keeps_all_generations_that_are_over(tmp_path: pathlib.Path):
    file = tmp_path / "nets.json"
    command = [sys.executable, "-m", "spielbaum", "spe_ed", "train-neat", "-o", str(file), "--generations", "100000"]
    process = subprocess.Popen(
        [*command, "--population", "8", "-n", "4"], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    wait_for(lambda: file.exists() or process.poll() is not None)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 130
    (line,) = [line for line in error.splitlines() if "compiling" not in line]
    kept = read(file)["generation"]
    assert line.endswith(f"stopped; {kept} of 100000 generations are kept; --resume goes on")
    assert [path.name for path in tmp_path.iterdir()] == ["nets.json"]
    assert train(file, kept + 1, TINY, resume=True).generation == kept + 1


def test_without_neat_python_training_is_refused_and_play_goes_on(tmp_path: pathlib.Path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "neat", None)
    assert main(("spe_ed", "train-neat", "-o", str(tmp_path / "nets.json"))) == 2
    error = capsys.readouterr().err
    assert "training needs neat-python; pip install 'spielbaum[neat]'" in error and error.count("\n") == 1
    run = match("spe_ed", ["neat", "random"], 2, options={"players": 2, "width": 12, "height": 12})
    assert run.games == 2 and not run.results.forfeits


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("not JSON", "is no JSON"),
        ("[]", "holds no nets for spe_ed"),
        ('{"best": 1}', "holds no nets for spe_ed"),
        (json.dumps({"inputs": list(INPUTS), "best": {"nodes": [], "links": []}}), "its best net can't be played"),
        (json.dumps({"inputs": list(INPUTS), "best": None}), "its best net can't be played"),
        (None, "can't be read: No such file or directory"),
    ],
)
def test_a_file_without_nets_is_refused_in_one_line(tmp_path: pathlib.Path, content, words):
    file = tmp_path / "nets.json"
    if content is not None:
        file.write_text(content)
    with pytest.raises(spielbaum.SpielbaumError, match=words):
        make(f"neat:net={file}", spielbaum.load("spe_ed"))


@needs_neat
def test_a_damaged_training_is_refused_in_one_line(tmp_path: pathlib.Path):
    data = read(SHIPPED)
    del data["counters"]
    (tmp_path / "nets.json").write_text(json.dumps(data))
    with pytest.raises(spielbaum.SpielbaumError, match="can't be gone on with"):
        train(tmp_path / "nets.json", 1000, TINY, resume=True)


# --- the nets that come with the game -----------------------------------------------------------------


def test_the_shipped_net_keeps_clear_of_lines():
    run = match(
        "spe_ed", ["neat", "random"], 24, seed=1, counts=(1, 3), options={"players": 4, "width": 20, "height": 20}
    )
    data = summarize(run)["agents"]
    assert data["neat"]["place"]["interval"][1] < 2.5 < data["random"]["place"]["mean"]


@needs_neat
def test_the_shipped_population_can_be_bred_on(tmp_path: pathlib.Path):
    shutil.copy(SHIPPED, tmp_path / "nets.json")
    training = Training.load(tmp_path / "nets.json")
    assert len(training.population.population) == training.settings.population == len(read(SHIPPED)["population"])
    assert training.generation == 200


DEAD_END, ROUND = 14, 18  # a game of docs/spe_ed-experiments.md, and when it is decided


def test_it_rides_into_a_dead_end_that_odin_avoids(tmp_path: pathlib.Path):
    with Store(tmp_path / "games.db") as store:
        options = {"players": 2, "width": 16, "height": 16}
        run = match("spe_ed", ["neat", "siegfried"], 15, seed=1, rotate=False, options=options, store=store)
        batch = store.game(run.number, DEAD_END, run.game)
    actions, seed = batch.actions.tolist(), int(batch.seeds[0])
    at_the_fork = run.game.play_all(actions[: 2 * ROUND], seed)
    assert make("neat", run.game).act(at_the_fork) == actions[2 * ROUND]
    room = {}
    for spec in ("neat", "odin"):
        after = at_the_fork.copy()
        after.play_all([make(spec, run.game).act(at_the_fork), actions[2 * ROUND + 1]])
        room[spec] = int(run.game.kernels.link(area).around(run.game.context, after.array, 0))
    assert room == {"neat": 13, "odin": 158}
    end = run.game.play_all(actions, seed)
    assert ROUND < end.record.died[0] <= ROUND + 2 + room["neat"] and end.returns == [-1.0, 1.0]
    before_the_last = run.game.play_all(actions[:-2], seed).record
    assert not any(survives(run.game.tables, before_the_last, 0, answer) for answer in range(5))


def test_most_of_its_deaths_are_in_dead_ends():
    from spielbaum.games.spe_ed.neat.evolve import Sparring

    data = read(SHIPPED)
    marks = Sparring(spielbaum.load("spe_ed", **data["settings"]["options"])).marks(data["best"], game_seeds(5, 0, 300))
    assert marks.dead_ends > 0.5 and marks.place < 2.2
