#!/usr/bin/env python3
"""check_words.py ROOT: no document uses a word that docs/reference/glossary.md replaces by one of the field's.
check_words.py ROOT FOLDER...: the same for names, comments and texts of the sources, builds and scripts in these folders of
    ROOT, and of single files, but for this one, which lists the words.
check_words.py --self-test: a document with each of these words is refused, one with their replacements is not.

Checked is prose: not listings, not code between backticks, not the addresses of links, and not the glossary itself.
"""

import re
import sys
import tempfile
from pathlib import Path

from documents import documents, prose

GLOSSARY = "docs/reference/glossary.md"
SUFFIXES = (".cpp", ".hpp", ".py", ".cmake", ".sh", "")  # without one: scripts
# word: what is said instead, a phrase of the glossary
WORDS = {
    r"loans?|lent": "workspace",
    r"room": "buffer, memory",
    r"tak(e|es|en|ing) on|took on": "attach",
    r"judg(e|es|ed|ing)": "assess",
    r"tells?|told|telling": "notify, report, name, say",
    r"audience": "listener",
    r"spar(e|es|ed|ing)": "save",
    r"surviv(e|es|ed|ing)": "remain",
    r"specks?": "minimum step",
    r"stands?|stood|standing": "is, is listed in",
    r"rounding(?! errors?\b)": "machine precision, roundoff, rounding error",
    r"blam(e|es|ed|ing)": "the cause is",
    r"go(es|ne|ing)? on|went on": "continue, resume",
}
PATTERNS = {word: re.compile(rf"\b(?:{word})\b", re.IGNORECASE) for word in WORDS}
CODE, ADDRESS, MATH = re.compile(r"(`+).+?\1"), re.compile(r"\]\([^)]*\)"), re.compile(r"\$.+?\$")


def found(path):
    """(line number, word, what to say) of every word that is replaced."""
    for number, line in prose(path):
        if line.startswith("    "):  # an indented listing
            continue
        for hidden in (CODE, MATH, ADDRESS):
            line = hidden.sub(" ", line)
        for word, pattern in PATTERNS.items():
            for match in pattern.finditer(line):
                yield number, match.group(0), WORDS[word]


def check(root):
    failures = 0
    for path in documents(root):
        name = path.relative_to(root).as_posix()
        if name == GLOSSARY:
            continue
        for number, word, instead in found(path):
            print(f'{name}:{number}: "{word}": say {instead}')
            failures += 1
    return failures


def sources(folder):
    """The sources in a folder; a file is itself."""
    if not folder.exists():
        sys.exit(f"{folder} is not there")
    if folder.is_file():
        return [folder]
    return sorted(p for p in folder.rglob("*") if p.is_file() and (p.suffix in SUFFIXES or p.name == "CMakeLists.txt"))


def check_sources(root, folders):
    """In names, words are joined by _ and hide the ends that a pattern looks for."""
    failures = 0
    for folder in folders:
        for path in sources(root / folder):
            if path.resolve() == Path(__file__).resolve():
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").split("\n"), 1):
                for word, pattern in PATTERNS.items():
                    for match in pattern.finditer(line.replace("_", " ")):
                        print(f'{path.relative_to(root).as_posix()}:{number}: "{match.group(0)}": say {WORDS[word]}')
                        failures += 1
    return failures


def self_test():
    bad = ("a loan of room", "it takes on", "is judged", "the user is told", "its audience", "a spare one", "It survives.",
           "a speck", "it stands open", "but for rounding", "who is to blame", "the run goes on to 3 s")
    good = ("attach a workspace", "a rounding error of 1e-16", "`take_on` and `judge`", "[here](told.md)", "outstanding",
            "    catena: the file stands there", "$room$")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for line in bad:
            (root / "README.md").write_text(line + "\n", encoding="utf-8")
            if check(root) == 0:
                sys.exit(f"not found: {line}")
        (root / "README.md").write_text("\n\n".join(good) + "\n", encoding="utf-8")
        if check(root) != 0:
            sys.exit("found where there is none")
        (root / "lib").mkdir()
        (root / "lib" / "a.hpp").write_text("void take_on(int room);  // is told\n", encoding="utf-8")
        if check_sources(root, ["lib"]) != 3:
            sys.exit("not found in a source")
        (root / "lib" / "b.py").write_text('"""Judges."""\n', encoding="utf-8")
        if check_sources(root, ["lib"]) != 4:
            sys.exit("not found in a script")
        for name in ("c", "c.sh", "c.cmake", "CMakeLists.txt"):
            (root / "lib" / name).write_text("# it survives\n", encoding="utf-8")
        if check_sources(root, ["lib"]) != 8 or check_sources(root, ["lib/c.sh"]) != 1:
            sys.exit("not found in a script without a suffix, of the shell or of a build")
    print("self-test: ok")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    root = Path(sys.argv[1]).resolve()
    failures = check_sources(root, sys.argv[2:]) if sys.argv[2:] else check(root)
    print(f"{failures} words to replace" if failures else "the field's words")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
