"""Catena: constrained multibody dynamics.

    import catena

    arm = catena.Model(gravity=(0, 0, -9.81))
    link = arm.body("link", mass=1.0, solid={"box": (0.4, 0.1, 0.1)}, position=(0.2, 0, 0))
    arm.joint("revolute", "ground", link, name="hip", at=(0, 0, 0), axis=(0, 1, 0))
    sol = catena.run(arm, stepper="generalized_alpha", rho_inf=0.8, step=1e-3, end=2.0)
    sol["hip"].angle, sol.bodies["link"].position, sol.units["joints/angle"]

World frame, SI units. catena.help_on("revolute") lists what a joint, force, stepper or problem takes.
"""
from . import _core  # first: the others add to its classes
from ._core import (Body, FileError, KktMatrix, ModelError, Scenario, SinkError, State, System, UsageError, commit, read,
                    version)
from . import docstrings, methods
from .checks import Check, check
from .elements import cross, dot
from .listings import forces, functions, help_on, joints, problems, quantities, steppers
from .model import Model
from .parts import Controller, Event, Stepper, add_quantity, add_stepper
from .runs import Ensemble, Report, RunError, Solution, audit, compare, ensemble, run, show, sweep
from .tables import Table

ground: "str | Body" = "ground"
__version__ = version

__all__ = ["Check", "Controller", "Ensemble", "Event", "FileError", "KktMatrix", "Model", "ModelError", "Report",
           "RunError", "Scenario", "SinkError", "Solution", "State", "Stepper", "System", "Table", "UsageError",
           "add_quantity", "add_stepper", "audit", "check", "commit", "compare", "cross", "dot", "ensemble", "forces",
           "functions", "ground", "help_on", "joints", "problems", "quantities", "read", "run", "show", "steppers",
           "sweep", "version"]
