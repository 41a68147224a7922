"""Exports: files, and pictures and films from the page's camera, rendered in a process of their own."""

from __future__ import annotations

import asyncio
import multiprocessing
import re
import signal
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic
from typing import Any

import posable
from posable.studio.document import Document
from posable.studio.film_cameras import following, with_all_in
from posable.studio.journal import write_session_file
from posable.studio.page import page_of
from posable.studio.playback import Player, ground_of, shown_terrain
from posable.studio.records import MessageError
from posable.studio.scenery import with_scene
from posable.studio.uploads import in_words
from posable.view import Camera

MEDIA = {
    "glb": "model/gltf-binary",
    "fbx": "application/octet-stream",
    "usdz": "model/vnd.usdz+zip",
    "bvh": "text/plain",
    "mp4": "video/mp4",
    "gif": "image/gif",
    "png": "image/png",
    "html": "text/html",
    "session": "application/zip",
    "ground": "model/gltf-binary",
}
DRAWN = ("png", "mp4", "gif")
_SUFFIXES = {"session": "posable", "ground": "glb"}  # of other kinds, the kind is the suffix
_POLL_SECONDS = 0.1  # between two looks at a renderer's progress
_MAX_RENDERERS = 2  # at once

Tell = Callable[[float], None]
TellMore = Callable[[float, float, str], None]


@dataclass(frozen=True)
class View:
    """The view of pictures and films. camera: None for one that frames the whole motion. along: the position, in the
    page, of the figure that the camera of a film follows; None for a fixed camera.
    """

    size: tuple[int, int] = (960, 720)
    camera: Camera | None = None
    bones: bool = False
    along: tuple[float, float, float] | None = None

    @classmethod
    def of(cls, asked: Mapping[str, str], up: str) -> View:
        """The view that a request asks for: width, height, bones, and eye, target and fov of a camera, and along.

        Raises MessageError for anything else, and PosableError for an invalid camera.
        """
        try:
            size = int(asked.get("width", 960)), int(asked.get("height", 720))
            along = _point(asked["along"]) if "along" in asked else None
            camera = None
            if "eye" in asked:
                above = (0.0, 1.0, 0.0) if up == "y" else (0.0, 0.0, 1.0)
                eye, target = _point(asked["eye"]), _point(asked.get("target", ""))
                camera = Camera(eye, target, above, float(asked.get("fov", 38.0)))
        except ValueError as problem:
            raise MessageError(f"a view has whole pixels and points of three numbers: {problem}"[:200]) from problem
        return cls((size[0] // 2 * 2, size[1] // 2 * 2), camera, asked.get("bones") == "1", along)


def _point(text: str) -> tuple[float, float, float]:
    x, y, z = (float(part) for part in text.split(","))
    return x, y, z


@dataclass(frozen=True, eq=False)
class Job:
    """Everything to be written, so that the session can go on meanwhile. motion: a clip, or a pose without motion.

    ground: as triangles. kept: the session's own folder.
    """

    kind: str
    path: Path
    document: Document
    motion: posable.Clip | posable.Pose
    view: View
    kept: Path

    def write(self, tell: Tell | None = None) -> Path:
        """Write the file. tell: called with the finished share of a film.

        Raises PosableError where there is nothing to export, such as a film without motion.
        """
        kind, path, document = self.kind, self.path, self.document
        if kind == "ground":
            posable.save(path, _ground_figure(document))
        elif kind == "session":
            write_session_file(path, document, self.kept)
        elif kind == "html":
            figure, motion = _seen(self)
            page = page_of(figure, motion, ground_of(document), human_limits=document.options.human_limits)
            path.write_text(page.text, encoding="utf-8")
        elif kind in DRAWN:
            Drawing.of(self).write(tell)
        else:
            posable.save(path, document.figure, self.motion)
        return path


def _seen(job: Job) -> tuple[posable.Figure, posable.Clip | posable.Pose]:
    """The figure with the scene around it and without hidden meshes, and its motion."""
    figure, motion = with_scene(job.document, job.document.figure), job.motion
    if figure.skeleton is motion.skeleton:
        return figure, motion
    if isinstance(motion, posable.Clip):
        return figure, replace(motion, skeleton=figure.skeleton)
    return figure, posable.Pose(figure.skeleton, motion.q)


def job_of(
    kind: str, document: Document, player: Player, folder: Path, kept: Path, view: View = View()
) -> Job:  # the clip may have to be sampled: in the session's thread
    """The export of this kind into `folder`. kept: the session's own folder."""
    name = re.sub(r"[^\w .()-]+", "_", document.figure.name).strip(" ._")[:60].rstrip(" .") or "figure"
    path = folder / f"{name}{' ground' * (kind == 'ground')}.{_SUFFIXES.get(kind, kind)}"
    clip = player.clip(document)
    return Job(kind, path, document, document.pose if clip is None or kind == "png" else clip, view, kept)


def export(kind: str, document: Document, player: Player, folder: Path, kept: Path, view: View = View()) -> Path:
    """Write the export of this kind into `folder`, and return when it is written. Raises PosableError."""
    return job_of(kind, document, player, folder, kept, view).write()


def _ground_figure(document: Document) -> posable.Figure:
    """The ground as a figure of its own, at its position under the figure's path."""
    ground = ground_of(document)
    if ground is None:
        raise posable.PosableError("no ground to export: choose a ground first")
    skeleton = posable.Skeleton([posable.Joint("ground", "fixed")], document.figure.skeleton.up)
    skin = posable.skin.Skin.rigid(skeleton, "ground", *ground, name="ground")
    return posable.Figure(skeleton, "ground", skins=(skin,))


# Pictures and films take seconds to minutes of a whole processor core.


@dataclass(frozen=True, eq=False)
class Drawing:
    """A picture or film as the other process needs it. cameras: one for each frame where the view's goes along."""

    path: Path
    figure: posable.Figure
    motion: posable.Clip | posable.Pose
    terrain: posable.Terrain | None
    blend: Any
    view: View
    cameras: list[Camera] | None = None

    @classmethod
    def of(cls, job: Job) -> Drawing:
        """Raises PosableError for a film without motion."""
        document = job.document
        if job.kind != "png" and not isinstance(job.motion, posable.Clip):
            raise posable.PosableError("no motion to film: set two keys, make a walk or choose a clip first")
        camera, along, cameras = job.view.camera, job.view.along, None
        if camera and along and isinstance(job.motion, posable.Clip):
            cameras = following(camera, along, job.motion, document.figure.height)
            cameras = with_all_in(cameras, document, job.motion, camera, job.view.size)
        return cls(job.path, *_seen(job), shown_terrain(document), document.blend, job.view, cameras)

    def write(self, tell: Tell | None = None) -> None:
        """Render it. tell: called with the finished share of a film."""
        shown: dict[str, Any] = {
            "size": self.view.size,
            "camera": self.cameras or self.view.camera or "three_quarter",
            "skeleton": self.view.bones,
            "blend": self.blend,
            "terrain": self.terrain,
        }
        if isinstance(self.motion, posable.Clip):
            posable.film(self.figure, self.motion, self.path, progress=tell or False, **shown)
        else:
            posable.picture(self.figure, self.motion, self.path, **shown)


_STARTS, _BUILDS, _BEGINS = "starting the renderer", "building the scene", "drawing the first frame"


@dataclass(frozen=True)
class _Stage:
    """What the renderer does before the first frame, in words."""

    what: str


_NO_NEWS = _Stage("")  # no news


def _draw(drawing: Drawing, pipe: Connection) -> None:
    """Runs in the renderer's process. Sends progress through the pipe, and at the end None or an error message."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the studio, which ends this process
    try:
        pipe.send(_Stage(_BUILDS))
        drawing.write(pipe.send)
        pipe.send(None)
    except Exception as problem:
        pipe.send(in_words(problem))


class Darkroom:
    """Renders pictures and films: a few at once, each in its own process."""

    def __init__(self) -> None:
        self._busy = 0

    async def make(self, drawing: Drawing, tell: TellMore, is_awaited: Callable[[], Awaitable[bool]]) -> bool:
        """Render it; False if the request was cancelled.

        tell: called with the finished share, the seconds left, and, before these are known, what is being prepared.

        Raises PosableError if rendering fails.
        """
        if self._busy >= _MAX_RENDERERS:
            raise posable.PosableError(f"{_MAX_RENDERERS} films are being rendered already: wait for one, or cancel it")
        apart = multiprocessing.get_context("spawn")  # a fork would share the session's locks
        here, there = apart.Pipe(duplex=False)
        process = apart.Process(target=_draw, args=(drawing, there), daemon=True)
        self._busy += 1
        try:
            tell(0.0, 0.0, _STARTS)
            await asyncio.to_thread(process.start)  # it waits until the process has read its arguments
            there.close()
            return await _watched(here, tell, is_awaited)
        finally:
            self._busy -= 1
            if process.pid is not None:  # otherwise it ends at its first message, as the pipe is closed
                process.terminate()
            here.close()


async def _watched(pipe: Connection, tell: TellMore, is_awaited: Callable[[], Awaitable[bool]]) -> bool:
    began = 0.0
    while await is_awaited():
        message: Any = _NO_NEWS
        try:
            while isinstance(message, float | _Stage) and pipe.poll():
                message = pipe.recv()
        except EOFError:
            message = "the picture could not be made: its process ended"
        if isinstance(message, str):
            raise posable.PosableError(message)
        if message is None:
            return True
        if isinstance(message, float):
            began = began or monotonic()
            left = (monotonic() - began) * (1 - message) / message if message else 0.0
            tell(message, left, "" if message else _BEGINS)
        elif message is not _NO_NEWS:
            tell(0.0, 0.0, message.what)
        await asyncio.sleep(_POLL_SECONDS)
    return False
