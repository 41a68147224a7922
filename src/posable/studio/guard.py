"""Access control: only pages served by the studio itself, opened with its start-up address, may use it.

The page's own files are public, as they are in the package; whatever tells of the session or changes it needs a key.
A page gets its key for the token of the address, keeps it in the storage of its tab, and sends it with every request
and as the first message of its socket. There are no cookies: all ports of a host would share them.

Against other sites in the same browser: the Host header (DNS rebinding) and the Origin must be our own, a header is
what other sites cannot send, and pages have a content policy. Against other users of the machine: token and keys.
"""

from __future__ import annotations

import contextlib
import hashlib
import ipaddress
import re
import secrets
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import posable
from posable.files import write_atomically

STRANGER = "Access denied: open the address that posable studio printed when it started"
_POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; "  # the page solves by a WebAssembly module
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_MOST_KEYS = 64  # of a session; with more, the oldest page has to be opened again


class Keys:
    """Who may use a session: a token that is new at every start, and the keys that pages received for it.

    The keys outlast a restart, so that an open page reconnects; the session's folder has only their hashes.
    """

    def __init__(self, folder: Path) -> None:
        self.token = secrets.token_urlsafe(24)
        self._path = folder / "keys"
        text = self._path.read_text(encoding="ascii", errors="replace") if self._path.is_file() else ""
        self._hashes = [line for line in text.split() if re.fullmatch("[0-9a-f]{64}", line)][-_MOST_KEYS:]

    def key_for(self, token: str) -> str | None:
        """A new key for the token; None for another token."""
        if not secrets.compare_digest(token.encode(), self.token.encode()):
            return None
        key = secrets.token_urlsafe(24)
        self._hashes = [*self._hashes, _hash(key)][-_MOST_KEYS:]
        with contextlib.suppress(posable.FileError):  # on a full disk, the key is valid until the next start
            write_atomically(self._path, "\n".join(self._hashes) + "\n")
        return key

    def accept(self, key: str) -> bool:
        """Whether this key was given to a page of this session."""
        return _hash(key) in self._hashes


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode(errors="replace")).hexdigest()


@dataclass(frozen=True)
class Hosts:
    """The Host headers that the studio answers to.

    names: without their port. numbers: whether every numeric address is one of them: no site has such a name.
    """

    port: int
    names: frozenset[str]
    numbers: bool = False

    @classmethod
    def of(cls, host: str, port: int) -> Hosts:
        """The hosts of a server that listens at `host`."""
        if host in ("127.0.0.1", "::1", "localhost"):
            return cls(port, frozenset({host, "localhost"}))
        if not _is_number(host) or not ipaddress.ip_address(host).is_unspecified:
            return cls(port, frozenset({host.lower()}), numbers=not _is_number(host))
        own = socket.gethostname().lower()
        return cls(port, frozenset({"localhost", own, f"{own}.local"}), numbers=True)

    def __contains__(self, header: str) -> bool:
        found = re.fullmatch(r"(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?", header.lower(), re.ASCII)
        if found is None or int(found[3] or 80) != self.port:
            return False
        name = found[1] or found[2]
        return name in self.names or (self.numbers and _is_number(name))


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class Guard:
    """ASGI middleware: accepts requests of our own page, and requests about the session only with a key.

    The socket's key is its first message, which is not seen here.
    """

    def __init__(self, app: ASGIApp, hosts: Hosts, keys: Keys) -> None:
        self.app, self.hosts, self.keys = app, hosts, keys

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        answer = self._answer(scope)
        if answer is None:
            await self.app(scope, receive, with_headers if scope["type"] == "http" else send)
        elif scope["type"] == "http":
            await answer(scope, receive, with_headers)
        else:
            await send({"type": "websocket.close", "code": 1008, "reason": "not allowed"})

    def _answer(self, scope: Scope) -> Any:
        """The answer to a request that is refused or asks for a key; None for an allowed one."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if host not in self.hosts:
            return PlainTextResponse(f"The studio does not answer to the name {host[:80]!r}.\n", 400)
        origin = headers.get("origin")
        if origin != f"http://{host}" and (origin is not None or scope["type"] == "websocket"):
            return PlainTextResponse("Requests from other sites are refused.\n", 403)
        if scope["type"] == "websocket" or not scope["path"].startswith("/api/"):
            return None
        if (scope["method"], scope["path"]) == ("POST", "/api/key"):
            key = self.keys.key_for(headers.get("x-posable-token", ""))
            return JSONResponse({"key": key} if key else {"message": STRANGER}, 200 if key else 403)
        return None if self.keys.accept(headers.get("x-posable-key", "")) else JSONResponse({"message": STRANGER}, 403)
