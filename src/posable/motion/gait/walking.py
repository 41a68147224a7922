"""A walk as a clip on the figure's own skeleton: footsteps, then the body over them; or the planar forms."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from posable.clips import Clip
from posable.errors import PosableError, check_kind
from posable.figures import Figure, Roles
from posable.figures.bind_stance import standing_as_bound
from posable.figures.surfaces import Stairs
from posable.motion.feet import Terrain
from posable.motion.gait.anatomy import Body, Leg, lowest_at_rest, measure
from posable.motion.gait.batch_rotations import about_x, rotate
from posable.motion.gait.footing import Ground, ground_of
from posable.motion.gait.from_recording import curve
from posable.motion.gait.gait import Gait, Pace, Style, leg_gravity
from posable.motion.gait.joint_coordinates import Coordinates
from posable.motion.gait.legs import ends_on_plan
from posable.motion.gait.plan import (
    Plan,
    Track,
    check_turn,
    checked_points,
    eased,
    make_plan,
    plan_turn,
    straight,
    through,
)
from posable.motion.gait.planar import QuadraticGait
from posable.motion.gait.stand_in import StandIn, sets_legs
from posable.motion.gait.upper_body import arm_rotations, arms_of
from posable.motion.gait.walker import Walker
from posable.skeleton import Axis, Joint, Skeleton
from posable.spatial import Array

_DOWN = -np.pi / 2
_PARTS = ("thigh", "knee", "ankle")
_SIDEWAYS = Axis((1.0, 0.0, 0.0))


def planar_rotations(
    body: Body, style: Style, plan: Plan, steps: int, frames: int
) -> tuple[dict[int, Array], dict[int, Array]]:
    """(rotations, positions) of the joints in the quadratic form: `steps` steps of `frames` frames, and one more frame.

    The right leg is in front at the start. The shin reaches from the knee to the sole, the foot from below the
    knee to the tip of the toes, so that the pinned toe is the figure's own.
    """
    _check_legs(body, "quadratic")
    leg = body.legs[0]
    knee = leg.points[1]
    lengths = {
        "thigh": _across(knee - leg.hip), "shin": knee[1] - leg.tip[1], "foot": leg.tip[2] - knee[2],
    }  # fmt: skip
    plain = QuadraticGait.of(style.gait, style.pace.step * body.length, **lengths)
    angles, _, hip = plain.frames(steps, frames)
    rotations: dict[int, Array] = {}
    for number, own in enumerate((1, 0)):
        one = body.legs[own]
        for joint, angle in zip(one.joints, _bent(one.points, angles[:, number]), strict=True):
            rotations[joint] = angle
    still = np.zeros(len(hip))
    rotations[body.mover] = about_x(still)
    middle = np.mean([leg.hip for leg in body.legs], axis=0)
    position = np.stack([still + middle[0], hip[:, 1] + leg.tip[1], hip[:, 0]], axis=-1)
    positions = {body.mover: position + body.rest_positions[body.mover] - middle}
    _add_arms(rotations, body, plan, plan.lands[1] + np.arange(len(hip)) / frames / 2)
    return rotations, positions


def curve_rotations(
    body: Body, style: Style, plan: Plan, steps: int, frames: int
) -> tuple[dict[int, Array], dict[int, Array]]:
    """As `planar_rotations`, with the legs' angles from harmonics of the stride; the left foot lands first.

    The body travels so that the lowest sole stands still.
    """
    _check_legs(body, "curves")
    phase = np.arange(steps * frames + 1) / frames / 2
    rotations = {body.mover: about_x(np.zeros(len(phase)))}
    soles = []
    for leg, late in zip(body.legs, (0.0, 0.5), strict=True):
        three = [np.radians(curve(getattr(style.gait, f"{part}_curve"), phase - late)) for part in _PARTS]
        thigh, shin, pitch = three[0], three[0] - three[1], three[0] - three[1] + three[2]
        rests = [np.arctan2(bone[2], -bone[1]) for bone in np.diff(leg.points, axis=0)]
        rotations |= {leg.joints[0]: about_x(rests[0] - thigh), leg.joints[1]: about_x(rests[1] - shin)}
        rotations[leg.foot] = about_x(-pitch)
        if leg.toes >= 0:
            rotations[leg.toes] = about_x(-np.maximum(pitch, 0.0))
        soles.append(_hanging(leg, [rotations[joint] for joint in (*leg.joints, leg.foot)]))
    positions = {body.mover: body.rest_positions[body.mover] + _carried(np.stack(soles), body.legs[0].hip)}
    _add_arms(rotations, body, plan, phase)
    return rotations, positions


def _hanging(leg: Leg, rotations: list[Array]) -> Array:
    """`[frame, 2, 3]` heel and ball of a sole relative to the hip."""
    thigh, shin, foot = rotations
    ankle = rotate(thigh, leg.points[1] - leg.hip) + rotate(shin, leg.ankle - leg.points[1])
    under = np.array([leg.ball[0], leg.tip[1], leg.ball[2]])
    return np.stack([ankle + rotate(foot, point - leg.ankle) for point in (leg.heel, under)], axis=1)


def _carried(soles: Array, hip: Array) -> Array:
    """`[frame, 3]` travel of the body with which the lowest of `soles [leg, frame, 2, 3]` stands still."""
    points = np.moveaxis(soles, 0, 1).reshape(soles.shape[1], -1, 3)
    lowest = np.argmin(points[..., 1], axis=1)
    rows = np.arange(len(points))
    ahead = points[rows[:-1], lowest[:-1], 2] - points[rows[1:], lowest[:-1], 2]
    travel = np.zeros((len(points), 3))
    travel[:, 1] = -points[rows, lowest, 1] - hip[1]
    travel[1:, 2] = np.cumsum(ahead)
    return travel


def _check_legs(body: Body, form: str) -> None:
    if not body.biped or any(len(leg.joints) != 2 for leg in body.legs):
        raise PosableError(f"the {form} form is for two legs of thigh and shin; use form = 'rich'")


def _add_arms(rotations: dict[int, Array], body: Body, plan: Plan, phase: Array) -> None:
    for arm in arms_of(body):
        rotations.update(arm_rotations(arm, plan, phase, about_x(np.zeros(len(phase)))))


def _across(vector: Array) -> float:
    """Length of a vector in the sagittal plane."""
    return float(np.hypot(vector[1], vector[2]))


def _bent(points: Array, angles: Array) -> list[Array]:
    """Rotations of thigh and shin, which rest at `points [hip, knee, ankle]`; the shin's direction is its sole's."""
    thigh = points[1] - points[0]
    rest = np.arctan2(thigh[1], thigh[2])
    return [about_x(-(angles[:, 0] - rest)), about_x(-(angles[:, 1] - _DOWN))]


def planar_walker(thigh: float = 0.45, shin: float = 0.43, foot: float = 0.15) -> Figure:
    """Build the figure of the planar form: hips and two legs of hinges, with feet at right angles to the shins.

    It faces +z with y up, and stands on its toes and on the ends of its shins.

    Args:
        thigh: Length of the thigh, in the figure's own unit.
        shin: Length of the shin.
        foot: Length of the foot.

    Returns:
        The figure.

    Example:
        >>> walker = posable.motion.planar_walker(thigh=0.5)
    """
    joints = [Joint("hips", "free", None, (0.0, thigh + shin, 0.0))]
    for side, x in (("l", 0.05), ("r", -0.05)):
        joints += [
            Joint(f"thigh_{side}", "hinge", "hips", (x, 0.0, 0.0), axes=(_SIDEWAYS,)),
            Joint(f"shin_{side}", "hinge", f"thigh_{side}", (0.0, -thigh, 0.0), axes=(_SIDEWAYS,)),
            Joint(f"foot_{side}", "fixed", f"shin_{side}", (0.0, -shin, 0.0), tips=((0.0, 0.0, foot),)),
        ]
    return Figure(Skeleton(joints), name="planar_walker")


_SLOWEST, _FASTEST = 0.1, 10_000  # frames per second

_STEPS, _MOST_STEPS = 6, 10_000
_HIGHEST, _ON_STAIRS = 0.25, 0.8  # leg lengths that a step may rise on stairs; factor of the cadence there


def walk(
    figure: Figure,
    gait: Gait | str | Path | None = None,
    steps: int | None = None,
    terrain: Terrain | None = None,
    path: ArrayLike | None = None,
    *,
    fps: float = 30.0,
    starts: bool = True,
    stops: bool = True,
    backwards: bool = False,
    turn: float | None = None,
    seed: int | None = None,
    roles: Roles | None = None,
) -> Clip:
    """Make a figure walk: a clip on its own skeleton, without sliding or sinking feet.

    A person's legs are set by the plan of the footsteps. Where hips are made of several hinges, as a robot's, the
    mannequin walks by that plan and the walk is retargeted.

    Args:
        figure: A figure with legs.
        gait: A Gait, or the name or file of one; None is the usual one of so many legs: "human", "wolf", "insect" or
            "spider".
        steps: Number of steps (a stride has two, for any number of legs); None is 6, or as many as the path needs.
        terrain: The ground; None is level, under the rest pose, or at zero for a robot, whose rest pose may hover.
        path: Points `[point, 2]` that the middle of the track leads through, in the world coordinates across the up
            axis (x and z if y is up, x and y if z is up); None is straight ahead.
        fps: Frames per second.
        starts: Begin from standing; with neither `starts` nor `stops`, the clip loops (whole strides for even `steps`).
        stops: End standing.
        backwards: Walk backwards.
        turn: Angle in degrees to turn in place, in steps of at most 35 degrees; positive is left. None walks.
        seed: Seed of the small random differences between steps (see `Gait.vary`); None is 0, or a loop of like steps.
        roles: Roles of the joints; None finds them.

    Returns:
        The clip.

    Raises:
        SkeletonError: For a figure that cannot walk.
        PosableError: For invalid steps, fps, `turn`, seed or path, and for `turn` combined with a path, `backwards`, a
            loop or another form of gait than "rich".

    Example:
        >>> clip = posable.walk(posable.figure("mannequin"), "proud", steps=4)
    """
    check_kind(figure, Figure, "what walks is a Figure", "posable.Figure(skeleton) makes one")
    gait = gait if gait is None or isinstance(gait, Gait) else Gait.load(gait)
    if not (isinstance(fps, int | float) and 0 < fps < np.inf):
        raise PosableError(f"fps must be above 0, not {fps!r}")
    if not _SLOWEST <= fps <= _FASTEST:
        raise PosableError(f"fps must be from {_SLOWEST:g} to {_FASTEST:,} for a walk, not {fps!r:.40}")
    steps = _checked(steps)
    how = {"starts": starts, "stops": stops, "backwards": backwards, "turn": turn, "seed": seed, "fps": fps}
    standing = standing_as_bound(figure)
    body = measure(standing, None if roles is None else roles.on(standing))
    gait = gait or usual_gait(len(body.legs))
    if sets_legs(body):
        clip = _walk(body, body, gait, steps, terrain, path, **how)
        clip = clip if terrain else _on_its_ground(standing, body, clip)
    else:
        person = StandIn.of(standing, body)
        clip = person.moved(_walk(person.body, person.where, gait, steps, terrain, path, **how), terrain)
    return clip if standing is figure else replace(clip, skeleton=figure.skeleton)


def _walk(
    body: Body, where: Body, gait: Gait, steps: int | None, terrain: Terrain | None, path: ArrayLike | None, *,
    starts: bool, stops: bool, backwards: bool, turn: float | None, seed: int | None, fps: float,
) -> Clip:  # fmt: skip
    """The clip of `body`, on the ground and at the pace of `where`: itself, or the figure it stands in for."""
    ground = ground_of(terrain, where)
    gait = _for_stairs(_for_legs(gait, body), terrain, where.length)
    if turn is not None:
        check_turn(turn, gait, path=path is not None, backwards=backwards, loop=not (starts and stops))
        plan = plan_turn(Style.of(gait), body.legs_scaled(), ground, np.radians(turn), steps)
    else:
        seed = _checked_seed(seed, loop=not (starts or stops))
        how = {"starts": starts, "stops": stops, "backwards": backwards, "seed": seed}
        plan = _plan_walk(body, where, Style.of(gait), ground, path, steps, **how)
    seconds = float(plan.style.pace.stride_time * np.sqrt(where.length / leg_gravity(where.length)))
    if gait.form != "rich":
        if terrain is not None or path is not None:
            raise PosableError(f"the {gait.form} form walks straight ahead on level ground; use form = 'rich'")
        play = planar_rotations if gait.form == "quadratic" else curve_rotations
        rotations, positions = play(body, plan.style, plan, steps or _STEPS, max(round(seconds / 2 * fps), 1))
        ankles = []
    else:
        phase = _phases(plan, seconds * fps, loop=not (starts or stops))
        rotations, positions, ankles = Walker.of(body, plan).frames(phase)
    q = Coordinates(body, len(positions[body.mover])).fill(rotations, positions)
    q = ends_on_plan(body, q, ankles)
    return Clip(body.skeleton, q[::-1] if backwards else q, fps, gait.name or "walk")


def usual_gait(legs: int) -> Gait:
    """The gait of a figure with so many legs."""
    return Gait.load({4: "wolf", 6: "insect", 8: "spider"}.get(legs, "human"))


_ON = 0.005  # of a leg: a robot whose soles at rest are nearer to zero stands there


def _on_its_ground(figure: Figure, body: Body, clip: Clip) -> Clip:
    """A robot's clip on the world's zero: files let robots begin some centimetres over it, with their legs bent."""
    up = body.to_body[1]
    alone = all(joint.floating or not joint.has_quaternion for joint in body.skeleton.definitions)
    rise = lowest_at_rest(figure, body)
    if not alone or not body.skeleton.definitions[body.mover].floating or abs(rise) < _ON * body.length:
        return clip
    parent = int(body.skeleton.parents[body.mover])
    down = -rise * up @ (np.eye(3) if parent < 0 else body.world_rest[parent, :3, :3])
    q = np.array(clip.q)
    first = int(body.skeleton.tables.first_coordinate[body.mover])
    q[:, first : first + 3] += down
    return replace(clip, q=q)


def _phases(plan: Plan, frames: float, *, loop: bool) -> Array:
    """The phases of the frames, `frames` per stride; a loop gets a whole number, evenly spaced."""
    whole = (plan.end - plan.start) * frames
    if loop:
        count = max(round(whole), 1)
        return plan.start + (plan.end - plan.start) * np.arange(count + 1) / count
    return plan.start + np.arange(int(np.ceil(whole)) + 1) / frames


def _for_legs(gait: Gait, body: Body) -> Gait:
    """The gait with as many rows of phases as the figure has pairs of legs."""
    rows = len(body.legs) // 2
    if len(gait.phases) == rows:
        return gait
    if len(gait.phases) > 1:
        raise PosableError(
            f"gait {gait.name!r} has phases for {len(gait.phases)} pairs of legs, the figure has {rows}; "
            "give one [left, right] for each pair, front legs first"
        )
    phases = tuple((row / rows / 2 + 0.0, row / rows / 2 + 0.5) for row in range(rows))
    return gait.with_(phases=phases)


def _for_stairs(gait: Gait, terrain: Terrain | None, length: float) -> Gait:
    """The gait with steps of whole treads, as many as are not too high, at a slower cadence."""
    if terrain is None or not isinstance(terrain.surface, Stairs):
        return gait
    pace, stairs = Pace.of(gait), terrain.surface
    most = max(int(_HIGHEST * length / max(abs(stairs.rise), 1e-9)), 1)
    treads = min(max(round(pace.step * length / stairs.run), 1), most)
    step = treads * stairs.run / length
    if step >= pace.step or gait.form != "rich":
        return gait
    stance = pace.stance if gait.stance is not None else None
    return replace(gait, step=step, speed=step * pace.cadence * _ON_STAIRS, cadence=None, stance=stance)


def _checked(steps: int | None) -> int | None:
    if steps is None:
        return None
    if not isinstance(steps, int | np.integer) or isinstance(steps, bool) or not 1 <= steps <= _MOST_STEPS:
        raise PosableError(f"steps must be a whole number from 1 to {_MOST_STEPS:,}, not {steps!r}")
    return int(steps)


def _checked_seed(seed: int | None, *, loop: bool) -> int | None:
    if seed is None:
        return None if loop else 0
    if not isinstance(seed, int | np.integer) or isinstance(seed, bool) or seed < 0:
        raise PosableError(f"seed must be a whole number from 0 on, not {seed!r}")
    return int(seed)


def _plan_walk(
    body: Body, where: Body, style: Style, ground: Ground, path: ArrayLike | None, steps: int | None, *,
    starts: bool, stops: bool, backwards: bool, seed: int | None,
) -> Plan:  # fmt: skip
    """The plan of a walk along its path, or straight ahead; without a number of steps it reaches the path's end."""
    track, legs, given = _track(where, path), body.legs_scaled(), path is not None
    fits_path = steps is None and given and not backwards
    if given or not backwards:
        step = style.pace.step
        walked = track.length if fits_path else max((steps or _STEPS) * step, track.length) + 2 * step
        track = eased(track, ground, step, walked)
    if steps is None:
        steps = max(_along(track, style, where.length) + (starts and stops), 2) if given else _STEPS
    if backwards:
        track = _reversed(track, style, steps, given)
    plan = make_plan(style, legs, track, ground, steps, starts=starts, stops=stops, seed=seed)
    if not fits_path:
        return plan
    style = style.scaled(track.length / float(plan.along(np.array(plan.end)) - plan.along(np.array(plan.start))))
    return make_plan(style, legs, track, ground, steps, starts=starts, stops=stops, seed=seed)


def _along(track: Track, style: Style, length: float) -> int:
    """Number of steps along the track. Raises PosableError if it exceeds the maximum."""
    steps = track.length / style.pace.step
    if steps > _MOST_STEPS:
        raise PosableError(
            f"the path is {track.length * length:,.0f} long, which takes {steps:,.0f} steps, and a walk has "
            f"{_MOST_STEPS:,} at most; give its points in the figure's unit"
        )
    return round(steps)


def _track(body: Body, path: ArrayLike | None) -> Track:
    """The track in leg lengths and the figure's own axes, from the ground under its pelvis."""
    if path is None:
        return straight()
    points = checked_points(path)
    plane = [0, 2] if body.skeleton.up == "y" else [0, 1]
    world = np.zeros((len(points), 3))
    world[:, plane] = points
    own = (world - body.origin) @ body.to_body.T / body.length
    return through(own[:, [0, 2]])


def _reversed(track: Track, style: Style, steps: int, given: bool) -> Track:
    """The reversed track: walked forward and played backward, the figure walks backward along it."""
    if given:
        pace = None if track.pace is None else track.pace[::-1].copy()
        back = track.along[-1] - track.along[::-1]
        return Track(back, track.positions[::-1].copy(), track.headings[::-1] + np.pi, pace=pace)
    position, _ = track.at(np.array(-style.pace.step * (steps - 0.5)))
    return straight(position, float(track.headings[0]))
