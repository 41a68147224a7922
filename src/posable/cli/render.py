"""`posable render`: a picture or a film of a figure."""

import click


@click.command("render")
def command() -> None:
    """Draw."""
