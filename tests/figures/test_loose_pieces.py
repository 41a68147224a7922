"""Figures from control rigs, whose limbs only the skin holds together: each piece hangs where it belongs."""

from __future__ import annotations

import numpy as np
import pytest

import posable
from posable import Figure, Joint, Skeleton, Skin
from posable.figures.detached import attached, find_detached
from posable.spatial import rigid_inverse

Point = tuple[float, float, float]
TRUNK = {"spine": (0, 1, 0), "spine.001": (0, 1.2, 0), "spine.002": (0, 1.4, 0), "spine.003": (0, 1.55, 0)}
LIMBS = {
    "thigh": (0.1, 0.95, 0), "shin": (0.1, 0.5, 0.03), "foot": (0.1, 0.08, 0),
    "upper_arm": (0.17, 1.45, 0), "forearm": (0.42, 1.45, 0), "hand": (0.66, 1.45, 0),
}  # fmt: skip
JAW = (0, 1.6, 0.08)
BELONGS = {"thigh.L": "spine", "thigh.R": "spine", "upper_arm.L": "spine.002", "upper_arm.R": "spine.002"}


def control_rig(*, handles: bool) -> Figure:
    """A person whose limbs and jaw hang on the armature, or with `handles` on doubles of the trunk, which share no skin
    with it.
    """
    rig: dict[str, tuple[str, Point]] = {"rig": ("", (0.0, 0.0, 0.0))}
    rig |= _line("rig", {f"DEF-{name}": place for name, place in TRUNK.items()})
    if handles:
        rig |= _line("rig", {"torso": (0, 1, 0), **{f"ORG-{name}": place for name, place in TRUNK.items()}})
    for side, x in (("L", 1.0), ("R", -1.0)):
        limbs = {f"DEF-{name}.{side}": (x * at[0], *at[1:]) for name, at in LIMBS.items()}
        names = [*limbs]
        rig |= _line("ORG-spine" if handles else "rig", {name: limbs[name] for name in names[:3]})
        rig |= _line("ORG-spine.002" if handles else "rig", {name: limbs[name] for name in names[3:]})
    rig["DEF-jaw"] = ("ORG-spine.003" if handles else "rig", JAW)
    joints = [
        Joint(
            name, "ball" if parent else "free", parent or None, tuple(np.subtract(at, rig[parent][1] if parent else 0))
        )
        for name, (parent, at) in rig.items()
    ]
    skeleton = Skeleton(joints)
    return Figure(skeleton, skins=(_skin(skeleton, rig, seams=not handles),))


def _line(parent: str, places: dict[str, Point]) -> dict[str, tuple[str, Point]]:
    """Each on the one before, the first on `parent`."""
    return {name: (above, at) for above, (name, at) in zip([parent, *places], places.items(), strict=False)}


def _skin(skeleton: Skeleton, rig: dict[str, tuple[str, Point]], *, seams: bool) -> Skin:
    """A triangle on each joint and one that it shares with the joint above; seams: also where pieces meet."""
    pairs = [(name, name) for name in rig if name.startswith("DEF")]
    pairs += [(name, parent) for name, (parent, _) in rig.items() if parent.startswith("DEF")]
    met = [(f"DEF-{limb}", f"DEF-{trunk}") for limb, trunk in {**BELONGS, "jaw": "spine.003"}.items()]
    pairs += met if seams else []
    corners = np.array([(0, 0, 0), (0.02, 0, 0), (0, 0, 0.02)])
    vertices = np.concatenate([corners + rig[name][1] for name, _ in pairs]).astype(np.float32)
    joints = np.repeat([[skeleton.index(one), skeleton.index(other)] for one, other in pairs], 3, axis=0)
    bind = rigid_inverse(Figure(skeleton).rest.world_from_joint)
    faces = np.arange(len(vertices), dtype=np.int32).reshape(-1, 3)
    return Skin(skeleton, vertices, faces, joints.astype(np.int32), np.full(joints.shape, 0.5, np.float32), bind)


@pytest.mark.parametrize("handles", [False, True])
def test_pieces_hang_where_their_skin_or_their_handle_tells(*, handles: bool) -> None:
    """Blender writes a Rigify character like this; posing its trunk left arms, legs and face behind."""
    figure = control_rig(handles=handles)
    whole = attached(figure)
    body, index = whole.skeleton.parts.body, whole.skeleton.index
    for limb, trunk in {**BELONGS, "jaw": "spine.003"}.items():
        above = [joint for joint in body.chain(index(f"DEF-{limb}"))[:-1] if body.definitions[joint].name[0] == "D"]
        assert above[-1] == index(f"DEF-{trunk}")
    assert "share skin" in whole.notes[-1]
    roles = posable.roles(whole)
    assert [roles[role] for role in ("hips", "head")] == ["DEF-spine", "DEF-spine.003"]
    np.testing.assert_allclose(whole.skins[0].deform(whole.rest), figure.skins[0].deform(figure.rest), atol=1e-6)


def test_legs_beside_the_hips_stay_on_the_root() -> None:
    """Such a root moves the whole body, as many files have it."""
    figure = control_rig(handles=False)
    arms = {name: figure.skeleton.index(f"DEF-{trunk}") for name, trunk in BELONGS.items() if name[0] == "u"}
    definitions = [
        joint
        if joint.name[4:] not in {*arms, "jaw"}
        else Joint(joint.name, "ball", "DEF-spine.002", tuple(np.subtract(joint.position, TRUNK["spine.002"])))
        for joint in figure.skeleton.definitions
    ]
    skeleton = Skeleton(definitions)
    assert find_detached(Figure(skeleton, skins=(figure.skins[0].on(skeleton),))) == {}
