"""Locks between processes: a file that one of them holds, until it lets go or ends in whatever way."""

from __future__ import annotations

import contextlib
import pathlib
import sys


class Lock:
    """A lock that goes by a file, which stays. On a file system without locks everybody gets it."""

    def __init__(self, path: pathlib.Path):
        self.file = path.open("ab")

    def acquire(self, wait: bool) -> bool:
        """Take it, once the others have let go or only if nobody has it; whether it is ours."""
        if sys.platform == "win32":
            import msvcrt

            while True:
                with contextlib.suppress(OSError):  # it gives up after ten seconds
                    msvcrt.locking(self.file.fileno(), msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
                    return True
                if not wait:
                    return False
        else:
            import fcntl

            try:
                fcntl.flock(self.file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            except OSError:
                return True
            return True

    def close(self) -> None:
        self.file.close()
