# ruff: noqa: E501  (models and messages stand in one line each)
"""Small MJCF models that several tests read."""

from __future__ import annotations

from pathlib import Path

import posable
from posable.figures import Figure

GEOM = '<geom size="0.1"/>'
TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def loaded(folder: Path, text: str, name: str = "model.xml") -> Figure:
    (folder / name).write_text(text, encoding="utf-8")
    return posable.load(folder / name)


def body(inside: str, attributes: str = "", compiler: str = "") -> str:
    return (
        f'<mujoco>{compiler}<worldbody><body name="a" {attributes}>{GEOM}{inside}'
        f'<body name="b" pos="0.3 0.1 0.2">{GEOM}</body></body></worldbody></mujoco>'
    )


DEFAULTS = """
<mujoco>
  <default><joint axis="1 0 0"/><default class="slides"><joint type="slide" range="0 0.5"/>
    <default class="long"><joint range="0 2" ref="0.5"/></default></default>
    <default class="free_of_it"><joint axis="0 1 0" pos="0.2 0.1 0"/></default></default>
  <default><joint pos="0 0 0.3"/></default>
  <worldbody>
    <body name="a"><geom size="1"/><joint/>
      <body name="b" childclass="slides"><geom size="1"/><joint/><joint class="long"/><joint class="main"/>
        <body name="c" pos="1 0 0"><geom size="1"/><joint/><frame childclass="long"><joint axis="0 0 1"/></frame>
          <body name="d" childclass="free_of_it" pos="0 1 0"><geom size="1"/><joint type="hinge"/></body></body></body>
      <frame childclass="long" pos="0 0 1"><body name="e" pos="0 0 1"><geom size="1"/><joint/></body></frame></body>
  </worldbody>
</mujoco>"""

FRAMES = """
<mujoco><compiler angle="radian"/><worldbody><frame pos="1 2 3" euler="0.1 0.2 0.3"><body name="a" pos="1 0 0" euler="1 0 0">
<joint axis="0 1 0"/><geom size="1"/><frame euler="0 0 1"><frame pos="0 1 0"><body name="b"><geom size="1"/><joint type="ball"/>
</body></frame><body name="c" quat="1 1 0 0"><geom size="1"/></body></frame><body name="d" pos="2 2 2"><geom size="1"/></body>
</body></frame></worldbody><worldbody><body name="e"><freejoint/><geom size="1"/></body></worldbody></mujoco>"""

COUPLED = """
<mujoco><default><default class="off"><equality active="false"/></default></default><worldbody>
<body name="a"><joint name="j1" axis="1 0 0" ref="10" range="-50 50"/><joint name="j2" type="slide" axis="0 1 0" ref="0.3"/><geom size="1"/>
<body name="b" pos="0 0 1"><joint name="j3" ref="-20"/><geom size="1"/>
<body name="c" pos="0 0 1"><joint name="j4" axis="1 0 0"/><geom size="1"/></body></body></body></worldbody>
<equality><joint joint1="j2" joint2="j1" polycoef="0.1 0.5 0 0 0"/><joint joint1="j4" joint2="j3"/>
<joint joint1="j3" joint2="j2" polycoef="0.2 -2"/><joint joint1="j1" joint2="j4" class="off"/>%s</equality></mujoco>"""

SOLIDS = """
<mujoco><default><geom rgba="0.1 0.2 0.3 1"/><default class="bar"><geom type="capsule" fromto="0 0 0 1 0 0" size="0.1"/></default>
<default class="hidden"><geom group="3"/></default>
<default class="tilted"><geom euler="40 0 0"/><default class="turned"><geom zaxis="1 0 1"/></default></default></default><asset><material name="red" rgba="1 0 0 1"/></asset>
<worldbody><geom size="5"/><body name="a" pos="1 1 1" euler="10 20 30">
<geom type="box" size="1 2 3" pos="1 0 0" euler="0 0 90" rgba="0 1 0 1"/><geom size="0.5"/><geom class="bar"/>
<geom type="cylinder" size="0.1 0.7" zaxis="1 1 0"/><geom type="ellipsoid" size="1 2 3"/>
<geom type="box" fromto="0 0 0 1 2 3" size="0.3"/><geom type="ellipsoid" fromto="0 0 0 1 2 -3" size="0.3"/>
<frame pos="0 0 1" euler="0 45 0"><geom type="cylinder" fromto="0 0 0 0 1 0" size="0.2"/></frame>
<geom class="tilted" type="box" size="1 2 3"/><geom class="tilted" type="box" size="1 2 3" quat="1 1 0 0"/>
<geom class="turned" type="box" size="1 2 3"/><geom class="hidden" size="1"/><geom rgba="1 1 1 0" size="1"/></body></worldbody></mujoco>"""
