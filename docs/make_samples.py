"""Makes the sample files that posable ships from their originals: `python docs/make_samples.py FOLDER`.

FOLDER holds `characters`, `meshes`, `mocap` and `robots`; ../shared/data unless given. Two files are cut, the others
are copies: the knight keeps six of its 76 clips, and nothing in his hands; the walk keeps every fourth frame, its
lengths turned into centimetres.
"""

from __future__ import annotations

import json
import shutil
import struct
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "src/posable/sample_files"
COPIES = {
    "wolf.glb": "characters/Q_Wolf.glb",
    "person.obj": "meshes/mh_female1605.obj",
    "panda.urdf": "robots/panda.urdf",
    "g1.urdf": "robots/g1_29dof_rev_1_0.urdf",
}
CLIPS = ("Idle", "Interact", "PickUp", "Running_A", "Sit_Floor_Idle", "Walking_A")
WEAPONS = (
    "1H_Sword",
    "2H_Sword",
    "1H_Sword_Offhand",
    "Badge_Shield",
    "Rectangle_Shield",
    "Round_Shield",
    "Spike_Shield",
)
CMU_UNIT = 2.54 / 0.45  # CMU's recordings count lengths in inches, divided by 0.45; so many centimetres
EVERY = 4  # 120 frames a second become 30

JSON_CHUNK, BINARY_CHUNK = 0x4E4F534A, 0x004E4942


def read_glb(path: Path) -> tuple[dict[str, Any], bytes]:
    """The JSON and the binary chunk of a .glb."""
    content = path.read_bytes()
    (length,) = struct.unpack_from("<I", content, 12)
    return json.loads(content[20 : 20 + length]), content[28 + length :]


def write_glb(path: Path, document: dict[str, Any], binary: bytes) -> None:
    """A .glb of these two chunks."""
    text = json.dumps(document, separators=(",", ":")).encode()
    text, binary = text + b" " * (-len(text) % 4), binary + bytes(-len(binary) % 4)
    chunks = ((JSON_CHUNK, text), (BINARY_CHUNK, binary))
    body = b"".join(struct.pack("<II", len(chunk), kind) + chunk for kind, chunk in chunks)
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body)


def keep_clips(document: dict[str, Any], binary: bytes, names: tuple[str, ...]) -> bytes:
    """Leave only these animations in `document`, and return the binary chunk without what no one needs any more."""
    document["animations"] = [clip for clip in document["animations"] if clip["name"] in names]
    samplers = [sampler for clip in document["animations"] for sampler in clip["samplers"]]
    primitives = [primitive for mesh in document["meshes"] for primitive in mesh["primitives"]]
    users = [(one, key) for one in samplers for key in ("input", "output")]
    users += [(one["attributes"], key) for one in primitives for key in one["attributes"]]
    users += [(one, "indices") for one in primitives] + [(one, "inverseBindMatrices") for one in document["skins"]]
    document["accessors"] = _renumbered(document["accessors"], users)
    views = [(one, "bufferView") for one in document["accessors"] + document["images"]]
    document["bufferViews"] = _renumbered(document["bufferViews"], views)
    kept = bytearray()
    for view in document["bufferViews"]:
        start = view.get("byteOffset", 0)
        view["byteOffset"] = len(kept)
        kept += binary[start : start + view["byteLength"]]
        kept += bytes(-len(kept) % 4)
    document["buffers"][0]["byteLength"] = len(kept)
    return bytes(kept)


def cut_knight(original: Path, path: Path) -> None:
    """Writes the knight with only the clips of CLIPS, and without WEAPONS."""
    document, binary = read_glb(original)
    drop_nodes(document, WEAPONS)
    write_glb(path, document, keep_clips(document, binary, CLIPS))


def drop_nodes(document: dict[str, Any], names: tuple[str, ...]) -> None:
    """Take these nodes without children, and their meshes, out of `document`."""
    gone = {k for k, node in enumerate(document["nodes"]) if node["name"] in names}
    places = {old: new for new, old in enumerate(k for k in range(len(document["nodes"])) if k not in gone)}
    document["nodes"] = [document["nodes"][old] for old in places]
    for owner, key in [(one, "children") for one in document["nodes"] if "children" in one] + [
        *((scene, "nodes") for scene in document["scenes"]),
        *((skin, "joints") for skin in document["skins"]),
    ]:
        owner[key] = [places[old] for old in owner[key] if old not in gone]
    for clip in document["animations"]:
        clip["channels"] = [one for one in clip["channels"] if one["target"]["node"] not in gone]
        for channel in clip["channels"]:
            channel["target"]["node"] = places[channel["target"]["node"]]
    document["meshes"] = _renumbered(document["meshes"], [(one, "mesh") for one in document["nodes"] if "mesh" in one])


def _renumbered(items: list[Any], users: list[tuple[dict[str, Any], str]]) -> list[Any]:
    """Those of `items` that a user's key counts to, in their order; the keys count anew."""
    used = sorted({user[key] for user, key in users})
    places = {old: new for new, old in enumerate(used)}
    for user, key in users:
        user[key] = places[user[key]]
    return [items[old] for old in used]


def thin_walk(text: str) -> str:
    """The recording in centimetres with every `EVERY`th frame, from the first after the T-pose that it begins with."""
    head, motion = text.split("MOTION")
    lines = [_scaled(line, 3) if "OFFSET" in line else line.rstrip() for line in head.splitlines()]
    frames = [_scaled(frame, 3) for frame in motion.strip().splitlines()[3::EVERY]]
    return "\n".join([*lines, "MOTION", f"Frames: {len(frames)}", f"Frame Time: {EVERY / 120:.7f}", *frames, ""])


def _scaled(line: str, count: int) -> str:
    """The line with its first `count` numbers, the lengths, in centimetres."""
    words = line.split()
    first = words.index("OFFSET") + 1 if "OFFSET" in words else 0
    lengths = [f"{float(word) * CMU_UNIT:.4f}" for word in words[first : first + count]]
    indent = line[: len(line) - len(line.lstrip())]
    return indent + " ".join([*words[:first], *lengths, *words[first + count :]])


if __name__ == "__main__":
    originals = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "../shared/data"
    cut_knight(originals / "characters/Knight.glb", SAMPLES / "knight.glb")
    walk = (originals / "mocap/cmu_12_01_walk.bvh").read_text(encoding="utf-8")
    (SAMPLES / "walk.bvh").write_text(thin_walk(walk), encoding="utf-8")
    for name, original in COPIES.items():
        shutil.copyfile(originals / original, SAMPLES / name)
