"""A person whose feet, toes or hands hang on the armature, as glTF or BVH, as many files have it."""

from __future__ import annotations

import numpy as np
from formats.gltf_models import Model

from posable.spatial import matrix_from_wxyz, rigid_inverse, wxyz_between, wxyz_from_matrix

Point = tuple[float, float, float]
SIDES = {"L": 1.0, "R": -1.0}
ENDS = ("foot", "toes", "hand")  # what may hang on the armature


def bones(loose: tuple[str, ...], words: dict[str, str]) -> dict[str, tuple[str, Point, Point]]:
    """name → (parent, head, tail) of a person as Blender has it, each bone's y axis along it."""
    found: dict[str, tuple[str, Point, Point]] = {
        "Root": ("", (0, 0, 0), (0, 0, -0.3)),
        "Hips": ("Root", (0, 1.0, 0), (0, 1.1, 0)),
        "Spine": ("Hips", (0, 1.1, 0), (0, 1.3, 0)),
        "Chest": ("Spine", (0, 1.3, 0), (0, 1.5, 0)),
        "Neck": ("Chest", (0, 1.5, 0), (0, 1.6, 0)),
        "Head": ("Neck", (0, 1.6, 0), (0, 1.85, 0)),
    }
    for side, x in SIDES.items():

        def add(part: str, parent: str, head: Point, tail: Point, side: str = side, x: float = x) -> None:
            parent = "Root" if part in loose else parent if parent in found else f"{words.get(parent, parent)}.{side}"
            name = f"{words.get(part, part)}.{side}"
            found[name] = (parent, (x * head[0], *head[1:]), (x * tail[0], *tail[1:]))

        add("thigh", "Hips", (0.1, 0.95, 0), (0.1, 0.5, 0.03))
        add("shin", "thigh", (0.1, 0.5, 0.03), (0.1, 0.09, -0.03))
        add("foot", "shin", (0.1, 0.09, -0.03), (0.1, 0.02, 0.1))
        add("toes", "foot", (0.1, 0.02, 0.1), (0.1, 0.02, 0.18))
        add("upper_arm", "Chest", (0.17, 1.45, 0), (0.42, 1.4, -0.02))
        add("forearm", "upper_arm", (0.42, 1.4, -0.02), (0.66, 1.38, 0.02))
        add("hand", "forearm", (0.66, 1.38, 0.02), (0.8, 1.37, 0.03))
    return found


def frames_of(rig: dict[str, tuple[str, Point, Point]]) -> dict[str, np.ndarray]:
    """The bones in the world, `[4, 4]` each."""
    found = {}
    for name, (_, head, tail) in rig.items():
        found[name] = np.eye(4)
        found[name][:3, :3] = matrix_from_wxyz(wxyz_between((0, 1, 0), np.subtract(tail, head)))
        found[name][:3, 3] = head
    return found


def model(loose: tuple[str, ...] = ENDS, *, ends: bool = True, words: dict[str, str] | None = None) -> Model:
    """The person with a box on each bone, and one triangle across each ankle and wrist; a clip in which the left leg is
    raised and its foot goes elsewhere; ends: leaves have a node at their tail.
    """
    words = words or {}
    rig, made = bones(loose, words), Model()
    world, names = frames_of(rig), [*rig]
    for name, (parent, _, _) in rig.items():
        local = rigid_inverse(world[parent]) @ world[name] if parent else world[name]
        wxyz = wxyz_from_matrix(local[:3, :3])
        made.add(
            "nodes", name=name, translation=local[:3, 3].tolist(), rotation=np.roll(wxyz, -1).tolist(), children=[]
        )
    for name, (parent, head, tail) in rig.items():
        if parent:
            children = made.raw["nodes"][names.index(parent)]["children"]
            first = parent == "Root"  # detached feet before the body
            children.insert(0 if first else len(children), names.index(name))
        if ends and name not in {parent for parent, _, _ in rig.values()}:
            length = float(np.linalg.norm(np.subtract(tail, head)))
            end = made.add("nodes", name=f"{name}_end", translation=[0, length, 0])
            made.raw["nodes"][names.index(name)]["children"].append(end)
    armature = made.add("nodes", name="Armature", children=[0])
    _add_mesh(made, rig, [(words.get(a, a), words.get(b, b)) for a, b in ACROSS])
    inverse = np.array([rigid_inverse(world[name]).T.ravel() for name in names])
    made.add("skins", joints=[*range(len(names))], inverseBindMatrices=made.accessor(inverse))
    mesh = made.add("nodes", mesh=0, skin=0)
    made.raw |= {"scenes": [{"nodes": [armature, mesh]}], "scene": 0}
    _add_clip(made, names, words.get("thigh", "thigh"), words.get("foot", "foot"))
    return made


ACROSS = (("shin", "foot"), ("foot", "toes"), ("forearm", "hand"))


def _add_mesh(made: Model, rig: dict[str, tuple[str, Point, Point]], across: list[tuple[str, str]]) -> None:
    names, shape = [*rig], ((0, 1, 2), (3, 5, 4), (0, 3, 1), (1, 4, 2))
    ends = [(head, tail) for _, head, tail in rig.values()]
    points = [np.array(place) + 0.03 * by for both in ends for place in both for by in np.eye(3)]
    faces = [[6 * k + corner for corner in face] for k in range(len(rig)) for face in shape]
    for above, below in ((names.index(f"{a}.{side}"), names.index(f"{b}.{side}")) for a, b in across for side in SIDES):
        faces.append([6 * above + 3, 6 * below, 6 * below + 1])
    attributes = {
        "POSITION": made.accessor(points),
        "JOINTS_0": made.accessor([[k // 6, 0, 0, 0] for k in range(len(points))], "u1"),
        "WEIGHTS_0": made.accessor([[1, 0, 0, 0]] * len(points)),
    }
    made.add("meshes", primitives=[{"attributes": attributes, "indices": made.accessor(np.ravel(faces), "u2")}])


def _add_clip(made: Model, names: list[str], thigh: str, foot: str) -> None:
    thigh_node, foot_node = names.index(f"{thigh}.L"), names.index(f"{foot}.L")
    start = np.array(made.raw["nodes"][foot_node]["translation"])
    turn = np.array(made.raw["nodes"][thigh_node]["rotation"])
    times, away, raised = np.arange(4) / 24, np.array([0.0, 0.2, 0.1]), np.array([0.1, 0.0, 0.0, 0.0])
    made.animation(foot_node, "translation", times, [start + k * away for k in (0, 0.3, 1, 0)], name="kick")
    bent = [turn + k * raised for k in (0, 1, 2, 0)]
    sampler = {"input": made.accessor(times), "output": made.accessor([b / np.linalg.norm(b) for b in bent])}
    made.raw["animations"][0]["channels"].append({"sampler": 1, "target": {"node": thigh_node, "path": "rotation"}})
    made.raw["animations"][0]["samplers"].append(sampler)


def without_clips() -> Model:
    """The person without clips, and without a joint above the root."""
    made = model()
    made.raw.pop("animations")
    armature = next(node for node in made.raw["nodes"] if node.get("name") == "Armature")
    armature["children"] = []
    made.raw["scenes"][0]["nodes"][0] = 0
    return made


def bvh(loose: tuple[str, ...]) -> str:
    """The person as a recording of three frames, the last with a raised thigh and a foot that stays where it is."""
    rig, lines = bones(loose, {}), ["HIERARCHY"]
    rows: list[list[float]] = [[], [], []]

    def add(name: str, depth: int) -> None:
        parent, head, tail = rig[name]
        offset = np.subtract(head, rig[parent][1]) if parent else np.zeros(3)
        moves = not parent or name.split(".")[0] in loose
        turns = "Zrotation Xrotation Yrotation"
        channels = f"6 Xposition Yposition Zposition {turns}" if moves else f"3 {turns}"
        lines.append(
            f"{'JOINT' if depth else 'ROOT'} {name} {{ OFFSET {' '.join(map(str, offset))} CHANNELS {channels}"
        )
        for k, row in enumerate(rows):
            row += [*(offset if moves else ()), 0.0, -30.0 * (name == "thigh.L" and k == 2), 0.0]
        children = [other for other, (above, _, _) in rig.items() if above == name]
        for child in children:
            add(child, depth + 1)
        if not children:
            lines.append(f"End Site {{ OFFSET {' '.join(map(str, np.subtract(tail, head)))} }}")
        lines.append("}")

    add("Root", 0)
    frames = [" ".join(map(str, row)) for row in rows]
    return "\n".join([*lines, "MOTION", "Frames: 3", "Frame Time: 0.04", *frames]).replace("{", "\n{\n") + "\n"
