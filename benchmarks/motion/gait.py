"""G1–G10: the closed chain, and walks beside recorded people."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

import numpy as np

import posable
from benchmarks.motion.goal import RECORDED, Files, Row, degrees_rms, loop, mannequin, short
from posable.figures import scaled
from posable.motion import double_support, fit_gait, motion_report, soles
from posable.motion.feet.sole_shapes import HUMAN_LEG
from posable.motion.gait import Pace, quadratic
from posable.motion.gait.anatomy import measure
from posable.motion.gait.from_recording import Strides, curve, fitted_curves, fitted_quadratics, pieces, strides_of
from posable.motion.gait_metrics import leg_curves

SPEEDS = (0.3, 0.36, 0.42, 0.48, 0.54)
_GRAVITY = 9.81


def closure(files: Files) -> Iterable[Row]:
    """G1."""
    del files
    betas = (-np.pi / 2 - 0.10, -np.pi / 2 - 0.55)
    found = double_support((0.35, 0.0), (-0.30, 0.0), *betas, thigh=0.45, shin=0.43, foot=0.15)
    off = max(abs(found[0] + 1.0561288610942614), abs(found[1] + 2.09514062313789))
    yield Row("closure example", "1e-12 rad", f"{off:.0e} rad", bool(off <= 1e-12))


def step_of_speed(files: Files) -> Iterable[Row]:
    """G2."""
    off = []
    for name in RECORDED:
        strides = strides_of(files.clip(name))
        step = strides.speed * strides.frames / strides.unit / 2
        off.append(float(abs(Pace.of(posable.Gait(speed=strides.speed)).step / step - 1)))
    words = ", ".join(f"{short(name)} {100 * one:.1f} %" for name, one in zip(RECORDED, off, strict=True))
    yield Row(
        "step length from speed alone", "median 5 %, max 10 %", words, float(np.median(off)) <= 0.05 and max(off) <= 0.1
    )


def walk_ratio(files: Files) -> Iterable[Row]:
    """G3: of walks as their contacts show them, brought to a leg of 0.88 m."""
    ratios = []
    for metres in (1.0, 1.25, 1.5, 1.75, 2.0):
        found = _report(metres / float(np.sqrt(_GRAVITY * HUMAN_LEG)))
        ratios.append(found.walk_ratio / float(np.sqrt(found.leg / HUMAN_LEG)))
    spread = (max(ratios) - min(ratios)) / float(np.mean(ratios))
    raw = [motion_report(files.clip(name)).walk_ratio for name in RECORDED]
    good = min(ratios) >= 0.0055 and max(ratios) <= 0.0075 and spread <= 0.1
    reached = f"{min(ratios):.4f}–{max(ratios):.4f}, {100 * spread:.0f} %"
    yield Row("walk ratio, 1–2 m/s", "0.0055–0.0075, spread ≤ 10 %", reached, good, f"{min(raw):.4f}–{max(raw):.4f}")


def stance_share(files: Files) -> Iterable[Row]:
    """G4: a foot is down while a point of its sole stays where it is; the detector's own word is F5."""
    off, identity = [], []
    for speed in SPEEDS:
        down = _standing(loop(posable.Gait(speed=speed), 4, 240.0))
        off.append(100 * abs(float(down.mean()) - (0.642 - 0.1028 * speed)))
        identity.append(100 * abs(float(down.all(axis=0).mean()) - (2 * float(down.mean()) - 1)))
    raw = []
    for name in RECORDED:
        found = motion_report(files.clip(name))
        raw.append(100 * abs(found.stance_share - (0.642 - 0.1028 * found.froude)))
    reached = f"{max(off):.1f} points at most"
    yield Row("stance share against its law", "± 2 points", reached, max(off) <= 2, f"{max(raw):.1f} points")
    good = max(identity) <= 0.5  # a frame at 240 a second
    yield Row("double support = 2·share − 1", "to a frame", f"{max(identity):.1f} points", good)


def pelvis(files: Files) -> Iterable[Row]:
    """G5."""
    clip = loop("human", 2, 240.0)
    height = clip.poses.origins[:-1, 0, "xyz".index(clip.skeleton.up)]
    found = _report(0.45)
    raw = [motion_report(files.clip(name)).pelvis_rise for name in RECORDED]
    peaks = int(((height > np.roll(height, 1)) & (height >= np.roll(height, -1))).sum())
    good = 0.35 <= found.pelvis_rise <= 0.65 and peaks == 2
    words = f"{min(raw):.2f}–{max(raw):.2f}"
    yield Row(
        "rise of the pelvis", "0.35–0.65 of the arc, 2 peaks", f"{found.pelvis_rise:.2f}, {peaks} peaks", good, words
    )


def curves(files: Files) -> Iterable[Row]:
    """G6."""
    wanted = json.loads(files.path("reference/gait_curves.json").read_text())
    figure, clip = mannequin(), loop("human", 2, 240.0)
    own = leg_curves(clip, soles(figure), posable.roles(figure).forward)
    for part, aim in (("thigh", 5.0), ("knee", 8.0), ("ankle", 8.0)):
        at = np.interp(np.linspace(0, len(clip) - 1, 101), np.arange(len(clip)), own[part][0])  # it starts as it lands
        off = float(np.std(at - np.array(wanted[part])))
        raw = float(np.sqrt(np.mean(np.square(wanted[f"sd_{part}"]))))
        words = f"{raw:.1f}° from person to person"
        yield Row(f"{part} over the stride", f"≤ {aim:g}° rms", f"{off:.1f}°", off <= aim, words)


def clearance(files: Files) -> Iterable[Row]:
    """G7."""
    found = _report(0.45)
    raw = [motion_report(files.clip(name)) for name in RECORDED]
    good = 0.01 <= found.clearance <= 0.03 and found.clearance_least >= 0.005
    words = ", ".join(f"{100 * one.clearance:.1f} / {100 * one.clearance_least:.1f} cm" for one in raw)
    reached = f"{100 * found.clearance:.1f} / {100 * found.clearance_least:.1f} cm"
    yield Row("toe clearance, mid-swing / least", "1–3 cm / ≥ 0.5 cm", reached, good, words)


def fitting(files: Files) -> Iterable[Row]:
    """G8: every stride told by the others of its recording; our own walk's parameters found again."""
    recordings = [strides_of(files.clip(name)) for name in RECORDED]
    plain = [_plain_misses(strides) for strides in recordings]
    rich = [_rich_misses(strides) for strides in recordings]
    for what, aim, found in (("source's form", 10.0, plain), ("rich form", 3.0, rich)):
        worst = max(max(own) for own in found)
        reached = max(float(np.sqrt(np.mean(np.square(own)))) for own in found)
        words = ", ".join(f"{short(n)} {np.mean(own):.1f}°" for n, own in zip(RECORDED, found, strict=True))
        yield Row(f"strides left out, {what}", f"≤ {aim:g}° rms", f"{words}; worst stride {worst:.1f}°", reached <= aim)
    gait = posable.Gait.load("human").with_(speed=0.4, step=0.75, width=0.7, lean=6.0, arm_swing=25.0, strike=20.0)
    seconds = Pace.of(gait).stride_time * float(np.sqrt(measure(mannequin()).length / _GRAVITY))
    clip = posable.walk(mannequin(), gait, 6, starts=False, stops=False, fps=40 / seconds)  # whole frames a stride
    found = fit_gait(clip, figure=mannequin())
    names = ("speed", "step", "width", "lean", "arm_swing", "strike", "knee", "lift", "bounce", "sway", "roll")
    off = max(abs(getattr(found, one) / getattr(gait, one) - 1) for one in names)
    yield Row("our own walk's numbers found again", "1e-6", f"{off:.0e}", off <= 1e-6)


def froude(files: Files) -> Iterable[Row]:
    """G9."""
    del files
    figure = replace(mannequin(), skins=())  # a skin's places are 32-bit numbers, which do not scale exactly
    one = posable.walk(figure, "human", 4, fps=60)
    turns = np.setdiff1d(np.arange(one.q.shape[1]), [0, 1, 2])
    off = 0.0
    for size in (0.5, 0.8, 1.5, 2.0):
        other = posable.walk(scaled(figure, size), "human", 4, fps=60 / size**0.5)
        same = len(one) == len(other)
        off = max(off, float(np.abs(one.q[:, turns] - other.q[:, turns]).max()) if same else np.inf)
    yield Row("same Froude number, legs × 0.5 … × 2", "1e-9", f"{off:.0e} rad", off <= 1e-9)


def loops(files: Files) -> Iterable[Row]:
    """G10: the seam's jump of velocity beyond the largest between frames within, against the largest velocity."""
    del files
    ahead = mannequin().skeleton.freedom_mask(["root.z"])
    gaps, jumps = [], []
    for name in ("human", "jaunty", "limp", "sad", "jog"):
        clip = loop(name, 4)
        gaps.append(np.abs(clip.poses[-1].minus(clip.poses[0])[~ahead]).max())
        speed = clip.poses[1:].minus(clip.poses[:-1])
        within = np.abs(np.diff(speed, axis=0)).max()
        seam = np.abs(speed[0] - speed[-1])
        jumps.append(float(np.maximum(seam - within, 0).max() / np.abs(speed).max()))
    good = max(gaps) <= 1e-9 and max(jumps) <= 0.01
    yield Row(
        "loop of five characters", "pose 1e-9, velocity ≤ 1 %", f"{max(gaps):.0e}, {100 * max(jumps):.2f} %", good
    )


@cache
def _report(speed: float) -> posable.motion.MotionReport:
    gait = "human" if speed == 0.45 else posable.Gait(speed=speed)
    return motion_report(loop(gait), figure=mannequin())


def _standing(clip: posable.Clip) -> np.ndarray:
    """`[leg, frame]` whether heel, ball or tip of a foot stays where it is to the next frame."""
    body, figure = measure(mannequin()), mannequin()
    rows = []
    for leg in body.legs:
        under = np.array([leg.ball[0], leg.heel[1], leg.ball[2]])
        moves = []
        for joint, point in ((leg.foot, leg.heel), (leg.toes, under), (leg.toes, leg.tip)):
            carry = clip.poses.world_from_joint[:, joint] @ np.linalg.inv(figure.rest.world_from_joint[joint])
            places = carry[:, :3, :3] @ (body.to_body.T @ point + body.origin) + carry[:, :3, 3]
            moves.append(np.linalg.norm(np.diff(places, axis=0), axis=1))
        rows.append(np.min(moves, axis=0) < 1e-7)
    return np.array(rows)


def _left_out(strides: Strides) -> Iterator[tuple[list, tuple[np.ndarray, np.ndarray]]]:
    every = pieces(strides)
    for k, one in enumerate(every):
        yield [other for i, other in enumerate(every) if i != k], one


def _rich_misses(strides: Strides) -> list[float]:
    """Per stride the rms of thigh, knee and ankle, degrees."""
    found = []
    for others, (phase, angles) in _left_out(strides):
        numbers = fitted_curves(others)
        own = np.stack([curve(numbers[f"{part}_curve"], phase) for part in ("thigh", "knee", "ankle")], axis=-1)
        found.append(degrees_rms(np.radians(own) - angles))
    return found


def _plain_misses(strides: Strides) -> list[float]:
    """Per stride the rms of thigh and shin of both legs, degrees."""
    leg = strides.body.legs_scaled()[0]
    hip, knee = leg.points[:2]
    lengths = {"thigh": float(np.hypot(*(knee - hip)[1:])), "shin": knee[1] - leg.tip[1], "foot": leg.tip[2] - knee[2]}
    found = []
    for others, (phase, angles) in _left_out(strides):
        plain = fitted_quadratics(others, strides.speed * strides.frames / strides.unit / 2, **lengths)
        start = plain.starts()
        ways = zip(start, (*start[2:], *start[:2]), plain.waypoints, strict=True)
        at = np.where(phase < 0.5, phase, phase - 0.5) * 2
        four = [quadratic(begin, end, *way, at) for begin, end, way in ways]
        own = np.where((phase < 0.5)[:, None], np.stack(four[:2], axis=-1), np.stack(four[2:], axis=-1))
        wanted = np.stack([angles[:, 0], angles[:, 0] - angles[:, 1]], axis=-1) - np.pi / 2
        found.append(degrees_rms(own - wanted))
    return found
