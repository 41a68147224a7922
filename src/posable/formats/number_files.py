"""Files of a clip's numbers, for simulators and learning code of robots: .npz, .csv and .parquet."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np

from posable.clips import Clip
from posable.errors import FileError
from posable.figures import Figure
from posable.files import atomic_path, write_atomically
from posable.formats.arrays import columns_of, coordinate_names, optional, to_arrays, velocities_of
from posable.skeleton import Joint, Pose


def write(path: str | Path, figure: Figure, motion: Pose | Clip | None = None) -> None:
    """Write a clip's numbers: .npz (NumPy arrays), .csv (a row for each frame) or .parquet (the wide table).

    Raises FileError for a figure without a motion, MissingExtraError for Parquet without pandas and pyarrow.
    """
    path, clip = Path(path), _clip_of(figure, motion)
    if clip is None:
        raise FileError(path, "holds motions, and the figure has no clip; retarget one to it, or save another format")
    if path.suffix.lower() == ".csv":
        write_atomically(path, _csv(clip))
        return
    wide = to_arrays(clip, "wide") if path.suffix.lower() == ".parquet" else None
    if wide is not None:
        optional("pyarrow")
    with atomic_path(path) as beside:
        if wide is not None:
            wide.to_parquet(beside, engine="pyarrow", index=False)
        else:
            with beside.open("wb") as file:
                np.savez(file, **numbers_of(clip))


def numbers_of(clip: Clip) -> dict[str, Any]:
    """What an .npz holds: the coordinates and velocities of `to_arrays`, and for robots root and joints apart.

    A robot has one floating root, and nothing else with a quaternion. Positions and the linear velocity of its root are
    in the world, the angular velocity in the root's own frame; quaternions are wxyz.
    """
    skeleton, v = clip.skeleton, velocities_of(clip)
    found: dict[str, Any] = {
        "fps": np.array(clip.fps),
        "name": np.array(clip.name),
        "up": np.array(skeleton.up),
        "seconds": clip.times,
        "coordinate_names": np.array(coordinate_names(skeleton)),
        "coordinates": np.array(clip.q),
        "freedom_names": np.array(skeleton.freedoms),
        "velocities": v,
    }
    if skeleton.definitions[0].floating and len(skeleton.quaternion_columns) == 1:
        names = [name for joint in skeleton.definitions[1:] for name in _axis_names(joint)]
        found |= {
            "root_position": clip.q[:, :3],
            "root_wxyz": clip.q[:, 3:7],
            "root_linear_velocity": v[:, :3],
            "root_angular_velocity": v[:, 3:6],
            "joint_names": np.array(names),
            "joint_positions": clip.q[:, 7:],
            "joint_velocities": v[:, 6:],
        }
    return found


def _axis_names(joint: Joint) -> list[str]:
    """The names of a joint's axes: MJCF names each, elsewhere the only one has the joint's own name."""
    own = joint.own_axes
    alone = len(own) == 1
    return [
        axis.name if axis.name not in "xyz" else joint.name if alone else f"{joint.name}.{axis.name}" for axis in own
    ]


def _clip_of(figure: Figure, motion: Pose | Clip | None) -> Clip | None:
    if isinstance(motion, Pose):
        return Clip(figure.skeleton, np.atleast_2d(motion.q), 30.0, "pose")
    return motion or figure.main_clip


def _csv(clip: Clip) -> str:
    """Seconds, coordinates and velocities in the wide table's columns, numbers as short as exact reading allows."""
    text = io.StringIO()
    names = columns_of("coordinates", [("", coordinate_names(clip.skeleton))])
    names += columns_of("velocities", [("", clip.skeleton.freedoms)])
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["seconds", *names])
    rows.writerows(np.concatenate([clip.times[:, None], clip.q, velocities_of(clip)], axis=1).tolist())
    return text.getvalue()
