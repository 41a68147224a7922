"""The compiled parts of the default method."""
