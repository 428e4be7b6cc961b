#!/usr/bin/env python3
"""vtk_reader.py CATENA: opens the time series for ParaView with VTK's own readers and compares every instant with the CSV.
tests/docs/missing.py calls it where VTK's Python module is there."""

import csv
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
from pathlib import Path

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader, vtkXMLUnstructuredGridReader

ARGUMENTS = "helix_chain --set n=6 --set joint=spherical --end 0.2 --step 0.01 --format csv,vtk".split()
HEXAHEDRON, POLYHEDRON = 12, 42  # VTK's numbers of them

# A box, a cylinder, a ball and a capsule; a spring from the ground, a rod between the first two.
SHAPES = """
gravity: [0, 0, -9.81]
bodies:
  - {name: box, solid: {box: [0.2, 0.2, 0.2], density: 1000}}
  - {name: cylinder, solid: {cylinder: 0.4, radius: 0.1, axis: y, density: 1000}, position: [1, 0, 0]}
  - {name: ball, solid: {sphere: 0.1, density: 1000}, position: [2, 0, 0]}
  - {name: capsule, solid: {capsule: 0.3, radius: 0.1, density: 1000}, position: [3, 0, 0]}
joints:
  - {type: distance, name: rod, bodies: [box, cylinder], length: 1}
forces:
  - {type: spring_damper, name: spring, bodies: [ground, ball], point_a: [2, 0, 1], stiffness: 100, rest_length: 1}
run: {step: 0.01, end: 0.1}
"""


def opened(reader, path):
    """What VTK makes of a file; its errors are events, and end the test."""
    assert reader.CanReadFile(str(path)), f"VTK does not take {path.name} for one of its files"
    said = []
    reader.AddObserver("ErrorEvent", lambda *event: said.append(event))
    reader.SetFileName(str(path))
    reader.Update()
    assert not said and reader.GetErrorCode() == 0, f"VTK cannot read {path.name}"
    return reader.GetOutput()


def array(data, name):
    found = data.GetArray(name)
    assert found is not None, f"VTK sees no array {name}"
    return vtk_to_numpy(found)


def table(path, first, count):
    """Columns first to first + count of a CSV file, by instant."""
    rows = {}
    with open(path, newline="", encoding="utf-8") as stream:
        for row in list(csv.reader(stream))[1:]:
            rows.setdefault(float(row[0]), []).append([float(cell) for cell in row[first : first + count]])
    return {t: numpy.array(values) for t, values in rows.items()}


def read_shapes(catena, folder):
    """Shapes are solids of nearly their volume at the places of the bodies, springs and rods lines of their length."""
    from vtkmodules.vtkFiltersCore import vtkMassProperties, vtkTriangleFilter
    from vtkmodules.vtkFiltersGeometry import vtkGeometryFilter

    (folder / "shapes.yaml").write_text(SHAPES, encoding="utf-8")
    out = folder / "shapes"
    subprocess.run([catena, "run", folder / "shapes.yaml", "--format", "csv,vtk", "-o", out], check=True, capture_output=True)
    states = table(out / "bodies.csv", 2, 13)
    instants = list(states)
    listed = [item.get("file") for item in xml.parse(out / "motion.pvd").iter("DataSet")]
    assert len(listed) == 3 * len(instants)  # bodies, joints, lines
    pi = numpy.pi
    volumes = [0.008, 0.01 * pi * 0.4, 4 / 3 * pi * 0.001, 0.01 * pi * 0.3 + 4 / 3 * pi * 0.001]
    for k in (0, len(instants) - 1):
        x = states[instants[k]][:, 0:3]
        grid = opened(vtkXMLUnstructuredGridReader(), out / f"vtk/bodies_{k:06}.vtu")
        assert [grid.GetCellType(b) for b in range(4)] == [HEXAHEDRON, POLYHEDRON, POLYHEDRON, POLYHEDRON]
        assert numpy.array_equal(array(grid.GetCellData(), "position [m]"), x)
        for b, volume in enumerate(volumes):
            low_x, high_x, low_y, high_y, low_z, high_z = grid.GetCell(b).GetBounds()
            middle = [0.5 * (low_x + high_x), 0.5 * (low_y + high_y), 0.5 * (low_z + high_z)]
            assert numpy.allclose(middle, x[b], rtol=0, atol=1e-12), f"body {b} is at {middle}"
        # What is drawn of all of them: the surfaces of polyhedra are closed, and enclose 94 to 100 % of the solids.
        surface, triangles, mass = vtkGeometryFilter(), vtkTriangleFilter(), vtkMassProperties()
        surface.SetInputData(grid)
        triangles.SetInputConnection(surface.GetOutputPort())
        mass.SetInputConnection(triangles.GetOutputPort())
        mass.Update()
        assert 0.94 * sum(volumes) < mass.GetVolume() < sum(volumes), mass.GetVolume()
        lines = opened(vtkXMLPolyDataReader(), out / f"vtk/lines_{k:06}.vtp")
        assert lines.GetNumberOfLines() == 2 and lines.GetNumberOfPoints() == 4
        ends = vtk_to_numpy(lines.GetPoints().GetData()).reshape(2, 2, 3)
        expected = [[x[0], x[1]], [[2, 0, 1], x[2]]]
        assert numpy.allclose(ends, expected, rtol=0, atol=1e-14)
        assert list(array(lines.GetCellData(), "constraint")) == [0, -1]
        assert list(array(lines.GetCellData(), "force")) == [-1, 0]
        length = numpy.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
        assert numpy.allclose(array(lines.GetCellData(), "length [m]"), length, rtol=1e-14)


def main():
    catena = str(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as name:
        out = Path(name) / "out"
        subprocess.run([catena, "run", *ARGUMENTS, "--output", out], check=True, capture_output=True)
        states = table(out / "bodies.csv", 2, 13)
        multipliers = table(out / "multipliers.csv", 3, 1)
        listed = [(float(item.get("timestep")), item.get("file")) for item in xml.parse(out / "motion.pvd").iter("DataSet")]
        assert [t for t, file in listed if file.endswith("vtu")] == list(states) == list(multipliers)
        assert len(listed) == 2 * 21
        for t, file in listed:
            if file.endswith("vtu"):
                grid = opened(vtkXMLUnstructuredGridReader(), out / file)
                cells = grid.GetCellData()
                assert grid.GetNumberOfCells() == 6 and grid.GetNumberOfPoints() == 48
                assert all(grid.GetCellType(k) == HEXAHEDRON for k in range(6))
                assert numpy.array_equal(array(cells, "position [m]"), states[t][:, 0:3])
                assert numpy.array_equal(array(cells, "quaternion wxyz"), states[t][:, 3:7])
                assert numpy.array_equal(array(cells, "velocity [m/s]"), states[t][:, 7:10])
                # The middle of the corners is the body.
                corners = vtk_to_numpy(grid.GetPoints().GetData()).reshape(6, 8, 3)
                assert numpy.allclose(corners.mean(axis=1), states[t][:, 0:3], rtol=0, atol=1e-14)
            else:
                points = opened(vtkXMLPolyDataReader(), out / file)
                assert points.GetNumberOfPoints() == points.GetNumberOfVerts() == 6
                # A ball joint's multiplier is the force on its first body.
                forces = -multipliers[t].reshape(6, 3)
                assert numpy.array_equal(array(points.GetPointData(), "force on the body [N]"), forces)
        read_shapes(catena, Path(name))
        print(f"VTK reads {len(listed)} files as the CSV has them, and the shapes of bodies")


if __name__ == "__main__":
    if len(sys.argv) != 2 or not os.access(sys.argv[1], os.X_OK):
        sys.exit(__doc__)
    main()
