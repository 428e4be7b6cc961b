"""The Markdown documents of the tree: README.md, CHANGELOG.md, docs/**/*.md, cut into their listings.

An HTML comment on the line before a listing says what it is:

    <!-- listing: part of PATH -->      these lines are in that file of the tree
    <!-- listing: program of PATH -->   a whole program, compiled and run, which is in that file too
    <!-- listing: statements -->        compiled inside a function, after the listings of the same document
    <!-- listing: declarations -->      compiled outside of functions
    <!-- listing: piece -->             a part of the C++ program of a document: all of them in their order are one program,
                                        compiled and run
    <!-- listing: output -->            what the C++ program before it prints; of pieces, what they print up to there
    <!-- listing: synopsis -->          commands with gaps for the reader to fill: not run
    <!-- listing: exit N -->            commands that end with the exit code N
    <!-- listing: file NAME -->         a file that the commands after it find in their folder
    <!-- listing: module -->            a part of a program of Python that imports catena: tests/python runs those of a document
                                        in their order, as one program
    <!-- listing: module shows -->      such a part, whose last line is an expression that a notebook displays
    <!-- listing: module says -->       what the part before it prints
    <!-- listing: both say -->          what the pieces and the part of the module before it print
    <!-- listing: says -->              lines that the last command printed, on either stream; ... matches anything

Without a comment a cpp listing is a whole program, compiled and run, and of a sh listing or an indented one every
line that begins with `catena` is run.
"""

import re
from dataclasses import dataclass

FENCE = re.compile(r"^(`{3,}|~{3,})\s*([\w+-]*)\s*$")
MARK = re.compile(r"^<!--\s*listing:\s*(.*?)\s*-->\s*$")


@dataclass
class Listing:
    document: str  # path relative to the root
    line: int  # of its first line, from 1
    language: str  # of the fence; "" for an indented listing
    mark: str  # of the comment before it, or ""
    text: str

    def where(self):
        return f"{self.document}:{self.line}"


def documents(root):
    found = [root / name for name in ("README.md", "CHANGELOG.md") if (root / name).exists()]
    return found + sorted((root / "docs").rglob("*.md"))


def listings(path, root):
    """All listings of a document in their order."""
    name = path.relative_to(root).as_posix()
    lines = path.read_text(encoding="utf-8").split("\n")
    found, mark, k = [], "", 0
    while k < len(lines):
        fence, marked = FENCE.match(lines[k]), MARK.match(lines[k])
        if marked:
            mark = marked.group(1)
        elif fence:
            end = next((m for m in range(k + 1, len(lines)) if lines[m].strip() == fence.group(1)), None)
            if end is None:
                raise ValueError(f"{name}:{k + 1}: a listing without an end")
            found.append(Listing(name, k + 2, fence.group(2), mark, "\n".join(lines[k + 1 : end]) + "\n"))
            mark, k = "", end
        elif lines[k].startswith("    ") and (k == 0 or not lines[k - 1].strip() or MARK.match(lines[k - 1])):
            end = k
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            text = "\n".join(line[4:] for line in lines[k:end]).rstrip() + "\n"
            found.append(Listing(name, k + 1, "", mark, text))
            mark, k = "", end - 1
        elif lines[k].strip():
            if mark:
                raise ValueError(f"{name}:{k + 1}: a listing is announced, but none follows")
        k += 1
    return found


def program_of_pieces(found):
    """The C++ program that the pieces of a document are, and what it prints; two empty texts where there are none."""
    pieces = "".join(listing.text for listing in found if listing.mark == "piece")
    says = "".join(listing.text for listing in found if listing.mark in ("output", "both say")) if pieces else ""
    return pieces, says


def modules(found):
    """The parts of the Python program of a document, each with what it prints or None; C++ may be between the two."""
    for k, listing in enumerate(found):
        if listing.mark in ("module", "module shows"):
            behind = next((other for other in found[k + 1 :] if other.mark != "piece"), None)
            yield listing, behind.text if behind is not None and behind.mark in ("module says", "both say") else None


def prose(path):
    """(line number, text) of what is outside of fenced listings."""
    inside = None
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        fence = FENCE.match(line)
        if inside is None and fence:
            inside = fence.group(1)
        elif inside is not None:
            if line.strip() == inside:
                inside = None
        else:
            yield number, line
