"""`posable completion`: shell completion of commands, options, files and joint names."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from posable.cli.program import commands
from posable.cli.terminal import say


@click.command("completion", short_help="Print the completion script of a shell")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the completion script for SHELL: commands, options and joint names.

    \b
    bash: echo 'eval "$(posable completion bash)"' >> ~/.bashrc
    zsh:  echo 'eval "$(posable completion zsh)"' >> ~/.zshrc
    fish: posable completion fish > ~/.config/fish/completions/posable.fish
    """
    completion = get_completion_class(shell)
    assert completion is not None
    say(*completion(commands, {}, "posable", "_POSABLE_COMPLETE").source().split("\n"))
