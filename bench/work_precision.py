#!/usr/bin/env python3
"""work_precision.py CATENA OLDER [--turns N]: how long a run takes to an error, against an older commit in the same run.

The time in stepping to errors of 1e-4 ... 1e-11 m of the last body at 1 s, on the straight chain of 10 boxes and on the helix of
20 bars: by `dormand_prince` of the program OLDER, by that of CATENA, and by the fastest of the methods of CATENA that control
their error. All run at four tolerances a decade; a time is that of the loosest one from which on all errors are small enough,
of minima over N runs in turns. The truth is `dop853` of CATENA at 1e-13; `dormand_prince` at 1e-13 says how good it is.

Prints a table, and ends with 1 where the fastest takes more than half of the time of OLDER.
"""
import argparse
import json
import math
import subprocess
import sys

PROBLEMS = [("straight_box_chain", 10), ("helix_chain", 20)]
ERRORS = [10.0**-k for k in range(4, 12)]
TOLERANCES = ("rtol_position", "atol_position", "rtol_velocity", "atol_velocity")
# Of each method the tightest tolerance at which it may still be the fastest.
METHODS = {"dormand_prince": 1e-13, "dop853": 1e-13, "radau": 1e-13, "lie_bdf": 1e-7}
PART = 0.5  # of the time of OLDER


def run(program, problem, n, stepper, tolerance):
    """Seconds in stepping, and where the last body is at the end; None: the run failed."""
    command = [program, "run", problem, "--set", f"n={n}", "--stepper", stepper, "--step", "1", "--end", "1", "--json", "-"]
    for option in TOLERANCES:  # OLDER may not have --tolerance
        command += ["--option", f"{option}={tolerance:.3e}"]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    report = json.loads(said[said.index("\n{") + 1 if not said.startswith("{") else 0 :])
    if report["status"] != "ok":
        return None
    last = report["positions"][-1]  # of the last body, or of all bodies in one list
    return report["phase_times_s"]["stepping"], last if isinstance(last, list) else report["positions"][-3:]


def best(program, problem, n, stepper):
    done = run(program, problem, n, stepper, 1e-13)
    if done is None:
        sys.exit(f"{stepper} of {program} does not run {problem} at a tolerance of 1e-13")
    return done[1]


def ladder(tightest):
    steps = round(-4 * math.log10(tightest))
    return [10.0 ** (-k / 4) for k in range(4, steps + 1)]


def measure(programs, problem, n, turns):
    """For each name in programs, (program, stepper): the errors and the shortest times over the tolerances."""
    truth = best(programs["dop853"][0], problem, n, "dop853")
    points = {name: {} for name in programs}
    for _ in range(turns):
        for name, (program, stepper) in programs.items():
            for tolerance in ladder(METHODS[stepper]):
                done = run(program, problem, n, stepper, tolerance)
                if done is None:
                    continue
                error = math.dist(done[1], truth)
                seconds = points[name].get(tolerance, (error, math.inf))[1]
                points[name][tolerance] = (error, min(seconds, done[0]))
    doubt = math.dist(best(programs["dormand_prince"][0], problem, n, "dormand_prince"), truth)
    return points, doubt


def time_to(points, error):
    """Of the loosest tolerance from which on all errors are small enough: one alone may be small by accident."""
    seconds = math.inf
    for tolerance in sorted(points):
        if points[tolerance][0] > error:
            break
        seconds = points[tolerance][1]
    return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("catena")
    parser.add_argument("older")
    parser.add_argument("--turns", type=int, default=5)
    a = parser.parse_args()
    programs = {"older": (a.older, "dormand_prince"), **{stepper: (a.catena, stepper) for stepper in METHODS}}
    worst = 0.0
    for problem, n in PROBLEMS:
        points, doubt = measure(programs, problem, n, a.turns)
        print(f"{problem} n={n}, truth known to {doubt:.1e} m\n")
        print("| error [m] | older dormand_prince [ms] | dormand_prince | fastest | ratio to the older one |\n|---|---|---|---|---|")
        for error in ERRORS:
            times = {name: 1e3 * time_to(points[name], error) for name in programs}
            fastest = min(METHODS, key=times.get)
            if error <= doubt or math.isinf(times["older"]) or math.isinf(times[fastest]):
                sys.exit(f"{problem}: an error of {error:.0e} m is not reached, or not known")
            ratio = times[fastest] / times["older"]
            worst = max(worst, ratio)
            print(f"| {error:.0e} | {times['older']:.3g} | {times['dormand_prince']:.3g} | {times[fastest]:.3g}, `{fastest}` "
                  f"| {ratio:.2f} |")
        print()
    print(f"largest ratio {worst:.2f}, asked {PART}")
    sys.exit(0 if worst <= PART else 1)


if __name__ == "__main__":
    main()
