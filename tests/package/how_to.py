#!/usr/bin/env python3
"""how_to.py PREFIX WORK: the project of docs/howto/use_from_cmake.md, word for word, on a catena installed at PREFIX."""

import subprocess
import sys
from pathlib import Path

root = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "tests" / "docs"))
from documents import listings  # noqa: E402

prefix, work = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
page = listings(root / "docs" / "howto" / "use_from_cmake.md", root)
work.mkdir(parents=True, exist_ok=True)
(work / "CMakeLists.txt").write_text(next(listing.text for listing in page if listing.language == "cmake"))
(work / "main.cpp").write_text(next(listing.text for listing in page if listing.language == "cpp"))
expected = next(listing.text for listing in page if listing.mark == "output")

build = work / "build"
# It asks for core and solvers: what the other components need is not looked for.
hidden = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in ("fmt", "yaml-cpp", "SerialHDF5", "Eigen3", "CLI11")]
options = ["-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_PREFIX_PATH={prefix}", *hidden]
subprocess.run(["cmake", "-S", work, "-B", build, *options], check=True)
subprocess.run(["cmake", "--build", build], check=True)
printed = subprocess.run([build / "swing"], check=True, capture_output=True, text=True).stdout
sys.exit(0 if printed == expected else f"the program prints\n{printed}and the page says\n{expected}")
