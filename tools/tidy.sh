#!/usr/bin/env bash
# Runs clang-tidy over the sources of the libraries and the command; prints what it finds.
#   tools/tidy.sh                           all of them: 12 minutes of processor time
#   tools/tidy.sh --since REV [--most N]    those that differ from REV, changed last first, N units at most
#   tools/tidy.sh --since-days D [--most N] those that commits of the last D days before HEAD changed
#   tools/tidy.sh alone [...]               says instead which do not compile each by itself, without the
#                                           headers that a neighbor or a precompiled header brings
# A header is looked at with the sources that include it, so a changed header counts as a change of
# the source that has its name. About twenty sources of a room are one unit, which takes half a minute.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 64; }
since="" days="" most=0 alone=false
[ "${1:-}" != alone ] || { alone=true; shift; }
while [ "$#" -gt 0 ]; do
  [ "$#" -ge 2 ] || usage
  case "$1" in
    --since) since="$2" ;;
    --since-days) days="$2" ;;
    --most) most="$2" ;;
    *) usage ;;
  esac
  shift 2
done

folders=('libgraph/*' 'algorithms/*' 'io/*' 'tools/*')
all_sources() { git ls-files 'libgraph/src/*.cpp' 'algorithms/src/*.cpp' 'io/src/*.cpp' 'tools/*.cpp'; }

# Paths that commits after $1 touched and that the checkout has, changed last first, once each.
changed_since() {
  { git diff --name-only HEAD -- "${folders[@]}"
    git log --no-merges --name-only --format= "$1..HEAD" -- "${folders[@]}"; } | awk '!seen[$0]++'
}

# Sources among the paths of standard input, and those that are named like a header among them.
to_sources() {
  local sources path
  sources="$(all_sources)"
  while read -r path; do
    case "$path" in
      *.cpp) grep -Fx -- "$path" <<<"$sources" || true ;;
      *.hpp) grep -E "(^|/)$(basename "$path" .hpp)\.cpp$" <<<"$sources" || true ;;
    esac
  done | awk '!seen[$0]++'
}

if [ -n "$days" ]; then
  # Days of the history and not of the calendar: a checkout may be looked at any time later.
  last="$(git log -1 --format=%ct)"
  since="$(git rev-list -1 --before="$((last - days * 86400))" HEAD)"
  # A clone without so much history: all that it has.
  [ -n "$since" ] || since="$(git rev-list --max-parents=0 HEAD | tail -n 1)"
fi
if [ -n "$since" ]; then
  git rev-parse --quiet --verify "$since^{commit}" >/dev/null || { echo "tidy: no revision $since" >&2; exit 64; }
  mapfile -t sources < <(changed_since "$since" | to_sources)
else
  mapfile -t sources < <(all_sources)
fi
[ "${#sources[@]}" -gt 0 ] || { echo "tidy: nothing changed" >&2; exit 0; }

mpi=OFF
! pkg-config --exists petsc slepc 2>/dev/null || mpi=ON
if "$alone"; then
  [ "$most" -eq 0 ] || sources=("${sources[@]:0:$most}")
  cmake --preset dev -B build/alone -DGSSL_BUILD_TESTS=OFF -DGSSL_PYTHON=AUTO -DGSSL_WITH_MPI="$mpi" >/dev/null
  echo "alone: ${#sources[@]} sources" >&2
  printf '%s\n' "${sources[@]}" | python3 tools/cmake/commands_alone.py build/alone/compile_commands.json |
    xargs -d '\n' -P "$(nproc)" -n 1 bash -c
  exit
fi

# Files of a room are compiled as one, as the release preset does: clang-tidy reads their headers once.
# Without precompiled headers, which are GCC's and clang cannot read. Nothing is built.
cmake --preset dev -B build/tidy -DGSSL_PRECOMPILE=whole -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON \
  -DGSSL_BUILD_TESTS=OFF -DGSSL_PYTHON=AUTO -DGSSL_WITH_MPI="$mpi" >/dev/null
commands=build/tidy/compile_commands.json

# The unit that compiles each source of standard input: a file that includes it, or itself.
to_units() {
  local source units
  while read -r source; do
    units="$(grep -rlF --include='*.cxx' "#include \"$PWD/$source\"" build/tidy || true)"
    if [ -n "$units" ]; then
      echo "$units"
    elif grep -qF "\"$PWD/$source\"" "$commands"; then
      echo "$source"
    else
      echo "tidy: left out, its libraries are not here: $source" >&2
    fi
  done | awk '!seen[$0]++'
}

mapfile -t units < <(printf '%s\n' "${sources[@]}" | to_units)
[ "$most" -eq 0 ] || [ "${#units[@]}" -le "$most" ] ||
  { echo "tidy: the $most changed last of ${#units[@]}" >&2; units=("${units[@]:0:$most}"); }
[ "${#units[@]}" -gt 0 ] || { echo "tidy: nothing to read" >&2; exit 0; }
echo "tidy: ${#units[@]} units" >&2
printf '%s\n' "${units[@]}" |
  xargs -P "$(nproc)" -n 1 clang-tidy -p build/tidy --quiet --extra-arg=-Wno-unknown-warning-option \
    --extra-arg=-Wno-unused-command-line-argument \
    --checks=-bugprone-suspicious-include 2> >(grep -v 'warnings generated' >&2)
