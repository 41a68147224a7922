"""Binding a mesh to a skeleton as it stands at rest."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from posable.skeleton import Pose, Skeleton
from posable.skin import Skin
from posable.spatial import rigid_inverse


def bound_at_rest(
    skeleton: Skeleton, vertices: ArrayLike, faces: ArrayLike, joints: ArrayLike, weights: ArrayLike, colors: ArrayLike
) -> Skin:
    """A skin whose vertices `[vertex, 3]` are in the world while the skeleton rests; other arrays as in `Skin`."""
    inverse_bind = rigid_inverse(Pose(skeleton, skeleton.rest_coordinates).world_from_joint)
    return Skin(
        skeleton,
        np.asarray(vertices, np.float32),
        np.asarray(faces, np.int32),
        np.asarray(joints, np.int32),
        np.asarray(weights, np.float32),
        inverse_bind,
        colors=np.asarray(colors, np.float32),
        name="skin",
    )
