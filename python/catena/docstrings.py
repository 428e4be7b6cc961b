"""What properties of the classes of C++ are: meaning, shape, frame and unit."""
from __future__ import annotations

from typing import Any

from . import _core

_ALL: dict[Any, dict[str, str]] = {
    _core.State: {
        "t": "Time [s].",
        "q": "Coordinates, one array for all moving bodies in turn: seven each, x y z of the centre of mass in the world [m] and the "
             "unit quaternion w x y z from body to world; behind them the low parts of all positions [m], three a body. A view.",
        "v": "Velocities, six a moving body: of the centre of mass in the world frame [m/s], then angular in the body frame [rad/s]. A view.",
        "a": "Accelerations v', six a moving body: world frame [m/s^2], then body frame [rad/s^2]. A view.",
        "lambda_": "Multipliers, one a constraint row in the order of System.constraints [N] or [N m]: the rows act on the bodies by "
                   "-G^T lambda. A view.",
        "discrete": "What changes at instants alone: values of forces that controllers set, then those of the controllers. A view.",
    },
    _core.System: {
        "constraints": "Names of the joints and other constraints with rows, in the order of lambda_: a list of texts.",
        "velocity_blocks": "Names of what has velocities, the moving bodies, in the order of v: a list of texts.",
    },
    _core.Scenario: {
        "problem": 'A problem by name, or a model file: "chain.yaml"; "": a model.',
        "model": "The Model, as a copy, or None where a problem or file is run.",
        "parameters": "Of the problem or file, as texts by name; the keyword is set.",
        "seed": "Of a random problem; None: 0.",
        "stepper": 'By name; "": the one of the problem.',
        "options": "Of the stepper, as texts by name.",
        "backend": 'Of linear equations, by name; "": the first one that there is.',
        "step": "[s]; of the output alone where the stepper chooses its steps; None: that of the problem.",
        "tolerance": "Of a stepper that controls its error: all its tolerances; None: its own.",
        "end": "Time at which the run ends [s]; None: that of the problem.",
        "every": "Output at every K-th step; None: about 1000 in all.",
        "max_cuts": "How often a step that failed is halved; None: 10.",
        "record": 'Quantities that are recorded, "energy,reactions:hip" (catena.quantities()).',
        "gaps": 'Of joints that a run leaves open: "failure" ("" too) or "remark".',
        "reactions": 'Which of the reactions that redundant rows leave open: "norm:LENGTH" [m] or "stiffness:FORCE:TORQUE" [N/m, N m/rad].',
        "multipliers": 'Of outputs: "method" ("" too) or "recomputed".',
        "precision": 'Of results in files: "float64" ("" too) or "float32".',
    },
    _core.Model: {
        "joints": "Joints and other constraints in their order, a list of (name, type, bodies, rows).",
        "forces": "Forces in their order, a list of (name, type, bodies, 0).",
    },
    _core.Body: {"fixed": "Whether it stays where it is.", "name": "Unique in the model."},
    _core.Joint: {"name": "Unique among joints and forces of the model."},
    _core.Force: {"name": "Unique among joints and forces of the model."},
    _core.KktMatrix: {"dimension": "Rows and columns of the whole matrix.", "symmetric": "Whether B is the transpose of C."},
    _core.Factor: {
        "status": '"ok", "singular", "not_finite" or "failed", with the block where it is known: "singular in dual block 2".',
        "negative_pivots": "How many pivots are negative, one a constraint row of a sound matrix; -1: the back end does not count them.",
        "pivot_growth": "Largest pivot relative to the scale of its row: a growth of g costs log10(g) digits; 1 of back ends that pivot.",
    },
    _core.Instant: {"t": "Time [s].", "state": "The State, a read-only copy."},
}

for _kind, _texts in _ALL.items():
    for _name, _text in _texts.items():
        getattr(_kind, _name).__doc__ = _text
