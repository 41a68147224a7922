"""M1–M3: markers whose truth is known, real recordings, key points."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

import posable
from benchmarks.motion.goal import Files, Row, Skipped, loop, mannequin, short
from posable.motion.markers import Attachment, Attachments, Markers, fit_markers

LAYOUT = {
    "head": 4, "chest": 4, "hips": 4, "spine": 1, "upper_arm_l": 2, "upper_arm_r": 2, "lower_arm_l": 2,
    "lower_arm_r": 2, "hand_l": 3, "hand_r": 3, "upper_leg_l": 2, "upper_leg_r": 2, "lower_leg_l": 2, "lower_leg_r": 2,
    "foot_l": 3, "foot_r": 3,
}  # fmt: skip
RECORDINGS = (
    "markers/Sample_Static.c3d", "markers/walkingOptiTrack.c3d", "markers/sample_propulsion.c3d",
    "markers/sample_probing_acromion_R.c3d",
)  # fmt: skip
_MOST = 200  # frames of each


def synthetic(files: Files) -> Iterable[Row]:
    """M1: 41 markers on the skin of a walking figure; the fit may change its lengths."""
    del files
    clip = loop("human", 4, 30.0)
    table = _on_the_skin()
    exact = _positions(clip, table)
    noisy = exact + 0.005 * np.random.default_rng(0).standard_normal(exact.shape)
    for what, positions, far, turn in (("", exact, 1e-4, 0.05), (" with 5 mm of noise", noisy, 5e-3, 1.5)):
        found = fit_markers(mannequin(), Markers(tuple(table), positions, 30.0, up="y"), table)
        away, angle = _errors(clip, found.clip, table)
        words = f"{1000 * away:.2g} mm, {angle:.2g}°"
        aim = f"{1000 * far:g} mm, {turn:g}°"
        yield Row(f"{len(table)} markers{what}: joints, rms", aim, words, away <= far and angle <= turn)


def recorded(files: Files) -> Iterable[Row]:
    """M2: on the mannequin, its lengths and the markers' offsets found."""
    for name in RECORDINGS:
        markers = posable.load_markers(files.path(name))
        every = max(len(markers) // _MOST, 1)
        markers = Markers(markers.labels, markers.positions[::every], markers.fps / every, markers.up, markers.name)
        try:
            found = fit_markers(mannequin(), markers)
        except posable.PosableError as problem:
            yield Row(f"{short(name)}", "≤ 1.5 cm rms, 4 cm max", f"refused: {str(problem)[:110]}", False)
            continue
        strays = found.strays.sum() / max(markers.only(found.labels).seen.sum(), 1)
        words = f"{100 * found.rms:.2f} cm, {100 * found.largest:.1f} cm; {100 * strays:.1f} % strays left out"
        good = found.rms <= 0.015 and found.largest <= 0.04
        what = f"{short(name)}, {len(found.labels)} of {len(markers.labels)} labels"
        yield Row(what, "≤ 1.5 cm rms, 4 cm max", words, good)


def key_points(files: Files) -> Iterable[Row]:
    """M3."""
    del files
    import posable.motion.markers as package

    if not hasattr(package, "pose_from_points"):
        raise Skipped("key points to rotations are not there yet")
    clip = loop("human", 4, 30.0)
    points, names = clip.poses.origins, clip.skeleton.joints
    found = package.pose_from_points(mannequin(), points, names)
    poses = found.poses if isinstance(found, posable.Clip) else found
    off = float(np.linalg.norm(poses.origins - points, axis=2).max())
    a = poses.world_from_joint[..., :3, :3]
    both = np.swapaxes(a[:-1], -1, -2) @ a[1:]
    jump = float(np.degrees(np.arccos(np.clip((np.trace(both, axis1=-2, axis2=-1) - 1) / 2, -1, 1))).max())
    good = off <= 1e-3 and jump <= 30
    yield Row(
        "key points there and back; largest turn a frame", "≤ 1 mm, ≤ 30°", f"{1000 * off:.2g} mm, {jump:.0f}°", good
    )


def _on_the_skin() -> Attachments:
    """Markers on vertices far apart from one another, carried by the joint that moves them most."""
    figure, rest = mannequin(), mannequin().rest
    found = posable.roles(figure)
    skin = figure.skins[0]
    places = np.asarray(skin.deform(rest), float)
    owners = np.take_along_axis(skin.joints, skin.weights.argmax(axis=1)[:, None], 1)[:, 0]
    table = {}
    for role, count in LAYOUT.items():
        joint = found.index(role)
        own = places[owners == joint]
        frame = rest.world_from_joint[joint]
        for number, place in enumerate(_far_apart(own, count)):
            x, y, z = (frame[:3, :3].T @ (place - frame[:3, 3])).tolist()
            table[f"{role}{number}"] = Attachment(found[role], (x, y, z))
    return Attachments(table)


def _far_apart(points: np.ndarray, count: int) -> np.ndarray:
    chosen = [points[np.argmax(points @ np.array([1.0, 0.4, 0.2]))]]
    while len(chosen) < count:
        away = np.min([np.linalg.norm(points - one, axis=1) for one in chosen], axis=0)
        chosen.append(points[np.argmax(away)])
    return np.array(chosen)


def _positions(clip: posable.Clip, table: Attachments) -> np.ndarray:
    index = [clip.skeleton.index(one.joint) for one in table.values()]
    offsets = np.array([one.offset for one in table.values()])
    frames = clip.poses.world_from_joint[:, index]
    return (frames[..., :3, :3] @ offsets[..., None])[..., 0] + frames[..., :3, 3]


def _errors(truth: posable.Clip, found: posable.Clip, table: Attachments) -> tuple[float, float]:
    """Root mean square (metres, degrees) over frames and the joints that carry markers."""
    index = sorted({truth.skeleton.index(one.joint) for one in table.values()})
    a, b = (clip.poses.world_from_joint[:, index] for clip in (truth, found))
    away = np.linalg.norm(a[..., :3, 3] - b[..., :3, 3], axis=-1)
    both = np.swapaxes(a[..., :3, :3], -1, -2) @ b[..., :3, :3]
    skew = np.stack([both[..., i, j] - both[..., j, i] for i, j in ((2, 1), (0, 2), (1, 0))], axis=-1)
    turns = np.arctan2(np.linalg.norm(skew, axis=-1), np.trace(both, axis1=-2, axis2=-1) - 1)
    return float(np.sqrt(np.mean(away**2))), float(np.degrees(np.sqrt(np.mean(turns**2))))
