"""A person filmed by four calibrated cameras: each by itself against the triangulation of all."""

from __future__ import annotations

import argparse
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import posable
from benchmarks.formats.claims import Row
from benchmarks.motion.goal import Skipped
from posable.formats import video
from posable.motion.key_points.convention_tables import attachments_of
from posable.motion.key_points.point_rows import positions_of

_JOINTS = (11, 12, 13, 14, 15, 16, 23, 24, 25, 26, 27, 28)  # of MediaPipe: shoulders to wrists, hips to ankles
_TRIAL, _ROUNDS, _OFF = "Demo_SinglePerson", 10, 10.0  # px: a point further off than the others say counts less


class Camera(NamedTuple):
    """Pixels = project(matrix @ (rotation @ place + shift)), with radial and tangential distortion."""

    matrix: Any
    rotation: Any
    shift: Any
    distortion: tuple[float, float, float, float]

    def flat(self, pixels: Any) -> Any:
        """Where rays `[..., 2]` of pixels meet the plane ahead by 1, undistorted by fixed-point iteration."""
        told = (pixels - self.matrix[:2, 2]) / np.diag(self.matrix)[:2]
        k1, k2, p1, p2 = self.distortion
        found = told
        for _ in range(8):
            x, y = found[..., 0], found[..., 1]
            r = x * x + y * y
            bent = [2 * p1 * x * y + p2 * (r + 2 * x * x), p1 * (r + 2 * y * y) + 2 * p2 * x * y]
            found = (told - np.stack(bent, axis=-1)) / (1 + k1 * r + k2 * r * r)[..., None]
        return found


def walk(options: argparse.Namespace) -> Iterable[Row]:
    """Joints, aligned in each frame, beside MediaPipe's own landmarks; the pixels of all cameras are the truth."""
    if not (options.film and options.estimator):
        raise Skipped("--film and --estimator name no folder and no Python")
    cameras = _cameras(options.film / _TRIAL / "calibration/Calib.qca.txt")
    command = [options.estimator, "-I", str(Path(video.__file__).with_name("pose_estimator.py"))]
    films = sorted((options.film / _TRIAL / "videos").glob("cam*.mp4"))
    told = [video.key_points_of_video(path, estimator=command) for path in films]
    truth = _triangulated(cameras, told)[:, _JOINTS]
    ours, raw, rates, skates, stretch = [], [], [], [], 0.0
    for points in told:
        posable.from_key_points(points)
        start = time.process_time()
        fit = posable.from_key_points(points)
        rates.append(len(points) / (time.process_time() - start))
        carriers, offsets = attachments_of(fit.figure, fit.used)
        places = positions_of(fit.clip.poses, carriers, offsets)
        seen = np.isfinite(points.positions[:, _JOINTS]).all(axis=(1, 2))  # else the camera shows no person
        ours.append(_error(places[seen][:, [fit.used.index(points.names[k]) for k in _JOINTS]], truth[seen]))
        raw.append(_error(points.positions[seen][:, _JOINTS] * (1, -1, -1), truth[seen]))
        skates.append(posable.motion.foot_metrics(fit.person, figure=fit.figure).skate)
        stretch = max(stretch, _stretch(fit.person))
    each = ", ".join(f"{1000 * one:.0f}" for one in ours)
    mean, share = float(np.mean(ours)), float(np.mean(ours) / np.mean(raw))
    yield Row("film: joints off the triangulation", "≤ 60 mm", f"{1000 * mean:.0f} mm ({each} by camera)", mean <= 0.06)
    yield Row(
        "film: beside MediaPipe's landmarks", "≤ 0.85 ×", f"{share:.2f} × {1000 * np.mean(raw):.0f} mm", share <= 0.85
    )
    yield Row("film: bones change by", "0", f"{1000 * stretch:.1e} mm", stretch < 1e-6)
    yield Row("film: skate", "≤ 1 cm/s", f"{100 * max(skates):.2f} cm/s", max(skates) <= 0.01)
    slowest = min(rates)
    yield Row("film: frames a second", "≥ 300", f"{slowest:.0f} to {max(rates):.0f} by camera", slowest >= 300)


def _stretch(clip: posable.Clip) -> float:
    parents, places = clip.skeleton.parents, clip.poses.origins
    bones = np.flatnonzero(parents >= 0)
    return float(np.ptp(np.linalg.norm(places[:, bones] - places[:, parents[bones]], axis=2), axis=0).max())


def _cameras(path: Path) -> list[Camera]:
    """Of Qualisys' calibration: 64ths of pixels, millimetres, cameras that look along -z."""
    if not path.exists():
        raise Skipped(f"{path} is not there")
    found = []
    for one in ElementTree.parse(path).getroot().iter("camera"):
        inner, placed, seen = (_numbers(one, name) for name in ("intrinsic", "transform", "fov_video"))
        centers = (inner["centerPointU"] / 64 - seen["left"], inner["centerPointV"] / 64 - seen["top"])
        lengths = (inner["focalLengthU"] / 64, inner["focalLengthV"] / 64)
        matrix = np.array([[lengths[0], 0, centers[0]], [0, lengths[1], centers[1]], [0, 0, 1]])
        turn = np.array([[placed[f"r{a}{b}"] for b in (1, 2, 3)] for a in (1, 2, 3)])
        around = np.diag([1.0, -1.0, -1.0])
        place = np.array([placed[axis] for axis in "xyz"]) / 1000
        bent = tuple(inner[f"{kind}Distortion{k}"] for kind in ("radial", "tangental") for k in (1, 2))
        found.append(Camera(matrix, around @ turn, -around @ turn @ place, (bent[0], bent[1], bent[2], bent[3])))
    return found


def _numbers(camera: ElementTree.Element, name: str) -> dict[str, float]:
    element = camera.find(name)
    return {} if element is None else {key: float(value) for key, value in element.attrib.items() if _is_number(value)}


def _is_number(text: str) -> bool:
    return text.lstrip("-").replace(".", "", 1).replace("e-", "", 1).isdigit()


def _triangulated(cameras: Sequence[Camera], told: Sequence[posable.KeyPoints]) -> Any:
    """`[frame, point, 3]` by the linear method, reweighted by how far each camera's pixel is off."""
    flat = np.array([camera.flat(points.image) for camera, points in zip(cameras, told, strict=True)])
    trust = np.array([points.weights for points in told]) * np.isfinite(flat).all(axis=-1)
    flat, weights = np.nan_to_num(flat), trust
    frames = [np.c_[camera.rotation, camera.shift] for camera in cameras]
    places = np.zeros(0)
    for _ in range(_ROUNDS):
        rows = [
            w[..., None] * (own[..., k : k + 1] * frame[2] - frame[k])
            for own, w, frame in zip(flat, weights, frames, strict=True)
            for k in (0, 1)
        ]
        found = np.linalg.svd(np.stack(rows, axis=-2))[2][..., -1, :]
        places = found[..., :3] / found[..., 3:]
        seen = [places @ frame[:, :3].T + frame[:, 3] for frame in frames]
        off = [
            camera.matrix[0, 0] * np.linalg.norm(one[..., :2] / one[..., 2:] - own, axis=-1)
            for one, own, camera in zip(seen, flat, cameras, strict=True)
        ]
        depth = np.maximum(np.array(seen)[..., 2], 0.5)
        weights = trust / (1 + (np.array(off) / _OFF) ** 2) / depth
    return places


def _error(places: Any, truth: Any) -> float:
    """The mean distance after the best rotation and displacement of each frame (Kabsch 1976)."""
    near, wanted = (one - one.mean(axis=1, keepdims=True) for one in (places, truth))
    u, _, vt = np.linalg.svd(np.einsum("fpi,fpj->fij", near, wanted))
    sign = np.ones((len(near), 3))
    sign[:, 2] = np.sign(np.linalg.det(u @ vt))
    turns = np.einsum("fji,fj,fkj->fik", vt, sign, u)
    return float(np.linalg.norm(np.einsum("fij,fpj->fpi", turns, near) - wanted, axis=-1).mean())
