"""The command line: `main` runs a command and answers its exit code.

What a user can put right is told in one line on standard error, with exit code 2; Ctrl-C ends with 130. Nothing is
imported here that takes time: `main` first takes care of Ctrl-C, and then of the streams.
"""

from __future__ import annotations

import os
import sys

from spielbaum.cli.interrupt import STOPPED, listen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


COMMANDS = "spielbaum.cli.commands"


def main(arguments: Sequence[str] | None = None, commands: str = COMMANDS) -> int:
    """Run a command and answer its exit code; without arguments those of the process, which is then its own.

    `commands` names the module whose `app` has the commands, called `PROGRAM`.
    """
    if arguments is not None:
        return run(arguments, commands)
    listen()
    from spielbaum.cli.streams import finish, open_streams

    open_streams()
    code = finish(run(None, commands))
    watchdog = sys.modules.get("spielbaum.watchdog")
    if watchdog is not None and watchdog.lost:
        os._exit(code)  # threads in rules that do not end would be waited for
    return code


def run(arguments: Sequence[str] | None, commands: str) -> int:
    """Run a command; what goes wrong is told."""
    os.environ.setdefault("PYTHONSAFEPATH", "1")  # processes that it starts do not take a random.py here for Python's
    import importlib

    import typer

    from spielbaum.cli.extras import advice
    from spielbaum.cli.streams import UNWRITTEN, WRONG_INPUT, complain
    from spielbaum.errors import SpielbaumError, Stopped

    try:
        module = importlib.import_module(commands)
        code: int = module.app(args=arguments, prog_name=module.PROGRAM, standalone_mode=False) or 0
    except Stopped as error:
        return complain(str(error), STOPPED)
    except SpielbaumError as error:
        return complain(str(error), WRONG_INPUT)
    except typer.TyperException as error:
        return complain(error.format_message(), WRONG_INPUT)
    except ModuleNotFoundError as error:
        what = advice(error)
        if what is None:
            raise
        return complain(what, WRONG_INPUT)
    except (KeyboardInterrupt, typer.Abort):
        code = STOPPED
    except SystemExit as left:  # the reader of the output has gone
        return int(left.code or 0)
    except OSError as error:
        return complain(f"{error.filename or UNWRITTEN}: {error.strerror or error}", WRONG_INPUT)
    return complain("stopped", STOPPED) if code == STOPPED else code
