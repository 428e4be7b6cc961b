#!/usr/bin/env bash
# setup_test.sh SETUP: runs scripts/setup against a pretended apt, as root and with sudo, with and without
# package lists. Nothing is installed.
set -u
setup=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

write() { printf '#!/usr/bin/env bash\n%s\n' "$2" >"$work/bin/$1"; chmod +x "$work/bin/$1"; }
mkdir "$work/bin"
# libfmt-dev is missing until it is installed, which needs up-to-date lists.
write dpkg-query 'shift 3  # -W -f FORMAT
for package in "$@"; do
  if [ "$package" = libfmt-dev ] && [ ! -e '"$work"'/installed ]; then echo "no package libfmt-dev" >&2; else echo "$package installed"; fi
done
[ -e '"$work"'/installed ]'
write apt-cache '[ -e '"$work"'/lists ] || [ -e '"$work"'/old-lists ] && echo "  Candidate: 9.1"; exit 0'
write apt-get 'echo "apt-get $*"; [ "$DEBIAN_FRONTEND" = noninteractive ] || exit 9
[ "$(PATH=/usr/bin:/bin head -c 4 '"$work"'/user)" = root ] || [ -n "${PRETENDED_ROOT:-}" ] || exit 8
if [ "$1" = update ]; then touch '"$work"'/lists; exit 0; fi
[ -e '"$work"'/lists ] || exit 100
touch '"$work"'/installed'
write id '[ "$(head -c 4 '"$work"'/user)" = root ] && echo 0 || echo 1000'

# run NAME EXPECTED_STATUS WORDS...: every one of WORDS must be in the output, those after -- must not
run() {
  local name=$1 expected=$2 output status wanted=true
  shift 2
  output=$(PATH="$work/bin:/usr/bin:/bin" bash "$setup" ${arguments:-} 2>&1)
  status=$?
  [ "$status" -eq "$expected" ] || { echo "$name: status $status, expected $expected"; failures=$((failures + 1)); }
  for words in "$@"; do
    if [ "$words" = -- ]; then wanted=false; continue; fi
    if grep -qF -- "$words" <<<"$output"; then found=true; else found=false; fi
    [ $found = $wanted ] || { echo "$name: '$words' present: $found"; echo "$output"; failures=$((failures + 1)); }
  done
}

echo root >"$work/user"
arguments=--dry-run run "a dry run changes nothing" 0 "will install with apt-get: libfmt-dev" -- "apt-get update" "apt-get install"
run "without lists" 0 "will install with apt-get: libfmt-dev" "apt-get update" "apt-get install"
run "a second call" 0 "nothing to do" -- "apt-get"
rm "$work/installed"
run "with lists" 0 "apt-get install" -- "apt-get update"
rm "$work/installed" "$work/lists"
touch "$work/old-lists"
run "with old lists" 0 "once more" "apt-get update"
rm "$work/installed"
echo user >"$work/user"
write sudo 'echo "sudo $*"; exec env -i PATH="$PATH" PRETENDED_ROOT=1 "$@"'
run "a user with sudo" 0 "sudo env DEBIAN_FRONTEND" "apt-get install"
rm "$work/installed" "$work/lists"
write sudo 'echo "may not" >&2; exit 1'
run "a user whom sudo refuses" 1 "may not" -- "setup: done"
printf '' >"$work/user"
# What the demo does not need is not installed for it.
for needs in "--demo:libyaml-dev:libsundials-dev" "--build:libsundials-dev:octave" ":octave:clang-tidy" "--demo:gnuplot-nox:octave" ":libsundials-dev:clang-tidy" "--ci:clang-tidy:no-such-package"; do
  IFS=: read -r option there absent <<<"$needs"
  write dpkg-query 'exit 1'
  arguments="$option --dry-run" run "packages of setup $option" 0 " $there" -- " $absent"
done
arguments=--nonsense run "an unknown option" 2 "--dry-run"

echo "$failures failures"
[ $failures -eq 0 ]
