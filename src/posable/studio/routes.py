"""What may be asked of the desk over the web: to sit down, the figure, to take a file in, to take one home."""

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

# What can be taken home: figure and motion in a file, a film, a picture, a page, or the session itself.


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
    """The file of this kind, written into `folder`. kept: the session's own folder.

    Raises PosableError where there is nothing to film, say.
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
            raise posable.PosableError("nothing moves yet: make two keys, walk, or choose a clip, and film that")
        ground = terrain_of(document)
        posable.film(document.figure, clip, path, blend=document.blend, terrain=ground, progress=False)
    else:
        posable.save(path, document.figure, motion)
    return path


def _ground_figure(document: Document) -> posable.Figure:
    """The ground alone, where the figure walks on it; in a file of its own, so that the figure stays a figure."""
    ground = ground_of(document)
    if ground is None:
        raise posable.PosableError("the ground is level: there is nothing of it to export")
    skeleton = posable.Skeleton([posable.Joint("ground", "fixed")], document.figure.skeleton.up)
    skin = posable.skin.Skin.rigid(skeleton, "ground", *ground, name="ground")
    return posable.Figure(skeleton, "ground", skins=(skin,))


_USES = {"figure": FigureOpen, "clip": ClipRetarget, "terrain": TerrainFile}  # as schema.UploadUse has them
_MOST_VIEWERS = 16


class Routes:
    """The desk of a session, and the figure as every page wants it first."""

    def __init__(self, session: Session) -> None:
        self.hub = Hub(session)
        session.news()
        self._glb = session.figure_rev, _glb_of(session.document.opened)

    async def socket(self, web: WebSocket) -> None:
        """One viewer, who has been let in."""
        if len(self.hub.viewers) >= _MOST_VIEWERS:
            await web.close(1013, "too many viewers")
            return
        viewer = self.hub.join()

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
        """A file into the session's folder, and taken for what it is to be."""
        folder, own = self.hub.session.folder, request.query_params.get("name", "")
        use = request.query_params.get("use", "figure")
        if use not in _USES:
            return _refused(400, f"an upload is for {', '.join(_USES)}, not {use[:20]!r}")
        try:
            name = stored_name(own, folder)
        except posable.PosableError as problem:
            return _refused(400, str(problem))
        try:
            if not await _received(request, folder / name):
                remove_upload(folder, name)
                return _refused(413, f"the studio takes files of up to {MOST_BYTES >> 20} MB")
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
            return _refused(404, f"the studio exports {', '.join(MEDIA)}, not {kind[:20]!r}")
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
