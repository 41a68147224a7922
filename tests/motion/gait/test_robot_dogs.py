"""Walks of four legs of hinges in rest poses in which nobody stands: stretched, folded, stiff below the last hinge."""

from __future__ import annotations

import numpy as np
import pytest

import posable
from posable import Axis, Joint, Skeleton, walk

CORNERS = {"FL": (0.3, 0.1), "FR": (0.3, -0.1), "RL": (-0.3, 0.1), "RR": (-0.3, -0.1)}
BONE = 0.25
Vector = tuple[float, float, float]


def dog(
    thigh: Vector, shin: Vector, *, offset: float = 0.0, knee: tuple[float, float] = (-np.inf, np.inf), plates: int = 0
) -> posable.Figure:
    """A robot with hips beside one another by `offset`, and so many fixed links between the two hinges of a leg."""
    joints = [Joint("trunk", "free", None, (0.0, 0.0, 0.5))]
    for name, (x, y) in CORNERS.items():
        side = np.sign(y)
        joints.append(Joint(f"{name}_hip", "hinge", "trunk", (x, y, 0.0), axes=(Axis((1.0, 0.0, 0.0)),)))
        joints.append(
            Joint(f"{name}_thigh", "hinge", f"{name}_hip", (0.0, side * offset, 0.0), axes=(Axis((0.0, 1.0, 0.0)),))
        )
        above = f"{name}_thigh"
        for k in range(plates):
            joints.append(Joint(f"{name}_plate{k}", "fixed", above, (0.06 * (-1) ** k, side * 0.06, -0.06)))
            above = f"{name}_plate{k}"
        bend = Axis((0.0, 1.0, 0.0), lower=knee[0], upper=knee[1])
        joints.append(Joint(f"{name}_calf", "hinge", above, thigh, axes=(bend,)))
        joints.append(Joint(f"{name}_foot", "fixed", f"{name}_calf", shin))
    return posable.Figure(Skeleton(joints, up="z"))


def bent(angle: float) -> Vector:
    """A bone of a leg, from the vertical downwards by `angle` radians to the front."""
    return BONE * np.sin(angle), 0.0, -BONE * np.cos(angle)


def speeds_down(figure: posable.Figure, clip: posable.Clip) -> np.ndarray:
    """Horizontal speeds m/s of all feet that are on the ground."""
    found = []
    for name in CORNERS:
        at = clip.poses.origins[:, figure.skeleton.index(f"{name}_foot")]
        down = at[:, 2] < at[:, 2].min() + 1e-3
        speed = np.linalg.norm(np.diff(at[:, :2], axis=0), axis=1) * clip.fps
        found.append(speed[down[1:] & down[:-1]])
    return np.concatenate(found)


def largest_step(clip: posable.Clip) -> float:
    """Degrees that a joint rotates from one frame to the next."""
    return float(np.degrees(np.abs(clip.poses[1:].minus(clip.poses[:-1]))[:, 6:].max()))


@pytest.mark.parametrize("offset", [0.02, 0.06, 0.12])
def test_stretched_legs_do_not_go_round(offset: float) -> None:
    """The hinge of a thigh beside the body was a knee with a bone across, and legs rotated by 370 degrees a frame."""
    figure = dog((0.0, 0.0, -BONE), (0.0, 0.0, -BONE), offset=offset)
    clip = walk(figure, "trot", 6)
    assert largest_step(clip) < 60
    assert np.percentile(speeds_down(figure, clip), 90) < 0.01


def test_legs_that_are_folded_at_rest_step_as_far_as_they_stand() -> None:
    """Their hips are 5 cm over the feet in the file: steps were 4 cm."""
    figure = dog((-BONE, 0.0, 0.0), (BONE, 0.0, -0.05), offset=0.06)
    clip = walk(figure, "trot", 6)
    assert clip.poses.origins[-1, 0, 0] > 1.2 * 2 * BONE
    hips = clip.poses.origins[:, figure.skeleton.index("FL_hip"), 2]
    assert np.median(hips) - clip.poses.origins[:, figure.skeleton.index("FL_foot"), 2].min() > 1.2 * BONE
    assert np.percentile(speeds_down(figure, clip), 90) < 0.01


def test_knees_that_cannot_be_stretched_stand_on_their_feet() -> None:
    """A1's and Go2's stay bent by 50 degrees; hips at the height of straighter legs dragged the feet."""
    figure = dog(bent(-0.8), bent(0.8), offset=0.08, knee=(-1.0, 0.3))
    clip = walk(figure, "trot", 6)
    assert np.abs(clip.q - clip.poses.clamped().q).max() < 1e-9
    assert np.percentile(speeds_down(figure, clip), 95) < 0.01


def test_fixed_links_between_the_hinges_are_no_knees() -> None:
    """Bends were shared with links that do not move, as ANYmal's legs have, and the solver leapt between poses."""
    figure = dog(bent(-0.6), bent(0.6), offset=0.06, plates=3)
    clip = walk(figure, "trot", 6)
    assert largest_step(clip) < 40
    assert np.percentile(speeds_down(figure, clip), 90) < 0.01


def test_a_trunk_on_a_compound_joint_is_refused() -> None:
    figure = dog(bent(-0.6), bent(0.6))
    trunk, *legs = figure.skeleton.definitions
    axes = tuple(Axis(one) for one in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
    joints = [Joint("base", "free"), Joint("trunk", "compound", "base", trunk.position, axes=axes), *legs]
    with pytest.raises(
        posable.SkeletonError, match=r"'trunk' is a compound joint .* a walk cannot set; give it a ball"
    ):
        walk(posable.Figure(Skeleton(joints, up="z")))


def test_legs_with_too_little_freedom_are_refused() -> None:
    """An ant's two hinges between narrow limits do not put a foot where a step is: it slid by a leg length a second."""
    joints = [Joint("trunk", "free", None, (0.0, 0.0, 0.5))]
    for name, (x, y) in CORNERS.items():
        out = np.sign(x), np.sign(y)
        joints += [
            Joint(f"{name}_hip", "hinge", "trunk", (x, y, 0.0), axes=(Axis((0.0, 0.0, 1.0), lower=-0.1, upper=0.1),)),
            Joint(
                f"{name}_knee",
                "hinge",
                f"{name}_hip",
                (0.2 * out[0], 0.2 * out[1], 0.0),
                axes=(Axis((-out[1], out[0], 0.0), lower=0.0, upper=0.05),),
            ),
            Joint(f"{name}_foot", "fixed", f"{name}_knee", (0.3 * out[0], 0.3 * out[1], 0.0)),
        ]
    with pytest.raises(posable.SkeletonError, match=r"_foot' stays .* too little freedom for a walk: .*_hip \(hinge\)"):
        walk(posable.Figure(Skeleton(joints, up="z")))
