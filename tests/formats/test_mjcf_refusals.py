# ruff: noqa: E501  (models and messages stand in one line each)
"""MJCF that cannot be used: every message with its line, and damaged files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from formats.mjcf_models import COUPLED, DEFAULTS, FRAMES, SOLIDS, TETRAHEDRON, loaded

from posable.errors import FileError, FileTooLargeError

W = "<mujoco>\n<worldbody>\n%s</worldbody></mujoco>"
REFUSED = {
    "<mujocoinclude/>": "model.xml:1: is a part of an MJCF model; open the file that includes it",
    "<scene/>": "model.xml:1: an XML file with a <scene> is neither MJCF (<mujoco>) nor URDF (<robot>)",
    "<mujoco/>": "model.xml:1: the model has no <body>",
    W % "<joint/>": "model.xml:3: the world itself cannot move; put the joint into a <body>",
    W % '<body><replicate count="99999999"/></body>': "model.xml:3: <replicate> makes bodies that are not written in the file",
    W % '<body name="a"/>\n<body name="a"/>': "model.xml:4: a second body is called 'a' (the first is in line 3); rename one",
    W % '<body>\n<joint name="a"/><joint name="a"/></body>': "model.xml:4: a second joint is called 'a' (the first is in line 4)",
    W % '<body><body name="x">\n<freejoint/></body></body>': "model.xml:4: body 'x': a free joint must be alone in a child body of the world",
    W % '<body name="x"><joint/><joint type="free"/></body>': "model.xml:3: body 'x': a free joint must be alone",
    W % '<body><joint type="bevel"/></body>': "model.xml:3: a joint must be free, ball, slide, hinge, not 'bevel'",
    W % '<body><joint axis="0 0 0"/></body>': "model.xml:3: the joint has a zero axis",
    W % '<body><joint axis="0 0"/></body>': "model.xml:3: <joint> axis: it needs 3 numbers, not '0 0'",
    W % '<body><joint range="2 1"/></body>': "model.xml:3: <joint>: the lower limit 0.0349066 is above the upper limit 0.0174533; exchange them",
    W % '<body><joint range="nan 1"/></body>': "model.xml:3: <joint> range: 'nan' is not a number",
    W % '<body><joint limited="maybe"/></body>': "model.xml:3: limited must be 'true', 'false' or 'auto', not 'maybe'",
    W % '<body><joint limited="true"/></body>': 'model.xml:3: the joint is limited and has no range="lower upper"; add it',
    W % '<body pos="0 0 inf"/>': "model.xml:3: <body> pos: '0 0 inf' is not a plausible length or angle",
    W % '<body quat="0 0 0 0"/>': "model.xml:3: <body> quat: a direction is zero",
    W % '<body axisangle="0 0 0 1"/>': "model.xml:3: <body> axisangle: a direction is zero",
    W % '<body xyaxes="1 0 0 2 0 0"/>': "model.xml:3: <body> xyaxes: a direction is zero",
    W % '<body zaxis="0 0 0"/>': "model.xml:3: <body> zaxis: a direction is zero",
    W % '<body quat="1 0 0 0" euler="0 0 0"/>': "model.xml:3: <body> has two rotations, quat and euler; keep one",
    W % '<body><joint class="x"/></body>': "model.xml:3: unknown default class 'x'; choose from main",
    W % '<body childclass="x"><joint/></body>': "model.xml:3: unknown default class 'x'",
    W % '<body name="a"><inertial mass="-1"/></body>': "model.xml:3: body 'a' has a mass of -1 kg; it must be at least 0",
    W % '<body><geom type="box" size="1 1"/></body>': "model.xml:3: a box has 3 sizes, not 2; write them all",
    W % '<body><geom size="-1"/></body>': "model.xml:3: a sphere has a size below 0",
    W % '<body><geom type="capsule" size="1" fromto="1 1 1 1 1 1"/></body>': "model.xml:3: fromto: the two ends coincide",
    W % '<body><geom type="mesh" mesh="m"/></body>': "model.xml:3: no <mesh> is called 'm' among the assets",
    '<mujoco><default>\n<default/></default></mujoco>': 'model.xml:2: <default> needs class="…"',
    '<mujoco><default><default class="a"/>\n<default class="a"/></default></mujoco>': "model.xml:2: a second default class is called 'a'; rename one",
    '<mujoco><compiler coordinate="global"/></mujoco>': "model.xml:1: coordinate=\"global\" is obsolete; open and save the file",
    '<mujoco><compiler angle="turns"/></mujoco>': "model.xml:1: angle must be 'degree' or 'radian', not 'turns'",
    '<mujoco><compiler eulerseq="xyw"/></mujoco>': "model.xml:1: eulerseq must be three of the letters x, y, z, X, Y, Z, not 'xyw'",
    '<mujoco><include file="../x.xml"/></mujoco>': "model.xml:1: refers to '../x.xml', outside its own folder; put the file beside it",
    '<mujoco><include file="model.xml"/></mujoco>': "model.xml:1: 'model.xml' is included a second time, or includes itself",
    f'<mujoco><include file="{"x" * 300}"/></mujoco>': f"model.xml:1: includes '{'x' * 80}', which is not a file name",
    '<mujoco><asset><mesh name="m" file="m.stl" refquat="0 0 0 0"/></asset><worldbody><body><geom '
        'mesh="m"/></body></worldbody></mujoco>': "model.xml:1: <mesh> refquat: a zero quaternion is not a rotation",
    '<mujoco><include/></mujoco>': 'model.xml:1: <include> needs file="…"',
}  # fmt: skip


@pytest.mark.parametrize(("text", "message"), REFUSED.items(), ids=range(len(REFUSED)))
def test_refused_with_place_and_cure(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(FileError, match="^" + re.escape(message)):
        loaded(tmp_path, text)


def test_includes_of_includes_end(tmp_path: Path) -> None:
    for k in range(20):
        (tmp_path / f"{k}.xml").write_text(
            f'<mujoco><include file="{k + 1}.xml"/><include file="{k + 1}.xml"/></mujoco>'
        )
    with pytest.raises(FileError, match=r"0\.xml:1: '1\.xml' is included a second time"):
        loaded(tmp_path, '<mujoco><include file="0.xml"/></mujoco>')
    (tmp_path / "many.xml").write_text("<mujoco>" + "<a/>" * 99_999 + "</mujoco>")
    with pytest.raises(FileTooLargeError, match=r"model\.xml: declares 100,002 XML elements"):
        loaded(tmp_path, '<mujoco><include file="many.xml"/><a/></mujoco>')


def test_a_chain_as_deep_as_files_may_be_is_read(tmp_path: Path) -> None:
    depth = 990
    figure = loaded(tmp_path, W % ('<body pos="0 0 1"><joint/>' * depth + "</body>" * depth))
    assert figure.rest.origins[-1, 2] == depth


@pytest.mark.slow
@pytest.mark.fuzz
def test_damaged_models_are_refused(attack, shared: Path) -> None:
    small = [text.encode() for text in (DEFAULTS, FRAMES, COUPLED % "", SOLIDS)]
    whole = b'<mujoco><include file="part.xml"/><asset><mesh file="t.obj"/></asset><worldbody><body><geom mesh="t"/></body></worldbody></mujoco>'
    parts = {"part.xml": b"<mujoco><default/></mujoco>", "t.obj": TETRAHEDRON.encode()}
    outcome = attack(
        ".xml",
        [shared / "robots/dmc_humanoid.xml", shared / "robots/robosuite_ur5e.xml", *small, whole],
        companions=parts,
    )
    assert outcome.refused > 0
