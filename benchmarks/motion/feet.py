"""F1–F5: skating, planting and what it costs, the ground, the detector."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache

import numpy as np

import posable
from benchmarks.motion.goal import RECORDED, UNEVEN, Files, Row, loop, mannequin, short
from posable.figures import scaled
from posable.motion import Terrain, characters, contacts, foot_metrics, motion_change, motion_report
from posable.motion.feet import Planting, plant

PEOPLE = [name for name in characters() if len(posable.Gait.load(name).phases) == 1 and name != "plain"]
"""The plain form pins the tip of the toes, not the ball."""
FORWARD = (0.0, 0.0, 1.0)
GROUNDS = {
    "level": Terrain.plane(0.0),
    "up 30°": Terrain.slope(30, FORWARD),
    "down 20°": Terrain.slope(-20, FORWARD),
    "across 15°": Terrain.slope(15, (1, 0, 0)),
    "stairs of 25 cm": Terrain.stairs(0.25, 0.72, 9, FORWARD, start=(0, 0, 0.4)),
    "stairs down 17 cm": Terrain.stairs(-0.17, 0.72, 9, FORWARD, start=(0, 0, 0.4)),
}
JOG = "mocap/cmu_02_03.bvh"


def generated(files: Files) -> Iterable[Row]:
    """F1."""
    del files
    for name in PEOPLE:
        found = foot_metrics(loop(name), figure=mannequin())
        good = found.skate <= 0.001 and found.drift <= 0.001
        words = f"{100 * found.skate:.2f} cm/s, {1000 * found.drift:.1f} mm (worst {1000 * found.drift_most:.1f})"
        yield Row(f"walk of {name}", "skate ≤ 0.1 cm/s, drift ≤ 1 mm", words, good)


def cleaned(files: Files) -> Iterable[Row]:
    """F2."""
    for name in (*RECORDED, UNEVEN, JOG):
        source, found = _cleaned(files, name)
        before, after = foot_metrics(source), foot_metrics(found)
        raw = f"{100 * before.skate:.1f} cm/s, {1000 * before.drift:.1f} mm"
        words = f"{100 * after.skate:.2f} cm/s, {1000 * after.drift:.1f} mm (worst {1000 * after.drift_most:.1f})"
        good = after.skate <= 0.005 and after.drift <= 0.003
        yield Row(f"{short(name)} after clean-up", "skate ≤ 0.5 cm/s, drift ≤ 3 mm", words, good, raw)


@cache
def _cleaned(files: Files, name: str) -> tuple[posable.Clip, posable.Clip]:
    source = files.clip(name)
    return source, plant(source).clip


def price(files: Files) -> Iterable[Row]:
    """F3."""
    for name in (*RECORDED, UNEVEN, JOG):
        found = motion_change(*_cleaned(files, name))
        words = f"{100 * found.pelvis_p95:.1f} cm, {found.joints_rms:.1f}°, × {found.knee_jerk:.2f}"
        good = found.pelvis_p95 <= 0.02 and found.joints_rms <= 3 and found.knee_jerk <= 1.2 and found.bones < 1e-9
        yield Row(
            f"its price, {short(name)}: pelvis p95, joints, knee jerk",
            "≤ 2 cm, ≤ 3°, ≤ × 1.2, bones rigid",
            words,
            good,
        )


def ground(files: Files) -> Iterable[Row]:
    """F4: the walk on level ground planted on other ground, and the same walk made for it."""
    del files
    figure = mannequin()
    flat = posable.walk(figure, "human", 6, fps=60.0)
    for name, terrain in GROUNDS.items():
        sinks, hovers, leans = _planted(plant(flat, terrain, figure=figure), terrain)
        good = sinks <= 0.002 and hovers <= 0.005 and leans <= 2
        words = f"{1000 * sinks:.1f} mm, {1000 * hovers:.1f} mm, {leans:.1f}°"
        raw = motion_report(flat, terrain, figure=figure).feet.physdiff_penetrate if name != "level" else 0.0
        yield Row(
            f"planted on {name}: sinks, hovers, leans", "≤ 2 mm, ≤ 5 mm, ≤ 2°", words, good,
            f"{1000 * raw:.0f} mm deep in the mean",
        )  # fmt: skip


def _planted(found: Planting, terrain: Terrain) -> tuple[float, float, float]:
    """(deepest corner of the soles m, farthest ball in a contact from the ground m, largest angle of a flat sole °)."""
    sinks = hovers = leans = 0.0
    poses = found.clip.poses
    for foot, (sole, plants) in enumerate(zip(found.contacts.soles, found.plants, strict=True)):
        sinks = max(sinks, -float(terrain.gap(sole.corner_places(poses)).min()) / sole.scale)
        turns = poses.world_from_joint[:, poses.skeleton.index(sole.foot), :3, :3]
        for one in plants:
            if one.ball is None:
                continue
            gap = terrain.gap(sole.ball_places(poses[slice(*one.ball)])) - sole.ball_height
            hovers = max(hovers, float(np.abs(gap).max()) / sole.scale)
            if one.heel is not None:
                both = np.arange(max(one.ball[0], one.heel[0]), min(one.ball[1], one.heel[1]))
                both = both[found.heel_held[foot][both]]
                cosines = np.clip(turns[both] @ sole.flat @ one.normal, -1, 1)
                leans = max(leans, float(np.degrees(np.arccos(cosines)).max(initial=0.0)))
    return sinks, hovers, leans


def detector(files: Files) -> Iterable[Row]:
    """F5."""
    scores = []
    for fps in (30.0, 120.0):
        clean = posable.walk(mannequin(), "human", 6, fps=fps)
        for factor in (0.01, 1.0, 100.0):
            figure = scaled(replace(mannequin(), clips=(clean,), source=None), factor)
            scores.append(_score(figure, factor))
    words = f"{min(scores):.3f} at the least of {len(scores)}"
    yield Row("contacts under 1 cm of noise, F1 score", "≥ 0.97", words, min(scores) >= 0.97)
    off = []
    for name in RECORDED:
        found = motion_report(files.clip(name))
        off.append(100 * (found.stance_share - (0.642 - 0.1028 * found.froude)))
    words = ", ".join(f"{short(n)} {one:+.1f}" for n, one in zip(RECORDED, off, strict=True))
    yield Row("stance of real walks against the law", "± 3 points", words, max(map(abs, off)) <= 3)


def _score(figure: posable.Figure, unit: float) -> float:
    """Over four draws of noise on the whole figure, the score of heel, ball and toe together."""
    clip = figure.clips[0]
    truth = contacts(clip, figure=figure).any
    hits = total = 0
    for seed in range(4):
        q = np.array(clip.q)
        q[:, :3] += 0.01 * unit * np.random.default_rng(seed).standard_normal((len(q), 3))
        found = contacts(replace(clip, q=q), figure=figure).any
        hits += 2 * int((found & truth).sum())
        total += int(found.sum() + truth.sum())
    return hits / total
