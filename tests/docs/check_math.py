#!/usr/bin/env python3
"""check_math.py ROOT: formulas between $ and $$ are read alike by GitHub and by pandoc (scripts/site).
check_math.py --self-test: formulas that one of them would show otherwise are refused.

GitHub reads a document as Markdown before it looks for formulas: it drops a backslash before punctuation, takes
<x for a tag, and * for emphasis.
"""

import re
import sys
import tempfile
from pathlib import Path

from documents import documents, prose

CODE = re.compile(r"(`+).+?\1")
FORMULA = re.compile(r"\$\$(.+?)\$\$|\$(?=\S)([^$\n]+?)(?<=\S)\$(?!\d)", re.S)
REFUSED = (
    (re.compile(r"\\\\"), r"end a line of a matrix with \cr"),
    (re.compile(r"\\[,;:!>{}|_#%&]"), r"GitHub drops the backslash: leave a space, write \lVert, \lbrace, \text{...}"),
    (re.compile(r"\*"), r"write \ast"),
    (re.compile(r"\S<\S"), "put spaces around <"),
    (re.compile(r"[^\x00-\x7f]"), "write Greek letters and signs as commands"),
)


def found(path):
    """(line number, formula, what is wrong)"""
    lines = dict(prose(path))
    text = "\n".join(CODE.sub("", lines.get(n, "")) for n in range(1, max(lines, default=0) + 1))
    for match in FORMULA.finditer(text):
        formula = match.group(1) or match.group(2)
        for pattern, advice in REFUSED:
            if pattern.search(re.sub(r"\\text\{[^}]*\}", "", formula)):
                yield text.count("\n", 0, match.start()) + 1, formula.strip(), advice
        before, after = text[: match.start()][-1:], text[match.end() :][:1]
        if before.isalnum() or before == "-" or after.isalnum():
            yield text.count("\n", 0, match.start()) + 1, formula.strip(), "no letter, digit or hyphen may touch it"
    rest = FORMULA.sub("", text)
    if "$" in rest:
        yield 1, rest[max(rest.find("$") - 30, 0) :].strip(), "no partner: in code, put the dollar sign between backticks"


def check(root):
    failures = 0
    for path in documents(root):
        for number, formula, advice in found(path):
            print(f"{path.relative_to(root).as_posix()}:{number}: ${formula[:60]}$: {advice}")
            failures += 1
    return failures


def self_test():
    bad = (r"$a \\ b$", r"$h\,v$", r"$e^*$", r"$\sum_{j<i}$", "$α$", "the $x$s", "a $cost", "$$\na\\\\\nb\n$$")
    good = (r"$a \cr b$ and $j < i$", r"`$\,$`", "$$\na\\cr\nb^\\ast\n$$", "```\n$a\\\\b$\n```")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for text in bad:
            (root / "README.md").write_text(text + "\n", encoding="utf-8")
            if check(root) == 0:
                sys.exit(f"not found: {text}")
        (root / "README.md").write_text("\n\n".join(good) + "\n", encoding="utf-8")
        if check(root) != 0:
            sys.exit("found where there is none")
    print("self-test: ok")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    failures = check(Path(sys.argv[1]).resolve())
    print(f"{failures} formulas to correct" if failures else "all formulas are read alike")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
