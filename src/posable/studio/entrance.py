"""Where the studio is found: the socket that it listens on, its addresses, and the file that leads a browser there."""

from __future__ import annotations

import contextlib
import html
import ipaddress
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import posable

_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url={address}">
<title>posable studio</title>
</head>
<body><a href="{address}">The studio is here.</a></body>
</html>
"""
_OPEN = (
    "Warning: the studio listens at {host}, where other machines reach it, without encryption: "
    "who learns the address below, or sees it pass, changes this session and downloads it."
)
_NARROW = "Warning: the studio listens at ::1 alone; 127.0.0.1 does not lead to it."


class Entrance(NamedTuple):
    """How a person gets in. addresses: with the token, the first for this machine itself.

    page: a file of this user alone that leads there; the command line of a browser, which everybody on the machine can
    read, then has no token. warning: what the person should know of where the studio listens, "" where nothing.
    """

    addresses: tuple[str, ...]
    page: Path
    warning: str


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens. port: 0 for any free one. Raises PosableError where that cannot be."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as problem:
        raise posable.PosableError(f"unknown host {host[:80]!r}; give an address of this machine") from problem
    family, *_, address = min(found, key=lambda one: one[0] != socket.AF_INET)
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if family == socket.AF_INET6 and address[0] == "::":
        listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)  # all addresses, of either kind
    try:
        listener.bind(address)
        listener.listen()  # from now on an early browser waits
    except OSError as problem:
        listener.close()
        raise posable.PosableError(
            f"port {port} of {host} cannot be used ({problem.strerror}); choose another with --port, or 0 for any"
        ) from problem
    return listener


@contextlib.contextmanager
def entrance(listener: socket.socket, host: str, token: str, folder: Path) -> Iterator[Entrance]:
    """The entrance of a studio; its file is in the session's folder as long as the studio runs."""
    bound, port = listener.getsockname()[:2]
    names = [host if "." in host or ":" in host or host == "localhost" else bound]
    if ipaddress.ip_address(bound).is_unspecified:
        names = ["127.0.0.1", *_own_address()]
    addresses = tuple(f"http://{f'[{name}]' if ':' in name else name}:{port}/#{token}" for name in names)
    warning = "" if ipaddress.ip_address(bound).is_loopback else _OPEN.format(host=host)
    page = folder / "open.html"
    page.unlink(missing_ok=True)
    with os.fdopen(os.open(page, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(_PAGE.format(address=html.escape(addresses[0])))
    try:
        yield Entrance(addresses, page, _NARROW if bound == "::1" else warning)
    finally:
        page.unlink(missing_ok=True)


def _own_address() -> list[str]:
    """The address at which the network knows this machine, as far as it has one."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # a documentation address: only the route is looked up, nothing is sent
        return [probe.getsockname()[0]]
    return []
