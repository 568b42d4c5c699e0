"""Refusals: a code for programs, what a page needs to tell it in its reader's language, and a status for HTTP.

A page has words for every code and every `why`, which is narrower where one code has several causes; `params`
fill the blanks of those words. The reason is one line of English for logs and for clients that have no words.
"""

from __future__ import annotations

from typing import Any

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
    "too-large": 413,
    "illegal-action": 422,
    "bad-setup": 422,
    "too-many": 429,
    "broken-game": 500,
}


class Refusal(Exception):
    """What a client asked for is not done, and why."""

    def __init__(self, code: str, reason: str, why: str | None = None, **params: Any):
        super().__init__(reason)
        self.code, self.reason, self.why, self.params = code, reason, why, params

    @property
    def status(self) -> int:
        """The status of an HTTP answer."""
        return STATUS[self.code]

    def as_dict(self) -> dict[str, Any]:
        """As it goes over the wire."""
        return {"code": self.code, "why": self.why, "params": self.params, "reason": self.reason}
