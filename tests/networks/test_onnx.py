"""Any network through ONNX: it says what torch says, its leaves wait and arrive, and what does not fit is refused."""

from __future__ import annotations

import pathlib
import sys
import warnings

import numpy as np
import pytest

import spielbaum
from spielbaum.agents.network import NetPolicy
from spielbaum.arena.matches import match
from spielbaum.cli import main
from spielbaum.errors import SpielbaumError
from spielbaum.networks import files, onnx
from spielbaum.networks.net import random_weights

torch = pytest.importorskip("torch", reason="networks for ONNX are made by the extra networks")
pytest.importorskip("onnxruntime", reason="ONNX needs the extra networks")
nn = torch.nn

torch = pytest.importorskip("torch", reason="networks for ONNX are made by the extra networks")
pytest.importorskip("onnxruntime", reason="ONNX needs the extra networks")
nn = torch.nn

WON = "agbgcg"  # yellow has three in a row at the bottom, and d1 wins
NOT_HERE = None  # in place of a module, so that importing it fails


class Small(nn.Module):
    """A convolution, and a head for each output."""

    def __init__(self, planes: tuple[int, ...], codes: int, values: int = 1):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(planes[0], 8, 3, padding=1), nn.ReLU(), nn.Flatten())
        size = 8 * planes[1] * planes[2]
        self.policy, self.value = nn.Linear(size, codes), nn.Linear(size, values)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        layer = self.body(x)
        return 3.0 * self.policy(layer), torch.tanh(self.value(layer))


class Twin(nn.Module):
    """A compiled network of tic-tac-toe as one that sees planes."""

    def __init__(self, weights: dict[str, np.ndarray]):
        super().__init__()
        self.parts = {name: torch.tensor(part) for name, part in weights.items()}

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        w = self.parts
        layer = torch.clip(x.flatten(1) @ w["first"] + w["first_bias"], 0, 1)
        layer = torch.clip(layer @ w["second"] + w["second_bias"], 0, 1)
        return layer @ w["policy"].T + w["policy_bias"], torch.tanh(layer @ w["value"].T + w["value_bias"])


def export(net: nn.Module, path: pathlib.Path, shape: tuple[int, ...], *, free: bool = True, names=("policy", "value")):
    axes = {name: {0: "batch"} for name in ("planes", *names)} if free else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            net.eval(), (torch.zeros(2, *shape),), str(path),
            input_names=["planes"], output_names=list(names), dynamic_axes=axes, dynamo=False,
        )  # fmt: skip
    return path


@pytest.fixture(scope="module")
def game() -> spielbaum.Game:
    return spielbaum.load("connect-four")


@pytest.fixture(scope="module")
def net() -> Small:
    torch.manual_seed(3)
    return Small((2, 6, 7), 7)


@pytest.fixture(scope="module")
def file(net, tmp_path_factory) -> pathlib.Path:
    return export(net, tmp_path_factory.mktemp("onnx") / "small.onnx", (2, 6, 7))


def position(game: spielbaum.Game, moves: str) -> spielbaum.State:
    state = game.new(1)
    for move in moves:
        state.play("abcdefg".index(move))
    return state


def searched(game: spielbaum.Game, spec: str, moves: str = "", seed: int = 1) -> spielbaum.agents.agent.Agent:
    agent = spielbaum.agent(spec, game, seed=seed)
    agent.act(position(game, moves))
    return agent


def visits(agent) -> dict[int, float]:
    return {edge.action: edge.visits for edge in agent.report().edges}


# --- what it says -------------------------------------------------------------------------------


@pytest.mark.parametrize("moves", ["", "d", "ddcba", "aabbaaccb"])
def test_it_says_what_torch_says(game, net, file, moves):
    state = position(game, moves)
    planes = np.zeros((1, 2, 6, 7), np.float32)
    for column, row in np.ndindex(7, 6):
        for side in range(2):
            planes[0, side, row, column] = int(state.record.discs[state.player ^ side]) >> (7 * column + row) & 1
    logits, value = (part.detach().numpy() for part in net(torch.tensor(planes)))
    likely = np.exp(logits[0, state.actions]) / np.exp(logits[0, state.actions]).sum()
    actions, priors, told = NetPolicy(game, {"net": str(file)}, 1).ask(state)
    assert actions.tolist() == state.actions
    assert np.allclose(priors, likely, atol=1e-5) and told == pytest.approx(float(value[0, 0]), abs=1e-5)
    report = searched(game, f"network:net={file},iterations=1", moves).report()
    assert {edge.action: edge.prior for edge in report.edges} == pytest.approx(dict(zip(actions, priors, strict=True)))


def test_a_value_for_each_player_counts_from_the_mover_on(game, tmp_path):
    torch.manual_seed(5)
    both = Small((2, 6, 7), 7, values=2)
    with torch.no_grad():
        both.value.weight.zero_()
        both.value.bias[:] = torch.tensor([2.0, -2.0])  # whoever is to move thinks to win
    report = searched(game, f"network:iterations=7,net={export(both, tmp_path / 'both.onnx', (2, 6, 7))}").report()
    assert report.value == pytest.approx(-np.tanh(2.0), abs=1e-6)


# --- how it searches ----------------------------------------------------------------------------


def test_one_leaf_at_a_time_is_the_search_of_a_compiled_network(tmp_path):
    game = spielbaum.load("tic-tac-toe")
    weights = random_weights(game, "16-8", 4)
    rng = np.random.default_rng(4)
    weights |= {name: rng.normal(0, 1, weights[name].shape).astype(np.float32) for name in ("policy", "value")}
    files.save(tmp_path / "twin.npz", game, "16-8", weights)
    export(Twin(weights), tmp_path / "twin.onnx", (2, 3, 3))
    compiled, onnx = f"net={tmp_path / 'twin.npz'}", f"leaves=1,net={tmp_path / 'twin.onnx'}"
    for moves in ([], [4, 0, 8], [0, 3, 1, 4]):
        state = game.new(1)
        for move in moves:
            state.play(move)
        expected, found = (spielbaum.agent(f"network:iterations=200,{net}", game, seed=1) for net in (compiled, onnx))
        assert found.act(state) == expected.act(state)
        assert visits(found) == visits(expected)
        assert found.report().value == pytest.approx(expected.report().value, abs=1e-4)


@pytest.mark.parametrize("leaves", [1, 2, 5, 16, 64])
def test_no_virtual_loss_is_left(game, file, leaves):
    agent = searched(game, f"network:iterations=333,leaves={leaves},net={file}", "dd")
    tree = agent.search.trees[0].arrays
    used = tree.edges[: tree.used[0]]
    assert sum(visits(agent).values()) == 333 and used["visits"][0] == 333
    assert not used["onnx"]["waiting"].any()
    for edge in used[used["node"] >= 0][1:]:
        node = tree.nodes[edge["node"]]
        below = tree.edges[node["first"] : node["first"] + node["count"]]
        assert edge["visits"] == 1 + below["visits"].sum()
        assert abs(edge["total"]) <= edge["visits"]


def test_while_a_leaf_waits_others_are_searched(game, tmp_path):
    """A network that likes one column only: the others are searched because that one waits with a virtual loss."""
    torch.manual_seed(3)
    likes_d = Small((2, 6, 7), 7)
    with torch.no_grad():
        likes_d.policy.bias[3] += 0.8
    path = export(likes_d, tmp_path / "likes-d.onnx", (2, 6, 7))
    agent = spielbaum.agent(f"network:leaves=16,net={path}", game, seed=1)
    agent.search.prepare(game.new(1))
    tree = agent.search.trees[0]
    assert tree.run(3) == 3
    edges = tree.arrays.edges[tree.children(0)]
    assert edges["prior"].max() > 0.5 and sorted(edges["onnx"]["waiting"].tolist()) == [0, 0, 0, 0, 1, 1, 1]
    tree.finish()
    assert not tree.arrays.edges[tree.children(0)]["onnx"]["waiting"].any()


def test_the_same_seed_grows_the_same_tree_however_it_is_sliced(game, file):
    spec = f"network:iterations=500,leaves=16,net={file}"
    whole = searched(game, spec)
    sliced = spielbaum.agent(spec, game, seed=1)
    sliced.search.prepare(game.new(1))
    tree = sliced.search.trees[0]
    for iterations in (1, 2, 3, 94, 400):
        assert tree.run(iterations) == iterations
    tree.finish()
    for agent in (sliced, searched(game, spec)):
        again, first = agent.search.trees[0].arrays, whole.search.trees[0].arrays
        assert again.edges[: again.used[0]].tolist() == first.edges[: first.used[0]].tolist()


def test_a_game_that_is_over_has_its_result_and_is_proven(game, file):
    assert searched(game, f"network:iterations=300,net={file}", WON).report().action == 3
    report = searched(game, f"network:iterations=5000,solve=on,net={file}", WON).report()
    assert report.action == 3 and report.proven and report.nodes < 5000 and report.value == 1.0


def test_what_is_proven_while_leaves_wait_stays_exact(tmp_path):
    """Tic-tac-toe is searched to the end: a draw, whatever the network thinks."""
    game = spielbaum.load("tic-tac-toe")
    torch.manual_seed(1)
    path = export(Small((2, 3, 3), 9), tmp_path / "small.onnx", (2, 3, 3))
    agent = spielbaum.agent(f"network:iterations=100000,solve=on,leaves=8,net={path}", game, seed=1)
    agent.act(game.new(1))
    report = agent.report()
    assert report.proven and report.value == 0.0 and report.nodes < 100000
    tree = agent.search.trees[0].arrays
    used = tree.edges[: tree.used[0]]
    exact = used[used["solve"]["proven"] == 2]
    assert len(exact) > 100 and np.isin(exact["total"] / np.maximum(exact["visits"], 1), (-1.0, 0.0, 1.0)).all()


def test_trees_side_by_side_time_and_kept_trees(game, file):
    agent = spielbaum.agent(f"network:iterations=200,threads=2,net={file}", game, seed=1)
    state = game.new(1)
    for _ in range(4):
        state.play(agent.act(state))
    report = agent.report(tree_nodes=20)
    assert report.nodes == 200 and report.tree.children
    timed = searched(game, f"network:seconds=0.05,net={file}")
    assert timed.report().nodes > 0 and sum(visits(timed).values()) == timed.report().nodes


def test_it_beats_random_play(game, tmp_path):
    """Even a network that knows nothing: the search sees how games end."""
    modest = Small((2, 6, 7), 7)
    with torch.no_grad():
        for head in (modest.policy, modest.value):
            head.weight.zero_()
    spec = f"network:iterations=100,leaves=8,net={export(modest, tmp_path / 'modest.onnx', (2, 6, 7))}"
    assert match(game, [spec, "random"], 20, 7, opening=2, workers=1).results.agent_tally(0).score > 0.8


# --- what is refused ----------------------------------------------------------------------------


def refusal(game: spielbaum.Game, spec: str) -> str:
    with pytest.raises(SpielbaumError) as refused:
        spielbaum.agent(spec, game)
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_other_shapes_are_refused(game, net, tmp_path):
    def told(net: nn.Module, shape: tuple[int, ...], **more: object) -> str:
        return refusal(game, f"network:net={export(net, tmp_path / 'other.onnx', shape, **more)}")

    assert "sees tensor(float) of the shape 3 x 6 x 7; connect-four shows" in told(Small((3, 6, 7), 7), (3, 6, 7))
    assert "a policy of the shape 9; connect-four has 7 action codes" in told(Small((2, 6, 7), 9), (2, 6, 7))
    assert "a value of the shape 3; connect-four needs 1 or 2" in told(Small((2, 6, 7), 7, 3), (2, 6, 7))
    assert "batches of 2 only; export it with a dynamic first axis" in told(net, (2, 6, 7), free=False)
    assert "has no output 'policy', only logits, value" in told(net, (2, 6, 7), names=("logits", "value"))
    assert "has no output 'value'" in told(net, (2, 6, 7), names=("policy", "v"))


def test_files_that_are_no_network_are_refused(game, tmp_path):
    broken = tmp_path / "broken.onnx"
    assert f"{broken} can't be read: No such file or directory" in refusal(game, f"policy:net={broken}")
    broken.write_bytes(b"nothing of the kind")
    assert f"{broken} is no ONNX network" in refusal(game, f"network:net={broken}")


def test_games_and_parameters_that_do_not_fit_are_refused(game, file):
    assert "needs a rule 'planes', which latrunculi" in refusal(spielbaum.load("latrunculi"), f"network:net={file}")
    assert "value=onnx goes with playouts=0.0, not 0.5" in refusal(game, f"network:playouts=0.5,net={file}")
    assert "value=onnx needs select=puct, not ucb1" in refusal(game, f"mcts:value=onnx,net={file}")
    assert "value=onnx needs an ONNX file" in refusal(game, "network:value=onnx,net=mine.npz")


def test_without_onnxruntime_it_says_what_to_install(game, file, monkeypatch, capsys, tmp_path):
    onnx.read.cache_clear()
    monkeypatch.setitem(sys.modules, "onnxruntime", NOT_HERE)
    store = str(tmp_path / "store.db")
    agents = ("--agents", f"1*network:net={file}", "--agents", "1*random")
    assert main(("match", "connect-four", *agents, "-n", "1", "--store", store)) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "needs onnxruntime; pip install 'spielbaum[networks]'" in said


def test_a_network_that_says_no_number_is_refused(game, tmp_path):
    net = Small((2, 6, 7), 7)
    with torch.no_grad():
        net.value.bias[:] = float("nan")
    path = export(net, tmp_path / "nan.onnx", (2, 6, 7))
    with pytest.raises(SpielbaumError, match="says what is no number"):
        searched(game, f"network:iterations=10,net={path}")
