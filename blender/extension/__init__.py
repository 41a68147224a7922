# SPDX-License-Identifier: GPL-3.0-or-later
"""posable in Blender: operators on the selected armature, and a panel in the 3D view's side bar."""

from __future__ import annotations

import bpy

from .operators import OPERATORS


class PosablePanel(bpy.types.Panel):
    """The operators, with what each needs to be selected."""

    bl_idname = "VIEW3D_PT_posable"
    bl_label = "posable"
    bl_category = "posable"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"

    def draw(self, context: bpy.types.Context) -> None:
        """A button for each operator."""
        del context
        for operator in OPERATORS:
            self.layout.operator(operator.bl_idname)


def register() -> None:
    """Called by Blender when the extension is enabled."""
    for kind in (*OPERATORS, PosablePanel):
        bpy.utils.register_class(kind)


def unregister() -> None:
    """Called by Blender when the extension is disabled."""
    for kind in reversed((*OPERATORS, PosablePanel)):
        bpy.utils.unregister_class(kind)
