"""A clip of one figure made a clip of another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from posable.clips import Clip
from posable.errors import PosableError
from posable.figures import Figure, Roles
from posable.figures import roles as find_roles
from posable.motion.feet.contacts import Contacts, contacts
from posable.motion.feet.soles import soles
from posable.motion.retargeting.body import ARM, LEG, Body
from posable.motion.retargeting.copying import hips_travel, leans_of, posed, shifted, travelling_joint, wanted_turns
from posable.motion.retargeting.ground import believable, ground_of
from posable.motion.retargeting.limbs import Foot, feet_of, limb_ends, limb_goals, moving_joints, pelvis_shift
from posable.motion.whole_clip import ClipSolution, solve_clip
from posable.skeleton import Skeleton
from posable.spatial import Array

_STAY = 1e-3
_ROOT_STAYS = 3000.0  # times as firmly as a joint: legs bend before the pelvis moves or leans, which shows at once
_OVER = 0.35  # s over which a correction spreads


@dataclass(frozen=True, eq=False)
class Retargeting:
    """What came of a retargeting. copy: after its first stage, the rotations copied; clip: the result.

    solution: the whole-clip solve, with its cost before and after. contacts: of the source. floor: the height of the
    target's ground.
    """

    clip: Clip
    copy: Clip
    solution: ClipSolution
    contacts: Contacts
    feet: tuple[Foot, ...]
    floor: float
    source: Body
    target: Body


def retarget(
    clip: Clip,
    to: Figure | Skeleton,
    *,
    roles: Roles | None = None,
    clip_roles: Roles | None = None,
    plant: bool = False,
) -> Clip:
    """The motion of one figure as the motion of another: people of other proportions, names, axes, units; robots.

    Rotations are copied in matched rest poses (a T-pose and an A-pose do no harm), the way is scaled by the legs; then
    the whole clip is solved at once: hands and feet where the source has them for its size, feet planted where the
    source's are, limits kept, nothing jerky. Figures without arms, toes or fingers simply do not move them. Onto its
    own skeleton a clip stays as it is, and where the legs are the source's own at another size, its feet go as they do.
    to: what is to move; its joints need a free one above the hips (`figure.with_root("free")` for robots).
    roles: of `to`; clip_roles: of the clip's figure; both are found unless given.
    plant: whether feet that slide are made to stand still there, too.
    Raises PosableError for a figure without two legs or that cannot travel, and for roles of another skeleton.
    """
    skeleton = to.skeleton if isinstance(to, Figure) else to
    if skeleton == clip.skeleton and roles is None and clip_roles is None and not plant:
        return replace(clip, skeleton=skeleton)
    return retargeting(clip, to, roles=roles, clip_roles=clip_roles, plant=plant).clip


def retargeting(
    clip: Clip,
    to: Figure | Skeleton,
    *,
    roles: Roles | None = None,
    clip_roles: Roles | None = None,
    plant: bool = False,
) -> Retargeting:
    """As `retarget`, with its stages, contacts and costs."""
    skeleton = to.skeleton if isinstance(to, Figure) else to
    found = _checked(clip_roles or find_roles(clip.skeleton), clip.skeleton, "the clip's figure")
    touching = believable(clip, contacts(clip, found=found))
    source = Body(clip.skeleton, found, touching.soles)
    found = _checked(roles or find_roles(to), skeleton, "the figure to move")
    target = Body(skeleton, found, soles(to, found=found))
    stands_flat = isinstance(to, Figure) and bool(to.skins or to.shapes)
    scale = target.leg_length / source.leg_length
    stands_flat = isinstance(to, Figure) and bool(to.skins or to.shapes)
    ground = ground_of(clip, touching, target, scale, stands=stands_flat)
    kept = target.walks_like(source) and not plant
    leans = leans_of(clip, source, touching) if stands_flat and not kept else None
    copy = copied(source, clip, target, leans, 0.0 if kept else ground.lifts)
    hands, ankles = (limb_ends(clip, copy, source, target, limb) for limb in (ARM, LEG))
    onto = scale * target.axes @ source.axes.T
    feet = (
        [Foot(sole, ankles[f"foot_{sole.name[-1]}"]) for sole in target.soles if f"foot_{sole.name[-1]}" in ankles]
        if kept
        else feet_of(clip, copy, ankles, touching, target, ground, onto)
    )
    follow = replace(copy, q=shifted(target, copy.poses, pelvis_shift(feet, ankles, clip.fps)).q)
    solution = _solved(follow, target, hands, feet)
    return Retargeting(solution.clip, copy, solution, touching, tuple(feet), ground.floor, source, target)


def copied(
    source: Body, clip: Clip, target: Body, leans: Mapping[str, Array] | None = None, rise: Array | float = 0.0
) -> Clip:
    """The first stage: the clip's rotations on the target, its travel scaled by the legs, nothing solved.

    leans: of the source's feet at rest, where the target's are known to stand flat. rise: of the target's ground,
    one or `[frame]`.
    """
    scale = target.leg_length / source.leg_length
    turns = wanted_turns(clip, source, target, leans)
    pose = posed(turns, hips_travel(clip, source, target, scale, rise), target)
    return Clip(target.skeleton, pose.q, clip.fps, clip.name, clip.events)


def _checked(found: Roles, skeleton: Skeleton, which: str) -> Roles:
    """The roles, if they are this skeleton's and tell of two legs."""
    if found.skeleton is not skeleton and found.skeleton.joints != skeleton.joints:
        raise PosableError(f"the roles given for {which} are those of another skeleton; find them with posable.roles")
    missing = [f"{part}_{side}" for side in "lr" for part in LEG if f"{part}_{side}" not in found]
    if "hips" not in found or missing:
        raise PosableError(
            f"retargeting needs figures with two legs, and {which} has no joint for "
            f"{', '.join(['hips'] * ('hips' not in found) + missing)}; name them in its table of roles"
        )
    return found


def _solved(copy: Clip, target: Body, hands: dict[str, Array], feet: list[Foot]) -> ClipSolution:
    """The whole clip solved."""
    root = travelling_joint(target)
    stay = np.full(target.skeleton.dof, _STAY)
    stay[list(target.skeleton.freedom_range(root))] *= _ROOT_STAYS
    goals, weights = zip(*limb_goals(copy, target, hands, feet), strict=True)
    return solve_clip(
        copy,
        goals,
        weights,
        free=moving_joints(target, root),
        stay=stay,
        smooth=stay * (_OVER / (2 * np.pi)) ** 4,
        tolerance=3e-4,
    )
