"""A session: one document, its history, and the events for its viewers."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Hashable
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

import posable
from posable.formats.gltf.keep import GlbNodes
from posable.studio import body_commands as b
from posable.studio import codec
from posable.studio import commands as c
from posable.studio.balancing import keeps_balance, support_shape
from posable.studio.command import After, Command
from posable.studio.document import Document, DroppedMesh, SavedPose, page_json
from posable.studio.drag_origin import origin_event, posed_otherwise, with_origin
from posable.studio.edits import apply
from posable.studio.edits.figure import Refiguring
from posable.studio.edits.goals import moved_with, with_free
from posable.studio.edits.poses import between, put_on
from posable.studio.edits.poses import taken as taken_pose
from posable.studio.edits.scene_props import with_mesh
from posable.studio.edits.time import Clipboard, copied, on_ground, pasted, playing
from posable.studio.events import figure_event, weights_event
from posable.studio.floors import floors_of
from posable.studio.following import FollowingSolver
from posable.studio.gestures import Gestures, with_entries
from posable.studio.heels import with_heels
from posable.studio.history import History
from posable.studio.human_range import has_human_limits
from posable.studio.kept import still_kept
from posable.studio.leaps import solved_on_the_way
from posable.studio.new_figures import with_described, with_edited, with_opened
from posable.studio.opening import checked_key, direction_of, document_of, driven, main_name, named_apart, screen_axes
from posable.studio.pacing import has_stopped, stopped
from posable.studio.playback import Player, ground_key, ground_mesh, slides, terrain_event
from posable.studio.posing import Outcome
from posable.studio.residuals import residuals
from posable.studio.scenery import carried
from posable.studio.schema import STATUSES
from posable.studio.status_text import explained, status_event
from posable.studio.timeline import changed_joints, has_other_keys
from posable.studio.trial import Trial
from posable.studio.uploads import opened, stored, title_of
from posable.studio.whole_body import solid_points

Event = dict[str, Any] | bytes


class Session:
    """One document, edited by commands, with unlimited undo and redo for each person separately.

    `handle` executes a command and returns the resulting events; `drag` is the fast path for a dragged goal.
    folder: for uploaded files; None makes a temporary one on the first upload, removed with the session.
    on_step: called with the document after every step of undo, and after an undo or redo.
    notice: shown instead of the status until the next step.
    """

    def __init__(self, document: Document | None = None, folder: Path | None = None) -> None:
        self.document = document or document_of(posable.figure("mannequin"), "mannequin")
        self._folder = folder
        self.history = History()
        self.on_step: Callable[[Document], None] = lambda _document: None
        self.notice = ""
        self.solver, self.player = FollowingSolver(), Player()
        self._gestures, self._trial = Gestures(), Trial()
        self._held: set[str] = set()
        self._axes = np.eye(3)  # of the screen on which keys are held
        self._clipboard: Clipboard = {}
        self._pose: SavedPose | None = None
        self._sent: dict[str, Any] = {}
        self._ground_sent = ground_key(self.document)
        self.rev = self.figure_rev = 0
        self._figure_sent: posable.Figure | None = None
        self._origin_sent: Document | None = None
        self.outcome = self._measured()
        self.code = 0  # the status in pose messages: exact if all goals are met, else that of the last diagnosis

    @cached_property
    def folder(self) -> Path:
        """The folder of uploaded files; a temporary one is made at first use, so that a killed process leaves none."""
        if self._folder is None:  # removed with the session, or at the latest with this process
            self._temporary = tempfile.TemporaryDirectory(prefix="posable-studio-", ignore_cleanup_errors=True)
        return self._folder or Path(self._temporary.name)

    def _measured(self) -> Outcome:
        return Outcome(self.document.pose, None, *residuals(self.document, self.document.pose), 0.0)

    # ---- commands ----

    def handle(self, command: Command, by: Hashable = None) -> list[Event]:
        """Execute a command of `by`; the events for all viewers. After a PosableError nothing has changed."""
        if isinstance(command, c.Undo | c.Redo):
            self._undo_or_redo(command, by)
        elif isinstance(command, c.GestureBegin):
            self._gestures.begin(self.document, by)
        elif isinstance(command, c.GestureEnd):
            return self.end_gesture(by)
        elif isinstance(command, c.GestureCancel):
            self._take_back(by)
        elif isinstance(command, c.KeyCopy):
            self._clipboard = copied(self.document, command)
        elif isinstance(command, c.PoseCopy):
            self._pose = taken_pose(self.document, command.goals)
        elif isinstance(command, c.DemoKey):
            return self._hold_key(command)
        elif isinstance(command, c.ClipRetarget):
            return self._retarget(command, by)
        else:
            if isinstance(command, c.KeySet) or (isinstance(command, c.GoalSet) and command.pinned is True):
                self.document = stopped(self.document, self.outcome.yields)  # key or pin what is visible
            self._set_document(self._executed(command), command, by)
        return self.news(sampling=self._gestures.base is None or command.after is not After.SOLVE)

    def _executed(self, command: Command) -> Document:
        if isinstance(command, c.KeyPaste):
            return pasted(self.document, self._clipboard, command.frame)
        if isinstance(command, c.FigureOpen):
            return with_opened(self.document, command, self.folder)
        if isinstance(command, c.TerrainFile | b.PropFile):
            mesh = ground_mesh(stored(self.folder, command.file), self.document.figure.skeleton.up)
            put = on_ground if isinstance(command, c.TerrainFile) else with_mesh
            return put(self.document, DroppedMesh(command.file, mesh), title_of(command.name or command.file))
        if isinstance(command, c.TextReload):
            return self._solved(with_described(self.document, command.text, self.folder))
        if isinstance(command, c.PosePaste | c.PoseApply):
            return put_on(self.document, command, self._pose, self._solved)
        if isinstance(command, c.PoseBetween):
            return between(self._gestures.base or self.document, self.player.clip(self.document), command)
        if isinstance(command, Refiguring):
            return with_edited(self.document, command, self.folder)
        return apply(self.document, command)

    def _retarget(self, command: c.ClipRetarget, by: Hashable) -> list[Event]:
        """Retarget a motion from a file; where the file has several clips, an event lists them."""
        title = title_of(command.name or command.file)
        moved = opened(self.folder, command.file, title, as_filed=True, fit=False)
        clips = {clip.name: clip for clip in named_apart(moved)}
        taken = command.clip if command.clip is not None else main_name(moved)
        if taken not in clips:
            raise posable.PosableError(
                f"{title} has no clip {taken!r} (choose from {', '.join(clips)})" if clips else f"{title} has no clips"
            )
        moving = posable.retarget(clips[taken], self.document.figure)
        self._set_document(playing(self.document, moving, taken), command, by)
        event = {"event": "clips", "file": command.file, "name": title, "clips": list(clips), "taken": taken}
        return [*self.news(), *([event] if len(clips) > 1 else [])]

    def _hold_key(self, command: c.DemoKey) -> list[Event]:
        """Press or release a key; from the first press to the last release is one gesture."""
        key, given = checked_key(command.key), command.given()
        if command.down:
            self._axes = screen_axes(given.get("right"), given.get("up"), self.document.figure.skeleton.up)
        if command.down and not self._held:
            self._gestures.begin(self.document, _KEY_GESTURES)
        self._held = self._held | {key} if command.down else self._held - {key}
        return [] if self._held else self.end_gesture(_KEY_GESTURES)

    @property
    def is_ticking(self) -> bool:
        """Whether held keys move a goal."""
        return bool(self._held)

    def tick(self, seconds: float) -> None:
        """Move the first goal, or all goals of a race, as far as the held keys move it in so many seconds."""
        document = self.document
        moved = driven(document, direction_of(self._held, self._axes), seconds)
        self._gestures.note(document, moved, _KEY_GESTURES)
        self.document = self._solved(moved)

    def _set_document(self, document: Document, command: Command, by: Hashable) -> None:
        before = self.document
        document = carried(before, still_kept(before, document))
        self._gestures.note(before, document, by)
        if isinstance(command, c.OptionsSet):
            document = self._trial.solved(before, document, self._solved)
        elif command.after is After.SOLVE:
            fell_short = self.outcome.yields
            document = solved_on_the_way(before, document, self._solved)
            if self._gestures.base is None and not (fell_short or self.outcome.yields):
                document = self._rested(document)
        elif command.after is After.PLAY:
            document = self.player.at_frame(document)
        if command.after is not After.SOLVE:
            document = posed_otherwise(before, document)
        if command.auto_keys and command.after is After.MEASURE:
            self._gestures.rotated |= changed_joints(before, document)
        if command.auto_keys and self._gestures.base is None:
            document = self._gestures.auto_keyed(before, document)
        self.document = document
        if command.after is not After.SOLVE or document.pose is not self.outcome.pose:
            self.outcome = self._measured()
        if self._gestures.base is None and command.is_step:
            self._add_step(before, document, by)

    def _solved(self, document: Document, before: Document | None = None) -> Document:
        before = self.document if before is None else before
        if self.outcome.yields and document.options.balance and not keeps_balance(document):
            before, document = (stopped(one, self.outcome.yields) for one in (before, document))
        document = with_origin(before, with_heels(document, before))
        since = before if document.origin else None
        self.outcome = self.solver.solve(document, document.pose, since, document.origin)
        document = carried(document, replace(document, pose=self.outcome.pose))
        return replace(document, goals=with_free(document))

    def settle(self) -> bool:
        """Continue a solve that ran out of iterations, or a hand that can go farther. True if the pose moved."""
        if self.code != int(posable.Status.OUT_OF_ITERATIONS) and not self.outcome.advances:
            return False
        before = self.document.pose
        self.document = self._solved(self.document)
        self._trial.settled(before, self.document.pose)
        return float(np.abs(self.document.pose.minus(before)).max(initial=0.0)) > _VISIBLE_MOTION

    def drag(self, message: codec.GoalMessage, by: Hashable = None) -> None:
        """Drag a goal; the pose follows at once. by: who drags. Raises GoalError for an unknown goal."""
        goals = self.document.goals
        if message.goal >= len(goals):
            raise posable.GoalError(f"unknown goal number {message.goal}; the figure has {len(goals)} goals")
        self._gestures.begin(self.document, by)  # in case its begin message was lost with a connection
        given, is_free = message.flags & codec.ROTATION_GIVEN, bool(message.flags & codec.ROTATION_FREE)
        rotation = message.rotation if given else None
        moved = moved_with(self.document, goals[message.goal].dragged(message.position, rotation, is_free))
        self._gestures.note(self.document, moved, by)
        self.document = self._solved(moved)

    def end_gesture(self, by: Hashable = None) -> list[Event]:
        """Make a gesture one undo step; with auto-key, the goals that it moved get keys."""
        self._come_to_rest()
        before, own, others = self._gestures.end(self.document, by)
        if before is not None and before is not self.document and (own or others is None):
            shown, outcome = self.document, self.outcome
            done = shown if others is None else self._solved(with_entries(shown, others, before))
            done = self.document = self._gestures.auto_keyed(before, done)
            if others is not None:
                self._gestures.base, self.outcome = done, outcome
                self.document = replace(with_entries(done, others, shown), pose=shown.pose)
            if self.document.is_animated:
                self.player.forget(self.document)
            self._add_step(before, done, None if by is _KEY_GESTURES else by)
        return self.news()

    def _come_to_rest(self) -> None:
        """Move targets that were dragged farther than balance allows back to where the hands stop."""
        self.document = self._rested(self.document)
        if self.outcome.yields:
            self.document = stopped(self.document, self.outcome.yields)
            self.outcome = self._measured()

    def _rested(self, document: Document) -> Document:
        """The document after the solves in which goals that are behind their targets catch up."""
        for _ in range(_MAX_REST_SOLVES):
            before = self.outcome
            if not (before.advances and (before.yields or keeps_balance(document))):
                break
            document = self._solved(document, document)
            if has_stopped(document, before, self.outcome):
                break
        return document

    def _add_step(self, before: Document, after: Document, by: Hashable) -> None:
        if before is not after:
            self.history.add(before, after, by)
            self._record(after)

    def _record(self, document: Document) -> None:
        self.notice = ""
        self.on_step(document)

    def _undo_or_redo(self, command: c.Undo | c.Redo, by: Hashable) -> None:
        if self._gestures.base is not None:  # undo cancels a gesture that has not ended
            self._take_back(by)
        elif found := self.history.go(self.document, by, back=isinstance(command, c.Undo)):
            there, is_unsolved = found
            if is_unsolved:  # a pose of several documents
                is_keyed = there.is_animated and has_other_keys(self.document, there)
                there = posed_otherwise(self.document, self.player.at_frame(there) if is_keyed else there)
                there = there if is_keyed else self._solved(there)
            self.document = there
            self._record(self.document)
        self.outcome = self._measured()

    def _take_back(self, by: Hashable) -> None:
        """Cancel a gesture and its changes; all gestures if `by` makes none."""
        if by not in self._gestures:
            before, own, others = self._gestures.base, frozenset(), None
            self._gestures.drop()
        else:
            before, own, others = self._gestures.end(self.document, by)
        if before is not None:
            self._gestures.rotated.clear()
            self.document = before if others is None else self._solved(with_entries(self.document, own, before))
            self.outcome = self._measured()

    # ---- events ----

    def news(self, *, sampling: bool = True) -> list[Event]:
        """The changes since the last call, as events for all viewers: the figure, entries of the document, the clip.

        sampling: False leaves the clip for later; it need not follow during a drag.
        """
        events: list[Event] = []
        if self.document.opened is not self._figure_sent:
            is_new = self._figure_sent is None or self._figure_sent.skeleton is not self.document.opened.skeleton
            self.figure_rev += 1
            before, self._figure_sent = self._figure_sent, self.document.opened
            events.append(weights_event(before, self.document.opened, self.figure_rev) or self.figure_event())
            if is_new and self.figure_rev > 1:
                events.extend({"event": "notice", "text": note} for note in self.document.opened.notes[:MOST_NOTES])
        now = self.page_json()
        changed = {name: value for name, value in now.items() if self._sent.get(name, _UNSENT) != value}
        if changed:
            self.rev += 1
            self._sent = now
            events.append({"event": "document", "rev": self.rev, "set": changed})
        if (ground := ground_key(self.document)) != self._ground_sent:
            self._ground_sent = ground
            events.append(terrain_event(self.document))
        if self.document.origin is not self._origin_sent:
            self._origin_sent = self.document.origin
            events.append(origin_event(self.document))
        if sampling:
            events.extend(self.player.news(self.document, self.nodes))
        return events

    def whole(self) -> list[Event]:
        """The whole state for a new viewer, the pose included."""
        self.news()
        events: list[Event] = [self.figure_event(), {"event": "document", "rev": self.rev, "document": self._sent}]
        events += [terrain_event(self.document), origin_event(self.document)]
        events.extend(self.player.whole(self.document, self.nodes))
        return [*events, self.status(), self.pose_message(0)]

    def page_json(self) -> dict[str, Any]:
        """The document as pages get it."""
        document, history = self.document, self.history
        asked = floors_of(document), solid_points(document), support_shape(document), has_human_limits(document)
        return page_json(document, *asked, can_undo=bool(history.done), can_redo=bool(history.undone))

    @property
    def nodes(self) -> GlbNodes:
        """The nodes of the figure's GLB."""
        if getattr(self, "_nodes_of", None) is not self.document.opened:
            self._nodes_of, self._nodes = self.document.opened, GlbNodes.of(self.document.opened)
            self._shifts = slides(self.document.opened.skeleton, self._nodes)
        return self._nodes

    def figure_event(self) -> dict[str, Any]:
        """The event with the URL of the figure's GLB, and which of its nodes are joints."""
        return dict(figure_event(self.document.opened, self.figure_rev, self.nodes.nodes))

    def status(self) -> dict[str, Any]:
        """The status event; takes some milliseconds if goals are unmet."""
        played = self.outcome.solution is None and self.player.shows(self.document)
        outcome = self.outcome if played else explained(self.document, self.outcome, self.solver.solve)
        event = status_event(self.document, outcome, played=played)
        self.code = STATUSES.index(event["status"])
        return {**event, "text": self.notice or event["text"]}

    def pose_message(self, seq: int) -> bytes:
        """The pose as bytes, answering the message `seq`."""
        document, outcome, nodes = self.document, self.outcome, self.nodes
        translations, rotations = nodes.places(document.pose)
        goals = np.array([(*goal.position, *goal.rotation) for goal in document.goals]).reshape(-1, 7)
        residuals = np.stack([outcome.distances, outcome.angles], axis=-1)
        message = codec.PoseMessage(
            self.code, seq, translations[0], rotations, goals, residuals, translations if self._shifts else None,
            document.pose.q,
        )  # fmt: skip
        return codec.pack_pose(message)


_UNSENT, _KEY_GESTURES = object(), object()  # the second owns the gestures of held keys
MOST_NOTES = 3
_MAX_REST_SOLVES = 40  # solves in which a hand that was dragged quickly goes on to where the figure still stands
_VISIBLE_MOTION = 1e-4  # radians, or lengths: smaller motion is invisible
