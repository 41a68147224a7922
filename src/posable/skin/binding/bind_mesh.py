"""Weights for a mesh from a skeleton that stands in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.errors import SkinError, check_kind
from posable.skeleton import Pose, Skeleton
from posable.skin.binding.as_bound import ROUNDS, brought, stance_of
from posable.skin.binding.binding_bones import Bones, bones_in, holding_bones, idle_note
from posable.skin.binding.heat import heat_weights
from posable.skin.binding.pieces import Homes, follow, homes_of, sew, to_one
from posable.skin.binding.surface import Surface
from posable.skin.binding.voxels import voxel_weights
from posable.skin.mesh import Mesh, influence_count, smoothed, strongest, whole
from posable.skin.skin import Skin
from posable.skin.weights.judging import findings
from posable.spatial import Array, rigid_inverse

# Weights made fit for use: smooth, few, summing to 1.


_DROPPED, _WHOLE = 0.025, 0.05  # weights below the first go, from the second on they stay, between them they fade in


def faded(weights: Array) -> Array:
    """Without the traces of far bones, as Blender's binding leaves them out; a row of nothing but traces is kept."""
    slope = _WHOLE / (_WHOLE - _DROPPED)
    kept = np.where(weights < _WHOLE, np.maximum(weights - _DROPPED, 0) * slope, weights)
    return np.where(kept.any(axis=1, keepdims=True), kept, np.maximum(weights, 0))


Bound = tuple[Array, NDArray[np.bool_]]
METHODS: dict[str, Callable[[Surface, Bones, NDArray[np.bool_]], Bound]] = {
    "heat": heat_weights,
    "voxel": voxel_weights,
}
_LISTED = 12  # pieces in a note


def bind(
    mesh: Any,
    skeleton: Skeleton,
    method: str = "heat",
    *,
    influences: int = 8,
    smoothing: int = 0,
    joints: Iterable[str] | None = None,
    without: Iterable[str] = (),
    rigid: Mapping[int, str | None] | Iterable[int] = (),
    pose: Pose | None = None,
) -> Skin:
    """Bind a mesh to a skeleton: compute skin weights from the position of the bones.

    Each piece of the mesh follows the bones that it surrounds. Loose ones follow what they lie on: buckles, hair,
    weapons as a whole, clothing by the weights of the skin under it. Pieces that touch hold together. The weights do
    not depend on scale. `notes` of the skin list repairs, joints that were left out and why, what loose pieces follow,
    and what `posable.skin.weights.bad_vertices` finds.

    Args:
        mesh: A Mesh, a pair (vertices, faces), or an object with `.vertices` and `.faces`.
        skeleton: The skeleton.
        method: "heat": every bone heats the surface that it sees from inside (Baran & Popović 2007), calibrated against
            Blender's automatic weights. "voxel": geodesic distances through the voxelised interior (after Dionne & de
            Lasa 2013), for meshes that are open, self-intersecting or in many pieces. Pieces that see no bone are
            always bound by distance.
        influences: Maximum number of joints per vertex; many glTF viewers support only 4.
        smoothing: Iterations in which each vertex's weights move halfway to the mean of its neighbours', up to 10,000.
        joints: Names of the joints that may move the skin; None is those that deform the skin of the skeleton's own
            figure, or if it has none, all but controls, ends and helpers above the figure.
        without: Names of joints that may not.
        rigid: Pieces (numbers in `mesh.pieces`) that follow one joint rigidly, such as a sword: {3: "hand.r"}. With
            None, or a mere list of pieces, it is the joint that has most of the piece.
        pose: The pose of the skeleton in the mesh, in the mesh's frame and unit; None is the rest pose.

    Returns:
        The skin.

    Raises:
        SkinError: For an invalid mesh, method or option.
        UnknownJointError: For an unknown joint.

    Example:
        >>> mesh = posable.load_mesh(posable.sample("person.obj"))
        >>> skin = posable.bind(mesh, posable.fit_skeleton(mesh))
    """
    mesh, pose = _checked(Mesh.of(mesh), skeleton, method, pose)
    count = influence_count(influences)
    rounds = whole(smoothing, "smoothing is a number of rounds, at least 0 and at most 10,000", 0, 10_000)
    surface = Surface.of(mesh)
    if not len(surface.faces):
        raise SkinError(f"mesh {mesh.name!r}: no face has an area; there is nothing to bind")
    for what, names in (("joints", joints), ("without", without)):
        if isinstance(names, str):
            raise SkinError(f"{what} is a list of names, not {names!r}")
    bones, notes = holding_bones(mesh, surface, pose, joints, without)
    weights, told = _weights_as_bound(mesh, surface, pose, bones, method)
    columns, few = strongest(faded(smoothed(weights, surface.faces, rounds)), count)
    del weights
    notes = [*surface.notes, *notes, *told, *idle_note(pose, bones, few, columns)]
    chosen, few = bones.joints[columns][surface.place_of].astype(np.int32), few[surface.place_of]
    for piece, joint in _rigid_joints(mesh, skeleton, rigid).items():
        _hold_whole(mesh.pieces == piece, joint, chosen, few)
    vertices = mesh.vertices.astype(np.float32)
    inverse = rigid_inverse(pose.world_from_joint)
    skin = Skin(skeleton, vertices, mesh.faces, chosen, few, inverse, mesh.colors, name=mesh.name, automatic=True)
    found = [one.sentence for one in findings(skin, surface) if one.kind != "many influences"]
    return replace(skin, notes=(*notes, *found))


def _checked(mesh: Mesh, skeleton: Skeleton, method: str, pose: Pose | None) -> tuple[Mesh, Pose]:
    if method not in METHODS:
        raise SkinError(f"there is no binding method {method!r}; choose from {', '.join(map(repr, METHODS))}")
    check_kind(skeleton, Skeleton, "a mesh is bound to a Skeleton", "a figure's is figure.skeleton", SkinError)
    if not len(mesh.faces):
        raise SkinError(f"mesh {mesh.name!r}: it has no faces, only {len(mesh.vertices):,} vertices; nothing to bind")
    if not 0 < mesh.diagonal < np.inf:
        raise SkinError(f"mesh {mesh.name!r}: its size is {mesh.diagonal:g}; all vertices coincide or are too far")
    pose = Pose(skeleton, skeleton.rest_coordinates) if pose is None else pose
    if pose.skeleton != skeleton or pose.shape:
        raise SkinError(f"the bind pose must be one pose of the skeleton, not {pose!r}")
    return mesh, pose


def _weights_as_bound(mesh: Mesh, surface: Surface, pose: Pose, bones: Bones, method: str) -> tuple[Array, list[str]]:
    """`_weights`, worked out in the stance in which the skeleton's own skin was bound, where it has another. The stiff
    pieces of a machine are alike in every pose.
    """
    homes = homes_of(surface, bones)
    weights, told = _weights(mesh, surface, pose, bones, method, homes)
    stance = None if homes.machine else stance_of(pose, bones.joints[bones.grip == 0])
    if stance is None:
        return weights, told
    frames = [of.world_from_joint[bones.joints] for of in (pose, stance)]
    for _ in range(ROUNDS):
        there = brought(surface, to_one(faded(weights)), *frames)
        lying = bones_in(stance, bones, there)
        weights, told = _weights(mesh, there, pose, lying, method, homes_of(there, lying))
    said = "weights were worked out in the pose in which the skeleton's own skin was bound, which is not its rest pose"
    return weights, [said, *told]


def _weights(
    mesh: Mesh, surface: Surface, pose: Pose, bones: Bones, method: str, homes: Homes
) -> tuple[Array, list[str]]:
    """Weights `[place, bone]` by `method`, where that has none by voxels, of loose pieces by what they lie on, and
    where these have none by what is nearest; and a note of each.
    """
    faced, loose = surface.faced, homes.loose[surface.piece_of]
    weights, bound = METHODS[method](surface, bones, homes.allowed)
    notes: list[str] = []
    if not (bound | loose)[faced].all() and method != "voxel":
        ways, reached = voxel_weights(surface, bones, homes.allowed)
        late = ~bound & faced & reached
        weights[late] = ways[late]
        notes += _pieces_note(mesh, surface, late, "sees no bone: bound by geodesic voxels")
        bound = bound | late
    if not bound.any():
        near = np.linalg.norm(surface.places[:, None] - bones.heads, axis=2).argmin(axis=1)
        weights, bound = np.eye(len(bones.joints))[near], faced
        notes.append("no piece surrounds or sees a bone: all follow the nearest joint")
    weights = sew(surface, bones, homes, weights, bound)
    held = follow(surface, bones, homes, weights, bound)
    notes += _loose_notes(surface, pose, bones, weights, held)
    left = ~(bound | held)
    if left.any():
        from scipy.spatial import KDTree

        weights[left] = weights[~left][KDTree(surface.places[~left]).query(surface.places[left])[1]]
        notes += _pieces_note(mesh, surface, left & faced, "is reached from no bone: follows the nearest that is")
        notes += _pieces_note(mesh, surface, left & ~faced, "has no usable face there: follows the nearest that has")
    return weights, notes


def _loose_notes(surface: Surface, pose: Pose, bones: Bones, weights: Array, held: NDArray[np.bool_]) -> list[str]:
    """What loose pieces follow, by joint, the most first; clothing last."""
    followed: dict[str, list[int]] = {}
    for piece in np.unique(surface.piece_of[held]):
        own = weights[held & (surface.piece_of == piece)]
        joint = repr(pose.skeleton.joints[bones.joints[own[0].argmax()]])
        followed.setdefault(joint if (own == own[0]).all() and own[0].max() == 1 else "", []).append(int(piece))
    clothing = followed.pop("", [])
    order = sorted(followed, key=lambda joint: -len(followed[joint]))
    notes = [f"{_listed(followed[joint])} with no bone inside: as a whole with {joint}" for joint in order]
    return notes + ([f"{_listed(clothing)} on the skin: by the weights under it"] if clothing else [])


def _listed(pieces: list[int]) -> str:
    more = f" and {len(pieces) - _LISTED} more" if len(pieces) > _LISTED else ""
    return f"{len(pieces)} loose piece{'s' * (len(pieces) > 1)} ({', '.join(map(str, pieces[:_LISTED]))}{more})"


def _pieces_note(mesh: Mesh, surface: Surface, places: NDArray[np.bool_], what: str) -> list[str]:
    """A note about these vertices, by piece and number."""
    count = np.bincount(mesh.pieces[places[surface.place_of]])
    whole = np.bincount(mesh.pieces)
    pieces = np.argsort(-count, kind="stable")[: (count > 0).sum()]
    listed = []
    for piece in pieces:
        of = f" of {whole[piece]:,}" if count[piece] < whole[piece] else ""
        listed.append(f"piece {piece} ({count[piece]:,}{of} {'vertex' if whole[piece] == 1 else 'vertices'})")
    more = pieces[_LISTED:]
    if len(more):
        listed = [*listed[:_LISTED], f"{len(more):,} more pieces ({count[more].sum():,} vertices)"]
    return [f"{one} {what}" for one in listed]


def _rigid_joints(
    mesh: Mesh, skeleton: Skeleton, rigid: Mapping[int, str | None] | Iterable[int]
) -> dict[int, int | None]:
    """The joint's index, or None, for every rigid piece."""
    wanted = dict(rigid) if isinstance(rigid, Mapping) else dict.fromkeys(rigid)
    last = int(mesh.pieces.max(initial=-1))
    for piece in wanted:
        if not 0 <= whole(piece, "rigid names pieces by number, as in {3: 'hand.r'}", 0) <= last:
            raise SkinError(f"mesh {mesh.name!r}: rigid names piece {piece!r}; there are pieces 0 … {last}")
    return {int(piece): None if joint is None else skeleton.index(joint) for piece, joint in wanted.items()}


def _hold_whole(
    rows: NDArray[np.bool_], joint: int | None, joints: NDArray[np.int32], weights: NDArray[np.float32]
) -> None:
    """Makes the vertices of `rows` follow one joint; the one that holds most of them if None."""
    if joint is None:
        joint = int(np.bincount(joints[rows].reshape(-1), weights[rows].reshape(-1)).argmax())
    joints[rows], weights[rows] = joint, 0
    weights[rows, 0] = 1
