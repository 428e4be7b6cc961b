"""Models, with a method for every joint and every force that the library lists."""
from __future__ import annotations

import functools
import html
import math
from typing import Any, Callable, Sequence

import numpy as np

from . import _core
from .checks import Check, check
from .elements import JointLaw, Law, try_function
from .listings import member_lines
from .tables import html_table, nearest

Model = _core.Model
BODY_DOC = """Adds a body and returns it; keyword arguments are the keys of a body in a model file.

name: unique in the model. mass [kg]; inertia [kg m^2] about the centre of mass, body frame: three moments or 3 x 3; or
solid={"box": (x, y, z)}, {"sphere": r}, {"cylinder": length, "radius": r} or {"capsule": length, "radius": r}, with density [kg/m^3] in place of the mass. position [m] of the
centre of mass, velocity [m/s]: world frame. orientation: unit quaternion (w, x, y, z), or a dict as in files.
angular_velocity [rad/s]: body frame, or {"world": ...}. fixed: True for a body that stays. shape: for pictures alone.
Raises ModelError with the name."""


def _names(bodies: Sequence[Any]) -> list[str]:
    names = [getattr(body, "_catena_name", body) for body in bodies]
    for name in names:
        if not isinstance(name, str):
            raise _core.ModelError(f'bodies are given as catena.Body or by name, "ground" among them, not {name!r}')
    return names


def _add(what: str, function: Any, add: Callable[[], None]) -> None:
    """Adds elements of one's own; what their functions raise at the initial state is a mistake of the model."""
    if not callable(function):
        raise _core.ModelError(f"{what}: a function belongs here, not {function!r}")
    try:
        add()
    except _core.ModelError as error:
        if what in str(error):
            raise
        raise _core.ModelError(f"{what}: {error}") from None
    except Exception as error:
        kind = "" if isinstance(error, RuntimeError) else f"{type(error).__name__}: "
        raise _core.ModelError(f"{what}: {kind}{str(error).rpartition(' threw an exception: ')[2]}") from error


def _title(kind: str, name: Any, bodies: Sequence[str]) -> str:
    return f'{kind} "{name}"' if name else f"{kind} of {' and '.join(bodies)}"


def _add_method(row: dict[str, Any], constraint: bool) -> None:
    kind = row["name"]

    def add(self: Any, *bodies: Any, **members: Any) -> Any:
        return self.joint(kind, *bodies, **members) if constraint else self.force(kind, *bodies, **members)

    add.__name__ = kind
    add.__qualname__ = f"Model.{kind}"
    lines = member_lines([m for m in row["members"] if m["name"] != "bodies"])
    if row["markers"]:
        lines.insert(0, "at [m], axis, side: one frame in the world in place of points and axes in the bodies")
    add.__doc__ = f"{row['summary'][0].upper()}{row['summary'][1:]}; of {row['bodies']} bodies.\n\n" + "\n".join(lines)
    setattr(Model, kind, add)


def own_joint(self: Any, function: Callable[..., Any], *bodies: Any, rows: int = 1, level: str = "position",
              name: str = "") -> None:
    """A constraint of one's own: function(A, [B,] t) returns `rows` numbers that vanish.

    A and B are elements.Frame of one body or two. level="position": a gap g(q, t), lengths in m first; "velocity": a rate,
    affine in v and omega, A v + a. All derivatives are found by dual numbers: System(model).check_derivatives(state) compares
    them with differences. Costs 10 to 50 microseconds a call, of which there are several a step: own_joints takes many at once.
    """
    names = _names(bodies)

    def add() -> None:
        if level in ("position", "velocity"):
            try_function(self, function, bodies, rows, level == "velocity", "rows")
        _core.add_joint(self, names, function, rows, level, name)

    _add(_title("joint", name, names), function, add)


def own_force(self: Any, function: Callable[..., Any], *bodies: Any, name: str = "",
              potential: Callable[..., Any] | None = None, values: bool = False) -> None:
    """A force of one's own: function(A, [B,] t) returns a wrench a body, six numbers each (Frame.wrench).

    potential(A, [B,] t) [J]: its potential energy, for the balance of energy. values: function takes four numbers more, as the
    keyword `values`, which a Controller sets. Costs 10 microseconds a call, and 50 where an implicit stepper asks for
    derivatives: own_forces takes many at once.
    """
    names = _names(bodies)

    def add() -> None:
        given: dict[str, Any] = {"values": np.zeros(4)} if values else {}
        try_function(self, function, bodies, 6 * len(bodies), True, **given)
        _core.add_force(self, names, function, potential, values, name)

    _add(_title("force", name, names), function, add)


def own_forces(self: Any, function: Callable[..., Any], bodies: Sequence[Any], name: str | Sequence[str] = "python",
               potential: Callable[..., Any] | None = None, derivatives: Callable[..., Any] | None = None) -> None:
    """Forces of one's own on n bodies, or between n pairs: function(A, [B,] t) is called once an evaluation.

    bodies: a sequence of n bodies, or of n pairs. A and B are elements.Frames, arrays over elements; what is returned is n x 6,
    a wrench an element (Frames.wrench), of pairs two such arrays. A call may ask for some elements, and for one several times:
    row k is of the element A.element[k] and depends on row k alone; what elements have of their own is c[A.element].
    potential(A, [B,] t): n energies [J]. derivatives(A, [B,] t): -dw/dq and -dw/dv, n x 6 x 6 each (pairs: n x 12 x 12), by
    dx, dtheta in body axes, and by v, omega; without it, differences are taken in one more call, of 24 rows a body.
    name: n names, or one, that the names of the bodies are added to. Costs some 100 microseconds a call, however many they are.
    """
    named, law = _named(bodies, name, "forces on"), Law(function, potential, derivatives)
    _add(_title("forces", named[0][0], ()), function, lambda: _core.add_forces(self, named, law, potential is not None))


def own_joints(self: Any, function: Callable[..., Any], bodies: Sequence[Any], rows: int = 1, level: str = "position",
               name: str | Sequence[str] = "python") -> None:
    """Joints of one's own of n bodies, or of n pairs: function(A, [B,] t) is called once an evaluation.

    bodies: a sequence of n bodies, or of n pairs; "ground" may be one of a pair. A and B are elements.Frames, arrays over
    elements; what is returned is n x rows, numbers that vanish (one row: n as well), a gap or a rate as of own_joint. A call may
    ask for some elements: row k is of the element A.element[k] and depends on row k alone; what elements have of their own is
    c[A.element]. Derivatives are exact: where they are wanted, A.x, A.R and t have them, and so has what functions of numpy make
    of them. A function of numpy that would lose them is refused with a list of those that do not; rows are put together with
    np.stack([g, h], axis=1), and parts are chosen with np.where.
    name: n names, or one, that the names of the bodies are added to. Costs some 150 microseconds a call, however many they are.
    """
    named, law = _named(bodies, name, "joints of"), JointLaw(function, rows, level)
    _add(_title("joints", named[0][0], ()), function, lambda: _core.add_joints(self, named, law, rows, level))


def _named(bodies: Sequence[Any], name: str | Sequence[str], what: str) -> list[tuple[str, list[str]]]:
    if isinstance(bodies, str) or hasattr(bodies, "_catena_name"):
        bodies = [bodies]
    sets = [_names([b] if isinstance(b, str) or hasattr(b, "_catena_name") else list(b)) for b in bodies]
    names = [f"{name} of {' and '.join(s)}" for s in sets] if isinstance(name, str) else list(name)
    if not sets:
        raise _core.UsageError(f"the {what} no body: a list of bodies, or of pairs, belongs here and is empty")
    if len(names) != len(sets):
        raise _core.UsageError(f"{len(names)} names are given for the {what} {len(sets)} bodies or pairs")
    return list(zip(names, sets))


def _refuse_own(model: Any) -> None:
    """Raises ModelError where a model has elements that are code of Python."""
    own = [f'{kind} "{row[0]}"' for kind, rows in (("joint", model.joints), ("force", model.forces)) for row in rows if row[1] == "python"]
    if own:
        more = f" and {len(own) - 1} more" if len(own) > 1 else ""
        raise _core.ModelError(f"{own[0]}{more}: a function of Python, which neither a pickle nor a model file can hold; give the other "
                               "process a function of a module that builds the model, and its arguments, and call it there")


def _guarded(method: Callable[[Any], Any], model_of: Callable[[Any], Any]) -> Callable[[Any], Any]:
    @functools.wraps(method)
    def asked(self: Any) -> Any:
        model = model_of(self)
        if model is not None:
            _refuse_own(model)
        return method(self)

    return asked


def _summary(self: Any) -> str:
    return f"{len(self.bodies)} bodies, {len(self.joints)} joints, {len(self.forces)} forces"


def _repr_html(self: Any) -> str:
    most = 30
    parts = [f"<b>catena.Model</b>: {html.escape(_summary(self))}"]
    bodies = [(b.name, "fixed" if b.fixed else f"{b.mass:g}", *(f"{x:.4g}" for x in b.position))
              for b in list(self.bodies.values())[:most]]
    parts.append(html_table(["body", "mass [kg]", "x [m]", "y [m]", "z [m]"], bodies))
    rows = [(n, t, ", ".join(b), r) for n, t, b, r in [*self.joints, *self.forces][:most]]
    if rows:
        parts.append(html_table(["joint or force", "type", "bodies", "rows"], rows))
    hidden = max(0, len(self.bodies) - most) + max(0, len(self.joints) + len(self.forces) - most)
    return "".join(parts) + (f"<p>and {hidden} more</p>" if hidden else "")


_make_model = Model.__init__


def _model(self: Any, gravity: Any = None, **others: Any) -> None:
    for name in others:
        raise _core.UsageError(f'Model has no keyword "{name}": gravity=(0, 0, -9.81) is the only one')
    _make_model(self, gravity)


def _no_attribute(self: Any, name: str) -> Any:
    raise AttributeError(f'a Model has no "{name}"{nearest(name, [n for n in dir(Model) if n[0] != "_"])}')


def _set_mass(self: Any, mass: float) -> None:
    if not self.fixed and not 0.0 < mass < math.inf:
        raise _core.ModelError(f'body "{self.name}": mass must be positive, is {mass:g}')
    _mass.fset(self, mass)


_mass: Any = _core.Body.mass
_body, _refuse, _joint, _force = Model.body, Model.check, Model.joint, Model.force


def _listed(method: Callable[..., Any], kind: str) -> Callable[..., Any]:
    @functools.wraps(method)
    def add(self: Any, type: str, *bodies: Any, **members: Any) -> Any:
        try:
            return method(self, type, *bodies, **members)
        except RuntimeError as error:  # of a function of one's own
            why = str(error).rpartition(" threw an exception: ")[2]
            raise _core.ModelError(f"{_title(kind, members.get('name'), [type])}: {why}") from error

    return add


def body(self: Any, name: str = "", **members: Any) -> Any:
    return _body(self, name, **members)


class _Bodies(dict[str, Any]):
    """Bodies by name, which answer a name that is missing with those that are there."""

    def __missing__(self, name: Any) -> Any:
        if hasattr(name, "_catena_name"):
            return self[name._catena_name]
        known = list(self)
        there = f"; there are {', '.join(known[:20]) or 'none'}{f' and {len(known) - 20} more' if len(known) > 20 else ''}"
        raise KeyError(f'there is no body "{name}"{nearest(str(name), known[:10000]) or there}')


def check_model(self: Any, tolerance: float = 1e-9) -> Check:
    """Raises ModelError for what makes no sense, and where initial positions leave joints open by more [m, rad].

    Returns what `catena check` finds of a model that passes.
    """
    _refuse(self, tolerance)
    return check(self)


def _give_copies(kind: Any, name: str, how: str) -> None:
    """Makes the array of a property read-only: it is a copy, and to write to it would change nothing."""
    given = getattr(kind, name)

    def copied(self: Any) -> Any:
        array = given.fget(self)
        array.flags.writeable = False
        return array

    setattr(kind, name, property(copied, given.fset, doc=f"{given.__doc__} A read-only copy: {how}."))


for _name in ("position", "velocity", "angular_velocity"):
    _give_copies(_core.Body, _name, f"body.{_name} = (x, y, z) changes it")
for _name in ("orientation", "inertia"):
    _give_copies(_core.Body, _name, "it is given to Model.body")
_all_bodies: Any = Model.bodies
Model.bodies = property(lambda self: _Bodies(_all_bodies.fget(self)), doc=_all_bodies.__doc__)  # type: ignore[assignment, misc]
_give_copies(Model, "gravity", "model.gravity = (x, y, z) changes it")
_core.Body.mass = property(_mass.fget, _set_mass, doc=_mass.__doc__)  # type: ignore[assignment, misc]
Model.__init__ = _model  # type: ignore[method-assign]
Model.__getattr__ = _no_attribute  # type: ignore[attr-defined]
body.__doc__ = BODY_DOC
Model.body = body
Model.joint, Model.force = _listed(_joint, "joint"), _listed(_force, "force")
Model.joint.__doc__ = "Adds a joint or other constraint by its type, between bodies or their names, and returns it: catena.joints() lists them."
Model.force.__doc__ = "Adds a force by its type, on bodies or their names, and returns it: catena.forces() lists them."
Model.check = check_model
for _kind in (_core.Body, _core.Joint, _core.Force):  # what takes names takes them too
    _kind._catena_name = property(lambda self: self.name)
Model.own_joint = own_joint
Model.own_force = own_force
Model.own_joints = own_joints
Model.own_forces = own_forces
Model.to_yaml = _guarded(Model.to_yaml, lambda model: model)
Model.__getstate__ = _guarded(Model.__getstate__, lambda model: model)
_core.Scenario.__getstate__ = _guarded(_core.Scenario.__getstate__, lambda scenario: scenario.model)
Model.__repr__ = lambda self: f"<catena.Model: {_summary(self)}>"
Model._repr_html_ = _repr_html
for _row in _core.joints():
    if not hasattr(Model, _row["name"]):
        _add_method(_row, True)
for _row in _core.forces():
    if not hasattr(Model, _row["name"]):
        _add_method(_row, False)
