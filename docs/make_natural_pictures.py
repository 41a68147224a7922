"""Makes the sheet of docs/natural.md, everyday reaches without and with `Natural`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

import posable

IMAGES = Path(__file__).parent / "images"
SIZE = (320, 360)
COLUMNS = 3
Place = tuple[float, float, float]


def feet(figure: posable.Figure, apart: float = 0.0) -> list[posable.Goal]:
    """The feet where they stand."""
    found: list[posable.Goal] = []
    for joint, side in (("foot_l", 1.0), ("foot_r", -1.0)):
        frame = np.array(figure.rest.world_from_joint[figure.skeleton.index(joint)])
        frame[0, 3] += side * apart
        found.append(posable.Place(joint, frame))
    return found


def hips(figure: posable.Figure, up: float, ahead: float = 0.0) -> posable.Goal:
    """The hips moved up and ahead."""
    place = figure.rest.origins[figure.skeleton.index("pelvis")] + (0.0, up, ahead)
    return posable.Reach("pelvis", place)


def reaches(figure: posable.Figure) -> dict[str, tuple[list[posable.Goal], bool]]:
    """What is done: its goals, and whether the hips stay where they are."""
    bell: Place = (-0.25, 1.3, 0.45)
    stand = feet(figure)
    back = (-2.0, 1.6, -0.5)
    stool = np.array(figure.rest.world_from_joint[figure.skeleton.index("foot_r")])
    stool[:3, 3] += (0.0, 0.35, 0.35)
    return {
        "a doorbell": ([posable.Reach("index_tip_r", bell), posable.LookAt("head", bell)], True),
        "a high shelf": (
            [*stand, posable.Reach("hand_r", (-0.2, 2.0, 0.3)), posable.LookAt("head", (-0.2, 2.0, 0.4))], False,
        ),
        "something on the floor": ([*stand, posable.Reach("hand_r", (-0.15, 0.1, 0.45))], False),
        "something behind": ([*stand, posable.Reach("hand_r", (-0.35, 1.1, -0.4))], False),
        "a box before the chest": (
            [*stand, posable.Reach("hand_l", (0.18, 1.1, 0.4)), posable.Reach("hand_r", (-0.18, 1.1, 0.4))], False,
        ),
        "sit": ([*stand, hips(figure, -0.42, -0.3)], False),
        "sit, hands on knees": (
            [*stand, hips(figure, -0.42, -0.3), posable.Reach("hand_l", (0.13, 0.56, 0.1)),
             posable.Reach("hand_r", (-0.13, 0.56, 0.1))], False,
        ),
        "squat": ([*stand, hips(figure, -0.35, -0.28)], False),
        "point": (
            [*stand, posable.Reach("index_tip_r", (-0.5, 1.5, 0.6)), posable.LookAt("head", (-2.0, 1.6, 2.4))], False,
        ),
        "push": (
            [*stand, posable.Reach("hand_l", (0.2, 1.3, 0.6)), posable.Reach("hand_r", (-0.2, 1.3, 0.6))], False,
        ),
        "look back": ([*stand, posable.LookAt("head", back)], False),
        "a foot on a stool": ([stand[0], posable.Place("foot_r", stool)], False),
    }  # fmt: skip


def main() -> None:
    """Draw the sheet."""
    figure = posable.figure("mannequin")
    cells = []
    for said, (goals, held) in reaches(figure).items():
        frozen = ["root", "pelvis"] if held else []
        pair = [posable.solve(figure.rest, asked, frozen=frozen) for asked in (goals, [*goals, posable.Natural()])]
        cells.append((said, [_drawn(figure, solution.pose) for solution in pair]))
        print(f"{said}: {pair[0].describe()} | {pair[1].describe()} | {pair[1].prior_distance:.2f}")
    width, height = 2 * SIZE[0], SIZE[1] + 24
    sheet = Image.new("RGB", (COLUMNS * width, -(-len(cells) // COLUMNS) * height), "white")
    for n, (said, pair) in enumerate(cells):
        x, y = n % COLUMNS * width, n // COLUMNS * height
        for k, one in enumerate(pair):
            sheet.paste(one, (x + k * SIZE[0], y + 24))
        ImageDraw.Draw(sheet).text((x + 8, y + 4), f"{said}: without, with Natural", fill="black")
    sheet.save(IMAGES / "natural.png")


def _drawn(figure: posable.Figure, pose: posable.Pose) -> Image.Image:
    return Image.fromarray(np.asarray(posable.picture(figure, pose, size=SIZE))).convert("RGB")


if __name__ == "__main__":
    main()
