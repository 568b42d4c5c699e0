"""Files that are written whole or not at all: whoever reads meanwhile finds what was there before."""

from __future__ import annotations

import glob
import os
import pathlib
import tempfile

USUAL = 0o644  # who may read and write a new file


def write_whole(path: pathlib.Path, content: bytes) -> None:
    """Put a file in the place of another at once, a link's target if it is one; an OSError leaves it as it was."""
    path = path.resolve()
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}-", delete=False) as new:
        written = pathlib.Path(new.name)
        try:
            new.write(content)
            new.flush()
            os.fsync(new.fileno())  # or after a power cut there may be an empty file
            new.close()
            written.chmod(path.stat().st_mode if path.exists() else USUAL)
            os.replace(written, path)
        except OSError:
            written.unlink(missing_ok=True)
            raise


def sweep(path: pathlib.Path) -> None:
    """Remove what is left of a file where somebody was killed while writing it; for who alone writes it."""
    path = path.resolve()
    for left in path.parent.glob(f".{glob.escape(path.name)}-*"):
        left.unlink(missing_ok=True)
