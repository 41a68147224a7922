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


def test_an_arch_is_not_a_theropod() -> None:
    """A bent tube was one at a score of 0.4: its ends the legs, wider apart than it is long."""
    angles, along = np.linspace(0, 2 * np.pi, 12, endpoint=False), np.linspace(0, 1, 40)
    middles = np.stack([along, 0.2 + 0.1 * np.sin(4 * along), 0 * along], axis=1)
    rings = 0.05 * np.stack([0 * angles, np.cos(angles), np.sin(angles)], axis=1)
    near = np.arange(39 * 12).reshape(39, 12)
    far = np.roll(near, -1, axis=1)
    sides = np.concatenate([np.stack([near, near + 12, far], -1), np.stack([far, near + 12, far + 12], -1)])
    caps = [np.stack([ring[0] + 0 * ring, ring, np.roll(ring, -1)], 1)[1:-1] for ring in (near[0], near[-1] + 12)]
    faces = np.concatenate([sides.reshape(-1, 3), *caps]).astype(np.int32)
    mesh = posable.Mesh((middles[:, None] + rings).reshape(-1, 3), faces)
    assert fit_template(mesh, "theropod").score < 0.15
