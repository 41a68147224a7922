"""Poses over time: clips and their algebra, no solving."""

from posable.clips.blending import Mask, add, below, blend, mask_of
from posable.clips.clip import Clip
from posable.clips.editing import join, reverse, time_warp, travels, trim
from posable.clips.events import Event
from posable.clips.interpolation import Interpolation, between
from posable.clips.keys import Keys
from posable.clips.looping import find_loop, loop
from posable.clips.mirroring import mirror, mirrored
from posable.clips.reduction import reduce_keys
from posable.clips.root_motion import Travel, moved, travel_of, with_root_motion, without_root_motion
from posable.clips.smoothing import evened, smooth

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
