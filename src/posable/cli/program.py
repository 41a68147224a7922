"""`posable`: finds and runs the command, and reports each failure as one sentence and an exit status."""

from __future__ import annotations

import contextlib
import gc
import importlib
import io
import os
import sys
from collections.abc import Sequence

import click

import posable
from posable.cli.terminal import Ended, ending_in_order, say, showing_progress
from posable.errors import near_names

COMMANDS = (
    "info",
    "roles",
    "reach",
    "track",
    "walk",
    "ground",
    "retarget",
    "fit",
    "points",
    "video",
    "rig",
    "bind",
    "report",
    "convert",
    "batch",
    "render",
    "compare",
    "demo",
    "samples",
    "studio",
    "bench",
    "doctor",
    "completion",
)
DONE, FAILED, INTERRUPTED = 0, 1, 130


class _CommandsByFile(click.Group):
    """Looks up each command in the module of its name and loads it on first use."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        return importlib.import_module(f"posable.cli.{cmd_name}").command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as misuse:
            near = near_names(args[0], COMMANDS, 1)
            if not near:
                raise
            raise click.UsageError(f"{misuse.message} Did you mean {near[0]}?", ctx) from None


@click.command(cls=_CommandsByFile, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(posable.__version__, prog_name="posable", message="%(prog)s %(version)s")
def commands() -> None:
    """Pose and animate articulated figures: characters, recordings, robots.

    Exit status: 0 success, 1 failure (reason on stderr), 2 usage error, 130 interrupted, 129 and 143 ended by a signal.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run `posable` with `arguments` (default: those of the process) and exit with its status."""
    if arguments is not None:
        sys.exit(_run(arguments))
    # Most objects made by imports and commands live until the end: collecting garbage every 700 objects takes a tenth
    # of a second, and once more at exit a quarter.
    gc.set_threshold(200_000)
    status = _run(None)
    gc.freeze()
    sys.exit(status)


def _run(arguments: Sequence[str] | None) -> int:
    try:
        with ending_in_order(), showing_progress():
            status = commands.main(args=arguments, prog_name="posable", standalone_mode=False)
            sys.stdout.flush()
    except click.ClickException as misuse:
        told = io.StringIO()
        misuse.show(told)
        say(*told.getvalue().rstrip("\n").split("\n"), err=True)
        return misuse.exit_code
    except (click.Abort, KeyboardInterrupt):
        return _failed("interrupted; no incomplete file was left behind", INTERRUPTED)
    except Ended as end:
        return _failed(f"ended by {end}; no incomplete file was left behind", 128 + end.number)
    except BrokenPipeError:
        return _reader_left()
    except (posable.PosableError, OSError) as problem:
        return _failed(str(problem))
    except MemoryError:
        return _failed("out of memory")
    return status if isinstance(status, int) else DONE


def _failed(reason: str, status: int = FAILED) -> int:
    with contextlib.suppress(OSError):
        say(f"posable: {reason}", err=True)
    return status


def _reader_left() -> int:
    """Discard unflushed output: a closed pipe (`posable info … | head`) is not an error."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return FAILED
