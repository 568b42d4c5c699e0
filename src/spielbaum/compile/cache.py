"""Where compiled kernels live: a folder per game and digest, safe for several processes at once.

Files appear whole or not at all, one process compiles while others wait, and a cache that can't be
written, or no longer read, costs time but nothing else.
"""

from __future__ import annotations

import contextlib
import functools
import os
import pathlib
import shutil
import tempfile
import time
from collections.abc import Iterator

import platformdirs

from spielbaum.compile.notices import say
from spielbaum.locks import Lock

CACHE_VARIABLE = "SPIELBAUM_CACHE"
FIXED_TIME = 1_000_000_000  # Numba may compare time stamps; ours must not depend on who wrote first
UNUSED = 30 * 24 * 3600  # seconds after which nobody misses a folder


def cache_folder() -> pathlib.Path:
    """The folder of compiled kernels: $SPIELBAUM_CACHE, or the user's cache folder."""
    chosen = os.environ.get(CACHE_VARIABLE)
    return pathlib.Path(chosen) if chosen else pathlib.Path(platformdirs.user_cache_dir("spielbaum"))


@functools.cache
def home(folder: pathlib.Path) -> pathlib.Path:
    """The folder for one game's kernels, or a temporary one where that can't be written."""
    try:
        if not folder.exists():
            sweep(folder.parent)
        (folder / "__pycache__").mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder), tempfile.TemporaryFile(dir=folder / "__pycache__"):
            os.utime(folder)
            return folder
    except OSError as error:
        return temporary_home(folder, error)


def temporary_home(folder: pathlib.Path, error: OSError) -> pathlib.Path:
    """A folder for this process alone, filled from a warm cache that can only be read."""
    target = pathlib.Path(temporary_folder(error.strerror or str(error)).name) / folder.name
    if folder.is_dir():
        shutil.copytree(folder, target)
        for path in (target, *target.rglob("*")):
            path.chmod(path.stat().st_mode | 0o700)
    (target / "__pycache__").mkdir(parents=True, exist_ok=True)
    return target


@functools.cache
def temporary_folder(why: str) -> tempfile.TemporaryDirectory[str]:
    """Made and told of once; it goes when the process ends."""
    say(
        f"cache folder {cache_folder()} can't be written ({why}); kernels are kept in a temporary folder"
        f" for this run (set {CACHE_VARIABLE} to a writable folder)\n"
    )
    return tempfile.TemporaryDirectory(prefix="spielbaum-", ignore_cleanup_errors=True)


def sweep(cache: pathlib.Path) -> None:
    """Remove the kernels of games and engines that are no more: what was not used for a month."""
    for folder in cache.glob("*-" + "[0-9a-f]" * 16):
        if folder.stat().st_mtime < time.time() - UNUSED:
            shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def alone(template: pathlib.Path) -> Iterator[None]:
    """Other processes that want to compile the template for this game wait until this one has finished."""
    template.parent.mkdir(parents=True, exist_ok=True)  # somebody may have tidied up
    with contextlib.closing(Lock(template.with_suffix(".lock"))) as lock:
        lock.acquire(wait=True)
        yield


def place(source: bytes, target: pathlib.Path) -> None:
    """Put a template into the cache so that other processes see all of it or nothing."""
    if target.exists() and target.read_bytes() == source:
        return
    handle, temporary = tempfile.mkstemp(dir=target.parent, suffix=".tmp")
    with os.fdopen(handle, "wb") as file:
        file.write(source)
    os.utime(temporary, (FIXED_TIME, FIXED_TIME))
    os.replace(temporary, target)
