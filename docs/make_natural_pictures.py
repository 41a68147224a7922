"""Makes the pictures of docs/natural.md: everyday reaches, without `Natural`, by `TwoBone` limb by limb, and with it.

    python docs/make_natural_pictures.py [--blind FOLDER --key FILE] [--seed N]

Without options, the sheet of the page. With them, for readers who are not to know which is which: a picture of each
reach, the three in random order, and in FILE what they are.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw, ImageFont

import posable
import posable.solvers
import posable.view

IMAGES = Path(__file__).parent / "images"
SIZE = (320, 360)
LARGE = (480, 540)
COLUMNS = 3
Place = tuple[float, float, float]


class Doing(NamedTuple):
    """What is done: in words, the goals, whether the hips stay where they are, things to be drawn, and from where."""

    said: str
    goals: list[posable.Goal]
    things: Sequence[tuple[float, ...]] = ()
    around: float = 0.0
    held: bool = False


def feet(figure: posable.Figure, moved: Sequence[Place] = ((0, 0, 0), (0, 0, 0))) -> list[posable.Goal]:
    """The feet where they stand, left and right moved by so much."""
    found: list[posable.Goal] = []
    for joint, by in zip(("foot_l", "foot_r"), moved, strict=True):
        frame = np.array(figure.rest.world_from_joint[figure.skeleton.index(joint)])
        frame[:3, 3] += by
        found.append(posable.Place(joint, frame))
    return found


def hips(figure: posable.Figure, up: float, ahead: float = 0.0) -> posable.Goal:
    """The hips moved up and ahead."""
    place = figure.rest.origins[figure.skeleton.index("pelvis")] + (0.0, up, ahead)
    return posable.Reach("pelvis", place)


def _slab(x: Place, y: float, z: Place) -> list[tuple[float, ...]]:
    """A board as capsules: from x[0] to x[1] in steps x[2], likewise z; y is its upper side."""
    thick = 0.5 * z[2]
    return [(x[0], y - thick, depth, x[1], y - thick, depth, thick) for depth in np.arange(z[0], z[1], z[2]).tolist()]


def reaches(figure: posable.Figure) -> dict[str, Doing]:
    """Twelve everyday reaches of the mannequin."""
    reach, look, stand = posable.Reach, posable.LookAt, feet(figure)
    bell, shelf, knob = (-0.25, 1.3, 0.45), (-0.2, 1.95, 0.3), (-0.15, 0.1, 0.45)
    sit = [*stand, hips(figure, -0.42, -0.3)]
    chair = _slab((-0.2, 0.2, 0.0), 0.45, (-0.45, -0.2, 0.04))
    kneel = [
        *feet(figure, ((0.0, 0.0, 0.35), (0, 0, 0)))[:1],
        reach("foot_r", (-0.1, 0.1, -0.46)),
        hips(figure, -0.47, -0.03),
    ]
    return {
        "doorbell": Doing(
            "pressing a doorbell", [reach("index_tip_r", bell), look("head", bell)], [(*bell, *bell, 0.02)], 0, True
        ),
        "shelf": Doing(
            "reaching up to a high shelf", [*stand, reach("hand_r", shelf), look("head", (-0.2, 2.0, 0.4))],
            _slab((-0.5, 0.2, 0.0), 1.95, (0.4, 0.6, 0.04)), 55,
        ),
        "floor": Doing(
            "taking something from the floor", [*stand, reach("hand_r", knob)],
            [(-0.15, 0.03, 0.52, -0.15, 0.03, 0.52, 0.03)], -20,
        ),
        "behind": Doing("reaching for something behind", [*stand, reach("hand_r", (-0.35, 1.1, -0.4))], (), -30),
        "box": Doing(
            "holding a box before the chest",
            [*stand, reach("hand_l", (0.18, 1.1, 0.4)), reach("hand_r", (-0.18, 1.1, 0.4))],
            _slab((-0.1, 0.1, 0.0), 1.15, (0.4, 0.6, 0.1)),
        ),
        "sit": Doing("sitting", sit, chair),
        "sit_hands": Doing(
            "sitting with the hands on the knees",
            [*sit, reach("hand_l", (0.13, 0.62, 0.06)), reach("hand_r", (-0.13, 0.62, 0.06))], chair,
        ),
        "kneel": Doing("kneeling on one knee", kneel, (), -20),
        **_others(figure),
    }  # fmt: skip


def _others(figure: posable.Figure) -> dict[str, Doing]:
    """Those in which the hips are free."""
    reach, look, stand = posable.Reach, posable.LookAt, feet(figure)
    return {
        "point": Doing(
            "pointing at something far away",
            [*stand, reach("index_tip_r", (-0.5, 1.5, 0.6)), look("head", (-2.0, 1.6, 2.4))],
        ),
        "push": Doing(
            "pushing a wall", [*stand, reach("hand_l", (0.2, 1.3, 0.6)), reach("hand_r", (-0.2, 1.3, 0.6))], (), 20
        ),
        "look_back": Doing("looking back over the shoulder", [*stand, look("head", (-2.0, 1.6, -0.5))]),
        "stool": Doing(
            "a foot on a stool", feet(figure, ((0, 0, 0), (0.0, 0.35, 0.35))),
            _slab((-0.22, 0.0, 0.0), 0.35, (0.28, 0.48, 0.04)),
        ),
    }  # fmt: skip


def solved(figure: posable.Figure, doing: Doing) -> dict[str, posable.Solution]:
    """The same goals without `Natural`, limb by limb, and with it and the limbs kept out of the body.

    Where a fingertip has a goal, the others are curled in all three.
    """
    frozen = ["root", "pelvis"] if doing.held else []
    by_finger = any(goal.joint.startswith("index") for goal in doing.goals)
    start = posable.grip(figure, "point", "r") if by_finger else figure.rest
    goals = [*doing.goals, posable.Natural(), posable.KeepApart()]
    return {
        "plain": posable.solve(start, doing.goals, frozen=frozen),
        "limbs": _limb_by_limb(figure, start, doing.goals),
        "natural": posable.solve(start, goals, frozen=frozen),
    }


def _limb_by_limb(figure: posable.Figure, pose: posable.Pose, goals: Sequence[posable.Goal]) -> posable.Solution:
    """As games do it: the hips are put where they are to be, every limb is bent by `TwoBone`, the neck turns the head.

    A goal of a finger or knee goes to the hand or foot of its limb, as far from it as at rest.
    """
    skeleton = figure.skeleton
    limbs: list[posable.Goal] = []
    for goal in goals:
        joint = skeleton.index(goal.joint)
        if isinstance(goal, posable.Reach) and goal.joint == "pelvis":
            q = np.array(pose.q)
            q[:3] += np.asarray(goal.target) - figure.rest.origins[joint]
            pose = posable.Pose(skeleton, q)
        elif isinstance(goal, posable.Reach) and goal.joint.startswith("index"):
            hand = skeleton.index(f"hand{goal.joint[-2:]}")
            off = figure.rest.origins[hand] - figure.rest.origins[joint]
            limbs.append(posable.Reach(skeleton.joints[hand], np.asarray(goal.target) + off))
        elif isinstance(goal, posable.Reach | posable.Place):
            limbs.append(goal)
    for goal in limbs:
        pose = posable.solve(pose, [goal], frozen=["root"], method=posable.solvers.TwoBone()).pose
    looks = [goal for goal in goals if isinstance(goal, posable.LookAt)]
    others = [name for name in skeleton.joints if name not in ("neck", "head")]
    return posable.solve(pose, looks, frozen=others)


def _sheet(figure: posable.Figure) -> None:
    """The sheet of the page: without, with."""
    cells = []
    for name, doing in reaches(figure).items():
        found = solved(figure, doing)
        poses = [found[which].pose for which in ("plain", "natural")]
        cells.append((doing.said, _drawn(figure, doing, poses, SIZE)))
        print(f"{name}: {found['plain'].describe()} | {found['natural'].describe()}")
    title, font = 44, ImageFont.load_default(30)  # pages show the sheet at two fifths of its size
    width, height = 2 * SIZE[0], SIZE[1] + title
    sheet = Image.new("RGB", (COLUMNS * width, -(-len(cells) // COLUMNS) * height), "white")
    for n, (said, pair) in enumerate(cells):
        x, y = n % COLUMNS * width, n // COLUMNS * height
        for k, one in enumerate(pair):
            sheet.paste(one, (x + k * SIZE[0], y + title))
        ImageDraw.Draw(sheet).text((x + 8, y + 4), said, fill="black", font=font)
    sheet.save(IMAGES / "natural.png")


def _blind(figure: posable.Figure, folder: Path, key: Path, seed: int) -> None:
    """A picture of each reach for readers, and the key to them."""
    rng, which = np.random.default_rng(seed), {}
    folder.mkdir(parents=True, exist_ok=True)
    font = ImageFont.load_default(24)
    for number, at in enumerate(rng.permutation(12).tolist(), 1):
        name, doing = list(reaches(figure).items())[at]
        found = solved(figure, doing)
        order = [list(found)[k] for k in rng.permutation(3)]
        picture = Image.new("RGB", (3 * LARGE[0], LARGE[1] + 72), "white")
        draw = ImageDraw.Draw(picture)
        draw.text((12, 4), f"{number}. {doing.said}", fill="black", font=font)
        for k, one in enumerate(_drawn(figure, doing, [found[one].pose for one in order], LARGE)):
            picture.paste(one, (k * LARGE[0], 72))
            draw.text((k * LARGE[0] + 12, 38), "ABC"[k], fill="black", font=font)
        picture.save(folder / f"{number:02}.png")
        which[f"{number:02}"] = {"reach": name, **dict(zip("ABC", order, strict=True))}
        print(f"{number:02} {name}")
    key.write_text(json.dumps(which, indent=1) + "\n", encoding="utf-8")


def _drawn(
    figure: posable.Figure, doing: Doing, poses: Sequence[posable.Pose], size: tuple[int, int]
) -> list[Image.Image]:
    """The poses from the same place, with the things beside them."""
    things = [posable.KeepApart(obstacles=doing.things)] if doing.things else []
    ends = [np.reshape(one, (-1, 3)) for thing in doing.things for one in (thing[:3], thing[3:6])]
    seen = np.concatenate([*(pose.origins for pose in (figure.rest, *poses)), *ends])
    margin = 0.06 * (np.ptp(seen, axis=0).max())
    seen = np.concatenate([seen - margin, seen + margin])
    camera = posable.view.Camera.framing(seen, aspect=size[0] / size[1], around=doing.around)
    return [
        Image.fromarray(
            np.asarray(posable.picture(figure, pose, size=size, camera=camera, goals=things, skeleton=False))
        ).convert("RGB")
        for pose in poses
    ]


def main() -> None:
    """Draw."""
    parser = argparse.ArgumentParser(description="Makes the pictures of docs/natural.md.")
    parser.add_argument("--blind", type=Path)
    parser.add_argument("--key", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    figure = posable.with_capsules(posable.figure("mannequin"))
    if options.blind:
        _blind(figure, options.blind, options.key or options.blind.with_suffix(".key.json"), options.seed)
    else:
        _sheet(figure)


if __name__ == "__main__":
    main()
