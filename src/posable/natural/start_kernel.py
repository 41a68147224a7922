"""Compiled: a natural pose for what is known of it, by a small network, as the start of a solve."""

from __future__ import annotations

import math

from posable.compiled.decorators import inner_kernel, kernel
from posable.goals.term_arrays import read_targets
from posable.natural.arm_kernel import (
    ASKED_ARM,
    CHEST,
    ELBOWS,
    HANDS,
    IDLE_ARM,
    IDLE_LEG,
    UPPER_ARMS,
    eased,
    reach_by_arms,
)
from posable.natural.network_kernel import run
from posable.natural.origin import draw_back
from posable.natural.posed_kernel import between, turn_joints
from posable.natural.told_kernel import (
    BEFORE,
    HEAD_POINT,
    NOW,
    as_at_start,
    describe,
    find_facing,
    largest_change,
    more_than_gaze,
    place_ends,
    read_known,
    transposed,
    understood,
)
from posable.skeleton.forward import (
    difference,
    make_moved,
    move_axes_together,
    place_joints,
    put_turn,
    rest_turn,
    rotation_at,
    step,
    vector_at,
)
from posable.skeleton.tables import CODE, COORDINATE, DOF, FREE, PARENT
from posable.spatial.kernels import multiply_rotations, rotate_back, rotation_about

HIPS = 6
"""The point that the hips are."""
HEAD = 2
"""The segment that the head is."""
LEVELS = 0.6
"""By which share of what a head would tip back for a raised hand it does not, where nothing asks where it looks."""
LOOKS = 0.2
"""The share of what the network has hips and chest do for a changed gaze that they do, where nothing else changes:
people in the recordings look at what they are about to handle, and bend to it."""
UPPER_LEGS = 7, 15
FEET = 2, 3
"""The points that they are, left and right."""
HANGING = 0.75
"""How far down an upper arm points that hangs; one that does not, in the rest pose, is held out for the skin's sake."""
NOTHING, ARMS, USUAL, ALL = range(4)
"""What stays as it is at the start: nothing; arms that no goal asks for, but for those held out; with them hips and
legs, as far as they need not go along; or all but for what the goals change."""
FASTEST = 3.0
"""Radians by which a drag rotates a joint at most for each leg that its targets move, or radian that they rotate:
where the network would have all change at once, far from what people do, it stays as it is."""
LEGS_TO_ARM = 1.5
"""Legs are so much longer than arms as a rule. Where they are shorter, arms say how far targets move."""
UPPER_ARM, FOREARM = 1, 2
"""Columns of `Body.measures`."""
LEANING, WHOLLY = 0.1, 0.4
"""Of the leg: how far beyond its arm's length a hand is got by the trunk alone, and how far beyond that hips and legs
go along as the network proposes."""
SAME = 1e-9  # of the leg: what is already so near asks for nothing
DOUBTFUL = 0.6  # of the leg: how far a start is off what is known on average where it counts half


@inner_kernel
def _segments_at_start(b, parents, w, face):
    """`w.old [segment, 3, 3]`: how the segments are rotated at the start; missing ones go with theirs."""
    for s in range(b.segments.shape[0]):
        own = b.segments[s]
        if own >= 0:
            c = multiply_rotations(
                multiply_rotations(face, rotation_at(w.turns, own)), transposed(rotation_at(b.common, own))
            )
            put_turn(w.old, s, c)
        else:
            put_turn(w.old, s, rotation_at(w.old, parents[s]))


@inner_kernel
def _is_held_out(w, s, what):
    """Whether the upper arm `s` is as for the skin's sake."""
    return what != ALL and (1.0 if s == UPPER_ARMS[0] else -1.0) * w.old[s, 1, 0] > -HANGING


@inner_kernel
def _need(b, w):
    """0 … 1: how far hips and legs have to go along for the known positions, from the start in `w.origins`: not at all
    for what a hand can reach by its arm and a little of the trunk, wholly for what is far from that.
    """
    most, leg = 0.0, b.leg[0]
    for slot in range(b.points.shape[0]):
        if w.said[slot, 0]:
            center, reach = b.points[slot], 0.0
            for side in range(2):
                if slot == HANDS[side] or slot == ELBOWS[side]:
                    center, reach = b.segments[UPPER_ARMS[side]], leg * (b.measures[UPPER_ARM] + LEANING)
                if slot == HANDS[side]:
                    reach += leg * b.measures[FOREARM]
            dx, dy, dz = w.place[slot, 0], w.place[slot, 1], w.place[slot, 2]
            dx, dy, dz = dx - w.origins[center, 0], dy - w.origins[center, 1], dz - w.origins[center, 2]
            most = max(most, math.sqrt(dx * dx + dy * dy + dz * dz) - reach)
    return eased(most / (WHOLLY * leg))


@inner_kernel
def _segment(net, w, s, own, limb, what, still, need):
    """The rotation of segment `s` in its parent's frame: as the network proposes, or `own`, as at the start, or as that
    with the change that the network proposes, or, hips and legs, as far towards it as there is need.
    """
    new = rotation_at(w.new, s)
    if what == NOTHING or (what != ALL and limb == ASKED_ARM) or (what == ARMS and limb != IDLE_ARM):
        return new
    if what == USUAL and limb != IDLE_ARM:
        return (
            between(own, new, need) if s == 0 or UPPER_LEGS[0] <= s < UPPER_ARMS[1] - 1 or UPPER_LEGS[1] <= s else new
        )
    if limb == IDLE_ARM:
        upper = UPPER_ARMS[0] if s < UPPER_ARMS[1] - 1 else UPPER_ARMS[1]
        return rotation_at(net.relaxed, s) if _is_held_out(w, upper, what) else own
    if limb == IDLE_LEG and still:
        return own
    return multiply_rotations(multiply_rotations(new, transposed(rotation_at(w.proposed, s))), own)


@inner_kernel
def _hanging(net, w, s, what):
    """The rotation of the upper arm `s` that no goal asks for: it keeps its angle to the vertical, and rotates about
    that as the hips do.
    """
    angle = math.atan2(w.new[0, 0, 2], w.new[0, 2, 2]) - math.atan2(w.old[0, 0, 2], w.old[0, 2, 2])
    about = rotation_about(0.0, 1.0, 0.0, math.sin(angle), math.cos(angle))
    if _is_held_out(w, s, what):
        shoulder = multiply_rotations(rotation_at(net.relaxed, s - 1), rotation_at(net.relaxed, s))
        about = rotation_about(0.0, 1.0, 0.0, w.new[0, 0, 2], w.new[0, 2, 2])
        return multiply_rotations(about, shoulder)
    return multiply_rotations(about, rotation_at(w.old, s))


@inner_kernel
def _levelled(old, new):
    """The rotation `new` of the head, tipped back by less than from `old`."""
    back = math.atan2(old[7], old[4]) - math.atan2(new[7], new[4])
    if not 0.0 < back < math.pi:
        return new
    angle = LEVELS * back
    return multiply_rotations(rotation_about(1.0, 0.0, 0.0, math.sin(angle), math.cos(angle)), new)


@inner_kernel
def _compose(t, b, net, parents, w, face, limbs, what, free, x, y, z):
    """`w.new`, the segments' rotations, from those in their parents; (x, y, z) is where the hips come to be."""
    hips = b.segments[0]
    hx, hy, hz = vector_at(w.origins, hips, 0)
    still = max(abs(x - hx), max(abs(y - hy), abs(z - hz))) < SAME * b.leg[0] or not _travels(t, b, free)
    need, trunk = _need(b, w), 1.0
    if what == ALL:
        trunk = LOOKS + (1.0 - LOOKS) * more_than_gaze(b, w)
    for s in range(b.segments.shape[0]):
        own, p = rotation_at(w.old, s), parents[s]
        if p >= 0:
            own = multiply_rotations(transposed(rotation_at(w.old, p)), own)
        new = _segment(net, w, s, own, limbs[s], what, still, need)
        if s <= CHEST and trunk < 1.0:
            new = between(own, new, trunk)
        if s == 0 and w.said[HIPS, 1]:
            new = multiply_rotations(
                multiply_rotations(face, rotation_at(w.turn, HIPS)), transposed(rotation_at(b.common, hips))
            )
        new = multiply_rotations(rotation_at(w.new, p), new) if p >= 0 else new
        if what != NOTHING and limbs[s] == IDLE_ARM and (s == UPPER_ARMS[0] or s == UPPER_ARMS[1]):
            new = _hanging(net, w, s, what)
        if what == ALL and s == HEAD and not (w.said[HEAD_POINT, 0] or w.said[HEAD_POINT, 1]):
            new = _levelled(rotation_at(w.old, s), new)
        put_turn(w.new, s, new)


@inner_kernel
def _travels(t, b, free):
    """Whether the hips may move as the figure's root does."""
    j = b.root[0]
    d = t.joint[j, DOF]
    return j >= 0 and free[d] and free[d + 1] and free[d + 2]


@inner_kernel
def _travel(t, b, w, free, q, x, y, z):
    """Move the root so that the hips, whose frames are in `w`, are at (x, y, z). Returns how far; 0 if it cannot."""
    if not _travels(t, b, free):
        return 0.0, 0.0, 0.0
    j = b.root[0]
    hx, hy, hz = vector_at(w.origins, b.segments[0], 0)
    x, y, z = x - hx, y - hy, z - hz
    r = rest_turn(t.frame, j)
    if t.joint[j, PARENT] >= 0:
        r = multiply_rotations(rotation_at(w.turns, t.joint[j, PARENT]), r)
    dx, dy, dz = rotate_back(r, x, y, z)
    c = t.joint[j, COORDINATE]
    q[c], q[c + 1], q[c + 2] = q[c] + dx, q[c + 1] + dy, q[c + 2] + dz
    return x, y, z


@inner_kernel
def _over_feet(b, w, x, y, z):
    """Where the hips have to be for the legs, as they are rotated, to bring the feet where those are known to be, on
    average; (x, y, z) where the feet are not both known, or the hips are.
    """
    if w.said[HIPS, 0] or not (w.said[FEET[0], 0] and w.said[FEET[1], 0]):
        return x, y, z
    hx, hy, hz = vector_at(w.origins, b.segments[0], 0)
    for slot in FEET:
        fx, fy, fz = vector_at(w.origins, b.points[slot], 0)
        tx, ty, tz = vector_at(w.place, slot, 0)
        hx, hy, hz = hx + 0.5 * (tx - fx), hy + 0.5 * (ty - fy), hz + 0.5 * (tz - fz)
    return hx, hy, hz


@inner_kernel
def _misfit(b, w, moved):
    """How far the known positions are off on average, in legs, the figure being moved by `moved` in the world."""
    total, count = 0.0, 0
    for slot in range(b.points.shape[0]):
        if w.said[slot, 0]:
            x, y, z = vector_at(w.origins, b.points[slot], 0)
            x, y, z = x + moved[0] - w.place[slot, 0], y + moved[1] - w.place[slot, 1], z + moved[2] - w.place[slot, 2]
            total += math.sqrt(x * x + y * y + z * z)
            count += 1
    return total / (count * b.leg[0]) if count else 0.0


@inner_kernel
def _largest_step(b, w, terms, since):
    """How far a drag may rotate a joint at once, for how far its targets in `w.wanted` are from the numbers `since`,
    which are read into it.
    """
    for k in range(w.wanted.shape[0]):
        for i in range(12):
            w.before[k, i] = w.wanted[k, i]
    read_targets(terms, since, 1.0, w.wanted)
    most, unit = 0.0, b.leg[0] * max(1.0, LEGS_TO_ARM * (b.measures[UPPER_ARM] + b.measures[FOREARM]))
    for k in range(w.wanted.shape[0]):
        for i in range(12):
            most = max(most, abs(w.wanted[k, i] - w.before[k, i]) / (unit if i < 3 else 1.0))
    return FASTEST * most


@inner_kernel
def _is_rest(t, b, q):
    """Whether nothing of the body but the root differs from the rest pose; fingers, jaws or props may."""
    for j in range(t.frame.shape[0]):
        if t.joint[j, CODE] != FREE and (b.turned_by[j, 0] >= 0 or b.turned_by[j, 1] >= 0):
            for c in range(t.joint[j, COORDINATE], t.joint[j + 1, COORDINATE]):
                if abs(q[c] - b.rest[c]) > 1e-6:
                    return False
    return True


@inner_kernel
def _bring_back(t, w, start, share, limit, q):
    """Leave `share` of the step from the start to the pose `q`, and no joint rotated by more than `limit`."""
    if share > 1.0 - 1e-3 and limit == math.inf:
        return
    difference(t, start, q, w.tangent)
    most = 0.0
    for i in range(w.tangent.shape[0]):
        most = max(most, abs(w.tangent[i]))
    share *= min(1.0, limit / max(most, 1e-12))
    for i in range(w.tangent.shape[0]):
        w.tangent[i] *= share
    step(t, start, w.tangent, q)


@inner_kernel
def _describe_before(b, net, w, terms, known, local, numbers, since, on, face, hinted):
    """Tell the network what was known before, and leave in `w` what is known now. Returns how far a joint may rotate,
    and the middle of what was known.
    """
    limit = math.inf
    if on:
        limit = _largest_step(b, w, terms, since)
        read_known(b, w, known, local)
    else:
        as_at_start(b, w)
    middle = describe(b, net, w, face, hinted, BEFORE)
    read_targets(terms, numbers, 1.0, w.wanted)
    read_known(b, w, known, local)
    return limit, middle


@inner_kernel
def _asked(b, net, w, face, hinted, what, middle):
    """What the network proposes for what is known, into `w.new`, and for what was known before, into `w.proposed`.
    Returns where the hips come to be, which stay but for the change. middle: of what was known before.
    """
    now = describe(b, net, w, face, hinted, NOW)
    run(net, w)
    x, y, z = 0.0, 0.0, 0.0
    if what == ALL:
        hx, hy, hz = vector_at(w.origins, b.segments[0], 0)
        x, y, z = understood(b, net, w, face, BEFORE, middle, w.proposed)
        x, y, z = hx - x, hy - y, hz - z
    px, py, pz = understood(b, net, w, face, NOW, now, w.new)
    return x + px, y + py, z + pz


@inner_kernel
def begin(
    t, b, net, parents, w, memory, terms, known, local, limbs, numbers, since, on, free, keep, strength, start, q
):
    """One start; see `natural_starts`. on: whether it goes on from `since`."""
    moved, blocks = memory
    for c in range(q.shape[0]):
        q[c] = start[c]
    move_axes_together(t, start, moved, blocks)
    place_joints(t, None, start, moved, w.turns, w.origins, None, None)
    read_targets(terms, numbers, 1.0, w.wanted)
    read_known(b, w, known, local)
    hinted = not _is_rest(t, b, start)
    what = keep[1] if hinted else keep[0]
    if on:
        what = ALL
    elif what == ALL and largest_change(b, w) < SAME:
        return
    hips = b.segments[0]
    face = find_facing(
        b, rotation_at(w.turn, HIPS) if w.said[HIPS, 1] else rotation_at(w.turns, hips), rotation_at(b.common, hips)
    )
    _segments_at_start(b, parents, w, face)
    limit, middle = math.inf, (0.0, 0.0, 0.0)
    if what == ALL:
        limit, middle = _describe_before(b, net, w, terms, known, local, numbers, since, on, face, hinted)
    x, y, z = _asked(b, net, w, face, hinted, what, middle)
    _compose(t, b, net, parents, w, face, limbs, what, free, x, y, z)
    if not on and place_ends(b, w, face, known, local):
        x, y, z = _asked(b, net, w, face, hinted, what, middle)
        _compose(t, b, net, parents, w, face, limbs, what, free, x, y, z)
    turn_joints(t, b, w, face, what >= USUAL, free, q)
    move_axes_together(t, q, moved, blocks)
    place_joints(t, None, q, moved, w.turns, w.origins, None, None)
    x, y, z = _over_feet(b, w, x, y, z)
    off = _misfit(b, w, _travel(t, b, w, free, q, x, y, z))
    _bring_back(t, w, start, strength / (1.0 + (off / DOUBTFUL) ** 4), limit, q)


@kernel
def natural_starts(
    t, b, net, parents, work, terms, known, local, limbs, numbers, since, free, keep, strengths, starts, origin, first,
    angles, arms, out,
):  # fmt: skip
    """Fill `out [problem, coordinates]` with the poses to start from.

    b: `Body`. net: `Network`. parents: `[segment]`. work: `Work`. terms: of the goals. known, local: of what is known.
    limbs: `[segment]`. numbers: `[problem, number]` the targets. since: those for which the starts were solved, all of
    which stays but for what the change brings along; or `[0, number]`. free: `[dof]` what may move. keep: what stays,
    of the rest pose and of other starts. strengths: `[problem]` 0 … 1. starts: as given. origin: `[coordinates]` of one
    problem, in whose `out` there is another row, the pose in which its drag began, and first the targets for which that
    was solved; or empty. angles: `[dof]` 1 for the freedoms that are angles. arms: `[dof]` what may rotate the upper
    arms and forearms, which reach for their targets on their own in the end; or empty, for those that do not.
    """
    memory, on, count, goes_back = make_moved(t), since.shape[0] > 0, starts.shape[0], origin.shape[0] > 0
    for n in range(count + 1 if goes_back else count):
        own = min(n, count - 1)
        start = starts[n] if n < count else origin
        before = numbers[own] if not on else since[n] if n < count else first
        begin(
            t, b, net, parents, work, memory, terms, known, local, limbs, numbers[own], before, on, free, keep,
            strengths[own], start, out[n],
        )  # fmt: skip
    if goes_back:
        draw_back(t, b, work, memory, limbs, free, starts[0], out[0], out[1], angles, out[1])
        for c in range(out.shape[1]):
            out[0, c] = out[1, c]
    if arms.shape[0] > 0:
        for n in range(count):
            reach_by_arms(
                t, b, work, memory, terms, known, local, numbers[n], on, arms, strengths[n], out[n], out[n]
            )  # fmt: skip
