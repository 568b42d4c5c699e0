"""A training that is killed at any moment, runs out of disk, finds its files damaged or meets another process."""

from __future__ import annotations

import io
import json
import os
import pathlib
import pickle
import random
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import spielbaum
from spielbaum.cli import main
from spielbaum.networks import files
from spielbaum.training import run as training
from tests.networks.test_training import some, started

torch = pytest.importorskip("torch", reason="training needs the extra networks")

ITERATIONS = 3
SHORT = {"BATCHES": 1, "STEPS": 2, "MEASURED": 2, "BASELINE": "random", "EARLIER": 2}
SCRIPT = f"""
import sys
from spielbaum.cli import main
from spielbaum.training import run as training
vars(training).update({SHORT})
sys.exit(main(sys.argv[1:]))
"""
PROCESS = [sys.executable, "-c", SCRIPT]
COMMAND = ["train", "tic-tac-toe", "--minutes", "100", "--size", "16-8", "--simulations", "8", "--seed", "1"]
COMMAND += ["--workers", "1"]


@pytest.fixture
def short(monkeypatch):
    """Iterations that take no time, the same whether measured or not."""
    for name, value in SHORT.items():
        monkeypatch.setattr(training, name, value)


@pytest.fixture
def kept(tmp_path, short) -> pathlib.Path:
    """A folder with a training of some iterations."""
    with started(tmp_path) as run:
        some(run, ITERATIONS)
    return tmp_path


def facts(run: training.Training) -> tuple[dict[str, bytes], list[tuple[float, int]], object]:
    """All by which two trainings of one plan could differ, but for how long they took."""
    weights = {name: part.tobytes() for name, part in run.learner.average.items()}
    return weights, [(row["policy_loss"], row["moves"]) for row in run.rows], run.learner.rng.bit_generator.state


def rows(folder: pathlib.Path) -> list[int]:
    text = (folder / "net.training" / "rows.jsonl").read_text("utf-8")
    return [json.loads(line)["iteration"] for line in text.splitlines()]


# --- killed ---------------------------------------------------------------------------------------


class Killed(BaseException):
    """As if the process were no more: nothing that looks after errors sees it."""


def dying(monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    """Die at one of the moments between two changes of files."""
    left = iter(range(at, -1, -1))

    def guarded(change):
        def do(*arguments, **named):
            if next(left) == 0:
                raise Killed
            return change(*arguments, **named)

        return do

    monkeypatch.setattr(os, "replace", guarded(os.replace))
    monkeypatch.setattr(pathlib.Path, "unlink", guarded(pathlib.Path.unlink))


def killed(folder: pathlib.Path, at: int) -> bool:
    """Train until the moment comes; whether it came."""
    with pytest.MonkeyPatch.context() as patched:
        dying(patched, at)
        try:
            with started(folder) as run:
                some(run, ITERATIONS)
        except Killed:
            return True
    return False


def test_whenever_a_training_is_killed_it_goes_on_as_if_it_never_was(kept, tmp_path_factory):
    with started(kept, resume=True) as run:
        whole = facts(run)
    for at in range(100):
        folder = tmp_path_factory.mktemp("killed")
        if not killed(folder, at):
            break
        with started(folder, resume=True) as again:
            if again.rows:
                assert rows(folder) == list(range(len(again.rows)))
                there = files.load(str(folder / "net.npz"), again.game)
                assert all((there[name] == part).all() for name, part in again.learner.average.items())
            assert facts(some(again, ITERATIONS)) == whole, at
        assert not list(folder.rglob(".*")) and sorted(os.listdir(folder)) == ["net.npz", "net.training"]
    assert 15 < at < 100


@pytest.mark.slow
def test_twenty_kills_at_random_moments_lose_no_iteration_that_was_kept(tmp_path):
    command = [*PROCESS, *COMMAND, "-o", str(tmp_path / "net.npz"), "--resume"]
    chance, net, before = random.Random(1), tmp_path / "net.npz", 0
    for _ in range(20):
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        path = tmp_path / "net.training" / "rows.jsonl"
        while process.poll() is None and (not path.exists() or len(rows(tmp_path)) <= before):
            time.sleep(0.02)
        time.sleep(chance.uniform(0, 0.3))
        process.kill()
        assert "Traceback" not in process.communicate()[1] and process.returncode == -signal.SIGKILL
        now = rows(tmp_path)
        assert now == list(range(len(now))) and len(now) > before
        assert files.load(str(net), spielbaum.load("tic-tac-toe"))
        before = len(now)
    with started(tmp_path, resume=True) as last:
        assert len(last.rows) >= before
        assert rows(tmp_path) == list(range(len(last.rows)))
    assert not list(tmp_path.rglob(".*"))


# --- a full disk ----------------------------------------------------------------------------------


@pytest.fixture
def disk(tmp_path):
    """A file system of its own that is soon full."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=160k", "none", folder], capture_output=True).returncode:
        pytest.skip("mounting a file system is for root alone")
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_a_disk_that_fills_up_stops_a_training_that_goes_on_with_room(disk, short, capsys):
    command = [*COMMAND, "-o", str(disk / "net.npz")]
    assert main(command) == 2
    (told,) = capsys.readouterr().err.splitlines()
    assert "can't be written: No space left on device; --resume goes on with the last iteration" in told
    before = rows(disk)
    assert main([*command, "--resume"]) == 2  # still no room
    assert rows(disk) == before
    subprocess.run(["mount", "-o", "remount,size=10m", disk], check=True)
    with started(disk, resume=True) as again:
        assert len(again.rows) in (len(before), len(before) + 1) and len(before) > 1
        some(again, len(again.rows) + 1)
    assert not list(disk.rglob(".*"))


# --- damaged files --------------------------------------------------------------------------------


def foreign(name: str) -> bytes:
    """A file of the right kind that is of something else."""
    content = io.BytesIO()
    if name == "state.pt":
        torch.save({"weights": torch.zeros(3)}, content)
    else:
        np.savez(content, samples=np.arange(5.0))
    return content.getvalue()


DAMAGES = {
    "empty": lambda content, name: b"",
    "truncated": lambda content, name: content[: len(content) // 2],
    "without its end": lambda content, name: content[:-1],
    "text": lambda content, name: b"nothing of the kind\n",
    "foreign": lambda content, name: foreign(name),
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", ["state.pt", "samples-1.npz", "earlier-2.npz"])
def test_a_damaged_file_is_told_in_one_line(kept, capsys, name, damage):
    path = kept / "net.training" / name
    path.write_bytes(DAMAGES[damage](path.read_bytes(), name))
    command = [*COMMAND, "-o", str(kept / "net.npz"), "--resume"]
    assert main(command) == 2
    (told,) = capsys.readouterr().err.splitlines()
    assert str(path) in told and "remove" in told


@pytest.mark.parametrize("name", ["samples-1.npz", "earlier-2.npz"])
def test_without_a_damaged_file_the_training_goes_on_as_is_told(kept, name):
    (kept / "net.training" / name).unlink()
    with started(kept, resume=True) as again:
        assert len(some(again, ITERATIONS + 2).rows) == ITERATIONS + 2


@pytest.mark.parametrize("name", ["plan.json", "rows.jsonl", "../net.npz"])
def test_what_only_others_read_is_written_anew(kept, name):
    path = kept / "net.training" / name
    before = path.read_bytes()
    path.write_bytes(b"")
    started(kept, resume=True).close()
    assert path.read_bytes() == before


def test_a_changed_byte_is_noticed_or_changes_nothing(kept):
    path = kept / "net.training" / "state.pt"
    content, chance = path.read_bytes(), random.Random(1)
    with started(kept, resume=True) as run:
        right = facts(run)
    noticed = 0
    for at in chance.sample(range(len(content)), 150):
        path.write_bytes(content[:at] + bytes([content[at] ^ 1 << chance.randrange(8)]) + content[at + 1 :])
        try:
            with started(kept, resume=True) as run:
                assert facts(run) == right, at
        except spielbaum.SpielbaumError as error:
            assert "state.pt can't be read" in str(error)
            noticed += 1
    assert noticed > 75


def test_changed_bytes_of_samples_are_noticed_or_change_nothing(kept):
    path = kept / "net.training" / "samples-1.npz"
    content, chance = path.read_bytes(), random.Random(2)
    with started(kept, resume=True) as run:
        right = [samples.tobytes() for samples in run.window]
    noticed = 0
    for at in chance.sample(range(len(content)), 100):
        path.write_bytes(content[:at] + bytes([content[at] ^ 1 << chance.randrange(8)]) + content[at + 1 :])
        try:
            with started(kept, resume=True) as run:
                assert [samples.tobytes() for samples in run.window] == right, at
        except spielbaum.SpielbaumError as error:
            assert str(path) in str(error) and "remove it, and --resume goes on without it" in str(error)
            noticed += 1
    assert noticed > 50


def test_files_of_other_names_are_left_alone(kept):
    strange = kept / "net.training" / "samples-1 (copy).npz"
    strange.write_text("no samples")
    with started(kept, resume=True) as again:
        assert len(some(again, ITERATIONS + 1).rows) == ITERATIONS + 1
    assert strange.exists()


def test_samples_of_another_game_are_refused(kept):
    path = kept / "net.training" / "samples-1.npz"
    samples = np.load(path)["samples"]
    for field, wrong in (("feature", 999), ("action", -1), ("active", 99), ("actions", 99)):
        changed = samples.copy()
        changed[field][0] = wrong
        np.savez(path, samples=changed)
        with pytest.raises(spielbaum.SpielbaumError, match="holds no samples of tic-tac-toe; remove it"):
            started(kept, resume=True)


class Malicious:
    """Says where to look for what it has done."""

    def __init__(self, path: pathlib.Path):
        self.path = path

    def __reduce__(self):
        return pathlib.Path.touch, (self.path,)


def packed(thing: object, kind: str) -> bytes:
    content = io.BytesIO()
    if kind == "pickle":
        pickle.dump(thing, content)
    elif kind == "npz":
        np.savez(content, samples=np.array([thing], object))
    else:
        torch.save(thing, content, _use_new_zipfile_serialization=kind == "zip")
    return content.getvalue()


@pytest.mark.parametrize(
    ("name", "kind"), [("state.pt", "zip"), ("state.pt", "old"), ("state.pt", "pickle"), ("samples-1.npz", "npz")]
)
def test_code_in_a_file_is_not_run(kept, name, kind):
    done, path = kept / "done", kept / "net.training" / name
    path.write_bytes(packed(Malicious(done), kind))
    with pytest.raises(spielbaum.SpielbaumError, match="remove"):
        started(kept, resume=True)
    assert not done.exists()


def test_code_among_the_weights_is_not_run(kept):
    done, path = kept / "done", kept / "net.training" / "state.pt"
    state = torch.load(path, weights_only=True)
    path.write_bytes(packed({**state, "rows": [Malicious(done)]}, "zip"))
    with pytest.raises(spielbaum.SpielbaumError, match=r"state\.pt can't be read"):
        started(kept, resume=True)
    assert not done.exists()


def test_a_folder_that_is_none_is_told_in_one_line(tmp_path, short, capsys):
    (tmp_path / "net.training").write_text("a file")
    assert main([*COMMAND, "-o", str(tmp_path / "net.npz"), "--resume"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


# --- two processes --------------------------------------------------------------------------------


def test_a_second_process_is_refused_and_the_first_goes_on(tmp_path, capsys, short):
    command = [*COMMAND, "-o", str(tmp_path / "net.npz")]
    process = subprocess.Popen([*PROCESS, *command], stderr=subprocess.DEVNULL)
    try:
        while not (tmp_path / "net.training" / "rows.jsonl").exists() and process.poll() is None:
            time.sleep(0.05)
        before = len(rows(tmp_path))
        for again in ([], ["--resume"]):
            assert main([*command, *again]) == 2
            (told,) = capsys.readouterr().err.splitlines()
            assert "another process trains in" in told
        while len(rows(tmp_path)) == before and process.poll() is None:
            time.sleep(0.05)
        assert process.poll() is None
    finally:
        process.kill()
        process.wait()
    with started(tmp_path, resume=True) as after:  # who is dead holds nothing
        assert len(after.rows) > before
