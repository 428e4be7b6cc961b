"""environment.py CATENA [SANITIZE]

What the program asks of the libraries that read the environment before main(): OpenBLAS has one thread, so that it starts
where the address space is limited, and memory comes in large pages. Values that the user has set stay.
"""
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

NAMES = ("OPENBLAS_NUM_THREADS", "GLIBC_TUNABLES")


def environment_of(program, **given):
    """The variables of a run in its course."""
    start = {k: v for k, v in os.environ.items() if k not in NAMES} | given
    run = subprocess.Popen([program, "run", "simple_pendulum", "--end", "1e9", "--json", "-"], env=start,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 20
        while True:
            pairs = Path(f"/proc/{run.pid}/environ").read_bytes().decode().split("\0")
            found = {name: p[len(name) + 1:] for p in pairs for name in NAMES if p.startswith(name + "=")}
            if len(found) == len(NAMES) or time.monotonic() > deadline:
                return found
            time.sleep(0.02)
    finally:
        run.kill()
        run.wait()


def main():
    program = sys.argv[1]
    own = {"OPENBLAS_NUM_THREADS": "1", "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}
    found = environment_of(program)
    assert found == own, found
    users = {"GLIBC_TUNABLES": "glibc.malloc.arena_max=2"}
    found = environment_of(program, **users)
    assert found == own | users, found
    users = {"OPENBLAS_NUM_THREADS": "2"}
    found = environment_of(program, **users)
    assert found == own | users, found
    if len(sys.argv) > 2:
        return  # sanitizers reserve more address space than that
    limit = 200_000 * 1024
    done = subprocess.run([program, "list", "backends"], capture_output=True, text=True, timeout=20, check=False,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
                          env={k: v for k, v in os.environ.items() if k not in NAMES})
    assert done.returncode == 0 and "ldl" in done.stdout, done


if __name__ == "__main__":
    main()
