#!/usr/bin/env python3
"""check_licences.py ROOT: every library that scripts/setup installs, or npm for the page of reports, is listed on the page
of licences, tools of the tests and of the build apart; and where Debian's own copyright file is there, it knows the licence
that the page names."""

import json
import re
import sys
from pathlib import Path

NOT_LINKED = {"doctest-dev", "libbenchmark-dev"}
# Packages that only bring others in, which have the licence.
CONTENT = {"libboost-dev": "libboost1.74-dev"}
# What the page calls a licence, and Debian's copyright files.
NAMES = {"public domain": r"public[ -]domain", "BSL-1.0": r"BSL-1\.0",
         "Zlib": r"[Zz]lib", "MIT": r"Expat|MIT|X11", "BSD-3-Clause": r"BSD-3-[Cc]lause|Neither the name of", "MPL-2.0": r"MPL-2", "Apache-2.0": r"Apache-2\.0",
         "LGPL-2.1-or-later": r"LGPL-2\.1\+", "GPL-2.0-or-later": r"(?<!L)GPL-2\+",
         "PSF-2.0": r"PYTHON SOFTWARE FOUNDATION LICENSE VERSION 2"}


def main():
    root = Path(sys.argv[1]).resolve()
    setup = (root / "scripts/setup").read_text(encoding="utf-8")
    installed = " ".join(re.findall(r"^(?:packages|testing)=\((.*?)\)", setup, re.S | re.M)).split()
    linked = {p for p in installed if p.endswith("-dev")} - NOT_LINKED
    bundled = json.loads((root / "apps/page/package.json").read_text(encoding="utf-8"))["dependencies"]
    linked |= {f"npm: {p}" for p in bundled}
    page = (root / "docs/reference/licences.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in page.split("\n") if line.startswith("| `")]
    named = {row[4] for row in rows}
    wrong = [f"licences.md: does not name {p} of scripts/setup or apps/page" for p in sorted(linked - named)]
    wrong += [f"licences.md: {p} is not in scripts/setup or apps/page" for p in sorted(named - linked)]
    checked = 0
    for library, licence, _, _, package in rows:
        file = Path("/usr/share/doc") / CONTENT.get(package, package) / "copyright"
        if not file.exists():
            continue
        copyright_text = file.read_text(encoding="utf-8", errors="replace")
        for part in licence.split(" AND "):
            checked += 1
            if not re.search(NAMES[part], copyright_text):
                wrong.append(f"licences.md: {library}: {file} does not speak of {part}")
    print("\n".join(wrong) or f"{len(rows)} libraries, {checked} licences found in copyright files")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
