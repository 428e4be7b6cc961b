#!/usr/bin/env python3
"""check_isa_objects.py NM OBJECT...

An object compiled for AVX2 or AVX-512 may define a symbol that the linker shares between objects (weak,
unique, common) only inside the namespace of that instruction set (of catena, catena::detail, catena::rows). Any other
one, an inline function of the standard library say, could replace the baseline copy and stop an older
processor with SIGILL.
"""
import re
import subprocess
import sys

SHARED = re.compile(r"^\S*\s*([VWuC])\s+(.*)$")


def offences(nm, path, instruction_set):
    output = subprocess.run([nm, "-C", "--defined-only", path], check=True, capture_output=True, text=True).stdout
    for line in output.splitlines():
        found = SHARED.match(line)
        if found and not re.search(rf"catena::(\w+::)*{instruction_set}::", found.group(2)):
            yield f"{path}: shared symbol outside catena::{instruction_set}: {found.group(2)}"


def main():
    nm, *objects = sys.argv[1:]
    errors, checked = [], 0
    for path in objects:
        found = re.search(r"_isa_(avx2|avx512)_\w+\.dir/", path)
        if found:
            checked += 1
            errors += offences(nm, path, found.group(1))
    for error in errors:
        print(error)
    print(f"{checked} objects, {len(errors)} offences")
    # An object that no pattern knows is not checked.
    unknown = len([path for path in objects if "_isa_base_" not in path]) - checked
    return 1 if errors or unknown else 0


if __name__ == "__main__":
    sys.exit(main())
