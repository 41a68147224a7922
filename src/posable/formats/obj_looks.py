"""The materials of an OBJ file: the .mtl beside it, with its colours and images, as a look of the mesh."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from posable.errors import FileError, PosableError
from posable.files import read_bytes, sibling
from posable.formats.gltf.materials import MAX_PIXELS
from posable.formats.mesh_files import MAX_BYTES, MAX_CORNERS, read_uvs
from posable.skin.look import Image, Look, Material, linear_colors, opened

MAX_MATERIALS = 10_000
_ARGUMENTS = {"-mm": 2, "-o": 3, "-s": 3, "-t": 3}
"""How many words follow an option of an image; numbers alone count, one word follows others."""


def read_look(path: str | Path, vertices: int, notes: list[str]) -> Look | None:
    """The look of an OBJ's mesh of so many `vertices`; None where it is plain white.

    Call `read_mesh` first: it refuses invalid files. What cannot be used goes to `notes`.
    """
    path = Path(path)
    if path.suffix.lower() != ".obj":
        return None
    libraries, names = _used(read_bytes(path, MAX_BYTES))
    known, images = dict[str, Material](), dict[str, Image | None]()
    for library in libraries:
        try:
            known |= _Library(sibling(path, library), images, notes).materials
        except (PosableError, OSError) as problem:
            notes.append(f"materials of {library[:80]!r} are left out: {problem}")
    used = [known.get(name, Material()) for name in dict.fromkeys(names)]
    if all(material.plain and material.factor == (1.0, 1.0, 1.0, 1.0) for material in used):
        return None
    uvs, order = read_uvs(path), list(dict.fromkeys(names))
    materials = [known.get(name, Material()) for name in order]
    if uvs is None or len(uvs) != len(names):
        materials = [replace(material, image=None) for material in materials]
        uvs = np.zeros((len(names), 3, 2), np.float32)
    places = {name: k for k, name in enumerate(order)}
    of_face = np.array([places[name] for name in names], np.int32)
    flat = (uvs * (1, -1) + (0, 1)).astype(np.float32)
    return Look(tuple(materials), of_face, flat, np.ones((vertices, 4), np.float32))


def _used(raw: bytes) -> tuple[list[str], list[str]]:
    """The libraries that an OBJ names, and the material of each of its triangles."""
    libraries, names, material = dict[str, None](), list[str](), ""
    for line in raw.splitlines():
        word, _, rest = line.strip().partition(b" ")
        if word == b"mtllib":
            libraries[rest.strip().decode("utf-8", "replace")] = None
        elif word == b"usemtl":
            material = rest.strip().decode("utf-8", "replace")
        elif word == b"f":
            names += [material] * max(len(rest.split(maxsplit=MAX_CORNERS)) - 2, 0)
    return list(libraries), names


class _Library:
    """One .mtl file. images: by name, those that were opened."""

    def __init__(self, path: Path, images: dict[str, Image | None], notes: list[str]) -> None:
        self.path, self.images, self.notes = path, images, notes
        self.materials = dict[str, Material]()
        name = ""
        for line in read_bytes(path, MAX_BYTES).decode("utf-8", "replace").splitlines():
            words = line.split()
            if words[:1] == ["newmtl"]:
                name = line.split(maxsplit=1)[1].strip() if len(words) > 1 else ""
                if len(self.materials) >= MAX_MATERIALS:
                    raise FileError(path, f"has more than {MAX_MATERIALS:,} materials; export it with fewer")
                self.materials[name] = Material()
            elif words and name in self.materials:
                self.materials[name] = self._with(self.materials[name], words)

    def _with(self, material: Material, words: list[str]) -> Material:
        """A material after one more line."""
        red, green, blue, alpha = material.factor
        if words[0] == "map_Kd":
            return replace(material, image=self._image(words[1:]))
        try:
            numbers = [float(word) for word in words[1:4]]
        except ValueError:
            return material
        if not np.isfinite(numbers).all():
            return material
        if words[0] == "Kd" and len(numbers) == 3:
            return replace(material, factor=(*linear_colors(numbers).tolist(), alpha))
        if words[0] in ("d", "Tr") and numbers:
            alpha = min(max(numbers[0] if words[0] == "d" else 1 - numbers[0], 0.0), 1.0)
            return replace(material, factor=(red, green, blue, alpha), alpha="blend" if alpha < 1 else "opaque")
        return material

    def _image(self, words: list[str]) -> Image | None:
        """The image that a line names after its options, None if it cannot be used."""
        while words and words[0].startswith("-"):
            most = _ARGUMENTS.get(words[0], 1)
            count = 1
            while count <= most and count < len(words) and (most == 1 or _is_number(words[count])):
                count += 1
            words = words[count:]
        name = " ".join(words).replace("\\", "/")
        if name not in self.images:
            taken = sum(image.size // 4 for image in self.images.values() if image is not None)
            try:
                self.images[name] = opened(read_bytes(sibling(self.path, name)), MAX_PIXELS - taken)[0]
            except (PosableError, OSError, ValueError) as problem:
                self.images[name] = None
                self.notes.append(f"the image {name[:80]!r} of {self.path.name} is left out: {problem}")
        return self.images[name]


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
