"""Makes the pictures of docs/skins.md and docs/fitting.md: `python docs/make_skin_pictures.py`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

import posable
import posable.view
from posable.view.sheet import captioned, in_rows

IMAGES = Path(__file__).parent / "images"
BLENDS = ("linear", "dual_quaternion", "center_of_rotation", "delta_mush")


def main() -> None:
    """The blends side by side, a proof sheet, fitted skeletons."""
    blends()
    sheet()
    fitted()


def blends() -> None:
    """A round bar bent by 100° in its middle, and twisted by half a turn, by every blend."""
    skeleton = posable.Skeleton([posable.Joint("low", "ball", None), posable.Joint("high", "ball", "low", (0, 1, 0))])
    skin = bar(skeleton)
    figure = posable.Figure(skeleton, "bar", (skin,))
    bent = figure.rest.with_joint("high", (np.cos(0.87), 0, 0, np.sin(0.87)))
    twisted = figure.rest.with_joint("high", (np.cos(1.56), 0, np.sin(1.56), 0))
    images = [
        captioned(
            posable.picture(figure, pose, size=(300, 360), camera="front", skeleton=False, blend=blend),
            blend.replace("_", " "),
        )
        for pose in (bent, twisted)
        for blend in BLENDS
    ]
    Image.fromarray(in_rows(images, len(BLENDS))).save(IMAGES / "skin_blends.png", optimize=True)


def bar(skeleton: posable.Skeleton, rows: int = 81, around: int = 48) -> posable.Skin:
    """A bar of radius 0.22 from y = 0 to y = 2, its weights passing over from one joint to the other around y = 1."""
    angles, up = 2 * np.pi * np.arange(around) / around, np.linspace(0, 2, rows)
    ring = 0.22 * np.stack([np.cos(angles), 0 * angles, np.sin(angles)], axis=1)
    places = (ring + up[:, None, None] * [0, 1, 0]).reshape(-1, 3)
    number = np.arange(rows * around).reshape(rows, around)
    a, b = number[:-1], number[1:]
    c, d = np.roll(b, -1, axis=1), np.roll(a, -1, axis=1)
    faces = np.concatenate([np.stack(t, axis=-1).reshape(-1, 3) for t in ((a, b, c), (a, c, d))])
    share = np.clip((places[:, 1] - 1) / 0.5 + 0.5, 0, 1)
    stripes = np.where((np.arange(len(places)) % around // 6 % 2 == 0)[:, None], (0.85, 0.5, 0.25), (0.95, 0.9, 0.8))
    bind = np.linalg.inv(posable.Pose(skeleton, skeleton.rest_coordinates).world_from_joint)
    joints, weights = np.tile([0, 1], (len(places), 1)), np.stack([1 - share, share], axis=1)
    return posable.Skin(skeleton, places, faces, joints, weights, bind, stripes)


def sheet() -> None:
    """The mannequin's surface bound anew."""
    body = posable.figure("mannequin")
    skin = posable.bind(body.skins[0], body.skeleton, influences=4)
    figure = posable.Figure(body.skeleton, "statue", (skin,))
    joints = ["spine", "upper_arm_l", "forearm_l", "thigh_l", "shin_l"]
    image = posable.view.binding_sheet(figure, joints=joints, size=(240, 240))
    Image.fromarray(image).save(IMAGES / "skin_sheet.png", optimize=True)


def fitted() -> None:
    """Skeletons found in the bare surfaces of the mannequin, of a dwarf and a giant made of it, and of the snake."""
    surface = posable.Mesh.of(posable.figure("mannequin").skins[0])
    shown = {
        "as it is": (stretched(surface, 1.0, 1.0), "biped"),
        "short legs, large head": (stretched(surface, 0.55, 2.2), "biped"),
        "long legs, small head": (stretched(surface, 1.4, 0.8), "biped"),
        "snake": (posable.Mesh.of(posable.figure("snake").skins[0]), "chain"),
    }
    images = []
    for name, (mesh, template) in shown.items():
        skeleton = posable.fit_skeleton(mesh, template)
        figure = posable.Figure(skeleton, name, (posable.bind(mesh, skeleton),))
        camera = "front" if template == "biped" else "three_quarter"
        images.append(captioned(posable.picture(figure, size=(300, 360), camera=camera), name))
    Image.fromarray(in_rows(images, len(images))).save(IMAGES / "fitted.png", optimize=True)


def stretched(mesh: posable.Mesh, legs: float, head: float) -> posable.Mesh:
    """The mannequin's surface with its legs so many times longer and its head so many times larger."""
    neck, hip = np.array([0.0, 1.52, 0.0]), 0.9
    near = np.clip((mesh.vertices[:, 1] - 1.5) / 0.08, 0, 1) * (np.abs(mesh.vertices[:, 0]) < 0.15)
    places = neck + (mesh.vertices - neck) * (1 + (head - 1) * near)[:, None]
    places[:, 1] = np.where(places[:, 1] < hip, legs * places[:, 1], places[:, 1] + (legs - 1) * hip)
    return posable.Mesh(places, mesh.faces)


if __name__ == "__main__":
    main()
