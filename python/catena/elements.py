"""Bodies as gaps, rates and wrenches of one's own see them.

A function is called with plain numbers where values are wanted, and with numbers that have derivatives where these are.
Use the functions of numpy, np.sin say, not those of math. A call with derivatives costs far more than one with plain numbers: for prototypes.
"""
from __future__ import annotations

import math
from typing import Any, Callable, Sequence

import numpy as np

from . import _core, duals


def cross(a: Any, b: Any) -> Any:
    """The vector product of three numbers each, with or without derivatives."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def dot(a: Any, b: Any) -> Any:
    """The scalar product of three numbers each, with or without derivatives."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def flat(result: Any, count: int, keyword: str = "") -> Any:
    """The numbers, with or without derivatives, that a function has returned: one, or `count` in any nesting."""
    numbers = np.ravel(np.asarray(result, dtype=object))
    if len(numbers) != count:
        raise ValueError(f"it returns {len(numbers)} numbers, not {count}" + (f": give {keyword}={len(numbers)}" if keyword and 1 <= len(numbers) <= 6 else ""))
    return numbers


def _threes(what: str, numbers: Any) -> Any:
    array = np.asarray(numbers)
    if array.shape[-1:] != (3,):
        raise ValueError(f"wrench: {what} is three numbers, not an array of shape {array.shape}")
    return array


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
        force = _threes("force", force)
        moment = cross(_threes("at", at), self.R.T @ force)
        return np.concatenate([force, moment if torque is None else moment + _threes("torque", torque)])


def try_function(model: Any, function: Callable[..., Any], bodies: Sequence[Any], count: int, velocities: bool,
                 keyword: str = "", **given: Any) -> None:
    """Calls a gap, rate or wrench as a run does, with derivatives; raises where it loses them or returns what are no `count` numbers."""
    handles = [model.bodies.get(b, b) if isinstance(b, str) else b for b in bodies]
    if len(handles) not in (1, 2) or any(isinstance(b, str) and b != "ground" for b in handles):
        return  # as the model says when the element is added
    dual: Any = _core.RateDual if velocities else _core.GapDual
    frames = []
    for body in handles:
        x, R, v, omega = np.zeros(3), np.eye(3), np.zeros(3), np.zeros(3)
        if not isinstance(body, str):
            x, R, v, omega = body.position, _matrix(body.orientation), body.velocity, body.angular_velocity
        numbers = [dual(float(n)) for n in (*x, *R.ravel(), *v, *omega)]
        frames.append(Frame(numbers if velocities else numbers[:12], True))
    for number in flat(function(*frames, dual(0.0), **given), count, keyword):
        if not isinstance(number, dual):
            math.isfinite(number)  # raises where it is no number


def _matrix(q: Any) -> Any:
    """R of a unit quaternion, scalar first."""
    turn = np.array([[0.0, -q[3], q[2]], [q[3], 0.0, -q[1]], [-q[2], q[1], 0.0]])
    return np.eye(3) + 2.0 * q[0] * turn + 2.0 * turn @ turn


class Frames:
    """The places of one body of each of n elements, as functions over arrays see them.

    element: which they are, from 0 in the order of their bodies. x, n x 3 [m]; R, n x 3 x 3; v, n x 3 [m/s]; omega, n x 3
    [rad/s]: as of a Frame. Points and directions are three numbers, or n x 3. In a gap there are no velocities; where
    derivatives are wanted of a gap or a rate, the arrays have them (duals.py).
    """

    def __init__(self, element: Any, x: Any, R: Any, velocities: Any = ()) -> None:
        self.element, self.x, self.R = element, x, R
        if len(velocities):
            self.v, self.omega = velocities

    __getattr__ = Frame.__getattr__

    def direction(self, d: Any) -> Any:
        """World components of directions given in the frames of the bodies."""
        return np.einsum("nij,nj->ni", self.R, np.broadcast_to(d, self.x.shape))

    def point(self, p: Any) -> Any:
        """World positions [m] of points given in the frames of the bodies."""
        return self.x + self.direction(p)

    def point_velocity(self, p: Any) -> Any:
        """World velocities [m/s] of such points."""
        return self.v + self.direction(np.cross(self.omega, p))

    def wrench(self, force: Any, at: Any = (0.0, 0.0, 0.0), torque: Any = (0.0, 0.0, 0.0)) -> Any:
        """n x 6: forces [N], world axes, at points of the bodies [m, their frames]; torques [N m], in body axes, are added."""
        force = np.broadcast_to(_threes("force", force), self.x.shape)
        moment = np.cross(_threes("at", at), np.einsum("nji,nj->ni", self.R, force)) + _threes("torque", torque)
        return np.concatenate([force, moment], axis=1)


def _parts(numbers: Any) -> Any:
    """x, R, v and omega of m x 18 numbers."""
    return numbers[:, 0:3], numbers[:, 3:12].reshape(-1, 3, 3), numbers[:, 12:15], numbers[:, 15:18]


def _of_body(element: Any, numbers: Any) -> Frames:
    x, R, v, omega = _parts(numbers)
    return Frames(element, x, R, (v, omega))


class Law:
    """What own_forces has got, for the part that is written in C++: numbers are m x bodies x 18, x, R, v and omega."""

    def __init__(self, function: Callable[..., Any], potential: Callable[..., Any] | None,
                 derivatives: Callable[..., Any] | None) -> None:
        self.function, self.potential, self.given = function, potential, derivatives

    @staticmethod
    def _call(function: Callable[..., Any], element: Any, numbers: Any, t: float) -> Any:
        return function(*(_of_body(element, numbers[:, i]) for i in range(numbers.shape[1])), t)

    @staticmethod
    def _of_shape(what: str, result: Any, *shape: int) -> Any:
        array = np.asarray(result, dtype=float)
        if array.shape != shape:
            raise ValueError(f"{what} returns an array of shape {array.shape}, not {shape}")
        return array

    def check(self, element: Any, numbers: Any, t: float) -> Any:
        """Raises where what is given returns arrays of a wrong shape."""
        self.wrenches(element, numbers, t)
        if self.potential is not None:
            self.potentials(element, numbers, t)
        if self.given is not None:
            self.derivatives(element, numbers, t)
        return ()

    def wrenches(self, element: Any, numbers: Any, t: float) -> Any:
        """m x bodies x 6."""
        m, bodies = numbers.shape[:2]
        result = self._call(self.function, element, numbers, t)
        if bodies == 1:
            return self._of_shape("the function", result, m, 6)
        if len(result) != bodies:
            raise ValueError(f"the function returns {len(result)} arrays, not {bodies}: one of shape {(m, 6)} a body")
        return np.stack([self._of_shape("the function", w, m, 6) for w in result], axis=1)

    def potentials(self, element: Any, numbers: Any, t: float) -> Any:
        """m energies."""
        return self._of_shape("potential", self._call(self.potential, element, numbers, t), len(numbers))

    def derivatives(self, element: Any, numbers: Any, t: float) -> Any:
        """-dw/dq and -dw/dv, 2 x m x bodies x bodies x 6 x 6: as they are given, or by central differences in one call."""
        m, bodies = numbers.shape[:2]
        if self.given is not None:
            size = 6 * bodies
            both = [self._of_shape("derivatives", d, m, size, size) for d in self._call(self.given, element, numbers, t)]
            return np.array(both).reshape(2, m, bodies, 6, bodies, 6).swapaxes(3, 4)
        h = 2.0**-17  # [m, rad, m/s, rad/s]: errors h^2 and eps / h are about equal at the cubic root of eps
        moved = np.broadcast_to(numbers, (2, bodies, 12, m, bodies, 18)).copy()  # sign, body, direction
        for s, step in enumerate((h, -h)):
            for j in range(bodies):
                for k in range(3):
                    moved[s, j, k, :, j, k] += step
                    moved[s, j, 3 + k, :, j, 3:12] = (numbers[:, j, 3:12].reshape(m, 3, 3) @ _turn(k, step)).reshape(m, 9)
                    moved[s, j, 6 + k, :, j, 12 + k] += step
                    moved[s, j, 9 + k, :, j, 15 + k] += step
        rows = moved.reshape(-1, bodies, 18)
        w = self.wrenches(np.tile(element, 24 * bodies), rows, t).reshape(2, bodies, 2, 6, m, bodies, 6)
        slopes = (w[1] - w[0]) / (2.0 * h)  # body of the variable, q or v, variable, element, body, component
        return slopes.transpose(1, 3, 4, 0, 5, 2)


class JointLaw:
    """What own_joints has got, for the part that is written in C++: numbers are m x bodies x 18, x, R, v and omega."""

    def __init__(self, function: Callable[..., Any], rows: int, level: str) -> None:
        self.function, self.count, self.velocities = function, rows, level == "velocity"

    def rows(self, element: Any, numbers: Any, t: float, order: int) -> Any:
        """Places and m x rows x places (lib/catena/model/detail/joints_at_once.hpp), with derivatives up to the order."""
        each, count = (12, 25) if self.velocities else (6, 13)
        bodies, time = numbers.shape[1], each * numbers.shape[1]
        frames = []
        for i in range(bodies):
            x, R, *motion = _parts(numbers[:, i])
            if order > 0:
                x, R = duals.variables(x, each * i, order > 1), duals.rotations(R, each * i + 3, order > 1)
                motion = [duals.variables(u, each * i + 6 + 3 * k, order > 1) for k, u in enumerate(motion)]
            frames.append(Frames(element, x, R, motion if self.velocities else ()))
        result = self.function(*frames, duals.time(t, time, order > 1) if order > 0 else t)
        dual = isinstance(result, duals.Duals)
        if order > 0 and not dual:
            raise TypeError(f"the function returns {type(result).__name__} without derivatives: what it makes of the frames and "
                            "of the time is to stay with the functions of numpy, with np.stack for the rows")
        result = result if dual else np.asarray(result, dtype=float)
        if self.count == 1 and result.ndim == 1:
            result = result.reshape(len(result), 1)
        if result.shape != (len(numbers), self.count):
            raise ValueError(f"the function returns an array of shape {result.shape}, not {(len(numbers), self.count)}: "
                             "an element a row, a number for each of its rows")
        return duals.all_numbers(result if dual else duals.constants(result), count)


def _turn(axis: int, angle: float) -> Any:
    """exp(angle e_axis~)."""
    turn, (j, k) = np.eye(3), ((axis + 1) % 3, (axis + 2) % 3)
    turn[j, j] = turn[k, k] = np.cos(angle)
    turn[k, j] = np.sin(angle)
    turn[j, k] = -turn[k, j]
    return turn
