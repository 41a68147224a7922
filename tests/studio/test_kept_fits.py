"""A mesh that got a skeleton gets the same one when its session opens again, without being fitted anew."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import posable
from posable.studio import kept_fits
from posable.studio.journal import read_session_file, write_session_file
from posable.studio.session_store import open_session

FITS: list[str] = []


@pytest.fixture(autouse=True)
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """`FITS` lists the meshes that are fitted."""
    fit = posable.skin.fit_template

    def fit_template(mesh: posable.skin.Mesh, template: str) -> object:
        FITS.append(mesh.name)
        return fit(mesh, template)

    FITS.clear()
    monkeypatch.setattr(posable.skin, "fit_template", fit_template)
    yield


def _is_same(one: posable.Figure, other: posable.Figure) -> bool:
    own, others = one.skins[0], other.skins[0]
    arrays = ("vertices", "faces", "joints", "weights", "inverse_bind")
    same = all(np.array_equal(getattr(own, name), getattr(others, name)) for name in arrays)
    return same and one.skeleton.definitions == other.skeleton.definitions and one.notes == other.notes


def test_a_session_opens_again_with_its_fit(tmp_path: Path) -> None:
    mesh, folder = tmp_path / "person.obj", tmp_path / "session"
    mesh.write_bytes(posable.sample("person.obj").read_bytes())
    first = open_session(mesh, folder)[0].document.opened
    again = open_session(mesh, folder)[0].document.opened
    assert len(FITS) == 1 and _is_same(first, again)
    for file in folder.glob("fit-*.npz"):
        file.write_bytes(file.read_bytes()[:200])
    assert _is_same(first, open_session(mesh, folder)[0].document.opened), "one that cannot be read is made anew"
    assert len(FITS) == 2
    mesh.write_text(mesh.read_text() + "\n# changed\n")
    open_session(mesh, folder)
    assert len(FITS) == 3, "another mesh is fitted for itself"


def test_another_version_fits_for_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mesh = posable.sample("person.obj")
    open_session(mesh, tmp_path / "session")
    monkeypatch.setattr(posable, "__version__", "99.0")
    open_session(mesh, tmp_path / "session")
    assert len(FITS) == 2


def test_a_session_file_takes_its_fit_along(tmp_path: Path) -> None:
    session, _ = open_session(posable.sample("person.obj"), tmp_path / "session")
    (tmp_path / "other").mkdir()
    write_session_file(tmp_path / "other/person.posable", session.document, session.folder)
    found = read_session_file(tmp_path / "other/person.posable", tmp_path / "other")
    assert len(FITS) == 1 and _is_same(session.document.opened, found.opened)


def test_a_fit_of_another_mesh_is_refused(tmp_path: Path) -> None:
    """The files are checked, whoever wrote them."""
    mesh, folder = posable.sample("person.obj"), tmp_path / "session"
    open_session(mesh, folder)
    (kept,) = folder.glob("fit-*.npz")
    with np.load(kept) as found:
        arrays = dict(found)
    np.savez(kept, **{**arrays, "joints": arrays["joints"] + 1000})
    assert kept_fits.bound(mesh, posable.load_mesh(mesh), folder).joints.max() < 100
    assert len(FITS) == 2


def test_a_fit_that_may_unpack_to_anything_is_refused(tmp_path: Path) -> None:
    """Session files come from strangers, and their size is checked as a whole."""
    mesh, folder = posable.sample("person.obj"), tmp_path / "session"
    open_session(mesh, folder)
    (kept,) = folder.glob("fit-*.npz")
    with np.load(kept) as found:
        arrays = dict(found)
    np.savez(kept, **arrays)
    open_session(mesh, folder)
    assert len(FITS) == 1
    np.savez_compressed(kept, **arrays)
    open_session(mesh, folder)
    assert len(FITS) == 2
