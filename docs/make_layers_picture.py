"""Draws `docs/internals/layers.png`: the packages of posable, each above what it imports, read from the code."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

SOURCE = Path(__file__).parents[1] / "src/posable"
PICTURE = Path(__file__).parent / "internals/layers.png"
WIDTH, ROW, BOX, MARGIN = 1200, 96, (190, 62), 24
INK, LINE, FILL, PAPER = "#1d2733", "#9fb0c0", "#e8eef5", "#ffffff"
SAYS = {
    "errors": "the tree of exceptions", "files": "safe reading and writing", "compiled": "Numba behind one door",
    "spatial": "rotations, transforms", "skeleton": "joints, poses, limits", "goals": "what is asked",
    "skin": "meshes and weights", "clips": "poses over time", "figures": "skeleton, skins, roles",
    "solvers": "how it gets there", "motion": "solving over time", "formats": "files in and out",
    "view": "pictures and films", "studio": "the web studio", "cli": "the command line",
    "batches": "many files",
}  # fmt: skip


@cache
def imports(package: str) -> frozenset[str]:
    """The other packages that `package` imports anywhere."""
    files = [SOURCE / f"{package}.py"] if (SOURCE / f"{package}.py").exists() else (SOURCE / package).rglob("*.py")
    found = set()
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("posable."):
                found.add((node.module or "").split(".")[1])
            elif isinstance(node, ast.Import) and any(alias.name == "posable" for alias in node.names):
                found |= {"view", "formats"}  # by the front door: all that stands below the studio
    return frozenset(found & set(SAYS)) - {package}


@cache
def level(package: str) -> int:
    """How many packages stand below one another under `package`, at most."""
    return 1 + max((level(other) for other in imports(package)), default=-1)


@cache
def below(package: str) -> frozenset[str]:
    """All that `package` imports, directly or through others."""
    return imports(package).union(*(below(other) for other in imports(package)))


def boxes() -> dict[str, tuple[int, int]]:
    """The middle of each package's box."""
    rows: dict[int, list[str]] = {}
    for package in SAYS:
        rows.setdefault(level(package), []).append(package)
    top = max(rows)
    return {
        package: (int(WIDTH * (k + 1) / (len(row) + 1)), MARGIN + ROW * (top - height) + BOX[1] // 2)
        for height, row in rows.items()
        for k, package in enumerate(row)
    }


def size_of(package: str) -> str:
    """How many modules and lines a package has."""
    files = (
        [SOURCE / f"{package}.py"] if (SOURCE / f"{package}.py").exists() else list((SOURCE / package).rglob("*.py"))
    )
    lines = sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files)
    return f"{len(files)} modules, {lines:,} lines"


def draw() -> Image.Image:
    """The picture: an arrow to each package that is imported directly and not through another."""
    middles = boxes()
    image = Image.new("RGB", (WIDTH, max(y for _, y in middles.values()) + BOX[1] // 2 + MARGIN), PAPER)
    pen = ImageDraw.Draw(image)
    for package, (x, y) in middles.items():
        through = frozenset[str]().union(*(below(other) for other in imports(package)))
        for other in imports(package) - through:
            to_x, to_y = middles[other]
            pen.line((x, y + BOX[1] // 2, to_x, to_y - BOX[1] // 2), fill=LINE, width=2)
    for package, (x, y) in middles.items():
        corner = (x - BOX[0] // 2, y - BOX[1] // 2, x + BOX[0] // 2, y + BOX[1] // 2)
        pen.rounded_rectangle(corner, 8, fill=FILL, outline=LINE, width=2)
        for text, size, offset in ((package, 17, -18), (SAYS[package], 12, 2), (size_of(package), 11, 18)):
            pen.text((x, y + offset), text, fill=INK, font=ImageFont.load_default(size), anchor="mm")
    return image


if __name__ == "__main__":
    draw().save(PICTURE)
