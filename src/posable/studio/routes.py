"""HTTP and WebSocket routes: connect, figure, upload, export."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import tempfile
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

from starlette.background import BackgroundTask
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.websockets import WebSocket, WebSocketDisconnect

import posable
from posable.browser.record import SCRIPT, figure_record, person_of
from posable.formats.gltf.without_draco import without_draco
from posable.natural import natural_if_known
from posable.studio.balancing import body_shape
from posable.studio.body_commands import FigureJoin, PropFile
from posable.studio.command import Command
from posable.studio.command_progress import progress_event
from posable.studio.commands import ClipRetarget, FigureOpen, TerrainFile
from posable.studio.company import parts_of
from posable.studio.document import DroppedMesh
from posable.studio.exporting import DRAWN, MEDIA, Darkroom, Drawing, View, job_of
from posable.studio.hub import MOST_VIEWERS, Hub, Message, Viewer
from posable.studio.human_range import dragged_figure
from posable.studio.opening import main_name
from posable.studio.page import shown_glb
from posable.studio.playback import packed
from posable.studio.session import Session
from posable.studio.uploads import MOST_BYTES, BareMeshError, in_words, remove_upload, stored_name, with_own_name
from posable.studio.warming import warm_up

_USES: dict[str, Callable[[str, str, bool, float | None], Command]] = {  # as schema.UploadUse has them
    "figure": lambda stored, own, fit, _: FigureOpen(stored, own, fit),
    "clip": lambda stored, own, *_: ClipRetarget(stored, own),
    "terrain": lambda stored, own, *_: TerrainFile(stored, own),
    "prop": lambda stored, own, *_: PropFile(stored, own),
    "companion": lambda stored, own, fit, height: FigureJoin(own, stored, fit, height),
}
Up = Literal["y", "z"]
_CLOSING_TIMEOUT = 5.0  # seconds
_UPLOAD_TIMEOUT = 20.0  # seconds in which the next megabyte of an upload must arrive


Aside = Callable[[Callable[[], Any]], Awaitable[Any]]


class Routes:
    """The routes of one session, with its hub and the GLB that every page fetches first.

    aside: runs a function in a thread that nothing waits for at the end.
    """

    def __init__(self, session: Session, aside: Aside = asyncio.to_thread) -> None:
        self.hub = Hub(session, lambda document: aside(partial(warm_up, document)))
        self._darkroom = Darkroom()
        session.news()
        self._glb = session.figure_rev, shown_glb(session.document.opened)

    async def socket(self, web: WebSocket) -> None:
        """Serve one viewer, whose key was accepted."""
        viewer = self.hub.join()
        if viewer is None:
            await web.close(1013, f"{MOST_VIEWERS} pages already show this session: close one of them")
            return
        tasks = [asyncio.create_task(one) for one in (self._read(web, viewer), _write(web, viewer), viewer.gone.wait())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            is_behind = viewer.is_gone
            self.hub.leave(viewer)
            for task in tasks:
                task.cancel()
        if is_behind:
            with contextlib.suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
                async with asyncio.timeout(
                    _CLOSING_TIMEOUT
                ):  # a viewer that does not read does not take the reason either
                    await web.close(1013, "this page was too far behind")

    async def _read(self, web: WebSocket, viewer: Viewer) -> None:
        while True:
            await viewer.has_room()
            message = await web.receive()
            if message["type"] == "websocket.disconnect":
                return
            text, raw = message.get("text"), message.get("bytes")
            self.hub.take(viewer, text if text is not None else raw or b"")

    async def figure(self, _request: Request) -> Response:
        """The figure as GLB, at rest."""
        rev, content = self._glb
        if rev != self.hub.session.figure_rev:
            rev = self.hub.session.figure_rev
            content = await self.hub.in_worker(shown_glb, self.hub.session.document.opened)
            self._glb = (rev, content)
        return Response(content, media_type="model/gltf-binary")

    async def body(self, _request: Request) -> Response:
        """The masses and soles of the figure."""
        return JSONResponse(await self.hub.in_worker(body_shape, self.hub.session.document.figure))

    async def skeleton(self, _request: Request) -> Response:
        """The skeleton as the page's own solver reads it; null for several figures, and for one with learnt habits."""
        document = self.hub.session.document
        return JSONResponse(await self.hub.in_worker(lambda: _record_of(dragged_figure(document))))

    async def clip(self, request: Request) -> Response:
        """A clip of the figure as bytes, for a preview before it is chosen."""
        document, nodes = self.hub.session.document, self.hub.session.nodes
        clip = next((one for one in document.clips if one.name == request.query_params.get("name")), None)
        if clip is None:
            return _refused(404, "the figure has no such clip")
        return Response(await asyncio.to_thread(packed, clip, document, nodes), media_type="application/octet-stream")

    async def prop(self, request: Request) -> Response:
        """A prop of the scene as GLB: the uploaded file itself if it is one, as that has its colours."""
        document = self.hub.session.document
        prop = next((one for one in document.props if one.name == request.query_params.get("name")), None)
        if prop is None or prop.kind != "mesh":
            return _refused(404, "the scene has no such mesh")
        dropped = document.meshes[prop.name]
        content = await asyncio.to_thread(_prop_glb, self.hub.session.folder, dropped, document.figure.skeleton.up)
        return Response(content, media_type="model/gltf-binary")

    async def upload(self, request: Request) -> Response:
        """Store an uploaded file in the session's folder and open it for its use."""
        folder, own = self.hub.session.folder, request.query_params.get("name", "")
        use = request.query_params.get("use", "figure")
        if use not in _USES:
            return _refused(400, f"unknown use {use[:20]!r} of an upload (choose from {', '.join(_USES)})")
        try:
            name = stored_name(own, folder)
        except posable.PosableError as problem:
            return _refused(400, str(problem))
        try:
            await _receive(request, folder / name)
            height = float(request.query_params["height"]) if "height" in request.query_params else None
            await self.hub.ask(_USES[use](name, own, request.query_params.get("fit") == "1", height))
        except BaseException as problem:  # also if the sender has left, or the studio ends
            remove_upload(folder, name)
            if isinstance(problem, BareMeshError) and use != "clip":
                return self._answer(bare=True)
            if isinstance(problem, ClientDisconnect):
                return _refused(400, "the upload was broken off")
            if isinstance(problem, TimeoutError):
                return _refused(408, "the upload stopped: send the file again")
            if isinstance(problem, Exception):
                status = 413 if isinstance(problem, _TooLargeError) else 400
                return _refused(status, with_own_name(problem, name, own))
            raise
        return self._answer(bare=False)

    def _answer(self, *, bare: bool) -> Response:
        document = self.hub.session.document
        return JSONResponse({"name": document.figure.name, "plays": main_name(document.figure), "bare": bare})

    async def cancel(self, _request: Request) -> Response:
        """Cancel the command that is being executed."""
        self.hub.cancel()
        return Response(status_code=204)

    async def export(self, request: Request) -> Response:
        """A download."""
        kind = request.path_params["kind"]
        if kind not in MEDIA:
            return _refused(404, f"unknown export {kind[:20]!r} (choose from {', '.join(MEDIA)})")
        folder = Path(tempfile.mkdtemp(dir=self.hub.session.folder))
        try:
            path = await self._exported(kind, request, folder)
        except (posable.PosableError, OSError) as problem:
            shutil.rmtree(folder, ignore_errors=True)
            return _refused(400, in_words(problem))
        except asyncio.CancelledError:  # the studio ends
            shutil.rmtree(folder, ignore_errors=True)
            return _refused(503, "the studio was ended")
        except BaseException:  # the sender has left
            shutil.rmtree(folder, ignore_errors=True)
            raise
        if path is None:
            shutil.rmtree(folder, ignore_errors=True)
            return _refused(400, "the export was cancelled")
        sent = BackgroundTask(shutil.rmtree, folder, ignore_errors=True)
        headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(path.name)}"}
        return FileResponse(path, media_type=MEDIA[kind], headers=headers, background=sent)

    async def _exported(self, kind: str, request: Request, folder: Path) -> Path | None:
        """Write the file while the session goes on; None if the request was aborted."""
        hub, session = self.hub, self.hub.session
        view = View.of(request.query_params, session.document.figure.skeleton.up)
        job = await hub.in_worker(job_of, kind, session.document, session.player, folder, session.folder, view)
        if kind not in DRAWN:
            # Only the session's own thread may read its state.
            return await (hub.in_worker(job.write) if kind == "session" else asyncio.to_thread(job.write))
        name = request.query_params.get("job", "")[:40]

        def tell(share: float, left: float, doing: str) -> None:
            hub.tell(progress_event(name, share, left, doing))

        async def is_awaited() -> bool:
            return not await request.is_disconnected()

        return job.path if await self._darkroom.make(Drawing.of(job), tell, is_awaited) else None


def _record_of(figure: posable.Figure) -> dict[str, Any] | None:
    skeleton = figure.skeleton
    known = person_of(skeleton) is not None or not natural_if_known(skeleton)
    return figure_record(skeleton) if known and SCRIPT.is_file() and not parts_of(figure) else None


def _prop_glb(folder: Path, dropped: DroppedMesh, up: Up) -> bytes:
    if dropped.file.endswith(".glb") and up == "y":
        return without_draco((folder / dropped.file).read_bytes())
    skeleton = posable.Skeleton([posable.Joint("prop", "fixed")], up)
    skin = posable.skin.Skin.rigid(skeleton, "prop", dropped.mesh.vertices, dropped.mesh.faces, name="prop")
    return shown_glb(posable.Figure(skeleton, "prop", skins=(skin,)))


async def _write(web: WebSocket, viewer: Viewer) -> None:
    async def send(message: Message) -> None:
        await (web.send_text(message) if isinstance(message, str) else web.send_bytes(message))

    with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # the viewer left during a send
        await viewer.send_all(send)


class _TooLargeError(posable.PosableError):
    """An upload that is too large."""

    def __init__(self) -> None:
        super().__init__(f"the file is too large: the studio opens files of up to {MOST_BYTES >> 20} MB")


async def _receive(request: Request, path: Path) -> None:
    """Write the body to `path`. Raises _TooLargeError as soon as it is too large, TimeoutError if it stops arriving."""
    length = request.headers.get("content-length", "0")
    if not length.isdecimal() or int(length) > MOST_BYTES:
        raise _TooLargeError
    count = expected = 0
    with path.open("wb") as file:
        async with asyncio.timeout(_UPLOAD_TIMEOUT) as patience:
            async for chunk in request.stream():
                count += len(chunk)
                if count > MOST_BYTES:
                    raise _TooLargeError
                file.write(chunk)
                if count >= expected:
                    expected = count + (1 << 20)
                    patience.reschedule(asyncio.get_running_loop().time() + _UPLOAD_TIMEOUT)


def _refused(status: int, message: str) -> Response:
    # The unread rest of the request is not waited for.
    return JSONResponse({"message": message}, status, {"Connection": "close"})
