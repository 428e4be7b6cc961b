#!/usr/bin/env python3
"""kill.py CATENA COUNT: kills COUNT runs with signal 9 and reads what they leave with plain h5py.

A run is killed where its file has grown to a random part of what a whole run writes, so that a slow start or a busy
machine leaves the kills spread over the run; every fifth is killed in its first fifth of a second, wherever it is.

Every file must open, every dataset must end at the same instant, and what is there must be, bit for bit, what a run
without a break writes. The last run is resumed with `catena resume`, after which everything must be equal.
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import h5py
import numpy

ARGUMENTS = "helix_chain --set n=40 --step 0.001 --end 2 --format csv,hdf5".split()


def datasets(file):
    found = {}
    file.visititems(lambda name, item: found.__setitem__(name, item) if isinstance(item, h5py.Dataset) else None)
    return found


def grows(item):
    return item.attrs["axes"].startswith(b"instant")


def check(path, whole):
    """Instants in the file; raises AssertionError where they are not those of the whole run."""
    with h5py.File(path, "r") as file:
        found = datasets(file)
        assert set(found) == set(whole), set(found) ^ set(whole)
        count = len(found["time"])
        for name, item in found.items():
            if grows(item):
                assert item.shape[0] == count, f"{name} has {item.shape[0]} instants, time {count}"
                assert numpy.array_equal(item[()], whole[name][:count], equal_nan=True), f"{name} differs"
            elif name != "ended":
                assert numpy.array_equal(item[()], whole[name]), f"{name} differs"
        assert numpy.all(numpy.diff(found["time"][()]) > 0)
        return count, bool(found["ended"][()])


def wait_for_size(process, file, size):
    """Until the file of a running process has that many bytes, and a moment more: between two writes, or within one."""
    while process.poll() is None and not (file.exists() and file.stat().st_size >= size):
        time.sleep(0.001)
    time.sleep(random.uniform(0.0, 0.01))


def main():
    catena, kills = str(Path(sys.argv[1]).resolve()), int(sys.argv[2])
    random.seed(2024)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([catena, "run", *ARGUMENTS, "--output", folder / "whole"], check=True, capture_output=True)
        size = (folder / "whole" / "results.h5").stat().st_size
        with h5py.File(folder / "whole" / "results.h5", "r") as file:
            whole = {key: item[()] for key, item in datasets(file).items()}
        with_rows, counts = 0, set()
        for k in range(kills):
            parts = folder / f"run {k}"
            command = [catena, "run", *ARGUMENTS, "--output", parts, "--checkpoint", "0.05s"]
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if k % 5 == 0:
                time.sleep(random.uniform(0.0, 0.2))
            else:
                wait_for_size(process, parts / "results.h5", size * random.uniform(0.02, 0.98))
            process.send_signal(signal.SIGKILL)
            killed = process.wait() == -signal.SIGKILL
            if not (parts / "results.h5").exists():
                print(f"kill {k}: before the first instant")
                continue
            count, ended = check(parts / "results.h5", whole)
            assert not (killed and ended and count < len(whole["time"]))
            with_rows += count > 0
            counts.add(count)
            print(f"kill {k}: {count} instants")
            if k + 1 < kills:
                subprocess.run(["rm", "-r", parts], check=True)
        assert 2 * with_rows >= kills, "hardly a run came as far as its first rows: nothing is proven"
        # written as they come: what is left depends on the moment
        assert 5 * len(counts) >= kills, f"{kills} kills left only {len(counts)} different numbers of instants"
        if (parts / "run.json").exists():
            subprocess.run([catena, "resume", parts], check=True, capture_output=True)
            assert check(parts / "results.h5", whole) == (len(whole["time"]), True)
            for file in sorted((folder / "whole").glob("*.csv")):
                assert file.read_bytes() == (parts / file.name).read_bytes(), f"{file.name} differs"
            print("resumed: all files equal")


if __name__ == "__main__":
    if len(sys.argv) != 3 or not os.access(sys.argv[1], os.X_OK):
        sys.exit(__doc__)
    main()
