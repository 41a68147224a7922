"""Arms of six hinges in closed form: every branch, judged by forward kinematics in plain NumPy and by search."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from solvers.chains import panda
from solvers.closed_arms import (
    PUMA,
    SCARA_WITH_WRIST,
    SHOULDER_MEETS,
    SKEW,
    SLANTED_WRIST,
    THREE_FIRST,
    THREE_FIRST_EARLY,
    THREE_LATER,
    Array,
    arm,
    mirrored,
    place_by_hand,
    solutions_by_search,
    wrapped,
)

import posable
from posable import Pose, Skeleton
from posable.errors import UnknownJointError
from posable.solvers.closed import ClosedForm
from posable.solvers.closed import links as layout

FAMILIES = {
    "puma": (PUMA, layout.SECOND_AND_THIRD_PARALLEL),
    "slanted wrist": (SLANTED_WRIST, layout.SECOND_AND_THIRD_PARALLEL),
    "skew": (SKEW, layout.ANY_THREE),
    "shoulder meets": (SHOULDER_MEETS, layout.FIRST_AND_SECOND_MEET),
    "scara with wrist": (SCARA_WITH_WRIST, layout.FIRST_AND_SECOND_PARALLEL),
    "three later": (THREE_LATER, layout.SECOND_TO_FOURTH_PARALLEL),
    "three first": (THREE_FIRST, layout.FIRST_TO_THIRD_PARALLEL),
    "three first early": (THREE_FIRST_EARLY, layout.FIRST_TO_THIRD_PARALLEL_EARLY),
}
EITHER_WAY = [(name, way) for name in FAMILIES for way in ("from the base", "from the end")]


def written(name: str, way: str = "from the base", scale: float = 1.0) -> Skeleton:
    links = FAMILIES[name][0]
    return arm(links if way == "from the base" else mirrored(links), scale)


def closed(skeleton: Skeleton, joint: str = "") -> ClosedForm:
    form = ClosedForm.of(skeleton, joint or skeleton.joints[-1])
    assert form is not None
    return form


def check_every_branch(skeleton: Skeleton, form: ClosedForm, count: int = 1000, exact: float = 1e-12) -> Array:
    """The original is there, every branch is right, inside the limits, near first, distinct. Returns the counts."""
    rng = np.random.default_rng(7)
    truth, start = skeleton.random_pose(rng, (count,)), skeleton.random_pose(rng, (count,))
    joint = skeleton.index(form.joint)
    target = truth.world_from_joint[:, joint]
    q, number = form.branches(target, start)
    there = np.arange(q.shape[1]) < number[:, None]
    assert number.min() >= 1
    assert np.isnan(q[~there]).all() and np.isfinite(q[there]).all()
    own = [int(form.arm[layout.JOINTS + layout.JOINT * k + layout.COORDINATE]) for k in range(6)]
    others = np.setdiff1d(np.arange(q.shape[-1]), own)
    assert (q[there][:, others] == np.broadcast_to(start.q[:, None], q.shape)[there][:, others]).all()
    everywhere = np.where(there[..., None], q, start.q[:, None])
    missed = np.abs(Pose(skeleton, everywhere).world_from_joint[..., joint, :, :] - target[:, None])
    missed[..., :3, 3] /= skeleton.reach
    assert missed[there].max() < exact
    apart = np.where(there, np.abs(wrapped(q - truth.q[:, None])[..., own]).max(axis=-1), np.inf)
    assert np.median(apart.min(axis=1)) < 1e-13 and apart.min(axis=1).max() < 1e-9
    assert ((q >= skeleton.lower) & (q <= skeleton.upper))[there].all()
    distance = np.where(there, ((q - start.q[:, None]) ** 2).sum(axis=-1), np.inf)
    assert (distance[:, 1:] >= distance[:, :-1])[there[:, 1:]].all()
    for a in range(q.shape[1]):
        for b in range(a):
            assert np.nanmin(np.abs(wrapped(q[:, a] - q[:, b])).max(axis=-1), initial=9.0) > 1e-6
    return number


@pytest.mark.parametrize(("name", "way"), EITHER_WAY)
def test_each_family_gives_every_branch(name: str, way: str) -> None:
    skeleton = written(name, way)
    form = closed(skeleton)
    assert (form.arm[layout.FAMILY], form.arm[layout.MIRRORED]) == (FAMILIES[name][1], way == "from the end")
    number = check_every_branch(skeleton, form)
    assert set(number) <= {2, 4, 6, 8}, "branches come in pairs"


@pytest.mark.parametrize(("name", "way"), EITHER_WAY)
def test_plain_numpy_says_the_same(name: str, way: str) -> None:
    skeleton = written(name, way)
    rng = np.random.default_rng(2)
    truth = rng.uniform(-3, 3, (50, 6))
    target = place_by_hand(skeleton, truth)
    q, number = closed(skeleton).branches(target, Pose(skeleton, truth))
    assert np.abs(q[:, 0] - truth).max() < 1e-9, "started there, the original comes first, unwrapped"
    there = np.arange(8) < number[:, None]
    assert np.abs(place_by_hand(skeleton, np.where(there[..., None], q, 0.0)) - target[:, None])[there].max() < 1e-12


@pytest.mark.slow
@pytest.mark.parametrize(("name", "way"), EITHER_WAY)
def test_a_search_finds_no_other_branch(name: str, way: str) -> None:
    skeleton = written(name, way)
    form = closed(skeleton)
    rng = np.random.default_rng(3)
    for _ in range(4):
        truth = rng.uniform(-math.pi, math.pi, 6)
        target = place_by_hand(skeleton, truth)
        found = solutions_by_search(skeleton, target, rng)
        q, number = form.branches(target, Pose(skeleton, truth))
        assert len(found) == number
        for one in found:
            assert np.abs(wrapped(q[:number] - one)).max(axis=1).min() < 1e-6


@pytest.mark.parametrize("scale", [0.01, 1000.0])
@pytest.mark.parametrize("name", FAMILIES)
def test_the_unit_does_not_matter(name: str, scale: float) -> None:
    plain, scaled = written(name), written(name, scale=scale)
    q = plain.random_pose(np.random.default_rng(4), (200,)).q
    results = []
    for skeleton in (plain, scaled):
        start = skeleton.random_pose(np.random.default_rng(5))
        results.append(closed(skeleton).branches(Pose(skeleton, q).world_from_joint[:, -1], start))
    (first, first_count), (second, second_count) = results
    assert (first_count == second_count).all()
    assert np.nanmax(np.abs(first - second)) < 1e-9


@pytest.mark.parametrize(
    ("file", "joint"), [("ur5_robot.urdf", "ee_fixed_joint"), ("robosuite_ur5e.xml", "right_hand")]
)
def test_universal_robots_of_real_files(shared: Path, file: str, joint: str) -> None:
    skeleton = posable.load(shared / "robots" / file).skeleton
    number = check_every_branch(skeleton, closed(skeleton, joint))
    assert np.bincount(number)[8] > 500


def test_the_built_in_arm() -> None:
    skeleton = posable.figure("arm6").skeleton
    check_every_branch(skeleton, closed(skeleton, "tool"))


def test_arms_without_a_closed_form(shared: Path) -> None:
    rng = np.random.default_rng(6)
    any_six = [(tuple(rng.normal(size=3)), tuple(rng.normal(size=3))) for _ in range(6)]
    assert ClosedForm.of(arm(any_six), "tool") is None
    assert ClosedForm.of(panda(), "hand") is None
    panda_file = posable.load(shared / "robots/panda.urdf").skeleton
    assert ClosedForm.of(panda_file, "panda_hand_joint") is None
    assert ClosedForm.of(panda_file, "panda_joint5") is None
    assert ClosedForm.of(posable.figure("mannequin").skeleton, "hand_r") is None
    assert ClosedForm.of(arm(PUMA), "h5") is None
    with pytest.raises(UnknownJointError, match="no joint is called 'tol'; did you mean tool"):
        ClosedForm.of(arm(PUMA), "tol")
