"""Natural: what the goals leave open is done as people do it."""

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
from posable.natural.body import ENDS, PARENTS, POINTS, SEGMENTS, SIDED, TURNS, Body, body_of
from posable.natural.habits import FLAT, Habits, HabitStarts, habits_of, learn
from posable.natural.network import Model, human, make_work
from posable.natural.start_kernel import (
    ALL,
    ARMS,
    ASKED_ARM,
    HIPS,
    IDLE_ARM,
    IDLE_LEG,
    NOTHING,
    TRUNK,
    USUAL,
    natural_starts,
)
from posable.natural.usual import strange_parts
from posable.skeleton import Pose, Skeleton
from posable.spatial import Array

ROOT = 20.0  # how much more than an arm the root resists being moved
REACHES = 0.35  # of the leg: how far from the end of a limb a goal's joint may be
UPRIGHT = 0.1  # what hips as the network proposes them count beside a flat foot
SLACK = 0.1  # of the leg: how far the chest may be from over the middle of the feet
LIFTED = 0.25  # of the leg: how far above the other one a foot bears nothing
_PARENTS = np.array(PARENTS)


@dataclass(frozen=True, eq=False)
class Natural(Goal):
    """What the other goals leave open is done as people do it: limbs first, the trunk where they cannot, knees and
    elbows as usual. For figures in which the parts of a person are found (`posable.roles`), and for any that has learnt
    from its own clips (`Natural.learn`).

    It costs the other goals nothing: they are met as without it. A small network learnt from recordings says what
    people do with the rest of the body where hands, feet, head, chest and hips are as the goals ask, and the solve
    starts from there; parts that people move little, resist more.

    Args:
        strength: 0 to 1: 0 is as without this goal.
        keep: Whether the rest of the body stays as it is in the start pose but for what the goals change. If None, it
            does, except that arms held out sideways in the rest pose come down, and that where the goals say where the
            hips are, only arms stay.
        model: What was learnt from recordings; None for what the figure has learnt, else for the model that comes
            with posable.

    Raises:
        GoalError: For a strength outside 0 … 1; in the solve, for a figure that has learnt nothing and in which no
            person is found.

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
            raise GoalError(f"Natural: model is what was learnt of a person, not {self.model!r}")

    @staticmethod
    def learn(figure: Figure, clips: Sequence[Clip] | None = None) -> Figure:
        """Learn from clips what a figure usually does, so that `Natural` knows it: a wolf, a hand, a robot.

        Up to 200 poses are kept with the joints (`Joint.habits`), and are saved with the figure as glTF, VRM or text.

        Args:
            figure: The figure.
            clips: Clips of its skeleton; None for its own.

        Returns:
            The figure, with what it has learnt in the place of what it knew.

        Raises:
            GoalError: If there are no clips, or one of another skeleton.

        Example:
            >>> wolf = posable.Natural.learn(figure, [clip])
            >>> pose = posable.solve(wolf.rest, [posable.Reach("head", (0.0, 0.9, 0.8)), posable.Natural()]).pose
        """
        return learn(figure, figure.clips if clips is None else clips)

    @property
    def learnt(self) -> Model:
        """Its model of a person."""
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
        """It asks for no numbers to be zero: `[..., 0]`."""
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
    """Where solves of one list of goals begin."""

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
        self.stands = _standing(self._body, skeleton, rows, free, implied, self.support is not None)
        self._known, self._local = _known(self._body, skeleton, rows, free, implied)
        self._limbs = _limbs(asked)

    def of(self, starts: Array, numbers: Array, strengths: Array | None = None, since: Array | None = None) -> Array:
        """`[problem, coordinates]` where to begin.

        Args:
            starts: `[problem, coordinates]` the poses that the solves were to start from.
            numbers: `[problem, number]` the targets, as the kernels read them.
            strengths: `[problem]` 0 … 1; None for the goal's own.
            since: `[problem, number]` the targets for which the starts were solved; None where that is not known.
        """
        out, work = np.empty_like(starts), getattr(self._memory, "work", None)
        if work is None:  # one for each thread
            work = self._memory.work = make_work(self._net, self._body, self._skeleton.dof, len(self._terms))
        if strengths is None:
            strengths = np.full(len(starts), float(self._goal.strength))
        natural_starts(
            self._skeleton.packed, self._body, self._net, _PARENTS, work, self._terms, self._known, self._local,
            self._limbs, numbers, numbers[:0] if since is None else since, self._free, self._keep, strengths, starts,
            out,
        )  # fmt: skip
        return out


def _body(skeleton: Skeleton) -> Body:
    body = body_of(skeleton)
    if body is None:
        raise GoalError(
            "Natural: this figure has no person's hips, head, arms and legs that posable could find, and has learnt "
            "nothing of its own; let it learn from clips (posable.Natural.learn), or leave Natural out"
        )
    return body


def _known(
    body: Body,
    skeleton: Skeleton,
    rows: Sequence[Row],
    free: NDArray[np.bool_],
    implied: Sequence[str],
) -> tuple[NDArray[np.int64], Array]:
    """(`[known, 6]`, `[known, 3]` local points and directions): what the goals say, what cannot move and what stands;
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


def _limbs(asked: set[str]) -> NDArray[np.int64]:
    """`[segment]` what each belongs to."""
    limbs = np.full(len(SEGMENTS), TRUNK)
    for side in "lr":
        arm = ASKED_ARM if asked & {f"hand_{side}", f"lower_arm_{side}"} else IDLE_ARM
        leg = TRUNK if asked & {f"foot_{side}", f"lower_leg_{side}", f"toes_{side}"} else IDLE_LEG
        for kind, parts in ((arm, SIDED[:4]), (leg, SIDED[4:])):
            limbs[[SEGMENTS.index(f"{part}_{side}") for part in parts]] = kind
    return limbs


def _slot(body: Body, skeleton: Skeleton, row: Row) -> int | None:
    """The point of the body that a goal says something of: its joint, or the end of the limb that carries it."""
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
    balanced: bool,
) -> list[Stands]:
    """What keeps feet where they stand that the goals could carry away: toes stay, heels lift before the hips tip.

    The hips are as the network proposes them, also where the feet are asked for and only balance moves them: else the
    whole body would lean like a plank.
    """
    leads = {j for row in rows for joint in row.bodies for j in skeleton.chain(joint)}
    moving = {j for j in leads if free[list(skeleton.freedom_range(j))].any()}
    joints = body.points.tolist()
    stands: list[Stands] = []
    for foot in feet:
        heel, toes = (joints[POINTS.index(f"{part}_{foot[-1]}")] for part in ("foot", "toes"))
        if moving.intersection(skeleton.chain(heel)):
            stands.append(Stands(skeleton.joints[heel], 1.0, FLAT, toes < 0, False))
            if toes >= 0:
                stands.append(Stands(skeleton.joints[toes], 1.0, 0.0, True, False))
    hips = joints[HIPS]
    if (stands or balanced) and not any(row.is_rotation and row.joint == hips for row in rows):
        stands.append(Stands(skeleton.joints[hips], 0.0, UPRIGHT, False, True))
    return stands


def _is_trunk_placed(body: Body, skeleton: Skeleton, rows: Sequence[Row]) -> bool:
    """Whether goals say where the chest or the head is, and so how far hips and legs go along."""
    slots = [_slot(body, skeleton, row) for row in rows if row.is_point]
    return any(slot is not None and POINTS[slot] in ("chest", "head") for slot in slots)


def _support(body: Body, skeleton: Skeleton, rows: Sequence[Row], free: NDArray[np.bool_]) -> Support | None:
    """The chest over the feet, where the root is free to go and no goal says where the trunk is."""
    told = {int(body.points[slot]): k for k, row in enumerate(rows) if (slot := _slot(body, skeleton, row)) is not None
            and row.is_point}  # fmt: skip
    joint = {point: int(body.points[slot]) for slot, point in enumerate(POINTS)}
    root, trunk = int(body.root[0]), {joint[point] for point in ("hips", "chest", "head")}
    if root < 0 or not free[list(skeleton.freedom_range(root))[:3]].all() or trunk & told.keys() or not rows:
        return None
    feet: list[Foot] = []
    for side in "lr":
        ankle, toes = joint[f"foot_{side}"], joint[f"toes_{side}"]
        feet.append(Foot(skeleton.joints[ankle], skeleton.joints[toes if toes >= 0 else ankle], told.get(ankle, -1)))
    leg = float(body.leg[0])
    return Support(skeleton.joints[joint["chest"]], tuple(feet), SLACK * leg, LIFTED * leg)


def _moves(skeleton: Skeleton, joint: int, free: NDArray[np.bool_]) -> bool:
    """Whether anything that may move carries it."""
    return any(free[list(skeleton.freedom_range(j))].any() for j in skeleton.chain(joint))


def natural_if_known(skeleton: Skeleton) -> list[Natural]:
    """[Natural()] for a figure that has learnt, or in which a person is found; nothing for others.

    Example:
        >>> goals = [posable.Reach("hand_r", (-0.4, 1.2, 0.3)), *posable.natural.natural_if_known(figure.skeleton)]
    """
    return [] if habits_of(skeleton) is None and body_of(skeleton) is None else [Natural()]
