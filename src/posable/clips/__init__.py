"""Poses over time: clips and their algebra, no solving."""

from posable.clips.clip import Clip

__all__ = ["Clip"]
