"""The default method: damped Gauss–Newton on the tree, in one compiled call."""
