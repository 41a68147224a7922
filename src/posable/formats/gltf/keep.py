"""The source of a figure read from glTF, and how it is written back: changes are replaced, everything else is kept."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from posable.clips import Clip
from posable.errors import PosableError
from posable.figures import Clips, Figure
from posable.formats.defaults import refuse_batch
from posable.formats.gltf.builder import Builder, bind_node
from posable.formats.gltf.container import BINARY_CHUNK, Document, data_uri, dump_json, parse_json
from posable.formats.gltf.extras import extras_of
from posable.formats.gltf.motion import Target, add_animation, mark_played, moved, unique_name
from posable.formats.gltf.nodes import Nodes
from posable.formats.gltf.skeleton import Bones
from posable.skeleton import Pose
from posable.skeleton.placements import placements
from posable.skin import Skin
from posable.spatial import Array, rigid_inverse, transform, wxyz_from_matrix, wxyz_inverse, wxyz_multiply


@dataclass(frozen=True, eq=False)
class Source:
    """The unchanged file, the nodes of the joints, and the data that the figure got from it.

    skins: by their node.
    """

    document: Document
    nodes: Nodes
    bones: Bones
    skins: dict[int, Skin]
    clips: dict[str, Clip]

    @classmethod
    def of(cls, document: Document, nodes: Nodes, bones: Bones, skins: dict[int, Skin], clips: Clips) -> Source:
        """The source of a file that has just been read, with its external images."""
        for image in document.root.entries("images"):
            with suppress(PosableError):  # a missing image is noted when its colours are needed
                document.uri(image.at("uri"))
        return cls(document, nodes, bones, skins, {clip.name: clip for clip in clips})

    def has(self, clip: Clip) -> bool:
        """Whether the file has this clip, unchanged (on a skeleton with other joint kinds: by name)."""
        own = self.clips.get(clip.name)
        if own is None or own.q.shape[1] != clip.q.shape[1]:
            return own is not None
        return own.fps == clip.fps and np.array_equal(own.q, clip.q)

    def still_holds(self, figure: Figure) -> bool:
        """Whether the figure is the file's own: the same joints in the same tree, and the same meshes with any
        weights.
        """
        before, now = self.bones.skeleton, figure.skeleton
        same = before.joints == now.joints and np.array_equal(before.parents, now.parents) and before.up == now.up
        return same and len(self.skins) == len(figure.skins) and all(map(_same_mesh, self.skins.values(), figure.skins))


def _same_mesh(before: Skin, now: Skin) -> bool:
    return np.array_equal(before.vertices, now.vertices) and np.array_equal(before.faces, now.faces)


def kept_content(path: Path, figure: Figure, source: Source, motion: Pose | Clip | None, *, binary: bool) -> bytes:
    """The file that `figure` came from, with `motion`, new clips, changed weights and changed joints in it."""
    raw = parse_json(path, source.document.text).value
    builder = Builder(raw, carried(raw, source, binary=binary), binary=binary)
    target = target_of(source)
    _keep_changed_joints(raw, figure, source, target)
    _keep_changed_weights(builder, figure, source)
    if isinstance(motion, Pose):
        _set_pose(raw, motion, source, target)
    new = [clip for clip in figure.clips if not source.has(clip)]
    if isinstance(motion, Clip) and not source.has(motion) and not any(clip is motion for clip in new):
        new.append(motion)
    names = {clip.name: clip.name for clip in source.clips.values()}
    for clip in new:
        names[clip.name] = name = unique_name(builder, clip.name or "posable")
        for node in add_animation(builder, clip, target, name):
            _as_parts(raw["nodes"][node], source.nodes, node)
    if isinstance(motion, Clip):
        mark_played(builder, names[motion.name])
    return builder.content(path, lambda path, raw: rewritten(path, source.document, raw))


_JSON = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\n\r]*")


def rewritten(path: Path, document: Document, raw: dict[str, Any]) -> bytes:
    """The file's JSON with the changes of `raw`: whatever stayed as it was keeps its bytes."""
    text = document.text.decode("utf-8-sig")
    start = _after_space(text, 0)
    return _respelled(path, text, (start, len(text.rstrip())), document.root.value, raw).encode()


def _respelled(path: Path, text: str, span: tuple[int, int], before: Any, now: Any) -> str:
    """The value `now` instead of `before`, which is `text[span]`."""
    if now == before:
        return text[slice(*span)]
    if isinstance(before, dict) and isinstance(now, dict):
        known = {key: (at, end) for key, at, end in _parts(text, span[0], named=True)}
        said = []
        for key, value in now.items():
            own = _respelled(path, text, known[key], before[key], value) if key in known else _plain(path, value)
            said.append(f"{json.dumps(key)}:{own}")
        return f"{{{','.join(said)}}}"
    if isinstance(before, list) and isinstance(now, list):
        spans = [(at, end) for _, at, end in _parts(text, span[0], named=False)][: len(now)]
        kept = [_respelled(path, text, *three) for three in zip(spans, before, now, strict=False)]
        return f"[{','.join([*kept, *(_plain(path, value) for value in now[len(kept) :])])}]"
    return _plain(path, now)


def _plain(path: Path, value: Any) -> str:
    return dump_json(path, value).decode()


def _parts(text: str, at: int, *, named: bool) -> Iterator[tuple[str, int, int]]:
    """Name (of members), start and end of each value in the object or list that begins at `at`."""
    at = _after_space(text, at + 1)
    while text[at] not in "]}":
        name = ""
        if named:
            name, at = _JSON.raw_decode(text, at)
            at = _after_space(text, _after_space(text, at) + 1)  # behind the colon
        end = _JSON.raw_decode(text, at)[1]
        yield name, at, end
        at = _after_space(text, end)
        at = _after_space(text, at + 1) if text[at] == "," else at


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return at if found is None else found.end()


def carried(raw: dict[str, Any], source: Source, *, binary: bool) -> tuple[tuple[int, bytes], ...]:
    """Include data from outside the JSON: as chunks in a GLB, as base64 in the JSON otherwise."""
    document, chunks = source.document, source.document.chunks
    for place in (*raw.get("buffers", ()), *raw.get("images", ())):
        uri = place.get("uri") if isinstance(place, dict) else None
        if isinstance(uri, str) and uri in document.beside:
            media = _MEDIA.get(Path(uri).suffix.lower(), "application/octet-stream")
            place["uri"] = data_uri(document.beside[uri], media)
    first = document.buffers[0] if document.buffers else None
    if first is None or binary == any(kind == BINARY_CHUNK for kind, _ in chunks):
        return chunks if binary else ()
    if binary:
        raw["buffers"][0].pop("uri", None)
        return ((BINARY_CHUNK, first), *chunks)
    raw["buffers"][0]["uri"] = data_uri(first)
    return ()


_MEDIA = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".webp": "image/webp",
    ".ktx2": "image/ktx2",
}


def target_of(source: Source) -> Target:
    """The nodes that the joints were read from."""
    nodes = list(source.bones.nodes)
    folds = np.array([source.nodes.parent_fold(n) for n in nodes])
    position = np.einsum("jab,jb->ja", folds, source.nodes.translation[nodes])
    unfold = np.asarray(np.linalg.pinv(folds), np.float64)
    above, flip = source.bones.parents(source.nodes), source.nodes.flip[nodes]
    return Target(nodes, position, source.nodes.wxyz[nodes], unfold, above, flip)


def _set_pose(raw: dict[str, Any], pose: Pose, source: Source, target: Target) -> None:
    refuse_batch(pose)
    position, wxyz = placements(Pose.trusted(pose.skeleton, pose.q[None]), target.parents)
    shifts, turns = moved(pose.skeleton, position, wxyz, target.position, target.wxyz)
    translation, rotation = target.translation(position[0]), target.rotation(wxyz[0])
    for j in np.flatnonzero(shifts | turns):
        node = raw["nodes"][target.nodes[j]]
        stretch = source.nodes.stretch[target.nodes[j]]
        if np.any(stretch != np.diag(np.diag(stretch))) and "matrix" in node:
            matrix = transform(translation[j], wxyz[0, j])
            matrix[:3, :3] = matrix[:3, :3] @ stretch
            node["matrix"] = matrix.T.ravel().tolist()
            continue
        _as_parts(node, source.nodes, target.nodes[j])
        if shifts[j]:
            node["translation"] = translation[j].tolist()
        if turns[j]:
            node["rotation"] = rotation[j].tolist()


def _as_parts(node: dict[str, Any], nodes: Nodes, index: int) -> None:
    """Convert a node's matrix to translation, rotation and scale, which can be animated; a shear is lost."""
    if node.pop("matrix", None) is not None:
        node["translation"] = nodes.translation[index].tolist()
        node["rotation"] = np.roll(nodes.wxyz[index], -1).tolist()
        node["scale"] = np.diag(nodes.stretch[index]).tolist()


def _keep_changed_joints(raw: dict[str, Any], figure: Figure, source: Source, target: Target) -> None:
    """Store changed joints (new limits, say) in `extras.posable` of their nodes."""
    hung = source.bones.parents(source.nodes) != source.bones.skeleton.parents
    for j, (before, now) in enumerate(zip(source.bones.skeleton.definitions, figure.skeleton.definitions, strict=True)):
        node = raw["nodes"][source.bones.nodes[j]]
        extras = node.get("extras") or {}
        if now == before or not isinstance(extras, dict):
            continue
        if hung[j]:  # reading the file attaches it to its limb again
            now = replace(now, position=tuple(target.position[j]), wxyz=tuple(target.wxyz[j]))
        node["extras"] = {**extras, "posable": extras_of(now)}


def _keep_changed_weights(builder: Builder, figure: Figure, source: Source) -> None:
    """Rebind meshes whose weights have changed (painted, or bound again)."""
    nodes = np.array(source.bones.nodes)
    unfold = np.tile(np.eye(4), (len(nodes), 1, 1))
    unfold[:, :3, :3] = np.linalg.pinv(source.nodes.fold[nodes])
    for (node, before), now in zip(source.skins.items(), figure.skins, strict=True):
        if not _same_bind(before, now):
            bind_node(builder, node, replace(now, inverse_bind=unfold @ now.inverse_bind), nodes)


def _same_bind(before: Skin, now: Skin) -> bool:
    pairs = ((getattr(before, key), getattr(now, key)) for key in ("joints", "weights", "inverse_bind"))
    return all(np.array_equal(one, other) for one, other in pairs)


# The GLB nodes of a figure's joints, and their transforms in a pose, for live playback.


@dataclass(frozen=True, eq=False)
class GlbNodes:
    """The nodes of the GLB that `posable.save` writes for a figure.

    nodes: `[joint]` indices. parents: `[joint]` the joints of the nodes above. unfold: `[joint, 3, 3]` from posable's
    lengths to those of the node, None if equal. flip: `[joint]` wxyz, see `Nodes`, None if the identity.
    """

    nodes: tuple[int, ...]
    parents: np.ndarray
    unfold: Array | None = None
    flip: Array | None = None

    @classmethod
    def of(cls, figure: Figure) -> GlbNodes:
        """The nodes of this figure's joints."""
        source, parents = figure.source, figure.skeleton.parents
        if isinstance(source, Source) and source.still_holds(figure):
            target = target_of(source)
            plain = np.allclose(target.unfold, np.eye(3), rtol=0, atol=1e-12)
            parents, flip = source.bones.parents(source.nodes), target.flip if (target.flip[:, 0] < 1).any() else None
            return cls(tuple(target.nodes), parents, None if plain else target.unfold, flip)
        return cls(tuple(range(len(parents))), parents)

    def places(self, pose: Pose) -> tuple[Array, Array]:
        """Translations `[..., joint, 3]` and rotations wxyz `[..., joint, 4]` of the nodes in their joints' parents."""
        world = pose.world_from_joint
        above = np.where((self.parents >= 0)[:, None, None], world[..., self.parents, :, :], np.eye(4))
        local = rigid_inverse(above) @ world
        translation = local[..., :3, 3]
        if self.unfold is not None:
            translation = np.einsum("jab,...jb->...ja", self.unfold, translation)
        wxyz = wxyz_from_matrix(local[..., :3, :3])
        return translation, wxyz if self.flip is None else wxyz_multiply(wxyz, wxyz_inverse(self.flip))
