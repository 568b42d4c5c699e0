"""`spielbaum play`: one game in the terminal, people and agents in any seats.

People see what their seat may see. Where the game hides something they are told that another seat
has chosen, but not what: what they may know of it stands in the next position that they are shown.
Where several choose at once they are asked one after the other and told all choices when the round is over.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from spielbaum.cli.inputs import GameName, Json, Options, load_game
from spielbaum.cli.output import print_json, print_table
from spielbaum.errors import SpielbaumError

if TYPE_CHECKING:
    from spielbaum.arena.single import GameRecord
    from spielbaum.game import Game, State

SEEDS = 1_000_000


def command(
    game: GameName,
    option: Options,
    seat: Annotated[
        list[str],
        typer.Option(
            "--seat",
            metavar="SEAT=AGENT",
            help="Who sits where; 'human' is you. Repeatable.",
            default_factory=list,
            show_default=False,
        ),
    ],
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, help="Decides everything that chance decides.", show_default="drawn")
    ] = None,
    ponder: Annotated[bool, typer.Option("--ponder", help="Agents that search think in the others' time too.")] = False,
    as_json: Json = False,
) -> None:
    """Play a game; unless told otherwise you have the first seat and agents the others."""
    from spielbaum.agents import resolve
    from spielbaum.agents.human import GameLeft
    from spielbaum.arena.single import make_agents, play_game

    played = load_game(game, option)
    specs = seat_agents(played, seat)
    if ponder:
        specs = with_pondering(played, specs)
    people = [player for player, spec in enumerate(specs) if resolve(spec, played)[0].name == "human"]
    if as_json and people:
        raise SpielbaumError(f"--json needs an agent in every seat; {played.seats[people[0]]} is human")
    seed = random.randrange(SEEDS) if seed is None else seed
    agents = make_agents(played, specs, seed)
    try:
        record = play_game(played, agents, seed, None if as_json else narrator(played, specs, people))
    except GameLeft as left:
        print(left)
        return
    if as_json:
        print_json(as_data(played, specs, record))
    else:
        show_end(played, specs, people, record)


def seat_agents(game: Game, given: list[str]) -> list[str]:
    """The agent of each seat: as given; of the others a person has the first one unless a person is named."""
    from spielbaum.agents import freeze_spec, opponent
    from spielbaum.params import parse_assignments

    chosen = game.seated({name: str(spec) for name, spec in parse_assignments(given, "SEAT=AGENT").items()})
    if "human" not in chosen.values():
        chosen.setdefault(0, "human")
    return [freeze_spec(chosen.get(player) or opponent(game), game) for player in range(game.players)]


def with_pondering(game: Game, specs: list[str]) -> list[str]:
    """The agents with pondering switched on for those who can."""
    from spielbaum.agents import resolve

    able = ["ponder" in resolve(spec, game)[1] for spec in specs]
    if not any(able):
        raise SpielbaumError(
            f"--ponder: nobody here can, {' and '.join(specs)} in {game.name}; it takes an agent that searches,"
            " such as mcts, and a game without chance and hidden information"
        )
    switched_on = [f"{spec}{',' if ':' in spec else ':'}ponder=on" for spec in specs]
    return [on if can else spec for spec, on, can in zip(specs, switched_on, able, strict=True)]


def narrator(game: Game, specs: list[str], people: list[int]) -> Callable[[State, int], None]:
    """What is printed at each decision; people are shown the position when they are asked."""

    def watch(state: State, action: int) -> None:
        at_once = len(state.movers) > 1
        if not people and state.asked == 0:
            print(f"\n{state}\n")
        if state.player not in people:
            told = "has chosen" if people and (game.hidden or at_once) else f"plays {state.format(action)}"
            print(f"{state.seat} ({specs[state.player]}) {told}")
        if people and at_once and not game.hidden and state.asked + 1 == len(state.movers):
            print(f"all have chosen: {round_of(state, action)}")

    return watch


def round_of(state: State, last: int) -> str:
    """`blue north, orange west`: what all movers have chosen, the last one of them now."""
    chosen = {int(mover): int(state.record.round_choices[mover]) for mover in state.movers} | {state.player: last}
    return ", ".join(f"{state.game.seats[mover]} {state.format(action)}" for mover, action in chosen.items())


def show_end(game: Game, specs: list[str], people: list[int], record: GameRecord) -> None:
    """The last position, as those who played may see it, and the result of each seat."""
    end = game.play_all(record.actions, record.seed)
    views = [end.view(player) for player in people] or [end]
    for text in dict.fromkeys(map(str, views)):
        print(f"\n{text}\n")
    results = zip(game.seats, specs, record.returns, strict=True)
    print_table(
        ("seat", "agent", "result"), [(name, spec, signed(result)) for name, spec, result in results], ("result",)
    )
    if record.forfeit is not None:
        print(f"forfeit: {game.seats[record.forfeit.seat]} {record.forfeit.reason}")
    print(f"{len(record.actions)} moves, seed {record.seed}")


def signed(result: float) -> str:
    return f"{result:+g}" if result else "0"


def as_data(game: Game, specs: list[str], record: GameRecord) -> dict[str, object]:
    """The game as JSON: enough to play it again."""
    forfeit = record.forfeit and {"seat": game.seats[record.forfeit.seat], "reason": record.forfeit.reason}
    return {
        "game": game.name,
        "options": game.options,
        "seed": record.seed,
        "seats": dict(zip(game.seats, specs, strict=True)),
        "moves": notation(game.new(record.seed), record.actions),
        "actions": record.actions,
        "returns": dict(zip(game.seats, record.returns, strict=True)),
        **({"forfeit": forfeit} if forfeit else {}),
    }


def notation(state: State, actions: list[int]) -> list[str]:
    """The moves that lead on from a position."""
    state, moves = state.copy(), list[str]()
    for action in actions:
        moves.append(state.format(action))
        state.play(action)
    return moves
