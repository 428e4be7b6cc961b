#!/usr/bin/env python3
"""python_module.py CATENA: what `import catena` costs beside the program.

  view       the time to make an array over 1e6 x 13 doubles of a run, without a copy
  overhead   catena.run against `catena run` of the same scenario without files: stepping, set-up and output as each reports
             them, and the time around the call of the first, in turns; minima

The final states are compared before anything is timed. PYTHONPATH leads to the module (build/release/python).
"""
import json
import subprocess
import sys
import time

import catena
import numpy as np

PROGRAM = sys.argv[1]
CASE = {"set": {"n": 100}, "stepper": "generalized_alpha", "step": 1e-3, "end": 2.0, "every": 2}


def program():
    """Seconds of the whole run, as the program reports them, and the final positions."""
    said = subprocess.run([PROGRAM, "run", "helix_chain", "--set", "n=100", "--stepper", "generalized_alpha", "--step", "1e-3",
                           "--end", "2", "--every", "2", "--json", "-"], capture_output=True, text=True, check=True).stdout
    report = json.loads(said)
    return report["wall_time_s"], np.array(report["positions"])


def module():
    """Seconds around catena.run, and the final positions."""
    start = time.perf_counter()
    sol = catena.run("helix_chain", **CASE)
    return time.perf_counter() - start, sol["bodies/position"][-1]


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


if __name__ == "__main__":
    assert np.array_equal(program()[1], module()[1]), "the two end in different states"
    times = [(program()[0], module()[0]) for _ in range(5)]
    theirs, ours = (min(column) for column in zip(*times))
    print(f"overhead   {100 * (ours / theirs - 1):+.1f} %   (program {theirs:.3f} s, catena.run {ours:.3f} s)")
    seconds, arrays = view()
    print(f"view       {1e3 * seconds:.3f} ms for {' and '.join('x'.join(map(str, a.shape)) for a in arrays)} doubles")
