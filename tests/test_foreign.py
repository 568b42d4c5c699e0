"""Files of others: whatever bytes they hold, readers return a value or refuse in one line, and memory stays bounded."""

from __future__ import annotations

import gzip
import io
import json
import os
import pathlib
import tempfile
import tracemalloc
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import spielbaum
from spielbaum import foreign
from spielbaum.agents import named
from spielbaum.arena import Store
from spielbaum.cli.inputs import read_position
from spielbaum.errors import SpielbaumError
from spielbaum.experiments.files import read as read_experiment
from spielbaum.games.quick_civ.entries import entries
from spielbaum.games.spe_ed.neat.net import SHIPPED, load_net
from spielbaum.networks import files
from spielbaum.networks.net import random_weights
from spielbaum.online.lobby import read_keys
from spielbaum.online.records import read as read_records
from spielbaum.training import curves
from tests.conftest import SMALL

GAME = spielbaum.load("connect-four")
RECORDS = pathlib.Path(__file__).parent / "online/recorded-games.jsonl.gz"
MEGABYTE = 2**20


def training(path: pathlib.Path) -> Any:
    (path.parent / curves.ROWS).write_bytes(path.read_bytes())
    return curves.read(path.parent)


def stored(path: pathlib.Path) -> Any:
    with Store(path, create=False) as store:
        return store.runs()


READERS: dict[str, tuple[str, Callable[[pathlib.Path], Any]]] = {
    "net": ("net.npz", lambda path: files.load(str(path), GAME)),
    "neat": ("net.json", lambda path: load_net(str(path))),
    "records": ("games.jsonl", lambda path: list(read_records(path))),
    "agents": ("agents.toml", lambda path: named.agents_in(GAME, (), path)),
    "experiment": ("mine.toml", lambda path: read_experiment(str(path))),
    "entries": ("buildings.toml", lambda path: entries(path, "building")),
    "keys": ("keys", read_keys),
    "position": ("position", lambda path: read_position(str(path))),
    "training": ("rows", training),
    "store": ("games.db", stored),
}


def outcome(reader: str, content: bytes) -> str | None:
    """Why a reader refuses a file; None where it does not."""
    name, read = READERS[reader]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / name
        path.write_bytes(content)
        try:
            read(path)
        except SpielbaumError as error:
            assert "\n" not in str(error), error
            return str(error)
    return None


# --- whatever bytes -------------------------------------------------------------------------------


def net() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        files.save(pathlib.Path(folder) / "net.npz", GAME, "4-4", random_weights(GAME, "4-4", seed=1))
        return (pathlib.Path(folder) / "net.npz").read_bytes()


def store() -> bytes:
    from spielbaum.arena import match

    with tempfile.TemporaryDirectory() as folder:
        with Store(pathlib.Path(folder) / "games.db") as opened:
            match(spielbaum.load(SMALL / "unruly.py"), ["random", "random"], 4, store=opened)
        return (pathlib.Path(folder) / "games.db").read_bytes()


SOUND = {
    "net": net,
    "neat": SHIPPED.read_bytes,
    "records": lambda: b"".join(gzip.decompress(RECORDS.read_bytes()).splitlines(keepends=True)[:1]),
    "agents": lambda: b'[agents.connect-four]\nmine = "mcts:c=0.8"\n"other" = "mine:c=1"\n',
    "experiment": lambda: b'title = "mine"\n[[rows]]\ngames = 3\n',
    "entries": lambda: b'[[building]]\nkey = "a"\nprice = 3\n',
    "keys": lambda: b"secret Ada\nother Grace # twice\n",
    "position": lambda: b"1. e4 e5",
    "training": lambda: b'{"seconds": 1.0, "games": 3}\n',
    "store": store,
}
NUMBERS = st.one_of(st.integers(), st.floats(), st.just(10**400), st.just(-0.0))
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, st.text(st.characters(), max_size=8)),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=8,
)
FEW = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("reader", READERS)
def test_a_sound_file_is_read(reader):
    assert outcome(reader, SOUND[reader]()) is None


@pytest.mark.parametrize("reader", READERS)
def test_whatever_bytes_a_file_holds_a_reader_returns_or_refuses(reader):
    sound = SOUND[reader]()

    @FEW
    @given(st.data())
    def holds(data):
        content = bytearray(sound)
        for _ in range(data.draw(st.integers(0, 4))):
            at = data.draw(st.integers(0, max(0, len(content) - 1)))
            content[at : at + data.draw(st.integers(0, 8))] = data.draw(st.binary(max_size=8))
        cut = data.draw(st.integers(0, len(content)))
        whole = data.draw(st.sampled_from([bytes(content), bytes(content[:cut]), data.draw(st.binary(max_size=64))]))
        outcome(reader, whole)

    holds()


@pytest.mark.parametrize("reader", ["neat", "records", "training"])
def test_whatever_json_says_a_reader_returns_or_refuses(reader):
    sound = json.loads(SOUND[reader]())

    @FEW
    @given(st.data())
    def holds(data):
        changed = json.loads(json.dumps(sound))
        for _ in range(data.draw(st.integers(1, 3))):
            place = changed
            while isinstance(place, dict | list) and place:
                key = data.draw(
                    st.sampled_from(list(place) if isinstance(place, dict) else list(range(len(place)))[:9])
                )
                if not isinstance(place[key], dict | list) or data.draw(st.integers(0, 3)) == 0:
                    place[key] = data.draw(VALUES)
                    break
                place = place[key]
        outcome(reader, json.dumps(changed).encode())

    holds()


@FEW
@given(st.dictionaries(st.sampled_from([*files.FACTS, "options", "start", "first", "value"]), VALUES))
def test_whatever_facts_a_net_tells_it_is_read_or_refused(facts):
    with np.load(io.BytesIO(net())) as file:
        parts = {name: file[name] for name in file.files}
    for name, value in facts.items():
        try:
            parts[name] = np.asarray(value)
        except (ValueError, OverflowError):
            continue
    content = io.BytesIO()
    np.savez(content, **parts)
    outcome("net", content.getvalue())


# --- what was met ---------------------------------------------------------------------------------


DEEP_JSON, DEEP_TOML = b"[" * 200_000, b"a = " + b"[" * 5000
MET = {
    "deep JSON as a net": ("neat", DEEP_JSON, "nested too deep"),
    "deep JSON as a record": ("records", DEEP_JSON, "nested too deep"),
    "deep TOML": ("agents", DEEP_TOML, "nested too deep"),
    "deep TOML of an experiment": ("experiment", DEEP_TOML, "nested too deep"),
    "keys within keys": ("agents", b"agents.connect-four.a" + b".a" * 3000 + b" = 1", "nested too deep"),
    "digits in TOML": ("agents", b"a = " + b"9" * 5000, "a number has too many digits"),
    "digits of an experiment": ("experiment", b"a = " + b"9" * 5000, "a number has too many digits"),
    "digits in JSON": ("records", b"9" * 5000, "a number has too many digits"),
    "digits in a training": ("training", b'{"seconds": ' + b"9" * 5000 + b"}", "a number has too many digits"),
    "half a sign": ("records", b'{"id": "\\ud800"}', "a text holds half a sign"),
    "a line without end": ("records", gzip.compress(b" " * 9 * MEGABYTE), "line 1, has more than 8,388,608 bytes"),
    "a long text": ("agents", b"#" * (MEGABYTE + 1), "it has 1,048,577 bytes, more than 1,048,576"),
}


@pytest.mark.parametrize("case", MET)
def test_what_is_too_long_too_deep_or_half_is_refused(case):
    reader, content, said = MET[case]
    assert said in (outcome(reader, content) or "")


@pytest.mark.parametrize("reader", [reader for reader in READERS if reader not in ("position", "training")])
@pytest.mark.parametrize("kind", ["pipe", "folder", "device"])
def test_only_regular_files_are_read(tmp_path, reader, kind):
    name, read = READERS[reader]
    path = tmp_path / name
    if kind == "device":
        path.symlink_to("/dev/zero")
    else:
        os.mkfifo(path) if kind == "pipe" else path.mkdir()
    with pytest.raises(SpielbaumError):
        read(path)


# --- memory ---------------------------------------------------------------------------------------


def header(shape: tuple[int, ...]) -> bytes:
    content = io.BytesIO()
    np.lib.format.write_array_header_1_0(content, {"descr": "<f4", "fortran_order": False, "shape": shape})
    return content.getvalue()


def archive(*parts: tuple[str, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as file:
        for name, part in parts:
            file.writestr(name, part)
    return content.getvalue()


def too_large() -> bytes:
    """300 MB of zeros, packed."""
    return archive(("first.npy", header((75 * MEGABYTE,)) + bytes(300 * MEGABYTE)))


BOMBS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "an array that says it is large": ("net", lambda: archive(("first.npy", header((10**9,))))),
    "an array that is large": ("net", too_large),
    "a folder of many": ("net", lambda: archive(*((f"{number}.npy", b"") for number in range(30_000)))),
    "a record that unpacks to much": ("records", lambda: gzip.compress(b"[" + b"1," * 100 * MEGABYTE, 1)),
}


@pytest.mark.parametrize("case", BOMBS)
def test_a_small_file_takes_little_memory(case):
    reader, make = BOMBS[case]
    content = make()
    assert len(content) < 4 * MEGABYTE
    tracemalloc.start()
    try:
        assert outcome(reader, content) is not None
        assert tracemalloc.get_traced_memory()[1] < 64 * MEGABYTE
    finally:
        tracemalloc.stop()


def test_arrays_are_read_as_numpy_reads_them(tmp_path):
    parts = {"c": np.arange(12.0).reshape(3, 4), "f": np.asfortranarray(np.arange(6).reshape(2, 3)), "t": np.array("x")}
    np.savez_compressed(tmp_path / "a.npz", **parts)
    found = foreign.read_arrays(tmp_path / "a.npz", "net")
    assert found.keys() == parts.keys()
    assert all(np.array_equal(found[name], parts[name]) and found[name].flags.writeable for name in parts)
