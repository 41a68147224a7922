# ruff: noqa: E501  (models and messages stand in one line each)
"""URDF that cannot be used: every message with its line, and damaged files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from formats.mjcf_models import TETRAHEDRON
from formats.urdf_models import SMALL, loaded, visual

from posable.errors import FileError

R = '<robot name="r">\n%s</robot>'
TWO = '<link name="l0"/><link name="l1"/>\n'
J = '<joint name="j1" type="%s"><parent link="l0"/><child link="l1"/>%s</joint>'
REFUSED = {
    "<scene/>": "robot.urdf:1: a URDF file is a <robot>, not <scene>",
    "<mujoco/>": "robot.urdf:1: this is an MJCF model, not URDF; name the file .xml",
    R % "": "robot.urdf:1: the robot has no <link>",
    R % "<link/>": 'robot.urdf:2: <link> needs name="…"',
    R % '<link name="a"/>\n<link name="a"/>': "robot.urdf:3: a second link is called 'a' (the first is in line 2); rename one",
    R % (TWO + J % ("fixed", "") + J % ("fixed", "")): "robot.urdf:3: a second joint is called 'j1' (the first is in line 3)",
    R % '<link name="a"/>\n<xacro:macro/>': "robot.urdf:3: <xacro:macro> is xacro, not URDF; expand it first: xacro file.xacro > file.urdf",
    R % (TWO + J % ("fixed", '<origin rpy="$(optenv R 0 0 0)"/>')): "robot.urdf:3: <origin> rpy: it needs 3 numbers, not '$(optenv R 0 0 0)'; it was left to xacro: expand the file first",
    R % (TWO + J % ("fixed", '<origin xyz="0 0 ${h}"/>')): "robot.urdf:3: <origin> xyz: '${h}' is not a number; it was left to xacro: expand",
    R % (TWO + '<joint name="j" type="fixed"><child link="l1"/></joint>'): "robot.urdf:3: joint 'j' has no <parent link=\"…\"/>",
    R % ('<link name="l0"/>\n' + J % ("fixed", "")): "robot.urdf:3: joint 'j1' names the child link 'l1', which is not in the file",
    R % TWO: "robot.urdf:2: links 'l0' and 'l1' both have no parent joint; a robot has one root",
    R % (TWO + J % ("fixed", "") + (J % ("fixed", "")).replace("j1", "j2")): "robot.urdf:3: link 'l1' has two parents, joint 'j1' in line 3 and joint 'j2'",
    R % (TWO + J % ("fixed", "") + '<joint name="j" type="fixed"><parent link="l1"/><child link="l0"/></joint>'): "robot.urdf:1: every link has a parent joint, so the joints form a cycle",
    R % ('<link name="base"/>' + TWO + J % ("fixed", "") + '\n<joint name="j" type="fixed"><parent link="l1"/><child link="l0"/></joint>'): "robot.urdf:3: link 'l1' is its own ancestor through a cycle of joints; the root does not reach it",
    R % (TWO + J % ("bevel", "")): "robot.urdf:3: joint 'j1' is of type 'bevel'; URDF has revolute, continuous, prismatic, fixed, "
        "floating, planar, spherical",
    R % (TWO + (J % ("", "")).replace(' type=""', "")): 'robot.urdf:3: <joint> needs type="…"',
    R % (TWO + J % ("revolute", "")): "robot.urdf:3: joint 'j1' is revolute and has no <limit lower=\"…\" upper=\"…\"/>; add it",
    R % (TWO + J % ("prismatic", "")): "robot.urdf:3: joint 'j1' is prismatic and has no <limit",
    R % (TWO + J % ("revolute", '\n<limit lower="2" upper="1"/>')): "robot.urdf:4: <limit>: the lower limit 2 is above the upper limit 1; exchange them",
    R % (TWO + J % ("revolute", '<limit lower="nan" upper="1"/>')): "robot.urdf:3: <limit> lower: 'nan' is not a number",
    R % (TWO + J % ("continuous", '\n<axis xyz="0 0 0"/>')): "robot.urdf:4: joint 'j1' has a zero axis",
    R % (TWO + J % ("continuous", '<axis xyz="0 0"/>')): "robot.urdf:3: <axis> xyz: it needs 3 numbers, not '0 0'",
    R % (TWO + J % ("fixed", '<origin xyz="0 NaN 0"/>')): "robot.urdf:3: <origin> xyz: 'NaN' is not a number",
    R % (TWO + J % ("fixed", '<origin rpy="0 inf 0"/>')): "robot.urdf:3: <origin> rpy: '0 inf 0' is not a plausible length or angle",
    R % (TWO + J % ("continuous", '<mimic joint="x"/>')): "robot.urdf:3: it mimics 'x', which is not a single-axis joint of this file",
    R % (TWO + J % ("continuous", '<mimic joint="j1"/>')): "robot.urdf:3: joint 'j1' mimics itself through a cycle; one of the joints must move independently",
    R % (TWO + '<link name="l2"/>' + J % ("continuous", '<mimic joint="j2"/>') + '\n<joint name="j2" type="continuous"><parent link="l1"/><child link="l2"/><mimic joint="j1"/></joint>'): "robot.urdf:4: joint 'j2' mimics itself through a cycle",
    R % '<link name="a"><inertial><mass value="-1"/></inertial></link>': "robot.urdf:2: link 'a' has a mass of -1 kg; it must be at least 0",
    R % ('<link name="a">' + visual('<sphere radius="-1"/>') + "</link>"): "robot.urdf:2: a <sphere> has a size below 0",
    R % ('<link name="a">' + visual("<mesh/>") + "</link>"): 'robot.urdf:2: <mesh> needs filename="…"',
}  # fmt: skip


@pytest.mark.parametrize(("text", "message"), REFUSED.items(), ids=range(len(REFUSED)))
def test_refused_with_place_and_cure(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(FileError, match="^" + re.escape(message)):
        loaded(tmp_path, text)


def test_a_long_chain_is_no_deep_recursion(tmp_path: Path) -> None:
    count = 5_000
    links = "".join(f'<link name="l{k}"/>' for k in range(count + 1))
    joints = "".join(
        f'<joint name="j{k}" type="continuous"><origin xyz="0 0 1"/><parent link="l{k}"/><child '
        f'link="l{k + 1}"/></joint>'
        for k in range(count)
    )
    assert loaded(tmp_path, f'<robot name="r">{links}{joints}</robot>').rest.origins[-1, 2] == count


@pytest.mark.slow
@pytest.mark.fuzz
def test_damaged_robots_are_refused(attack, shared: Path) -> None:
    mesh = visual('<mesh filename="package://x/t.obj" scale="1 1 -1"/>')
    shown = f'<robot name="r"><link name="l0">{mesh}</link></robot>'
    seeds = [shared / "robots/panda.urdf", shared / "robots/r2d2.urdf", SMALL.encode(), shown.encode()]
    outcome = attack(".urdf", seeds, companions={"t.obj": TETRAHEDRON.encode()})
    assert outcome.refused > 0
