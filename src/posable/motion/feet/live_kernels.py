"""The numbers of live feet, compiled: a frame of them costs less than the calls that NumPy would take for one foot."""

from __future__ import annotations

import math

from posable.spatial.compile import inner_kernel, lean_kernel

BALL, REST, SCALE, LONGEST, STRETCHED, CONSTANTS = 0, 3, 4, 5, 6, 7
"""Columns of what does not change of a foot: its ball in its joint's frame (three), how high that is on the ground, its
unit, the lengths from hip to ankle and, with the heel lifted, from hip to ball.
"""

LOCK, OFFSET, LAST, MADE_UP, RISE, LOCKED, SEEN, STATES = 0, 3, 6, 9, 12, 13, 14, 15
"""Columns of what is remembered: where it is locked, how far from the animation its ball is, where the animation had
that in the last frame, how far the ankle goes aside (three each); how much higher than level its ground is; whether it
is locked, and whether there was a last frame.
"""

_MISSED = 1e-3  # m for a leg of 0.88 m: a ball so far off its place is brought nearer
_MADE_UP = 0.015  # m, likewise: more than this is no matter of an ankle
_STEEPEST = 1.2  # rad: how far a heel is lifted


@lean_kernel
def balls_of(frames, joints, feet, state, balls, at):
    """Where the balls are, and where the ground under them is to be looked up: at their locks if they are locked."""
    for n in range(joints.shape[0]):
        m = frames[joints[n]]
        for a in range(3):
            balls[n, a] = m[a, 3]
            for b in range(3):
                balls[n, a] += m[a, b] * feet[n, BALL + b]
        for a in range(3):
            at[n, a] = state[n, LOCK + a] if state[n, LOCKED] > 0 else balls[n, a]


@inner_kernel
def _distance(one, first, other, second):
    square = 0.0
    for a in range(3):
        square += (one[first + a] - other[second + a]) ** 2
    return math.sqrt(square)


@inner_kernel
def _step(foot, ball, own, lock, level, up, seconds, kept):
    """Lock a foot, let it go, or go on as before. own: its row of the state."""
    unit = foot[SCALE]
    speed = _distance(ball, 0, own, LAST) / (seconds * unit) if own[SEEN] > 0 else math.inf
    if own[LOCKED] > 0:
        if speed > lock[1] or _distance(ball, 0, own, LOCK) > lock[3] * unit:
            own[LOCKED] = 0.0
    elif speed < lock[0] and ball[up] - level - foot[REST] < lock[2] * unit:
        own[LOCKED] = 1.0
        for a in range(3):
            own[LOCK + a] = ball[a] + own[OFFSET + a]  # where it is seen, so that nothing jumps
    own[SEEN] = 1.0
    own[LOCK + up] += (1.0 - kept) * (level + foot[REST] - own[LOCK + up])
    for a in range(3):
        own[LAST + a] = ball[a]
        own[OFFSET + a] = own[LOCK + a] - ball[a] if own[LOCKED] > 0 else kept * own[OFFSET + a]


@inner_kernel
def _lift(arm, hip, longest, turn, target):
    """Turn a foot about its ball by the least that brings the ankle within `longest` of the hip, both told from there.

    In the plane of foot and hip the ankle runs on a circle: hip · (arm cos φ + side sin φ)
    = (|hip|² + |arm|² − l²) / 2. turn, target: 4 × 4, as it is and as it comes to be.
    """
    size = arm[0] ** 2 + arm[1] ** 2 + arm[2] ** 2
    far = hip[0] ** 2 + hip[1] ** 2 + hip[2] ** 2
    along = arm[0] * hip[0] + arm[1] * hip[1] + arm[2] * hip[2]
    if size == 0.0 or far - 2.0 * along + size <= longest * longest:
        return
    share = along / size
    side = hip[0] - arm[0] * share, hip[1] - arm[1] * share, hip[2] - arm[2] * share
    length = math.sqrt(side[0] ** 2 + side[1] ** 2 + side[2] ** 2)
    if length < 1e-9:
        return
    root = math.sqrt(size)
    b = root * length  # hip along the side, made as long as the arm
    top = math.atan2(b, along)
    reached = 0.5 * (far + size - longest * longest) / math.hypot(along, b)
    angle = min(top - math.acos(min(max(reached, -1.0), 1.0)), top, _STEEPEST)
    k = 1.0 / (root * length)
    x = k * (arm[1] * side[2] - arm[2] * side[1])
    y = k * (arm[2] * side[0] - arm[0] * side[2])
    z = k * (arm[0] * side[1] - arm[1] * side[0])
    s, v = math.sin(angle), 1.0 - math.cos(angle)
    rows = (
        (1 - v * (y * y + z * z), v * x * y - s * z, v * x * z + s * y),
        (v * x * y + s * z, 1 - v * (x * x + z * z), v * y * z - s * x),
        (v * x * z - s * y, v * y * z + s * x, 1 - v * (x * x + y * y)),
    )
    for a in range(3):
        row = rows[a]
        for c in range(3):
            target[a, c] = row[0] * turn[0, c] + row[1] * turn[1, c] + row[2] * turn[2, c]
        target[a, 3] += row[0] * arm[0] + row[1] * arm[1] + row[2] * arm[2] - arm[a]


@inner_kernel
def _room(foot, ball, place, m, h, up):
    """How much the pelvis at least goes up (below 0: down) for a leg to reach with its heel lifted."""
    across = 0.0
    for a in range(3):
        if a != up:
            across += (h[a, 3] - place[a] + ball[a] - m[a, 3]) ** 2
    high = h[up, 3] - place[up] + ball[up] - m[up, 3]
    return math.sqrt(max(foot[STRETCHED] ** 2 - across, 0.0)) - high


@inner_kernel
def _aim(foot, ball, place, own, m, h, up, drop, target):
    """Where a foot is to be: its ball at its place, its heel lifted where the leg is too short."""
    for a in range(3):
        for b in range(3):
            target[a, b] = m[a, b]
        target[a, 3] = place[a] + m[a, 3] - ball[a] + own[MADE_UP + a]
    arm = m[0, 3] - ball[0], m[1, 3] - ball[1], m[2, 3] - ball[2]
    hip = (
        h[0, 3] - place[0] + drop * (up == 0),
        h[1, 3] - place[1] + drop * (up == 1),
        h[2, 3] - place[2] + drop * (up == 2),
    )
    _lift(arm, hip, foot[LONGEST], m, target)


@lean_kernel
def place_feet(
    frames, joints, hips, feet, balls, ground, state, lock, level, up, seconds, kept, pelvis, places, targets
):
    """How much the pelvis goes up or down; `places [foot, 3]` where balls are to be, `targets [foot, 4, 4]` the feet.

    ground: `[foot]` its height, NaN where there is none. lock: speeds of locking and letting go, height, distance.
    pelvis: 0 with the lowest ground, 1 with the mean, 2 as it is.
    """
    count = joints.shape[0]
    least, mean = math.inf, 0.0
    for n in range(count):
        rise = 0.0 if math.isnan(ground[n]) else ground[n] - level
        state[n, RISE] = rise + kept * (state[n, RISE] - rise)
        _step(feet[n], balls[n], state[n], lock, level, up, seconds, kept)
        for a in range(3):
            places[n, a] = balls[n, a] + state[n, OFFSET + a]
        places[n, up] += state[n, RISE]
        least, mean = min(least, state[n, RISE]), mean + state[n, RISE] / count
    drop = least if pelvis == 0 else mean if pelvis == 1 else 0.0
    for n in range(count):
        drop = min(drop, _room(feet[n], balls[n], places[n], frames[joints[n]], frames[hips[n]], up))
    for n in range(count):
        m, h = frames[joints[n]], frames[hips[n]]
        _aim(feet[n], balls[n], places[n], state[n], m, h, up, drop, targets[n])
    return drop


@lean_kernel
def make_up(frames, joints, feet, places, state, targets, off):
    """Whether a ball is off its place because its ankle cannot turn as it should; its target is moved by as much, and
    what it comes to is remembered. off: `[foot, 3]`, becomes how far off.
    """
    again = False
    for n in range(joints.shape[0]):
        m, square = frames[joints[n]], 0.0
        for a in range(3):
            off[n, a] = places[n, a] - m[a, 3]
            for b in range(3):
                off[n, a] -= m[a, b] * feet[n, BALL + b]
            square += off[n, a] ** 2
        size = math.sqrt(square) / feet[n, SCALE]
        for a in range(3):
            state[n, MADE_UP + a] = state[n, MADE_UP + a] + off[n, a] if size < _MADE_UP else 0.0
        if _MISSED < size < _MADE_UP:
            again = True
            for a in range(3):
                targets[n, a, 3] += off[n, a]
    return again
