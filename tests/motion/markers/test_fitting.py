"""Markers become motion: known motions are recovered, real recordings followed, bad input named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from motion.markers import synthetic

import posable
from posable.errors import PosableError, UnknownJointError
from posable.motion.markers import Attachment, Markers
from posable.motion.markers.bundle_adjustment import PoseSolver
from posable.motion.markers.marker_model import without_limits


@pytest.fixture(scope="module")
def figure() -> posable.Figure:
    return posable.figure("mannequin")


@pytest.fixture(scope="module")
def table(figure: posable.Figure) -> dict[str, Attachment]:
    return synthetic.attachments(figure)


@pytest.fixture(scope="module")
def truth(figure: posable.Figure, table: dict[str, Attachment]) -> posable.Clip:
    return synthetic.motion(figure, synthetic.person(figure, table), table)


def _rms(errors: np.ndarray) -> float:
    return float(np.sqrt(np.mean(errors**2)))


@pytest.mark.slow
def test_forty_one_exact_markers_give_back_pose_and_lengths(
    figure: posable.Figure, table: dict[str, Attachment], truth: posable.Clip
) -> None:
    assert len(table) == 41
    fit = posable.fit_markers(figure, synthetic.recorded(truth, table), table)
    away, turned = synthetic.errors(fit.clip, truth, table)
    assert _rms(away) < 1e-4
    assert _rms(turned) < 0.05
    assert fit.rms < 1e-5
    assert fit.unused == {}
    assert fit.clip.skeleton == fit.figure.skeleton
    same = [j.position for j in fit.figure.skeleton.definitions if j.name.startswith(("shin", "foot"))]
    known = [j.position for j in truth.skeleton.definitions if j.name.startswith(("shin", "foot"))]
    np.testing.assert_allclose(same, known, atol=1e-4)


@pytest.mark.slow
def test_noise_of_five_millimetres_along_each_axis_is_evened_out(
    figure: posable.Figure, table: dict[str, Attachment], truth: posable.Clip
) -> None:
    markers = synthetic.recorded(truth, table, 0.005)
    fit = posable.fit_markers(figure, markers, table)
    away, turned = synthetic.errors(fit.clip, truth, table)
    assert _rms(away) < 3e-3
    assert _rms(turned) < 1.5
    alone = posable.fit_markers(figure, markers, table, noise=0.0)
    assert _rms(turned) < 0.7 * _rms(synthetic.errors(alone.clip, truth, table)[1])


@pytest.mark.slow
def test_axes_and_units_of_the_markers_are_heeded(
    figure: posable.Figure, table: dict[str, Attachment], truth: posable.Clip
) -> None:
    seen = synthetic.recorded(truth, table)
    x, y, z = np.moveaxis(seen.positions, -1, 0)
    other = Markers(seen.labels, 1000 * np.stack([x, -z, y], axis=-1), seen.fps, "z")
    fit = posable.fit_markers(figure, other, table)
    assert fit.unit == pytest.approx(0.001)
    assert any("0.001" in note for note in fit.notes)
    assert _rms(synthetic.errors(fit.clip, truth, table)[0]) < 1e-4


@pytest.mark.slow
def test_gaps_are_carried_and_strays_do_not_count(
    figure: posable.Figure, table: dict[str, Attachment], truth: posable.Clip
) -> None:
    seen = synthetic.recorded(truth, table)
    positions = np.array(seen.positions)
    hand = [k for k, label in enumerate(seen.labels) if label.startswith("hand_l")]
    positions[60:66, hand] = np.nan
    positions[100:105, seen.labels.index("thigh_r1")] += 0.3
    fit = posable.fit_markers(figure, replace(seen, positions=positions), table)
    away, turned = synthetic.errors(fit.clip, truth, table)
    assert away.max() < 0.01
    assert turned[60:66].max() < 10
    assert fit.residuals["thigh_r1"].strays == 5
    assert fit.residuals["thigh_r1"].frames == len(seen) - 5
    assert fit.residuals["hand_l1"].frames == len(seen) - 6
    assert int(fit.strays.sum()) == 5
    assert "strays" in fit.text().splitlines()[0]


@pytest.mark.slow
def test_zeros_are_gaps_and_a_marker_beyond_all_others_does_not_count(
    figure: posable.Figure, table: dict[str, Attachment], truth: posable.Clip
) -> None:
    """A marker that was never seen, written as 0, 0, 0, drew the body by 9 cm; one at 1000 km ended in an error."""
    markers = synthetic.recorded(truth, table)
    positions = np.array(markers.positions)
    positions[:, 3], positions[7, 5] = 0.0, (1e6, 0.0, 0.0)
    fit = posable.fit_markers(figure, replace(markers, positions=positions), table)
    assert fit.unused == {markers.labels[3]: "is never seen"}
    assert _rms(synthetic.errors(fit.clip, truth, table)[0]) < 1e-3


@pytest.mark.slow
def test_offsets_with_a_spread_are_found_better_than_they_were_believed(
    figure: posable.Figure, table: dict[str, Attachment], truth: posable.Clip
) -> None:
    rng = np.random.default_rng(5)
    off = {label: np.array(one.offset) for label, one in table.items()}
    believed = {
        label: replace(one, offset=tuple((off[label] + rng.normal(0, 0.006, 3)).tolist()), spread=0.01)
        for label, one in table.items()
    }
    fit = posable.fit_markers(figure, synthetic.recorded(truth, table), believed)
    before = _rms(np.array([np.subtract(believed[label].offset, off[label]) for label in table]))
    after = _rms(np.array([np.subtract(fit.attachments[label].offset, off[label]) for label in table]))
    assert after < 0.6 * before
    assert fit.rms < 1e-3
    assert all(one.spread == 0 for one in fit.attachments.values())


def test_hinges_without_limits_are_not_wound_up(figure: posable.Figure, table: dict[str, Attachment]) -> None:
    limited = synthetic.model_of(figure.skeleton, table)
    model = limited.with_soft_limits(without_limits(figure.skeleton))
    offsets = np.array([one.offset for one in table.values()])
    pose = posable.Pose(model.skeleton, figure.rest.with_joint("forearm_r", 0.5).q[None])
    wound = posable.Pose(model.skeleton, figure.rest.with_joint("forearm_r", 0.5 + 2 * np.pi).q[None])
    found = PoseSolver(model, offsets).solve(replace(model, targets=model.positions(pose, offsets)), wound, wound)
    np.testing.assert_allclose(found.of("forearm_r"), [[0.5]], atol=1e-4)


@pytest.mark.slow
def test_limits_are_kept_where_asked_for(
    figure: posable.Figure, table: dict[str, Attachment], truth: posable.Clip
) -> None:
    fit = posable.fit_markers(figure, synthetic.recorded(truth, table, 0.01).trim(0, 0.5), table, limits=True)
    assert np.abs(fit.clip.poses.minus(fit.clip.poses.clamped())).max() < 1e-9


def test_the_sized_figures_skin_follows_its_lengths(
    figure: posable.Figure, table: dict[str, Attachment], truth: posable.Clip
) -> None:
    fit = posable.fit_markers(figure, synthetic.recorded(truth, table).trim(0, 0.5), table)
    ratio = fit.figure.height / figure.height
    assert ratio == pytest.approx(np.ptp(fit.figure.rest.origins[:, 1]) / np.ptp(figure.rest.origins[:, 1]), rel=0.02)
    own = posable.fit_markers(figure, synthetic.recorded(truth, table).trim(0, 0.5), table, lengths=False)
    np.testing.assert_allclose(own.figure.skins[0].vertices, figure.skins[0].vertices, atol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "used", "left_out"),
    [
        ("Sample_Static.c3d", 39, {"PELO": "names no part", "*111": "has no name", "LKneeAngles": "is computed"}),
        ("sample_probing_acromion_R.c3d", 30, {"Probe1": "names no part", "WheelchairFront": "names no part"}),
        ("sample_propulsion.c3d", 30, {"WheelchairRearL": "names no part"}),
        ("walkingOptiTrack.c3d", 12, {}),
    ],
)
def test_real_recordings_are_followed(
    shared: Path, figure: posable.Figure, file: str, used: int, left_out: dict[str, str]
) -> None:
    markers = posable.load_markers(shared / "markers" / file)
    fit = posable.fit_markers(figure, markers)
    assert len(fit.labels) == used
    assert fit.rms < 0.015
    assert fit.largest < 0.04
    assert fit.strays.sum() < 0.01 * np.isfinite(fit.misses).sum()
    for label, why in left_out.items():
        assert why in fit.unused[label]
        assert why in fit.text()


@pytest.mark.slow
def test_a_person_who_lies_where_others_stand_is_noted(shared: Path, figure: posable.Figure) -> None:
    markers = posable.load_markers(shared / "markers/sample_probing_acromion_R.c3d").trim(0, 0.2)
    assert any("lies on its side" in note for note in posable.fit_markers(figure, markers).notes)
    assert not any("side" in note for note in posable.fit_markers(figure, replace(markers, up="y")).notes)


def test_parts_without_markers_are_as_at_rest_and_named(
    figure: posable.Figure, table: dict[str, Attachment], truth: posable.Clip
) -> None:
    """Legs alone tell how thighs swing, not that the whole body swings with them."""
    shaky = {label: replace(one, spread=0.03) for label, one in table.items()}
    for sides, bare in (
        ("l", ("pelvis", "chest", "head", "left arm", "right arm", "right leg")),
        ("lr", ("chest", "head", "left arm", "right arm")),
    ):
        legs = {label: shaky[label] for side in sides for label in table if label[:-1] in _leg(side)}
        fit = posable.fit_markers(figure, synthetic.recorded(truth, legs).trim(0.5, 0.9), legs)
        assert fit.unsupported == bare
        assert f"no marker supports {', '.join(bare)}: as at rest" in fit.text()
        assert "how the pelvis tilts: as upright as the others allow" in fit.text()
        assert np.degrees(np.arccos(fit.clip.poses.world_from_joint[:, 0, 1, 1])).max() < 8
        assert np.abs(fit.clip.poses.of("spine") - figure.rest.of("spine")).max() < 1e-3
        assert fit.rms < 0.01


def _leg(side: str) -> tuple[str, ...]:
    return tuple(f"{part}_{side}" for part in ("thigh", "shin", "foot"))


def test_markers_of_a_whole_trunk_say_how_it_tilts(
    figure: posable.Figure, table: dict[str, Attachment], truth: posable.Clip
) -> None:
    fit = posable.fit_markers(figure, synthetic.recorded(truth, table).trim(0, 0.3), table)
    assert fit.unsupported == ()
    assert not any("tilts" in note for note in fit.notes)
    lain = {label: one for label, one in table.items() if label[:-1] in (*_leg("l"), *_leg("r"))}
    seen = replace(synthetic.recorded(truth, lain).trim(0, 0.3), up="z")
    notes = posable.fit_markers(figure, seen, lain).notes
    assert any("lies on its side" in note for note in notes)
    assert not any("tilts" in note for note in notes)


_SIX = ("LKNE", "RKNE", "LASI", "RASI", "LANK", "RANK")


def test_hardly_any_understood_labels_are_a_refusal_that_lists_them(figure: posable.Figure) -> None:
    with pytest.raises(
        PosableError,
        match=r"2 of 4 labels are understood, .* at least 6; understood: LKNE, RKNE; not .*: Q1, Q2; rename",
    ):
        posable.fit_markers(figure, _cloud("LKNE", "Q1", "RKNE", "Q2"))


def test_of_many_labels_the_first_are_listed(figure: posable.Figure) -> None:
    many = [f"Q{k}" for k in range(200)]
    with pytest.raises(PosableError, match=r"not understood: Q0, .*, Q11 and 188 more; rename"):
        posable.fit_markers(figure, _cloud("LKNE", *many))


def _cloud(*labels: str) -> Markers:
    return Markers(labels, np.random.default_rng(0).uniform(0, 1, (4, len(labels), 3)), 30.0, "y", "cloud")


def test_what_cannot_be_fitted_is_one_clear_error(figure: posable.Figure) -> None:
    with pytest.raises(PosableError, match=r"'cloud': no label names a part of this figure; the labels are Q1, Q2"):
        posable.fit_markers(figure, _cloud("Q1", "Q2"))
    with pytest.raises(PosableError, match=r"no label is in the attachments; the labels are Q1; did you mean Q2\?"):
        posable.fit_markers(figure, _cloud("Q1"), {"Q2": Attachment("head")})
    with pytest.raises(PosableError, match=r"it names other"):
        posable.fit_markers(figure, _cloud("Q1"), {"other": Attachment("head")})
    unseen = replace(_cloud(*_SIX), positions=np.full((4, 6, 3), np.nan))
    with pytest.raises(PosableError, match=r"'cloud': no marker of LKNE, RKNE, .* is ever seen"):
        posable.fit_markers(figure, unseen)
    with pytest.raises(UnknownJointError, match=r"haed"):
        posable.fit_markers(figure, _cloud("Q1"), {"Q1": Attachment("haed")})
    with pytest.raises(PosableError, match=r"smooth is a time in seconds of at least 0, not -1"):
        posable.fit_markers(figure, _cloud("LKNE"), smooth=-1)
    with pytest.raises(PosableError, match=r"noise is a length of at least 0 in the markers' unit, not -1"):
        posable.fit_markers(figure, _cloud("LKNE"), noise=-1)
    with pytest.raises(PosableError, match=r"positions are frames × 1 markers × 3"):
        Markers(("a",), np.zeros((0, 1, 3)), 30.0)


def test_a_figure_without_such_a_part_leaves_the_marker_out() -> None:
    with pytest.raises(PosableError, match=r"no label names a part of this figure"):
        posable.fit_markers(posable.figure("snake"), _cloud("LKNE", "RELB"))
    with pytest.raises(
        PosableError,
        match=r"of 4 labels that name .*, 1 fit the figure, which has no upper leg, upper arm, lower leg; ",
    ):
        posable.fit_markers(posable.figure("snake"), _cloud("LKNE", "RELB", "LFHD", "LANK"))
