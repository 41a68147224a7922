"""glTF by the letter of its specification, in plain NumPy, sharing no line with posable: the judge of its reader."""

from __future__ import annotations

import base64
import json
import math
import struct
from pathlib import Path
from typing import Any

import numpy as np

LETTERS = {5120: "b", 5121: "B", 5122: "h", 5123: "H", 5125: "I", 5126: "f"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


def split_glb(content: bytes) -> tuple[dict[str, Any], bytes]:
    """JSON and binary chunk of a GLB."""
    length = struct.unpack_from("<I", content, 12)[0]
    rest = content[20 + length :]
    return json.loads(content[20 : 20 + length]), rest[8 : 8 + struct.unpack_from("<I", rest)[0]] if rest else b""


def make_glb(raw: dict[str, Any], binary: bytes = b"") -> bytes:
    """A GLB of JSON and one buffer."""
    text = json.dumps(raw).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text
    if binary:
        binary += bytes(-len(binary) % 4)
        chunks += struct.pack("<I4s", len(binary), b"BIN\0") + binary
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


class PlainGltf:
    """One file: its JSON, and what the specification makes of it at any time of any animation."""

    def __init__(self, path: Path) -> None:
        content = path.read_bytes()
        self.raw, binary = split_glb(content) if content[:4] == b"glTF" else (json.loads(content), b"")
        self.buffers = [
            base64.b64decode(b["uri"].split(",", 1)[1]) if b.get("uri", "").startswith("data:") else binary
            for b in self.raw.get("buffers", [])
        ]
        self.nodes = self.raw["nodes"]
        self.parents = {child: i for i, node in enumerate(self.nodes) for child in node.get("children", [])}

    def accessor(self, index: int) -> np.ndarray:
        """`[element, component]` of a dense accessor."""
        a = self.raw["accessors"][index]
        view = self.raw["bufferViews"][a["bufferView"]]
        letter, width = LETTERS[a["componentType"]], WIDTHS[a["type"]]
        stride = view.get("byteStride") or struct.calcsize(letter) * width
        start = view.get("byteOffset", 0) + a.get("byteOffset", 0)
        content = self.buffers[view["buffer"]]
        rows = [struct.unpack_from(f"<{width}{letter}", content, start + i * stride) for i in range(a["count"])]
        values = np.array(rows, float)
        if a.get("normalized"):
            values = np.maximum(values / {"b": 127, "B": 255, "h": 32767, "H": 65535}[letter], -1)
        return values

    def order(self) -> list[int]:
        """Nodes depth first from the scenes' roots."""
        roots = [n for scene in self.raw.get("scenes", []) for n in scene.get("nodes", [])]
        roots += [n for n in range(len(self.nodes)) if n not in self.parents and n not in roots]
        found: list[int] = []
        for root in roots:
            self._walk(root, found)
        return found

    def _walk(self, node: int, found: list[int]) -> None:
        found.append(node)
        for child in self.nodes[node].get("children", []):
            self._walk(child, found)

    def world(self, moved: dict[int, dict[str, np.ndarray]]) -> dict[int, np.ndarray]:
        """World matrix of every node, with some of their translations, rotations and scales replaced."""
        worlds: dict[int, np.ndarray] = {}
        for n in self.order():
            above = worlds[self.parents[n]] if n in self.parents else np.eye(4)
            worlds[n] = above @ local_matrix(self.nodes[n], moved.get(n, {}))
        return worlds

    def joint_matrices(self, worlds: dict[int, np.ndarray], skin: int) -> np.ndarray:
        """jointMatrix of every joint of a skin, without the mesh node's own transform."""
        item = self.raw["skins"][skin]
        inverse = np.tile(np.eye(4), (len(item["joints"]), 1, 1))
        if "inverseBindMatrices" in item:
            inverse = self.accessor(item["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
        return np.array([worlds[n] @ inverse[i] for i, n in enumerate(item["joints"])])

    def at(self, animation: int, time: float) -> dict[int, dict[str, np.ndarray]]:
        """What an animation makes of node properties at a time."""
        item, moved = self.raw["animations"][animation], {}
        for channel in item["channels"]:
            target, sampler = channel["target"], item["samplers"][channel["sampler"]]
            if target["path"] != "weights" and "node" in target:
                value = self.sample(sampler, time, target["path"] == "rotation")
                moved.setdefault(target["node"], {})[target["path"]] = value
        return moved

    def sample(self, sampler: dict[str, Any], time: float, turning: bool) -> np.ndarray:
        """One sampler at one time: appendix C of the specification."""
        times, values = self.accessor(sampler["input"])[:, 0], self.accessor(sampler["output"])
        mode = sampler.get("interpolation", "LINEAR")
        cubic = mode == "CUBICSPLINE"
        key = values[1::3] if cubic else values
        if time <= times[0] or len(times) == 1:
            return key[0]
        if time >= times[-1]:
            return key[-1]
        k = int(np.searchsorted(times, time, side="right")) - 1
        span = times[k + 1] - times[k]
        t = (time - times[k]) / span
        if mode == "STEP":
            return key[k]
        if cubic:
            start, leaving, arriving, end = values[3 * k + 1], values[3 * k + 2], values[3 * k + 3], values[3 * k + 4]
            result = (2 * t**3 - 3 * t**2 + 1) * start + span * (t**3 - 2 * t**2 + t) * leaving
            result = result + (-2 * t**3 + 3 * t**2) * end + span * (t**3 - t**2) * arriving
            return result / np.linalg.norm(result) if turning else result
        if not turning:
            return (1 - t) * key[k] + t * key[k + 1]
        a, b = key[k] / np.linalg.norm(key[k]), key[k + 1] / np.linalg.norm(key[k + 1])
        d = float(a @ b)
        angle = math.acos(min(abs(d), 1.0))
        if angle < 1e-7:
            return a
        return (math.sin(angle * (1 - t)) * a + math.copysign(1, d) * math.sin(angle * t) * b) / math.sin(angle)


def local_matrix(node: dict[str, Any], moved: dict[str, np.ndarray]) -> np.ndarray:
    """T · R · S of a node."""
    if "matrix" in node and not moved:
        return np.array(node["matrix"], float).reshape(4, 4).T
    assert "matrix" not in node
    x, y, z, w = moved.get("rotation", node.get("rotation", (0, 0, 0, 1)))
    n = x * x + y * y + z * z + w * w
    turn = np.array(
        [
            [n - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), n - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), n - 2 * (x * x + y * y)],
        ]
    )
    matrix = np.eye(4)
    matrix[:3, :3] = turn / n * np.array(moved.get("scale", node.get("scale", (1, 1, 1))), float)
    matrix[:3, 3] = moved.get("translation", node.get("translation", (0, 0, 0)))
    return matrix
