"""A document whose figure gets other joints: everything in it that names joints or holds coordinates follows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import posable
from posable.spatial import Array
from posable.studio.document import Document, GoalKey, KeyLayer, SavedPose, StudioGoal, StudioProp
from posable.studio.scenery import on_joint


@dataclass(frozen=True)
class Change:
    """How a figure becomes another one.

    figure: the other one. joint: from the name of a joint to its name there, None if it is gone. q: from coordinates
    `[..., coordinate]` to those of the other figure. every: its joints that "all joints" stands for; None: all. goal:
    from the name of a goal to the other name that it gets.
    """

    figure: posable.Figure
    joint: Callable[[str], str | None]
    q: Callable[[Array], Array]
    every: tuple[str, ...] | None = None
    goal: Callable[[str], str] = str

    def applied(self, document: Document, source: str) -> Document:
        """The document of the other figure, which is kept in the file `source`. Goals of joints that are gone are left
        out; others that went with such a joint, and props that it carried, stay where they are.
        """
        skeleton, figure = self.figure.skeleton, self.figure
        goals = tuple(self._goals(document))
        named = {goal.name for goal in goals}
        return replace(
            document, figure=figure, opened=figure, source=source,
            pose=posable.Pose(skeleton, self.q(document.pose.q)),
            still=document.still and posable.Pose(skeleton, self.q(document.still.q)),
            goals=goals,
            frozen=frozenset(self._known(document.frozen)),
            kept={now: value for joint, value in document.kept.items() if (now := self.joint(joint)) is not None},
            clips=tuple(replace(clip, skeleton=skeleton, q=self.q(clip.q)) for clip in document.clips),
            layers=tuple(self._layer(layer, named) for layer in document.layers),
            poses=tuple(self._saved(document)),
            props=tuple(self._prop(prop, document.pose) for prop in document.props),
            is_reskinned=False,
        )  # fmt: skip

    def _prop(self, prop: StudioProp, pose: posable.Pose) -> StudioProp:
        if prop.joint is None:
            return prop
        now = self.joint(prop.joint)
        return on_joint(prop, None, pose) if now is None else replace(prop, joint=now)

    def _some(self, joints: tuple[str, ...] | None) -> tuple[str, ...] | None:
        return self.every if joints is None else tuple(self._known(joints))

    def _known(self, joints: frozenset[str] | tuple[str, ...]) -> Iterator[str]:
        return (now for joint in joints if (now := self.joint(joint)) is not None)

    def _goals(self, document: Document) -> Iterator[StudioGoal]:
        own = document.figure.skeleton.joints
        for goal in document.goals:
            now = self.joint(goal.joint)
            if now is not None:
                to = self.joint(goal.relative_to) if goal.relative_to in own else goal.relative_to
                keys = self._keys(goal.keys)
                yield replace(goal, name=self.goal(goal.name), joint=now, relative_to=to, keys=keys)

    def _keys(self, keys: tuple[GoalKey, ...]) -> tuple[GoalKey, ...]:
        return tuple(replace(key, q=self.q(key.q), holds=self._some(key.holds)) for key in keys)

    def _layer(self, layer: KeyLayer, goals: set[str]) -> KeyLayer:
        keys = {self.goal(goal): self._keys(keys) for goal, keys in layer.keys.items()}
        return replace(layer, keys={goal: own for goal, own in keys.items() if goal in goals})

    def _saved(self, document: Document) -> Iterator[SavedPose]:
        for pose in document.poses:
            joints = self._some(pose.joints)
            if joints is None or joints:
                yield replace(pose, q=self.q(pose.q), joints=joints)
