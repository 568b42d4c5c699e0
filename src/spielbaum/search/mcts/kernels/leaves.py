"""MCTS whose leaves wait for a network: `collect` goes down to leaves, `arrive` backs up what the network says.

Between the two a leaf counts on its path as a visit that was lost (see `value/onnx.py`). What needs no network, the
end of a game, is backed up at once. An iteration that meets a leaf which waits already would only ask the same again:
then the batch is handed over as it is.
"""

from spielbaum.compile.link import kernel
from spielbaum.kernels import hooks
from spielbaum.linked import components, rules
from spielbaum.rules import TERMINAL, inlined, rule
from spielbaum.search.mcts.kernels import backup, edges
from spielbaum.search.mcts.tree import DEEPEST, ROOT
from spielbaum.search.mcts.workspace import NOW, ROOT_STATE

PLAYERS = rules.PLAYERS
COUNT, BLOCKED = range(2)  # in `Leaves.used`


@kernel
def collect(t, tree, states, raw, works, settings, rng, leaves, iterations):
    """Iterate until the batch is full, or until a leaf is met that waits already; the number of iterations.

    The root's own evaluation is none: like every search, this one begins with the children of the root.
    """
    work, p, done = works[0], settings[0], 0
    leaves.used[BLOCKED] = 0
    components.on_slice_start(t, states, work, p)
    while done < iterations and leaves.used[COUNT] < len(leaves.states) and not components.is_closed(tree, ROOT):
        states[NOW] = states[ROOT_STATE]
        depth = components.tree_policy.descend(t, tree, states, raw, work, p, rng)
        if tree.edges[last_edge(work)].onnx.waiting > 0:
            leaves.used[BLOCKED] = 1
            return done
        if is_certain(t, states[NOW], work, p):
            components.on_leaf(t, states, tree, work, p)
            backup.backup(tree, depth, work, p)
            components.on_iteration_end(tree, work, p)
        else:
            wait(t, tree, states, work, leaves)
        done += depth > 0
    return done


@inlined
def last_edge(work):
    """The edge that leads to the leaf."""
    return work.path[work.length - 1] if work.length > 0 else ROOT


@inlined
def is_certain(t, s, work, p):
    """Whether the result of a leaf is known; then it is in work.values."""
    if rules.player(t, s) == TERMINAL:
        rules.returns(t, s, work.values)
        return True
    return work.length > 0 and hooks.decided(t, s, work.values)


@rule
def wait(t, tree, states, work, leaves):
    """Put the leaf into the batch, and a virtual loss on its path."""
    i = leaves.used[COUNT]
    leaves.used[COUNT] = i + 1
    leaves.states[i] = states[NOW]
    leaves.length[i] = work.length
    rules.planes(t, states[NOW], rules.player(t, states[NOW]), leaves.planes[i])
    tree.edges[ROOT].onnx.waiting += 1
    if work.length > 0:
        tree.edges[ROOT].visits += 1.0
    for path_index in range(work.length):
        leaves.path[i, path_index] = work.path[path_index]
        leaves.path_nodes[i, path_index] = work.path_nodes[path_index]
        e = tree.edges[work.path[path_index]]
        e.onnx.waiting += 1
        e.visits += 1.0
        tree.nodes[work.path_nodes[path_index]].visits += 1.0


@kernel
def arrive(t, tree, states, works, settings, rng, leaves):
    """Give all leaves of a batch what the network has said of them, and empty it."""
    work, p = works[0], settings[0]
    for i in range(leaves.used[COUNT]):
        states[NOW] = leaves.states[i]
        work.length = leaves.length[i]
        for path_index in range(work.length):
            work.path[path_index] = leaves.path[i, path_index]
            work.path_nodes[path_index] = leaves.path_nodes[i, path_index]
        mover = rules.player(t, states[NOW])
        read_values(leaves.values[i], mover, p.players, work.values)
        for action in range(len(work.onnx.logits)):
            work.onnx.logits[action] = leaves.logits[i, action]
        e = tree.edges[last_edge(work)]
        if e.node < 0:
            e.node = edges.expand(t, states[NOW], tree, work, e.visits, mover, p, rng)
        components.on_leaf(t, states, tree, work, p)
        back_up_waiting(tree, work, p)
        components.on_iteration_end(tree, work, p)
    leaves.used[COUNT] = 0


@inlined
def read_values(told, mover, players, out):
    """What a network tells of everybody from the mover on; of two players one value is enough."""
    for i in range(players):
        out[(mover + i) % players] = told[i] if i < len(told) else -told[0]


@rule
def back_up_waiting(tree, work, p):
    """The value of a leaf takes the place of its virtual losses; what was proven meanwhile stays as it is."""
    tree.used[DEEPEST] = max(tree.used[DEEPEST], work.length)
    tree.edges[ROOT].onnx.waiting -= 1
    for path_index in range(work.length):
        edge = work.path[path_index]
        e = tree.edges[edge]
        e.onnx.waiting -= 1
        if not components.is_closed(tree, edge):
            e.total += work.values[e.mover]
            components.on_backup(tree, path_index, edge, work.values[e.mover], 1.0, work, p)
