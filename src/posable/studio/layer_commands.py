"""The commands of a page about layers of keys: one frozen record each, read from JSON."""

from __future__ import annotations

from dataclasses import dataclass

from posable.studio.command import UNSET, After, Command, Unset


@dataclass(frozen=True)
class LayerAdd(Command, op="layer.add", after=After.PLAY):
    """Add an empty layer over the edited one, and edit it. name: "" for one that is free."""

    name: str = ""


@dataclass(frozen=True)
class LayerChoose(Command, op="layer.choose", after=After.PLAY):
    """Edit another layer: keys are shown, set and removed in it."""

    name: str


@dataclass(frozen=True)
class LayerSet(Command, op="layer.set", after=After.PLAY):
    """Change a layer. weight: 0 … 1. on: whether it counts. rename: its new name."""

    name: str
    weight: float | Unset = UNSET
    on: bool | Unset = UNSET
    rename: str | Unset = UNSET


@dataclass(frozen=True)
class LayerMove(Command, op="layer.move", after=After.PLAY):
    """Move a layer among the others. by: steps; positive ones lead to the top."""

    name: str
    by: int


@dataclass(frozen=True)
class LayerRemove(Command, op="layer.remove", after=After.PLAY):
    """Remove a layer with its keys."""

    name: str
