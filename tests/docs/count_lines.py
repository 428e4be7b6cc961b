#!/usr/bin/env python3
"""count_lines.py ROOT: the first listings of three pages are as short as they promise: a stepper in 20 lines, a joint in
12, the program of the README in 25.

Counted are the lines that hold more than a comment: of the class from its head to its closing brace, of a program all.
"""

import re
import sys
from pathlib import Path

from documents import listings

PROMISES = (
    ("docs/howto/add_a_stepper.md", "ProjectedEuler", 20),
    ("docs/howto/add_a_joint.md", "BeadOnWire", 12),
    ("README.md", None, 25),
)


def lines_of(text, name):
    lines = text.split("\n")
    if name:
        first = next(k for k, line in enumerate(lines) if re.match(rf"(class|struct) {name}\b", line))
        last = next(k for k in range(first, len(lines)) if lines[k].startswith("};"))
        lines = lines[first : last + 1]
    return sum(1 for line in lines if re.sub(r"//.*", "", line).strip())


def main():
    root = Path(sys.argv[1]).resolve()
    failed = False
    for document, name, limit in PROMISES:
        text = next(listing.text for listing in listings(root / document, root) if listing.language == "cpp")
        count = lines_of(text, name)
        print(f"{document}: {name or 'the program'} takes {count} lines of at most {limit}")
        failed = failed or count > limit or max(map(len, text.split("\n"))) > 120
    sys.exit(failed)


if __name__ == "__main__":
    main()
