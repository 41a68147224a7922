"""Makes every picture of the documentation: `python docs/make_pictures.py`."""

from __future__ import annotations

from pathlib import Path

import posable

IMAGES = Path(__file__).parent / "images"
BUILT_IN = ("mannequin", "doorbell_arm", "snake", "tentacle", "telescope", "arm6", "arm7")
DOORBELL = (-0.25, 1.3, 0.45)


def main() -> None:
    """Draw them all."""
    IMAGES.mkdir(exist_ok=True)
    for name in BUILT_IN:
        posable.picture(posable.figure(name), path=IMAGES / f"{name}.png", size=(400, 300))
    _reach()
    _out_of_reach()


def _reach() -> None:
    figure = posable.figure("mannequin")
    goals = [posable.Reach("index_tip_r", DOORBELL), posable.LookAt("head", DOORBELL)]
    solution = posable.solve(figure.rest, goals, frozen=["root"])
    posable.picture(figure, solution.pose, IMAGES / "reach.png", goals=goals, size=(800, 600))


def _out_of_reach() -> None:
    arm = posable.figure("arm6")
    goals = [posable.Reach("tool", (0.9, 0.6, 0.9))]
    solution = posable.solve(arm.rest, goals)
    posable.picture(arm, solution.pose, IMAGES / "out_of_reach.png", goals=goals, size=(400, 300))


if __name__ == "__main__":
    main()
