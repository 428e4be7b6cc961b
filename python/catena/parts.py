"""Code of one's own that takes part in a run: events, controllers, quantities, steppers.

Each is called by the thread of the run, which takes the interpreter's lock for it, and a sweep over threads waits for it:
sol.facts["python"] has the calls of a run and the seconds in them. The State that an event, a controller or a quantity gets is a
copy, whose arrays are read-only; state.copy() may be changed.
"""
from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Callable, Iterable, Sequence

import numpy as np

from . import _core
from .tables import nearest


@dataclass
class Event:
    """Roots of value(state) during a run; direction: any, rising or falling; a terminal one ends it.

    Costs a microsecond a call and what value() does: four calls a step, and more where a root is sought.
    """

    name: str
    value: Callable[[Any], Any]  # one number
    direction: str = "any"
    terminal: bool = False


class Controller:
    """Samples the motion and sets values that forces read.

    Derive from it and define sample(state, values, memory), which changes the arrays `values` and `memory` and must depend on
    its arguments alone, or a resumed run differs. Costs some microseconds a sample and what it does.
    """

    name: str = "controller"  # another one for each controller of a run
    period: float = 0.0  # [s] between samples; 0: at the start and after every step
    force: str = ""  # name of the force whose values it sets; "": those of the whole system
    memory: Sequence[float] = ()  # numbers that it remembers, at first

    def sample(self, state: Any, values: Any, memory: Any) -> None:
        """Called at its instants; changes the numbers of the arrays values and memory, and keeps none of its arguments."""
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

    The audit holds it to its promises; without a problem it takes all its cases, and minutes. On entry s is
    consistent; tools are those of SimpleStepper (docs/howto/add_a_stepper.md). Costs some ten microseconds a step and what it does.
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
    reaction_forces: bool = False
    far_turns: bool = False

    def advance(self, s: Any, h: float, tools: Any) -> None:
        """Takes s over a step of size h [s]: sets s.t += h, q, v, a and lambda_. tools (StepTools) are there during the call."""
        raise NotImplementedError("a Stepper defines advance(s, h, tools)")


def taking_part(events: Any, controllers: Any) -> tuple[list[Any], list[Any]]:
    """What run() has got, as lists; raises UsageError where one of them is none."""
    given = []
    for what, kind, several in (("events", Event, events), ("controllers", Controller, controllers)):
        if not isinstance(several, Iterable):
            raise _core.UsageError(f"{what}={several!r}: a list of them belongs here")
        given.append(list(several))
        for one in given[-1]:
            if not isinstance(one, kind):
                how = f": {one.__name__}(...) makes one" if isinstance(one, type) else ""
                raise _core.UsageError(f"{what}: a catena.{kind.__name__} belongs here, not {one!r}{how}")
            _check(one)
        names = [one.name for one in given[-1]]
        if len(set(names)) < len(names):
            how = "" if kind is Event else ': controllers of one run have names of their own, name = "..." in the class or of the object'
            raise _core.UsageError(f'{what}: the name "{next(n for n in names if names.count(n) > 1)}" is there twice{how}')
    return given[0], given[1]


def _check(one: Any) -> None:
    kind, texts = ("an event", ("name", "direction")) if isinstance(one, Event) else ("a controller", ("name", "force"))
    for key in texts:
        if not isinstance(getattr(one, key), str):
            raise _core.UsageError(f"{key} of {kind} is a text, not {getattr(one, key)!r}")
    if isinstance(one, Event):
        if not callable(one.value):
            raise _core.UsageError(f'event "{one.name}": value is a function of the state, not {one.value!r}')
        return
    for key in ("period", "memory"):
        value = getattr(one, key)
        try:
            size = np.ndim(np.asarray(value, dtype=float))
        except (TypeError, ValueError):
            size = -1
        if size != (key == "memory"):
            what = "a list of numbers" if key == "memory" else "a number of seconds"
            raise _core.UsageError(f'controller "{one.name}": {key} is {what}, not {value!r}')
    if not 0.0 <= one.period < np.inf:
        raise _core.UsageError(f'controller "{one.name}": period is a number of seconds, 0 for every step, not {one.period!r}')


def check_forces(controllers: Iterable[Any], model: Any) -> None:
    """Raises UsageError where the force of a controller is none of a Model."""
    names = [row[0] for row in model.forces]
    for one in controllers:
        if one.force and one.force not in names:
            raise _core.UsageError(f'controller "{one.name}": there is no force "{one.force}"{nearest(one.force, names)}')


def add_stepper(name: str, stepper: type[Stepper]) -> None:
    """Adds a method to the catalog of this process: run, compare, sweep and audit know it by its name."""
    if not re.fullmatch("[A-Za-z0-9_]+", name):
        raise _core.UsageError(f'add_stepper("{name}", ...): a name is made of letters, digits and _')
    if not isinstance(stepper, type) or not issubclass(stepper, Stepper):
        raise _core.UsageError(f'add_stepper("{name}", ...): a class that derives from catena.Stepper belongs here, not {stepper!r}')
    promises = {key: type(value) for key, value in vars(Stepper).items() if isinstance(value, (int, str)) and key[0] != "_"}
    for key in dir(stepper):
        value = getattr(stepper, key)
        kind = promises.get(key)
        if kind is not None and not isinstance(value, (int, np.integer, np.bool_) if kind in (int, bool) else kind):
            words = {int: "a whole number", bool: "True or False", str: "a text"}
            raise _core.UsageError(f'stepper "{name}": {key} is {words[kind]}, not {value!r}')
        if kind is None and key[0] != "_" and isinstance(value, (int, float)):
            hint = _core.nearest_hint(key, list(promises), 1)
            if hint:
                raise _core.UsageError(f'stepper "{name}": {key} is none of its promises: {hint} A name of your own begins with _')
    if not stepper.name:
        stepper.name = name
    try:
        stepper()
    except Exception as error:
        raise _core.UsageError(f'stepper "{name}": a run makes it by {stepper.__name__}(), which raises '
                               f'{type(error).__name__}: {error}') from error
    try:
        _core.add_stepper(name, stepper)
    except ValueError as error:
        raise _core.UsageError(str(error)) from None


def add_quantity(name: str, function: Callable[[Any], Any], unit: str = "1", meaning: str = "", of: str = "system",
                 components: Sequence[str] = (), standard: bool = True) -> None:
    """Adds a quantity: function(instant) returns one number, or one for each body or joint (of="body", "joint").

    The instant has arrays over all bodies: positions, velocities, angular_velocities; t, state, energy. components: names of
    the numbers of one item. standard: recorded where nothing is chosen. Costs a microsecond an instant that is recorded and what
    function() does; the arrays over bodies are made anew by each access.
    """
    if not callable(function):
        raise _core.UsageError(f'quantity "{name}": a function of an instant belongs here, not {function!r}')
    _core.add_quantity(name, function, unit, meaning, of, list(components), standard)
