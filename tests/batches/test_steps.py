"""Steps: the options of the commands of the same names, read from a text."""

from __future__ import annotations

from pathlib import Path

import pytest

import posable
from posable.batches.steps import read_step


def test_a_step_has_its_commands_options_and_defaults() -> None:
    step = read_step("retarget --plant --balance 2 --clip-roles 'my roles.toml'")
    assert (step.name, step.given["plant"], step.given["balance"], step.given["roles"]) == ("retarget", True, 2.0, None)
    assert step.files == [Path("my roles.toml").resolve()]  # workers may run elsewhere
    assert read_step("plant --foot foot_l").given == {"terrain": None, "feet": ("foot_l",)}
    assert read_step("walk").given["gait"] == "human"
    assert read_step("resample --fps 30").given == {"fps": 30.0, "interpolation": "linear"}
    assert read_step("mirror").given == {}


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        ("retagret", "no step is called 'retagret'; did you mean retarget?"),
        ("retarget --plnt", "No such option"),
        ("retarget --balance much", "not a valid float"),
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
