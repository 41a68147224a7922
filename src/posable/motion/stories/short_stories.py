"""The short stories: snake, mace, tentacles, the leg whose goal has keys at frames 50 and 100, the telescope."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from posable.clips import Keys
from posable.figures import Figure, Shape, figure
from posable.goals import Custom, Goal, Orient, Pole, Reach, Torsion
from posable.motion.stories.story import UPRIGHT, Story, carried, gathered, thing
from posable.motion.tracking import chase, track
from posable.skeleton import Axis, Joint, Pose, Skeleton
from posable.solvers.methods import CyclicDescent, GradientDescent, Method, VirtualForce
from posable.spatial import Array, wxyz_about, wxyz_from_matrix, wxyz_multiply
from posable.spatial.curves import smoothstep

SNOUT = (0.0, 0.0, 0.079)
"""The point that should touch the cube, in the frame of the head."""

TOUCH = 0.035
"""Metres from the snout to the middle of the cube, whose edge is 6 cm, within which the snake has caught it."""

_FPS = 20.0
_HIGH = 0.6  # of the post that holds the tail
_PLACES = ((0.35, 0.5, 0.55), (0.45, 0.5, 0.35), (-0.1, 0.75, 0.2), (-0.5, 0.45, 0.3), (-0.25, 0.15, 0.6))


def snake() -> Story:
    """A snake, its tail held by a post, chases a small cube by virtual forces; once it has the cube, it goes on moving
    until it lies comfortably.

    Joints: snake/tail and so on, cube/cube, post/post.
    """
    body = figure("snake")
    places = np.array(_PLACES)
    time = np.minimum(np.linspace(0.0, 5.6, 141), 4.0)  # the cube stands still in the end
    step = np.minimum(time.astype(int), 3)
    share = time - step
    path = places[step] + smoothstep(share)[:, None] * (places[step + 1] - places[step])
    still = int(np.argmax(time == time[-1]))
    chases = _pursued(body.rest, path[:still], at_ease=False)
    rests = _pursued(Pose(body.skeleton, chases[-1]), path[still:], at_ease=True)
    cube = thing("cube", Shape("cube", "box", (0.06, 0.06, 0.06), color=(0.85, 0.2, 0.15)), kind="free")
    post = thing("post", Shape("post", "cylinder", (0.03, _HIGH), (0.0, _HIGH / 2, -0.72), UPRIGHT, (0.45, 0.40, 0.36)))
    lifted = np.array((0.0, _HIGH, 0.0))
    both, clip = gathered(
        {"snake": body, "cube": cube, "post": post},
        {"snake": np.concatenate([chases, rests]), "cube": carried(path + lifted)},
        _FPS,
        {"snake": (0.0, _HIGH, 0.0)},
    )
    return Story("snake", both, clip, (3.0, 1.7, 2.2), (0.0, 0.85, -0.1), 28.0)


def _pursued(start: Pose, path: Array, *, at_ease: bool) -> Array:
    """`[frame, coordinates]`: one step a frame towards the cube; at_ease: its elastic joints move to their
    equilibrium.
    """
    method = VirtualForce(sensitivity=0.15, settle=at_ease)
    return chase(start, [Reach("head", path, tip=SNOUT)], method, steps=1, tolerance=TOUCH, fps=_FPS).q


# The mace: a jewel, ten rings and a handle, dragged by a ring in the middle.


DRAGGED = "ring_6"
"""The ring that is dragged: the handle's side follows by inverse kinematics, the jewel's is carried along."""

_GOLD, _BLUE = (0.93, 0.74, 0.25), (0.15, 0.35, 0.75)
_STEEL, _RUBY = (0.55, 0.58, 0.62), (0.75, 0.10, 0.18)


def mace() -> Story:
    """A jewel, ten rings and a handle: the sixth ring is dragged round a loop, and takes the jewel along."""
    figure = mace_figure()
    turn = np.linspace(0.0, 2 * np.pi, 97)
    bend = np.stack([0.20 * np.sin(turn), 0.12 * (np.cos(turn) - 1) - 0.03, 0.12 * np.sin(2 * turn)], axis=-1)
    loop = figure.rest.origins[figure.skeleton.index(DRAGGED)] + bend
    clip = track(figure.rest, [Reach(DRAGGED, loop)], fps=24)
    return Story("mace", figure, clip, (2.1, 1.35, 3.4), (-0.35, 0.72, 0.0))


def mace_figure() -> Figure:
    """The handle stands in a socket; each of the ten rings rotates about two axes perpendicular to its neighbour.

    Joints: handle (fixed), ring_1 … ring_10 (universal), jewel (fixed). Metres, y up.
    """
    joints = [Joint("handle", "fixed", None)]
    shapes = [Shape("handle", "capsule", (0.035, 0.38), (0.0, 0.22, 0.0), UPRIGHT, _STEEL)]
    axes = tuple(Axis(direction, lower=-0.9, upper=0.9) for direction in ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0)))
    for k in range(1, 11):
        place = (0.0, 0.45 if k == 1 else 0.11, 0.0)
        name = f"ring_{k}"
        joints.append(Joint(name, "universal", joints[-1].name, place, axes=axes, rest=(0.03, 0.05)))
        color = _BLUE if name == DRAGGED else _GOLD
        shapes.append(Shape(name, "ellipsoid", (0.045, 0.062, 0.045), (0.0, 0.055, 0.0), color=color))
    joints.append(Joint("jewel", "fixed", "ring_10", (0.0, 0.18, 0.0)))
    return Figure(Skeleton(joints), "mace", shapes=(*shapes, Shape("jewel", "sphere", (0.10,), color=_RUBY)))


# The tentacles: one whose only goal is the position of its tip, and an organic one.


BALL, RADIUS = np.array((0.22, 0.66, 0.0)), 0.11
"""The middle of the ball that a tentacle curls round."""

_APART = 0.9
_NEXT = 4  # joints within this many of each other along the tentacle are neighbours, which may touch
_ROOM = 0.01


def tentacles() -> Story:
    """Two tentacles curl round two balls by gradient descent. The plain one goes through its ball; the organic one
    sums distance, rotation, torsion and a term of its own, and goes round it.

    Their joints are plain/segment_1 and so on, and organic/segment_1.
    """
    arm = figure("tentacle")
    touch, wxyz = _way_round(60)
    reaching: list[Goal] = [Reach("tip", touch, weight=3.0)]
    plain = chase(arm.rest, reaching, GradientDescent(0.15, 1e-5, adaptive=True), steps=8, tolerance=0.01)
    organic = chase(
        arm.rest,
        [
            *reaching,
            Orient("tip", wxyz, weight=0.3),
            Torsion(weight=0.5),
            Custom(partial(_crossing, radii=thickness())),
        ],
        GradientDescent(0.05, 1e-5, adaptive=True),
        steps=8,
        tolerance=0.01,
    )
    ball = thing("ball", Shape("ball", "sphere", (RADIUS,), color=(0.92, 0.72, 0.25)), place=tuple(BALL.tolist()))
    far = (_APART, 0.0, 0.0)
    both, clip = gathered(
        {"plain": arm, "organic": arm, "ball": ball, "other ball": ball},
        {"plain": plain.q, "organic": organic.q},
        15.0,
        {"organic": far, "other ball": far},
    )
    return Story("tentacles", both, clip, (0.9, 1.0, 4.0), (0.5, 0.55, 0.0), 26.0)


def thickness() -> Array:
    """`[joint]`: the tentacle's radius at its joints, with its suckers."""
    return np.interp(np.arange(26), (0, 4, 10, 18, 25), (0.098, 0.068, 0.058, 0.045, 0.026))


def clearances(middle: Array, radii: Array) -> tuple[Array, Array]:
    """(the distance of a tentacle from the ball `[...]`, and from itself `[...]`), below 0 where they intersect.

    middle: `[..., joint, 3]`, its joints, the ball being at `BALL`. radii: `[joint]`.
    """
    ball = np.linalg.norm(middle - BALL, axis=-1) - RADIUS - radii
    apart = np.linalg.norm(middle[..., :, None, :] - middle[..., None, :, :], axis=-1) - radii[:, None] - radii
    count = np.arange(len(radii))
    far = np.abs(np.subtract.outer(count, count)) > _NEXT
    return ball.min(axis=-1), apart[..., far].min(axis=-1)


def _crossing(pose: Pose, radii: Array) -> float:
    """The penetration depth of the tentacle with the ball and with itself."""
    return float(10.0 * sum(np.maximum(0.0, _ROOM - clear) for clear in clearances(pose.origins, radii)))


def _way_round(frames: int) -> tuple[Array, Array]:
    """`[frame, 3]` and `[frame, 4]`: round the ball along its surface, from its left over its top."""
    turn = np.radians(np.linspace(170, 25, frames))
    out = np.stack([np.cos(turn), np.sin(turn), 0 * turn], axis=-1)
    touch = BALL + (RADIUS + 0.03) * out
    half = (turn - np.pi) / 2
    return touch, np.stack([np.cos(half), 0 * turn, 0 * turn, np.sin(half)], axis=-1)


KEYS = {0: (0.0, 0.0, 0.0), 50: (0.02, 0.42, 0.34), 100: (-0.01, 0.20, -0.36), 130: (0.0, 0.0, 0.0)}
"""Frames, and the distances of the goal from the rest position of the ankle (metres)."""

PITCH = {0: 0.0, 50: -0.35, 100: 0.85, 130: 0.0}
"""The pitch of the goal at these frames, toes down, in radians."""

_LEG_FPS = 30.0


def leg() -> Story:
    """A leg follows a goal that has a key at frame 50, where the knee is up, and one at frame 100, where the heel is;
    the knee never bends backwards.
    """
    person = figure("mannequin")
    ankle = person.rest.world_from_joint[person.skeleton.index("foot_r")]
    mark = thing("goal", *_cross(), kind="free")
    turns = wxyz_about((1.0, 0.0, 0.0), np.array(list(PITCH.values())))
    keyed = np.concatenate([ankle[:3, 3] + np.array(list(KEYS.values())), turns], axis=1)
    goal = Keys(mark.skeleton, np.array(list(KEYS)) / _LEG_FPS, keyed, "cubic").clip(fps=_LEG_FPS)
    place = Reach("foot_r", goal.q[:, :3])
    turn = Orient("foot_r", wxyz_multiply(goal.q[:, 3:], wxyz_from_matrix(ankle[:3, :3])), priority=1)
    held = [name for name in person.skeleton.joints if name not in ("thigh_r", "shin_r", "foot_r")]
    knee = Pole("foot_r", towards=ankle[:3, 3] + (0.0, 0.5, 2.0))
    follows = track(_at_ease(person.rest), [place, turn, knee], _LEG_FPS, frozen=held)
    both, clip = gathered({"person": person, "goal": mark}, {"person": follows.q, "goal": goal.q}, _LEG_FPS)
    return Story("leg", both, clip, (-3.9, 1.2, 2.1), (-0.05, 0.9, 0.05), 29.0)


def _at_ease(pose: Pose) -> Pose:
    """Arms a little away from the sides and ahead, clear of the leg."""
    return pose.with_joint("forearm_r", 0.5).with_joint("forearm_l", 0.5)


def _cross() -> tuple[Shape, ...]:
    """Three bars across one another, as animation programs draw a goal."""
    sizes = np.full((3, 3), 0.012) + 0.19 * np.eye(3)
    return tuple(Shape("goal", "box", tuple(size), color=(0.85, 0.16, 0.14)) for size in sizes.tolist())


# The telescope: three cylinders pulled down into one another.


_TELESCOPE_FPS = 20.0


def telescope() -> Story:
    """Three telescopes pulled down: in order, the top one first; with ease, a little of both; shared by all joints.

    Their joints are order/middle, order/top, ease/middle and so on; the tip is pulled from 90 to 30 and let up again.
    """
    plain = figure("telescope")
    in_order = CyclicDescent(order="tip_first", help=False)
    ways: dict[str, tuple[Figure, Method | None]] = {
        "order": (plain, in_order),
        "ease": (_eased(plain, 10.0), in_order),
        "shared": (plain, None),
    }
    down = np.linspace(90.0, 30.0, 41)
    heights = np.concatenate([down, np.full(10, 30.0), down[::-1], np.full(5, 90.0)])
    targets = np.stack([0 * heights, heights, 0 * heights], axis=-1)
    goals = [Reach("tip", targets)]
    moves = {name: chase(one.rest, goals, method, steps=100).q for name, (one, method) in ways.items()}
    three, clip = gathered({name: one for name, (one, _) in ways.items()}, moves, _TELESCOPE_FPS, {
        "ease": (35.0, 0.0, 0.0), "shared": (70.0, 0.0, 0.0)
    })  # fmt: skip
    return Story("telescope", three, clip, (80.0, 95.0, 290.0), (35.0, 42.0, 0.0), 26.0)


def _eased(plain: Figure, ease: float) -> Figure:
    """The telescope whose slides resist more and more towards their ends."""
    joints = [replace(one, ease=ease) if one.kind == "slide" else one for one in plain.skeleton.definitions]
    return plain.on(Skeleton(joints, plain.skeleton.up))
