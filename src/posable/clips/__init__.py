"""Poses over time: clips and operations on them, without solving."""

from posable.clips.blending import Mask, add, below, blend, mask_of
from posable.clips.clip import Clip, Event, Interpolation, between
from posable.clips.cutting import find_loop, join, loop, reverse, time_warp, travels, trim
from posable.clips.keys import Keys, evened, reduce_keys, smooth
from posable.clips.mirroring import mirror, mirrored
from posable.clips.root_motion import Travel, moved, travel_of, with_root_motion, without_root_motion

__all__ = [
    "Clip",
    "Event",
    "Interpolation",
    "Keys",
    "Mask",
    "Travel",
    "add",
    "below",
    "between",
    "blend",
    "evened",
    "find_loop",
    "join",
    "loop",
    "mask_of",
    "mirror",
    "mirrored",
    "moved",
    "reduce_keys",
    "reverse",
    "smooth",
    "time_warp",
    "travel_of",
    "travels",
    "trim",
    "with_root_motion",
    "without_root_motion",
]
