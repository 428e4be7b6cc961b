#!/usr/bin/env python3
"""Checks who includes whom.

  check_includes.py ROOT              the folders of ROOT against the direction of includes below
  check_includes.py --self-test       shows that each kind of offence is caught

Rules:
  - a folder includes only what ALLOWED names, and itself;
  - library code includes <catena/...> only, in angle brackets, and only what exists;
  - TBB is seen by one file, which tells the thread sanitizer what TBB does;
  - no header includes itself by way of others, save a header and its second half (x.hpp and x_y.hpp);
  - no two headers have the same name, so that a name in a message or a search finds one file (NAMED_ALIKE: those
    that are still to be renamed);
  - a file *.isa.cpp reaches, through our headers, only standard headers that bring no inline functions
    which the linker could share with code for another processor.
"""
import pathlib
import re
import sys
import tempfile

CHAIN = ["assembly", "kkt", "stepper", "driver", "measure", "output", "experiment", "io", "cli"]
ARROWS = {"math": [], "sparse": ["math"], "model": ["math"], "system": ["sparse"], "assembly": ["system", "model"]}
ARROWS.update({later: [earlier] for earlier, later in zip(CHAIN, CHAIN[1:])})


def closure(layer):
    seen = set()
    for before in ARROWS[layer]:
        seen |= {before} | closure(before)
    return seen


ALLOWED = {layer: closure(layer) for layer in ARROWS}
ALLOWED["solvers"] = closure("stepper") | {"stepper"}
ALLOWED["problems"] = {"math", "model", "system"}
ALLOWED["studies"] = closure("experiment") | {"experiment", "solvers", "problems"}
# The list of all that comes with the library: what programs and the command line begin with.
ALLOWED["builtin"] = ALLOWED["studies"] | {"studies"}
ALLOWED["cli"] |= {"builtin"}
EVERYTHING = set(ALLOWED)
ALLOWED["apps"] = ALLOWED["bench"] = EVERYTHING
# A stepper is written for any system: it never sees a body.
for layer in ("stepper", "solvers"):
    ALLOWED[layer] -= {"model", "assembly"}
ALLOWED["driver"] = closure("driver")
# These know what a problem is, and none of the problems.
EXCEPTIONS = {layer: {"problems/problem.hpp"} for layer in ("experiment", "io", "cli")}

TBB_FILE = "lib/catena/math/parallel.cpp"

ISA_STANDARD = {"cassert", "cfloat", "climits", "cmath", "concepts", "cstddef", "cstdint", "cstdlib", "cstring",
                "immintrin.h", "limits", "type_traits"}

# Headers that still share a name. A folder may be dropped from an entry, never added.
NAMED_ALIKE = {
    "catalog.hpp": {"lib/catena/experiment", "problems", "solvers", "studies"},
    "discrete_action.hpp": {"solvers", "studies"},
    "element_groups.hpp": {"lib/catena/assembly", "tests/support"},
    "euler_angles.hpp": {"problems", "studies"},
    "knife_edge.hpp": {"lib/catena/model", "problems"},
    "lie_dae.hpp": {"solvers", "studies"},
    "parallel.hpp": {"lib/catena/math", "lib/catena/model/rows"},
    "rolling_disc.hpp": {"lib/catena/model", "problems"},
    "rotary_pendulum.hpp": {"problems", "studies"},
    "snakeboard.hpp": {"problems", "studies"},
}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)


def source_files(root):
    for top in ("lib/catena", "solvers", "problems", "studies", "apps", "bench"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix in (".hpp", ".cpp"):
                yield path.relative_to(root)


def layer_of(path):
    parts = path.parts
    if parts[0] != "lib":
        return parts[0]
    return parts[2] if len(parts) > 3 else "catena"


def resolve(name):
    """catena/kkt/x.hpp -> lib/catena/kkt/x.hpp, catena/solvers/x.hpp -> solvers/x.hpp"""
    parts = pathlib.PurePosixPath(name).parts
    if len(parts) > 2 and parts[1] in ("solvers", "problems", "studies"):
        return pathlib.Path(*parts[1:])
    return pathlib.Path("lib", name)


def check(root):
    errors = []
    includes = {path: INCLUDE.findall((root / path).read_text(encoding="utf-8")) for path in source_files(root)}
    graph = {path: [resolve(name) for _, name in found if name.startswith("catena/")]
             for path, found in includes.items()}

    for path, found in includes.items():
        layer = layer_of(path)
        if layer != "catena" and layer not in ALLOWED:
            errors.append(f"{path}: the folder {layer} is unknown to {pathlib.Path(__file__).name}")
            continue
        for bracket, name in found:
            if bracket == '"' and layer not in ("apps", "bench"):
                errors.append(f'{path}: "{name}" must be written <catena/...>')
            if name.startswith(("tbb/", "oneapi/tbb")) and path.as_posix() != TBB_FILE:
                errors.append(f"{path}: only {TBB_FILE} may see TBB (<{name}>)")
            if not name.startswith("catena/"):
                continue
            target = resolve(name)
            if not (root / target).exists():
                errors.append(f"{path}: <{name}> does not exist")
                continue
            seen = layer_of(target)
            if layer == "catena" or seen == layer:  # headers of the top level collect others for users
                continue
            if seen == "catena" and layer not in ("apps", "bench"):
                errors.append(f"{path}: <{name}> collects headers for users; include what is needed")
            elif seen not in ALLOWED[layer] and target.as_posix() not in EXCEPTIONS.get(layer, ()):
                errors.append(f"{path}: {layer} must not see {seen} (<{name}>)")

    errors += named_alike(root)
    errors += cycles(graph)
    errors += isa_errors(root, includes, graph)
    return errors


def named_alike(root):
    folders = {}
    for top in ("lib", "solvers", "problems", "studies", "apps", "bench", "tests"):
        for path in sorted((root / top).rglob("*.hpp")):
            folders.setdefault(path.name, []).append(path.parent.relative_to(root).as_posix())
    errors = []
    for name, found in folders.items():
        if len(found) > 1 and not set(found) <= NAMED_ALIKE.get(name, set()):
            errors.append(f"{name}: two headers of one name, in " + " and in ".join(found))
    return errors


def cycles(graph):
    errors, state = [], {}

    def visit(path, trail):
        state[path] = "open"
        for target in graph.get(path, []):
            if state.get(target) == "open":
                loop = trail[trail.index(target):] + [target]
                if len(loop) == 3 and loop[1].stem.startswith(loop[0].stem + "_"):
                    continue
                errors.append("include cycle: " + " -> ".join(map(str, loop)))
            elif target not in state:
                visit(target, trail + [target])
        state[path] = "done"

    for path in graph:
        if path not in state:
            visit(path, [path])
    return errors


def isa_errors(root, includes, graph):
    errors = []
    for start in (path for path in includes if path.name.endswith(".isa.cpp")):
        stack, seen = [[start]], {start}
        while stack:
            trail = stack.pop()
            for _, name in includes.get(trail[-1], []):
                if not name.startswith("catena/") and name not in ISA_STANDARD:
                    errors.append(f"{start}: reaches <{name}> through " + " -> ".join(map(str, trail)))
            for target in graph.get(trail[-1], []):
                if target not in seen:
                    seen.add(target)
                    stack.append(trail + [target])
    return errors


SELF_TESTS = [  # files, the words that one error must contain (None: no error)
    ({"lib/catena/math/a.hpp": "", "lib/catena/sparse/b.hpp": "#include <catena/math/a.hpp>\n"}, None),
    ({"lib/catena/model/a.hpp": "", "lib/catena/sparse/b.hpp": "#include <catena/model/a.hpp>\n"}, "sparse must not see model"),
    ({"lib/catena/output/a.hpp": "", "lib/catena/driver/b.cpp": "#  include <catena/output/a.hpp>\n"}, "driver must not see output"),
    ({"lib/catena/model/a.hpp": "", "solvers/b.hpp": "#include <catena/model/a.hpp>\n"}, "solvers must not see model"),
    ({"lib/catena/kkt/a.hpp": "", "problems/b.hpp": "#include <catena/kkt/a.hpp>\n"}, "problems must not see kkt"),
    ({"solvers/a.hpp": "", "lib/catena/cli/run.cpp": "#include <catena/solvers/a.hpp>\n"}, "cli must not see solvers"),
    ({"solvers/a.hpp": "", "lib/catena/builtin/b.cpp": "#include <catena/solvers/a.hpp>\n"}, None),
    ({"lib/catena/builtin/a.hpp": "", "lib/catena/cli/run.cpp": "#include <catena/builtin/a.hpp>\n"}, None),
    ({"lib/catena/io/a.hpp": "", "lib/catena/builtin/b.cpp": "#include <catena/io/a.hpp>\n"}, "builtin must not see io"),
    ({"lib/catena/builtin/a.hpp": "", "lib/catena/experiment/b.cpp": "#include <catena/builtin/a.hpp>\n"}, "experiment must not see builtin"),
    ({"problems/catalog.hpp": "", "lib/catena/io/run.cpp": "#include <catena/problems/catalog.hpp>\n"}, "io must not see problems"),
    ({"solvers/a.hpp": "", "lib/catena/output/b.hpp": "", "studies/c.cpp": "#include <catena/solvers/a.hpp>\n#include <catena/output/b.hpp>\n"}, None),
    ({"studies/a.hpp": "", "lib/catena/output/b.hpp": "#include <catena/studies/a.hpp>\n"}, "output must not see studies"),
    ({"lib/catena/cli/a.hpp": "", "studies/c.cpp": "#include <catena/cli/a.hpp>\n"}, "studies must not see cli"),
    ({"lib/catena/math/a.hpp": "#include <catena/math/a_b.hpp>\n", "lib/catena/math/a_b.hpp": "#include <catena/math/a.hpp>\n"}, None),
    ({"lib/catena/math/a.hpp": "", "lib/catena/math/b.hpp": '#include "a.hpp"\n'}, "must be written"),
    ({"lib/catena/math/b.hpp": "#include <catena/math/gone.hpp>\n"}, "does not exist"),
    ({"lib/catena/kkt/b.cpp": "#include <tbb/task_group.h>\n"}, "may see TBB"),
    ({"lib/catena/magic/b.hpp": ""}, "unknown"),
    ({"lib/catena/math/a.hpp": "#include <catena/math/b.hpp>\n", "lib/catena/math/b.hpp": "#include <catena/math/a.hpp>\n"}, "cycle"),
    ({"lib/catena/math/a.hpp": "#include <vector>\n", "lib/catena/kkt/b.isa.cpp": "#include <catena/math/a.hpp>\n"}, "reaches <vector>"),
    ({"lib/catena/math/a.hpp": "#include <cmath>\n", "lib/catena/kkt/b.isa.cpp": "#include <catena/math/a.hpp>\n"}, None),
    ({"lib/catena/kkt/b.isa.cpp": "#include <Eigen/Core>\n"}, "reaches <Eigen/Core>"),
    ({"lib/catena/math/a.hpp": "", "lib/catena/math/detail/a.hpp": ""}, "two headers of one name"),
    ({"lib/catena/math/a.hpp": "", "tests/support/a.hpp": ""}, "two headers of one name"),
    ({"solvers/lie_dae.hpp": "", "studies/lie_dae.hpp": ""}, None),
    ({"solvers/lie_dae.hpp": "", "problems/lie_dae.hpp": ""}, "two headers of one name"),
    ({"lib/catena/math/a.hpp": "", "lib/catena/math/a.cpp": ""}, None),
]


def self_test():
    failures = 0
    for files, expected in SELF_TESTS:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            errors = check(root)
        good = not errors if expected is None else any(expected in e for e in errors)
        if not good:
            failures += 1
            print(f"expected {expected!r}, got {errors} for {files}")
    print(f"{len(SELF_TESTS) - failures} of {len(SELF_TESTS)} cases as expected")
    return failures


def main():
    if sys.argv[1:] == ["--self-test"]:
        return 1 if self_test() else 0
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    root = pathlib.Path(sys.argv[1]).resolve()
    errors = check(root)
    for error in errors:
        print(error)
    print(f"{len(list(source_files(root)))} files, {len(errors)} offences")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
