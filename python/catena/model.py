"""Models, with a method for every joint and every force that the library lists."""
from __future__ import annotations

import html
from typing import Any, Callable, Sequence

from . import _core
from .checks import Check, check
from .elements import JointLaw, Law
from .listings import member_lines
from .tables import html_table

Model = _core.Model
BODY_DOC = """Adds a body and returns it; keyword arguments are the keys of a body in a model file.

name: unique in the model. mass [kg]; inertia [kg m^2] about the centre of mass, body frame: three moments or 3 x 3; or
solid={"box": (x, y, z)}, {"sphere": r}, {"cylinder": ...}, with density [kg/m^3] in place of the mass. position [m] of the
centre of mass, velocity [m/s]: world frame. orientation: unit quaternion (w, x, y, z), or a dict as in files.
angular_velocity [rad/s]: body frame, or {"world": ...}. fixed: True for a body that stays. shape: for pictures alone.
Raises ModelError with the name."""


def _names(bodies: Sequence[Any]) -> list[str]:
    return [getattr(body, "_catena_name", body) for body in bodies]


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
    them with differences.
    """
    _core.add_joint(self, _names(bodies), function, rows, level, name)


def own_force(self: Any, function: Callable[..., Any], *bodies: Any, name: str = "",
              potential: Callable[..., Any] | None = None, values: bool = False) -> None:
    """A force of one's own: function(A, [B,] t) returns a wrench a body, six numbers each (Frame.wrench).

    potential(A, [B,] t) [J]: its potential energy, for the balance of energy. values: function takes four numbers more, as the
    keyword `values`, which a Controller sets.
    """
    _core.add_force(self, _names(bodies), function, potential, values, name)


def own_forces(self: Any, function: Callable[..., Any], bodies: Sequence[Any], name: str | Sequence[str] = "python",
               potential: Callable[..., Any] | None = None, derivatives: Callable[..., Any] | None = None) -> None:
    """Forces of one's own on n bodies, or between n pairs: function(A, [B,] t) is called once an evaluation.

    bodies: a sequence of n bodies, or of n pairs. A and B are elements.Frames, arrays over elements; what is returned is n x 6,
    a wrench an element (Frames.wrench), of pairs two such arrays. A call may ask for some elements, and for one several times:
    row k is of the element A.element[k] and depends on row k alone; what elements have of their own is c[A.element].
    potential(A, [B,] t): n energies [J]. derivatives(A, [B,] t): -dw/dq and -dw/dv, n x 6 x 6 each (pairs: n x 12 x 12), by
    dx, dtheta in body axes, and by v, omega; without it, differences are taken in one more call, of 24 rows a body.
    name: n names, or one, that the names of the bodies are added to.
    """
    _core.add_forces(self, _named(bodies, name, "forces on"), Law(function, potential, derivatives), potential is not None)


def own_joints(self: Any, function: Callable[..., Any], bodies: Sequence[Any], rows: int = 1, level: str = "position",
               name: str | Sequence[str] = "python") -> None:
    """Joints of one's own of n bodies, or of n pairs: function(A, [B,] t) is called once an evaluation.

    bodies: a sequence of n bodies, or of n pairs; "ground" may be one of a pair. A and B are elements.Frames, arrays over
    elements; what is returned is n x rows, numbers that vanish (one row: n as well), a gap or a rate as of own_joint. A call may
    ask for some elements: row k is of the element A.element[k] and depends on row k alone; what elements have of their own is
    c[A.element]. Derivatives are exact: where they are wanted, A.x, A.R and t have them, and so has what functions of numpy make
    of them. A function of numpy that would lose them is refused with a list of those that do not; rows are put together with
    np.stack([g, h], axis=1), and parts are chosen with np.where.
    name: n names, or one, that the names of the bodies are added to.
    """
    _core.add_joints(self, _named(bodies, name, "joints of"), JointLaw(function, rows, level), rows, level)


def _named(bodies: Sequence[Any], name: str | Sequence[str], what: str) -> list[tuple[str, list[str]]]:
    sets = [_names([b] if isinstance(b, str) or hasattr(b, "_catena_name") else list(b)) for b in bodies]
    names = [f"{name} of {' and '.join(s)}" for s in sets] if isinstance(name, str) else list(name)
    if not sets or len(names) != len(sets):
        raise _core.UsageError(f"{len(names)} names are given for the {what} {len(sets)} bodies or pairs")
    return list(zip(names, sets))


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


_body, _refuse = Model.body, Model.check


def body(self: Any, name: str = "", **members: Any) -> Any:
    return _body(self, name, **members)


def check_model(self: Any, tolerance: float = 1e-9) -> Check:
    """Raises ModelError for what makes no sense, and where initial positions leave joints open by more [m, rad].

    Returns what `catena check` finds of a model that passes.
    """
    _refuse(self, tolerance)
    return check(self)


body.__doc__ = BODY_DOC
Model.body = body
Model.check = check_model
Model.own_joint = own_joint
Model.own_force = own_force
Model.own_joints = own_joints
Model.own_forces = own_forces
Model.__repr__ = lambda self: f"<catena.Model: {_summary(self)}>"
Model._repr_html_ = _repr_html
for _row in _core.joints():
    if not hasattr(Model, _row["name"]):
        _add_method(_row, True)
for _row in _core.forces():
    if not hasattr(Model, _row["name"]):
        _add_method(_row, False)
