"""Small glTF files made by hand for tests."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np
from formats.plain_gltf import make_glb

CODES = {"i1": 5120, "u1": 5121, "i2": 5122, "u2": 5123, "u4": 5125, "f4": 5126}
TYPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


class Model:
    """A glTF file in the making: `raw` may be changed at will, arrays go into one buffer."""

    def __init__(self) -> None:
        self.raw: dict[str, Any] = {"asset": {"version": "2.0"}}
        self.binary = bytearray()

    def add(self, key: str, **entry: Any) -> int:
        """Append to a top-level list."""
        self.raw.setdefault(key, []).append(entry)
        return len(self.raw[key]) - 1

    def view(self, content: bytes, **more: Any) -> int:
        """A buffer view of some bytes."""
        self.binary += bytes(-len(self.binary) % 4)
        self.binary += content
        start = len(self.binary) - len(content)
        return self.add("bufferViews", buffer=0, byteOffset=start, byteLength=len(content), **more)

    def accessor(self, values: Any, kind: str = "f4", **more: Any) -> int:
        """An accessor of `values [element, component]`."""
        array = np.asarray(values, f"<{kind}")
        array = array[:, None] if array.ndim == 1 else array
        entry = {"bufferView": self.view(array.tobytes()), "componentType": CODES[kind], "count": len(array)}
        return self.add("accessors", **entry, type=TYPES[array.shape[1]], **more)

    def animation(self, node: int, path: str, times: Any, values: Any, mode: str = "LINEAR", **more: Any) -> int:
        """An animation of one channel."""
        sampler = {"input": self.accessor(times), "output": self.accessor(values), "interpolation": mode}
        channel = {"sampler": 0, "target": {"node": node, "path": path}}
        return self.add("animations", samplers=[sampler], channels=[channel], **more)

    def complete(self) -> dict[str, Any]:
        """The JSON with its buffer's length."""
        return {**self.raw, "buffers": [{"byteLength": len(self.binary)}]} if self.binary else self.raw

    def glb(self, folder: Path, name: str = "model.glb") -> Path:
        """Written as GLB."""
        path = folder / name
        path.write_bytes(make_glb(self.complete(), bytes(self.binary)))
        return path

    def gltf(self, folder: Path, name: str = "model.gltf") -> Path:
        """Written as .gltf with its buffer inside."""
        raw = self.complete()
        if self.binary:
            raw["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64.b64encode(self.binary).decode()
        path = folder / name
        path.write_text(json.dumps(raw))
        return path


def arm(*, weights: Any = None, inverse_bind: Any = None) -> Model:
    """A skinned strip of six vertices on nodes 1 "upper" and 2 "lower", under 0 "Armature"; its mesh is at node 3."""
    model = Model()
    model.add("nodes", name="Armature", children=[1])
    model.add("nodes", name="upper", children=[2], translation=[0.0, 1.0, 0.0])
    model.add("nodes", name="lower", translation=[0.0, 2.0, 0.0])
    model.add("nodes", name="strip", mesh=0, skin=0)
    model.raw["scenes"] = [{"nodes": [0, 3]}]
    model.raw["scene"] = 0
    points = [[x, y, 0.0] for y in (0.0, 2.0, 4.0) for x in (-0.5, 0.5)]
    share = [[1, 0, 0, 0]] * 2 + [[0.5, 0.5, 0, 0]] * 2 + [[0, 1, 0, 0]] * 2 if weights is None else weights
    attributes = {
        "POSITION": model.accessor(points),
        "JOINTS_0": model.accessor([[0, 1, 0, 0]] * 6, "u1"),
        "WEIGHTS_0": model.accessor(share),
    }
    indices = model.accessor([0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5], "u2")
    model.add("meshes", name="strip", primitives=[{"attributes": attributes, "indices": indices}])
    if inverse_bind is None:
        inverse_bind = np.tile(np.eye(4), (2, 1, 1))
        inverse_bind[0, 1, 3], inverse_bind[1, 1, 3] = -1, -3
    columns = np.asarray(inverse_bind).transpose(0, 2, 1).reshape(-1, 16)
    model.add("skins", joints=[1, 2], inverseBindMatrices=model.accessor(columns))
    return model


def changed(model: Model, way: str, value: Any) -> Model:
    """The model with the value at `way` ("nodes/1/children") replaced, or removed if it is `...`."""
    *above, last = [int(word) if word.isdigit() else word for word in way.split("/")]
    holder: Any = model.raw
    for word in above:
        holder = holder[word]
    if value is ...:
        del holder[last]
    else:
        holder[last] = value
    return model
