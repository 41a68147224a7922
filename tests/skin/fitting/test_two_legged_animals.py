"""Skeletons fitted into animals that stand on two legs, and into robots that stand as people do."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from skin.fitting.test_fit_template import places

import posable
from posable.skin import fit_template

LINE = ("tail_3", "tail_2", "tail_1", "root", "spine", "upper_arm_l", "forearm_l", "hand_l")
"""Joints of a raptor, from behind to ahead."""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["characters/RobotExpressive.glb", "rigs/mech_pack_George.glb"])
@pytest.mark.parametrize("template", ["bird", "theropod"])
def test_robots_that_stand_are_no_birds_and_no_theropods(shared: Path, name: str, template: str) -> None:
    """A large head was taken for a bird's trunk at a score of 0.8, and its body for the legs."""
    assert fit_template(posable.load_mesh(shared / name), template).score < 0.25


@pytest.mark.slow
def test_a_raptor_has_arms_and_a_tail_of_several_joints(shared: Path) -> None:
    """It was taken for a bird at a score of 0.9: wings in its legs, and one bone in its tail."""
    mesh = posable.load_mesh(shared / "rigs/dinosaurs_pack_Velociraptor.glb")
    fit = fit_template(mesh, "auto")
    found = places(fit.skeleton)
    ahead, long = (np.array([found[name] @ fit.forward for name in names]) for names in (LINE, ("tail_1", "tail_3")))
    assert fit.template == "theropod" and fit.score > 0.7, fit
    assert (np.diff(ahead) > 0).all() and long[0] - long[1] > 0.3 * np.ptp(mesh.vertices @ fit.forward), found
