"""Where the time of compilations goes: adds up a log of them, by kernel, game and the tests that asked first.

SPIELBAUM_COMPILE_LOG=log.jsonl SPIELBAUM_CACHE=$(mktemp -d) make test
python -m benchmarks.compilations log.jsonl
"""

from __future__ import annotations

import collections
import pathlib
import sys
from collections.abc import Callable

from spielbaum.compile.log import Compilation, read_log

ROWS = 25  # of each table


def main() -> None:
    """Print the tables of the log that is named on the command line."""
    if len(sys.argv) != 2 or not pathlib.Path(sys.argv[1]).is_file():
        sys.exit("usage: python -m benchmarks.compilations LOG, a file that SPIELBAUM_COMPILE_LOG named")
    log = read_log(pathlib.Path(sys.argv[1]))
    print(f"{len(log)} compilations, {sum(line['seconds'] for line in log):.0f} s of one processor")
    show("game", log, lambda line: line["game"])
    show("template and kernel", log, lambda line: f"{line['template']}.{line['kernel']}")
    show("game and template", log, lambda line: f"{line['game']} {line['template']}")
    show("file of the test that asked first", log, lambda line: line["test"].partition("::")[0])
    show("test that asked first", log, lambda line: line["test"])
    again = collections.Counter((line["game"], line["template"], line["kernel"], line["digest"]) for line in log)
    show(
        "compiled more than once",
        log,
        lambda line: f"{line['game']} {line['template']}.{line['kernel']}",
        {line["digest"] for line in log if again[line["game"], line["template"], line["kernel"], line["digest"]] > 1},
    )


def show(title: str, log: list[Compilation], key: Callable[[Compilation], str], only: set[str] | None = None) -> None:
    """A table of the lines with the same key: how many, how long, under how many digests; the longest first."""
    groups: dict[str, list[Compilation]] = collections.defaultdict(list)
    for line in log:
        if only is None or line["digest"] in only:
            groups[key(line)].append(line)
    seconds = {name: sum(line["seconds"] for line in lines) for name, lines in groups.items()}
    print(f"\n{'seconds':>8} {'number':>6} {'digests':>7}  {title}")
    for name in sorted(groups, key=lambda name: -seconds[name])[:ROWS]:
        digests = len({line["digest"] for line in groups[name]})
        print(f"{seconds[name]:8.1f} {len(groups[name]):6} {digests:7}  {name}")


if __name__ == "__main__":
    main()
