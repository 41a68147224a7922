"""The command line: one file per command, each a thin rim around the library."""

from posable.cli.program import main

__all__ = ["main"]
