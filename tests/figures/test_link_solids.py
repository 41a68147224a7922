"""Solids that stand for a robot's bodies whose meshes are missing, and what is made of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import posable
from posable import Figure
from posable.figures import merge_figures, scaled
from posable.figures.close_capsules import close_capsules
from posable.figures.link_solids import LinkBody, ellipsoid_of_inertia, stand_ins
from posable.figures.shapes import Shape
from posable.spatial import Array, matrix_from_wxyz, wxyz_about

MASS, SIDES, CENTER = 12.0, np.array([0.1, 0.2, 0.4]), (0.0, 0.01, -0.2)
TURN = matrix_from_wxyz(wxyz_about((1.0, 2.0, 0.5), 0.7))


def _inertia(sides: Array = SIDES, mass: float = MASS) -> Array:
    """That of a solid box about its centre, turned."""
    squares = sides**2
    return TURN @ np.diag(mass / 12 * (squares.sum() - squares)) @ TURN.T


def _body(**changes: Any) -> LinkBody:
    return replace(LinkBody("shank", True, (), (), MASS, CENTER, _inertia()), **changes)


def test_the_ellipsoid_of_a_box_is_as_long_as_its_moments_say_and_turned_as_the_box() -> None:
    found = ellipsoid_of_inertia(_body())
    assert found is not None
    assert found.position == CENTER
    # The second moment along a half side h of a box is m h² / 3, along a half axis of an ellipsoid m a² / 5.
    np.testing.assert_allclose(found.size, np.sqrt(5 / 3) * SIDES / 2, rtol=1e-9)
    axes = matrix_from_wxyz(np.array(found.wxyz))
    np.testing.assert_allclose(np.abs(axes.T @ TURN), np.eye(3), atol=1e-9)


@pytest.mark.parametrize(
    "changes",
    [
        {"mass": 0.0},
        {"inertia": np.eye(3)},  # put in, not worked out: 5 kg/m³
        {"inertia": np.diag([0.01, 0.01, 0.04])},  # no body is so flat
        {"inertia": np.zeros((3, 3))},
        {"inertia": 1e-9 * _inertia()},  # denser than any metal
    ],
)
def test_an_inertia_that_no_body_has_says_nothing(changes: dict[str, Any]) -> None:
    assert ellipsoid_of_inertia(_body(**changes)) is None


def test_collision_solids_stand_for_a_body_where_they_fill_it() -> None:
    corners = tuple(Shape("shank", "sphere", (0.005,), (x, 0.0, 0.0)) for x in (-0.1, 0.1))
    box = (Shape("shank", "box", (0.1, 0.2, 0.4)),)
    assert [solid.kind for solid in stand_ins([_body(hidden=corners)])] == ["sphere", "sphere", "ellipsoid"]
    assert [solid.kind for solid in stand_ins([_body(drawn=corners)])] == ["ellipsoid"]
    assert [solid.kind for solid in stand_ins([_body(hidden=box)])] == ["box"]
    assert list(stand_ins([_body(drawn=box)])) == []
    assert list(stand_ins([_body(missing=False, hidden=box)])) == []


def test_inertias_about_the_joints_are_moved_to_the_centres() -> None:
    bodies = [_body(joint=f"link_{k}", center=(0.0, 0.02 * k, -0.2 - 0.02 * k)) for k in range(6)]
    about_joints = []
    for body in bodies:
        c = np.array(body.center)
        about_joints.append(replace(body, inertia=body.inertia + MASS * (c @ c * np.eye(3) - np.outer(c, c))))
    right, moved = list(stand_ins(bodies)), list(stand_ins(about_joints))
    assert len(right) == len(moved) == 6
    for one, other in zip(right, moved, strict=True):
        np.testing.assert_allclose(other.size, one.size, rtol=1e-6)
    # Two such bodies alone do not tell.
    assert not np.allclose(next(iter(stand_ins(about_joints[:2]))).size, right[0].size, rtol=0.1)


INERTIAL = (
    '<inertial><origin xyz="0 0 -0.2" rpy="0 0 0"/><mass value="3"/>'
    '<inertia ixx="0.045" iyy="0.045" izz="0.004" ixy="0" ixz="0" iyz="0"/></inertial>'
)
URDF = f"""<robot name="r"><link name="trunk"><visual><geometry><mesh filename="gone.stl"/></geometry></visual></link>
<link name="shin">{{visual}}{INERTIAL}<collision><geometry><sphere radius="0.01"/></geometry></collision></link>
<joint name="knee" type="revolute"><parent link="trunk"/><child link="shin"/><axis xyz="0 1 0"/>
<limit lower="0" upper="2" effort="1" velocity="1"/></joint></robot>"""
MISSING = '<visual><geometry><mesh filename="gone.stl"/></geometry></visual>'
BOX = '<visual><geometry><box size="0.1 0.1 0.4"/></geometry></visual>'


def _urdf(folder: Path, visual: str) -> Figure:
    path = folder / "robot.urdf"
    path.write_text(URDF.format(visual=visual), encoding="utf-8")
    return posable.load(path)


def test_a_urdf_link_without_its_mesh_gets_the_ellipsoid_of_its_inertia(tmp_path: Path) -> None:
    figure = _urdf(tmp_path, MISSING)
    (solid,) = figure.solids
    assert (solid.joint, solid.kind, solid.position) == ("knee", "ellipsoid", (0.0, 0.0, -0.2))
    long = np.sqrt(5 * (0.045 - 0.002) / 3)
    assert max(solid.size) == pytest.approx(long)
    assert [shape.kind for shape in figure.shapes] == ["sphere"]  # drawn as before
    (ball, shin) = close_capsules(figure)[1]
    assert ball[6] == 0.01
    assert shin[5] < -0.2 - 0.5 * long or shin[2] < -0.2 - 0.5 * long


def test_links_that_are_drawn_get_no_other_solids(tmp_path: Path) -> None:
    assert _urdf(tmp_path, BOX).solids == ()


def test_a_robot_that_draws_nothing_has_its_collision_solids(tmp_path: Path) -> None:
    path = tmp_path / "robot.urdf"
    trunk = '<visual><geometry><mesh filename="gone.stl"/></geometry></visual>'
    path.write_text(URDF.format(visual="").replace(trunk, ""), encoding="utf-8")
    figure = posable.load(path)
    assert figure.shapes == ()
    assert [solid.kind for solid in figure.solids] == ["sphere", "ellipsoid"]
    assert any(joint.capsules for joint in posable.with_capsules(figure).skeleton.definitions)


MJCF = """<mujoco><asset><mesh name="m" file="gone.stl"/></asset><worldbody><body name="trunk"><geom size="0.1"/>
<body name="shin"><joint name="knee" axis="0 1 0" range="0 2"/>{inertial}
<geom type="mesh" mesh="m"/><geom type="capsule" size="0.01" fromto="0 0 0 0 0 -0.1" group="3"/>
</body></body></worldbody></mujoco>"""


@pytest.mark.parametrize(
    "inertial",
    [
        '<inertial pos="0 0 -0.2" mass="3" fullinertia="0.045 0.045 0.004 0 0 0"/>',
        '<inertial pos="0 0 -0.2" mass="3" quat="1 0 1 0" diaginertia="0.004 0.045 0.045"/>',
    ],
)
def test_an_mjcf_body_without_its_mesh_gets_hidden_solids_and_its_inertia(inertial: str, tmp_path: Path) -> None:
    path = tmp_path / "model.xml"
    path.write_text(MJCF.format(inertial=inertial), encoding="utf-8")
    hidden, solid = posable.load(path).solids
    assert (hidden.kind, solid.kind, solid.joint) == ("capsule", "ellipsoid", "shin")
    longest = matrix_from_wxyz(np.array(solid.wxyz))[:, int(np.argmax(solid.size))]
    np.testing.assert_allclose(np.abs(longest), (0, 0, 1), atol=1e-6)


def test_solids_go_with_their_figure(tmp_path: Path) -> None:
    figure = _urdf(tmp_path, MISSING)
    assert figure.with_root("free").solids == figure.solids
    (larger,) = scaled(figure, 2.0).solids
    assert larger.size == tuple(2 * one for one in figure.solids[0].size)
    (merged,) = merge_figures({"a": figure}).solids
    assert merged.joint == "a/knee"
