"""The studio on the web: one page and one socket, on this machine alone unless told otherwise."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import secrets
import shutil
import socket
import tempfile
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from urllib.parse import quote

import uvicorn
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

import posable
from posable.studio.commands import ClipRetarget, FigureOpen, TerrainFile
from posable.studio.desk import Desk, Message
from posable.studio.exports import MEDIA, export
from posable.studio.guard import Guard
from posable.studio.session import Session
from posable.studio.uploads import MOST_BYTES, forget, in_own_words, stored_name

STATIC = Path(__file__).with_name("static")
_USES = {"figure": FigureOpen, "clip": ClipRetarget, "terrain": TerrainFile}  # as schema.UploadUse has them
_MOST_VIEWERS = 16
_MOST_MESSAGE = 1 << 20  # bytes of one message of a socket


def page_folder() -> Path:
    """Where the built page is. Raises PosableError, with the cure, where it was not built."""
    if not (STATIC / "index.html").is_file():
        raise posable.PosableError(
            "the studio's page is not built in this copy of posable: in a clone, run `npm ci && npm run build` in web/ "
            "(it needs Node); otherwise install posable again"
        )
    return STATIC


def make_app(desk: Desk, hosts: tuple[str, ...], token: str) -> Starlette:
    """The application. hosts: what the Host header may be; token: the start-up secret."""

    @contextlib.asynccontextmanager
    async def working(_app: Starlette) -> AsyncIterator[None]:
        task = asyncio.create_task(desk.run())
        yield
        task.cancel()

    doors = _Doors(desk)
    routes = [
        WebSocketRoute("/ws", doors.socket),
        Route("/api/figure.glb", doors.figure),
        Route("/api/file", doors.upload, methods=["POST"]),
        Route("/api/export/{kind}", doors.export),
        Mount("/", StaticFiles(directory=page_folder(), html=True)),
    ]
    guard = Middleware(Guard, hosts=hosts, token=token)
    return Starlette(routes=routes, middleware=[guard], lifespan=working)


class _Doors:
    """What may be asked of the desk over the web."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._glb: tuple[int, bytes] = (0, b"")

    async def socket(self, web: WebSocket) -> None:
        """One viewer."""
        await web.accept()
        if len(self.desk.viewers) >= _MOST_VIEWERS:
            await web.close(1013, "too many viewers")
            return
        viewer = self.desk.join()

        async def send(message: Message) -> None:
            await (web.send_text(message) if isinstance(message, str) else web.send_bytes(message))

        async def write() -> None:
            with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # it left while something was on its way
                await viewer.send_all(send)
                await web.close(1013, "too far behind")

        writer = asyncio.create_task(write())
        try:
            while not viewer.is_gone:
                message = await web.receive()
                if message["type"] == "websocket.disconnect":
                    break
                text, raw = message.get("text"), message.get("bytes")
                self.desk.take(viewer, text if text is not None else raw or b"")
        except WebSocketDisconnect:
            pass
        finally:
            self.desk.leave(viewer)
            writer.cancel()

    async def figure(self, _request: Request) -> Response:
        """The figure as GLB, at rest."""
        rev, content = self._glb
        if rev != self.desk.session.figure_rev or not content:
            rev = self.desk.session.figure_rev
            content = await self.desk.in_worker(_glb_of, self.desk.session.document.opened)
            self._glb = (rev, content)
        return Response(content, media_type="model/gltf-binary")

    async def upload(self, request: Request) -> Response:
        """A file into the session's folder, and taken for what it is to be."""
        folder, own = self.desk.session.folder, request.query_params.get("name", "")
        use = request.query_params.get("use", "figure")
        if use not in _USES:
            return _refused(400, f"an upload is for {', '.join(_USES)}, not {use[:20]!r}")
        try:
            name = stored_name(own, folder)
        except posable.PosableError as problem:
            return _refused(400, str(problem))
        try:
            if not await _received(request, folder / name):
                forget(folder, name)
                return _refused(413, f"the studio takes files of up to {MOST_BYTES >> 20} MB")
            await self.desk.ask(_USES[use](name, own))
        except (posable.PosableError, OSError) as problem:
            forget(folder, name)
            return _refused(400, in_own_words(problem, name, own))
        return JSONResponse({"name": self.desk.session.document.figure.name})

    async def export(self, request: Request) -> Response:
        """A download."""
        kind = request.path_params["kind"]
        if kind not in MEDIA:
            return _refused(404, f"the studio exports {', '.join(MEDIA)}, not {kind[:20]!r}")
        folder = Path(tempfile.mkdtemp(dir=self.desk.session.folder))
        try:
            session = self.desk.session
            path = await self.desk.in_worker(export, kind, session.document, session.player, folder, session.folder)
        except (posable.PosableError, OSError) as problem:
            shutil.rmtree(folder, ignore_errors=True)
            return _refused(400, str(problem))
        sent = BackgroundTask(shutil.rmtree, folder, ignore_errors=True)
        headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(path.name)}"}
        return FileResponse(path, media_type=MEDIA[kind], headers=headers, background=sent)


def _glb_of(figure: posable.Figure) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "figure.glb"
        posable.save(path, figure)
        return path.read_bytes()


async def _received(request: Request, path: Path) -> bool:
    """Write the body to `path`; False as soon as it is too large."""
    said = request.headers.get("content-length", "0")
    if not said.isdecimal() or int(said) > MOST_BYTES:
        return False
    count = 0
    with path.open("wb") as file:
        async for chunk in request.stream():
            count += len(chunk)
            if count > MOST_BYTES:
                return False
            file.write(chunk)
    return True


def _refused(status: int, message: str) -> Response:
    return JSONResponse({"message": message}, status)


def serve(session: Session, host: str = "127.0.0.1", port: int = 8123, ready: Callable[[str], None] = print) -> None:
    """Serve a session until interrupted. ready: told the address to open, its token included.

    port: 0 for any that is free. Raises PosableError where the port is taken or the page was not built.
    """
    page_folder()
    listener = _listener(host, port)
    port = listener.getsockname()[1]
    token = _token(session.folder)
    names = ("127.0.0.1", "localhost") if host in ("127.0.0.1", "localhost") else (host, "127.0.0.1", "localhost")
    app = make_app(Desk(session), tuple(f"{name}:{port}" for name in names), token)
    config = uvicorn.Config(
        app, log_level="warning", ws="auto", ws_max_size=_MOST_MESSAGE, timeout_graceful_shutdown=1, lifespan="on"
    )
    ready(f"http://{names[0]}:{port}/?token={token}")
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listener])


def _token(folder: Path) -> str:
    """The secret of a session's address: the same at every start, so that a page that is open comes back; it is kept
    in the session's folder for this user alone.
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
        listener.listen()  # from now on a browser that comes early waits
    except OSError as problem:
        listener.close()
        raise posable.PosableError(
            f"port {port} of {host} cannot be used ({problem.strerror}); choose another with --port, or 0 for any"
        ) from problem
    return listener
