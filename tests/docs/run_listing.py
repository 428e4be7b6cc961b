#!/usr/bin/env python3
"""run_listing.py PROGRAM [EXPECTED]: runs a program from the documents; its output must be the file EXPECTED."""

import subprocess
import sys
import tempfile
from pathlib import Path

with tempfile.TemporaryDirectory() as folder:
    done = subprocess.run(
        [str(Path(sys.argv[1]).resolve())], cwd=folder, capture_output=True, text=True, check=False, timeout=280
    )
print(done.stdout, end="")
print(done.stderr, end="", file=sys.stderr)
if done.returncode != 0:
    sys.exit(f"exit code {done.returncode}")
if len(sys.argv) > 2:
    expected = Path(sys.argv[2]).read_text(encoding="utf-8")
    if done.stdout.rstrip() != expected.rstrip():
        sys.exit(f"the document says:\n{expected}")
