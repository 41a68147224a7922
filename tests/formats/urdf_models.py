"""Small URDF robots that several tests read."""

from __future__ import annotations

from pathlib import Path

import posable
from posable.figures import Figure


def loaded(folder: Path, text: str) -> Figure:
    (folder / "robot.urdf").write_text(text, encoding="utf-8")
    return posable.load(folder / "robot.urdf")


LINKS = "".join(f'<link name="l{k}"/>' for k in range(6))
TWO_LINKS = '<link name="l0"/><link name="l1"/>'


def joint(number: int, kind: str, inside: str = "", parent: int | None = None) -> str:
    parent = number - 1 if parent is None else parent
    return (
        f'<joint name="j{number}" type="{kind}"><parent link="l{parent}"/><child link="l{number}"/>'
        f'<origin xyz="0.{number} 0.2 0.3" rpy="0.5 {number} -0.7"/>{inside}</joint>'
    )


LIMIT = '<limit lower="-1" upper="2" effort="1" velocity="1"/>'


def visual(solid: str, material: str = "") -> str:
    return f'<visual><origin xyz="1 2 3" rpy="0.1 0.2 0.3"/><geometry>{solid}</geometry>{material}</visual>'


SMALL = f"""<robot name="r">
<material name="blue"><color rgba="0 0 1 1"/></material>
<link name="l0">{visual('<box size="1 2 3"/>', '<material name="blue"/>')}<inertial><mass value="2"/></inertial></link>
{"".join(f'<link name="l{k}"/>' for k in range(1, 6))}
{joint(1, "revolute", LIMIT)}
{joint(2, "planar", '<axis xyz="0 1 0"/>')}
{joint(3, "floating")}
{joint(4, "prismatic", LIMIT + '<mimic joint="j1" multiplier="2" offset="1"/>', 1)}
{joint(5, "continuous")}
</robot>"""
