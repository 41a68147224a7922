# SPDX-License-Identifier: GPL-3.0-or-later
"""The operators. Each is one step of undo, and changes nothing where it reports an error."""

from __future__ import annotations

import re

import bpy
import numpy as np
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty

import posable

from .exchange import (
    action_frames,
    bones_of,
    deformed_by,
    each_frame,
    figure_of,
    new_armature,
    surface_of,
    write_action,
    write_pose,
    write_weights,
)

BONE = "posable_bone"
"""The custom property of an empty that names its bone, where the empty's own name does not."""


class _Step(bpy.types.Operator):
    """An operator whose errors are reports."""

    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012  Blender wants a set

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Do it. What posable refuses becomes a report, and nothing has changed."""
        try:
            said = self.act(context)
        except posable.PosableError as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        self.report({"INFO"}, said)
        return {"FINISHED"}

    def act(self, context: bpy.types.Context) -> str:
        """Do it and tell what was done."""
        raise NotImplementedError


class _OnArmature(_Step):
    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the active object is an armature that is not being edited."""
        thing = context.active_object
        return thing is not None and thing.type == "ARMATURE" and thing.mode != "EDIT"


def _others(context: bpy.types.Context, kind: str) -> list[bpy.types.Object]:
    return [one for one in context.selected_objects if one.type == kind and one != context.active_object]


def _constrained(armature: bpy.types.Object) -> str:
    """A warning where constraints will act on top of what is written."""
    acting = [bone.name for bone in armature.pose.bones if any(not c.mute and c.influence for c in bone.constraints)]
    return f"; constraints of {', '.join(acting[:4])} act on top of it" if acting else ""


class Reach(_OnArmature):
    """Bring bones of the active armature to the selected empties: each empty is named like its bone or role ("hand.r"),
    or has it in its custom property posable_bone"""

    bl_idname = "posable.reach"
    bl_label = "Reach Empties"

    turn: BoolProperty(name="Rotation Too", description="The bone takes the empty's rotation as well")  # type: ignore
    feet: BoolProperty(
        name="Feet Stay", default=True, description="Feet without an empty stay where they are, and the hips are free"
    )  # type: ignore
    natural: BoolProperty(name="Natural", default=True, description="The rest of a person's body does what people do")  # type: ignore
    over: EnumProperty(
        name="Over",
        items=[
            ("FRAME", "This Frame", "Change the pose of this frame"),
            ("ACTION", "The Whole Action", "Lay the goals over every frame of the active action, as a new action"),
        ],
    )  # type: ignore
    key: BoolProperty(name="Insert Keys", default=True, description="Key the bones that moved in this frame")  # type: ignore

    def act(self, context: bpy.types.Context) -> str:
        """Solve for this frame, or for all frames of the action."""
        from posable.natural import natural_if_known

        armature, empties = context.active_object, _others(context, "EMPTY")
        if not empties:
            raise posable.PosableError("no empty is selected; name one like a bone and select it with the armature")
        if self.over == "ACTION":
            return self._over_action(context, armature, empties)
        figure, start = figure_of(armature)
        goals = self._goals(figure, empties, [_placed(empty) for empty in empties])
        goals += [posable.Place(foot, start.world_from_joint[k]) for foot, k in self._standing(figure, goals)]
        held = [] if len(goals) > len(empties) else _floating(figure, goals)
        more = natural_if_known(figure.skeleton) if self.natural else []
        solution = posable.solve(start, [*goals, *more], frozen=held)
        write_pose(armature, solution.pose, self.key)
        return solution.describe() + _constrained(armature)

    def _over_action(
        self, context: bpy.types.Context, armature: bpy.types.Object, empties: list[bpy.types.Object]
    ) -> str:
        frames = action_frames(armature)
        figure, poses = figure_of(armature, frames)
        with each_frame(context.scene):
            placed = [_all_placed(context.scene, frame, empties) for frame in frames]
        goals = self._goals(figure, empties, list(np.swapaxes(placed, 0, 1)))
        clip = posable.motion.overlay(figure.clips[0], dict.fromkeys(goals, 1.0))
        name = armature.animation_data.action.name
        write_action(armature, clip, f"{name} reach", frames[0])
        del poses
        return f"{len(clip)} frames{_constrained(armature)}"

    def _goals(
        self, figure: posable.Figure, empties: list[bpy.types.Object], placed: list[np.ndarray]
    ) -> list[posable.Goal]:
        goals: list[posable.Goal] = []
        for empty, where in zip(empties, placed, strict=True):
            name = str(empty.get(BONE) or re.sub(r"\.\d{3}$", "", empty.name))
            try:
                joint = figure.skeleton.joints[figure.skeleton.index(name)]
            except posable.UnknownJointError as problem:
                raise posable.PosableError(f"empty {empty.name!r}: {problem}") from problem
            goals.append(posable.Place(joint, where) if self.turn else posable.Reach(joint, where[..., :3, 3]))
        return goals

    def _standing(self, figure: posable.Figure, goals: list[posable.Goal]) -> list[tuple[str, int]]:
        """The feet that no goal moves, with their numbers."""
        from posable.figures.effectors import feet

        skeleton, moved = figure.skeleton, {goal.joint for goal in goals}
        found = feet(posable.roles(skeleton)).values() if self.feet else ()
        return [(foot, skeleton.index(foot)) for foot in found if foot not in moved]


def _floating(figure: posable.Figure, goals: list[posable.Goal]) -> list[str]:
    moved = {goal.joint for goal in goals}
    return [joint.name for joint in figure.skeleton.definitions if joint.travels and joint.name not in moved]


def _placed(empty: bpy.types.Object) -> np.ndarray:
    """Its place and rotation in the world, `[4, 4]`, without its scale."""
    place, turn, _ = empty.matrix_world.decompose()
    found = np.eye(4)
    found[:3, :3], found[:3, 3] = turn.to_matrix(), place
    return found


def _all_placed(scene: bpy.types.Scene, frame: int, empties: list[bpy.types.Object]) -> list[np.ndarray]:
    scene.frame_set(frame)
    return [_placed(empty) for empty in empties]


class PlantFeet(_OnArmature):
    """Take sliding, sinking and hovering feet out of the active action, as a new action"""

    bl_idname = "posable.plant_feet"
    bl_label = "Plant Feet"

    def act(self, context: bpy.types.Context) -> str:
        """Plant the feet."""
        armature = context.active_object
        frames = action_frames(armature)
        figure, _ = figure_of(armature, frames)
        clip = posable.plant_feet(figure.clips[0], figure=figure)
        write_action(armature, clip, f"{armature.animation_data.action.name} planted", frames[0])
        return f"feet planted in {len(clip)} frames{_constrained(armature)}"


class Retarget(_OnArmature):
    """Bring the action of the other selected armature to the active one, as a new action"""

    bl_idname = "posable.retarget"
    bl_label = "Retarget Action"

    plant: BoolProperty(name="Plant Feet", description="Plant feet that slide in the source, too")  # type: ignore

    def act(self, context: bpy.types.Context) -> str:
        """Retarget the whole action."""
        armature, sources = context.active_object, _others(context, "ARMATURE")
        if len(sources) != 1:
            raise posable.PosableError(
                f"select one other armature, whose action is taken, and not {len(sources)}; then make"
                f" {armature.name!r} the active one"
            )
        frames = action_frames(sources[0])
        source, _ = figure_of(sources[0], frames)
        figure, _ = figure_of(armature)
        clip = posable.retarget(source.clips[0], figure, plant=self.plant)
        write_action(armature, clip, f"{sources[0].animation_data.action.name} on {armature.name}", frames[0])
        return f"{len(clip)} frames from {sources[0].name!r}{_constrained(armature)}"


def _gaits(_operator: bpy.types.Operator | None, _context: bpy.types.Context | None) -> list[tuple[str, str, str]]:
    if not _GAITS:
        names = sorted(posable.motion.characters(), key=lambda name: name != "human")  # the first is the default
        _GAITS.extend((name, name.capitalize(), f"posable's gait {name!r}") for name in names)
    return _GAITS


_GAITS: list[tuple[str, str, str]] = []
"""Blender does not keep the texts of a list that a function makes: they live here."""


class Walk(_OnArmature):
    """Make the active armature walk ahead from where it stands, as a new action that begins in this frame"""

    bl_idname = "posable.walk"
    bl_label = "Walk"

    gait: EnumProperty(name="Gait", items=_gaits)  # type: ignore
    steps: IntProperty(name="Steps", default=6, min=1, max=10_000)  # type: ignore
    starts: BoolProperty(name="From Standing", default=True)  # type: ignore
    stops: BoolProperty(name="To Standing", default=True)  # type: ignore
    turn: FloatProperty(
        name="Turn", subtype="ANGLE", description="Turn in place by so much instead; to the left is positive"
    )  # type: ignore

    def act(self, context: bpy.types.Context) -> str:
        """Walk."""
        armature, scene = context.active_object, context.scene
        figure, _ = figure_of(armature)
        turn = float(np.degrees(self.turn)) if self.turn else None
        steps = None if turn else self.steps
        clip = posable.walk(figure, self.gait or "human", steps, turn=turn, starts=self.starts, stops=self.stops)
        action = write_action(armature, clip, f"{clip.name} walk", scene.frame_current)
        return f"{action.name!r}: {clip.seconds:.2f} s{_constrained(armature)}"


class Bind(_OnArmature):
    """Bind the selected meshes to the active armature, at rest: weights as vertex groups, and the modifier"""

    bl_idname = "posable.bind"
    bl_label = "Bind Meshes"

    method: EnumProperty(
        name="Method",
        items=[
            ("heat", "Heat", "Every bone heats the surface that it sees from inside"),
            ("voxel", "Voxels", "Distances through the filled mesh, for open meshes and many pieces"),
        ],
    )  # type: ignore

    def act(self, context: bpy.types.Context) -> str:
        """Bind each mesh."""
        armature, meshes = context.active_object, _others(context, "MESH")
        if not meshes:
            raise posable.PosableError("no mesh is selected; select meshes, then the armature")
        figure, _ = figure_of(armature, skins=False)
        names = [bone.name for bone in bones_of(armature) if bone.use_deform]
        skins = [_bound(mesh, figure.skeleton, self.method, names) for mesh in meshes]
        for mesh, skin in zip(meshes, skins, strict=True):
            write_weights(mesh, armature, skin)
        notes = [note for skin in skins for note in skin.notes]
        return "; ".join([f"bound {len(meshes)} to {armature.name!r}", *notes[:3]])


def _bound(mesh: bpy.types.Object, skeleton: posable.Skeleton, method: str, names: list[str] | None) -> posable.Skin:
    surface = posable.Mesh(*surface_of(mesh), name=mesh.name, up="z")
    return posable.bind(surface, skeleton, method, joints=names)


class FitAndBind(_Step):
    """Fit a skeleton into the active mesh, make an armature of it, and bind the mesh to that"""

    bl_idname = "posable.fit_and_bind"
    bl_label = "Fit and Bind Skeleton"

    template: EnumProperty(
        name="Template",
        items=[(name, name.capitalize(), "") for name in ("biped", "quadruped", "chain", "spider", "insect", "auto")],
    )  # type: ignore
    fingers: BoolProperty(name="Fingers", description="Five fingers on each hand of a biped")  # type: ignore

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the active object is a mesh that is not being edited."""
        thing = context.active_object
        return thing is not None and thing.type == "MESH" and thing.mode == "OBJECT"

    def act(self, context: bpy.types.Context) -> str:
        """Fit, then bind."""
        mesh = context.active_object
        surface = posable.Mesh(*surface_of(mesh), name=mesh.name, up="z")
        fit = posable.skin.fit_template(surface, self.template, fingers=self.fingers)
        skin = posable.bind(surface, fit.skeleton)
        armature = new_armature(fit.skeleton, f"{mesh.name} skeleton")
        write_weights(mesh, armature, skin)
        for thing in deformed_by(armature):
            thing.select_set(False)
        armature.select_set(True)
        context.view_layer.objects.active = armature
        doubts = f"; {'; '.join(fit.doubts)}" if fit.doubts else ""
        return f"{len(fit.skeleton.joints)} bones, score {fit.score:.2f}{doubts}"


OPERATORS = (Reach, PlantFeet, Retarget, Walk, FitAndBind, Bind)
