"""The web server of the studio: one page and one WebSocket, on this machine alone unless `--host` says otherwise.

The page is served at once, while the session is still being opened: a browser starts as slowly as the library. Clients
that stay silent or are too slow are disconnected: before a request, within one, and before the key of a socket.
"""

from __future__ import annotations

import asyncio
import contextlib
import html
import ipaddress
import os
import socket
import threading
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect
from uvicorn.protocols.http.h11_impl import H11Protocol

import posable
from posable.browser.record import NETWORK, SCRIPT
from posable.studio.guard import STRANGER, Guard, Hosts, Keys
from posable.studio.session_store import locked
from posable.studio.uploads import in_words

if TYPE_CHECKING:
    from posable.studio.routes import Routes
    from posable.studio.session import Session


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
    """The addresses of a studio. addresses: with the token, the first for this machine itself.

    page: a file of this user alone that leads there; the command line of a browser, which everybody on the machine can
    read, then has no token. warning: what the person should know of where the studio listens, "" where nothing.
    """

    addresses: tuple[str, ...]
    page: Path
    warning: str


def listening(host: str, port: int) -> socket.socket:
    """A listening socket. port: 0 for any free one. Raises PosableError if it cannot listen there."""
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
    """The address of this machine in the network; none if it has none."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # a documentation address: only the route is looked up, nothing is sent
        return [probe.getsockname()[0]]
    return []


STATIC = Path(__file__).with_name("static")
_MAX_MESSAGE_BYTES = 1 << 20  # of one message of a socket
_REQUEST_TIMEOUT = 10.0  # seconds in which a request head must arrive, and the key of a socket
_PING_TIMEOUT = 120.0  # seconds: the answer waits behind messages that are not read while kernels compile
_MAX_KEYLESS_SOCKETS = 64  # at most; with more, the oldest is refused
_REASON_SECONDS = 0.5  # in which waiting pages receive the reason why there is no session


def page_folder() -> Path:
    """The folder of the built page. Raises PosableError, with the cure, if it was not built."""
    if not (STATIC / "index.html").is_file():
        raise posable.PosableError(
            "the studio's page is not built in this copy of posable: in a clone, run `npm ci && npm run build` in web/ "
            "(it needs Node); otherwise install posable again"
        )
    return STATIC


def make_app(gate: StartupGate, hosts: Hosts) -> Starlette:
    """The application. hosts: allowed Host headers."""
    routes = [
        WebSocketRoute("/ws", gate.socket),
        Route("/api/figure.glb", gate.route("figure")),
        *(Route(f"/api/{name}", gate.route(name)) for name in ("body", "clip", "prop", "skeleton")),
        Route("/api/file", gate.route("upload"), methods=["POST"]),
        Route("/api/cancel", gate.route("cancel"), methods=["POST"]),
        Route("/api/export/{kind}", gate.route("export")),
        *(Route(f"/solver/{path.name}", _sent(path)) for path in (SCRIPT, NETWORK)),
        Mount("/", StaticFiles(directory=page_folder(), html=True)),
    ]
    guard = Middleware(Guard, hosts=hosts, keys=gate.keys)
    return Starlette(routes=routes, middleware=[guard], lifespan=gate.working)


def _sent(path: Path) -> Callable[[Request], Awaitable[Response]]:
    """Send a file of posable's own, or 404."""

    async def send(_: Request) -> Response:
        return FileResponse(path) if path.is_file() else JSONResponse({"message": "not built"}, 404)

    return send


class StartupGate:
    """Holds requests until the session is open.

    opening: opens it, in a thread. keys: who may talk to it. on_failure: called with the error where opening fails,
    after waiting pages got it.
    """

    def __init__(
        self,
        opening: Callable[[], Session],
        keys: Keys,
        on_failure: Callable[[Exception], None] = lambda _problem: None,
    ) -> None:
        self.opening, self.keys, self.on_failure = opening, keys, on_failure
        self._routes: asyncio.Future[Routes]
        self._keyless: deque[asyncio.Timeout] = deque()

    @contextlib.asynccontextmanager
    async def working(self, _app: Starlette) -> AsyncIterator[None]:
        """The lifespan of the application."""
        self._routes = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(self._work())
        yield
        task.cancel()

    async def _work(self) -> None:
        try:
            routes = await in_thread(self._opened)
        except Exception as problem:
            self._routes.set_exception(problem)
            await asyncio.sleep(_REASON_SECONDS)
            self.on_failure(problem)
            return
        self._routes.set_result(routes)
        await routes.hub.run()

    def _opened(self) -> Routes:
        from posable.studio.routes import Routes

        return Routes(self.opening(), in_thread)

    def route(self, name: str) -> Callable[[Request], Awaitable[Response]]:
        """The route of this name; it waits until the session is open."""

        async def go(request: Request) -> Response:
            try:
                routes = await asyncio.shield(self._routes)
            except Exception as problem:
                return JSONResponse({"message": in_words(problem)}, 503)
            return await getattr(routes, name)(request)

        return go

    async def socket(self, web: WebSocket) -> None:
        """Connect a viewer with a key to the hub, or send it the reason why there is no session."""
        await web.accept()
        try:
            if not self.keys.accept(await self._key_of(web)):
                await web.close(1008, STRANGER)
                return
        except WebSocketDisconnect:
            return
        try:
            routes = await asyncio.shield(self._routes)
        except Exception as problem:
            await web.send_json({"event": "error", "id": None, "message": in_words(problem)})
            await web.close(1011)
            return
        await routes.socket(web)

    async def _key_of(self, web: WebSocket) -> str:
        """The first message of a socket; "" if none comes in time or newer sockets crowd it out."""
        try:
            async with asyncio.timeout(_REQUEST_TIMEOUT) as patience:
                self._keyless.append(patience)
                if len(self._keyless) > _MAX_KEYLESS_SOCKETS:
                    self._keyless.popleft().reschedule(0.0)
                try:
                    return await web.receive_text()
                finally:
                    with contextlib.suppress(ValueError):
                        self._keyless.remove(patience)
        except (TimeoutError, KeyError):  # no text
            return ""


class _TimedProtocol(H11Protocol):
    """HTTP that closes a connection on which no whole request head comes in time; uvicorn would wait forever."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch()

    def handle_events(self) -> None:  # whenever something has come
        super().handle_events()
        self._watch()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._watch(is_over=True)

    def _watch(self, *, is_over: bool = False) -> None:
        is_answering = self.cycle is not None and not self.cycle.response_complete
        if is_over or is_answering or self.transport.get_protocol() is not self:  # another protocol serves the socket
            if self._deadline is not None:
                self._deadline.cancel()
            self._deadline = None
        elif self._deadline is None:
            self._deadline = self.loop.call_later(_REQUEST_TIMEOUT, self.transport.close)


async def in_thread(function: Callable[[], Any]) -> Any:
    """Run a function in a daemon thread, so that Ctrl-C need not wait for a large file or a compiler."""
    loop = asyncio.get_running_loop()
    done = loop.create_future()

    def tell(settle: Callable[[Any], None], what: Any) -> None:
        if not done.cancelled():
            settle(what)

    def work() -> None:
        try:
            result = done.set_result, function()
        except Exception as problem:
            result = done.set_exception, problem
        with contextlib.suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(tell, *result)

    threading.Thread(target=work, name="posable-aside", daemon=True).start()
    return await done


def serve(
    opening: Callable[[], Session],
    folder: Path,
    host: str = "127.0.0.1",
    port: int = 8123,
    ready: Callable[[Entrance], None] = print,
) -> None:
    """Serve a session until interrupted. ready: called with the `Entrance` before it accepts connections.

    folder: the session's folder, which no other process may use. port: 0 for any free one. Raises PosableError where
    the folder or the port is in use or the page was not built, and what `opening` raises.
    """
    page_folder()
    problems: list[Exception] = []

    def fail(problem: Exception) -> None:
        problems.append(problem)
        server.should_exit = True

    with locked(folder), listening(host, port) as listener:
        keys, hosts = Keys(folder), Hosts.of(host, listener.getsockname()[1])
        config = uvicorn.Config(
            make_app(StartupGate(opening, keys, fail), hosts),
            http=_TimedProtocol,
            log_level="warning",
            ws_max_size=_MAX_MESSAGE_BYTES,
            ws_ping_timeout=_PING_TIMEOUT,
            ws_per_message_deflate=False,  # poses are numbers: it costs more than it saves
            timeout_graceful_shutdown=1,
            lifespan="on",
        )
        server = uvicorn.Server(config)
        with entrance(listener, host, keys.token, folder) as way_in, contextlib.suppress(KeyboardInterrupt):
            ready(way_in)
            server.run(sockets=[listener])
    if problems:
        raise problems[0]
