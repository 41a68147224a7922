"""The solver's scratch arrays, allocated once per call."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.spatial.compile import kernel


class Work(NamedTuple):
    """Scratch of one thread. World quantities are about the world's origin, lengths in reaches."""

    turns: NDArray        # [joint, 3, 3]
    origins: NDArray      # [joint, 3] in the figure's unit
    axes: NDArray         # [axis, 3]
    anchors: NDArray      # [axis, 3]
    basis: NDArray        # [joint, 3, 3] columns: the directions, in the joint's frame, that a ball's three motions turn about
    cone_state: NDArray   # [joint, 2] −1, 0 or 1: at which side swing and twist stand at their limits
    motions: NDArray      # [motion, 6] S: what each motion does to the body (ω, v)
    residual: NDArray     # [term, 3] where the step starts from, the shift included
    rows: NDArray         # [term, 18] J there
    shift: NDArray        # [term, 3] multipliers that make soft goals yield to hard ones
    tried_residual: NDArray  # [term, 3] at the pose evaluated last, the shift not included
    tried_rows: NDArray   # [term, 18]
    inertia: NDArray      # [joint, 6, 6] I
    force: NDArray        # [joint, 6] f
    total: NDArray        # [joint, 6] the same summed over the subtree, nothing taken out
    lever: NDArray        # [joint, 9] Σ w ((r·p) 1 − p rᵀ) over the subtree: the curvature of position goals
    pull: NDArray         # [joint, 3] Σ w r over the subtree
    U: NDArray            # [motion, 6]
    D: NDArray            # [motion]
    u: NDArray            # [motion]
    velocity: NDArray     # [joint, 6]
    gradient: NDArray     # [dof] downhill: Sᵀ Σ f + soft pull
    soft: NDArray         # [dof] pull of the soft goals where the step starts from, in the bases of coned balls
    tried_soft: NDArray   # [dof] at the pose evaluated last
    stiffness: NDArray    # [dof] their weight
    damping: NDArray      # [dof] Λ
    state: NDArray        # [dof] FREE_TO_MOVE, HELD or GIVEN
    step: NDArray         # [dof] δ, scaled
    matrix: NDArray       # [dof, dof] only where motions are coupled
    between: NDArray      # [motion, motion] only where motions are coupled
    tangent: NDArray      # [dof] the step in the figure's unit and in each joint's own frame
    trial: NDArray        # [coordinates]
    attempt: NDArray      # [coordinates]
    kept: NDArray         # [coordinates]


FREE_TO_MOVE, HELD, GIVEN = 0, 1, 2


@kernel
def make_work(t, p, coupling):
    """Scratch for the tables `t`, the problem `p` and its coupling (None where motions are freedoms one to one)."""
    joints, axes, dof = t.parent.shape[0], t.slides.shape[0], t.lower.shape[0]
    motions, terms, coordinates = p.motions, p.kinds.shape[0], t.first_coordinate[-1]
    dense = dof if coupling is not None else 0
    dense_motions = motions if coupling is not None else 0
    basis = np.zeros((joints, 3, 3))
    for j in range(joints):
        basis[j, 0, 0] = basis[j, 1, 1] = basis[j, 2, 2] = 1.0
    return Work(
        np.empty((joints, 3, 3)), np.empty((joints, 3)), np.empty((axes, 3)), np.empty((axes, 3)),
        basis, np.zeros((joints, 2)), np.zeros((motions, 6)),
        np.zeros((terms, 3)), np.zeros((terms, 18)), np.zeros((terms, 3)), np.zeros((terms, 3)), np.zeros((terms, 18)),
        np.zeros((joints, 6, 6)), np.zeros((joints, 6)), np.zeros((joints, 6)), np.zeros((joints, 9)), np.zeros((joints, 3)),
        np.zeros((motions, 6)), np.zeros(motions), np.zeros(motions), np.zeros((joints, 6)),
        np.zeros(dof), np.zeros(dof), np.zeros(dof), np.zeros(dof), np.zeros(dof), np.zeros(dof, np.int64), np.zeros(dof),
        np.zeros((dense, dense)), np.zeros((dense_motions, dense_motions)),
        np.zeros(dof), np.zeros(coordinates), np.zeros(coordinates), np.zeros(coordinates),
    )  # fmt: skip
