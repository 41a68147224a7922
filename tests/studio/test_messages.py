"""Messages: JSON checked against its types, bytes there and back, and the page's half up to date."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from posable.studio import codec
from posable.studio import commands as c
from posable.studio.commands import COMMANDS, command_from
from posable.studio.edits import edits_document
from posable.studio.records import MessageError
from posable.studio.typescript import drag_rules_text, schema_text, vectors_text

WEB = Path(__file__).parents[2] / "web" / "src"


@pytest.mark.skipif(not WEB.exists(), reason="web/ is not in this copy")
@pytest.mark.parametrize(
    ("name", "text"), [("schema.ts", schema_text), ("drag-rules.ts", drag_rules_text), ("vectors.json", vectors_text)]
)
def test_the_page_speaks_the_same_language(name: str, text: object) -> None:
    assert (WEB / name).read_text(encoding="utf-8") == text(), "run python -m posable.studio.typescript"  # type: ignore[operator]


def test_bytes_hold_what_the_vectors_say() -> None:
    for said in json.loads(vectors_text())["poses"]:
        pose = codec.unpack_pose(bytes.fromhex(said["hex"]))
        for name in ("root", "rotations", "goals", "residuals"):
            assert getattr(pose, name).ravel().tolist() == said[name]
        assert (pose.translations is None) == (said["translations"] is None)
        assert (pose.status, pose.seq) == (said["status"], said["seq"])
        assert codec.pack_pose(pose).hex() == said["hex"]
    for said in json.loads(vectors_text())["clips"]:
        clip = codec.unpack_clip(bytes.fromhex(said["hex"]))
        assert clip.rotations.ravel().tolist() == said["rotations"]
        assert codec.pack_clip(clip).hex() == said["hex"]


def test_a_goal_in_bytes_is_36_of_them() -> None:
    goal = codec.GoalMessage(2, codec.GESTURE_ENDS, 9, (1.0, 2.0, -3.5), (0.5, 0.5, 0.5, 0.5))
    assert len(codec.pack_goal(goal)) == 36
    assert codec.unpack_goal(codec.pack_goal(goal)) == goal


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        (b"", "has 36 bytes"),
        (codec.pack_goal(codec.GoalMessage(0, 0, 0, (0, 0, 0), (1, 0, 0, 0)))[:-1], "has 36 bytes"),
        (codec.pack_goal(codec.GoalMessage(0, 0, 0, (math.nan, 0, 0), (1, 0, 0, 0))), "not finite"),
        (codec.pack_goal(codec.GoalMessage(0, 0, 0, (math.inf, 0, 0), (1, 0, 0, 0))), "not finite"),
        (codec.pack_goal(codec.GoalMessage(0, codec.ROTATION_GIVEN, 0, (0, 0, 0), (0, 0, 0, 0))), "length 0"),
    ],
)
def test_bytes_that_are_no_goal_are_refused(message: bytes, problem: str) -> None:
    with pytest.raises(MessageError, match=problem):
        codec.unpack_goal(message)


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        ([], "with an op"),
        ({"op": 3}, "with an op"),
        ({"op": "goal.sett", "goal": "x"}, "did you mean goal.set"),
        ({"op": "goal.set"}, "needs 'goal'"),
        ({"op": "goal.set", "goal": 3}, "should be text"),
        ({"op": "goal.set", "goal": "x" * 300_000}, "should be text"),
        ({"op": "goal.set", "goal": "x", "position": [1, 2]}, "has 3 entries"),
        ({"op": "goal.set", "goal": "x", "position": [1, 2, math.nan]}, "should be a number"),
        ({"op": "goal.set", "goal": "x", "position": [1, 2, 1e300]}, "should be a number"),
        ({"op": "goal.set", "goal": "x", "weight": True}, "should be a number"),
        ({"op": "goal.set", "goal": "x", "position": None}, "should be a list"),
        ({"op": "timeline.frame", "frame": 1.5}, "a whole number"),
        ({"op": "key.ease", "keys": [], "interpolation": "bouncy"}, "one of cubic"),
        ({"op": "key.delete", "keys": [["hand"]]}, "has 2 entries"),
        ({"op": "key.delete", "keys": [["x", 1]] * 100_001}, "has 100,001 entries; 100,000 at most"),
        ({"op": "terrain.set", "terrain": {"kind": "lava"}}, "unknown kind 'lava'"),
        ({"op": "terrain.set", "terrain": {"kind": "slope"}}, "needs 'degrees'"),
        ({"op": "gait.set", "values": {"speed": "fast"}}, "should be a number"),
    ],
)
def test_what_is_no_command_is_refused(message: object, problem: str) -> None:
    with pytest.raises(MessageError, match=problem):
        command_from(message)


def test_commands_are_read() -> None:
    read = command_from({"op": "goal.set", "goal": "head", "position": [1, 2, 3.5], "id": 7})
    assert read == c.GoalSet("head", position=(1.0, 2.0, 3.5))
    assert read.given("goal") == {"position": (1.0, 2.0, 3.5)}
    assert command_from({"op": "goal.pole", "goal": "x", "pole": None}) == c.GoalPole("x", None)
    velocity = command_from({"op": "key.value", "goal": "x", "frame": 3, "velocity": None})
    assert velocity.given("goal", "frame") == {"velocity": None}


SESSION_ALONE = {
    "gesture.begin", "gesture.end", "gesture.cancel", "undo", "redo", "key.copy", "key.paste", "figure.open",
    "text.reload", "demo.key", "clip.retarget", "terrain.file", "prop.file", "figure.join",
    "figure.leave", "figure.place", "methods.race",
    "pose.copy", "pose.paste", "pose.apply", "pose.between", "skeleton.move",
    "skeleton.rename", "skeleton.add", "skeleton.remove",
}  # fmt: skip


def test_every_command_is_done_somewhere() -> None:
    assert {op for op, kind in COMMANDS.items() if not edits_document(kind)} == SESSION_ALONE


def test_numbers_become_floats_of_four_bytes() -> None:
    clip = codec.ClipMessage(30.0, np.zeros((2, 3)), np.ones((2, 5, 4)))
    assert len(codec.pack_clip(clip)) == 16 + 4 * 2 * (3 + 4 * 5)
