#!/usr/bin/env python3
"""points_and_planes.py CATENA: points and planar bodies through steppers, modes, all files of results and checkpoints.

Modes against their formulas; the motions of all steppers that take such bodies against each other; every table, results.h5
and the files for ParaView of a resumed run against those of a run without a break, bit for bit.
"""

import base64
import json
import math
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
from pathlib import Path

import h5py
import numpy

# A pendulum of a point, and one of a plate that turns about x.
HANGING = """
gravity: [0, 0, -9.81]
bodies:
  - {name: bob, mass: 2 kg, motion: point, position: [0, 0, -0.5]}
  - {name: plate, mass: 3 kg, motion: planar, normal: [1, 0, 0], inertia: 0.2 kg m^2, position: [0, 0, -0.3]}
joints:
  - {type: distance, name: rod, bodies: [ground, bob], length: 0.5}
  - {type: point_on_line, name: pin, bodies: [ground, plate], point_b: [0, 0, 0.3], axis: [1, 0, 0]}
"""
FREQUENCIES = [math.sqrt(3 * 9.81 * 0.3 / (0.2 + 3 * 0.3**2))] + 2 * [math.sqrt(9.81 / 0.5)]  # [rad/s]

# Points on rods, and a plate on a pin that one of them pulls: both kinds meet in one force.
MIXED = """
gravity: [0, 0, -9.81]
bodies:
  - {name: p 1, mass: 0.1 kg, motion: point, position: [0.2, 0, 0]}
  - {name: p 2, mass: 0.1 kg, motion: point, position: [0.4, 0, 0]}
  - {name: plate, mass: 0.5 kg, motion: planar, normal: [0, 1, 0], inertia: 0.01 kg m^2, position: [0.6, 0.1, -0.2]}
joints:
  - {type: distance, name: rod 1, bodies: [ground, p 1], length: 0.2}
  - {type: distance, name: rod 2, bodies: [p 1, p 2], length: 0.2}
  - {type: point_on_line, name: pin, bodies: [ground, plate], point_a: [0.6, 0.1, 0], point_b: [0, 0, 0.2], axis: [0, 1, 0]}
forces:
  - {type: spring_damper, name: cord, bodies: [p 2, plate], stiffness: 30 N/m, damping: 0.05 N s/m, rest_length: 0.2}
"""
END = "0.3"
ORDERS = {"generalized_alpha": 2, "hht": 2, "newmark": 1, "alpha_rattle": 2, "lie_dae": 2}
REFUSE = "discrete_action ida rattle runge_kutta_4".split()


def catena(*arguments, code=0):
    done = subprocess.run([sys.argv[1], *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == code, f"{arguments}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def check_modes(folder):
    (folder / "hanging.yaml").write_text(HANGING)
    catena("modes", folder / "hanging.yaml", "--json", folder / "modes.json")
    modes = json.loads((folder / "modes.json").read_text())["modes"]["modes"]
    assert len(modes) == 3, modes
    for mode, expected in zip(modes, FREQUENCIES):
        assert abs(mode["eigenvalue"][1] / expected - 1) < 1e-12, (mode["eigenvalue"], expected)


def end_of_run(folder, model, stepper, step):
    catena("run", model, "--stepper", stepper, "--step", step, "--end", END, "--json", folder / "end.json")
    found = json.loads((folder / "end.json").read_text())
    assert found["verdict"] == "ok", (stepper, found["remarks"])
    return numpy.array(found["positions"])


def check_steppers(folder, model):
    reference = end_of_run(folder, model, "dop853", 1e-3)
    moved = numpy.abs(reference - numpy.array([[0.2, 0, 0], [0.4, 0, 0], [0.6, 0.1, -0.2]])).max(axis=1)
    assert min(moved) > 0.02, moved
    for stepper, order in ORDERS.items():
        coarse, fine = (numpy.abs(end_of_run(folder, model, stepper, h) - reference).max() for h in (1e-3, 5e-4))
        print(f"{stepper}: {coarse:.1e} and {fine:.1e} m from dop853")
        assert abs(math.log2(coarse / fine) - order) < 0.1, (stepper, coarse, fine)
    other = numpy.abs(end_of_run(folder, model, "dormand_prince", 1e-3) - reference).max()
    print(f"dormand_prince: {other:.1e} m from dop853")
    assert other < 1e-7, other  # its tolerance, 1e-8 of a size, over 0.3 s
    for stepper in REFUSE:
        said = catena("run", model, "--stepper", stepper, "--step", "1e-3", "--end", END, code=2)
        assert "p 1" in said or stepper == "runge_kutta_4", said


def datasets(file):
    found = {}
    with h5py.File(file, "r") as opened:
        opened.visititems(
            lambda name, item: found.__setitem__(name, item[()]) if isinstance(item, h5py.Dataset) else None)
    return found


def positions(file):
    for item in xml.parse(file).iter("DataArray"):
        if item.get("Name") == "position [m]":
            return numpy.frombuffer(base64.b64decode(item.text)[8:], "<f8").reshape(-1, 3)
    raise AssertionError(f"{file} has no positions")


def check_results(folder, model, stepper):
    whole, parts = folder / f"whole {stepper}", folder / f"parts {stepper}"
    settings = ["--stepper", stepper, "--step", "1e-3", "--every", "10", "--format", "csv,hdf5,vtk"]
    catena("run", model, *settings, "--end", END, "--output", whole)
    catena("run", model, *settings, "--end", "0.15", "--output", parts)
    catena("resume", parts, "--end", END)
    tables = sorted(whole.glob("*.csv"))
    assert len(tables) >= 3
    for table in tables:
        assert table.read_bytes() == (parts / table.name).read_bytes(), f"{stepper}: {table.name} differs"
    expected, found = datasets(whole / "results.h5"), datasets(parts / "results.h5")
    assert set(expected) == set(found)
    for name in expected.keys() - {"ended"}:  # the date
        values = expected[name]
        assert numpy.array_equal(values, found[name], equal_nan=values.dtype.kind == "f"), f"{stepper}: {name} differs"
    assert expected["bodies/position"].shape == (31, 3, 3)
    assert numpy.array_equal(expected["bodies/orientation"][-1, 0], [1, 0, 0, 0]), "a point has turned"
    assert not expected["bodies/angular_velocity"][-1, 2, [0, 2]].any(), "the plate has left its plane"
    for k in (0, 30):
        assert numpy.array_equal(positions(parts / f"vtk/bodies_{k:06}.vtu"), expected["bodies/position"][k])


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        check_modes(folder)
        model = folder / "mixed.yaml"
        model.write_text(MIXED)
        check_steppers(folder, model)
        for stepper in ("generalized_alpha", "alpha_rattle", "lie_dae"):  # whose steps do not depend on the end
            check_results(folder, model, stepper)


if __name__ == "__main__":
    if len(sys.argv) != 2 or not os.access(sys.argv[1], os.X_OK):
        sys.exit(__doc__)
    main()
