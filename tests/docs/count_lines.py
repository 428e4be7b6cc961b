#!/usr/bin/env python3
"""count_lines.py ROOT: what is to be short is so: the first listings of three pages, a stepper in 20 lines, a joint in 12,
the program of the README in 25, that in Python in 15; and the C++ of the Python module in 2500.

Counted are the lines that hold more than a comment: of the class from its head to its closing brace, of a program all. Of
the module every line.
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
    text = next(listing.text for listing in listings(root / "README.md", root) if listing.language == "python")
    count = sum(1 for line in text.split("\n") if re.sub(r"#.*", "", line).strip())
    print(f"README.md: the program in Python takes {count} lines of at most 15")
    failed = failed or count > 15
    count = sum(len(file.read_text(encoding="utf-8").splitlines()) for file in (root / "python/src").iterdir())
    print(f"python/src: {count} lines of at most 2500")
    sys.exit(failed or count > 2500)


if __name__ == "__main__":
    main()
