"""Natural poses: what people do with the parts of the body that the goals leave open, learnt from recordings."""

from posable.natural.natural import Natural, natural_if_known

__all__ = ["Natural", "natural_if_known"]
