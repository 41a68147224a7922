"""The command line: one file per command, each a thin layer over the library."""

from posable.cli.program import main

__all__ = ["main"]
