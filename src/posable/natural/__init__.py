"""Natural poses: what people do with the parts of the body that the goals leave open, learnt from recordings."""

from posable.natural.human_limits import with_human_limits
from posable.natural.natural import Natural, natural_if_known

__all__ = ["Natural", "natural_if_known", "with_human_limits"]
