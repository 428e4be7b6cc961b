#!/usr/bin/env python3
"""tidy_test.py TIDY: what .ci/tidy says and how it ends, with a clang-tidy that finds "BAD" and takes its time at "SLOW"."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

TOOL = """#!/bin/sh
[ "$1" = --version ] && exit 0
for word; do
  [ "$word" = -- ] && break
  last=$word
done
echo "$last" >> "$CALLS"
echo "$*" > "$CALLS.words"
grep -q SLOW "$last" && exec sleep 60
! grep -l BAD "$last" lib/catena/a.hpp
"""

if any(shutil.which(tool) is None for tool in ("git", "sh")):
    print("skipped: no git or sh")
    sys.exit(77)

with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder).resolve()
    tools = root / "tools"
    environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "CALLS": str(root / "calls"),
                   "GIT_CONFIG_GLOBAL": "/dev/null", "CATENA_TIDY_SECONDS": "20"}

    def write(name, content):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)

    def git(*words):
        subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *words], cwd=root, check=True,
                       capture_output=True, env=environment)

    def tidy(expected_code, *expected_text, arguments=(), seconds="20"):
        """Returns what the tool was called for."""
        (root / "calls").write_text("")
        done = subprocess.run([root / ".ci/tidy", *arguments], cwd=root, capture_output=True, text=True,
                              env={**environment, "CATENA_TIDY_SECONDS": seconds})
        assert done.returncode == expected_code, (done.returncode, done.stdout, done.stderr)
        for text in expected_text:
            assert text in done.stdout, (text, done.stdout)
        return [str(pathlib.Path(line).relative_to(root)) for line in (root / "calls").read_text().split()]

    write("tools/clang-tidy", TOOL)
    write("tools/cmake", "#!/bin/sh\n")
    write(".clang-tidy", "Checks: '*'\n")
    for tool in tools.iterdir():
        tool.chmod(0o755)
    (root / ".ci").mkdir()
    shutil.copy(sys.argv[1], root / ".ci/tidy")
    write("lib/catena/a.hpp", "")
    write("lib/catena/a_user.hpp", "#include <catena/a.hpp>\n")
    write("lib/b.cpp", "#include <catena/a_user.hpp>\n")
    write("lib/c.cpp", "")
    write("lib/d.isa.cpp", "")
    write("lib/lonely.hpp", "")
    unity = "build/clang/Unity/u.cxx"
    write(unity, f'#include "{root}/lib/b.cpp"\n#include "{root}/lib/c.cpp"\n')
    write("build/clang/compile_commands.json", json.dumps(
        [{"directory": str(root), "command": f"c++ -DUNIT -I lib -o u.o -c {root / f}", "file": str(root / f)}
         for f in (unity, "lib/d.isa.cpp")]))
    git("init", "-q")
    git("add", "-A", ".ci", "lib")
    git("commit", "-qm", "first")
    git("commit", "-qm", "second", "--allow-empty")

    assert tidy(0, "no source file changed") == []
    # a header is read through a unit that reaches it through another one; both passes; then it is remembered
    write("lib/catena/a.hpp", "int a;\n")
    assert tidy(0, "1 files in 1 units: 0 units not read, paths of 0 of 1") == [unity, "lib/b.cpp"]
    # the source alone, which the database does not have, with the flags of its unit
    assert (root / "calls.words").read_text().endswith(f"{root}/lib/b.cpp -- -DUNIT -I lib\n")
    assert tidy(0) == []
    # what it says again counts as unread: the text of an included file has changed; a finding fails, every time
    write("lib/catena/a.hpp", "int BAD;\n")
    assert tidy(1) == [unity, "lib/b.cpp"]
    assert tidy(1) == [unity, "lib/b.cpp"]
    write("lib/catena/a.hpp", "int a;\n")
    # no analysis of paths in kernels; a header that nothing includes fails
    write("lib/d.isa.cpp", "int d;\n")
    assert tidy(0, "2 files in 2 units") == ["lib/d.isa.cpp"]
    write("lib/lonely.hpp", "int l;\n")
    tidy(1, "no unit of the build includes lib/lonely.hpp")
    git("checkout", "lib/lonely.hpp")
    # without time: unread units fail, sources whose paths were not analysed are named
    write("lib/c.cpp", "int c;\n")
    assert tidy(1, "not read for want of time: lib/b.cpp lib/c.cpp", "1 units not read", seconds="0") == []
    write("lib/c.cpp", "int SLOW;\n")
    assert tidy(0, "paths not analysed for want of time: lib/c.cpp", "paths of 1 of 2 sources not checked",
                seconds="4")[:1] == [unity]
    # everything
    git("checkout", "lib/c.cpp")
    tidy(0, "3 files in 2 units", arguments=["--all"], seconds="0")
