"""Robots that roll: wheels at the ends of legs."""

from __future__ import annotations

from posable.figures.role_table import Roles
from posable.skeleton import joints_below

_WHEELS = {"wheel", "wheels", "caster", "tire", "tyre", "track", "rad", "roue", "rueda", "ruota", "roda"}


def wheels_on_legs(roles: Roles) -> list[str]:
    """The joints at the ends of the legs that are named wheels, themselves or by a link that they move."""
    body, found = roles.skeleton.parts.body, []
    for leg in roles.legs:
        for joint in joints_below(roles.skeleton, roles.skeleton.index(leg.joints[-1])):
            said = (body.words[joint], *body.aliases[joint])
            if body.hinged[joint] and any(_WHEELS & {*word.words} for word in said):
                found.append(roles.skeleton.joints[joint])
    return found
