"""The facts of a skeleton that the search for roles uses: names, parents, rest positions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from posable.skeleton.joint import Joint
from posable.spatial import Array, apply_transform

# What the name of a joint says: the part of the body, the side, and whether it is a mere helper.


_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_a-zA-Z]+")
_VERTEBRA = re.compile(r"j?[lt]\d+([ls]\d+)?$", re.IGNORECASE)
_SIDES = {"l": "l", "left": "l", "lft": "l", "r": "r", "right": "r", "rgt": "r"}
_CORNERS = {f"{row}{side}": (side, row) for row in "fhbr" for side in "lr"} | {
    f"{side}{row}": (side, row) for row in "fh" for side in "lr"
}  # the four legs of robots: front left, hind right, left fore …
_ROWS = {"front", "fore", "back", "rear", "hind", "mid", "middle"}
_UPPER, _LOWER = {"up", "upper", "u"}, {"lo", "low", "lower", "fore"}

_WORDS_OF_PART = {  # the more telling parts first: of several words in a name, the first part here counts
    "thumb": "thumb",
    "index": "index pointer",
    "middle": "middle mid",
    "ring": "ring",
    "little": "little pinky pinkie",
    "finger": "finger fingers",
    "palm": "carpal carpals metacarpal metacarpals palm",
    "metatarsal": "metatarsal metatarsals",
    "toes": "toe toes toebase ball",
    "eye": "eye eyeball",
    "jaw": "jaw",
    "elbow": "elbow",
    "wrist": "wrist",
    "ankle": "ankle",
    "clavicle": "clavicle collar collarbone scapula",
    "upper_arm": "upperarm uparm bicep biceps humerus",
    "lower_arm": "forearm lowerarm loarm radius ulna",
    "upper_leg": "upleg upperleg thigh femur",
    "lower_leg": "lowerleg loleg lowleg calf shin shank knee tibia",
    "shoulder": "shoulder shldr",
    "hand": "hand fist",
    "foot": "foot feet",
    "hips": "hips hip pelvis",
    "arm": "arm",
    "leg": "leg",
    "neck": "neck lowerneck upperneck cervical",
    "head": "head skull",
    "chest": "chest torso thorax upperback ribcage thoracic",
    "spine": "spine waist lowerback back abdomen belly lumbar",
}
_PART_OF_WORD = {word: part for part, words in _WORDS_OF_PART.items() for word in words.split()}
_RANK = {part: rank for rank, part in enumerate(_WORDS_OF_PART)}
_LEGGED = {"upper_leg", "lower_leg", "leg", "foot", "ankle", "shoulder"}
FINGERS = ("thumb", "index", "middle", "ring", "little")

_SIDED = ("shoulder", "upper_arm", "lower_arm", "hand", "upper_leg", "lower_leg", "foot", "toes")
BODY_ROLES = (
    "hips", "spine", "chest", "upper_chest", "neck", "head", *(f"{role}_{side}" for side in "lr" for role in _SIDED),
)  # fmt: skip
"""The roles of trunk and limbs."""
ROLE_NAMES = (
    *BODY_ROLES, "jaw", "eye_l", "eye_r",
    *(f"{finger}_{k}_{side}" for side in "lr" for finger in FINGERS for k in (1, 2, 3)),
)  # fmt: skip
"""All roles: those of the body, of the face, and of the fingers, thumb_1_l … little_3_r."""

_NEVER = {
    "ik", "end", "endsite", "nub", "tip", "dummy", "null", "control", "ctrl", "controller", "pole", "target", "helper",
    "camera", "imu", "sensor", "logo", "lidar", "range", "accelerometer", "itb", "wheel", "mount", "visual",
    "collision", "contour", "contact", "screen", "display", "gripper", "sole", "lid", "brow", "lash", "look", "ear",
    "tail", "hair", "tongue", "lip", "cheek", "adjust",
}  # fmt: skip
_DECORATION = {"base", "bend", "joint", "link", "bone", "jnt", "def", "x", "stretch", "bind"}
_PERHAPS = {"twist", "roll", "share", "volume", "pole", "offset"}


_Said = tuple[str, tuple[str, ...], tuple[str, ...], str, str]  # part, words, numbers, row, side


@dataclass(frozen=True)
class Word:
    """What one name says. part: one of the parts above, "" if none; side: "l", "r" or ""; numbers: as written.

    helper: it may be a mere twist bone or offset. row: "front", "back" … for the legs of animals.
    """

    part: str = ""
    side: str = ""
    numbers: tuple[str, ...] = ()
    helper: bool = False
    row: str = ""
    words: tuple[str, ...] = ()


def read_names(names: Sequence[str]) -> list[Word]:
    """What each of the names of one skeleton says; prefixes that nearly all share are left out first."""
    split = [_split(name) for name in names]
    prefix = _shared_prefix(split)
    split = [tokens[_common(tokens, prefix) :] for tokens in split]
    corners = {token for tokens in split for token in tokens if token in _CORNERS}
    words = [
        _read(name, tokens, corners if len(corners) >= 4 else set()) for name, tokens in zip(names, split, strict=True)
    ]
    sides: Counter[_Said] = Counter((word.part, word.words, word.numbers, word.row, word.side) for word in words)
    return [_with_partner(word, sides) for word in words]


def _split(name: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(re.split(r"[:|/]", name)[-1] or name)]


def _shared_prefix(split: list[list[str]]) -> list[str]:
    """The first words that at least four fifths of the names have in common and that say nothing of the body."""
    prefix: list[str] = []
    while len(split) >= 5:
        starts = Counter(tokens[len(prefix)] for tokens in split if len(tokens) > len(prefix) + 1)
        word, count = starts.most_common(1)[0] if starts else ("", 0)
        if count < 0.8 * len(split) or word in _SIDES or word in _PART_OF_WORD:
            break
        prefix.append(word)
    return prefix


def _common(tokens: list[str], prefix: list[str]) -> int:
    count = 0
    while count < min(len(prefix), len(tokens) - 1) and tokens[count] == prefix[count]:
        count += 1
    return count


def _read(name: str, tokens: list[str], corners: set[str]) -> Word:
    if _VERTEBRA.match(name):
        return Word("spine", words=(name.lower(),))
    corner = next((token for token in tokens if token in corners), None)
    if corner:
        side, row = _CORNERS[corner]
        return Word("leg", side, row=row, words=tuple(tokens))
    helper = name.startswith("__") or bool(_PERHAPS & set(tokens))
    tokens, sides = _without_sides([part for token in tokens for part in _unfused(token)])
    numbers = tuple(token for token in tokens if token.isdigit())
    words = _joined([token for token in tokens if not token.isdigit() and token not in _DECORATION])
    if _NEVER & set(words):
        return Word(side=sides[0] if sides else "", words=tuple(words))
    parts = sorted({_PART_OF_WORD[word] for word in words if word in _PART_OF_WORD}, key=_RANK.__getitem__)
    part = _chosen(parts)
    row = next((word for word in words if word in _ROWS), "") if _LEGGED & set(parts) else ""
    if row and part == "middle":
        part = _chosen([one for one in parts if one != part])
    return Word(part, sides[0] if sides else "", numbers, helper, row, tuple(w for w in words if w not in _PERHAPS))


def _chosen(parts: list[str]) -> str:
    if "finger" in parts and parts[0] in FINGERS:
        parts = [parts[0]]
    return parts[0] if parts else ""


def _unfused(token: str) -> list[str]:
    """A side written onto the word: lfemur, rarm; and "hipjoint"."""
    bare = token.removesuffix("joint")
    if bare and bare != token and (bare in _PART_OF_WORD or bare[1:] in _PART_OF_WORD):
        token = bare
    if token not in _PART_OF_WORD and token[:1] in ("l", "r") and token[1:] in _PART_OF_WORD:
        return [token[0], token[1:]]
    return [token]


def _without_sides(tokens: list[str]) -> tuple[list[str], list[str]]:
    sides = [_SIDES[token] for token in tokens if token in _SIDES]
    return [token for token in tokens if token not in _SIDES], sides


def _joined(words: list[str]) -> list[str]:
    """ "upper arm" as one word, "lower back" too."""
    found: list[str] = []
    for word in words:
        last = found[-1] if found else ""
        if word in ("arm", "leg", "back") and (last in _UPPER or last in _LOWER):
            level = "upper" if last in _UPPER else "lower"
            found[-1] = "forearm" if (level, word) == ("lower", "arm") else level + word
        else:
            found.append(word)
    return found


def _with_partner(word: Word, sides: Counter[_Said]) -> Word:
    """A side counts only where the other side has the same: the R of WAIST_R means roll."""
    if not word.side:
        return word
    other = "r" if word.side == "l" else "l"
    alone = not sides[(word.part, word.words, word.numbers, word.row, other)]
    same_part = any(key[0] == word.part and key[4] == other for key in sides)
    return replace(word, side="") if alone and not same_part else word


SAME_PLACE = 0.03
"""Joints nearer than this share of the figure's size count as coincident."""


@dataclass(frozen=True, eq=False)
class Body:
    """A skeleton at rest. `frames [joint, 4, 4]`: where its joints are in the world; `words [joint]`: what the names
    say; `aliases [joint]`: what the other names say.
    """

    definitions: tuple[Joint, ...]
    parents: list[int]
    frames: Array
    up: Array
    words: tuple[Word, ...]
    aliases: tuple[tuple[Word, ...], ...]

    def nameless(self) -> Body:
        """The same body without names."""
        return replace(self, words=(Word(),) * len(self.words), aliases=((),) * len(self.words))

    @cached_property
    def positions(self) -> Array:
        """`[joint, 3]` where the joints are at rest, in the world."""
        return self.frames[:, :3, 3]

    @cached_property
    def heights(self) -> Array:
        """`[joint]` heights of the joints."""
        return self.positions @ self.up

    @cached_property
    def tips(self) -> tuple[Array, ...]:
        """`[joint]` of `[tip, 3]`: where bodies end, in the world."""
        return tuple(
            np.array([apply_transform(frame, tip) for tip in joint.tips]).reshape(-1, 3)
            for frame, joint in zip(self.frames, self.definitions, strict=True)
        )

    @cached_property
    def lowest(self) -> Array:
        """`[joint]` the lowest height of joints and tips from each joint on down."""
        low = np.array([min([h, *(tips @ self.up)]) for h, tips in zip(self.heights, self.tips, strict=True)])
        for i in range(len(low) - 1, -1, -1):
            parent = self.parents[i]
            if parent >= 0:
                low[parent] = min(low[parent], low[i])
        return low

    @cached_property
    def size(self) -> float:
        """The largest extent of the joints along the world's axes."""
        return float(np.ptp(self.positions, axis=0).max()) or 1.0

    @cached_property
    def children(self) -> list[list[int]]:
        found: list[list[int]] = [[] for _ in self.parents]
        for i, parent in enumerate(self.parents):
            if parent >= 0:
                found[parent].append(i)
        return found

    @cached_property
    def counts(self) -> list[int]:
        """`[joint]` how many joints there are from each on down, itself included."""
        counts = [1] * len(self.parents)
        for i in range(len(counts) - 1, 0, -1):
            if self.parents[i] >= 0:
                counts[self.parents[i]] += counts[i]
        return counts

    @cached_property
    def hinged(self) -> list[bool]:
        """`[joint]` whether it rotates about single axes, so that several joints make one shoulder or hip."""
        return [joint.manifold.axes == (False,) for joint in self.definitions]

    def chain(self, joint: int) -> list[int]:
        """From the root down to `joint`."""
        found = [joint]
        while self.parents[found[-1]] >= 0:
            found.append(self.parents[found[-1]])
        return found[::-1]

    def is_above(self, upper: int, lower: int) -> bool:
        """Whether `lower` hangs on `upper`."""
        return upper != lower and upper in self.chain(lower)

    def between(self, upper: int, lower: int) -> list[int]:
        """From `upper` down to `lower`, both included."""
        chain = self.chain(lower)
        return chain[chain.index(upper) :]

    def meeting(self, joints: Sequence[int]) -> int | None:
        """The lowest joint that is above all of `joints`, or one of them; None for joints of different trees."""
        chains = [self.chain(joint) for joint in joints]
        shared = [level[0] for level in zip(*chains, strict=False) if len(set(level)) == 1]
        return shared[-1] if shared else None

    def below(self, joint: int) -> list[int]:
        """`joint` and all that hangs on it."""
        found = [joint]
        for one in found:
            found += self.children[one]
        return found

    def distance(self, a: int, b: int) -> float:
        return float(np.linalg.norm(self.positions[a] - self.positions[b]))

    def last_of_run(self, joint: int, until: int | None = None) -> int:
        """The joint that carries the segment: the last of several coincident hinges, `joint` itself otherwise."""
        while self.hinged[joint] and len(self.children[joint]) == 1:
            below = self.children[joint][0]
            if below == until or not self.hinged[below] or self.distance(joint, below) > SAME_PLACE * self.size:
                break
            joint = below
        return joint


def body_of(definitions: tuple[Joint, ...], parents: list[int], frames: Array, up: Array) -> Body:
    """The facts about a skeleton whose joints are at `frames` at rest."""
    words = read_names([joint.name for joint in definitions])
    spelled = [(i, alias) for i, joint in enumerate(definitions) for alias in joint.aliases]
    aliases: list[list[Word]] = [[] for _ in words]
    for (i, _), word in zip(spelled, read_names([alias for _, alias in spelled]), strict=True):
        aliases[i].append(word)
    return Body(definitions, parents, frames, up, tuple(words), tuple(tuple(some) for some in aliases))
