"""The source of a figure read from FBX 7, and how it is written back: changes are replaced, everything else is kept.

A file of an older version is written anew instead, with its cameras and lights: its objects have no numbers to connect
new ones to.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from posable.clips import Clip
from posable.figures import Figure
from posable.files import free_name
from posable.formats.defaults import refuse_batch
from posable.formats.fbx.animation import degrees_from_wxyz
from posable.formats.fbx.binary import write_binary
from posable.formats.fbx.nodes import Nodes
from posable.formats.fbx.objects import NUMBERED, Key, Scene
from posable.formats.fbx.skeleton import Bones
from posable.formats.fbx.skins import mesh_matrix, skin_objects
from posable.formats.fbx.transforms import Worlds, geometry_matrix, local_transform, wxyz_from_degrees
from posable.formats.fbx.tree import MADE, Element
from posable.formats.fbx.writing import (
    Builder,
    Moves,
    add_animation,
    add_clusters,
    add_skin_deformer,
    leaf,
    said,
    smooth_angles,
)
from posable.progress import tell_progress
from posable.skeleton import Pose
from posable.skin import Skin
from posable.spatial import Array, matrix_from_wxyz, wxyz_from_matrix, wxyz_inverse, wxyz_multiply

_UNCHANGED = 1e-7  # degrees, or shares of the figure's size


@dataclass(frozen=True, eq=False)
class Source:
    """The unchanged file, the nodes of the joints, and the data that the figure got from it. skins: by (node,
    geometry).
    """

    nodes: Nodes
    bones: Bones
    skins: dict[tuple[int, Key], Skin]
    clips: dict[str, Clip]

    def is_of(self, figure: Figure) -> bool:
        """Whether the figure has the file's joints, in the same tree."""
        before, now = self.bones.skeleton, figure.skeleton
        return before.joints == now.joints and np.array_equal(before.parents, now.parents) and before.up == now.up

    def still_holds(self, figure: Figure) -> bool:
        """Whether the file can be written back with the figure in it: the same joints in the same tree, the same
        meshes.
        """
        own = list(self.skins.values())
        alike = len(own) == len(figure.skins) and all(
            np.array_equal(a.vertices, b.vertices) and np.array_equal(a.faces, b.faces)
            for a, b in zip(own, figure.skins, strict=True)
        )
        return self.nodes.scene.version >= NUMBERED and self.is_of(figure) and alike

    def has(self, clip: Clip) -> bool:
        """Whether the file has this clip, unchanged."""
        own = self.clips.get(clip.name)
        return own is not None and (
            own.q.shape != clip.q.shape or (own.fps == clip.fps and np.array_equal(own.q, clip.q))
        )


def kept_content(path: Path, figure: Figure, source: Source, motion: Pose | Clip | None) -> bytes:
    """The file that `figure` came from, with `motion`, new clips and changed weights in it."""
    scene, edits = source.nodes.scene, _Edits(source.nodes.scene)
    if isinstance(motion, Pose):
        refuse_batch(motion)
        for n, prop, values in _changes(source, motion.world_from_joint[None]):
            edits.set_vector(source.nodes.items[n].key, prop, values[0])
    new = [clip for clip in figure.clips if not source.has(clip)]
    if isinstance(motion, Clip) and not source.has(motion) and not any(clip is motion for clip in new):
        new.append(motion)
    taken = {item.name for item in scene.items.values() if item.kind == "AnimationStack"}
    names = {name: name for name in source.clips}
    for k, clip in enumerate(new):
        tell_progress(path, MADE * k / len(new))
        names[clip.name] = name = free_name(clip.name or "posable", taken)
        taken.add(name)
        found = _changes(source, clip.poses.world_from_joint)
        moves = [Moves(_number(source.nodes.items[n].key), prop, values) for n, prop, values in found]
        add_animation(edits.builder, clip, name, moves, scene.ticks)
    for (place, before), now in zip(source.skins.items(), figure.skins, strict=True):
        if any(not np.array_equal(getattr(before, k), getattr(now, k)) for k in ("joints", "weights", "inverse_bind")):
            _rebind(edits, source, place, now)
    if isinstance(motion, Clip):
        edits.current = names[motion.name]
    return write_binary(path, scene.version, edits.top())


def _number(key: Key) -> int:
    return key if isinstance(key, int) else 0


def _changes(source: Source, world: Array) -> list[tuple[int, str, Array]]:
    """(node, property, `[frame, 3]`) that put the joints at `world [frame, joint, 4, 4]`, if they differ from rest."""
    nodes, found = source.nodes, []
    turn, mirror, meters, _ = nodes.space
    placed = Worlds(nodes.tree)
    size = max(float(np.ptp(source.bones.world[:, :3, 3], axis=0).max()) / meters, 1e-9)
    for n in nodes.tree.order:
        rest, order = nodes.rest[n], nodes.orders[n]
        values = dict(rest)
        joint = source.bones.joint_of.get(n)
        if joint is not None:
            above, base = placed.above(n)
            wanted = turn.T @ world[:, joint, :3, :3] @ mirror
            local = wxyz_from_matrix(np.swapaxes(above.rotation, -1, -2) @ wanted)
            before = rest.get("Lcl Rotation", np.zeros(3))
            angles = _angles(order, rest, local, before)
            if np.abs(angles - before).max() > _UNCHANGED:
                values["Lcl Rotation"] = angles
                found.append((n, "Lcl Rotation", angles))
            usual = rest.get("Lcl Translation", np.zeros(3))
            at = local_transform(order, {**values, "Lcl Translation": np.zeros(3)}).translation
            place = world[:, joint, :3, 3] @ turn / meters - above.place
            shift = (np.linalg.pinv(base) @ place[..., None])[..., 0] - at
            if np.abs(shift - usual).max() > _UNCHANGED * size:
                values["Lcl Translation"] = shift
                found.append((n, "Lcl Translation", shift))
        placed.add(n, local_transform(order, values))
    return found


def _angles(order: int, rest: dict[str, Array], local: Array, before: Array) -> Array:
    """Lcl Rotation `[frame, 3]` in degrees that gives rotations `local [frame, 4]`, near `before`."""
    if "PreRotation" in rest:
        local = wxyz_multiply(wxyz_inverse(wxyz_from_degrees(0, rest["PreRotation"])), local)
    if "PostRotation" in rest:
        local = wxyz_multiply(local, wxyz_from_degrees(0, rest["PostRotation"]))
    found = degrees_from_wxyz(order, local)
    if (np.abs(matrix_from_wxyz(local) - matrix_from_wxyz(wxyz_from_degrees(order, before))) < 1e-9).all():
        return np.broadcast_to(before, found.shape)
    row = np.concatenate([np.broadcast_to(before, (1, 3)), found])
    return smooth_angles(row[:, None])[1:, 0]


def _rebind(edits: _Edits, source: Source, place: tuple[int, Key], now: Skin) -> None:
    """New clusters for a mesh whose weights have changed."""
    nodes, bones = source.nodes, source.bones
    node, owner = place
    deformers, clusters = skin_objects(nodes.scene, owner)
    edits.remove(clusters)
    name = nodes.items[node].name
    deformer = _number(deformers[0]) if deformers else add_skin_deformer(edits.builder, name, _number(owner))
    unfold = np.tile(np.eye(4), (len(bones.nodes), 1, 1))
    unfold[:, :3, :3] = np.linalg.pinv(bones.fold[list(bones.nodes)])
    item = nodes.items[node]
    own = unfold @ now.inverse_bind @ np.linalg.pinv(geometry_matrix(item))
    linked = nodes.space.in_file(mesh_matrix(bones, node)) @ np.linalg.pinv(own)
    models = [_number(nodes.items[n].key) for n in bones.nodes]
    add_clusters(edits.builder, now, deformer, models, (own, linked))


class _Edits:
    """The changes of a file: new objects, other properties, objects that go, the current take (None: as it is)."""

    def __init__(self, scene: Scene) -> None:
        numbers = [key for key in scene.items if isinstance(key, int) and 0 <= key < 2**62]
        self.builder = Builder(max([1_000_000, *numbers]))
        self._scene, self._removed = scene, set[Key]()
        self._changed: dict[Key, Element] = {}
        self.current: str | None = None

    def remove(self, keys: list[Key]) -> None:
        """Leave out objects and their connections."""
        self._removed |= set(keys)

    def set_vector(self, key: Key, name: str, values: Array) -> None:
        """Give an object's property three numbers."""
        element = self._changed.setdefault(key, _copied(self._scene.items[key].element))
        rows = element.find("Properties70")
        if rows is None:
            element.children.append(rows := Element("Properties70"))
        row = said(name, *map(float, values))
        rows.children = [one for one in rows.children if one.text() != name] + [row]

    def top(self) -> list[Element]:
        """The elements of the whole file, as a binary file has them."""
        found = []
        for element in self._scene.tree.top:
            if element.name in ("Objects", "Connections"):
                element = self._edited(element)
            elif element.name == "Takes" and self.current is not None:
                others = [one for one in element.children if one.name != "Current"]
                element = Element("Takes", element.codes, element.values, [leaf("Current", self.current), *others])
            found.append(_typed(element) if self._scene.tree.ascii else element)
        return found

    def _edited(self, element: Element) -> Element:
        new = Element(element.name, element.codes, element.values)
        if element.name == "Connections":
            kept = (one for one in element.children if not self._removed & _ends(one))
            new.children = [*kept, *self.builder.links]
            self.builder.links = []
        else:
            numbered = ((one, one.whole(0, -1)) for one in element.children)
            new.children = [self._changed.get(key, one) for one, key in numbered if key not in self._removed]
            new.children += self.builder.objects
            self.builder.objects = []
        return new


def _ends(link: Element) -> set[Any]:
    return {one for one in link.values[1:] if isinstance(one, int)}


def _copied(element: Element) -> Element:
    return Element(element.name, element.codes, element.values, [_copied(one) for one in element.children])


# From ASCII to binary: values get the types that binary files give them.


_WHOLE_ARRAYS = ("Index", "Indexes", "Edges", "Materials", "Flags", "RefCount", "Smoothing", "Visibility")
_FLOAT_ARRAYS = ("KeyValueFloat", "KeyAttrDataFloat")
_LONG_TYPES = ("KTime", "ULongLong", "LongLong", "Time")
_WHOLE_TYPES = ("int", "Integer", "enum", "bool", "Bool", "Short", "UByte", "Byte", "Visibility Inheritance")
_DOUBLES = ("Default", "DeformPercent", "Link_DeformAcuracy", "Weight", "FocalLength", "Position", "Up", "LookAt")


def _typed(element: Element) -> Element:
    """An element of an ASCII file with binary types."""
    if element.name == "Content" and set(element.codes) == {"S"}:
        return Element("Content", "R", (_decoded("".join(element.values)),))
    values, codes = list(element.values), list(element.codes)
    for k, (code, value) in enumerate(zip(element.codes, values, strict=True)):
        if isinstance(value, np.ndarray):
            codes[k], values[k] = _typed_array(element.name, value)
        elif code == "W":
            codes[k], values[k] = ("C", ord(value)) if len(value) == 1 else ("S", value)
        elif code == "S" and "::" in value and k < 2:
            kind, _, name = value.partition("::")
            values[k] = f"{name}\0\1{kind}"
        elif code in "ILD":
            codes[k] = _typed_number(element, k, code)
            values[k] = float(np.float32(value)) if codes[k] == "F" else float(value) if codes[k] == "D" else value
    return Element(element.name, "".join(codes), values, [_typed(one) for one in element.children])


def _decoded(text: str) -> bytes:
    """The bytes that an ASCII file states in base64."""
    try:
        return base64.b64decode(text)
    except ValueError:
        return text.encode("utf-8", "surrogateescape")


def _typed_array(name: str, value: Array) -> tuple[str, Any]:
    if name == "KeyTime":
        return "l", value.astype(np.int64)
    if name in _FLOAT_ARRAYS:
        bits = name == "KeyAttrDataFloat" and value.dtype.kind == "i"
        return "f", value.astype(np.uint32).view(np.float32) if bits else value.astype(np.float32)
    whole = value.dtype.kind == "i" and name.endswith(_WHOLE_ARRAYS)
    return ("i", value.astype(np.int32)) if whole else ("d", value.astype(float))


def _typed_number(element: Element, place: int, code: str) -> str:
    if element.name == "P":
        kind = element.text(1)
        if kind in ("float", "Float"):
            return "F"
        whole = code == "I" and kind in _WHOLE_TYPES
        return "L" if kind in _LONG_TYPES and code != "D" else "I" if whole else "D" if code == "I" else code
    numbered = place == 0 and len(element.values) == 3 and element.codes[1:] == "SS"
    if code != "D" and (numbered or element.name in ("C", "Node", "RootNode")):
        return "L"
    return "D" if element.name in _DOUBLES else code
