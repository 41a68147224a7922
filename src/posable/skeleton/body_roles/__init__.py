"""Roles of joints in the body, found by names, hierarchy and shape."""
