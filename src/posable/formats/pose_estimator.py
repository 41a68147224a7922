"""Run by the Python of a separate environment, with MediaPipe but without posable: finds a person in a video.

One line of JSON for the video (size, fps, frames), then one for each frame: a list of what is found in the picture and
in its mirror image, each landmarks in pixels and in metres, or null where no person is seen. In a mirror image the
estimator errs differently, most of all in depth.
"""

from __future__ import annotations

import json
import sys
from typing import Any

_MIRRORED = (0, 4, 5, 6, 1, 2, 3, 8, 7, 10, 9, *(k + 1 if k % 2 else k - 1 for k in range(11, 33)))
"""Of each landmark: the one on the other side."""


def told(points: Any, width: float, height: float, right: float | None) -> list[list[float]]:
    """[x, y, z, visibility] of each landmark. right: where x = 0 is in a mirror image; None in a picture."""
    found = [[p.x * width, p.y * height, p.z * width, p.visibility] for p in points.landmark]
    if right is None:
        return found
    return [[right - found[k][0], *found[k][1:]] for k in _MIRRORED]


def seen(pose: Any, picture: Any, size: tuple[float, float], mirrored: bool) -> dict[str, Any] | None:
    """What is found in one picture, left and right as in the picture that is not mirrored."""
    found = pose.process(picture)
    if found.pose_landmarks is None or found.pose_world_landmarks is None:
        return None
    edges = (size[0], 0.0) if mirrored else (None, None)
    return {
        "landmarks": told(found.pose_landmarks, *size, edges[0]),
        "world_landmarks": told(found.pose_world_landmarks, 1.0, 1.0, edges[1]),
    }


def main(video: str) -> None:
    """Estimate and print."""
    import cv2  # pyright: ignore[reportMissingImports]
    import mediapipe  # pyright: ignore[reportMissingImports]

    film: Any = cv2.VideoCapture(video)
    size = film.get(cv2.CAP_PROP_FRAME_WIDTH), film.get(cv2.CAP_PROP_FRAME_HEIGHT)
    head = {"size": size, "fps": film.get(cv2.CAP_PROP_FPS), "frames": film.get(cv2.CAP_PROP_FRAME_COUNT)}
    print(json.dumps(head), flush=True)
    pose = mediapipe.solutions.pose.Pose
    with pose(smooth_landmarks=False) as plain, pose(smooth_landmarks=False) as reflected:
        while film.isOpened():
            good, picture = film.read()
            if not good:
                break
            picture = cv2.cvtColor(picture, cv2.COLOR_BGR2RGB)
            both = [seen(plain, picture, size, False), seen(reflected, cv2.flip(picture, 1), size, True)]
            print(json.dumps(both), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
