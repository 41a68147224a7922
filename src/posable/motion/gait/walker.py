"""The walk of a figure by a plan: feet, trunk, legs and arms over the frames, as rotations of joints."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from posable.motion.gait.anatomy import Body
from posable.motion.gait.batch_rotations import cross, inverse, multiply, rotate
from posable.motion.gait.feet_path import SPARE, FootMotion, FootPath
from posable.motion.gait.footing import Ground
from posable.motion.gait.hip_height import LEAST_BEND, carrying, lowered, settled
from posable.motion.gait.joint_coordinates import axis_angles
from posable.motion.gait.legs import Limb
from posable.motion.gait.plan import Plan, make_plan, straight
from posable.motion.gait.upper_body import TrunkMotion, arm_rotations, arms_of, trunk_at
from posable.spatial import Array, slerp
from posable.spatial.curves import smootherstep

_PIECES = 14  # samples per half stride at which the height of the hips is limited
_ALONG, _ACROSS = 0.35, 0.65  # sines between which the foot's direction takes over the knee's direction
_AT_LIMIT = 1e-9  # radians
_TIPS, _GRID = 0.8, 33  # most radians that a foot tips to keep its ankle's limit; points of the search grid
_CLOSINGS = 8  # iterations of false position
_ROUNDS = 2  # of raising swings over obstacles that the solved legs do not clear
_FORWARD = np.array([0.0, 0.0, 1.0])
_HELD = 0.9  # of `FootMotion.stands`: feet that land count as standing
_COUNTED = 0.5  # share of the heel's spare rise that the hips rely on: ankles may not bend so far
_MOST_BENDING = 2.5  # largest ratio of the chest's pitch to that of the line from hips to neck
_JUST = 1e-4  # strides before a foot lands


@dataclass(frozen=True, eq=False)
class Walker:
    """The walk of a figure by a plan; all lengths in leg lengths."""

    body: Body
    plan: Plan
    paths: tuple[FootPath, ...]
    limbs: tuple[Limb, ...]
    level: Walker | None = None  # a steady walk on level ground, the reference on uneven ground and in bends

    @classmethod
    def of(cls, body: Body, plan: Plan) -> Walker:
        legs, style = body.legs_scaled(), plan.style
        plan = replace(plan, style=replace(style, number=style.number | {"pitch": style["pitch"] * _bending(body)}))
        paths = tuple(FootPath(plan, leg, k) for k, leg in enumerate(legs))
        limbs = tuple(Limb.of(leg, body.skeleton, body.rest_rotations, biped=body.biped) for leg in legs)
        level = None
        if body.biped and not plan.track.in_place and not (plan.ground.level and plan.track.is_straight):
            ground = Ground(None, plan.ground.to_body, plan.ground.origin, plan.ground.length)
            level = cls.of(body, make_plan(style, legs, straight(), ground, 4, starts=False, stops=False))
        return cls(body, plan, paths, limbs, level)

    @property
    def pelvis(self) -> Array:
        return self.body.rest_positions[self.body.pelvis] / self.body.length

    def hips(self, trunk: TrunkMotion, limb: Limb) -> Array:
        """`[n, 3]` position of a leg's hip when the pelvis is at `trunk.position`."""
        return trunk.position + rotate(trunk.pelvis, limb.hip - self.pelvis)

    def _edges(self) -> Array:
        """The phases at the borders of the pieces of the hips' height curve."""
        count = max(round((self.plan.end - self.plan.start) * 2), 1)
        return np.linspace(self.plan.start, self.plan.end, count + 1)

    def _limits(self, trunk: TrunkMotion, feet: list[FootMotion]) -> Array:
        """`[n]` the greatest height of the pelvis over `trunk.position` with legs that stay a little bent."""
        limit = np.full(len(trunk.position), np.inf)
        for path, limb, reach, foot in zip(self.paths, self.limbs, self.reaches, feet, strict=True):
            own = self._limit(trunk, limb, reach, foot.ankle)
            if np.any(foot.spare > 0):
                own = np.maximum(own, self._limit(trunk, limb, reach, path.raised(foot, _COUNTED * foot.spare).ankle))
            held = foot.stands > _HELD if self.body.biped else True  # in the air a leg is drawn in (`stretching`)
            limit = np.minimum(limit, np.where(held, own, np.inf))
        return limit - trunk.rise

    def _limit(self, trunk: TrunkMotion, limb: Limb, reach: float | Array, ankle: Array) -> Array:
        """The highest pelvis at which a leg of length `reach` reaches its ankle."""
        hip = self.hips(trunk, limb)
        across = (hip - ankle)[:, [0, 2]]
        up = np.sqrt(np.maximum(reach**2 - (across**2).sum(axis=1), 0.05 * reach**2))
        return ankle[:, 1] + up - hip[:, 1]

    @cached_property
    def reaches(self) -> tuple[float, ...]:
        """Length of each leg from hip to ankle at the least knee bend of the gait."""
        knee = self.plan.style["knee"]
        return tuple(
            limb.reach(knee) if self.body.biped and len(limb.bones) == 2 else _animal_reach(limb) for limb in self.limbs
        )

    def frames(self, phase: Array) -> tuple[dict[int, Array], dict[int, Array], list[Array]]:
        """(rotations, positions) of the joints at `phase [n]`, for Coordinates, and each leg's ankle `[n, 3]`."""
        body = self.body
        if not self.plan.ground.level:
            self._step_over()
        trunk, solved = self._solved(phase)
        rotations, positions = dict(_trunk_rotations(body, trunk)), {body.mover: self._mover_place(trunk)}
        for leg, limb, (foot, bones) in zip(body.legs, self.limbs, solved, strict=True):
            rotations.update(zip(limb.joints, bones, strict=True))
            if leg.foot >= 0:
                rotations[leg.foot] = foot.rotation
            if leg.toes >= 0:
                rotations[leg.toes] = foot.toe_rotation
        for arm in arms_of(body):
            rotations.update(arm_rotations(arm, self.plan, phase, trunk.chest))
        return rotations, positions, [foot.ankle for foot, _ in solved]

    def _step_over(self) -> None:
        """Raise the swings until the feet of the solved legs clear all obstacles."""
        phases = [path.swings() for path in self.paths]
        ends = np.cumsum([0, *map(len, phases)])
        for _ in range(_ROUNDS):
            _, solved = self._solved(np.concatenate(phases))
            for path, low, high, (foot, _) in zip(self.paths, ends[:-1], ends[1:], solved, strict=True):
                path.lift_over(foot[slice(low, high)])

    def _solved(self, phase: Array) -> tuple[TrunkMotion, list[tuple[FootMotion, list[Array]]]]:
        """The trunk, and per leg its foot and the rotations of its bones, at `phase [n]`."""
        seen = self.plan.start - 1, self.plan.end + 1.5  # phases outside are never used
        landings = (
            [np.clip(path.contacts.land[1:], *seen) for path in self.paths]
            if self.body.biped and not self.plan.track.in_place
            else []
        )
        count, before = len(phase), [at + offset for at in landings for offset in (-_JUST, 0.0)]
        trunk, feet, spans = self._held(np.concatenate([phase, *before]))
        ends = count + np.cumsum([0, *map(len, before)])
        solved = []
        for k, (leg, path, limb, planned) in enumerate(zip(self.body.legs, self.paths, self.limbs, feet, strict=True)):
            hip = self.hips(trunk, limb)
            foot = path.reaching(planned, hip, spans[k])
            if landings:
                size = np.linalg.norm(foot.ankle - hip, axis=1)
                early, late = size[ends[2 * k] : ends[2 * k + 1]], size[ends[2 * k + 1] : ends[2 * k + 2]]
                own = path.stretching(phase, size[:count], late, (late - early) / _JUST)
                foot = foot[:count].moved((foot.ankle - hip)[:count] * (own / size[:count] - 1)[:, None])
            solved.append(self._leg(path, limb, leg.foot, hip[:count], foot, trunk.pelvis[:count]))
        return trunk[:count], solved

    def _held(self, phase: Array) -> tuple[TrunkMotion, list[FootMotion], list[Array]]:
        """The trunk at its height, the planned feet, and `[n]` the distances of ankle and hip from which heels rise."""
        if self.level is not None:
            return self._as_level(self.level, phase)
        plan, edges = self.plan, self._edges()
        samples = (edges[:-1, None] + (edges[1] - edges[0]) * np.linspace(0, 1, _PIECES)).ravel()
        first, own = slice(len(samples)), slice(len(samples), None)
        both = np.concatenate([samples, phase])  # in one call: the cost of a short walk is mostly constant
        trunk, feet = trunk_at(plan, both), [path.at(both) for path in self.paths]
        limits = self._limits(trunk[first], [foot[first] for foot in feet]).reshape(-1, _PIECES)
        trunk, feet = trunk[own], [foot[own] for foot in feet]
        stands = plan.up is not None, plan.down is not None
        loop = not any(stands) and plan.ground.level
        trunk.position[:, 1] += lowered(phase, edges, limits, stands, loop=loop) - plan.style["crouch"] + trunk.rise
        return trunk, feet, [np.full(len(phase), reach) for reach in self.reaches]

    def _as_level(self, level: Walker, phase: Array) -> tuple[TrunkMotion, list[FootMotion], list[Array]]:
        """As `_held`, with knees bent as on level ground, as closely as both legs allow."""
        from scipy.interpolate import CubicSpline

        plan, crouch = self.plan, self.plan.style["crouch"]
        samples = np.linspace(plan.start, plan.end, (len(self._edges()) - 1) * (_PIECES - 1) + 1)
        lands = np.concatenate([path.contacts.land for path in self.paths])
        lands = lands[(lands > plan.start) & (lands < plan.end)]
        first, seen, own = slice(len(samples)), slice(len(samples) + len(lands)), slice(len(samples) + len(lands), None)
        both = np.concatenate([samples, lands, phase])
        trunk, feet = trunk_at(plan, both), [path.at(both) for path in self.paths]
        position, moving = trunk.position[:, 1], plan.moving(both) * plan.track.pace_at(plan.along(both))
        steady, level_feet, _ = level._held(np.remainder(both, 1.0) + 1.0)
        stands, spans, desired, weights = 0.0, [], [], []
        for k, (limb, reach, foot) in enumerate(zip(self.limbs, self.reaches, feet, strict=True)):
            span = np.linalg.norm(level.hips(steady, limb) - level_feet[k].ankle, axis=1)
            spans.append((reach - crouch) * (1 - moving) + span * moving)
            desired.append(position + self._limit(trunk, limb, spans[-1], foot.ankle))
            bend = np.maximum(limb.bends(spans[-1]) - limb.straight, LEAST_BEND)
            weights.append(carrying(plan, k, both) * (1 - foot.spare / SPARE) / np.sin(bend / 2) ** 2)
            ankle = self.body.legs[k].ankle[1] / self.body.length
            stands += (ankle + reach - crouch + self.pelvis[1] - limb.hip[1]) / len(self.limbs)
        start = position + stands * (1 - moving) + steady.position[:, 1] * moving
        limits = position[seen] + self._limits(trunk[seen], [foot[seen] for foot in feet]) + trunk.rise[seen]
        room = limits[first].copy()
        before = np.searchsorted(samples, lands, side="right") - 1
        for near in (before, before + 1):  # a leg that lands between two samples must reach as well
            np.minimum.at(room, near, limits[len(samples) :])
        rows = np.array(desired)[:, first], np.array(weights)[:, first]
        found = settled(start[first], *rows, room)
        trunk.position[:, 1] = start + CubicSpline(samples, found - start[first])(both)
        return trunk[own], [foot[own] for foot in feet], [span[own] for span in spans]

    def _leg(
        self, path: FootPath, limb: Limb, joint: int, hip: Array, foot: FootMotion, pelvis: Array
    ) -> tuple[FootMotion, list[Array]]:
        """(foot, rotations of the leg), with the heel lifted early where the ankle would exceed its limit."""
        bones = self._bones(limb, joint, hip, foot, pelvis)
        excess = _ankle_excess(self.body, joint, foot, bones[-1], np.zeros(len(hip)))
        rows = np.flatnonzero(np.abs(excess) > _AT_LIMIT)
        if len(rows):
            part, own = self._mended(path, limb, joint, hip[rows], foot[rows], pelvis[rows], excess[rows])
            foot.put(rows, part)
            for bone, mended in zip(bones, own, strict=True):
                bone[rows] = mended
        return foot, bones

    def _bones(self, limb: Limb, joint: int, hip: Array, foot: FootMotion, pelvis: Array) -> list[Array]:
        return limb.pose(hip, foot.ankle, _ahead(self.body, joint, foot, foot.ankle - hip), pelvis)

    def _mended(
        self, path: FootPath, limb: Limb, joint: int, hip: Array, foot: FootMotion, pelvis: Array, excess: Array
    ) -> tuple[FootMotion, list[Array]]:
        """(foot, rotations of the leg), with the foot tipped until its ankle is at its limit.

        The root is bracketed on a grid, for all frames at once, and refined by false position; without a root, the
        grid point with the smallest excess is taken.
        """
        sign = np.sign(excess)

        def tipped(rows: np.ndarray, extra: Array) -> tuple[FootMotion, list[Array], Array]:
            moved = path.raised(foot[rows], sign[rows] * extra)
            bones = self._bones(limb, joint, hip[rows], moved, pelvis[rows])
            return moved, bones, sign[rows] * _ankle_excess(self.body, joint, moved, bones[-1], sign[rows])

        own, grid = np.arange(len(hip)), np.linspace(0.0, _TIPS, _GRID)
        left = tipped(np.repeat(own, _GRID), np.tile(grid, len(own)))[2].reshape(-1, _GRID)
        beyond = np.maximum((left <= 0).argmax(axis=1), 1)
        found = left[own, beyond] <= 0
        low, high = grid[beyond - 1], grid[beyond]
        above, under = left[own, beyond - 1], left[own, beyond]
        high = np.where(found, high, grid[np.abs(left).argmin(axis=1)])
        last, moved, bones = np.zeros(len(own)), foot, list[Array]()
        for _ in range(_CLOSINGS):
            extra = np.where(found, low + (high - low) * above / np.where(found, above - under, 1.0), high)
            moved, bones, now = tipped(own, extra)
            if np.all(~found | (np.abs(now) <= _AT_LIMIT)):
                break
            fall = np.where(now > 0, above, under)  # Anderson & Björck 1973: scale of the end that stays
            share = np.where(last * now > 0, np.maximum(1 - now / np.where(fall == 0, 1.0, fall), 0.5), 1.0)
            above, under = np.where(now > 0, now, share * above), np.where(now > 0, share * under, now)
            low, high = np.where(now > 0, extra, low), np.where((now > 0) | ~found, high, extra)
            last = now
        return moved, bones

    def _mover_place(self, trunk: TrunkMotion) -> Array:
        """Position of the joint that moves the whole figure, in the file's unit."""
        body = self.body
        gap = body.rest_positions[body.mover] - body.rest_positions[body.pelvis]
        rotation = trunk.pelvis if body.mover == body.pelvis else trunk.heading
        return trunk.position * body.length + rotate(rotation, gap)


def _animal_reach(limb: Limb) -> float:
    """Length of an animal's leg while walking: as at rest, or a little less than straight."""
    rest = float(np.linalg.norm(limb.bones.sum(axis=0)))
    longest = limb.reach(limb.least)
    return min(0.985 * longest, rest + 0.8 * (longest - rest))


def _ankle_excess(body: Body, joint: int, foot: FootMotion, shin: Array, raised: Array) -> Array:
    """Radians by which the ankle exceeds its upper limit, negative for the lower one.

    Where the heel is raised (or lowered) already, the signed distance from that limit.
    """
    definition = body.skeleton.definitions[joint] if joint >= 0 else None
    if definition is None or definition.kind not in ("hinge", "universal"):
        return np.zeros(1)
    rotation = body.rest_rotations[joint]
    axis = definition.axes[0]
    up = -1.0 if rotate(rotation, np.array(axis.direction))[0] > 0 else 1.0
    low, high = sorted((up * axis.lower, up * axis.upper))
    columns = slice(*body.skeleton.tables.first_coordinate[joint : joint + 2])
    local = multiply(multiply(inverse(rotation), multiply(inverse(shin), foot.rotation)), rotation)
    angle = up * axis_angles(definition, local, body.skeleton.rest_coordinates[None, columns])[:, 0]
    over = np.where(raised > 0, angle - high, np.where(raised < 0, angle - low, 0.0))
    return np.where(raised == 0, np.maximum(angle - high, 0.0) + np.minimum(angle - low, 0.0), over)


def _ahead(body: Body, joint: int, foot: FootMotion, leg: Array) -> Array:
    """The direction to which the knee's axis stays perpendicular: the ankle's second axis, else the foot's direction.

    A foot in the air may point along `leg [n, 3]` and then does not determine the knee: the flat foot does.
    """
    flat = rotate(foot.flat_rotation, _FORWARD)
    axes = body.skeleton.definitions[joint].axes if joint >= 0 else ()
    if len(axes) != 2:
        return flat
    axis = rotate(body.rest_rotations[joint], np.array(axes[1].direction))
    own = rotate(foot.rotation, axis if axis[2] >= 0 else -axis)
    sine = np.linalg.norm(cross(own, leg), axis=1) / np.linalg.norm(leg, axis=1)
    return flat + smootherstep((sine - _ALONG) / (_ACROSS - _ALONG))[:, None] * (own - flat)


def _trunk_rotations(body: Body, trunk: TrunkMotion) -> dict[int, Array]:
    """Rotations of the joints from the mover up to the head; joints in between interpolate."""
    rotations = {body.mover: trunk.pelvis if body.mover == body.pelvis else trunk.heading, body.pelvis: trunk.pelvis}
    if not body.biped:
        return rotations
    index = body.skeleton.index
    chest = next((r for r in ("upper_chest", "chest", "spine") if r in body.roles.joints), None)
    top = body.pelvis
    if chest is not None:
        top = index(body.roles[chest])
        rotations.update(_shared(body, body.pelvis, top, trunk.pelvis, trunk.chest))
    if "head" in body.roles:
        below = trunk.chest if chest is not None else trunk.pelvis
        rotations.update(_shared(body, top, index(body.roles["head"]), below, trunk.head))
    return rotations


def _bending(body: Body) -> float:
    """Ratio of the chest's pitch to that of the line from hips to neck, as the spine shares the rotation."""
    role = next((r for r in ("upper_chest", "chest", "spine") if r in body.roles.joints), None)
    neck = next((r for r in ("neck", "head") if r in body.roles.joints), None)
    if role is None or neck is None:
        return 1.0
    top = body.skeleton.index(body.roles[role])
    heights = body.rest_positions[[body.pelvis, *_between(body, body.pelvis, top), body.roles.index(neck)], 1]
    bent = np.diff(heights) @ np.linspace(0.0, 1.0, len(heights) - 1)
    return float(np.clip((heights[-1] - heights[0]) / max(bent, 1e-9), 1.0, _MOST_BENDING))


def _between(body: Body, low: int, high: int) -> list[int]:
    """The moving joints after `low` up to `high`."""
    chain = list(body.skeleton.chain(high))
    between = chain[chain.index(low) + 1 :] if low in chain else [high]
    return [j for j in between if body.skeleton.definitions[j].kind != "fixed"] or [high]


def _shared(body: Body, low: int, high: int, below: Array, above: Array) -> dict[int, Array]:
    """Rotations of the joints after `low` up to `high`, interpolated evenly from `below` to `above`."""
    between = _between(body, low, high)
    return {joint: slerp(below, above, np.full(len(below), (k + 1) / len(between))) for k, joint in enumerate(between)}
