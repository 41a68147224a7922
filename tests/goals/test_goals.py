"""Every goal: its residual means what it says, its Jacobian is the derivative, and nonsense is refused by name."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from solvers.chains import mixture

import posable.goals
from posable import (
    Balance,
    Box,
    Comfort,
    Cone,
    Custom,
    GoalError,
    Gravity,
    KeepApart,
    LookAt,
    Orient,
    Place,
    Pole,
    Pose,
    Reach,
    Segment,
    Skeleton,
    Stay,
    Torsion,
    UnknownJointError,
)
from posable.spatial import random_wxyz

RNG = np.random.default_rng(3)
SKELETON = Skeleton(
    [
        replace(j, mass=1.0 + k, mass_center=(0.1 * k, 0.1, 0), capsules=((0, 0, 0, 0.1, 0.2, 0.1, 0.03),))
        for k, j in enumerate(mixture().definitions)
    ]
)
POSES = SKELETON.random_pose(RNG, (5,))
ELSEWHERE = SKELETON.random_pose(RNG, (5,))
END = SKELETON.joints.index("end")

SPINE = "universal"
CASES = {
    "Balance": Balance(RNG.normal(size=(5, 3))),
    "Balance with height": Balance(RNG.normal(size=(5, 3)), height=True),
    "Comfort": Comfort({"hinge": ((-0.1, 0.2), 1.0), "ball": (0.9, 0.1, 0.3, 0.2), "planar.x": 0.3}),
    "Custom": Custom(lambda pose: pose.origins[END] ** 2),
    "Gravity": Gravity(),
    "KeepApart": KeepApart(obstacles=[(0.3, -1, 0, 0.3, 1, 0.2, 0.7)], margin=0.1),
    "Pole": Pole("end", RNG.normal(size=(5, 3)), middle="planar", first="hinge"),
    "Torsion": Torsion(),
    "Reach relative": Reach("end", RNG.normal(size=(5, 3)), tip=(0.1, 0.2, 0.3), relative_to=SPINE),
    "Orient relative": Orient("end", random_wxyz(RNG, (5,)), relative_to="ball"),
    "Place relative": Place("end", ELSEWHERE.world_from_joint[:, END], relative_to=SPINE),
    "Reach a segment": Reach("end", RNG.normal(size=(5, 3)), within=Segment((0.3, -2.0, 0.4))),
    "Reach a box": Reach("end", RNG.normal(size=(5, 3)), within=Box((0.1, 2.0, 0.0), (0.9, 0.1, 0.2, 0.3))),
    "Reach a cone": Reach("end", RNG.normal(size=(5, 3)), within=Cone((1, 2, 3), 0.6)),
    "Reach a relative box": Reach("end", RNG.normal(size=(5, 3)), within=Box((0.1, 1, 0)), relative_to=SPINE),
    "Orient within": Orient("end", random_wxyz(RNG, (5,)), within=Cone((1, 2, 3), 0.2, (-0.1, 0.3))),
    "Orient within, relative": Orient(
        "end", random_wxyz(RNG, (5,)), within=Cone((1, 2, 3), 0.2, (-0.1, 0.3)), relative_to=SPINE
    ),
    "Place within": Place("end", ELSEWHERE.world_from_joint[:, END], within=Cone((0, 0, 1), 0.3, (0, 0.1))),
    "LookAt limited": LookAt("end", RNG.normal(size=(5, 3)), (0, 0, 1), limit=0.4, share={"twist": 0.5}),
    "LookAt with an eye": LookAt("planar", RNG.normal(size=(5, 3)), (0, 0, 1), share={"twist": 0.3, "universal": 0.2}),
    "Reach": Reach("end", RNG.normal(size=(5, 3)), tip=(0.1, 0.2, 0.3)),
    "Orient": Orient("end", random_wxyz(RNG, (5,))),
    "Place": Place("end", ELSEWHERE.world_from_joint[:, END]),
    "LookAt": LookAt("end", RNG.normal(size=(5, 3)), forward=(1.0, 2.0, 3.0)),
    "Stay": Stay(ELSEWHERE),
}


def test_every_goal_has_a_case() -> None:
    listed = set(posable.goals.__all__) - {"Box", "Goal", "Mark", "Row", "Segment", "SoftGoal", "Spring"}
    assert {type(goal).__name__ for goal in CASES.values()} == listed


@pytest.mark.parametrize("name", CASES)
def test_the_jacobian_is_the_derivative_of_the_residual(name: str) -> None:
    goal, h = CASES[name], 1e-6
    if isinstance(goal, Custom):
        np.testing.assert_allclose(
            goal.jacobian(POSES[0]), 2 * POSES[0].origins[END][:, None] * POSES[0].jacobian("end")[:3], atol=1e-8
        )
        return
    columns = []
    for freedom in range(SKELETON.dof):
        v = np.zeros(SKELETON.dof)
        v[freedom] = h
        columns.append((goal.residual(POSES.plus(v)) - goal.residual(POSES.plus(-v))) / (2 * h))
    np.testing.assert_allclose(goal.jacobian(POSES), np.stack(columns, axis=-1), atol=5e-8)


def test_reach_is_the_way_from_the_tip_to_the_target() -> None:
    goal = CASES["Reach"]
    tip = (POSES.world_from_joint[:, END] @ np.array([0.1, 0.2, 0.3, 1.0]))[:, :3]
    np.testing.assert_allclose(goal.residual(POSES), goal.target - tip, atol=1e-12)


def test_orient_is_the_rotation_vector_in_the_world_that_is_still_to_be_turned() -> None:
    goal = CASES["Orient"]
    now = Rotation.from_matrix(POSES.world_from_joint[:, END, :3, :3])
    wanted = Rotation.from_quat(goal.wxyz, scalar_first=True)
    np.testing.assert_allclose(goal.residual(POSES), (wanted * now.inv()).as_rotvec(), atol=1e-9)


def test_place_is_both() -> None:
    goal = CASES["Place"]
    both = np.concatenate(
        [
            Reach("end", ELSEWHERE.origins[:, END]).residual(POSES),
            Orient("end", Rotation.from_matrix(goal.world_from_joint[:, :3, :3]).as_quat(scalar_first=True)).residual(
                POSES
            ),
        ],
        axis=-1,
    )
    np.testing.assert_allclose(goal.residual(POSES), both, atol=1e-9)


def test_look_at_is_the_smallest_turn_onto_the_line_of_sight() -> None:
    goal = CASES["LookAt"]
    forward = POSES.world_from_joint[:, END, :3, :3] @ (np.array([1.0, 2.0, 3.0]) / math.sqrt(14))
    sight = goal.point - POSES.origins[:, END]
    sight /= np.linalg.norm(sight, axis=1, keepdims=True)
    residual = goal.residual(POSES)
    angle = np.arccos(np.sum(forward * sight, axis=1))
    np.testing.assert_allclose(np.linalg.norm(residual, axis=1), angle, atol=1e-9)
    np.testing.assert_allclose(Rotation.from_rotvec(residual).apply(forward), sight, atol=1e-9)


def test_look_straight_behind_is_half_a_turn() -> None:
    pose = Pose(SKELETON, SKELETON.rest_coordinates)
    world = pose.world_from_joint[END]
    behind = world[:3, 3] - world[:3, :3] @ np.array([0.0, 0.0, 2.0])
    assert np.linalg.norm(LookAt("end", behind, (0, 0, 1)).residual(pose)) == pytest.approx(math.pi, abs=1e-6)


def test_stay_is_the_tangent_to_the_pose() -> None:
    np.testing.assert_allclose(
        POSES.plus(CASES["Stay"].residual(POSES)).world_from_joint, ELSEWHERE.world_from_joint, atol=1e-9
    )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Reach("end", (0.0, math.nan, 0.0)), "Reach('end'): target holds a number that is not finite"),
        (lambda: Reach("end", (0.0, 1.0)), "Reach('end'): target must end in shape (3,), not (2,)"),
        (lambda: Reach("end", "there"), "Reach('end'): target must be numbers, not 'there'"),
        (lambda: Reach("end", (0, 0, 0), tip=(0, 0)), "Reach('end'): tip must end in shape (3,)"),
        (lambda: Reach("end", (0, 0, 0), weight=-1), "Reach('end'): weight must be a number of at least 0, not -1"),
        (lambda: Reach("end", (0, 0, 0), weight=math.nan), "weight must be a number of at least 0, not nan"),
        (lambda: Reach("end", (0, 0, 0), weight="heavy"), "weight must be a number of at least 0, not 'heavy'"),
        (
            lambda: Reach("end", (0, 0, 1e300)),
            "Reach('end'): target contains a value above 1e+15, which is not a plausible length",
        ),
        (lambda: Orient("end", (0, 0, 0, 0)), "Orient('end'): wxyz is a quaternion of length 0"),
        (
            lambda: Comfort({"end": (0, 0, 0, 0)}),
            "Comfort: 'end' has wxyz of length 0; the neutral one is (1, 0, 0, 0)",
        ),
        (lambda: Comfort(0.4), "Comfort: values are {joint: value}, as in {'knee': 0.4}, not 0.4"),  # pyright: ignore[reportArgumentType]
        (lambda: Orient("end", (1, 0, 0)), "Orient('end'): wxyz must end in shape (4,)"),
        (lambda: Place("end", np.diag([2.0, 1, 1, 1])), "Place('end'): world_from_joint is not a rigid transform"),
        (lambda: Place("end", np.diag([-1.0, 1, 1, 1])), "Place('end'): world_from_joint is not a rigid transform"),
        (lambda: Place("end", np.eye(4), position_weight=-2), "Place('end'): position_weight must be"),
        (lambda: Place("end", np.eye(4), rotation_weight=math.inf), "Place('end'): rotation_weight must be"),
        (lambda: LookAt("end", (0, 0, math.inf)), "LookAt('end'): point holds a number that is not finite"),
        (lambda: LookAt("end", (0, 0, 1), forward=(0, 0, 0)), "LookAt('end'): forward has length 0"),
        (lambda: Stay("rest"), "Stay needs a Pose to stay at, not str"),  # pyright: ignore[reportArgumentType]
        (lambda: Stay(POSES, weight=0), "Stay: weight must be a number above 0, not 0"),
    ],
)
def test_nonsense_is_refused_by_name(make: object, message: str) -> None:
    with pytest.raises(GoalError, match=re.escape(message)):
        make()  # pyright: ignore[reportCallIssue]


def test_an_unknown_joint_lists_the_near_ones() -> None:
    with pytest.raises(UnknownJointError, match=r"no joint is called 'univresal'; did you mean universal\?"):
        Reach("univresal", (0, 0, 0)).residual(POSES)


def test_a_goal_is_a_frozen_value_with_read_only_arrays() -> None:
    goal = Reach("end", (0, 0, 0))
    with pytest.raises(AttributeError):
        goal.joint = "root"  # pyright: ignore[reportAttributeAccessIssue]
    with pytest.raises(ValueError, match="read-only"):
        goal.target[0] = 1.0  # pyright: ignore


def test_marks_show_where_a_goal_is() -> None:
    pose = Pose(SKELETON, SKELETON.rest_coordinates)
    assert [(m.kind, m.joint) for m in Reach("end", (1, 2, 3)).marks(pose)] == [("point", "end")]
    assert [m.kind for m in Place("end", np.eye(4)).marks(pose)] == ["point", "frame"]
    assert [m.kind for m in LookAt("end", (1, 2, 3)).marks(pose)] == ["sight"]
    np.testing.assert_array_equal(Orient("end", (1, 0, 0, 0)).marks(pose)[0].place, pose.origins[END])
    assert Stay(pose).marks(pose) == ()
