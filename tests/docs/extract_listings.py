#!/usr/bin/env python3
"""extract_listings.py ROOT FOLDER: writes the C++ listings of the documents as sources into FOLDER.

Prints one line a listing for CMake: program NAME, or fragment NAME. A program with a listing of its output beside it
gets NAME.expected, one of pieces the folder NAME.files with the files of its document. Files that have not changed are left
alone.
"""

import re
import shutil
import sys
from pathlib import Path

from documents import documents, listings, program_of_pieces

CPP = ("cpp", "c++", "cxx", "C++")


def write(path, text):
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def flat(text):
    return re.sub(r"\s+", " ", text).strip()


def name_of(listing, number):
    return re.sub(r"\W+", "_", listing.document.removesuffix(".md")).lower() + f"_{number}"


def of_pieces(path, root, found, folder):
    """Writes the program of the pieces of a document."""
    name = re.sub(r"\W+", "_", path.relative_to(root).as_posix().removesuffix(".md")).lower()
    pieces = [listing for listing in found if listing.mark == "piece"]
    for listing in pieces:
        if listing.language not in CPP:
            raise ValueError(f"{listing.where()}: a piece is C++")
    write(folder / f"{name}.cpp", "".join(f'#line {listing.line} "{path}"\n{listing.text}' for listing in pieces))
    write(folder / f"{name}.expected", program_of_pieces(found)[1])
    files = folder / f"{name}.files"
    files.mkdir(exist_ok=True)
    for listing in found:
        if listing.mark.startswith("file "):
            write(files / listing.mark.removeprefix("file "), listing.text)
    return name


def extract(root, folder):
    folder.mkdir(parents=True, exist_ok=True)
    kept, report = set(), []
    for path in documents(root):
        before = None  # the last whole program
        found = listings(path, root)
        if any(listing.mark == "piece" for listing in found):
            name = of_pieces(path, root, found, folder)
            kept |= {f"{name}.cpp", f"{name}.expected", f"{name}.files"}
            report.append(f"program {name}")
            found = [listing for listing in found if listing.mark not in ("piece", "output")]
        for number, listing in enumerate(found, 1):
            name, place = name_of(listing, number), f'#line {listing.line} "{path}"\n'
            if listing.mark == "output":
                if before is None:
                    raise ValueError(f"{listing.where()}: output of no program")
                kept.add(f"{before}.expected")
                write(folder / f"{before}.expected", listing.text)
            mark = listing.mark.removeprefix("program of ")  # compiled here, and in that file too
            if mark != listing.mark or mark.startswith("part of "):
                file = root / mark.removeprefix("part of ")
                if not file.is_file() or flat(listing.text) not in flat(file.read_text(encoding="utf-8")):
                    raise ValueError(f"{listing.where()}: is not {listing.mark}")
                if mark.startswith("part of "):
                    continue
            if listing.language not in CPP:
                continue
            if listing.mark == "" or mark != listing.mark:
                before, kind, text = name, "program", place + listing.text
            elif listing.mark in ("statements", "declarations"):
                # Its own #include lines come first, outside of everything.
                lines = listing.text.split("\n")
                head = [line if line.startswith("#include") else "" for line in lines]
                body = [("" if line.startswith("#include") else line) for line in lines]
                opening = "void listing() {\n" if listing.mark == "statements" else ""
                closing = "}\n" if listing.mark == "statements" else ""
                kind, text = "fragment", place + "\n".join(head).rstrip() + "\n"
                text += f"namespace {name} {{\nusing namespace catena;\n{opening}{place}"
                text += "\n".join(body).rstrip() + f"\n{closing}}}  // namespace {name}\n"
            else:
                raise ValueError(f"{listing.where()}: unknown kind of listing: {listing.mark}")
            kept.add(f"{name}.cpp")
            write(folder / f"{name}.cpp", text)
            report.append(f"{kind} {name}")
    for file in folder.iterdir():
        if file.name not in kept:
            shutil.rmtree(file) if file.is_dir() else file.unlink()
    return report


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        print("\n".join(extract(Path(sys.argv[1]).resolve(), Path(sys.argv[2]))))
    except ValueError as error:
        sys.exit(f"error: {error}")
