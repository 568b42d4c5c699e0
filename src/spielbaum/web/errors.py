"""Refusals: a code for programs and translations, a line for people, and a status for HTTP."""

from __future__ import annotations

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
}


class Refusal(Exception):
    """What a client asked for is not done, and why."""

    def __init__(self, code: str, reason: str):
        super().__init__(reason)
        self.code, self.reason = code, reason

    @property
    def status(self) -> int:
        """The status of an HTTP answer."""
        return STATUS[self.code]

    def as_dict(self) -> dict[str, str]:
        """As it goes over the wire."""
        return {"code": self.code, "reason": self.reason}
