"""Compiled: what the WebAssembly module exports. Each takes flat arrays and numbers, and the memory that it works in.

The arrays are those that Python hands to the same kernels: `ints` and `floats` of `flat_tables.flatten`, of a figure
alone with no terms.
"""

from __future__ import annotations

import numpy as np

from posable.compiled.decorators import inlined_kernel, inner_kernel, lean_kernel
from posable.compiled.simd_batch import COUNT
from posable.compiled.views import as_lanes, window
from posable.goals.term_arrays import FINE, WEIGHT, read_targets
from posable.natural.arm_kernel import reach_by_arms
from posable.natural.origin import draw_back, hang_again
from posable.natural.start_kernel import begin
from posable.natural.told_kernel import Body, Network, Work
from posable.skeleton.forward import move_axes_together, place_joints, step
from posable.skeleton.limits import clamp
from posable.skeleton.tables import COORDINATE
from posable.skin.blend_kernels import blend_dual, blend_linear, fill_columns, fill_duals, normals_dual, normals_linear
from posable.solvers.closed import bending
from posable.solvers.closed.limb import Placed, bend_pose, describe_limb, left_of, place_chain
from posable.solvers.default.flat_tables import MOST, RESTARTS, SEED, unflatten
from posable.solvers.default.kernels.active_limits import fill_sides
from posable.solvers.default.kernels.forces import sum_forces
from posable.solvers.default.kernels.linearize import evaluate_again, find_motions
from posable.solvers.default.kernels.multi_start import SEARCH
from posable.solvers.default.kernels.restarts import forget_shifts, solve_all_softer, solve_hard
from posable.solvers.default.kernels.trajectory import track_in, track_room
from posable.solvers.default.kernels.workspace import GRADIENT, UNIT, cut_work, put, work_size
from posable.solvers.problem import Coupling

PUSH = 1e-6
"""Share of the largest pull below which a freedom is not pushed anywhere, as in `solvers.solution`."""
KNOWN, MEASURES = 6, 9
"""Columns of what is known of a pose, and lengths by which the network knows a body."""
OUTCOME, ITERATIONS, FAULT, FAULTY_TERM = range(4)
"""What `solve` writes into `ended`."""


@inlined_kernel
def _coupling(couplings, gains):
    """The motions' freedoms, from both halves of `couplings`, and their gains."""
    count = couplings.shape[0] // 2
    return Coupling(
        window(couplings, 0, (count,)),
        window(gains, 0, (count,)),
        window(couplings, count, (count,)),
        window(gains, count, (count,)),
    )


@lean_kernel
def room(ints, floats, couplings, gains, coupled):
    """How many doubles every function here that takes `memory` may need of it."""
    t, p = unflatten(ints, floats)
    coordinates = t.joint[t.frame.shape[0], COORDINATE]
    solve = 2 * coordinates + SEARCH
    frames = 24 * t.frame.shape[0] + 6 * t.axis.shape[0] + 3 * (t.axis.shape[0] + COUNT)
    limb = bending.LIMB + bending.ANSWER
    return track_room(t, p, _coupling(couplings, gains), coupled) + solve + frames + limb


@lean_kernel
def place(memory, ints, floats, q, frames):
    """The rigid frames of all joints, `frames [joint, 16]` row by row."""
    t, _ = unflatten(ints, floats)
    turns, origins = _placed(t, memory, q)
    for j in range(t.frame.shape[0]):
        for r in range(3):
            for c in range(3):
                frames[16 * j + 4 * r + c] = turns[j, r, c]
            frames[16 * j + 4 * r + 3] = origins[j, r]
            frames[16 * j + 12 + r] = 0.0
        frames[16 * j + 15] = 1.0


@inlined_kernel
def _placed(t, memory, q):
    """(rotations, origins) of all joints."""
    joints, axes = t.frame.shape[0], t.axis.shape[0]
    blocks = (axes + COUNT - 1) // COUNT
    moved, at = window(memory, 0, (3, blocks * COUNT)), 3 * blocks * COUNT
    lanes = as_lanes(window(memory, 0, (3, blocks, COUNT)))
    turns, at = window(memory, at, (joints, 3, 3)), at + 9 * joints
    origins, at = window(memory, at, (joints, 3)), at + 3 * joints
    directions, at = window(memory, at, (axes, 3)), at + 3 * axes
    move_axes_together(t, q, moved, lanes)
    place_joints(t, None, q, moved, turns, origins, directions, window(memory, at, (axes, 3)))
    return turns, origins


@lean_kernel
def move(ints, floats, q, tangent, out):
    """`out [coordinates]`: q moved along `tangent [dof]`, and within the limits."""
    t, _ = unflatten(ints, floats)
    step(t, q, tangent, out)
    clamp(t, out)


@inner_kernel
def _solve(t, p, memory, ints, coupling, coupled, springs, numbers, q, ended):
    """Solve from `q`, which receives the solution."""
    count, at = q.shape[0], work_size(t, p, coupling, coupled)
    w = cut_work(window(memory, 0, (at,)), t, p, coupling, coupled)
    code, term = read_targets(p.terms, numbers, p.scale, w.wanted)
    ended[FAULT], ended[FAULTY_TERM] = code, term
    if code != FINE:
        return
    start, search = window(memory, at, (count,)), window(memory, at + count, (SEARCH + count,))
    no_trace = window(memory, 0, (0, count))
    clamp(t, q)
    put(start, q)
    most, restarts, seed = ints[MOST], ints[RESTARTS], np.uint64(ints[SEED])
    outcome, spent, _ = solve_hard(
        t, p, w, start, springs, coupling, coupled, most, restarts, seed, search, q, no_trace, None
    )
    outcome, more, _ = solve_all_softer(t, p, w, springs, coupling, coupled, most, q, outcome, no_trace, 0)
    ended[OUTCOME], ended[ITERATIONS] = outcome, spent + more


@lean_kernel
def solve(memory, ints, floats, couplings, gains, coupled, spring_poses, numbers, q, ended):
    """Meet the goals. memory: zeroed once. spring_poses: `[spring, coordinates]` the poses of the soft goals'
    springs.
    """
    t, p = unflatten(ints, floats)
    springs = _springs(spring_poses, 1, q.shape[0])
    _solve(
        t,
        p,
        memory,
        ints,
        _coupling(couplings, gains),
        coupled,
        springs[0, : springs.shape[1]],
        numbers,
        q,
        ended,
    )


@lean_kernel
def track(memory, ints, floats, couplings, gains, coupled, spring_poses, limits, start, numbers, out, counts):
    """Follow the goals: `out [frame, coordinates]`, `counts [frame, 3]`; returns the faulty frame, -1 without one.

    memory: zeroed. spring_poses: `[frame, spring, coordinates]`. limits: `[2, dof]` of steps, or empty.
    """
    t, p = unflatten(ints, floats)
    frames, count = counts.shape[0] // 3, start.shape[0]
    targets = window(numbers, 0, (frames, numbers.shape[0] // max(frames, 1)))
    springs = _springs(spring_poses, frames, count)
    dof = max(t.bound.shape[0], 1)
    steps, weights = window(limits, 0, (limits.shape[0] // dof, dof)), window(floats, 0, (frames, 0))
    poses, ends = window(out, 0, (frames, count)), window(counts, 0, (frames, 3))
    coupling = _coupling(couplings, gains)
    code, n, _ = track_in(
        memory, t, p, ints[MOST], coupling, coupled, springs, weights, steps, start, targets, poses, ends
    )
    return -1 if code == FINE else n


@inlined_kernel
def _springs(numbers, frames, count):
    """`[frame, spring, coordinates]`: of one type in all that is exported, so that they share what is compiled."""
    return window(numbers, 0, (frames, numbers.shape[0] // (max(frames, 1) * count), count))


@lean_kernel
def held(memory, ints, floats, couplings, gains, coupled, numbers, q, out):
    """`out [dof]`: 1 for the freedoms that stand at a limit through which the goals would push them."""
    t, p = unflatten(ints, floats)
    coupling = _coupling(couplings, gains)
    w = cut_work(memory, t, p, coupling, coupled)
    read_targets(p.terms, numbers, p.scale, w.wanted)
    forget_shifts(w.shift)
    evaluate_again(t, p, w, q, 0, p.levels, _springs(q, 1, q.shape[0])[0, :0])
    find_motions(t, p, w, q)
    sum_forces(p, w, 0, p.levels, False, None, coupling, coupled)
    fill_sides(t, q, 1.0 / p.scale, w.basis, out)
    strongest = 0.0
    for d in range(out.shape[0]):
        strongest = max(strongest, abs(w.freedom[GRADIENT, d] / p.freedom[d, UNIT]))
    for d in range(out.shape[0]):
        pull = w.freedom[GRADIENT, d] / p.freedom[d, UNIT]
        outward = abs(pull) if out[d] == 2.0 else pull * out[d]
        out[d] = 1.0 if out[d] != 0.0 and outward > PUSH * strongest else 0.0


@lean_kernel
def left(memory, ints, floats, couplings, gains, coupled, numbers, q, out):
    """`out [term, 3]`: what every term with a weight has left, lengths in the figure's unit."""
    t, p = unflatten(ints, floats)
    w = cut_work(memory, t, p, _coupling(couplings, gains), coupled)
    read_targets(p.terms, numbers, p.scale, w.wanted)
    forget_shifts(w.shift)
    evaluate_again(t, p, w, q, 0, p.levels, _springs(q, 1, q.shape[0])[0, :0])
    for k in range(p.terms.shape[0]):
        for i in range(3):
            out[3 * k + i] = w.residual[k, i] if p.measures[k, WEIGHT] > 0.0 else 0.0


@lean_kernel
def bend(memory, ints, floats, used, limb, aim, q):
    """Bend a limb of the pose `q` to its target, by the law of cosines; returns the remaining distance.

    used: the joints whose frames are needed. aim: the target, the direction of the pole, the tip in the end's frame,
    the twist.
    """
    t, _ = unflatten(ints, floats)
    joints, axes, chain = t.frame.shape[0], t.axis.shape[0], window(used, 0, (used.shape[0], 1))
    turns, at = window(memory, 0, (joints, 3, 3)), 9 * joints
    origins, at = window(memory, at, (joints, 3)), at + 3 * joints
    directions, at = window(memory, at, (axes, 3)), at + 3 * axes
    anchors, at = window(memory, at, (axes, 3)), at + 3 * axes
    moved, at = window(memory, at, (3, axes)), at + 3 * axes
    row, at = window(memory, at, (bending.LIMB,)), at + bending.LIMB
    s = Placed(turns, origins, directions, anchors, moved, row, window(memory, at, (bending.ANSWER,)))
    place_chain(t, chain, q, s)
    tip = window(aim, 6, (3,))
    describe_limb(t, limb, q, tip, s)
    for i in range(3):
        row[bending.TARGET + i], row[bending.POLE + i] = aim[i], aim[3 + i]
    row[bending.TWIST] = aim[9]
    aim[10] = left_of(t, limb, s, tip, bend_pose(t, limb, s, q), chain, q)


@lean_kernel
def skin_linear(frames, binds, used, vertices, normals, joints, weights, columns, out, out_normals):
    """Linear blending of one pose: `frames [joint, 16]`, `binds [joint, 16]`; `columns [16 × used]` is scratch."""
    count, influences = vertices.shape[0] // 3, joints.shape[0] // max(vertices.shape[0] // 3, 1)
    rows, own = window(joints, 0, (count, influences)), window(weights, 0, (count, influences))
    world, bind = _matrices(frames, binds)
    held = window(columns, 0, (1, columns.shape[0]))
    fill_columns(world, bind, used, held)
    blend_linear(window(vertices, 0, (count, 3)), rows, own, held, window(out, 0, (1, count, 3)))
    if normals.shape[0] > 0:
        normals_linear(window(normals, 0, (count, 3)), rows, own, held, window(out_normals, 0, (1, count, 3)))


@lean_kernel
def skin_dual(frames, binds, used, vertices, normals, joints, weights, duals, signs, out, out_normals):
    """Dual-quaternion blending of one pose; `duals [8 × used]` and `signs [used × used]` are scratch."""
    count, influences = vertices.shape[0] // 3, joints.shape[0] // max(vertices.shape[0] // 3, 1)
    rows, own = window(joints, 0, (count, influences)), window(weights, 0, (count, influences))
    world, bind = _matrices(frames, binds)
    held, pairs = window(duals, 0, (1, duals.shape[0])), window(signs, 0, (used.shape[0], used.shape[0]))
    fill_duals(world, bind, used, held)
    blend_dual(window(vertices, 0, (count, 3)), rows, own, held, pairs, window(out, 0, (1, count, 3)))
    if normals.shape[0] > 0:
        normals_dual(window(normals, 0, (count, 3)), rows, own, held, pairs, window(out_normals, 0, (1, count, 3)))


@inlined_kernel
def _matrices(frames, binds):
    count = frames.shape[0] // 16
    return window(frames, 0, (1, count, 4, 4)), window(binds, 0, (count, 4, 4))


@inlined_kernel
def _body(t, counts, numbers):
    """`natural.body.Body` and the segments' parents. counts: of segments, points and rotations, then its integers."""
    joints, coordinates = t.frame.shape[0], t.joint[t.frame.shape[0], COORDINATE]
    segments, points, turns = counts[0], counts[1], counts[2]
    axes, at = window(numbers, 0, (1, 3, 3)), 9
    leg, at = window(numbers, at, (1,)), at + 1
    measures, at = window(numbers, at, (MEASURES,)), at + MEASURES
    share, at = window(numbers, at, (joints,)), at + joints
    common, at = window(numbers, at, (joints, 3, 3)), at + 9 * joints
    bones, at = window(numbers, at, (joints, 3)), at + 3 * joints
    rest, n = window(numbers, at, (coordinates,)), 3
    turned_by, n = window(counts, n, (joints, 2)), n + 2 * joints
    bent_by, n = window(counts, n, (joints,)), n + joints
    own, n = window(counts, n, (segments,)), n + segments
    places, n = window(counts, n, (points,)), n + points
    turning, n = window(counts, n, (turns,)), n + turns
    root, n = window(counts, n, (1,)), n + 1
    body = Body(axes, leg, measures, turned_by, share, common, bones, bent_by, own, places, turning, root, rest)
    return body, window(counts, n, (segments,))


@inlined_kernel
def _network(told, hidden, answers, segments, weights, numbers):
    """`natural.network.Network`."""
    first, at = window(weights, 0, (told, hidden)), told * hidden
    first_bias, at = window(weights, at, (hidden,)), at + hidden
    second, at = window(weights, at, (hidden, hidden)), at + hidden * hidden
    second_bias, at = window(weights, at, (hidden,)), at + hidden
    last, at = window(weights, at, (hidden, answers)), at + hidden * answers
    last_bias = window(weights, at, (answers,))
    measures, at = window(numbers, 0, (2, MEASURES)), 2 * MEASURES
    mean, at = window(numbers, at, (segments, 3, 3)), at + 9 * segments
    spread, at = window(numbers, at, (segments,)), at + segments
    relaxed = window(numbers, at, (segments, 3, 3))
    return Network(first, first_bias, second, second_bias, last, last_bias, measures, mean, spread, relaxed)


@inlined_kernel
def _work(memory, numbers, layers, told, hidden, b, terms, dof):
    """`natural.network.Work`, and where in `memory` it ends."""
    joints, points, segments = b.share.shape[0], b.points.shape[0], b.segments.shape[0]
    turns, at = window(memory, 0, (joints, 3, 3)), 9 * joints
    origins, at = window(memory, at, (joints, 3)), at + 3 * joints
    turned, at = window(memory, at, (joints, 3, 3)), at + 9 * joints
    wanted, at = window(memory, at, (terms, 12)), at + 12 * terms
    before, at = window(memory, at, (terms, 12)), at + 12 * terms
    place, at = window(memory, at, (points, 3)), at + 3 * points
    turn, at = window(memory, at, (points, 3, 3)), at + 9 * points
    old, at = window(memory, at, (segments, 3, 3)), at + 9 * segments
    new, at = window(memory, at, (segments, 3, 3)), at + 9 * segments
    proposed, at = window(memory, at, (segments, 3, 3)), at + 9 * segments
    tangent, at = window(memory, at, (dof,)), at + dof
    said, none = window(numbers, 0, (points, 2)), window(numbers, 2 * points, (dof,))
    inputs, inner = 4 * told, 8 * hidden
    x, layer = window(layers, 0, (4, told)), window(layers, inputs, (2, 4, hidden))
    y = window(layers, inputs + inner, (4, (layers.shape[0] - inputs - inner) // 4))
    return (
        Work(turns, origins, turned, wanted, before, place, turn, said, old, new, proposed, x, layer, y,
             tangent, none),
        at,
    )  # fmt: skip


@lean_kernel
def propose(
    memory, ints, floats, whole, layers, counts, body, weights, net, known, local, limbs, free, keep, numbers, since,
    strength, start, out,
):  # fmt: skip
    """Fill `out [coordinates]`: where the solve begins for the natural pose, before the arms reach for their targets.
    See `natural.start_kernel`.

    Returns how much memory it needs; with less it does nothing else. whole: zeros, `[2 × point + dof]`. layers: zeros,
    four times the network's input, two hidden layers and output. counts: see `_body`. since: as `numbers`, or empty.
    """
    t, p = unflatten(ints, floats)
    b, parents = _body(t, counts, body)
    dof, segments = free.shape[0], b.segments.shape[0]
    answers = 6 * segments + 3
    told = 7 * b.points.shape[0] + 7 * b.turning.shape[0] + MEASURES + 1
    hidden = (layers.shape[0] // 4 - told - answers) // 2
    terms, blocks = p.terms.shape[0], (t.axis.shape[0] + COUNT - 1) // COUNT
    w, at = _work(memory, whole, layers, told, hidden, b, terms, dof)
    if memory.shape[0] < at + 4 * blocks * COUNT:
        return at + 4 * blocks * COUNT
    moved = _lanes(t, memory, at)
    n = _network(told, hidden, answers, segments, weights, net)
    on = since.shape[0] > 0
    count = known.shape[0] // KNOWN
    said, places = window(known, 0, (count, KNOWN)), window(local, 0, (count, 3))
    before = window(since if on else numbers, 0, (numbers.shape[0],))
    begin(
        t, b, n, parents, w, moved, p.terms, said, places, limbs, numbers, before, on, free, keep, strength[0], start,
        out,
    )  # fmt: skip
    return at


@lean_kernel
def draw(memory, ints, floats, whole, layers, counts, body, limbs, free, start, begun, proposed, angles, out):
    """Fill `out [coordinates]`: the pose `begun` drawn towards one `proposed` from the origin of the drag; see
    `natural.origin`, and `propose`, whose memory suffices. angles: `[dof]` 1 for the freedoms that are angles.
    """
    t, p = unflatten(ints, floats)
    b, _ = _body(t, counts, body)
    w, at = _work(memory, whole, layers, 0, 0, b, p.terms.shape[0], free.shape[0])
    draw_back(t, b, w, _lanes(t, memory, at), limbs, free, start, begun, proposed, angles, out)


@lean_kernel
def hang(memory, ints, floats, whole, layers, counts, body, limbs, free, begun, pose):
    """Rotate the free upper arms of the `pose` as in the pose `begun`; see `draw`."""
    t, p = unflatten(ints, floats)
    b, _ = _body(t, counts, body)
    w, at = _work(memory, whole, layers, 0, 0, b, p.terms.shape[0], free.shape[0])
    hang_again(t, b, w, _lanes(t, memory, at), limbs, free, begun, pose)


@lean_kernel
def reach(memory, ints, floats, whole, layers, counts, body, known, local, arms, dragged, numbers, strength, pose, out):
    """Fill `out [coordinates]`: the pose once the arms have reached for their targets; see `propose`, whose memory
    suffices. dragged: `[1]` 1 where the pose goes on from one that met earlier targets.
    """
    t, p = unflatten(ints, floats)
    b, _ = _body(t, counts, body)
    w, at = _work(memory, whole, layers, 0, 0, b, p.terms.shape[0], arms.shape[0])
    moved = _lanes(t, memory, at)
    count = known.shape[0] // KNOWN
    said, places = window(known, 0, (count, KNOWN)), window(local, 0, (count, 3))
    reach_by_arms(t, b, w, moved, p.terms, said, places, numbers, dragged[0] == 1, arms, strength[0], pose, out)


@inlined_kernel
def _lanes(t, memory, at):
    """What `move_axes_together` fills, in `memory` from `at` on."""
    blocks = (t.axis.shape[0] + COUNT - 1) // COUNT
    at = (at + COUNT - 1) // COUNT * COUNT  # vectors lie within cache lines
    return window(memory, at, (3, blocks * COUNT)), as_lanes(window(memory, at, (3, blocks, COUNT)))
