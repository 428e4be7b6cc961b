#!/usr/bin/env python3
"""vtk.py CATENA: reads the files for ParaView back, compares them with results.h5, and resumes a killed run."""

import base64
import os
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml
from pathlib import Path

import h5py
import numpy

TYPES = {"Float64": "<f8", "Int64": "<i8", "UInt8": "u1"}
ARGUMENTS = "helix_chain --set n=6 --set joint=revolute --step 0.001 --format hdf5,vtk".split()


def arrays(path):
    found = {}
    for item in xml.parse(path).iter("DataArray"):
        data = base64.b64decode(item.text, validate=True)
        size = int.from_bytes(data[:8], "little")
        assert len(data) == 8 + size, f"{path}: {item.get('Name')} has a wrong length"
        values = numpy.frombuffer(data[8:], TYPES[item.get("type")])
        width = int(item.get("NumberOfComponents"))
        found[item.get("Name")] = values.reshape(-1, width) if width > 1 else values
    return found


def rotation(e):
    w, x, y, z = e
    return numpy.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def instants(folder):
    return [(float(item.get("timestep")), item.get("file")) for item in xml.parse(folder / "motion.pvd").iter("DataSet")]


def compare(folder):
    listed = instants(folder)
    with h5py.File(folder / "results.h5", "r") as file:
        assert [t for t, name in listed if name.endswith("vtu")] == list(file["time"][:])
        for k in (0, 7, len(file["time"]) - 1):
            bodies = arrays(folder / f"vtk/bodies_{k:06}.vtu")
            joints = arrays(folder / f"vtk/joints_{k:06}.vtp")
            x, e = file["bodies/position"][k], file["bodies/orientation"][k]
            assert numpy.array_equal(bodies["position [m]"], x)
            assert numpy.array_equal(bodies["velocity [m/s]"], file["bodies/velocity"][k])
            assert numpy.array_equal(joints["force on the body [N]"], file["reactions/force"][k])
            assert numpy.array_equal(joints["torque on the body [N m]"], file["reactions/torque"][k])
            # Bars of 0.4 m by 0.1 m by 0.1 m: the box is the bar.
            boxes = bodies["Points"].reshape(-1, 8, 3)
            for b, corners in enumerate(boxes):
                own = (corners - x[b]) @ rotation(e[b])
                assert numpy.allclose(numpy.abs(own), [0.2, 0.05, 0.05], rtol=0, atol=1e-13)
                assert len({tuple(numpy.sign(c)) for c in own}) == 8
            for s, b in enumerate(file["reactions/body"][:]):
                point = x[b] + rotation(e[b]) @ file["reactions/point"][s]
                assert numpy.allclose(joints["Points"][s], point, rtol=0, atol=1e-14)
    return len(listed)


def main():
    catena = str(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as name:
        whole, parts = Path(name) / "whole", Path(name) / "parts"
        subprocess.run([catena, "run", *ARGUMENTS, "--end", "0.5", "--output", whole], check=True, capture_output=True)
        assert compare(whole) == 2 * 501
        for attempt in range(5):
            command = [catena, "run", *ARGUMENTS, "--end", "0.5", "--output", parts, "--checkpoint", "0.02s"]
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while process.poll() is None and len(list(parts.glob("vtk/bodies*"))) < 50 * (attempt + 1):
                time.sleep(0.001)
            process.send_signal(signal.SIGKILL)
            process.wait()
            for _, file in instants(parts):
                xml.parse(parts / file)
        subprocess.run([catena, "resume", parts], check=True, capture_output=True)
        for file in [whole / "motion.pvd", *sorted((whole / "vtk").iterdir())]:
            other = parts / file.relative_to(whole)
            assert file.read_bytes() == other.read_bytes(), f"{other.name} differs"
        assert len(list((whole / "vtk").iterdir())) == len(list((parts / "vtk").iterdir()))
        print("all files read and equal")


if __name__ == "__main__":
    if len(sys.argv) != 2 or not os.access(sys.argv[1], os.X_OK):
        sys.exit(__doc__)
    main()
