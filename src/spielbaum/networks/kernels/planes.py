"""What a network outside of the kernels sees of positions, see `spielbaum.networks.onnx`."""

from spielbaum.compile.link import kernel
from spielbaum.linked import rules


@kernel
def draw(t, states, planes):
    """The planes of who is to move in each of some positions that go on."""
    for i in range(len(states)):
        rules.planes(t, states[i], rules.player(t, states[i]), planes[i])
