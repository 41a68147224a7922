"""The real files that come with the checkout: small, licensed, and found before those beside it."""

from __future__ import annotations

from pathlib import Path

import pytest
from real_files import DATA, SAMPLES, SHARED, RealFiles

import posable


def test_they_are_small_and_each_is_in_the_table_of_licences() -> None:
    files = [path for path in DATA.rglob("*") if path.is_file() and path.name != "README.md"]
    assert sum(path.stat().st_size for path in files) < 4.1e6
    rows = [line.split("|")[1] for line in (DATA / "README.md").read_text(encoding="utf-8").splitlines() if "|" in line]
    patterns = [pattern.strip() for row in rows for pattern in row.split(",")]
    for path in files:
        inside = path.relative_to(DATA)
        named = (inside.match(pattern) or inside.parent.as_posix() == pattern for pattern in patterns)
        assert any(named), f"{inside} has no licence in tests/data/README.md"


def test_those_of_the_checkout_come_first(shared: Path) -> None:
    assert shared / "robots/h1.urdf" == shared / "robots" / "h1.urdf" == DATA / "robots/h1.urdf"
    assert shared / "robots/panda.urdf" == posable.sample("panda.urdf")
    assert {path.name for path in (shared / "mocap").glob("*.bvh")} >= {"cmu_02_01.bvh", "mh_walk1.bvh"}
    with pytest.raises(pytest.skip.Exception, match=r"robots/none\.urdf is not here"):
        shared / "robots/none.urdf"  # pyright: ignore[reportUnusedExpression]


@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/data is not beside the checkout")
def test_they_are_the_same_as_those_beside_the_checkout() -> None:
    copies = {path.relative_to(DATA).as_posix(): path for path in DATA.rglob("*") if path.is_file()}
    copies |= {original: posable.sample(name) for original, name in SAMPLES.items()}
    own = ("README.md", "contacts/stances.json", "roles.json")
    copies = {name: path for name, path in copies.items() if name not in own and not name.startswith("packed/")}
    assert [name for name, path in copies.items() if path.read_bytes() != (SHARED / name).read_bytes()] == []
    assert isinstance(RealFiles(SHARED) / "mocap" / "asfamc", RealFiles)
