"""Refusals: a code for programs, what a page needs to tell it in its reader's language, and a status for HTTP.

A page has words for every code and every `why`, which is narrower where one code has several causes; `params`
fill the blanks of those words. The reason is one line of English for logs and for clients that have no words.
"""

from __future__ import annotations

import logging
import re
import secrets
from typing import Any

from spielbaum.errors import GameError

log = logging.getLogger(__name__)

STATUS = {
    "malformed": 400,
    "unknown-type": 400,
    "unauthorised": 401,
    "forbidden": 403,
    "unknown-game": 404,
    "unknown-session": 404,
    "unknown-record": 404,
    "stale": 409,
    "not-your-turn": 409,
    "not-now": 409,
    "cancelled": 409,
    "too-large": 413,
    "illegal-action": 422,
    "bad-setup": 422,
    "too-many": 429,
    "broken-game": 500,
    "internal": 500,
    "unreadable": 500,
    "busy": 503,
}
HEADERS = [
    (b"content-security-policy", b"default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline';"
     b" connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-cache"),
]  # fmt: skip
"""What every answer has, refusals included."""


FOLDERS = re.compile(r"(?<![\w.:/\\])(?:/(?:[^\s/'\":;,]+/)+|[A-Za-z]:\\(?:[^\s\\'\":;,]+\\)*)(?=[^\s/\\])")


def without_folders(text: str) -> str:
    """A text that names files, but not where they are on this machine.

    >>> without_folders("there is no game file '/home/ada/games/mine.py'")
    "there is no game file 'mine.py'"
    """
    return FOLDERS.sub("", text)


class Refusal(Exception):
    """A request is refused, for a reason."""

    def __init__(self, code: str, reason: str, why: str | None = None, **params: Any):
        self.code, self.reason, self.why, self.params = code, without_folders(reason), why, params
        super().__init__(self.reason)

    @property
    def status(self) -> int:
        """The status of an HTTP answer."""
        return STATUS[self.code]

    def as_dict(self) -> dict[str, Any]:
        """The refusal as JSON."""
        return {"code": self.code, "why": self.why, "params": self.params, "reason": self.reason}


def failure(error: Exception, **facts: Any) -> Refusal:
    """The refusal for an unexpected failure: it has a number, under which the log says more.

    Rules and drawings are other people's code. What is known to be their fault is told in their words.
    """
    if isinstance(error, Refusal):
        return error
    number = log_failure("a request failed", error, **facts)
    if isinstance(error, GameError):
        return Refusal("broken-game", str(error))
    reason = f"the server made a mistake, number {number} in its log; please try again"
    return Refusal("internal", reason, number=number)


def log_failure(what: str, error: BaseException, **facts: Any) -> str:
    """Log an exception with some facts; return the number under which the log has it."""
    number = secrets.token_hex(4)
    log.error(what, exc_info=error, extra={"facts": {"number": number, **facts}})
    return number
