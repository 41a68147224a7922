"""Figures: skeleton, skins, clips and shapes together; the built-in ones."""

from posable.figures.builtin import figure
from posable.figures.fingers import grip
from posable.figures.merging import merge_figures
from posable.figures.model import Clips, Figure
from posable.figures.rebuild import figure_from_examples, scaled, with_up_axis
from posable.figures.role_table import JointUses, Roles, joint_uses, roles
from posable.figures.shapes import Shape
from posable.figures.volumes import with_capsules, with_masses
from posable.skeleton.body_roles.limbs import Limb
from posable.skeleton.body_roles.skeleton_facts import BODY_ROLES, ROLE_NAMES

__all__ = [
    "BODY_ROLES",
    "ROLE_NAMES",
    "Clips",
    "Figure",
    "JointUses",
    "Limb",
    "Roles",
    "Shape",
    "figure",
    "figure_from_examples",
    "grip",
    "joint_uses",
    "merge_figures",
    "roles",
    "scaled",
    "with_capsules",
    "with_masses",
    "with_up_axis",
]
