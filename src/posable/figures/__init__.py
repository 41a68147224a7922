"""Figures: skeleton, skins, clips and shapes together; the built-in ones."""

from posable.figures.builtin import figure
from posable.figures.capsules import with_capsules
from posable.figures.figure import Clips, Figure
from posable.figures.gathering import together
from posable.figures.learnt import figure_from_examples
from posable.figures.roles import BODY_ROLES, ROLE_NAMES, Limb, Roles, roles
from posable.figures.scaling import scaled
from posable.figures.shapes import Shape
from posable.figures.weighing import weighed

__all__ = [
    "BODY_ROLES",
    "ROLE_NAMES",
    "Clips",
    "Figure",
    "Limb",
    "Roles",
    "Shape",
    "figure",
    "figure_from_examples",
    "roles",
    "scaled",
    "together",
    "weighed",
    "with_capsules",
]
