#!/usr/bin/env bash
# wheel.sh WORK: `pip install .` in a copy of the checkout, with a build of its own and without CHOLMOD and SPQR, into a virtual
# environment; then the module is used from there, and what it links is looked at. Takes as long as a build of all of it.
# Root: without a network at all (unshare); else pip may use none.
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
work=$(cd "$1" && pwd)
fail() { echo "wheel.sh: $*" >&2; exit 1; }
rm -rf "$work/checkout" "$work/environment"
mkdir "$work/checkout"
(cd "$source" && git ls-files -z | tar --create --null --files-from - ) | tar --extract --directory "$work/checkout"

python=$work/environment/bin/python
/usr/bin/python3 -m venv --without-pip --system-site-packages "$work/environment"
alone=()
[ "$(id -u)" -ne 0 ] || alone=(unshare --net)
export PIP_NO_INDEX=1 CATENA_CMAKE_ARGS="-DCATENA_WITH_CHOLMOD=OFF"
unset PYTHONPATH CATENA_BUILD_FOLDER
${alone[@]+"${alone[@]}"} "$python" -m pip install "$work/checkout" >"$work/pip.log" 2>&1 || { tail -n 40 "$work/pip.log"; fail "pip install failed"; }

cd "$work"
module=$("$python" -c "import catena._core; print(catena._core.__file__)")
[[ "$module" == "$work/environment/"* ]] || fail "another catena is imported: $module"
ldd "$module" >"$work/linked"
for wanted in libklu libtbb; do grep -q "$wanted" "$work/linked" || fail "it does not link $wanted"; done
for unwanted in libcholmod libspqr libmetis libblas; do
  ! grep -q "$unwanted" "$work/linked" || fail "it links $unwanted, which is under the GPL or below what is"
done
cat >use.py <<'PYTHON'
import catena

assert catena.run("helix_chain", set={"n": 3}, end=0.1).ok
assert catena.run("helix_chain", set={"n": 3}, end=0.1, backend="klu").ok
for lost in ("cholmod", "cholmod_schur", "spqr"):
    try:
        catena.run("helix_chain", set={"n": 3}, end=0.1, backend=lost)
    except catena.UsageError as error:
        assert lost in str(error), error
    else:
        raise AssertionError(f"{lost} is there")
# Redundant rows are found without SPQR: three of the loop of hinges.
facts = catena.check("four_bar").facts
assert facts["position_rows"] - facts["independent_rows"] == 3, facts
PYTHON
"$python" use.py || fail "the module does not do what it has to"
# The module's own tests that need no program beside it.
cd "$source/tests/python"
for test in own methods study; do
  "$python" -B -m unittest -q "${test}_test" || fail "tests/python/${test}_test.py"
done
echo "wheel.sh: installed by pip with a build of its own; links $(wc -l <"$work/linked") libraries, none under the GPL"
