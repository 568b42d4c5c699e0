"""The result block of a run in the terminal."""

from __future__ import annotations

from typing import Any

from spielbaum.cli.output import NOTHING, percent, print_table

MOST_FORFEITS = 5  # that are told one by one
SMALL = 0.0001  # below this a probability is only said to be small
TALLY = ("wins", "draws", "losses", "score", "95 % interval")
PLACE = "place"  # a column that only games of more than two have


def print_result(data: dict[str, Any], title: str) -> None:
    """Who scored what in which seat, and what that means."""
    print(heading(data, title))
    head = (*TALLY, PLACE) if any(PLACE in agent for agent in data["agents"].values()) else TALLY
    rows = [(label, *tally(agent), thinking(agent["seconds_per_move"])) for label, agent in data["agents"].items()]
    print_table(("agent", *head, "time per move"), rows, numbers=(*head, "time per move"))
    for line in among_equals(data["agents"]):
        print(line)
    if "groups" in data:
        print_groups(data["groups"])
    print_table(("seat", *head), [(name, *tally(seat)) for name, seat in data["seats"].items()], numbers=head)
    print_places(data["agents"])
    if "ratings" in data:
        print_ratings(data["ratings"])
        print_cross_table(data["cross_table"])
        if data.get("p_all_equal") is not None:
            print(f"all agents equally strong: p = {probability(data['p_all_equal'])}".replace("= <", "<"))
    for line in (
        *endings(data),
        *comparison(data),
        *tests(data.get("tests", [])),
        *sprt(data["sprt"]),
        *length(data["length"]),
        *overstepped(data.get("time")),
        *forfeited(data.get("forfeits", []), data["games"]),
    ):
        print(line)
    if data["seconds"]:
        print(f"{data['games_per_second']:,.1f} games/s")


def among_equals(agents: dict[str, Any]) -> list[str]:
    """What each would score if all were equally strong, where that is not the same for all."""
    even = [f"{label} {percent(agent['even'])}" for label, agent in agents.items() if "even" in agent]
    return [f"even score, of equal strength: {', '.join(even)}"] if even else []


def print_groups(groups: dict[str, Any]) -> None:
    """What the groups had in a game, on average over their seats."""
    metrics = next(iter(groups.values()))["metrics"]
    columns = ("score", "return", "decisions")
    rows = [
        (label, str(group["seats"]), *(mean(group[name]) for name in columns), *map(mean, group["metrics"].values()))
        for label, group in groups.items()
    ]
    head = ("seats", "score per seat", "return", "decisions", *metrics)
    print_table(("group, mean over its seats", *head), rows, numbers=head)


def print_places(agents: dict[str, Any]) -> None:
    """How often each agent came in at each place."""
    counts = {label: agent["places"] for label, agent in agents.items() if "places" in agent}
    if counts:
        head = tuple(str(place) for place in range(1, len(next(iter(counts.values()))) + 1))
        rows = [(label, *(f"{count:,}" for count in places)) for label, places in counts.items()]
        print_table(("agent at place", *head), rows, numbers=head)


def mean(data: dict[str, Any]) -> str:
    """A mean with half its interval."""
    value, high = data["mean"], data["interval"][1]
    if value is None:
        return NOTHING
    return f"{value:.2f}" if high is None else f"{value:.2f} ± {high - value:.2f}"


def tests(data: list[dict[str, Any]]) -> list[str]:
    """Every two groups compared."""
    return [
        f"{test['of']} of {' against '.join(test['groups'])}: {means(test)}{difference(test['paired'])},"
        f" {both_tests(test['paired'], test)}"
        for test in data
    ]


def means(test: dict[str, Any]) -> str:
    return " against ".join(NOTHING if each is None else f"{each:.2f}" for each in test["means"])


def difference(test: dict[str, Any]) -> str:
    """The difference of two means with its interval, where that is known."""
    low, high = test["interval"]
    return "" if low is None else f" (difference {(low + high) / 2:.2f}, 95 % interval {low:.2f} … {high:.2f})"


def print_ratings(ratings: list[dict[str, Any]]) -> None:
    """The ranking; a p-value from 0.05 means that two neighbours can't be told apart."""
    kind = "Elo" if "elo" in ratings[0] else "openskill"
    digits = 0 if kind == "Elo" else 1
    rows = [
        (
            str(place),
            rating["agent"],
            f"{rating[kind.lower()]:+.{digits}f}" if kind == "Elo" else f"{rating['openskill']:.1f}",
            f"± {rating['error']:.{digits}f}",
            NOTHING if rating["p_next"] is None else probability(rating["p_next"]),
        )
        for place, rating in enumerate(ratings, 1)
    ]
    head = ("place", "agent", kind, "standard error", "p against the next")
    print_table(head, rows, numbers=("place", *head[2:]))


def print_cross_table(table: dict[str, Any]) -> None:
    """Row against column, in points and games."""
    places = [str(place) for place in range(1, len(table) + 1)]
    rows = [
        (place, one, *(met(had.get(other)) for other in table))
        for place, (one, had) in zip(places, table.items(), strict=True)
    ]
    print_table(("", "agent", *places), rows, numbers=("", *places))


def met(cell: dict[str, float] | None) -> str:
    return "" if cell is None else f"{cell['points']:g}/{cell['games']}"


def heading(data: dict[str, Any], title: str) -> str:
    options = "".join(f" {name}={value}" for name, value in data["options"].items())
    games = f"{data['games']:,}" + (f" of {data['planned']:,}" if data["games"] < data["planned"] else "")
    number = "" if data["run"] is None else f", run {data['run']}"
    return f"\n{title}{options}: {games} games, seed {data['seed']}{number}"


def tally(data: dict[str, Any]) -> tuple[str, ...]:
    counts = tuple(f"{data[name]:,}" for name in ("wins", "draws", "losses"))
    place = (mean(data[PLACE]),) if PLACE in data else ()
    if data["score"] is None:
        return (*counts, NOTHING, NOTHING, *place)
    low, high = data["interval"]
    return (*counts, percent(data["score"]), f"{percent(low)} … {percent(high)}", *place)


def thinking(seconds: float | None) -> str:
    """A time as people say it."""
    if seconds is None:
        return NOTHING
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def endings(data: dict[str, Any]) -> list[str]:
    """How games ended, where the game tells kinds of endings apart."""
    lines = []
    for label, agent in data["agents"].items():
        kinds = [
            f"{result} {', '.join(f'{name} {times:,}' for name, times in by_name.items())}"
            for result, by_name in agent.get("endings", {}).items()
            if by_name
        ]
        if kinds:
            lines.append(f"{label}: {'; '.join(kinds)}")
    return lines


def comparison(data: dict[str, Any]) -> list[str]:
    """Elo, likelihood of superiority and the t-test."""
    found = data["comparison"]
    if found is None:
        return []
    low, high = found["elo_interval"]
    lines = [
        f"Elo difference {with_interval(found['elo'], low, high)},"
        f" likelihood of superiority {percent(found['likelihood_of_superiority'])}"
    ]
    if found["pairs"]:
        lines[0] += f", from pairs of games (0 to 2 points: {', '.join(map(str, found['pairs']))})"
    if (test := found["t_test"]) and "tests" not in data:
        lines.append(f"points {means(test)}, {both_tests(found['paired_test'], test)}")
    return lines


def both_tests(paired: dict[str, Any], unshared: dict[str, Any]) -> str:
    """The test that counts, and the one that theses print."""
    return (
        f"paired t-test: {welch(paired)}; Welch's t-test: {welch(unshared)}, which takes them for points of"
        " different games"
    )


def welch(test: dict[str, Any]) -> str:
    if test["p"] is None:
        return "no spread to test"
    return f"t = {test['t']:.2f}, p = {probability(test['p'])}".replace("= <", "<")


def probability(p: float) -> str:
    """`0.041`, or that it is small."""
    return f"{p:.2g}" if p >= SMALL else f"< {SMALL:g}"


def with_interval(elo: float | None, low: float | None, high: float | None) -> str:
    """A difference and its interval, of which JSON has no number where it is infinite.

    >>> with_interval(12.3, -4.0, 30.0), with_interval(None, 531.0, None), with_interval(None, None, -531.0)
    ('+12 (-4 … +30)', '+∞ (+531 … +∞)', '-∞ (-∞ … -531)')
    """
    return f"{signed(elo, '-∞' if low is None else '+∞')} ({signed(low, '-∞')} … {signed(high, '+∞')})"


def signed(number: float | None, otherwise: str) -> str:
    return otherwise if number is None else f"{number:+.0f}"


def sprt(data: dict[str, Any] | None) -> list[str]:
    """How a sequential test ended or stands."""
    if data is None:
        return []
    low, high = data["bounds"]
    verdict = {
        "elo1": f"at least {data['elo1']:g} Elo stronger",
        "elo0": f"at most {data['elo0']:g} Elo stronger",
        None: "undecided",
    }[data["verdict"]]
    lines = [f"sequential test: {verdict} (log-likelihood ratio {data['llr']:+.2f}, bounds {low:.2f} … {high:.2f})"]
    if (found := data["estimate"]) is not None:
        told = with_interval(found["elo"], *found["interval"])
        lines.append(f"Elo difference after a test that stops by itself: {told}")
    return lines


def length(data: dict[str, Any]) -> list[str]:
    if not data:
        return []
    return [
        f"length {data['mean']:.1f} ± {data['sd']:.1f} moves, half of the games {data['q1']:g} … {data['q3']:g},"
        f" shortest {data['min']}, longest {data['max']}"
    ]


def overstepped(data: dict[str, Any] | None) -> list[str]:
    """Who has overstepped the time, and what that has cost."""
    if data is None:
        return []
    counts = [f"{label} {count:,}" for label, count in data["late"].items()]
    what = "games lost on time" if data["lose_on_time"] else "moves beyond the time"
    return [f"{data['control']}; {what}: {', '.join(counts)}"]


def forfeited(data: list[dict[str, Any]], games: int) -> list[str]:
    """Who has forfeited which game and why; not all of them where there are many."""
    if not data:
        return []
    lines = [f"forfeits: {len(data):,} of {games:,} games"]
    for each in data[:MOST_FORFEITS]:
        lines.append(f"game {each['game']}: {each['seat']} ({each['agent']}) {each['reason']}")
    return lines + (["…, and more that --json tells"] if len(data) > MOST_FORFEITS else [])
