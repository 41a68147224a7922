"""Walks of figures whose legs cannot be set joint by joint: the mannequin walks, and its walk is retargeted.

A walk rotates a thigh as a whole. A robot's hip consists of several hinges about different axes, whose angles have to
be solved for; retargeting does this.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from posable.clips import Clip
from posable.errors import SkeletonError
from posable.figures import Figure
from posable.figures import figure as built_in
from posable.motion.feet import Terrain, plant_feet, soles
from posable.motion.gait.anatomy import Body, hinges_apart, measure
from posable.motion.gait.joint_coordinates import can_set
from posable.motion.transfer import measured, retargeting
from posable.motion.transfer.copying import shifted


def sets_legs(body: Body) -> bool:
    """Whether a walk can set the joints of the legs; it cannot for bipeds with several hinges or compound joints."""
    joints = {joint for leg in body.legs for joint in (*leg.joints, leg.foot)}
    set_alone = all(can_set(body.skeleton.definitions[joint]) for joint in joints)
    return not body.biped or (
        set_alone and not any(hinges_apart(body.skeleton, leg, body.rest_rotations) for leg in body.legs)
    )


@dataclass(frozen=True)
class StandIn:
    """The mannequin, which walks for `figure`.

    body: the mannequin's. where: the figure's, with the leg length that a leg of the plan gets by retargeting, and its
    ground.
    """

    figure: Figure
    body: Body
    where: Body

    @classmethod
    def of(cls, figure: Figure, body: Body) -> StandIn:
        """The stand-in of a figure measured as `body`. Raises SkeletonError for one without hips, knees or feet."""
        roles = ["hips", *(f"{part}_{side}" for side in measured.SIDES for part in measured.LEG)]
        if missing := [role for role in roles if role not in body.roles]:
            raise SkeletonError(
                f"a walk on two legs of several hinges needs a joint for {', '.join(missing)}; "
                "correct the figure's table of roles (see `posable roles`, and --roles)"
            )
        person = built_in("mannequin")
        walks = measure(person)
        moved = measured.Body(body.skeleton, body.roles, soles(figure, roles=body.roles))
        own = measured.Body(walks.skeleton, walks.roles, soles(person, roles=walks.roles))
        up = body.to_body[1]
        origin = body.origin + (measured.standing_height(moved) - body.origin @ up) * up
        return cls(figure, walks, replace(body, origin=origin, length=walks.length * moved.leg_length / own.leg_length))

    def moved(self, clip: Clip, terrain: Terrain | None) -> Clip:
        """The stand-in's clip on the figure, at the planned position."""
        result = retargeting(clip, self.figure, roles=self.where.roles)
        scale = result.target.leg_length / result.source.leg_length
        ground = measured.ground_of(clip, result.contacts, result.target, scale)
        onto = scale * self.where.to_body.T @ self.body.to_body
        up, own = self.where.to_body[1], self.body.to_body[1]
        stood = self.body.origin + (result.source.floor - self.body.origin @ own) * own  # its soles to retargeting
        off = self.where.origin - onto @ stood - ground.rise * up
        poses = shifted(result.target, result.clip.poses, np.broadcast_to(off, (len(clip), 3)))
        there = replace(result.clip, q=poses.q)
        if terrain is None:
            return there
        return plant_feet(there, terrain, figure=self.figure, roles=self.where.roles)
