"""HTTP and WebSocket routes: connect, figure, upload, export."""

from __future__ import annotations

import asyncio
import contextlib
import re
import shutil
import tempfile
from pathlib import Path
from urllib.parse import quote

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.websockets import WebSocket, WebSocketDisconnect

import posable
from posable.studio.commands import ClipRetarget, FigureOpen, TerrainFile
from posable.studio.document import Document
from posable.studio.hub import Hub, Message
from posable.studio.journal import write_session_file
from posable.studio.notebook import page_of
from posable.studio.playback import Player, ground_of
from posable.studio.session import Session
from posable.studio.timeline import terrain_of
from posable.studio.uploads import MOST_BYTES, remove_upload, stored_name, with_own_name

MEDIA = {
    "glb": "model/gltf-binary",
    "bvh": "text/plain",
    "mp4": "video/mp4",
    "gif": "image/gif",
    "png": "image/png",
    "html": "text/html",
    "session": "application/zip",
    "ground": "model/gltf-binary",
}
_ENDINGS = {"session": "posable", "ground": "glb"}  # of the others the kind itself


def export(kind: str, document: Document, player: Player, folder: Path, kept: Path) -> Path:
    """Write the export of this kind into `folder`. kept: the session's own folder.

    Raises PosableError where there is nothing to export, such as a film without motion.
    """
    name = re.sub(r"[^\w .()-]+", "_", document.figure.name).strip(" ._")[:60].rstrip(" .") or "figure"
    clip = player.clip(document)
    motion = clip or document.pose
    path = folder / f"{name}{' ground' * (kind == 'ground')}.{_ENDINGS.get(kind, kind)}"
    if kind == "ground":
        posable.save(path, _ground_figure(document))
    elif kind == "session":
        write_session_file(path, document, kept)
    elif kind == "html":
        path.write_text(page_of(document.figure, motion, ground_of(document)), encoding="utf-8")
    elif kind == "png":
        posable.picture(document.figure, document.pose, path, blend=document.blend, terrain=terrain_of(document))
    elif kind in ("mp4", "gif"):
        if clip is None:
            raise posable.PosableError("there is no motion to film: set two keys, make a walk or choose a clip first")
        ground = terrain_of(document)
        posable.film(document.figure, clip, path, blend=document.blend, terrain=ground, progress=False)
    else:
        posable.save(path, document.figure, motion)
    return path


def _ground_figure(document: Document) -> posable.Figure:
    """The ground as a figure of its own, in the place where the figure walks on it."""
    ground = ground_of(document)
    if ground is None:
        raise posable.PosableError("there is no ground to export: choose a ground first")
    skeleton = posable.Skeleton([posable.Joint("ground", "fixed")], document.figure.skeleton.up)
    skin = posable.skin.Skin.rigid(skeleton, "ground", *ground, name="ground")
    return posable.Figure(skeleton, "ground", skins=(skin,))


_USES = {"figure": FigureOpen, "clip": ClipRetarget, "terrain": TerrainFile}  # as schema.UploadUse has them
_MOST_VIEWERS = 16


class Routes:
    """The routes of one session, with its hub and the GLB that every page fetches first."""

    def __init__(self, session: Session) -> None:
        self.hub = Hub(session)
        session.news()
        self._glb = session.figure_rev, _glb_of(session.document.opened)

    async def socket(self, web: WebSocket) -> None:
        """Serve one viewer, whom the guard has let in."""
        if len(self.hub.viewers) >= _MOST_VIEWERS:
            await web.close(1013, "too many viewers")
            return
        viewer = self.hub.join()

        async def send(message: Message) -> None:
            await (web.send_text(message) if isinstance(message, str) else web.send_bytes(message))

        async def write() -> None:
            with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # the viewer left during a send
                await viewer.send_all(send)
                await web.close(1013, "too far behind")

        writer = asyncio.create_task(write())
        try:
            while not viewer.is_gone:
                message = await web.receive()
                if message["type"] == "websocket.disconnect":
                    break
                text, raw = message.get("text"), message.get("bytes")
                self.hub.take(viewer, text if text is not None else raw or b"")
        except WebSocketDisconnect:
            pass
        finally:
            self.hub.leave(viewer)
            writer.cancel()

    async def figure(self, _request: Request) -> Response:
        """The figure as GLB, at rest."""
        rev, content = self._glb
        if rev != self.hub.session.figure_rev:
            rev = self.hub.session.figure_rev
            content = await self.hub.in_worker(_glb_of, self.hub.session.document.opened)
            self._glb = (rev, content)
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
            if not await _received(request, folder / name):
                remove_upload(folder, name)
                return _refused(413, f"the file is too large: the studio opens files of up to {MOST_BYTES >> 20} MB")
            await self.hub.ask(_USES[use](name, own))
        except (posable.PosableError, OSError) as problem:
            remove_upload(folder, name)
            return _refused(400, with_own_name(problem, name, own))
        document = self.hub.session.document
        return JSONResponse({"name": document.figure.name, "clips": [clip.name for clip in document.clips]})

    async def export(self, request: Request) -> Response:
        """A download."""
        kind = request.path_params["kind"]
        if kind not in MEDIA:
            return _refused(404, f"unknown export {kind[:20]!r} (choose from {', '.join(MEDIA)})")
        folder = Path(tempfile.mkdtemp(dir=self.hub.session.folder))
        try:
            session = self.hub.session
            path = await self.hub.in_worker(export, kind, session.document, session.player, folder, session.folder)
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
    length = request.headers.get("content-length", "0")
    if not length.isdecimal() or int(length) > MOST_BYTES:
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
