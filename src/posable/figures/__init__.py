"""Figures: skeleton, skins, clips and shapes together; the built-in ones."""

from posable.figures.builtin import figure
from posable.figures.figure import Clips, Figure
from posable.figures.scaling import scaled
from posable.figures.shapes import Shape
from posable.figures.weighing import weighed

__all__ = ["Clips", "Figure", "Shape", "figure", "scaled", "weighed"]
