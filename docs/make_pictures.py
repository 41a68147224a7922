"""Makes every picture of the documentation: `python docs/make_pictures.py`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image

import posable
import posable.figures
from posable.view import comparison_picture

IMAGES = Path(__file__).parent / "images"
BUILT_IN = ("mannequin", "doorbell_arm", "snake", "tentacle", "telescope", "arm6", "arm7")
DOORBELL = (-0.25, 1.3, 0.45)
SMALL = (400, 300)
RECORDING = Path(__file__).parents[2] / "shared/data/mocap/cmu_12_01_walk.bvh"
"""A recorded walk, from mocap.cs.cmu.edu."""
STILL = ("root", "spine", "chest")


def main() -> None:
    """Draw them all."""
    IMAGES.mkdir(exist_ok=True)
    for name in BUILT_IN:
        posable.picture(posable.figure(name), path=IMAGES / f"{name}.png", size=SMALL)
    _reach()
    _out_of_reach()
    mannequin = posable.with_masses(posable.figure("mannequin"))
    _arms(mannequin)
    _looks(mannequin)
    _whole_body(mannequin)
    _methods()
    if RECORDING.exists():
        _retargeted()


def _reach() -> None:
    figure = posable.figure("mannequin")
    goals = [posable.Reach("index_tip_r", DOORBELL), posable.LookAt("head", DOORBELL), posable.Natural()]
    solution = posable.solve(posable.grip(figure, "point", "r"), goals, frozen=["root"])
    posable.picture(figure, solution.pose, IMAGES / "reach.png", goals=goals, size=(800, 600))


def _out_of_reach() -> None:
    _draw("out_of_reach", posable.figure("arm6"), [posable.Reach("tool", (0.9, 0.6, 0.9))], frozen=())


def _arms(figure: posable.Figure) -> None:
    comfort = posable.Comfort()
    hand = posable.Reach("hand_r", (-0.4, 1.25, 0.3))
    _draw("pole_up", figure, [hand, posable.Pole("hand_r", (-0.9, 1.9, 0.0)), comfort])
    _draw("pole_down", figure, [hand, posable.Pole("hand_r", (-0.4, 0.5, 0.0)), comfort])
    hip = posable.Reach("hand_r", (-0.2, 0.06, 0.0), relative_to="root")
    _draw("relative", figure, [hip, posable.Pole("hand_r", (-0.9, 1.1, -0.3)), comfort])
    start, along = (-0.7, 1.06, 0.3), 0.9
    middle = (start[0] + along / 2, start[1] - figure.rest.origins[0, 1], start[2])
    rail = posable.figures.Shape("root", "cylinder", (0.012, along), middle, (0.5**0.5, 0.0, 0.5**0.5, 0.0))
    segment = posable.Reach("hand_r", start, within=posable.Segment((along, 0.0, 0.0)))
    _draw("within", replace(figure, shapes=(rail,)), [segment, comfort])


def _looks(figure: posable.Figure) -> None:
    place = (-1.6, 1.6, 0.9)
    alone = posable.LookAt("head", place)
    shared = posable.LookAt("head", place, share={"chest": 0.3, "neck": 0.3, "spine": 0.2})
    limited = posable.LookAt("head", (-1.3, 1.6, -0.9), limit=0.6)
    _draw("look_alone", figure, [alone, posable.Comfort()])
    _draw("look_shared", figure, [shared, posable.Comfort()], frozen=["root"])
    _draw("look_limited", figure, [limited, posable.Comfort()])


def _whole_body(figure: posable.Figure) -> None:
    world = figure.rest.world_from_joint
    feet = [posable.Place(foot, world[figure.skeleton.index(foot)]) for foot in ("foot_l", "foot_r")]
    aside = [*feet, posable.Reach("index_tip_r", (-1.0, 0.95, 0.35))]
    comfort = posable.Comfort()
    _draw("unbalanced", figure, [*aside, comfort], frozen=(), camera="front")
    _draw("balanced", figure, [*aside, posable.Balance((0.0, 0.0, 0.02)), comfort], frozen=(), camera="front")
    far = (-0.2, 1.1, 2.0)
    _draw("same_priority", figure, [*feet, posable.Reach("index_tip_r", far)], frozen=(), camera="side")
    _draw("priority", figure, [*feet, posable.Reach("index_tip_r", far, priority=1)], frozen=(), camera="side")


def _methods() -> None:
    """Each method on a figure that shows what it does, and all of them on one."""
    arm = (posable.figure("doorbell_arm"), posable.Reach("hand", (72.0, 30.0, 0.0)))
    tentacle = (posable.figure("tentacle"), posable.Reach("tip", (0.5, 0.5, 0.3)))
    chain = (_chain([0.0, *[0.12] * 11]), posable.Reach("tip", (0.6, 0.5, 0.3)))
    leg = (_chain([0.5, -0.9, 0.7, -0.4], 0.3), posable.Reach("tip", (0.4, 0.5, 0.2)))
    shown = {
        "pseudo_inverse": arm,
        "newton": arm,
        "transpose": arm,
        "gradient_descent": arm,
        "damped_least_squares": tentacle,
        "cyclic_descent": tentacle,
        "virtual_force": tentacle,
        "fabrik": chain,
        "spline_ik": chain,
        "spring_ik": leg,
        "two_bone": (posable.figure("mannequin"), posable.Reach("hand_r", (-0.25, 1.5, 0.4))),
    }
    for name, (figure, goal) in shown.items():
        _compare(f"method_{name}", figure, [goal], [name], (*STILL, "clavicle_r") if name == "two_bone" else (), 300)
    _compare("compare", tentacle[0], [tentacle[1]], None, (), 100)


def _retargeted() -> None:
    """A recorded walk above, the same on the mannequin below."""
    recorded, mannequin = posable.load(RECORDING), posable.figure("mannequin")
    clip = recorded.clips[0]
    walk = posable.retarget(clip, to=mannequin)
    rows = []
    for figure, motion in ((recorded, clip), (mannequin, walk)):
        shots = [
            posable.picture(figure, motion.poses[n], size=(240, 300), skeleton=False) for n in (100, 130, 160, 190)
        ]
        rows.append(np.concatenate(shots, axis=1))
    Image.fromarray(np.concatenate(rows)).save(IMAGES / "retargeted.png")


def _chain(bends: Sequence[float], length: float = 0.1) -> posable.Figure:
    """Balls in a row upwards, each bent at rest by so many radians."""
    joints: list[posable.Joint] = []
    for k, bend in enumerate(bends):
        above, place = (f"ball_{k - 1}", (0.0, length, 0.0)) if k else (None, (0.0, 0.0, 0.0))
        turn = (math.cos(bend / 2), 0.0, 0.0, math.sin(bend / 2))
        joints.append(posable.Joint(f"ball_{k}", "ball", above, place, rest=turn))
    joints.append(posable.Joint("tip", "fixed", joints[-1].name, (0.0, length, 0.0)))
    return posable.Figure(posable.Skeleton(joints), name="chain")


def _compare(
    name: str,
    figure: posable.Figure,
    goals: Sequence[posable.Goal],
    methods: Sequence[str] | None,
    frozen: Sequence[str],
    most: int,
) -> None:
    tolerance = 1e-3 * figure.skeleton.reach
    rows = posable.compare(figure, goals, methods, tolerance=tolerance, frozen=frozen, max_iterations=most)
    print(f"{name}: {', '.join(f'{row.name} {row.reached} {row.iterations}{row.refusal}' for row in rows)}")
    comparison_picture(figure, goals, rows, IMAGES / f"{name}.png", size=SMALL)


def _draw(
    name: str,
    figure: posable.Figure,
    goals: Sequence[posable.Goal | posable.Comfort],
    frozen: Sequence[str] = STILL,
    camera: posable.view.View = "three_quarter",
) -> None:
    solution = posable.solve(figure.rest, goals, frozen=frozen)
    print(f"{name}: {solution.describe()}")
    posable.picture(figure, solution.pose, IMAGES / f"{name}.png", goals=goals, size=SMALL, camera=camera)


if __name__ == "__main__":
    main()
