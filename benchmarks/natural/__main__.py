"""How natural poses are: the tables of docs/natural.md.

    python -m benchmarks.natural [--folder ../shared/data] [--models FOLDER] [--poses 300] [--write]

For each fold of persons a model is wanted that has not seen them, FOLDER/02.npz, 05_10.npz and 06_09.npz, made by
`python -m benchmarks.natural.train --without 06,09 --out FOLDER/06_09.npz`. What a person does with the rest of the
body is judged by recorded poses: the goals are taken from them, and the joints that have no goal are compared.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

import posable
from benchmarks.natural import recordings
from benchmarks.solver.table import machine
from posable.natural.body import Body, about_up, body_of, common_rotations, facing
from posable.natural.network import Model
from posable.spatial import Array, wxyz_from_matrix

ROOT = Path(__file__).parents[2]
PAGE, BEGIN, END = ROOT / "docs/natural.md", "<!-- the table begins -->\n", "<!-- the table ends -->\n"
FOLDS = (("02",), ("05", "10"), ("06", "09"))
ASKED = {
    "a": (("hand_l", "hand_r", "head"), ("hips", "foot_l", "foot_r")),
    "b": (("hand_l", "hand_r", "head"), ("hips",)),
    "c": (("hand_l",), ("hips", "foot_l", "foot_r")),
    "5": (("chest", "hand_l", "hand_r", "foot_l", "foot_r"), ()),
}
"""Positions, and positions with rotations, that are given."""
SAID = {
    "a": "hands, head; hips and feet with rotation", "b": "hands, head; hips with rotation",
    "c": "a hand; hips and feet with rotation", "5": "chest, hands, feet",
}  # fmt: skip
LEG = 84.0  # cm: errors are as on a person of this leg length
OFF = 10.0  # cm
FIGURES = (
    "recorded", "mannequin", "characters/Knight.glb", "characters/MH_game_engine.glb", "characters/CesiumMan.glb",
    "characters/cryptovoxels.vrm",
)  # fmt: skip


class Errors(NamedTuple):
    """Means over the joints without goals, but for the shares of elbows and knees."""

    centimetres: float
    degrees: float
    upper: tuple[float, float]
    """The same without the legs, which hands, head and hips say nothing of."""
    elbows: float
    knees: float
    microseconds: float
    unmet: float


def main() -> None:
    """Print the tables; with --write, put them into the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.natural", description="How natural poses are.")
    parser.add_argument("--folder", type=Path, default=ROOT / "../shared/data")
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--poses", type=int, default=300)
    parser.add_argument("--figures", type=lambda text: text.split(","), default=FIGURES)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    lines = ["| figure | goals | persons | without | with `Natural()` |", "|---|---|---|---|---|"]
    for line in _rows(options):
        print(line, flush=True)
        lines.append(line)
    lines += ["", machine() + ".", ""]
    if options.write:
        head, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        PAGE.write_text(head + BEGIN + "\n".join(lines) + END + rest.partition(END)[2], encoding="utf-8")


def _rows(options: argparse.Namespace) -> Iterator[str]:
    for name in options.figures:
        for fold in FOLDS:
            model = Model.load(options.models / f"{'_'.join(fold)}.npz")
            figure, truth = _truth(options.folder, name, fold, options.poses)
            for kind in ASKED:
                plain, natural = _compared(figure, truth, kind, model)
                cells = [_cell(found, kind) for found in (plain, natural)]
                yield f"| {Path(name).stem} | {kind} | {', '.join(fold)} | {cells[0]} | {cells[1]} |"


def _cell(found: Errors, kind: str) -> str:
    sides = f"elbows {found.elbows:.0%}, knees {found.knees:.1%}"
    unmet = f", {found.unmet:.1%} unmet" if found.unmet else ""
    upper = f" (above the legs {found.upper[0]:.1f} cm {found.upper[1]:.1f}°)" if kind == "b" else ""
    return f"{found.centimetres:.1f} cm {found.degrees:.1f}°{upper}, {sides}, {found.microseconds:.0f} µs{unmet}"


def _truth(folder: Path, name: str, fold: Sequence[str], count: int) -> tuple[posable.Figure, posable.Pose]:
    """The figure, and recorded poses of these persons on it: rotations copied by roles where it is another's."""
    paths = [path for path in sorted((folder / "mocap_cmu").glob("*.bvh")) if recordings.person_of(path) in fold]
    each, parts = -(-count // len(paths)), []
    figure = posable.load(paths[0]) if name == "recorded" else None
    if figure is None:
        figure = posable.figure(name) if name == "mannequin" else posable.load(folder / name)
    for path in paths:
        clip = posable.load(path).clips[0]
        moment = np.linspace(0, len(clip) - 1, each).astype(int)
        if name != "recorded":
            clip = posable.retarget(clip, figure)
        parts.append(clip.poses.q[moment])
    return figure, posable.Pose(figure.skeleton, np.concatenate(parts))


def _compared(figure: posable.Figure, truth: posable.Pose, kind: str, model: Model) -> tuple[Errors, Errors]:
    body = body_of(figure.skeleton)
    assert body is not None, figure
    start, goals = _standing(figure, body, truth), _goals(figure, body, truth, kind)
    found = []
    for asked in (goals, [*goals, posable.Natural(model=model)]):
        posable.solve(start[:2], [goal.of_frames(slice(0, 2)) for goal in asked])  # compiled before it is timed
        began = time.perf_counter()
        solution = posable.solve(start, asked)
        seconds = (time.perf_counter() - began) / len(truth)
        found.append(_errors(figure, body, truth, solution, kind, seconds))
    return found[0], found[1]


def _joint(body: Body, role: str) -> int:
    return int(body.points[recordings.P[role]])


def _goals(figure: posable.Figure, body: Body, truth: posable.Pose, kind: str) -> list[posable.Goal]:
    frames, names = truth.world_from_joint, figure.skeleton.joints
    positions, places = ASKED[kind]
    goals: list[posable.Goal] = [
        posable.Reach(names[_joint(body, role)], frames[:, _joint(body, role), :3, 3]) for role in positions
    ]
    return goals + [posable.Place(names[_joint(body, role)], frames[:, _joint(body, role)]) for role in places]


def _standing(figure: posable.Figure, body: Body, truth: posable.Pose) -> posable.Pose:
    """The rest pose, with its hips where the recorded ones are, facing as they do."""
    skeleton, root = figure.skeleton, int(body.root[0])
    if root < 0:
        return figure.rest
    q = np.repeat(skeleton.rest_coordinates[None], len(truth), axis=0)
    turn = body.axes[0] @ about_up(facing(common_rotations(body, truth))) @ body.axes[0].T
    frames, first = posable.Pose(skeleton, q).world_from_joint, int(skeleton.tables.first_coordinate[root])
    parent = int(skeleton.parents[root])
    above = frames[:, parent, :3, :3] if parent >= 0 else np.eye(3)
    own = np.swapaxes(above @ skeleton.tables.turn[root], -1, -2)
    q[:, first + 3 : first + 7] = wxyz_from_matrix(own @ turn @ frames[:, root, :3, :3])
    hips = int(body.segments[0])
    off = truth.origins[:, hips] - posable.Pose(skeleton, q).origins[:, hips]
    q[:, first : first + 3] += np.einsum("nij,nj->ni", np.broadcast_to(own, (len(q), 3, 3)), off)
    return posable.Pose(skeleton, q)


def _errors(
    figure: posable.Figure, body: Body, truth: posable.Pose, solution: posable.Solution, kind: str, seconds: float
) -> Errors:
    given = {_joint(body, role) for roles in ASKED[kind] for role in roles}
    judged = np.flatnonzero(body.turned_by[:, 0] >= 0)
    open_ones = [joint for joint in judged.tolist() if joint not in given]
    scale = LEG / float(body.leg[0])
    off = scale * np.linalg.norm(truth.origins - solution.pose.origins, axis=-1)
    turns = np.swapaxes(_local(figure, truth)[:, judged], -1, -2) @ _local(figure, solution.pose)[:, judged]
    angles = np.degrees(Rotation.from_matrix(turns.reshape(-1, 3, 3)).magnitude()).reshape(len(truth), -1)
    thighs = {int(body.segments[recordings.S[f"upper_leg_{side}"]]) for side in "lr"}
    legs = {joint for joint in range(len(figure.skeleton.joints)) if thighs.intersection(figure.skeleton.chain(joint))}
    sides = [[_joint(body, f"lower_{limb}_{side}") for side in "lr"] for limb in ("arm", "leg")]
    unmet = float(np.mean(np.asarray(solution.status) != posable.Status.REACHED))
    shares = [float((off[:, joints] > OFF).mean()) for joints in sides]
    high = [joint for joint in open_ones if joint not in legs]
    above = angles[:, [k for k, joint in enumerate(judged.tolist()) if joint not in legs]]
    upper = float(off[:, high].mean()), float(above.mean())
    return Errors(
        float(off[:, open_ones].mean()), float(angles.mean()), upper, shares[0], shares[1], 1e6 * seconds, unmet
    )


def _local(figure: posable.Figure, pose: posable.Pose) -> Array:
    frames, parents = pose.world_from_joint[..., :3, :3], figure.skeleton.parents
    above = np.where((parents >= 0)[:, None, None], frames[:, np.maximum(parents, 0)], np.eye(3))
    return np.swapaxes(above, -1, -2) @ frames


if __name__ == "__main__":
    main()
