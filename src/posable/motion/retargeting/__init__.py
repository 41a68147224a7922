"""Retargeting: the motion of one figure onto another."""

from posable.motion.retargeting.retarget import Retargeting, retarget, retargeting

__all__ = ["Retargeting", "retarget", "retargeting"]
