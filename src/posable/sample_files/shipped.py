"""The files that come with posable: content, author, licence and path of each."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from posable.errors import UnknownSampleError


@dataclass(frozen=True)
class Sample:
    """A file that comes with posable, with its attribution; LICENCES.md beside it holds the full terms.

    Example:
        >>> sample = next(one for one in posable.samples() if one.name == "walk.bvh")
        >>> sample.licence, sample.path.name
        ('CMU', 'walk.bvh')
    """

    name: str
    about: str
    licence: str
    source: str

    @property
    def path(self) -> Path:
        """The path of the file. Do not write to it; `posable samples NAME -o FILE` makes a copy."""
        return Path(__file__).parent / self.name


_CMU = (
    "recording 12_01 of the CMU motion capture database, mocap.cs.cmu.edu, created with funding from NSF EIA-0196217; "
    "thinned to 30 frames per second and scaled to centimetres"
)
_SAMPLES = (
    Sample(
        "knight.glb",
        "a character: 15 skinned meshes on one skeleton, six clips, a texture",
        "CC0-1.0",
        "Kay Lousberg, KayKit Character Pack: Adventurers 1.0, with six of its 76 clips",
    ),
    Sample(
        "wolf.glb",
        "an animal: a skinned mesh with twelve clips",
        "CC0-1.0",
        "Quaternius, Ultimate Animated Animals",
    ),
    Sample("walk.bvh", "a person's recorded walk, 131 frames in centimetres (--unit cm)", "CMU", _CMU),
    Sample(
        "person.obj",
        "a bare mesh: a person of 1,605 vertices without a skeleton, in decimetres",
        "CC0-1.0",
        "MakeHuman, proxy mesh female1605",
    ),
    Sample(
        "panda.urdf",
        "a robot arm: Franka Emika Panda with seven joints and a gripper, without its meshes",
        "Apache-2.0",
        "Franka Emika GmbH, franka_ros, via example-robot-data",
    ),
    Sample(
        "g1.urdf",
        "a humanoid robot: Unitree G1 with 29 joints, without its meshes",
        "BSD-3-Clause",
        "Unitree Robotics, g1_description, via example-robot-data",
    ),
)


def samples() -> tuple[Sample, ...]:
    """The files that come with posable: each with `name`, `about`, `licence`, `source` and `path`.

    Example:
        >>> [one.name for one in posable.samples()][0]
        'knight.glb'
    """
    return _SAMPLES


def sample(name: str) -> Path:
    """The path of a file that comes with posable.

    Args:
        name: One of the names that `samples` lists, such as "knight.glb".

    Raises:
        UnknownSampleError: If no sample is called so; it suggests the closest names.

    Example:
        >>> knight = posable.load(posable.sample("knight.glb"))
    """
    for one in _SAMPLES:
        if one.name == name:
            return one.path
    raise UnknownSampleError(name, [one.name for one in _SAMPLES])
