"""Retargeting of many recordings to every humanoid: what runs, what is refused and why, and how good the results are.

    python -m benchmarks.motion.humanoids [FOLDER …] [--data FOLDER] [--only WORD] [--aside FILE] [--clips N]

Figures are those of `characters`, `rigs` and `robots` in the data, and all URDF, MJCF and glTF files of further
FOLDERs. Recordings are a sample of `mocap` and `mocap_cmu`. Nothing is measured with what retargeting itself believes
but for the contacts of the source: soles are the lowest points of the foot's own skin, shapes or links. Lengths are for
a leg of 0.88 m. Writes `benchmarks/RETARGETING.md`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull, QhullError

import posable
from benchmarks.solver.environments import ROOT
from posable.figures.shapes import solid_of
from posable.motion import Retargeting, retargeting
from posable.motion.feet.contact_detection import runs
from posable.motion.gait_metrics import limits_broken, self_penetration
from posable.motion.transfer.collision_pairs import bodies
from posable.motion.transfer.measured import Body
from posable.skeleton import Pose, joints_below
from posable.spatial import matrix_from_wxyz, wxyz_from_rotation_vector

Array = NDArray[np.float64]
FIGURES, RECORDINGS = ("characters", "rigs", "robots"), ("mocap", "mocap_cmu")
SUFFIXES = (".glb", ".gltf", ".vrm", ".urdf", ".xml")
PARTS = {
    "trunk": [("upper_leg", "upper_arm")],
    "arms": [("upper_arm", "lower_arm"), ("lower_arm", "hand")],
    "legs": [("upper_leg", "lower_leg"), ("lower_leg", "foot")],
}
AIMS = {"trunk": 5.0, "arms": 5.0, "legs": 5.0, "slide": 0.5, "ground": 0.3, "pops": 0, "broken": 0, "inside": 5.0}
_HUMAN, _FPS, _LONGEST = 0.88, 30.0, 8.0
_POP, _MIDDLE = 3.0, 0.8


@dataclass(frozen=True)
class Measured:
    """One recording on one figure.

    Args:
        trunk: Degrees between the directions in source and result, their mean over frames; so are arms and legs.
        arms: See trunk.
        legs: See trunk.
        slide: cm/s, the mean over contacts of the horizontal speed of the lowest point of the sole.
        heights: cm `[frame]` over the world's origin of the lowest point of standing soles; empty off level ground.
        pops: Steps of a joint larger than three times the source's largest.
        broken: Frames outside limits.
        inside: mm by which bodies are deeper in one another than in the source.
    """

    trunk: float
    arms: float
    legs: float
    slide: float
    heights: Array
    pops: int
    broken: int
    inside: float


def measured(clip: posable.Clip, figure: posable.Figure, found: Retargeting) -> Measured:
    """What one result is like."""
    scale = found.target.leg_length / _HUMAN
    off = {part: _direction_error(clip, found, pairs) for part, pairs in PARTS.items()}
    slides, heights = _soles(figure, found, scale)
    inside = [_inside(one, own) for one, own in ((clip, clip.skeleton), (found.clip, _bodied(figure)))]
    unit = 1000 / scale
    source = np.nan_to_num(inside[0]) * 1000 / (found.source.leg_length / _HUMAN)
    return Measured(
        **off, slide=slides, heights=heights, pops=pops(clip, found.clip),
        broken=int(limits_broken(found.clip)[0].sum()), inside=float(np.nan_to_num(inside[1]) * unit - source),
    )  # fmt: skip


def _direction_error(clip: posable.Clip, found: Retargeting, pairs: Sequence[tuple[str, str]]) -> float:
    """Degrees between the bones' directions in both figures' own axes, the mean over bones and frames."""
    angles = []
    for start, end in pairs:
        for sides in ("lr",) if start == "upper_leg" and end == "upper_arm" else ("l", "r"):
            ways = [_way(c, body, start, end, sides) for c, body in ((clip, found.source), (found.clip, found.target))]
            if found.note and ways[0] is not None:  # half bodies do not turn
                ways[0] = (_turned_back(clip, found.source) @ ways[0][..., None])[..., 0]
            if ways[0] is not None and ways[1] is not None:
                angles.append(np.degrees(np.arccos(np.clip(np.sum(ways[0] * ways[1], axis=1), -1, 1))))
    return float(np.mean(angles)) if angles else float("nan")


def _turned_back(clip: posable.Clip, body: Body) -> Array:
    """`[frame, 3, 3]` in the figure's axes, about its vertical: from the way that its hips face to that at rest."""
    hips = body.joints["hips"]
    faces = clip.poses.world_from_joint[:, hips, :3, :3] @ body.rest[hips, :3, :3].T @ body.axes[:, 2] @ body.axes
    yaw = np.arctan2(faces[:, 0], faces[:, 2])
    return matrix_from_wxyz(wxyz_from_rotation_vector(-yaw[:, None] * [0.0, 1.0, 0.0]))


def _way(clip: posable.Clip, body: Body, start: str, end: str, sides: str) -> Array | None:
    """`[frame, 3]` unit vectors from one role to another in the figure's axes, from and to the middle of both sides.

    A forearm without a hand ends where its body does.
    """
    roles = [(f"{start}_{side}", f"{end}_{side}") for side in sides]
    if start == "lower_arm" and roles[0][1] not in body.joints:
        along = body.forearm(sides)
        if along is None:
            return None
        joint = body.joints[roles[0][0]]
        turned = clip.poses.world_from_joint[:, joint, :3, :3] @ body.rest[joint, :3, :3].T
        return turned @ along @ body.axes
    if not all(role in body.joints for pair in roles for role in pair):
        return None
    way = np.sum([body.positions(clip.poses, b) - body.positions(clip.poses, a) for a, b in roles], axis=0) @ body.axes
    return way / np.maximum(np.linalg.norm(way, axis=1), 1e-12)[:, None]


def _soles(figure: posable.Figure, found: Retargeting, scale: float) -> tuple[float, Array]:
    """(the mean slide cm/s, heights cm of standing soles) by the lowest points of the feet."""
    up = "xyz".index(figure.skeleton.up)
    slides, heights = [], []
    level = all(foot.under is None or np.ptp(foot.under) < 1e-9 for foot in found.feet)
    for foot, touches in zip(found.contacts.soles, found.contacts.any, strict=True):
        role = f"foot_{foot.name[-1]}"
        if role not in found.target.joints:
            continue
        points = foot_points(figure, found.clip.poses, found.target.joints[role])
        lowest = points[..., up].argmin(axis=1)
        at = np.arange(len(points) - 1)
        moved = np.delete(points[at + 1, lowest[:-1]] - points[at, lowest[:-1]], up, axis=1)
        speed = np.linalg.norm(moved, axis=1) * found.clip.fps
        for start, end in runs(touches):
            cut = round(0.5 * (1 - _MIDDLE) * (end - start))
            slides.append(speed[start + cut : max(end - cut - 1, start + cut)])
            heights.append(points[start + cut : end - cut, :, up].min(axis=1))
    slide = float(100 * np.concatenate(slides).mean() / scale) if slides and sum(map(len, slides)) else 0.0
    return slide, 100 * np.concatenate(heights) / scale if heights and level else np.zeros(0)


def foot_points(figure: posable.Figure, poses: Pose, foot: int) -> Array:
    """`[frame, point, 3]` of the skin that follows a foot and what is below, and its shapes; else its tips or links."""
    skeleton, world = figure.skeleton, poses.world_from_joint
    below = joints_below(skeleton, foot)
    places = []
    for skin in figure.skins:
        leading = np.take_along_axis(skin.joints, skin.weights.argmax(axis=1)[:, None], 1)[:, 0]
        rest = np.concatenate([skin.vertices, np.ones((len(skin.vertices), 1))], axis=1)
        own = _lowest_of(skin, np.flatnonzero(np.isin(leading, below)), leading.astype(np.intp))
        blended = np.zeros((len(world), len(own), 3))
        for k in range(skin.joints.shape[1]):
            bones = skin.joints[own, k]
            bound = np.einsum("vij,vj->vi", skin.inverse_bind[bones], rest[own])
            for bone in np.unique(bones):
                at = bones == bone
                blended[:, at] += skin.weights[own[at], k, None] * (bound[at] @ world[:, bone, :3].swapaxes(1, 2))
        places.append(blended)
    for shape in figure.shapes:
        joint = skeleton.index(shape.joint)
        if joint in below:
            solid = solid_of(shape)[0] @ matrix_from_wxyz(np.array(shape.wxyz)).T + shape.position
            places.append(solid @ world[:, joint, :3, :3].swapaxes(1, 2) + world[:, joint, None, :3, 3])
    if not places or not sum(one.shape[1] for one in places):
        tips = [(j, np.array(tip)) for j in below for tip in (*skeleton.definitions[j].tips, (0.0, 0.0, 0.0))]
        tips = [(j, tip) for j, tip in tips if tip.any()] or tips
        places = [(world[:, j, :3, :3] @ tip + world[:, j, :3, 3])[:, None] for j, tip in tips]
    return np.concatenate(places, axis=1)


def _lowest_of(skin: posable.Skin, own: NDArray[np.intp], leading: NDArray[np.intp]) -> NDArray[np.intp]:
    """The vertices among `own` of which one can be the lowest: corners of the hulls of what follows one joint alone,
    and of the rest, where they are many, a sample. A sample of a flat rigid sole would tell the slide of a point that
    does not touch the ground.
    """
    rigid = skin.weights[own].max(axis=1, initial=0.0) > 1 - 1e-6
    blended = own[~rigid]
    found = [blended[:: max(len(blended) // 3000, 1)]]
    for joint in np.unique(leading[own[rigid]]):
        part = own[rigid & (leading[own] == joint)]
        with suppress(QhullError, ValueError):  # too few, or in one plane: all of them
            part = part[ConvexHull(skin.vertices[part].astype(float)).vertices]
        found.append(part)
    return np.concatenate(found)


def pops(source: posable.Clip, result: posable.Clip) -> int:
    """Steps of joints from frame to frame that are larger than three times the largest of the source."""
    return int((steps(result) > _POP * steps(source).max(initial=0.0)).sum())


def steps(clip: posable.Clip) -> Array:
    """`[frame, joint]` how far joints turn from one frame to the next, in radians; slides and the root left out."""
    skeleton, moved = clip.skeleton, clip.poses[1:].minus(clip.poses[:-1])
    own = [
        [k for k in skeleton.freedom_range(j) if not skeleton.slides[k]]
        for j in range(len(skeleton.joints))
        if not skeleton.definitions[j].travels
    ]
    return np.stack([np.linalg.norm(moved[:, one], axis=1) for one in own if one], axis=1)


@cache
def _bodied(figure: posable.Figure) -> posable.Skeleton:
    """With capsules, but of what hands hold: the source holds nothing."""
    return bodies(figure)


def _inside(clip: posable.Clip, skeleton: posable.Skeleton) -> float:
    try:
        return float(self_penetration(posable.Clip(skeleton, clip.q, clip.fps)).max())
    except posable.GoalError:  # no two bodies can meet
        return 0.0


# Which figures and recordings, and the table.


def _files(folders: Sequence[Path], options: argparse.Namespace, suffixes: Sequence[str]) -> Iterator[Path]:
    aside = set(options.aside.read_text().split()) if options.aside else set()
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            inside = f"{folder.name}/{path.relative_to(folder)}"
            if path.suffix.lower() in suffixes and inside not in aside:
                yield path


def _recordings(options: argparse.Namespace) -> dict[str, posable.Clip]:
    """A sample of those of two-legged figures, as even as the names of its files, cut to so many seconds."""
    found = {}
    for kind in RECORDINGS:
        files = list(_files([options.data / kind], options, (".bvh",)))
        files = [one for one in files if not options.recording or options.recording in one.name]
        for path in files[:: max(len(files) // max(options.clips // 2, 1), 1)]:
            clip = posable.load(path).clips[0]
            if len(clip) > 2 and len(posable.roles(clip.skeleton).legs) == 2:
                clip = replace(clip, q=clip.q[1:]).resample(_FPS)
                found[f"{kind}/{path.stem}"] = replace(clip, q=clip.q[: round(_LONGEST * _FPS)], events=())
    return found


def _outcome(clip: posable.Clip, figure: posable.Figure) -> Measured | str:
    """What it is like, or the sentence with which it was refused; what is no error of posable's begins with RAW."""
    try:
        return measured(clip, figure, retargeting(clip, figure))
    except posable.PosableError as problem:
        return str(problem)
    except Exception as problem:  # what must never happen is counted, not raised
        return f"RAW {type(problem).__name__}: {problem}"


def _figure(path: Path) -> posable.Figure:
    figure = posable.load(path)
    return figure.with_root("free") if figure.skeleton.definitions[0].kind == "fixed" else figure


HEAD = """# Retargeting to every humanoid

Made by `python -m benchmarks.motion.humanoids`: {clips} recordings on every figure with two legs or with
arms alone (of which trunk, arms and head are moved, seen from the way that the person's hips face); over the recordings
the mean of directions (degrees between bones of source and result) and of slide (cm/s of the sole's lowest point in
contacts), the 98th percentile of how far soles in contact are from one ground for all (cm), the number of pops (a joint
step above three times the source's largest), frames outside limits, and how much deeper bodies are in one another than
in the source at most (mm; what hands hold left out). Lengths are for a leg of 0.88 m. **Bold** misses its aim:
directions 5° (robots 10°), slide 0.5 cm/s, ground 0.3 cm, no pops, no frames outside limits, 5 mm.

| figure | runs | trunk | arms | legs | slide | ground | pops | limits | inside |
|---|---|---|---|---|---|---|---|---|---|
"""


def _line(name: str, runs_: str, results: Sequence[Measured], *, robot: bool) -> str:
    """One row of the table."""
    heights = [one.heights for one in results if len(one.heights)]
    every = np.concatenate(heights) if heights else np.zeros(1)
    numbers = {part: float(np.nanmean([getattr(one, part) for one in results])) for part in (*PARTS, "slide")}
    numbers["ground"] = float(np.percentile(np.abs(every - np.median(every)), 98))
    numbers |= {part: float(sum(getattr(one, part) for one in results)) for part in ("pops", "broken")}
    numbers["inside"] = max(one.inside for one in results)
    cells = []
    for part, aim in AIMS.items():
        text = f"{numbers[part]:.0f}" if part in ("pops", "broken", "inside") else f"{numbers[part]:.2g}"
        cells.append(f"**{text}**" if numbers[part] > aim * (2 if robot and part in PARTS else 1) else text)
    return f"| {name} | {runs_} | {' | '.join(cells)} |\n"


def main() -> None:
    """Retarget all to all, and write the table."""
    options = _options()
    clips = _recordings(options)
    text, refused, counts = HEAD.format(clips=len(clips)), {}, [0, 0]
    for path in _files([*(options.data / kind for kind in FIGURES), *options.folders], options, SUFFIXES):
        if not any(word in path.name for word in options.only.split(",")):
            continue
        try:
            figure = _figure(path)
        except posable.PosableError as problem:
            refused.setdefault(str(problem).removeprefix(path.name), []).append(path.name)
            continue
        outcomes = [_outcome(clip, figure) for clip in clips.values()]
        good = [one for one in outcomes if isinstance(one, Measured)]
        for reason in dict.fromkeys(one for one in outcomes if isinstance(one, str)):
            refused.setdefault(reason, []).append(path.name)
        if good:
            counts = [counts[0] + len(good), counts[1] + len(outcomes)]
            text += _line(path.stem, f"{len(good)} of {len(outcomes)}", good, robot=path.suffix in (".urdf", ".xml"))
            print(text.splitlines()[-1], flush=True)
    text += f"\n{counts[0]} of {counts[1]} run, on figures of which any does. Refused:\n\n"
    text += "".join(f"- {', '.join(dict.fromkeys(names))}: {reason}\n" for reason, names in refused.items())
    options.output.write_text(text, encoding="utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.motion.humanoids", description=__doc__)
    parser.add_argument("folders", type=Path, nargs="*", help="folders of further figures")
    parser.add_argument("--data", type=Path, default=(ROOT / "../shared/data").resolve())
    parser.add_argument("--only", default="", help="words, with commas, one of which is in the names of the figures")
    parser.add_argument("--recording", default="", help="a word in the names of the recordings")
    parser.add_argument("--clips", type=int, default=12, help="so many recordings, about")
    parser.add_argument("--aside", type=Path, help="a text file with those that are left out, such as rigs/a.glb")
    parser.add_argument("--output", type=Path, default=ROOT / "benchmarks/RETARGETING.md")
    return parser.parse_args()


if __name__ == "__main__":
    main()
