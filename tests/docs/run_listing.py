#!/usr/bin/env python3
"""run_listing.py PROGRAM [EXPECTED [FILES]]: runs a program from the documents in a folder with a copy of FILES; its output must
be the file EXPECTED."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

with tempfile.TemporaryDirectory() as folder:
    if len(sys.argv) > 3:
        shutil.copytree(sys.argv[3], folder, dirs_exist_ok=True)
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
