"""What clients may say: one strict model per message and request body; docs/web-protocol.md explains them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter

SHORT, LONG = 200, 2000
MOST_MOVES = 20_000


def exact(seed: Any) -> Any:
    """A seed that is too large for JavaScript's numbers is written as a text."""
    return int(seed) if isinstance(seed, str) and seed.isascii() and seed.isdecimal() and len(seed) < 20 else seed


Name = Annotated[str, Field(max_length=SHORT)]
Spec = Annotated[str, Field(max_length=LONG)]
SeatNumber = Annotated[int, Field(ge=0, lt=64)]
Pace = Annotated[float, Field(ge=0, le=60)]
Seed = Annotated[int, Field(ge=0, lt=2**63), BeforeValidator(exact)]
Option = bool | int | float | Annotated[str, Field(max_length=LONG)] | None
Options = Annotated[dict[Name, Option], Field(max_length=200)]
Moves = (
    Annotated[list[int | Annotated[str, Field(max_length=SHORT)]], Field(max_length=MOST_MOVES)]
    | Annotated[str, Field(max_length=MOST_MOVES * 5)]
)


class Strict(BaseModel):
    """Nothing unknown, and no text where a number is asked for."""

    model_config = ConfigDict(extra="forbid", strict=True)


class SeatChoice(Strict):
    """Who sits in a seat."""

    kind: Literal["human", "agent"]
    name: Annotated[str, Field(max_length=40)] | None = None
    spec: Spec | None = None


SeatChoices = Annotated[list[SeatChoice], Field(max_length=64)]


class Source(Strict):
    """A session whose game is copied."""

    session: Name
    token: Name


class StoredGame(Strict):
    """A game of a stored run."""

    run: Annotated[int, Field(ge=0, lt=2**63)]
    game: Annotated[int, Field(ge=0, lt=2**63)]


class Record(BaseModel):
    """A game to be opened; what else a record holds (results, a date) does not matter here."""

    model_config = ConfigDict(strict=True)

    game: Name
    options: Options = {}
    seed: Seed = 0
    position: str | None = None
    moves: Moves | None = None
    actions: Moves | None = None


class NewSession(Strict):
    """The body of `POST /api/sessions`."""

    game: Name | None = None
    options: Options = {}
    mode: Literal["play", "analysis"] = "play"
    seats: SeatChoices | None = None
    seed: Seed | None = None
    position: str | None = None
    moves: Moves = []
    record: Record | None = None
    record_id: Name | None = None
    stored: StoredGame | None = None
    source: Annotated[Source | None, Field(alias="from")] = None
    clock: Annotated[float, Field(ge=1, le=86_400)] | None = None
    pace: Pace = 1.0
    repeat: bool = False


class Setup(Strict):
    """The body of `POST /api/games/{game}/setup`."""

    options: Options = {}


class Message(Strict):
    """A message on the socket; `id` comes back in its answer."""

    id: int | None = None


class Hello(Message):
    """Who connects."""

    type: Literal["hello"]
    token: Name


class Act(Message):
    """Make a move."""

    type: Literal["act"]
    rev: int
    action: int


class Hint(Message):
    """Ask an agent about one's own decision."""

    type: Literal["hint"]
    spec: Spec | None = None


class Resign(Message):
    """Give up."""

    type: Literal["resign"]
    seat: SeatNumber


class Restart(Message):
    """The same again."""

    type: Literal["restart"]
    seats: SeatChoices | None = None
    seed: Seed | None = None


class PaceOf(Message):
    """How agents move on."""

    type: Literal["pace"]
    pace: Pace | None = None
    paused: bool | None = None
    repeat: bool | None = None


class Tree(Message):
    """Part of the tree of the last search."""

    type: Literal["tree"]
    path: Annotated[list[int], Field(max_length=64)] = []
    depth: Annotated[int, Field(ge=1, le=4)] = 1
    top: Annotated[int, Field(ge=1, le=40)] = 8


class Goto(Message):
    """Show another position of the game."""

    type: Literal["goto"]
    ply: Annotated[int, Field(ge=0)]


class View(Message):
    """See it as a seat does."""

    type: Literal["view"]
    seat: SeatNumber | None


class Think(Message):
    """Let an agent think about the position shown."""

    type: Literal["think"]
    spec: Spec


class Continue(Message):
    """Play on from the position shown."""

    type: Literal["continue"]
    seats: SeatChoices | None = None


class Plain(Message):
    """The messages that say everything by their type."""

    type: Literal["ready", "undo", "leave", "line", "stop", "cancel", "ping"]


Request = Annotated[
    Hello | Act | Hint | Resign | Restart | PaceOf | Tree | Goto | View | Think | Continue | Plain,
    Field(discriminator="type"),
]
REQUEST: TypeAdapter[Any] = TypeAdapter(Request)
