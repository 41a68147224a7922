"""R1–R7: a recorded walk on other figures, beside its rotations copied; which joint is what."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache

import numpy as np

import posable
from benchmarks.motion.conventions import expected, person, tables
from benchmarks.motion.goal import RECORDED, Files, Row, loop, mannequin, short
from benchmarks.motion.humanoids import foot_points
from posable.figures import BODY_ROLES
from posable.motion import Retargeting, contacts, foot_metrics, retargeting
from posable.motion.gait_metrics import jerk_of, knee_bends, limits_broken, self_penetration
from posable.motion.transfer.collision_pairs import bodies
from posable.motion.transfer.hands_feet import limb_ends
from posable.motion.transfer.measured import ARM, LEG
from posable.skeleton import Skeleton

WALK = RECORDED[0]
TARGETS = (
    "mannequin", "characters/Knight.glb", "characters/MH_game_engine.glb", "characters/CesiumMan.glb",
    "mocap/cmu_02_01.bvh", "robots/g1_29dof.xml", "robots/h1.urdf",
)  # fmt: skip
ROBOTS = TARGETS[-2:]
STRIPPED = (
    "characters/CesiumMan.glb", "characters/Knight.glb", "characters/MH_game_engine.glb",
    "characters/Q_PlatformerHumanoid.glb", "characters/RobotExpressive.glb", "characters/cryptovoxels.vrm",
    "mocap/cmu_12_01_walk.bvh", "mocap/cmu_02_01.bvh", "mocap/mh_walk1.bvh", "mocap/test_freebvh.bvh",
    "mocap/zombie.bvh", "robots/g1_29dof.xml", "robots/h1.urdf", "robots/simple_humanoid.urdf",
)  # fmt: skip
_FPS = 30.0


@cache
def _moved(files: Files, name: str) -> Retargeting:
    return retargeting(files.clip(WALK, _FPS), _target(files, name))


def _target(files: Files, name: str) -> posable.Figure:
    return mannequin() if name == "mannequin" else files.figure(name)


def _height(found: Retargeting) -> float:
    places = found.target.rest[list(found.target.joints.values()), :3, 3]
    return float(np.ptp(places @ found.target.roles.up))


def onto_itself(files: Files) -> Iterable[Row]:
    """R1: of a recording, whose feet slide, and of a walk whose feet stand."""
    own = loop("human", 6, _FPS)
    for name, found, source in (
        (short(WALK), _moved(files, WALK), files.clip(WALK, _FPS)),
        ("posable's own walk", retargeting(own, own.skeleton), own),
    ):
        height = _height(found)
        off, naive = (float(np.abs(one.poses.origins - source.poses.origins).max()) / height
                      for one in (found.clip, found.copy))  # fmt: skip
        yield Row(f"{name} onto itself", "1e-6 of the height", f"{off:.0e}", off <= 1e-6, naive=f"{naive:.0e}")


def there_and_back(files: Files) -> Iterable[Row]:
    """R2: the mean over frames and the joints that both figures have, relative to the hips."""
    clip, source = files.clip(WALK, _FPS), files.figure(WALK)
    for name in ("mocap/cmu_02_01.bvh", "characters/MH_game_engine.glb", "mannequin"):
        there = _moved(files, name)
        back = retargeting(there.clip, source)
        copied = retargeting(there.copy, source).copy
        own = [j for role, j in there.source.joints.items() if role in there.target.joints and role in BODY_ROLES]
        hips = there.source.joints["hips"]
        wanted = clip.poses.origins[:, own] - clip.poses.origins[:, [hips]]
        off, naive = (
            float(np.linalg.norm(o[:, own] - o[:, [hips]] - wanted, axis=2).mean()) / _height(back)
            for o in (back.clip.poses.origins, copied.poses.origins)
        )
        words = f"{100 * off:.2f} %"
        yield Row(f"to {short(name)} and back", "≤ 0.5 % of height", words, off <= 0.005, naive=f"{100 * naive:.2f} %")


def ends(files: Files) -> Iterable[Row]:
    """R3: 95th percentile over frames of hands and feet, and how far balls move at most while the source's rest."""
    clip = files.clip(WALK, _FPS)
    for name in TARGETS:
        found = _moved(files, name)
        numbers = []
        for one in (found.clip, found.copy):
            free, held = _ends_off(clip, one, found)
            numbers.append((free, held))
        (free, held), (naive_free, naive_held) = numbers
        words = f"{100 * free:.2f} %, {100 * held:.2f} %"
        good = free <= 0.02 and held <= 0.003
        naive = f"{100 * naive_free:.2f} %, {100 * naive_held:.2f} %"
        yield Row(f"hands and feet on {short(name)}; feet in contact", "≤ 2 %, ≤ 0.3 %", words, good, naive=naive)


def _ends_off(clip: posable.Clip, result: posable.Clip, found: Retargeting) -> tuple[float, float]:
    """(of hands and feet against where their size puts them, of balls at rest against their stand), of the height."""
    off = []
    for limb in (ARM, LEG):
        for role, places in limb_ends(clip, result, found.source, found.target, limb).items():
            off.append(np.linalg.norm(places - result.poses.origins[:, found.target.joints[role]], axis=1))
    held = [
        np.linalg.norm(foot.sole.ball_places(result.poses)[slice(*stand.ball)] - stand.ball_place, axis=1)
        for foot in found.feet for stand in foot.stands if stand.ball
    ]  # fmt: skip
    height = _height(found)
    return float(np.percentile(np.concatenate(off), 95)) / height, float(np.concatenate(held).max()) / height


def stands(files: Files) -> Iterable[Row]:
    """R4: of the source's contact frames those in which the result's detector finds a contact too."""
    clip = files.clip(WALK, _FPS)
    source = foot_metrics(clip)
    most = max(source.skate, 0.01)
    for name in TARGETS:
        found, figure = _moved(files, name), _target(files, name)
        told = contacts(clip).any
        results = []
        for one in (found.clip, found.copy):
            kept = (contacts(one, figure=figure).any & told).sum() / told.sum()
            results.append((float(kept), foot_metrics(one, figure=figure).skate))
        (kept, skate), (naive_kept, naive_skate) = results
        good = kept >= 0.98 and skate <= most
        yield Row(
            f"contacts kept, skate on {short(name)}", f"≥ 98 %, ≤ {100 * most:.1f} cm/s",
            f"{100 * kept:.1f} %, {100 * skate:.2f} cm/s", good, f"{100 * source.skate:.1f} cm/s",
            f"{100 * naive_kept:.1f} %, {100 * naive_skate:.1f} cm/s",
        )  # fmt: skip


def kept_apart(files: Files) -> Iterable[Row]:
    """R5."""
    for name in TARGETS:
        found, figure = _moved(files, name), _target(files, name)
        frames = [int(limits_broken(one)[0].sum()) for one in (found.clip, found.copy)]
        depths = [_floor(figure, found, one) for one in (found.clip, found.copy)]
        inside = _inside(figure, found)
        good = frames[0] == 0 and depths[0] <= 0.002 and not inside[0] > inside[1] + 0.005
        words, naive = (
            f"{count}, {1000 * depth:.1f} mm{'' if np.isnan(own) else f', {1000 * own:.0f} mm'}"
            for count, depth, own in zip(frames, depths, inside, strict=True)
        )
        yield Row(
            f"limits, floor, self-penetration on {short(name)}", "0 frames, ≤ 2 mm, ≤ copied + 5 mm", words, good,
            naive=naive,
        )  # fmt: skip


def _floor(figure: posable.Figure, found: Retargeting, clip: posable.Clip) -> float:
    """How deep the lowest of the feet's skin or shapes is in the target's ground, for a leg of 0.88 m."""
    feet = [found.target.joints[f"foot_{side}"] for side in "lr"]
    lowest = min(float((foot_points(figure, clip.poses, foot) @ found.target.roles.up).min()) for foot in feet)
    return max(found.floor - lowest, 0.0) / found.feet[0].sole.scale


def _inside(figure: posable.Figure, found: Retargeting) -> list[float]:
    """Of result and copy, the deepest overlap of two bodies, for a leg of 0.88 m; NaN where there are no bodies."""
    skeleton = bodies(figure)
    scale = found.feet[0].sole.scale
    clips = [posable.Clip(skeleton, one.q, one.fps) for one in (found.clip, found.copy)]
    return [float(self_penetration(clip).max()) / scale for clip in clips]


def jerk(files: Files) -> Iterable[Row]:
    """R6: of the knees, which sliding feet and popping legs show first."""
    clip = files.clip(WALK, _FPS)
    before = float(jerk_of(knee_bends(clip, contacts(clip).soles), clip.fps).mean())
    for name in TARGETS:
        found = _moved(files, name)
        soles = [foot.sole for foot in found.feet]
        after, naive = (float(jerk_of(knee_bends(one, soles), one.fps).mean()) for one in (found.clip, found.copy))
        good = after <= 1.2 * before
        yield Row(
            f"knee jerk on {short(name)}", "≤ × 1.2", f"× {after / before:.2f}", good,
            naive=f"× {naive / before:.2f}",
        )  # fmt: skip


def parts(files: Files) -> Iterable[Row]:
    """R7."""
    right = total = wrong = 0
    every = tables(json.loads(files.path("reference/joint_names.json").read_text()))
    for table in every.values():
        wanted = {role: joint for role, joint in expected(table).items() if role in BODY_ROLES}
        found = posable.roles(person(table))
        right += sum(found.get(role) == joint for role, joint in wanted.items())
        total += len(wanted)
        wrong += sum(role in found and found[role] != joint for role, joint in wanted.items())
    words = f"{100 * right / total:.1f} % of {total}, {wrong} wrong"
    good = right >= 0.99 * total and not wrong
    yield Row(f"roles by {len(every)} conventions", "≥ 99 %, none wrong", words, good)
    right = total = 0
    for name in STRIPPED:
        known, found = _named_and_stripped(files.figure(name).skeleton)
        right += sum(found.get(role) == joint for role, joint in known.items())
        total += len(known)
    share = right / total
    yield Row(f"roles of {len(STRIPPED)} figures without names", "≥ 90 %", f"{100 * share:.1f} %", share >= 0.9)


def _named_and_stripped(skeleton: Skeleton) -> tuple[dict[str, str], posable.Roles]:
    """(role → stripped name, as the true names tell; what is found without them)."""
    from benchmarks.motion.conventions import renamed

    bare = {joint: f"j{number}" for number, joint in enumerate(skeleton.joints)}
    known = {role: bare[joint] for role, joint in posable.roles(skeleton).items() if role in BODY_ROLES}
    return known, posable.roles(renamed(skeleton, list(bare.values())))
