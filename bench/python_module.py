#!/usr/bin/env python3
"""python_module.py CATENA [--count]: what `import catena` costs beside the program.

  overhead   a call of catena.run against `catena run` of the same scenario without files, both recording nothing but the time
  recording  the same call with the standard record, whose quantities such a run of the program does not compute
  default    processor time, user and system, of a call without `record`, beside one that records the time alone: at every other
             step, as above, at every step, and of one body at every step; the first one in a process takes fresh memory, which
             later ones find; no bound
  view       the time to make an array over 1e6 x 13 doubles of a run, without a copy

Times are minima of runs in turns, for an idle machine: the program's as it reports them, the module's around the call. --count:
instructions by valgrind in place of times, those of starting either of them taken off; the same on a busy machine. The final
states are compared first. PYTHONPATH leads to the module (build/release/python).

Ends with 1 where the overhead is above 2 % or the view takes a millisecond.
"""
import json
import os
import re
import subprocess
import sys
import time

import catena
import numpy as np

PROGRAM = sys.argv[1]
CASE = {"set": {"n": 100}, "stepper": "generalized_alpha", "step": 1e-3, "every": 2}
ARGUMENTS = ["run", "helix_chain", "--set", "n=100", "--stepper", "generalized_alpha", "--step", "1e-3", "--every", "2"]
SET = {"OPENBLAS_NUM_THREADS": "1", "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}  # or the program starts itself once more with them


def program():
    """Seconds of the whole run, as the program reports them, and the final positions."""
    said = subprocess.run([PROGRAM, *ARGUMENTS, "--end", "2", "--json", "-"], capture_output=True, text=True, check=True).stdout
    report = json.loads(said)
    return report["wall_time_s"], np.array(report["positions"])


def module(record):
    """Seconds around catena.run, and its solution."""
    start = time.perf_counter()
    sol = catena.run("helix_chain", end=2.0, record=record, **CASE)
    return time.perf_counter() - start, sol


CALLS = """
import sys, time, catena
def call(record, end=2.0):
    start = time.process_time()
    sol = catena.run("helix_chain", end=end, record=record, **CASE)
    return time.process_time() - start, sum(values[0].size for values in sol.quantities.values())
call("time", 0.01)  # what a process does once
first, numbers = call(RECORD)
print(first, min(call(RECORD)[0] for _ in range(3)), numbers)
"""


def processor(record, n, every):
    """Processor seconds of the first call in a process and of later ones, and how many numbers an instant has."""
    given = f"CASE = {CASE | {'set': {'n': n}, 'every': every}}; RECORD = {record!r}"
    done = subprocess.run([sys.executable, "-c", given + CALLS], capture_output=True, text=True, check=True)
    return [float(x) for x in done.stdout.split()]


def default_record(n, every):
    """Prints what the default record costs."""
    plain, _, _ = map(min, zip(*(processor("time", n, every) for _ in range(5))))
    first, later, numbers = map(min, zip(*(processor("", n, every) for _ in range(5))))
    print(f"default    {100 * (first / plain - 1):+.0f} % of processor time, {100 * (later / plain - 1):+.0f} % of later calls   "
          f"({n} bodies, every {every}, {numbers:.0f} numbers an instant: {first:.4g}, {later:.4g} and {plain:.4g} s)")


def instructions(command):
    """Of a whole process."""
    said = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command],
                          capture_output=True, text=True, check=True, env={**os.environ, **SET}).stderr
    return int(re.search(r"refs: +([\d,]+)", said)[1].replace(",", ""))


def counts():
    """Instructions of a run by the program, and by the module with nothing and with the standard record."""
    call = "import catena\nif {}: catena.run('helix_chain', end=2.0, record='{}', **{})"
    python = [instructions([sys.executable, "-B", "-c", call.format(asked, record, CASE)])
              for asked, record in ((False, ""), (True, "time"), (True, "standard"))]
    started = instructions([PROGRAM, "version"])
    return [instructions([PROGRAM, *ARGUMENTS, "--end", "2"]) - started, *(n - python[0] for n in python[1:])]


def view():
    """Seconds to make the arrays of a run with a million instants."""
    sol = catena.run("simple_pendulum", step=1e-5, end=10.0, every=1, record="q,v")
    assert sol.q.shape[0] >= 1_000_000 and sol.q.shape[1] + sol.v.shape[1] >= 13, (sol.q.shape, sol.v.shape)
    best = np.inf
    for _ in range(20):
        start = time.perf_counter()
        fresh = catena.Solution(sol.record)
        arrays = fresh.q, fresh.v
        best = min(best, time.perf_counter() - start)
    assert all(not a.flags.owndata for a in arrays)
    return best, arrays


def main():
    assert np.array_equal(program()[1], module("standard")[1]["bodies/position"][-1]), "the two end in different states"
    if "--count" in sys.argv:
        theirs, plain, recorded = counts()
        unit, scale = "million instructions", 1e-6
    else:
        rounds = [(program()[0], module("time")[0], module("standard")[0]) for _ in range(5)]
        theirs, plain, recorded = (min(column) for column in zip(*rounds))
        unit, scale = "s", 1.0
    print(f"overhead   {100 * (plain / theirs - 1):+.1f} %   (program {scale * theirs:.4g}, catena.run {scale * plain:.4g} {unit})")
    print(f"recording  {100 * (recorded / plain - 1):+.1f} %   ({scale * recorded:.4g} {unit})")
    for n, every in ((100, 2), (100, 1), (1, 1)):
        default_record(n, every)
    seconds, arrays = view()
    print(f"view       {1e3 * seconds:.3f} ms for {' and '.join('x'.join(map(str, a.shape)) for a in arrays)} doubles")
    missed = ["overhead"] * (plain / theirs - 1 > 0.02) + ["view"] * (seconds >= 1e-3)
    if missed:
        sys.exit(f"above its bound: {' and '.join(missed)}")


if __name__ == "__main__":
    main()
