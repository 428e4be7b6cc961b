#!/usr/bin/env python3
"""run_commands.py ROOT CATENA: runs every `catena` line of the documents' shell listings, each document in a fresh
folder, and asks that it succeed. Other lines are not run, but a scripts/NAME in them must exist."""

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from documents import documents, listings

SHELL = ("", "sh", "bash", "shell", "console")


def commands(listing):
    """The lines of a listing, continued ones joined, prompts and comments dropped."""
    for line in listing.text.replace("\\\n", " ").split("\n"):
        line = line.removeprefix("$ ").strip()
        if line and not line.startswith("#"):
            yield line


def main():
    root, catena = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    environment = {**os.environ, "PATH": f"{catena.parent}:{os.environ['PATH']}"}
    run = failed = 0
    for path in documents(root):
        with tempfile.TemporaryDirectory() as folder:
            for listing in listings(path, root):
                if listing.language not in SHELL or listing.mark in ("synopsis", "output"):
                    continue
                for line in commands(listing):
                    for script in re.findall(r"(?<![\w/.])scripts/[\w-]+", line):
                        if not os.access(root / script, os.X_OK):
                            print(f"{listing.where()}: {script} cannot be run")
                            failed += 1
                    if not re.match(r"catena(\s|$)", line):
                        continue
                    begin = time.monotonic()
                    done = subprocess.run(
                        ["bash", "-c", f"set -o pipefail; {line}"],
                        cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=250,
                    )
                    run += 1
                    print(f"{listing.where()}: {line}  [{time.monotonic() - begin:.1f} s]")
                    if done.returncode != 0:
                        print(f"  exit code {done.returncode}\n{done.stdout}{done.stderr}")
                        failed += 1
    print(f"{run} commands run, {failed} failures")
    sys.exit(1 if failed or not run else 0)


if __name__ == "__main__":
    main()
