"""FBX files of a few lines, as text, for tests."""

from __future__ import annotations

from collections.abc import Iterable

TICKS = 46_186_158_000


def rows(*named: tuple[str, Iterable[float]]) -> str:
    """Properties of three numbers."""
    said = "".join(f'P: "{name}", "{name}", "", "A",{",".join(map(str, v))}\n' for name, v in named)
    return f"Properties70: {{\n{said}}}\n"


def model(number: int, name: str, *named: tuple[str, Iterable[float]], more: str = "", kind: str = "LimbNode") -> str:
    """A node; `more` are further properties as text."""
    own = rows(*named).replace("Properties70: {\n", f"Properties70: {{\n{more}\n", 1)
    return f'Model: {number}, "Model::{name}", "{kind}" {{\n{own}}}\n'


def curve(
    number: int, keys: Iterable[tuple[float, float]], flags: int = 4, attributes: str = "0,0,0,0", more: str = ""
) -> str:
    """A curve of (seconds, value); all keys share their flags and attributes."""
    times, values = zip(*keys, strict=True)
    count = len(times)
    ticks = ",".join(str(round(one * TICKS)) for one in times)
    return f"""AnimationCurve: {number}, "AnimCurve::", "" {{
KeyTime: *{count} {{
a: {ticks}
}}
KeyValueFloat: *{count} {{
a: {",".join(map(str, values))}
}}
KeyAttrFlags: *1 {{
a: {flags}
}}
KeyAttrDataFloat: *4 {{
a: {attributes}
}}
KeyAttrRefCount: *1 {{
a: {count}
}}
{more}
}}
"""


def document(objects: str, connections: str, *, settings: str = "", version: int = 7100) -> bytes:
    """A whole file. connections: lines without their `C:`."""
    links = "".join(f"C: {line.strip()}\n" for line in connections.strip().splitlines())
    return f"""; FBX {version // 1000}.{version // 100 % 10}.0 project file
FBXHeaderExtension: {{
FBXHeaderVersion: 1003
FBXVersion: {version}
}}
GlobalSettings: {{
Properties70: {{
P: "UnitScaleFactor", "double", "Number", "",1
P: "TimeMode", "enum", "", "",6
{settings}
}}
}}
Objects: {{
{objects}
}}
Connections: {{
{links}
}}
""".encode()


def moving(curves: str, links: str, prop: str = "Lcl Translation", layer: str = "") -> tuple[str, str]:
    """(objects, connections) of a stack that moves node 2 by curves numbered from 30 on."""
    objects = f"""AnimationStack: 20, "AnimStack::walk", "" {{
Properties70: {{
P: "LocalStop", "KTime", "Time", "",{TICKS}
}}
}}
AnimationLayer: 21, "AnimLayer::Base", "" {{
Properties70: {{
{layer}
}}
}}
AnimationCurveNode: 22, "AnimCurveNode::x", "" {{
}}
{curves}"""
    return objects, f'"OO",21,20\n"OO",22,21\n"OP",22,2,"{prop}"\n{links}'
