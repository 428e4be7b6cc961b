"""Bodies as gaps, rates and wrenches of one's own see them.

A function is called with plain numbers where values are wanted, and with numbers that have derivatives where these are.
Use the functions of numpy, np.sin say, not those of math. A call with derivatives costs far more than one with plain numbers: for prototypes.
"""
from __future__ import annotations

from typing import Any

import numpy as np


def cross(a: Any, b: Any) -> Any:
    """The vector product of three numbers each, with or without derivatives."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def dot(a: Any, b: Any) -> Any:
    """The scalar product of three numbers each, with or without derivatives."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def flat(result: Any, count: int) -> Any:
    """The numbers, with or without derivatives, that a function has returned: one, or `count` in any nesting."""
    numbers = np.ravel(np.asarray(result, dtype=object))
    if len(numbers) != count:
        raise ValueError(f"it returns {len(numbers)} numbers, not {count}")
    return numbers


class Frame:
    """The place of a body: x, its centre of mass in the world [m]; R, body to world, 3 x 3.

    Rates and wrenches also have v, the velocity of x in the world [m/s], and omega in the frame of the body [rad/s].
    """

    def __init__(self, numbers: Any, dual: bool) -> None:
        all_of_it = np.array(numbers, dtype=object if dual else float)
        self.x, self.R = all_of_it[:3], all_of_it[3:12].reshape(3, 3)
        if len(all_of_it) > 12:
            self.v, self.omega = all_of_it[12:15], all_of_it[15:]

    def __getattr__(self, name: str) -> Any:
        if name in ("v", "omega"):
            raise AttributeError("a gap g(q, t) sees no velocities; give level='velocity' for a rate")
        raise AttributeError(name)

    def direction(self, d: Any) -> Any:
        """World components of a direction given in the frame of the body."""
        return self.R @ np.asarray(d)

    def point(self, p: Any) -> Any:
        """World position [m] of a point given in the frame of the body."""
        return self.x + self.direction(p)

    def point_velocity(self, p: Any) -> Any:
        """World velocity [m/s] of such a point."""
        return self.v + self.direction(cross(self.omega, np.asarray(p)))

    def wrench(self, force: Any, at: Any = (0.0, 0.0, 0.0), torque: Any = None) -> Any:
        """What a wrench function returns: a force [N], world axes, at a point of the body [m, its frame].

        torque [N m], in body axes, is added. A wrench is the force and the torque about the centre of mass in body axes.
        """
        force = np.asarray(force)
        moment = cross(np.asarray(at), self.R.T @ force)
        return np.concatenate([force, moment if torque is None else moment + np.asarray(torque)])
