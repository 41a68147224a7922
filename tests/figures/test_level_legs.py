"""Roles of figures whose legs lie at rest: spread as an ant's, folded as a robot's for transport, on the back."""

from __future__ import annotations

from pathlib import Path

import pytest

import posable
from posable import Axis, Joint, Skeleton

CORNERS = {"0": (0.2, 0.2), "1": (0.2, -0.2), "2": (-0.2, -0.2), "3": (-0.2, 0.2)}
HINGE = (Axis((0.0, 1.0, 0.0), lower=-2.0, upper=2.0),)
STEERED = (Axis((0.0, 0.0, 1.0), lower=-0.5, upper=0.5),)


def four(knee: tuple[float, float, float], foot: tuple[float, float, float], *, names: bool) -> Skeleton:
    """Four legs from a body; knee, foot: offsets of the first leg, mirrored for the others."""
    joints = [Joint("body", "free")]
    for name, (x, y) in CORNERS.items():
        lead = f"leg_{name}_" if names else name
        (kx, ky, kz), (fx, fy, fz) = knee, foot
        front, left = (1 if x > 0 else -1), (1 if y > 0 else -1)
        joints.append(Joint(f"{lead}a", "hinge", "body", (x, y, 0.0), axes=HINGE))
        joints.append(Joint(f"{lead}b", "hinge", f"{lead}a", (front * kx, left * ky, kz), axes=HINGE))
        joints.append(Joint(f"{lead}c", "fixed", f"{lead}b", (front * fx, left * fy, fz)))
    return Skeleton(joints, up="z")


@pytest.mark.parametrize("names", [True, False])
@pytest.mark.parametrize(
    ("knee", "foot"),
    [((0.2, 0.2, 0.0), (0.3, 0.3, 0.0)), ((-0.25, 0.0, 0.0), (0.25, 0.0, 0.0)), ((0.2, 0.2, 0.05), (0.3, 0.3, -0.05))],
)
def test_legs_that_lie_are_legs(
    knee: tuple[float, float, float], foot: tuple[float, float, float], *, names: bool
) -> None:
    """The front ones were arms, with nothing behind them."""
    found = posable.roles(four(knee, foot, names=names))
    assert [leg.name for leg in found.legs] == ["leg_1_l", "leg_1_r", "leg_2_l", "leg_2_r"]
    assert not found.arms


def test_wheels_and_rotors_are_no_legs() -> None:
    for distance in (0.0, 0.01):
        joints = [Joint("body", "free")]
        for name, (x, y) in CORNERS.items():
            joints.append(Joint(f"{name}a", "hinge", "body", (x, y, 0.0), axes=STEERED))
            joints.append(Joint(f"{name}b", "hinge", f"{name}a", (0.0, distance, 0.0), axes=(Axis((0.0, 1.0, 0.0)),)))
        assert not posable.roles(Skeleton(joints, up="z")).legs


def test_a_person_who_lies_has_two_legs() -> None:
    """Arms that reached down to the ground were its second pair of legs."""
    joints = [
        Joint("torso", "free", None, (0.0, 0.0, 0.1)),
        Joint("pelvis", "hinge", "torso", (0.4, 0.0, 0.0), axes=HINGE),
    ]
    for side, y in (("left", 1.0), ("right", -1.0)):
        joints += [
            Joint(f"{side}_thigh", "hinge", "pelvis", (0.0, 0.1 * y, 0.0), axes=HINGE),
            Joint(f"{side}_shin", "hinge", f"{side}_thigh", (0.4, 0.0, 0.0), axes=HINGE),
            Joint(f"{side}_foot", "fixed", f"{side}_shin", (0.35, 0.0, -0.1)),
            Joint(f"{side}_upper_arm", "hinge", "torso", (0.0, 0.17 * y, 0.06), axes=HINGE),
            Joint(f"{side}_lower_arm", "hinge", f"{side}_upper_arm", (0.18, 0.18 * y, -0.15), axes=HINGE),
        ]
    found = posable.roles(Skeleton(joints, up="z"))
    assert [leg.name for leg in found.legs] == ["leg_l", "leg_r"]
    assert found["upper_leg_l"] == "left_thigh" and found["foot_r"] == "right_foot"
    with pytest.raises(posable.PosableError, match="not a stance: its legs do not point down"):
        posable.walk(posable.Figure(found.skeleton))


def urdf(up: str) -> str:
    """A robot with four legs along the negative of one axis, as Laikago's is along y."""
    place = "{0} {2} {1}" if up == "y" else "{0} {1} {2}"
    links, joints = ['<link name="chassis"/>'], []
    for name, (x, y) in (("FL", (0.2, 0.1)), ("FR", (0.2, -0.1)), ("RL", (-0.2, 0.1)), ("RR", (-0.2, -0.1))):
        above = "chassis"
        for part, offset in (
            ("hip", (x, y, 0.0)),
            ("upper", (0.0, 0.2 * y, 0.0)),
            ("lower", (-0.14, 0.0, -0.2)),
            ("toe", (0.14, 0.0, -0.2)),
        ):
            links.append(f'<link name="{name}_{part}"/>')
            joints.append(
                f'<joint name="{name}{part}" type="continuous"><parent link="{above}"/><child link="{name}_{part}"/>'
                f'<origin xyz="{place.format(*offset)}"/><axis xyz="1 0 0"/></joint>'
            )
            above = f"{name}_{part}"
    return f'<robot name="dog">{"".join(links + joints)}</robot>'


@pytest.mark.parametrize("up", ["y", "z"])
def test_an_animal_of_a_urdf_that_stands_along_y_has_y_up(tmp_path: Path, up: str) -> None:
    """With z up, its hind legs were those of a person, with a confidence of 0.9."""
    (tmp_path / "dog.urdf").write_text(urdf(up))
    figure = posable.load(tmp_path / "dog.urdf")
    assert figure.skeleton.up == up
    assert bool(figure.notes) == (up == "y")
    assert len(posable.roles(figure).legs) == 4
