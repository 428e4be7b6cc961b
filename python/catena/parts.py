"""Code of one's own that takes part in a run: events, controllers, quantities, steppers.

Each is called by the thread of the run, which takes the interpreter's lock for it: a call costs some microseconds, and a
sweep over threads waits for it. A State that a function gets is that of the run: copy what is to be kept.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Sequence

from . import _core


@dataclass
class Event:
    """Roots of value(state) during a run; direction: any, rising or falling; a terminal one ends it."""

    name: str
    value: Callable[[Any], Any]  # one number
    direction: str = "any"
    terminal: bool = False


class Controller:
    """Samples the motion and sets values that forces read.

    Derive from it and define sample(state, values, memory), which changes the arrays `values` and `memory` and must depend on
    its arguments alone, or a resumed run differs.
    """

    name: str = "controller"
    period: float = 0.0  # [s] between samples; 0: at the start and after every step
    force: str = ""  # name of the force whose values it sets; "": those of the whole system
    memory: Sequence[float] = ()  # numbers that it remembers, at first

    def sample(self, state: Any, values: Any, memory: Any) -> None:
        raise NotImplementedError("a Controller defines sample(state, values, memory)")


class Stepper:
    """A method of one's own. Derive from it, state its promises, and define advance(s, h, tools):

        class ProjectedEuler(catena.Stepper):
            order_q = order_v = order_lambda = 1
            position_residual = velocity_residual = acceleration_residual = velocity_constraints = True

            def advance(self, s, h, tools):
                s.v += h * s.a
                tools.move(s, s.v, h)
                s.t += h
                tools.close(s)

        catena.add_stepper("projected_euler", ProjectedEuler)
        catena.audit("projected_euler", "simple_pendulum")["ok"].all()

    The audit holds it to its promises; without a problem it takes all its cases, and minutes. On entry s is consistent; tools are those of SimpleStepper (docs/howto/add_a_stepper.md).
    """

    name: str = ""
    summary: str = "user-defined"
    order_q: int = 0
    order_v: int = 0
    order_lambda: int = 0
    position_residual: bool = False
    velocity_residual: bool = False
    acceleration_residual: bool = False
    symmetric: bool = False
    reversible: bool = False
    symplectic: bool = False
    variable_step: bool = False
    velocity_constraints: bool = False

    def advance(self, s: Any, h: float, tools: Any) -> None:
        raise NotImplementedError("a Stepper defines advance(s, h, tools)")


def add_stepper(name: str, stepper: type[Stepper]) -> None:
    """Adds a method to the catalog of this process: run, compare, sweep and audit know it by its name."""
    if not stepper.name:
        stepper.name = name
    _core.add_stepper(name, stepper)


def add_quantity(name: str, function: Callable[[Any], Any], unit: str = "1", meaning: str = "", of: str = "system",
                 components: Sequence[str] = (), standard: bool = True) -> None:
    """Adds a quantity: function(instant) returns one number, or one for each body or joint (of="body", "joint").

    The instant has arrays over all bodies: positions, velocities, angular_velocities; t, state, energy. components: names of
    the numbers of one item. standard: recorded where nothing is chosen.
    """
    _core.add_quantity(name, function, unit, meaning, of, list(components), standard)
