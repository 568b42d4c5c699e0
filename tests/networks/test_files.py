"""Nets in files: what is read is what was written, and what does not fit is refused in one line that says why."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest

import spielbaum
from spielbaum.cli import main
from spielbaum.errors import SpielbaumError
from spielbaum.networks import files
from spielbaum.networks.net import random_weights

SIZE = "16-8"


@pytest.fixture
def game() -> spielbaum.Game:
    return spielbaum.load("connect-four")


@pytest.fixture
def net(tmp_path: pathlib.Path, game: spielbaum.Game) -> pathlib.Path:
    files.save(tmp_path / "net.npz", game, SIZE, random_weights(game, SIZE, seed=1))
    return tmp_path / "net.npz"


def change(path: pathlib.Path, **parts: object) -> None:
    """Write a net anew with some of its parts replaced; None leaves one out."""
    with np.load(path) as file:
        whole = {name: file[name] for name in file.files} | parts
    np.savez(path, **{name: np.asarray(part) for name, part in whole.items() if part is not None})


def refusal(path: pathlib.Path, capsys: pytest.CaptureFixture[str], agent: str = "network:iterations=2,net=") -> str:
    """What the command line says of a match with a net that does not fit."""
    store = str(path.parent / "store.db")
    agents = ("--agents", f"1*{agent}{path}", "--agents", "1*random")
    code = main(("match", "connect-four", *agents, "-n", "1", "--store", store))
    said = capsys.readouterr()
    assert code == 2 and said.err.count("\n") == 1, said.err
    return said.err


# --- what fits ----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", ["16-8", "8-8-4"])
def test_a_net_is_read_as_it_was_written(tmp_path, game, size):
    weights = random_weights(game, size, seed=2)
    files.save(tmp_path / "net.npz", game, size, weights)
    read = files.load(str(tmp_path / "net.npz"), game)
    assert read.keys() == weights.keys()
    for name, part in weights.items():
        assert read[name].dtype == np.float32 and np.array_equal(read[name], part)


def test_a_net_that_is_written_anew_is_read_anew(net, game):
    before = files.load(str(net), game)["first"]
    files.save(net, game, SIZE, random_weights(game, SIZE, seed=9))
    assert not np.array_equal(files.load(str(net), game)["first"], before)


def test_the_digest_of_features_knows_what_a_net_depends_on_and_nothing_else(game):
    digest = files.features_digest(game)
    assert digest == files.features_digest(spielbaum.load("connect-four"))
    assert digest != files.features_digest(spielbaum.load("tic-tac-toe"))
    small, large = (files.features_digest(spielbaum.load("light-cycles", width=width)) for width in (6, 16))
    assert small == large  # options change what is active, not what it means


# --- what does not ------------------------------------------------------------------------------


def test_a_net_for_another_game_is_refused(net, capsys):
    other = spielbaum.load("tic-tac-toe")
    files.save(net, other, SIZE, random_weights(other, SIZE, seed=1))
    assert f"{net} is a net for tic-tac-toe, not for connect-four" in refusal(net, capsys)


def test_a_net_for_other_features_is_refused(net, capsys):
    change(net, features="0123456789ab")
    said = refusal(net, capsys)
    assert f"{net} was trained on other features than connect-four has now; train it anew" in said


def test_a_net_of_another_version_is_refused(net, capsys):
    change(net, version=files.VERSION + 1)
    assert f"{net} is a net of version 2; this Spielbaum reads version 1" in refusal(net, capsys)


@pytest.mark.parametrize("part", ["version", "game", "features", "size", "first", "third_bias", "policy"])
def test_a_net_without_one_of_its_parts_is_refused(net, capsys, part):
    change(net, **{part: None})
    assert f"{net} is no net: it has no {part!r}" in refusal(net, capsys)


WRONG_PARTS = {
    "first layer of other features": ({"first": np.zeros((83, 16), "f4")}, "first is (83, 16), not (224, 16)"),
    "policy of other actions": ({"policy": np.zeros((9, 8), "f4")}, "policy is (9, 8), not (7, 8)"),
    "one value too many": ({"value_bias": np.zeros(2, "f4")}, "value_bias is (2,), not (1,)"),
    "another size than it says": ({"size": "16-9"}, "second is (16, 8), not (16, 9)"),
    "a size that is none": ({"size": "large"}, "size=large is not possible: two or three layers of 1 to 4096"),
    "sizes": ({"size": np.array(["16-8", "16-8"])}, "its 'size' is not one value"),
    "no number": ({"second_bias": np.full(8, np.nan, "f4")}, "second_bias holds numbers that are none"),
    "infinite": ({"value": np.full((1, 8), -np.inf, "f4")}, "value holds numbers that are none"),
    "too large for kernels": ({"first_bias": np.full(16, 1e300)}, "first_bias holds numbers that are none"),
    "another start without options": ({"start": "other", "options": None}, "is no JSON"),
    "another start with a list of options": ({"start": "other", "options": "[]"}, "its 'options' are none"),
    "another start with deep options": ({"start": "other", "options": "[" * 9000}, "nested too deep"),
    "texts": ({"first_bias": np.full(16, "a")}, "first_bias holds numbers that are none"),
}


@pytest.mark.parametrize("case", WRONG_PARTS)
def test_a_net_with_a_part_that_does_not_fit_is_refused(net, capsys, case):
    parts, said = WRONG_PARTS[case]
    change(net, **parts)
    assert said in refusal(net, capsys)


def cut_short(path: pathlib.Path) -> None:
    path.write_bytes(path.read_bytes()[:-200])


def changed_inside(path: pathlib.Path) -> None:
    whole = bytearray(path.read_bytes())
    middle = len(whole) // 2
    whole[middle : middle + 64] = bytes(64)
    path.write_bytes(whole)


def one_array(path: pathlib.Path) -> None:
    with path.open("wb") as file:
        np.save(file, np.zeros(3))


def objects(path: pathlib.Path) -> None:
    change(path, first=np.array([print], object))


DAMAGES = {
    "empty": lambda path: path.write_bytes(b""),
    "cut short": cut_short,
    "changed inside": changed_inside,
    "a text": lambda path: path.write_text("weights"),
    "one array": one_array,
    "python objects": objects,
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_file_that_is_no_net_is_refused(net, capsys, damage):
    DAMAGES[damage](net)
    assert f"{net} is no net: its file is damaged, or of another kind" in refusal(net, capsys)


def test_a_file_that_is_not_there_is_told(tmp_path, capsys):
    path = tmp_path / "nowhere.npz"
    assert f"{path} can't be read: No such file or directory" in refusal(path, capsys)


@pytest.mark.parametrize("agent", ["network", "policy"])
def test_a_name_that_is_neither_shipped_nor_a_file_is_told(tmp_path, capsys, agent):
    said = refusal(tmp_path / "nowhere-at-all", capsys, f"{agent}:net=")
    assert "unknown net" in said and "a net of yours goes by its file, NAME.npz" in said


def test_an_agent_without_a_net_says_what_to_give(tmp_path, capsys):
    for agent in ("network", "policy"):
        code = main(("match", "tic-tac-toe", "--agents", f"1*{agent},1*random", "--store", str(tmp_path / "store.db")))
        said = capsys.readouterr().err
        assert code == 2 and said.count("\n") == 1 and "net" in said, said


def test_a_game_without_features_has_no_such_agents(tmp_path, capsys):
    code = main(("match", "pig", "--agents", "1*policy:net=a.npz,1*random", "--store", str(tmp_path / "store.db")))
    said = capsys.readouterr().err
    assert code == 2 and said.count("\n") == 1 and "the game has neither a rule 'features' nor 'planes'" in said


def test_a_net_that_can_t_be_written_is_told(tmp_path, game):
    with pytest.raises(SpielbaumError, match="can't be written: No such file or directory"):
        files.save(tmp_path / "nowhere" / "net.npz", game, SIZE, random_weights(game, SIZE, seed=1))


# --- options ------------------------------------------------------------------------------------


def test_a_net_for_one_board_is_refused_on_another(tmp_path):
    large, small = spielbaum.load("latrunculi", board="12x8"), spielbaum.load("latrunculi", board="8x8")
    files.save(tmp_path / "net.npz", large, SIZE, random_weights(large, SIZE, seed=1))
    with pytest.raises(SpielbaumError, match="trained on another latrunculi: with board=12x8, not with board=8x8"):
        files.load(str(tmp_path / "net.npz"), small)
    assert files.load(str(tmp_path / "net.npz"), spielbaum.load("latrunculi", board="12x8", quiet=50, first="stones"))


def test_a_net_from_before_options_were_kept_is_read(net, game):
    change(net, options=None, start=None)
    assert files.load(str(net), game)
    assert files.load("selfplay", game)
