#!/usr/bin/env python3
"""doxygen_filter.py FILE: the header as Doxygen is to read it, on stdout.

The sources explain themselves in // comments. Those before a declaration become ///, those behind a member ///<, the
one at the head of the file its page. Indented lines are formulas and listings: they stay as they are set.
"""
import re
import sys

TRAILING = re.compile(r"^(?P<code>.*?[;,{)\w])(?P<gap>\s+)// ?(?P<text>.*)$")
ALONE = re.compile(r"^(?P<indent>\s*)//(?P<text>.*)$")


def escaped(text):
    """Plain text: nothing in it is a command or a tag."""
    text = text.replace("\\", "\\\\").replace("@", "\\@").replace("&", "\\&").replace("<", "\\<").replace(">", "\\>")
    return text.replace("#", "\\#").replace("%", "\\%").replace('"', '\\"')


def block(lines, indent, opening):
    """The lines of one comment, without their slashes."""
    yield f"{indent}{opening}"
    verbatim = False
    for line in lines:
        listing = line.startswith("   ")
        if listing != verbatim and line.strip():
            yield f"{indent}/// " + ("@verbatim" if listing else "@endverbatim")
            verbatim = listing
        yield f"{indent}/// " + (line if verbatim else escaped(line.strip()))
    if verbatim:
        yield f"{indent}/// @endverbatim"


def filtered(lines):
    # Where a template is compiled says nothing to a reader, and Doxygen looks for a member of those types.
    lines = [line for line in lines if not line.startswith("extern template ")]
    k, head = 0, True
    while k < len(lines):
        line = lines[k]
        alone = ALONE.match(line)
        if alone:
            end = k
            while end < len(lines) and ALONE.match(lines[end]) and lines[end].startswith(alone["indent"] + "//"):
                end += 1
            texts = [ALONE.match(text)["text"] for text in lines[k:end]]
            follows = lines[end].strip() if end < len(lines) else ""
            if head:
                yield from block(texts, "", "/// @file")
            elif follows and not follows.startswith(("#", "}", "namespace", "public:", "private:", "protected:")):
                yield from block(texts, alone["indent"], "///")
            else:
                yield from lines[k:end]
            k = end
        else:
            trailing = TRAILING.match(line)
            if trailing and '"' not in line[: trailing.start("text")].replace('\\"', ""):
                texts, column = [trailing["text"]], line.index("//", len(trailing["code"]))
                # A comment that continues below, in the same column.
                while k + 1 < len(lines) and lines[k + 1].startswith(" " * column + "//"):
                    k += 1
                    texts.append(lines[k].strip().removeprefix("//").strip())
                member = re.search(r"[;,]\s*$|^\s*\w+$", trailing["code"]) and not line.lstrip().startswith("return")
                mark = "///< " if member else "// "
                yield trailing["code"] + trailing["gap"] + mark + escaped(" ".join(texts))
            else:
                yield line
            k += 1
        if line.strip():
            head = False


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as source:
        print("\n".join(filtered(source.read().split("\n"))))
