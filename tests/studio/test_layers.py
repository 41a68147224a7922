"""Layers of keys by name: what each adds to those below it, and what becomes of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import posable
from posable.studio import body_commands as b
from posable.studio import commands as c
from posable.studio import layer_commands as lc
from posable.studio.session import Session
from posable.studio.session_store import open_session

HAND, OTHER = "left hand", "right hand"


@pytest.fixture
def session() -> Session:
    """A hand that is keyed high at frame 0 and low at frame 20, without a clip."""
    session = Session()
    session.handle(c.GoalSet(HAND, position=_away(session, HAND, 0.0, 0.4, 0.2)))
    session.handle(c.KeySet([HAND], 0))
    session.handle(c.TimelineFrame(20))
    session.handle(c.GoalSet(HAND, position=_away(session, HAND, 0.0, -0.3, 0.1)))
    session.handle(c.KeySet([HAND], 20))
    return session


def _away(session: Session, goal: str, *by: float) -> tuple[float, float, float]:
    x, y, z = (np.array(session.document.goal(goal).position) + by).tolist()
    return x, y, z


def _played(session: Session) -> posable.Clip:
    clip = session.player.clip(session.document)
    assert clip is not None
    return clip


def _places(clip: posable.Clip, joint: str) -> np.ndarray:
    return clip.poses.origins[:, clip.skeleton.index(joint)]


def _raised_in_a_layer(session: Session) -> tuple[float, float, float]:
    """A second layer in which the other hand is keyed; where it is to be."""
    session.handle(lc.LayerAdd("Gesture"))
    high = _away(session, OTHER, 0.0, 0.4, 0.2)
    session.handle(c.GoalSet(OTHER, position=high))
    session.handle(c.KeySet([OTHER], 10))
    return high


def test_a_layer_goes_over_the_keys_below_it_by_its_weight(session: Session) -> None:
    below = _played(session)
    high = _raised_in_a_layer(session)
    assert session.document.edited_layer == "Gesture" and not session.document.goal(HAND).keys
    both = _played(session)
    assert np.linalg.norm(_places(both, "hand_r") - high, axis=1).max() < 2e-3, "at every frame"
    assert np.linalg.norm(_places(both, "hand_l") - _places(below, "hand_l"), axis=1).max() < 0.02
    feet = [np.ptp(_places(both, foot), axis=0).max() for foot in ("foot_l", "foot_r")]
    assert max(feet) < 1e-3, "pins hold in every layer"
    session.handle(lc.LayerSet("Gesture", weight=0.5))
    plain, half, full = (_places(clip, "hand_r")[5] for clip in (below, _played(session), both))
    share = np.linalg.norm(half - plain) / np.linalg.norm(full - plain)
    assert 0.4 < share < 0.6
    session.handle(lc.LayerSet("Gesture", on=False))
    assert np.abs(_played(session).poses.minus(below.poses)).max() < 1e-9


def test_what_a_layer_leaves_open_by_its_weight_is_said(session: Session) -> None:
    """It said that the figure comes no closer."""
    _raised_in_a_layer(session)
    session.handle(c.TimelineFrame(10))
    text = {weight: _said(session, weight=weight) for weight in (1.0, 0.4)} | {0.0: _said(session, on=False)}
    assert text[1.0].endswith("every goal that has keys is met")
    assert text[0.4].endswith("short: its layer Gesture counts 40 %") and text[0.0].endswith("Gesture counts 0 %")


def _said(session: Session, **values: Any) -> str:
    session.handle(lc.LayerSet("Gesture", **values))
    return str(session.status()["text"])


def test_a_hand_in_a_layer_leaves_the_trunk_to_the_layers_below(session: Session) -> None:
    """The whole body went after the hand: the chest fell back by 30 degrees when the key was set."""
    below = _played(session)
    session.handle(lc.LayerAdd("Gesture"))
    session.handle(c.GoalSet(OTHER, position=_away(session, OTHER, 0.0, 0.4, 0.0)))
    session.handle(c.KeySet([OTHER], 10))
    chest = below.skeleton.index("chest")
    ups = [clip.poses.world_from_joint[:, chest, :3, 1] for clip in (below, _played(session))]
    leans = np.degrees(np.arccos(np.clip(np.sum(ups[0] * ups[1], axis=1), -1, 1)))
    assert leans.max() < 3.0


@pytest.mark.parametrize("weight", [0.25, 0.5, 0.75])
def test_half_the_weight_of_a_layer_over_a_clip_is_half_the_way(weight: float) -> None:
    """It counted twice, for the limb and then for the whole body: 0.5 was 0.7 of the way."""
    session = Session()
    session.handle(c.WalkMake(6))
    session.handle(c.TimelineFrame(40))
    plain = _places(_played(session), "hand_r")[40]
    session.handle(c.GoalSet(OTHER, position=_away(session, OTHER, 0.0, 0.3, 0.1)))
    session.handle(c.KeySet([OTHER], 40))
    full = _places(_played(session), "hand_r")[40]
    session.handle(lc.LayerSet(session.document.layers[0].name, weight=weight))
    part = _places(_played(session), "hand_r")[40]
    assert np.linalg.norm(part - plain) / np.linalg.norm(full - plain) == pytest.approx(weight, abs=0.02)


def test_a_look_of_a_layer_below_goes_on(session: Session) -> None:
    for frame, x in ((0, 1.0), (20, -1.0)):
        session.handle(c.GoalSet("head", position=(x, 1.4, 1.0)))
        session.handle(c.KeySet(["head"], frame))
    below = _played(session)
    _raised_in_a_layer(session)
    head = below.skeleton.index("head")
    one, other = (clip.poses.world_from_joint[:, head, :3, :3] for clip in (below, _played(session)))
    cosine = (np.einsum("fij,fij->f", one, other) - 1) / 2
    assert np.degrees(np.arccos(np.clip(cosine, -1, 1))).max() < 1


def test_the_goals_have_the_keys_of_the_layer_that_is_edited(session: Session) -> None:
    _raised_in_a_layer(session)
    session.handle(lc.LayerChoose("Keys"))
    assert [key.frame for key in session.document.goal(HAND).keys] == [0, 20]
    assert not session.document.goal(OTHER).keys
    with_keys = _played(session)
    session.handle(lc.LayerMove("Gesture", -1))
    assert [layer.name for layer in session.document.layers] == ["Gesture", "Keys"]
    session.handle(c.Undo())
    session.handle(lc.LayerRemove("Keys"))
    assert session.document.edited_layer == "Gesture" and len(session.document.goal(OTHER).keys) == 1
    assert np.ptp(_places(_played(session), "hand_l"), axis=0).max() < 1e-3, "its keys are gone"
    session.handle(c.Undo())
    assert np.abs(_played(session).poses.minus(with_keys.poses)).max() < 1e-9


def test_layers_are_baked_together(session: Session) -> None:
    _raised_in_a_layer(session)
    both = _played(session)
    session.handle(c.ClipBake())
    assert not session.document.has_keys and session.document.clip == "baked"
    assert np.abs(_played(session).poses.minus(both.poses)).max() < 1e-9


def test_a_layer_goes_over_a_clip_and_the_layer_between(session: Session) -> None:
    session.handle(c.WalkMake(2, alone=True))
    assert not session.document.has_keys
    walk = _played(session)
    high = _raised_in_a_layer(session)
    session.handle(lc.LayerAdd())
    assert session.document.edited_layer == "Layer"
    session.handle(c.IkFkSwitch(HAND, "fk"))
    both = _played(session)
    assert np.linalg.norm(_places(both, "hand_r") - high, axis=1).max() < 2e-3
    assert np.abs(_places(both, "foot_l") - _places(walk, "foot_l")).max() < 0.05


def test_names_are_kept_apart_and_the_last_layer_stays(session: Session) -> None:
    session.handle(lc.LayerAdd("Keys"))
    assert [layer.name for layer in session.document.layers] == ["Keys", "Keys 2"]
    session.handle(lc.LayerSet("Keys 2", rename="Keys"))
    assert session.document.layers[1].name != "Keys"
    session.handle(lc.LayerSet("Keys", rename="Body"))
    assert session.document.layers[0].name == "Body"
    with pytest.raises(posable.PosableError, match="unknown layer 'Keys'"):
        session.handle(lc.LayerChoose("Keys"))
    session.handle(lc.LayerRemove("Body"))
    with pytest.raises(posable.PosableError, match="is the only layer of keys"):
        session.handle(lc.LayerRemove(session.document.layers[0].name))


def test_layers_are_kept_with_the_session(tmp_path: Path) -> None:
    session, _ = open_session(None, tmp_path)
    session.handle(c.KeySet([HAND], 3))
    session.handle(lc.LayerAdd("Gesture"))
    session.handle(lc.LayerSet("Gesture", weight=0.25, on=False))
    again, _ = open_session(None, tmp_path)
    assert [(one.name, one.weight, one.on) for one in again.document.layers] == [
        ("Keys", 1.0, True),
        ("Gesture", 0.25, False),
    ]
    again.handle(lc.LayerChoose("Keys"))
    assert [key.frame for key in again.document.goal(HAND).keys] == [3]


def test_goals_that_move_together_are_one_step(session: Session) -> None:
    before = {name: np.array(session.document.goal(name).position) for name in (HAND, OTHER)}
    up = {name: (x, y + 0.1, z + 0.05) for name, (x, y, z) in ((name, at.tolist()) for name, at in before.items())}
    session.handle(b.GoalsMove(up, {OTHER: (1.0, 0.0, 0.0, 0.0)}))
    for name, place in up.items():
        np.testing.assert_allclose(session.document.goal(name).position, place)
    assert session.document.goal(OTHER).rotation_weight == 1 and session.document.goal(HAND).rotation_weight == 0
    session.handle(c.Undo())
    for name, place in before.items():
        np.testing.assert_allclose(session.document.goal(name).position, place, atol=1e-9)
    with pytest.raises(posable.GoalError, match="unknown goal 'tail'"):
        session.handle(b.GoalsMove({"tail": (0.0, 0.0, 0.0)}))
