"""Weights, joint motion and a skeleton learnt from example poses of a mesh.

sequence     the poses made fit for computing      sharing       weights for a motion
clusters     where the search begins               moving        motion for weights, joint by joint
alternating  both alternately, joints exchanged       newton        motion for weights, all joints at once
giving       where one of the two is given         tree          which joint hangs on which
playing      the motion on that skeleton           rigging       skeleton, skin and coordinates
"""

from posable.skin.learning.examples import LearntSkin, weights_from_examples

__all__ = ["LearntSkin", "weights_from_examples"]
