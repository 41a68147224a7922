"""`posable studio`: pose and animate in the browser."""

from __future__ import annotations

import gc
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

import click

import posable
from posable.cli import options
from posable.cli.ranges import Integer
from posable.cli.terminal import say
from posable.files import check_file

if TYPE_CHECKING:
    from posable.studio.session import Session
    from posable.studio.web import Entrance


@click.command("studio", short_help="Pose and animate in the browser")
@options.input_file(required=False)
@click.option("--port", type=Integer(0, 65535), default=8123, show_default=True, help="Port; 0 picks a free one.")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on; any other than the default admits other machines that have the token.",
)
@click.option("--no-browser", is_flag=True, help="Print the address without opening a browser.")
@click.option(
    "--session",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the session, resumed if it has one.  [default: the last one of FILE]",
)
def command(file: Path | None, port: int, host: str, no_browser: bool, folder: Path | None) -> None:
    """Pose and animate FILE, or posable's mannequin, in the browser; everything stays on this machine.

    Every step is saved immediately, so an interrupted session resumes where it stopped.
    """
    try:
        from posable.studio.web import page_folder, serve
    except ModuleNotFoundError as problem:
        raise posable.MissingExtraError("studio", "the studio's server") from problem
    from posable.studio.session_store import session_folder

    if file is not None:
        check_file(file)  # before a browser opens a page that ends at once
    page_folder()
    gc.disable()  # modules stay loaded; collecting them repeatedly costs a fifth of the start-up time

    def ready(way_in: Entrance) -> None:
        if way_in.warning:
            say(way_in.warning, err=True)
        say(f"The studio is at {' or '.join(way_in.addresses)}", "Press Ctrl-C to end it.")
        if not no_browser:
            webbrowser.open(way_in.page.as_uri())  # not the address: others may read a command line

    def opening() -> Session:
        from posable.studio.session_store import open_session

        session, told = open_session(file, folder)
        gc.freeze()
        gc.enable()
        if told:
            say(*told.split("\n"))
        return session

    serve(opening, session_folder(file, folder), host, port, ready)
