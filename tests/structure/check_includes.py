#!/usr/bin/env python3
"""Checks who includes whom.

  check_includes.py ROOT              the folders of ROOT against the direction of includes below
  check_includes.py --self-test       shows that each kind of offence is caught

Rules:
  - a folder includes only what ALLOWED names, and itself;
  - library code includes <catena/...> only, in angle brackets, and only what exists;
  - TBB is seen by one file, which describes to the thread sanitizer what TBB does;
  - no header includes itself by way of others, save a header and its second half (x.hpp and x_y.hpp);
  - no two headers have the same name, so that a name in a message or a search finds one file;
  - a header is public by the list PUBLIC, a part of a public header (parts/), or internal (detail/); listings of the
    documents include public ones alone;
  - a file *.isa.cpp reaches, through our headers, only standard headers that bring no inline functions
    which the linker could share with code for another processor.
"""
import pathlib
import re
import sys
import tempfile

CHAIN = ["assembly", "kkt", "stepper", "driver", "measure", "linear", "output", "experiment", "study", "io", "cli"]
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
ALLOWED["cli"] |= {"builtin", "studies"}  # the audit is a command
EVERYTHING = set(ALLOWED)
ALLOWED["apps"] = ALLOWED["bench"] = ALLOWED["python"] = EVERYTHING
# A stepper is written for any system: it never sees a body.
for layer in ("stepper", "solvers"):
    ALLOWED[layer] -= {"model", "assembly"}
ALLOWED["driver"] = closure("driver")
# These know what a problem is, and none of the problems.
EXCEPTIONS = {layer: {"problems/problem.hpp"} for layer in ("experiment", "study", "io", "cli")}

TBB_FILE = "lib/catena/math/threads.cpp"

ISA_STANDARD = {"cassert", "cfloat", "climits", "cmath", "concepts", "cstddef", "cstdint", "cstdlib", "cstring",
                "immintrin.h", "limits", "type_traits"}

# The headers that users include, at most 47. All others lie in a folder parts/ (what a public header hands out: types and
# functions of namespace catena, documented), in a folder detail/ (internal), or in a folder of COLLECTED: a public
# header includes all that lies there.
PUBLIC = {
    "lib/catena/measure/joint_values.hpp",
    "lib/catena/assembly/multibody_system.hpp",
    "lib/catena/assembly/quaternion_system.hpp",
    "lib/catena/builtin/builtin.hpp",
    "lib/catena/catena.hpp",
    "lib/catena/cli/cli.hpp",
    "lib/catena/driver/checkpoint.hpp",
    "lib/catena/driver/run.hpp",
    "lib/catena/driver/sink.hpp",
    "lib/catena/eigen.hpp",
    "lib/catena/experiment/catalog.hpp",
    "lib/catena/experiment/experiment.hpp",
    "lib/catena/experiment/scenario.hpp",
    "lib/catena/io/read_model.hpp",
    "lib/catena/kkt/consistent.hpp",
    "lib/catena/kkt/derivative_check.hpp",
    "lib/catena/kkt/kkt_solver.hpp",
    "lib/catena/linear/linear_analysis.hpp",
    "lib/catena/math/option.hpp",
    "lib/catena/math/rotation.hpp",
    "lib/catena/math/small.hpp",
    "lib/catena/measure/measurements.hpp",
    "lib/catena/measure/quantity.hpp",
    "lib/catena/model/body.hpp",
    "lib/catena/model/constraint.hpp",
    "lib/catena/model/element_listing.hpp",
    "lib/catena/model/force.hpp",
    "lib/catena/model/forces.hpp",
    "lib/catena/model/joints.hpp",
    "lib/catena/model/marker.hpp",
    "lib/catena/model/model.hpp",
    "lib/catena/model/rows.hpp",
    "lib/catena/sparse/backends/backends.hpp",
    "lib/catena/sparse/linear_solver.hpp",
    "lib/catena/stepper/explicit/explicit_stepper.hpp",
    "lib/catena/stepper/implicit/implicit_stepper.hpp",
    "lib/catena/stepper/simple_stepper.hpp",
    "lib/catena/stepper/stepper.hpp",
    "lib/catena/study/ensemble.hpp",
    "lib/catena/study/sweep.hpp",
    "lib/catena/system/coordinate_system.hpp",
    "lib/catena/system/status.hpp",
    "lib/catena/system/system.hpp",
    "problems/problem.hpp",
    "problems/problems.hpp",
    "solvers/steppers.hpp",
    "studies/audit.hpp",
}
LARGEST_PUBLIC = 47
COLLECTED = {"lib/catena/model/rows": "lib/catena/model/rows.hpp", "solvers": "solvers/steppers.hpp",
             "problems": "problems/problems.hpp"}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)


def source_files(root):
    for top in ("lib/catena", "solvers", "problems", "studies", "apps", "bench", "python"):
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
            if bracket == '"' and layer not in ("apps", "bench", "python"):
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
            if seen == "catena" and layer not in ("apps", "bench", "python"):
                errors.append(f"{path}: <{name}> collects headers for users; include what is needed")
            elif seen not in ALLOWED[layer] and target.as_posix() not in EXCEPTIONS.get(layer, ()):
                errors.append(f"{path}: {layer} must not see {seen} (<{name}>)")

    errors += named_alike(root)
    errors += public_errors(graph)
    errors += documents_errors(root)
    errors += cycles(graph)
    errors += isa_errors(root, includes, graph)
    return errors


def public_errors(graph):
    public = {path for path in graph if path.as_posix() in PUBLIC}
    if pathlib.Path("lib/catena/catena.hpp") not in public:  # a small tree of the self-test
        return []
    errors = [f"{name}: in the list of public headers, but not there"
              for name in sorted(PUBLIC - {path.as_posix() for path in public})]
    if len(PUBLIC) > LARGEST_PUBLIC:
        errors.append(f"{len(PUBLIC)} public headers, where {LARGEST_PUBLIC} are allowed")
    reached = set()

    def reach(path):
        if path not in reached:
            reached.add(path)
            for target in graph.get(path, []):
                reach(target)

    for path in public:
        reach(path)
    for path in sorted(graph):
        folder = path.parent.as_posix()
        if path.suffix != ".hpp" or path in public or path.parts[0] in ("apps", "bench", "python") or "detail" in path.parts:
            continue
        if "parts" in path.parts:
            if path not in reached:
                errors.append(f"{path}: no public header hands it out; move it to detail/")
        elif folder not in COLLECTED:
            errors.append(f"{path}: neither public nor in parts/ or detail/")
        elif path not in reached and path.stem != "ida":  # without SUNDIALS there is no ida
            errors.append(f"{path}: {COLLECTED[folder]} does not include it")
    return errors


def documents_errors(root):
    """What users are shown includes public headers alone."""
    if not (root / "lib/catena/catena.hpp").exists():  # a small tree of the self-test
        return []
    public = {name.removeprefix("lib/") if name.startswith("lib/") else "catena/" + name for name in PUBLIC}
    errors = []
    for path in [root / "README.md", *sorted(root.glob("docs/**/*.md")), *sorted(root.glob("tests/consumer/*.cpp"))]:
        if path.exists():
            for _, name in INCLUDE.findall(path.read_text(encoding="utf-8")):
                if name.startswith("catena/") and name not in public:
                    errors.append(f"{path.relative_to(root)}: <{name}> is not a public header")
    return errors


def named_alike(root):
    folders = {}
    for top in ("lib", "solvers", "problems", "studies", "apps", "bench", "tests"):
        for path in sorted((root / top).rglob("*.hpp")):
            folders.setdefault(path.name, []).append(path.parent.relative_to(root).as_posix())
    errors = []
    for name, found in folders.items():
        if len(found) > 1:
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
    ({"problems/problems.hpp": "", "lib/catena/io/run.cpp": "#include <catena/problems/problems.hpp>\n"}, "io must not see problems"),
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
    ({"solvers/lie_dae.hpp": "", "studies/lie_dae.hpp": ""}, "two headers of one name"),
    ({name: "" for name in PUBLIC}, None),
    ({name: "" for name in PUBLIC if not name.endswith("math/small.hpp")}, "in the list of public headers, but not there"),
    ({**{name: "" for name in PUBLIC}, "lib/catena/math/a.hpp": ""}, "neither public nor in parts/ or detail/"),
    ({**{name: "" for name in PUBLIC}, "lib/catena/math/detail/a.hpp": ""}, None),
    ({**{name: "" for name in PUBLIC}, "lib/catena/math/parts/a.hpp": ""}, "no public header hands it out"),
    ({**{name: "" for name in PUBLIC}, "lib/catena/math/parts/a.hpp": "",
      "lib/catena/math/small.hpp": "#include <catena/math/parts/a.hpp>\n"}, None),
    ({**{name: "" for name in PUBLIC}, "docs/a.md": "#include <catena/catena.hpp>\n"}, None),
    ({**{name: "" for name in PUBLIC}, "docs/a.md": "#include <catena/model/parts/ids.hpp>\n"}, "is not a public header"),
    ({**{name: "" for name in PUBLIC}, "solvers/a.hpp": ""}, "solvers/steppers.hpp does not include it"),
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
