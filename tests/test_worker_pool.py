"""Worker processes: what becomes of jobs when workers die, and of workers when their parent does."""

import os
import pathlib
import signal
import subprocess
import sys

import pytest

from spielbaum.errors import SpielbaumError
from spielbaum.worker_pool import WorkerDied, WorkerPool, WorkerProcess, answer_jobs
from tests.patience import wait_for

posix = pytest.mark.skipif(os.name != "posix", reason="needs signals")


def doubled(job):
    if job == "die":
        os._exit(7)
    if job == "wrong":
        raise SpielbaumError("give a number")
    return 2 * job


def serve(pipe):
    answer_jobs(pipe, doubled)


def pool(count=2):
    return WorkerPool(count, lambda: WorkerProcess(serve))


def test_all_jobs_are_answered_and_workers_end_with_their_pool():
    waiting = iter(range(6))
    with pool() as workers:
        answers = {job: answer for _, job, answer in workers.run(lambda: next(waiting, None), jobs=6, ahead=2)}
        used = list(workers.workers)
        assert all(worker.running for worker in used)
    assert answers == {job: 2 * job for job in range(6)}
    assert len(used) == 2 and not any(worker.running for worker in used)


def test_a_worker_that_dies_is_told_with_its_jobs_and_replaced():
    waiting = [3, "die", 1]
    deaths, answers = [], {}
    with pool(1) as workers:
        for worker, job, answer in workers.run(lambda: waiting.pop() if waiting else None, jobs=3, ahead=2):
            if isinstance(answer, WorkerDied):
                deaths.append((answer.exit_code, list(worker.jobs)))
                waiting.append(5)
            else:
                answers[job] = answer
    assert deaths == [(7, ["die", 3])]
    assert answers == {1: 2, 5: 10}


def test_an_error_that_its_user_can_put_right_is_an_answer():
    waiting = ["wrong"]
    with pool(1) as workers:
        ((_, job, answer),) = workers.run(lambda: waiting.pop() if waiting else None, jobs=1)
    assert job == "wrong" and isinstance(answer, SpielbaumError) and str(answer) == "give a number"


def test_silence_has_a_limit():
    worker = WorkerProcess(serve)
    with pytest.raises(TimeoutError):
        worker.receive(0.0)
    worker.send("die")
    with pytest.raises(WorkerDied, match="exit code 7"):
        worker.receive()
    assert not worker.running


def is_running(pid: int) -> bool:
    """Whether a process exists and is no zombie that only waits to be forgotten."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@posix
@pytest.mark.skipif(not pathlib.Path("/proc/self/stat").exists(), reason="needs /proc")
def test_workers_of_warm_end_with_a_killed_parent(tmp_path):
    program = """
import multiprocessing, sys, time
from spielbaum.cli import warm

def busy(task):
    time.sleep(600)

if __name__ == "__main__":
    import threading
    threading.Thread(target=lambda: warm.compile_all([("sleepy", "mcts", str(number)) for number in range(2)])).start()
    while not multiprocessing.active_children():
        time.sleep(0.05)
    print(*(child.pid for child in multiprocessing.active_children()), flush=True)
    time.sleep(600)
else:
    warm.compile_kernel = busy
"""
    (tmp_path / "program.py").write_text(program)
    parent = subprocess.Popen([sys.executable, str(tmp_path / "program.py")], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    workers = [int(pid) for pid in parent.stdout.readline().split()]
    assert workers
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    wait_for(lambda: not any(map(is_running, workers)))
