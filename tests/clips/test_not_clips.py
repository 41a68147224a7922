"""What is not a clip is refused in a sentence."""

from __future__ import annotations

import pytest

import posable


@pytest.mark.parametrize("wrong", ["walk.bvh", None, posable.figure("arm6"), posable.figure("arm6").rest])
def test_only_clips_are_edited(wrong) -> None:
    clips = posable.clips
    edits = [
        lambda: clips.mirror(wrong),
        lambda: clips.trim(wrong, 0.0, 1.0),
        lambda: clips.join(wrong, wrong),
        lambda: clips.reverse(wrong),
        lambda: clips.time_warp(wrong, {0.0: 0.0}),
        lambda: clips.loop(wrong),
        lambda: clips.find_loop(wrong),
        lambda: clips.smooth(wrong, 0.1),
        lambda: clips.reduce_keys(wrong),
        lambda: clips.blend(wrong, wrong),
        lambda: clips.add(wrong, wrong),
        lambda: clips.without_root_motion(wrong),
    ]
    for edit in edits:
        with pytest.raises(posable.PosableError, match="what is edited is a Clip, not"):
            edit()
