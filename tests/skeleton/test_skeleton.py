"""The skeleton: what it tells, that nothing can change it, and what it refuses."""

from __future__ import annotations

import dataclasses
import math
import pickle
from typing import Any

import numpy as np
import pytest
from skeleton.samples import arm, random_skeleton

from posable.errors import SkeletonError, UnknownJointError
from posable.skeleton import MAX_JOINTS, Axis, Cone, Follow, Joint, Skeleton

HINGE = (Axis((0, 0, 1)),)


def figure() -> Skeleton:
    universal = (Axis((1, 0, 0), lower=-1, upper=2), Axis((0, 1, 0)))
    return Skeleton(
        [
            Joint("root", "free", position=(9, 9, 9)),
            Joint("spine", "ball", "root", (0, 2, 0), cone=Cone((0, 1, 0), 0.5)),
            Joint("arm", "universal", "spine", (0, 0, 3), axes=universal, aliases=("arm_link", "root")),
            Joint(
                "rail",
                "slide",
                "spine",
                (1, 0, 0),
                axes=(Axis((1, 0, 0), True, lower=-4, upper=1),),
                tips=((0, 0.5, 0),),
            ),
        ],
        up="z",
    )


def test_what_it_tells() -> None:
    s = figure()
    assert s.joints == ("root", "spine", "arm", "rail")
    assert list(s.parents) == [-1, 0, 1, 1]
    assert (s.dof, s.coordinates, s.up) == (12, 14, "z")
    np.testing.assert_array_equal(s.lower, [-math.inf] * 9 + [-1, -math.inf, -4])
    np.testing.assert_array_equal(s.upper, [math.inf] * 9 + [2, math.inf, 1])
    assert dict(s.cones) == {"spine": Cone((0, 1, 0), 0.5)}
    assert s.freedoms[-5:] == ("spine.y", "spine.z", "arm.x", "arm.y", "rail.x")
    assert s.freedoms[:6] == ("root.x", "root.y", "root.z", "root.rx", "root.ry", "root.rz")
    assert (s.children("spine"), s.children(3), s.chain("rail"), s.chain(0)) == ((2, 3), (), (0, 1, 3), (0,))
    assert (s.freedom_range("arm"), s.freedom_range(0)) == (range(9, 11), range(6))
    assert s.index("arm_link") == 2 and s.index("root") == 0
    assert repr(s) == "Skeleton(4 joints, 12 freedoms, up z)"


def test_reach_is_the_longest_way_without_the_roots_own_place() -> None:
    assert figure().reach == 2 + 1 + 4 + 0.5
    assert Skeleton([Joint("a", "fixed", position=(5, 0, 0))]).reach == 1


def test_freedom_masks() -> None:
    s = figure()
    assert list(np.flatnonzero(s.freedom_mask(["arm"]))) == [9, 10]
    assert list(np.flatnonzero(s.freedom_mask(["spine.y", "Rail", "ARM.y", "root.rz"]))) == [5, 7, 10, 11]
    assert not s.freedom_mask([]).any()
    twice = Skeleton([Joint("a", "compound", axes=(Axis((1, 0, 0), True), Axis((0, 1, 0)), Axis((1, 0, 0))))])
    assert list(twice.freedom_mask(["a.x"])) == [True, False, True]
    for name in ("arm.z", "nothing", "nothing.x"):
        with pytest.raises(
            UnknownJointError, match=f"no joint is called '{name.split('.')[0] if 'not' in name else name}"
        ):
            s.freedom_mask([name])


def test_equal_where_joints_and_up_are() -> None:
    assert figure() == figure()
    assert hash(figure()) == hash(figure())
    assert figure() != Skeleton(figure().definitions)
    assert figure() != Skeleton(figure().definitions[:2], "z")
    assert figure() != "figure"
    used = figure()
    assert used.cones and used.aliases
    again = pickle.loads(pickle.dumps(used))
    assert again == used and not again.tables.turn.flags.writeable


def test_poses_are_shared_by_the_same_joints_in_order() -> None:
    skeleton = arm("hinge", 3)
    longer = Skeleton(dataclasses.replace(j, position=(0, 9, 0)) for j in skeleton.definitions)
    assert skeleton.shares_poses(skeleton) and skeleton.shares_poses(longer)
    assert skeleton.shares_poses(skeleton.without_limits())
    other = Skeleton(dataclasses.replace(j, name=j.name + "_", parent=None) for j in skeleton.definitions)
    assert other.coordinates == skeleton.coordinates and not skeleton.shares_poses(other)
    assert not skeleton.shares_poses(arm("ball", 3))


def test_nothing_can_be_changed() -> None:
    s = figure()
    for array in (*s.tables, s.rest_coordinates, s.lower, s.upper, s.parents):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        s.up = "y"  # type: ignore[misc]
    for mapping in (s.cones, s.aliases):
        with pytest.raises(TypeError):
            mapping["x"] = 0  # type: ignore[index]


def test_lists_and_arrays_become_tuples_of_its_own() -> None:
    place, rest = np.array([1.0, 2, 3]), [0.25]
    joint = Joint(
        "a", "hinge", None, place, axes=[Axis(np.array([0, 0, 2.0]))], rest=rest, active=[1], comfort=[[0, 1]]
    )  # type: ignore[arg-type]
    place[0], rest[0] = 7, 7
    assert joint == Joint("a", "hinge", None, (1, 2, 3), axes=HINGE, rest=(0.25,), active=(True,), comfort=((0, 1),))
    assert hash(joint)


def test_rest_coordinates() -> None:
    s = Skeleton(
        [
            Joint("a", "free", position=(1, 2, 3), wxyz=(0, 0, 0, 2)),
            Joint("b", "ball", "a", rest=(0, 3, 0, 4)),
            Joint("c", "universal", "b", axes=(Axis((1, 0, 0), lower=1), Axis((0, 1, 0), upper=-2, reference=5))),
            Joint("d", "planar", "c"),
        ]
    )
    np.testing.assert_array_equal(s.rest_coordinates, [1, 2, 3, 0, 0, 0, 1, 0, 0.6, 0, 0.8, 1, -2, 0, 0, 0])
    assert s.freedoms[-3:] == ("d.x", "d.y", "d.angle")


def test_without_limits_only_the_limits_go() -> None:
    s = random_skeleton(np.random.default_rng(0), limits=True)
    free = s.without_limits()
    assert np.isinf(free.lower).all() and np.isinf(free.upper).all() and not free.cones
    np.testing.assert_array_equal(free.rest_coordinates, s.rest_coordinates)
    assert free.joints == s.joints and free.up == s.up


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kind": "weld"}, "joint 'a': unknown kind 'weld'; choose from fixed, hinge, twist"),
        ({"kind": "universal", "axes": HINGE}, "a universal joint has 2 turning and 0 sliding axes"),
        ({"axes": (Axis((1, 0, 0), True),)}, "a hinge joint has 1 turning and 0 sliding axes"),
        ({"position": (0, 0)}, r"joint 'a': position must be 3 finite numbers, not \(0, 0\)"),
        ({"position": (0, math.nan, 0)}, "position must be 3 finite numbers"),
        ({"wxyz": (0, 0, 0, 0)}, "joint 'a': its rotation wxyz has length 0"),
        ({"wxyz": (0, 0, 0, "x")}, "wxyz must be 4 finite numbers"),
        ({"mass_center": None}, "mass_center must be 3 finite numbers, not None"),
        ({"tips": ((1, 2),)}, r"tips must be 3 finite numbers, not \(1, 2\)"),
        ({"kind": "ball", "axes": (), "anchor": (math.inf, 0, 0)}, "anchor must be 3 finite numbers"),
        ({"anchor": (1, 0, 0)}, "only ball joints have an anchor; other kinds have one per axis"),
        ({"active": (True, False)}, "active needs 1 entries, one per freedom, not 2"),
        ({"comfort": ()}, "comfort needs 1 entries, one per freedom, not 0"),
        ({"comfort": ((1, 0),)}, "comfort is a pair per freedom, the lower first"),
        ({"rest": (1, 2)}, "rest needs 1 coordinates, not 2"),
        ({"rest": (math.nan,)}, "rest must be 1 finite numbers"),
        ({"kind": "ball", "axes": (), "rest": (0, 0, 0, 0)}, "the rotation in rest has length 0"),
        ({"cone": Cone((1, 0, 0))}, "only ball joints have cones"),
        ({"kind": "ball", "axes": (), "absolute": True}, "only hinges can have absolute angles"),
        ({"ease": -1}, "ease must be a number of at least 0, not -1"),
        ({"stiffness": math.nan}, "stiffness must be a number of at least 0, not nan"),
        ({"elasticity": math.inf}, "elasticity must be a number of at least 0, not inf"),
        ({"mass": -2}, "mass must be a number of at least 0, not -2"),
    ],
)
def test_refused_joints(options: dict[str, Any], message: str) -> None:
    with pytest.raises(SkeletonError, match=message):
        Joint("a", **{"axes": HINGE, **options})


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Axis((0, 0, 0)), "an axis needs a finite direction of some length"),
        (lambda: Axis((1, 0)), "an axis needs a finite direction of some length"),  # type: ignore[arg-type]
        (lambda: Axis((math.nan, 0, 1)), "an axis needs a finite direction of some length"),
        (lambda: Axis((1, 0, 0), anchor=(0, math.inf, 0)), "the anchor of an axis is 3 finite numbers"),
        (lambda: Axis((1, 0, 0), lower=1, upper=0), "limits must be numbers, the lower first, not 1 … 0"),
        (lambda: Axis((1, 0, 0), lower=math.nan), "limits must be numbers"),
        (lambda: Axis((1, 0, 0), lower=math.inf), "limits must be numbers"),
        (lambda: Axis((1, 0, 0), upper=-math.inf), "limits must be numbers"),
        (lambda: Axis((1, 0, 0), reference=math.nan), "an axis needs a finite reference, not nan"),
        (lambda: Follow("b", gain=math.inf), "what mimics 'b' needs a finite gain and offset, not inf, 0.0"),
        (lambda: Cone((0, 0, 0)), "a cone needs a finite axis of some length"),
        (lambda: Cone((1, 0, 0), 4), "a swing limit lies between 0 and π, not 4"),
        (lambda: Cone((1, 0, 0), math.nan), "a swing limit lies between 0 and π, not nan"),
        (lambda: Cone((1, 0, 0), 1, (1, 0)), "twist limits lie between -π and π, the lower first"),
        (lambda: Cone((1, 0, 0), 1, (0, 4)), "twist limits lie between -π and π, the lower first"),
        (lambda: Cone((1, 0, 0), 1, (0, math.nan)), "twist limits are 2 finite numbers"),
        (lambda: Cone((1, 0, 0), center=(0, 0, 0, 0)), "the center of a cone is a rotation wxyz"),
    ],
)
def test_refused_parts(make: Any, message: str) -> None:
    with pytest.raises(SkeletonError, match=message):
        make()


def mimic(name: str, of: str, **more: Any) -> Joint:
    return Joint(name, axes=(Axis((0, 0, 1), follow=Follow(of, **more)),))


@pytest.mark.parametrize(
    ("joints", "message"),
    [
        ([], "a skeleton needs at least one joint"),
        ([Joint("a", "fixed"), Joint("a", "fixed")], "two joints are called 'a'; names must differ"),
        ([Joint("a", "fixed", "b"), Joint("b", "fixed")], "its parent 'b' comes after it .*list parents first"),
        ([Joint("a", "fixed", "a")], "comes after it .or the parents run in a circle"),
        ([Joint("a", "fixed", "z")], "joint 'a': its parent 'z' does not exist"),
        ([mimic("a", "b")], "joint 'a' mimics 'b', but no joint of that name has such an axis"),
        (
            [Joint("b", axes=HINGE), mimic("a", "b", axis=1)],
            "joint 'a' mimics 'b', but no joint of that name has such an axis",
        ),
        ([mimic("a", "b"), mimic("b", "a")], "mimics itself in a circle; one of them must move by itself"),
        (
            [Joint("c", axes=HINGE), mimic("b", "c", gain=1e200), mimic("a", "b", gain=1e200)],
            "by a value that overflows",
        ),
        (
            [Joint("r", "fixed"), Joint("a", "ball", "r"), Joint("b", parent="a", axes=HINGE, absolute=True)],
            "joint 'b' has an absolute angle, so 'a', which moves above it, must have one too",
        ),
    ],
)
def test_refused_trees(joints: list[Joint], message: str) -> None:
    with pytest.raises(SkeletonError, match=message):
        Skeleton(joints)


def test_refused_sizes_and_axes() -> None:
    with pytest.raises(SkeletonError, match="100,001 joints; posable accepts at most 100,000"):
        Skeleton([Joint("a", "fixed")] * (MAX_JOINTS + 1))
    with pytest.raises(SkeletonError, match="the up axis is 'y' or 'z', not 'x'"):
        Skeleton([Joint("a", "fixed")], "x")  # type: ignore[arg-type]


@pytest.mark.slow
def test_long_chains_of_mimics_and_absolute_angles_take_no_longer_per_joint() -> None:
    count = 5000
    chain = [mimic(f"m{i}", f"m{i + 1}", offset=1.0) for i in range(count)]
    s = Skeleton([*chain, Joint(f"m{count}", axes=HINGE)])
    np.testing.assert_array_equal(s.tables.shift, np.arange(count, -1, -1))
    assert (s.tables.axis_coordinate == 0).all() and s.dof == 1
    assert (arm("hinge", count, absolute=True).tables.axis_coordinate2[1:] == np.arange(count - 1)).all()
