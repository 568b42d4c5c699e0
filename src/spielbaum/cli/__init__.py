"""The command line: `main` runs a command and answers its exit code.

What a user can put right is told in one line on standard error, with exit code 2; Ctrl-C ends with 130. Nothing is
imported here that takes time: `main` first takes care of Ctrl-C, and then of the streams.
"""

from __future__ import annotations

import os

from spielbaum.cli.interrupt import STOPPED, listen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and answer its exit code; without arguments those of the process, which is then its own."""
    if arguments is not None:
        return run(arguments)
    listen()
    from spielbaum.cli.streams import finish, open_streams

    open_streams()
    return finish(run(None))


def run(arguments: Sequence[str] | None) -> int:
    """Run a command; what goes wrong is told."""
    os.environ.setdefault("PYTHONSAFEPATH", "1")  # processes that it starts do not take a random.py here for Python's
    import typer

    from spielbaum.cli.commands import app
    from spielbaum.cli.streams import UNWRITTEN, WRONG_INPUT, complain
    from spielbaum.errors import SpielbaumError, Stopped

    try:
        code: int = app(args=arguments, prog_name="spielbaum", standalone_mode=False) or 0
    except Stopped as error:
        return complain(str(error), STOPPED)
    except SpielbaumError as error:
        return complain(str(error), WRONG_INPUT)
    except typer.TyperException as error:
        return complain(error.format_message(), WRONG_INPUT)
    except (KeyboardInterrupt, typer.Abort):
        code = STOPPED
    except SystemExit as left:  # the reader of the output has gone
        return int(left.code or 0)
    except OSError as error:
        return complain(f"{error.filename or UNWRITTEN}: {error.strerror or error}", WRONG_INPUT)
    return complain("stopped", STOPPED) if code == STOPPED else code
