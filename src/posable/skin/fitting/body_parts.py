"""Joints with the limits of the body, hung between fitted points.

Every joint's frame is parallel to the mesh's at rest, and hinges count from the straight limb, as the mannequin's do.
Limits: American Academy of Orthopaedic Surgeons, "Joint Motion: Method of Measuring and Recording" (1965), as stated
with the mannequin's joints; those of four-legged animals are our own, round and generous.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posable.skeleton import Axis, Cone, Joint
from posable.skeleton.hand_proportions import BENDS, HAND_LENGTH, KNEE, KNUCKLES, PHALANGES, THUMB_BENDS
from posable.skin.fitting.upright_voxels import Voxels
from posable.skin.mesh import Mesh
from posable.spatial import IDENTITY_WXYZ, Array, normalized, wxyz_about, wxyz_between

Places = dict[str, Array]
LEFT, UP, AHEAD = np.eye(3)
_SHORTEST = 1e-3  # of the figure's height: joints nearer than this have no direction between them


@dataclass(frozen=True, eq=False)
class Body:
    """positions: of joints and tips in the mesh's frame. basis: rows left, up and ahead, in the mesh's frame.

    Directions that are asked for and given here are left, up, ahead; those of the joints are the mesh's.
    """

    places: Places
    basis: Array
    height: float

    def between(self, start: str, end: str) -> Array:
        """From one position to another, in the mesh's frame."""
        return self.places[end] - self.places[start]

    def towards(self, start: str, end: str) -> Array:
        """Unit direction from one position to another: left, up, ahead."""
        step = self.basis @ self.between(start, end)
        return normalized(step) if np.linalg.norm(step) > _SHORTEST * self.height else -UP

    def vector(self, direction: ArrayLike) -> tuple[float, float, float]:
        """A direction left, up, ahead in the mesh's frame."""
        x, y, z = (float(c) for c in np.asarray(direction, float) @ self.basis)
        return x, y, z

    def turn(self, wxyz: Array) -> tuple[float, float, float, float]:
        """A rotation about left, up and ahead in the mesh's frame."""
        return (float(wxyz[0]), *self.vector(wxyz[1:]))

    def free(self, name: str, aliases: tuple[str, ...] = ()) -> Joint:
        """The root."""
        return Joint(name, "free", None, _numbers(self.places[name]), aliases=aliases)

    def joint(self, name: str, parent: str, kind: Any = "fixed", tip: str = "", **more: Any) -> Joint:
        """A joint at the position of its name, with a tip at the position `tip`."""
        tips = (_numbers(self.between(name, tip)),) if tip else ()
        return Joint(name, kind, parent, _numbers(self.between(parent, name)), tips=tips, **more)

    def ball(
        self, name: str, parent: str, axis: Array, swing: float, twist: tuple[float, float], middle: Any = None, tip=""
    ) -> Joint:
        """A ball joint whose `axis` swings up to `swing` degrees from the direction `middle` (its own unless given)."""
        center = IDENTITY_WXYZ if middle is None else wxyz_between(axis, normalized(middle))
        ranges = (math.radians(twist[0]), math.radians(twist[1]))
        cone = Cone(self.vector(axis), math.radians(swing), ranges, center=self.turn(center))
        return self.joint(name, parent, "ball", tip, cone=cone)

    def axis(self, direction: ArrayLike, lower: float, upper: float, name: str = "") -> Axis:
        """A hinge's axis with limits in degrees."""
        return Axis(self.vector(direction), lower=math.radians(lower), upper=math.radians(upper), name=name)

    def bend(self, name: str, parent: str, end: str, side: Array, limits: tuple[float, float], tip: str = "") -> Joint:
        """A hinge that bends the limb towards `side`, in the limb's own plane if it is bent in that direction at
        rest.
        """
        upper, lower = self.towards(parent, name), self.towards(name, end)
        axis = np.cross(upper, side)
        axis = normalized(axis) if np.linalg.norm(axis) > 0.1 else LEFT
        own = np.cross(upper, lower)
        if np.linalg.norm(own) > 0.2 and own @ axis > 0.3 * np.linalg.norm(own):
            axis = normalized(own)
        rest = math.atan2(float(axis @ own), float(upper @ lower))
        turn = wxyz_about(axis, -rest)
        degrees = math.degrees(rest)
        hinge = self.axis(axis, min(limits[0], degrees), max(limits[1], degrees))
        return self.joint(name, parent, "hinge", tip, wxyz=self.turn(turn), axes=(hinge,), rest=(rest,))


def trunk(body: Body) -> list[Joint]:
    """Root, spine, chest, neck and head of a two-legged figure."""
    bow = wxyz_about(LEFT, math.radians(12))
    back = Cone(body.vector(UP), math.radians(30), _range(22), center=body.turn(bow))
    return [
        body.free("root", ("pelvis", "hips")),
        body.joint("spine", "root", "ball", cone=back),
        body.joint("chest", "spine", "ball", cone=back),
        body.ball("neck", "chest", UP, 25, (-25, 25)),
        body.ball("head", "neck", UP, 20, (-35, 35), tip="head_tip"),
    ]


def arm(body: Body, side: str, tip: bool = True) -> list[Joint]:
    """Collar bone, upper arm, forearm and hand; `side` is "l" or "r"."""
    out = 1.0 if side == "l" else -1.0
    names = [f"{part}_{side}" for part in ("clavicle", "upper_arm", "forearm", "hand", "hand_tip")]
    collar = (body.axis((0, 0, out), -10, 30), body.axis((0, -out, 0), -20, 25))
    upper, lower = body.towards(*names[1:3]), body.towards(*names[2:4])
    twist = (-90, 70) if side == "l" else (-70, 90)
    return [
        body.joint(names[0], "chest", "universal", axes=collar),
        body.ball(names[1], names[0], upper, 115, twist, (0.70 * out, -0.10, 0.66)),
        body.bend(names[2], names[1], names[3], AHEAD, (0, 150)),
        body.ball(names[3], names[2], lower, 65, (-80, 80), tip=names[4] if tip else ""),
    ]


def leg(body: Body, side: str) -> list[Joint]:
    """Thigh, shin, foot and toe."""
    out = 1.0 if side == "l" else -1.0
    names = [f"{part}_{side}" for part in ("thigh", "shin", "foot", "toe", "toe_tip")]
    ankle = (body.axis((1, 0, 0), -20, 50), body.axis((0, 0, out), -35, 15))
    return [
        body.ball(names[0], "root", body.towards(*names[:2]), 75, (-45, 45), (0.13 * out, -0.70, 0.70)),
        body.bend(names[1], names[0], names[2], -AHEAD, KNEE),
        body.joint(names[2], names[1], "universal", axes=ankle),
        body.joint(names[3], names[2], "hinge", names[4], axes=(body.axis((1, 0, 0), -70, 45),)),
    ]


def long_trunk(body: Body, tail: tuple[str, ...]) -> list[Joint]:
    """Root, spine, chest, neck, head and, where it has one, tail of a four-legged figure."""
    line = ("root", "spine", "chest", "neck", "head", "head_tip")
    joints = [body.free("root", ("pelvis", "hips"))]
    for parent, name, end, swing in zip(line, line[1:], line[2:], (30, 30, 50, 50), strict=False):
        tip = end if name == "head" else ""
        joints.append(body.ball(name, parent, body.towards(name, end), swing, (-30, 30), tip=tip))
    if tail[0] in body.places:
        for parent, name, end in zip(("root", *tail), tail, tail[1:], strict=False):
            tip = end if end == tail[-1] else ""
            joints.append(body.ball(name, parent, body.towards(name, end), 50, (-20, 20), tip=tip))
    return joints


def fore_leg(body: Body, side: str) -> list[Joint]:
    """Upper arm, forearm and hand of an animal: the elbow points back."""
    names = [f"{part}_{side}" for part in ("upper_arm", "forearm", "hand", "hand_tip")]
    return [
        body.ball(names[0], "chest", body.towards(*names[:2]), 60, (-30, 30)),
        body.bend(names[1], names[0], names[2], AHEAD, (-10, 130)),
        body.ball(names[2], names[1], body.towards(names[2], names[3]), 70, (-20, 20), tip=names[3]),
    ]


def hind_leg(body: Body, side: str) -> list[Joint]:
    """Thigh, shin, foot (the hock) and toe of an animal: the knee points ahead, the hock back."""
    names = [f"{part}_{side}" for part in ("thigh", "shin", "foot", "toe", "toe_tip")]
    return [
        body.ball(names[0], "root", body.towards(*names[:2]), 60, (-30, 30)),
        body.bend(names[1], names[0], names[2], -AHEAD, (-5, 140)),
        body.bend(names[2], names[1], names[3], AHEAD, (-20, 130)),
        body.bend(names[3], names[2], names[4], AHEAD, (-40, 110), tip=names[4]),
    ]


def _range(degrees: float) -> tuple[float, float]:
    return -math.radians(degrees), math.radians(degrees)


def _numbers(place: Array) -> tuple[float, float, float]:
    x, y, z = (float(c) for c in place)
    return x, y, z


# Five fingers in proportion to the hand: where the hand ends and how it is turned is seen, the fingers themselves
# not.
#
# They are as long for the hand as the mannequin's.


_DIRECTIONS = {
    "thumb": (0.72, 0.62, 0.22),
    "index": (0.993, 0.122, 0.0),
    "middle": (1.0, 0.009, 0.0),
    "ring": (0.995, -0.105, 0.0),
    "pinky": (0.972, -0.233, 0.0),
}
FINGER_LINES = tuple(("hand", *(f"{finger}_{k}" for k in (1, 2, 3, "tip"))) for finger in KNUCKLES)
"""From the hand along each finger."""
FINGER_NAMES = tuple(name for line in FINGER_LINES for name in line[1:])
"""Joints and tips of a hand's fingers, without the side."""


def finger_places(half: Voxels, arm: Places) -> Places:
    """The fingers of the left hand, straight, from the positions of its arm."""
    basis = _hand_axes(half, arm)
    scale = float(np.linalg.norm(arm["hand_tip"] - arm["hand"])) / HAND_LENGTH
    found: Places = {}
    for line in FINGER_LINES:
        finger = line[1].removesuffix("_1")
        place = arm["hand"] + scale * np.array(KNUCKLES[finger]) @ basis
        direction = normalized(np.array(_DIRECTIONS[finger])) @ basis
        for name, length in zip(line[1:], (0.0, *PHALANGES[finger]), strict=True):
            place = place + scale * length * direction
            found[name] = place
    return found


def _hand_axes(half: Voxels, arm: Places) -> Array:
    """Rows: along the hand, towards the thumb, out of the palm. The palm's normal is where the hand is flattest."""
    reach = float(np.linalg.norm(arm["hand_tip"] - arm["hand"]))
    along = _unit(arm["hand_tip"] - arm["hand"], np.array([1.0, 0.0, 0.0]))
    palm = np.cross(arm["forearm"] - arm["upper_arm"], AHEAD)
    palm = _unit(palm - (palm @ along) * along, np.array([0.0, -1.0, 0.0]))
    voxels = np.argwhere(half).astype(float)
    off = voxels - 0.5 * (arm["hand"] + arm["hand_tip"])
    near = off[np.linalg.norm(off, axis=1) < 0.6 * reach]
    if len(near) >= 20:
        flat = near - (near @ along)[:, None] * along
        normal = np.linalg.eigh(np.cov(flat.T))[1][:, 1]  # the first is along the hand, which has been taken out
        normal = normal * np.sign(normal @ palm or 1.0)
        palm = _unit(normal - (normal @ along) * along, palm) if normal @ palm > 0.5 else palm
    return np.array([along, np.cross(palm, along), palm])


_ROUNDS, _SHIFT = 8, 0.7  # times that fingers are drawn into the mesh, each time by so much of what they are off
_ASIDE, _AROUND = 0.25, 1.3  # of the hand's length: surface farther from a finger, or from the wrist, is not its own


def settled_fingers(mesh: Mesh, places: Places, side: str) -> Places:
    """The finger joints of one hand, each drawn into the middle of the surface around it, in the mesh's frame.

    Every face counts, by its area, for the nearest bone, and there for the nearer joint.
    """
    lines = [[f"{name}_{side}" for name in line] for line in FINGER_LINES]
    wrist = places[f"hand_{side}"]
    reach = max(float(np.linalg.norm(places[line[-1]] - wrist)) for line in lines)
    corners = mesh.vertices[mesh.faces]
    corners = corners[np.linalg.norm(corners.mean(axis=1) - wrist, axis=1) < _AROUND * reach]
    middles, own = corners.mean(axis=1), np.arange(len(corners))
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    found = {name: places[name] for line in lines for name in line}
    for _ in range(_ROUNDS):
        start, end = (np.array([found[name] for line in lines for name in line[k : 4 + k]]) for k in (0, 1))
        way = end - start
        t = np.clip(((middles[:, None] - start) * way).sum(axis=2) / np.maximum((way**2).sum(axis=1), 1e-300), 0, 1)
        off = middles[:, None] - start - t[..., None] * way
        far = np.linalg.norm(off, axis=2)
        bone = far.argmin(axis=1)
        nearer = bone + (t[own, bone] > 0.5) + bone // 4  # five joints a line, four bones
        for joint, name in enumerate(name for line in lines for name in line):
            rows = (nearer == joint) & (bone % 4 > 0) & (far[own, bone] < _ASIDE * reach)  # without the palm's
            if area[rows].sum() > 0:
                found[name] = found[name] + _SHIFT * np.average(off[own, bone][rows], axis=0, weights=area[rows])
    return {name: found[name] for line in lines for name in line[1:]}


def finger_joints(body: Body, side: str) -> list[Joint]:
    """Per finger a knuckle that bends and spreads, and two hinges."""
    hand = f"hand_{side}"
    palm = _palm(body, side)
    found: list[Joint] = []
    for line in FINGER_LINES:
        names = [f"{name}_{side}" for name in line[1:]]
        first, *others = THUMB_BENDS if line[1] == "thumb_1" else BENDS
        along = body.towards(names[0], names[1])
        flexion = np.cross(along, palm)
        axes = (body.axis(flexion, *first, name="bend"), body.axis(palm, -20, 20, name="spread"))
        found.append(body.joint(names[0], hand, "universal", axes=axes))
        for k, limits in zip((1, 2), others, strict=True):
            found.append(body.bend(names[k], names[k - 1], names[k + 1], palm, limits, tip=names[3] if k == 2 else ""))
    return found


def _palm(body: Body, side: str) -> Array:
    """Out of the palm: square to the hand and to the row of knuckles."""
    along, across = body.towards(f"hand_{side}", f"middle_1_{side}"), body.towards(f"pinky_1_{side}", f"index_1_{side}")
    return normalized(np.cross(along, across)) * (1.0 if side == "l" else -1.0)


def _unit(vector: Array, otherwise: Array) -> Array:
    length = float(np.linalg.norm(vector))
    return vector / length if length > 1e-9 else otherwise


_PALM = 0.8  # of the hand's length: what is farther from its line belongs to something else
_ACROSS_FINGERS = (0.6, 0.7, 0.8, 0.88)  # of the distance from the wrist to the farthest of the hand
_LEAST_FINGERS, _TILT = 3, 0.8


def fingers_seen(mesh: Mesh, hand: Array, tip: Array) -> bool:
    """Whether a plane across the hand's outer half, upright or tilted, cuts the surface in several closed lines."""
    reach = max(float(np.linalg.norm(tip - hand)), 1e-12)
    along, off = (tip - hand) / reach, (mesh.vertices - hand) / reach
    way = off @ along
    near = (np.linalg.norm(off - way[:, None] * along, axis=1) < _PALM) & (np.abs(way - 0.6) < 0.6)
    near &= _hand_pieces(mesh.pieces, near)
    faces, places = mesh.welded[mesh.faces[near[mesh.faces].all(axis=1)]], np.zeros((mesh.welded.max() + 1, 3))
    places[mesh.welded] = off
    if not len(faces):
        return False
    first, second = np.linalg.svd(along[None])[2][1:]
    tilts = [along + a * first + b * second for a in (-_TILT, 0, _TILT) for b in (-_TILT, 0, _TILT)]
    heights = [places @ (tilt / np.linalg.norm(tilt)) for tilt in tilts]
    levels = [(height, share * height[faces].max()) for height in heights for share in _ACROSS_FINGERS]
    return max(_outlines(faces, height - level) for height, level in levels) >= _LEAST_FINGERS


def _hand_pieces(pieces: NDArray[np.int64], near: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """`[vertex]`: the largest piece near the hand and all that lie there wholly, as fingers that are loose pieces do;
    what the hand holds reaches farther.
    """
    there, all_of = np.bincount(pieces[near], minlength=pieces.max() + 1), np.bincount(pieces)
    loose = (there == all_of) & (there > 0)
    loose[there.argmax()] = True
    return loose[pieces]


def _outlines(faces: NDArray[np.int64], height: Array) -> int:
    """In how many closed lines the plane at height 0 cuts the faces."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    over = height[faces] > 0
    cut = faces[over.any(axis=1) & ~over.all(axis=1)]
    edges = np.sort(np.stack([cut, np.roll(cut, -1, axis=1)], axis=-1), axis=-1).reshape(-1, 2)
    crossing = (height[edges] > 0).sum(axis=1) == 1
    keys = np.unique(edges[crossing] @ np.array([len(height), 1]), return_inverse=True)[1].reshape(-1, 2)
    size = int(keys.max(initial=-1)) + 1
    links = coo_array((np.ones(len(keys)), (keys[:, 0], keys[:, 1])), shape=(size, size))
    if not size:
        return 0
    line_of = connected_components(links, directed=False)[1]
    is_open = np.bincount(keys.reshape(-1), minlength=size) != 2
    return len(set(line_of) - set(line_of[is_open]))
