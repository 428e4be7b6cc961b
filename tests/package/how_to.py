#!/usr/bin/env python3
"""how_to.py PREFIX WORK: what the pages have a user build, word for word, on a catena installed at PREFIX: the project
of docs/howto/use_from_cmake.md, and that of the tutorial, which grows by a program a page."""

import subprocess
import sys
from pathlib import Path

root = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "tests" / "docs"))
from documents import listings, program_of_pieces  # noqa: E402

# Of each project: its pages, the program of each and the file that the page puts it into.
PROJECTS = {
    "how-to": [("howto/use_from_cmake.md", "swing", "main.cpp")],
    "tutorial": [
        ("tutorial/1_first_chain.md", "first_chain", "first_chain.cpp"),
        ("tutorial/2_own_joint.md", "own_joint", "own_joint.cpp"),
        ("tutorial/3_own_stepper.md", "own_stepper", "own_stepper.cpp"),
    ],
    "file": [("tutorial/4_file_to_plot.md", "swing", "swing.cpp")],
    "sweep": [("howto/run_a_sweep.md", "sweep", "main.cpp")],
}
# What the components that they do not ask for need is not looked for.
HIDDEN = {
    "how-to": ("fmt", "LibYAML", "SerialHDF5", "Eigen3", "CLI11"),
    "tutorial": ("fmt", "LibYAML", "SerialHDF5", "Eigen3", "CLI11"),
    "file": (),
    "sweep": ("LibYAML", "Eigen3", "CLI11"),
}

prefix, work = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
failures = []
for project, pages in PROJECTS.items():
    folder = work / project
    folder.mkdir(parents=True, exist_ok=True)
    cmake, expected = "", {}
    for page, program, source in pages:
        found = listings(root / "docs" / page, root)
        cmake += next(listing.text for listing in found if listing.language == "cmake")
        pieces, says = program_of_pieces(found)
        (folder / source).write_text(pieces or next(listing.text for listing in found if listing.language == "cpp"))
        expected[program] = (page, says or next(listing.text for listing in found if listing.mark == "output"))
        for listing in found:
            if listing.mark.startswith("file "):
                (folder / listing.mark.removeprefix("file ")).write_text(listing.text)
    (folder / "CMakeLists.txt").write_text(cmake)
    build = folder / "build"
    hidden = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in HIDDEN[project]]
    options = ["-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_PREFIX_PATH={prefix}", *hidden]
    subprocess.run(["cmake", "-S", folder, "-B", build, *options], check=True)
    subprocess.run(["cmake", "--build", build, "--parallel", "2"], check=True)
    for program, (page, text) in expected.items():
        printed = subprocess.run([build / program], check=True, capture_output=True, text=True, cwd=folder).stdout
        if printed != text:
            failures.append(f"{page}: the program prints\n{printed}and the page says\n{text}")
sys.exit("\n".join(failures) or 0)
