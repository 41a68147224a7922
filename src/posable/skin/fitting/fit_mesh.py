"""A skeleton placed in an unrigged mesh: `fit_skeleton`, and `fit_template`, which also says how well."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from posable.errors import SkinError, near_names
from posable.skeleton import Skeleton
from posable.skin.binding.surface import Surface
from posable.skin.binding.tree import inside
from posable.skin.fitting.biped import BIPED, FINGERED
from posable.skin.fitting.bird import BIRD
from posable.skin.fitting.body_parts import FINGER_NAMES, Body, fingers_seen, settled_fingers
from posable.skin.fitting.chain import chain_names, chain_skeleton, find_chain
from posable.skin.fitting.fish import FISH
from posable.skin.fitting.quadruped import QUADRUPED
from posable.skin.fitting.spider import LEGS, many_legs
from posable.skin.fitting.template import (
    DOUBTFUL,
    Evidence,
    Places,
    Template,
    doubts_of,
    of_flesh,
    read_hints,
    score_of,
    with_hints,
)
from posable.skin.fitting.theropod import THEROPOD
from posable.skin.fitting.upright_views import Views
from posable.skin.fitting.upright_voxels import Stage
from posable.skin.mesh import Mesh
from posable.spatial import Array, normalized

TEMPLATES = ("biped", "quadruped", "theropod", "bird", "fish", "spider", "insect", "chain")
AUTO = "auto"
_TWO_SIDED = {"biped": BIPED, "quadruped": QUADRUPED, "bird": BIRD, "theropod": THEROPOD, "fish": FISH} | {
    name: many_legs(count) for name, count in LEGS.items()
}
_IN_FINGERS = 0.5  # of a hand's finger joints: with fewer inside the mesh it is a mitten
_CLEAR = 0.85  # score from which on no other template is tried
_COMMON, _RARE = ("biped", "quadruped"), 0.8  # kinds most meshes are of; the factor on the scores of others
_LIMBED = 0.3  # a score with which limbs are taken to be there
_SURE = 0.5  # from this score on, the other upright axis is not tried
_UNLIKE = 2.6  # times its other part that one part of an animal's leg may well be: forearms are, of upper arms
_ALIKE, _SIDEWAYS = 0.05, 0.15  # of the volume, more with an image from front to back: it costs nothing; and all
_UNEVEN = 0.006  # of the volume, left out on either side: that is half a hand


@dataclass(frozen=True, eq=False)
class TemplateFit:
    """A skeleton fitted to a mesh, and how far to trust it.

    Args:
        skeleton: The skeleton; its rest pose stands in the mesh, in the mesh's frame.
        template: Name of the template.
        score: 0 … 1, the share of the template's features found in the mesh; below 0.25 it is likely another kind of
            figure.
        doubts: What to check, one sentence each.
        unsure: {doubt: the joints of which hints would mend it}, for the doubts that name some.
        forward: Unit vector in which the figure faces; 0 for a chain.

    Example:
        >>> fit = posable.skin.fit_template(posable.load_mesh(posable.sample("person.obj")))
        >>> fit.template, fit.score > 0.25
        ('biped', True)
    """

    skeleton: Skeleton
    template: str
    score: float
    doubts: tuple[str, ...]
    unsure: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    forward: Array = field(default_factory=lambda: np.zeros(3))

    def __repr__(self) -> str:
        return f"TemplateFit({self.template}, score {self.score:.2f}, {len(self.doubts)} doubts)"


@dataclass(frozen=True, eq=False)
class _Candidate:
    """One orientation of the mesh, and the joints found in it: positions in voxels from the mirror plane."""

    stage: Stage
    up: str
    places: Places
    evidence: list[Evidence]

    @property
    def score(self) -> float:
        return score_of(self.evidence)


def fit_skeleton(mesh: Any, template: str = "biped", **options: Any) -> Skeleton:
    """Fit the skeleton of a template to an unrigged mesh, ready for `posable.bind`.

    Args:
        mesh: A Mesh, a pair (vertices, faces), or an object with `.vertices` and `.faces`.
        template: "biped", "quadruped", "bird", "theropod", "fish", "chain", "spider" or "insect".
        **options: Options of `fit_template`, which also returns a score.

    Returns:
        The skeleton.

    Raises:
        SkinError: As `fit_template`.

    Example:
        >>> skeleton = posable.fit_skeleton(posable.load_mesh(posable.sample("person.obj")))
    """
    return fit_template(mesh, template, **options).skeleton


def fit_template(
    mesh: Any,
    template: str = "biped",
    *,
    hints: Mapping[str, Any] | None = None,
    fingers: bool = False,
    joints: int | None = None,
) -> TemplateFit:
    """Fit the skeleton of a template to an unrigged mesh, and rate the fit.

    The figure stands upright along y or z, with its arms and legs apart from its body and from one another; its up axis
    and facing direction are detected. The mesh may be open, in many pieces, or hold objects. Scale does not matter.

    Args:
        mesh: A Mesh, a pair (vertices, faces), or an object with `.vertices` and `.faces`.
        template: "biped", "quadruped", "bird", "theropod" (two legs and a long tail), "fish", "chain" (snake, tail,
            tentacle), "spider" (eight legs) or "insect" (six); "auto" tries all and takes the best score, a chain only
            where no limbs are likely.
        hints: {joint: position in the mesh's frame} of known joints; neighbouring joints are moved along.
        fingers: Give a biped five fingers on each hand.
        joints: Number of joints of a chain.

    Returns:
        The skeleton with its score and doubts.

    Raises:
        SkinError: For a mesh that encloses no volume, or an unknown template or joint.
    """
    mesh = Mesh.of(mesh)
    if template not in (*TEMPLATES, AUTO):
        near = near_names(str(template), (*TEMPLATES, AUTO))
        guess = f"did you mean {near[0]!r}? " if near else ""
        raise SkinError(f"no template is called {template!r}; {guess}there are {', '.join(TEMPLATES)} and {AUTO}")
    if template == AUTO:
        return _best_of_all(mesh, hints, fingers, joints)
    if fingers and template != "biped":
        raise SkinError(f"fingers= is for a biped; a {template} has none")
    if joints is not None and template != "chain":
        raise SkinError(f"joints= says how many a chain has; a {template} has its own")
    return _fit_of(Views(mesh), template, hints, fingers, joints)


def _fit_of(
    views: Views, template: str, hints: Mapping[str, Any] | None, fingers: bool, joints: int | None
) -> TemplateFit:
    """The fit of one template."""
    if template == "chain":
        return _fitted_chain(views, chain_names(joints), hints)
    return _fitted(views, template, FINGERED if fingers else _TWO_SIDED[template], hints)


def _best_of_all(mesh: Mesh, hints: Mapping[str, Any] | None, fingers: bool, joints: int | None) -> TemplateFit:
    """The template with the best score, of those that have the joints hinted and what else is asked for."""
    asked = {"biped": fingers, "chain": joints is not None}
    kinds = [name for name in TEMPLATES if asked.get(name)] or list(TEMPLATES)
    fits: list[TemplateFit] = []
    problem: SkinError | None = None
    views = Views(mesh)
    for name in kinds:
        try:
            fits.append(_fit_of(views, name, hints, fingers and name == "biped", joints))
        except SkinError as refused:  # it has no joint of a hint's name, or the mesh lies flat
            problem = problem or refused
        if fits and fits[-1].score > _CLEAR:
            break
    if not fits:
        raise problem or SkinError(f"mesh {mesh.name!r} fits no template")
    limbed = [fit for fit in fits if fit.template != "chain" and fit.score >= _LIMBED]
    known = limbed or fits  # a chain fits whatever is long, and says less
    return max(known, key=lambda fit: fit.score * (1.0 if fit.template in _COMMON else _RARE))


def _fitted_chain(views: Views, names: tuple[str, ...], hints: Mapping[str, Any] | None) -> TemplateFit:
    known, up = read_hints(hints, names), views.mesh.up
    places, evidence = find_chain(views.room, up, names, known)
    return TemplateFit(chain_skeleton(places, names, up), "chain", score_of(evidence), doubts_of(evidence))


def _fitted(views: Views, name: str, kind: Template, hints: Mapping[str, Any] | None) -> TemplateFit:
    known, mesh = read_hints(hints, kind.names), views.mesh
    found = list(_candidates(views, kind, known))
    if not found:
        raise SkinError(f"mesh {mesh.name!r} lies flat along y and z; stand it upright for a {name}")
    best = max(found, key=lambda one: one.score + _agreement(one, known))
    places = _with_known(best, kind, known)
    if kind is FINGERED:
        why = _fingers_in(mesh, best, places, known)
        if why:
            best.evidence.append(Evidence(f"{why}; each stays one joint, a mitten", 0.0, 1.0))
            kind = BIPED
    body = Body(places, best.stage.basis, best.stage.height * best.stage.size)
    skeleton = Skeleton(kind.joints(body), up="y" if best.up == "y" else "z")
    unsure = {one.doubt: _sided(one.joints, places) for one in best.evidence if one.strength < DOUBTFUL and one.joints}
    ahead = best.stage.basis[2]
    return TemplateFit(skeleton, name, float(best.score), doubts_of(best.evidence), unsure, ahead)


def _fingers_in(mesh: Mesh, best: _Candidate, places: Places, known: Places) -> str:
    """Draws fingers of which no joint is hinted into the mesh; why it is a mitten, if they are not seen or met."""
    if not all(fingers_seen(mesh, *palm) for palm in _palms(best)):
        return "the hands show no fingers that are apart"
    surface = Surface.of(mesh)
    for side in "lr":
        names = [f"{name}_{side}" for name in FINGER_NAMES]
        if not set(names) & set(known):
            places.update(settled_fingers(mesh, places, side))
        joints = np.array([places[name] for name in names if "tip" not in name])
        if inside(surface.tree, surface.from_mesh(joints)).mean() < _IN_FINGERS:
            return "fingers are seen, and not where a hand's are"
    return ""


def _palms(best: _Candidate) -> list[list[Array]]:
    """Wrist and fingertip of either hand, in the mesh's frame."""
    return [[best.stage.places(best.places[f"{name}_{side}"]) for name in ("hand", "hand_tip")] for side in "lr"]


def _sided(names: tuple[str, ...], places: Places) -> tuple[str, ...]:
    """The joints of the sides on both."""
    return tuple(one for name in names for one in (name, f"{name}_l", f"{name}_r") if one in places)


def _candidates(views: Views, kind: Template, known: Places) -> Iterator[_Candidate]:
    """Every upright orientation of the mesh with sufficient symmetry."""
    mesh = views.mesh
    for up in (mesh.up, "z" if mesh.up == "y" else "y"):
        best = 0.0
        for stage in views.standing(up):
            for candidate in _facing(mesh, kind, stage, up, known):
                best = max(best, candidate.score)
                yield candidate
        if best >= _SURE:
            return


def _facing(mesh: Mesh, kind: Template, stage: Stage, up: str, known: Places) -> Iterator[_Candidate]:
    """The figure as it stands on the stage, or rotated by 180° if it faces backwards; with hints, both."""
    for turned in (False, True):
        shown = stage.turned_round if turned else stage
        places, evidence, ahead = kind.both_sides(shown)
        if known or (ahead >= 0) is not turned or turned:
            yield _Candidate(shown, up, places, [*evidence, *_against(mesh, kind, shown, places, up, ahead)])
        if not turned and ahead >= 0 and not known:
            return


def _against(mesh: Mesh, kind: Template, stage: Stage, places: Places, up: str, ahead: float) -> list[Evidence]:
    """What speaks against the stage, the joints, and, of who stands upright, the flesh around them."""
    inner = [name for name in places if name.startswith(("root", "thigh", "upper_arm"))]
    flesh = of_flesh(stage, places, kind.all_lines, inner) if kind.upright else []
    return [*_of_stage(mesh, stage, up, ahead), *_of_joints(kind, stage, places), *flesh]


def _of_stage(mesh: Mesh, stage: Stage, up: str, ahead: float) -> list[Evidence]:
    return [
        Evidence(
            "left and right are not mirror images; each side is fitted separately",
            stage.symmetry - 0.1 if stage.is_symmetric else 0.4 * stage.symmetry,
            0.85,
        ),
        Evidence(
            "what only one side has was left out: something held, or a limb that is longer or posed otherwise",
            1 - max(stage.aside / stage.height - 0.05, 0) / 0.1,
            0.85,
        ),
        Evidence(
            "limbs are posed otherwise on either side, and cut off where they differ", 1 - stage.uneven / _UNEVEN, 0.7
        ),
        Evidence("front and back look alike; it may face the opposite direction", min(1.0, abs(ahead) / 0.4), 0.85),
        Evidence(
            "front and back are more alike than left and right; it may face sideways",
            1 - max(stage.rival - stage.symmetry - _ALIKE, 0.0) / _SIDEWAYS,
            0.3,
        ),
        Evidence(f"it stands upright along {up}, though the file says {mesh.up}", float(up == mesh.up), 0.6),
    ]


def _of_joints(kind: Template, stage: Stage, places: Places) -> list[Evidence]:
    """What speaks against the joints themselves: one that stands outside, limbs of odd or unlike lengths."""
    from scipy.ndimage import distance_transform_edt

    outside: Any = distance_transform_edt(~stage.filled)
    shape = np.array(stage.filled.shape) - 1
    off: dict[str, float] = {}
    for name, place in places.items():
        if "tip" not in name and not name.startswith(("toe", "clavicle", "tail", "wing")):
            at = np.rint(place + np.array([stage.middle, 0.0, 0.0]))
            inside = np.clip(at, 0, shape).astype(int)
            off[name] = float(outside[tuple(inside)] + np.abs(at - inside).max())
    worst = max(off, key=off.__getitem__)
    parts = [line[:3] for line in kind.lines if line[0] in kind.sides and line[0] not in ("hand", "fin", "wing_1")]
    against = [
        Evidence(f"{worst} stands outside the mesh", 1 - max(off[worst] - 2, 0) / (0.04 * stage.height), 0.4, (worst,))
    ]
    if not parts:
        return against
    pairs = [[_lengths(places, limb, side) for side in "lr"] for limb in parts]
    each = [max(max(one, 1.0) / max(other, 1.0) for one, other in ((a, b), (b, a))) for pair in pairs for a, b in pair]
    unlike = max(max(sum(a), sum(b)) / max(min(sum(a), sum(b)), 1.0) for a, b in pairs)
    ratio = max(each) if kind.upright or not parts[0][0].startswith("leg") else 1.0
    bend = max(_bend(places, parts[1], side) for side in "lr") if kind.upright else 0.0
    return [
        *against,
        Evidence(
            "two parts of a limb differ much in length",
            1 - max(np.log(ratio / (1.9 if kind.upright else _UNLIKE)), 0) / 0.5,
            0.4,
            tuple(part[1] for part in parts),
        ),
        Evidence(
            "a limb is longer on one side than on the other",
            1 - max(np.log(max(unlike, 1.0) / 1.15), 0) / 0.4,
            0.4,
            ("hand", "foot"),
        ),
        Evidence(
            "the legs are bent; hips and knees are less sure", 1 - max(bend - 0.45, 0.0) / 0.4, 0.6, ("thigh", "shin")
        ),
    ]


def _lengths(places: Places, limb: tuple[str, ...], side: str) -> tuple[float, float]:
    a, b, c = (places[f"{name}_{side}"] for name in limb)
    return float(np.linalg.norm(b - a)), float(np.linalg.norm(c - b))


def _bend(places: Places, limb: tuple[str, ...], side: str) -> float:
    """How far a limb is from hanging: the sine of the angle of its first part, from front to back, or as much for the
    angle at its middle.
    """
    a, b, c = (places[f"{name}_{side}"] for name in limb)
    upper, lower = normalized(b - a + 1e-9), normalized(c - b + 1e-9)
    at_middle = float(np.arccos(np.clip(upper @ lower, -1, 1)))
    return max(float(abs(upper[2])), 0.85 * at_middle)


def _agreement(candidate: _Candidate, known: Places) -> float:
    """How near the hinted joints are without the hints: 0 … 2 for each, so that hints decide over all else."""
    off = [
        candidate.stage.points(place) - candidate.places[name]
        for name, place in known.items()
        if name in candidate.places
    ]
    reach = 0.3 * candidate.stage.height
    return float(sum(2 * np.exp(-np.linalg.norm(step) / reach) for step in off))


def _with_known(candidate: _Candidate, kind: Template, known: Places) -> Places:
    """The positions in the mesh's frame, with hints; on a symmetric figure hints apply to the other side as well."""
    stage = candidate.stage
    hinted = {name: stage.points(place) for name, place in known.items()}
    if stage.is_symmetric:
        for name, point in list(hinted.items()):
            other = name[:-1] + {"l": "r", "r": "l"}.get(name[-1], "")
            if name[-2:] in ("_l", "_r"):
                hinted.setdefault(other, point * (-1.0, 1.0, 1.0))
    moved = with_hints(candidate.places, hinted, kind.all_lines, kind.all_standing)
    return {name: stage.places(point) for name, point in moved.items()}
