"""Text descriptions that several tests read."""

from __future__ import annotations

from pathlib import Path

CANONICAL = """posable = 1
generator = "some other program 7"
left_out = "2 skins: keep them in a .glb"
name = "everything"
up = "z"
angles = "degrees"

[[joint]]
name = "root"
kind = "free"
position = [0, 1.5, 0]
wxyz = [0.7071067811865476, 0, 0.7071067811865476, 0]
rest = [0, 1, 0, 1, 0, 0, 0]
active = [true, true, true, false, false, false]
comfort = [[-1, 1], [-1, 1], [-1, 1], [-90, 90], [-90, 90], [-90, 90]]
aliases = ["pelvis", "a \\"quoted\\" naïve name\\n"]

[[joint]]
name = "knee"
kind = "hinge"
parent = "root"
position = [0, -0.4, 1e-07]
axis = "-x"
limits = [0, 140]
rest = 30
active = false
ease = 10
stiffness = 0.5
elasticity = 0.1
comfort = [5, 25]
mass = 2.5
mass_center = [0, -0.2, 0]
tips = [[0, -0.4, 0], [0, -0.4, 0.1]]
capsules = [[0, 0, 0, 0, -0.4, 0, 0.05]]

[[joint]]
name = "lift"
kind = "slide"
parent = "knee"
axis = [0.6, 0.8, 0]
limits = [-inf, 0.25]
reference = 0.1
ease = 0.01

[[joint]]
name = "mimic"
kind = "twist"
parent = "lift"
axis = "z"
follow = { joint = "shoulder", gain = -2, offset = 90, axis = 1 }

[[joint]]
name = "shoulder"
kind = "universal"
parent = "lift"
axes = [{ axis = "y", limits = [-30, 30] }, { axis = "z", anchor = [0, 0.1, 0], name = "roll", reference = 45 }]
rest = [0, 15]

[[joint]]
name = "table"
kind = "planar"
parent = "root"

[[joint]]
name = "sledge"
kind = "planar"
parent = "root"
axes = [{ axis = "x", limits = [-1, 1] }, { axis = "y" }, { axis = "z", name = "angle" }]

[[joint]]
name = "machine"
kind = "compound"
parent = "root"
axes = [{ axis = "x", slide = true, limits = [0, 0.5] }, { axis = "x" }]
rest = [0.25, 90]

[[joint]]
name = "hip"
kind = "ball"
parent = "root"
anchor = [0, 0.05, 0]
cone = { axis = "-y", swing = 60, twist = [-45, 30], center = [0, 1, 0, 0] }
rest = [0.6, 0.8, 0, 0]

[[joint]]
name = "base"
kind = "fixed"

[[joint]]
name = "arm"
kind = "hinge"
parent = "base"
axis = "z"
absolute = true

[[shape]]
joint = "knee"
kind = "box"
size = [0.1, 0.2, 0.3]
position = [0, -0.2, 0]
wxyz = [0, 1, 0, 0]
color = [0.5, 0, 1]

[[shape]]
joint = "pelvis"
kind = "sphere"
size = 0.1

[[skin]]
name = "sleeve"
from = "root"
to = "knee"
radius = [0.1, 0.05]
sides = 8
rings = 2
color = [1, 0.5, 0.25]
"""

CHAIN = """posable = 1
[[joint]]
name = "base"
kind = "fixed"
[[chain]]
name = "neck"
parent = "base"
count = 4
cycle = ["x", "-y"]
position = [0, 1, 0]
turn = { y = 90 }
step = [0, 0.5, 0]
limits = [-30, 30]
elasticity = [1, 0.25]
mass = 2
[[joint]]
name = "head"
kind = "ball"
parent = "neck_4"
"""


def text_file(folder: Path, text: str, name: str = "creature.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path
