"""Writes what the pictures show as columns for gnuplot."""

import csv
import math

from results import in_plane, turned

BOX_HALF = (0.5, 0.25, 1.5)  # [m]
BOX_INSTANTS = (0.0, 1.0, 2.0, 3.0)  # [s], those of the source's figure 2
HELIX_INSTANTS = (0.0, 0.5, 1.0, 1.5, 2.0)
PATH_STRIDE, PEAK_STRIDE = 10, 50  # of the instants

# Faces of a box as corners of the unit cube, outward.
FACES = (
    ((1, -1, -1), (1, 1, -1), (1, 1, 1), (1, -1, 1)),
    ((-1, -1, -1), (-1, -1, 1), (-1, 1, 1), (-1, 1, -1)),
    ((-1, 1, -1), (-1, 1, 1), (1, 1, 1), (1, 1, -1)),
    ((-1, -1, -1), (1, -1, -1), (1, -1, 1), (-1, -1, 1)),
    ((-1, -1, 1), (1, -1, 1), (1, 1, 1), (-1, 1, 1)),
    ((-1, -1, -1), (-1, 1, -1), (1, 1, -1), (1, -1, -1)),
)
COLOURS = ((0x2F, 0x6D, 0xB5), (0xD9, 0x82, 0x2B), (0x3C, 0x9A, 0x5F), (0xA8, 0x4A, 0x8C))
LIGHT = (0.36, -0.48, 0.80)  # unit, towards the light, in (x~, depth, z)


def write(path, rows):
    with open(path, "w") as stream:
        for row in rows:
            stream.write(" ".join("%.9g" % cell for cell in row) + "\n" if row else "\n")


class Peaks:
    """The largest value since the last row."""

    def __init__(self, columns):
        self.values = [0.0] * columns

    def take(self, *values):
        self.values = [max(a, b) for a, b in zip(self.values, values)]

    def hand_out(self):
        values, self.values = self.values, [0.0] * len(self.values)
        return values


def box_energy(run, out):
    write(out / "energy.dat", [(row["time"], row["energy error"]) for row in run.scalars()][::5])


def box_paths(run, out):
    path, residuals = [], []
    peaks = Peaks(2)
    begin, end = (0.0, 0.0, BOX_HALF[2]), (0.0, 0.0, -BOX_HALF[2])
    for number, (t, bodies) in enumerate(run.instants()):
        before, gap = (0.0, 0.0, 0.0), 0.0
        for body in bodies:
            gap = max(gap, max(abs(a - b) for a, b in zip(before, turned(body, begin))))
            before = turned(body, end)
        peaks.take(max(abs(sum(e * e for e in body[3:]) - 1) for body in bodies), gap)
        if number % PATH_STRIDE == 0:
            path.append((t, in_plane(*bodies[0][:2]), bodies[0][2]))
        if number % PEAK_STRIDE == 0:
            residuals.append((t, *peaks.hand_out()))
    write(out / "path.dat", path)
    write(out / "residuals.dat", residuals)


def view(point):
    """World to (x~, depth, z), right-handed; depth grows away from the eye."""
    x, y, z = point
    return (in_plane(x, y), -(x + y) / 2**0.5, z)


def projected(point, turn, tilt):
    """(right, up, depth) on the paper of (along, depth, up), turned about up and seen from above, orthographic."""
    a, d, z = point
    a, d = a * math.cos(turn) + d * math.sin(turn), -a * math.sin(turn) + d * math.cos(turn)
    return a, z * math.cos(tilt) + d * math.sin(tilt), d * math.cos(tilt) - z * math.sin(tilt)


BOX_VIEW = (math.radians(24), math.radians(16))
HELIX_VIEW = (math.radians(78), math.radians(18))


def box_faces(run, out):
    """Visible faces from back to front with their colour, a file an instant: right, up, rgb."""
    wanted = list(BOX_INSTANTS)
    for t, bodies in run.instants():
        if not wanted or t < wanted[0] - 1e-9:
            continue
        faces = []
        for body, colour in zip(bodies, COLOURS):
            for corners in FACES:
                space = [view(turned(body, [c * h for c, h in zip(corner, BOX_HALF)])) for corner in corners]
                paper = [projected(p, *BOX_VIEW) for p in space]
                normal = [sum(c[k] for c in corners) / 4 for k in range(3)]
                foot, head = view(body[:3]), view(turned(body, normal))
                shade = max(0.0, sum((h - f) * s for h, f, s in zip(head, foot, LIGHT)))
                if projected([h - f for h, f in zip(head, foot)], *BOX_VIEW)[2] < 0:  # faces the eye
                    mixed = [min(255, int(c * (0.62 + 0.45 * shade) + 40 * shade)) for c in colour]
                    rgb = (mixed[0] << 16) + (mixed[1] << 8) + mixed[2]
                    faces.append((sum(p[2] for p in paper), [(*p[:2], rgb) for p in paper]))
        faces.sort(key=lambda face: -face[0])
        write(
            out / f"boxes_{len(BOX_INSTANTS) - len(wanted)}.dat",
            [row for _, face in faces for row in [*face, face[0], ()]],
        )
        wanted.pop(0)


def joint_forces(run, wanted):
    """time -> force in each joint of a chain [N], from the multipliers of its three rows."""
    forces = {}
    with open(run.folder / "multipliers.csv", newline="") as stream:
        rows = csv.reader(stream)
        next(rows)
        for time, _, row, value in rows:
            t = next((w for w in wanted if abs(float(time) - w) < 1e-9), None)
            if t is not None:
                joints = forces.setdefault(t, [])
                if row == "0":
                    joints.append(0.0)
                joints[-1] = math.hypot(joints[-1], float(value))
    return forces


def helix_shapes(run, out):
    """A bar a row, from back to front: right, up, towards right and up, force in its first joint [N]; a block an
    instant, two empty lines between blocks."""
    forces, rows = joint_forces(run, HELIX_INSTANTS), []
    for t, bodies in run.instants():
        instant = next((w for w in HELIX_INSTANTS if abs(t - w) < 1e-9), None)
        if instant is None:
            continue
        ends = [(0.0, 0.0, 0.0), *(turned(body, (0.2, 0.0, 0.0)) for body in bodies)]
        paper = [projected(p, *HELIX_VIEW) for p in ends]
        bars = [(a[2], (a[0], a[1], b[0] - a[0], b[1] - a[1], f)) for a, b, f in zip(paper, paper[1:], forces[instant])]
        rows += [bar for _, bar in sorted(bars, reverse=True)] + [(), ()]
    write(out / "helix.dat", rows)
