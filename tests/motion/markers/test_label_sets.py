"""Recordings of the usual marker sets: understood, followed, and labelled where labels are missing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from motion.markers.label_sets import SETS

import posable
from posable.errors import PosableError
from posable.motion import Markers, label_markers
from posable.motion.markers.landmarks import guess_attachments, meaning_of


def recorded_person(shared: Path, name: str, labels: tuple[str, ...], frames: int) -> tuple[Markers, posable.Clip]:
    """Markers on a recorded person, somewhat off their sites, in metres, with gaps."""
    figure = posable.load(shared / f"mocap_cmu/{name}.bvh")
    own = figure.clips[0]
    clip = posable.clips.trim(own, 1 / own.fps, min(own.seconds, frames / own.fps))  # it begins with the rest pose
    rng, scale, places = np.random.default_rng(0), 1.75 / figure.height, []
    table = guess_attachments(figure, labels).attachments
    for label in labels:
        at = table[label]
        world = clip.poses.world_from_joint[:, figure.skeleton.index(at.joint)]
        offset = np.array(at.offset) + rng.normal(0.0, 0.3, 3) * at.spread
        places.append(scale * (world[:, :3, :3] @ offset + world[:, :3, 3]))
    positions = np.stack(places, axis=1) + rng.normal(0.0, 5e-4, (len(clip), len(labels), 3))
    positions[rng.random(positions.shape[:2]) < 0.02] = np.nan
    return Markers(labels, positions, clip.fps, "y", name), clip


def _largest_step(clip: posable.Clip) -> float:
    """Of any joint from one frame to the next, in degrees."""
    moved = clip.poses[1:].minus(clip.poses[:-1])
    own = [list(clip.skeleton.freedom_range(joint))[-3:] for joint in clip.skeleton.joints]
    return float(np.degrees(max(np.linalg.norm(moved[:, one], axis=1).max() for one in own if one)))


@pytest.mark.parametrize("name", SETS)
def test_every_label_of_the_set_is_understood(name: str) -> None:
    found = guess_attachments(posable.figure("mannequin"), SETS[name])
    assert not found.unused
    assert not found.notes


@pytest.mark.parametrize(
    ("label", "role", "side"),
    [
        ("Forehead", "head", ""), ("LeftTemple", "head", "l"), ("Right_Ear", "head", "r"),
        ("bicep_r", "upper_arm", "r"),
        ("lknee", "upper_leg", "l"), ("knee left", "upper_leg", "l"), ("heel.L", "foot", "l"), ("rtoe", "foot", "r"),
    ],
)  # fmt: skip
def test_free_words_are_understood_with_their_side(label: str, role: str, side: str) -> None:
    found = meaning_of(label)
    assert found.site is not None
    assert (found.site.roles[0], found.side) == (role, side)


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_a_recording_of_the_set_is_followed(shared: Path, name: str) -> None:
    for recording in ("07_01", "02_03"):
        markers, _ = recorded_person(shared, recording, SETS[name], 60)
        fit = posable.fit_markers(posable.figure("mannequin"), markers)
        assert len(fit.labels) == len(SETS[name])
        assert fit.rms < 0.005
        assert _largest_step(fit.clip) < 45


@pytest.mark.slow
def test_a_straight_elbow_does_not_bend_back(shared: Path) -> None:
    markers, _ = recorded_person(shared, "07_01", SETS["Helen Hayes"], 79)
    fit = posable.fit_markers(posable.figure("mannequin"), markers)
    bent = fit.clip.skeleton.freedom_range("forearm_r")
    assert np.degrees(fit.clip.q[:, fit.clip.skeleton.tables.axis_columns[bent[0]]].min()) > -10.1
    assert _largest_step(fit.clip) < 45


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Plug-in Gait", "CMU", "IOR"])
def test_shuffled_labels_are_found_by_distances(shared: Path, name: str) -> None:
    whole, _ = recorded_person(shared, "07_01", SETS[name], 79)
    reference, later = whole.trim(0, 0.7), whole.trim(0.75)
    order = np.random.default_rng(1).permutation(len(whole.labels))
    mixed = Markers(tuple(f"*{k}" for k in order), later.positions[:, order], later.fps, "y")
    found = label_markers(mixed, reference)
    right = [found.found[f"*{k}"] == whole.labels[k] for k in order]
    assert np.mean(right) >= 0.95
    assert set(found.markers.labels) == set(whole.labels)


@pytest.mark.slow
def test_swapped_labels_are_named_and_put_right(shared: Path) -> None:
    whole, _ = recorded_person(shared, "07_01", SETS["Plug-in Gait"], 79)
    swapped = whole.renamed({"LANK": "LHEE", "LHEE": "LANK", "RKNE": "LKNE", "LKNE": "RKNE"})
    found = label_markers(swapped.trim(0.75), whole.trim(0, 0.7))
    assert set(found.swapped) == {"LANK", "LHEE", "RKNE", "LKNE"}
    assert found.markers.labels == whole.labels
    assert min(found.certainty.values()) > 0.5


@pytest.mark.slow
def test_markers_that_one_recording_lacks_are_left_as_they_are(shared: Path) -> None:
    whole, _ = recorded_person(shared, "07_01", SETS["Plug-in Gait"], 79)
    fewer = whole.trim(0.75).only(whole.labels[:-3])
    assert label_markers(fewer, whole.trim(0, 0.7)).markers.labels == fewer.labels
    with pytest.raises(PosableError, match=r"'07_01': fewer than 4 are seen"):
        label_markers(replace(whole.only(whole.labels[:3])), whole)


def test_pieces_of_one_marker_get_one_label_and_ghosts_none() -> None:
    """Two rigid bodies about a joint; markers whose label is lost in a gap, and a stray point that stands still."""
    rng, frames = np.random.default_rng(0), 80
    labels = tuple(f"{part}{k}" for part in ("upper", "lower") for k in range(5))
    places = rng.uniform(-0.3, 0.3, (10, 3)) + np.repeat([[0, 0.3, 0], [0, -0.3, 0]], 5, axis=0)
    angle = np.linspace(0.0, 1.2, frames)
    turn = np.stack([np.cos(angle), -np.sin(angle), np.sin(angle), np.cos(angle)], axis=1).reshape(-1, 2, 2)
    every = np.broadcast_to(places, (frames, 10, 3)).copy()
    every[:, 5:, :2] = np.einsum("tij,pj->tpi", turn, places[5:, :2])
    every += np.linspace(0, 1, frames)[:, None, None]
    later = np.concatenate([every[40:], np.full((40, 3, 3), np.nan)], axis=1)
    for piece, marker in ((10, 2), (11, 7)):
        later[25:, piece], later[20:, marker] = later[25:, marker], np.nan
    later[:, 12] = (0.2, 0.1, 0.4)
    order = rng.permutation(13)
    mixed = Markers(tuple(f"*{k}" for k in order), later[:, order], 30.0, "y")
    found = label_markers(mixed, Markers(labels, every[:40], 30.0, "y"))
    own = (*range(10), 2, 7)
    assert found.found == {f"*{k}": labels[own[k]] for k in range(12)}
    assert set(found.markers.labels) == {*labels, "*12"}
    joined = found.markers.positions[:, found.markers.labels.index("upper2")]
    np.testing.assert_array_equal(np.isnan(joined[:, 0]), np.isin(np.arange(40), range(20, 25)))
    np.testing.assert_array_equal(joined[25:], every[65:, 2])
