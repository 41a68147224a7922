"""Skeletons fitted into unrigged meshes."""

from posable.skin.fitting.fit_mesh import TEMPLATES, TemplateFit, fit_skeleton, fit_template

__all__ = ["TEMPLATES", "TemplateFit", "fit_skeleton", "fit_template"]
