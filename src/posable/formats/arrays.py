"""A clip as arrays and tables for research (NumPy, pandas, xarray, Parquet), and back."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np

from posable.clips import Clip
from posable.clips.clip import key_velocities
from posable.errors import MissingExtraError, PoseError, check_kind
from posable.motion import Contacts
from posable.skeleton import Skeleton, pose_from_rotations, rotations_of
from posable.skeleton.placements import RotationForm, wxyz_of
from posable.spatial import Array, matrix_from_wxyz

TableForm = Literal["arrays", "wide", "long", "xarray"]
_ROTATION_PARTS: dict[str, tuple[str, ...]] = {
    "6d": ("xx", "xy", "xz", "yx", "yy", "yz"),
    "quaternion": ("w", "x", "y", "z"),
    "axis_angle": ("x", "y", "z"),
}
_POINTS = ("heel", "ball", "toe")
_COLUMN = {"positions": "position", "rotations": "rotation", "coordinates": "coordinate", "velocities": "velocity",
           "contacts": "contact"}  # fmt: skip


def to_arrays(
    clip: Clip, form: TableForm = "arrays", *, rotations: RotationForm = "quaternion", contacts: Contacts | None = None
) -> Any:
    """Return a clip as arrays or as a table: positions, rotations, coordinates, velocities and contacts.

    | name | shape | what |
    |---|---|---|
    | `seconds` | `[frame]` | time of each frame in seconds |
    | `positions` | `[frame, joint, 3]` | joints in the world, in the figure's unit of length |
    | `rotations` | `[frame, joint, 4, 6 or 3]` | each joint's frame in its parent's (of a root, in the world) |
    | `coordinates` | `[frame, coordinate]` | `clip.q`: radians, lengths, wxyz; names such as "knee_l.x" and "hips.qw" |
    | `velocities` | `[frame, freedom]` | rad/s and lengths/s in the tangent space, no differences of quaternions |
    | `contacts` | `[frame, foot, 3]` | whether heel, ball and toes touch the ground |

    Args:
        clip: The clip.
        form: "arrays" is a dict with these names, those of the axes (`joints`, `coordinate_names`, `freedom_names`,
            `feet`), `fps`, `name`, `up` and `rotation_form`; "wide" a pandas table with a row for each frame and
            columns such as "position/hips/x"; "long" one with a row for each number: frame, seconds, quantity, of,
            part, value; "xarray" a dataset. Tables keep fps, name, up and rotation_form in `attrs`, as Parquet files
            of them do.
        rotations: "quaternion" (wxyz), "6d" (the first two columns of the matrix) or "axis_angle" (a rotation vector in
            radians).
        contacts: From `posable.motion.contacts(clip)`; None leaves them out.

    Returns:
        The dict, DataFrame or Dataset; `from_arrays` makes the clip of it again, to the bit.

    Raises:
        PoseError: For an unknown form, or contacts of another number of frames.
        MissingExtraError: Where pandas or xarray is needed and not installed.

    Example:
        >>> arrays = posable.to_arrays(clip, rotations="6d")
        >>> arrays["rotations"].shape[-1]
        6
    """
    if form not in get_args(TableForm):
        raise PoseError(f"clips become {', '.join(get_args(TableForm))}, not {form!r}")
    if rotations not in _ROTATION_PARTS:
        raise PoseError(f"rotations in tables are {', '.join(_ROTATION_PARTS)}, not {rotations!r}")
    if not isinstance(clip, Clip):
        raise PoseError(f"what becomes arrays is a Clip, not {type(clip).__name__}; those of a file are figure.clips")
    found = _arrays(clip, rotations, contacts)
    if form == "arrays":
        return found
    if form == "xarray":
        return _dataset(found)
    wide = _wide(found)
    return wide if form == "wide" else _long(wide)


def from_arrays(arrays: Any, skeleton: Skeleton) -> Clip:
    """Return the clip of arrays or a table: the inverse of `to_arrays`.

    Where there are `coordinates`, they are the clip, to the bit. Without them it is what `rotations` and `positions`
    say (rest positions where they are missing): drop the coordinates of a table whose rotations were changed.

    Args:
        arrays: What `to_arrays` gave, what pandas or xarray read of it, or `numpy.load` of an .npz that posable wrote.
            Columns and joints may be in any order.
        skeleton: The skeleton of the clip.

    Returns:
        The clip.

    Raises:
        PoseError: If a joint of the skeleton is missing or numbers do not make poses.

    Example:
        >>> again = posable.from_arrays(posable.to_arrays(clip), clip.skeleton)
        >>> bool((again.q == clip.q).all())
        True
    """
    check_kind(skeleton, Skeleton, "poses are those of a Skeleton", "a figure's is figure.skeleton", PoseError)
    given = arrays
    if hasattr(arrays, "columns"):
        given = _of_table(arrays, skeleton)
    elif hasattr(arrays, "data_vars"):
        named = {f"{one}": arrays[one].values for one in [*arrays.data_vars, *arrays.coords]}
        given = {**named, **arrays.attrs}
    q = _coordinates(given, skeleton)
    return Clip(skeleton, q, _fps(given, len(q)), str(given["name"]) if "name" in given else "")


def coordinate_names(skeleton: Skeleton) -> tuple[str, ...]:
    """`[coordinate]` names: "hips.x" and "hips.qw" of a free joint, "knee_l.x" of a hinge."""
    names = []
    for joint in skeleton.definitions:
        parts = "xyz" * joint.floating, ("qw", "qx", "qy", "qz") * joint.has_quaternion
        names += [f"{joint.name}.{part}" for own in parts for part in own]
        names += [f"{joint.name}.{axis.name}" for axis in joint.own_axes]
    return tuple(names)


def velocities_of(clip: Clip) -> Array:
    """`[frame, dof]` per second, in the tangent space of each frame; zero for a single frame."""
    if len(clip) == 1:
        return np.zeros((1, clip.skeleton.dof))
    return key_velocities(clip.poses, clip.times)


def _arrays(clip: Clip, form: RotationForm, contacts: Contacts | None) -> dict[str, Any]:
    skeleton = clip.skeleton
    found = {
        "fps": float(clip.fps),
        "name": clip.name,
        "up": skeleton.up,
        "rotation_form": form,
        "joints": np.array(skeleton.joints),
        "coordinate_names": np.array(coordinate_names(skeleton)),
        "freedom_names": np.array(skeleton.freedoms),
        "seconds": clip.times,
        "positions": np.array(clip.poses.origins),
        "rotations": rotations_of(clip.poses, form)[0],
        "coordinates": np.array(clip.q),
        "velocities": velocities_of(clip),
    }
    if contacts is not None:
        if contacts.ball.shape[1:] != (len(clip),):
            raise PoseError(f"the contacts are of {contacts.ball.shape[-1]} frames, the clip has {len(clip)}")
        found["feet"] = np.array([sole.name for sole in contacts.soles])
        found["contacts"] = np.stack([contacts.heel, contacts.ball, contacts.toe], axis=-1).swapaxes(0, 1)
    return found


def _axes(given: Mapping[str, Any]) -> dict[str, tuple[tuple[str, Sequence[str]], ...]]:
    """The axes of each array after that of the frames: (name, labels)."""
    joints = ("joint", given["joints"])
    axes = {
        "positions": (joints, ("axis", "xyz")),
        "rotations": (joints, ("rotation", _ROTATION_PARTS[str(given["rotation_form"])])),
        "coordinates": (("coordinate", given["coordinate_names"]),),
        "velocities": (("freedom", given["freedom_names"]),),
    }
    if "feet" in given:
        axes["contacts"] = (("foot", given["feet"]), ("point", _POINTS))
    return axes


def columns_of(quantity: str, axes: Sequence[tuple[str, Sequence[str]]]) -> list[str]:
    """The columns of a table for a quantity whose axes after the frames are (name, labels)."""
    names = [_COLUMN[quantity]]
    for _, labels in axes:
        names = [f"{name}/{label}" for name in names for label in labels]
    return names


def _attributes(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: given[name] for name in ("fps", "name", "up", "rotation_form")}


def _wide(found: Mapping[str, Any]) -> Any:
    pandas = optional("pandas")
    frames = len(found["seconds"])
    parts = [pandas.DataFrame({"seconds": found["seconds"]})]
    for quantity, axes in _axes(found).items():
        parts.append(pandas.DataFrame(found[quantity].reshape(frames, -1), columns=columns_of(quantity, axes)))
    table = pandas.concat(parts, axis=1)
    table.attrs = _attributes(found)
    return table


def _long(wide: Any) -> Any:
    pandas = optional("pandas")
    names = [name for name in wide.columns if name != "seconds"]
    split = [(name.split("/", 1)[0], *_of_and_part(name)) for name in names]
    frames = len(wide)
    table = {"frame": np.tile(np.arange(frames), len(names)), "seconds": np.tile(wide["seconds"], len(names))}
    for k, column in enumerate(("quantity", "of", "part")):
        table[column] = np.repeat([one[k] for one in split], frames)
    table["value"] = np.concatenate([wide[name].to_numpy(float) for name in names])
    long = pandas.DataFrame(table)
    long.attrs = wide.attrs
    return long


def _of_and_part(column: str) -> tuple[str, str]:
    """What a column is of and which part: joints' names may hold any sign."""
    quantity, rest = column.split("/", 1)
    if quantity in ("coordinate", "velocity"):
        return rest, ""
    of, _, part = rest.rpartition("/")
    return of, part


def _dataset(found: Mapping[str, Any]) -> Any:
    xarray = optional("xarray")
    arrays, labels = {}, {"seconds": ("frame", found["seconds"])}
    for quantity, axes in _axes(found).items():
        arrays[quantity] = (("frame", *(name for name, _ in axes)), found[quantity])
        labels |= {name: (name, list(own)) for name, own in axes}
    return xarray.Dataset(arrays, labels, _attributes(found))


def _of_table(table: Any, skeleton: Skeleton) -> dict[str, Any]:
    """The arrays of a wide or long table, in the skeleton's order."""
    wide = table.sort_values("seconds", kind="stable") if "seconds" in table.columns else table
    if "value" in table.columns:
        if (twice := table.duplicated(["frame", "quantity", "of", "part"])).any():
            raise PoseError(f"the table has {int(twice.sum())} numbers twice; give that of one clip")
        parts = [table[name].astype(str) for name in ("quantity", "of", "part")]
        column = (parts[0] + "/" + parts[1] + "/" + parts[2]).str.removesuffix("/")
        wide = table.assign(column=column).pivot(index="frame", columns="column", values="value")
        wide["seconds"] = table.drop_duplicates("frame").set_index("frame")["seconds"]
    form = table.attrs.get("rotation_form") or _form_ofcolumns_of(wide.columns, skeleton)
    given = {"joints": skeleton.joints, "rotation_form": form, **table.attrs}
    given |= {"coordinate_names": coordinate_names(skeleton), "freedom_names": skeleton.freedoms}
    if "seconds" in wide.columns:
        given["seconds"] = wide["seconds"].to_numpy(float)
    for quantity, axes in _axes(given).items():
        columns = columns_of(quantity, axes)
        if not any(name in wide.columns for name in columns):
            continue
        if missing := [name for name in columns if name not in wide.columns]:
            raise PoseError(
                f"the table has no column {missing[0]!r}; give the table of this skeleton, or all of its columns"
            )
        given[quantity] = wide[columns].to_numpy(float).reshape(len(wide), *(len(labels) for _, labels in axes))
    return given


def _form_ofcolumns_of(columns: Any, skeleton: Skeleton) -> str:
    forms = (form for form, parts in _ROTATION_PARTS.items() if f"rotation/{skeleton.joints[0]}/{parts[0]}" in columns)
    return next(forms, "quaternion")


def _coordinates(given: Any, skeleton: Skeleton) -> Array:
    """`[frame, coordinate]` of arrays in any order of joints."""
    counts = {name: len(np.atleast_1d(given[name])) for name in _COLUMN if name in given}
    if len({*counts.values()}) > 1:
        told = ", ".join(f"{name} have {count}" for name, count in counts.items())
        raise PoseError(f"the arrays need the same number of frames; {told}")
    if "coordinates" in given:
        return _sorted(given, "coordinates", ("coordinate_names", "coordinate"), coordinate_names(skeleton))
    if "rotations" not in given:
        raise PoseError("the arrays hold neither coordinates nor rotations, so they are not poses")
    axis = ("joints", "joint")
    turns = _sorted(given, "rotations", axis, skeleton.joints)
    form: Any = str(given["rotation_form"]) if "rotation_form" in given else _form_of(turns)
    local = None
    if "positions" in given:
        local = _in_parents(_sorted(given, "positions", axis, skeleton.joints), turns, form, skeleton)
    return pose_from_rotations(skeleton, turns, local, form).q


def _sorted(given: Any, quantity: str, axis: tuple[str, str], wanted: Sequence[str]) -> Array:
    """The array with its second axis in the order `wanted`; as it is where the arrays do not name it."""
    values = np.asarray(given[quantity], float)
    names = next((list(map(str, given[name])) for name in axis if name in given), list(wanted))
    if values.ndim < 2 or values.shape[1] != len(names):
        raise PoseError(f"{quantity} of shape {values.shape} do not fit {len(names)} names of {axis[1]}s")
    if missing := [name for name in wanted if name not in names]:
        raise PoseError(f"the arrays have no {axis[1]} {missing[0]!r}, so they are of another skeleton")
    return values if names == list(wanted) else values[:, [names.index(name) for name in wanted]]


def _form_of(turns: Array) -> str:
    sizes = {len(parts): form for form, parts in _ROTATION_PARTS.items()}
    if turns.shape[-1] not in sizes:
        raise PoseError(f"rotations of {turns.shape[-1]} numbers are not known; give {', '.join(_ROTATION_PARTS)}")
    return sizes[turns.shape[-1]]


def _in_parents(positions: Array, turns: Array, form: RotationForm, skeleton: Skeleton) -> Array:
    """`[frame, joint, 3]` joints' positions in their parents' frames, of those in the world."""
    local = matrix_from_wxyz(wxyz_of(turns, form))
    world, found = np.empty(local.shape), np.array(positions)
    for joint, parent in enumerate(skeleton.parents.tolist()):
        if parent < 0:
            world[:, joint] = local[:, joint]
            continue
        world[:, joint] = world[:, parent] @ local[:, joint]
        found[:, joint] = np.einsum("nji,nj->ni", world[:, parent], positions[:, joint] - positions[:, parent])
    return found


def _fps(given: Any, frames: int) -> float:
    if "fps" in given:
        return float(given["fps"])
    if "seconds" in given and frames > 1:
        seconds = np.asarray(given["seconds"], float)
        return float((frames - 1) / (seconds[-1] - seconds[0]))
    raise PoseError("the arrays do not say how many frames a second they have; give them `fps` or `seconds`")


def optional(name: str) -> Any:
    """A package of the extra `arrays`. Raises MissingExtraError."""
    try:
        return importlib.import_module(name)
    except ImportError as problem:
        raise MissingExtraError("arrays", f"a clip for {name}") from problem
