"""Derivatives of forward kinematics, of skins, and of solutions; `posable.gradients` is their public interface."""
