"""Several figures as one, to be seen or solved together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from posable.errors import SkeletonError
from posable.figures.figure import Figure
from posable.figures.shapes import Shape
from posable.skeleton import Joint, Skeleton
from posable.skin import Skin

Point = tuple[float, float, float]


def together(figures: Mapping[str, Figure], places: Mapping[str, Point] | None = None) -> Figure:
    """Figures side by side as one: a creature and the cube that it chases, or the same arm twice to compare.

    figures: by the names that tell them apart; the joint "head" of "snake" becomes "snake/head". Coordinates come one
        figure after the other, so the poses of fixed-rooted ones are joined by `np.concatenate([q, ...], axis=-1)`.
    places: by how much each is moved from where its own file puts it, 0 for those not named. A free root is moved at
        rest; its coordinates are those of the world all the same.
    Clips and what the files were are left behind.
    Raises SkeletonError for no figures, a place of none of them, or figures with different up axes.
    """
    places = places or {}
    if not figures or set(places) - set(figures):
        raise SkeletonError(f"together needs figures, and places of these only, not {sorted(set(places))}")
    if len({one.skeleton.up for one in figures.values()}) > 1:
        raise SkeletonError("figures with different up axes cannot stand together; convert one of them")
    joints: list[Joint] = []
    shapes: list[Shape] = []
    for name, one in figures.items():
        joints += [_moved(_renamed(j, name), places.get(name)) for j in one.skeleton.definitions]
        shapes += [
            replace(shape, joint=f"{name}/{one.skeleton.joints[one.skeleton.index(shape.joint)]}")
            for shape in one.shapes
        ]
    skeleton = Skeleton(joints, next(iter(figures.values())).skeleton.up)
    firsts = np.cumsum([0, *(len(one.skeleton.joints) for one in figures.values())])
    skins = [
        _on(skin, skeleton, int(first))
        for one, first in zip(figures.values(), firsts[:-1], strict=True)
        for skin in one.skins
    ]
    return Figure(skeleton, " and ".join(figures), tuple(skins), shapes=tuple(shapes))


def _renamed(joint: Joint, figure: str) -> Joint:
    def own(name: str) -> str:
        return f"{figure}/{name}"

    axes = tuple(
        a if a.follow is None else replace(a, follow=replace(a.follow, joint=own(a.follow.joint))) for a in joint.axes
    )
    parent = None if joint.parent is None else own(joint.parent)
    return replace(joint, name=own(joint.name), parent=parent, axes=axes, aliases=tuple(map(own, joint.aliases)))


def _moved(joint: Joint, place: Point | None) -> Joint:
    """A root that stands elsewhere; other joints as they are."""
    if joint.parent is not None or place is None:
        return joint
    x, y, z = np.add(joint.position, place).tolist()
    if joint.kind != "free" or joint.rest is None:
        return replace(joint, position=(x, y, z))
    return replace(joint, position=(x, y, z), rest=(*np.add(joint.rest[:3], place).tolist(), *joint.rest[3:]))


def _on(skin: Skin, skeleton: Skeleton, first: int) -> Skin:
    """The skin on the joints from `first` on."""
    inverse_bind = np.tile(np.eye(4), (len(skeleton.joints), 1, 1))
    inverse_bind[first : first + len(skin.inverse_bind)] = skin.inverse_bind
    return replace(skin, skeleton=skeleton, joints=skin.joints + np.int32(first), inverse_bind=inverse_bind)
