"""Retargeting: a clip of one figure transferred to another figure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from posable.clips import Clip
from posable.clips.root_motion import is_planar, why_it_stays
from posable.errors import GoalError, PosableError, check_kind, is_number
from posable.figures import Figure, Roles
from posable.figures import roles as find_roles
from posable.figures.bind_stance import stance_as_bound, standing_as_bound
from posable.figures.stance import stance_fault
from posable.figures.wheels import wheels_on_legs
from posable.motion.feet.contact_detection import Contacts, contacts
from posable.motion.feet.sole_shapes import Sole, soles
from posable.motion.transfer import copying
from posable.motion.transfer.collision_pairs import bodies
from posable.motion.transfer.copying import hips_travel, largest_rotation, posed, shifted, travelling_joint
from posable.motion.transfer.half_bodies import carried_over, half_body, has_arms, lacks_legs
from posable.motion.transfer.hands_feet import (
    Foot,
    feet_of,
    hand_goals,
    limb_ends,
    moving_joints,
    over_ground,
    pelvis_shift,
)
from posable.motion.transfer.limb_joints import Limbs, WeightedGoals
from posable.motion.transfer.limb_solves import solved_arms, solved_fingers, solved_legs, unhurried
from posable.motion.transfer.measured import ARM, FINGERS, LEG, Body, believable, ground_of
from posable.motion.transfer.over_the_feet import Support
from posable.motion.transfer.rolling import Rolling, rolling_feet
from posable.motion.transfer.self_collision import Apart
from posable.motion.transfer.target_rotations import foot_leans, target_rotations_of
from posable.motion.transfer.whole_lean import leaned
from posable.motion.whole_clip import ClipSolution, Inequalities
from posable.progress import part_of_work, tell_progress
from posable.skeleton import Skeleton, joints_below
from posable.spatial import Array

_QUICKER, _SLOWEST = 1.5, 0.01  # a hinge moves at most this many times the source's largest step; rad, at least this
_LEAP = 2.5  # times the source's largest rotation per frame: collision avoidance must not cause more
_CLIPS, _MOVED = "the clip's figure", "the figure to move"
_COPIED, _LEGS = 0.1, 0.85  # of the time, about: when rotations are copied, and when legs are solved
_SHORTEST = 0.01  # reaches: least length of a thigh or a shin


@dataclass(frozen=True, eq=False)
class Retargeting:
    """Result of a retargeting, with its stages.

    Args:
        clip: The retargeted clip.
        copy: The clip after the first stage, in which rotations are copied.
        solution: The whole-clip solve, with its cost before and after.
        contacts: Contacts of the source.
        feet: Feet of the target, with their planted contacts.
        floor: Height of the target's ground.
        source: Proportions of the source.
        target: Proportions of the target.
        support: Support polygon per frame; None for a figure without masses or without planted feet.
        proposed: Joints of arms and head that the source lacks, which move as people move theirs.
        note: The parts that do not move, where one of the figures has no legs; else "".

    Example:
        >>> g1 = posable.load(posable.sample("g1.urdf")).with_root("free")
        >>> stages = posable.motion.retargeting(clip, g1)
        >>> len(stages.clip) == len(clip)
        True
    """

    clip: Clip
    copy: Clip
    solution: ClipSolution
    contacts: Contacts
    feet: tuple[Foot, ...]
    floor: float
    source: Body
    target: Body
    support: Support | None = None
    proposed: tuple[str, ...] = ()
    note: str = ""

    @property
    def balanced(self) -> float:
        """The share of the frames with a foot on the ground in which the centre of mass is over the support polygon.

        Up to 5 mm outside counts, for a leg of 0.88 m. NaN without masses, or where no foot is planted.
        """
        return float("nan") if self.support is None else self.support.share(self.clip.poses)


def retarget(
    clip: Clip,
    to: Figure | Skeleton,
    *,
    roles: Roles | None = None,
    clip_roles: Roles | None = None,
    plant: bool = False,
    balance: float = 0.0,
    natural: bool = True,
) -> Clip:
    """Transfer a motion to another figure: people of other proportions, names, axes and units; robots.

    Rotations are copied between matched rest poses (a T-pose and an A-pose match), and the travel is scaled by the
    length of the legs. Then the whole clip is solved at once: hands and feet keep the source's positions scaled to the
    target, feet are planted where the source's are, limits hold, bodies (skin, shapes or capsules of `to`) do not
    penetrate deeper than the copied rotations make them, and the motion stays smooth. Arms and a head that the source
    lacks move as people move theirs; toes and fingers stay at rest. Where one of the two has arms but no legs, trunk,
    arms and head are transferred, and the figure stays where it stands. On its own skeleton a clip stays unchanged; if
    the legs differ in size alone, the paths of the feet are only scaled.

    Args:
        clip: The source motion.
        to: The target; it needs a free joint above the hips (`figure.with_root("free")` for robots).
        roles: Roles of `to`; None finds them.
        clip_roles: Roles of the clip's skeleton; None finds them.
        plant: Plant feet that slide in the source even on the same legs.
        balance: Weight of balance, which keeps the centre of mass inside the support polygon, as a slow robot needs: 0
            is off, 1 strong, so that the hips sway from foot to foot.
        natural: Whether arms and a head that the source lacks move as people move theirs; else they stay at rest.

    Returns:
        The clip on the skeleton of `to`.

    Raises:
        PosableError: For a figure without two legs or that cannot travel, or roles of another skeleton.
        GoalError: For a balance below 0, or of a figure without masses.

    Example:
        >>> walk = posable.load(posable.sample("walk.bvh")).clips[0]
        >>> clip = posable.retarget(walk, figure)
    """
    check_kind(clip, Clip, "what is retargeted is a Clip", "a file's are posable.load(path).clips")
    check_kind(to, (Figure, Skeleton), "a motion is retargeted to a Figure", "posable.load opens a file")
    skeleton = to.skeleton if isinstance(to, Figure) else to
    if skeleton == clip.skeleton and roles is None and clip_roles is None and not plant and not balance:
        return replace(clip, skeleton=skeleton)
    how = {"plant": plant, "balance": balance, "natural": natural}
    return retargeting(clip, to, roles=roles, clip_roles=clip_roles, **how).clip


def retargeting(
    clip: Clip,
    to: Figure | Skeleton,
    *,
    roles: Roles | None = None,
    clip_roles: Roles | None = None,
    plant: bool = False,
    balance: float = 0.0,
    natural: bool = True,
) -> Retargeting:
    """Retarget as `retarget` does, with the stages, contacts and costs.

    Args:
        clip: The source motion.
        to: The target.
        roles: Roles of `to`; None finds them.
        clip_roles: Roles of the clip's skeleton; None finds them.
        plant: Plant feet that slide in the source even on the same legs.
        balance: Weight of balance, 0 is off, 1 strong.
        natural: Whether arms and a head that the source lacks move as people move theirs.

    Returns:
        The result with its stages.

    Raises:
        PosableError: As `retarget`.
        GoalError: As `retarget`.

    Example:
        >>> robot = posable.load(posable.sample("g1.urdf"), root="free")
        >>> result = posable.motion.retargeting(clip, to=robot)
        >>> result.clip.skeleton == robot.skeleton
        True
    """
    stance = stance_as_bound(clip.skeleton)
    clip = clip if stance is clip.skeleton else replace(clip, skeleton=stance)
    standing = standing_as_bound(to) if isinstance(to, Figure) else stance_as_bound(to)
    own, theirs = (table and table.on(stands) for table, stands in ((roles, standing), (clip_roles, stance)))
    found = _retargeted(clip, standing, own, theirs, plant=plant, balance=balance, natural=natural)
    return found if standing is to else _on(found, to)


def _retargeted(
    clip: Clip, to: Figure | Skeleton, roles: Roles | None, clip_roles: Roles | None, *, plant: bool, balance: float,
    natural: bool,
) -> Retargeting:  # fmt: skip
    """As `retargeting`, of a figure that stands at rest."""
    if half := _half_body(clip, to, clip_roles or _known_roles(clip.skeleton), roles or _known_roles(to), balance):
        return half
    held = clip.poses  # kept alive until the end, so that forward kinematics runs once
    source = _known_body(clip.skeleton, _CLIPS) if clip_roles is None else _body(clip.skeleton, clip_roles, _CLIPS)
    touching = believable(clip, contacts(clip, roles=clip_roles))
    target = _known_body(to, _MOVED) if roles is None else _body(to, roles, _MOVED)
    scale = target.leg_length / source.leg_length
    ground = ground_of(clip, touching, target, scale)
    kept = target.walks_like(source) and not plant and not balance
    drawn = isinstance(to, Figure) and bool(to.skins or to.shapes)  # as it shows, its feet stand flat at rest
    leans = foot_leans(clip, source, touching) if drawn and not kept else None
    moving = {target.skeleton.index(name) for name in moving_joints(target, travelling_joint(target))}
    with part_of_work(0.0, _COPIED, _work(clip)):
        bare = copied(source, clip, target, leans, 0.0 if kept else ground.lifts, bodies(to))
        bare = unhurried(bare, target, moving)
    proposed = copying.lacking(source, target) if natural else ()
    copy = copying.completed_naturally(bare, proposed) if proposed else bare
    ankles = limb_ends(clip, copy, source, target, LEG)
    feet = (
        [Foot(sole, ankles[f"foot_{sole.name[-1]}"]) for sole in target.soles if f"foot_{sole.name[-1]}" in ankles]
        if kept
        else feet_of(clip, copy, ankles, touching, target, ground, scale * target.axes @ source.axes.T)
    )
    support = _support(target, feet, len(clip), balance)
    follow = replace(copy, q=shifted(target, copy.poses, pelvis_shift(feet, ankles, clip.fps)).q)
    arms = moving & {target.skeleton.index(name) for arm in target.roles.arms for name in arm.joints}
    most = max(_LEAP * largest_rotation(clip.poses), largest_rotation(copy.poses))
    solution, feet = _solved(
        Limbs(follow, target, moving - arms, most),
        arms,
        feet,
        hand_goals(follow, target, limb_ends(clip, follow, source, target, ARM)),
        rolling_feet(to, feet, clip, touching),
        Apart(bodies(to), bare, moving),
        [support] if support and balance else [],
    )
    solution = _with_free_fingers(solution, target, bodies(to), most)
    del held
    stages = (solution.clip, copy, solution, touching, tuple(feet))
    return Retargeting(*stages, ground.floor, source, target, support, proposed)


def _on(found: Retargeting, to: Figure | Skeleton) -> Retargeting:
    """The result with its clips on the same figure in its own rest pose."""
    skeleton = to.skeleton if isinstance(to, Figure) else to
    clip, copy = (replace(one, skeleton=skeleton) for one in (found.clip, found.copy))
    return replace(found, clip=clip, copy=copy, solution=replace(found.solution, clip=clip))


def _half_body(clip: Clip, to: Figure | Skeleton, own: Roles, other: Roles, balance: float) -> Retargeting | None:
    """The result where one of both figures has arms but no legs. own, other: roles of the clip's figure and of `to`."""
    if not (has_arms(own) and has_arms(other) and (lacks_legs(own) or lacks_legs(other))):
        return None
    if balance:
        raise GoalError("balance is that of a figure on its feet, and one of the two figures has no legs")
    source, target = half_body(clip.skeleton, own), half_body(to, other)
    copy, solution = carried_over(clip, to, source, target)
    none = np.zeros((0, len(clip)), bool)
    which = _MOVED if lacks_legs(other) else _CLIPS
    note = f"{which} has no legs: trunk, arms and head move, and the figure stays where it stands"
    touching = Contacts((), none, none, none, clip.fps)
    return Retargeting(solution.clip, copy, solution, touching, (), 0.0, source, target, note=note)


def _solved(
    legs: Limbs,
    arms: Collection[int],
    feet: list[Foot],
    hands: WeightedGoals,
    rolling: Sequence[Rolling],
    apart: Apart,
    others: Sequence[Inequalities],
) -> tuple[ClipSolution, list[Foot]]:
    """Legs and travel solved, then arms, as one solution, and the feet that were solved for."""
    ground, work = over_ground(legs.copy.skeleton, feet), _work(legs.copy)
    with part_of_work(_COPIED, _LEGS, work):
        solution, feet = solved_legs(legs, feet, rolling, apart.of_pairs(arms, moved=False), ground, others)
    with part_of_work(_LEGS, 1.0, work):
        rest = solved_arms(replace(legs, copy=solution.clip, moving=arms), hands, apart.of_pairs(arms, moved=True))
    tell_progress(work, 1.0)
    return solution.followed_by(rest) if rest else solution, feet


def _with_free_fingers(solution: ClipSolution, target: Body, capsuled: Skeleton, most: float) -> ClipSolution:
    """With fingers out of palms and one another, where rotations that are copied bring them in."""
    skeleton = target.skeleton
    fingers = [joint for role, joint in target.joints.items() if role.partition("_")[0] in FINGERS]
    own = {joint for joint in fingers if skeleton.definitions[joint].dof}
    if not own:
        return solution
    forearms = [target.joints[role] for role in ("lower_arm_l", "lower_arm_r") if role in target.joints]
    hands = {joint for forearm in forearms for joint in joints_below(skeleton, forearm)} - {*forearms}
    others = set(range(len(skeleton.joints))) - hands
    apart = Apart(capsuled, solution.clip, own).of_pairs(others, moved=False)
    found = solved_fingers(Limbs(solution.clip, target, own, most), apart)
    return solution.followed_by(found) if found else solution


def _work(clip: Clip) -> str:
    """What is done."""
    return f"retargeting {clip.name}".rstrip()


def _support(target: Body, feet: Sequence[Foot], frames: int, balance: float) -> Support | None:
    """The support polygons; None without masses (unless balance is asked for) or without planted feet."""
    if not (is_number(balance) and 0 <= balance < np.inf):
        raise GoalError(f"balance is a number of at least 0, not {balance!r}")
    weighed = any(joint.mass for joint in target.skeleton.definitions)
    stands = any(foot.stands for foot in feet)
    return Support(target, feet, frames, balance) if stands and (weighed or balance) else None


def copied(
    source: Body,
    clip: Clip,
    target: Body,
    leans: Mapping[str, Array] | None = None,
    rise: Array | float = 0.0,
    capsuled: Skeleton | None = None,
) -> Clip:
    """The first stage: the clip's rotations copied to the target and its travel scaled by the legs; nothing is solved.

    leans: of the source's feet at rest, where the target's are known to stand flat. rise: of the target's ground,
    one number or `[frame]`. capsuled: the target's skeleton with capsules, of which a robot's arms keep out.
    """
    scale = target.leg_length / source.leg_length
    rotations = leaned(target_rotations_of(clip, source, target, leans), clip, source, target)
    fastest = max(_QUICKER * largest_rotation(clip.poses), _SLOWEST)
    pose = posed(rotations, hips_travel(clip, source, target, scale, rise), target, fastest, clip.fps, capsuled)
    return Clip(target.skeleton, pose.q, clip.fps, clip.name, clip.events)


def _checked(roles: Roles, skeleton: Skeleton, which: str) -> Roles:
    """The roles, if they belong to this skeleton, name two legs, and no plane holds it."""
    if is_planar(skeleton):
        raise PosableError(f"{which}: {why_it_stays(skeleton)}")
    if roles.skeleton is not skeleton and roles.skeleton.joints != skeleton.joints:
        raise PosableError(f"the roles given for {which} belong to another skeleton; find them with posable.roles")
    if len(roles.legs) > 2:
        raise PosableError(
            f"retargeting needs figures with two legs, and {which} has {len(roles.legs)}: "
            f"{', '.join(leg.joints[-1] for leg in roles.legs)}; "
            "take a figure that walks upright, or correct its table of roles"
        )
    missing = [f"{part}_{side}" for side in "lr" for part in LEG if f"{part}_{side}" not in roles]
    if "hips" not in roles or missing:
        raise PosableError(
            f"retargeting needs figures with two legs, and {which} has no joint for "
            f"{', '.join(['hips'] * ('hips' not in roles) + missing)}; name them in its table of roles"
        )
    if fault := stance_fault(skeleton, joints := {role: roles.index(role) for role in roles}):
        other = "y" if skeleton.up == "z" else "z"
        stands = not stance_fault(Skeleton(skeleton.definitions, other), joints)
        cure = f'load it with up="{other}" (--up {other}) if {other} is its vertical axis, or ' if stands else ""
        raise PosableError(
            f"retargeting needs standing rest poses, and the rest pose of {which} is not a stance: {fault}; {cure}"
            "export it with a T-pose or A-pose as its rest pose, or with a motion in which the figure stands"
        )
    return roles


def _body(of: Figure | Skeleton, roles: Roles, which: str) -> Body:
    skeleton = of if isinstance(of, Skeleton) else of.skeleton
    found = _checked(roles, skeleton, which)
    return _measured(skeleton, found, soles(of, roles=found), which)


@lru_cache(maxsize=8)  # one figure gets many recordings, and many recordings are of one person
def _known_body(of: Figure | Skeleton, which: str) -> Body:
    return _body(of, _known_roles(of), which)


@lru_cache(maxsize=16)
def _known_roles(of: Figure | Skeleton) -> Roles:
    return find_roles(of)


def _measured(skeleton: Skeleton, roles: Roles, feet: tuple[Sole, ...], which: str) -> Body:
    """The measured body.

    Raises PosableError for wheels instead of feet, a thigh or shin without length (hinges of one hip), or stiff legs.
    """
    if wheels := wheels_on_legs(roles):
        ends = f"the legs of {which} end in wheels: {', '.join(wheels)}"
        raise PosableError(f"retargeting needs feet that stand, and {ends}; take another figure")
    body = Body(skeleton, roles, feet)
    for side in "lr":
        hip, knee, ankle = (body.position(f"{part}_{side}") for part in LEG)
        names = ", ".join(f"{part}_{side} = {roles[f'{part}_{side}']}" for part in LEG)
        if min(np.linalg.norm(knee - hip), np.linalg.norm(ankle - knee)) < _SHORTEST * skeleton.reach:
            raise PosableError(
                f"the thigh or shin of {which} has no length, so the roles of its leg joints are wrong "
                f"({names}); correct its table of roles"
            )
        leg = {*skeleton.chain(body.joints[f"{LEG[1]}_{side}"])} - {*skeleton.chain(body.joints["hips"])}
        if not any(skeleton.definitions[joint].dof for joint in leg):
            raise PosableError(
                f"retargeting needs legs that walk, and no hip or knee of {which} moves ({names}): it has wheels or "
                "stilts; take another figure, or correct its table of roles"
            )
    return body
