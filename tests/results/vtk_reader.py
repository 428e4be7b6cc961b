#!/usr/bin/env python3
"""vtk_reader.py CATENA: opens the time series for ParaView with VTK's own readers and compares every instant with the CSV.
Skipped where VTK's Python module is missing, which is large (Debian: python3-vtk9)."""

import csv
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
from pathlib import Path

ARGUMENTS = "helix_chain --set n=6 --set joint=spherical --end 0.2 --step 0.01 --format csv,vtk".split()
HEXAHEDRON = 12  # VTK's number of it


def other_python():
    """Runs this file again by another Python that has the module, or ends the test."""
    probe = ["/usr/bin/python3", "-c", "import numpy, vtkmodules.vtkIOXML"]
    if sys.executable != probe[0] and os.access(probe[0], os.X_OK):
        if subprocess.run(probe, capture_output=True, check=False).returncode == 0:
            os.execv(probe[0], [probe[0], *sys.argv])
    print("skipped: needs VTK's readers; on Debian and Ubuntu:  apt-get install --no-install-recommends python3-vtk9")
    sys.exit(77)


try:
    import numpy
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXML import vtkXMLPolyDataReader, vtkXMLUnstructuredGridReader
except ImportError:
    other_python()


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
        print(f"VTK reads {len(listed)} files as the CSV has them")


if __name__ == "__main__":
    if len(sys.argv) != 2 or not os.access(sys.argv[1], os.X_OK):
        sys.exit(__doc__)
    main()
