"""Calls of one line are written out where a template makes them, and only where that changes nothing."""

from __future__ import annotations

import ast
import types

import pytest

from spielbaum.compile.one_line import WriteOut, mark

RULES = types.SimpleNamespace(
    play=mark(lambda: None, "t, s, action, rng", "function(s, int64(action))", {"function": max, "int64": int}),
    both=mark(lambda: None, "a", "function(a, a)", {"function": max}),
    limit=mark(lambda: None, "tree, node", "tree.nodes[node].count"),
    on_leaf=mark(lambda: None, "tree, work", ""),
    plain=lambda: None,
)


def written_out(source: str) -> tuple[str, dict]:
    lines = WriteOut(lambda space, name: getattr(RULES, name, None) if space == "rules" else None)
    tree = lines.visit(ast.parse(source))
    return ast.unparse(ast.fix_missing_locations(tree)), lines.names


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("rules.play(t, s, a, rng)", "rules_play_function(s, rules_play_int64(a))"),
        ("rules.play(t, states[0], draw(rng), rng)", "rules_play_function(states[0], rules_play_int64(draw(rng)))"),
        ("x = rules.limit(tree, edge.node) + 1", "x = tree.nodes[edge.node].count + 1"),
        ("rules.both(rules.limit(tree, 2))", "rules_both_function(tree.nodes[2].count, tree.nodes[2].count)"),
        ("rules.on_leaf(tree, work)", "pass"),
        ("if rules.limit(tree, 0):\n    rules.on_leaf(tree, work)", "if tree.nodes[0].count:\n    pass"),
    ],
)
def test_a_call_is_written_out(source, expected):
    assert written_out(source)[0] == expected


@pytest.mark.parametrize(
    "source",
    [
        "rules.both(draw(rng))",  # would be drawn twice
        "rules.play(draw(rng), s, a, rng)",  # would not be drawn at all
        "rules.play(t, first(), second(), rng)",  # their order is that of the parameters
        "rules.on_leaf(tree, draw(rng))",
        "rules.play(t, s, action=a, rng=rng)",
        "rules.play(t, s)",
        "rules.play(*everything)",
        "rules.plain(t)",
        "others.play(t, s, a, rng)",
        "play = rules.play",
    ],
)
def test_what_would_mean_something_else_stays_a_call(source):
    assert written_out(source) == (source, {})


def test_the_names_of_an_expression_do_not_meet_those_of_the_template():
    text, names = written_out("function = rules.play(t, s, int64, rng)")
    assert text == "function = rules_play_function(s, rules_play_int64(int64))"
    assert names == {"rules_play_function": max, "rules_play_int64": int}
