"""Several figures merged into one, to draw or solve them together, and each of them as a figure of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache

import numpy as np

from posable.errors import SkeletonError
from posable.figures.model import Figure
from posable.figures.shapes import Shape
from posable.skeleton import Joint, Skeleton
from posable.skin import Skin

Point = tuple[float, float, float]


def merge_figures(figures: Mapping[str, Figure], offsets: Mapping[str, Point] | None = None) -> Figure:
    """Merge several figures into one, such as a creature and the cube that it chases.

    The joint "head" of "snake" becomes "snake/head". Coordinates are concatenated in order, so poses of figures with
    fixed roots are merged by `np.concatenate([q, ...], axis=-1)`. Clips and sources are dropped.

    Args:
        figures: {prefix: figure}.
        offsets: {prefix: displacement `[3]` from the figure's own position}; default 0. A free root is moved in the
        rest
            pose; its coordinates remain those of the world.

    Returns:
        The merged figure.

    Raises:
        SkeletonError: For no figures, an unknown prefix in `offsets`, or figures with different up axes.
    """
    offsets = offsets or {}
    if not figures or set(offsets) - set(figures):
        raise SkeletonError(f"merge_figures needs figures, and offsets only of these, not {sorted(set(offsets))}")
    if len({one.skeleton.up for one in figures.values()}) > 1:
        raise SkeletonError(
            "figures with different up axes cannot be merged; `posable.figures.with_up_axis` rotates one of them"
        )
    joints: list[Joint] = []
    shapes: list[Shape] = []
    solids: list[Shape] = []
    for name, one in figures.items():
        one = with_joint_names(one, f"{name}/{{}}".format)
        joints += [_moved(j, offsets.get(name)) for j in one.skeleton.definitions]
        shapes += one.shapes
        solids += one.solids
    skeleton = Skeleton(joints, next(iter(figures.values())).skeleton.up)
    firsts = np.cumsum([0, *(len(one.skeleton.joints) for one in figures.values())])
    skins = [
        _on(skin, skeleton, int(first))
        for one, first in zip(figures.values(), firsts[:-1], strict=True)
        for skin in one.skins
    ]
    return Figure(skeleton, " and ".join(figures), tuple(skins), shapes=tuple(shapes), solids=tuple(solids))


def with_joint_names(figure: Figure, name: Callable[[str], str]) -> Figure:
    """The figure with other names of its joints; clips and source are dropped. name: from the old name to the new."""
    old = figure.skeleton
    skeleton = Skeleton([_renamed(joint, name) for joint in old.definitions], old.up)
    shapes, solids = (
        tuple(replace(one, joint=name(old.joints[old.index(one.joint)])) for one in own)
        for own in (figure.shapes, figure.solids)
    )
    skins = tuple(replace(skin, skeleton=skeleton) for skin in figure.skins)
    return Figure(skeleton, figure.name, skins, shapes=shapes, solids=solids)


def _renamed(joint: Joint, name: Callable[[str], str]) -> Joint:
    axes = tuple(
        a if a.follow is None else replace(a, follow=replace(a.follow, joint=name(a.follow.joint))) for a in joint.axes
    )
    parent = None if joint.parent is None else name(joint.parent)
    return replace(joint, name=name(joint.name), parent=parent, axes=axes, aliases=tuple(map(name, joint.aliases)))


def _moved(joint: Joint, offset: Point | None) -> Joint:
    """A root joint moved by an offset; other joints unchanged."""
    if joint.parent is not None or offset is None:
        return joint
    x, y, z = np.add(joint.position, offset).tolist()
    if not joint.floating or joint.rest is None:
        return replace(joint, position=(x, y, z))
    return replace(joint, position=(x, y, z), rest=(*np.add(joint.rest[:3], offset).tolist(), *joint.rest[3:]))


def _on(skin: Skin, skeleton: Skeleton, first: int) -> Skin:
    """The skin on the joints from `first` on."""
    inverse_bind = np.tile(np.eye(4), (len(skeleton.joints), 1, 1))
    inverse_bind[first : first + len(skin.inverse_bind)] = skin.inverse_bind
    return replace(
        skin, skeleton=skeleton, joints=skin.joints + np.int32(first), inverse_bind=inverse_bind, scales=None
    )


def _merged_joints(skeleton: Skeleton) -> list[slice]:
    """The joints of each of several merged figures, "first/hips" and "second/hips"; none for a single figure."""
    prefixes = [name.rpartition("/")[0] for name in skeleton.joints]
    starts = [k for k, prefix in enumerate(prefixes) if k == 0 or prefix != prefixes[k - 1]]
    parents = skeleton.parents.tolist()
    is_merged = all(above < 0 or prefixes[above] == prefix for above, prefix in zip(parents, prefixes, strict=True))
    if len(starts) < 2 or len(set(prefixes)) != len(starts) or not is_merged:
        return []
    return [slice(a, b) for a, b in zip(starts, [*starts[1:], len(prefixes)], strict=True)]


@lru_cache(maxsize=8)
def merged_figures(figure: Figure) -> tuple[tuple[Figure, slice], ...]:
    """Each of several merged figures, with the names of its joints in the merged one, and where these are among all
    joints; none for a single figure.
    """
    return tuple((_part(figure, one.start, one.stop), one) for one in _merged_joints(figure.skeleton))


def _part(figure: Figure, first: int, end: int) -> Figure:
    """The joints from `first` up to, not including, `end` as a figure of their own, with what they carry."""
    names = set(figure.skeleton.joints[first:end])
    skeleton = Skeleton(figure.skeleton.definitions[first:end], figure.skeleton.up)
    skins = [
        replace(
            skin,
            skeleton=skeleton,
            joints=np.where(skin.weights > 0, skin.joints, first) - first,
            inverse_bind=skin.inverse_bind[first:end],
        )
        for skin in figure.skins
        if first <= skin.joints[skin.weights > 0].min(initial=end) < end
    ]
    shapes, solids = ([one for one in own if one.joint in names] for own in (figure.shapes, figure.solids))
    return Figure(skeleton, figure.name, skins=tuple(skins), shapes=tuple(shapes), solids=tuple(solids))
