"""A walk: footsteps, then feet, trunk, legs and arms over them, as a clip on the figure's own skeleton."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from posable.clips import Clip
from posable.errors import PosableError
from posable.figures import Figure, Roles
from posable.motion.feet import Terrain
from posable.motion.feet.surfaces import Stairs
from posable.motion.gait.arms import arm_turns, arms_of
from posable.motion.gait.body import Body, check_hips, measure
from posable.motion.gait.coordinates import Coordinates, axis_angles
from posable.motion.gait.feet_path import FootMotion, FootPath
from posable.motion.gait.gait import Gait
from posable.motion.gait.ground import Ground, ground_of
from posable.motion.gait.limbs import Limb
from posable.motion.gait.pace import Pace, leg_gravity
from posable.motion.gait.plain_walk import curve_turns, plain_turns
from posable.motion.gait.plan import Plan, make_plan
from posable.motion.gait.spot import check_turn, plan_turn
from posable.motion.gait.style import Style
from posable.motion.gait.track import Track, checked_points, straight, through
from posable.motion.gait.trunk import TrunkMotion, lowered, trunk_at
from posable.motion.gait.turning import cross, inverse, multiply, rotate
from posable.spatial import Array, slerp
from posable.spatial.curves import smootherstep

_PIECES = 14  # per half stride, at which the height of the hips is made sure of
_STEPS, _MOST_STEPS = 6, 10_000
_ALONG, _ACROSS = 0.35, 0.65  # sines between which a foot's direction comes to say where the knee points
_HIGHEST, _ON_STAIRS = 0.25, 0.8  # leg lengths a step may rise on stairs; the cadence there
_AT_LIMIT = 1e-9  # radians
_LIFTS = 8  # rounds of lifting a heel whose ankle is at its limit
_FORWARD = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class Walker:
    """A figure on a plan. All lengths in leg lengths."""

    body: Body
    plan: Plan
    paths: tuple[FootPath, ...]
    limbs: tuple[Limb, ...]

    @classmethod
    def of(cls, body: Body, plan: Plan) -> Walker:
        legs = body.legs_scaled()
        paths = tuple(FootPath(plan, leg, k) for k, leg in enumerate(legs))
        limbs = tuple(Limb.of(leg, body.skeleton, body.rest_turns, biped=body.biped) for leg in legs)
        return cls(body, plan, paths, limbs)

    @property
    def pelvis(self) -> Array:
        return self.body.rest_places[self.body.pelvis] / self.body.length

    def hips(self, trunk: TrunkMotion, limb: Limb) -> Array:
        """Where a leg's hip is `[n, 3]`, the pelvis being at `trunk.place`."""
        return trunk.place + rotate(trunk.pelvis, limb.hip - self.pelvis)

    def _edges(self) -> Array:
        """The phases between the pieces over which the height of the hips is spread."""
        count = max(int(np.ceil((self.plan.end - self.plan.start) * 2 - 1e-9)), 1)
        return self.plan.start + np.arange(count + 1) / 2

    def _limits(self, trunk: TrunkMotion, feet: list[FootMotion]) -> Array:
        """`[n]` how high over `trunk.place` the pelvis may be: as high as legs that stay a little bent let it be."""
        limit = np.full(len(trunk.place), np.inf)
        for path, limb, reach, foot in zip(self.paths, self.limbs, self.reaches, feet, strict=True):
            own = self._limit(trunk, limb, reach, foot.ankle)
            if np.any(foot.spare > 0):
                own = np.maximum(own, self._limit(trunk, limb, reach, path.raised(foot, foot.spare).ankle))
            limit = np.minimum(limit, own)
        return limit - trunk.rise

    def _limit(self, trunk: TrunkMotion, limb: Limb, reach: float, ankle: Array) -> Array:
        """The highest pelvis at which a leg reaches its ankle with its knee bent as little as the gait has it."""
        hip = self.hips(trunk, limb)
        across = (hip - ankle)[:, [0, 2]]
        up = np.sqrt(np.maximum(reach**2 - (across**2).sum(axis=1), 0.05 * reach**2))
        return ankle[:, 1] + up - hip[:, 1]

    @cached_property
    def reaches(self) -> tuple[float, ...]:
        """Of each leg from hip to ankle with the knee bent as little as the gait has it."""
        knee = self.plan.style["knee"]
        return tuple(limb.reach(knee) if self.body.biped else _animal_reach(limb) for limb in self.limbs)

    def frames(self, phase: Array) -> tuple[dict[int, Array], dict[int, Array]]:
        """(turns, places) of the joints at `phase [n]`, for Coordinates."""
        body, plan, edges = self.body, self.plan, self._edges()
        samples = (edges[:-1, None] + np.linspace(0, 0.5, _PIECES)).ravel()
        first, own = slice(len(samples)), slice(len(samples), None)
        both = np.concatenate([samples, phase])  # at one go: most of what a short walk costs does not go by its length
        trunk, feet = trunk_at(plan, both), [path.at(both) for path in self.paths]
        limits = self._limits(trunk[first], [foot[first] for foot in feet]).reshape(-1, _PIECES)
        trunk, feet = trunk[own], [foot[own] for foot in feet]
        stands = plan.up is not None, plan.down is not None
        trunk.place[:, 1] += lowered(phase, edges, limits, stands) - plan.style["crouch"] + trunk.rise
        turns = dict(_trunk_turns(body, trunk))
        places = {body.mover: self._mover_place(trunk)}
        for leg, path, limb, reach, planned in zip(body.legs, self.paths, self.limbs, self.reaches, feet, strict=True):
            hip = self.hips(trunk, limb)
            foot, bones = self._leg(path, limb, leg.foot, hip, path.reaching(planned, hip, reach), trunk.pelvis)
            turns.update(zip(limb.joints, bones, strict=True))
            _add_foot(turns, places, leg.foot, leg.toes, foot, leg.detached, body.length)
        for arm in arms_of(body):
            turns.update(arm_turns(arm, plan, phase, trunk.chest))
        return turns, places

    def _leg(
        self, path: FootPath, limb: Limb, joint: int, hip: Array, foot: FootMotion, pelvis: Array
    ) -> tuple[FootMotion, list[Array]]:
        """The leg's turns, and its foot: with the heel lifted early where the ankle would bend beyond its limit."""
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
        """The foot tipped until its ankle is at its limit, and the leg's turns: the secant rule, all frames at once."""
        planned, extra, slope = foot, np.zeros(len(hip)), np.ones(len(hip))
        bones: list[Array] = []
        for _ in range(_LIFTS):
            move = np.clip(excess / slope, -0.3, 0.3)
            extra = extra + move
            foot = path.raised(planned, extra)
            bones = self._bones(limb, joint, hip, foot, pelvis)
            left = _ankle_excess(self.body, joint, foot, bones[-1], extra)
            rate = (excess - left) / np.where(move == 0, 1.0, move)
            slope = np.where(np.abs(move) > _AT_LIMIT, np.clip(rate, 0.1, 3.0), slope)
            excess = left
            if not np.any(np.abs(excess) > _AT_LIMIT):
                break
        return foot, bones

    def _mover_place(self, trunk: TrunkMotion) -> Array:
        """Where the joint that carries the figure is, in the file's unit."""
        body = self.body
        gap = body.rest_places[body.mover] - body.rest_places[body.pelvis]
        turn = trunk.pelvis if body.mover == body.pelvis else trunk.heading
        return trunk.place * body.length + rotate(turn, gap)


def _animal_reach(limb: Limb) -> float:
    """Of an animal's leg: as at rest, or a little less than straight."""
    rest = float(np.linalg.norm(limb.bones.sum(axis=0)))
    longest = limb.reach(0.0)
    return min(0.985 * longest, rest + 0.8 * (longest - rest))


def _ankle_excess(body: Body, joint: int, foot: FootMotion, shin: Array, raised: Array) -> Array:
    """By how many radians the ankle is bent up beyond its limit, negative for down; where the heel is raised (or
    lowered) already, how far from that limit it is.
    """
    definition = body.skeleton.definitions[joint] if joint >= 0 else None
    if definition is None or definition.kind not in ("hinge", "universal"):
        return np.zeros(1)
    turn = body.rest_turns[joint]
    axis = definition.axes[0]
    up = -1.0 if rotate(turn, np.array(axis.direction))[0] > 0 else 1.0
    low, high = sorted((up * axis.lower, up * axis.upper))
    columns = slice(*body.skeleton.tables.first_coordinate[joint : joint + 2])
    local = multiply(multiply(inverse(turn), multiply(inverse(shin), foot.turn)), turn)
    angle = up * axis_angles(definition, local, body.skeleton.rest_coordinates[None, columns])[:, 0]
    over = np.where(raised > 0, angle - high, np.where(raised < 0, angle - low, 0.0))
    return np.where(raised == 0, np.maximum(angle - high, 0.0) + np.minimum(angle - low, 0.0), over)


def _ahead(body: Body, joint: int, foot: FootMotion, leg: Array) -> Array:
    """What the knee's axis stays square to: the second axis of an ankle that has two, else where the foot points.

    A foot in the air may point along the leg `leg [n, 3]`, which says nothing of the knee: then the flat foot does.
    """
    flat = rotate(foot.flat_turn, _FORWARD)
    axes = body.skeleton.definitions[joint].axes if joint >= 0 else ()
    if len(axes) != 2:
        return flat
    axis = rotate(body.rest_turns[joint], np.array(axes[1].direction))
    own = rotate(foot.turn, axis if axis[2] >= 0 else -axis)
    sine = np.linalg.norm(cross(own, leg), axis=1) / np.linalg.norm(leg, axis=1)
    return flat + smootherstep((sine - _ALONG) / (_ACROSS - _ALONG))[:, None] * (own - flat)


def _add_foot(
    turns: dict[int, Array], places: dict[int, Array], foot: int, toes: int, motion: FootMotion, detached: bool,
    length: float,
) -> None:  # fmt: skip
    if foot >= 0:
        turns[foot] = motion.turn
    if toes >= 0:
        turns[toes] = motion.toe_turn
    if detached:
        places[foot] = motion.ankle * length


def _trunk_turns(body: Body, trunk: TrunkMotion) -> dict[int, Array]:
    """Turns of the joints from what carries the figure up to the head; those between share what lies between."""
    turns = {body.mover: trunk.pelvis if body.mover == body.pelvis else trunk.heading, body.pelvis: trunk.pelvis}
    if not body.biped:
        return turns
    index = body.skeleton.index
    chest = next((r for r in ("upper_chest", "chest", "spine") if r in body.roles.joints), None)
    top = body.pelvis
    if chest is not None:
        top = index(body.roles[chest])
        turns.update(_shared(body, body.pelvis, top, trunk.pelvis, trunk.chest))
    if "head" in body.roles:
        below = trunk.chest if chest is not None else trunk.pelvis
        turns.update(_shared(body, top, index(body.roles["head"]), below, trunk.head))
    return turns


def _shared(body: Body, low: int, high: int, below: Array, above: Array) -> dict[int, Array]:
    """Turns of the joints after `low` up to `high`, going evenly from one turn to the other."""
    chain = list(body.skeleton.chain(high))
    between = chain[chain.index(low) + 1 :] if low in chain else [high]
    between = [j for j in between if body.skeleton.definitions[j].kind != "fixed"] or [high]
    return {joint: slerp(below, above, np.full(len(below), (k + 1) / len(between))) for k, joint in enumerate(between)}


def walk(
    figure: Figure,
    gait: Gait | str | Path = "human",
    steps: int | None = None,
    terrain: Terrain | None = None,
    path: ArrayLike | None = None,
    *,
    fps: float = 30.0,
    starts: bool = True,
    stops: bool = True,
    backwards: bool = False,
    turn: float | None = None,
    roles: Roles | None = None,
) -> Clip:
    """Let a figure walk: a clip on its own skeleton in which the feet neither slide nor sink.

    gait: a Gait, or the name or file of one. steps: two make a stride, whatever the number of legs; 6 unless given, or
        as many as the path takes. terrain: what it walks on; level ground under its rest pose if None.
    path: `[point, 2]`, world coordinates across the up axis (x and z where y is up, x and y where z is up), through
        which the middle of its track leads; straight ahead from where it stands if None.
    fps: frames a second. starts, stops: from and to standing still; with neither the clip is a loop, of whole strides
        for an even number of steps. backwards: against the direction it faces.
    turn: degrees to the left (below 0 to the right) by which it turns on the spot instead of going anywhere, in steps
        of at most 35 degrees.
    roles: which joint is what, if the figure's own names do not tell.
    Raises SkeletonError for a figure that cannot walk, PosableError for steps, fps, a turn or a path that cannot be
    meant, and for a turn beside a path, backwards, a loop or another form of gait.
    """
    gait = gait if isinstance(gait, Gait) else Gait.load(gait)
    if not (isinstance(fps, int | float) and 0 < fps < np.inf):
        raise PosableError(f"fps must be above 0, not {fps!r}")
    body = measure(figure, roles)
    check_hips(body)
    ground = ground_of(terrain, body)
    gait = _for_stairs(_for_legs(gait, body), terrain, body.length)
    steps = _checked(steps)
    if turn is not None:
        check_turn(turn, gait, path=path is not None, backwards=backwards, loop=not (starts and stops))
        plan = plan_turn(Style.of(gait), body.legs_scaled(), ground, np.radians(turn), steps)
    else:
        plan = _plan_way(body, Style.of(gait), ground, path, steps, starts=starts, stops=stops, backwards=backwards)
    seconds = float(plan.style.pace.stride_time * np.sqrt(body.length / leg_gravity(body.length)))
    if gait.form != "rich":
        if terrain is not None or path is not None:
            raise PosableError(f"the {gait.form} form walks straight ahead on level ground; use form = 'rich'")
        play = plain_turns if gait.form == "quadratic" else curve_turns
        turns, places = play(body, plan.style, plan, steps or _STEPS, max(round(seconds / 2 * fps), 1))
    else:
        phase = _phases(plan, seconds * fps, loop=not (starts or stops))
        turns, places = Walker.of(body, plan).frames(phase)
    q = Coordinates(body, len(places[body.mover])).fill(turns, places)
    return Clip(figure.skeleton, q[::-1] if backwards else q, fps, gait.name or "walk")


def _phases(plan: Plan, frames: float, *, loop: bool) -> Array:
    """The phases of the frames, `frames` a stride; of a loop a whole number, evenly."""
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
    """The gait with steps of whole treads, one or as many as are not too high, taken a little slower."""
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


def _plan_way(
    body: Body, style: Style, ground: Ground, path: ArrayLike | None, steps: int | None, *, starts: bool, stops: bool,
    backwards: bool,
) -> Plan:  # fmt: skip
    """The plan of a walk along its path, or straight ahead; without a number of steps it comes to the path's end."""
    track, legs, given = _track(body, path), body.legs_scaled(), path is not None
    fits_path = steps is None and given and not backwards
    if steps is None:
        steps = max(_along(track, style, body.length) + (starts and stops), 2) if given else _STEPS
    if backwards:
        track = _reversed(track, style, steps, given)
    plan = make_plan(style, legs, track, ground, steps, starts=starts, stops=stops)
    if not fits_path:
        return plan
    style = style.scaled(track.length / float(plan.along(np.array(plan.end)) - plan.along(np.array(plan.start))))
    return make_plan(style, legs, track, ground, steps, starts=starts, stops=stops)


def _along(track: Track, style: Style, length: float) -> int:
    """How many steps the track takes. Raises PosableError where those are more than a walk can have."""
    steps = track.length / style.pace.step
    if steps > _MOST_STEPS:
        raise PosableError(
            f"the path is {track.length * length:,.0f} long, which takes {steps:,.0f} steps, and a walk has "
            f"{_MOST_STEPS:,} at most; give its points in the figure's unit"
        )
    return round(steps)


def _track(body: Body, path: ArrayLike | None) -> Track:
    """The track in leg lengths, in the figure's directions from the ground under its pelvis."""
    if path is None:
        return straight()
    points = checked_points(path)
    plane = [0, 2] if body.skeleton.up == "y" else [0, 1]
    world = np.zeros((len(points), 3))
    world[:, plane] = points
    own = (world - body.origin) @ body.to_body.T / body.length
    return through(own[:, [0, 2]])


def _reversed(track: Track, style: Style, steps: int, given: bool) -> Track:
    """The track from its end: walked forward and played backward, the figure goes backward along it."""
    if given:
        return Track(track.along[-1] - track.along[::-1], track.places[::-1].copy(), track.headings[::-1] + np.pi)
    place, _ = track.at(np.array(-style.pace.step * (steps - 0.5)))
    return straight(place, float(track.headings[0]))
