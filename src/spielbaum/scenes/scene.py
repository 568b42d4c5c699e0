"""The scene format: how a game describes its board, and how one of its moves is made by hand.

A game returns plain dictionaries; these models are what they must look like. Everything is strict: an
unknown field or role is refused with the place where it stands, so that a slip shows up in the first
scene. The JSON schema of docs/scene.md is generated from here. The idea of one renderer that draws any game
from a declarative description is that of Ludii's `graphics` ludemes (Piette et al. 2020), with shapes
instead of named board styles.
"""

from __future__ import annotations

import base64
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, ValidationError, model_validator

from spielbaum.errors import GameError

Role = Literal[
    "none", "ink", "muted", "paper", "accent", "good", "bad", "warning",
    "board", "frame", "field", "field-alt", "grid", "hole",
    "player-1", "player-2", "player-3", "player-4", "player-5", "player-6", "player-7", "player-8", "neutral",
    "shell", "stone", "water", "land", "forest", "mountain", "sand", "road", "rail",
]  # fmt: skip
"""Colours by their meaning; the renderer knows what each is in light and in dark."""

ROLES: tuple[str, ...] = get_args(Role)

MOST_STEPS = 20  # of a gesture

Identifier = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{1,64}$")]
Step = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{1,64}(:\d{1,4},\d{1,4})?$")]
Number = Annotated[float, Field(ge=-1e6, le=1e6, allow_inf_nan=False)]
Positive = Annotated[float, Field(gt=0, le=1e6, allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, le=1)]
Point = tuple[Number, Number]


class Model(BaseModel):
    """Strict: no unknown fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Words(Model):
    """A text in both languages."""

    en: str
    de: str


def text_kind(given: Any) -> str:
    return "words" if isinstance(given, dict | Words) else "string"


Text = Annotated[Annotated[str, Tag("string")] | Annotated[Words, Tag("words")], Discriminator(text_kind)]
"""A plain string is the same in every language."""


class Drawn(Model):
    """What all shapes have in common.

    A shape with an `id` is the same thing from scene to scene: when it stands elsewhere the renderer moves
    it there, when it is missing it fades out. `at` is the origin of the shape's own coordinates. Screen readers say
    its `title` and where it stands: on the shape that `on` names, otherwise on what is titled below its middle.
    """

    id: Identifier | None = None
    at: Point = (0.0, 0.0)
    turn: Number = 0.0
    role: Role = "none"
    edge: Role = "none"
    width: Annotated[float, Field(ge=0, le=1e3)] = 0.0
    opacity: Share = 1.0
    heat: Share | None = None
    title: Text | None = None
    on: Step | None = None


class Rect(Drawn):
    """A rectangle with its upper left corner at `at`."""

    kind: Literal["rect"]
    size: tuple[Positive, Positive]
    round: Annotated[float, Field(ge=0, le=1e6)] = 0.0


class Circle(Drawn):
    """A circle around `at`."""

    kind: Literal["circle"]
    r: Positive


class Polygon(Drawn):
    """A closed polygon."""

    kind: Literal["polygon"]
    points: Annotated[list[Point], Field(min_length=3, max_length=1000)]


class Line(Drawn):
    """A line through some points; `edge` and `width` say how it is drawn, `arrow` puts a head to its end."""

    kind: Literal["line"]
    points: Annotated[list[Point], Field(min_length=2, max_length=1000)]
    arrow: bool = False
    dashed: bool = False


class Path(Drawn):
    """An SVG path."""

    kind: Literal["path"]
    d: Annotated[str, Field(pattern=r"^[MmLlHhVvCcSsQqTtAaZz0-9eE+\-., \n]+$", max_length=20_000)]


class TextShape(Drawn):
    """A text on the board; `size` is the height of its letters in board units."""

    kind: Literal["text"]
    text: Text
    size: Positive
    anchor: Literal["start", "middle", "end"] = "middle"
    weight: Literal["normal", "bold"] = "normal"


class Use(Drawn):
    """A symbol, centred on `at` and as large as `size`; `role` is the colour of its `currentColor` parts."""

    kind: Literal["use"]
    symbol: Identifier
    size: tuple[Positive, Positive] = (1.0, 1.0)


Shape = Annotated[Rect | Circle | Polygon | Line | Path | TextShape | Use, Field(discriminator="kind")]


class Symbol(Model):
    """A little drawing with a name, used for pieces; `box` is x, y, width and height of its coordinates."""

    box: tuple[Number, Number, Positive, Positive]
    shapes: Annotated[list[Shape], Field(max_length=100)]


class Layer(Model):
    """Shapes that lie on one level; later layers cover earlier ones.

    A layer of the scene with a `switch` can be turned off and on by who looks at it; it is the switch's label. A layer
    of the backdrop that is `over` covers pieces and marks as well: names and numbers that nothing should hide.
    """

    kind: Literal["shapes"] = "shapes"
    name: Identifier
    switch: Text | None = None
    over: bool = False
    shapes: Annotated[list[Shape], Field(max_length=5000)]


class Bitmap(Model):
    """A large grid: one byte per cell, row by row from the upper left, is an index into `roles`.

    `names` says in words what each role means here, an empty one what need not be told.
    """

    kind: Literal["bitmap"]
    name: Identifier
    at: Point = (0.0, 0.0)
    cell: Positive = 1.0
    columns: Annotated[int, Field(ge=1, le=512)]
    rows: Annotated[int, Field(ge=1, le=512)]
    roles: Annotated[list[Role], Field(min_length=1, max_length=256)]
    names: Annotated[list[Text], Field(max_length=256)] | None = None
    data: str
    grid: bool = False

    @model_validator(mode="after")
    def fits(self) -> Bitmap:
        """As many cells as the grid has, and roles for all of them."""
        cells = base64.b64decode(self.data, validate=True)
        if len(cells) != self.columns * self.rows:
            raise ValueError(f"data holds {len(cells)} cells where columns * rows is {self.columns * self.rows}")
        if max(cells) >= len(self.roles):
            raise ValueError(f"data names role {max(cells)} where there are {len(self.roles)} roles")
        if self.names is not None and len(self.names) != len(self.roles):
            raise ValueError(f"there are {len(self.names)} names for {len(self.roles)} roles")
        return self


def layer_kind(given: Any) -> Any:
    kind = given.get("kind", "shapes") if isinstance(given, dict) else getattr(given, "kind", "shapes")
    return kind if kind == "bitmap" else "shapes"


AnyLayer = Annotated[Annotated[Layer, Tag("shapes")] | Annotated[Bitmap, Tag("bitmap")], Discriminator(layer_kind)]


class Item(Model):
    """A line of a panel: a label with a number, a picture of it, or both."""

    label: Text
    value: Number | str | None = None
    most: Positive | None = None
    symbol: Identifier | None = None
    role: Role = "none"


class Panel(Model):
    """What stands beside the board. With a `seat` it belongs to that player and stands by their name.

    `show` says how its items are drawn: as numbers, as bars up to `most`, as that many pictures of `symbol` (captured
    pieces, tickets), as a list, or in a row, one beside the other.
    """

    id: Identifier
    title: Text | None = None
    seat: Annotated[int, Field(ge=0)] | None = None
    text: Text | None = None
    mono: bool = False
    items: Annotated[list[Item], Field(max_length=500)] = []
    show: Literal["numbers", "bars", "pictures", "list", "row"] = "numbers"


class Backdrop(Model):
    """What stays the same during a game: sent once."""

    box: tuple[Number, Number, Positive, Positive]
    layers: Annotated[list[AnyLayer], Field(max_length=50)] = []
    symbols: dict[Identifier, Symbol] = {}

    @model_validator(mode="after")
    def distinct(self) -> Backdrop:
        """No two shapes of the board with the same id."""
        refuse_twins(self.layers)
        return self


class Why(Model):
    """Why nothing can be done at some places; told when one of them is touched and no move begins there."""

    places: Annotated[list[Step], Field(min_length=1, max_length=5000)]
    text: Text


class Scene(Model):
    """A position as one seat sees it, to be drawn over the backdrop; `box` is its own where the board's size varies."""

    box: tuple[Number, Number, Positive, Positive] | None = None
    layers: Annotated[list[AnyLayer], Field(max_length=50)] = []
    panels: Annotated[list[Panel], Field(max_length=50)] = []
    status: Text | None = None
    why: Annotated[list[Why], Field(max_length=100)] = []

    @model_validator(mode="after")
    def distinct(self) -> Scene:
        """No two shapes of a scene with the same id."""
        refuse_twins(self.layers)
        return self


class Gesture(Model):
    """How a move is made: the shapes to touch one after the other (or to drag along), or a button.

    Several moves with the same steps end in a choice between their labels, each with its `symbol` before it and its
    `note` below it; the highest `rank` comes first.
    """

    action: int
    steps: Annotated[list[Step], Field(max_length=MOST_STEPS)] = []
    label: Text
    key: Annotated[str, Field(max_length=20)] | None = None
    group: Text | None = None
    note: Text | None = None
    symbol: Identifier | None = None
    rank: int | None = None


def refuse_twins(layers: list[Layer | Bitmap]) -> None:
    """Refuse two shapes with one id."""
    seen: set[str] = set()
    for layer in layers:
        for shape in layer.shapes if isinstance(layer, Layer) else []:
            if shape.id in seen:
                raise ValueError(f"two shapes have the id {shape.id!r}")
            if shape.id is not None:
                seen.add(shape.id)


def validated(model: type[Model], given: Any, where: str) -> dict[str, Any]:
    """What a game returned as plain JSON data without defaults; a slip is told in one line."""
    try:
        checked = given if isinstance(given, model) else model.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the whole"
        raise GameError(f"{where}: {place}: {first['msg']} (given: {str(first['input'])[:60]!r})") from None
    return checked.model_dump(mode="json", exclude_defaults=True, exclude_none=True) | kinds_kept(checked)


def kinds_kept(checked: Model) -> dict[str, Any]:
    """Fields that a reader always needs, defaults or not."""
    if isinstance(checked, Gesture):
        return {"steps": list(checked.steps)}
    return {}


def schema() -> dict[str, Any]:
    """The JSON schema of backdrop, scene and gesture."""

    class SceneFormat(Model):
        backdrop: Backdrop
        scene: Scene
        gesture: Gesture

    return SceneFormat.model_json_schema()
