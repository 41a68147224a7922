"""Blend weights from joint motion: for every vertex the exact least squares with w ≥ 0, Σw = 1, few influences."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posable.compiled.decorators import inner_kernel, kernel, shared_kernel
from posable.skin.learning.sequence import Sequence
from posable.spatial import Array

Indices = NDArray[np.int64]
EXACT = 1e-7  # of the box diagonal: nothing is left to explain
_ENOUGH = 1e-6  # of the box diagonal: no joints are exchanged for less
_ROUNDS = 12  # influences taken in or exchanged, a vertex and call
_GAIN = 1e-6  # share of the squared error that an exchange must save
_FLAT = 1e-11  # squared distance, as a share of the largest, below which two joints' motions are the same


def share(
    sequence: Sequence,
    motion: Array,
    joints: Indices,
    weights: Array,
    tries: int,
    wide: int = 0,
    barred: Indices | None = None,
) -> Array:
    """Improve `joints`, `weights` `[vertex, influence]` in place; returns the squared error left `[vertex]`.

    motion: `[frame, joint, 4, 3]`. tries: how many joints that a vertex does not follow yet are tried in earnest; 0
    keeps its joints and weighs them anew. wide: how many joints a vertex may follow while its best few are looked for;
    more finds better ones and takes longer. barred: `[vertex]` a joint that each may not follow.
    """
    forms, mixed = gram_forms(sequence, motion)
    own = squared_errors(sequence, motion, mixed)
    if barred is not None:
        own[np.arange(len(own)), barred] = np.inf
    left = np.empty(len(weights))
    room = room_for(max(joints.shape[1], wide), motion.shape[1])
    enough = len(motion) * _ENOUGH**2
    share_all(sequence.points, forms, mixed, sequence.squares, own, tries, enough, room, joints, weights, left)
    return left


def gram_forms(sequence: Sequence, motion: Array) -> tuple[Array, Array]:
    """What makes every vertex's Gram matrix cheap, whatever the number of frames.

    Σ_f (T_i x)·(T_j x) is a quadratic form of x: its ten coefficients, `[joint, joint, 10]`. And Σ_f (T_j x)·p for each
    vertex with its frames p: `[vertex, joint]`.
    """
    frames, joints = motion.shape[:2]
    flat = motion.transpose(1, 2, 0, 3).reshape(4 * joints, 3 * frames)
    m = (flat @ flat.T).reshape(joints, 4, joints, 4).transpose(0, 2, 1, 3)
    m = m + m.swapaxes(2, 3)
    upper = np.triu_indices(4)
    forms = np.ascontiguousarray(m[..., upper[0], upper[1]] * np.where(upper[0] == upper[1], 0.5, 1.0))
    reached = (sequence.flat @ flat.T).reshape(-1, joints, 4)
    return forms, np.einsum("vjp,vp->vj", reached, sequence.points)


def squared_errors(sequence: Sequence, motion: Array, mixed: Array | None = None) -> Array:
    """`[vertex, joint]`: Σ_f |T_j x − p|², the error if the vertex followed that joint alone."""
    joints = motion.shape[1]
    flat = motion.transpose(1, 2, 0, 3).reshape(joints, 4, -1)
    if mixed is None:
        mixed = gram_forms(sequence, motion)[1]
    square = np.einsum("jpk,jqk->jpq", flat, flat).reshape(joints, 16)
    outer = np.einsum("vp,vq->vpq", sequence.points, sequence.points).reshape(-1, 16)
    return np.maximum(outer @ square.T - 2 * mixed + sequence.squares[:, None], 0.0)


class Room(NamedTuple):
    """Where one vertex's blend is worked out: `wide` + 1 members at most.

    member, slot, w: its joints, where their Gram rows stand, and their weights. rows: `[slot, joint]`. gain: `[joint]`.
    g: the Gram matrix of the members. trial, best, a, u: room for trials. kept, kept_w: the best blend so far.
    """

    member: Indices
    slot: Indices
    w: Array
    rows: Array
    gain: Array
    g: Array
    trial: Array
    best: Array
    a: Array
    u: Array
    kept: Indices
    kept_w: Array


def room_for(wide: int, joints: int) -> Room:
    """Room for blends of `wide` of so many joints."""
    size = wide + 1
    member, w = np.zeros(size, np.int64), np.zeros(size)
    square = np.zeros((size, size))
    return Room(
        member, np.arange(size), w, np.zeros((size, joints)), np.zeros(joints), square, w.copy(), w.copy(),
        square.copy(), w.copy(), member.copy(), w.copy(),
    )  # fmt: skip


def squared_blend_errors(sequence: Sequence, motion: Array, joints: Indices, weights: Array) -> Array:
    """`[vertex]`: Σ_f |Σ_k w_k T_k x − p|²."""
    total = np.zeros(len(weights))
    for one, frame in zip(motion, sequence.frames, strict=True):
        apart = -frame
        for k in range(joints.shape[1]):
            apart = apart + weights[:, k, None] * np.einsum("vp,vpc->vc", sequence.points, one[joints[:, k]])
        total += np.einsum("vc,vc->v", apart, apart)
    return total


@kernel
def share_all(points, forms, mixed, squares, own, tries, enough, room, joints, weights, left):
    """`share` for all vertices; `own [vertex, joint]` are the errors of following one joint alone."""
    most, wide = joints.shape[1], room.w.shape[0] - 1
    for v in range(points.shape[0]):
        x, mix = points[v], mixed[v]
        count = begin(joints[v], weights[v], own[v], room)
        for k in range(count):
            gram_row(forms, mix, squares[v], x, room.member[k], room.rows[room.slot[k]])
        small_gram(room, count)
        settle(room.g, count, room.w, room.a, room.u)
        error = value(room.g, count, room.w)
        if tries > 0 and error > enough:
            count, error = grow(forms, mix, squares[v], x, own[v], tries, most, room, count, error)
            kept = keep(room, count)
            if error > enough and wide > most:
                count, other = grow(forms, mix, squares[v], x, own[v], tries, wide, room, count, error)
                count, other = shrink(most, room, count)
                count, other = grow(forms, mix, squares[v], x, own[v], tries, most, room, count, other)
                if other < error:
                    error, kept = other, keep(room, count)
        else:
            kept = keep(room, count)
        left[v] = max(error, 0.0)
        for k in range(most):
            joints[v, k] = room.kept[k] if k < kept else room.kept[0]
            weights[v, k] = room.kept_w[k] if k < kept else 0.0


@inner_kernel
def begin(joints, weights, own, room):
    """The influences to begin with: those that the vertex has, else the joint that alone fits best; their number."""
    for k in range(room.slot.shape[0]):
        room.slot[k] = k
    count = 0
    for k in range(joints.shape[0]):
        if weights[k] > 0:
            room.member[count] = joints[k]
            room.w[count] = weights[k]
            count += 1
    if count == 0:
        room.member[0] = np.argmin(own)
        room.w[0] = 1.0
        count = 1
    return count


@inner_kernel
def keep(room, count):
    """Remember the members that weigh something; their number."""
    kept = 0
    for k in range(count):
        if room.w[k] > 0:
            room.kept[kept], room.kept_w[kept] = room.member[k], room.w[k]
            kept += 1
    return kept


@shared_kernel
def grow(forms, mix, square, x, own, tries, most, room, count, error):
    """Take joints in, and others out where more than `most` would be followed, while that helps: (count, error)."""
    for _ in range(_ROUNDS):
        count = without_idle(room, count)
        expected_gain(room, count, own, error)
        taken = False
        for _ in range(tries):
            j = np.argmax(room.gain)
            if room.gain[j] <= _GAIN * error + 1e-16:
                break
            room.gain[j] = 0.0
            small_gram(room, count)
            for k in range(count):
                room.g[k, count] = room.g[count, k] = room.rows[room.slot[k], j]
                room.trial[k] = room.w[k]
            room.g[count, count] = own[j]
            lean_towards(room.g, count, error, room.trial)
            found = exchange(room.g, count + 1, most, room.trial, room.best, room.a, room.u)
            if found < error * (1 - _GAIN) - 1e-16:
                error, taken = found, True
                room.member[count] = j
                gram_row(forms, mix, square, x, j, room.rows[room.slot[count]])
                count += 1
                for k in range(count):
                    room.w[k] = room.best[k]
                break
        if not taken:
            break
    return count, error


@inner_kernel
def shrink(most, room, count):
    """Let go of the member that is missed least until `most` are left: (count, error)."""
    count = without_idle(room, count)
    small_gram(room, count)
    error = value(room.g, count, room.w)
    while count > most:
        for k in range(count):
            room.trial[k] = room.w[k]
        error = exchange(room.g, count, count - 1, room.trial, room.w, room.a, room.u)
        count = without_idle(room, count)
        small_gram(room, count)
    return count, error


@inner_kernel
def gram_row(forms, mixed, square, x, i, row):
    """`row[j]` = Σ_f (T_i x − p)·(T_j x − p)."""
    for j in range(row.shape[0]):
        c = forms[i, j]
        total = x[0] * (c[0] * x[0] + c[1] * x[1] + c[2] * x[2] + c[3]) + x[1] * (c[4] * x[1] + c[5] * x[2] + c[6])
        row[j] = total + x[2] * (c[7] * x[2] + c[8]) + c[9] - mixed[i] - mixed[j] + square


@inner_kernel
def small_gram(room, count):
    """The members' own Gram matrix, from their rows."""
    for k in range(count):
        for n in range(count):
            room.g[k, n] = room.rows[room.slot[k], room.member[n]]


@inner_kernel
def value(g, count, w):
    """wᵀ g w: the squared error of a blend."""
    total = 0.0
    for k in range(count):
        for n in range(count):
            total += w[k] * w[n] * g[k, n]
    return total


@inner_kernel
def expected_gain(room, count, own, error):
    """`gain[j]`: what leaning from the present blend towards joint j alone would save, at best; 0 for none."""
    for j in range(own.shape[0]):
        meeting = 0.0
        for k in range(count):
            meeting += room.w[k] * room.rows[room.slot[k], j]
        slope, bend = error - meeting, own[j] - 2 * meeting + error
        room.gain[j] = slope * slope / bend if slope > 0 and bend > 1e-14 * own[j] else 0.0


@inner_kernel
def lean_towards(g, count, error, w):
    """Move the blend towards its new member, number `count`, as far as that helps."""
    meeting = 0.0
    for k in range(count):
        meeting += w[k] * g[k, count]
    bend = g[count, count] - 2 * meeting + error
    step = min(max((error - meeting) / bend, 1e-6), 1.0)
    for k in range(count):
        w[k] *= 1 - step
    w[count] = step


@shared_kernel
def exchange(g, count, most, w, best, a, u):
    """The best blend of at most `most` of `count` ≤ most + 1 members, from `w`, into `best`; its squared error."""
    settle(g, count, w, a, u)
    used = 0
    for k in range(count):
        used += w[k] > 0
    if used <= most:
        for k in range(count):
            best[k] = w[k]
        return value(g, count, w)
    least, dropped = np.inf, 0
    for out in range(count):
        without(w, count, out, best)
        settle(g, count, best, a, u)
        found = value(g, count, best)
        if found < least:
            least, dropped = found, out
    without(w, count, dropped, best)
    settle(g, count, best, a, u)
    return least


@inner_kernel
def without(w, count, out, left):
    """The weights of all members but `out`, summing to 1 again."""
    total = 0.0
    for k in range(count):
        left[k] = 0.0 if k == out else max(w[k], 1e-9)
        total += left[k]
    for k in range(count):
        left[k] /= total


@inner_kernel
def without_idle(room, count):
    """Members of weight 0 go, and their rows become free; the number of those that stay."""
    kept = 0
    for k in range(count):
        if room.w[k] > 0:
            room.member[kept], room.w[kept] = room.member[k], room.w[k]
            room.slot[kept], room.slot[k] = room.slot[k], room.slot[kept]
            kept += 1
    return kept


@shared_kernel
def settle(g, count, w, a, u):
    """Minimise wᵀ g w over w ≥ 0, Σw = 1, among the members whose weight is not 0: an active set, from `w`, in place.

    The heaviest member's weight is what the others leave over, so that n − 1 unknowns remain; a and u are room to work.
    """
    for _ in range(count):
        heavy = 0
        for k in range(1, count):
            if w[k] > w[heavy]:
                heavy = k
        solve_differences(g, count, w, heavy, a, u)
        step, out = 1.0, -1
        for k in range(count):
            if w[k] > 0 and u[k] <= 0:
                far = w[k] / (w[k] - u[k])
                if far < step or out < 0:
                    step, out = far, k
        for k in range(count):
            if w[k] > 0:
                w[k] += step * (u[k] - w[k])
        if out < 0:
            return
        w[out] = 0.0
        total = 0.0
        for k in range(count):
            w[k] = max(w[k], 0.0)
            total += w[k]
        for k in range(count):
            w[k] /= total


@inner_kernel
def solve_differences(g, count, w, heavy, a, u):
    """`u`: the best weights with Σu = 1, of either sign, of the members with w ≠ 0 (Cholesky, in place).

    A member that moves as others do keeps weight 0: its pivot vanishes.
    """
    largest = 0.0
    for k in range(count):
        if w[k] > 0 and k != heavy:
            largest = max(largest, g[k, k] - 2 * g[k, heavy] + g[heavy, heavy])
    rest = 1.0
    for k in range(count):
        u[k] = 0.0
        if w[k] <= 0 or k == heavy:
            a[k, k] = 0.0
            continue
        for n in range(k + 1):
            a[k, n] = g[k, n] - g[k, heavy] - g[n, heavy] + g[heavy, heavy]
        total = g[heavy, heavy] - g[k, heavy]
        for n in range(k):
            if a[n, n] > 0:
                for m in range(n):
                    a[k, n] -= a[k, m] * a[n, m]
                a[k, n] /= a[n, n]
                a[k, k] -= a[k, n] * a[k, n]
                total -= a[k, n] * u[n]
            else:
                a[k, n] = 0.0
        a[k, k] = np.sqrt(a[k, k]) if a[k, k] > _FLAT * largest else 0.0
        u[k] = total / a[k, k] if a[k, k] > 0 else 0.0
    for k in range(count - 1, -1, -1):
        if a[k, k] > 0:
            for n in range(k + 1, count):
                if a[n, n] > 0:
                    u[k] -= a[n, k] * u[n]
            u[k] /= a[k, k]
            rest -= u[k]
    u[heavy] = rest
