"""`spielbaum play`: people and agents in any seats."""

from __future__ import annotations

from spielbaum.agents import opponent
from spielbaum.cli.play import seat_agents
from tests.cli.conftest import PENNIES


def seats(game, *agents):
    """Arguments that put an agent into each seat."""
    return [word for name, agent in zip(game.seats, agents, strict=True) for word in ("--seat", f"{name}={agent}")]


def test_two_people_can_play_a_game_to_its_end(run, connect_four, quick_win):
    answer = run("play", "connect-four", *seats(connect_four, "human", "human"), lines=tuple(quick_win))
    assert answer.code == 0 and answer.err == ""
    assert "+1" in answer.out and "-1" in answer.out and "7 moves" in answer.out


def test_an_illegal_move_is_asked_for_again(run, connect_four, quick_win):
    lines = ("nonsense", "?", *quick_win)
    answer = run("play", "connect-four", *seats(connect_four, "human", "human"), lines=lines)
    assert answer.code == 0
    assert "move 'nonsense' is not legal" in answer.out
    assert " ".join(connect_four.new().moves) in answer.out


def test_quit_leaves_the_game_without_a_complaint(run, connect_four):
    answer = run("play", "connect-four", lines=("quit",))
    assert answer.code == 0 and answer.err == "" and "the game was left" in answer.out


def test_input_that_ends_early_is_wrong_input(run, connect_four):
    answer = run("play", "connect-four")
    assert answer.code == 2 and answer.err == "the input ended before the game did\n"


def test_agents_are_shown_move_by_move(run, connect_four):
    answer = run("play", "connect-four", *seats(connect_four, "random", "random"), "--seed", "5")
    data = run("play", "connect-four", *seats(connect_four, "random", "random"), "--seed", "5", "--json").json
    assert answer.out.count(" plays ") == len(data["moves"])
    assert data["seats"] == dict.fromkeys(connect_four.seats, "random")
    assert connect_four.play_all(data["moves"], data["seed"]).returns == list(data["returns"].values())


def test_json_needs_agents_in_all_seats(run, connect_four):
    assert "--json needs an agent in every seat" in run("play", "connect-four", "--json").err


def test_the_first_seat_is_human_unless_somebody_else_is(connect_four):
    first, second = connect_four.seats
    other = opponent(connect_four)
    assert seat_agents(connect_four, []) == ["human", other]
    assert seat_agents(connect_four, [f"{second}=human"]) == [other, "human"]
    assert seat_agents(connect_four, [f"{first}=random", f"{second}=mcts:c=1"]) == ["random", "mcts:c=1"]


def test_a_seat_has_one_agent(run, connect_four):
    name = connect_four.seats[0]
    answer = run("play", "connect-four", "--seat", f"{name}=random", "--seat", f"{name}=mcts")
    assert answer.code == 2 and "given twice" in answer.err


def test_people_are_not_told_what_is_hidden_from_them(run):
    answer = run("play", PENNIES, "--seat", "1=random", "--seat", "2=human", "--seed", "1", lines=("0", "1"))
    assert answer.code == 0
    assert answer.out.count("has chosen") == 2 and "plays" not in answer.out
    assert "committed: 3" in answer.out  # a choice, but not which
    assert "committed: 1" not in answer.out and "committed: 2" not in answer.out


def test_agents_can_think_in_the_time_of_people(run, connect_four):
    agents = seats(connect_four, "mcts:iterations=100", "human")
    answer = run("play", "connect-four", *agents, "--ponder", "--seed", "1", lines=("a", "b", "quit"))
    assert answer.code == 0
    assert answer.out.count("(mcts:iterations=100,ponder=on) plays ") == 3


def test_pondering_needs_somebody_who_can(run, connect_four):
    answer = run("play", "connect-four", *seats(connect_four, "human", "random"), "--ponder")
    assert answer.code == 2
    assert answer.err.startswith("--ponder: nobody here can, human and random in connect-four; it takes an agent that")


TWO_ROUNDS = ("east", "west", "east", "west")  # in an arena of five columns both ride into the middle


def test_people_who_choose_at_once_are_asked_in_turn_and_told_when_the_round_is_over(run):
    answer = run(
        "play", "light-cycles", "--option", "width=5", "--seat", "blue=human", "--seat", "orange=human",
        lines=TWO_ROUNDS,
    )  # fmt: skip
    assert answer.code == 0
    first, second = answer.out.split("all have chosen: blue east, orange west")[:2]
    assert first.count("B · · · O") == 2 and "b B" not in first  # both are shown the same position
    assert "b B · O o" in second and "4 moves" in answer.out


def test_a_person_is_not_told_what_an_agent_has_chosen_before_the_round_is_over(run):
    answer = run(
        "play", "rock-paper-scissors", "--seat", "first=random", "--seat", "second=human", "--seed", "1",
        lines=("paper",),
    )  # fmt: skip
    before, _, after = answer.out.partition("all have chosen: first ")
    assert "first (random) has chosen" in before and "both hands are hidden" in before
    assert not any(f"first: {shape}" in before for shape in ("rock", "paper", "scissors"))
    assert "second paper" in after


def test_agents_who_choose_at_once_are_shown_round_by_round(run):
    answer = run("play", "rock-paper-scissors", "--seat", "first=random", "--seat", "second=random", "--seed", "1")
    assert answer.out.count("both hands are hidden") == 1 and answer.out.count(" plays ") == 2
