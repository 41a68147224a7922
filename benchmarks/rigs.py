"""Rigged characters as they are: their skins taken away, bound anew and fitted anew, beside the artists' own.

    python -m benchmarks.rigs [--data …] [--only Wolf] [--method heat] [--aside] [--no-fit] [--posed]

The figures are those of `rigs` and `characters`. Each one's mesh, as it stands at rest, is bound to its own skeleton.
L1 is Σ |a − b| over the joints, 0 … 2, the mean over vertices; "no donor" is the same where only names and structure
of the skeleton say which joints deform. Error: how far vertices are from where the artist's weights have them in the
figure's clips (in random bends where it has none). Cracks: how far what touches at rest, in different pieces, comes
apart. Both are percents of the height, at the mean, the 99th or the 99.5th percentile. Fit: the joints that
`fit_template` finds in the bare mesh, by role, percents of the height: people (with `--posed` in nine other poses and
proportions as well), four-legged animals and others apart. A fit is good where all its main joints are within 8 %, a
misfit where one is farther than 8 (people) or 12 % (others); a misfit is told by a score under 0.5 or a stated doubt.

Blender: L1, mean error and its 99.5th percentile by Blender's own automatic weights, from the same bones that move the
artist's skin; kept in `rigs_blender.json`, made with `--ask-blender` and a Python that has `bpy`. Meshes of fewer than
500 vertices are shown, and not in the totals.

The figures named in ASIDE are never tuned on. They are left out unless `--aside` is given, which prints totals alone.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from scipy.spatial import KDTree

import posable
from benchmarks.posed_bodies import posed
from benchmarks.skeleton_fitting import Case, artists_roles, errors
from posable.skeleton import Skeleton
from posable.skin import fit_template
from posable.skin.binding.binding_bones import Bones
from posable.skin.weights import weight_table, with_weights

SHARED = Path(__file__).parents[1] / "../shared/data"
PACKS = {
    "animals_pack": "Cow", "mech_pack": "Mike Stan", "modular_men": "Casual Casual2 Farmer Suit Swat Worker",
    "modular_women": "SciFi Soldier",
}  # fmt: skip
ASIDE = frozenset(f"{pack}_{name}" for pack, names in PACKS.items() for name in names.split())
"""A third of `rigs`, named before any work began; the cow's fit has been looked at since, as no other has hooves."""
KEPT = Path(__file__).with_name("rigs_blender.json")
LEAST = 500  # vertices of a figure that counts
FRAMES, CLIPS = 12, 8  # frames of a clip, clips of a figure: spread evenly
BENDS, BEND = 12, 0.5  # random poses of a figure without clips; radians
TOUCHING = 0.002  # of the height: what is nearer than this at rest, in another piece, touches
MAIN = {"hips", "spine", "chest", "upper_chest", "neck", "head", "upper_arm", "lower_arm", "hand", "upper_leg",
        "lower_leg", "foot"}  # fmt: skip
FAR = {"people": 8.0, "animals": 12.0, "others": 12.0}  # percent of the height from which on a fit is a misfit
TWO_LEGS = {"Velociraptor", "Trex", "Parasaurolophus"}  # and a long tail: animals as well
FOUR_LEGS = {"Wolf", "Fox", "Husky", "Cow", "Triceratops", "Apatosaurus", "Horse", "Deer"}


@dataclass
class Row:
    """What was measured of one figure; nan where there is nothing to measure. fits: see `Fitted`."""

    name: str
    vertices: int = 0
    l1: float = np.nan
    bare: float = np.nan
    mean: float = np.nan
    far: float = np.nan
    cracks: float = np.nan
    own_cracks: float = np.nan
    empty: int = 0
    seconds: float = np.nan
    fits: list[Fitted] = field(default_factory=list)
    said: str = ""


@dataclass
class Fitted:
    """One fit. kind: people, animals or others. errors: role → percent of the height."""

    kind: str
    name: str
    score: float
    doubts: int
    errors: dict[str, float]

    @property
    def worst(self) -> float:
        """Of the main joints."""
        main = [error for role, error in self.errors.items() if role.removesuffix("_l").removesuffix("_r") in MAIN]
        return max(main, default=np.nan)


def poses_of(figure: posable.Figure) -> posable.Pose:
    """The poses in which skins are compared: frames of the clips, or random bends."""
    clips = figure.clips[:: max(1, -(-len(figure.clips) // CLIPS))] if figure.clips else ()
    if clips:
        rows = [clip.q[np.linspace(0, len(clip.q) - 1, min(FRAMES, len(clip.q))).astype(int)] for clip in clips]
        return posable.Pose(figure.skeleton, np.concatenate(rows))
    moves = np.random.default_rng(0).uniform(-BEND, BEND, (BENDS, figure.skeleton.dof))
    return figure.rest.plus(moves).clamped()


def played(skins: tuple[posable.Skin, ...], pose: posable.Pose) -> np.ndarray:
    """`[pose, vertex, 3]` of all skins together."""
    return np.concatenate([skin.deform(pose) for skin in skins], axis=-2).astype(float)


def touching(mesh: posable.Mesh, height: float) -> np.ndarray:
    """`[pair, 2]` vertices of different pieces that touch at rest."""
    pairs = KDTree(mesh.vertices).query_pairs(TOUCHING * height, output_type="ndarray")
    return pairs[mesh.pieces[pairs[:, 0]] != mesh.pieces[pairs[:, 1]]]


def opened(places: np.ndarray, mesh: posable.Mesh, pairs: np.ndarray, height: float) -> float:
    """The 99th percentile of how far pairs come apart, in percent of the height."""
    if not len(pairs):
        return np.nan
    one, other = pairs.T
    apart = np.linalg.norm(places[:, one] - places[:, other], axis=2)
    rest = np.linalg.norm(mesh.vertices[one] - mesh.vertices[other], axis=1)
    return float(np.percentile(np.maximum(apart - rest, 0), 99) / height * 100)


def measure(path: Path, method: str, fitting: bool, posing: bool = False) -> Row:
    """Everything about one file; an error that is not posable's own is a failure of posable's."""
    row = Row(path.stem)
    try:
        figure, mesh = posable.load(path), posable.load_mesh(path)
        artist = np.concatenate([weight_table(skin) for skin in figure.skins])
        start = time.perf_counter()
        skin = posable.bind(mesh, figure.skeleton, method, influences=4)
        row.vertices, row.seconds = len(mesh.vertices), time.perf_counter() - start
        table = weight_table(skin)
        row.l1, row.empty = float(np.abs(table - artist).sum(axis=1).mean()), int((table.sum(axis=1) < 0.5).sum())
        unseen = Skeleton(figure.skeleton.definitions, figure.skeleton.up)
        plain = weight_table(posable.bind(mesh, unseen, method, influences=4))
        row.bare = float(np.abs(plain - artist).sum(axis=1).mean())
        in_motion(row, figure, mesh, skin)
        if fitting:
            row.fits = list(fits_of(row.name, figure, mesh, posing))
    except posable.PosableError as problem:
        row.said = f"refused: {problem}"
    except Exception as problem:
        row.said = f"RAW {type(problem).__name__}: {problem}"
    return row


def apart(figure: posable.Figure, mesh: posable.Mesh, skin: posable.Skin) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(error in percent of the height `[pose, vertex]`, our vertices, the artist's `[pose, vertex, 3]`)."""
    height, pose = float(np.ptp(mesh.vertices[:, "xyz".index(mesh.up)])), poses_of(figure)
    ours, theirs = played((skin,), pose), played(figure.skins, pose)
    return np.linalg.norm(ours - theirs, axis=2) / height * 100, ours, theirs


def in_motion(row: Row, figure: posable.Figure, mesh: posable.Mesh, skin: posable.Skin) -> None:
    """The error and the cracks in the figure's clips."""
    height = float(np.ptp(mesh.vertices[:, "xyz".index(mesh.up)]))
    error, ours, theirs = apart(figure, mesh, skin)
    row.mean, row.far = float(error.mean()), float(np.percentile(error, 99.5))
    pairs = touching(mesh, height)
    row.cracks, row.own_cracks = opened(ours, mesh, pairs, height), opened(theirs, mesh, pairs, height)


def ask_blender(path: Path, python: str) -> list[float] | None:
    """[L1, mean error, its 99.5th percentile] of Blender's automatic weights; None where posable refuses the file."""
    try:
        figure, mesh = posable.load(path), posable.load_mesh(path)
        plain = posable.bind(mesh, figure.skeleton, "voxel")
    except posable.PosableError:
        return None
    joints = np.unique(np.concatenate([skin.used_joints for skin in figure.skins]))
    bones = Bones.of(figure.rest, 1e-3 * mesh.diagonal).only(joints, np.zeros(0, int))
    first, place_of = np.unique(mesh.welded, return_index=True)[1], mesh.welded
    tail = bones.heads + [(bones.end - bones.start)[bones.bone_of == bone].mean(axis=0) for bone in range(len(joints))]
    short = np.linalg.norm(tail - bones.heads, axis=1) < 1e-3 * mesh.diagonal
    tail[short, 1] += 1e-2 * mesh.diagonal  # Blender drops bones without length
    with tempfile.TemporaryDirectory() as folder:
        given, out = f"{folder}/in.npz", f"{folder}/out.npz"
        what = {"head": bones.heads, "tail": tail, "parents": bones.parents}
        np.savez(given, vertices=mesh.vertices[first], faces=place_of[mesh.faces], **what)
        script = Path(__file__).parent / "peers/blender_rigs.py"
        subprocess.run([python, script, given, out], check=True, capture_output=True)
        found = np.load(out)["weights"][place_of]
    table = np.zeros((len(found), len(figure.skeleton.joints)))
    table[:, joints] = found
    artist = np.concatenate([weight_table(skin) for skin in figure.skins])
    empty = table.sum(axis=1) == 0
    worn = table.copy()
    worn[empty, joints[0]] = 1  # an engine leaves such vertices at the root
    error = apart(figure, mesh, with_weights(plain, worn, 4))[0]
    l1 = float(np.abs(table - artist).sum(axis=1).mean())
    return [round(value, 4) for value in (l1, float(error.mean()), float(np.percentile(error, 99.5)))]


def fits_of(name: str, figure: posable.Figure, mesh: posable.Mesh, posing: bool) -> Iterator[Fitted]:
    """A template of two or four legs, fitted into the bare mesh; a person also as it stands in other poses."""
    origins, roles = figure.rest.origins, artists_roles(figure)
    truth = {role: origins[figure.skeleton.index(joint)] for role, joint in roles.items()}
    legs, arms = "lower_leg_l" in truth, "hand_l" in truth
    animal, lying = bool(FOUR_LEGS & set(name.split("_"))), bool(TWO_LEGS & set(name.split("_")))
    kind = "animals" if animal or lying else "people" if legs and arms else "others"
    template = "theropod" if lying else "quadruped" if animal else "biped"
    if lying and "foot_l" not in truth:  # their maker draws a leg of two bones, down to the hock
        truth |= {f"foot_{side}": truth.pop(f"lower_leg_{side}") for side in "lr"}
    meshes = [("at rest", mesh, truth), *(posed(figure, mesh, roles) if posing and kind == "people" else ())]
    for what, shown, places in meshes:
        try:
            fit = fit_template(shown, template)
        except posable.SkinError:
            if what == "at rest":
                raise
            continue
        yield Fitted(kind, what, fit.score, len(fit.doubts), errors(Case(name, shown, template, places), fit.skeleton))


def files(folder: Path, aside: bool) -> Iterator[Path]:
    """The rigged figures, those set aside or all others."""
    for path in sorted([*(folder / "rigs").glob("*.gl*"), *(folder / "characters").glob("*.[gv]*")]):
        if (path.stem in ASIDE) == aside and path.suffix != ".vrma":
            yield path


def cell(value: float, digits: int = 2) -> str:
    return "" if np.isnan(value) else f"{value:.{digits}f}"


def line(row: Row, blender: dict[str, list[float]]) -> str:
    """One row of the table."""
    fit = row.fits[0] if row.fits else Fitted("", "", np.nan, 0, {})
    worst = max(fit.errors, key=fit.errors.__getitem__, default="")
    shown = [
        row.name, f"{row.vertices:,}", cell(row.l1, 3), cell(row.bare, 3), cell(blender.get(row.name, [np.nan])[0], 3),
        cell(row.mean), cell(row.far), cell(row.cracks), cell(row.own_cracks), str(row.empty), cell(row.seconds, 1),
        cell(fit.score), f"{worst} {fit.errors[worst]:.1f}" if worst else "", row.said,
    ]  # fmt: skip
    return "| " + " | ".join(shown) + " |"


def totals(rows: list[Row], blender: dict[str, list[float]]) -> list[str]:
    """The means, worst and shares over the figures."""
    rows = [row for row in rows if row.vertices >= LEAST or (row.said and not row.vertices)]

    def of(key: str) -> np.ndarray:
        values = np.array([getattr(row, key) for row in rows], float)
        return values[~np.isnan(values)] if (~np.isnan(values)).any() else np.full(1, np.nan)

    motion = "; Blender {:.2f}, {:.2f}, {:.2f} %"
    raw = sum(row.said.startswith("RAW") for row in rows)
    theirs = np.array([blender[row.name] for row in rows if row.name in blender])
    told = [
        f"{len(rows)} figures, {sum(bool(row.said) for row in rows)} of them refused or failed, {raw} by a raw"
        f" exception; {of('empty').sum():.0f} empty vertices",
        f"mean L1 {of('l1').mean():.3f} (no donor {of('bare').mean():.3f}"
        + (f", Blender {theirs[:, 0].mean():.3f} on {len(theirs)})" if len(theirs) else ")"),
        f"clip error: mean {of('mean').mean():.2f} %; 99.5th percentile: mean {of('far').mean():.2f} %,"
        f" worst {of('far').max():.2f} %, over 4 % on {(of('far') > 4).sum()}"
        + (motion.format(*theirs[:, 1:].mean(axis=0), theirs[:, 2].max()) if len(theirs) else ""),
        f"cracks p99: mean {of('cracks').mean():.2f} %, worst {of('cracks').max():.2f} %;"
        f" the artists' {of('own_cracks').mean():.2f} and {of('own_cracks').max():.2f} %",
        f"seconds: {of('seconds').sum():.1f} together",
    ]
    return told + fit_totals([fit for row in rows for fit in row.fits])


def fit_totals(fits: list[Fitted]) -> list[str]:
    """Shares, errors by role and the calibration of the score for each kind, at rest and posed."""
    told: list[str] = []
    for kind in FAR:
        for what in dict.fromkeys(fit.name for fit in fits if fit.kind == kind):
            own = [fit for fit in fits if fit.kind == kind and fit.name == what and fit.errors]
            worst, score = np.array([fit.worst for fit in own]), np.array([fit.score for fit in own])
            if not own or kind == "others":
                continue
            by_role: dict[str, list[float]] = {}
            for fit in own:
                for role, error in fit.errors.items():
                    by_role.setdefault(role.removesuffix("_l").removesuffix("_r"), []).append(error)
            good, missed = worst < 8, worst >= FAR[kind]
            warned = (score < 0.5) | np.array([fit.doubts > 0 for fit in own])
            each = ", ".join(f"{role} {np.mean(found):.1f}" for role, found in by_role.items())
            told.append(
                f"fits of {kind}, {what}: {(worst < 5).sum()} of {len(worst)} under 5 %, {good.sum()} under 8 %;"
                f" misfits told {(missed & warned).sum()} of {missed.sum()} (score under 0.5:"
                f" {(missed & (score < 0.5)).sum()}); good fits above 0.7: {(good & (score > 0.7)).sum()}"
                f" of {good.sum()}; mean: {each}"
            )
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=SHARED, help="the folder of shared files")
    parser.add_argument("--only", default="", help="figures whose name contains this")
    parser.add_argument("--method", default="heat", help="binding method")
    parser.add_argument("--aside", action="store_true", help="totals of the figures set aside")
    parser.add_argument("--no-fit", action="store_true", help="leave the fitting of templates out")
    parser.add_argument("--posed", action="store_true", help="fit people in other poses as well")
    parser.add_argument("--ask-blender", metavar="PYTHON", help="write rigs_blender.json anew with this Python's bpy")
    given = parser.parse_args()
    if given.ask_blender:
        asked = {path.stem: ask_blender(path, given.ask_blender) for path in files(given.data, aside=False)}
        KEPT.write_text(json.dumps({name: found for name, found in asked.items() if found}, indent=1) + "\n")
    blender: dict[str, list[float]] = json.loads(KEPT.read_text()) if KEPT.is_file() else {}
    rows = []
    print(
        "| figure | vertices | L1 | no donor | Blender | error | p99.5 | cracks | artist's | empty | s | score | worst"
        " of fit | |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
    )
    for path in files(given.data, given.aside):
        if given.only in path.stem:
            rows.append(measure(path, given.method, not given.no_fit, given.posed))
            if not given.aside:
                print(line(rows[-1], blender), flush=True)
    print("\n" + "\n".join(f"- {told}" for told in totals(rows, blender)))


if __name__ == "__main__":
    main()
