"""Retargeting: the motion of one figure onto another."""

from posable.motion.transfer.retarget_clip import Retargeting, retarget, retargeting

__all__ = ["Retargeting", "retarget", "retargeting"]
