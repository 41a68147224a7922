"""G11–G13: walks that live: trunk, arms, head and steps beside recorded people's; knees that do not jerk or snap.

    python -m benchmarks.motion.walks [FIGURE ...] [--gaits human,sad]

prints the same measures of any figures and characters as a table.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import posable
from benchmarks.motion.goal import Files, Row, mannequin
from benchmarks.solver.environments import ROOT
from posable.motion import soles
from posable.motion.gait.anatomy import Body, measure
from posable.motion.gait.from_recording import strides_of
from posable.motion.gait_metrics import jerk_of, knee_bends, leg_curves, limits_broken
from posable.spatial import Array

WALKS = ("mocap/cmu_02_01.bvh", "mocap/cmu_12_01_walk.bvh", "mocap_cmu/07_01.bvh", "mocap_cmu/07_10.bvh",
         "mocap_cmu/08_02.bvh", "mocap_cmu/08_06.bvh", "mocap_cmu/10_04.bvh")  # fmt: skip
"""Natural walks of people, on level ground."""
CHARACTERS = ("CesiumMan", "Knight", "MH_game_engine", "Q_PlatformerHumanoid", "RobotExpressive")
MOST, MOST_ON_STAIRS, MOST_JERK = 1.3, 1.7, 1.2
_FPS = 30.0
_ARM = ("upper_arm", "lower_arm", "hand")


@dataclass(frozen=True)
class Measured:
    """Of one walk on level ground, degrees and shares. trunk: how far it pitches to and fro; elbow: each way; head:
    its rise as a share of the hips', and how much later in degrees of their two rises a stride; steps: how much they
    differ; jerk: of the knees, in strides; wobble: how far the thigh comes forward again as it goes back; curves: off
    the recorded thigh, knee and ankle at the best phase; push_off: the ankle at its lowest, as recorded; step: the
    largest of each joint of a leg, and whether limits are broken.
    """

    trunk: float
    lean: float
    elbow: float
    head: float
    lag: float
    steps: float
    jerk: float
    wobble: float
    curves: dict[str, float]
    push_off: float
    joints: dict[str, float]
    broken: float


def measured(figure: posable.Figure, gait: str, wanted: dict[str, list[float]]) -> Measured:
    """A steady walk of a figure, and one with a start and a stop for how its steps differ."""
    clip = posable.walk(figure, gait, 4, starts=False, stops=False, fps=120.0)
    body, count = measure(figure), (len(clip) - 1) // 2
    own = {part: angles[0, :count] for part, angles in _curves(clip, figure).items()}
    off = {part: _best(angles, wanted[part]) for part, angles in own.items()}
    push = float(own["ankle"].min() - own["ankle"].mean() + np.mean(wanted["ankle"]))
    places = _own(clip, body)
    head, lag = _head(places, body)
    seconds = clip.seconds / 2
    slow = posable.walk(figure, gait, 4, starts=False, stops=False, fps=_FPS)
    steady = posable.walk(figure, gait, 14)
    return Measured(
        *_trunk(places, body), _elbow(places, body), head, lag, _differ(steady, body), _jerk(clip, figure, seconds),
        _wobble(own["thigh"]), off, push, _largest(slow, body), float(limits_broken(slow)[0].mean()),
    )  # fmt: skip


@cache
def recorded_jerk(folder: Path) -> float:
    """The median over recorded walks."""
    found = []
    for name in WALKS:
        figure = Files(folder).figure(name)
        clip = replace(figure.clips[0], q=figure.clips[0].q[2:])
        seconds = strides_of(clip, figure=figure).frames / clip.fps
        found.append(_jerk(clip, figure, seconds))
    return float(np.median(found))


def _jerk(clip: posable.Clip, figure: posable.Figure, seconds: float) -> float:
    """Of the knees at 30 frames a second, whichever of the clip's those are."""
    bends, every = knee_bends(clip, soles(figure)), max(round(clip.fps / _FPS), 1)
    return float(np.mean([np.nanmean(jerk_of(bends[:, k::every], _FPS)) for k in range(every)]) * seconds**3)


def _curves(clip: posable.Clip, figure: posable.Figure) -> dict[str, Array]:
    return leg_curves(clip, soles(figure), posable.roles(figure).forward)


def _best(angles: Array, wanted: list[float]) -> float:
    """Degrees rms off a recorded curve, a constant and the phase left out."""
    at = np.interp(np.arange(100) / 100, np.arange(len(angles)) / len(angles), angles)
    return float(min(np.std(np.roll(at, k) - np.array(wanted[:100])) for k in range(-10, 11)))


def _own(clip: posable.Clip, body: Body) -> Array:
    return (clip.poses.origins - body.origin) @ body.to_body.T / body.length


def _of(places: Array, body: Body, role: str) -> Array:
    return places[:, body.roles.index(role)]


def _trunk(places: Array, body: Body) -> tuple[float, float]:
    """(how far from hips to neck pitches in a stride, how far it leans forward of its rest in the mean), degrees."""
    top = "neck" if "neck" in body.roles else "head"
    line = _of(places, body, top) - _of(places, body, "hips")
    rest = body.rest_positions[body.roles.index(top)] - body.rest_positions[body.roles.index("hips")]
    pitch = np.degrees(np.arctan2(line[:, 2], line[:, 1]) - np.arctan2(rest[2], rest[1]))
    return float(np.ptp(pitch)), float(pitch.mean())


def _elbow(places: Array, body: Body) -> float:
    found = []
    for side in "lr":
        if all(f"{part}_{side}" in body.roles for part in _ARM):
            shoulder, elbow, hand = (_of(places, body, f"{part}_{side}") for part in _ARM)
            a, b = elbow - shoulder, hand - elbow
            cosine = (a * b).sum(axis=1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)
            found.append(float(np.ptp(np.degrees(np.arccos(np.clip(cosine, -1, 1))))))
    return float(np.mean(found)) if found else float("nan")


def _head(places: Array, body: Body) -> tuple[float, float]:
    waves = [
        np.fft.rfft(_of(places, body, role)[:-1, 1])[4] for role in ("hips", "head")
    ]  # two strides, two rises each
    return float(np.abs(waves[1]) / np.abs(waves[0])), float(np.degrees(np.angle(waves[0] / waves[1])))


def _differ(clip: posable.Clip, body: Body) -> float:
    """Standard deviation of the lengths of the steps in the middle of a walk, as a share of their mean."""
    gap = (_of(_own(clip, body), body, "foot_l") - _of(_own(clip, body), body, "foot_r"))[:, 2]
    turns = [k for k in range(1, len(gap) - 1) if abs(gap[k]) > max(abs(gap[k - 1]), abs(gap[k + 1]), 0.1)]
    lengths = np.abs(gap[turns])[2:-2]
    return float(np.std(lengths) / np.mean(lengths)) if len(lengths) > 2 else float("nan")


def _wobble(thigh: Array) -> float:
    """Degrees that a thigh comes forward in a stride beyond going forth once."""
    return float(np.maximum(np.diff(thigh, append=thigh[:1]), 0.0).sum() - np.ptp(thigh))


def _largest(clip: posable.Clip, body: Body) -> dict[str, float]:
    """Degrees that hip, knee and ankle turn at most from one frame to the next."""
    local = np.linalg.inv(clip.poses.world_from_joint[:, body.skeleton.parents, :3, :3])
    local = local @ clip.poses.world_from_joint[:, :, :3, :3]
    found: dict[str, float] = dict.fromkeys(("hip", "knee", "ankle"), 0.0)
    for leg in body.legs:
        for part, joint in zip(found, (leg.joints[0], leg.joints[-1], leg.foot), strict=True):
            turn = np.swapaxes(local[:-1, joint], 1, 2) @ local[1:, joint]
            cosine = (np.trace(turn, axis1=1, axis2=2) - 1) / 2
            found[part] = max(found[part], float(np.degrees(np.arccos(np.clip(cosine, -1, 1))).max()))
    return found


def grounds(leg: float) -> Iterator[tuple[str, dict[str, Any]]]:
    """Slopes, paths and stairs for a leg, as arguments of a walk."""
    for degrees in (5, 10, -5, -10):
        yield (
            f"{'up' if degrees > 0 else 'down'} {abs(degrees)}°",
            {"steps": 8, "terrain": posable.Terrain.slope(degrees)},
        )
    turns = np.linspace(0, 2 * np.pi, 9)
    for radius in (1.2, 0.7):
        circle = radius * leg * np.stack([1 - np.cos(turns), np.sin(turns)], axis=1)
        yield f"circle of {radius:g} legs", {"path": circle}
    yield "tight path", {"path": np.array([[0, 0], [0.6, 0.6], [0, 1.2], [-0.6, 0.6], [0, 0]]) * leg / 0.9}
    yield "winding path", {"path": np.array([[0, 0], [0.5, 1.5], [2, 3], [4, 3.2]]) * leg}
    for rise in (0.18, -0.18):
        stairs = posable.Terrain.stairs(rise * leg, 0.34 * leg, 6, start=(0, 0, 0.8 * leg))
        yield f"stairs {'up' if rise > 0 else 'down'}", {"steps": 8, "terrain": stairs}


def snaps(figure: posable.Figure, gait: str) -> dict[str, tuple[float, float]]:
    """Ground → (how many times the level walk's largest step a leg's joints turn, share of frames outside limits)."""
    body = measure(figure)
    level = max(_largest(posable.walk(figure, gait, 4, starts=False, stops=False), body).values())
    found = {}
    for ground, how in grounds(body.length):
        clip = posable.walk(figure, gait, **how)
        found[ground] = max(_largest(clip, body).values()) / level, float(limits_broken(clip)[0].mean())
    return found


def _wanted(files: Files) -> dict[str, list[float]]:
    return json.loads(files.path("reference/gait_curves.json").read_text())


def lives(files: Files) -> Iterable[Row]:
    """G11: trunk, elbows, head and steps of a person."""
    own = measured(mannequin(), "human", _wanted(files))
    yield Row("trunk pitches to and fro", "4–8°", f"{own.trunk:.1f}°", 4 <= own.trunk <= 8, "3.7–7°")
    yield Row("elbows bend and stretch", "17–60°", f"{own.elbow:.0f}°", 17 <= own.elbow <= 60, "24–80°")
    good = own.head < 0.97 and own.lag > 0
    yield Row("rise of the head", "less and later than the hips'", f"× {own.head:.2f}, {own.lag:.0f}° later", good)
    yield Row("steps differ", "1–4 % of their length", f"{100 * own.steps:.1f} %", 0.01 <= own.steps <= 0.04)
    yield Row("thigh forward again in late swing", "≤ 1°", f"{own.wobble:.1f}°", own.wobble <= 1)
    yield Row("ankle as the foot pushes off", "-23…-17°", f"{own.push_off:.0f}°", -23 <= own.push_off <= -17, "-20°")


def jerk(files: Files) -> Iterable[Row]:
    """G12."""
    recorded, wanted = recorded_jerk(files.folder), _wanted(files)
    for gait in ("human", "proud", "sad", "tired"):
        own = measured(mannequin(), gait, wanted).jerk / recorded
        yield Row(f"knee jerk, {gait}", f"≤ × {MOST_JERK:g}", f"× {own:.2f}", own <= MOST_JERK)


def steps_of_joints(files: Files) -> Iterable[Row]:
    """G13: on slopes, paths and stairs, beside the level walk."""
    figures = {"mannequin": mannequin(), "Knight": files.figure("characters/Knight.glb")}
    for name, figure in figures.items():
        for ground, (times, broken) in snaps(figure, "human").items():
            most = MOST_ON_STAIRS if "stairs" in ground else MOST
            reached = f"× {times:.2f}, {100 * broken:.0f} %"
            aim = f"≤ × {most:g} the level walk's, none outside limits"
            yield Row(f"largest turn a frame, {name} {ground}", aim, reached, times <= most and broken == 0)


def _table(figures: Iterable[tuple[str, posable.Figure]], gaits: Iterable[str], files: Files) -> Iterator[str]:
    wanted, recorded = _wanted(files), recorded_jerk(files.folder)
    yield "| figure | gait | trunk ±, lean | elbow | head rise, lag | steps differ | knee jerk | wobble | thigh, knee, "
    yield "ankle rms | push-off | largest turn hip, knee, ankle | worst slope or path | worst stairs | outside limits |"
    yield "\n"
    yield f"|{'---|' * 13}\n"
    for (name, figure), gait in ((one, gait) for one in figures for gait in gaits):
        own, grounds_ = measured(figure, gait, wanted), snaps(figure, gait)
        stairs = {name: times for name, (times, _) in grounds_.items() if "stairs" in name}
        others = {name: times for name, (times, _) in grounds_.items() if "stairs" not in name}
        worst = [max(one, key=one.__getitem__) for one in (others, stairs)]
        outside = max(own.broken, *(broken for _, broken in grounds_.values()))
        yield (
            f"| {name} | {gait} | {own.trunk:.1f}°, {own.lean:.1f}° | {own.elbow:.0f}° "
            f"| × {own.head:.2f}, {own.lag:.0f}° | {100 * own.steps:.1f} % "
            f"| × {own.jerk / recorded:.2f} | {own.wobble:.1f}° "
            f"| {', '.join(f'{angle:.1f}°' for angle in own.curves.values())} | {own.push_off:.0f}° "
            f"| {', '.join(f'{angle:.0f}°' for angle in own.joints.values())} | × {others[worst[0]]:.2f} {worst[0]} "
            f"| × {stairs[worst[1]]:.2f} {worst[1]} | {100 * outside:.1f} % |\n"
        )


def main() -> None:
    """Measure the figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.motion.walks", description=__doc__)
    parser.add_argument("figures", nargs="*", type=Path, help="files; by default the mannequin and five characters")
    parser.add_argument("--gaits", default="human", help="some of posable walk --list, with commas")
    parser.add_argument("--data", type=Path, default=(ROOT / "../shared/data").resolve())
    options = parser.parse_args()
    paths = options.figures or [options.data / f"characters/{name}.glb" for name in CHARACTERS]
    figures = [*(() if options.figures else (("mannequin", mannequin()),)), *((p.stem, posable.load(p)) for p in paths)]
    for line in _table(figures, options.gaits.split(","), Files(options.data)):
        print(line, end="", flush=True)


if __name__ == "__main__":
    main()
