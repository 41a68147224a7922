"""The steps of a batch: the commands of the same names, with their options, on a figure and a motion in memory."""

from __future__ import annotations

import importlib
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, NamedTuple

import click

import posable
from posable.cli import options
from posable.cli.bind import bound_figure
from posable.cli.clip_choice import chosen_clip
from posable.cli.ground import read_terrain
from posable.cli.reach import ReachRequest, solved
from posable.cli.roles import role_table
from posable.cli.walk import walked
from posable.errors import near_names
from posable.files import check_file
from posable.motion.gait.walking import usual_gait

_BATCH_OPTIONS = {
    "file", "clip_file", "mesh_file", "skeleton_file", "clip", "unit", "up", "root", "listed", "seconds", "output",
    "force", "as_json", "picture", "film", "view", "size", "sheet", "roles_out", "clip_roles_out", "against",
    "against_clip",
}  # fmt: skip
"""Options that commands have and steps lack: files, and options of the whole batch."""


@dataclass(frozen=True)
class Step:
    """A step with the options of its command. figure: that of `--to`, prepared for it. made: objects made once."""

    name: str
    text: str
    given: Mapping[str, Any]
    figure: posable.Figure | None = None
    made: Any = None

    @property
    def files(self) -> list[Path]:
        """The files that its options name."""
        named = [value for value in self.given.values() if isinstance(value, Path)]
        gait = self.given.get("gait")
        return [*named, *([Path(gait)] if gait and Path(gait).is_file() else [])]


@dataclass
class Work:
    """One file between two steps.

    path: the input. clip_name: which of its clips. motion: None until a step makes one. measures: those of reports.
    """

    path: Path
    clip_name: str | None = None
    figure: Any = None
    motion: posable.Clip | posable.Pose | None = None
    measures: dict[str, float | None] = field(default_factory=dict)

    def clip(self) -> posable.Clip:
        """The motion so far. Raises PosableError if no step has made one."""
        if isinstance(self.motion, posable.Pose):
            raise posable.PosableError("this step needs a motion, and the step before it leaves a single pose")
        return self.motion or chosen_clip(self.figure, self.clip_name)

    def pose(self, frame: int | None) -> posable.Pose:
        """The start pose: that of the step before, a frame of the motion, or the rest pose."""
        if isinstance(self.motion, posable.Pose):
            return self.motion
        if self.motion is None and self.clip_name is None and frame is None:
            return self.figure.rest
        clip, frame = self.clip(), frame or 0
        if frame >= len(clip):
            raise posable.PosableError(f"clip {clip.name!r} has frames 0 to {len(clip) - 1}, not {frame}")
        return clip.poses[frame]


def read_step(text: str) -> Step:
    """The step of a text such as "retarget --plant". Raises PosableError for options that its command would refuse."""
    try:
        name, *words = shlex.split(text) or [""]
    except ValueError as problem:
        raise posable.PosableError(f"step {text!r} is not a command and its options: {problem}") from None
    if name not in _STEPS:
        near = near_names(name, _STEPS, 1)
        guess = f"did you mean {near[0]}? " if near else ""
        raise posable.PosableError(f"no step is called {name!r}; {guess}choose from {', '.join(_STEPS)}")
    known: list[click.Parameter] = [
        one for one in _command(name).params if isinstance(one, click.Option) and one.name not in _BATCH_OPTIONS
    ]
    parser = click.Command(name, params=known, add_help_option=False)
    try:
        given = parser.make_context(name, words).params
    except click.ClickException as misuse:
        raise posable.PosableError(f"step {text!r}: {misuse.format_message()}") from None
    named = {key: value.resolve() if isinstance(value, Path) else value for key, value in given.items()}
    return Step(name, text, named)


def ready(step: Step, to: posable.Figure | None) -> Step:
    """The prepared step: its figure and options are checked before any recording is opened."""
    kind = _STEPS[step.name]
    if kind.needs_to and to is None:
        raise posable.PosableError(f"step {step.text!r} needs a figure: name its file with --to")
    for path in step.files:
        check_file(path)
    return kind.make(step, to) if kind.make else step


def takes_meshes(steps: Sequence[Step]) -> bool:
    """Whether the inputs are bare meshes: the first step binds them."""
    return bool(steps) and steps[0].name == "bind"


def writes(steps: Sequence[Step]) -> bool:
    """Whether the steps make files: reports alone do not."""
    return any(step.name != "report" for step in steps)


def done(work: Work, steps: Sequence[Step]) -> Work:
    """The file's work after all steps."""
    for step in steps:
        _STEPS[step.name].do(work, step)
    return work


def _command(name: str) -> click.Command:
    return _STEPS[name].options or importlib.import_module(f"posable.cli.{_STEPS[name].command or name}").command


# What each step does.


def _for_retargeting(step: Step, to: Any) -> Step:
    figure = options.travelling(to)
    return replace(step, figure=figure, made=role_table(figure, step.given["roles"]))


def _retarget(work: Work, step: Step) -> None:
    theirs = role_table(work.figure, step.given["clip_roles"])
    how = {"plant": step.given["plant"], "balance": step.given["balance"], "natural": not step.given["plain"]}
    own: Any = step.figure
    found = posable.motion.retargeting(work.clip(), own, roles=step.made, clip_roles=theirs, **how)
    work.figure, work.motion = own, found.clip


def _walk(work: Work, step: Step) -> None:
    gait = step.made or usual_gait(len(role_table(work.figure, step.given["roles"]).legs))
    work.motion = walked(work.figure, gait, dict(step.given))[0]


def _for_walking(step: Step, _: Any) -> Step:
    gait = step.given["gait"]
    return replace(step, made=posable.Gait.load(gait)) if gait else step


def _plant(work: Work, step: Step) -> None:
    feet = step.given["feet"] or None
    how = {"figure": work.figure, "roles": role_table(work.figure, step.given["roles"])}
    work.motion = posable.motion.plant(work.clip(), _terrain(work, step), feet, **how).clip


def _reach(work: Work, step: Step) -> None:
    unasked = dict.fromkeys(one.name for one in fields(ReachRequest))
    wish = ReachRequest(**{**unasked, **step.given, "file": work.path})
    start = work.pose(wish.frame)
    work.motion = solved(
        wish, work.figure, start, wish.goals(start, wish.frozen(work.figure)), wish.solver()
    ).solution.pose


def _for_reaching(step: Step, to: Any) -> Step:
    del to
    if not any(step.given[name] for name in ("reach", "orient", "look")):
        raise posable.PosableError(f"step {step.text!r} needs a goal: --goal JOINT=X,Y,Z")
    return step


def _convert(work: Work, step: Step) -> None:
    if step.given["frame"] is not None:
        work.motion = work.pose(step.given["frame"])
    elif work.clip_name is not None:
        work.motion = work.clip()


def _mirror(work: Work, step: Step) -> None:
    del step
    work.motion = posable.clips.mirror(work.clip())


def _resample(work: Work, step: Step) -> None:
    work.motion = work.clip().resample(step.given["fps"], step.given["interpolation"])


def _report(work: Work, step: Step) -> None:
    how = {"figure": work.figure, "roles": role_table(work.figure, step.given["roles"])}
    report = posable.motion.motion_report(work.clip(), _terrain(work, step), **how)
    number = 1 + sum(name.endswith("knee_jerk") for name in work.measures)
    prefix = "report" if number == 1 else f"report{number}"
    work.measures |= {f"{prefix}_{one.name}": one.value for one in report.measures()}


def _bind(work: Work, step: Step) -> None:
    mesh, rig = posable.load_mesh(work.path), step.figure
    work.figure = bound_figure(work.path, mesh, rig, dict(step.given))[0] if rig else None


def _terrain(work: Work, step: Step) -> posable.Terrain | None:
    path = step.given["terrain"]
    return None if path is None else read_terrain(path, work.figure.skeleton.up)


class _Kind(NamedTuple):
    """A kind of step. make: makes the objects that all files share. command: the command whose options it takes, if of
    another name.
    """

    do: Callable[[Work, Step], None]
    make: Callable[[Step, Any], Step] | None = None
    needs_to: bool = False
    command: str | None = None
    options: click.Command | None = None


_FPS = click.Option(["--fps"], type=click.FloatRange(min=0, min_open=True), required=True)
_BETWEEN = click.Option(["--interpolation"], type=click.Choice(["linear", "cubic", "monotone"]), default="linear")
_STEPS = {
    "retarget": _Kind(_retarget, _for_retargeting, needs_to=True),
    "walk": _Kind(_walk, _for_walking),
    "ground": _Kind(_plant),
    "plant": _Kind(_plant, command="ground"),
    "reach": _Kind(_reach, _for_reaching),
    "convert": _Kind(_convert),
    "mirror": _Kind(_mirror, options=click.Command("mirror")),
    "resample": _Kind(_resample, options=click.Command("resample", params=[_FPS, _BETWEEN])),
    "report": _Kind(_report),
    "bind": _Kind(_bind, lambda step, to: replace(step, figure=to), needs_to=True),
}
