"""How the skins of a figure share one bind matrix for each joint, for formats and programs that know no more.

UsdSkel has one bind matrix for a joint of all meshes. FBX has one for each mesh, but Blender and game engines have one
rest pose for an armature: the last one that they read would hold for all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.figures import Figure
from posable.formats.defaults import LARGEST_NUMBER, bound_rigidly, bound_too, rigid_parts
from posable.skeleton import Pose
from posable.skin import Skin
from posable.spatial import Array

_CLOSE, _EVEN = 1e-5, 1e-4
"""Bind matrices whose positions, as shares of the figure, and whose axes differ by less are the same."""


@dataclass(frozen=True, eq=False)
class Placed:
    """A skin where the shared bind matrices want it.

    Args:
        skin: The skin as it is.
        matrix: `[4, 4]` from its vertices to the bind pose that the skins share.
        vertices: `[vertex, 3]` that look the same at rest; the skin's own where the shared binds are its own.
        differs: Whether a joint of the skin has another bind matrix in the skins before it.
    """

    skin: Skin
    matrix: Array
    vertices: NDArray[Any]
    differs: bool


def bound_together(figure: Figure, rest: Pose) -> tuple[Array, list[Placed]]:
    """`[joint, 4, 4]` skeleton_from_joint in the bind pose, rigid, and the skins with faces in the figure's order.

    A skin that has another bind than those of more joints, or scales that differ from joint to joint, gets vertices
    that look the same at rest: Blender and others know no bones with scales.
    """
    binds: dict[int, Array] = {}
    found: dict[int, Placed] = {}
    shown = [k for k, skin in enumerate(figure.skins) if len(skin.vertices) and len(skin.faces)]
    for k in sorted(shown, key=lambda k: -len(figure.skins[k].used_joints)):
        found[k] = _placed(figure.skins[k], binds, rest)
    if not binds:
        return rest.world_from_joint, []
    inverse = np.tile(np.eye(4), (len(figure.skeleton.joints), 1, 1))
    inverse[list(binds)] = inverses(np.array(list(binds.values())))
    inverse = bound_too(rest.world_from_joint, figure.skeleton.parents, inverse, list(binds))
    return inverses(inverse), [found[k] for k in shown]


def _placed(skin: Skin, binds: dict[int, Array], rest: Pose) -> Placed:
    """binds: by joint; what the skin's joints lack there is added."""
    used = skin.used_joints.tolist()
    sizes = np.abs(np.linalg.det(skin.inverse_bind[:, :3, :3])) ** (1 / 3)
    known = next((j for j in used if j in binds and sizes[j] > 0), None)
    size = float(np.median(sizes[used])) or 1.0
    placed = np.diag([size if abs(size - 1) > _CLOSE else 1.0] * 3 + [1.0])
    if known is not None:
        placed = binds[known] @ skin.inverse_bind[known]
    near, alike, differs = np.full((4, 4), _EVEN), True, False
    near[:3, 3] = _CLOSE * max(1.0, skin.skeleton.reach)
    for j in used:
        own = placed @ inverses(skin.inverse_bind[j]) if sizes[j] > 1e-6 * size else np.full((4, 4), np.nan)
        sound = bool((np.abs(own) < LARGEST_NUMBER).all())
        rigid = rigid_parts(own if sound else rest.world_from_joint[j])
        is_known = j in binds
        bind = binds.setdefault(j, own if sound and (np.abs(own - rigid) < near).all() else rigid)
        fits = sound and bool((np.abs(own - bind) < near).all())
        alike, differs = alike and fits, differs or (is_known and not fits)
    if alike:
        return Placed(skin, placed, skin.vertices, differs)
    inverse = np.tile(np.eye(4), (len(skin.inverse_bind), 1, 1))
    inverse[used] = inverses(np.array([binds[j] for j in used])) @ placed
    return Placed(skin, placed, bound_rigidly(skin, inverse, rest), differs)


def inverses(matrices: Array) -> Array:
    """Inverses `[..., 4, 4]`; of one that has none, NaN."""
    try:
        return np.asarray(np.linalg.inv(matrices), np.float64)
    except np.linalg.LinAlgError:
        return np.full(matrices.shape, np.nan)
