#!/usr/bin/env python3
"""missing.py PROGRAM=PACKAGE... -- COMMAND...: runs the command where all programs are installed.
missing.py python:MODULE,...=PACKAGE -- SCRIPT...: runs the script by a Python that has the modules.
missing.py --self-test: whether it skips, fails and runs where it should."""

import os
import shutil
import subprocess
import sys

SKIPPED = 77  # SKIP_RETURN_CODE of the tests


def missing_package(package):
    """Ends a test that cannot run without a package of Debian: skipped, and failed where CI is set."""
    in_ci = os.environ.get("CI", "").lower() not in ("", "0", "false")
    print(f"{'FAILED' if in_ci else 'skipped'}: needs {package}; on Debian and Ubuntu: scripts/setup installs it")
    sys.exit(1 if in_ci else SKIPPED)


def python_with(*modules):
    """A Python that has them, or None: several may be installed."""
    for python in (sys.executable, "/usr/bin/python3"):
        probe = [python, "-c", "import " + ", ".join(modules)]
        if os.access(python, os.X_OK) and subprocess.run(probe, capture_output=True, check=False).returncode == 0:
            return python
    return None


def self_test():
    ends = {}
    for ci in ("", "true"):
        for program in ("sh", "no-such-program", "python:sys,os", "python:no_such_module"):
            shell = [] if program.startswith("python:") else ["sh"]
            code = "import sys; sys.exit(3)" if not shell else "exit 3"
            command = [sys.executable, __file__, f"{program}=package", "--", *shell, "-c", code]
            done = subprocess.run(command, env={**os.environ, "CI": ci}, capture_output=True, text=True, check=False)
            ends[ci, program] = done.returncode
            if "no" in program and "needs package" not in done.stdout:
                sys.exit(f"the package is not named: {done.stdout}")
    wanted = {("", name): 3 if name in ("sh", "python:sys,os") else SKIPPED for _, name in ends}
    wanted |= {("true", name): 3 if name in ("sh", "python:sys,os") else 1 for _, name in ends}
    sys.exit(0 if ends == wanted else f"ended with {ends}, not {wanted}")


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    split = sys.argv.index("--")
    command = sys.argv[split + 1 :]
    for needed in sys.argv[1:split]:
        program, package = needed.split("=")
        if program.startswith("python:"):
            python = python_with(*program.removeprefix("python:").split(","))
            if not python:
                missing_package(package)
            command = [python, *command]
        elif not shutil.which(program):
            missing_package(package)
    sys.exit(subprocess.run(command, check=False).returncode)


if __name__ == "__main__":
    main()
