"""The form of a stored session, against which data from disk is checked before it is used."""

from __future__ import annotations

import json
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from spielbaum.scenes.drawing import Json
from spielbaum.web.messages import Options, SeatNumber

Ply = Annotated[int, Field(ge=0)]


class Part(BaseModel):
    """No text where a number is to be; what else there is does not matter here."""

    model_config = ConfigDict(strict=True)


class StoredSeat(Part):
    """Who sits in a seat."""

    kind: Literal["human", "agent"]
    person: str | None
    spec: str | None


class Ending(Part):
    """How a game ended, if not by its rules."""

    kind: str
    seat: SeatNumber | None
    returns: Annotated[list[float], Field(min_length=1)]


class Thought(Part):
    """What an agent has thought, or its value for the curve."""

    ply: Ply
    seat: SeatNumber


class StoredLiveGame(Part):
    """A live game."""

    name: str
    options: Options
    seats: list[StoredSeat]
    seed: int
    agent_seed: int = 0
    position: str | None
    mode: Literal["play", "analysis"]
    limit: float | None
    pace: float
    repeat: bool
    paused: bool
    view: SeatNumber | None
    ply: Ply
    ending: Ending | None
    curve: list[Thought]
    used: list[float]
    choices: list[Annotated[list[int], Field(min_length=2, max_length=2)]] = []
    actions: list[int]
    faults: list[str]


class StoredSession(Part):
    """A session."""

    live: StoredLiveGame
    tokens: dict[str, str | int]
    taken: list[SeatNumber]
    recorded: bool = False
    reports: list[Thought] = []


def require_sound(data: Json) -> None:
    """Raise `ValueError` where what was stored of a session is not what it should be."""
    json.dumps(data, ensure_ascii=False).encode()  # no half of a character
    StoredSession.model_validate(data)
