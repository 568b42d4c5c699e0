"""Files that others may have written: nets, records, agents, experiments, keys.

A stranger chooses neither what kind of file is opened nor how much memory it takes: only regular files are read, only
up to a limit, and what is packed is unpacked piece by piece up to another. Whatever a file holds, its reader gets a
value or a SpielbaumError of one line.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import math
import os
import pathlib
import re
import stat
import tomllib
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO, Any

import numpy as np

from spielbaum.errors import SpielbaumError
from spielbaum.text import brief

MEGABYTE = 2**20
MOST_TEXT = MEGABYTE  # of a file that people write by hand
MOST_JSON = 8 * MEGABYTE  # of what is parsed at once: as Python's objects it takes up to 25 times as much
MOST_RECORDS = 1024 * MEGABYTE  # of a file of records, packed or not; they are read one by one
MOST_UNPACKED = 16 * MOST_RECORDS
MOST_ARRAYS = 256 * MEGABYTE  # of a net's weights
PIECE = MEGABYTE
DEEPEST = 100  # tables within tables

GZIP = b"\x1f\x8b"
HALF_A_SIGN = re.compile(r"\\u[dD][89abAB-Fc-f]")
DIGITS = "a number has too many digits"
DEPTH = "it is nested too deep"


# --- bytes and texts ------------------------------------------------------------------------------


@contextlib.contextmanager
def opened(path: pathlib.Path, most: int) -> Iterator[io.BufferedReader]:
    """A regular file of at most so many bytes, open to be read; what reading it raises is told in one line."""
    with naming_errors_of(path):
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with open(handle, "rb") as file:
            admit(path, os.fstat(handle), most)
            yield file


@contextlib.contextmanager
def naming_errors_of(path: pathlib.Path) -> Iterator[None]:
    """What the system says of a file that can't be read, in one line; a path may be none at all."""
    try:
        yield
    except OSError as error:
        raise SpielbaumError(f"{path} can't be read: {error.strerror or error}") from None
    except ValueError as error:
        raise SpielbaumError(f"{brief(path)} can't be read: {error}") from None


def admit(path: pathlib.Path, found: os.stat_result, most: int) -> None:
    """Refuse devices, pipes, folders, and files that are too large."""
    if stat.S_ISDIR(found.st_mode):
        raise SpielbaumError(f"{path} can't be read: Is a directory")
    if not stat.S_ISREG(found.st_mode):
        raise SpielbaumError(f"{path} can't be read: it is no regular file")
    if found.st_size > most:
        raise SpielbaumError(f"{path} can't be read: it has {found.st_size:,} bytes, more than {most:,}")


def version(path: pathlib.Path, most: int) -> int:
    """What changes with a file, which can be read; for caches."""
    with naming_errors_of(path):
        found = path.stat()
    admit(path, found, most)
    return found.st_mtime_ns


def read_bytes(path: pathlib.Path, most: int) -> bytes:
    """All of a file."""
    with opened(path, most) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise SpielbaumError(f"{path} can't be read: it has more than {most:,} bytes")
    return content


def read_text(path: pathlib.Path, most: int = MOST_TEXT) -> str:
    """A text, without the mark that some editors write before everything."""
    return decoded(read_bytes(path, most), f"{path} can't be read: it").replace("\r\n", "\n")


def decoded(content: bytes, what: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SpielbaumError(f"{what} is not UTF-8") from None


def lines(path: pathlib.Path) -> Iterator[tuple[int, str]]:
    """The lines of a text, packed by gzip or not, with their numbers."""
    total = 0
    with opened(path, MOST_RECORDS) as file, unpacked(path, file) as stream:
        for number, line in enumerate(iter(lambda: stream.readline(MOST_JSON + 1), b""), 1):
            total += len(line)
            if len(line) > MOST_JSON:
                raise SpielbaumError(f"{path}, line {number}, has more than {MOST_JSON:,} bytes")
            if total > MOST_UNPACKED:
                raise SpielbaumError(f"{path} can't be read: it holds more than {MOST_UNPACKED:,} bytes")
            yield number, decoded(line, f"{path}, line {number},")


@contextlib.contextmanager
def unpacked(path: pathlib.Path, file: io.BufferedReader) -> Iterator[IO[bytes]]:
    """What a file holds, which may be packed by gzip."""
    try:
        if file.peek(len(GZIP))[: len(GZIP)] != GZIP:
            yield file
            return
        with gzip.GzipFile(fileobj=file) as stream:
            yield stream  # type: ignore[misc]
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise SpielbaumError(f"{path} can't be read: {error or 'it ends too early'}") from None


# --- JSON and TOML --------------------------------------------------------------------------------


def read_json(path: pathlib.Path) -> Any:
    """What a file of JSON says."""
    return parse_json(read_text(path, MOST_JSON), str(path))


def parse_json(text: str | bytes, where: str) -> Any:
    """What JSON says; what is none is told by where it stands."""
    try:
        value = json.loads(text)
        if isinstance(text, str) and HALF_A_SIGN.search(text):
            json.dumps(value, ensure_ascii=False).encode()
    except RecursionError:
        raise SpielbaumError(f"{where} is no JSON: {DEPTH}") from None
    except UnicodeEncodeError:
        raise SpielbaumError(f"{where} is no JSON: a text holds half a sign, a surrogate without its other") from None
    except (TypeError, ValueError) as error:
        wrong = error if isinstance(error, json.JSONDecodeError) else DIGITS
        raise SpielbaumError(f"{where} is no JSON: {wrong}") from None
    return value


def read_toml(path: pathlib.Path) -> dict[str, Any]:
    """What a file of TOML says."""
    text = read_text(path)
    try:
        return parse_toml(text)
    except tomllib.TOMLDecodeError as error:
        raise SpielbaumError(f"{path.name} is not TOML: {error}") from None


def parse_toml(text: str) -> dict[str, Any]:
    """What TOML says; whatever keeps it from being read is a TOMLDecodeError."""
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise tomllib.TOMLDecodeError(DEPTH) from None
    except ValueError:
        raise tomllib.TOMLDecodeError(DIGITS) from None
    layer: list[Any] = [found]
    for _ in range(DEEPEST):
        inner = [each.values() if isinstance(each, dict) else each for each in layer if isinstance(each, dict | list)]
        if not inner:
            return found
        layer = [value for values in inner for value in values]
    raise tomllib.TOMLDecodeError(DEPTH)


# --- arrays ---------------------------------------------------------------------------------------


class Piecewise(io.BufferedReader):
    """A file of which nobody reads much at once, such as a directory that says it is long."""

    def read(self, size: int | None = -1, /) -> bytes:
        """Some bytes."""
        limit = PIECE + 1 if size is None or size < 0 else min(size, PIECE + 1)
        found = super().read(limit)
        if len(found) > PIECE:
            raise zipfile.BadZipFile("too long")
        return found


def read_arrays(path: pathlib.Path, what: str, most: int = MOST_ARRAYS) -> dict[str, np.ndarray]:
    """The arrays of an `.npz` file, which together take at most so many bytes; none of Python objects."""
    with opened(path, most) as file:
        try:
            with zipfile.ZipFile(Piecewise(file.raw)) as archive:
                if sum(part.file_size for part in archive.infolist()) > most:
                    raise SpielbaumError(f"{path} can't be read: its arrays take more than {most:,} bytes")
                return {part.filename.removesuffix(".npy"): read_array(archive, part) for part in archive.infolist()}
        except SpielbaumError:
            raise
        except Exception:  # of many kinds, none of which NumPy documents
            raise SpielbaumError(f"{path} is no {what}: its file is damaged, or of another kind") from None


def read_array(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> np.ndarray:
    """One array; its header must tell as many bytes as there are."""
    if part.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError("packed in another way")
    with archive.open(part) as file:
        form = np.lib.format.read_magic(file)
        read_header = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}[form]
        shape, by_columns, kind = read_header(file)
        size = math.prod(shape) * kind.itemsize
        if kind.hasobject or size != part.file_size - file.tell():
            raise ValueError("another size than it says")
        content = bytearray()  # so that kernels may be given the array, which they take for one that can be written
        for piece in iter(lambda: file.read(PIECE), b""):
            content += piece
    return np.frombuffer(content, kind).reshape(shape, order="F" if by_columns else "C")
