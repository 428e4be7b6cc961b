"""Reads what `catena run --output` wrote."""

import csv
import itertools
import json
from pathlib import Path


class Run:
    """The folder of one run: report.json and the time series, read as they are asked for."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.report = json.loads((self.folder / "report.json").read_text())
        self.names = self.report["body_names"]

    def scalars(self):
        """One dict an instant: column without its unit -> number."""
        with open(self.folder / "scalars.csv", newline="") as stream:
            rows = csv.reader(stream)
            columns = [title.split(" [")[0] for title in next(rows)]
            for row in rows:
                yield dict(zip(columns, map(float, row)))

    def instants(self):
        """(time, [body, ...]) an instant; a body is x, y, z, w, i, j, k: centre of mass and quaternion."""
        with open(self.folder / "bodies.csv", newline="") as stream:
            rows = csv.reader(stream)
            next(rows)
            for time, of_instant in itertools.groupby(rows, key=lambda row: row[0]):
                yield float(time), [[float(cell) for cell in row[2:9]] for row in of_instant]


def turned(body, point):
    """Place in the world of a point given in the axes of a body, from its centre of mass [m]."""
    x, y, z, w, i, j, k = body
    a, b, c = point
    # p + 2 w (u x p) + 2 u x (u x p), u = (i, j, k)
    d, e, f = j * c - k * b, k * a - i * c, i * b - j * a
    return (
        x + a + 2 * (w * d + j * f - k * e),
        y + b + 2 * (w * e + k * d - i * f),
        z + c + 2 * (w * f + i * e - j * d),
    )


def joints(bodies, begin, end):
    """Where the links of a chain say that their joints are: (end of the link before, begin of the link)."""
    before = (0.0, 0.0, 0.0)
    for body in bodies:
        yield before, turned(body, begin)
        before = turned(body, end)


def in_plane(x, y):
    """x~ of the box chain: its centres start in the plane of x~ and z."""
    return (y - x) / 2**0.5
