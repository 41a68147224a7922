"""Tools for weights: each law on a real body, each refusal by its words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import igl
import numpy as np
import pytest
from skin.test_blends import bar

import posable
from posable.errors import SkeletonError, SkinError
from posable.skeleton import Pose
from posable.skeleton.symmetry import symmetry_of
from posable.skin import Mesh, Skin, weights
from posable.skin.weights.nearest import nearest_on

BODY = posable.figure("mannequin").skins[0]


def test_a_table_and_back() -> None:
    table = weights.weight_table(BODY)
    assert table.shape == (len(BODY.vertices), len(BODY.skeleton.joints))
    np.testing.assert_allclose(table.sum(axis=1), 1, atol=1e-6)
    again = weights.with_weights(BODY, 3 * table)
    np.testing.assert_allclose(weights.weight_table(again), table, atol=1e-6)
    assert again.weights.shape[1] == (table > 0).sum(axis=1).max()


EDITS: dict[str, Callable[[Skin], Skin]] = {
    "limit": lambda skin: weights.limit_weights(skin, 2),
    "prune": lambda skin: weights.prune_weights(skin, 0.2),
    "smooth": lambda skin: weights.smooth_weights(skin, 3, 3),
    "mirror": weights.mirror_weights,
    "transfer": lambda skin: weights.transfer_weights(skin, (skin.vertices[::2], [[0, 1, 2]]), 2),
}


@pytest.mark.parametrize("name", EDITS)
def test_every_edit_leaves_weights(name: str) -> None:
    edited = EDITS[name](BODY)
    assert (edited.weights >= 0).all()
    np.testing.assert_allclose(edited.weights.sum(axis=1), 1, atol=1e-6)
    assert edited.weights.shape[1] <= {"limit": 2, "smooth": 3, "transfer": 2}.get(name, BODY.weights.shape[1])
    assert (np.sort(edited.weights, axis=1)[:, ::-1] == edited.weights).all()  # the strongest first


def test_limits_keep_the_strongest() -> None:
    table, few = weights.weight_table(BODY), weights.weight_table(weights.limit_weights(BODY, 2))
    kept = np.sort(table, axis=1)[:, -2:]
    np.testing.assert_allclose(np.sort(few, axis=1)[:, -2:], kept / kept.sum(axis=1, keepdims=True), atol=1e-6)
    assert ((few > 0) <= (table > 0)).all()


def test_pruning_takes_what_is_small() -> None:
    table, pruned = weights.weight_table(BODY), weights.weight_table(weights.prune_weights(BODY, 0.2))
    kept = np.where(table >= 0.2, table, 0)
    np.testing.assert_allclose(pruned, kept / kept.sum(axis=1, keepdims=True), atol=1e-6)
    thirds = with_rows(bar(joints=3), np.full((164, 3), 1 / 3))
    assert (weights.prune_weights(thirds, 0.9).weights.sum(axis=1) > 0.999).all()


def with_rows(skin: Skin, rows: np.ndarray) -> Skin:
    return weights.with_weights(skin, rows)


def test_smoothing_is_half_way_to_the_neighbours() -> None:
    skin = bar(rows=9, passing=0.0)
    table = weights.weight_table(skin)
    near = np.zeros((len(table), len(table)))
    for a, b, c in skin.faces:
        near[[a, b, c], [b, c, a]] = near[[b, c, a], [a, b, c]] = 1
    for _ in range(3):
        table = (table + near @ table / near.sum(axis=1, keepdims=True)) / 2
    np.testing.assert_allclose(weights.weight_table(weights.smooth_weights(skin, 3)), table, atol=1e-6)


def test_mirroring_is_alike_on_both_sides_and_copies_one() -> None:
    symmetry = symmetry_of(BODY.skeleton)
    rng = np.random.default_rng(0)
    off = (BODY.vertices - symmetry.middle) @ symmetry.left
    table = weights.weight_table(BODY)
    noisy = np.where((off > 0)[:, None], table, rng.dirichlet(np.ones(table.shape[1]), len(table)))
    torn = weights.with_weights(BODY, noisy, 4)
    for source, sign in (("left", 1), ("right", -1)):
        mirrored = weights.weight_table(weights.mirror_weights(torn, source))  # type: ignore[arg-type]
        own = sign * off > 1e-3
        np.testing.assert_allclose(mirrored[own], weights.weight_table(torn)[own], atol=1e-6)
    healed = weights.weight_table(weights.mirror_weights(torn, "left"))
    image = BODY.vertices - 2 * off[:, None] * symmetry.left
    corners, shares = nearest_on(Mesh.of(BODY), image)
    there = np.einsum("vk,vkj->vj", shares, healed[corners])[:, symmetry.partner]
    assert np.abs(healed - there).sum(axis=1).mean() < 0.01  # the mannequin's two halves have not the same vertices
    both = weights.weight_table(weights.mirror_weights(BODY))
    there = np.einsum("vk,vkj->vj", shares, both[corners])[:, symmetry.partner]
    assert np.abs(both - there).sum(axis=1).mean() < 0.01


def test_transfer_to_itself_and_to_a_finer_mesh() -> None:
    same = weights.transfer_weights(BODY, Mesh.of(BODY))
    assert weights.compare_weights(BODY, same).l1.max() < 1e-5 and not same.notes
    corners = BODY.vertices[BODY.faces]
    middles = corners.mean(axis=1)
    fine = weights.transfer_weights(BODY, (middles, np.zeros((0, 3))), 12)
    wanted = weights.weight_table(BODY)[BODY.faces].mean(axis=1)
    assert np.abs(weights.weight_table(fine) - wanted).sum(axis=1).mean() < 1e-3  # flat faces may lie on one another
    away = weights.transfer_weights(BODY, (BODY.vertices + np.float32([0, 0, 0.3]), BODY.faces))
    assert away.notes and "vertices lie far from the source, up to" in away.notes[0]
    pose = BODY.skeleton.random_pose(np.random.default_rng(1))
    np.testing.assert_allclose(same.deform(pose), BODY.deform(pose), atol=1e-5)


def test_the_nearest_place_is_libigls() -> None:
    rng = np.random.default_rng(2)
    mesh = Mesh.of(BODY)
    points = mesh.vertices[rng.integers(0, len(mesh.vertices), 300)] + rng.normal(0, 0.2, (300, 3))
    corners, shares = nearest_on(mesh, points)
    assert (shares >= -1e-12).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    apart = np.linalg.norm(np.einsum("vk,vki->vi", shares, mesh.vertices[corners]) - points, axis=1)
    squared = igl.point_mesh_squared_distance(points, mesh.vertices, mesh.faces.astype(np.int64))[0]
    np.testing.assert_allclose(apart, np.sqrt(squared), atol=1e-9)
    flat = Mesh(np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0.0]]), np.array([[0, 1, 2], [1, 1, 1]]))  # faces of no area
    corners, shares = nearest_on(flat, np.array([[1.7, 0.5, 0]]))
    np.testing.assert_allclose(np.einsum("vk,vki->vi", shares, flat.vertices[corners]), [[1.7, 0, 0]], atol=1e-12)


def test_a_comparison_by_names() -> None:
    skin = bar(joints=3)
    same = weights.compare_weights(skin, skin)
    assert same.mean == 0 and same.same_dominant.all() and same.by_joint == {}
    rows = weights.weight_table(skin).copy()
    rows[5] = [0, 0, 1]
    other = with_rows(skin, rows)
    apart = weights.compare_weights(skin, other)
    assert np.flatnonzero(apart.l1).tolist() == [5] and apart.l1[5] == pytest.approx(2)
    assert not apart.same_dominant[5] and apart.same_dominant.sum() == len(rows) - 1
    assert set(apart.by_joint) == {"j0", "j2"}
    assert "worst 2 at vertex 5" in apart.describe()


def test_bad_vertices_are_found_and_good_ones_left() -> None:
    assert [finding.kind for finding in weights.bad_vertices(bar(joints=3, rows=61))] == []
    table = weights.weight_table(BODY).copy()
    hand, foot = BODY.skeleton.index("hand_l"), BODY.skeleton.index("foot_r")
    vertex = int(table[:, hand].argmax())
    table[vertex] = 0
    table[vertex, [hand, foot]] = 0.3, 0.7
    found = {one.kind: one for one in weights.bad_vertices(weights.with_weights(BODY, table))}
    assert vertex in found["torn"].vertices and vertex in found["far joints"].vertices
    assert "joints far apart in the skeleton" in found["far joints"].sentence
    before = {one.kind: len(one.vertices) for one in weights.bad_vertices(BODY)}
    assert len(found["far joints"].vertices) == before.get("far joints", 0) + 1
    bare = replace(bar(joints=3), faces=bar(joints=3).faces[1:])
    loose = with_rows(bare, np.full((164, 3), 1 / 3))
    assert weights.bad_vertices(replace(loose, faces=loose.faces[:0]))[0].kind == "loose"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: weights.limit_weights(BODY, 0), "influences is the most joints a vertex follows, at least 1, not 0"),
        (lambda: weights.prune_weights(BODY, 1), "below is a share of a vertex's weight"),
        (lambda: weights.smooth_weights(BODY, -1), "rounds of smoothing are at least 0"),
        (lambda: weights.mirror_weights(BODY, "top"), "the side to copy is 'left', 'right' or None"),  # type: ignore[arg-type]
        (lambda: weights.with_weights(BODY, np.zeros((3, 3))), r"a table of weights has shape \(3, 3\)"),
        (
            lambda: weights.with_weights(bar(), np.zeros((164, 2))),
            "164 of 164 vertices had no weight; give each a joint",
        ),
        (lambda: weights.compare_weights(BODY, bar()), "only two bindings of one mesh can be compared"),
        (lambda: weights.transfer_weights(replace(bar(), faces=np.zeros((0, 3), np.int32)), BODY), "has no faces"),
    ],
)
def test_refused(call: Callable[[], object], words: str) -> None:
    with pytest.raises(SkinError, match=words):
        call()


def test_what_has_no_mirror_image_is_not_mirrored() -> None:
    skin = bar(joints=3)
    with pytest.raises(SkeletonError, match="mirror image"):
        weights.mirror_weights(skin)
    assert Pose(skin.skeleton, skin.skeleton.rest_coordinates).origins.shape == (3, 3)
