#!/usr/bin/env python3
"""missing.py PROGRAM=PACKAGE... -- COMMAND...: runs the command where all programs are installed.
missing.py --self-test: whether it skips, fails and runs where it should."""

import os
import shutil
import subprocess
import sys

SKIPPED = 77  # SKIP_RETURN_CODE of the tests


def missing_package(package):
    """Ends a test that cannot run without a package of Debian: skipped, and failed where CI is set."""
    in_ci = os.environ.get("CI", "").lower() not in ("", "0", "false")
    print(f"{'FAILED' if in_ci else 'skipped'}: needs {package}; on Debian and Ubuntu: scripts/setup --ci installs it")
    sys.exit(1 if in_ci else SKIPPED)


def self_test():
    ends = {}
    for ci in ("", "true"):
        for program in ("sh", "no-such-program"):
            command = [sys.executable, __file__, f"{program}=package", "--", "sh", "-c", "exit 3"]
            done = subprocess.run(command, env={**os.environ, "CI": ci}, capture_output=True, text=True, check=False)
            ends[ci, program] = done.returncode
            if program != "sh" and "needs package" not in done.stdout:
                sys.exit(f"the package is not named: {done.stdout}")
    wanted = {("", "sh"): 3, ("true", "sh"): 3, ("", "no-such-program"): SKIPPED, ("true", "no-such-program"): 1}
    sys.exit(0 if ends == wanted else f"ended with {ends}, not {wanted}")


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    split = sys.argv.index("--")
    for needed in sys.argv[1:split]:
        program, package = needed.split("=")
        if not shutil.which(program):
            missing_package(package)
    sys.exit(subprocess.run(sys.argv[split + 1 :], check=False).returncode)


if __name__ == "__main__":
    main()
