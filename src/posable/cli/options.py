"""Options and arguments shared by several commands, and their parameter types."""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

import posable
from posable.cli.terminal import show
from posable.errors import printable

UNITS = ("m", "dm", "cm", "mm", "in", "inch", "ft")
METHODS = (
    "LeastSquares, PseudoInverse, Newton, Transpose, DampedLeastSquares, GradientDescent, Fabrik, CyclicDescent, "
    "VirtualForce, TwoBone, SpringIK, SplineIK"
)  # written out so that --help does not import the solvers
PICTURES, FILMS = (".png",), (".mp4", ".gif")

C = TypeVar("C", bound=Callable[..., Any])
Decorator = Callable[[C], C]


class OutputPath(click.Path):
    """An output file whose suffix must be one of `endings`; any suffix if `endings` is empty."""

    name = "file"

    def __init__(self, *endings: str) -> None:
        super().__init__(path_type=Path)
        self.endings = endings

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        path = Path(str(super().convert(value, param, ctx)))
        if self.endings and path.suffix.lower() not in self.endings:
            self.fail(f"{path.name!r} must end in {' or '.join(self.endings)}", param, ctx)
        return path


class JointName(click.ParamType):
    """A joint name, completed by the shell from the FILE on the same line."""

    name = "joint"
    tail = ""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        typed = ctx.params.get("file") or next(iter(ctx.args), None)  # an incomplete option leaves FILE in args
        try:
            figure = open_figure(None if typed is None else Path(typed))
        except posable.PosableError:
            return []
        low = incomplete.lower()
        names = dict.fromkeys([*figure.skeleton.joints, *figure.skeleton.parts.joints])
        fit = (name for name in names if printable(name) == name)  # others could send control sequences
        return [CompletionItem(name + self.tail) for name in fit if name.lower().startswith(low)]


class JointAt(JointName):
    """JOINT=X,Y,Z: a joint name and `count` numbers."""

    tail = "="
    takes_files = False

    def __init__(self, count: int) -> None:
        self.count = count

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, tuple[float, ...]]:
        joint, equals, numbers = str(value).rpartition("=")
        try:
            found = tuple(float(number) for number in numbers.split(","))
        except ValueError:
            found = ()
        if not (joint and equals) or len(found) != self.count:
            hint = f"; give a file of them as {joint}=@{numbers}" if self.takes_files and joint else ""
            self.fail(f"{value!r} must be a joint name, '=' and {self.count} comma-separated numbers{hint}", param, ctx)
        return joint, found


class MethodName(click.ParamType):
    """A method NAME, or JOINT=NAME if `per_joint`; converts to (joint or None, method)."""

    name = "method"

    def __init__(self, *, per_joint: bool) -> None:
        self.per_joint = per_joint

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from posable.solvers import method_named

        joint, equals, name = str(value).rpartition("=")
        if (equals and not joint) or (equals and not self.per_joint):
            self.fail(f"{value!r} must be a method name{' or JOINT=NAME' if self.per_joint else ''}", param, ctx)
        try:
            return joint or None, method_named(name)
        except posable.MethodError as problem:
            self.fail(str(problem), param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        joint, equals, typed = incomplete.rpartition("=")
        return [
            CompletionItem(joint + equals + name)
            for name in METHODS.split(", ")
            if name.lower().startswith(typed.lower())
        ]


class Size(click.ParamType):
    """WIDTHxHEIGHT in pixels."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        if isinstance(value, tuple):
            return value
        width, _, height = str(value).lower().partition("x")
        if not (width.isdecimal() and height.isdecimal() and 16 <= int(width) <= 8192 and 16 <= int(height) <= 8192):
            self.fail(f"{value!r} must be WIDTHxHEIGHT, each from 16 to 8192 pixels, such as 640x480", param, ctx)
        return int(width), int(height)


class FigurePath(OutputPath):
    """An output file of a figure; UnsupportedFileError, before any work, for a suffix that posable does not write."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        from posable.formats.table import check_written

        if not (path := super().convert(value, param, ctx)).is_dir():  # a folder has its own message
            check_written(path)
        return path


def unused(stem: str, *endings: str, force: bool) -> list[Path]:
    """Default names of outputs, one for each ending, with a number if files of these names exist and must stay."""
    for number in itertools.count(1):
        own = [Path(f"{stem}{'' if number == 1 else f'_{number}'}{ending}") for ending in endings]
        if force or not any(path.exists() for path in own):
            return own
    raise AssertionError


def input_file(name: str = "file", metavar: str | None = None, *, required: bool = True) -> Decorator[C]:
    """The FILE argument, or another input file."""
    return click.argument(name, metavar=metavar, type=click.Path(path_type=Path), required=required)


def output(words: str, *endings: str, metavar: str | None = "OUT", required: bool = False) -> Decorator[C]:
    """-o: the output file with one of `endings`, or of a figure without any. `words` is the help text."""
    kind = OutputPath(*endings) if endings else FigurePath()
    return click.option("-o", "--output", type=kind, metavar=metavar, required=required, help=words)


def picture(words: str) -> Decorator[C]:
    """--picture: also draw a picture."""
    return click.option("--picture", type=OutputPath(*PICTURES), metavar="PNG", help=words)


def film(words: str) -> Decorator[C]:
    """--film: also render a film."""
    return click.option("--film", type=OutputPath(*FILMS), metavar="MP4|GIF", help=words)


VIEWS = ("three_quarter", "front", "side")


def seen_from(function: C) -> C:
    """--view and --size of the pictures and films of a command."""
    view = click.option("--view", type=click.Choice(VIEWS), default=VIEWS[0], show_default=True, help="Camera view.")
    size = click.option(
        "--size",
        type=Size(),
        metavar="WIDTHxHEIGHT",
        help="Size in pixels.  [default: 960x720, films 640x480]",
    )
    return view(size(function))


no_skeleton = click.option("--no-skeleton", is_flag=True, help="Draw the skin alone, without bones and targets.")


def marks(given: Mapping[str, Any], goals: Sequence[posable.Goal] = ()) -> dict[str, Any]:
    """Arguments of `posable.picture` and `posable.film` that draw bones and targets over the skin, or nothing."""
    return {"skeleton": False} if given["no_skeleton"] else {"goals": goals}


def shot(given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of `seen_from` as `posable.picture` and `posable.film` take them."""
    return {"camera": given["view"]} | ({} if given["size"] is None else {"size": given["size"]})


def terrain(words: str, metavar: str = "FILE") -> Decorator[C]:
    """--terrain: the ground."""
    return click.option("--terrain", type=click.Path(path_type=Path), metavar=metavar, help=words)


def clip(file: str = "FILE") -> Decorator[C]:
    """--clip: selects a clip of `file`."""
    return click.option(
        "--clip",
        metavar="NAME",
        help=f"Name of the clip in {file}.  [default: the one that the file plays, else the first]",
    )


def goals(function: C) -> C:
    """--goal, --orient, --look and --forward: the goals."""
    position, rotation = (
        {"type": JointAt(3), "metavar": "JOINT=X,Y,Z"},
        {"type": JointAt(4), "metavar": "JOINT=W,X,Y,Z"},
    )
    reach = click.option("--goal", "reach", **position, multiple=True, help="Target position of a joint.")
    orient = click.option("--orient", **rotation, multiple=True, help="Target rotation of a joint (quaternion).")
    look = click.option("--look", **position, multiple=True, help="Point that a joint must face.")
    forward = click.option(
        "--forward",
        **position,
        multiple=True,
        help="Front of a joint of --look: a direction in its frame.  [default: the figure's facing direction at rest]",
    )
    return reach(orient(look(forward(function))))


def reading(function: C) -> C:
    """--unit, --root and --up: how to interpret a file."""
    return unit_and_root(up("FILE")(function))


def unit(files: str) -> Decorator[C]:
    """--unit: the length unit of files."""
    words = f"Length unit of {files}, for formats that do not state it; lengths are converted to metres."
    return click.option("--unit", type=click.Choice(UNITS), help=words)


def unit_and_root(function: C) -> C:
    """--unit and --root."""
    root = click.option(
        "--root", type=click.Choice(["free", "fixed"]), help="Make the figure's root floating, or fix it to the world."
    )
    return unit("FILE")(root(function))


def up(file: str) -> Callable[[C], C]:
    """--up: the axis that is up in a file."""
    return click.option(
        "--up",
        type=click.Choice(["y", "z"]),
        help=f"Axis that is up in {file}.  [default: the format's own, or y for a person in a URDF or MJCF who stands "
        "along y]",
    )


def clip_and_frame(function: C) -> C:
    """--clip and --frame: select a clip and a frame of it."""
    frame = click.option("--frame", type=click.IntRange(min=0), metavar="N", help="Frame of the clip, counted from 0.")
    return clip()(frame(function))


free = click.option(
    "--free",
    type=JointName(),
    metavar="JOINT",
    multiple=True,
    help="Let a floating joint, or the pelvis directly below it, move; by default it is frozen.",
)
freeze = click.option(
    "--freeze", type=JointName(), metavar="JOINT", multiple=True, help="Freeze a joint, or one axis of it (spine.x)."
)
plain = click.option(
    "--plain",
    is_flag=True,
    help="Solve for the goals alone; by default the rest of a person's body moves naturally (see docs/natural.md).",
)
focal = click.option(
    "--focal",
    type=click.FloatRange(min=0, min_open=True),
    metavar="PIXELS",
    help="Focal length of the camera.  [default: 0.85 of the picture's longer side]",
)
force = click.option("--force", is_flag=True, help="Overwrite existing files.")
as_json = click.option("--json", "as_json", is_flag=True, help="Print machine-readable JSON.")


def open_figure(
    file: Path | None, unit: str | None = None, up: Any = None, root: Any = None, beside: Sequence[Path] = ()
) -> posable.Figure:
    """The figure in `file`, or the mannequin if `file` is None.

    beside: other files of the command; `unit` is that of those among all which do not state their own.
    """
    if file is not None:
        from posable.formats.table import unit_for

        return posable.load(file, unit=unit_for(file, unit, *beside), up=up, root=root)
    if unit or up:
        raise posable.PosableError(f"the mannequin is in metres with y up; leave --{'unit' if unit else 'up'} out")
    figure = posable.figure("mannequin")
    return figure if root is None else figure.with_root(root)


def travelling(figure: posable.Figure) -> posable.Figure:
    """The figure with a free root if it is fixed to the world or rotates alone, so that it can travel."""
    root = figure.skeleton.definitions[0]
    fixed = root.kind in ("fixed", "ball") and not any(joint.floating for joint in figure.skeleton.definitions)
    return figure.with_root("free") if fixed else figure


def is_metric(file: Path | None, unit: str | None) -> bool:
    """Whether the figure's lengths are in metres; a recording (BVH, ASF) does not state its unit."""
    from posable.formats.table import states_unit

    return unit is not None or file is None or states_unit(file)


def refuse_existing(paths: list[Path], overwrite: bool, *, made: Path | None = None) -> None:
    """Raise FileError, before any work, if one of `paths` exists or cannot be written.

    made: a folder that the command creates if it does not exist.
    """
    for path in paths:
        folder = path.parent
        if folder == made and not folder.exists():
            folder = folder.parent
        if not folder.is_dir():
            raise posable.FileError(path, f"cannot be written: the folder {folder} does not exist; create it first")
        if not os.access(folder, os.W_OK):
            raise posable.FileError(
                path, f"cannot be written: no permission for the folder {folder}; choose another one"
            )
        if path.is_dir():
            raise posable.FileError(path, "is a folder; give a file name")
        if path.exists() and not path.is_file():
            raise posable.FileError(path, "is a pipe or a device; give the name of a file")
        if path.exists() and not overwrite:
            raise posable.FileError(path, "already exists; choose another name, or add --force to overwrite it")


# A solution as a table.


def print_goals(goals: Sequence[posable.Goal], pose: posable.Pose, *, metric: bool) -> None:
    """One row per goal: its target and its error (in the file's own unit if that is not metres)."""
    from rich import box
    from rich.table import Table

    table = Table("goal", "joint", "target", "error", box=box.SIMPLE_HEAD)
    for goal in goals:
        error = ", ".join(errors(*goal.errors(pose), metric))
        joint = pose.skeleton.joints[pose.skeleton.index(goal.joint)]
        table.add_row(type(goal).__name__, joint, _target(goal), error)
    show(table)


def _target(goal: Any) -> str:
    numbers = {posable.Orient: "wxyz", posable.LookAt: "point", posable.Reach: "target"}[type(goal)]
    return ", ".join(f"{number:.4g}" for number in getattr(goal, numbers))


def errors(distance: Any, angle: Any, metric: bool) -> list[str]:
    """The error of a goal in words: its distance, its angle (radians), or both."""
    parts = [] if distance is None else [_length(float(distance), metric)]
    return parts + ([] if angle is None else [f"{_rounded(math.degrees(angle))}°"])


def _length(length: float, metric: bool) -> str:
    if not metric:
        return _rounded(length)
    return f"{_rounded(length * 1000)} mm" if length < 0.1 else f"{_rounded(length)} m"


def _rounded(number: float) -> str:
    return "0" if number < 5e-4 else f"{number:.3g}"
