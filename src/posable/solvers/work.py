"""The solver's scratch, allocated once per thread: few arrays, since every array that a kernel takes costs compile
time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.skeleton.packed import COORDINATE
from posable.spatial.compile import inner_kernel

# Columns of `body`.
INERTIA = 0  # 36: I, the sum of the goals' inertias
FORCE = 36  # 6: f, the sum of their forces
TOTAL = 42  # 6: the same over the subtree, nothing taken out
LEVER = 48  # 9: Σ w ((r·p) 1 − p rᵀ) over the subtree: the curvature of position goals
PULL = 57  # 3: Σ w r of position goals over the subtree
VELOCITY = 60  # 6
BASIS = 66  # 9: columns are the directions, in a ball's own frame, about which its three motions turn
SWING_SIDE, TWIST_SIDE = 75, 76  # at which side a cone's limits hold: 0, ±1, or 2 for no room at all
BODY = 77

# Columns of `motion`.
S = 0  # 6: what the motion does to the body
U = 6  # 6: I S
D, u = 12, 13  # Sᵀ U + Λ and Sᵀ f + soft pull
MOTION = 14

# Columns of `term`.
RESIDUAL = 0  # 3: where the step starts from, the shift included
ROWS = 3  # 18: J there
SHIFT = 21  # 3: multipliers that make soft goals yield to hard ones
TRIED = 24  # 3: the residual at the pose evaluated last, without the shift
TRIED_ROWS = 27  # 18
TERM = 45

# Rows of `freedom`.
GRADIENT = 0  # downhill: Sᵀ Σ f + soft pull
SOFT = 1  # pull of the soft goals where the step starts from, in the bases of coned balls
TRIED_SOFT = 2  # at the pose evaluated last
STIFFNESS = 3  # weight of the soft goals
DAMPING = 4  # Λ
STATE = 5  # FREE_TO_MOVE, HELD or GIVEN
STEP = 6  # δ, scaled
TANGENT = 7  # the step in the figure's unit and in each joint's own frame
FREEDOM = 8

# Rows of `pose`.
TRIAL, ATTEMPT, KEPT = 0, 1, 2

FREE_TO_MOVE, HELD, GIVEN = 0.0, 1.0, 2.0


class Work(NamedTuple):
    """World quantities are about the world's origin, lengths in reaches; the geometry of `place_joints` is in the
    file's unit.
    """

    turns: NDArray  # [joint, 3, 3]
    origins: NDArray  # [joint, 3]
    axes: NDArray  # [axis, 3]
    anchors: NDArray  # [axis, 3]
    body: NDArray  # [joint, BODY]
    motion: NDArray  # [motion, MOTION]
    term: NDArray  # [term, TERM]
    freedom: NDArray  # [FREEDOM, dof]
    pose: NDArray  # [3, coordinates]
    matrix: NDArray  # [dof, dof], only where motions are coupled
    between: NDArray  # [motion, motion], only where motions are coupled


@inner_kernel
def make_work(t, p, coupling):
    """Scratch for the tables `t`, the problem `p` and its coupling (None where motions are freedoms one to one)."""
    joints, axes, dof = t.frame.shape[0], t.axis.shape[0], t.bound.shape[0]
    dense, dense_motions = (dof, p.motions) if coupling is not None else (0, 0)
    body = np.zeros((joints, BODY))
    for j in range(joints):
        body[j, BASIS] = body[j, BASIS + 4] = body[j, BASIS + 8] = 1.0
    return Work(
        np.empty((joints, 3, 3)),
        np.empty((joints, 3)),
        np.empty((axes, 3)),
        np.empty((axes, 3)),
        body,
        np.zeros((p.motions, MOTION)),
        np.zeros((p.terms.shape[0], TERM)),
        np.zeros((FREEDOM, dof)),
        np.zeros((3, t.joint[joints, COORDINATE])),
        np.zeros((dense, dense)),
        np.zeros((dense_motions, dense_motions)),
    )


@inner_kernel
def put(into, values):
    """Copy numbers one by one: an array assignment would bring NumPy's checks, and seconds of compilation."""
    for i in range(into.shape[0]):
        into[i] = values[i]
