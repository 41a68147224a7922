"""The web server of the studio: one page and one WebSocket, on this machine alone unless `--host` says otherwise.

The page is served at once, while the session is still being opened: a browser starts as slowly as the library.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import secrets
import socket
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

import posable
from posable.studio.guard import Guard

if TYPE_CHECKING:
    from posable.studio.routes import Routes
    from posable.studio.session import Session

STATIC = Path(__file__).with_name("static")
_MOST_MESSAGE = 1 << 20  # bytes of one message of a socket
_GRACE = 0.5  # seconds in which waiting pages get the reason why there is no session


def page_folder() -> Path:
    """The folder of the built page. Raises PosableError, with the cure, where it was not built."""
    if not (STATIC / "index.html").is_file():
        raise posable.PosableError(
            "the studio's page is not built in this copy of posable: in a clone, run `npm ci && npm run build` in web/ "
            "(it needs Node); otherwise install posable again"
        )
    return STATIC


def make_app(gate: StartupGate, hosts: tuple[str, ...], token: str) -> Starlette:
    """The application. hosts: allowed Host headers; token: the start-up secret."""
    routes = [
        WebSocketRoute("/ws", gate.socket),
        Route("/api/figure.glb", gate.route("figure")),
        Route("/api/file", gate.route("upload"), methods=["POST"]),
        Route("/api/export/{kind}", gate.route("export")),
        Mount("/", StaticFiles(directory=page_folder(), html=True)),
    ]
    guard = Middleware(Guard, hosts=hosts, token=token)
    return Starlette(routes=routes, middleware=[guard], lifespan=gate.working)


class StartupGate:
    """Holds requests until the session is open.

    opening: opens it, in a thread. on_failure: called with the error where that fails, after waiting pages got it.
    """

    def __init__(
        self, opening: Callable[[], Session], on_failure: Callable[[Exception], None] = lambda _problem: None
    ) -> None:
        self.opening, self.on_failure = opening, on_failure
        self._routes: asyncio.Future[Routes]

    @contextlib.asynccontextmanager
    async def working(self, _app: Starlette) -> AsyncIterator[None]:
        """The lifespan of the application."""
        self._routes = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(self._work())
        yield
        task.cancel()

    async def _work(self) -> None:
        try:
            routes = await _in_thread(self._opened)
        except Exception as problem:
            self._routes.set_exception(problem)
            await asyncio.sleep(_GRACE)
            self.on_failure(problem)
            return
        self._routes.set_result(routes)
        await routes.hub.run()

    def _opened(self) -> Routes:
        from posable.studio.routes import Routes

        return Routes(self.opening())

    def route(self, name: str) -> Callable[[Request], Awaitable[Response]]:
        """The route of this name; it waits until the session is open."""

        async def go(request: Request) -> Response:
            try:
                routes = await asyncio.shield(self._routes)
            except (posable.PosableError, OSError) as problem:
                return JSONResponse({"message": str(problem)}, 503)
            return await getattr(routes, name)(request)

        return go

    async def socket(self, web: WebSocket) -> None:
        """Connect a viewer to the hub, or send it the reason why there is none."""
        await web.accept()
        try:
            routes = await asyncio.shield(self._routes)
        except (posable.PosableError, OSError) as problem:
            await web.send_json({"event": "error", "id": None, "message": str(problem)})
            await web.close(1011)
            return
        await routes.socket(web)


async def _in_thread(function: Callable[[], Any]) -> Any:
    """Run a function in a daemon thread, so that Ctrl-C need not wait for a large file."""
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

    threading.Thread(target=work, name="posable-opening", daemon=True).start()
    return await done


def serve(
    opening: Callable[[], Session],
    folder: Path,
    host: str = "127.0.0.1",
    port: int = 8123,
    ready: Callable[[str], None] = print,
) -> None:
    """Serve a session until interrupted. ready: called with the address to open, token included, before that is open.

    folder: the session's folder. port: 0 for any free one. Raises PosableError where the port is in use or the page was
    not built, and what `opening` raises.
    """
    page_folder()
    listener = _listener(host, port)
    port = listener.getsockname()[1]
    token = _token(folder)
    names = ("127.0.0.1", "localhost") if host in ("127.0.0.1", "localhost") else (host, "127.0.0.1", "localhost")
    problems: list[Exception] = []

    def fail(problem: Exception) -> None:
        problems.append(problem)
        server.should_exit = True

    app = make_app(StartupGate(opening, fail), tuple(f"{name}:{port}" for name in names), token)
    server = uvicorn.Server(
        uvicorn.Config(
            app, log_level="warning", ws="auto", ws_max_size=_MOST_MESSAGE, timeout_graceful_shutdown=1, lifespan="on"
        )
    )
    ready(f"http://{names[0]}:{port}/?token={token}")
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[listener])
    if problems:
        raise problems[0]


def _token(folder: Path) -> str:
    """The token of a session's address: the same at every start, so that an open page reconnects; its file in the
    session's folder is readable by this user alone.
    """
    path = folder / "token"
    with contextlib.suppress(FileExistsError):
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(file, "w") as kept:
            kept.write(secrets.token_urlsafe(24))
    token = path.read_text(encoding="ascii", errors="replace")
    if re.fullmatch(r"[\w-]{32}", token, re.ASCII):
        return token
    path.unlink()  # cut short by a crash
    return _token(folder)


def _listener(host: str, port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen()  # from now on an early browser waits
    except OSError as problem:
        listener.close()
        raise posable.PosableError(
            f"port {port} of {host} cannot be used ({problem.strerror}); choose another with --port, or 0 for any"
        ) from problem
    return listener
