"""How far skeletons fitted into meshes are from the artists' own: python benchmarks/skeleton_fitting.py [FOLDER]

FOLDER holds `characters`, `meshes` and `weights_from_samples`; ../shared/data unless given. The rig of each figure is
taken away and fitted anew, without hints. A joint's error is its distance from the artist's joint of the same part of
the body, over the figure's height. Joints of the back are measured to the line from root to neck, as artists put one to
six of them anywhere on it. A root that an artist has laid on the floor is no pelvis, and is left out.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import posable
from posable.skin import fit_template

ROOT = Path(__file__).parents[1]
LIMITS = {"biped": 5.0, "quadruped": 8.0}  # percent of the height
BACK = ("spine", "chest", "upper_chest")
OURS = {
    "hips": "root", "neck": "neck", "head": "head", "upper_arm": "upper_arm", "lower_arm": "forearm", "hand": "hand",
    "upper_leg": "thigh", "lower_leg": "shin", "foot": "foot", "toes": "toe",
}  # fmt: skip
WOLF = {
    "hips": "Back", "spine": "Torso", "chest": "Torso2", "upper_chest": "Torso3", "neck": "Neck1", "head": "Head",
} | {
    f"{role}_{side}": f"{joint}.{side.upper()}"
    for side in "lr"
    for role, joint in {
        "upper_arm": "FrontUpperLeg", "lower_arm": "FrontLowerLeg", "hand": "IKFrontLeg", "upper_leg": "BackLeg",
        "lower_leg": "BackUpperLeg", "foot": "BackLowerLeg", "toes": "FFB",
    }.items()
}  # fmt: skip
"""What the wolf's joints are; it names its bones by their place in the leg, as some of them are handles."""
DINOSAUR = {"hips": "Hips", "spine": "Torso", "chest": "Shoulders", "neck": "Neck", "head": "Head"} | {
    f"{role}_{side}": f"{joint}.{side.upper()}"
    for side in "lr"
    for role, joint in {
        "upper_arm": "FrontUpLeg", "lower_arm": "FrontLowLeg", "hand": "FrontFoot", "upper_leg": "BackUpLeg",
        "lower_leg": "BackLowLeg", "toes": "BackFoot",
    }.items()
}  # fmt: skip
"""The same of a maker's dinosaurs, whose "Body" floats over them."""
Places = dict[str, np.ndarray]


@dataclass(frozen=True)
class Case:
    """A mesh, the template for it, and where the artist has put the parts of the body; none where nobody has."""

    name: str
    mesh: posable.Mesh
    template: str
    truth: Places


def cases(folder: Path) -> Iterator[Case]:
    """Rigged figures, the same figures' bind meshes, and meshes that never had a rig."""
    as_figure = {
        "biped": ("CesiumMan.glb", "Knight.glb", "MH_game_engine.glb", "Q_PlatformerHumanoid.glb",
                  "RobotExpressive.glb", "cryptovoxels.vrm"),
        "quadruped": ("Q_Wolf.glb", "Fox.glb"),
    }  # fmt: skip
    for template, names in as_figure.items():
        for name in names:
            path = folder / "characters" / name
            yield Case(name, posable.load_mesh(path), template, _artist(path))
    yield _bind_mesh(folder, "plain_cesiumman", "biped", "CesiumMan.glb", "cesiumman_walk")
    yield _bind_mesh(folder, "plain_mh_human", "biped", "MH_game_engine.glb", "mh_game_engine_randposes")
    yield _bind_mesh(folder, "plain_wolf", "quadruped", "Q_Wolf.glb", "wolf_gallop")
    yield _same_body(folder)
    figure = posable.figure("mannequin")
    yield Case("mannequin", posable.Mesh.of(figure.skins[0]), "biped", _by_role(figure, artists_roles(figure)))
    for name, template in {
        "mh_female1605": "biped",
        "mh_proxy741": "biped",
        "penguin": "biped",
        "spot": "quadruped",
    }.items():
        yield Case(name, posable.load_mesh(folder / f"meshes/{name}.obj"), template, {})


def artists_roles(figure: posable.Figure) -> dict[str, str]:
    """Role → joint; by the makers' own order of bones where names mislead."""
    for known in (WOLF, DINOSAUR):
        if set(known.values()) <= set(figure.skeleton.joints):
            return known
    return dict(posable.roles(figure).joints)


def _by_role(figure: posable.Figure, roles: dict[str, str]) -> Places:
    origins = figure.rest.origins
    return {role: origins[figure.skeleton.index(joint)] for role, joint in roles.items()}


def _artist(path: Path) -> Places:
    figure = posable.load(path)
    return _by_role(figure, artists_roles(figure))


def _bind_mesh(folder: Path, mesh: str, template: str, figure: str, samples: str) -> Case:
    roles = artists_roles(posable.load(folder / "characters" / figure))
    with np.load(folder / f"weights_from_samples/{samples}_truth.npz", allow_pickle=False) as kept:
        places = dict(zip(kept["joint_names"].tolist(), kept["bind_joint_positions"], strict=True))
    truth = {role: places[joint] for role, joint in roles.items() if joint in places}
    return Case(mesh, posable.load_mesh(folder / f"meshes/{mesh}.obj"), template, truth)


def _same_body(folder: Path) -> Case:
    """MakeHuman's base mesh: the body of MH_game_engine in decimetres, with hair, skirt and markers round it."""
    base = posable.load_mesh(folder / "meshes/makehuman_base_raw.obj")
    as_figure = folder / "characters/MH_game_engine.glb"
    low = posable.load_mesh(as_figure).vertices.min(axis=0)
    truth = {role: 10 * (place - low) for role, place in _artist(as_figure).items()}
    floor = base.vertices[base.pieces == 0].min(axis=0)
    return Case("makehuman_base_raw", base, "biped", {role: floor + place for role, place in truth.items()})


def errors(case: Case, skeleton: posable.Skeleton) -> dict[str, float]:
    """Role → percent of the height."""
    height = float(np.ptp(case.mesh.vertices[:, "xyz".index(skeleton.up)]))
    places = dict(zip(skeleton.joints, posable.Pose(skeleton, skeleton.rest_coordinates).origins, strict=True))
    back = np.array([places[name] for name in ("root", "spine", "chest", "neck")])
    found = {}
    for role, truth in case.truth.items():
        part, side = (role[:-2], role[-2:]) if role.endswith(("_l", "_r")) else (role, "")
        if part in BACK:
            found[role] = 100 * _off_line(truth, back) / height
        elif part in OURS and not (part == "hips" and on_floor(case, skeleton.up)):
            found[role] = 100 * float(np.linalg.norm(places[OURS[part] + side] - truth)) / height
    return found


def _off_line(point: np.ndarray, line: np.ndarray) -> float:
    starts, steps = line[:-1], np.diff(line, axis=0)
    along = np.clip(((point - starts) * steps).sum(axis=1) / (steps**2).sum(axis=1), 0, 1)
    return float(np.linalg.norm(starts + along[:, None] * steps - point, axis=1).min())


def on_floor(case: Case, up: str) -> bool:
    """Whether the artist's root lies on the floor."""
    axis = "xyz".index(up)
    low, height = case.mesh.vertices[:, axis].min(), np.ptp(case.mesh.vertices[:, axis])
    return bool(case.truth["hips"][axis] < low + 0.02 * height)


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "../shared/data"
    print("| figure | template | s | score | worst joint | its error, % of height | mean | right | doubts |")
    print("|---|---|---|---|---|---|---|---|---|")
    right = []
    for case in cases(folder):
        start = time.perf_counter()
        fit = fit_template(case.mesh, case.template)
        seconds = time.perf_counter() - start
        found = errors(case, fit.skeleton)
        words = ["", "", "", ""]
        if found:
            worst = max(found, key=found.__getitem__)
            right.append(found[worst] <= LIMITS[case.template])
            words = [worst, f"{found[worst]:.1f}", f"{np.mean(list(found.values())):.1f}", "yes" if right[-1] else "no"]
        shown = [case.name, case.template, f"{seconds:.1f}", f"{fit.score:.2f}", *words, "; ".join(fit.doubts)]
        print("| " + " | ".join(shown) + " |", flush=True)
    print(f"\n{sum(right)} of {len(right)} right")


if __name__ == "__main__":
    main()
