"""Still pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from posable.errors import PosableError, PoseError, UnsupportedFileError
from posable.figures import Figure
from posable.files import atomic_path
from posable.goals import Goal
from posable.motion.feet import Terrain
from posable.skeleton import Pose
from posable.view.camera import Camera, View
from posable.view.ground import Ground
from posable.view.overlay import draw_marks, draw_skeleton, marks_of
from posable.view.renderer import STILL, Image, Quality, Renderer
from posable.view.scene import Mesh, Scene
from posable.view.stage import Stage

LARGEST = 8192
"""The most pixels a picture may be wide or high."""


def picture(
    figure: Figure,
    pose: Pose | None = None,
    path: str | Path | None = None,
    *,
    size: tuple[int, int] = (960, 720),
    goals: Sequence[Goal] = (),
    camera: Camera | View = "three_quarter",
    skeleton: bool = True,
    skin: bool = True,
    blend: str = "linear",
    terrain: Terrain | None = None,
    overwrite: bool = True,
) -> Image:
    """A shaded picture of a figure: `[height, width, 3]` sRGB bytes, also written to `path` (.png) if given.

    pose: one pose; the rest pose if None. size: width and height in pixels. goals: marked where they want their joints.
    camera: one, or the name of a view ("three_quarter", "front" or "side") that is framed on the figure and its goals.
    skeleton: draw the bones through the skin.
    skin: False draws solid bones instead of the skin and the display shapes. blend: as for `Skin.deform`.
    terrain: the ground to draw under the figure, as a block; the empty stage has a level floor.
    overwrite: False refuses a file that is there.
    Raises PosableError for a size or blend that is none, PoseError for a batch of poses or another figure's,
    TerrainError for a terrain of another up axis, FileError.
    """
    pose = figure.rest if pose is None else pose
    check_pose(figure, pose)
    check_size(size)
    if path is not None and Path(path).suffix.lower() != ".png":
        raise UnsupportedFileError(path, "a picture is written as .png; give it that ending")
    scene = Scene(figure, skin=skin, blend=blend)
    shot = Shot.of(scene, [pose], size, goals, camera, STILL, skeleton=skeleton, terrain=terrain)
    return draw_to(path, lambda: shot.take(pose, goals), overwrite=overwrite)


@dataclass(frozen=True, eq=False)
class Shot:
    """A scene before a camera: one for a picture, one for all frames of a film. ground: what it stands on."""

    scene: Scene
    renderer: Renderer
    skeleton: bool = True
    ground: Ground = field(default_factory=Ground.none)

    @classmethod
    def of(
        cls,
        scene: Scene,
        poses: Sequence[Pose],
        size: tuple[int, int],
        goals: Sequence[Goal],
        camera: Camera | View,
        quality: Quality,
        *,
        skeleton: bool,
        terrain: Terrain | None = None,
    ) -> Shot:
        """The shot that holds the scene in all the `poses`, and its goals."""
        up = scene.figure.skeleton.up
        outline = np.concatenate([scene.outline(pose) for pose in poses])
        every = [own for pose in poses if (own := scene.feet(pose)) is not None]
        feet = np.concatenate(every) if every else None
        ground = Ground.none() if terrain is None else Ground.under(terrain, outline, scene.figure)
        if not isinstance(camera, Camera):
            places = [mark.place for pose in poses for mark in marks_of(goals, pose)]
            points = np.concatenate([outline, np.reshape(places, (-1, 3))])
            camera = ground.camera(points, outline if feet is None else feet, up, camera, size[0] / size[1])
        stage = Stage.around(outline, up, feet, ground.base)
        return cls(scene, Renderer(stage, camera, size, quality), skeleton, ground)

    @cached_property
    def _mesh(self) -> Mesh:
        return self.scene.mesh.beside(self.ground.mesh)

    def take(self, pose: Pose, goals: Sequence[Goal]) -> Image:
        """The image of one pose."""
        image = self.renderer.draw(self._mesh, np.concatenate([self.scene.placed(pose), self.ground.vertices]))
        if self.skeleton and not self.scene.bare:
            draw_skeleton(image, self.renderer, self.scene.bones, pose)
        draw_marks(image, self.renderer, marks_of(goals, pose), pose)
        return image


def check_size(size: tuple[int, int]) -> None:
    """Refuse what is no width and height in pixels."""
    whole = len(size) == 2 and all(isinstance(n, (int, np.integer)) for n in size)
    if not whole or not all(16 <= n <= LARGEST for n in size):
        raise PosableError(f"a size is (width, height), whole pixels from 16 to {LARGEST}, not {size!r}")


def check_pose(figure: Figure, pose: Pose) -> None:
    """Refuse a batch, and a pose that belongs to another skeleton."""
    if pose.skeleton.joints != figure.skeleton.joints:
        raise PoseError("the pose belongs to another skeleton than the figure's; retarget it first")
    if pose.shape:
        raise PoseError(
            f"a picture shows one pose, not a batch of shape {pose.shape}; index it, or make a film of a clip"
        )


def made_by() -> str:
    """What the files say of who made them."""
    from importlib.metadata import version

    return f"made by posable {version('posable')}"


def draw_to(path: str | Path | None, draw: Callable[[], Image], *, overwrite: bool) -> Image:
    """What `draw` draws, also written to `path` if given; it is not drawn where it could not be. Raises FileError."""
    if path is None:
        return draw()
    with atomic_path(path, overwrite=overwrite) as beside:
        image = draw()
        _write_png(beside, image)
    return image


def _write_png(path: Path, image: Image) -> None:
    """The image as a .png that says who made it."""
    from PIL import Image as Pillow
    from PIL.PngImagePlugin import PngInfo

    note = PngInfo()
    note.add_text("Software", made_by())
    Pillow.fromarray(image).save(path, format="PNG", pnginfo=note)
