"""Roles of joints in the body, found by names, hierarchy and shape."""

MOST_JOINTS = 1000
"""A larger skeleton is not a body, and the search for its parts would take seconds."""
