"""The scratch of eight solves side by side, and the plan of the freedoms that they share."""

from __future__ import annotations

import numpy as np

from posable.compiled.decorators import maker_kernel
from posable.compiled.records import CUBE, FIELD_SIZE, TABLE, WHOLE_TABLE, RecordType, record_maker
from posable.compiled.simd_batch import COUNT
from posable.compiled.views import LANE_CUBE, LANE_ROW, LANE_TABLE, as_lanes, window
from posable.goals.term_arrays import JOINT
from posable.skeleton.tables import AXIS, AXIS_COORDINATE, AXIS_DOF, COORDINATE, LOWER, PARENT, UPPER
from posable.solvers.default.kernels.multi_start import SEARCH
from posable.solvers.default.kernels.workspace import LOCKED, USED

# Columns of `plan`, per freedom that may move: its axis, its coordinate, its number, and the one before it on the path
# to the root or -1.
PLAN_AXIS, PLAN_COORDINATE, PLAN_DOF, _ABOVE = range(4)
_PLAN = 4

# Rows of `state`, one number a lane.
COST, DAMPING, GAIN, SLOW, FAILURES, ITERATION, MOST, BAR = range(8)
STATE = 8

# Rows of `freedom`, one number a freedom and lane.
GRADIENT, RESISTING, LOOSE, GIVEN, FREE, SOLVED, STEP, UNKNOWN = range(8)
FREEDOM = 8

# Rows of `pose`.
PLACE, TRIED = 0, 1


LANE_WORK = RecordType(
    "LaneWork",
    {
        "turns": LANE_CUBE,  # [joint, 3, 3]
        "origins": LANE_TABLE,  # [joint, 3]
        "moved": LANE_TABLE,  # [3, axis] of `place_joints`
        "axes": LANE_TABLE,  # [axis, 3]
        "anchors": LANE_TABLE,  # [axis, 3]
        "rows": LANE_TABLE,  # [9, 6] of one term
        "fresh": LANE_TABLE,  # [term, 3] residuals of the pose evaluated last
        "lever": LANE_CUBE,  # [term, 3, 3] their derivative by rotation: the first three columns of their rows
        "residual": LANE_TABLE,  # [term, 3] residuals of the pose that the step starts from
        "turning": LANE_TABLE,  # [freedom, 3] ω of that pose
        "jacobian": LANE_CUBE,  # [freedom, term, 3]
        "hessian": LANE_TABLE,  # [freedom, freedom]
        "factor": LANE_TABLE,  # [freedom, freedom]
        "freedom": LANE_TABLE,  # [FREEDOM, freedom]
        "state": LANE_ROW,  # [STATE]
        "state_numbers": TABLE,  # [STATE, COUNT] the same
        "pose": LANE_TABLE,  # [2, coordinate]
        "pose_numbers": CUBE,  # [2, coordinate, COUNT] the same
        "wanted": LANE_TABLE,  # [term, 12] the targets, positions in reaches and rotations
        "wanted_numbers": CUBE,  # [term, 12, COUNT] the same
        "search": TABLE,  # [COUNT, SEARCH + coordinates] the search state of each solve
        "one": TABLE,  # [1, coordinate] the pose of one lane
        "target": TABLE,  # [term, 12] its targets
        "tangent": TABLE,  # [1, dof]
        "plan": WHOLE_TABLE,  # [freedom, _PLAN]
        "carries": WHOLE_TABLE,  # [freedom, term] whether the freedom moves the term's joint
    },
)

_FIELDS = len(LANE_WORK.fields)
_make = record_maker(LANE_WORK)


@maker_kernel
def make_plan(t, p):
    """(`plan`, `carries`) for the freedoms that may move at all, parents first."""
    joints, terms = t.frame.shape[0], p.terms.shape[0]
    plan = np.empty((t.axis.shape[0], _PLAN), np.int64)
    lowest = np.full(joints, -1)
    count = 0
    for n in range(p.used.shape[0]):
        j = p.used[n, USED]
        above = lowest[t.joint[j, PARENT]] if t.joint[j, PARENT] >= 0 else -1
        for a in range(t.joint[j, AXIS], t.joint[j + 1, AXIS]):
            d = t.axis_number[a, AXIS_DOF]
            if p.freedom[d, LOCKED] > 0.0 or t.bound[d, UPPER] <= t.bound[d, LOWER]:
                continue
            plan[count, _ABOVE], plan[count, PLAN_AXIS] = above, a
            plan[count, PLAN_COORDINATE], plan[count, PLAN_DOF] = t.axis_number[a, AXIS_COORDINATE], d
            above, count = count, count + 1
        lowest[j] = above
    carries = np.zeros((count, terms), np.int64)
    for k in range(terms):
        m = lowest[p.terms[k, JOINT]]
        while m >= 0:
            carries[m, k] = 1
            m = plan[m, _ABOVE]
    return plan[:count], carries


@maker_kernel
def make_lane_work(t, p, plan, carries):
    """(the record, its memory, which the caller must keep alive)."""
    joints, axes, terms, dof = t.frame.shape[0], t.axis.shape[0], p.terms.shape[0], t.bound.shape[0]
    coordinates, n = t.joint[joints, COORDINATE], plan.shape[0]
    wide = 12 * joints + 9 * axes + 54 + 27 * terms + 3 * n + 3 * n * terms + 2 * n * n + FREEDOM * n + STATE
    wide += 2 * coordinates
    memory = np.zeros(COUNT * (wide + SEARCH + coordinates) + coordinates + 12 * terms + dof + _FIELDS * FIELD_SIZE)
    turns, at = window(memory, 0, (joints, 3, 3, COUNT)), 9 * joints * COUNT
    origins, at = window(memory, at, (joints, 3, COUNT)), at + 3 * joints * COUNT
    moved, at = window(memory, at, (3, axes, COUNT)), at + 3 * axes * COUNT
    directions, at = window(memory, at, (axes, 3, COUNT)), at + 3 * axes * COUNT
    anchors, at = window(memory, at, (axes, 3, COUNT)), at + 3 * axes * COUNT
    rows, at = window(memory, at, (9, 6, COUNT)), at + 54 * COUNT
    fresh, at = window(memory, at, (terms, 3, COUNT)), at + 3 * terms * COUNT
    lever, at = window(memory, at, (terms, 3, 3, COUNT)), at + 9 * terms * COUNT
    residual, at = window(memory, at, (terms, 3, COUNT)), at + 3 * terms * COUNT
    turning, at = window(memory, at, (n, 3, COUNT)), at + 3 * n * COUNT
    jacobian, at = window(memory, at, (n, terms, 3, COUNT)), at + 3 * n * terms * COUNT
    hessian, at = window(memory, at, (n, n, COUNT)), at + n * n * COUNT
    factor, at = window(memory, at, (n, n, COUNT)), at + n * n * COUNT
    freedom, at = window(memory, at, (FREEDOM, n, COUNT)), at + FREEDOM * n * COUNT
    state, at = window(memory, at, (STATE, COUNT)), at + STATE * COUNT
    pose, at = window(memory, at, (2, coordinates, COUNT)), at + 2 * coordinates * COUNT
    wanted, at = window(memory, at, (terms, 12, COUNT)), at + 12 * terms * COUNT
    search, at = window(memory, at, (COUNT, SEARCH + coordinates)), at + COUNT * (SEARCH + coordinates)
    one, at = window(memory, at, (1, coordinates)), at + coordinates
    target, at = window(memory, at, (terms, 12)), at + 12 * terms
    tangent, at = window(memory, at, (1, dof)), at + dof
    w = _make(
        window(memory, at, (_FIELDS * FIELD_SIZE,)),
        (
            as_lanes(turns),
            as_lanes(origins),
            as_lanes(moved),
            as_lanes(directions),
            as_lanes(anchors),
            as_lanes(rows),
            as_lanes(fresh),
            as_lanes(lever),
            as_lanes(residual),
            as_lanes(turning),
            as_lanes(jacobian),
            as_lanes(hessian),
            as_lanes(factor),
            as_lanes(freedom),
            as_lanes(state),
            state,
            as_lanes(pose),
            pose,
            as_lanes(wanted),
            wanted,
            search,
            one,
            target,
            tangent,
            plan,
            carries,
        ),
    )
    return w, memory
