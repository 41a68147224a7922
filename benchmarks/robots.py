"""Recordings on humanoid robots, beside the schemes that robot people use, in one run; writes `benchmarks/ROBOTS.md`.

    python -m benchmarks.robots [--data FOLDER] [--peers-folder FOLDER] [--no-install] [--clips N] [--frames N]

Peers run in environments of their own, single-threaded, and times are processor time. All get the same robots, the
same recordings, and the same parts matched; what posable finds for the peers (which body follows which part, how it
is turned at rest, how long limbs are) is theirs before the clock starts. `benchmarks/robot_judge.py` says what is
measured.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import posable
from benchmarks.robot_judge import AIMS, Judge, Measures, mean_of
from benchmarks.solver.environments import OURS, PEERS, ROOT, Environments, MissingPeerError
from benchmarks.solver.table import machine
from posable.motion.feet.contact_detection import contacts
from posable.motion.feet.sole_shapes import soles
from posable.motion.transfer.measured import ARM, LEG, Body, believable, heights
from posable.motion.transfer.target_rotations import foot_leans, target_rotations_of
from posable.spatial import Array

ROBOTS = ("g1_29dof_rev_1_0.urdf", "h1.urdf")
FOLDERS = ("mocap", "mocap_cmu")
FPS, LONGEST, SHORT = 30.0, 240, 30
SIDED = (*LEG, *ARM)
PARTS = ("hips", "chest", *(f"{part}_{side}" for part in SIDED for side in "lr"))
GMR, UNLIMITED, HOLOSOMA = "GMR's scheme", "GMR's scheme, no speed limit", "holosoma"


def recording(path: Path, most: int = LONGEST) -> posable.Clip:
    """The motion of a file without its first frame, which often is a T-pose, at 30 frames a second, cut."""
    clip = posable.load(path).clips[0]
    clip = replace(clip, q=clip.q[1:]).resample(FPS)
    return replace(clip, q=clip.q[:most], events=())


@dataclass(frozen=True)
class Question:
    """A robot and recordings, as they are put to everyone."""

    robot: Path
    figure: posable.Figure
    paths: Sequence[Path]
    clips: Sequence[posable.Clip]

    def write(self, folder: Path, *, slowly: bool = True) -> Path:
        """The question as a file. slowly: whether GMR's scheme keeps hinges under its speed limit."""
        folder.mkdir(parents=True, exist_ok=True)
        target = Body(self.figure.skeleton, posable.roles(self.figure), soles(self.figure))
        told = [_told(clip, target) for clip in self.clips]
        parts = [part for part in PARTS if all(part in one.turned for one in told)]
        skeleton = self.figure.skeleton
        names = [joint.name for joint in skeleton.definitions if joint.dof == 1]
        follows = [skeleton.joints[target.joints[part]] for part in parts]
        arrays: dict[str, Any] = {
            f"human_{k}": np.stack([one.placed[p] for p in parts], 1) for k, one in enumerate(told)
        }
        arrays |= {f"turned_{k}": np.stack([one.turned[p] for p in parts], 1) for k, one in enumerate(told)}
        arrays |= {f"toes_{k}": one.toes for k, one in enumerate(told)}
        arrays |= {f"scales_{k}": _scales(parts, one, target) for k, one in enumerate(told)}
        arrays |= {f"offsets_{k}": _offsets(parts, one, target) for k, one in enumerate(told)}
        np.savez(
            folder / "asked.npz", robot=str(self.robot), joints=names, parts=parts, follows=follows,
            recordings=[str(path) for path in self.paths], frames=[len(clip) for clip in self.clips],
            count=len(told), slowly=slowly, **arrays,
        )  # fmt: skip
        return folder / "asked.npz"


@dataclass(frozen=True)
class _Told:
    """A recording as peers get it: role → where parts are and how the robot's are to be turned, z up, ground at 0.

    toes: `[frame, side, 3]` of the left and the right sole. ankle: height of standing ankles.
    """

    source: Body
    placed: dict[str, Array]
    turned: dict[str, Array]
    toes: Array
    ankle: float


def _told(clip: posable.Clip, target: Body) -> _Told:
    touching = believable(clip, contacts(clip))
    source = Body(clip.skeleton, posable.roles(clip.skeleton), touching.soles)
    turns = target_rotations_of(clip, source, target, foot_leans(clip, source, touching))
    every = np.array([heights(clip, touching, row) for row in range(len(touching.soles))])
    ground = float(np.median(every[touching.ball])) if touching.ball.any() else float(every.min())
    turn = target.axes @ source.axes.T

    def moved(places: Array) -> Array:
        return (places - ground * source.roles.up) @ turn.T

    placed = {role: moved(clip.poses.origins[:, joint]) for role, joint in source.joints.items()}
    turned = {role: turns[joint] for role, joint in target.joints.items() if joint in turns and role in placed}
    standing = touching.ball & touching.heel
    ankles = [placed[f"foot_{sole.name[-1]}"][row, 2] for sole, row in zip(touching.soles, standing, strict=True)]
    low = np.concatenate(ankles) if standing.any() else np.array([placed[f"foot_{s}"][:, 2].min() for s in "lr"])
    toes = np.stack([moved(sole.toe_places(clip.poses)) for sole in sorted(touching.soles, key=lambda s: s.name)], 1)
    return _Told(source, placed, turned, toes, float(np.median(low)))


def _scales(parts: Sequence[str], told: _Told, target: Body) -> Array:
    """`[part]`: legs and trunk by the length of legs; arms by the one factor that puts the parts of arms that point as
    the person's at rest nearest to where the robot's then are.
    """
    source = told.source
    legs = (target.limb_length(LEG) or 1.0) / (source.limb_length(LEG) or 1.0)
    own, others = [], []
    for side in "lr":
        roles = [f"{part}_{side}" for part in ARM if f"{part}_{side}" in parts]
        mine, theirs = ([body.position(role) @ body.axes for role in ("hips", *roles)] for body in (target, source))
        at = mine[1] - mine[0] if roles else np.zeros(3)
        for k in range(1, len(roles) + 1):
            if k > 1:
                way = theirs[k] - theirs[k - 1]
                at = at + way * np.linalg.norm(mine[k] - mine[k - 1]) / np.linalg.norm(way)
            own.append(at)
            others.append(theirs[k] - theirs[0])
    arms = float(np.sum(np.multiply(own, others)) / np.sum(np.square(others))) if own else legs
    return np.array([arms if part[:-2] in ARM else legs for part in parts])


def _offsets(parts: Sequence[str], told: _Told, target: Body) -> Array:
    """`[part, 3]` in the parts' own frames, from where a segment begins to the origin of the body that follows it.

    Hips are such that both figures' legs begin at the same places; legs are as far to their side as the robot's wider
    hips put them; feet are lifted by what ankles are higher than the scaled person's.
    """
    found, scales = np.zeros((len(parts), 3)), _scales(parts, told, target)
    legs = [f"upper_leg_{side}" for side in "lr"]
    wide, narrow = (
        float((body.position(legs[0]) - body.position(legs[1])) @ body.roles.left) for body in (target, told.source)
    )
    for k, part in enumerate(parts):
        origin = target.rest[target.joints[part], :3, 3]
        away = origin - target.position(part)
        if part == "hips":
            own = told.source.position(part) - np.mean([told.source.position(leg) for leg in legs], axis=0)
            own = target.axes @ told.source.axes.T @ own
            away = origin - np.mean([target.position(leg) for leg in legs], axis=0) - scales[k] * own
        if part[:-2] == "foot":
            away = (target.ankle_height - scales[k] * told.ankle) * target.roles.up
        if part[:-2] in LEG:
            away = away + (1 if part[-1] == "l" else -1) * 0.5 * (wide - scales[k] * narrow) * target.roles.left
        found[k] = target.rest[target.joints[part], :3, :3].T @ away
    return found


def with_meshes(robot: Path, meshes: Path, folder: Path) -> Path:
    """A copy of a robot's file beside the meshes that it names, as far as they are somewhere below `meshes`."""
    folder.mkdir(parents=True, exist_ok=True)
    own = next((one for one in sorted(meshes.glob("*")) if one.name == robot.stem.split("_")[0]), meshes)
    text = robot.read_text(encoding="utf-8")
    for name in sorted({found.split("/")[-1] for found in re.findall(r'filename="([^"]+)"', text)}):
        for path in sorted(own.rglob(name))[:1]:
            shutil.copy(path, folder / name)
    text = re.sub(r' meshdir="[^"]*"', "", text)
    text = re.sub(r'filename="[^"]*/([^"/]+)"', r'filename="\1"', text)
    (folder / robot.name).write_text(text, encoding="utf-8")
    return folder / robot.name


def _clips(data: Path, count: int, aside: Path | None) -> dict[Path, posable.Clip]:
    """So many recordings of people with two legs, spread over all that there are."""
    left = set(aside.read_text().split()) if aside else set()
    paths = [path for folder in FOLDERS for path in sorted((data / folder).glob("*.bvh"))]
    paths = [path for path in paths if f"{path.parent.name}/{path.name}" not in left]
    found: dict[Path, posable.Clip] = {}
    for start in range(len(paths)):
        for path in paths[start :: max(len(paths) // count, 1)]:
            if path not in found and len(found) < count and len(posable.load(path).clips[0]) > 2 * SHORT:
                clip = recording(path)
                if len(posable.roles(clip.skeleton).legs) == 2:
                    found[path] = clip
        if len(found) >= count:
            break
    return found


def _asked(name: str, question: Question, work: Path, environments: Environments) -> Measures | str:
    """What a method is like on a question, or why it did not run."""
    asked = question.write(work, slowly=name != UNLIMITED)
    try:
        answers = environments.ask(name.split(",")[0], asked, 3000, "our_retargeting")
    except MissingPeerError as missing:
        return str(missing)
    floors = answers.more.get("floors", np.zeros(len(question.clips)))
    ends = np.cumsum([len(clip) for clip in question.clips])
    judge = Judge(question.robot, question.figure)
    measured = [
        judge.measure(source, replace(source, skeleton=question.figure.skeleton, q=q), float(floor))
        for source, q, floor in zip(question.clips, np.split(answers.q, ends[:-1]), floors, strict=True)
    ]
    speed = float(ends[-1] / (answers.microseconds.sum() / 1e6))
    return replace(mean_of(measured), speed=speed, versions=answers.about["versions"])


def _table(title: str, results: dict[str, Measures | str]) -> str:
    names = list(AIMS)
    lines = [f"\n## {title}\n", f"| | {' | '.join(AIMS.values())} |", f"|---|{'---|' * len(names)}"]
    for name, one in results.items():
        cells = [one] if isinstance(one, str) else [f"{getattr(one, key):.3g}" for key in names]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    lines += [f"\n{name}: {one.versions}." for name, one in results.items() if not isinstance(one, str)]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Ask all, and write the table."""
    options = _options()
    environments = Environments(options.peers_folder, not options.no_install)
    chosen = _clips(options.data, options.clips, options.aside)
    text = HEAD.format(
        machine=machine(), load=os.getloadavg()[0], count=len(chosen), names=", ".join(p.stem for p in chosen)
    )
    with tempfile.TemporaryDirectory() as folder:
        for name in ROBOTS:
            robot = with_meshes(options.data / "robots" / name, _meshes(environments), Path(folder) / name)
            figure = posable.load(robot, root="free")
            whole = Question(robot, figure, list(chosen), list(chosen.values()))
            begun = replace(whole, clips=[replace(clip, q=clip.q[: options.frames]) for clip in whole.clips])
            for title, question, methods in (
                (f"{robot.stem}", whole, (OURS, GMR, UNLIMITED)),
                (f"{robot.stem}, the first {options.frames} frames of each", begun, (OURS, GMR, HOLOSOMA)),
            ):
                results = {one: _asked(one, question, Path(folder) / f"{title} {one}", environments) for one in methods}
                text += _table(title, results)
                print(text.rpartition("##")[2], flush=True)
    options.output.write_text(text, encoding="utf-8")


def _meshes(environments: Environments) -> Path:
    """The robots' meshes that holosoma brings; an empty folder without it."""
    own = environments.folder / PEERS[HOLOSOMA].module
    return next(iter(own.glob("lib/python*/site-packages/holosoma_retargeting/models")), own / "none")


HEAD = """# Robots: retargeting beside others

Made by `python -m benchmarks.robots` in one run, one thread each, processor time, load {load:.1f} at the start, on
{machine}.

{count} recordings of people at 30 frames a second, at most 8 s of each: {names}. Everyone reads the same two robots,
with the meshes of holosoma's wheel.

**GMR's scheme** is built here with mink (`benchmarks/peers/gmr.py`), as that repository is in no package registry:
parts scaled from the hips, two passes a frame of position and rotation tasks with its weights, damping, stopping and
speed limit; without the limit besides. Its hand-made tables (scales, offsets, how parts are turned at rest) are found
by posable's roles and rest poses. **holosoma** is the wheel itself with its settings for LAFAN, on the first second
of each recording, as it takes a third of a second a frame. It has no table for an H1, of which it holds meshes and a
URDF alone. With MuJoCo 4.0 its hinges do not move, so it runs with 3.4.

Contacts are the recording's. Depths in the ground are those of the lowest point of a foot's mesh below the ground that
the method states; depths in itself are those of the collision solids of the robot's file, found by MuJoCo, without
pairs that touch at rest. Means over recordings; depths at most and largest steps over all. Hands (elbows, of an H1) and
feet are compared with the recording's from shoulders and hips on, each in lengths of its own limb.
"""


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.robots", description=__doc__)
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "posable-peers"
    parser.add_argument("--data", type=Path, default=(ROOT / "../shared/data").resolve())
    parser.add_argument("--peers-folder", type=Path, default=cache)
    parser.add_argument("--no-install", action="store_true")
    parser.add_argument("--clips", type=int, default=24, help="so many recordings")
    parser.add_argument("--aside", type=Path, help="a text file with those that are left out, such as mocap_cmu/a.bvh")
    parser.add_argument("--frames", type=int, default=SHORT, help="so many of each for holosoma")
    parser.add_argument("--output", type=Path, default=ROOT / "benchmarks/ROBOTS.md")
    return parser.parse_args()


if __name__ == "__main__":
    main()
