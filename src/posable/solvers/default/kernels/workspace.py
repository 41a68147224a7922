"""The solver's workspace, allocated once per call: few arrays, since every array argument costs compile time.

Motions (ω, v) and forces (n, f) of bodies are spatial vectors about the world's origin, lengths in reaches (see
`compiled/spatial_vectors.py`); `numbers` is the same memory as `rows`, number by number.
"""

from __future__ import annotations

import numpy as np

from posable.compiled.decorators import inner_kernel, maker_kernel
from posable.compiled.records import CUBE, FIELD_SIZE, TABLE, RecordType, record_maker, record_reader
from posable.compiled.simd_batch import COUNT
from posable.compiled.views import LANE_TABLE, as_lanes, window
from posable.skeleton.tables import COORDINATE

# Columns of `body`, spatial vectors.
INERTIA = 0  # 6: the columns of I, the sum of the goals' inertias
FORCE = 6  # f, the sum of their forces
VELOCITY = 7
EXTRA = 8  # force, then velocity, of one row that couples bodies
BEND = 9  # 6: the columns of the curvature that is added to I S, summed over the subtree
BODY = 15

# Columns of `motion`, spatial vectors.
S = 0  # the motion of the body
U = 1  # I S
MOTION = 2

# Columns of `factor`.
INVERSE, PULL = 0, 1  # 1 / (Sᵀ U + Λ), and Sᵀ f + soft pull
TOGETHER = 2  # 1 if this motion and the next two are solved at once
ACROSS = 3  # 3: their mutual terms, Uᵀ S of the third and second, third and first, second and first
FACTOR = 6

# Rows of `freedom`.
GRADIENT = 0  # downhill: Sᵀ Σ f + soft pull
SOFT = 1  # pull of the springs at the start of the step, in the bases of coned balls
TRIED_SOFT = 2  # at the pose evaluated last
STIFFNESS = 3  # weight of the springs that pull
DAMPING = 4  # Λ
STATE = 5  # FREE_TO_MOVE, HELD or GIVEN
STEP = 6  # δ, scaled
TANGENT = 7  # the step in the figure's unit and in each joint's own frame
FREEDOM = 8

# Columns of `basis`, per joint: nine numbers whose columns are the directions, in a ball's own frame, about which its
# three motions rotate; then the active side of a cone's limits: 0, ±1, or 2 for no room at all.
SWING_SIDE, TWIST_SIDE = 9, 10
SWING_ROOM, TWIST_ROOM = (
    11,
    12,
)  # the room of the first motion up to a limit of the cone, and of the second up, then down
ROUND = 14  # curvature of a cone's limit along the third motion, 1/tan(swing)
BASIS = 15

# Columns of `shift`, per term.
SHIFT = 0  # multipliers by which softer goals yield to harder ones
KEPT = 3  # the residual that the softer goals must preserve
ACTS = 6  # its weight at the priority that is being solved (`weigh_terms`)

# Rows of `pose`.
TRIAL, ATTEMPT = 0, 1

FREE_TO_MOVE, HELD, GIVEN = 0.0, 1.0, 2.0


# World quantities; the geometry of `place_joints` is in the file's unit.
WORK = RecordType(
    "Work",
    {
        "turns": CUBE,  # [joint, 3, 3]
        "origins": TABLE,  # [joint, 3]
        "moved": TABLE,  # [3, axis or a few more] of `move_axes_together`
        "blocks": LANE_TABLE,  # the same memory as lanes
        "axes": TABLE,  # [axis, 3]
        "anchors": TABLE,  # [axis, 3]
        "body": LANE_TABLE,  # [joint, BODY] spatial vectors
        "motion": LANE_TABLE,  # [motion, MOTION] spatial vectors
        "motion_numbers": CUBE,  # [motion, MOTION, COUNT] the same
        "factor": TABLE,  # [motion, FACTOR]
        "rows": LANE_TABLE,  # [2 · term, 9] spatial vectors: J of the last two poses evaluated, alternating
        "numbers": CUBE,  # [2 · term, 9, COUNT] the same
        "residual": TABLE,  # [2 · term, 3]
        "shift": TABLE,  # [term, 7]
        "wanted": TABLE,  # [term, 12] the target, a position in reaches and a rotation
        "freedom": TABLE,  # [FREEDOM, dof]
        "basis": TABLE,  # [joint, BASIS]
        "pose": TABLE,  # [2, coordinates]
        "matrix": TABLE,  # [dof, dof], only where motions are coupled
        "between": TABLE,  # [motion, motion], only where motions are coupled
        "coupled_system": TABLE,  # [row, dof + row + 1] steps, matrix, right-hand side of the coupled rows
        "converged": TABLE,  # [joint, 1] whether a goal of this joint, or of one below it, has converged
        "centers": TABLE,  # [joint, 3] centres of mass, in reaches
    },
)


FIELDS = len(WORK.fields)
_RECORD = COUNT * ((FIELDS * FIELD_SIZE + COUNT - 1) // COUNT)
_make, _read = record_maker(WORK), record_reader(WORK)


@inner_kernel
def work_size(t, p, coupling, coupled):
    """The size of the workspace in doubles."""
    joints, axes, dof, terms = t.frame.shape[0], t.axis.shape[0], t.bound.shape[0], p.terms.shape[0]
    motions, coordinates, masses = p.motions, t.joint[joints, COORDINATE], p.bodies.shape[0]
    dense_motions = coupling.dof.shape[0] if coupling is not None else 0
    dense = dof if dense_motions > 0 else 0
    coupled_system = 3 * coupled.shape[0] if coupled is not None else 0
    sixes = joints * BODY + motions * MOTION + 18 * terms
    size = COUNT * sixes + 16 * joints + 6 * axes + motions * FACTOR + 25 * terms + FREEDOM * dof + joints * BASIS
    size += (
        2 * coordinates
        + dense * dense
        + dense_motions * dense_motions
        + coupled_system * (dof + coupled_system + 1)
        + 3 * masses
    )
    return _RECORD + size + 3 * COUNT * ((axes + COUNT - 1) // COUNT)


@maker_kernel
def make_work(t, p, coupling, coupled):
    """The workspace for the tables `t`, the problem `p`, and its coupling and coupled rows, None without any.

    Returns (the record, its memory): one zeroed block, cut up, which the caller must keep alive (see `keep`).
    """
    memory = np.zeros(work_size(t, p, coupling, coupled))
    return cut_work(memory, t, p, coupling, coupled), memory


@inner_kernel
def work_at(memory):
    """The record that `cut_work` has put at the beginning of this memory."""
    return _read(memory)


@inner_kernel
def cut_work(memory, t, p, coupling, coupled):
    """The record of the fields that `memory [work_size]`, zeroed, is cut into; it lies at the memory's beginning."""
    joints, axes, dof, terms = t.frame.shape[0], t.axis.shape[0], t.bound.shape[0], p.terms.shape[0]
    motions, coordinates, masses = p.motions, t.joint[joints, COORDINATE], p.bodies.shape[0]
    dense_motions = coupling.dof.shape[0] if coupling is not None else 0
    dense = dof if dense_motions > 0 else 0
    coupled_system = 3 * coupled.shape[0] if coupled is not None else 0
    blocks = (axes + COUNT - 1) // COUNT
    body, at = window(memory, _RECORD, (joints, BODY, COUNT)), _RECORD + joints * BODY * COUNT
    motion, at = window(memory, at, (motions, MOTION, COUNT)), at + motions * MOTION * COUNT
    numbers, at = window(memory, at, (2 * terms, 9, COUNT)), at + 18 * terms * COUNT
    turns, at = window(memory, at, (joints, 3, 3)), at + 9 * joints
    origins, at = window(memory, at, (joints, 3)), at + 3 * joints
    directions, at = window(memory, at, (axes, 3)), at + 3 * axes
    anchors, at = window(memory, at, (axes, 3)), at + 3 * axes
    factor, at = window(memory, at, (motions, FACTOR)), at + motions * FACTOR
    residual, at = window(memory, at, (2 * terms, 3)), at + 6 * terms
    shift, at = window(memory, at, (terms, 7)), at + 7 * terms
    wanted, at = window(memory, at, (terms, 12)), at + 12 * terms
    freedom, at = window(memory, at, (FREEDOM, dof)), at + FREEDOM * dof
    basis, at = window(memory, at, (joints, BASIS)), at + joints * BASIS
    pose, at = window(memory, at, (2, coordinates)), at + 2 * coordinates
    matrix, at = window(memory, at, (dense, dense)), at + dense * dense
    between, at = window(memory, at, (dense_motions, dense_motions)), at + dense_motions * dense_motions
    together, at = (
        window(memory, at, (coupled_system, dof + coupled_system + 1)),
        at + coupled_system * (dof + coupled_system + 1),
    )
    converged, at = window(memory, at, (joints, 1)), at + joints
    centers, at = window(memory, at, (masses, 3)), at + 3 * masses
    moved = window(memory, at, (3, COUNT * blocks))
    moved_together = window(memory, at, (3, blocks, COUNT))
    return _make(
        memory,
        (
            turns,
            origins,
            moved,
            as_lanes(moved_together),
            directions,
            anchors,
            as_lanes(body),
            as_lanes(motion),
            motion,
            factor,
            as_lanes(numbers),
            numbers,
            residual,
            shift,
            wanted,
            freedom,
            basis,
            pose,
            matrix,
            between,
            together,
            converged,
            centers,
        ),
    )


@inner_kernel
def put(into, values):
    """Copy numbers one by one: an array assignment would add NumPy's checks and seconds of compilation."""
    for i in range(into.shape[0]):
        into[i] = values[i]


# The columns of the arrays that state a problem to the compiled solver.


# Columns of `Problem.used`; the second is whether a joint moves an effector with a position or rotation goal, so that
# restarts should move it.
USED, LEADS = range(2)
# Columns of `Problem.spans`: the joint at the end, whose sums are in memory; the range of motions; the parent of its
# first joint, and whether that is the end of the span before, so that sums stay in registers.
TIP, FIRST_MOTION, END_MOTION, ABOVE_SPAN, PASSES = range(5)
# Columns of `Problem.plain`.
FREEDOM_AT, COORDINATE_AT = range(2)
# Columns of `Problem.freedom`.
LOCKED, UNIT, RESISTANCE, EASE, SLIDING = range(5)
# Rows of `Problem.springs`, per spring.
BELOW, ABOVE, DRAW = 0, 1, 2
