"""A figure as a notebook widget (anywidget): its goals and its pose are shared with Python, in both directions.

The page solves what is dragged by itself; what Python asks for, Python solves, with the same goals. Neither solves what
the other has done: goals that the pose meets already ask for nothing.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import posable
from posable.browser.record import handles_of, person_of
from posable.figures.effectors import between_hips_and_pelvis
from posable.studio.page import page_of, png_of, shared_viewer

_SCRIPT = Path(__file__).with_name("static") / "widget.js"
_MET_DISTANCE = 1e-6  # of the figure's reach
_TOLERANCE = 1e-5  # of the figure's reach, as in the page
_PURPOSE = "a widget in a notebook"


def has_widgets() -> bool:
    """Whether anywidget is installed, and its script was built into this copy of posable."""
    return importlib.util.find_spec("anywidget") is not None and _SCRIPT.is_file()


class Goals(dict[str, tuple[float, float, float]]):
    """Positions of the handles: {joint: position}. Setting one, by any name of its joint, moves the figure.

    A snapshot: the widget has a new one after each change.
    """

    def __init__(self, positions: dict[str, Any], moved: Callable[[str, Any], None]) -> None:
        super().__init__({name: (float(x), float(y), float(z)) for name, (x, y, z) in positions.items()})
        self._moved = moved

    def __setitem__(self, name: str, position: Any) -> None:
        self._moved(name, position)

    def __delitem__(self, name: str) -> None:
        raise posable.GoalError(f"every handle has its goal, {name!r} too; set the others")


class Posing:
    """Solves the goals of a widget in Python, with the same goals as the page.

    figure: the one whose joints have handles.
    """

    def __init__(self, figure: posable.Figure) -> None:
        self.figure, self.skeleton = figure, figure.skeleton
        self.handles, self._standing, self._loose = handles_of(figure.skeleton)
        self._frozen = sorted(between_hips_and_pelvis(figure.skeleton))
        self._is_person = person_of(figure.skeleton) is not None
        self._moved_before: set[str] = set()  # the handles that were moved
        self._prepared: dict[tuple[str, ...], posable.Prepared] = {}

    def positions(self, pose: posable.Pose) -> dict[str, Any]:
        """Positions of the handles in a pose."""
        return {name: pose.origins[self.skeleton.index(name)].tolist() for name in self.handles}

    def handle(self, name: str) -> str:
        """The handle of that name, or role. Raises UnknownJointError, or GoalError for a joint without one."""
        joint = self.skeleton.joints[self.skeleton.index(name)]
        if joint not in self.handles:
            raise posable.GoalError(f"{joint!r} has no handle; handles are {', '.join(self.handles)}")
        return joint

    def missed(self, pose: posable.Pose, goals: dict[str, Any]) -> list[str]:
        """The handles that are not at their goals, or have no goal."""
        now, near = self.positions(pose), _MET_DISTANCE * self.skeleton.reach
        return [n for n, at in now.items() if n not in goals or np.abs(np.subtract(at, goals[n])).max() > near]

    def stays(self, name: str) -> bool:
        """Whether a handle stays where it was put: of a person, only one that was moved, and not head or hips."""
        return not self._is_person or (name in self._moved_before and name not in self._loose)

    def forget(self) -> None:
        """Let all handles move with a person's body, as in a new pose."""
        self._moved_before.clear()

    def solved(self, pose: posable.Pose, goals: dict[str, Any], moved: Sequence[str]) -> posable.Solution:
        """Solve from a pose. Standing handles come first, then moved ones, then all others, which should stay. Of a
        person, only hands that were moved before stay; other hands, the head and the hips move as people move them.
        """
        taken = frozenset(moved)
        self._moved_before |= taken
        held = set(self._standing) - taken
        asked = [n for n in self.handles if n in taken or n in held or self.stays(n)]
        flat, key = held if self._is_person else set[str](), (*sorted(taken), "", *asked)
        if key not in self._prepared:
            wishes: list[posable.Goal] = []
            for n in asked:
                stands = posable.Place(n, np.eye(4)) if n in flat else None
                wishes.append(stands or posable.Reach(n, np.zeros(3), priority=_priority(n, taken, held)))
            natural = [posable.Natural(keep=True)] if self._is_person else []
            near = _TOLERANCE * self.skeleton.reach
            self._prepared[key] = posable.prepare(
                self.skeleton, [*wishes, *natural], restarts=0, tolerance=near, frozen=self._frozen
            )

        def targets(desired: dict[str, Any]) -> list[Any]:
            frames = pose.world_from_joint
            own = [frames[self.skeleton.index(n)] if n in flat else np.array(desired[n], float) for n in asked]
            return [*own, None] if self._is_person else own

        now = self.positions(pose)
        if not self._is_person:
            return self._prepared[key].solve(pose, targets({**now, **goals}))
        since = targets(now)
        return self._prepared[key].solve(pose, targets({**now, **goals}), since=since, origin=(pose, since))


def _priority(name: str, taken: frozenset[str], held: set[str]) -> int:
    """The priority of a handle's goal, as in the page."""
    return 0 if name in held else bool(held) + (name not in taken)


_WIDGET_BASE: Any = object  # `widget_class` combines it with anywidget's own class


class Shared(_WIDGET_BASE):
    """A figure in a notebook. Where it is live, `goals` and `pose` are traits that Python and the page share.

    Args:
        figure: The figure.
        motion: The clip that it plays, or the pose in which it stands.
        goals: Goals that the static picture marks.
        live: Whether the handles are shared with Python.
    """

    goals: Any
    pose: Any
    status: str

    def __init__(
        self,
        figure: posable.Figure,
        motion: posable.Pose | posable.Clip | None = None,
        goals: Sequence[posable.Goal] = (),
        live: bool = False,
    ) -> None:
        self.figure, self._motion, self._marked = figure, motion, tuple(goals)
        self._posing = Posing(figure)
        self._solving = False
        start = (figure.rest if motion is None else motion) if live else None
        # Python may give it any pose, also one outside a person's range, and always that of the whole figure.
        page = page_of(figure, start if live else motion, human_limits=not live, apart=not live).linked()
        super().__init__(page=page, key=shared_viewer()[0], live=live, pose=start)
        self.on_msg(_sent)
        if live:
            self.observe(self._solve, "goals")
            self.observe(self._follow, "pose")
            self._follow()

    @property
    def handles(self) -> tuple[str, ...]:
        """The joints that have a goal."""
        return tuple(self._posing.handles)

    def reset(self) -> None:
        """Return to the rest pose."""
        self.pose = self.figure.rest

    def named(self, proposal: Any) -> Goals:
        """Goals by the names of their joints, over those that are there. Raises GoalError."""
        found = {self._posing.handle(name): at for name, at in proposal["value"].items()}
        for name, at in found.items():
            if np.shape(at) != (3,) or not np.isfinite(np.asarray(at, float)).all():
                raise posable.GoalError(f"the goal of {name!r} is a position of 3 finite numbers, not {at!r}")
        return Goals({**self._trait_values.get("goals", {}), **found}, self._move)

    def posed(self, proposal: Any) -> Any:
        """The pose. Raises PoseError unless it is a single one of the figure."""
        pose = proposal["value"]
        if not isinstance(pose, posable.Pose) or pose.shape or not self.figure.skeleton.shares_poses(pose.skeleton):
            raise posable.PoseError(f"the pose of a widget is a single pose of its own figure, not {pose!r}")
        return pose

    def _move(self, name: str, position: Any) -> None:
        self.goals = {name: position}

    def _solve(self, change: Any) -> None:
        missed = [] if self._solving else self._posing.missed(self.pose, change["new"])
        if not missed:
            return
        before = change["old"] or {}
        moved = [name for name in missed if before.get(name) != change["new"][name]]
        solution = self._posing.solved(self.pose, change["new"], moved or missed)
        self._solving = True
        try:
            self.pose, self.status = solution.pose, solution.describe()
            found = self._posing.positions(solution.pose)
            self.goals = {name: at for name, at in found.items() if not self._posing.stays(name)}
        finally:
            self._solving = False

    def _follow(self, _change: Any = None) -> None:
        if self.pose is None:  # traitlets takes None without asking
            self.reset()
            return
        if not self._solving and self._posing.missed(self.pose, self.goals):
            self._posing.forget()
            self.goals = self._posing.positions(self.pose)

    def _repr_mimebundle_(self, **more: Any) -> dict[str, Any]:
        shown = super()._repr_mimebundle_(**more)
        bundle = shown[0] if isinstance(shown, tuple) else shown
        shown = self._motion if self.pose is None else self.pose
        return {**(bundle or {}), "image/png": png_of(self.figure, shown, self._marked)}


@cache
def widget_class() -> Any:
    """The class of the widgets. Raises MissingExtraError where anywidget is not installed."""
    if not has_widgets():
        raise posable.MissingExtraError("notebook", _PURPOSE)
    anywidget, traitlets = (importlib.import_module(name) for name in ("anywidget", "traitlets"))

    class FigureWidget(Shared, anywidget.AnyWidget):
        __doc__ = Shared.__doc__
        _esm = _SCRIPT
        page = traitlets.Unicode().tag(sync=True)
        key = traitlets.Unicode().tag(sync=True)
        height = traitlets.Int(480).tag(sync=True)
        live = traitlets.Bool(False).tag(sync=True)
        status = traitlets.Unicode("").tag(sync=True)
        goals = traitlets.Dict().tag(sync=True)
        pose = traitlets.Any().tag(
            sync=True,
            to_json=lambda pose, _: None if pose is None else pose.q.tolist(),
            from_json=lambda q, widget: posable.Pose(widget.figure.skeleton, q),
        )
        _named = traitlets.validate("goals")(Shared.named)
        _posed = traitlets.validate("pose")(Shared.posed)

    return FigureWidget


def _sent(widget: Any, message: Any, _buffers: Any) -> None:
    """The page asks for the viewer, which it has but once."""
    key, viewer = shared_viewer()
    if isinstance(message, dict) and message.get("wants") == key:
        widget.send({"viewer": viewer, "key": key})


def new_widget(
    figure: posable.Figure,
    motion: posable.Pose | posable.Clip | None,
    goals: Sequence[posable.Goal] = (),
    live: bool = False,
) -> Any:
    """A widget; live shares its handles. Raises as `posable.show`."""
    if live and isinstance(motion, posable.Clip):
        raise posable.PosableError("a motion plays and has no handles; give the figure, or one pose of the motion")
    if isinstance(motion, posable.Pose) and motion.shape:
        raise posable.PoseError(f"one pose is shown, not a batch of shape {motion.shape}; give one of them")
    return widget_class()(figure, motion, goals, live)
