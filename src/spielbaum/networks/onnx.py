"""Any network: an ONNX file, evaluated by onnxruntime (extra `networks`).

It has one input of numbers, (batch, *PLANES), which the game's rule `planes` fills from the point of view of the player
to move, and two outputs:

    policy    (batch, ACTION_CODES)    preferences before the softmax, of which those of legal actions count
    value     (batch, 1)               what the mover gets, from -1 to 1; or for everybody, from the mover on
"""

from __future__ import annotations

import functools
import pathlib
from typing import Any

import numpy as np

from spielbaum.errors import SpielbaumError
from spielbaum.foreign import MOST_ARRAYS, version
from spielbaum.game import Game
from spielbaum.text import brief

SUFFIX = ".onnx"
FLOAT = "tensor(float)"
QUIET = 4  # onnxruntime's level of messages: what went wrong is told here


class OnnxNet:
    """A network that threads may share."""

    def __init__(self, path: pathlib.Path, session: Any, values: int):
        self.path, self.session, self.values = path, session, values
        self.input = session.get_inputs()[0].name

    def evaluate(self, leaves: Any) -> None:
        """Fill in what the network says of a batch of leaves (`spielbaum.search.mcts.batched_search_tree.Leaves`)."""
        n = int(leaves.used[0])
        leaves.logits[:n], leaves.values[:n] = self.ask(leaves.planes[:n])

    def ask(self, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """f4[n, action codes], f4[n, values]: preferences and values of f4[n, *PLANES]."""
        try:
            logits, values = self.session.run(["policy", "value"], {self.input: planes})
        except Exception as error:  # whatever onnxruntime makes of it
            raise SpielbaumError(f"{self.path} can't be evaluated: {first_line(error)}") from None
        if logits.shape[0] != len(planes) or not (np.isfinite(logits).all() and np.isfinite(values).all()):
            raise SpielbaumError(f"{self.path} says what is no number")
        return logits, values.reshape(len(planes), self.values)


def is_onnx(name: str) -> bool:
    """Whether a net is one that is evaluated outside of the kernels."""
    return name.endswith(SUFFIX)


def load(name: str, game: Game) -> OnnxNet:
    """The network in a file; one whose shapes are not those of the game is refused."""
    path = pathlib.Path(name)
    if not is_onnx(name):
        raise SpielbaumError(f"value=onnx needs an ONNX file, NAME{SUFFIX}, not {name}")
    if not game.has("planes"):
        raise SpielbaumError(f"the net {path} needs a rule 'planes', which {game.name} does not have")
    return read(path, version(path, MOST_ARRAYS), game)


@functools.lru_cache(maxsize=8)
def read(path: pathlib.Path, _changed: int, game: Game) -> OnnxNet:
    runtime = onnxruntime(path)
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # a tree has one thread for its network
    options.log_severity_level = QUIET
    try:
        session = runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # of many kinds, none of which onnxruntime documents
        raise SpielbaumError(f"{path} is no ONNX network: {first_line(error)}") from None
    check_input(path, session, game)
    return OnnxNet(path, session, check_outputs(path, session, game))


def onnxruntime(path: pathlib.Path) -> Any:
    try:
        import onnxruntime
    except ImportError:
        raise SpielbaumError(f"{path} needs onnxruntime; pip install 'spielbaum[networks]'") from None
    return onnxruntime


def check_input(path: pathlib.Path, session: Any, game: Game) -> None:
    inputs, planes = session.get_inputs(), list(game.module.PLANES)
    if len(inputs) != 1:
        raise SpielbaumError(f"{path} has {len(inputs)} inputs, not one of the shape {shown(planes)}")
    shape = list(inputs[0].shape)
    if inputs[0].type != FLOAT or shape[1:] != planes:
        raise SpielbaumError(
            f"{path} sees {inputs[0].type} of the shape {shown(shape[1:])}; {game.name} shows {FLOAT} {shown(planes)}"
        )
    if isinstance(shape[0], int):
        raise SpielbaumError(f"{path} takes batches of {shape[0]} only; export it with a dynamic first axis")


def check_outputs(path: pathlib.Path, session: Any, game: Game) -> int:
    """How many values the network tells."""
    codes, players = game.module.ACTION_CODES, game.module.PLAYERS
    outputs = {output.name: output for output in session.get_outputs()}
    for name in ("policy", "value"):
        if name not in outputs:
            raise SpielbaumError(f"{path} has no output {name!r}, only {brief(', '.join(outputs))}")
        if outputs[name].type != FLOAT:
            raise SpielbaumError(f"{path} tells its {name} as {outputs[name].type}, not as {FLOAT}")
    policy, value = (list(outputs[name].shape[1:]) for name in ("policy", "value"))
    if policy != [codes]:
        raise SpielbaumError(f"{path} has a policy of the shape {shown(policy)}; {game.name} has {codes} action codes")
    told = value[0] if len(value) == 1 else 1 if value == [] else 0
    fitting = (1, 2) if players == 2 else (players,)
    if told not in fitting:
        wanted = "1 or 2" if players == 2 else str(players)
        raise SpielbaumError(f"{path} has a value of the shape {shown(value)}; {game.name} needs {wanted}")
    return int(told)


def shown(shape: list[Any]) -> str:
    return " x ".join(map(str, shape)) or "()"


def first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]
