"""A clip in numbers: every measure by its name in the literature, for any figure with legs.

Lengths are metres for a leg of 0.88 m, so that figures of every size and unit compare; times are seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from posable.clips import Clip
from posable.errors import PosableError, PoseError
from posable.figures import Figure, Roles
from posable.figures import roles as find_roles
from posable.motion import gait_metrics as measures
from posable.motion.feet import Contacts, FootMetrics, Terrain, contacts, foot_metrics
from posable.motion.feet.sole_shapes import HUMAN_LEG
from posable.motion.gait.gait import leg_gravity
from posable.spatial import Array

_FEWEST = 4  # frames: the jerk is a third difference


def _measure(label: str, unit: str, help: str, scale: float = 1.0) -> Any:
    return field(metadata={"label": label, "unit": unit, "help": help, "scale": scale})


@dataclass(frozen=True)
class Measure:
    """One line of a report. value: in `unit`; None where the clip does not say. usual: what to compare it with."""

    name: str
    label: str
    unit: str
    value: float | None
    help: str
    usual: str = ""


_USUAL = {
    "skate": "recorded walks: 1.5 to 8.5",
    "drift": "recorded walks: 0.5 to 2.1",
    "walk_ratio": "people: 5.5 to 7.5",
    "pelvis_rise": "people: 0.35 to 0.65",
    "clearance": "people: 1 to 3",
    "knee_jerk": "at most 1.2 × that of the source (--against)",
}
_FEET = {
    "skate": ("skate", "cm/s", 100.0, "mean speed of the ball along the ground, middle 80 % of each contact"),
    "drift": ("drift", "cm", 100.0, "distance of the ball from its mean position in a contact, mean over contacts"),
    "drift_most": ("drift, largest", "cm", 100.0, "the same of the worst contact"),
    "gmd_skating_ratio": ("GMD skating ratio", "%", 100.0, "frames in which a low foot slides over 0.5 m/s"),
    "physdiff_penetrate": ("PhysDiff penetrate", "mm", 1000.0, "mean depth of the soles in the ground, 5 mm forgiven"),
    "physdiff_float": ("PhysDiff float", "mm", 1000.0, "mean height of the lower sole over it; needs a skin"),
    "physdiff_skate": ("PhysDiff skate", "mm", 1000.0, "mean displacement of a foot in contact, frame to frame"),
    "edge_pfc": ("EDGE PFC", "", 1.0, "the body accelerating while no foot is at rest, × 10,000"),
    "contacts": ("contacts of the ball", "", 1.0, "stretches of at least 0.1 s, slower than 40 cm/s, lower than 5 cm"),
}


@dataclass(frozen=True)
class MotionReport:
    """Metrics of a clip's motion; NaN where a metric does not apply (no steps, no capsules).

    The other fields carry their name, unit and definition as metadata; `measures()` lists them.

    Args:
        name: Name of the clip.
        frames: Number of frames.
        fps: Frames per second.
        seconds: Duration in seconds.
        leg: Length of the leg from hip to sole, in the figure's own unit.
        feet: Metrics of the feet, from `foot_metrics`.

    Example:
        >>> report = posable.motion.motion_report(clip)
        >>> report.frames == len(clip), report.speed > 0.3
        (True, True)
    """

    name: str
    frames: int
    fps: float
    seconds: float
    leg: float
    feet: FootMetrics
    steps: int = _measure("steps", "", "from one landing to the next of another leg")
    step_length: float = _measure("step length", "m", "median, along the path of the hips")
    step_spread: float = _measure("step length, spread", "m", "standard deviation over the steps")
    cadence: float = _measure("cadence", "steps/min", "landings of a pair of legs per minute")
    speed: float = _measure("speed", "m/s", "of the hips along the ground, from landing to landing")
    froude: float = _measure(
        "speed, dimensionless",
        "",
        "v / √(g L), the root of the Froude number; g as for a person where L cannot be metres",
    )
    walk_ratio: float = _measure("walk ratio", "mm per step/min", "step length / cadence", 1000.0)
    stance_share: float = _measure("stance share", "%", "of whole strides that a foot touches the ground", 100.0)
    double_support: float = _measure("double support", "%", "of whole steps in which both feet stand", 100.0)
    pelvis_rise: float = _measure("rise of the pelvis", "× compass arc", "per stride")
    clearance: float = _measure("toe clearance, mid-swing", "cm", "mean over swings", 100.0)
    clearance_least: float = _measure("toe clearance, least", "cm", "from 10 to 90 % of any swing", 100.0)
    knee_jerk: float = _measure("knee jerk", "rad/s³", "root mean square third derivative of the knees' bend")
    limits_broken: float = _measure("frames outside limits", "%", "of the figure's own joint limits", 100.0)
    limits_worst: float = _measure("worst outside limits", "°", "by how much", 180 / np.pi)
    self_penetration: float = _measure("self-penetration", "mm", "deepest; where the figure has capsules", 1000.0)

    def measures(self) -> tuple[Measure, ...]:
        """All numbers with label, unit and meaning, those of the feet first."""
        found = [_line(name, label, unit, factor * getattr(self.feet, name), help) for name, (label, unit, factor, help)
                 in _FEET.items()]  # fmt: skip
        for one in fields(self):
            if "label" in one.metadata:
                about = one.metadata
                value = about["scale"] * getattr(self, one.name)
                found.append(_line(one.name, about["label"], about["unit"], value, about["help"]))
        return tuple(found)


@dataclass(frozen=True)
class MotionChange:
    """The difference between two clips of one figure, frame by frame.

    Args:
        pelvis_p95: 95th percentile of the displacement of the pelvis, in metres for a leg of 0.88 m.
        joints_rms: Root mean square change of the most changed joint's rotation, in degrees.
        most_turned: Name of that joint.
        knee_jerk: Knee jerk of the result divided by that of the source, for the worse leg.
        bones: Largest change of a bone's length, in units of the figure's reach.

    Example:
        >>> change = posable.motion.motion_change(clip, clip)
        >>> change.pelvis_p95, change.bones
        (0.0, 0.0)
    """

    pelvis_p95: float
    joints_rms: float
    most_turned: str
    knee_jerk: float
    bones: float


def motion_report(
    clip: Clip, terrain: Terrain | None = None, *, figure: Figure | None = None, roles: Roles | None = None
) -> MotionReport:
    """Measure a clip of any figure with legs.

    Args:
        clip: The clip.
        terrain: The ground; None is the clip's own ground level.
        figure: The figure, whose skin gives the soles and which may have capsules.
        roles: Roles of the joints; None finds them.

    Returns:
        The metrics.

    Raises:
        PosableError: For a clip that is too short.
        PoseError: For a clip of another skeleton than the figure's.
        SkeletonError: For a figure without legs.
        TerrainError: For a hole in the terrain under a foot.
    """
    _check(clip, figure)
    roles = find_roles(clip.skeleton if figure is None else figure) if roles is None else roles
    touching = contacts(clip, terrain, figure=figure, roles=roles)
    broken, worst = measures.limits_broken(clip)
    own = clip if figure is None else Clip(figure.skeleton, clip.q, clip.fps, clip.name)
    scale = float(np.mean([sole.scale for sole in touching.soles]))
    middle, least = measures.clearances(clip, touching, terrain)
    return MotionReport(
        name=clip.name,
        frames=len(clip),
        fps=clip.fps,
        seconds=clip.seconds,
        leg=scale * HUMAN_LEG,
        feet=foot_metrics(clip, terrain, figure=figure, roles=roles),
        **_walking(clip, touching, roles, scale),
        clearance=_mean(middle) / scale,
        clearance_least=float(least.min()) / scale if len(least) else float("nan"),
        knee_jerk=_mean(measures.jerk_of(measures.knee_bends(clip, touching.soles), clip.fps)),
        limits_broken=float(broken.mean()),
        limits_worst=float(worst.max()),
        self_penetration=float(measures.self_penetration(own).max()) / scale,
    )


def motion_change(source: Clip, result: Clip, *, figure: Figure | None = None) -> MotionChange:
    """Measure the difference between two clips of the same figure.

    Args:
        source: The original clip.
        result: The changed clip: as many frames, and the same skeleton (possibly in another unit).
        figure: The figure, as for `motion_report`.

    Returns:
        The differences.

    Raises:
        PoseError: If the clips do not match.
        SkeletonError: For a figure without legs.
    """
    _check(source, figure)
    if not source.skeleton.shares_poses(result.skeleton) or len(source) != len(result):
        raise PoseError("only clips of one skeleton with as many frames can be compared frame by frame")
    soles = contacts(source, figure=figure).soles
    pelvis = measures.hip_joint(source.skeleton, soles)
    size = result.skeleton.reach / source.skeleton.reach
    moved = np.linalg.norm(result.poses.origins[:, pelvis] / size - source.poses.origins[:, pelvis], axis=1)
    turned = measures.turned(result, source)
    most = max(turned, key=lambda name: turned[name])
    before, after = (measures.jerk_of(measures.knee_bends(clip, soles), clip.fps) for clip in (source, result))
    return MotionChange(
        pelvis_p95=float(np.percentile(moved, 95)) / soles[0].scale,
        joints_rms=turned[most],
        most_turned=most,
        knee_jerk=float(np.nanmax(after / np.maximum(before, 1e-12))),
        bones=float(np.abs(_bones(result) / size - _bones(source)).max()) / source.skeleton.reach,
    )


def _check(clip: Clip, figure: Figure | None) -> None:
    if figure is not None and not figure.skeleton.shares_poses(clip.skeleton):
        raise PoseError(
            f"clip {clip.name!r} belongs to another skeleton than the figure {figure.name or 'given'}; "
            "give the figure that it moves, or retarget the clip first"
        )
    if len(clip) < _FEWEST:
        frames = "1 frame" if len(clip) == 1 else f"{len(clip)} frames"
        raise PosableError(
            f"clip {clip.name!r} holds {frames}, which is not a motion; a report needs at least {_FEWEST} frames"
        )


def _walking(clip: Clip, touching: Contacts, roles: Roles, scale: float) -> dict[str, Any]:
    """Steps, pace and shares, over all rows of legs."""
    up = "xyz".index(clip.skeleton.up)
    hips = clip.poses.origins[:, measures.hip_joint(clip.skeleton, touching.soles)] / scale
    stands = measures.stands_of(clip, touching)
    rows = measures.rows_of(roles, touching.soles)
    lengths = np.concatenate([measures.step_lengths(stands, row, hips, up, HUMAN_LEG) for row in rows]) / scale
    landings = [measures.landings_of(stands, row) for row in rows]
    speed = measures.speed_of(hips, [frame for own in landings for frame in own], up, clip.fps)
    cadence = _mean([60 * clip.fps * (len(own) - 1) / (own[-1] - own[0]) for own in landings if len(set(own)) > 1])
    step = float(np.median(lengths)) if len(lengths) else float("nan")
    shares = touching.stance_share
    return {
        "steps": len(lengths),
        "step_length": step,
        "step_spread": float(np.std(lengths)) if len(lengths) else float("nan"),
        "cadence": cadence,
        "speed": speed,
        "froude": speed * scale / float(np.sqrt(leg_gravity(scale * HUMAN_LEG) * scale * HUMAN_LEG)),
        "walk_ratio": step / cadence,
        "stance_share": _mean(shares[np.isfinite(shares)]),
        "double_support": _mean(
            [measures.double_support_share(touching, row, own) for row, own in zip(rows, landings, strict=True)]
        ),
        "pelvis_rise": measures.pelvis_rise(stands, hips, up, HUMAN_LEG, step),
    }


def _bones(clip: Clip) -> Array:
    """`[frame, joint]` from each joint to its parent."""
    origins, parents = clip.poses.origins, clip.skeleton.parents
    return np.linalg.norm(origins[:, 1:] - origins[:, parents[1:]], axis=2)


def _line(name: str, label: str, unit: str, value: float, help: str) -> Measure:
    known = float(value) if np.isfinite(value) else None
    return Measure(name, label, unit, known, help, _USUAL.get(name, ""))


def _mean(values: Sequence[float] | Array) -> float:
    return float(np.mean(values)) if len(values) else float("nan")
