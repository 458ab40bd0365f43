#!/usr/bin/env bash
# Runs clang-tidy over the sources of the libraries and the command; prints what it finds.
#   tools/tidy.sh                           all of them, some 8 seconds of processor time each
#   tools/tidy.sh --since REV [--most N]    those that differ from REV, changed last first, N at most
#   tools/tidy.sh --since-days D [--most N] those that commits of the last D days before HEAD changed
# A header is looked at with the sources that include it, so a changed header counts as a change of
# the source that has its name.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() { sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 64; }
since="" days="" most=0
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
[ "$most" -eq 0 ] || [ "${#sources[@]}" -le "$most" ] ||
  { echo "tidy: the $most changed last of ${#sources[@]}" >&2; sources=("${sources[@]:0:$most}"); }
[ "${#sources[@]}" -gt 0 ] || { echo "tidy: nothing changed" >&2; exit 0; }

# The dev preset has none of GCC's precompiled headers, which clang cannot read. Nothing is built.
cmake --preset dev -DGSSL_PYTHON=AUTO >/dev/null
if ! grep -q /tools/python/src/ build/dev/compile_commands.json; then
  # Its headers are not here: clang-tidy would guess the command and find none.
  printf '%s\n' "${sources[@]}" | grep '^tools/python/' | sed 's/^/tidy: left out, no pybind11: /' >&2 || true
  mapfile -t sources < <(printf '%s\n' "${sources[@]}" | grep -v '^tools/python/')
  [ "${#sources[@]}" -gt 0 ] || exit 0
fi
echo "tidy: ${#sources[@]} sources" >&2
printf '%s\n' "${sources[@]}" |
  xargs -P "$(nproc)" -n 1 clang-tidy -p build/dev --quiet --extra-arg=-Wno-unknown-warning-option
