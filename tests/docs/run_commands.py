#!/usr/bin/env python3
"""run_commands.py ROOT CATENA LANGUAGE [WITHOUT...]: runs every `catena` line of the documents' shell listings, each document in
a fresh folder, and asks that it succeed or ends with the exit code that the document gives, and prints what the document
says. Listings that a comment before them calls `file NAME` are written to the folder as that file; so is the folder problems
of the tree. A scripts/NAME in a line must exist. LANGUAGE: `shell` passes over listings in other languages and lines
`python3 NAME`; `python` and `octave` take the documents that have some in that language, and run these in their place as
well. Where what runs them is missing the test is skipped by name, and where CI is set it fails. WITHOUT: what CATENA was
built without, hdf5 or ida: commands that name it, and the listings that read results.h5, are passed over."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from documents import documents, listings
from missing import missing_package, python_with

SHELL = ("", "sh", "bash", "shell", "console")


def commands(listing):
    """The lines of a listing, continued ones joined, prompts and comments dropped."""
    for line in listing.text.replace("\\\n", " ").split("\n"):
        line = line.removeprefix("$ ").strip()
        if line and not line.startswith("#"):
            yield line


def unsaid(listing, output):
    """The lines of the listing that are not in the output."""
    for line in listing.text.splitlines():
        if line.strip() in ("", "..."):
            continue
        pattern = r"\s*" + r".*".join(re.escape(part) for part in re.sub(r"\s+", " ", line.strip()).split("..."))
        if not any(re.fullmatch(pattern, re.sub(r"\s+", " ", said).strip()) for said in output.splitlines()):
            yield line


def interpreter(language):
    """The command that runs listings in the language. Ends the test where it is missing."""
    if language == "python":
        python = python_with("h5py", "matplotlib")
        needs, command = "python3-h5py and python3-matplotlib", [python] if python else None
    else:
        octave = shutil.which("octave-cli")
        needs, command = "octave", [octave, "--norc"] if octave else None
    if command is None:
        missing_package(needs)
    return command


def in_language(path, root, language):
    """Whether a document has listings in it that are run, or lines of the shell that need it."""
    for listing in listings(path, root):
        if listing.mark == "" and listing.language == language:
            return True
        if language == "python" and listing.language in SHELL:
            if any(line.startswith("python3 ") for line in commands(listing)):
                return True
    return False


def main():
    root, catena, language, *without = sys.argv[1:]
    root, catena = Path(root).resolve(), Path(catena).resolve()
    environment = {**os.environ, "PATH": f"{catena.parent}:{os.environ['PATH']}", "MPLBACKEND": "Agg"}
    scripts = {language: interpreter(language)} if language != "shell" else {}
    python = scripts["python"][0] if "python" in scripts else None
    left_out = re.compile("|".join(rf"\b{name}\b" for name in without)) if without else None
    run = failed = 0
    for path in documents(root):
        if scripts and not in_language(path, root, language):
            continue
        with tempfile.TemporaryDirectory() as folder:
            output = ""
            (Path(folder) / "problems").symlink_to(root / "problems")  # model files of the tree
            for listing in listings(path, root):
                if listing.mark.startswith("file "):
                    (Path(folder) / listing.mark.removeprefix("file ")).write_text(listing.text, encoding="utf-8")
                    continue
                if listing.mark == "says":
                    if output is None:  # of a listing that was passed over
                        continue
                    missing = list(unsaid(listing, output))
                    failed += bool(missing)
                    for line in missing:
                        print(f"{listing.where()}: the command did not print: {line}\n{output}")
                    continue
                scripted = scripts.get(listing.language) if listing.mark == "" else None
                if scripted:
                    (Path(folder) / "listing").write_text(listing.text, encoding="utf-8")
                    done = subprocess.run(
                        [*scripted, "listing"],
                        cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=900,
                    )
                    run += 1
                    print(f"{listing.where()}: a listing in {listing.language}")
                    output = done.stdout + done.stderr
                    if done.returncode != 0:
                        print(f"  exit code {done.returncode}\n{output}")
                        failed += 1
                    continue
                if listing.mark == "" and listing.language in ("python", "octave"):
                    output = None
                if listing.language not in SHELL or listing.mark in ("synopsis", "output"):
                    continue
                for line in commands(listing):
                    for script in re.findall(r"(?<![\w/.])scripts/[\w-]+", line):
                        if not os.access(root / script, os.X_OK):
                            print(f"{listing.where()}: {script} cannot be run")
                            failed += 1
                    if python and line.startswith("python3 "):
                        line = line.replace("python3", python, 1)
                    elif not re.match(r"catena(\s|$)", line):
                        output = None
                        continue
                    if left_out and left_out.search(line):
                        print(f"{listing.where()}: {line}  (left out of this build)")
                        continue
                    begin = time.monotonic()
                    done = subprocess.run(
                        ["bash", "-c", f"set -o pipefail; {line}"],
                        cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=900,
                    )
                    run += 1
                    print(f"{listing.where()}: {line}  [{time.monotonic() - begin:.1f} s]")
                    output = done.stdout + done.stderr
                    expected = int(listing.mark.removeprefix("exit ")) if listing.mark.startswith("exit ") else 0
                    if done.returncode != expected:
                        print(f"  exit code {done.returncode}\n{done.stdout}{done.stderr}")
                        failed += 1
    print(f"{run} commands run, {failed} failures")
    sys.exit(1 if failed or not run else 0)


if __name__ == "__main__":
    main()
