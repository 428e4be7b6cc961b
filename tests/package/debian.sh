#!/usr/bin/env bash
# debian.sh BUILD WORK [CXXFLAGS]: makes the Debian packages of a built folder, installs them, lets a user's project
# find, build and test against them, removes them, and sees that nothing is left.
# Root on a Debian that has none of the packages: by dpkg into the system. Else: unpacked into a folder of WORK.
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
build=$1 work=$2 flags=${3:-}
fail() { echo "debian.sh: $*" >&2; exit 1; }

rm -rf "$work"
mkdir -p "$work"
work=$(cd "$work" && pwd)
cpack -G DEB --config "$build/CPackConfig.cmake" -B "$work/packages" >"$work/cpack.log" || { cat "$work/cpack.log"; fail "cpack failed"; }
program=$(echo "$work"/packages/catena_*.deb) development=$(echo "$work"/packages/libcatena-dev_*.deb)
module=$(echo "$work"/packages/python3-catena_*.deb)
[ -f "$program" ] && [ -f "$development" ] && [ -f "$module" ] || fail "the packages are not there: $(ls "$work/packages")"

# What they say that they need.
field() { dpkg-deb --field "$1" "$2"; }
for needed in libc6 libstdc++6 libtbb libcholmod libfmt; do
  grep -q "$needed" <<<"$(field "$program" Depends)" || fail "the program does not depend on $needed: $(field "$program" Depends)"
done
for needed in libtbb-dev libsuitesparse-dev libfmt-dev zlib1g-dev libsqlite3-dev libyaml-dev; do
  grep -q "$needed" <<<"$(field "$development" Depends)" || fail "the library does not depend on $needed"
done
for needed in python3-numpy libtbb libcholmod libfmt; do
  grep -q "$needed" <<<"$(field "$module" Depends)" || fail "the Python module does not depend on $needed: $(field "$module" Depends)"
done
author=$(sed -n 's/^  - name: "\(.*\)"$/\1/p' "$source/CITATION.cff" | head -n 1)
for package in "$program" "$development" "$module"; do
  grep -Eqx "$author <[a-z.-]+@[a-z-]+(\.[a-z]+)+>" <<<"$(field "$package" Maintainer)" || fail "maintainer: $(field "$package" Maintainer)"
done
contents() { dpkg-deb --fsys-tarfile "$1" | tar --list | sed 's,^\.,,; s,/$,,'; }
{ contents "$program"; contents "$development"; contents "$module"; } | sort -u >"$work/contents"
grep -qx /usr/bin/catena "$work/contents" && grep -q '/catenaConfig.cmake$' "$work/contents" || fail "something is not packed"
! grep -E '^/usr/local|/(build|tests)/' "$work/contents" || fail "these do not belong into a package"

have() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null || true)" = installed ]; }
remove() { dpkg --purge catena libcatena-dev python3-catena >"$work/remove.log" 2>&1; }
if [ "$(id -u)" -eq 0 ] && [ -e /etc/debian_version ] && ! have catena && ! have libcatena-dev && ! have python3-catena &&
  [ ! -e /usr/include/catena ] && [ ! -e /usr/bin/catena ]; then
  how="installed by dpkg" root="" prefix=()
  trap remove EXIT
  dpkg -i "$program" "$development" "$module" >"$work/install.log" 2>&1 || { cat "$work/install.log"; fail "dpkg -i failed"; }
else
  how="unpacked" root=$work/unpacked prefix=("-DCMAKE_PREFIX_PATH=$work/unpacked/usr")
  dpkg-deb -x "$program" "$root"
  dpkg-deb -x "$development" "$root"
  dpkg-deb -x "$module" "$root"
fi

"$root/usr/bin/catena" list problems >"$work/list.log"
grep -q "^rod_chain: " "$work/list.log" || fail "the program does not list its problems"
"$root/usr/bin/catena" run simple_pendulum --end 0.1 >"$work/run.log" || fail "the program does not run"
(cd "$work" && PYTHONPATH=${root:+$root/usr/lib/python3/dist-packages} /usr/bin/python3 -B -c \
  "import catena; assert catena.run('simple_pendulum', end=0.1).ok and catena.__file__.startswith('$root/usr/lib/python3')") ||
  fail "the Python module does not run"

cmake -S "$source/tests/consumer" -B "$work/consumer" -G Ninja -DCMAKE_BUILD_TYPE=Release \
  "-DCMAKE_CXX_FLAGS=$flags" ${prefix[@]+"${prefix[@]}"} >"$work/configure.log" || { cat "$work/configure.log"; fail "find_package failed"; }
grep -q "^catena_DIR:PATH=$root/usr/lib" "$work/consumer/CMakeCache.txt" || fail "another catena was found: $(grep catena_DIR "$work/consumer/CMakeCache.txt")"
cmake --build "$work/consumer" >"$work/build.log" || { cat "$work/build.log"; fail "the user's project does not build"; }
ctest --test-dir "$work/consumer" --output-on-failure --no-tests=error

if [ -z "$root" ]; then
  trap - EXIT
  remove || { cat "$work/remove.log"; fail "dpkg --purge failed"; }
  ! have catena && ! have libcatena-dev && ! have python3-catena || fail "dpkg still knows the packages"
  # Folders that other packages share stay; files and folders of our own do not.
  while read -r path; do
    [ ! -e "$path" ] && continue
    [ -d "$path" ] && [[ "$path" != *catena* ]] && continue
    fail "left behind: $path"
  done <"$work/contents"
  how+=" and removed without a trace"
fi
echo "debian.sh: $(wc -l <"$work/contents") paths, $how"
