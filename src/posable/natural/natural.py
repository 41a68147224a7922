"""Natural: the goal that fills the freedom left by the other goals as people do."""

from __future__ import annotations

import math
import threading
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posable.clips import Clip
from posable.errors import GoalError, is_number
from posable.figures import Figure
from posable.goals.goal import Goal
from posable.goals.rows import Row
from posable.goals.starts import Foot, ProposesStarts, Stands, Support
from posable.natural.arm_kernel import ASKED_ARM, IDLE_ARM, IDLE_LEG, TRUNK
from posable.natural.body import ENDS, PARENTS, POINTS, SEGMENTS, SIDED, TURNS, Body, body_of
from posable.natural.habits import FLAT, Habits, HabitStarts, habits_of, learn
from posable.natural.network import Model, human, make_work, strange_parts
from posable.natural.origin import hang_arms
from posable.natural.start_kernel import ALL, ARMS, HIPS, NOTHING, USUAL, natural_starts
from posable.natural.told_kernel import Work
from posable.skeleton import Cone, Pose, Skeleton
from posable.spatial import Array

ROOT = 20.0  # resistance of the root, relative to an arm's
REACHES = 0.35  # of the leg: largest distance of a goal's joint from the end of a limb
UPRIGHT = 0.1  # weight of the proposed rotation of the hips, relative to a flat foot
SWAYS = 0.006
"""Radians by which hips may differ from their proposed rotation: above straight legs, each degree of a pelvis that has
to be tilted exactly moves it aside by 8 cm."""
UPRIGHT_WITHIN = Cone((0.0, 1.0, 0.0), SWAYS, (-SWAYS, SWAYS))
SLACK = 0.1  # of the leg: tolerated horizontal distance of the chest from the middle of the feet
LIFTED = 0.25  # of the leg: height above the other foot from which a foot bears nothing
_PARENTS = np.array(PARENTS)


@dataclass(frozen=True, eq=False)
class Natural(Goal):
    """Fill the freedom that the other goals leave as people do: limbs move first, the trunk only where they do not
    suffice, knees and elbows bend as usual. For figures with the parts of a person (`posable.roles`), and for any
    figure that has learnt from its own clips (`Natural.learn`).

    The other goals are met as without it. A small network, trained on recordings, predicts the whole body from the
    targets of hands, feet, head, chest and hips, and the solve starts from that pose; joints that people move little
    resist more.

    Args:
        strength: 0 to 1; 0 switches the goal off.
        keep: Whether the rest of the body keeps the start pose, except for what the goals change. None: the same, but
            arms that the rest pose holds out sideways are lowered, and only the arms are kept if a goal sets the hips.
        model: A model learnt from recordings; None for the figure's own habits, or else the built-in model.

    Raises:
        GoalError: For a strength outside 0 … 1; in the solve, for a figure without habits and without the parts of a
            person.

    Example:
        >>> goals = [posable.Reach("hand_r", (-0.3, 1.2, 0.4)), posable.Natural()]
        >>> solution = posable.solve(figure.rest, goals)
    """

    strength: float = 1.0
    keep: bool | None = None
    model: Model | None = None

    joint = ""
    WEIGHTS = ("strength",)

    def __post_init__(self) -> None:
        if not (is_number(self.strength) and 0 <= self.strength <= 1):
            raise GoalError(f"Natural: strength is a number from 0 to 1, not {self.strength!r}")
        if not isinstance(self.keep, bool | None):
            raise GoalError(f"Natural: keep is True, False or None, not {self.keep!r}")
        if not isinstance(self.model, Model | None):
            raise GoalError(f"Natural: model is a learnt Model, not {self.model!r}")

    @staticmethod
    def learn(figure: Figure, clips: Sequence[Clip] | None = None) -> Figure:
        """Learn the habits of a figure from clips, so that `Natural` works for it: a wolf, a hand, a robot.

        Up to 200 poses are stored with the joints (`Joint.habits`) and saved with the figure as glTF, VRM or text.

        Args:
            figure: The figure.
            clips: Clips of its skeleton; None for its own.

        Returns:
            The figure with its new habits, which replace older ones.

        Raises:
            GoalError: Without clips, or for a clip of another skeleton.

        Example:
            >>> wolf = posable.Natural.learn(figure, [clip])
            >>> pose = posable.solve(wolf.rest, [posable.Reach("head", (0.0, 0.9, 0.8)), posable.Natural()]).pose
        """
        return learn(figure, figure.clips if clips is None else clips)

    @property
    def learnt(self) -> Model:
        """The model of people's poses in use."""
        return self.model or human()

    def _habits(self, skeleton: Skeleton) -> Habits | None:
        return habits_of(skeleton) if self.model is None else None

    def structure(self) -> Hashable:
        return Natural, self.strength, self.keep, self.model

    def resistances(self, skeleton: Skeleton) -> Array:
        if habits := self._habits(skeleton):
            return habits.resistances(ROOT) ** self.strength
        body, net = _body(skeleton), self.learnt.network
        least = float(net.spread.max())
        resists = np.full(skeleton.dof, np.nan)
        for joint, (lower, upper) in enumerate(body.turned_by.tolist()):
            segment = upper if body.share[joint] > 0 else lower
            if segment >= 0:
                more = (least / float(net.spread[segment])) ** 2
                resists[list(skeleton.freedom_range(joint))] = more**self.strength
        if body.root[0] >= 0:
            resists[list(skeleton.freedom_range(int(body.root[0])))] = ROOT**self.strength
        return resists

    def residual(self, pose: Pose) -> Array:
        """`[..., 0]`: the goal has no residual of its own."""
        return np.zeros((*pose.shape, 0))

    def jacobian(self, pose: Pose) -> Array:
        """`[..., 0, dof]`."""
        return np.zeros((*pose.shape, 0, pose.skeleton.dof))

    def counts(self, skeleton: Skeleton) -> tuple[bool, bool]:
        del skeleton
        return self.strength > 0, self.strength > 0

    def remarks(self, pose: Pose) -> tuple[str, ...]:
        strange = strange_parts(pose, self.model)
        return (f"unusual: {', '.join(strange)}",) if strange and self.strength > 0 else ()

    def starts(
        self, skeleton: Skeleton, rows: Sequence[Row], terms: NDArray[np.int64], free: NDArray[np.bool_]
    ) -> ProposesStarts:
        if habits := self._habits(skeleton):
            return HabitStarts(habits, self.strength, self.keep, rows, terms, free)
        return NaturalStarts(self, skeleton, rows, terms, free)


class NaturalStarts:
    """Start poses for one list of goals."""

    def __init__(
        self,
        goal: Natural,
        skeleton: Skeleton,
        rows: Sequence[Row],
        terms: NDArray[np.int64],
        free: NDArray[np.bool_],
    ) -> None:
        self._goal, self._skeleton, self._terms, self._free = goal, skeleton, terms, free
        self._body, self._net = _body(skeleton), goal.learnt.network
        self._memory = threading.local()
        asked = {POINTS[slot] for row in rows if (slot := _slot(self._body, skeleton, row)) is not None}
        at_rest = ARMS if "hips" in asked or _is_trunk_placed(self._body, skeleton, rows) else USUAL
        self._keep = {True: (ALL, ALL), None: (at_rest, ALL), False: (NOTHING, NOTHING)}[goal.keep]
        posed = "hips" in asked and bool(asked & {"head", "chest"})  # by goals for all of the trunk
        feet = [] if goal.keep is False or posed else ["foot_l", "foot_r"]  # they stand
        implied = [foot for foot in feet if foot not in asked]
        self.support = None if goal.keep is False else _support(self._body, skeleton, rows, free)
        upright = self.support is not None or (bool(feet) and "hips" in asked)
        self.stands = _standing(self._body, skeleton, rows, free, implied, upright)
        self._known, self._local = _known(self._body, skeleton, rows, free, implied)
        self._limbs = _limbs(asked)
        self._arms = _of_arms(self._body, skeleton, free, "lr")
        hang = [side for side in "lr" if self._limbs[SEGMENTS.index(f"upper_arm_{side}")] == IDLE_ARM]
        self.idle = _of_arms(self._body, skeleton, free, hang)
        self._angles = np.logical_not(skeleton.slides).astype(float)

    def begun(
        self,
        starts: Array,
        numbers: Array,
        strengths: Array | None = None,
        since: Array | None = None,
        origin: tuple[Array, Array] | None = None,
    ) -> Array:
        """`[problem, coordinates]`: the poses to start from, see `ProposesStarts`."""
        return self._starts(starts, numbers, strengths, since, origin, self._arms)

    def hung(self, begun: Array, pose: Array) -> Array:
        """`[coordinates]`: a later pose of a step, with free arms hanging as in its first pose."""
        hung = pose.copy()
        hang_arms(self._skeleton.packed, self._body, self._work(), self._limbs, self._free, begun, hung)
        return hung

    def proposed(self, starts: Array, numbers: Array) -> Array:
        """The start poses before the arms reach for their targets on their own."""
        return self._starts(starts, numbers, None, None, None, self._arms[:0])

    def _starts(
        self,
        starts: Array,
        numbers: Array,
        strengths: Array | None,
        since: Array | None,
        origin: tuple[Array, Array] | None,
        arms: NDArray[np.bool_],
    ) -> Array:
        count = len(starts)
        out = np.empty((count + (origin is not None), starts.shape[1]))
        begun, first = (starts.reshape(-1)[:0], numbers.reshape(-1)[:0]) if origin is None else origin
        natural_starts(
            self._skeleton.packed, self._body, self._net, _PARENTS, self._work(), self._terms, self._known, self._local,
            self._limbs, numbers, numbers[:0] if since is None else since, self._free, self._keep,
            self._strengths(strengths, count), starts, begun, first, self._angles, arms, out,
        )  # fmt: skip
        return out[:count]

    def _work(self) -> Work:
        """The workspace of this thread."""
        work = getattr(self._memory, "work", None)
        if work is None:
            work = self._memory.work = make_work(self._net, self._body, self._skeleton.dof, len(self._terms))
        return work

    def _strengths(self, given: Array | None, count: int) -> Array:
        return np.full(count, float(self._goal.strength)) if given is None else given


def _body(skeleton: Skeleton) -> Body:
    body = body_of(skeleton)
    if body is None:
        raise GoalError(
            "Natural: posable found neither the hips, arms and legs of a person in this figure, nor "
            "habits of its own; learn them from clips (posable.Natural.learn), or leave Natural out"
        )
    return body


def _known(
    body: Body,
    skeleton: Skeleton,
    rows: Sequence[Row],
    free: NDArray[np.bool_],
    implied: Sequence[str],
) -> tuple[NDArray[np.int64], Array]:
    """(`[known, 6]`, `[known, 3]` local points and directions): targets of goals, fixed joints and standing feet;
    rotations first.
    """
    found: dict[tuple[int, bool], tuple[list[int], tuple[float, ...]]] = {}
    for term, row in enumerate(rows):
        slot = _slot(body, skeleton, row)
        turns = row.is_rotation or row.is_gaze
        if slot is None or (turns and slot >= len(TURNS)):
            continue
        local = (0.0, 0.0, 0.0) if row.is_rotation else row.constants[:3]
        numbers = [slot, row.joint, term, int(row.is_point), int(row.is_rotation), int(row.is_gaze)]
        if row.joint == int(body.points[slot]) or (slot, turns) not in found:
            found[slot, turns] = numbers, local
    for slot, joint in enumerate(body.points.tolist()):
        stands = POINTS[slot] in implied
        if joint >= 0 and (stands or not _moves(skeleton, joint, free)):
            for turns in (True, False)[slot >= len(TURNS) :]:
                found[slot, turns] = [slot, joint, -1, int(not turns), int(turns), 0], (0.0, 0.0, 0.0)
    ordered = sorted(found.items(), key=lambda one: not one[0][1])
    known = np.array([numbers for _, (numbers, _) in ordered], np.int64).reshape(-1, 6)
    return known, np.array([local for _, (_, local) in ordered], float).reshape(-1, 3)


def _of_arms(body: Body, skeleton: Skeleton, free: NDArray[np.bool_], sides: Sequence[str]) -> NDArray[np.bool_]:
    """`[dof]` which degrees of freedom rotate upper arms and forearms of these sides."""
    arms = [SEGMENTS.index(f"{part}_arm_{side}") for part in ("upper", "lower") for side in sides]
    own = np.zeros(skeleton.dof, bool)
    for joint in np.flatnonzero(np.isin(body.turned_by[:, 0], arms)):
        own[list(skeleton.freedom_range(int(joint)))] = True
    return own & free


def _limbs(asked: set[str]) -> NDArray[np.int64]:
    """`[segment]` the kind of body part that each belongs to."""
    limbs = np.full(len(SEGMENTS), TRUNK)
    for side in "lr":
        arm = ASKED_ARM if asked & {f"hand_{side}", f"lower_arm_{side}"} else IDLE_ARM
        leg = TRUNK if asked & {f"foot_{side}", f"lower_leg_{side}", f"toes_{side}"} else IDLE_LEG
        for kind, parts in ((arm, SIDED[:4]), (leg, SIDED[4:])):
            limbs[[SEGMENTS.index(f"{part}_{side}") for part in parts]] = kind
    return limbs


def _slot(body: Body, skeleton: Skeleton, row: Row) -> int | None:
    """The body point that a goal determines: its joint, or the end of the limb above it."""
    if not ((row.is_plain or row.is_gaze) and row.weight > 0):
        return None
    points = body.points.tolist()
    for joint in reversed(skeleton.chain(row.joint)):
        if joint in points:
            slot = points.index(joint)
            away = math.dist(_at_rest(skeleton, joint), _at_rest(skeleton, row.joint))
            return slot if joint == row.joint or (POINTS[slot] in ENDS and away < REACHES * body.leg[0]) else None
    return None


def _at_rest(skeleton: Skeleton, joint: int) -> Array:
    return skeleton.parts.body.positions[joint]


def _standing(
    body: Body,
    skeleton: Skeleton,
    rows: Sequence[Row],
    free: NDArray[np.bool_],
    feet: Sequence[str],
    upright: bool,
) -> list[Stands]:
    """Goals that keep standing feet in position if other goals could move them: toes stay, heels lift before the hips
    tip.

    The hips are rotated as the network proposes, also if the feet have goals (`upright`) and only balance or a goal of
    the hips moves them: otherwise the whole body would lean like a plank, or tip over as the hips go down.
    """
    _, moving = led_by(skeleton, rows, free)
    joints = body.points.tolist()
    stands: list[Stands] = []
    for foot in feet:
        heel, toes = (joints[POINTS.index(f"{part}_{foot[-1]}")] for part in ("foot", "toes"))
        if moving.intersection(skeleton.chain(heel)):
            stands.append(Stands(skeleton.joints[heel], 1.0, FLAT, toes < 0, False))
            if toes >= 0:
                stands.append(Stands(skeleton.joints[toes], 1.0, 0.0, True, False))
    hips = joints[HIPS]
    if (stands or upright) and not any(row.is_rotation and row.joint == hips for row in rows):
        stands.append(Stands(skeleton.joints[hips], 0.0, UPRIGHT, False, True, UPRIGHT_WITHIN))
    return stands


def led_by(skeleton: Skeleton, rows: Sequence[Row], free: NDArray[np.bool_]) -> tuple[frozenset[int], frozenset[int]]:
    """(the joints of all chains to the effectors, those of them that may move by `free [dof]`)."""
    chains = frozenset(j for row in rows for joint in row.bodies for j in skeleton.chain(joint))
    return chains, frozenset(j for j in chains if free[list(skeleton.freedom_range(j))].any())


def _is_trunk_placed(body: Body, skeleton: Skeleton, rows: Sequence[Row]) -> bool:
    """Whether goals set the position of chest or head, and thereby how far hips and legs move along."""
    slots = [_slot(body, skeleton, row) for row in rows if row.is_point]
    return any(slot is not None and POINTS[slot] in ("chest", "head") for slot in slots)


def _support(body: Body, skeleton: Skeleton, rows: Sequence[Row], free: NDArray[np.bool_]) -> Support | None:
    """The chest over the feet, if the root may travel and no goal sets the position of the trunk."""
    given = {int(body.points[slot]): k for k, row in enumerate(rows) if (slot := _slot(body, skeleton, row)) is not None
            and row.is_point}  # fmt: skip
    joint = {point: int(body.points[slot]) for slot, point in enumerate(POINTS)}
    root, trunk = int(body.root[0]), {joint[point] for point in ("hips", "chest", "head")}
    if root < 0 or not free[list(skeleton.freedom_range(root))[:3]].all() or trunk & given.keys() or not rows:
        return None
    feet: list[Foot] = []
    for side in "lr":
        ankle, toes = joint[f"foot_{side}"], joint[f"toes_{side}"]
        feet.append(Foot(skeleton.joints[ankle], skeleton.joints[toes if toes >= 0 else ankle], given.get(ankle, -1)))
    leg = float(body.leg[0])
    return Support(skeleton.joints[joint["chest"]], tuple(feet), SLACK * leg, LIFTED * leg)


def _moves(skeleton: Skeleton, joint: int, free: NDArray[np.bool_]) -> bool:
    """Whether the joint or any of its parents may move."""
    return any(free[list(skeleton.freedom_range(j))].any() for j in skeleton.chain(joint))


def natural_if_known(skeleton: Skeleton) -> list[Natural]:
    """[Natural()] for a figure with habits or with the parts of a person; [] for others.

    Example:
        >>> goals = [posable.Reach("hand_r", (-0.4, 1.2, 0.3)), *posable.natural.natural_if_known(figure.skeleton)]
    """
    return [] if habits_of(skeleton) is None and body_of(skeleton) is None else [Natural()]
