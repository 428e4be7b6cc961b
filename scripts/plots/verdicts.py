"""The figures of the main job beside the expected ones, a verdict a line."""

import math

from results import in_plane, joints

BOX_BEGIN, BOX_END = (0.0, 0.0, 1.5), (0.0, 0.0, -1.5)  # joints of a box, body axes [m]
BAR_BEGIN, BAR_END = (-0.2, 0.0, 0.0), (0.2, 0.0, 0.0)  # joints of a bar of the helix

# Centres at T = 1 in (x~, z) [m]: planar four-link equations in angles, integrated to 1e-10. problems/box_chain.cpp
# has the same digits.
BOX_REFERENCE = (
    (0.3433760289, -1.4601687926),
    (1.6715346532, -4.0517982516),
    (3.7669461444, -6.1914768786),
    (6.3271489944, -6.8140326150),
)


class Verdicts:
    def __init__(self):
        self.failed = 0

    def heading(self, text):
        print(f"\n{text}\n{'figure':<46}{'measured':>24}   {'expected':<32}verdict")

    def line(self, what, measured, expected, good):
        self.failed += not good
        print(f"{what:<46}{measured:>24}   {expected:<32}{'ok' if good else 'WRONG'}")

    def near(self, what, value, expected, tolerance, form):
        self.line(what, form % value, f"{form % expected} +- {tolerance:g}", abs(value - expected) <= tolerance)

    def below(self, what, value, bound):
        self.line(what, f"{value:.2e}", f"<= {bound:g}", abs(value) <= bound)

    def note(self, what, text):
        print(f"{what:<46}{text:>24}")


def gap(a, b):
    return max(abs(p - q) for p, q in zip(a, b))


def finished(verdicts, report, steps):
    done = f"{report['status']}, {report['steps']} steps"
    verdicts.line("run", done, f"ok, {steps} steps", done == f"ok, {steps} steps")


def box_chain(run, verdicts):
    """Expected: X. M. Xu, W. X. Zhong 2014, section 5, recomputed; all digits hold."""
    verdicts.heading("4 boxes, discrete_action, h = 0.002 s, 100 s")
    finished(verdicts, run.report, 50000)
    low, high = {}, {}
    for row in run.scalars():
        for limit in (5, 10, 100):
            if row["time"] <= limit + 1e-9:
                low[limit] = min(low.get(limit, 0.0), row["energy error"])
                high[limit] = max(high.get(limit, 0.0), row["energy error"])
    norm = joint = sphere = out_of_plane = error = 0.0
    for t, bodies in run.instants():
        for body in bodies:
            norm = max(norm, abs(body[3] ** 2 + body[4] ** 2 + body[5] ** 2 + body[6] ** 2 - 1))
        for a, b in joints(bodies, BOX_BEGIN, BOX_END):
            joint = max(joint, gap(a, b))
        sphere = max(sphere, abs(math.hypot(*bodies[0][:3]) - 1.5))
        if t <= 10 + 1e-9:
            out_of_plane = max(out_of_plane, max(abs(x + y) / 2**0.5 for x, y, *_ in bodies))
        if abs(t - 1) < 1e-9:
            for body, (along, z) in zip(bodies, BOX_REFERENCE):
                error = max(error, abs(in_plane(body[0], body[1]) - along), abs(body[2] - z))

    verdicts.near("H(0) [J]", run.report["energy_initial"], -997.8690896, 5e-8, "%.7f")
    for limit, floor, ceiling, tolerance in ((5, -0.157, 0.0, 1e-9), (10, -0.196, 2.1e-5, 5e-7)):
        verdicts.line(
            f"H - H(0) up to {limit} s [J]",
            f"[{low[limit]:.4f}, {high[limit]:.2g}]",
            f"[{floor}, {ceiling:.2g}], all digits",
            abs(low[limit] - floor) <= 5e-4 and abs(high[limit] - ceiling) <= tolerance,
        )
    verdicts.line(
        "H - H(0) up to 100 s [J]",
        f"[{low[100]:.4f}, {high[100]:.2g}]",
        "within +- 1.5",
        max(-low[100], high[100]) <= 1.5,
    )
    verdicts.below("quaternions off unit length, |e.e - 1|", norm, 1e-15)
    verdicts.below("gaps of the joints [m]", joint, 1e-14)
    verdicts.below("first centre off its sphere, |x| - 1.5 m [m]", sphere, 1e-15)
    verdicts.below("out of the plane up to 10 s [m]", out_of_plane, 1e-4)
    # By one matrix a step; the motion is chaotic after 10 s, and another one where arithmetic rounds otherwise.
    verdicts.near("Newton iterations a step", run.report["newton_iterations_per_step"], 3.3, 0.3, "%.2f")
    verdicts.near("error at T = 1 s, discretisation [m]", error, 5.592e-6, 5e-10, "%.3e")


def helix_chain(run, halves, verdicts):
    """Expected from what mechanics and the order of the method say; halves: reports at h/2 and h/4."""
    count = len(run.names)
    verdicts.heading(f"helix of {count} bars, generalized_alpha, h = 0.001 s, 2 s")
    finished(verdicts, run.report, 2000)
    norm = joint = 0.0
    first = last = None
    for _, bodies in run.instants():
        for body in bodies:
            norm = max(norm, abs(body[3] ** 2 + body[4] ** 2 + body[5] ** 2 + body[6] ** 2 - 1))
        for a, b in joints(bodies, BAR_BEGIN, BAR_END):
            joint = max(joint, gap(a, b))
        first, last = first or bodies, bodies
    turning = whole = 0.0
    for row in run.scalars():
        turning = max(turning, abs(row["angular momentum z"]))
        whole = max(whole, math.hypot(*(row[f"angular momentum {axis}"] for axis in "xyz")))
    energy = 4.0 * 9.81 * sum(body[2] for body in first)  # bars of 4 kg, at rest
    fallen = first[-1][2] - last[-1][2]
    ends = [run.report["positions"]] + [report["positions"] for report in halves]
    coarse, fine = (max(math.dist(a, b) for a, b in zip(ends[k], ends[k + 1])) for k in (0, 1))

    verdicts.near("H(0) = sum m g z(0) [J]", run.report["energy_initial"], energy, 1e-6, "%.4f")
    verdicts.below("H - H(0), largest, relative", run.report["energy_error_max"], 1e-6)
    verdicts.below("angular momentum about world z, relative", turning / whole, 1e-6)
    verdicts.below("quaternions off unit length, |e.e - 1|", norm, 1e-15)
    verdicts.below("gaps of the joints [m]", joint, 1e-13)
    verdicts.near("free end has fallen by g t^2/2 [m]", fallen, 19.62, 1e-8, "%.10f")
    verdicts.near("order of positions from h, h/2, h/4", math.log2(coarse / fine), 2.0, 0.05, "%.3f")
    verdicts.note("Newton iterations a step", f"{run.report['newton_iterations_per_step']:.2f}")
    verdicts.note(
        "time of a step per body: mean, fastest [ns]",
        f"{run.report['ns_per_step_per_body']:.0f}, {run.report['ns_fastest_step_per_body']:.0f}",
    )
