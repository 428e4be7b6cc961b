#!/usr/bin/env python3
"""check_links.py ROOT: links, pictures and paths that the documents name lead to something in the tree.

Anchors are those that GitHub gives to headings. Addresses of other sites are not asked. Paths in `code` that begin
with a folder of the tree must exist (* and ** match). The index docs/README.md lists every page of docs.
"""

import re
import sys
import tempfile
import urllib.parse
from pathlib import Path

from documents import documents, prose

LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
REFERENCE = re.compile(r"^\s{0,3}\[[^\]]+\]:\s*(\S+)")
HTML = re.compile(r"<(?:img|a|source)\b[^>]*?\b(?:src|href|srcset)=\"([^\"]+)\"")
CODE = re.compile(r"`([^`]+)`")
TREE = re.compile(r"^(?:lib|solvers|problems|bench|tests|docs|apps|scripts|cmake|\.ci)/[\w./*+-]*$")


def slug(heading):
    text = re.sub(r"`|\*|<[^>]+>", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors(path):
    seen = {}
    for _, line in prose(path):
        heading = re.match(r"^#{1,6}\s+(.*?)\s*#*\s*$", line)
        if heading:
            name = slug(heading.group(1))
            seen[name] = seen.get(name, -1) + 1
            yield name if seen[name] == 0 else f"{name}-{seen[name]}"
        yield from re.findall(r"<a\s+(?:id|name)=\"([^\"]+)\"", line)


def targets(line):
    bare = CODE.sub("", line)
    for pattern in (LINK, HTML):
        yield from (match.group(1) for match in pattern.finditer(bare))
    reference = REFERENCE.match(bare)
    if reference:
        yield reference.group(1)


def broken(root, path):
    for number, line in prose(path):
        where = f"{path.relative_to(root)}:{number}"
        for target in targets(line):
            if re.match(r"[a-z][a-z0-9+.-]*:", target):
                if not re.match(r"(https?://[\w.-]+\.\w+|mailto:\S+@\S+)", target):
                    yield f"{where}: not an address: {target}"
                continue
            name, _, anchor = urllib.parse.unquote(target).partition("#")
            file = (path.parent / name).resolve() if name else path
            if not file.exists():
                yield f"{where}: leads nowhere: {target}"
            elif root not in [file, *file.parents]:
                yield f"{where}: leads out of the tree: {target}"
            elif anchor and file.suffix == ".md" and anchor not in set(anchors(file)):
                yield f"{where}: no such heading: {target}"
        for code in CODE.findall(line):
            if TREE.match(code) and not code.startswith("build/"):
                if not (any(root.glob(code.rstrip("/"))) if "*" in code else (root / code).exists()):
                    yield f"{where}: not in the tree: {code}"


def unlisted(root):
    """Pages that the index docs/README.md does not name."""
    index = root / "docs" / "README.md"
    if not index.exists():
        return
    named = {(index.parent / target.partition("#")[0]).resolve() for _, line in prose(index) for target in targets(line)}
    for path in documents(root):
        if index.parent in path.parents and path != index and path.resolve() not in named:
            yield f"docs/README.md: does not list {path.relative_to(root)}"


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        (root / "docs").mkdir()
        (root / "docs" / "b.md").write_text("# Two `words`, here\n## Same\n## Same\n")
        (root / "README.md").write_text(
            "[good](docs/b.md#two-words-here) [good](docs/b.md#same-1) ![no](docs/p.png) [no](docs/b.md#three)\n"
            "`docs/b.md` `docs/c.md` `docs/*.md` [no](../x) <img src=\"docs/q.png\"> [good](https://a.org/b)\n"
            "```sh\n[not a link](nowhere)\n```\n    \n[no](htps://a)\n"
        )
        found = sorted(text.rpartition(": ")[2] for text in broken(root, root / "README.md"))
        expected = sorted(["docs/p.png", "docs/b.md#three", "docs/c.md", "../x", "docs/q.png", "htps://a"])
        sys.exit(0 if found == expected else f"found {found}, expected {expected}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    tree = Path(sys.argv[1]).resolve()
    problems = [text for document in documents(tree) for text in broken(tree, document)]
    problems += unlisted(tree)
    print("\n".join(problems) or f"{len(documents(tree))} documents, every link leads somewhere")
    sys.exit(1 if problems else 0)
