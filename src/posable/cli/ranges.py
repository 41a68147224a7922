"""Numbers within a range, which the help says in its own words."""

from __future__ import annotations

import click


class Integer(click.IntRange):
    """A whole number within a range."""

    name = "integer"


class Number(click.FloatRange):
    """Any number within a range."""

    name = "number"
