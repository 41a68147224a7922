"""Run by the Python of a separate environment, with MediaPipe but without posable: finds a person in a video.

One line of JSON for the video (size, fps, frames), then one for each frame: landmarks in pixels and in metres, null
where no person is seen.
"""

from __future__ import annotations

import json
import sys
from typing import Any


def told(points: Any, width: float, height: float) -> list[list[float]]:
    """[x, y, z, visibility] of each landmark."""
    return [[p.x * width, p.y * height, p.z * width, p.visibility] for p in points.landmark]


def main(video: str) -> None:
    """Estimate and print."""
    import cv2  # pyright: ignore[reportMissingImports]
    import mediapipe  # pyright: ignore[reportMissingImports]

    film: Any = cv2.VideoCapture(video)
    width, height = film.get(cv2.CAP_PROP_FRAME_WIDTH), film.get(cv2.CAP_PROP_FRAME_HEIGHT)
    head = {"size": [width, height], "fps": film.get(cv2.CAP_PROP_FPS), "frames": film.get(cv2.CAP_PROP_FRAME_COUNT)}
    print(json.dumps(head), flush=True)
    with mediapipe.solutions.pose.Pose(model_complexity=1) as pose:
        while film.isOpened():
            good, picture = film.read()
            if not good:
                break
            seen = pose.process(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB))
            if seen.pose_landmarks is None or seen.pose_world_landmarks is None:
                print("null", flush=True)
                continue
            image, world = told(seen.pose_landmarks, width, height), told(seen.pose_world_landmarks, 1.0, 1.0)
            print(json.dumps({"landmarks": image, "world_landmarks": world}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
