"""Kernels that come with the package: machine code for a level of processors, so that nobody waits for a compiler.

    spielbaum/shipped/<level>/manifest.json                         what they were made with and for, SHA-256 of each
    spielbaum/shipped/<level>/<game>-<template>-<digest>.kernels    machine code as Numba keeps it, compressed

They are looked for after the cache and before a compilation. The digest names everything that machine code depends on,
as that of the cache does, with a level in place of the processor; so an edited rule never meets a kernel that was made
before. They are used where Numba, the version of Python, NumPy's major version and the operating system are those that
they were made with, and the processor can do all that the level asks for.

The files hold pickles. So they are read from the folder of the installed package and from nowhere else, after a look at
their SHA-256; nothing is ever written there. `spielbaum warm --target LEVEL --into DIR` makes them.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import pathlib
import pickle
import platform
import sys
import zlib
from collections.abc import Mapping
from typing import Any, NamedTuple

import llvmlite.binding
import numba
import numpy as np

from spielbaum.compile.digest import ENGINE, digest_on
from spielbaum.compile.notices import say
from spielbaum.numba_internals import Entries, kept_entries, packed

FOLDER = ENGINE / "shipped"
VARIABLE = "SPIELBAUM_SHIPPED"
MANIFEST, SUFFIX = "manifest.json", ".kernels"
LISTS = ("kernels", "searches")
FACTS = {
    "numba": "Numba",
    "python": "Python",
    "numpy": "NumPy",
    "system": "",
}
"""What must be the same here as where kernels were made, and its name."""


class Level(NamedTuple):
    """Processors that run the same machine code."""

    machines: tuple[str, ...]  # as `platform.machine` calls them
    cpu: str  # as LLVM calls the least of them
    features: tuple[str, ...]  # that LLVM finds in all of them
    tested: bool


X86_64_V2 = ("cx16", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3")
X86_64_V3 = (*X86_64_V2, "avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave")
LEVELS = {
    "x86-64-v3": Level(("x86_64", "AMD64"), "x86-64-v3", X86_64_V3, tested=True),
    "x86-64-v2": Level(("x86_64", "AMD64"), "x86-64-v2", X86_64_V2, tested=True),
    "arm64": Level(("aarch64", "arm64"), "generic", (), tested=False),
}
"""The levels, better ones first. Those that are not tested are built by the same code, on such a machine."""


class Shipped(NamedTuple):
    """The kernels of one level."""

    folder: pathlib.Path
    manifest: Mapping[str, Any]

    @property
    def level(self) -> str:
        return self.folder.name

    def objection(self) -> str | None:
        """Why they are of no use here, if they are not."""
        here = facts()
        for fact, title in FACTS.items():
            made = self.manifest.get(fact)
            if made != here[fact]:
                return f"made for {title} {made}, this is {title} {here[fact]}".replace("  ", " ")
        missing = missing_features(self.level)
        return f"made for {self.level} processors, this one lacks {', '.join(missing)}" if missing else None

    def name_of(self, name: str, content: str) -> str:
        """What the file with the kernels of a template is called."""
        return f"{name}-{digest_on(content, platform_of(self.level))}"

    def read(self, name: str) -> dict[str, Entries]:
        """The kernels in a file; nothing where there is none, or where it is not the one that was made."""
        wanted = self.manifest["kernels"].get(name)
        if wanted is None:
            return {}
        try:
            data = (self.folder / f"{name}{SUFFIX}").read_bytes()
            if hashlib.sha256(data).hexdigest() != wanted:
                raise ValueError("it has been changed since it was made")
            kernels = pickle.loads(zlib.decompress(data))
            return {str(kernel): [(types, bytes(code)) for types, code in kernels[kernel]] for kernel in kernels}
        except Exception as error:  # whatever is wrong with it, there is a compiler
            refuse(name, error)
            return {}


def facts() -> dict[str, str]:
    """What kernels depend on besides sources and processors."""
    return {
        "numba": numba.__version__,
        "python": f"{sys.version_info.major}.{sys.version_info.minor}",
        "numpy": np.__version__.partition(".")[0],
        "system": llvmlite.binding.get_process_triple(),
    }


@functools.cache
def platform_of(level: str) -> str:
    """What machine code of a level depends on besides sources."""
    settings = [vars(numba.config)[setting] for setting in ("DISABLE_JIT", "BOUNDSCHECK")]
    return repr((sorted(facts().items()), level, settings))


def missing_features(level: str) -> list[str]:
    """What the processor of this machine lacks of a level."""
    wanted = LEVELS[level]
    if platform.machine() not in wanted.machines:
        return [f"the architecture {wanted.machines[0]}"]
    here = llvmlite.binding.get_host_cpu_features()
    return [feature for feature in wanted.features if not here.get(feature)]


@functools.cache
def found() -> tuple[Shipped | None, str | None]:
    """The best kernels in the package that are of use here; if there are none, why not, if there are any.

    Whoever has told Numba to compile for a processor by its name wants that, and none of ours; `SPIELBAUM_SHIPPED=off`
    is for those who measure or test the compiler.
    """
    if os.environ.get(VARIABLE) == "off" or vars(numba.config).get("CPU_NAME") or vars(numba.config)["DISABLE_JIT"]:
        return None, None
    reasons = []
    for level in LEVELS:
        try:
            manifest = json.loads((FOLDER / level / MANIFEST).read_text("utf-8"))
            one = Shipped(FOLDER / level, {**manifest, **{part: dict(manifest[part]) for part in LISTS}})
            reason = one.objection()
        except FileNotFoundError:
            continue
        except (OSError, ValueError, TypeError, KeyError) as error:
            reason = f"its list can't be read: {error}"
        if reason is None:
            return one, None
        reasons.append(reason)
    return None, reasons[0] if reasons else None


@functools.cache
def explain_once() -> None:
    """Say why the kernels that came with the package are of no use, before the first compilation."""
    reason = found()[1]
    if reason is not None:
        say(f"the kernels that came with the package can't be used: {reason}\n")


def entries(name: str, content: str, kernel: str) -> Entries:
    """The machine code of a kernel; nothing where it was not shipped."""
    return kernels_in(name, content).get(kernel, [])


@functools.lru_cache(maxsize=4)  # those of a template are asked for one after the other
def kernels_in(name: str, content: str) -> dict[str, Entries]:
    """The machine code of all kernels of a template; nothing where they were not shipped."""
    shipped = found()[0]
    return {} if shipped is None else shipped.read(shipped.name_of(name, content))


_refused: set[str] = set()


def refuse(name: str, error: Exception) -> None:
    """Say once that kernels were there but can't be used."""
    if name not in _refused:
        _refused.add(name)
        say(f"the shipped kernels {name} can't be used: {error}; compiling them instead\n")


def has_search(content: str) -> bool:
    """Whether all kernels of a search were shipped."""
    shipped = found()[0]
    return shipped is not None and digest_on(content, platform_of(shipped.level)) in shipped.manifest["searches"]


# --- making them ----------------------------------------------------------------------------------


def pack(cache: pathlib.Path, used: Mapping[str, tuple[str, str]], searches: Mapping[str, str], target: Shipped) -> int:
    """Write the kernels in a cache, which were compiled for a level, with their list; how many bytes that are.

    `used` says for each folder of the cache what it is for, `searches` what each content of a search is called.
    """
    target.folder.mkdir(parents=True, exist_ok=True)
    kernels, size = {}, 0
    for folder, (name, content) in sorted(used.items()):
        if kept := kept_entries(cache / folder):
            data = zlib.compress(packed(kept), 9)
            file = target.name_of(name, content)
            (target.folder / f"{file}{SUFFIX}").write_bytes(data)
            kernels[file] = hashlib.sha256(data).hexdigest()
            size += len(data)
    listed = {digest_on(content, platform_of(target.level)): title for content, title in sorted(searches.items())}
    manifest = {**facts(), "kernels": kernels, "searches": listed}
    (target.folder / MANIFEST).write_text(json.dumps(manifest, indent=1), "utf-8")
    return size
