"""The lengths of a person's bones from key points."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from motion.key_points.seen import FOCAL, SIZE, filmed

import posable
from posable.motion.markers.marker_model import scaled_figure


def test_the_pixels_tell_the_lengths_where_landmarks_are_wrong_along_the_view() -> None:
    """A person with long arms; the estimator's depths are too small and err alike for half a second."""
    body = posable.figure("mannequin")
    factors = np.ones(len(body.skeleton.joints))
    for part in ("upper_arm", "forearm"):
        factors[[body.skeleton.index(f"{part}_{side}") for side in "lr"]] = 1.2
    walk = replace(posable.walk(body, steps=4))
    person = scaled_figure(body, factors)
    clip = posable.Clip(person.skeleton, walk.q, walk.fps)
    truth = filmed(person, clip, "mediapipe33", noise=0.0, lost=0.0)
    landmarks = np.array(truth.landmarks)
    landmarks[..., 2] *= 0.7
    landmarks[..., :2] *= 1 + 0.1 * np.sin(np.arange(len(clip)) / 5)[:, None, None]
    points = posable.KeyPoints.of("mediapipe33", landmarks, clip.fps, image=truth.pixels, size=SIZE)
    found = posable.from_key_points(points, focal=FOCAL).person.skeleton
    for part in ("forearm", "hand"):
        index = found.index(f"{part}_l")
        ratio = np.linalg.norm(found.definitions[index].position) / np.linalg.norm(
            body.skeleton.definitions[index].position
        )
        thigh = np.linalg.norm(found.definitions[found.index("shin_l")].position) / np.linalg.norm(
            body.skeleton.definitions[body.skeleton.index("shin_l")].position
        )
        assert ratio / thigh == pytest.approx(1.2, rel=0.06)
