"""Steps: the options of the commands of the same names, read from a text."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import posable
from posable.batches.steps import Work, done, read_step, ready
from posable.skeleton import joints_below


def test_a_step_has_its_commands_options_and_defaults() -> None:
    step = read_step("retarget --plant --balance 2 --clip-roles 'my roles.toml'")
    assert (step.name, step.given["plant"], step.given["balance"], step.given["roles"]) == ("retarget", True, 2.0, None)
    assert step.files == [Path("my roles.toml").resolve()]  # workers may run elsewhere
    assert read_step("plant --foot foot_l").given == {"terrain": None, "feet": ("foot_l",), "roles": None}
    assert read_step("walk").given["gait"] is None  # as many legs as a figure has say which
    assert read_step("resample --fps 30").given == {"fps": 30.0, "interpolation": "linear"}
    assert read_step("mirror").given == {}


def test_arms_that_a_recording_lacks_stay_at_rest_with_plain() -> None:
    figure = posable.figure("mannequin")
    walk = posable.walk(figure, steps=2)
    roles = posable.roles(figure)
    gone = {j for side in "lr" for j in joints_below(figure.skeleton, roles.index(f"upper_arm_{side}"))}
    kept = [j for j in range(len(figure.skeleton.joints)) if j not in gone]
    legs = posable.Skeleton([figure.skeleton.definitions[j] for j in kept], figure.skeleton.up)
    first = [*figure.skeleton.tables.first_coordinate, walk.q.shape[1]]
    armless = posable.Clip(legs, walk.q[:, [c for j in kept for c in range(first[j], first[j + 1])]], walk.fps)

    def arm(step: str) -> float:
        """How far the left upper arm turns away from rest."""
        work = Work(Path("legs.bvh"), figure=posable.Figure(legs), motion=armless)
        clip = done(work, [ready(read_step(step), figure)]).clip()
        own = list(figure.skeleton.freedom_range(roles.index("upper_arm_l")))
        return float(np.abs(clip.poses.minus(figure.rest)[:, own]).max())

    assert arm("retarget --plain") < 1e-6 < 0.3 < arm("retarget")


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        ("retagret", "no step is called 'retagret'; did you mean retarget?"),
        ("retarget --plnt", "No such option"),
        ("retarget --balance much", "not a valid number"),
        ("retarget --film x.mp4", "No such option"),
        ("retarget 'x", "is not a command and its options"),
        ("resample", "Missing option '--fps'"),
        ("mirror walk.bvh", "unexpected extra argument"),
        ("", "no step is called ''"),
    ],
)
def test_a_step_that_cannot_be_is_one_sentence(step: str, reason: str) -> None:
    with pytest.raises(posable.PosableError, match=reason):
        read_step(step)
